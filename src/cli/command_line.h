// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace CLI {
class App;
class Option;
}  // namespace CLI

// What the program understands on its command line. CLI11 reads it, seen by command_line.cpp only: its templates take
// several times longer to compile than all commands. The functions have its names.
namespace bricard::cli {

/// An option or argument of a command.
class Option {
 public:
  explicit Option(CLI::Option* option) : option_(option) {}

  Option* required();
  Option* type_name(const std::string& name);  ///< what stands for the value in the help
  Option* group(const std::string& title);     ///< of the help
  Option* allow_extra_args(bool allow);        ///< several values after one name
  Option* excludes(const std::string& other);  ///< cannot be given together
  Option* capture_default_str();               ///< help tells the value in use

 private:
  CLI::Option* option_;
};

/// A command with its options; `names` as "-o,--output", or without hyphens for an argument.
class Command {
 public:
  explicit Command(CLI::App* app) : app_(app) {}

  Option* add_option(const std::string& names, std::string& value, const std::string& help);
  Option* add_option(const std::string& names, std::vector<std::string>& values, const std::string& help);
  Option* add_option(const std::string& names, double& value, const std::string& help);
  Option* add_option(const std::string& names, int& value, const std::string& help);
  Option* add_option_function(const std::string& names, const std::function<void(const std::string&)>& take,
                              const std::string& help);
  Option* add_flag(const std::string& names, bool& value, const std::string& help);
  Option* add_flag_callback(const std::string& names, const std::function<void()>& take, const std::string& help);
  Command* add_subcommand(const std::string& name, const std::string& what);
  void require_subcommand();                           ///< one of them must be given
  void footer(const std::string& text);                ///< below the options in the help
  void callback(const std::function<void()>& action);  ///< once all options are known

 private:
  Option* keep(CLI::Option* option);

  CLI::App* app_;
  std::vector<std::unique_ptr<Option>> options_;
  std::vector<std::unique_ptr<Command>> commands_;
};

class Program {
 public:
  Program(const std::string& name, const std::string& what, const std::string& version, const std::string& footer);
  ~Program();

  Command* add_subcommand(const std::string& name, const std::string& what);

  /// Runs the command that is asked for, or prints help. False if an argument was wrong, which has been said then.
  /// Throws UsageError.
  bool run(int argc, char** argv);

 private:
  std::unique_ptr<CLI::App> app_;
  std::vector<std::unique_ptr<Command>> commands_;
};

}  // namespace bricard::cli
