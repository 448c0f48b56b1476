// SPDX-License-Identifier: Apache-2.0
#include "bricard/analysis/look_ahead.h"

#include <algorithm>
#include <cmath>

#include "bricard/analysis/output_times.h"

namespace bricard {
namespace {

constexpr int kMostDegree = 4;
constexpr double kMostLooks = 100;  // in a step: twice as many as the largest step has if hmax is not given

/// Value at x of the polynomial that is 1 at j/d and 0 at all other i/d.
double basis(int d, int j, double x) {
  double value = 1;
  for (int i = 0; i <= d; ++i)
    if (i != j) value *= (d * x - i) / (j - i);
  return value;
}

}  // namespace

LookAhead::LookAhead(const System& system, const RunSettings& settings)
    : system_(system), norm_(system, settings),
      interval_(std::min(OutputTimes::interval(settings), settings.duration / OutputTimes::kUsualSamples)),
      kinematics_(system.make_kinematics()), residual_(system.make_residual()),
      rate_(VectorXd::Zero(system.multipliers())), bias_(rate_), seen_(VectorXd::Zero(system.unknowns())),
      first_(seen_), speed_(seen_), way_(seen_), known_(system.unknowns(), kMostDegree + 1),
      no_chart_(system.nodes().size(), Matrix3d::Identity()) {}

double LookAhead::visible(const State& s, double h, int order) {
  while (h > interval_ && !is_visible(s, h, std::clamp(order - 1, 1, kMostDegree))) h *= 0.5;
  return h;
}

void LookAhead::archive(Archive& x) {
  bool has_matrix = newton_ != nullptr;
  x(has_matrix);
  if (has_matrix && x.reads()) make_matrix();
  if (has_matrix) x(*newton_);
}

/// Sets seen_, less what was seen first: exactly zero if nothing depends on the time alone.
void LookAhead::look(double t) {
  at_.t = t;
  system_.update(at_, kinematics_);
  system_.residual(kinematics_, residual_);
  system_.constraint_rates(kinematics_, rate_, bias_);
  seen_.head(system_.velocities()) = residual_.motion.head(system_.velocities());
  seen_.tail(system_.multipliers()) = bias_;
  seen_ -= first_;
}

bool LookAhead::is_visible(const State& s, double h, int degree) {
  at_ = s;
  first_.setZero();
  look(s.t);
  first_ = seen_;
  const int looks = static_cast<int>(std::min(std::ceil(h / interval_), kMostLooks));
  for (int j = 0; j <= degree; ++j) {
    look(s.t + h * j / degree);
    known_.col(j) = seen_;
  }
  speed_.setZero();
  way_.setZero();
  for (int i = 1; i < looks; ++i) {
    const double x = static_cast<double>(i) / looks, part = h / looks;
    look(s.t + h * x);
    for (int j = 0; j <= degree; ++j) seen_ -= basis(degree, j, x) * known_.col(j);
    speed_ += part * seen_;
    way_ += part * h * (1 - x) * seen_;
  }
  if (speed_.isZero(0) && way_.isZero(0)) return true;

  if (!newton_) make_matrix();
  NewtonForm form;
  form.a = 1;
  form.scale = system_.reference_mass;
  at_.t = s.t;
  system_.update(at_, kinematics_);
  newton_->factorize(kinematics_, no_chart_, form);
  const auto is_small = [&](VectorXd& x, double factor) {
    x.tail(system_.multipliers()) *= form.scale;
    newton_->solve(x);
    x *= factor;
    return norm_(x, 1, 1).ratio <= 1;
  };
  return is_small(way_, 1) && is_small(speed_, h);
}

}  // namespace bricard
