// SPDX-License-Identifier: Apache-2.0
#include "bricard/elements/measured_formulas.h"

#include <cmath>

namespace bricard {
namespace {

constexpr int kMaxIterations = 50, kMaxHalvings = 30;
constexpr double kRoundOff = 1e-14;

using Inputs = std::array<double, Expression::kMaxInputs>;
using Vector = Eigen::Matrix<double, Eigen::Dynamic, 1, Eigen::ColMajor, MeasuredFormulas::kMaxGroup, 1>;
using Square = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::ColMajor, MeasuredFormulas::kMaxGroup,
                             MeasuredFormulas::kMaxGroup>;

double value_of(const Expression& formula, const std::vector<int>& columns, double t, const double* all) {
  Inputs own;
  for (size_t i = 0; i < columns.size(); ++i) own[i] = all[columns[i]];
  return formula.value(t, own.data());
}

/// by_own gets the derivative after each column of `columns`.
void gradient_of(const Expression& formula, const std::vector<int>& columns, double t, const double* all,
                 Inputs& by_own) {
  Inputs own;
  for (size_t i = 0; i < columns.size(); ++i) own[i] = all[columns[i]];
  formula.gradient(t, own.data(), by_own.data());
}

/// w − ω of a loop whose values stand from all[first] on.
Vector residual_of(const MeasuredFormulas::Group& g, double t, int first, const double* all) {
  Vector r(g.formulas.size());
  for (Eigen::Index i = 0; i < r.size(); ++i) r[i] = all[first + i] - value_of(g.formulas[i], g.inputs[i], t, all);
  return r;
}

/// 1 − ∂ω/∂w
Square matrix_of(const MeasuredFormulas::Group& g, double t, int first, const double* all) {
  const int n = static_cast<int>(g.formulas.size());
  Square A = Square::Identity(n, n);
  Inputs by_own;
  for (int i = 0; i < n; ++i) {
    gradient_of(g.formulas[i], g.inputs[i], t, all, by_own);
    for (size_t c = 0; c < g.inputs[i].size(); ++c)
      if (g.inputs[i][c] >= first && g.inputs[i][c] < first + n) A(i, g.inputs[i][c] - first) -= by_own[c];
  }
  return A;
}

/// Newton's method from the guess, halving steps that do not help; not a number if there is no solution to be found.
void solve_loop(const MeasuredFormulas::Group& g, double t, int first, double* all) {
  const int n = static_cast<int>(g.formulas.size());
  Eigen::Map<Vector> w(all + first, n);
  for (int i = 0; i < n; ++i) w[i] = g.guess[i];
  Vector r = residual_of(g, t, first, all);
  for (int k = 0; k < kMaxIterations; ++k) {
    const double error = r.norm();
    if (error <= kRoundOff * (1 + w.norm())) return;
    const Vector step = matrix_of(g, t, first, all).partialPivLu().solve(r), before = w;
    double part = 1;
    for (int halving = 0; halving < kMaxHalvings; ++halving, part /= 2) {
      w = before - part * step;
      r = residual_of(g, t, first, all);
      if (r.norm() < error) break;
    }
    if (r.norm() < error) continue;
    w = before;  // round-off stops progress, or there is no solution
    if (error <= 100 * kRoundOff * (1 + w.norm())) return;
    break;
  }
  w.setConstant(std::numeric_limits<double>::quiet_NaN());
}

}  // namespace

void MeasuredFormulas::gather(const Kinematics& k, const double* of_variables, double* all) const {
  for (int i = 0; i < variables; ++i) all[i] = of_variables[i];
  for (size_t m = 0; m < measures.size(); ++m) all[variables + m] = measures[m].value(k);
  int column = leaves();
  for (const Group& g : groups) {
    if (g.is_loop) solve_loop(g, k.state->t, column, all);
    else all[column] = value_of(g.formulas[0], g.inputs[0], k.state->t, all);
    column += static_cast<int>(g.formulas.size());
  }
}

MeasuredFormulas::Values MeasuredFormulas::values(const Kinematics& k, const double* of_variables) const {
  std::array<double, kMaxInputs> all;
  gather(k, of_variables, all.data());
  Values y = Values::Zero();
  for (size_t f = 0; f < formulas.size(); ++f) y[f] = value_of(formulas[f], inputs[f], k.state->t, all.data());
  return y;
}

//     dw = ω_w dw + ω_u du:   ∂w/∂u = (1 − ω_w)⁻¹ ω_u,   u what comes before the group
MeasuredFormulas::DefinedRows MeasuredFormulas::differentiate_groups(double t, const double* all) const {
  const int known = leaves();
  int count = 0;
  for (const Group& g : groups) count += static_cast<int>(g.formulas.size());
  DefinedRows W = DefinedRows::Zero(count, known);
  Inputs by_own;
  int first = 0;
  for (const Group& g : groups) {
    const int n = static_cast<int>(g.formulas.size());
    for (int i = 0; i < n; ++i) {
      gradient_of(g.formulas[i], g.inputs[i], t, all, by_own);
      for (size_t c = 0; c < g.inputs[i].size(); ++c) {
        const int column = g.inputs[i][c];
        if (column < known) W(first + i, column) += by_own[c];
        else if (column < known + first) W.row(first + i) += by_own[c] * W.row(column - known);
      }
    }
    if (g.is_loop) {
      const Eigen::PartialPivLU<Square> factor(matrix_of(g, t, known + first, all));
      for (int c = 0; c < known; ++c) {
        const Vector x = factor.solve(Vector(W.col(c).segment(first, n)));
        W.col(c).segment(first, n) = x;
      }
    }
    first += n;
  }
  return W;
}

MeasuredFormulas::Derivatives MeasuredFormulas::derivatives(const Kinematics& k, const double* of_variables) const {
  std::array<double, kMaxInputs> all;
  Inputs by_own;
  gather(k, of_variables, all.data());
  const int known = leaves();
  DefinedRows W;
  if (!groups.empty()) W = differentiate_groups(k.state->t, all.data());
  Derivatives D = Derivatives::Zero();
  for (size_t f = 0; f < formulas.size(); ++f) {
    gradient_of(formulas[f], inputs[f], k.state->t, all.data(), by_own);
    for (size_t i = 0; i < inputs[f].size(); ++i) {
      const int column = inputs[f][i];
      if (column < known) D(f, column) += by_own[i];
      else D.row(f).head(known) += by_own[i] * W.row(column - known);
    }
  }
  return D;
}

MeasuredFormulas::Values MeasuredFormulas::input_derivatives(const Kinematics& k, int input,
                                                             const double* of_variables) const {
  for (size_t m = 0; m < measures.size(); ++m)
    if (measures[m].input() == input) return derivatives(k, of_variables).col(variables + m);
  return Values::Zero();
}

VectorXd MeasuredFormulas::row(const System& system, const Kinematics& k, const Weights& w,
                               const Matrix3d* chart) const {
  VectorXd row = VectorXd::Zero(system.unknowns());
  const Derivatives D = derivatives(k);
  for (size_t m = 0; m < measures.size(); ++m) {
    const double factor = D(0, variables + m);
    const MeasureRow d = measures[m].row(k, w, chart);
    const std::array<int, 3> frames = measures[m].frame_blocks();
    for (int i = 0; i < 3; ++i)
      if (frames[i] >= 0) row.segment<6>(system.blocks()[frames[i]].first) += factor * d.frames[i];
    if (const int block = measures[m].state_block(); block >= 0)
      row[system.blocks()[block].first + measures[m].state_offset()] += factor * d.state;
    for (const JointReaction::Block& b : measures[m].multiplier_blocks())
      row.segment(system.blocks()[b.block].first, b.size) += factor * d.multipliers.segment(b.offset, b.size);
  }
  return row;
}

}  // namespace bricard
