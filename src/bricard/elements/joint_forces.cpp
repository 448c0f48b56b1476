// SPDX-License-Identifier: Apache-2.0
#include "bricard/elements/joint_forces.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "bricard/elements/one_sided.h"

namespace bricard {
namespace {

using DrivenJoint = JointForces::Item;

/// A force with its derivatives after x and ẋ, its part with a potential, and the potential.
struct Law {
  double force = 0, of_x = 0, of_v = 0;
  double conservative = 0, potential = 0;
};

double side_of(const Kinematics& k, const DrivenJoint& e, int limit) {
  return e.sides < 0 ? one_sided::kByPosition : k.state->discrete[e.sides + limit];
}

/// p* of a stop, with its derivatives after depth and speed. σ goes on as 0 in front of the limit.
Law pressure_of(const DrivenJoint& e, double depth, double speed) {
  const double u = std::max(depth / e.stop_depth, 0.0);
  const double sigma = u < 1 ? u * u * (3 - 2 * u) : 1, slope = u < 1 ? 6 * u * (1 - u) / e.stop_depth : 0;
  const double spring = e.stop_stiffness * depth, damper = e.stop_damping * sigma * speed;
  return {spring + damper, e.stop_stiffness + e.stop_damping * slope * speed, e.stop_damping * sigma, spring,
          0.5 * e.stop_stiffness * depth * depth};
}

/// Pressure of one stop, with its derivatives after depth and speed.
Law stop(const DrivenJoint& e, double depth, double speed, double side) {
  if (!one_sided::is_behind(side, depth)) return {};
  const Law p = pressure_of(e, depth, speed);
  return one_sided::presses(side, depth, p.force) ? p : Law{0, 0, 0, p.conservative, p.potential};
}

Law law(const Kinematics& k, const DrivenJoint& e, double x, double v) {
  const double stretch = x - e.free_position;
  const Law low = stop(e, e.lower - x, -v, side_of(k, e, 0)), high = stop(e, x - e.upper, v, side_of(k, e, 1));
  Law f;
  f.conservative = -e.stiffness * stretch + low.conservative - high.conservative;
  f.potential = 0.5 * e.stiffness * stretch * stretch + low.potential + high.potential;
  f.force = -e.stiffness * stretch - e.damping * v + e.preload + low.force - high.force;
  if (e.motor) f.force += e.motor->values(k)[0];
  f.of_x = -e.stiffness - low.of_x - high.of_x;
  f.of_v = -e.damping - low.of_v - high.of_v;
  return f;
}

Law law(const Kinematics& k, const DrivenJoint& e, const CoordinateState& x) {
  return law(k, e, counted(k, e.coordinate, x.value), x.rate);
}

std::array<int, 2> row_blocks(const DrivenJoint& e) { return {e.coordinate.block_a, e.coordinate.block_b}; }

}  // namespace

void JointForces::add_couplings(std::vector<Coupling>& couplings) const {
  for (const DrivenJoint& e : items_) {
    add_coordinate_couplings(e.coordinate, couplings);
    if (!e.motor) continue;
    for (const Measure& m : e.motor->measures) add_measure_couplings(m, row_blocks(e), couplings);
  }
}

bool JointForces::is_unsymmetric() const {
  return std::any_of(items_.begin(), items_.end(),
                     [](const DrivenJoint& e) { return e.motor && !e.motor->measures.empty(); });
}

bool JointForces::sees_accelerations() const {
  return std::any_of(items_.begin(), items_.end(),
                     [](const DrivenJoint& e) { return e.motor && e.motor->sees_accelerations(); });
}

void JointForces::add_residual(const Kinematics& k, Residual& r) const {
  for (const DrivenJoint& e : items_) {
    const CoordinateState x = evaluate(k, e.coordinate);
    add_coordinate_force(e.coordinate, x, -law(k, e, x).force, r);
  }
}

void JointForces::add_tangent(const Kinematics& k, Tangent& T) const {
  const Slot* slots = T.slots;
  for (const DrivenJoint& e : items_) {
    const CoordinateState x = evaluate(k, e.coordinate);
    const Law f = law(k, e, x);
    add_coordinate_tangent(k, e.coordinate, x, -f.force, -f.of_x, -f.of_v, slots, T);
    slots += kCoordinateSlots;
    if (!e.motor || e.motor->measures.empty()) continue;
    const MeasuredFormulas::Derivatives D = e.motor->derivatives(k);
    MeasuredRows rows;
    rows << -x.G_a, -x.G_b;
    for (size_t m = 0; m < e.motor->measures.size(); ++m)
      slots = add_measure_tangent(e.motor->measures[m], row_blocks(e), D(0, m) * rows, k, slots, T);
  }
}

void JointForces::add_input_derivative(const Kinematics& k, int input, Residual& r) const {
  for (const DrivenJoint& e : items_)
    if (e.motor)
      add_coordinate_force(e.coordinate, evaluate(k, e.coordinate), -e.motor->input_derivatives(k, input)[0], r);
}

double JointForces::potential_energy(const Kinematics& k) const {
  double sum = 0;
  for (const DrivenJoint& e : items_) sum += law(k, e, evaluate(k, e.coordinate)).potential;
  return sum;
}

double JointForces::power(const Kinematics& k) const {
  double sum = 0;
  for (const DrivenJoint& e : items_) {
    const CoordinateState x = evaluate(k, e.coordinate);
    const Law f = law(k, e, x);
    sum += (f.force - f.conservative) * x.rate;
  }
  return sum;
}

void JointForces::list_roots(std::vector<std::string>& owners) const {
  for (const DrivenJoint& e : items_)
    if (e.sides >= 0) owners.insert(owners.end(), 2 * one_sided::kRoots, e.owner);
}

void JointForces::add_roots(const Kinematics& k, double*& next) const {
  for (const DrivenJoint& e : items_) {
    if (e.sides < 0) continue;
    const CoordinateState x = evaluate(k, e.coordinate);
    const double value = counted(k, e.coordinate, x.value);
    for (const int limit : {0, 1}) {
      const double depth = limit == 0 ? e.lower - value : value - e.upper, speed = limit == 0 ? -x.rate : x.rate;
      *next++ = std::isfinite(depth) ? depth : -1;
      *next++ = one_sided::pressure_root(side_of(k, e, limit), depth, pressure_of(e, depth, speed).force);
    }
  }
}

std::string JointForces::pass_root(int root, bool rising, State& s) const {
  for (const DrivenJoint& e : items_) {
    if (e.sides < 0) continue;
    const int limit = root / one_sided::kRoots;
    if (limit < 2) {
      const std::string what = one_sided::pass_root(root % one_sided::kRoots, rising, s.discrete[e.sides + limit]);
      const bool of_depth = root % one_sided::kRoots == 0;
      return what.empty()
                 ? what
                 : fmt::format("{}{} its {} limit", what, of_depth ? "" : " at", limit == 0 ? "lower" : "upper");
    }
    root -= 2 * one_sided::kRoots;
  }
  return "";
}

void JointForces::list_signals(std::vector<ElementSignal>& signals) const {
  for (const DrivenJoint& e : items_)
    if (!e.signal.empty()) signals.push_back({e.signal, e.coordinate.turns() ? "N*m" : "N"});
}

void JointForces::add_signals(const Kinematics& k, std::vector<double>& values) const {
  for (const DrivenJoint& e : items_)
    if (!e.signal.empty()) values.push_back(law(k, e, evaluate(k, e.coordinate)).force);
}

}  // namespace bricard
