// SPDX-License-Identifier: Apache-2.0
#include "bricard/solve/constraint_geometry.h"

#include <algorithm>
#include <cmath>

namespace bricard {
namespace {

// A pivot below this part of its row is round-off. Lengths are known to 1e-16, their squares are compared, and ten digits
// are left to tell a row that is nearly dependent from one that is.
constexpr double kRedundant = 1e-10;
constexpr unsigned kProbes = 2;  // motions away from the start, both ways
// The largest part of each, in reference lengths and radians. Rows that depend on each other in all positions, but only
// where the joints are closed, seem to differ by the square of it off them, their pivots by its fourth power: round-off for
// the short ones. Those of a singular position grow with its square and show. The long ones tell what is usual.
constexpr double kShort = 1e-3, kLong = 0.2;

}  // namespace

ConstraintGeometry::ConstraintGeometry(const System& system, const Kinematics& k)
    : system_(system), tangents_(system, TangentAssembly::Which::with_multipliers),
      no_chart_(system.nodes().size(), Matrix3d::Identity()) {
  const auto& blocks = system.blocks();
  std::vector<Coupling> couplings = tangents_.couplings();
  const size_t of_batches = couplings.size();
  for (int b = 0; b < static_cast<int>(blocks.size()); ++b) couplings.push_back({b, b});
  solver_ = make_linear_solver(SolverType::sparse_ldlt, blocks, couplings);
  for (size_t i = 0; i < of_batches; ++i) slots_.push_back(solver_->slot(couplings[i].a, couplings[i].b));
  VectorXd D = VectorXd::Ones(system.velocities());
  for (const Manifold::Block& b : system.manifold().blocks())
    if (b.kind == Manifold::Kind::rotation) D.segment(b.v, b.size).setConstant(std::pow(system.reference_length, 2));
  for (int b = 0; b < static_cast<int>(blocks.size()); ++b) {
    if (blocks[b].multiplier) continue;
    const Slot slot = solver_->slot(b, b);
    for (int i = 0; i < blocks[b].size; ++i)
      metric_.push_back({slot.offset + i * (slot.stride + 1), D[blocks[b].first + i]});
  }
  fresh_ = VectorXd::Ones(system.unknowns());
  usual_ = VectorXd::Zero(system.multipliers());
  survey(k);
  measure(k);
}

void ConstraintGeometry::factorize(const Kinematics& k) {
  solver_->clear();
  solver_->expect(fresh_);
  solver_->regularize({kRedundant, false});
  Tangent T;
  T.w.constraint = T.w.row_v = 1;
  T.chart = no_chart_.data();
  T.lower = solver_->lower();
  tangents_.add(k, slots_.data(), T);
  for (const auto& [place, value] : metric_) solver_->lower()[place] += value;
  solver_->factorize();
}

int ConstraintGeometry::count_redundant() const {
  return static_cast<int>((solver_->row_ratios().tail(system_.multipliers()).array() <= kRedundant).count());
}

int ConstraintGeometry::vanished_rows(double part) const {
  const auto ratios = solver_->row_ratios().tail(system_.multipliers()).array();
  return static_cast<int>((ratios <= (part * usual_.array()).max(kRedundant)).count()) - usually_redundant_;
}

void ConstraintGeometry::measure(const Kinematics& k) {
  factorize(k);
  double smallest = 1;
  weakest_row_ = 1;
  const auto ratios = solver_->row_ratios().tail(system_.multipliers());
  for (Eigen::Index i = 0; i < ratios.size(); ++i) {
    if (ratios[i] <= kRedundant) continue;
    smallest = std::min(smallest, ratios[i]);
    weakest_row_ = std::min(weakest_row_, ratios[i] / std::max(ratios[i], usual_[i]));
  }
  const bool singular = count_redundant() > usually_redundant_;
  independence_ = singular ? 0 : std::sqrt(smallest);
  if (singular) weakest_row_ = 0;
}

/// A motion of size 1 that the constraints allow, by no preference: what G leaves of a mixed vector, in the metric D.
VectorXd ConstraintGeometry::admissible_motion(unsigned seed) const {
  VectorXd x = VectorXd::Zero(system_.unknowns());
  unsigned state = seed * 2654435761u + 12345u;
  for (const Manifold::Block& b : system_.manifold().blocks()) {
    const double length = b.kind == Manifold::Kind::rotation ? system_.reference_length : 1;
    for (int i = b.v; i < b.v + b.size; ++i) {
      state = state * 1664525u + 1013904223u;
      if (b.kind != Manifold::Kind::state) x[i] = length * (state / 4294967296.0 - 0.5);
    }
  }
  solver_->solve(x);
  double size = 0;
  for (const Manifold::Block& b : system_.manifold().blocks()) {
    const double unit = b.kind == Manifold::Kind::rotation ? 1 : system_.reference_length;
    size = std::max(size, x.segment(b.v, b.size).lpNorm<Eigen::Infinity>() / unit);
  }
  return x.head(system_.velocities()) * (size > 0 ? 1 / size : 0);
}

void ConstraintGeometry::survey(const Kinematics& k) {
  factorize(k);
  usually_redundant_ = count_redundant();
  usual_ = solver_->row_ratios().tail(system_.multipliers());
  VectorXd motions[kProbes];
  for (unsigned i = 0; i < kProbes; ++i) motions[i] = admissible_motion(i + 1);
  State probe = *k.state;
  Kinematics there = system_.make_kinematics();
  for (const VectorXd& motion : motions)
    for (const double length : {kShort, -kShort, kLong, -kLong}) {
      system_.manifold().retract(k.state->q, length * motion, probe.q);
      system_.update(probe, there);
      factorize(there);
      if (std::abs(length) == kShort) usually_redundant_ = std::min(usually_redundant_, count_redundant());
      else usual_ = usual_.cwiseMax(solver_->row_ratios().tail(system_.multipliers()));
    }
}

}  // namespace bricard
