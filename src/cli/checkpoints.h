// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "bricard/write/checkpoint.h"
#include "cli/run_output.h"

namespace bricard::cli {

/// The checkpoints of a run, in a file beside its results: run.h5.checkpoint.
class Checkpoints {
 public:
  /// Of the run that `head` and `at` describe, with results in the file `output`; "" or a device: there are none.
  Checkpoints(io::ResultFile head, std::vector<double> at, std::string output);

  bool are_kept() const { return !path_.empty(); }
  const std::string& path() const { return path_; }

  /// The run goes on with what a stopped or killed one left: gives its rows to `files` and returns its memory. Throws UsageError
  /// if it cannot, FileError if what it left is damaged.
  std::string resume(RunOutput& files);
  /// Keeps the memory of the run, whose rows are in `files`. If that cannot be written, the run goes on, and this is said once.
  void keep(RunOutput& files, std::string memory);
  /// The run is over.
  void remove() const;

 private:
  io::Checkpoint find() const;
  std::string rows_file(const io::Checkpoint& checkpoint) const;

  io::ResultFile head_;
  std::vector<double> at_;
  std::string output_, path_;
  bool failed_ = false;
};

}  // namespace bricard::cli
