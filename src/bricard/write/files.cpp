// SPDX-License-Identifier: Apache-2.0
#include "bricard/write/files.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <utility>

namespace bricard::io {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail(const std::string& path, const char* what, int code) {
  throw FileError(fmt::format("{}: {}: {}", path, what, std::strerror(code)));
}

void write_all(int file, std::string_view bytes, const std::string& path) {
  constexpr size_t kMost = 1 << 30;  // one call takes less than 2 GiB
  while (!bytes.empty()) {
    const ssize_t count = ::write(file, bytes.data(), std::min(bytes.size(), kMost));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) fail(path, "cannot be written", errno);
    bytes.remove_prefix(static_cast<size_t>(count));
  }
}

/// Where a path leads: a link keeps pointing at the file that is written.
std::string resolved(const std::string& path) {
  std::error_code ignored;
  if (!fs::is_symlink(path, ignored)) return path;
  const fs::path target = fs::weakly_canonical(path, ignored);
  return target.empty() ? path : target.string();
}

void check_target(const std::string& path) {
  if (path.empty()) throw FileError("a file name must not be empty");
  std::error_code ignored;
  if (fs::is_directory(path, ignored) || path.back() == '/')
    throw FileError(fmt::format("{}: is the name of a folder; give the name of a file", path));
  // A file that is protected stays, even where its folder would let it be replaced.
  if (fs::exists(path, ignored) && ::access(path.c_str(), W_OK) != 0) fail(path, "cannot be written", errno);
}

}  // namespace

bool is_device(const std::string& path) {
  std::error_code ignored;
  const fs::file_status status = fs::status(path, ignored);
  return fs::exists(status) && !fs::is_regular_file(status) && !fs::is_directory(status);
}

PartFile::PartFile(const std::string& path) {
  check_target(path);
  target_ = resolved(path);
  // a killed process of the same number may have left one, which a run could still go on from
  for (int n = 1; n == 1 || (file_ < 0 && errno == EEXIST); ++n) {
    part_ = fmt::format("{}.part-{}{}", target_, ::getpid(), n == 1 ? "" : fmt::format(".{}", n));
    file_ = ::open(part_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  }
  if (file_ < 0) fail(path, "cannot be written", errno);
}

PartFile::~PartFile() {
  if (file_ >= 0) ::close(file_);
  if (!kept_) ::unlink(part_.c_str());
}

void PartFile::write(std::string_view bytes) { write_all(file_, bytes, target_); }

void PartFile::sync() const {
  if (::fsync(file_) != 0) fail(target_, "cannot be written", errno);
}

void PartFile::expect_room(size_t bytes) const {
  struct stat status = {};
  if (::fstat(file_, &status) != 0) fail(target_, "cannot be written", errno);
  const int failed = ::posix_fallocate(file_, status.st_size, static_cast<off_t>(bytes));
  if (::ftruncate(file_, status.st_size) != 0) fail(target_, "cannot be written", errno);
  if (failed) fail(target_, "cannot be written", failed);
}

void PartFile::keep() {
  if (::close(std::exchange(file_, -1)) != 0) fail(target_, "cannot be written", errno);
  if (std::rename(part_.c_str(), target_.c_str()) != 0) fail(target_, "cannot be written", errno);
  kept_ = true;
}

std::string read_file(const std::string& path) {
  std::error_code ignored;
  if (fs::is_directory(path, ignored)) fail(path, "cannot be read", EISDIR);
  errno = 0;
  std::ifstream stream(path, std::ios::binary);
  std::ostringstream text;
  if (stream && stream.peek() != std::ifstream::traits_type::eof()) text << stream.rdbuf();
  if (stream.bad() || !stream.is_open()) fail(path, "cannot be read", errno ? errno : EIO);
  return text.str();
}

void write_file(const std::string& path, std::string_view bytes) {
  check_target(path);
  if (is_device(path)) {
    const int file = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
    if (file < 0) fail(path, "cannot be written", errno);
    try {
      write_all(file, bytes, path);
    } catch (...) {
      ::close(file);
      throw;
    }
    if (::close(file) != 0) fail(path, "cannot be written", errno);
    return;
  }
  PartFile part(path);
  part.write(bytes);
  part.keep();
}

void check_writable(const std::string& path) {
  check_target(path);
  if (!is_device(path)) PartFile probe(path);
}

}  // namespace bricard::io
