// SPDX-License-Identifier: Apache-2.0
#include "bricard/analysis/kinematics.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "bricard/analysis/check_model.h"
#include "bricard/analysis/consistent_start.h"
#include "bricard/solve/projection.h"

namespace bricard {
namespace {

constexpr int kMostClosingSteps = 20;
constexpr size_t kMostSingular = 20;  // positions that are remarked
constexpr double kLargestSurprise =
    0.2;                            // reference lengths or rad between prediction and solution: not the same branch
constexpr double kSingular = 1e-6;  // weakest equation

double norm(const VectorXd& x) { return x.size() ? x.lpNorm<Eigen::Infinity>() : 0; }

class DrivenMotion {
 public:
  DrivenMotion(const System& system, SolverType solver)
      : system_(system), newton_(system, solver), projection_(system, newton_), k_(system.make_kinematics()),
        r_(system.make_residual()), no_chart_(system.nodes().size(), Matrix3d::Identity()), dz_(system.velocities()),
        moved_(system.velocities()), dlambda_(system.multipliers()), rates_(system.make_state().angles) {
    form_.a = 1;
    form_.scale = system.reference_mass;
  }

  /// s goes to the time t; false and untouched if the joints cannot be closed there, or only far
  /// away.
  bool advance(double t, State& s) {
    const double h = t - s.t;
    State next = s;
    next.t = t;
    system_.manifold().retract(s.q, h * s.v + 0.5 * h * h * s.a, next.q);
    if (!close(next)) return false;
    next.v += h * s.a;
    system_.update(next, k_);
    newton_.factorize(k_, no_chart_, form_);
    weakest_ = newton_.weakest_row();
    projection_.factorize(k_);
    projection_.velocities(next, k_);
    projection_.accelerations(next, k_, r_);
    if (!next.a.allFinite() || !next.lambda.allFinite()) return false;
    system_.angle_rates(k_, rates_);
    rates_ = s.angles + h * rates_;
    system_.track_angles(k_, rates_, next.angles);
    s = std::move(next);
    return true;
  }

  long iterations() const { return iterations_; }
  bool is_singular() const { return weakest_ < kSingular; }
  const SolverCounts& counts() const { return newton_.counts(); }
  const char* solver_name() const { return newton_.solver_name(); }

 private:
  /// Newton's method on g(t, q) = 0.
  bool close(State& s) {
    const double length = system_.reference_length;
    moved_.setZero();
    double before = INFINITY;
    for (int i = 0; i < kMostClosingSteps; ++i) {
      system_.update(s, k_);
      system_.residual(k_, r_);
      const double gap = norm(r_.constraint);
      if (!std::isfinite(gap)) return false;
      if (gap <= kClosedJoint * length || (gap <= kNearlyClosedJoint * length && gap > 0.5 * before)) return true;
      before = gap;
      newton_.factorize(k_, no_chart_, form_);
      r_.motion.setZero();
      newton_.correction(r_, dz_, dlambda_);
      ++iterations_;
      moved_ += dz_;
      for (const Manifold::Block& b : system_.manifold().blocks())
        if (norm(moved_.segment(b.v, b.size)) > kLargestSurprise * (b.kind == Manifold::Kind::rotation ? 1 : length))
          return false;
      system_.manifold().retract(s.q, dz_, s.q);
    }
    return false;
  }

  const System& system_;
  NewtonSystem newton_;
  Projection projection_;
  Kinematics k_;
  Residual r_;
  std::vector<Matrix3d> no_chart_;
  NewtonForm form_;
  VectorXd dz_, moved_, dlambda_, rates_;
  long iterations_ = 0;
  double weakest_ = 1;
};

std::string why_stuck(const System& system, const State& s, double t) {
  State wanted = s;
  wanted.t = t;
  const std::vector<JointGap> gaps = find_gaps(system, wanted, 0);
  return fmt::format("t = {:.6g} s: the joints cannot follow the motions any further{}. The mechanism is at the "
                     "end of its "
                     "reach or at a singular position.",
                     s.t, gaps.empty() ? "" : ": " + gap_text({gaps[0]}));
}

}  // namespace

std::string why_no_kinematics(const System& system, const State& start) {
  const char* text = "kinematics follows positions alone, and {} is {}; run dynamics";
  if (!system.states.empty())
    return fmt::format(fmt::runtime(text), "'" + system.states[0].name + "'", "a differential state");
  for (const int row : system.velocity_rows())
    return fmt::format(fmt::runtime(text), system.row_name(row), "a condition on velocities");
  const Freedom freedom = find_freedom(system, start);
  if (freedom.degrees_of_freedom == 0) return "";
  const size_t shown = std::min<size_t>(freedom.movable.size(), 5);
  const bool one = freedom.degrees_of_freedom == 1;
  return fmt::format("kinematics needs all motion to be prescribed, but {} {} of freedom {} left, so that {}{} can "
                     "move. Add motions, or "
                     "use `bricard run`.",
                     freedom.degrees_of_freedom, one ? "degree" : "degrees", one ? "is" : "are",
                     fmt::join(freedom.movable.begin(), freedom.movable.begin() + shown, ", "),
                     freedom.movable.size() > shown ? " …" : "");
}

Results solve_kinematics(const System& system, const State& start, const RunSettings& settings,
                         const SimulationHooks& hooks) {
  // solvers that pivot do not see which constraints are redundant
  const bool pivots = settings.solver == SolverType::dense || settings.solver == SolverType::klu;
  DrivenMotion follower(system, pivots ? SolverType::automatic : settings.solver);
  std::vector<std::string> remarks;
  FollowedSteps steps;
  steps.advance = [&](double t, State& next) {
    StepReport step;
    const long before = follower.iterations();
    if (!follower.advance(t, next)) step.status = StepStatus::not_converged;
    step.iterations = static_cast<int>(follower.iterations() - before);
    step.singular = step.status == StepStatus::accepted && follower.is_singular();
    if (step.singular && remarks.size() < kMostSingular)
      remarks.push_back(fmt::format("singular position at t = {:.6g} s", t));
    return step;
  };
  steps.why_not = [&](const State& last, double t) { return why_stuck(system, last, t); };
  Results results = simulate(system, start, settings, hooks, steps);
  RunReport& report = results.report;
  report.remarks.insert(report.remarks.begin(), remarks.begin(), remarks.end());
  report.integrator = "kinematics";
  report.solver = follower.solver_name();
  report.linear = follower.counts();
  return results;
}

}  // namespace bricard
