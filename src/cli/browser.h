// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <string>

// Chromium without a window, for pictures of pages. It is spoken to over two pipes in the DevTools protocol: messages in
// JSON, each ended by a zero byte.
namespace bricard::cli {

class Browser {
 public:
  /// Starts it and opens a page of this size in pixels. Throws io::FileError, also if no Chromium is installed.
  Browser(const std::filesystem::path& page, int width, int height, const std::string& hash);
  ~Browser();
  Browser(const Browser&) = delete;
  Browser& operator=(const Browser&) = delete;

  /// Runs a script in the page and returns what it or its promise gives, as JSON text.
  std::string evaluate(const std::string& script);

  /// The page as PNG.
  std::string picture();

 private:
  nlohmann::json call(const std::string& method, const nlohmann::json& parameters);
  void start(std::string program);
  std::string read_message();
  void stop();

  std::filesystem::path folder_;  ///< of its settings, deleted at the end
  std::string session_;
  std::string unread_;
  pid_t process_ = 0;
  int to_ = -1, from_ = -1;
  long number_ = 0;
};

/// The Chromium to use: that of the variable BRICARD_BROWSER, else the first that is installed; empty if there is none.
std::string find_browser();

}  // namespace bricard::cli
