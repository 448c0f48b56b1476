// SPDX-License-Identifier: Apache-2.0
#include "bricard/solve/condensed_system.h"

#include "bricard/solve/small_solver.h"

namespace bricard {

CondensedSystem::CondensedSystem(const System& system, SolverType type, const Tolerances& tolerances)
    : tangents_(system) {
  const bool small =
      type == SolverType::automatic && !system.is_unsymmetric() && system.velocities() <= SmallSolver::kLargest;
  if (type == SolverType::automatic) type = system.is_unsymmetric() ? SolverType::sparse_lu : SolverType::sparse_ldlt;
  std::vector<Coupling> couplings = tangents_.couplings();
  std::vector<UnknownBlock> coordinates;
  for (const UnknownBlock& b : system.blocks())
    if (!b.multiplier) coordinates.push_back(b);
  // blocks of multipliers are written to the place that ground's go to
  for (Coupling& c : couplings)
    for (int* block : {&c.a, &c.b})
      if (*block >= static_cast<int>(coordinates.size())) c.a = c.b = -1;
  if (small) {
    solver_ = std::make_unique<SmallSolver>(coordinates, couplings);
  } else {
    solver_ = make_linear_solver(type, coordinates, couplings, tolerances);
  }
  for (const Coupling& c : couplings) slots_.push_back(solver_->slot(c.a, c.b));
}

void CondensedSystem::factorize(const Kinematics& k, const std::vector<Matrix3d>& chart, const Weights& w) {
  solver_->clear();
  Tangent T;
  T.w = w;
  T.chart = chart.data();
  T.lower = solver_->lower();
  T.upper = solver_->upper();
  tangents_.add(k, slots_.data(), T);
  solver_->factorize();
  ++counts_.factorizations;
}

void CondensedSystem::solve(VectorXd& x) {
  solver_->solve(x);
  ++counts_.solves;
}

}  // namespace bricard
