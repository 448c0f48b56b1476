// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include "bricard/analysis/sparse_tangent.h"
#include "bricard/analysis/statics.h"
#include "bricard/solve/newton_system.h"

// How an equilibrium is looked for.                                                  theory: docs/theory/statics.md
//     r(q, λ) = (1 − κ) r₀,  g = 0,   κ from 0 to 1             Newton's method, loads in steps
//     r(q, λ, p) = 0,  g = 0,  ⟨ẏ, y − y₀⟩ = s,  y = (q, p)     on a plane across a path over an input p
namespace bricard {

/// ẏ = (q̇, ṗ) of a path, of length 1 in the metric of EquilibriumSolver::product.
struct PathDirection {
  VectorXd motion;
  double load = 0;
  void turn_round() { motion = -motion, load = -load; }
};

class EquilibriumSolver {
 public:
  EquilibriumSolver(const System& system, SolverType solver, State& s, const StaticTolerances& tolerances)
      : system_(system), t_(tolerances), s_(s), trial_(s), newton_(system, solver), k_(system.make_kinematics()),
        r_(system.make_residual()), trial_r_(system.make_residual()),
        no_chart_(system.nodes().size(), Matrix3d::Identity()), missing_(VectorXd::Zero(r_.motion.size())),
        dz_(VectorXd::Zero(system.velocities())), dlambda_(VectorXd::Zero(system.multipliers())) {
    system_.stop(s_);
    s_.a.setZero();
    trial_ = s_;
  }

  bool step_loads();
  bool relax();
  void estimate_multipliers();
  void kick(const VectorXd& way);
  void close_joints();
  void share_reactions(SolverType solver);

  /// From then on p is this input, whose range counts as much as the extent of the model here.
  void measure_path(int input, double range);
  double product(const PathDirection& a, const PathDirection& b) const {
    return a.motion.cwiseProduct(metric_).dot(b.motion) + a.load * b.load / (range_ * range_);
  }
  /// Of the path through the equilibrium s, one way or the other.
  PathDirection direction();
  /// s becomes the point at this distance on the straight line.
  void go_along(const State& from, const PathDirection& direction, double distance);
  /// Newton's method for the equilibrium on the plane at this distance.
  bool correct_on_path(const State& from, const PathDirection& direction, double distance);

  /// ω² of a mode z of the equilibrium s, without the round-off of stiffer ones:  zᵀMz/(zᵀM K⁻¹ M z)
  double stiffness_of(const VectorXd& z);

  double out_of_balance() { return evaluate(s_, r_), force_of(r_.motion); }
  const VectorXd& last_move() const { return dz_; }
  StaticReport report;

 private:
  /// r − missing and g.
  void evaluate(const State& s, Residual& r) {
    system_.update(s, k_);
    system_.residual(k_, r);
    r.motion -= missing_;
  }
  /// The largest force, torques as forces at ℓ.
  double force_of(const VectorXd& motion) const;
  /// The largest turn, and displacement per `length`.
  double size_of(const VectorXd& dz, double length) const;
  /// The reference length, or how far bodies are apart.
  double extent_of(const State& s) const;
  double gap_of(const Residual& r) const {
    return r.constraint.size() ? r.constraint.lpNorm<Eigen::Infinity>() / system_.reference_length : 0;
  }
  /// Residual relative to the forces that balance each other, and gap relative to ℓ.
  double error_of(const Residual& r) const { return std::max(force_of(r.motion) / reference_force_, gap_of(r)); }
  /// Whether all that is left is what rounded coordinates and reactions leave.
  SparseTangent& tangent() {
    if (!tangent_) tangent_ = std::make_unique<SparseTangent>(system_);
    return *tangent_;
  }
  bool is_round_off(const Residual& r);
  bool is_nearly_balanced(const Residual& r) { return error_of(r) <= t_.nearly_balanced || is_round_off(r); }
  void set_reference_force();
  void factorize(double mass_weight);
  void move();
  void take_trial();
  void evaluate_falling(double weight, const VectorXd& velocity);
  bool newton(int most_iterations);
  /// An equilibrium under a part of the load.
  struct LoadStep {
    double kappa;
    State s;
  };
  void respond_to_load();
  void extrapolate(const std::vector<LoadStep>& found, double kappa);

  const System& system_;
  const StaticTolerances t_;
  State& s_;
  State trial_;
  NewtonSystem newton_;
  Kinematics k_;
  Residual r_, trial_r_;
  std::vector<Matrix3d> no_chart_;
  VectorXd missing_;  ///< (1 − κ) r₀
  VectorXd dz_, dlambda_;
  std::unique_ptr<SparseTangent> tangent_;  ///< for round-off, when first asked for
  double reference_force_ = 1;

  // of a path
  int input_ = 0;
  double range_ = 1;
  VectorXd metric_;                        ///< of motions: their mean square per extent and rad
  VectorXd with_load_, lambda_with_load_;  ///< ∂z/∂p, ∂λ/∂p
};

}  // namespace bricard
