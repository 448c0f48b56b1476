// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "bricard/results/channels.h"

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

}  // namespace bricard::io
