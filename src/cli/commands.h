// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>
#include <stdexcept>
#include <string>

// The commands of the program, one file each. stdout is for data, stderr for everything else.
namespace bricard::cli {

// Exit codes, as --help documents them; a signal n that ends a run gives 128 + n.
inline constexpr int kGood = 0;
inline constexpr int kNotFinished = 1;
inline constexpr int kBadInput = 2;
inline constexpr int kFileError = 3;
inline constexpr int kInternalError = 4;

/// An argument that makes no sense.
struct UsageError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// Each adds its command to the program; when that command has run, its exit code is in `exit_code`.
void add_run_command(CLI::App& app, int& exit_code);
void add_check_command(CLI::App& app, int& exit_code);
void add_kinematics_command(CLI::App& app, int& exit_code);
void add_static_command(CLI::App& app, int& exit_code);
void add_linearize_command(CLI::App& app, int& exit_code);
void add_modes_command(CLI::App& app, int& exit_code);
void add_campbell_command(CLI::App& app, int& exit_code);
void add_frequency_command(CLI::App& app, int& exit_code);
void add_compare_command(CLI::App& app, int& exit_code);
void add_view_command(CLI::App& app, int& exit_code);
void add_reproduce_command(CLI::App& app, int& exit_code);
void add_verify_command(CLI::App& app, int& exit_code);
void add_doctor_command(CLI::App& app, int& exit_code);
void add_schema_command(CLI::App& app, int& exit_code);

}  // namespace bricard::cli
