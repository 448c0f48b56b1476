// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pybind11/pybind11.h>

#include <chrono>
#include <optional>
#include <string>

#include "bricard/math/external_function.h"

// Python callables in formulas. Integrators know no exceptions: a callable that raises gives NaN from then on, the run
// stops, and the exception is raised again when it has come to its end.
namespace bricard::python {

namespace py = pybind11;

/// The first exception of all callables of a model, or that of the keyboard.
class Trouble {
 public:
  bool raised() const { return error_.has_value(); }
  /// Takes the exception that Python has just raised.
  void catch_error() { error_.emplace(); }
  std::optional<py::error_already_set> take();
  void clear() { error_.reset(), not_finite.clear(); }

  std::string not_finite;  ///< the callable that last returned no finite number

  /// Whether the user wants to stop (Ctrl-C); asks Python only now and then. Without or with the interpreter's lock.
  bool interrupted();

 private:
  std::optional<py::error_already_set> error_;
  std::chrono::steady_clock::time_point asked_;
};

/// `functions`: name -> (callable, least, most number of arguments).
ExternalFunctions make_functions(const py::dict& functions, const std::shared_ptr<Trouble>& trouble);

}  // namespace bricard::python
