// SPDX-License-Identifier: Apache-2.0
#include "reference/minimal_model.h"

#include <cmath>

namespace bricard::testing {

namespace {

std::function<TimeJet(double)> proportional(double factor) {
  return [factor](double u) { return TimeJet{factor * u, factor, 0}; };
}

std::function<TimeJet(double)> formula(const std::string& text) {
  return [f = Expression::parse(text, {}, true)](double u) { return f.jet(u); };
}

}  // namespace

Piece turn(const Vector3d& axis, int k, double factor) { return {Piece::Kind::turn, axis, k, proportional(factor)}; }
Piece shift(const Vector3d& axis, int k, double factor) { return {Piece::Kind::shift, axis, k, proportional(factor)}; }
Piece turn(const Vector3d& axis, int k, const std::string& text) { return {Piece::Kind::turn, axis, k, formula(text)}; }
Piece shift(const Vector3d& axis, int k, const std::string& text) {
  return {Piece::Kind::shift, axis, k, formula(text)};
}
Piece constant(const Vector3d& p, const Matrix3d& R) { return {Piece::Kind::constant, p, -1, {}, R}; }

namespace {

/// Moves the frame by r, which moves itself with r1 and r2 in axes that turn with the frame.
void move(BodyMotion& m, const Vector3d& r, const Vector3d& r1, const Vector3d& r2) {
  m.p += r;
  m.v += m.w.cross(r) + r1;
  m.a += m.alpha.cross(r) + m.w.cross(m.w.cross(r)) + 2 * m.w.cross(r1) + r2;
}

}  // namespace

BodyMotion MinimalModel::motion(size_t body, const VectorXd& u, const VectorXd& u1, const VectorXd& u2) const {
  const Vector3d zero = Vector3d::Zero();
  BodyMotion m{zero, zero, zero, zero, zero, Matrix3d::Identity()};
  for (const Piece& piece : bodies[body].path) {
    const int k = piece.coordinate;
    const TimeJet f = k < 0 ? TimeJet{} : piece.f(u[k]);
    const double q = f.value, q1 = k < 0 ? 0 : f.rate * u1[k],
                 q2 = k < 0 ? 0 : f.rate * u2[k] + f.acceleration * u1[k] * u1[k];
    const Vector3d e = m.R * piece.axis;
    if (piece.kind == Piece::Kind::turn) {
      m.alpha += q2 * e + q1 * m.w.cross(e);
      m.w += q1 * e;
      m.R = m.R * Eigen::AngleAxisd(q, piece.axis).toRotationMatrix();
    } else if (piece.kind == Piece::Kind::shift) {
      move(m, q * e, q1 * e, q2 * e);
    } else {
      move(m, e, zero, zero);
      m.R = m.R * piece.R;
    }
  }
  return m;
}

std::vector<BodyMotion> MinimalModel::motions(const VectorXd& u, const VectorXd& u1, const VectorXd& u2) const {
  std::vector<BodyMotion> all;
  for (size_t b = 0; b < bodies.size(); ++b) all.push_back(motion(b, u, u1, u2));
  return all;
}

NeededWrench MinimalModel::needed(size_t body, const VectorXd& u, const VectorXd& u1, const VectorXd& u2) const {
  const BodyMotion m = motion(body, u, u1, u2);
  const Matrix3d I = m.R * bodies[body].inertia * m.R.transpose();
  return {bodies[body].mass * (m.a - gravity), I * m.alpha + m.w.cross(I * m.w)};
}

void MinimalModel::set_prescribed(double t, VectorXd& u, VectorXd& u1) const {
  for (size_t k = 0; k < prescribed.size(); ++k)
    if (prescribed[k]) {
      const TimeJet x = (*prescribed[k])(t);
      u[k] = x.value, u1[k] = x.rate;
    }
}

// Kane: Σ over the bodies of (∂v/∂u̇)·(m a − m g) + (∂ω/∂u̇)·(I α + ω × I ω) = generalized forces
VectorXd MinimalModel::accelerations(double t, const VectorXd& u, const VectorXd& u1) const {
  const int n = coordinates;
  const VectorXd zero = VectorXd::Zero(n);
  Eigen::MatrixXd M = Eigen::MatrixXd::Zero(n, n);
  if (inertias.size()) M.diagonal() = inertias;
  VectorXd rhs = forces ? forces(t, u, u1) : zero;
  VectorXd known = zero;
  for (size_t k = 0; k < prescribed.size(); ++k)
    if (prescribed[k]) known[k] = (*prescribed[k])(t).acceleration;
  const std::vector<NeededWrench> acting =
      loads ? loads(t, motions(u, u1, zero))
            : std::vector<NeededWrench>(bodies.size(), {Vector3d::Zero(), Vector3d::Zero()});
  for (size_t b = 0; b < bodies.size(); ++b) {
    Eigen::MatrixXd V(3, n), W(3, n);
    for (int k = 0; k < n; ++k) {
      const BodyMotion unit = motion(b, u, VectorXd::Unit(n, k), zero);
      V.col(k) = unit.v, W.col(k) = unit.w;
    }
    const Matrix3d R = motion(b, u, u1, zero).R;
    M += bodies[b].mass * V.transpose() * V + W.transpose() * (R * bodies[b].inertia * R.transpose()) * W;
    const NeededWrench f = needed(b, u, u1, known);
    rhs -= V.transpose() * (f.force - acting[b].force) + W.transpose() * (f.torque - acting[b].torque);
  }
  for (size_t k = 0; k < prescribed.size(); ++k)
    if (prescribed[k]) M.row(k).setZero(), M.col(k).setZero(), M(k, k) = 1, rhs[k] = 0;
  return known + M.ldlt().solve(rhs);
}

double MinimalModel::needed_along(int coordinate, double t, const VectorXd& u, const VectorXd& u1,
                                  const VectorXd& u2) const {
  const VectorXd zero = VectorXd::Zero(coordinates);
  double sum = forces ? -forces(t, u, u1)[coordinate] : 0;
  const std::vector<NeededWrench> acting = loads ? loads(t, motions(u, u1, zero)) : std::vector<NeededWrench>();
  for (size_t b = 0; b < bodies.size(); ++b) {
    const BodyMotion unit = motion(b, u, VectorXd::Unit(coordinates, coordinate), zero);
    const NeededWrench f = needed(b, u, u1, u2);
    sum += unit.v.dot(f.force) + unit.w.dot(f.torque);
    if (loads) sum -= unit.v.dot(acting[b].force) + unit.w.dot(acting[b].torque);
  }
  return sum;
}

void MinimalModel::integrate(double duration, int steps, VectorXd& u, VectorXd& u1) const {
  const double h = duration / steps;
  for (int i = 0; i < steps; ++i) {
    const double t = i * h;
    const auto slope = [&](double time, VectorXd x, VectorXd x1) {
      set_prescribed(time, x, x1);
      return std::pair{x1, accelerations(time, x, x1)};
    };
    const auto [a, b] = slope(t, u, u1);
    const auto [c, d] = slope(t + h / 2, u + h / 2 * a, u1 + h / 2 * b);
    const auto [e, f] = slope(t + h / 2, u + h / 2 * c, u1 + h / 2 * d);
    const auto [g, k] = slope(t + h, u + h * e, u1 + h * f);
    u += h / 6 * (a + 2 * c + 2 * e + g);
    u1 += h / 6 * (b + 2 * d + 2 * f + k);
    set_prescribed(t + h, u, u1);
  }
}

}  // namespace bricard::testing
