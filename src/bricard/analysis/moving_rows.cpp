// SPDX-License-Identifier: Apache-2.0
#include "bricard/analysis/moving_rows.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace bricard {
namespace {

constexpr double kTurn = 0.02;      // rad, or reference lengths, between two points: round-off ≈ error of the formula
constexpr double kTimeStep = 0.02;  // s, if only the time goes on

// Central differences of eighth order, of what is there to what is in the middle: what does not change leaves no round-off.
constexpr std::array<double, 5> kFirst{0, 4.0 / 5, -1.0 / 5, 4.0 / 105, -1.0 / 280};
constexpr std::array<double, 5> kSecond{0, 8.0 / 5, -1.0 / 5, 8.0 / 315, -1.0 / 560};
// What they make of independent errors of 1 at all points: roots of the sums of squares.
constexpr double kErrorOfFirst = 1.17, kErrorOfSecond = 3.65;
constexpr double kRoundOff = std::numeric_limits<double>::epsilon();

SparseRows blocks_of_skew(const System& system, const VectorXd& x) {
  std::vector<Eigen::Triplet<double>> entries;
  for (const Manifold::Block& b : system.manifold().blocks()) {
    if (b.kind != Manifold::Kind::rotation) continue;
    const Matrix3d S = skew(x.segment<3>(b.v));
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j)
        if (S(i, j) != 0) entries.emplace_back(b.v + i, b.v + j, S(i, j));
  }
  SparseRows M(system.velocities(), system.velocities());
  M.setFromTriplets(entries.begin(), entries.end());
  return M;
}

}  // namespace

MotionCurve::MotionCurve(const System& system, const State& s)
    : system_(system), s_(s), turning_(blocks_of_skew(system, s.v)), turning_rate_(blocks_of_skew(system, s.a)) {
  double rate = 0;  // how fast anything changes, 1/s
  for (const FrameNode& node : system.nodes()) {
    if (node.block < 0) continue;
    const double length = system.reference_length;
    rate = std::max({rate, s.v.segment<3>(node.v).norm() / length, s.v.segment<3>(node.v + 3).norm(),
                     std::sqrt(s.a.segment<3>(node.v).norm() / length), std::sqrt(s.a.segment<3>(node.v + 3).norm())});
  }
  if (rate > 0) step_ = kTurn / rate;
}

State MotionCurve::at(double tau) const {
  State there = s_;
  there.t += tau;
  system_.manifold().retract(s_.q, tau * s_.v + 0.5 * tau * tau * s_.a, there.q);
  there.v += tau * s_.a;
  return there;
}

double MotionCurve::step_of(bool depends_on_time) const {
  if (!depends_on_time) return step_;
  return stands_still() ? kTimeStep : std::min(step_, kTimeStep);
}

MovingRows MotionCurve::follow(const MakeRows& rows, bool depends_on_time) const {
  Kinematics k = system_.make_kinematics();
  system_.update(s_, k);
  MovingRows moving;
  moving.value = rows(k);
  moving.rate = moving.second = SparseRows(moving.value.rows(), moving.value.cols());
  const double h = step_of(depends_on_time);
  if (h == 0) return moving;
  for (int i = 1; i < static_cast<int>(kFirst.size()); ++i) {
    const State ahead = at(i * h), behind = at(-i * h);
    system_.update(ahead, k);
    const SparseRows next = rows(k);
    system_.update(behind, k);
    const SparseRows last = rows(k);
    moving.rate += kFirst[i] / h * (next - last);
    moving.second += kSecond[i] / (h * h) * ((next - moving.value) + (last - moving.value));
  }
  const auto changes = [](int, int, double value) { return value != 0; };
  moving.rate.prune(changes);
  moving.second.prune(changes);
  return moving;
}

