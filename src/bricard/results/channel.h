// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <string>
#include <vector>

namespace bricard {

struct Column {
  std::string name;  ///< x, y, z, angle …; "" for the only column of a signal
  std::string unit;  ///< "" for plain numbers
};

/// One named quantity: a vector of a body or of a joint, vectors along a beam, or a scalar signal.
struct Channel {
  enum class Kind { body, joint, beam, signal };
  Kind kind = Kind::signal;
  std::string owner;  ///< the body, joint or beam; "" for a signal
  std::string name;   ///< position, force …; of a signal its full name, as in hinge.angle
  std::string frame;  ///< whose axes and origin, "" for scalars
  std::vector<Column> columns;
  std::vector<double> stations = {};  ///< of a beam: lengths along it at which there is a row of columns, m

  /// How many numbers a sample has.
  size_t width() const { return columns.size() * std::max<size_t>(stations.size(), 1); }
};

}  // namespace bricard
