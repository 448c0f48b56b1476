// SPDX-License-Identifier: Apache-2.0
#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <unistd.h>

#include <filesystem>
#include <memory>

#include "bricard/io/page_writer.h"
#include "bricard/io/result_reader.h"
#include "cli/commands.h"
#include "cli/terminal.h"

namespace bricard::cli {
namespace {

namespace fs = std::filesystem;

struct ViewOptions {
  std::string results, output;
  bool open = false;
};

bool start_browser(const std::string& file) {
#ifdef __APPLE__
  std::string program = "open";
#else
  std::string program = "xdg-open";
#endif
  std::string argument = file;
  char* arguments[] = {program.data(), argument.data(), nullptr};
  posix_spawn_file_actions_t silent;
  posix_spawn_file_actions_init(&silent);
  posix_spawn_file_actions_addopen(&silent, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_addopen(&silent, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  pid_t id = 0;
  const int failed = posix_spawnp(&id, program.c_str(), &silent, nullptr, arguments, environ);
  posix_spawn_file_actions_destroy(&silent);
  return failed == 0;
}

int view(const ViewOptions& o) {
  const std::string page =
      o.output.empty() ? fs::path(o.results).stem().string() + ".html" : o.output;
  std::error_code ignored;
  if (fs::equivalent(page, o.results, ignored))
    throw UsageError(fmt::format("{}: is the result file; give the page another name", page));
  const io::ResultFile file = io::read_result_file(o.results);
  io::write_page(file, page);
  say(fmt::format("page: {}", page));
  if (o.open && !start_browser(fs::absolute(page).string()))
    say("no browser could be started (xdg-open); open the page by hand");
  return kGood;
}

}  // namespace

void add_view_command(CLI::App& app, int& exit_code) {
  CLI::App* command =
      app.add_subcommand("view", "Make a self-contained web page with animation and plots");
  const auto o = std::make_shared<ViewOptions>();
  command->add_option("RESULTS", o->results, "A result file of `bricard run`")
      ->required()
      ->type_name("");
  command->add_option("-o,--output", o->output, "The page; by default RESULTS' name with .html")
      ->type_name("FILE");
  command->add_flag("--open", o->open, "Show the page in the browser");
  command->footer("Example:\n  bricard view pendulum.h5 -o pendulum.html --open");
  command->callback([o, &exit_code] { exit_code = view(*o); });
}

}  // namespace bricard::cli
