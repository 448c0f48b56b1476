// SPDX-License-Identifier: Apache-2.0
#include "bricard/elements/switched_elements.h"

#include <algorithm>
#include <numeric>

namespace bricard {

SwitchedElements::SwitchedElements(std::vector<std::unique_ptr<ElementBatch>> parts, int index, int multipliers,
                                   int rows, double reference_mass)
    : parts_(std::move(parts)), index_(index), multipliers_(multipliers), rows_(rows), reference_mass_(reference_mass) {
  for (const auto& part : parts_) {
    std::vector<Coupling> couplings;
    std::vector<std::string> roots;
    std::vector<ElementSignal> signals;
    part->add_couplings(couplings);
    part->list_roots(roots);
    part->list_signals(signals);
    couplings_.push_back(static_cast<int>(couplings.size()));
    roots_.push_back(static_cast<int>(roots.size()));
    signals_.push_back(static_cast<int>(signals.size()));
  }
}

void SwitchedElements::add_couplings(std::vector<Coupling>& couplings) const {
  for (const auto& part : parts_) part->add_couplings(couplings);
  if (multipliers_ >= 0) couplings.push_back({multipliers_, multipliers_});
}

void SwitchedElements::add_residual(const Kinematics& k, Residual& r) const {
  if (!is_on(k)) return;
  for (const auto& part : parts_) part->add_residual(k, r);
}

// e is what a row of ordinary strength leaves of its pivot, s²/(c m_r), so that no solver takes it for a weak one.
void SwitchedElements::add_tangent(const Kinematics& k, Tangent& T) const {
  const Slot* slots = T.slots;
  if (!is_on(k)) {
    if (multipliers_ < 0) return;
    const double s = T.w.constraint, e = T.w.a > 0 ? s * s / (T.w.a * reference_mass_) : s;
    const Slot& own = slots[std::accumulate(couplings_.begin(), couplings_.end(), 0)];
    for (int i = 0; i < rows_; ++i) T.add_diagonal(own, i, i, Eigen::Matrix<double, 1, 1>(-e));
    return;
  }
  for (size_t p = 0; p < parts_.size(); ++p) {
    if (!T.w.rates_only || parts_[p]->sees_velocities()) parts_[p]->add_tangent(k, T);
    T.slots += couplings_[p];
  }
  T.slots = slots;
}

void SwitchedElements::add_constraint_forces(const Kinematics& k, Residual& r) const {
  if (!is_on(k)) return;
  for (const auto& part : parts_) part->add_constraint_forces(k, r);
}

void SwitchedElements::add_constraint_rates(const Kinematics& k, VectorXd& rate, VectorXd& bias) const {
  if (!is_on(k)) return;
  for (const auto& part : parts_) part->add_constraint_rates(k, rate, bias);
}

void SwitchedElements::add_input_derivative(const Kinematics& k, int input, Residual& r) const {
  if (!is_on(k)) return;
  for (const auto& part : parts_) part->add_input_derivative(k, input, r);
}

void SwitchedElements::add_reactions(const Kinematics& k, std::vector<Wrench>& wrenches) const {
  if (!is_on(k)) return;
  for (const auto& part : parts_) part->add_reactions(k, wrenches);
}

/// Off, its multipliers are zero, and so is its reaction.
std::unique_ptr<ElementBatch> SwitchedElements::part_of_joint(int joint) const {
  std::vector<std::unique_ptr<ElementBatch>> chosen;
  for (const auto& part : parts_)
    if (auto of_joint = part->part_of_joint(joint)) chosen.push_back(std::move(of_joint));
  if (chosen.empty()) return nullptr;
  return std::make_unique<SwitchedElements>(std::move(chosen), index_, -1, 0, reference_mass_);
}

double SwitchedElements::kinetic_energy(const Kinematics& k) const {
  double sum = 0;
  for (const auto& part : parts_) sum += is_on(k) ? part->kinetic_energy(k) : 0;
  return sum;
}

double SwitchedElements::potential_energy(const Kinematics& k) const {
  double sum = 0;
  for (const auto& part : parts_) sum += is_on(k) ? part->potential_energy(k) : 0;
  return sum;
}

bool SwitchedElements::has_power() const {
  return std::any_of(parts_.begin(), parts_.end(), [](const auto& part) { return part->has_power(); });
}

double SwitchedElements::power(const Kinematics& k) const {
  double sum = 0;
  for (const auto& part : parts_) sum += is_on(k) && part->has_power() ? part->power(k) : 0;
  return sum;
}

bool SwitchedElements::is_unsymmetric() const {
  return std::any_of(parts_.begin(), parts_.end(), [](const auto& part) { return part->is_unsymmetric(); });
}

bool SwitchedElements::sees_accelerations() const {
  return std::any_of(parts_.begin(), parts_.end(), [](const auto& part) { return part->sees_accelerations(); });
}

bool SwitchedElements::sees_velocities() const {
  return std::any_of(parts_.begin(), parts_.end(), [](const auto& part) { return part->sees_velocities(); });
}

bool SwitchedElements::has_inertia() const {
  return std::any_of(parts_.begin(), parts_.end(), [](const auto& part) { return part->has_inertia(); });
}

void SwitchedElements::list_signals(std::vector<ElementSignal>& signals) const {
  for (const auto& part : parts_) part->list_signals(signals);
}

void SwitchedElements::add_signals(const Kinematics& k, std::vector<double>& values) const {
  for (size_t p = 0; p < parts_.size(); ++p)
    if (is_on(k)) parts_[p]->add_signals(k, values);
    else values.insert(values.end(), signals_[p], 0.0);
}

void SwitchedElements::list_roots(std::vector<std::string>& owners) const {
  for (const auto& part : parts_) part->list_roots(owners);
}

/// A stop that is off still knows on which side it is: it may be switched on behind its limit.
void SwitchedElements::add_roots(const Kinematics& k, double*& next) const {
  for (const auto& part : parts_) part->add_roots(k, next);
}

std::string SwitchedElements::pass_root(int root, bool rising, State& s) const {
  size_t p = 0;
  for (; root >= roots_[p]; ++p) root -= roots_[p];
  const std::string what = parts_[p]->pass_root(root, rising, s);
  return s.discrete[index_] != 0 ? what : "";
}

}  // namespace bricard
