// SPDX-License-Identifier: Apache-2.0
#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include <chrono>
#include <random>
#include <thread>

#include "bricard/read/result_reader.h"
#include "end_to_end/program.h"

// Runs that are stopped, killed at any moment or find the disk full, and go on with --resume. BRICARD_RELIABILITY=full does it
// 200 and 50 times (docs/reliability.md).
namespace bricard {
namespace interrupted_runs_test {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

/// Some tenths of a second of work, events among it.
constexpr const char* kSwing = R"(
bodies:
  a: {mass: 1, inertia: [0.01, 0.1, 0.1], position: [0.5, 0, 0]}
  b: {mass: 2, inertia: [0.01, 0.1, 0.1], position: [1.5, 0, 0]}
joints:
  A: {type: revolute, between: [ground, a], at: [0, 0, 0], axis: [0, 1, 0]}
  B: {type: revolute, between: [a, b], at: [1, 0, 0], axis: [0, 1, 0]}
forces:
  damper: {type: torsion-spring, joint: B, stiffness: 1, damping: 0.1}
events:
  seen: {when: angle(A) - 0.5}
run: {duration: 10, step: 5e-4, output_step: 2e-3}
)";

int times(int full) {
  const char* wanted = std::getenv("BRICARD_RELIABILITY");
  return wanted && std::string(wanted) == "full" ? full : 2;
}

class Interrupted : public Program {
 protected:
  Interrupted() {
    write("swing.yaml", kSwing);
    const auto begin = Clock::now();
    EXPECT_EQ(run("run swing.yaml -q -o whole.h5 --checkpoint 0.01").code, 0) << read(".err");
    whole_ = io::read_result_file(path("whole.h5"));
    seconds_ = std::chrono::duration<double>(Clock::now() - begin).count();
  }

  /// Starts `bricard run swing.yaml -q -o run.h5 …`, whose files may not be longer than `most`.
  pid_t start(const std::vector<std::string>& more, rlim_t most = RLIM_INFINITY) const {
    const pid_t child = ::fork();
    if (child != 0) return child;
    std::vector<std::string> words{BRICARD_EXECUTABLE, "run",          "swing.yaml", "-q", "-o",
                                   "run.h5",           "--checkpoint", "0.01"};
    words.insert(words.end(), more.begin(), more.end());
    std::vector<char*> arguments;
    for (std::string& word : words) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    for (const int signal : {SIGINT, SIGTERM, SIGHUP})
      ::signal(signal, SIG_DFL);  // a job in the background ignores some
    const rlimit limit{most, most};
    const int err = ::open(path(".err").c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0666);
    if (::chdir(folder_.c_str()) != 0 || ::dup2(err, 2) < 0 || ::setrlimit(RLIMIT_FSIZE, &limit) != 0) ::_exit(99);
    ::execv(arguments[0], arguments.data());
    ::_exit(99);
  }
  static int wait(pid_t child) {
    int status = 0;
    ::waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
  }
  /// The same, halted after its first checkpoint, however fast the machine is.
  pid_t start_and_hold(const std::vector<std::string>& more) const {
    for (;;) {
      clean();
      const pid_t child = start(more);
      bool over = false;
      while (!over && !has("run.h5.checkpoint")) {
        std::this_thread::sleep_for(1ms);
        over = ::waitpid(child, nullptr, WNOHANG) == child;
      }
      if (over) continue;
      ::kill(child, SIGSTOP);
      int status = 0;
      ::waitpid(child, &status, WUNTRACED);
      if (WIFSTOPPED(status) && has("run.h5.checkpoint")) return child;
      if (WIFSTOPPED(status)) ::kill(child, SIGKILL), wait(child);
    }
  }
  bool has(const std::string& name) const { return fs::exists(path(name)); }
  std::vector<std::string> resuming() const {
    return has("run.h5.checkpoint") ? std::vector<std::string>{"--resume"} : std::vector<std::string>{};
  }

