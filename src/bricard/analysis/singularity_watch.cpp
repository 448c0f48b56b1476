// SPDX-License-Identifier: Apache-2.0
#include "bricard/analysis/singularity_watch.h"

#include <fmt/format.h>

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>

#include "bricard/results/results.h"

namespace bricard {
namespace {

constexpr double kNear = 0.05;      // a row weaker than this tells that a singular position is near
constexpr size_t kLongest = 2000;   // states; where it stays near for longer, the rows are weak by nature
constexpr int kLargest = 300;       // unknowns; larger systems are not decomposed
constexpr double kLost = 0.05;      // a singular value this far below the smallest usual one has vanished
constexpr double kSmooth = 0.05;    // a relative change of velocities that no force explains and that still is the same branch
constexpr int kBisections = 14;
constexpr size_t kShown = 5;

}  // namespace

std::string SingularPosition::text() const {
  std::string what = fmt::format("t = {:.4g} s: {}singular position", time, at_start ? "start in a " : "");
  if (extra_freedoms > 0)
    what += fmt::format(" with {} extra degree{} of freedom", extra_freedoms, extra_freedoms == 1 ? "" : "s");
  return what + fmt::format("; {}; impulse {:.2g} N s", branch_kept ? "passed, branch kept" : "velocities changed: another branch?", impulse);
}

SingularityWatch::SingularityWatch(const System& system, SolverType solver)
    : system_(system), newton_(system, solver), kinematics_(system.make_kinematics()), residual_(system.make_residual()) {
  no_chart_.assign(system.nodes().size(), Matrix3d::Identity());
  given_up_ = system.multipliers() == 0;
}

double SingularityWatch::weakest_row(const State& s) {
  system_.update(s, kinematics_);
  NewtonForm form;
  form.a = 1;
  form.scale = system_.reference_mass;
  newton_.factorize(kinematics_, no_chart_, form);
  return newton_.weakest_row();
}

void SingularityWatch::after_step(const State& before, const State& after, std::optional<double> known) {
  if (given_up_) return;
  const double w = known ? *known : weakest_row(after);
  if (w >= kNear && window_.empty()) return;
  if (window_.empty()) window_.push_back(before), strength_.push_back(1);
  window_.push_back(after);
  strength_.push_back(w);
  if (window_.size() > kLongest) {
    given_up_ = true;
    window_.clear();
  } else if (w >= kNear) {
    judge();
  }
}

void SingularityWatch::finish() {
  if (window_.size() > 2 && !given_up_) judge();
}

// Rows of angles have lengths in them already; columns of rotations are per radian.
Eigen::VectorXd SingularityWatch::singular_values(const State& s) {
  system_.update(s, kinematics_);
  NewtonForm only_constraints;
  only_constraints.regularization.epsilon = 0;
  Eigen::MatrixXd G = newton_.dense_matrix(kinematics_, no_chart_, only_constraints)
                          .bottomLeftCorner(system_.multipliers(), system_.velocities());
  for (const Manifold::Block& b : system_.manifold().blocks())
    if (b.kind == Manifold::Kind::rotation) G.middleCols<3>(b.v) /= system_.reference_length;
  const bool tall = G.rows() > G.cols();
  const Eigen::MatrixXd square = tall ? Eigen::MatrixXd(G.transpose() * G) : Eigen::MatrixXd(G * G.transpose());
  const Eigen::VectorXd values = Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(square, Eigen::EigenvaluesOnly).eigenvalues();
  return values.cwiseMax(0).cwiseSqrt().reverse();  // largest first; round-off is 1e-8 of it
}

/// What no force explains of the change of momentum in a step: M (v₁ − v₀ − h/2 (a₀ + a₁)).
double SingularityWatch::momentum_jump(const State& before, const State& after, double& relative) {
  State s = after;
  const auto momentum = [&](const VectorXd& x) {
    s.a = x;
    system_.update(s, kinematics_);
    system_.residual(kinematics_, residual_);
    VectorXd p = residual_.motion.head(x.size());
    s.a.setZero();
    system_.residual(kinematics_, residual_);
    return VectorXd(p - residual_.motion.head(x.size()));
  };
  const VectorXd jump = after.v - before.v - 0.5 * (after.t - before.t) * (before.a + after.a);
  VectorXd p = momentum(jump);
  const double size = std::sqrt(std::max(0.0, jump.dot(p))), all = std::sqrt(std::max(1e-300, after.v.dot(momentum(after.v))));
  relative = std::max(relative, size / all);
  for (const Manifold::Block& b : system_.manifold().blocks())
    if (b.kind == Manifold::Kind::rotation) p.segment<3>(b.v) /= system_.reference_length;
  return p.lpNorm<Eigen::Infinity>();
}

/// The window is complete: where in it the position is singular, and what happened there.
void SingularityWatch::judge() {
  SingularPosition found;
  const size_t weakest = std::min_element(strength_.begin(), strength_.end()) - strength_.begin();
  found.at_start = weakest <= 1 && positions_.empty() && window_.front().t == 0;
  double relative = 0;
  for (size_t i = 1; i < window_.size(); ++i)
    found.impulse = std::max(found.impulse, momentum_jump(window_[i - 1], window_[i], relative));
  found.branch_kept = relative <= kSmooth;
  found.time = window_[weakest].t;
  if (system_.unknowns() <= kLargest && !found.at_start) {
    const Eigen::VectorXd usual = singular_values(window_.back());
    const int rank = static_cast<int>((usual.array() > 1e-6 * usual[0]).count());
    const auto weak = [&](double t) {
      size_t i = weakest;
      while (i + 1 < window_.size() && window_[i].t < t) ++i;
      return singular_values(interpolate(system_, window_[i - 1], window_[i], t));
    };
    // golden section for the time at which the smallest of them is smallest
    constexpr double kGolden = 0.381966;
    double a = window_[weakest - 1].t, b = window_[std::min(weakest + 1, window_.size() - 1)].t;
    for (int n = 0; n < kBisections; ++n) {
      const double left = a + kGolden * (b - a), right = b - kGolden * (b - a);
      const bool is_left = weak(left)[rank - 1] < weak(right)[rank - 1];
      (is_left ? b : a) = is_left ? right : left;
    }
    found.time = 0.5 * (a + b);
    const Eigen::VectorXd there = weak(found.time);
    for (int i = 0; i < rank; ++i) found.extra_freedoms += there[i] < kLost * usual[rank - 1];
  }
  window_.clear();
  strength_.clear();
  if (found.extra_freedoms > 0 || found.at_start || system_.unknowns() > kLargest) positions_.push_back(found);
}

std::vector<std::string> SingularityWatch::remarks() const {
  std::vector<std::string> lines;
  bool all_kept = true;
  for (const SingularPosition& p : positions_) {
    if (lines.size() < kShown) lines.push_back(p.text());
    all_kept = all_kept && p.branch_kept;
  }
  if (positions_.size() > kShown)
    lines.push_back(fmt::format("{} more singular positions up to t = {:.4g} s; {}", positions_.size() - kShown, positions_.back().time,
                                all_kept ? "all passed, branch kept" : "velocities changed at some of them"));
  return lines;
}

}  // namespace bricard
