// SPDX-License-Identifier: Apache-2.0
#include "bricard/flex/part_stiffening.h"

#include <numeric>

#include "bricard/flex/part_integrals.h"
#include "bricard/system/assertion.h"

namespace bricard {
namespace {

/// Displacements under forces that are in equilibrium with reactions at what is held, up to a motion of the whole part.
class HeldStatics {
 public:
  HeldStatics(const SparseMatrix& K, const Eigen::MatrixXd& rigid, const Eigen::MatrixXd& held)
      : rigid_(rigid), held_(held), reactions_((rigid.transpose() * held.transpose()).fullPivLu()) {
    // Six unknowns that the motions of the whole part move independently: without them K is definite.
    Eigen::MatrixXd motions = rigid.transpose();
    for (int i = 0; i < 6; ++i) motions.row(i) /= motions.row(i).cwiseAbs().maxCoeff();
    const Eigen::ColPivHouseholderQR<Eigen::MatrixXd> pivots(motions);
    std::vector<bool> pinned(static_cast<size_t>(K.rows()), false);
    for (int i = 0; i < 6; ++i) pinned[static_cast<size_t>(pivots.colsPermutation().indices()[i])] = true;
    for (int i = 0; i < K.rows(); ++i)
      if (!pinned[static_cast<size_t>(i)]) free_.push_back(i);
    solver_.compute(part_of(K, free_, free_));
    BRICARD_ASSERT(solver_.info() == Eigen::Success);
  }

  VectorXd displacements(const VectorXd& forces) const {
    const VectorXd balanced = forces - held_.transpose() * reactions_.solve(rigid_.transpose() * forces);
    VectorXd some(static_cast<int>(free_.size())), u = VectorXd::Zero(forces.size());
    for (size_t i = 0; i < free_.size(); ++i) some[static_cast<int>(i)] = balanced[free_[i]];
    some = solver_.solve(some).eval();
    for (size_t i = 0; i < free_.size(); ++i) u[free_[i]] = some[static_cast<int>(i)];
    return u;
  }

 private:
  const Eigen::MatrixXd &rigid_, &held_;
  Eigen::FullPivLU<Eigen::MatrixXd> reactions_;
  std::vector<int> free_;
  Eigen::SimplicialLDLT<SparseMatrix> solver_;
};

}  // namespace

PartStiffening part_stiffening(const Structure& structure, const AttachedUnknowns& attached, const SparseMatrix& K,
                               const Eigen::MatrixXd& held, const Eigen::MatrixXd& shapes) {
  const HeldStatics statics(K, attached.rigid, held);
  const Eigen::MatrixXd all = attached.T * shapes;
  const auto of = [&](const Eigen::Matrix3Xd& accelerations) {
    const VectorXd forces = attached.T.transpose() * inertia_forces(structure, accelerations);
    const SparseMatrix K_g = structure.geometric_stiffness(attached.T * statics.displacements(forces));
    const Eigen::MatrixXd projected = all.transpose() * (K_g * all);
    return Eigen::MatrixXd(0.5 * (projected + projected.transpose()));
  };
  PartStiffening stiffening;
  const Eigen::Matrix3Xd none = Eigen::Matrix3Xd::Zero(3, structure.points.cols());
  for (int a = 0; a < 3; ++a) {
    Eigen::Matrix3Xd accelerations = none;
    accelerations.row(a).setOnes();
    stiffening.Y[static_cast<size_t>(a)] = of(accelerations);
    for (int b = 0; b < 3; ++b) {
      accelerations.row(a) = structure.points.row(b);
      stiffening.X[static_cast<size_t>(3 * a + b)] = of(accelerations);
    }
  }
  return stiffening;
}

}  // namespace bricard
