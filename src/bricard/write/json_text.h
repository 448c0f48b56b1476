// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace bricard::io {

/// Keys stay in the order in which they were written.
using Json = nlohmann::ordered_json;

/// Numbers have as many digits as are needed to read the same number back; those that are not
/// finite become null, bytes that are not UTF-8 the sign U+FFFD.
inline std::string text_of(const Json& json, int indent = -1) {
  return json.dump(indent, ' ', false, Json::error_handler_t::replace);
}

}  // namespace bricard::io
