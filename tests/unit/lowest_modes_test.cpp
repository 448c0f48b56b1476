// SPDX-License-Identifier: Apache-2.0
#include "bricard/flex/lowest_modes.h"

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <cmath>
#include <numbers>

namespace bricard {
namespace lowest_modes_test {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using Entries = std::vector<Eigen::Triplet<double>>;

SparseMatrix matrix_of(int n, const Entries& entries) {
  SparseMatrix A(n, n);
  A.setFromTriplets(entries.begin(), entries.end());
  return A;
}

void add_spring(Entries& K, int a, int b, double c) {
  K.emplace_back(a, a, c);
  K.emplace_back(b, b, c);
  K.emplace_back(a, b, -c);
  K.emplace_back(b, a, -c);
}

SparseMatrix identity(int n) {
  SparseMatrix one(n, n);
  one.setIdentity();
  return one;
}

/// n×n×n unit masses and springs along the axes; all faces are free, or held by a spring.
SparseMatrix lattice(int n, bool held) {
  Entries K;
  const auto at = [n](int x, int y, int z) { return (x * n + y) * n + z; };
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      for (int k = 0; k + 1 < n; ++k) {
        add_spring(K, at(k, i, j), at(k + 1, i, j), 1);
        add_spring(K, at(i, k, j), at(i, k + 1, j), 1);
        add_spring(K, at(i, j, k), at(i, j, k + 1), 1);
      }
      if (!held) continue;
      for (const int k : {0, n - 1}) {
        K.emplace_back(at(k, i, j), at(k, i, j), 1);
        K.emplace_back(at(i, k, j), at(i, k, j), 1);
        K.emplace_back(at(i, j, k), at(i, j, k), 1);
      }
    }
  return matrix_of(n * n * n, K);
}

/// ω² of a lattice: sums of three of those of chains, 4 sin²(k π/2n) free, 4 sin²(k π/2(n+1)) held.
std::vector<double> lattice_squares(int n, bool held) {
  std::vector<double> chain, all;
  for (int k = held ? 1 : 0; k < n + (held ? 1 : 0); ++k)
    chain.push_back(4 * std::pow(std::sin(k * std::numbers::pi / 2 / (held ? n + 1 : n)), 2));
  for (const double a : chain)
    for (const double b : chain)
      for (const double c : chain) all.push_back(a + b + c);
  std::sort(all.begin(), all.end());
  return all;
}

void expect_modes(const SparseMatrix& K, const SparseMatrix& M, const LowestModes& modes) {
  const MatrixXd& shapes = modes.shapes;
  const MatrixXd one = MatrixXd::Identity(shapes.cols(), shapes.cols());
  EXPECT_LT((shapes.transpose() * M * shapes - one).norm(), 1e-10);
  const VectorXd squares = modes.frequencies.cwiseAbs2();
  const MatrixXd forces = K * shapes, inertia = M * shapes * squares.asDiagonal();
  EXPECT_LT((forces - inertia).norm(), 1e-8 * K.norm() / std::sqrt(K.rows()));
}

TEST(LowestModes, AreThoseOfALatticeWithAllItsEqualFrequencies) {
  for (const bool held : {true, false}) {
    const int n = 13;  // 2197 unknowns
    const SparseMatrix K = lattice(n, held), M = identity(n * n * n);
    for (const int count : {1, 5, 30, 60}) {
      SCOPED_TRACE(::testing::Message() << (held ? "held " : "free ") << count);
      const LowestModes modes = lowest_modes(K, M, count);
      ASSERT_EQ(modes.problem, "");
      ASSERT_EQ(modes.count(), count);
      EXPECT_EQ(modes.free, held ? 0 : 1);
      const std::vector<double> exact = lattice_squares(n, held);
      for (int i = 0; i < count; ++i)
        EXPECT_NEAR(std::pow(modes.frequencies[i], 2), exact[i], 1e-9 * (exact[i] + modes.shift)) << i;
      expect_modes(K, M, modes);
    }
  }
}

TEST(LowestModes, OfSeveralFreePartsAreAllFound) {
  Entries springs;
  constexpr int kParts = 15, kLength = 40;
  for (int part = 0; part < kParts; ++part)
    for (int i = 0; i + 1 < kLength; ++i) add_spring(springs, part * kLength + i, part * kLength + i + 1, 1e6);
  const int n = kParts * kLength;
  const LowestModes modes = lowest_modes(matrix_of(n, springs), identity(n), 2 * kParts);
  ASSERT_EQ(modes.problem, "");
  EXPECT_EQ(modes.free, kParts);
  for (int i = 0; i < 2 * kParts; ++i) {
    const double exact = i < kParts ? 0 : 2e3 * std::sin(std::numbers::pi / 2 / kLength);
    EXPECT_NEAR(modes.frequencies[i], exact, i < kParts ? 0.01 : 1e-7 * exact);
  }
}

/// A chain whose first frequency is far below its highest: σ has to be found. ω² = 4 sin²(k π/2n), and fourth powers of them.
TEST(LowestModes, FindTheSizeOfTheLowestFrequencies) {
  constexpr int kLength = 400;
  Entries springs;
  for (int i = 0; i + 1 < kLength; ++i) add_spring(springs, i, i + 1, 1);
  const SparseMatrix K = matrix_of(kLength, springs), KK = K * K;
  const LowestModes modes = lowest_modes(KK, identity(kLength), 12, Support::free);
  ASSERT_EQ(modes.problem, "");
  EXPECT_EQ(modes.free, 1);
  for (int i = 1; i < 12; ++i) {
    const double exact = 4 * std::pow(std::sin(i * std::numbers::pi / 2 / kLength), 2);
    EXPECT_NEAR(modes.frequencies[i], exact, 1e-6 * exact) << i;  // K² has a condition of 1e9
  }
}

TEST(LowestModes, LeaveOutWhatHasNoMass) {
  const int n = 9;
  const SparseMatrix K = lattice(n, true);
  Entries masses;
  for (int i = 0; i < n * n * n; i += 40) masses.emplace_back(i, i, 2.0);
  const SparseMatrix M = matrix_of(n * n * n, masses);
  const LowestModes modes = lowest_modes(K, M, 40);
  ASSERT_EQ(modes.problem, "");
  ASSERT_EQ(modes.count(), static_cast<int>(masses.size()));
  // the flexibility of the masses alone, dense
  const MatrixXd flexibility = MatrixXd(K).inverse();
  MatrixXd F(masses.size(), masses.size());
  for (std::size_t i = 0; i < masses.size(); ++i)
    for (std::size_t j = 0; j < masses.size(); ++j) F(i, j) = 2 * flexibility(masses[i].row(), masses[j].row());
  const VectorXd theta = Eigen::SelfAdjointEigenSolver<MatrixXd>(F).eigenvalues().reverse();
  for (int i = 0; i < modes.count(); ++i) EXPECT_NEAR(modes.frequencies[i] * std::sqrt(theta[i]), 1, 1e-9);
}

TEST(LowestModes, SayWhatIsMissing) {
  const SparseMatrix K = lattice(5, false), none(125, 125);
  EXPECT_NE(lowest_modes(K, identity(125), 3, Support::held).problem.find("not held"), std::string::npos);
  EXPECT_NE(lowest_modes(-K, identity(125), 3).problem.find("not positive"), std::string::npos);
  WorkWatch watch;
  watch.cancelled = [] { return true; };
  EXPECT_THROW(lowest_modes(K, identity(125), 3, Support::unknown, watch), WorkStopped);
}

}  // namespace lowest_modes_test
}  // namespace bricard