  /// The first rows of the whole run, bit for bit.
  void expect_beginning(const ChannelTable& part) const {
    const ChannelTable& all = whole_.table;
    ASSERT_LE(part.time.size(), all.time.size());
    EXPECT_TRUE(std::equal(part.time.begin(), part.time.end(), all.time.begin()));
    ASSERT_EQ(part.values.size(), all.values.size());
    for (size_t c = 0; c < all.values.size(); ++c)
      EXPECT_EQ(std::memcmp(part.values[c].data(), all.values[c].data(), part.values[c].size() * sizeof(double)), 0);
  }
  static json certificate_of(const io::ResultFile& file) {
    json certificate = json::parse(file.certificate);
    certificate.erase("seconds");
    return certificate;
  }
  void expect_whole() const {
    const io::ResultFile result = io::read_result_file(path("run.h5"));
    EXPECT_EQ(result.table.time.size(), whole_.table.time.size());
    expect_beginning(result.table);
    EXPECT_EQ(certificate_of(result), certificate_of(whole_));
    EXPECT_FALSE(has("run.h5.checkpoint"));
  }
  /// What runs that were killed left behind.
  std::vector<std::string> parts() const {
    std::vector<std::string> names;
    for (const std::string& name : files())
      if (name.find(".part-") != std::string::npos) names.push_back(name);
    return names;
  }
  void clean() const {
    for (const std::string& name : files())
      if (name != "swing.yaml" && name != "whole.h5") fs::remove(path(name));
  }

