// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

// Whole files, written so that a failure leaves what was there before.
namespace bricard::io {

/// A file that cannot be read or written; what() names it and says why.
struct FileError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

std::string read_file(const std::string& path);

/// Writes to a new file beside `path` and then gives it that name.
void write_file(const std::string& path, std::string_view bytes);

/// Throws FileError if write_file would fail for want of a folder or of permission.
void check_writable(const std::string& path);

}  // namespace bricard::io
