// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "bricard/results/results.h"
#include "bricard/write/result_file.h"

// Results -> HDF5.
//   /                  attributes bricard_version, layout, model_file, model_text, model_sha256 and, as JSON text,
//                      certificate
//   /model             JSON text: what a viewer draws, parameters, run settings
//   /time, /bodies/, /joints/, /beams/, /signals/   the channels, see channel_rows.h
//   /modes/            of `bricard modes`: eigenvalues k×2 (real, imaginary), frequencies k, dampings k, labels (text, a
//                      line each), bodies/<name>/displacement and rotation: k×3×2 (real, imaginary), ground axes
//   /campbell/         of `bricard campbell`: values n (attributes parameter, units, is_speed), frequencies and dampings k×n,
//                      labels
//   /responses/        of `bricard frequency`: frequencies n, magnitudes and phases k×n, names and units (text, a line each)
namespace bricard::io {

/// All but channels and certificate.
ResultFile make_head(const Model& model, const System& system);

ResultFile make_result_file(const Model& model, const System& system, const Results& results);

/// Throws FileError; an earlier file of this name then remains as it was.
void write_result_file(const ResultFile& file, const std::string& path);

/// A result file that grows while a run goes on. Up to `finish` it has the ending .part-<process>; it can be read at any time, and
/// stays if the process is killed.
class ResultStream {
 public:
  /// `head` of make_head; about as many samples as `expected`. Throws FileError, as all that follows.
  ResultStream(const ResultFile& head, const std::vector<Channel>& channels, size_t expected, const std::string& path);
  /// Without `finish` the part file stays if there are samples in it.
  ~ResultStream();
  ResultStream(const ResultStream&) = delete;
  ResultStream& operator=(const ResultStream&) = delete;

  /// The values of all channels at t, in their order.
  void add(double t, const std::vector<double>& row);
  /// All that was added is in the file.
  void flush();
  /// Of the file up to `finish`; "" if there is none.
  std::string part_name() const;
  /// The file is complete and gets its name.
  void finish(const std::string& certificate);

 private:
  struct File;
  std::unique_ptr<File> file_;
};

/// Version of the HDF5 library in use.
std::string hdf5_version();

}  // namespace bricard::io
