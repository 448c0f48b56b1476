// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "bricard/model/model.h"
#include "bricard/read/cursor.h"
#include "bricard/read/order_of_need.h"

namespace bricard::io {

/// The sections `tables` and `expressions` of all files: what formulas can use by name. Formulas are read in the order in
/// which they need each other.
class FormulaSections {
 public:
  FormulaSections(Scope& names, ReadLog& log) : names_(names), log_(log) {}

  /// The sections of one file. The cursor's scope is to outlive this object.
  void add(const Cursor& root);
  void compute(Model& model);
  /// Whether a name is free and well formed; complains if not. From then on it is taken.
  bool claim(const Entry& entry);

  const std::map<std::string, Expression>& formulas() const { return formulas_; }
  const std::map<std::string, Table>& tables() const { return tables_; }

 private:
  void read_tables(const Cursor& section);
  bool read_table(const Cursor& at, const Place& owner, Table& out);
  bool check_table(const Cursor& at, const Table& table);
  std::optional<size_t> needed(size_t definition) const;
  void compute(const Entry& entry);

  Scope& names_;  ///< parameters; gets the names of faulty formulas
  ReadLog& log_;
  std::map<std::string, int> lines_;  ///< names in use
  std::vector<NamedTable> table_list_;
  std::vector<Entry> definitions_;
  std::vector<Progress> progress_;
  std::unordered_map<std::string, size_t> index_;
  std::map<std::string, Expression> formulas_;
  std::map<std::string, Table> tables_;
};

/// A signal: a formula, or {value: formula, unit: text}.
bool read_signal(Entry entry, Signal& out);

}  // namespace bricard::io
