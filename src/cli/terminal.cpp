// SPDX-License-Identifier: Apache-2.0
#include "cli/terminal.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <ctime>

#include "bricard/model/source.h"
#include "bricard/write/files.h"

namespace bricard::cli {
namespace {

volatile sig_atomic_t noted_signal = 0;
timespec noted_time = {};  // when it came

/// `timeout` and others send a signal to the process and to its group: within this time both are one.
constexpr double kSameSignal = 0.5;  // [s]; nobody presses Ctrl-C twice as fast

void note(int signal) {
  timespec now = {};
  clock_gettime(CLOCK_MONOTONIC, &now);
  const double after = static_cast<double>(now.tv_sec - noted_time.tv_sec) +
                       1e-9 * static_cast<double>(now.tv_nsec - noted_time.tv_nsec);
  if (noted_signal != 0 && after > kSameSignal) {
    ::signal(signal, SIG_DFL);
    raise(signal);
  } else if (noted_signal == 0) {
    noted_time = now;
    noted_signal = signal;
  }
}

void mutter(const std::string& text) {
  [[maybe_unused]] const size_t written = std::fwrite(text.data(), 1, text.size(), stderr);
  std::fflush(stderr);
}

/// Without control characters but line ends and tabs, which a name or a file could send to the terminal: C0, DEL, and C1
/// both as UTF-8 (C2 80 to C2 9F) and as single bytes that are no part of a longer character. What stands for them is
/// what JSON would have.
std::string harmless(const std::string& text) {
  std::string out;
  for (size_t i = 0; i < text.size(); ++i) {
    const auto c = static_cast<unsigned char>(text[i]), next = static_cast<unsigned char>(text[i + 1]);
    const size_t length = c >= 0xf0 ? 4 : c >= 0xe0 ? 3 : c >= 0xc2 ? 2 : 1;
    size_t follow = 0;
    while (follow + 1 < length && (static_cast<unsigned char>(text[i + 1 + follow]) & 0xc0) == 0x80) ++follow;
    const bool whole = follow + 1 == length;
    if (c == 0xc2 && whole && next < 0xa0) {
      out += fmt::format("\\u{:04x}", static_cast<unsigned>(next)), ++i;
    } else if ((c < 0x20 && c != '\n' && c != '\t') || c == 0x7f || (c >= 0x80 && (c < 0xc2 || !whole))) {
      out += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
    } else {
      out += text.substr(i, length), i += length - 1;
    }
  }
  return out;
}

std::string duration_text(double seconds) {
  if (!(seconds < 360000)) return "long";
  const long s = static_cast<long>(seconds + 0.5);
  if (s < 60) return fmt::format("{} s", s);
  if (s < 3600) return fmt::format("{}:{:02} min", s / 60, s % 60);
  return fmt::format("{}:{:02} h", s / 3600, s / 60 % 60);
}

}  // namespace

void open_standard_files() {
  for (int file = ::open("/dev/null", O_RDWR); file >= 0; file = ::open("/dev/null", O_RDWR))
    if (file > STDERR_FILENO) {
      ::close(file);
      return;
    }
}

void print(const std::string& any) {
  const std::string text = harmless(any);
  errno = 0;
  const bool good = std::fwrite(text.data(), 1, text.size(), stdout) == text.size();
  if (!good || std::fflush(stdout) != 0)
    throw io::FileError(fmt::format("stdout: cannot be written: {}", std::strerror(errno)));
}

// A stderr that is closed or full loses what is said, not the results.
void say(const std::string& line) { mutter(harmless(line) + "\n"); }

std::string count(long n, const std::string& thing) {
  if (n == 1) return fmt::format("1 {}", thing);
  const bool y = thing.back() == 'y';
  return fmt::format("{} {}{}", n, y ? thing.substr(0, thing.size() - 1) : thing, y ? "ies" : "s");
}

std::string hint(const std::string& word, const std::vector<std::string>& known) {
  const std::string near = did_you_mean(word, known);
  if (!near.empty()) return fmt::format("; did you mean '{}'?", near);
  return known.empty() ? "" : fmt::format("; there is {}", fmt::join(known, ", "));
}

double Stopwatch::lap() {
  const Clock::time_point now = Clock::now();
  const double seconds = std::chrono::duration<double>(now - lap_).count();
  lap_ = now;
  return seconds;
}

ProgressLine::ProgressLine(bool wanted) : wanted_(wanted && ::isatty(STDERR_FILENO) == 1) {}

void ProgressLine::begin(const std::string& name) {
  name_ = name;
  part_ = {};
}

void ProgressLine::show(const Progress& progress) {
  if (!wanted_ || watch_.seconds() < next_) return;
  next_ = watch_.seconds() + 0.1;
  const double now = part_.seconds();
  shown_ = true;
  const double share = progress.time / progress.duration;
  const std::string left = duration_text(now / share - now) + " left";
  if (!name_.empty())  // short, as it must not be wider than the terminal
    mutter(fmt::format("\r\x1b[K{}  {:.0f} %  {}", name_, 100 * share, left));
  else
    mutter(fmt::format("\r\x1b[Kt = {:.4g} of {:.4g} s  {:.0f} %  {} steps  {:.1f} iterations/step  "
                       "{:.3g} x real time  {}",
                       progress.time, progress.duration, 100 * share, progress.steps,
                       static_cast<double>(progress.iterations) / static_cast<double>(progress.steps),
                       progress.time / now, left));
}

void ProgressLine::clear() {
  if (!shown_) return;
  mutter("\r\x1b[K");
  shown_ = false;
}

InterruptNote::InterruptNote() {
  struct sigaction action = {};
  action.sa_handler = note;
  action.sa_flags = SA_RESTART;
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    struct sigaction present = {};
    ::sigaction(signal, nullptr, &present);  // a job in the background may have to ignore Ctrl-C
    if (present.sa_handler != SIG_IGN) ::sigaction(signal, &action, nullptr);
  }
}

int InterruptNote::signal() { return noted_signal; }

}  // namespace bricard::cli
