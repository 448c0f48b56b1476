// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "bricard/model/model.h"
#include "bricard/read/cursor.h"
#include "bricard/read/model_reader.h"
#include "bricard/read/order_of_need.h"

namespace bricard::io {

/// Complains if a parameter or a variable of a repeat block may not be called so.
bool check_variable_name(const Entry& entry);

/// The parameters of a model, collected from its files and then computed in the order they need
/// each other. A parameter given again in a later file, or from outside, replaces the earlier one,
/// also in the formulas that use it.
class Parameters {
 public:
  explicit Parameters(ReadLog& log) : log_(log) {}

  /// The section `parameters` of one file. The cursor's scope is to outlive this object.
  void add(const Cursor& section);

  /// Computes all parameters into the model and the scope.
  void compute(const Overrides& overrides, Model& model, Scope& scope);

  /// Takes a computed parameter out of the model and the scope, because its value is going to change: no other parameter
  /// may need it. Returns its unit.
  std::string release(const std::string& name, Model& model, Scope& scope) const;

 private:
  struct Definition {
    std::string name;
    Cursor value;
  };

  std::optional<size_t> find(const std::string& name) const;
  void apply(const Overrides& overrides, Scope& scope);
  void check_dimensions(const Overrides& overrides, Scope& scope);
  std::optional<size_t> needed(size_t definition, const Scope& scope) const;
  void compute(const Definition& definition, Scope& scope);

  ReadLog& log_;
  std::vector<Definition> definitions_;
  std::vector<Progress> progress_;
  std::unordered_map<std::string, size_t> index_;
};

}  // namespace bricard::io
