// SPDX-License-Identifier: Apache-2.0
#include "bricard/analysis/equation_check.h"

#include <algorithm>

namespace bricard {
namespace {

double part(double residual, double terms) { return terms > 0 || residual > 0 ? residual / terms : 0; }

double largest(const VectorXd& x) { return x.size() ? x.cwiseAbs().maxCoeff<Eigen::PropagateNaN>() : 0; }

}  // namespace

EquationCheck::EquationCheck(const System& system)
    : system_(system), lengths_(system.lengths()), kinematics_(system.make_kinematics()),
      residual_(system.make_residual()) {
  for (const StateInfo& x : system.states) lengths_[x.v] = 0;
  for (VectorXd* rows : {&rate_, &moved_rate_, &bias_, &no_bias_}) rows->setZero(system.multipliers());
}

/// As a force: a generalized force times its velocity is a power.
double EquationCheck::force(const VectorXd& motion) const {
  double most = 0;
  for (Eigen::Index i = 0; i < lengths_.size(); ++i)
    if (lengths_[i] > 0 && !(std::abs(motion[i]) / lengths_[i] <= most)) most = std::abs(motion[i]) / lengths_[i];
  return most;
}

// r is all three terms together; without λ, and without λ and a, it tells each of them. ġ is linear in v, so that it grows by
// G a if a is added to v.
EquationResiduals EquationCheck::operator()(const State& s) {
  scratch_ = s;
  system_.update(scratch_, kinematics_);
  system_.constraint_rates(kinematics_, rate_, bias_);
  system_.residual(kinematics_, residual_);
  all_ = residual_.motion;
  scratch_.lambda.setZero();
  system_.residual(kinematics_, residual_);
  forces_ = residual_.motion;
  scratch_.a.setZero();
  system_.residual(kinematics_, residual_);
  const double terms = std::max({force(all_ - forces_), force(forces_ - residual_.motion), force(residual_.motion)});
  EquationResiduals found;
  found.motion = part(force(all_), terms);
  if (system_.multipliers() == 0) return found;

  for (Eigen::Index i = 0; i < lengths_.size(); ++i)
    if (lengths_[i] > 0) scratch_.v[i] += s.a[i];
  system_.update(scratch_, kinematics_);
  system_.constraint_rates(kinematics_, moved_rate_, no_bias_);
  const double speed = largest(s.v.cwiseProduct(lengths_)), length = system_.reference_length;
  const double accelerations = std::max(
      {largest(s.a.cwiseProduct(lengths_)), largest(bias_), speed * speed / length, terms / system_.reference_mass});
  found.acceleration = part(largest(moved_rate_ - rate_ + bias_), accelerations);
  return found;
}

}  // namespace bricard
