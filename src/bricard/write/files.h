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

/// A pipe, a terminal, /dev/null: to be written as it is.
bool is_device(const std::string& path);

/// A new file beside `path` with the ending .part-<process>, which gets that name when it is complete; gone again unless it is
/// kept or left. Throws FileError.
class PartFile {
 public:
  explicit PartFile(const std::string& path);
  ~PartFile();
  PartFile(const PartFile&) = delete;
  PartFile& operator=(const PartFile&) = delete;

  const std::string& name() const { return part_; }
  void write(std::string_view bytes);
  /// What was written is on the disk, whatever happens to the machine.
  void sync() const;
  /// Throws if the disk has not so many bytes left.
  void expect_room(size_t bytes) const;
  /// Under its final name.
  void keep();
  /// Under the name that it has.
  void leave() { kept_ = true; }

 private:
  std::string target_, part_;
  int file_ = -1;
  bool kept_ = false;
};

/// Writes to a new file beside `path` and then gives it that name.
void write_file(const std::string& path, std::string_view bytes);

/// Throws FileError if write_file would fail for want of a folder or of permission.
void check_writable(const std::string& path);

}  // namespace bricard::io
