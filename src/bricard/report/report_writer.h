// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "bricard/results/report.h"

// The three forms of a report.
namespace bricard::io {

/// For a terminal: remarks, tables, the orders of the curves, the ranges of the maps, checks.
std::string report_text(const Report& report);

/// All numbers; those that are not finite are null.
std::string report_json(const Report& report);

/// One self-contained HTML page with drawn plots and maps; needs no script.
std::string report_page(const Report& report);

/// `12 of 13 checks pass`; empty if there are none.
std::string verdict_text(const Report& report);

}  // namespace bricard::io
