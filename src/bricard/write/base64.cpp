// SPDX-License-Identifier: Apache-2.0
#include "bricard/write/base64.h"

#include <bit>
#include <cstdint>

namespace bricard::io {

namespace {
constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
}

std::string base64(std::string_view bytes) {
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (size_t at = 0; at < bytes.size(); at += 3) {
    uint32_t word = 0;
    for (size_t i = 0; i < 3; ++i)
      word = word << 8 | (at + i < bytes.size() ? static_cast<unsigned char>(bytes[at + i]) : 0u);
    for (size_t i = 0; i < 4; ++i) text += at + i <= bytes.size() ? kDigits[word >> (18 - 6 * i) & 63] : '=';
  }
  return text;
}

std::string base64_bytes(std::string_view text) {
  std::string bytes;
  uint32_t word = 0;
  int bits = 0;
  for (const char c : text) {
    const size_t digit = kDigits.find(c);
    if (digit == std::string_view::npos) continue;
    word = word << 6 | static_cast<uint32_t>(digit);
    bits += 6;
    if (bits < 8) continue;
    bits -= 8;
    bytes += static_cast<char>(word >> bits & 0xff);
  }
  return bytes;
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

std::string base64_differences(std::span<const double> values, size_t width) {
  const size_t n = values.size();
  std::string bytes(4 * n, '\0');
  const auto bits = [&](size_t i) { return std::bit_cast<uint32_t>(static_cast<float>(values[i])); };
  for (size_t i = 0; i < n; ++i) {
    const uint32_t step = bits(i) - (i >= width ? bits(i - width) : 0u);
    for (size_t plane = 0; plane < 4; ++plane) bytes[plane * n + i] = static_cast<char>(step >> (8 * plane) & 0xff);
  }
  return "d" + std::to_string(width) + ":" + base64(bytes);
}

}  // namespace bricard::io
