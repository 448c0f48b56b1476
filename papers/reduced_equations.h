// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

#include "bricard/analysis/linear_equations.h"

// The reduced nonlinear equations of a model, another way: coordinates are moved by numbers, the joints closed again,
// velocities and accelerations solved for, and derivatives taken by differences. Nothing of the linearization is used
// but the names of its states.
namespace bricard {

class ReducedEquations {
 public:
  /// `fineness` multiplies the steps of the differences in space and time from which gradients and rates are taken.
  ReducedEquations(const System& system, const State& s, const LinearizeOptions& options, const LinearEquations& states,
                   double fineness = 1);

  /// ẋ at x = (S, W), both as deviations from the state.
  VectorXd rates(const VectorXd& x) const;
  /// The whole state at x: joints closed, velocities consistent, accelerations and reactions solved for.
  State disturbed(const VectorXd& x) const;
  /// x of a state, by values and rates of the coordinates; about a state at rest only.
  VectorXd coordinates(const State& s) const;
  /// ∂ẋ/∂x by central differences of fourth order; no coordinate moves by more than about 2·step, m or rad.
  MatrixXd matrix(double step) const;

 private:
  double value(const LinearCoordinate& c, const State& s, double tau) const;
  double along(const LinearCoordinate& c, const State& s, double tau) const;
  VectorXd gradient(const LinearCoordinate& c, const State& s) const;
  double first_rate(const LinearCoordinate& c, const State& s) const;
  double second_rate(const LinearCoordinate& c, const State& s) const;
  int node_of(int column) const;
  State base(double tau) const;
  State at(const State& s, double tau) const;
  State place(const VectorXd& positions) const;
  void move(const VectorXd& velocities, State& s) const;
  void accelerate(State& s) const;

  const double nudge_;  ///< for gradients, of fourth order
  const double time_;   ///< s, for rates, of sixth order
  const System& system_;
  const State s_;
  const LinearizeOptions& options_;
  std::vector<LinearCoordinate> S_, W_;
  VectorXd S0_, W0_;
  std::vector<char> is_velocity_row_;
  VectorXd reach_;  ///< how far bodies go with a unit of each state: only a scale of the differences
};

}  // namespace bricard
