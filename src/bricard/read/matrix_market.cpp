// SPDX-License-Identifier: Apache-2.0
#include "bricard/read/matrix_market.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <filesystem>
#include <set>
#include <sstream>
#include <unordered_set>

#include "bricard/read/finite_elements.h"
#include "bricard/write/files.h"

namespace bricard::io {
namespace {

/// Lines of a text, without those that are comments, with their numbers.
class NumberedLines {
 public:
  NumberedLines(std::string path, char comment) : path_(std::move(path)), text_(read_file(path_)), comment_(comment) {}

  /// False at the end.
  bool next(std::string_view& line) {
    while (at_ < text_.size()) {
      std::size_t end = text_.find('\n', at_);
      if (end == std::string::npos) end = text_.size();
      line = std::string_view(text_).substr(at_, end - at_);
      at_ = end + 1;
      ++number_;
      if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
      if (line.find_first_not_of(" \t") != std::string_view::npos && line.front() != comment_) return true;
    }
    return false;
  }
  [[noreturn]] void refuse(const std::string& what) const { throw ModelError({Fault{{path_, number_, 1}, what}}); }
  std::string_view text() const { return text_; }
  std::size_t size() const { return text_.size(); }

 private:
  std::string path_, text_;
  char comment_;
  std::size_t at_ = 0;
  int number_ = 0;
};

template <class Number>
bool take_number(std::string_view& line, Number& value) {
  const std::size_t begin = line.find_first_not_of(" \t,;+");
  if (begin == std::string_view::npos) return false;
  line.remove_prefix(begin);
  const auto [end, error] = std::from_chars(line.data(), line.data() + line.size(), value);
  if (error != std::errc()) return false;
  line.remove_prefix(static_cast<std::size_t>(end - line.data()));
  return true;
}

}  // namespace

Eigen::SparseMatrix<double> read_matrix_market(const std::string& path) {
  NumberedLines lines(path, '%');
  std::string first(lines.text().substr(0, lines.text().find('\n')));
  for (char& c : first) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  std::istringstream words(first);
  std::string mark, object, layout, field, symmetry;
  words >> mark >> object >> layout >> field >> symmetry;
  const auto of = [](const std::string& word, const std::set<std::string>& known) { return known.count(word) > 0; };
  if (mark != "%%matrixmarket" || object != "matrix")
    throw ModelError(
        {Fault{{},
               path + ": this is no Matrix Market file: its first line must be `%%MatrixMarket matrix coordinate real "
                      "symmetric` or alike"}});
  if (!of(layout, {"coordinate", "array"}) || !of(field, {"real", "integer", "double"}) ||
      !of(symmetry, {"general", "symmetric"}))
    throw ModelError({Fault{{path, 1, 1},
                            "the matrix must be coordinate or array, real or integer, general or symmetric; it is " +
                                first.substr(std::min<std::size_t>(first.size(), 14))}});
  std::string_view line;
  if (!lines.next(line)) lines.refuse("its size is missing");
  int rows = 0, columns = 0;
  long count = 0;
  const bool dense = layout == "array", both = symmetry == "symmetric";
  if (!take_number(line, rows) || !take_number(line, columns) || (!dense && !take_number(line, count)) || rows < 1 ||
      columns < 1)
    lines.refuse("must be the numbers of rows, columns and entries");
  if (rows != columns)
    lines.refuse(fmt::format("the matrix has {} rows and {} columns: must be as many", rows, columns));
  std::vector<Eigen::Triplet<double>> entries;
  entries.reserve(std::min(lines.size() / 4, static_cast<std::size_t>(std::max(0L, both ? 2 * count : count))));
  const auto add = [&](int i, int j, double value) {
    if (!std::isfinite(value)) lines.refuse("the value is not a number");
    if (i < 1 || j < 1 || i > rows || j > rows)
      lines.refuse(fmt::format("entry ({}, {}) of a matrix with {} rows", i, j, rows));
    entries.emplace_back(i - 1, j - 1, value);
    if (both && i != j) entries.emplace_back(j - 1, i - 1, value);
  };
  if (dense) {
    double value = 0;
    for (int j = 1; j <= rows; ++j)
      for (int i = both ? j : 1; i <= rows; ++i) {
        if (!lines.next(line) || !take_number(line, value))
          lines.refuse(fmt::format("entry ({}, {}) is missing", i, j));
        if (value != 0) add(i, j, value);
      }
  } else {
    for (long k = 0; k < count; ++k) {
      int i = 0, j = 0;
      double value = 0;
      if (!lines.next(line)) lines.refuse(fmt::format("the file ends after {} of {} entries", k, count));
      if (!take_number(line, i) || !take_number(line, j) || !take_number(line, value))
        lines.refuse("must be row, column and value");
      add(i, j, value);
    }
  }
  if (lines.next(line)) lines.refuse("there are more entries than the size of the matrix says");
  Eigen::SparseMatrix<double> A(rows, columns);
  A.setFromTriplets(entries.begin(), entries.end());
  return A;
}

ElementPart read_matrix_part(const std::string& stiffness, const std::string& mass, const std::string& nodes,
                             const FileUnits& units, const WorkWatch& watch) {
  ElementPart part;
  Structure& structure = part.structure;
  structure.name = std::filesystem::path(stiffness).stem().string();
  NumberedLines table(nodes, '#');
  std::vector<Vector3d> positions;
  std::unordered_set<int> known;
  for (std::string_view line; table.next(line);) {
    if (positions.empty() && std::isalpha(static_cast<unsigned char>(line.front()))) continue;  // names of columns
    int number = 0;
    Vector3d x;
    if (!take_number(line, number) || !take_number(line, x[0]) || !take_number(line, x[1]) ||
        !take_number(line, x[2]) || !x.allFinite())
      table.refuse("must be number, x, y, z of a node, and names of sets if there are any");
    if (!known.insert(number).second) table.refuse(fmt::format("there is another node {}", number));
    const int index = static_cast<int>(positions.size());
    positions.push_back(units.length * x);
    part.numbers.push_back(number);
    std::string rest(line);
    for (char& c : rest)
      c = c == ',' || c == ';' ? ' ' : static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    std::istringstream words(rest);
    for (std::string word; words >> word;) part.sets[word].push_back(index);
  }
  if (positions.empty()) table.refuse("there are no nodes in it");
  structure.nodes.resize(3, static_cast<Eigen::Index>(positions.size()));
  for (std::size_t i = 0; i < positions.size(); ++i) structure.nodes.col(static_cast<Eigen::Index>(i)) = positions[i];
  structure.source = fmt::format("{}, {}: {} nodes", std::filesystem::path(stiffness).filename().string(),
                                 std::filesystem::path(mass).filename().string(), positions.size());
  watch.at("matrices", 0);
  structure.stiffness = units.mass * read_matrix_market(stiffness);  // force per length: mass per time squared
  check_stiffness(structure, stiffness);
  watch.at("matrices", 0.5);
  set_mass(units.mass * read_matrix_market(mass), mass, structure);
  structure.surface_points = structure.nodes;  // what is between the nodes is not known
  structure.surface_displacement = structure.displacement;
  return part;
}

}  // namespace bricard::io