// With δq̇ = δv − Ω δq and δq̈ = δa − Ω δv − (Ω̇ − ΩΩ) δq.
RowLevels MotionCurve::levels(const MovingRows& c) const {
  RowLevels l;
  l.position_q = c.value;
  l.velocity_v = c.value;
  l.velocity_q = c.rate - SparseRows(c.value * turning_);
  l.acceleration_a = c.value;
  l.acceleration_v = 2 * c.rate - SparseRows(c.value * turning_);
  l.acceleration_q = c.second - SparseRows(c.value * turning_rate_) - SparseRows(l.acceleration_v * turning_);
  return l;
}

SparseRows round_off_of(const SparseRows& rows, const VectorXd& of_column) {
  SparseRows errors = rows;
  for (int i = 0; i < errors.rows(); ++i) {
    double largest = 0;
    for (SparseRows::InnerIterator e(rows, i); e; ++e)
      largest = std::max(largest, std::abs(e.value()) * of_column[e.col()]);
    for (SparseRows::InnerIterator e(errors, i); e; ++e)
      if (e.value() != 0) e.valueRef() = kRoundOff * largest / of_column[e.col()];
  }
  return errors;
}

RowLevels MotionCurve::errors_of(const RowLevels& l, const VectorXd& of_column, bool depends_on_time) const {
  const double h = step_of(depends_on_time);
  const SparseRows of_value = round_off_of(l.velocity_v, of_column);
  const auto of_difference = [&](const SparseRows& rows, double amplified) {
    SparseRows errors = round_off_of(rows, of_column);
    for (int i = 0; h > 0 && i < errors.rows(); ++i) {
      double row = 0;  // ε max|c| in units of the columns
      for (SparseRows::InnerIterator e(of_value, i); e; ++e) row = std::max(row, e.value() * of_column[e.col()]);
      for (SparseRows::InnerIterator e(errors, i); e; ++e)
        if (e.value() != 0) e.valueRef() += amplified * row / of_column[e.col()];
    }
    return errors;
  };
  return {round_off_of(l.position_q, of_column),
          of_value,
          of_difference(l.velocity_q, kErrorOfFirst / h),
          round_off_of(l.acceleration_a, of_column),
          of_difference(l.acceleration_v, 2 * kErrorOfFirst / h),
          of_difference(l.acceleration_q, kErrorOfSecond / (h * h))};
}

void MotionCurve::replace_velocity_rows(const MovingRows& H, const MovingRows& y_q, RowLevels& l) const {
  std::vector<char> is_velocity(system_.multipliers(), false);
  for (const int row : system_.velocity_rows()) is_velocity[row] = true;
  const auto replace = [&](SparseRows& target, SparseRows source) {
    target.prune([&](int row, int, double) { return !is_velocity[row]; });
    source.prune([&](int row, int, double) { return is_velocity[row] != 0; });
    target = SparseRows(target + source);
  };
  replace(l.position_q, SparseRows(H.value.rows(), H.value.cols()));
  replace(l.velocity_q, y_q.value);
  replace(l.acceleration_v, H.rate + y_q.value);
  replace(l.acceleration_q, y_q.rate - SparseRows(y_q.value * turning_));
}

SparseRows chosen_rows(const SparseRows& all, const std::vector<int>& rows) {
  SparseRows chosen(static_cast<int>(rows.size()), all.cols());
  std::vector<Eigen::Triplet<double>> entries;
  for (size_t i = 0; i < rows.size(); ++i)
    for (SparseRows::InnerIterator e(all, rows[i]); e; ++e)
      entries.emplace_back(static_cast<int>(i), e.col(), e.value());
  chosen.setFromTriplets(entries.begin(), entries.end());
  return chosen;
}

SparseRows stacked(const SparseRows& above, const SparseRows& below) {
  SparseRows all(above.rows() + below.rows(), std::max(above.cols(), below.cols()));
  std::vector<Eigen::Triplet<double>> entries;
  for (const auto& [part, first] : {std::pair{&above, 0}, std::pair{&below, static_cast<int>(above.rows())}})
    for (int i = 0; i < part->rows(); ++i)
      for (SparseRows::InnerIterator e(*part, i); e; ++e) entries.emplace_back(first + i, e.col(), e.value());
  all.setFromTriplets(entries.begin(), entries.end());
  return all;
}

}  // namespace bricard
