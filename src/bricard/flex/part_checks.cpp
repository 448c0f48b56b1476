// SPDX-License-Identifier: Apache-2.0
#include "bricard/flex/part_checks.h"

#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <algorithm>
#include <cmath>

#include "bricard/flex/part_integrals.h"

namespace bricard {
namespace {

Matrix3d inertia_about(const Matrix3d& second) { return second.trace() * Matrix3d::Identity() - second; }

/// ∫ x × φ dm
Eigen::Matrix3Xd moments_of_shapes(const PartInertia& inertia) {
  Eigen::Matrix3Xd moments(3, inertia.shapes.cols());
  for (int a = 0; a < 3; ++a) {
    const int b = (a + 1) % 3, c = (a + 2) % 3;
    moments.row(a) = inertia.points_shapes.row(3 * b + c) - inertia.points_shapes.row(3 * c + b);
  }
  return moments;
}

/// Of the motions of the whole part about its mass centre, then its shapes.
Eigen::MatrixXd mass_with_motions(const ReducedPart& part) {
  const PartInertia& inertia = part.inertia;
  const MassSummary summary = mass_summary(part);
  const int r = part.shapes();
  Eigen::MatrixXd M = Eigen::MatrixXd::Zero(6 + r, 6 + r);
  M.topLeftCorner<3, 3>() = summary.mass * Matrix3d::Identity();
  M.block<3, 3>(3, 3) = summary.inertia;
  M.block(0, 6, 3, r) = inertia.shapes;
  M.block(3, 6, 3, r) = moments_of_shapes(inertia) - skew(summary.center) * inertia.shapes;
  M.bottomLeftCorner(r, 6) = M.topRightCorner(6, r).transpose();
  M.bottomRightCorner(r, r) = inertia.shapes_shapes[0] + inertia.shapes_shapes[3] + inertia.shapes_shapes[5];
  return M;
}

}  // namespace

MassSummary mass_summary(const ReducedPart& part) {
  const PartInertia& inertia = part.inertia;
  const Vector3d center = inertia.first / inertia.mass;
  return {inertia.mass, center, inertia_about(inertia.second - inertia.mass * center * center.transpose())};
}

MassSummary mass_summary(const Structure& structure) {
  const Eigen::MatrixXd R = rigid_motions(structure);
  const Eigen::Matrix<double, 6, 6> M = R.transpose() * (mass_matrix(structure) * R);
  const double mass = M.topLeftCorner<3, 3>().trace() / 3;
  const Matrix3d first = M.bottomLeftCorner<3, 3>();  // ∫ x× dm
  const Vector3d center =
      Vector3d(first(2, 1) - first(1, 2), first(0, 2) - first(2, 0), first(1, 0) - first(0, 1)) / (2 * mass);
  return {mass, center, M.bottomRightCorner<3, 3>() + mass * skew(center) * skew(center)};
}

double strain_of_motion(const Structure& structure) {
  Eigen::MatrixXd R = rigid_motions(structure);
  R.rightCols<3>() += R.leftCols<3>() * skew(structure.nodes.rowwise().mean());  // about the middle
  const Eigen::MatrixXd forces = structure.stiffness * R, size = structure.stiffness.cwiseAbs() * R.cwiseAbs();
  return forces.cwiseAbs().cwiseQuotient(size.cwiseMax(1e-300)).maxCoeff();
}

double momentum_of_shapes(const ReducedPart& part) {
  if (part.shapes() == 0) return 0;
  const MassSummary summary = mass_summary(part);
  const Eigen::Matrix3Xd turns = moments_of_shapes(part.inertia) - skew(summary.center) * part.inertia.shapes;
  return std::max(part.inertia.shapes.cwiseAbs().maxCoeff() / std::sqrt(summary.mass),
                  turns.cwiseAbs().maxCoeff() / std::sqrt(summary.inertia.trace()));
}

HeldModes held_modes(const ReducedPart& part, const std::vector<int>& interfaces) {
  const int r = part.shapes(), rows = 6 * static_cast<int>(interfaces.size());
  const Eigen::MatrixXd M = mass_with_motions(part);
  Eigen::MatrixXd K = Eigen::MatrixXd::Zero(6 + r, 6 + r);
  K.bottomRightCorner(r, r) = part.stiffness;
  // Motions of the interfaces, in units in which motions of the whole part and shapes are of like size.
  const MassSummary summary = mass_summary(part);
  VectorXd unit = VectorXd::Ones(6 + r);
  unit.head<3>().setConstant(1 / std::sqrt(summary.mass));
  unit.segment<3>(3).setConstant(1 / std::sqrt(summary.inertia.trace()));
  Eigen::MatrixXd held = Eigen::MatrixXd::Zero(rows, 6 + r);
  for (std::size_t i = 0; i < interfaces.size(); ++i) {
    const PartInterface& interface = part.interfaces[static_cast<std::size_t>(interfaces[i])];
    const int row = 6 * static_cast<int>(i);
    held.block<3, 3>(row, 0).setIdentity();
    held.block<3, 3>(row, 3) = -skew(interface.position - summary.center);
    held.block<3, 3>(row + 3, 3).setIdentity();
    held.block(row, 6, 3, r) = interface.translation;
    held.block(row + 3, 6, 3, r) = interface.rotation;
  }
  held = (held * unit.asDiagonal()).eval();
  for (int i = 0; i < rows; ++i) held.row(i) /= held.row(i).norm();
  Eigen::MatrixXd free = Eigen::MatrixXd::Identity(6 + r, 6 + r);
  if (rows > 0) {
    Eigen::FullPivLU<Eigen::MatrixXd> lu(held);
    lu.setThreshold(1e-9);
    if (lu.rank() == 6 + r) return {VectorXd(0), Eigen::Matrix<double, Eigen::Dynamic, 6>(0, 6)};
    free = lu.kernel();
  }
  free = (unit.asDiagonal() * free).eval();
  const Eigen::GeneralizedSelfAdjointEigenSolver<Eigen::MatrixXd> own(free.transpose() * K * free,
                                                                      free.transpose() * M * free);
  HeldModes modes;
  modes.frequencies = own.eigenvalues().cwiseMax(0).cwiseSqrt();
  modes.effective = ((free * own.eigenvectors()).transpose() * M.leftCols<6>()).cwiseAbs2();
  for (int i = 0; i < 6; ++i) modes.effective.col(i) /= M(i, i);
  return modes;
}

}  // namespace bricard
