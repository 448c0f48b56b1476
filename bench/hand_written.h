// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cmath>

// ALi3 with the trapezoidal rule for one mechanism only: the planar double four-bar, three points B0, B1, B2 with their
// coordinates, five bars of one metre. Everything that is known beforehand is written out; for a comparison of speed.
namespace hand_written {

using Vec6 = std::array<double, 6>;
using Vec5 = std::array<double, 5>;
using Mat6 = std::array<Vec6, 6>;

struct State {
  Vec6 q{0, 1, 1, 1, 2, 1}, v{1, 0, 1, 0, 1, 0}, a{};
  Vec5 lambda{};
};

class DoubleFourBar {
 public:
  DoubleFourBar(double h, double alpha, double tolerance)
      : h_(h), b_(0.25 * h * h), alpha_(alpha), tolerance_(tolerance) {
    for (int i = 0; i < 3; ++i) add_mass(i, i, 1.0 / 3);
    for (int i = 0; i < 2; ++i) {
      add_mass(i, i, 1.0 / 3), add_mass(i + 1, i + 1, 1.0 / 3);
      add_mass(i, i + 1, 1.0 / 6), add_mass(i + 1, i, 1.0 / 6);
    }
    f_ = {0, -9.81, 0, -1.5 * 9.81, 0, -9.81};
  }

  int step(State& s) {
    Vec6 delta, q, a, x;
    Vec5 g, lambda = s.lambda;
    for (int i = 0; i < 6; ++i) delta[i] = h_ * s.v[i] + 2 * b_ * s.a[i];
    int iterations = 0;
    for (double change = 1, motion = 0; change > tolerance_ * motion && iterations < 20; ++iterations) {
      for (int i = 0; i < 6; ++i) q[i] = s.q[i] + delta[i], a[i] = delta[i] / b_ - 4 / h_ * s.v[i] - s.a[i];
      directions(q);
      for (int c = 0; c < 5; ++c) g[c] = 0.5 * (d_[c][0] * d_[c][0] + d_[c][1] * d_[c][1] - 1);
      for (int c = 0; c < 5 && iterations > 0; ++c) lambda[c] += alpha_ * g[c];
      inertia(a, x);
      Vec5 y;
      for (int c = 0; c < 5; ++c) y[c] = lambda[c] + alpha_ * g[c];
      add_forces(y, x);
      for (double& r : x) r *= -b_;
      factorize();
      solve(x);
      change = motion = 0;
      for (int i = 0; i < 6; ++i) {
        delta[i] += x[i];
        change = std::max(change, std::abs(x[i])), motion = std::max(motion, std::abs(delta[i]));
      }
    }
    finish(s, delta, lambda);
    return iterations;
  }

  double energy(const State& s) const {
    Vec6 p{};
    double sum = 0;
    for (int i = 0; i < 6; ++i)
      for (int j = 0; j < 6; ++j) p[i] += M_[i][j] * s.v[j];
    for (int i = 0; i < 6; ++i) sum += 0.5 * s.v[i] * p[i] - f_[i] * s.q[i];
    return sum;
  }

 private:
  void add_mass(int i, int j, double m) { M_[2 * i][2 * j] += m, M_[2 * i + 1][2 * j + 1] += m; }

  // Bars 0–2 from the ground to B0–B2, bars 3, 4 between neighbours.
  void directions(const Vec6& q) {
    for (int i = 0; i < 3; ++i) d_[i] = {q[2 * i] - i, q[2 * i + 1]};
    for (int i = 0; i < 2; ++i) d_[3 + i] = {q[2 * i + 2] - q[2 * i], q[2 * i + 3] - q[2 * i + 1]};
  }

  void inertia(const Vec6& a, Vec6& r) const {
    for (int i = 0; i < 6; ++i) {
      r[i] = -f_[i] + M_[i][i] * a[i];
      if (i > 1) r[i] += M_[i][i - 2] * a[i - 2];
      if (i < 4) r[i] += M_[i][i + 2] * a[i + 2];
    }
  }

