// SPDX-License-Identifier: Apache-2.0
#include "cli/command_line.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>

#include "cli/commands.h"
#include "cli/terminal.h"

namespace bricard::cli {
namespace {

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

void say_what_is_wrong(const CLI::App& app, const CLI::ParseError& error) {
  std::string name = app.get_name(), message = error.what();
  for (const CLI::App* command = &app; !command->get_subcommands().empty();) {
    command = command->get_subcommands().front();
    name += " " + command->get_name();
    for (const std::string& word : command->remaining())
      if (word.size() > 1 && word[0] == '-') message = unknown_option(word, *command);
  }
  say(fmt::format("{}: {}", name, message));
}

}  // namespace

Option* Option::required() { return option_->required(), this; }
Option* Option::type_name(const std::string& name) { return option_->type_name(name), this; }
Option* Option::group(const std::string& title) { return option_->group(title), this; }
Option* Option::allow_extra_args(bool allow) { return option_->allow_extra_args(allow), this; }
Option* Option::excludes(const std::string& other) { return option_->excludes(other), this; }
Option* Option::capture_default_str() { return option_->capture_default_str(), this; }

Option* Command::keep(CLI::Option* option) { return options_.emplace_back(std::make_unique<Option>(option)).get(); }

Option* Command::add_option(const std::string& names, std::string& value, const std::string& help) {
  return keep(app_->add_option(names, value, help));
}

Option* Command::add_option(const std::string& names, std::vector<std::string>& values, const std::string& help) {
  return keep(app_->add_option(names, values, help));
}

Option* Command::add_option(const std::string& names, double& value, const std::string& help) {
  return keep(app_->add_option(names, value, help));
}

Option* Command::add_option(const std::string& names, int& value, const std::string& help) {
  return keep(app_->add_option(names, value, help));
}

Option* Command::add_option_function(const std::string& names, const std::function<void(const std::string&)>& take,
                                     const std::string& help) {
  return keep(app_->add_option_function<std::string>(names, take, help));
}

Option* Command::add_flag(const std::string& names, bool& value, const std::string& help) {
  return keep(app_->add_flag(names, value, help));
}

Option* Command::add_flag_callback(const std::string& names, const std::function<void()>& take,
                                   const std::string& help) {
  return keep(app_->add_flag_callback(names, take, help));
}

Command* Command::add_subcommand(const std::string& name, const std::string& what) {
  return commands_.emplace_back(std::make_unique<Command>(app_->add_subcommand(name, what))).get();
}

void Command::require_subcommand() { app_->require_subcommand(1); }

void Command::footer(const std::string& text) { app_->footer(text); }

void Command::callback(const std::function<void()>& action) { app_->callback(action); }

Program::Program(const std::string& name, const std::string& what, const std::string& version,
                 const std::string& footer)
    : app_(std::make_unique<CLI::App>(what, name)) {
  app_->set_version_flag("--version", version);
  app_->footer(footer);
  app_->require_subcommand(1);
}

Program::~Program() = default;

Command* Program::add_subcommand(const std::string& name, const std::string& what) {
  return commands_.emplace_back(std::make_unique<Command>(app_->add_subcommand(name, what))).get();
}

bool Program::run(int argc, char** argv) {
  check_command(*app_, argc, argv);
  try {
    app_->parse(argc, argv);
    return true;
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return app_->exit(error) == 0;  // help or version
    say_what_is_wrong(*app_, error);
    return false;
  }
}

}  // namespace bricard::cli
