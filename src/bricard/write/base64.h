// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace bricard::io {

/// Base 64 with padding. [RFC 4648, section 4]
std::string base64(std::string_view bytes);

/// The bytes again; characters that are no digits are passed over.
std::string base64_bytes(std::string_view text);

/// Base 64 of the numbers as little-endian 32-bit floats, enough for pictures and plots.
std::string base64_floats(std::span<const double> values);

/// The same in a form that compresses well if rows of `width` numbers change smoothly: "d<width>:" and the differences of the
/// numbers' bits to those one row before, first all lowest bytes, then all next ones.
std::string base64_differences(std::span<const double> values, size_t width);

}  // namespace bricard::io
