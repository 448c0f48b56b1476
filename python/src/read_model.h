// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>

#include "bricard/model/linearization_settings.h"
#include "bricard/model/model.h"
#include "python_function.h"

namespace bricard::python {

/// A model that was read and checked, with the Python functions of its formulas.
struct ReadModel {
  Model model;
  LinearizationSettings linearization;
  std::shared_ptr<Trouble> trouble = std::make_shared<Trouble>();
  bool from_file = false;  ///< places in messages mean something to the user

  /// Throws ModelError.
  ReadModel(const std::string& text, const std::string& path, const py::dict& parameters, const py::dict& functions,
            bool text_is_file);

  /// The model with run settings, a map in YAML, in the place of its own.
  Model with(const std::string& settings) const;
};

/// The first document of a YAML text as dict, list, str, int, float, bool and None.
py::object parse_yaml(const std::string& text);

}  // namespace bricard::python
