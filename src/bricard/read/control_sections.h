// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "bricard/model/model.h"
#include "bricard/read/cursor.h"
#include "bricard/read/formula_sections.h"

namespace bricard::io {

/// The sections `inputs`, `states`, `variables` and `controllers` of all files. Their names are collected first, because every
/// formula may use them, and read when all names are known.
class ControlSections {
 public:
  ControlSections(FormulaSections& formulas, ReadLog& log) : formulas_(formulas), log_(log) {}

  /// The names of one file. The cursor's scope is to outlive this object.
  void add(const Cursor& root);
  /// An input that no file defines; its value is 0.
  void drive(const std::string& name, const std::string& unit);
  const std::vector<QuantityName>& names() const { return names_; }
  const std::map<std::string, Dimension>& dimensions() const { return dimensions_; }  ///< of the names, and of rates
  void read(Model& model);

 private:
  struct Definition {
    std::string section;
    Entry entry;
    std::string unit;
  };
  void claim(const Entry& entry, const char* kind, const std::string& unit);
  void claim_outputs(const Entry& entry);
  void read_input(const Definition& d, Model& model);
  void read_state(const Definition& d, Model& model);
  void read_variable(const Definition& d, Model& model);
  void read_controller(const Definition& d, Model& model);
  void check(const VelocityConstraint& c) const;
  template <class Block>
  void read_block(const Definition& d, std::vector<Block>& out);
  template <class Value>
  void convert(const Definition& d, const char* key, const std::string& unit, Value& value);

  FormulaSections& formulas_;
  ReadLog& log_;
  std::vector<QuantityName> names_;
  std::map<std::string, Dimension> dimensions_;
  std::vector<Definition> definitions_;
  std::vector<Input> driven_;
};

}  // namespace bricard::io
