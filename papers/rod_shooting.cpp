// SPDX-License-Identifier: Apache-2.0
#include "papers/rod_shooting.h"

#include <stdexcept>

namespace bricard::rod_shooting {
namespace {

using RodState = Eigen::Matrix<double, 15, 1>;  // r, R by columns, m

RodState slope(const ClampedRod& rod, double factor, double s, const RodState& y) {
  const Eigen::Map<const Matrix3d> R(y.data() + 3);
  const Vector3d n = factor * (rod.force + (rod.length - s) * rod.load), m = y.tail<3>();
  Vector6d force;
  force << R.transpose() * n, R.transpose() * m;
  const Vector6d strain = rod.unstrained(s) + rod.flexibility(s) * force;
  RodState result;
  const Vector3d tangent = R * strain.head<3>();
  const Matrix3d turn = R * skew(strain.tail<3>());
  result << tangent, turn.col(0), turn.col(1), turn.col(2), -tangent.cross(n);
  return result;
}

/// Classical Runge–Kutta from the clamp to the end.
RodState end_of(const ClampedRod& rod, double factor, const Vector3d& root_moment, int steps) {
  RodState y;
  y << Vector3d::Zero(), Vector3d::UnitX(), Vector3d::UnitY(), Vector3d::UnitZ(), root_moment;
  const double h = rod.length / steps;
  for (int i = 0; i < steps; ++i) {
    const double s = i * h;
    const RodState a = slope(rod, factor, s, y), b = slope(rod, factor, s + h / 2, y + h / 2 * a),
                   c = slope(rod, factor, s + h / 2, y + h / 2 * b), d = slope(rod, factor, s + h, y + h * c);
    y += h / 6 * (a + 2 * b + 2 * c + d);
  }
  return y;
}

}  // namespace

RodEnd shoot(const ClampedRod& rod, int steps, int load_steps) {
  Vector3d root = Vector3d::Zero();
  RodState end;
  for (int load = 1; load <= load_steps; ++load) {
    const double factor = static_cast<double>(load) / load_steps;
    const double size = factor * (rod.moment.norm() + (rod.force + rod.length * rod.load).norm() * rod.length);
    double error = 1;
    for (int iteration = 0; iteration < 30 && error > 1e-13 * size; ++iteration) {
      end = end_of(rod, factor, root, steps);
      const Vector3d missing = end.tail<3>() - factor * rod.moment;
      error = missing.norm();
      Matrix3d D;
      const double step = 1e-6 * size;
      for (int i = 0; i < 3; ++i)
        D.col(i) = (end_of(rod, factor, root + step * Vector3d::Unit(i), steps).tail<3>() -
                    end_of(rod, factor, root - step * Vector3d::Unit(i), steps).tail<3>()) /
                   (2 * step);
      root -= D.partialPivLu().solve(missing);
    }
    if (!(error < 1e-10 * size)) throw std::runtime_error("no solution by shooting");
  }
  return {end.head<3>(), Eigen::Map<const Matrix3d>(end.data() + 3), root};
}

}  // namespace bricard::rod_shooting
