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
  const VectorXd delta = VectorXd::LinSpaced(system.velocities(), 0, system.velocities() - 1).array().sin();
  system.manifold().retract(s.q, delta, s.q);
  for (int i = 0; i < s.lambda.size(); ++i) s.lambda[i] = std::cos(i);
  Kinematics k = system.make_kinematics();
  system.update(s, k);
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

MeasuredFormulas FormulaBinder::bind(const std::vector<Expression>& formulas, const std::vector<std::string>& variables,
                                     const Place& place, const std::string& path) {
  MeasuredFormulas bound;
  bound.formulas = formulas;
  bound.variables = static_cast<int>(variables.size());
  std::vector<MeasureCall> calls;  // one per measure
  for (const Expression& formula : formulas) {
    std::vector<int>& columns = bound.inputs.emplace_back();
    for (const MeasureCall& call : formula.inputs()) {
      const auto variable = std::find(variables.begin(), variables.end(), call.function);
      if (call.arguments.empty() && variable != variables.end()) {
        columns.push_back(static_cast<int>(variable - variables.begin()));
        continue;
      }
      const auto known = std::find_if(calls.begin(), calls.end(), [&](const MeasureCall& c) { return same(c, call); });
      columns.push_back(bound.variables + static_cast<int>(known - calls.begin()));
      if (known != calls.end()) continue;
      calls.push_back(call);
      bound.measures.push_back(make_measure(call, place, path));
    }
  }
  if (bound.variables + static_cast<int>(calls.size()) > MeasuredFormulas::kMaxInputs)
    throw ModelError({{place, path + ": uses more than " + std::to_string(MeasuredFormulas::kMaxInputs) +
                                  " different measures; split it into several forces"}});
  return bound;
}

Measure FormulaBinder::make_measure(const MeasureCall& call, const Place& place, const std::string& path) {
  const MeasureName* name = find_measure(call.function);
  if (!name) throw ModelError({{place, path + ": unknown measure '" + call.function + "'"}});
  return Measure(system_, name->of_joint ? of_joint(*name, call, place, path) : of_markers(*name, call, place));
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

MeasuredFormulas FormulaBinder::bind_force(const std::vector<Expression>& formulas, const std::vector<std::string>& variables,
                                           const Place& place, const std::string& path) {
  MeasuredFormulas bound = bind(formulas, variables, place, path);
  if (bound.sees_accelerations())
    system_.acceleration_laws.push_back(place.line ? fmt::format("{} ({}:{}:{})", path, place.file, place.line, place.column) : path);
  return bound;
}

}  // namespace bricard
