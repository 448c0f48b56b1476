// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace bricard::io {

/// The SHA-256 digest [FIPS 180-4] as 64 hexadecimal digits, as sha256sum prints it.
std::string sha256(std::string_view bytes);

}  // namespace bricard::io
