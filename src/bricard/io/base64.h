// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace bricard::io {

/// Base 64 with padding. [RFC 4648, section 4]
std::string base64(std::string_view bytes);

/// Base 64 of the numbers as little-endian 32-bit floats, enough for pictures and plots.
std::string base64_floats(std::span<const double> values);

}  // namespace bricard::io
