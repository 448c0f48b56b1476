// SPDX-License-Identifier: Apache-2.0
#include "bricard/elements/measured_formulas.h"

namespace bricard {

void MeasuredFormulas::gather(const Kinematics& k, const double* of_variables, double* all) const {
  for (int i = 0; i < variables; ++i) all[i] = of_variables[i];
  for (size_t m = 0; m < measures.size(); ++m) all[variables + m] = measures[m].value(k);
}

MeasuredFormulas::Values MeasuredFormulas::values(const Kinematics& k, const double* of_variables) const {
  std::array<double, kMaxInputs> all;
  std::array<double, Expression::kMaxInputs> own;
  gather(k, of_variables, all.data());
  Values y = Values::Zero();
  for (size_t f = 0; f < formulas.size(); ++f) {
    for (size_t i = 0; i < inputs[f].size(); ++i) own[i] = all[inputs[f][i]];
    y[f] = formulas[f].value(k.state->t, own.data());
  }
  return y;
}

MeasuredFormulas::Derivatives MeasuredFormulas::derivatives(const Kinematics& k, const double* of_variables) const {
  std::array<double, kMaxInputs> all;
  std::array<double, Expression::kMaxInputs> own, by_own;
  gather(k, of_variables, all.data());
  Derivatives D = Derivatives::Zero();
  for (size_t f = 0; f < formulas.size(); ++f) {
    for (size_t i = 0; i < inputs[f].size(); ++i) own[i] = all[inputs[f][i]];
    formulas[f].gradient(k.state->t, own.data(), by_own.data());
    for (size_t i = 0; i < inputs[f].size(); ++i) D(f, inputs[f][i]) += by_own[i];
  }
  return D;
}

}  // namespace bricard
