// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "bricard/math/archive.h"
#include "bricard/write/result_file.h"

// What a stopped or killed run goes on from: its memory, whose it is, and what its result file had.
//     bricard checkpoint 1 ↵ SHA-256 of the rest ↵ the rest, an Archive
namespace bricard::io {

/// Rows of a result file, as many as there are and a number that hangs on all their bits.
struct RowsDigest {
  std::uint64_t rows = 0, digest = 14695981039346656037u;
  void add(double t, const std::vector<double>& row);
  bool operator==(const RowsDigest&) const = default;
  void archive(Archive& x) { x(rows, digest); }
};

struct Checkpoint {
  std::string version, model_sha256;
  std::string parameters, settings;  ///< JSON
  std::vector<double> at;            ///< times that were asked for
  std::string part;  ///< the file with the rows, beside the result file; that itself once the run was stopped
  RowsDigest written;
  double start_energy = 0;
  std::string memory;  ///< SimulationHooks::memory

  /// Of the run that `head` and `at` describe.
  static Checkpoint of(const ResultFile& head, const std::vector<double>& at);
  /// Why a run that they describe cannot go on from it; "" if it can.
  std::string why_not(const ResultFile& head, const std::vector<double>& at) const;
  void archive(Archive& x);
};

/// The whole file or the one that was there before. Throws FileError.
void write_checkpoint(Checkpoint checkpoint, const std::string& path);
/// Throws FileError if it is none, or not whole.
Checkpoint read_checkpoint(const std::string& path);

}  // namespace bricard::io
