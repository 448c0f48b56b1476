// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "bricard/write/result_file.h"

// A result file -> one self-contained HTML page with animation and plots.
namespace bricard::io {

/// The JSON that the viewer reads; see viewer/src/data.ts.
std::string page_json(const ResultFile& file);

/// The same compressed, with the name in the open.
std::string packed_page_json(const ResultFile& file);

/// The page around a JSON text; `page` has the place for it marked by /*BRICARD_DATA*/.
std::string page_text(std::string_view page, const std::string& json);

/// Whether this program was built with a viewer.
bool has_viewer();

/// Throws FileError, also if there is no viewer.
void write_page(const ResultFile& file, const std::string& path);

}  // namespace bricard::io
