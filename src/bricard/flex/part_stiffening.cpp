// SPDX-License-Identifier: Apache-2.0
#include "bricard/flex/part_stiffening.h"

#include "bricard/flex/part_integrals.h"
#include "bricard/system/assertion.h"

namespace bricard {

StressStiffness::StressStiffness(const Structure& structure, const AttachedUnknowns& attached, const SparseMatrix& K,
                                 const Eigen::MatrixXd& held, bool mean_axes, const Eigen::MatrixXd& shapes)
    : structure_(structure), attached_(attached), held_(held), mean_axes_(mean_axes), shapes_(attached.T * shapes),
      reactions_(attached.rigid.transpose() * held.transpose()) {
  Eigen::MatrixXd motions = attached.rigid.transpose();
  for (int i = 0; i < 6; ++i) motions.row(i) /= motions.row(i).cwiseAbs().maxCoeff();
  const Eigen::ColPivHouseholderQR<Eigen::MatrixXd> pivots(motions);
  std::vector<bool> pinned(static_cast<size_t>(K.rows()), false);
  for (int i = 0; i < 6; ++i) pinned[static_cast<size_t>(pivots.colsPermutation().indices()[i])] = true;
  for (int i = 0; i < K.rows(); ++i)
    if (!pinned[static_cast<size_t>(i)]) free_.push_back(i);
  const SparseMatrix rest = part_of(K, free_, free_);
  solver_ = std::make_unique<SparseCholesky>(rest);
  BRICARD_ASSERT(solver_->factorize(rest).regular());  // its modes were found
}

// Geometric stiffness does not see motions of the whole part, by which u₀ is free.
Eigen::MatrixXd StressStiffness::of(const VectorXd& on_unknowns, Eigen::Matrix3Xd on_points) const {
  const VectorXd forces = on_unknowns + attached_.T.transpose() * forces_on_unknowns(structure_, on_points);
  const VectorXd reactions = reactions_.solve(attached_.rigid.transpose() * forces);
  const VectorXd balanced = forces - held_.transpose() * reactions;
  if (mean_axes_) {
    const VectorXd motion = structure_.displacement * (attached_.T * (attached_.rigid * reactions));
    on_points += inertia_forces(structure_, Eigen::Map<const Eigen::Matrix3Xd>(motion.data(), 3, motion.size() / 3));
  }
  const VectorXd some = solver_->solve(balanced(free_));
  VectorXd u = VectorXd::Zero(forces.size());
  for (size_t i = 0; i < free_.size(); ++i) u[free_[i]] = some[static_cast<int>(i)];
  SparseMatrix K_g = structure_.geometric_stiffness(attached_.T * u);
  if (structure_.lever_stiffness) K_g += structure_.lever_stiffness(on_points);
  const Eigen::MatrixXd projected = shapes_.transpose() * (K_g * shapes_);
  return 0.5 * (projected + projected.transpose());
}

PartStiffening StressStiffness::of_accelerations() const {
  const auto under = [&](int a, const Eigen::RowVectorXd& accelerations) {
    Eigen::Matrix3Xd all = Eigen::Matrix3Xd::Zero(3, structure_.points.cols());
    all.row(a) = accelerations;
    return of(VectorXd::Zero(attached_.T.cols()), inertia_forces(structure_, all));
  };
  PartStiffening stiffening;
  for (int a = 0; a < 3; ++a) {
    stiffening.Y[static_cast<size_t>(a)] = under(a, Eigen::RowVectorXd::Ones(structure_.points.cols()));
    for (int b = 0; b < 3; ++b) stiffening.X[static_cast<size_t>(3 * a + b)] = under(a, structure_.points.row(b));
  }
  return stiffening;
}

std::array<Eigen::MatrixXd, 3> StressStiffness::shortening(int interface) const {
  std::array<Eigen::MatrixXd, 3> chi;
  for (size_t a = 0; a < 3; ++a) {
    VectorXd force = VectorXd::Zero(attached_.T.cols());
    force[attached_.interfaces[static_cast<size_t>(interface)][a]] = 1;
    chi[a] = -of(force, Eigen::Matrix3Xd::Zero(3, structure_.points.cols()));
  }
  return chi;
}

}  // namespace bricard
