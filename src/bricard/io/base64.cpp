// SPDX-License-Identifier: Apache-2.0
#include "bricard/io/base64.h"

#include <bit>
#include <cstdint>

namespace bricard::io {

std::string base64(std::string_view bytes) {
  constexpr std::string_view kDigits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (size_t at = 0; at < bytes.size(); at += 3) {
    uint32_t word = 0;
    for (size_t i = 0; i < 3; ++i)
      word = word << 8 | (at + i < bytes.size() ? static_cast<unsigned char>(bytes[at + i]) : 0u);
    for (size_t i = 0; i < 4; ++i)
      text += at + i <= bytes.size() ? kDigits[word >> (18 - 6 * i) & 63] : '=';
  }
  return text;
}

std::string base64_floats(std::span<const double> values) {
  std::string bytes;
  bytes.reserve(4 * values.size());
  for (const double value : values) {
    const auto word = std::bit_cast<uint32_t>(static_cast<float>(value));
    for (int shift = 0; shift < 32; shift += 8) bytes += static_cast<char>(word >> shift & 0xff);
  }
  return base64(bytes);
}

}  // namespace bricard::io
