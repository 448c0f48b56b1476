// SPDX-License-Identifier: Apache-2.0
#include "bricard/read/external_program.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <thread>

#include "bricard/write/files.h"

namespace bricard::io {

TemporaryFolder::TemporaryFolder() {
  std::error_code error;
  std::string name = (std::filesystem::temp_directory_path(error) / "bricard-XXXXXX").string();
  if (error || mkdtemp(name.data()) == nullptr)
    throw FileError("no temporary folder can be made: set TMPDIR to a place for one");
  path_ = name;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

ProgramOutcome run_program(const std::vector<std::string>& words, const TemporaryFolder& folder, const WorkWatch& watch,
                           const std::string& name) {
  constexpr int kNotFound = 127;
  const std::string log = folder.file("program.log"), place = folder.path().string();
  std::vector<char*> arguments;  // made before the fork: afterwards nothing may be allocated
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  const pid_t child = fork();
  if (child < 0) throw FileError("no other program can be started: " + words.front());
  if (child == 0) {
    setpgid(0, 0);  // Ctrl-C reaches this program only, which ends the other one
    const int out = open(log.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600), in = open("/dev/null", O_RDONLY);
    if (out < 0 || in < 0 || chdir(place.c_str()) != 0) _exit(kNotFound - 1);
    dup2(in, 0), dup2(out, 1), dup2(out, 2);
    execvp(arguments[0], arguments.data());
    _exit(errno == ENOENT ? kNotFound : kNotFound - 1);
  }
  int status = 0;
  const auto end = [&] {
    kill(-child, SIGKILL);
    kill(child, SIGKILL);
    waitpid(child, &status, 0);
  };
  try {
    for (auto pause = std::chrono::milliseconds(1); waitpid(child, &status, WNOHANG) == 0;
         pause = std::min(2 * pause, std::chrono::milliseconds(50))) {
      watch.at(name, 0);
      std::this_thread::sleep_for(pause);
    }
  } catch (...) {
    end();
    throw;
  }
  ProgramOutcome outcome;
  outcome.code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  outcome.found = outcome.code != kNotFound;
  outcome.output = read_file(log);
  return outcome;
}

}  // namespace bricard::io
