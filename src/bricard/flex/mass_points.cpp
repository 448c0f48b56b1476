// SPDX-License-Identifier: Apache-2.0
#include "bricard/flex/mass_points.h"

namespace bricard {

void MassPoints::add_point(double weight, const Vector3d& position, const Vector3d& lever,
                           const Eigen::MatrixXd& motion, const std::vector<int>& columns) {
  const int row = 3 * static_cast<int>(positions_.size());
  positions_.push_back(position + lever);
  weights_.push_back(weight);
  levers_.push_back(lever);
  const Eigen::MatrixXd D = motion.topRows(3) - skew(lever) * motion.bottomRows(3);  // u + θ × lever
  for (int j = 0; j < D.cols(); ++j)
    for (int a = 0; a < 3; ++a) {
      const int column = columns[static_cast<size_t>(j)];
      if (D(a, j) != 0) displacement_.emplace_back(row + a, column, D(a, j));
      if (motion(3 + a, j) != 0) turns_.emplace_back(row + a, column, motion(3 + a, j));
    }
}

void MassPoints::add(double mass, const Matrix3d& inertia, const Vector3d& position, const Eigen::MatrixXd& motion,
                     const std::vector<int>& columns) {
  constexpr double kNothing = 1e-15;  // of the largest: round-off
  constexpr double kShare = 0.125;    // of the mass, in one point beside the middle
  const Eigen::SelfAdjointEigenSolver<Matrix3d> axes(0.5 * inertia.trace() * Matrix3d::Identity() - inertia);
  const Vector3d moments = axes.eigenvalues();
  double rest = mass;
  for (int i = 0; i < 3; ++i) {
    if (std::abs(moments[i]) <= kNothing * moments.cwiseAbs().maxCoeff()) continue;
    const double weight = std::copysign(kShare * mass, moments[i]), h = std::sqrt(moments[i] / (2 * weight));
    for (const double side : {h, -h}) add_point(weight, position, side * axes.eigenvectors().col(i), motion, columns);
    rest -= 2 * weight;
  }
  add_point(rest, position, Vector3d::Zero(), motion, columns);
}

void MassPoints::finish(Structure& structure) const {
  const int n = static_cast<int>(positions_.size());
  structure.points.resize(3, n);
  std::vector<Eigen::Triplet<double>> weights;
  for (int i = 0; i < n; ++i) {
    structure.points.col(i) = positions_[static_cast<size_t>(i)];
    weights.emplace_back(i, i, weights_[static_cast<size_t>(i)]);
  }
  structure.weights.resize(n, n);
  structure.weights.setFromTriplets(weights.begin(), weights.end());
  structure.displacement.resize(3 * n, unknowns_);
  structure.displacement.setFromTriplets(displacement_.begin(), displacement_.end());
  SparseMatrix turns(3 * n, unknowns_);
  turns.setFromTriplets(turns_.begin(), turns_.end());
  structure.lever_stiffness = [turns, levers = levers_](const Eigen::Matrix3Xd& forces) {
    std::vector<Eigen::Triplet<double>> blocks;
    for (int i = 0; i < static_cast<int>(levers.size()); ++i) {
      const Vector3d &l = levers[static_cast<size_t>(i)], f = forces.col(i);
      const Matrix3d of_point = f.dot(l) * Matrix3d::Identity() - 0.5 * (f * l.transpose() + l * f.transpose());
      for (int a = 0; a < 3; ++a)
        for (int b = 0; b < 3; ++b)
          if (of_point(a, b) != 0) blocks.emplace_back(3 * i + a, 3 * i + b, of_point(a, b));
    }
    SparseMatrix all(turns.rows(), turns.rows());
    all.setFromTriplets(blocks.begin(), blocks.end());
    return SparseMatrix(turns.transpose() * SparseMatrix(all * turns));
  };
}

}  // namespace bricard
