// SPDX-License-Identifier: Apache-2.0
#include "linearize_model.h"

#include <fmt/format.h>
#include <pybind11/complex.h>
#include <pybind11/eigen.h>
#include <pybind11/stl.h>

#include <algorithm>

#include "bricard/analysis/eigenmodes.h"
#include "bricard/analysis/linearize.h"
#include "bricard/analysis/operating_point.h"
#include "bricard/assemble/assemble.h"
#include "bricard/write/linear_writer.h"
#include "run.h"

namespace bricard::python {
namespace {

PointType point_type(const std::string& word) {
  const std::vector<std::string> words{"given", "static", "steady"};
  const auto found = std::find(words.begin(), words.end(), word);
  if (found == words.end())
    throw py::value_error(fmt::format("point = '{}': unknown; allowed: given, static, steady", word));
  return static_cast<PointType>(found - words.begin());
}

void add_names(py::dict& out, const char* key, const std::vector<NamedQuantity>& quantities) {
  py::list names, units;
  for (const NamedQuantity& q : quantities) names.append(q.name), units.append(q.unit);
  out[key] = names;
  out[(std::string(key) + "_units").c_str()] = units;
}

/// Where the model is looked at. Throws ModelError.
OperatingPoint operating_point(const ReadModel& read, const System& system, const std::string& point,
                               std::optional<double> time) {
  const PointType type = point_type(point);
  if (time && !(*time > 0)) throw py::value_error(fmt::format("time = {}: must be > 0", *time));
  read.trouble->clear();
  OperatingPoint found = find_operating_point(read.model, system, type, read.linearization.reference, time);
  if (auto error = read.trouble->take()) throw std::move(*error);
  if (!found.problem.empty()) refuse(read.model, found.problem);
  return found;
}

}  // namespace

py::dict linearize_model(const ReadModel& read, const std::string& point, std::optional<double> time) {
  const Model& model = read.model;
  System system = assemble(model);
  const LinearizeOptions options = linearize_options(model, read.linearization, system);
  const OperatingPoint found = operating_point(read, system, point, time);
  const LinearEquations equations(system, found.state, options);
  if (!equations.report().problem.empty()) refuse(model, equations.report().problem);
  const Linearization lin = linearize(equations, model, read.linearization, system, found.state);
  if (auto error = read.trouble->take()) throw std::move(*error);

  py::dict out;
  add_names(out, "states", lin.state_names());
  add_names(out, "inputs", lin.inputs);
  add_names(out, "outputs", lin.outputs);
  out["A"] = lin.A, out["B"] = lin.B, out["C"] = lin.C, out["D"] = lin.D;
  out["mass"] = lin.mass, out["damping"] = lin.damping, out["stiffness"] = lin.stiffness;
  std::vector<std::string> remarks = lin.report.remarks;
  for (const DroppedState& d : lin.report.dropped) remarks.push_back(fmt::format("left out {}: {}", d.name, d.reason));
  out["about"] = found.remark;
  out["remarks"] = remarks;
  return out;
}

py::dict modes_of_model(const ReadModel& read, const std::string& point, std::optional<double> time, int count,
                        bool undamped, double shift) {
  if (count < 0) throw py::value_error(fmt::format("count = {}: must be >= 0", count));
  if (shift < 0) throw py::value_error(fmt::format("shift = {}: must be >= 0", shift));
  const Model& model = read.model;
  System system = assemble(model);
  const LinearizeOptions states = linearize_options(model, read.linearization, system);
  const OperatingPoint found = operating_point(read, system, point, time);
  LinearEquations equations(system, found.state, states);
  if (!equations.report().problem.empty()) refuse(model, equations.report().problem);
  EigenmodeOptions options;
  options.count = count, options.undamped = undamped, options.shift = shift;
  EigenmodeResult result = find_eigenmodes(equations, system, options);
  label_modes(model, system, found.state, equations, result.modes);
  if (auto error = read.trouble->take()) throw std::move(*error);
  if (!result.problem.empty()) refuse(model, result.problem);

  io::ResultFile file = io::state_file(model, system, found.state, "modes");
  file.modes = io::mode_table(result.modes, model, system, found.state);
  py::dict out, displacement, rotation;
  const auto shapes = [&](const std::vector<double>& values) {  // modes × 3
    using Complex = std::complex<double>;
    const auto* numbers = reinterpret_cast<const Complex*>(values.data());
    return py::array_t<Complex>({static_cast<py::ssize_t>(result.modes.size()), py::ssize_t{3}}, numbers);
  };
  for (const io::ModeTable::Body& body : file.modes.bodies) {
    displacement[py::str(body.name)] = shapes(body.displacement);
    rotation[py::str(body.name)] = shapes(body.rotation);
  }
  VectorXcd eigenvalues(result.modes.size());
  for (size_t m = 0; m < result.modes.size(); ++m) eigenvalues[m] = result.modes[m].s;
  out["eigenvalues"] = eigenvalues;
  out["frequencies"] = py::array_t<double>(file.modes.frequencies.size(), file.modes.frequencies.data());
  out["dampings"] = py::array_t<double>(file.modes.dampings.size(), file.modes.dampings.data());
  out["labels"] = file.modes.labels;
  out["displacement"] = displacement, out["rotation"] = rotation;
  out["about"] = found.remark;
  out["results"] = std::make_shared<ResultData>(ResultData{std::move(file)});
  return out;
}

}  // namespace bricard::python
