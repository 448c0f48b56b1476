// SPDX-License-Identifier: Apache-2.0
#include "bricard/elements/coordinate_constraints.h"

#include <algorithm>
#include <cmath>

namespace bricard {
namespace {

using CoordinateRow = CoordinateConstraints::Item;
using States = std::array<CoordinateState, 3>;
constexpr int kSlotsOfTerm = kCoordinateSlots + 2;  // and the multiplier with both frames
constexpr int kSlotsOfPair = 4;                     // of two terms, for the augmented Lagrangian

/// All coordinates of a row, and Σ r_k x_k − c(t). A single angle is prescribed up to whole turns.
double evaluate_row(const Kinematics& k, const CoordinateRow& e, States& x) {
  const double target = e.target(k.state->t).value;
  double sum = -target;
  for (int n = 0; n < e.count; ++n) {
    const Coordinate& c = e.coordinates[n];
    x[n] = evaluate(k, c);
    const bool alone = e.count == 1 && c.kind == Coordinate::Kind::angle;
    const double value = alone ? nearest_turn(x[n].value, target / e.factors[0]) : counted(k, c, x[n].value);
    sum += e.factors[n] * value;
  }
  return sum;
}

/// Adds X to block (a, b) and its transpose to (b, a), which may be one and the same.
void add_cross(Tangent& T, const Slot& slot, bool same, const Vector6d& G_a, const Vector6d& G_b) {
  const Eigen::Matrix<double, 6, 6> X = T.w.penalty * G_a * G_b.transpose();
  if (same) T.add_diagonal(slot, 0, 0, (X + X.transpose()).eval());
  else T.add_symmetric(slot, 0, 0, X);
}

/// ρ s GᵀG between two terms of a row, and from each frame's own gradient.
void add_augmentation(Tangent& T, const CoordinateRow& e, const States& x, double scale, const Slot* slots,
                      const Slot* pairs) {
  for (int n = 0; n < e.count; ++n) {
    const Slot* own = slots + n * kSlotsOfTerm;
    const double f = scale * e.factors[n];
    const Vector6d G_a = f * x[n].G_a, G_b = f * x[n].G_b;
    T.add_diagonal(own[0], 0, 0, (T.w.penalty * G_a * G_a.transpose()).eval());
    T.add_diagonal(own[1], 0, 0, (T.w.penalty * G_b * G_b.transpose()).eval());
    T.add_symmetric(own[2], 0, 0, (T.w.penalty * G_a * G_b.transpose()).eval());
    for (int m = n + 1; m < e.count; ++m, pairs += kSlotsOfPair) {
      const Coordinate &c = e.coordinates[n], &d = e.coordinates[m];
      const double h = scale * e.factors[m];
      add_cross(T, pairs[0], c.block_a == d.block_a, G_a, h * x[m].G_a);
      add_cross(T, pairs[1], c.block_a == d.block_b, G_a, h * x[m].G_b);
      add_cross(T, pairs[2], c.block_b == d.block_a, G_b, h * x[m].G_a);
      add_cross(T, pairs[3], c.block_b == d.block_b, G_b, h * x[m].G_b);
    }
  }
}

}  // namespace

CoordinateConstraints::CoordinateConstraints(std::vector<CoordinateRow> items, double length)
    : items_(std::move(items)) {
  for (CoordinateRow& e : items_) {
    double largest = 0;
    for (int n = 0; n < e.count; ++n)
      largest = std::max(largest, std::abs(e.factors[n]) / (e.coordinates[n].turns() ? length : 1));
    if (e.scale == 0) e.scale = 1 / largest;
    driven_ = driven_ || !e.target.is_constant();
  }
}

void CoordinateConstraints::add_couplings(std::vector<Coupling>& couplings) const {
  for (const CoordinateRow& e : items_) {
    for (int n = 0; n < e.count; ++n) {
      add_coordinate_couplings(e.coordinates[n], couplings);
      couplings.push_back({e.multipliers, e.coordinates[n].block_a});
      couplings.push_back({e.multipliers, e.coordinates[n].block_b});
    }
    for (int n = 0; n < e.count; ++n)
      for (int m = n + 1; m < e.count; ++m)
        for (const int a : {e.coordinates[n].block_a, e.coordinates[n].block_b})
          for (const int b : {e.coordinates[m].block_a, e.coordinates[m].block_b}) couplings.push_back({a, b});
  }
}

void CoordinateConstraints::add_residual(const Kinematics& k, Residual& r) const {
  States x;
  for (const CoordinateRow& e : items_) {
    const double g = e.scale * evaluate_row(k, e, x);
    r.constraint[e.row] += g;
    const double force = e.scale * (k.state->lambda[e.row] + r.penalty * g);
    for (int n = 0; n < e.count; ++n) add_coordinate_force(e.coordinates[n], x[n], force * e.factors[n], r);
  }
}

void CoordinateConstraints::add_tangent(const Kinematics& k, Tangent& T) const {
  const Slot* slots = T.slots;
  const double penalty = T.w.q != 0 ? T.w.penalty / T.w.q : 0;
  States x;
  for (const CoordinateRow& e : items_) {
    const double g = e.scale * evaluate_row(k, e, x);
    const double force = e.scale * (k.state->lambda[e.row] + penalty * g);
    for (int n = 0; n < e.count; ++n) {
      const Slot* own = slots + n * kSlotsOfTerm;
      const double s = T.w.constraint * e.scale * e.factors[n];
      add_coordinate_stiffness(k, e.coordinates[n], force * e.factors[n], own, T);
      T.add_symmetric(own[3], e.offset, 0, (s * x[n].G_a.transpose()).eval());
      T.add_symmetric(own[4], e.offset, 0, (s * x[n].G_b.transpose()).eval());
    }
    const Slot* pairs = slots + e.count * kSlotsOfTerm;
    if (T.w.penalty != 0) add_augmentation(T, e, x, e.scale, slots, pairs);
    slots = pairs + kSlotsOfPair * (e.count * (e.count - 1) / 2);
  }
}

void CoordinateConstraints::add_constraint_rates(const Kinematics& k, VectorXd& rate, VectorXd& bias) const {
  for (const CoordinateRow& e : items_) {
    const TimeJet target = e.target(k.state->t);
    double first = -target.rate, second = -target.acceleration;
    for (int n = 0; n < e.count; ++n) {
      const CoordinateState x = evaluate(k, e.coordinates[n]);
      first += e.factors[n] * x.rate;
      second += e.factors[n] * x.bias;
    }
    rate[e.row] += e.scale * first;
    bias[e.row] += e.scale * second;
  }
}

void CoordinateConstraints::add_reactions(const Kinematics& k, std::vector<Wrench>& wrenches) const {
  for (const CoordinateRow& e : items_) {
    for (int n = 0; n < e.count; ++n) {
      const Coordinate& c = e.coordinates[n];
      if (c.joint < 0) continue;
      add_coordinate_reaction(k, c, evaluate(k, c), e.scale * k.state->lambda[e.row] * e.factors[n], wrenches);
    }
  }
}

// The terms of this joint alone: they make its reaction, whatever else the row couples.
std::unique_ptr<ElementBatch> CoordinateConstraints::part_of_joint(int joint) const {
  std::vector<CoordinateRow> chosen;
  for (const CoordinateRow& e : items_) {
    CoordinateRow part = e;
    part.count = 0;
    for (int n = 0; n < e.count; ++n)
      if (e.coordinates[n].joint == joint) {
        part.coordinates[part.count] = e.coordinates[n];
        part.factors[part.count++] = e.factors[n];
      }
    if (part.count > 0) chosen.push_back(part);
  }
  if (chosen.empty()) return nullptr;
  return std::make_unique<CoordinateConstraints>(std::move(chosen), 1.0);
}

// The force −Gᵀλ of a moving constraint does the work −λ G v = λ ∂g/∂t per time; ∂g/∂t = −s ċ.
double CoordinateConstraints::power(const Kinematics& k) const {
  double sum = 0;
  for (const CoordinateRow& e : items_) sum -= e.scale * k.state->lambda[e.row] * e.target(k.state->t).rate;
  return sum;
}

void CoordinateConstraints::list_signals(std::vector<ElementSignal>& signals) const {
  for (const CoordinateRow& e : items_)
    for (int n = 0; n < e.count; ++n)
      if (!e.signals[n].empty()) signals.push_back({e.signals[n], e.coordinates[n].turns() ? "N*m" : "N"});
}

void CoordinateConstraints::add_signals(const Kinematics& k, std::vector<double>& values) const {
  for (const CoordinateRow& e : items_)
    for (int n = 0; n < e.count; ++n)
      if (!e.signals[n].empty()) values.push_back(-e.scale * k.state->lambda[e.row] * e.factors[n]);
}

}  // namespace bricard
