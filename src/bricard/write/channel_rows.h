// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "bricard/results/channels.h"
#include "bricard/write/hdf5_file.h"

// The channels of a run in an HDF5 file: one array per quantity, to which rows are added over time, whatever the number of
// bodies.
//   /time                n
//   /bodies/names        b texts
//   /bodies/position …   n×b×3 (quaternion_wxyz n×b×4), attributes units, columns and frame
//   /joints/names        j texts
//   /joints/force …      n×j×3
//   /joints/coordinates  n×c, of all joints side by side; coordinates.owners, .columns and .units: j texts each
//   /beams/<name>/       for each beam
//     s                  k lengths along it, m
//     position …         n×k×3, attributes units, columns and frame
//   /signals/values      n×s; names, units and frames: s texts each
namespace bricard::io {

/// Of a file with arrays like this; those of version 0.1 had an array for each channel.
inline constexpr const char* kLayout = "2";

class ChannelRows {
 public:
  /// `expected`: the number of rows as far as it is known; decides how they are stored.
  ChannelRows(hid_t file, const std::vector<Channel>& channels, size_t expected);

  /// The values of all channels at one time, in their order.
  void add(double t, const std::vector<double>& row);
  /// Puts what was added into the file.
  void flush();
  /// Bytes by which that makes the file longer.
  size_t growth() const;
  /// The disk is full: nothing more is to be written.
  void abandon();
  size_t rows_in_file() const { return in_file_; }
  size_t pending_bytes() const { return pending_ * row_bytes_; }

 private:
  struct Part {
    size_t first, count;  ///< of the row
  };
  struct Sheet {
    std::vector<hdf5::Handle> dataset;  ///< one, or none of arrays without columns
    std::vector<Part> parts;
    std::vector<double> pending;
  };
  /// Channels of one kind and name; `at`: their numbers.
  void add_sheet(hid_t group, const std::vector<Channel>& channels, const std::vector<size_t>& at, size_t owners);
  void add_beams(hid_t file, const std::vector<Channel>& channels);
  void add_signals(hid_t group, const std::vector<Channel>& channels, const std::vector<size_t>& at);
  void make_dataset(Sheet& sheet, hid_t group, const std::string& name, const std::vector<hsize_t>& row);

  size_t expected_;
  std::vector<size_t> first_;  ///< column of the row, of each channel
  std::vector<Sheet> sheets_;  ///< the first one is time
  size_t in_file_ = 0, pending_ = 0, row_bytes_ = 0;
};

/// Of a file with this layout; throws hdf5::Error.
ChannelTable read_channel_rows(hid_t file);

}  // namespace bricard::io
