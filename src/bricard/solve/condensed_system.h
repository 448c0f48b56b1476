// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "bricard/solve/newton_system.h"

// The systems of augmented Lagrangian methods, from which the multipliers are eliminated beforehand:
//     (w_q ∂r/∂q + w_v ∂r/∂v + w_a ∂r/∂a + p GᵀG) x = b,       n rows, no zero block, never singular
namespace bricard {

class CondensedSystem {
 public:
  CondensedSystem(const System& system, SolverType type, const Tolerances& tolerances = {});

  /// `w.constraint` is not used.
  void factorize(const Kinematics& k, const std::vector<Matrix3d>& chart, const Weights& w);
  /// x ← matrix⁻¹ x; x has one entry per velocity.
  void solve(VectorXd& x);
  /// What factorizations leave for later ones as it is now, and back to it.
  void save() { solver_->save(); }
  void restore() { solver_->restore(); }
  void archive(Archive& x) { x(*solver_, counts_); }

  const SolverCounts& counts() const { return counts_; }
  const char* solver_name() const { return solver_->name(); }
  std::size_t bytes() const { return solver_->bytes() + sizeof(Slot) * slots_.size(); }

 private:
  std::unique_ptr<LinearSolver> solver_;
  TangentAssembly tangents_;
  std::vector<Slot> slots_;  // of all batches
  SolverCounts counts_;
};

}  // namespace bricard
