// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "bricard/analysis/moving_rows.h"
#include "bricard/analysis/state_selection.h"
#include "bricard/assemble/user_states.h"

// Small motions about a state, as sensitivities of an augmented system.     theory: docs/theory/linearization.md
//     M δa + C δv + K δq + P δλ = 0                      [NegrutOrtiz2006, eqs. (23), (25), Table 1]
//     δg̈ = 0,  δġ = 0,  δg = 0
//     δs = S̄,  δṡ = W̄      states S of positions and W of velocities, freely chosen
// Velocity rows H v + h₀ = 0 are constraints on δv and δa only; a differential state is one of the velocities W.
// Solved for many right-hand sides S̄, W̄ by one sparse factorization; the size of A is never seen, so that the memory
// grows with the model, not with its square.
namespace bricard {

using Eigen::MatrixXd;

/// A state of the linearized equations.
struct LinearCoordinate {
  std::string name, unit;
  int user = -1;  ///< number of the user's state
  int column =
      -1;  ///< or the coordinate: of a body along or about an axis of the reference marker, or of another block
  bool differential = false;  ///< a state of first order, as of a controller: among the velocities, without a position
};

struct LinearizeOptions {
  std::vector<UserState> states;
  MarkerPose reference;  ///< in whose axes, as they move undisturbed, coordinates of bodies are counted
};

/// What was chosen and what is to be known about it.
struct LinearizeReport {
  std::string problem;                 ///< plain words, if there are no equations
  std::vector<DroppedState> dropped;   ///< user states that were not taken
  std::vector<std::string> added;      ///< coordinates of bodies that complete the user's
  std::vector<std::string> redundant;  ///< joints and motions with equations that were left out
  std::vector<std::string> remarks;
};

/// δa, δλ, δv and δq, one column per disturbance. δλ belongs to all multipliers; those left out as redundant are 0.
struct Sensitivities {
  MatrixXd a, lambda, v, q;
};

class LinearEquations {
 public:
  LinearEquations(const System& system, const State& s, const LinearizeOptions& options);
  ~LinearEquations();

  const LinearizeReport& report() const { return report_; }
  const std::vector<LinearCoordinate>& positions() const { return positions_; }
  const std::vector<LinearCoordinate>& velocities() const { return velocities_; }
  int size() const { return static_cast<int>(positions_.size() + velocities_.size()); }
  /// By which states are compared: lengths and their rates by ℓ, angles by a radian, states of the model by what they
  /// usually are.
  VectorXd state_sizes() const;

  /// Responses to states x = (S̄, W̄), in columns. `forces` acts on the right-hand side of the motion, if any.
  Sensitivities respond(const MatrixXd& x, const MatrixXd* forces = nullptr) const;
  /// ẋ = (Ṡ, Ẇ) of responses.
  MatrixXd rates(const Sensitivities& y) const;

  /// Bounds, ten standard deviations, of the errors of rates(y): what round-off in all parts of the table does to each
  /// entry. An entry below its bound may as well be zero.
  MatrixXd rate_errors(const Sensitivities& y) const;

  /// Whether every velocity is the rate of a position: no differential states, no conditions on velocities.
  bool second_order() const;
  /// For eigenvalues near σ: y = (A − σ)⁻¹ x without A. False if σ is an eigenvalue.
  bool factorize_shifted(double sigma);
  VectorXd solve_shifted(const VectorXd& x) const;
  /// The same for −ω² of undamped motions, y = (Ẇ_S − σ)⁻¹ x with x and y positions, of equations of second order.
  bool factorize_undamped(double sigma);
  VectorXd solve_undamped(const VectorXd& x) const;

  const SparseRows& mass() const { return parts_.M; }
  const SparseRows& stiffness() const { return parts_.K; }
  const std::vector<int>& independent_constraints() const { return position_rows_; }

 private:
  struct Factor;
  /// What the table is made of: tangents, independent constraints and states.
  struct Parts {
    SparseRows M, C, K, P;
    RowLevels at_positions, at_velocities, S, W;
    double held = 1;  ///< entry of the rows that hold what has no position
  };
  void choose(const SparseRows& constraints);
  void name_states(const LevelChoice& at_positions, const LevelChoice& at_velocities);
  RowLevels state_levels(const MotionCurve& curve, const std::vector<LinearCoordinate>& states) const;
  SparseRows state_rows(const Kinematics& k, const std::vector<LinearCoordinate>& states) const;
  SparseRows user_rows(const Kinematics& k) const;
  void add_remarks(const MotionCurve& curve, const RowLevels& all);
  /// plain: states are given; shifted: Ẇ − σW and Ṡ − σS are; undamped: W = 0 and Ẇ − σS are.
  enum class Form { plain, shifted, undamped };
  Eigen::SparseMatrix<double> table(Form form, double sigma) const;
  Eigen::SparseMatrix<double> table(const Parts& parts, Form form, double sigma) const;
  VectorXd usual_sizes() const;

  const System& system_;
  const State& s_;
  const LinearizeOptions& options_;
  Parts parts_, errors_;
  std::vector<int> excluded_;                       ///< velocities that are states of first order
  std::vector<int> position_rows_, velocity_rows_;  ///< independent constraints
  std::vector<LinearCoordinate> positions_, velocities_;
  LinearizeReport report_;
  std::unique_ptr<Factor> factor_, shifted_, undamped_;
};

/// ∂s/∂q of a formula as entries of a row; what it says of velocities, accelerations and multipliers besides.
struct FormulaRow {
  VectorXd q, v, a, lambda;
};
FormulaRow formula_row(const System& system, const Kinematics& k, const MeasuredFormulas& formula);

}  // namespace bricard
