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

/// Of how many rows datasets are made: for these and no more, or to grow, as far as it is known to about so many.
struct RowCount {
  size_t rows;
  bool grows;
};

class ChannelRows {
 public:
  ChannelRows(hid_t file, const std::vector<Channel>& channels, RowCount count);

  /// Rows one after the other, each the time and the values of all channels, in their order.
  void add(const std::vector<double>& rows);
  /// Bytes by which so many rows more make the file longer.
  size_t growth(size_t rows) const;
  /// The disk is full: nothing more is to be written.
  void abandon();
  size_t rows_in_file() const { return in_file_; }

 private:
  struct Part {
    size_t first, count;  ///< of the row
  };
  struct Sheet {
    std::vector<hdf5::Handle> dataset;  ///< one, or none of arrays without columns
    std::vector<Part> parts;
  };
  /// Channels of one kind and name; `at`: their numbers.
  void add_sheet(hid_t group, const std::vector<Channel>& channels, const std::vector<size_t>& at, size_t owners);
  void add_beams(hid_t file, const std::vector<Channel>& channels);
  void add_signals(hid_t group, const std::vector<Channel>& channels, const std::vector<size_t>& at);
  void make_dataset(Sheet& sheet, hid_t group, const std::string& name, const std::vector<hsize_t>& row);

  RowCount count_;
  std::vector<size_t> first_;   ///< column of the row, of each channel
  std::vector<Sheet> sheets_;   ///< the first one is time
  std::vector<double> values_;  ///< of one sheet
  size_t in_file_ = 0, width_ = 0;
};

/// Of a file with this layout; throws hdf5::Error.
ChannelTable read_channel_rows(hid_t file);

}  // namespace bricard::io
