// SPDX-License-Identifier: Apache-2.0
#include "bricard/write/npz_writer.h"

#include <fmt/format.h>

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>

namespace bricard::io {
namespace {

static_assert(std::endian::native == std::endian::little, "the bytes of numbers are stored as they are in memory");

uint32_t crc32(const std::string& bytes) {
  static const auto table = [] {
    std::array<uint32_t, 256> t{};
    for (uint32_t i = 0; i < 256; ++i) {
      uint32_t c = i;
      for (int bit = 0; bit < 8; ++bit) c = c & 1 ? 0xEDB88320u ^ (c >> 1) : c >> 1;
      t[i] = c;
    }
    return t;
  }();
  uint32_t crc = 0xFFFFFFFFu;
  for (const char c : bytes) crc = table[(crc ^ static_cast<unsigned char>(c)) & 0xFF] ^ (crc >> 8);
  return ~crc;
}

template <class Int>
void put(std::string& out, Int value) {
  out.append(reinterpret_cast<const char*>(&value), sizeof value);
}

// Format 1.0 of numpy: magic, version, length of the header, a Python dictionary padded to 64 bytes, the data.
std::string npy(const std::string& type, const std::string& shape, bool by_columns, const std::string& data) {
  std::string header = fmt::format("{{'descr': '{}', 'fortran_order': {}, 'shape': ({}), }}", type,
                                   by_columns ? "True" : "False", shape);
  header.append(63 - (10 + header.size()) % 64, ' ');
  header += '\n';
  std::string bytes("\x93NUMPY\x01\x00", 8);
  put(bytes, static_cast<uint16_t>(header.size()));
  return bytes + header + data;
}

std::string npy(const Eigen::MatrixXd& M) {
  std::string data(reinterpret_cast<const char*>(M.data()), static_cast<size_t>(M.size()) * sizeof(double));
  return npy("<f8", fmt::format("{}, {}", M.rows(), M.cols()), true, data);
}

/// Code points of UTF-8 text.
std::u32string code_points(const std::string& text) {
  std::u32string points;
  for (size_t i = 0; i < text.size();) {
    const auto lead = static_cast<unsigned char>(text[i]);
    const int more = lead >= 0xF0 ? 3 : lead >= 0xE0 ? 2 : lead >= 0xC0 ? 1 : 0;
    char32_t point = more == 3 ? lead & 0x07 : more == 2 ? lead & 0x0F : more == 1 ? lead & 0x1F : lead;
    for (int k = 1; k <= more && i + k < text.size(); ++k)
      point = (point << 6) | (static_cast<unsigned char>(text[i + k]) & 0x3F);
    points += point;
    i += static_cast<size_t>(more) + 1;
  }
  return points;
}

std::string npy(const std::vector<std::string>& texts) {
  std::vector<std::u32string> all;
  size_t width = 1;
  for (const std::string& text : texts) width = std::max(width, all.emplace_back(code_points(text)).size());
  std::string data;
  for (std::u32string& points : all) {
    points.resize(width, U'\0');
    for (const char32_t point : points) put(data, static_cast<uint32_t>(point));
  }
  return npy(fmt::format("<U{}", width), fmt::format("{},", texts.size()), false, data);
}

/// A zip archive grows file by file; the directory follows at the end.
class Zip {
 public:
  void add(const std::string& name, const std::string& content) {
    const auto offset = static_cast<uint32_t>(bytes_.size());
    const uint32_t crc = crc32(content);
    const auto fields = [&](std::string& out) {  // common to both headers
      for (const uint16_t x : {uint16_t{20}, uint16_t{0}, uint16_t{0}, uint16_t{0}, uint16_t{0x21}}) put(out, x);
      for (const uint32_t x : {crc, static_cast<uint32_t>(content.size()), static_cast<uint32_t>(content.size())})
        put(out, x);
      put(out, static_cast<uint16_t>(name.size()));
      put(out, uint16_t{0});
    };
    put(bytes_, uint32_t{0x04034B50});
    fields(bytes_);
    bytes_ += name + content;
    put(directory_, uint32_t{0x02014B50});
    put(directory_, uint16_t{20});
    fields(directory_);
    for (int i = 0; i < 3; ++i) put(directory_, uint16_t{0});
    put(directory_, uint32_t{0});
    put(directory_, offset);
    directory_ += name;
    ++count_;
  }

  std::string finish() const {
    std::string all = bytes_ + directory_;
    put(all, uint32_t{0x06054B50});
    for (const uint16_t x : {uint16_t{0}, uint16_t{0}, count_, count_}) put(all, x);
    put(all, static_cast<uint32_t>(directory_.size()));
    put(all, static_cast<uint32_t>(bytes_.size()));
    put(all, uint16_t{0});
    return all;
  }

 private:
  std::string bytes_, directory_;
  uint16_t count_ = 0;
};

}  // namespace

std::string npz_bytes(const ArrayArchive& archive) {
  Zip zip;
  for (const auto& [name, matrix] : archive.matrices) zip.add(name + ".npy", npy(matrix));
  for (const auto& [name, texts] : archive.texts) zip.add(name + ".npy", npy(texts));
  return zip.finish();
}

}  // namespace bricard::io
