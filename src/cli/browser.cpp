// SPDX-License-Identifier: Apache-2.0
#include "cli/browser.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <nlohmann/json.hpp>
#include <sstream>
#include <vector>

#include "bricard/write/base64.h"
#include "bricard/write/files.h"

namespace bricard::cli {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

constexpr int kSeconds = 300;  ///< the longest wait for an answer; a busy machine draws slowly
constexpr const char* kPrograms[] = {"chromium", "chromium-browser", "google-chrome", "google-chrome-stable",
                                     "microsoft-edge"};

/// file:// and the path, with everything but plain characters escaped.
std::string address_of(const fs::path& page) {
  std::string address = "file://";
  for (const char c : fs::absolute(page).string())
    if (std::isalnum(static_cast<unsigned char>(c)) || std::string_view("/-._~").find(c) != std::string_view::npos)
      address += c;
    else address += fmt::format("%{:02X}", static_cast<unsigned char>(c));
  return address;
}

}  // namespace

std::string find_browser() {
  if (const char* given = std::getenv("BRICARD_BROWSER"); given && *given) return given;
  std::istringstream folders(std::getenv("PATH") ? std::getenv("PATH") : "");
  std::vector<std::string> list;
  for (std::string folder; std::getline(folders, folder, ':');) list.push_back(folder);
  for (const char* program : kPrograms)
    for (const std::string& folder : list)
      if (const fs::path path = fs::path(folder) / program; access(path.c_str(), X_OK) == 0) return path.string();
  return "";
}

Browser::Browser(const fs::path& page, int width, int height, const std::string& hash) {
  const std::string program = find_browser();
  if (program.empty())
    throw io::FileError("pictures need Chromium, and none is installed; install it (Debian: apt install chromium), or "
                        "name it in the variable BRICARD_BROWSER");
  std::string name = (fs::temp_directory_path() / "bricard-browser-XXXXXX").string();
  if (!mkdtemp(name.data()))
    throw io::FileError("no folder for the browser can be made in " + fs::temp_directory_path().string());
  folder_ = name;
  try {
    start(program);
    const Json target = call("Target.createTarget", {{"url", "about:blank"}});
    session_ = call("Target.attachToTarget", {{"targetId", target.at("targetId")}, {"flatten", true}}).at("sessionId");
    call("Emulation.setDeviceMetricsOverride",
         {{"width", width}, {"height", height}, {"deviceScaleFactor", 1}, {"mobile", false}});
    call("Page.navigate", {{"url", address_of(page) + "#" + hash}});
    evaluate("new Promise((done) => { const look = () => window.bricard ? done() : setTimeout(look, 20); look(); })");
  } catch (...) {
    stop();
    throw;
  }
}

/// The browser reads from its file number 3 and writes to 4.
void Browser::start(std::string program) {
  signal(SIGPIPE, SIG_IGN);  // a browser that has ended is noticed by write
  int down[2], up[2];
  if (pipe2(down, O_CLOEXEC) || pipe2(up, O_CLOEXEC)) throw io::FileError("no pipe to the browser can be made");
  to_ = down[1], from_ = up[0];
  std::vector<std::string> words{program,
                                 "--headless=new",
                                 "--remote-debugging-pipe",
                                 "--no-first-run",
                                 "--mute-audio",
                                 "--no-default-browser-check",
                                 "--disable-background-networking",
                                 "--disable-extensions",
                                 "--hide-scrollbars",
                                 "--enable-unsafe-swiftshader",
                                 "--user-data-dir=" + folder_.string()};
  if (geteuid() == 0) words.push_back("--no-sandbox");  // its sandbox does not work for root; the page is our own
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  // Moved out of the way first: one of the ends may already be number 3 or 4.
  const int in = fcntl(down[0], F_DUPFD_CLOEXEC, 10), out = fcntl(up[1], F_DUPFD_CLOEXEC, 10);
  posix_spawn_file_actions_adddup2(&actions, in, 3);
  posix_spawn_file_actions_adddup2(&actions, out, 4);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  const int failed = posix_spawnp(&process_, program.c_str(), &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  for (const int end : {down[0], up[1], in, out}) close(end);
  if (!failed) return;
  process_ = 0;
  throw io::FileError(program + ": cannot be started");
}

Browser::~Browser() { stop(); }

void Browser::stop() {
  for (const int end : {to_, from_})
    if (end >= 0) close(end);
  to_ = from_ = -1;
  if (process_ > 0) {
    kill(process_, SIGTERM);
    waitpid(process_, nullptr, 0);
  }
  process_ = 0;
  std::error_code ignored;
  fs::remove_all(folder_, ignored);
}

std::string Browser::read_message() {
  for (;;) {
    if (const size_t end = unread_.find('\0'); end != std::string::npos) {
      const std::string message = unread_.substr(0, end);
      unread_.erase(0, end + 1);
      return message;
    }
    pollfd wait{from_, POLLIN, 0};
    if (poll(&wait, 1, 1000 * kSeconds) <= 0) throw io::FileError("the browser does not answer");
    char buffer[65536];
    const ssize_t count = read(from_, buffer, sizeof buffer);
    if (count <= 0) throw io::FileError("the browser has ended by itself");
    unread_.append(buffer, static_cast<size_t>(count));
  }
}

Json Browser::call(const std::string& method, const Json& parameters) {
  const long number = ++number_;
  Json request{{"id", number}, {"method", method}, {"params", parameters}};
  if (!session_.empty()) request["sessionId"] = session_;
  const std::string text = request.dump();
  const std::string_view bytes(text.c_str(), text.size() + 1);  // with the zero at the end
  for (size_t at = 0; at < bytes.size();) {
    const ssize_t count = write(to_, bytes.data() + at, bytes.size() - at);
    if (count <= 0) throw io::FileError("the browser has ended by itself");
    at += static_cast<size_t>(count);
  }
  for (;;) {
    const Json answer = Json::parse(read_message());
    if (answer.value("id", 0L) != number) continue;  // an event, of which there are many
    if (answer.contains("error"))
      throw io::FileError("the browser refuses " + method + ": " + answer["error"].value("message", ""));
    return answer.at("result");
  }
}

std::string Browser::evaluate(const std::string& script) {
  const Json result =
      call("Runtime.evaluate", {{"expression", script}, {"awaitPromise", true}, {"returnByValue", true}});
  if (result.contains("exceptionDetails"))
    throw io::FileError("the page fails: " + result["exceptionDetails"].value("text", ""));
  return result.at("result").value("value", Json()).dump();
}

std::string Browser::picture() {
  return io::base64_bytes(call("Page.captureScreenshot", {{"format", "png"}}).at("data").get<std::string>());
}

}  // namespace bricard::cli
