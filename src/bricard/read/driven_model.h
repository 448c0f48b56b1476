// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "bricard/read/model_reader.h"

namespace bricard::io {

/// As read_model_text. The parameter `driven` becomes an input that is 0, and is no parameter any more: only formulas of
/// forces, states and variables may use it.
Model read_driven_model(const std::string& text, const std::string& path, const Overrides& overrides,
                        const std::string& driven);

}  // namespace bricard::io
