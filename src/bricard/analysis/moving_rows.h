// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

#include "bricard/analysis/sparse_tangent.h"

// Derivatives of gradients along the motion that is disturbed.              theory: docs/theory/linearization.md
//     c(t) = ∂s/∂q at q(t),   q(t₀ + τ) = q∘Exp(τ v + ½ τ² a)
// What a gradient c says of a disturbance δq at each moment, it says of all its derivatives:
//     c δq,   d/dt (c δq) = c δq̇ + ċ δq,   d²/dt² (c δq) = c δq̈ + 2 ċ δq̇ + c̈ δq
// so that third derivatives of s are needed along one curve only. ċ and c̈ are differences of eighth order of the exact
// c.
namespace bricard {

/// Gradients, one per row, with their derivatives along the motion.
struct MovingRows {
  SparseRows value, rate, second;
};

/// What rows say of disturbances of positions, velocities and accelerations: of s, of ṡ and of s̈.
struct RowLevels {
  SparseRows position_q;
  SparseRows velocity_v, velocity_q;
  SparseRows acceleration_a, acceleration_v, acceleration_q;
};

/// Usual sizes of round-off in stored entries of rows, ε max|row|; columns are compared in units `of_column`.
SparseRows round_off_of(const SparseRows& rows, const VectorXd& of_column);

/// The motion through one state.
class MotionCurve {
 public:
  using MakeRows = std::function<SparseRows(const Kinematics&)>;

  MotionCurve(const System& system, const State& s);

  bool stands_still() const { return step_ == 0; }

  /// `depends_on_time`: rows change even while nothing moves.
  MovingRows follow(const MakeRows& rows, bool depends_on_time = false) const;
  RowLevels levels(const MovingRows& rows) const;
  /// Conditions y = H v + h₀ on velocities, y_q = ∂y/∂q, in the places of the system's velocity rows:
  ///     δy = H δv + y_q δq,   δẏ = H δa + (Ḣ + y_q) δv + (ẏ_q − y_q Ω) δq
  void replace_velocity_rows(const MovingRows& H, const MovingRows& y_q, RowLevels& levels) const;

  /// Usual sizes of the errors of levels: round-off, which differences over a step h make 1/h and 1/h² times larger.
  RowLevels errors_of(const RowLevels& levels, const VectorXd& of_column, bool depends_on_time) const;

  /// δq̇ = δv − Ω δq: of a rotation δθ̇ = δω − ω × δθ.
  const SparseRows& turning() const { return turning_; }

 private:
  State at(double tau) const;
  /// Between the points of a difference, s; 0: nothing changes.
  double step_of(bool depends_on_time) const;

  const System& system_;
  const State& s_;
  double step_ = 0;                    ///< between the points of a difference, s; 0: nothing moves
  SparseRows turning_, turning_rate_;  ///< Ω, Ω̇
};

/// The chosen rows of a matrix, in that order.
SparseRows chosen_rows(const SparseRows& all, const std::vector<int>& rows);
/// One below the other.
SparseRows stacked(const SparseRows& above, const SparseRows& below);

}  // namespace bricard
