// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

// The last line of a result file: a checksum of all bytes before it. HDF5 takes a file as it is, and a bit that was
// flipped on a disk or on its way can lead it anywhere; what comes after its own end it does not read.
namespace bricard::io {

std::string checksum_line(std::string_view bytes);

/// Adds the line to a file that is complete. Throws FileError.
void add_checksum(const std::string& path);

/// What is wrong with the bytes of a file; "" if nothing is, or if it has no such line, as one that is still written.
std::string fault_of_checksum(const std::string& path);

}  // namespace bricard::io
