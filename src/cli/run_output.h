// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>

#include "bricard/results/channels.h"
#include "bricard/write/checkpoint.h"
#include "bricard/write/csv_writer.h"
#include "bricard/write/result_writer.h"

namespace bricard::cli {

/// The files of a run, written while it goes on.
class RunOutput {
 public:
  /// Empty names: not wanted. About so many samples are expected.
  RunOutput(const Model& model, const System& system, std::string results, std::string csv, double expected);

  /// "results will take 1.4 TB …" if that is much, "" else.
  std::string size_text() const;
  /// Before the first row.
  void open(double start_energy);
  const std::vector<Channel>& channels() const { return channels_->list(); }
  void add(const Sample& sample);
  /// Of signals that lost their values.
  std::vector<std::string> remarks() const { return channels_ ? channels_->remarks() : std::vector<std::string>{}; }
  void add(double t, const std::vector<double>& row);
  /// All rows are in the file of the results.
  void flush() { stream_->flush(); }
  void finish(const RunReport& report);

  std::string part_name() const { return stream_->part_name(); }
  const io::RowsDigest& written() const { return written_; }
  double start_energy() const { return start_energy_; }

 private:
  const Model& model_;
  const System& system_;
  std::string results_, csv_;
  double expected_;
  std::unique_ptr<Channels> channels_;  ///< from the first sample on
  std::unique_ptr<io::ResultStream> stream_;
  std::unique_ptr<io::CsvStream> table_;
  double start_energy_ = 0;
  io::RowsDigest written_;
};

}  // namespace bricard::cli
