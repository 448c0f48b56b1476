// SPDX-License-Identifier: Apache-2.0
#include "bricard/elements/differential_states.h"

#include <algorithm>

namespace bricard {

void DifferentialStates::add_couplings(std::vector<Coupling>& couplings) const {
  for (const Item& e : items_) {
    couplings.push_back({e.block, e.block});
    for (const Measure& m : e.u.measures) add_row_couplings(m, e.block, couplings);
  }
}

void DifferentialStates::add_residual(const Kinematics& k, Residual& r) const {
  const State& s = *k.state;
  for (const Item& e : items_) {
    const MeasuredFormulas::Values u = e.u.values(k);
    for (int i = 0; i < e.size(); ++i) {
      double rate = 0;
      for (int j = 0; j < e.size(); ++j) rate += e.A(i, j) * s.v[e.v + j];
      for (Eigen::Index j = 0; j < e.B.cols(); ++j) rate += e.B(i, j) * u[j];
      r.motion[e.v + i] += e.implicit ? u[0] : s.a[e.v + i] - rate;
    }
  }
}

void DifferentialStates::add_tangent(const Kinematics& k, Tangent& T) const {
  using One = Eigen::Matrix<double, 1, 1>;
  const Slot* slot = T.slots;
  for (const Item& e : items_) {
    const Slot& own = *slot++;
    for (int i = 0; i < e.size() && !e.implicit; ++i)
      for (int j = 0; j < e.size(); ++j) T.add_diagonal(own, i, j, One((i == j ? T.w.x_rate : 0) - T.w.x * e.A(i, j)));
    if (e.u.measures.empty()) continue;
    const MeasuredFormulas::Derivatives D = e.u.derivatives(k);
    std::array<double, kMaxSize> J;
    for (size_t m = 0; m < e.u.measures.size(); ++m) {
      const int column = e.u.variables + static_cast<int>(m);
      for (int i = 0; i < e.size(); ++i) {
        J[i] = e.implicit ? D(0, column) : 0;
        for (Eigen::Index j = 0; j < e.B.cols(); ++j) J[i] -= e.B(i, j) * D(j, column);
      }
      slot = add_row_tangent(e.u.measures[m], e.u.measures[m].row(k, T.w, T.chart), e.block,
                             {J.data(), static_cast<size_t>(e.size())}, slot, T);
    }
  }
}

void DifferentialStates::add_input_derivative(const Kinematics& k, int input, Residual& r) const {
  for (const Item& e : items_) {
    const MeasuredFormulas::Values u = e.u.input_derivatives(k, input);
    if (e.implicit) r.motion[e.v] += u[0];
    for (int i = 0; i < e.size(); ++i)
      for (Eigen::Index j = 0; j < e.B.cols(); ++j) r.motion[e.v + i] -= e.B(i, j) * u[j];
  }
}

bool DifferentialStates::sees_accelerations() const {
  return std::any_of(items_.begin(), items_.end(), [](const Item& e) { return e.u.sees_accelerations(); });
}

void DifferentialStates::list_signals(std::vector<ElementSignal>& signals) const {
  for (const Item& e : items_) signals.insert(signals.end(), e.signals.begin(), e.signals.end());
}

void DifferentialStates::add_signals(const Kinematics& k, std::vector<double>& values) const {
  for (const Item& e : items_)
    for (int i = 0; i < e.size(); ++i) values.push_back(k.state->v[e.v + i]);
}

}  // namespace bricard
