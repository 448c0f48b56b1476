// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "bricard/analysis/simulate.h"

// What a person at a terminal sees and does: data, remarks, a progress line, Ctrl-C.
namespace bricard::cli {

/// Data to stdout. Throws io::FileError if it does not arrive there.
void print(const std::string& text);

/// A remark or an error to stderr.
void say(const std::string& line);
/// Where stdin, stdout or stderr is closed, /dev/null takes its place: else the next file that is opened would, and messages
/// would go into it.
void open_standard_files();

/// `n things`, with the right ending.
std::string count(long n, const std::string& thing);

/// `; did you mean 'run'?`, or the list of what there is.
std::string hint(const std::string& word, const std::vector<std::string>& known);

class Stopwatch {
 public:
  double seconds() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }
  /// Seconds since the start or the last lap.
  double lap();

 private:
  using Clock = std::chrono::steady_clock;
  Clock::time_point start_ = Clock::now(), lap_ = start_;
};

/// One line that is overwritten again and again; nothing if stderr is not a terminal.
class ProgressLine {
 public:
  explicit ProgressLine(bool wanted);
  ~ProgressLine() { clear(); }
  /// A new part of the work begins; its name stands in front from now on.
  void begin(const std::string& name);
  void show(const Progress& progress);
  void clear();

 private:
  bool wanted_, shown_ = false;
  std::string name_;
  Stopwatch watch_, part_;  ///< since the start of everything, of this part
  double next_ = 0.3;       ///< short runs need none
};

/// From its making on, SIGINT, SIGTERM and SIGHUP only leave a note; a second one, half a second later, ends the program.
class InterruptNote {
 public:
  InterruptNote();
  static int signal();  ///< the signal that came, 0 if none
};

}  // namespace bricard::cli
