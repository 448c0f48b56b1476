// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "bricard/model/model.h"
#include "bricard/read/cursor.h"
#include "bricard/read/model_reader.h"

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

 private:
  enum class Progress { waiting, running, done };
  struct Definition {
    std::string name;
    Cursor value;
    Progress progress;
  };

  Definition* find(const std::string& name);
  void apply(const Overrides& overrides, Scope& scope);
  void check_dimensions(const Overrides& overrides, Scope& scope);
  void compute(Definition& definition, Scope& scope);

  ReadLog& log_;
  std::vector<Definition> definitions_;
};

}  // namespace bricard::io
