// SPDX-License-Identifier: Apache-2.0
#include "bricard/flex/sparse_cholesky.h"

#include <gtest/gtest.h>

#include <Eigen/SparseCholesky>
#include <algorithm>
#include <numeric>
#include <random>

namespace bricard {
namespace sparse_cholesky_test {

using Eigen::MatrixXd;
using SparseMatrix = Eigen::SparseMatrix<double>;
using Entries = std::vector<Eigen::Triplet<double>>;

SparseMatrix matrix_of(int n, const Entries& entries) {
  SparseMatrix A(n, n);
  A.setFromTriplets(entries.begin(), entries.end());
  return A;
}

/// Bᵀ B + shift of a random sparse B: positive definite.
SparseMatrix random_matrix(int n, double per_row, std::mt19937& random) {
  std::uniform_real_distribution<double> value(-1, 1);
  std::uniform_int_distribution<int> place(0, n - 1);
  Entries entries;
  for (int k = 0; k < per_row * n; ++k) entries.emplace_back(place(random), place(random), value(random));
  const SparseMatrix B = matrix_of(n, entries);
  SparseMatrix A = B.transpose() * B;
  for (int i = 0; i < n; ++i) A.coeffRef(i, i) += 0.1;
  A.makeCompressed();
  return A;
}

/// Springs between the neighbours of an n×n×n grid with k unknowns per node, and to ground everywhere.
SparseMatrix grid(int n, int k, double ground) {
  Entries entries;
  const auto at = [n](int x, int y, int z) { return (x * n + y) * n + z; };
  const auto spring = [&](int a, int b) {
    for (int i = 0; i < k; ++i)
      for (int j = 0; j < k; ++j) {
        const double c = i == j ? 2.0 : 0.5;
        entries.emplace_back(k * a + i, k * a + j, c);
        entries.emplace_back(k * b + i, k * b + j, c);
        entries.emplace_back(k * a + i, k * b + j, -c);
        entries.emplace_back(k * b + i, k * a + j, -c);
      }
  };
  for (int x = 0; x < n; ++x)
    for (int y = 0; y < n; ++y)
      for (int z = 0; z < n; ++z) {
        if (x + 1 < n) spring(at(x, y, z), at(x + 1, y, z));
        if (y + 1 < n) spring(at(x, y, z), at(x, y + 1, z));
        if (z + 1 < n) spring(at(x, y, z), at(x, y, z + 1));
        for (int i = 0; i < k; ++i) entries.emplace_back(k * at(x, y, z) + i, k * at(x, y, z) + i, ground);
      }
  return matrix_of(n * n * n * k, entries);
}

/// A free chain of springs on unknowns first … first + n − 1, held at its beginning or not at all.
void add_chain(Entries& entries, int first, int n, bool held) {
  for (int i = first; i + 1 < first + n; ++i) {
    entries.emplace_back(i, i, 1.0);
    entries.emplace_back(i + 1, i + 1, 1.0);
    entries.emplace_back(i, i + 1, -1.0);
    entries.emplace_back(i + 1, i, -1.0);
  }
  if (held) entries.emplace_back(first, first, 1.0);
}

/// Errors of both solutions are within n ε cond; the residual does not depend on the condition.
void expect_solves(const SparseMatrix& A, int sides, double tolerance) {
  SparseCholesky own(A);
  ASSERT_TRUE(own.factorize(A).regular());
  const MatrixXd b = MatrixXd::Random(A.rows(), sides), x = own.solve(b);
  const Eigen::SimplicialLLT<SparseMatrix> other(A);
  ASSERT_EQ(other.info(), Eigen::Success);
  EXPECT_LT((x - other.solve(b)).norm(), tolerance * x.norm());
  EXPECT_LT((A * x - b).norm(), 1e-13 * std::sqrt(A.rows()) * (A.norm() * x.norm() + b.norm()));
}

TEST(SparseCholesky, SolvesRandomMatricesAsSimplicialCholeskyDoes) {
  std::mt19937 random(1);
  for (const int n : {1, 2, 3, 7, 40, 200, 500})
    for (const double per_row : {0.2, 1.0, 3.0}) {
      SCOPED_TRACE(::testing::Message() << n << " unknowns, " << per_row << " entries in a row");
      expect_solves(random_matrix(n, per_row, random), 1 + n % 3, 1e-9);
    }
}

TEST(SparseCholesky, SolvesGridsWithOneOrThreeUnknownsPerNode) {
  expect_solves(grid(17, 1, 1e-3), 5, 1e-9);
  expect_solves(grid(11, 3, 1e-3), 70, 1e-9);  // more right-hand sides than it takes at once
}

TEST(SparseCholesky, SolvesManyPartsThatDoNotTouch) {
  std::mt19937 random(2);
  std::uniform_int_distribution<int> length(1, 30);
  Entries chains;
  int n = 0;
  while (n < 3000) {
    const int size = length(random);
    add_chain(chains, n, size, true);
    n += size;
  }
  std::vector<int> place(n);
  std::iota(place.begin(), place.end(), 0);
  std::shuffle(place.begin(), place.end(), random);
  Entries mixed;
  for (const auto& entry : chains) mixed.emplace_back(place[entry.row()], place[entry.col()], entry.value());
  expect_solves(matrix_of(n, mixed), 2, 1e-10);
}

TEST(SparseCholesky, StoresNoMoreThanMinimumDegreeOnGridsInSpace) {
  const SparseMatrix A = grid(20, 1, 1);
  const Eigen::SimplicialLLT<SparseMatrix> other(A);
  const SparseCholesky own(A);
  // supernodes are stored as rectangles, with their upper triangles and some zeros
  EXPECT_LT(own.entries(), 1.2 * static_cast<double>(SparseMatrix(other.matrixL()).nonZeros()));
  EXPECT_GT(own.bytes(), 8 * own.entries());
}

TEST(SparseCholesky, TakesOtherMatricesOfTheSamePattern) {
  const SparseMatrix A = grid(8, 3, 1);
  SparseCholesky own(A);
  SparseMatrix diagonal(A.rows(), A.cols());
  diagonal.setIdentity();
  ASSERT_TRUE(own.factorize(A + 3 * diagonal).regular());
  ASSERT_TRUE(own.factorize(2 * diagonal).regular());
  const MatrixXd b = MatrixXd::Random(A.rows(), 2);
  EXPECT_LT((own.solve(b) - b / 2).norm(), 1e-14 * b.norm());
}

TEST(SparseCholesky, SaysWhichPartIsFree) {
  for (int loose = 0; loose < 20; ++loose) {
    Entries entries;
    for (int part = 0; part < 20; ++part) add_chain(entries, 50 * part, 50, part != loose);
    const SparseMatrix A = matrix_of(1000, entries);
    SparseCholesky own(A);
    const CholeskyReport report = own.factorize(A);
    ASSERT_FALSE(report.regular());
    EXPECT_EQ(report.unknown / 50, loose);
    EXPECT_LT(std::abs(report.pivot), 1e-12 * report.diagonal);
  }
}

TEST(SparseCholesky, RefusesSingularAndIndefiniteMatrices) {
  for (const int k : {1, 3}) {
    const SparseMatrix A = grid(9, k, 0);
    EXPECT_FALSE(SparseCholesky(A).factorize(A).regular());
  }
  SparseMatrix A = grid(9, 1, 1);
  A.coeffRef(300, 300) -= 12;
  SparseCholesky own(A);
  const CholeskyReport report = own.factorize(A);
  ASSERT_FALSE(report.regular());
  EXPECT_LT(report.pivot, -0.1);
  A.coeffRef(300, 300) = std::numeric_limits<double>::quiet_NaN();
  EXPECT_FALSE(own.factorize(A).regular());
}

TEST(SparseCholesky, TellsHowFarItIsAndStops) {
  const SparseMatrix A = grid(10, 1, 1);
  SparseCholesky own(A);
  double last = 0;
  int calls = 0;
  WorkWatch watch{[&](const std::string&, double share) {
                    EXPECT_GE(share, last);
                    last = share;
                  },
                  {}};
  ASSERT_TRUE(own.factorize(A, watch).regular());
  EXPECT_NEAR(last, 1, 1e-9);
  last = 0;
  watch.cancelled = [&] { return ++calls > 3; };
  EXPECT_THROW(own.factorize(A, watch), WorkStopped);
}

}  // namespace sparse_cholesky_test
}  // namespace bricard
