// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace bricard::io {

/// The form of model files as JSON Schema, draft 07, for editors: made from the lists of fields the reader walks.
/// It says nothing about values, references and formulas, which only the reader knows.
std::string model_schema();

}  // namespace bricard::io
