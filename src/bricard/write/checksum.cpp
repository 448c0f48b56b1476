// SPDX-License-Identifier: Apache-2.0
#include "bricard/write/checksum.h"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <vector>

#include "bricard/write/files.h"

namespace bricard::io {
namespace {

constexpr std::string_view kMark = "\nend of results of Bricard, crc32 ";
constexpr size_t kLine = kMark.size() + 8 + 1;  // eight hexadecimal digits, end of line

std::string line_of(uLong sum) { return fmt::format("{}{:08x}\n", kMark, sum); }

/// Of the first bytes of a stream; the largest files are never in memory as a whole.
uLong sum_of(std::ifstream& stream, size_t size) {
  std::vector<char> buffer(1 << 20);
  uLong sum = crc32(0, nullptr, 0);
  stream.seekg(0);
  while (size > 0 && stream.read(buffer.data(), static_cast<std::streamsize>(std::min(size, buffer.size())))) {
    sum = crc32_z(sum, reinterpret_cast<const Bytef*>(buffer.data()), static_cast<size_t>(stream.gcount()));
    size -= static_cast<size_t>(stream.gcount());
  }
  return sum;
}

size_t size_of(std::ifstream& stream) {
  stream.seekg(0, std::ios::end);
  return stream ? static_cast<size_t>(stream.tellg()) : 0;
}

}  // namespace

std::string checksum_line(std::string_view bytes) {
  return line_of(crc32_z(crc32(0, nullptr, 0), reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()));
}

void add_checksum(const std::string& path) {
  std::ifstream stream(path, std::ios::binary);
  const size_t size = size_of(stream);
  const std::string line = line_of(sum_of(stream, size));
  errno = 0;
  std::ofstream out(path, std::ios::binary | std::ios::app);
  if (!(out << line << std::flush))
    throw FileError(fmt::format("{}: cannot be written: {}", path, std::strerror(errno)));
}

std::string fault_of_checksum(const std::string& path) {
  std::ifstream stream(path, std::ios::binary);
  const size_t size = size_of(stream);
  if (size < kLine) return "";
  std::string line(kLine, '\0');
  stream.seekg(static_cast<std::streamoff>(size - kLine));
  stream.read(line.data(), static_cast<std::streamsize>(kLine));
  size_t alike = 0;
  for (size_t i = 0; i < kMark.size(); ++i) alike += line[i] == kMark[i];
  if (alike < kMark.size() / 2) return "";  // bytes of anything else agree in a few places
  return line == line_of(sum_of(stream, size - kLine)) ? "" : "is damaged: its bytes do not fit its checksum";
}

}  // namespace bricard::io
