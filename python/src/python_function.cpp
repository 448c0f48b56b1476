// SPDX-License-Identifier: Apache-2.0
#include "python_function.h"

#include <array>
#include <cmath>
#include <limits>

namespace bricard::python {
namespace {

constexpr size_t kMostArguments = 64;  // of a function in a formula
constexpr double kNothing = std::numeric_limits<double>::quiet_NaN();

/// Calls without the convenience of pybind11: this is the inner loop of a run.
double call(const py::object& function, const std::string& name, Trouble& trouble, std::span<const double> x) {
  const py::gil_scoped_acquire lock;
  if (trouble.raised()) return kNothing;
  std::array<PyObject*, kMostArguments> arguments;
  for (size_t i = 0; i < x.size(); ++i) arguments[i] = PyFloat_FromDouble(x[i]);
  PyObject* result = PyObject_Vectorcall(function.ptr(), arguments.data(), x.size(), nullptr);
  for (size_t i = 0; i < x.size(); ++i) Py_DECREF(arguments[i]);
  if (!result) return trouble.catch_error(), kNothing;
  const double value = PyFloat_AsDouble(result);
  if (PyErr_Occurred()) {
    PyErr_Format(PyExc_TypeError, "the function '%s' returned %R where a number is expected", name.c_str(), result);
    trouble.catch_error();
  }
  Py_DECREF(result);
  if (!std::isfinite(value)) trouble.not_finite = name;
  return trouble.raised() ? kNothing : value;
}

}  // namespace

std::optional<py::error_already_set> Trouble::take() {
  std::optional<py::error_already_set> error = std::move(error_);
  error_.reset();
  return error;
}

bool Trouble::interrupted() {
  const auto now = std::chrono::steady_clock::now();
  if (now - asked_ < std::chrono::milliseconds(50)) return false;
  asked_ = now;
  const py::gil_scoped_acquire lock;
  if (PyErr_CheckSignals() != 0) catch_error();
  return raised();
}

ExternalFunctions make_functions(const py::dict& functions, const std::shared_ptr<Trouble>& trouble) {
  ExternalFunctions made;
  for (const auto& [key, entry] : functions) {
    const auto name = key.cast<std::string>();
    const auto [function, least, most] = entry.cast<std::tuple<py::object, int, int>>();
    auto made_one = std::make_shared<ExternalFunction>();
    made_one->least = least, made_one->most = most;
    made_one->value = [function = function, name, trouble](std::span<const double> x) {
      return call(function, name, *trouble, x);
    };
    made[name] = std::move(made_one);
  }
  return made;
}

}  // namespace bricard::python
