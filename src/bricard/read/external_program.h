// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "bricard/flex/work_watch.h"

// Other programs that do a part of the work, each in a folder of its own that is gone afterwards.
namespace bricard::io {

class TemporaryFolder {
 public:
  /// Throws FileError.
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  std::string file(const std::string& name) const { return (path_ / name).string(); }
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

struct ProgramOutcome {
  bool found = true;  ///< whether there is such a program
  int code = 0;       ///< 128 + n after signal n
  std::string output;
};

/// Runs words[0] with the others as arguments in a folder, without a shell. Stops it when the watch is cancelled, and throws
/// WorkStopped. Throws FileError.
ProgramOutcome run_program(const std::vector<std::string>& words, const TemporaryFolder& folder, const WorkWatch& watch,
                           const std::string& name);

}  // namespace bricard::io