  void add_forces(const Vec5& y, Vec6& r) const {
    for (int c = 0; c < 5; ++c)
      for (int k = 0; k < 2; ++k) {
        const double F = y[c] * d_[c][k];
        if (c < 3) {
          r[2 * c + k] += F;
        } else {
          r[2 * (c - 3) + k] -= F, r[2 * (c - 2) + k] += F;
        }
      }
  }

  // LDLᵀ of M + βh²α GᵀG; entries more than three off the diagonal are zero.
  void factorize() {
    const double p = b_ * alpha_;
    A_ = M_;
    for (int c = 0; c < 5; ++c)
      for (int k = 0; k < 2; ++k)
        for (int l = 0; l < 2; ++l) {
          const double x = p * d_[c][k] * d_[c][l];
          if (c < 3) {
            A_[2 * c + k][2 * c + l] += x;
            continue;
          }
          const int i = 2 * (c - 3), j = i + 2;
          A_[i + k][i + l] += x, A_[j + k][j + l] += x, A_[j + k][i + l] -= x;
        }
    for (int k = 0; k < 6; ++k) {
      const double inverse = 1 / A_[k][k];
      const int end = std::min(6, k + 4);
      for (int i = k + 1; i < end; ++i) {
        const double l = A_[i][k] * inverse;
        for (int j = k + 1; j <= i; ++j) A_[i][j] -= l * A_[j][k];
      }
      for (int i = k + 1; i < end; ++i) A_[i][k] *= inverse;
      A_[k][k] = inverse;
    }
  }

  void solve(Vec6& x) const {
    for (int k = 0; k < 6; ++k)
      for (int i = k + 1; i < std::min(6, k + 4); ++i) x[i] -= A_[i][k] * x[k];
    for (int k = 5; k >= 0; --k) {
      x[k] *= A_[k][k];
      for (int i = k + 1; i < std::min(6, k + 4); ++i) x[k] -= A_[i][k] * x[i];
    }
  }

  Vec5 along(const Vec6& v) const {
    Vec5 y;
    for (int c = 0; c < 3; ++c) y[c] = d_[c][0] * v[2 * c] + d_[c][1] * v[2 * c + 1];
    for (int c = 0; c < 2; ++c)
      y[3 + c] = d_[3 + c][0] * (v[2 * c + 2] - v[2 * c]) + d_[3 + c][1] * (v[2 * c + 3] - v[2 * c + 1]);
    return y;
  }

  void project(Vec6& v, Vec5 y) const {
    Vec6 x{};
    for (double& value : y) value *= -b_ * alpha_;
    add_forces(y, x);
    solve(x);
    for (int i = 0; i < 6; ++i) v[i] += x[i];
  }

  void finish(State& s, const Vec6& delta, Vec5& lambda) {
    Vec6 v, a;
    for (int i = 0; i < 6; ++i) {
      s.q[i] += delta[i];
      v[i] = 2 / h_ * delta[i] - s.v[i];
      a[i] = delta[i] / b_ - 4 / h_ * s.v[i] - s.a[i];
    }
    directions(s.q);
    for (int c = 0; c < 5; ++c) lambda[c] += alpha_ * 0.5 * (d_[c][0] * d_[c][0] + d_[c][1] * d_[c][1] - 1);
    project(v, along(v));
    Vec5 y = along(a);
    for (int c = 0; c < 3; ++c) y[c] += v[2 * c] * v[2 * c] + v[2 * c + 1] * v[2 * c + 1];
    for (int c = 0; c < 2; ++c)
      y[3 + c] += std::pow(v[2 * c + 2] - v[2 * c], 2) + std::pow(v[2 * c + 3] - v[2 * c + 1], 2);
    project(a, y);
    s.v = v, s.a = a, s.lambda = lambda;
  }

  double h_, b_, alpha_, tolerance_;
  Mat6 M_{}, A_{};
  Vec6 f_{};
  std::array<std::array<double, 2>, 5> d_{};
};

}  // namespace hand_written
