// SPDX-License-Identifier: Apache-2.0
#include "bricard/read/deck_lines.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <string_view>

#include "bricard/write/files.h"

namespace bricard::io {
namespace {

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.front()))) text.remove_prefix(1);
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.back()))) text.remove_suffix(1);
  return text;
}

std::vector<std::string> fields_of(std::string_view line) {
  std::vector<std::string> fields;
  for (;;) {
    const std::size_t comma = line.find(',');
    fields.emplace_back(trimmed(line.substr(0, comma)));
    if (comma == std::string_view::npos) return fields;
    line.remove_prefix(comma + 1);
  }
}

/// What the file is instead, and what to do about it.
std::string other_format(const std::string& path, std::string_view text) {
  const auto begins = [&](std::string_view word) { return text.substr(0, word.size()) == word; };
  const std::string name = upper(path);
  const auto ends = [&](std::string_view word) { return name.ends_with(word); };
  if (begins("$MeshFormat"))
    return "this is a mesh in gmsh's own format; write it with `gmsh part.geo -3 -format inp -o part.inp`";
  if (begins("ISO-10303-21")) return "this is a STEP file: geometry, not a mesh; mesh it with gmsh and write part.inp";
  if (begins("solid") || ends(".STL")) return "this is an STL surface; mesh its inside with gmsh and write part.inp";
  if (begins("\x89HDF"))
    return "this is an HDF5 file; a part that is reduced already is looked at with `bricard flex inspect`";
  if (ends(".BDF") || ends(".NAS") || text.find("\nGRID") != std::string_view::npos)
    return "this looks like a deck of Nastran; write it as CalculiX or Abaqus .inp";
  return "this is no deck of CalculiX or Abaqus (.inp): it has no line that begins with a keyword such as *NODE";
}

void add_blocks(const std::string& path, int depth, std::vector<DeckBlock>& blocks) {
  const std::string text = read_file(path);
  const std::string_view all = text;
  int line = 0;
  bool is_deck = false, continues = false;  // the line before belongs to a keyword and ends with a comma
  for (std::size_t at = 0; at < all.size();) {
    std::size_t end = all.find('\n', at);
    if (end == std::string_view::npos) end = all.size();
    std::string_view content = trimmed(all.substr(at, end - at));
    at = end + 1;
    ++line;
    if (content.empty() || content.substr(0, 2) == "**") continue;
    if (content.front() != '*' && !continues) {
      if (blocks.empty()) break;
      blocks.back().data.push_back({line, fields_of(content)});
      continue;
    }
    std::vector<std::string> words = fields_of(content);
    if (!continues) {
      is_deck = true;
      blocks.push_back({{path, line, 1}, upper(words.front().substr(1)), {}, {}});
      words.erase(words.begin());
    }
    DeckBlock& block = blocks.back();
    for (const std::string& word : words) {
      if (word.empty()) continue;
      const std::size_t equals = word.find('=');
      block.parameters[upper(std::string(trimmed(word.substr(0, equals))))] =
          equals == std::string::npos ? "" : std::string(trimmed(std::string_view(word).substr(equals + 1)));
    }
    continues = content.back() == ',';
    if (continues || block.keyword != "INCLUDE") continue;
    const std::string wanted = block.value("INPUT");
    const std::filesystem::path other = std::filesystem::path(path).parent_path() / wanted;
    if (wanted.empty() || depth > 8)
      throw ModelError(
          {Fault{block.place, wanted.empty() ? "*INCLUDE: INPUT=file is missing" : "*INCLUDE in a circle"}});
    blocks.pop_back();
    add_blocks(other.string(), depth + 1, blocks);
  }
  if (!is_deck) throw ModelError({Fault{{}, path + ": " + other_format(path, text)}});
}

}  // namespace

std::string upper(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return text;
}

std::vector<DeckBlock> deck_blocks(const std::string& path) {
  std::vector<DeckBlock> blocks;
  add_blocks(path, 0, blocks);
  return blocks;
}

}  // namespace bricard::io