  io::ResultFile whole_;
  double seconds_ = 0;
  std::mt19937 random_{7};
  double draw() { return std::uniform_real_distribution<>(0, 1)(random_); }
};

TEST_F(Interrupted, AStoppedRunGoesOnBitForBit) {
  for (const int signal : {SIGINT, SIGTERM}) {
    int code = 0;
    while (code == 0) {  // a run at its very end takes no note
      const pid_t child = start_and_hold({"--csv", "run.csv"});
      ::kill(child, signal);
      ::kill(child, SIGCONT);
      code = wait(child);
    }
    EXPECT_EQ(code, 128 + signal);
    expect_beginning([&] {
      ChannelTable table = io::read_result_file(path("run.h5")).table;
      table.time.pop_back();  // where it was stopped
      for (size_t c = 0; c < table.values.size(); ++c)
        table.values[c].resize(table.time.size() * table.channels[c].columns.size());
      return table;
    }());
    EXPECT_EQ(wait(start({"--resume", "--csv", "run.csv"})), 0) << read(".err");
    expect_whole();
    const std::string csv = read("run.csv");
    EXPECT_EQ(static_cast<size_t>(std::count(csv.begin(), csv.end(), '\n')), 1 + whole_.table.time.size());
    clean();
  }
}

TEST_F(Interrupted, AKilledRunLeavesWhatItComputedAndGoesOnFromThere) {
  int killed = 0, resumed = 0, rows = 0;
  for (int i = 0; i < times(200); ++i) {
    SCOPED_TRACE(i);
    for (bool done = false; !done;) {
      resumed += !resuming().empty();
      const pid_t child = start(resuming());
      std::this_thread::sleep_for(std::chrono::duration<double>(1.3 * seconds_ * draw()));
      ::kill(child, SIGKILL);
      const int code = wait(child);
      ASSERT_TRUE(code == 0 || code == -SIGKILL) << code << read(".err");
      done = code == 0;
      killed += !done;
      for (const std::string& name : parts()) {
        if (name.find(".checkpoint.") != std::string::npos) continue;
        try {
          const ChannelTable part = io::read_result_file(path(name)).table;
          expect_beginning(part);
          rows += static_cast<int>(part.time.size());
        } catch (const io::FileError&) {  // killed before it had a row
          EXPECT_LT(fs::file_size(path(name)), 100'000u);
        }
      }
    }
    expect_whole();
    clean();
  }
  std::printf("%d times killed, %d times resumed, %d rows left by killed runs\n", killed, resumed, rows);
}

TEST_F(Interrupted, AFullDiskKeepsAnOlderFileAndWhatWasComputed) {
  const double most = static_cast<double>(fs::file_size(path("whole.h5")));
  for (int i = 0; i < times(50); ++i) {
    SCOPED_TRACE(i);
    write("run.h5", "older results");
    const double room =
        i == 0 ? most - 1000 : 5000 + (most - 5000) * draw();  // first: nothing but the certificate is too much
    const int code = wait(start({}, static_cast<rlim_t>(room)));
    EXPECT_EQ(code, 3);
    EXPECT_NE(read(".err").find("cannot be written: File too large"), std::string::npos) << read(".err");
    EXPECT_EQ(read("run.h5"), "older results");
    EXPECT_LE(parts().size(), 1u);
    for (const std::string& name : parts()) expect_beginning(io::read_result_file(path(name)).table);
    EXPECT_EQ(wait(start(resuming())), 0) << read(".err");
    expect_whole();
    clean();
  }
}

/// Cut or changed at any place; what cannot be resumed says so and is not touched.
TEST_F(Interrupted, DamagedFilesAreNotResumed) {
  const pid_t child = start_and_hold({});
  ::kill(child, SIGKILL);
  wait(child);
  ASSERT_EQ(parts().size(), 1u);
  const std::string part = parts()[0], rows = read(part), good = read("run.h5.checkpoint");
  for (int i = 0; i < times(50); ++i) {
    const auto place = static_cast<size_t>(draw() * static_cast<double>(good.size()));
    std::string flipped = good;
    flipped[place] = static_cast<char>(flipped[place] ^ 4);
    for (const std::string& bad : {flipped, good.substr(0, place)}) {
      write("run.h5.checkpoint", bad);
      EXPECT_EQ(wait(start({"--resume"})), 3);
      EXPECT_NE(read(".err").find("run.h5.checkpoint: is "), std::string::npos) << read(".err");
    }
    write("run.h5.checkpoint", good);
    write(part, rows.substr(0, static_cast<size_t>(draw() * 0.5 * static_cast<double>(rows.size()))));
    const int code = wait(start({"--resume"}));
    EXPECT_EQ(code, 3) << read(".err");
    write(part, rows);
    EXPECT_EQ(parts(), std::vector<std::string>{part});
  }
  EXPECT_EQ(wait(start({"--resume"})), 0) << read(".err");
  expect_whole();
}

/// Cut or changed at any place: a page or a comparison of it would show what nobody computed.
TEST_F(Interrupted, DamagedResultsAreNeitherShownNorVerified) {
  const std::string good = read("whole.h5");
  for (int i = 0; i < times(50); ++i) {
    const auto place = static_cast<size_t>(draw() * static_cast<double>(good.size()));
    std::string flipped = good;
    flipped[place] = static_cast<char>(flipped[place] ^ (1 << (i % 8)));
    for (const std::string& bad : {flipped, good.substr(0, place)}) {
      write("bad.h5", bad);
      for (const char* command : {"view bad.h5 -o bad.html", "verify bad.h5"}) {
        const Outcome outcome = run(command);
        EXPECT_EQ(outcome.code, 3) << command << ": " << outcome.err;
        EXPECT_NE(outcome.err.find("bad.h5"), std::string::npos) << outcome.err;
      }
      EXPECT_FALSE(has("bad.html"));
    }
  }
}

TEST_F(Interrupted, ARunGoesOnOnlyAsItWas) {
  EXPECT_EQ(wait(start({"--resume"})), 2);
  EXPECT_NE(read(".err").find("there is no run.h5.checkpoint"), std::string::npos) << read(".err");
  const pid_t child = start_and_hold({});
  EXPECT_EQ(wait(start({"--resume"})), 2);
  EXPECT_NE(read(".err").find("still goes on"), std::string::npos) << read(".err");
  ::kill(child, SIGKILL);
  wait(child);
  const auto expect_refusal = [&](const std::vector<std::string>& more, const std::string& words) {
    EXPECT_EQ(wait(start(more)), 2);
    EXPECT_NE(read(".err").find(words), std::string::npos) << read(".err");
  };
  expect_refusal({"--resume", "--step", "0.001"}, "run.step is 0.001, and was 0.0005");
  expect_refusal({"--resume", "--integrator", "radau"}, "run.integrator is \"radau\", and was \"automatic\"");
  expect_refusal({"--resume", "--json", "--at", "1"}, "the times of --at were others");
  write("swing.yaml", std::string(kSwing) + "# changed\n");
  expect_refusal({"--resume"}, "has been changed since");
  write("swing.yaml", kSwing);
  EXPECT_EQ(wait(start({"--resume"})), 0) << read(".err");
  expect_whole();
}

}  // namespace interrupted_runs_test
}  // namespace bricard
