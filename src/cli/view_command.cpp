// SPDX-License-Identifier: Apache-2.0
#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>

#include "bricard/read/result_reader.h"
#include "bricard/report/page_writer.h"
#include "bricard/write/files.h"
#include "cli/browser.h"
#include "cli/commands.h"
#include "cli/run_overrides.h"
#include "cli/terminal.h"

namespace bricard::cli {
namespace {

namespace fs = std::filesystem;

struct ViewOptions {
  std::string results, output, png, frames, size = "1280x720", view, theme, color;
  double rate = 25;
  bool open = false, whole = false, arrows = false;
};

constexpr int kLeastPixels = 64, kMostPixels = 8192;
constexpr long kMostFrames = 20'000;

struct PictureSize {
  int width = 0, height = 0;
};

PictureSize parse_size(const std::string& text) {
  PictureSize size;
  char rest = 0;
  const int read = std::sscanf(text.c_str(), "%dx%d%c", &size.width, &size.height, &rest);
  const auto good = [](int pixels) { return pixels >= kLeastPixels && pixels <= kMostPixels; };
  if (read != 2 || !good(size.width) || !good(size.height))
    throw UsageError(fmt::format("--size = {}: must be WIDTHxHEIGHT in pixels, each from {} to {}, as 1280x720", text,
                                 kLeastPixels, kMostPixels));
  return size;
}

void check_word(const char* option, const std::string& word, const std::vector<std::string>& known) {
  if (!word.empty() && std::find(known.begin(), known.end(), word) == known.end())
    throw UsageError(fmt::format("{} = {}: unknown{}", option, word, hint(word, known)));
}

/// `t=0.5` or `0.5`, within the run.
double parse_time(const std::string& text, const std::vector<double>& time) {
  const double t = parse_number("--png", text.rfind("t=", 0) == 0 ? text.substr(2) : text, "s");
  if (time.empty()) throw UsageError(fmt::format("--png = {}: the run has no samples", text));
  if (!(t >= time.front() && t <= time.back()))
    throw UsageError(
        fmt::format("--png = {}: must be from {:g} to {:g}, the times of the run", text, time.front(), time.back()));
  return t;
}

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

/// The page, opened without a window.
class PictureMaker {
 public:
  PictureMaker(const io::ResultFile& file, const ViewOptions& o)
      : page_(fs::temp_directory_path() / fmt::format("bricard-{}.html", getpid())) {
    const PictureSize size = parse_size(o.size);
    std::string hash = "still&theme=" + (o.theme.empty() ? std::string("light") : o.theme);
    if (!o.whole) hash += "&picture";
    if (!o.view.empty()) hash += "&view=" + o.view;
    if (o.arrows) hash += "&arrows";
    io::write_page(file, page_.string());
    try {
      browser_ = std::make_unique<Browser>(page_, size.width, size.height, hash);
      if (!o.color.empty()) color_by(o.color);
    } catch (...) {
      remove_page();
      throw;
    }
  }
  ~PictureMaker() { remove_page(); }

  void write(double t, const std::string& path) {
    browser_->evaluate(fmt::format("bricard.setTime({}), bricard.picture()", t));
    io::write_file(path, browser_->picture());
  }

 private:
  void color_by(const std::string& wanted) {
    const auto known =
        nlohmann::json::parse(browser_->evaluate("bricard.quantities()")).get<std::vector<std::string>>();
    if (known.empty()) throw UsageError(fmt::format("--color = {}: the run has no beams", wanted));
    if (wanted != "none") check_word("--color", wanted, known);
    browser_->evaluate(fmt::format("bricard.colorBy({})", nlohmann::json(wanted == "none" ? "" : wanted).dump()));
  }

