// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdexcept>
#include <string>

#include "cli/command_line.h"

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
void add_run_command(Program& app, int& exit_code);
void add_check_command(Program& app, int& exit_code);
void add_kinematics_command(Program& app, int& exit_code);
void add_static_command(Program& app, int& exit_code);
void add_linearize_command(Program& app, int& exit_code);
void add_modes_command(Program& app, int& exit_code);
void add_campbell_command(Program& app, int& exit_code);
void add_frequency_command(Program& app, int& exit_code);
void add_flex_command(Program& app, int& exit_code);
void add_compare_command(Program& app, int& exit_code);
void add_view_command(Program& app, int& exit_code);
void add_reproduce_command(Program& app, int& exit_code);
void add_verify_command(Program& app, int& exit_code);
void add_doctor_command(Program& app, int& exit_code);
void add_schema_command(Program& app, int& exit_code);

}  // namespace bricard::cli
