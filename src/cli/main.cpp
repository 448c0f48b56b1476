// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <signal.h>

#include <algorithm>
#include <new>

#include "bricard/model/source.h"
#include "bricard/write/files.h"
#include "cli/commands.h"
#include "cli/terminal.h"

namespace bricard::cli {
namespace {

constexpr const char* kProgramFooter =
    "`bricard COMMAND --help` tells more about a command.\n\n"
    "Exit codes:\n"
    "  0    good\n"
    "  1    the analysis did not reach its end (results are kept), or a check failed\n"
    "  2    the model or an argument is wrong\n"
    "  3    a file could not be read or written\n"
    "  4    an error in Bricard itself\n"
    "  130  interrupted by Ctrl-C (results are kept); 129 by SIGHUP, 143 by SIGTERM\n\n"
    "Example:\n"
    "  bricard run models/pendulum.yaml && bricard view pendulum.h5 --open";

std::vector<std::string> options_of(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options()) {
    for (const std::string& name : option->get_snames()) names.push_back("-" + name);
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  }
  return names;
}

std::string unknown_option(const std::string& word, const CLI::App& app) {
  const std::string near = did_you_mean(word, options_of(app));
  return fmt::format("unknown option '{}'{}", word, near.empty() ? "" : fmt::format("; did you mean '{}'?", near));
}

/// The first argument must be a command or an option; CLI11 would say less about it.
void check_command(const CLI::App& app, int argc, char** argv) {
  if (argc < 2) throw UsageError("a command is missing; see bricard --help");
  const std::string word = argv[1];
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands({})) names.push_back(command->get_name());
  if (word[0] != '-' && std::find(names.begin(), names.end(), word) == names.end())
    throw UsageError(fmt::format("unknown command '{}'{}", word, hint(word, names)));
  const std::vector<std::string> options = options_of(app);
  if (word[0] == '-' && std::find(options.begin(), options.end(), word) == options.end())
    throw UsageError(unknown_option(word, app));
}

int parse_error(const CLI::App& app, const CLI::ParseError& error) {
  if (error.get_exit_code() == 0) return app.exit(error);  // help or version
  std::string name = "bricard", message = error.what();
  for (const CLI::App* command : app.get_subcommands()) {
    name += " " + command->get_name();
    for (const std::string& word : command->remaining())
      if (word.size() > 1 && word[0] == '-') message = unknown_option(word, *command);
  }
  say(fmt::format("{}: {}", name, message));
  return kBadInput;
}

int run_program(int argc, char** argv) {
  CLI::App app{"Dynamics of mechanisms", "bricard"};
  int exit_code = kGood;
  app.set_version_flag("--version", "bricard " BRICARD_VERSION " (" BRICARD_BUILD ")");
  app.footer(kProgramFooter);
  app.require_subcommand(1);
  add_run_command(app, exit_code);
  add_kinematics_command(app, exit_code);
  add_static_command(app, exit_code);
  add_check_command(app, exit_code);
  add_linearize_command(app, exit_code);
  add_modes_command(app, exit_code);
  add_campbell_command(app, exit_code);
  add_frequency_command(app, exit_code);
  add_compare_command(app, exit_code);
  add_view_command(app, exit_code);
  add_reproduce_command(app, exit_code);
  add_verify_command(app, exit_code);
  add_doctor_command(app, exit_code);
  add_schema_command(app, exit_code);
  try {
    check_command(app, argc, argv);
    app.parse(argc, argv);
    return exit_code;
  } catch (const CLI::ParseError& error) {
    return parse_error(app, error);
  }
}

}  // namespace
}  // namespace bricard::cli

int main(int argc, char** argv) {
  namespace cli = bricard::cli;
  cli::open_standard_files();
  ::signal(SIGXFSZ, SIG_IGN);  // a file that may not grow any more is an error like a full disk
  try {
    return cli::run_program(argc, argv);
  } catch (const bricard::ModelError& error) {
    cli::say(error.what());
    return cli::kBadInput;
  } catch (const cli::UsageError& error) {
    cli::say(fmt::format("bricard: {}", error.what()));
    return cli::kBadInput;
  } catch (const bricard::io::FileError& error) {
    cli::say(fmt::format("bricard: {}", error.what()));
    return cli::kFileError;
  } catch (const std::bad_alloc&) {
    cli::say("bricard: out of memory");
    return cli::kInternalError;
  } catch (const std::exception& error) {
    cli::say(fmt::format("bricard: internal error, please report it: {}", error.what()));
    return cli::kInternalError;
  }
}
