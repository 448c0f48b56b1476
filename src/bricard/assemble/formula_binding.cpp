// SPDX-License-Identifier: Apache-2.0
#include "bricard/assemble/formula_binding.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "bricard/assemble/coordinates.h"

namespace bricard {
namespace {

bool same(const MeasureCall& a, const MeasureCall& b) { return a.function == b.function && a.arguments == b.arguments; }

// Angles about x and y are those about z after the axes of both markers changed names:
//     about x: atan2(−z_i·y_j, z_i·z_j),   about y: atan2(z_i·x_j, z_i·z_j),   about z: atan2(x_i·y_j, x_i·x_j)
Matrix3d renamed(const Matrix3d& R, int component) {
  Matrix3d S;
  if (component == 0) S << R.col(2), -R.col(1), R.col(0);
  else if (component == 1) S << R.col(2), R.col(0), R.col(1);
  else S = R;
  return S;
}

// Whether the elements that the joint's measures are made of are all that acts in the joint: at a position and with
// multipliers of no symmetry the measures must be what results show.
bool knows_reaction(const System& system, int joint) {
  State s = system.make_state();
  for (int i = 0; i < s.lambda.size(); ++i) s.lambda[i] = std::cos(i);
  Kinematics k = system.make_kinematics();
  system.update(s, k);
  for (size_t n = 1; n < k.frames.size(); ++n) {
    const double x = 3.0 * static_cast<double>(n);
    k.frames[n].p = {std::sin(x), std::sin(x + 1), std::sin(x + 2)};
    k.frames[n].R = exp_rotation({std::cos(x), std::cos(x + 1), std::cos(x + 2)}).toRotationMatrix();
  }
  std::vector<Wrench> wrenches(system.joints.size());
  system.reactions(k, wrenches);
  MeasureDefinition d;
  d.joint = joint;
  d.markers = {system.joints[joint].markers[1], system.joints[joint].markers[0], MarkerPose{}};
  bool alike = true;
  for (d.component = 0; d.component < 3; ++d.component)
    for (const auto& [quantity, shown] : {std::pair{MeasureQuantity::force, wrenches[joint].force},
                                          std::pair{MeasureQuantity::torque, wrenches[joint].torque}}) {
      d.quantity = quantity;
      alike = alike && std::abs(Measure(system, d).value(k) - shown[d.component]) <= 1e-9 * (1 + shown.norm());
    }
  return alike;
}

}  // namespace

/// What formulas use: measures, and definitions in groups in the order in which they need each other.
struct FormulaBinder::Collected {
  std::vector<MeasureCall> calls;                ///< one per measure
  std::vector<std::vector<std::string>> groups;  ///< of definitions
  struct Visit {
    int number, lowest;
    bool open = true;
  };
  std::map<std::string, Visit> visits;
  std::vector<std::string> waiting;
};

void FormulaBinder::collect(const Expression& formula, const std::vector<std::string>& variables,
                            Collected& all) const {
  for (const MeasureCall& call : formula.inputs()) {
    if (call.arguments.empty() && std::count(variables.begin(), variables.end(), call.function)) continue;
    if (call.arguments.empty() && definitions_.count(call.function)) {
      if (!all.visits.count(call.function)) sort(call.function, variables, all);
    } else if (std::none_of(all.calls.begin(), all.calls.end(), [&](const MeasureCall& c) { return same(c, call); })) {
      all.calls.push_back(call);
    }
  }
}

// Tarjan's algorithm: definitions that need each other in a circle come out as one group, after all that they need.
void FormulaBinder::sort(const std::string& name, const std::vector<std::string>& variables, Collected& all) const {
  const int number = static_cast<int>(all.visits.size());
  Collected::Visit& own = all.visits[name] = {number, number};
  all.waiting.push_back(name);
  const Expression& formula = definitions_.at(name).formula;
  collect(formula, variables, all);
  for (const MeasureCall& call : formula.inputs()) {
    const auto other = all.visits.find(call.function);
    if (call.arguments.empty() && other != all.visits.end() && other->second.open)
      own.lowest = std::min(own.lowest, other->second.lowest);
  }
  if (own.lowest != number) return;
  const auto first = std::find(all.waiting.begin(), all.waiting.end(), name);
  all.groups.emplace_back(first, all.waiting.end());
  all.waiting.erase(first, all.waiting.end());
  for (const std::string& member : all.groups.back()) all.visits[member].open = false;
}

MeasuredFormulas FormulaBinder::bind(const std::vector<Expression>& formulas, const std::vector<std::string>& variables,
                                     const Place& place, const std::string& path) {
  Collected all;
  for (const Expression& formula : formulas) collect(formula, variables, all);
  MeasuredFormulas bound;
  bound.formulas = formulas;
  bound.variables = static_cast<int>(variables.size());
  for (const MeasureCall& call : all.calls) bound.measures.push_back(make_measure(call, place, path));
  std::map<std::string, int> defined;  // columns of the defined values
  int column = bound.variables + static_cast<int>(all.calls.size());
  for (const auto& group : all.groups)
    for (const std::string& name : group) defined[name] = column++;
  if (column > MeasuredFormulas::kMaxInputs)
    throw ModelError({{place, path + ": uses more than " + std::to_string(MeasuredFormulas::kMaxInputs) +
                                  " different measures and names; split it into several"}});
  const auto columns_of = [&](const Expression& formula) {
    std::vector<int> columns;
    for (const MeasureCall& call : formula.inputs()) {
      const auto variable = std::find(variables.begin(), variables.end(), call.function);
      const auto value = defined.find(call.function);
      if (call.arguments.empty() && variable != variables.end())
        columns.push_back(static_cast<int>(variable - variables.begin()));
      else if (call.arguments.empty() && value != defined.end()) columns.push_back(value->second);
      else
        columns.push_back(bound.variables +
                          static_cast<int>(std::find_if(all.calls.begin(), all.calls.end(),
                                                        [&](const MeasureCall& c) { return same(c, call); }) -
                                           all.calls.begin()));
    }
    return columns;
  };
  for (const Expression& formula : formulas) bound.inputs.push_back(columns_of(formula));
  for (const auto& names : all.groups) {
    MeasuredFormulas::Group& group = bound.groups.emplace_back();
    for (const std::string& name : names) {
      const NamedDefinition& d = definitions_.at(name);
      group.formulas.push_back(d.formula);
      group.inputs.push_back(columns_of(d.formula));
      group.guess.push_back(d.guess);
      group.is_loop = names.size() > 1 || std::count(group.inputs[0].begin(), group.inputs[0].end(), defined[name]);
    }
    if (names.size() > MeasuredFormulas::kMaxGroup)
      throw ModelError({{definitions_.at(names[0]).place, definitions_.at(names[0]).path + ": more than " +
                                                              std::to_string(MeasuredFormulas::kMaxGroup) +
                                                              " variables depend on each other in a circle"}});
  }
  return bound;
}

Measure FormulaBinder::make_measure(const MeasureCall& call, const Place& place, const std::string& path) {
  if (call.arguments.empty()) return Measure(system_, of_name(call.function, place, path));
  const MeasureName* name = find_measure(call.function);
  if (!name) throw ModelError({{place, path + ": unknown measure '" + call.function + "'"}});
  return Measure(system_, name->of_joint ? of_joint(*name, call, place, path) : of_markers(*name, call, place));
}

MeasureDefinition FormulaBinder::of_name(const std::string& name, const Place& place, const std::string& path) const {
  MeasureDefinition d;
  for (size_t i = 0; i < system_.states.size(); ++i) {
    d.index = static_cast<int>(i);
    d.quantity = name.ends_with('\'') ? MeasureQuantity::state_rate : MeasureQuantity::state;
    if (name == system_.states[i].name || name == system_.states[i].name + "'") return d;
  }
  for (size_t i = 0; i < system_.inputs.size(); ++i) {
    d.index = static_cast<int>(i);
    d.quantity = MeasureQuantity::input;
    if (name == system_.inputs[i].name) return d;
  }
  throw ModelError({{place, path + ": unknown name '" + name + "'"}});
}

MeasureDefinition FormulaBinder::of_markers(const MeasureName& name, const MeasureCall& call, const Place& place) {
  MeasureDefinition d;
  d.quantity = name.quantity;
  d.component = name.component;
  for (size_t i = 0; i < call.arguments.size(); ++i) d.markers[i] = marker_({call.arguments[i], place});
  if (d.quantity != MeasureQuantity::angle) return d;
  for (int m : {0, 1}) d.markers[m].R = renamed(d.markers[m].R, d.component);
  d.angle_index = system_.add_tracked_angle({d.markers[1], d.markers[0]});
  return d;
}

MeasureDefinition FormulaBinder::of_joint(const MeasureName& name, const MeasureCall& call, const Place& place,
                                          const std::string& path) {
  const int number = joint_({call.arguments[0], place});
  const JointInfo& joint = system_.joints[number];
  MeasureDefinition d;
  d.quantity = name.quantity;
  d.component = name.component;
  d.markers = {joint.markers[1], joint.markers[0], joint.markers[0]};
  if (d.quantity == MeasureQuantity::force || d.quantity == MeasureQuantity::torque) {
    if (!knows_reaction(system_, number))
      throw ModelError({{place, path + ": the reaction of '" + joint.name + "', a " + joint.type +
                                    " joint, cannot be used in formulas"}});
    d.joint = number;
    d.markers[2] = call.arguments.size() > 1 ? marker_({call.arguments[1], place}) : MarkerPose{};
    return d;
  }
  const auto named = [&](const RelativeCoordinate& c) { return c.name == name.coordinate; };
  const auto found = std::find_if(joint.coordinates.begin(), joint.coordinates.end(), named);
  if (found == joint.coordinates.end())
    throw ModelError({{place, path + ": the joint '" + joint.name + "' has no " + name.coordinate}});
  d.angle_index = found->angle_index;
  if (found->kind == RelativeCoordinate::Kind::second_angle) {  // about x of the second marker
    const TrackedAngle angle = second_angle(joint.markers[0], joint.markers[1]);
    if (d.quantity == MeasureQuantity::angle) d.markers = {angle.j, angle.i, MarkerPose{}};
    else d.markers[2] = joint.markers[1];
  }
  if (d.quantity == MeasureQuantity::rotation_vector)
    system_.rotations.push_back({joint.markers[0], joint.markers[1], path});
  return d;
}

MeasuredFormulas FormulaBinder::bind_force(const std::vector<Expression>& formulas,
                                           const std::vector<std::string>& variables, const Place& place,
                                           const std::string& path) {
  MeasuredFormulas bound = bind(formulas, variables, place, path);
  if (bound.sees_accelerations())
    system_.acceleration_laws.push_back(
        place.line ? fmt::format("{} ({}:{}:{})", path, place.file, place.line, place.column) : path);
  return bound;
}

}  // namespace bricard
