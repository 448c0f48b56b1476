// SPDX-License-Identifier: Apache-2.0
#include "bricard/write/sha256.h"

#include <fmt/format.h>

#include <array>
#include <bit>
#include <cstdint>

// The names are those of FIPS 180-4, section 6.2.
namespace bricard::io {
namespace {

using Hash = std::array<uint32_t, 8>;

constexpr std::array<uint32_t, 64> K = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

void add_block(Hash& H, const char* block) {
  std::array<uint32_t, 64> W;
  for (int t = 0; t < 16; ++t) {
    W[t] = 0;
    for (int i = 0; i < 4; ++i) W[t] = W[t] << 8 | static_cast<unsigned char>(block[4 * t + i]);
  }
  using std::rotr;
  for (int t = 16; t < 64; ++t) {
    const uint32_t s0 = rotr(W[t - 15], 7) ^ rotr(W[t - 15], 18) ^ (W[t - 15] >> 3);
    const uint32_t s1 = rotr(W[t - 2], 17) ^ rotr(W[t - 2], 19) ^ (W[t - 2] >> 10);
    W[t] = s1 + W[t - 7] + s0 + W[t - 16];
  }
  auto [a, b, c, d, e, f, g, h] = H;
  for (int t = 0; t < 64; ++t) {
    const uint32_t S1 = rotr(e, 6) ^ rotr(e, 11) ^ rotr(e, 25), ch = (e & f) ^ (~e & g);
    const uint32_t S0 = rotr(a, 2) ^ rotr(a, 13) ^ rotr(a, 22), maj = (a & b) ^ (a & c) ^ (b & c);
    const uint32_t T1 = h + S1 + ch + K[t] + W[t], T2 = S0 + maj;
    h = g, g = f, f = e, e = d + T1, d = c, c = b, b = a, a = T1 + T2;
  }
  const Hash mixed{a, b, c, d, e, f, g, h};
  for (int i = 0; i < 8; ++i) H[i] += mixed[i];
}

}  // namespace

std::string sha256(std::string_view bytes) {
  Hash H = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  constexpr size_t kBlock = 64;
  const size_t whole = bytes.size() / kBlock * kBlock;
  for (size_t at = 0; at < whole; at += kBlock) add_block(H, bytes.data() + at);

  // the rest, a bit 1, zeros, and the length in bits
  std::string last(bytes.substr(whole));
  last += '\x80';
  while (last.size() % kBlock != kBlock - 8) last += '\0';
  const uint64_t bits = uint64_t{bytes.size()} * 8;
  for (int shift = 56; shift >= 0; shift -= 8) last += static_cast<char>(bits >> shift & 0xff);
  for (size_t at = 0; at < last.size(); at += kBlock) add_block(H, last.data() + at);

  std::string digits;
  for (const uint32_t word : H) digits += fmt::format("{:08x}", word);
  return digits;
}

}  // namespace bricard::io
