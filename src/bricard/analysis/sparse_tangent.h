// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/SparseCore>
#include <vector>

#include "bricard/system/tangent_assembly.h"

// The derivatives of the equations as sparse matrices, for analyses that look at them as such:
//     S = w_q ∂r/∂q + w_v ∂r/∂v + w_a ∂r/∂a,    G = ∂g/∂q
// Columns of differential states have ∂/∂x where w_v stands and ∂/∂ẋ where w_a stands. Velocity rows y = H v + h₀ of G
// have row_v H + row_q ∂y/∂q, and always Hᵀ beside S: reactions().
namespace bricard {

using SparseRows = Eigen::SparseMatrix<double, Eigen::RowMajor>;

class SparseTangent {
 public:
  explicit SparseTangent(const System& system);

  /// Evaluates both at k.
  void evaluate(const Kinematics& k, double w_q, double w_v, double w_a, double row_v = 1, double row_q = 0);

  /// Each is put together when it is asked for first.
  const SparseRows& S();
  const SparseRows& G();
  /// ∂r/∂λ transposed: that of forces that do not depend on reactions is G, with H in the velocity rows.
  const SparseRows& reactions();

 private:
  struct Matrix {
    SparseRows rows;
    bool made = false;
  };
  const SparseRows& made(Matrix& matrix, bool of_constraints, bool forces);

  const System& system_;
  TangentAssembly tangents_;
  std::vector<Coupling> couplings_;
  std::vector<Slot> slots_;
  std::vector<double> lower_, upper_;
  std::vector<Matrix3d> chart_;
  Matrix S_, G_, B_;
};

}  // namespace bricard
