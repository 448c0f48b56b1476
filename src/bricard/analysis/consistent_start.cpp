// SPDX-License-Identifier: Apache-2.0
#include "bricard/analysis/consistent_start.h"

#include <cmath>
#include <cstdio>

#include <fmt/format.h>

#include "bricard/solve/projection.h"

namespace bricard {
namespace {

constexpr int kMaxIterations = 100;
constexpr double kTolerance = 1e-12;      // of |g|, per reference length
constexpr double kGoodEnough = 1e-9;      // accepted when round-off or a singular position stops progress

double norm(const VectorXd& g) { return g.size() ? g.lpNorm<Eigen::Infinity>() : 0; }

/// The joint whose equations are violated most.
std::string worst_joint(const System& system, const VectorXd& g) {
  int worst = 0;
  g.cwiseAbs().maxCoeff(&worst);
  for (const JointInfo& j : system.joints)
    if (worst >= j.first_row && worst < j.first_row + j.rows) return "joint '" + j.name + "'";
  return "a motion";
}

/// The masses as metric of all corrections.
NewtonForm gauss_newton_form(const System& system) {
  NewtonForm form;
  form.a = 1;
  form.scale = system.reference_mass;
  return form;
}

/// Gauss–Newton with the masses as weights:  min ½ dzᵀM dz  subject to  G dz = −g.
void assemble_positions(const System& system, SolverType solver, State& s, Kinematics& k, StartReport& report) {
  NewtonSystem newton(system, solver);
  const std::vector<Matrix3d> no_chart(system.nodes().size(), Matrix3d::Identity());
  Residual r = system.make_residual();
  const NewtonForm form = gauss_newton_form(system);
  VectorXd dz(system.velocities()), dlambda(system.multipliers());
  State trial = s;
  system.update(s, k);
  system.residual(k, r);
  double gap = norm(r.constraint);
  for (; report.iterations < kMaxIterations && gap > kTolerance * system.reference_length; ++report.iterations) {
    newton.factorize(k, no_chart, form);
    Residual only_constraints = r;
    only_constraints.motion.setZero();
    newton.correction(only_constraints, dz, dlambda);
    // No coordinate moves by more than half the reference length (or as many radians) at once; then halve until the gap
    // shrinks.
    double fraction = std::min(1.0, 0.5 * system.reference_length / std::max(1e-300, norm(dz)));
    double new_gap = gap;
    for (int halving = 0; halving < 20; ++halving, fraction /= 2) {
      system.manifold().retract(s.q, fraction * dz, trial.q);
      system.update(trial, k);
      system.residual(k, r);
      new_gap = norm(r.constraint);
      if (new_gap < gap) break;
    }
    if (!(new_gap < gap)) break;
    s.q = trial.q;
    gap = new_gap;
  }
  system.update(s, k);
  system.residual(k, r);
  report.assembled = norm(r.constraint) <= kGoodEnough * system.reference_length;
  if (!report.assembled)
    report.problem = fmt::format(
        "the mechanism cannot be assembled from the given positions: after {} corrections {} is still open by {:.3g} m. "
        "Move the bodies closer to where their joints meet, or check lengths and axes.",
        report.iterations, worst_joint(system, r.constraint), norm(r.constraint));
}

void report_moves(const System& system, const State& wished, const State& s, StartReport& report) {
  for (const FrameNode& node : system.nodes()) {
    if (node.block < 0) continue;
    const double move = (s.q.segment<3>(node.q) - wished.q.segment<3>(node.q)).norm();
    if (move > report.largest_move) report.largest_move = move, report.most_moved = node.name;
  }
}

}  // namespace

StartReport consistent_start(const System& system, SolverType solver, State& s) {
  StartReport report;
  const State wished = s;
  Kinematics k = system.make_kinematics();
  Residual r = system.make_residual();
  s.a.setZero();
  s.lambda.setZero();
  assemble_positions(system, solver, s, k, report);
  report_moves(system, wished, s, report);
  if (!report.assembled) return report;

  system.update(s, k);
  system.track_angles(k, VectorXd::Zero(s.angles.size()), s.angles);
  ProjectionSettings settings;
  settings.even = settings.soft = 1e-6;
  settings.few = settings.repetitions;
  settings.tolerance = 1e-14;
  // solvers that pivot do not see which constraints are redundant
  const bool pivots = solver == SolverType::dense || solver == SolverType::klu;
  NewtonSystem newton(system, pivots ? SolverType::automatic : solver);
  newton.factorize(k, std::vector<Matrix3d>(system.nodes().size(), Matrix3d::Identity()), gauss_newton_form(system));
  report.redundant_constraints = newton.redundant_rows();
  report.degrees_of_freedom = system.velocities() - system.multipliers() + report.redundant_constraints;
  Projection projection(system, newton, settings);
  projection.factorize(k);
  projection.velocities(s, k);
  report.velocity_change = norm(s.v - wished.v);
  projection.accelerations(s, k, r);
  if (!s.a.allFinite() || !s.lambda.allFinite()) {
    report.assembled = false;
    report.problem = "the accelerations at the start are not finite; check masses, inertias and force formulas.";
  }
  return report;
}

}  // namespace bricard
