// SPDX-License-Identifier: Apache-2.0
#include "read_model.h"

#include <yaml-cpp/yaml.h>

#include "bricard/read/linearization_reader.h"

namespace bricard::python {
namespace {

/// A number is one in the model's units; a text may be a formula of numbers with units.
Quantity quantity_of(const std::string& name, const py::handle& value) {
  if (!py::isinstance<py::str>(value)) {
    const double number = PyFloat_AsDouble(value.ptr());
    if (!PyErr_Occurred()) return number;
    PyErr_Clear();
    throw ModelError({{{}, "parameter '" + name + "' set from outside: expected a number or a formula"}});
  }
  try {
    const Expression formula = Expression::parse(value.cast<std::string>(), {}, false);
    return {formula(0), formula.dimension()};
  } catch (const ExpressionError& error) {
    throw ModelError({{{}, "parameter '" + name + "' set from outside: " + error.what()}});
  }
}

io::LinearModel read(const std::string& text, const std::string& path, const py::dict& parameters,
                     const py::dict& functions, const std::shared_ptr<Trouble>& trouble) {
  io::Overrides overrides;
  for (const auto& [name, value] : parameters)
    overrides.emplace_back(name.cast<std::string>(), quantity_of(name.cast<std::string>(), value));
  return io::read_linear_model(text, path, overrides, make_functions(functions, trouble));
}

py::object scalar(const YAML::Node& node) {
  const std::string& text = node.Scalar();
  if (node.Tag() == "!") return py::str(text);  // quoted
  if (text == "true" || text == "false") return py::bool_(text == "true");
  if (text.find_first_not_of("+-.0123456789eE") != std::string::npos) return py::str(text);
  const bool whole = text.find_first_of(".eE") == std::string::npos;
  PyObject* number = whole ? PyLong_FromString(text.c_str(), nullptr, 10) : PyFloat_FromString(py::str(text).ptr());
  if (number) return py::reinterpret_steal<py::object>(number);
  PyErr_Clear();
  return py::str(text);
}

py::object convert(const YAML::Node& node) {
  if (node.IsScalar()) return scalar(node);
  if (node.IsSequence()) {
    py::list list;
    for (const YAML::Node& item : node) list.append(convert(item));
    return list;
  }
  if (!node.IsMap()) return py::none();
  py::dict dict;
  for (const auto& pair : node) dict[py::str(pair.first.Scalar())] = convert(pair.second);
  return dict;
}

}  // namespace

ReadModel::ReadModel(const std::string& text, const std::string& path, const py::dict& parameters,
                     const py::dict& functions, bool text_is_file)
    : from_file(text_is_file) {
  try {
    io::LinearModel all = read(text, path, parameters, functions, trouble);
    model = std::move(all.model);
    linearization = std::move(all.settings);
  } catch (const ModelError& error) {
    if (auto raised = trouble->take()) throw std::move(*raised);  // the reader tries formulas of time
    std::vector<Fault> faults = error.faults();
    for (Fault& fault : faults)
      if (!from_file && fault.place.file == path) fault.place = {};
    throw ModelError(std::move(faults));
  }
}

Model ReadModel::with(const std::string& settings) const {
  Model changed = model;
  changed.run = io::read_run_settings(settings, model.run);
  return changed;
}

py::object parse_yaml(const std::string& text) {
  try {
    return convert(YAML::Load(text));
  } catch (const YAML::Exception&) {
    return py::none();  // the reader says what is wrong
  }
}

}  // namespace bricard::python
