// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <hdf5.h>

#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

// A thin layer over HDF5's C interface: handles that close themselves, errors as exceptions.
namespace bricard::io::hdf5 {

struct Error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// An open file, group, dataset or property list.
class Handle {
 public:
  using Close = herr_t (*)(hid_t);
  /// Throws Error if `id` says that opening failed.
  Handle(hid_t id, Close close, const std::string& what);
  ~Handle() { reset(); }
  Handle(Handle&& other) noexcept : id_(std::exchange(other.id_, -1)), close_(other.close_) {}
  Handle& operator=(Handle&& other) noexcept {
    reset();
    id_ = std::exchange(other.id_, -1);
    close_ = other.close_;
    return *this;
  }
  operator hid_t() const { return id_; }  // NOLINT: stands for it in every call
  /// It will not be closed, and what the library has not yet written never will be.
  void abandon() { id_ = -1; }

 private:
  void reset() {
    if (id_ >= 0) close_(id_);
  }
  hid_t id_;
  Close close_;
};

/// Keeps HDF5 from printing its own error messages while it lives.
class Silence {
 public:
  Silence();
  ~Silence();
  Silence(const Silence&) = delete;
  Silence& operator=(const Silence&) = delete;

 private:
  H5E_auto2_t print_ = nullptr;
  void* data_ = nullptr;
};

// A file in memory: a full disk is then an ordinary failure to write bytes, not one inside HDF5.
Handle make_memory_file();
std::string bytes_of(const Handle& memory_file);
/// Before all else: at the end of the process the library leaves files alone that could not be closed, as the disk is full.
void leave_files_at_exit();
/// A file on the disk that can be read at any time, even if the program is killed while it writes (after `begin_rows`).
Handle make_disk_file(const std::string& path);
/// All objects are made: from here on only rows are added.
void begin_rows(const Handle& disk_file);
/// What was added so far can be read.
void flush(const Handle& file);
/// To add something to a closed file.
Handle reopen_file(const std::string& path);
Handle open_file(const std::string& path);

/// Groups keep the order in which their members were made.
Handle make_group(hid_t parent, const std::string& name);
Handle open_group(hid_t parent, const std::string& name);
std::vector<std::string> members(hid_t group);

/// Texts are of variable length, UTF-8.
void write_attribute(hid_t object, const char* name, const std::string& text);
void replace_attribute(hid_t object, const char* name, const std::string& text);
std::string read_attribute(hid_t object, const char* name);
std::string read_attribute_or(hid_t object, const char* name, const std::string& otherwise);
void write_text(hid_t parent, const std::string& name, const std::string& text);
std::string read_text(hid_t parent, const std::string& name);

/// A list of texts, UTF-8.
void write_texts(hid_t parent, const std::string& name, const std::vector<std::string>& texts);
std::vector<std::string> read_texts(hid_t parent, const std::string& name);

struct Array {
  std::vector<hsize_t> dimensions;
  std::vector<double> values;
};

/// Stored row after row. Returns the dataset.
Handle write_array(hid_t parent, const std::string& name, const std::vector<hsize_t>& dimensions, const double* values);
/// The same with four bytes per value.
Handle write_floats(hid_t parent, const std::string& name, const std::vector<hsize_t>& dimensions, const float* values);
Handle write_integers(hid_t parent, const std::string& name, const std::vector<hsize_t>& dimensions, const int* values);
/// An array without rows, to which rows of these dimensions are added. `expected`: how many there may be.
Handle make_rows(hid_t parent, const std::string& name, const std::vector<hsize_t>& row, size_t expected);
void add_rows(const Handle& dataset, size_t first, size_t count, const double* values);
/// Bytes that the file needs for so many rows more than it has.
size_t growth(const Handle& dataset, size_t rows, size_t more);
std::vector<hsize_t> dimensions(const Handle& dataset);
Handle open_dataset(hid_t parent, const std::string& name);
Array read_array(const Handle& dataset);

}  // namespace bricard::io::hdf5
