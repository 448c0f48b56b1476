// SPDX-License-Identifier: Apache-2.0
#include "papers/conditioning.h"

#include <cmath>

namespace bricard::conditioning {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

// A singular value of G this much below the largest belongs to a dependent constraint.
constexpr double kDependent = 1e-9;

double norm2(const MatrixXd& A) { return Eigen::JacobiSVD<MatrixXd>(A).singularValues()[0]; }

MatrixXd matrix_of(const System& system, const State& s, const NewtonForm& form) {
  NewtonSystem newton(system, SolverType::dense);
  Kinematics k = system.make_kinematics();
  system.update(s, k);
  const std::vector<Matrix3d> no_chart(system.nodes().size(), Matrix3d::Identity());
  NewtonForm plain = form;
  plain.regularization.epsilon = 0;
  return without_redundancy(newton.dense_matrix(k, no_chart, plain), system.velocities());
}

}  // namespace

double condition_number(const MatrixXd& A) {
  const VectorXd sigma = Eigen::JacobiSVD<MatrixXd>(A).singularValues();
  return sigma[0] / sigma[sigma.size() - 1];
}

MatrixXd without_redundancy(const MatrixXd& A, int n) {
  const auto m = A.rows() - n;
  const Eigen::JacobiSVD<MatrixXd> svd(A.bottomLeftCorner(m, n), Eigen::ComputeThinU);
  const auto rank = (svd.singularValues().array() > kDependent * svd.singularValues()[0]).count();
  MatrixXd basis = MatrixXd::Zero(n + m, n + rank);
  basis.topLeftCorner(n, n).setIdentity();
  basis.bottomRightCorner(m, rank) = svd.matrixU().leftCols(rank);
  return basis.transpose() * A * basis;
}

double condition_number(const VectorXd& L, const MatrixXd& A, const VectorXd& R) {
  const MatrixXd inverse = A.inverse();
  return norm2(L.asDiagonal() * A * R.asDiagonal()) *
         norm2(R.cwiseInverse().asDiagonal() * inverse * L.cwiseInverse().asDiagonal());
}

double condition_number(const System& system, const State& s, const NewtonForm& form) {
  return condition_number(matrix_of(system, s, form));
}

// The scaled matrix is L J R with L = diag(c, s), R = diag(1, s/c).                          [Bauchau2009, sec. 6]
double condition_number(const System& system, const State& s, const NewtonForm& form, double factor, double scale) {
  const MatrixXd A = matrix_of(system, s, form);
  const int n = system.velocities();
  VectorXd L = VectorXd::Constant(A.rows(), scale / form.scale),
           R = VectorXd::Constant(A.rows(), scale / factor * form.factor / form.scale);
  L.head(n).setConstant(factor / form.factor);
  R.head(n).setOnes();
  return condition_number(L, A, R);
}

double unscaled_condition_number(const System& system, const State& s, const NewtonForm& form) {
  return condition_number(system, s, form, 1, 1);
}

double slope(const std::vector<double>& x, const std::vector<double>& y) {
  return std::log(y.back() / y.front()) / std::log(x.back() / x.front());
}

}  // namespace bricard::conditioning
