// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <yaml-cpp/yaml.h>

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "bricard/check/read_log.h"
#include "bricard/math/expression.h"
#include "bricard/math/spline.h"
#include "bricard/model/material.h"
#include "bricard/model/source.h"

// The YAML layer of the model reader: maps, lists, texts and formulas, each with its place.
namespace bricard::io {

/// A name that stands for a value that changes: of an input, a state, a variable, the output of a controller.
struct QuantityName {
  std::string name, unit;
  const char* kind;  ///< `a state`
};

/// The names a formula may use in one part of a model file.
struct Scope {
  const SourceFile* file = nullptr;
  std::map<std::string, double> constants;  ///< parameters and variables of repeat blocks
  std::set<std::string> faulty;             ///< parameters without value; that was said where they stand
  const std::map<std::string, Expression>* formulas = nullptr;  ///< of the section `expressions`
  const std::map<std::string, Table>* tables = nullptr;
  const std::vector<QuantityName>* quantities = nullptr;
  const std::map<std::string, Dimension>* quantity_dimensions = nullptr;  ///< rates of states too
  const ExternalFunctions* functions = nullptr;                           ///< where measures may be used
  const std::vector<Material>* materials = nullptr;                       ///< the model's own
  UnitContext units{};  ///< of bare numbers in the file, and the dimensions of the constants
};

/// One value of a model file, with all that is needed to read it or to complain about it.
struct Cursor {
  YAML::Node node;
  Place place;
  std::string path;
  const Scope* scope = nullptr;
  ReadLog* log = nullptr;
  const char* unit = "";  ///< SI unit of the numbers in it; "": plain numbers; null or two units: not decided yet

  void fault(const std::string& what) const { log->fault(place, path, what); }
};

struct Entry {
  std::string key;
  Place key_place;
  Cursor value;
};

/// The top of a file.
Cursor root_cursor(const YAML::Node& node, const Scope& scope, ReadLog& log);

/// `nothing`, `a map`, `a list of 3`, `'text'`: what stands there, for messages.
std::string describe(const YAML::Node& node);

/// The entries of a map in their order; not a map, or keys twice: a fault.
std::optional<std::vector<Entry>> entries_of(const Cursor& map, const std::string& expected = "a map");

/// The value of a key, without complaint about anything.
std::optional<Cursor> peek(const Cursor& map, const std::string& key);

/// The items of a list.
std::optional<std::vector<Cursor>> items_of(const Cursor& list, const std::string& expected);

/// The items of a list of fixed length.
std::optional<std::vector<Cursor>> items_of(const Cursor& list, const std::string& expected, size_t count);

/// A text as it stands, without replacement of {formula}.
std::optional<std::string> raw_text_of(const Cursor& scalar, const std::string& expected);

/// A text with each {formula} replaced by its integer value.
std::optional<std::string> text_of(const Cursor& scalar, const std::string& expected);

/// What a formula may use beside parameters.
enum class FormulaUse { number, of_time, of_motion };  ///< nothing; the time; the time and measures

/// A further name that a formula may use.
struct FormulaVariable {
  const char *name, *unit;
};

/// A formula, converted to the cursor's unit; in repeat blocks {formula} inside it is replaced first. `variables` are further names it may use.
std::optional<Expression> formula_of(const Cursor& scalar, FormulaUse use,
                                     const std::vector<FormulaVariable>& variables = {});

/// A finite number, written as such or as a formula without time.
std::optional<double> number_of(const Cursor& scalar);
/// Complains of a number that no model has.
bool is_number(const Cursor& scalar, double value);

/// A finite number with whatever unit it has.
std::optional<Quantity> quantity_of(const Cursor& scalar);

/// A formula in the unit it is wanted in; a fault if it measures something else.
std::optional<Expression> converted(const Expression& formula, const char* unit, const UnitSystem& units,
                                    const Cursor& at);

/// A whole number.
std::optional<long> integer_of(const Cursor& scalar);

/// Gives out the values of a map by key, and complains about keys nobody asked for.
class KeyTable {
 public:
  /// `owner` is where missing keys are reported. Keys that are asked for are to outlive the table.
  KeyTable(const Cursor& map, const Place& owner);

  bool is_map() const { return is_map_; }
  const Cursor* find(std::string_view key);
  const Cursor* require(std::string_view key, const std::string& help);
  /// A key that is needed is not there.
  void miss(std::string_view key, const std::string& help) { missing_.emplace_back(key, help); }

  /// Complains about missing and unknown keys, and says whether there are any. To be called after
  /// the last find.
  bool report() const;

 private:
  std::string path_;
  Place owner_;
  ReadLog* log_;
  bool is_map_;
  std::vector<Entry> entries_;
  std::vector<std::string_view> allowed_;
  std::vector<std::pair<std::string, std::string>> missing_;  ///< key, help
};

}  // namespace bricard::io
