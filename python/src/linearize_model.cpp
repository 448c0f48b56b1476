// SPDX-License-Identifier: Apache-2.0
#include "linearize_model.h"

#include <fmt/format.h>
#include <pybind11/eigen.h>
#include <pybind11/stl.h>

#include <algorithm>

#include "bricard/analysis/find_start.h"
#include "bricard/analysis/linearize.h"
#include "bricard/analysis/operating_point.h"
#include "bricard/assemble/assemble.h"

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

}  // namespace

py::dict linearize_model(const ReadModel& read, const std::string& point, std::optional<double> time) {
  const PointType type = point_type(point);
  if (time && !(*time > 0)) throw py::value_error(fmt::format("time = {}: must be > 0", *time));
  read.trouble->clear();
  const Model& model = read.model;
  System system = assemble(model);
  const LinearizeOptions options = linearize_options(model, read.linearization, system);
  const OperatingPoint found = find_operating_point(model, system, type, read.linearization.reference, time);
  if (auto error = read.trouble->take()) throw std::move(*error);
  if (!found.problem.empty()) refuse(model, found.problem);
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

}  // namespace bricard::python