  void remove_page() {
    std::error_code ignored;
    fs::remove(page_, ignored);
  }
  fs::path page_;
  std::unique_ptr<Browser> browser_;
};

void write_picture(const io::ResultFile& file, const ViewOptions& o) {
  const double t = parse_time(o.png, file.table.time);
  const std::string path = o.output.empty() ? fs::path(o.results).stem().string() + ".png" : o.output;
  PictureMaker(file, o).write(t, path);
  say(fmt::format("picture: {}", path));
}

/// Pictures at equal steps of time: 00000.png, 00001.png, …
void write_frames(const io::ResultFile& file, const ViewOptions& o) {
  const std::vector<double>& time = file.table.time;
  if (!(o.rate > 0)) throw UsageError(fmt::format("--rate = {}: must be > 0", o.rate));
  if (time.empty()) throw UsageError(fmt::format("{}: the run has no samples", o.results));
  const double last = (time.back() - time.front()) * o.rate;
  if (!(last < static_cast<double>(kMostFrames)))
    throw UsageError(fmt::format("--rate = {:g}: gives more than {} pictures; lower it", o.rate, kMostFrames));
  const long count = static_cast<long>(last + 1e-9) + 1;
  std::error_code failed;
  fs::create_directories(o.frames, failed);
  if (!fs::is_directory(o.frames)) throw io::FileError(fmt::format("{}: no folder of this name can be made", o.frames));
  PictureMaker maker(file, o);
  for (long k = 0; k < count; ++k) {
    const double t = std::min(time.front() + static_cast<double>(k) / o.rate, time.back());
    maker.write(t, (fs::path(o.frames) / fmt::format("{:05}.png", k)).string());
  }
  say(fmt::format("{} in {}; a film of them: ffmpeg -framerate {:g} -i {}/%05d.png -pix_fmt yuv420p film.mp4",
                  cli::count(count, "picture"), o.frames, o.rate,
                  fs::path(o.frames / fs::path("")).parent_path().string()));
}

int view(const ViewOptions& o) {
  if (!o.png.empty() && !o.frames.empty()) throw UsageError("--png and --frames: give only one of them");
  check_word("--view", o.view, {"iso", "front", "top", "side"});
  check_word("--theme", o.theme, {"light", "dark"});
  const bool is_page = o.png.empty() && o.frames.empty();
  const std::string page = o.output.empty() ? fs::path(o.results).stem().string() + ".html" : o.output;
  std::error_code ignored;
  if (fs::equivalent(page, o.results, ignored))
    throw UsageError(
        fmt::format("{}: is the result file; give the {} another name", page, is_page ? "page" : "picture"));
  const io::ResultFile file = io::read_result_file(o.results);
  if (!o.png.empty()) write_picture(file, o);
  if (!o.frames.empty()) write_frames(file, o);
  if (!is_page) return kGood;
  io::write_page(file, page);
  say(fmt::format("page: {}", page));
  if (o.open && !start_browser(fs::absolute(page).string()))
    say("no browser could be started (xdg-open); open the page by hand");
  return kGood;
}

}  // namespace

void add_view_command(Program& app, int& exit_code) {
  Command* command = app.add_subcommand("view", "Make a self-contained web page with animation and plots");
  const auto o = std::make_shared<ViewOptions>();
  command->add_option("RESULTS", o->results, "A result file of `bricard run`")->required()->type_name("");
  command->add_option("-o,--output", o->output, "The page; by default RESULTS' name with .html")->type_name("FILE");
  command->add_flag("--open", o->open, "Show the page in the browser");
  command->add_option("--png", o->png, "Instead of a page, a picture at this time, as t=0.5")->type_name("TIME");
  command->add_option("--frames", o->frames, "Instead of a page, pictures of the whole run in this folder")
      ->type_name("FOLDER");
  command->add_option("--rate", o->rate, "Pictures per second of the run, with --frames")
      ->type_name("NUMBER")
      ->capture_default_str();
  command->add_option("--size", o->size, "Of pictures, in pixels")->type_name("WxH")->capture_default_str();
  command->add_option("--view", o->view, "Of pictures: iso, front, top or side")->type_name("VIEW");
  command->add_option("--theme", o->theme, "Of pictures: light or dark")->type_name("NAME");
  command->add_flag("--arrows", o->arrows, "Pictures with reactions and forces");
  command->add_option("--color", o->color, "Pictures with beams coloured by this, as 'normal stress'; or none")
      ->type_name("NAME");
  command->add_flag("--whole", o->whole, "Pictures of the whole page, with plots and lists");
  command->footer("Examples:\n  bricard view pendulum.h5 -o pendulum.html --open\n  bricard view pendulum.h5 --png "
                  "t=0.5 -o pendulum.png\n"
                  "  bricard view pendulum.h5 --frames film --rate 25 --size 1920x1080\n"
                  "Pictures are drawn by Chromium, which must be installed; BRICARD_BROWSER names another program.");
  command->callback([o, &exit_code] { exit_code = view(*o); });
}

}  // namespace bricard::cli
