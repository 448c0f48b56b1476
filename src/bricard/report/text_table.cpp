// SPDX-License-Identifier: Apache-2.0
#include "bricard/report/text_table.h"

#include <algorithm>
#include <cctype>
#include <sstream>

namespace bricard::io {
namespace {

constexpr size_t kGap = 2, kIndent = 2, kLeastBroken = 24;

/// Characters, not bytes, of UTF-8.
size_t width_of(const std::string& text) {
  return static_cast<size_t>(std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; }));
}

const std::string& cell(const TextRow& row, size_t column) {
  static const std::string nothing;
  return column < row.size() ? row[column] : nothing;
}

size_t longest_word(const std::string& text) {
  size_t longest = 0;
  std::istringstream stream(text);
  for (std::string word; stream >> word;) longest = std::max(longest, width_of(word));
  return longest;
}

/// One row, of several lines if a cell has several.
std::string row_text(const TextRow& row, const std::vector<size_t>& widths, const std::vector<bool>& numeric,
                     bool heading) {
  std::vector<std::vector<std::string>> lines;
  size_t height = 1;
  for (size_t c = 0; c < widths.size(); ++c) {
    lines.push_back(wrapped(cell(row, c), widths[c], heading || numeric[c] ? 0 : kIndent));
    height = std::max(height, lines.back().size());
  }
  std::string text;
  for (size_t i = 0; i < height; ++i) {
    std::string line;
    for (size_t c = 0; c < widths.size(); ++c) {
      const size_t first = heading ? height - lines[c].size() : 0;
      const std::string part = i >= first && i - first < lines[c].size() ? lines[c][i - first] : "";
      const std::string space(widths[c] - std::min(widths[c], width_of(part)), ' ');
      line += std::string(c == 0 ? 0 : kGap, ' ') + (numeric[c] ? space + part : part + space);
    }
    text += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
  }
  return text;
}

/// Takes what the table is too wide from its widest column of words.
void fit(std::vector<size_t>& widths, const std::vector<bool>& numeric, size_t width) {
  size_t total = kGap * (widths.size() - 1), widest = widths.size();
  for (size_t c = 0; c < widths.size(); ++c) {
    total += widths[c];
    if (!numeric[c] && (widest == widths.size() || widths[c] > widths[widest])) widest = c;
  }
  if (total <= width || widest == widths.size()) return;
  const size_t excess = total - width, wide = widths[widest];
  widths[widest] = std::min(wide, std::max(kLeastBroken, wide > excess ? wide - excess : 0));
}

}  // namespace

bool is_numeric(const std::vector<TextRow>& rows, size_t column) {
  bool some = false;
  for (const TextRow& row : rows) {
    const std::string& text = cell(row, column);
    if (text.empty() || text == "-" || text == "–" || text == "nan" || text == "inf" || text == "failed") continue;
    const size_t digit = text.find_first_of("0123456789");
    if (digit == std::string::npos || digit > 3) return false;
    if (std::any_of(text.begin(), text.begin() + static_cast<long>(digit),
                    [](unsigned char c) { return std::isalpha(c) != 0; }))
      return false;
    some = true;
  }
  return some;
}

std::vector<std::string> wrapped(const std::string& text, size_t width, size_t indent) {
  if (width_of(text) <= width) return {text};
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string word; stream >> word;) {
    if (!lines.empty() && width_of(lines.back()) + 1 + width_of(word) <= width) lines.back() += " " + word;
    else lines.push_back(std::string(lines.empty() ? 0 : indent, ' ') + word);
  }
  return lines;
}

std::vector<size_t> column_widths(const TextRow& columns, const std::vector<TextRow>& rows) {
  std::vector<size_t> widths;
  for (size_t c = 0; c < columns.size(); ++c) {
    widths.push_back(longest_word(columns[c]));
    for (const TextRow& row : rows) widths.back() = std::max(widths.back(), width_of(cell(row, c)));
  }
  return widths;
}

std::string text_table(const TextRow& columns, const std::vector<TextRow>& rows, size_t width) {
  if (columns.empty()) return "";
  std::vector<size_t> widths = column_widths(columns, rows);
  std::vector<bool> numeric;
  for (size_t c = 0; c < columns.size(); ++c) numeric.push_back(is_numeric(rows, c));
  fit(widths, numeric, width);
  std::string text = row_text(columns, widths, numeric, true);
  for (const TextRow& row : rows) text += row_text(row, widths, numeric, false);
  return text;
}

}  // namespace bricard::io
