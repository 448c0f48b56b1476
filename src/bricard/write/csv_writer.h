// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>

#include "bricard/results/channels.h"
#include "bricard/write/files.h"

// Results -> one table as comma-separated values. [RFC 4180]
//     time [s],rod.position.x [m],…,hinge.force.x [N],…,energy.total [J],…
// Numbers have as many digits as are needed to read the same number back. Joint coordinates stand
// among the signals only.
namespace bricard::io {

/// A text as one field of a line: in quotes if it has commas, quotes or line ends.
std::string csv_field(const std::string& text);

std::string csv_text(const ChannelTable& table);

/// Throws FileError.
void write_csv(const ChannelTable& table, const std::string& path);

/// A table that grows while a run goes on, as a ResultStream does.
class CsvStream {
 public:
  CsvStream(const std::vector<Channel>& channels, const std::string& path);
  ~CsvStream();
  void add(double t, const std::vector<double>& row);
  void finish();

 private:
  std::vector<bool> shown_;  ///< of each column of a row
  std::string path_, text_;
  std::unique_ptr<PartFile> part_;  ///< null: the path is a device
};

}  // namespace bricard::io
