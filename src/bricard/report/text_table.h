// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace bricard::io {

using TextRow = std::vector<std::string>;

/// What stands in a terminal or an editor, columns as wide as their contents: numbers to the right, words to the left,
/// headings broken between words. Where that is wider than `width`, the widest column of words is broken too.
std::string text_table(const TextRow& columns, const std::vector<TextRow>& rows, size_t width = 100);

/// Characters per column if headings are broken between words and nothing else is.
std::vector<size_t> column_widths(const TextRow& columns, const std::vector<TextRow>& rows);

/// Whether all filled cells of a column are numbers, perhaps with a sign or a mark in front and a unit behind.
bool is_numeric(const std::vector<TextRow>& rows, size_t column);

/// Lines of at most `width` characters, broken between words; `indent` spaces in front of all but the first.
std::vector<std::string> wrapped(const std::string& text, size_t width, size_t indent = 0);

}  // namespace bricard::io
