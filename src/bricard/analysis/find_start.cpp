// SPDX-License-Identifier: Apache-2.0
#include "bricard/analysis/find_start.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "bricard/analysis/sparse_tangent.h"
#include "bricard/analysis/start_problems.h"
#include "bricard/analysis/statics.h"
#include "bricard/assemble/assemble.h"

namespace bricard {

namespace {

constexpr double kLost = 0.1;  // of velocities, in the metric of masses: more is another motion than that of the file
constexpr double kSteady = 1e-6;  // of accelerations, against that of gravity or a turn about ℓ

bool has_velocities(const Model& model) {
  const auto moves = [](const Body& b) { return !b.velocity.isZero(0) || !b.angular_velocity.isZero(0); };
  return std::any_of(model.bodies.begin(), model.bodies.end(), moves);
}

/// vᵀM v by which velocities are compared.
double twice_energy(const System& system, const State& s, const VectorXd& v) {
  Kinematics k = system.make_kinematics();
  system.update(s, k);
  SparseTangent mass(system);
  mass.evaluate(k, 0, 0, 1);
  VectorXd of_bodies = v;
  for (const StateInfo& x : system.states) of_bodies[x.v] = 0;
  return of_bodies.dot(mass.S() * of_bodies);
}

/// The body with the largest part of x, turns counted at ℓ.
const FrameNode& largest_of(const System& system, const VectorXd& x, double& size) {
  const FrameNode* largest = &system.nodes()[0];
  size = 0;
  for (const FrameNode& node : system.nodes()) {
    if (node.block < 0) continue;
    const double here =
        std::max(x.segment<3>(node.v).norm(), system.reference_length * x.segment<3>(node.v + 3).norm());
    if (here > size) size = here, largest = &node;
  }
  return *largest;
}

/// The velocities of the file in the equilibrium that was found at rest, changed as little as possible in the metric of
/// masses. Displacements in ground axes, turns in those of the bodies, stay what they are.
std::string put_velocities_back(const Model& model, const System& system, const VectorXd& given, State& s) {
  VectorXd rest = s.v;
  s.v = given;
  for (const StateInfo& x : system.states) s.v[x.v] = rest[x.v];
  const VectorXd wished = s.v;
  consistent_start(system, model.run.solver, s);
  const VectorXd change = s.v - wished;
  const double all = twice_energy(system, s, wished), lost = std::sqrt(twice_energy(system, s, change) / all);
  double size = 0;
  const FrameNode& body = largest_of(system, change, size);
  const std::string most = fmt::format("'{}' moves with {:.4g} m/s and {:.4g} rad/s there instead of {:.4g} and {:.4g}",
                                       body.name, s.v.segment<3>(body.v).norm(), s.v.segment<3>(body.v + 3).norm(),
                                       wished.segment<3>(body.v).norm(), wished.segment<3>(body.v + 3).norm());
  if (lost > kLost)
    refuse(model,
           fmt::format("run.start = static: the velocities of the file cannot be had in the equilibrium: {:.0f} % of "
                       "them would be lost; {}. Take velocities that fit there, take them out of the file to start "
                       "from rest, or start from the given positions (start: given).",
                       100 * lost, most));
  std::string text = "; it starts with the velocities of the file";
  if (size > 1e-6 * system.reference_length) text += ", which had to change: " + most;
  double acceleration = 0;
  const FrameNode& fastest = largest_of(system, s.a, acceleration);
  double speed = 0;
  largest_of(system, s.v, speed);
  if (acceleration > kSteady * std::max(model.gravity.norm(), speed * speed / system.reference_length))
    text += fmt::format("; with them the motion is not steady: '{}' accelerates with {:.3g} m/s² and {:.3g} rad/s²",
                        fastest.name, s.a.segment<3>(fastest.v).norm(), s.a.segment<3>(fastest.v + 3).norm());
  return text;
}

}  // namespace

void refuse(const Model& model, const std::string& problem) {
  throw ModelError({{{}, fmt::format("{}: {}", model.sources[0].path, problem)}});
}

StartState find_start(const Model& model, const System& system, StartType type) {
  StartState start{initial_wishes(model, system), {}, {}};
  start.report = consistent_start(model, system, model.run.solver, start.state);
  if (!start.report.problem.empty()) refuse(model, start.report.problem);
  if (type == StartType::equilibrium) {
    const VectorXd given = start.state.v;
    const StaticReport rest = find_equilibrium(system, model.run.solver, start.state);
    if (!rest.found) refuse(model, "run.start = static: " + rest.problem);
    start.remark = "start from " + rest.text();
    if (has_velocities(model)) start.remark += put_velocities_back(model, system, given, start.state);
    else consistent_start(system, model.run.solver, start.state);
  }
  return start;
}

void refuse_locked(const Model& model, const System& system, const StartState& start) {
  const std::string locked = why_locked(system, start.report.degrees_of_freedom, start.report.weakest);
  if (!locked.empty()) refuse(model, locked + ". `bricard static` gives the forces in it.");
}

void add_start(const StartState& start, RunReport& report) {
  report.degrees_of_freedom = start.report.degrees_of_freedom;
  report.redundant_constraints = start.report.redundant_constraints;
  for (const BodyMove& move : start.report.moves)  // a motion gives velocities without a word
    if (move.distance > 0 || move.angle > 0) report.start_moves.push_back(move);
  for (const auto* remarks : {&start.report.turned_round, &start.report.aligned})
    report.remarks.insert(report.remarks.begin(), remarks->begin(), remarks->end());
  if (!start.remark.empty()) report.remarks.insert(report.remarks.begin(), start.remark);
}

}  // namespace bricard
