// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <vector>

#include "bricard/model/source.h"

namespace bricard::io {

/// A keyword of a deck and the lines of data below it.
struct DeckBlock {
  Place place;
  std::string keyword;                            ///< upper case, without its star
  std::map<std::string, std::string> parameters;  ///< upper case; values as written
  struct Data {
    int line;
    std::vector<std::string> fields;  ///< an empty last one: the next line goes on
  };
  std::vector<Data> data;

  bool has(const std::string& parameter) const { return parameters.count(parameter) > 0; }
  std::string value(const std::string& parameter) const { return has(parameter) ? parameters.at(parameter) : ""; }
  Place at(const Data& row) const { return {place.file, row.line, 1}; }
};

/// All of a deck with what it includes. Throws FileError, or ModelError if it is no deck.
std::vector<DeckBlock> deck_blocks(const std::string& path);

std::string upper(std::string text);

}  // namespace bricard::io
