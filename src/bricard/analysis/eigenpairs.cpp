// SPDX-License-Identifier: Apache-2.0
#include "bricard/analysis/eigenpairs.h"

#include <cmath>
#include <limits>

extern "C" {
void dgeevx_(const char* balance, const char* left, const char* right, const char* sense, const int* n, double* a,
             const int* lda, double* wr, double* wi, double* vl, const int* ldvl, double* vr, const int* ldvr, int* low,
             int* high, double* scale, double* norm, double* rconde, double* rcondv, double* work, const int* lwork,
             int* iwork, int* info);
void dgesvd_(const char* left, const char* right, const int* m, const int* n, double* a, const int* lda, double* s,
             double* u, const int* ldu, double* vt, const int* ldvt, double* work, const int* lwork, int* info);
void dgebal_(const char* job, const int* n, double* a, const int* lda, int* low, int* high, double* scale, int* info);
}

namespace bricard {
namespace {

using Complex = std::complex<double>;
constexpr double kEpsilon = std::numeric_limits<double>::epsilon();

/// D of the similarity D⁻¹A D whose rows and columns are of like size.
VectorXd balance_of(MatrixXd A) {
  const int n = static_cast<int>(A.rows());
  VectorXd scale(n);
  int low = 0, high = 0, info = 0;
  dgebal_("S", &n, A.data(), &n, &low, &high, scale.data(), &info);
  return scale;
}

struct RightVectors {
  VectorXd values;  ///< σ, the largest first
  MatrixXd V;       ///< A V = U diag(σ); empty if LAPACK did not converge
};

RightVectors right_singular_vectors(MatrixXd A) {
  const int n = static_cast<int>(A.rows()), none = 1;
  RightVectors found{VectorXd(n), {}};
  MatrixXd Vt(n, n);
  VectorXd work(1);
  int info = 0, size = -1;
  for (const bool query : {true, false}) {
    if (!query) size = static_cast<int>(work[0]), work.resize(size);
    dgesvd_("N", "A", &n, &n, A.data(), &n, found.values.data(), nullptr, &none, Vt.data(), &n, work.data(), &size,
            &info);
  }
  if (info == 0) found.V = Vt.transpose();
  return found;
}

struct Split {
  MatrixXd Q;
  Eigen::Index zeros = 0;  ///< eigenvalues
};

/// Q with QᵀB Q = [0 *; 0 B₂], B₂ regular to within `tolerance` or again of this form; B becomes that with exact zeros.
Split split_off_zeros(MatrixXd& B, double tolerance) {
  const Eigen::Index n = B.rows();
  Split split{MatrixXd::Identity(n, n)};
  MatrixXd& Q = split.Q;
  for (Eigen::Index& done = split.zeros; done < n;) {
    const Eigen::Index rest = n - done;
    const RightVectors svd = right_singular_vectors(B.bottomRightCorner(rest, rest));
    const Eigen::Index rank = (svd.values.array() > tolerance).count(), zeros = rest - rank;
    if (zeros == 0 || svd.V.size() == 0) break;
    MatrixXd turn(rest, rest);  // what vanishes comes first
    turn << svd.V.rightCols(zeros), svd.V.leftCols(rank);
    B.rightCols(rest) = B.rightCols(rest) * turn;
    B.bottomRows(rest) = turn.transpose() * B.bottomRows(rest);
    B.block(done, done, rest, zeros).setZero();
    Q.rightCols(rest) = Q.rightCols(rest) * turn;
    done += zeros;
  }
  return split;
}

/// LAPACK keeps real and imaginary parts of a pair in neighbouring columns.
MatrixXcd complex_vectors(const MatrixXd& vectors, const VectorXd& imaginary) {
  MatrixXcd all = vectors.cast<Complex>();
  for (Eigen::Index i = 0; i < all.cols(); ++i) {
    if (imaginary[i] == 0) continue;
    all.col(i) = vectors.col(i) + Complex(0, 1) * vectors.col(i + 1);
    all.col(i + 1) = all.col(i).conjugate();
    ++i;
  }
  return all;
}

struct Schur {
  VectorXcd values;
  MatrixXcd left, right;
};

std::optional<Schur> lapack_pairs(MatrixXd A) {
  const int n = static_cast<int>(A.rows());
  VectorXd real(n), imaginary(n), scale(n), conditions(n), more_conditions(n), work(1);
  MatrixXd left(n, n), right(n, n);
  int low = 0, high = 0, info = 0, size = -1, unused = 0;
  double norm = 0;
  for (const bool query : {true, false}) {
    if (!query) size = static_cast<int>(work[0]), work.resize(size);
    dgeevx_("B", "V", "V", "N", &n, A.data(), &n, real.data(), imaginary.data(), left.data(), &n, right.data(), &n,
            &low, &high, scale.data(), &norm, conditions.data(), more_conditions.data(), work.data(), &size, &unused,
            &info);
  }
  if (info != 0) return {};
  return Schur{real + Complex(0, 1) * imaginary, complex_vectors(left, imaginary), complex_vectors(right, imaginary)};
}

}  // namespace

std::optional<Eigenpairs> eigenpairs_of(MatrixXd A, MatrixXd errors) {
  const Eigen::Index n = A.rows();
  Eigenpairs pairs{VectorXcd(n), MatrixXcd(n, n), VectorXd(n)};
  if (n == 0) return pairs;
  for (Eigen::Index i = 0; i < A.size(); ++i)
    if (std::abs(A.data()[i]) <= errors.data()[i]) A.data()[i] = errors.data()[i] = 0;
  const VectorXd D = balance_of(A);
  MatrixXd B = D.cwiseInverse().asDiagonal() * A * D.asDiagonal();
  const MatrixXd of_B = D.cwiseInverse().asDiagonal() * errors * D.asDiagonal();
  const double round_off = kEpsilon * B.norm(), tolerance = round_off + of_B.norm();
  const Split split = split_off_zeros(B, tolerance);
  const auto found = lapack_pairs(B);
  if (!found) return {};
  pairs.values = found->values;
  pairs.vectors = D.asDiagonal() * (split.Q * found->right);
  // what was taken for zero stays so: its errors move zero eigenvalues, no others
  const MatrixXd squares = split.Q.cwiseAbs2();
  MatrixXd variances = squares.transpose() * of_B.cwiseAbs2() * squares;
  variances.leftCols(split.zeros).setZero();
  for (Eigen::Index i = 0; i < n; ++i) {
    const auto x = found->right.col(i), w = found->left.col(i);
    const Eigen::Index rest = n - split.zeros;
    const double of_entries = std::sqrt(w.cwiseAbs2().dot(variances * x.cwiseAbs2()));
    const double of_lapack = round_off * w.tail(rest).norm() * x.tail(rest).norm();
    pairs.errors[i] = pairs.values[i] == 0.0 ? tolerance : (of_entries + of_lapack) / std::abs(w.dot(x));
  }
  return pairs;
}

std::optional<Eigenpairs> eigenpairs_of(const MatrixXd& A) { return eigenpairs_of(A, kEpsilon * A.cwiseAbs()); }

}  // namespace bricard
