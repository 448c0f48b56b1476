// SPDX-License-Identifier: Apache-2.0
#include "bricard/flex/part_integrals.h"

namespace bricard {
namespace {

/// Rows a, a + 3, … of displacements of points.
Eigen::MatrixXd component(const Eigen::MatrixXd& displacements, int a) {
  Eigen::MatrixXd rows(displacements.rows() / 3, displacements.cols());
  for (int i = 0; i < rows.rows(); ++i) rows.row(i) = displacements.row(3 * i + a);
  return rows;
}

}  // namespace

Eigen::MatrixXd rigid_motions(const Structure& structure) {
  const int each = structure.unknowns_per_node();
  Eigen::MatrixXd R = Eigen::MatrixXd::Zero(structure.unknowns(), 6);
  for (int i = 0; i < structure.nodes.cols(); ++i) {
    R.block<3, 3>(each * i, 0).setIdentity();
    R.block<3, 3>(each * i, 3) = -skew(structure.nodes.col(i));
    if (structure.turning) R.block<3, 3>(each * i + 3, 3).setIdentity();
  }
  return R;
}

PartInertia part_inertia(const Structure& structure, const Eigen::MatrixXd& shapes) {
  const int r = static_cast<int>(shapes.cols());
  const SparseMatrix& W = structure.weights;
  const Eigen::MatrixXd x = structure.points.transpose();
  const Eigen::MatrixXd displacements = structure.displacement * shapes;
  PartInertia inertia;
  const VectorXd mass_of_points = W * VectorXd::Ones(W.cols());
  inertia.mass = mass_of_points.sum();
  inertia.first = x.transpose() * mass_of_points;
  inertia.second = x.transpose() * (W * x);
  inertia.second = 0.5 * (inertia.second + inertia.second.transpose()).eval();
  inertia.shapes.resize(3, r);
  inertia.points_shapes.resize(9, r);
  std::array<Eigen::MatrixXd, 3> phi, W_phi;
  for (int b = 0; b < 3; ++b) {
    phi[b] = component(displacements, b), W_phi[b] = W * phi[b];
    inertia.shapes.row(b) = mass_of_points.transpose() * phi[b];
    for (int a = 0; a < 3; ++a) inertia.points_shapes.row(3 * a + b) = x.col(a).transpose() * W_phi[b];
  }
  int pair = 0;
  for (int a = 0; a < 3; ++a)
    for (int b = a; b < 3; ++b) inertia.shapes_shapes[pair++] = phi[a].transpose() * W_phi[b];
  for (const int same : {0, 3, 5}) {  // symmetric but for round-off
    Eigen::MatrixXd& A = inertia.shapes_shapes[same];
    A = 0.5 * (A + A.transpose()).eval();
  }
  return inertia;
}

Eigen::Matrix3Xd inertia_forces(const Structure& structure, const Eigen::Matrix3Xd& accelerations) {
  return -(structure.weights * accelerations.transpose()).transpose();
}

VectorXd forces_on_unknowns(const Structure& structure, const Eigen::Matrix3Xd& forces) {
  return structure.displacement.transpose() * Eigen::Map<const VectorXd>(forces.data(), forces.size());
}

}  // namespace bricard
