// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "bricard/results/channels.h"

// Names and units of columns as texts with commas. A number without a unit has "1".
namespace bricard::io {

/// One for each column; "" if there is none.
std::string units_text(const std::vector<Column>& columns);
/// One if all columns agree, else one for each.
std::string unit_text(const std::vector<Column>& columns);
std::string name_text(const std::vector<Column>& columns);

/// Back from both: as many columns as there are names, or as units where names are empty.
std::vector<Column> columns_of(const std::string& names, const std::string& units);

}  // namespace bricard::io
