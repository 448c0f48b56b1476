// SPDX-License-Identifier: Apache-2.0
#include "bricard/write/channel_texts.h"

#include <algorithm>

namespace bricard::io {
namespace {

std::vector<std::string> split_at_commas(const std::string& text) {
  std::vector<std::string> parts;
  for (size_t begin = 0; begin <= text.size() && !text.empty();) {
    const size_t end = std::min(text.find(',', begin), text.size());
    parts.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return parts;
}

std::string shown(const std::string& unit) { return unit.empty() ? "1" : unit; }

}  // namespace

std::string units_text(const std::vector<Column>& columns) {
  std::string all;
  for (const Column& column : columns) all += (all.empty() ? "" : ",") + shown(column.unit);
  return all;
}

std::string unit_text(const std::vector<Column>& columns) {
  const auto is_first = [&](const Column& column) { return column.unit == columns[0].unit; };
  return !columns.empty() && std::all_of(columns.begin(), columns.end(), is_first) ? shown(columns[0].unit)
                                                                                   : units_text(columns);
}

std::string name_text(const std::vector<Column>& columns) {
  std::string all;
  for (size_t i = 0; i < columns.size(); ++i) all += (i > 0 ? "," : "") + columns[i].name;
  return all;
}

std::vector<Column> columns_of(const std::string& names, const std::string& units) {
  const std::vector<std::string> name = split_at_commas(names), unit = split_at_commas(units);
  std::vector<Column> columns(std::max(name.size(), unit.size()));
  for (size_t i = 0; i < columns.size(); ++i) {
    const std::string& own = unit.empty() ? "1" : unit[std::min(i, unit.size() - 1)];
    columns[i] = {i < name.size() ? name[i] : "", own == "1" ? "" : own};
  }
  return columns;
}

}  // namespace bricard::io
