// SPDX-License-Identifier: Apache-2.0
#include "bricard/system/manifold.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>
#include <random>

// The contract of a manifold, checked by one set of tests for any product of blocks:
//     retract(q, 0) = q,    difference(q, retract(q, δ)) = δ,    T⁻¹T = 1,
//     retract(q, δ + dδ) = retract(retract(q, δ), T(δ) dδ) + O(dδ²)
namespace bricard {
namespace manifold_test {

constexpr double kEpsilon = std::numeric_limits<double>::epsilon();

struct ManifoldCase {
  std::string name;
  Manifold manifold;
};

/// Sizes of vector blocks; 0 stands for a rotation.
ManifoldCase product(const std::string& name, const std::vector<int>& blocks) {
  ManifoldCase c{name, {}};
  for (const int size : blocks) size > 0 ? c.manifold.add_vector(size) : c.manifold.add_rotation();
  return c;
}

void PrintTo(const ManifoldCase& c, std::ostream* out) { *out << c.name; }

class ManifoldTest : public ::testing::TestWithParam<ManifoldCase> {
 protected:
  const Manifold& manifold_ = GetParam().manifold;
  std::mt19937 generator_{11};

  VectorXd random(int size) {
    std::uniform_real_distribution<double> uniform(-1, 1);
    VectorXd x(size);
    for (double& value : x) value = uniform(generator_);
    return x;
  }
  /// A point anywhere, with unit quaternions.
  VectorXd point() {
    VectorXd q = random(manifold_.coordinates());
    for (const Manifold::Block& b : manifold_.blocks())
      if (b.kind == Manifold::Kind::rotation) q.segment<4>(b.q).normalize();
    return q;
  }
  /// A variation whose blocks have the length given.
  VectorXd variation(double length) {
    VectorXd delta = random(manifold_.dimension());
    for (const Manifold::Block& b : manifold_.blocks())
      delta.segment(b.v, b.size) *= length / delta.segment(b.v, b.size).norm();
    return delta;
  }
  VectorXd retracted(const VectorXd& q, const VectorXd& delta) {
    VectorXd out(manifold_.coordinates());
    manifold_.retract(q, delta, out);
    return out;
  }
  VectorXd difference(const VectorXd& from, const VectorXd& to) {
    VectorXd delta(manifold_.dimension());
    manifold_.difference(from, to, delta);
    return delta;
  }
  VectorXd tangent(const VectorXd& delta, const VectorXd& x) {
    VectorXd y(manifold_.dimension());
    manifold_.apply_tangent(delta, x, y);
    return y;
  }
};

const double kLengths[] = {1e-12, 1e-8, 1e-4, 0.3, 1, 2, 3, std::numbers::pi - 1e-6};

TEST_P(ManifoldTest, RetractingByNothingStays) {
  const VectorXd q = point();
  EXPECT_LE((retracted(q, VectorXd::Zero(manifold_.dimension())) - q).lpNorm<Eigen::Infinity>(), kEpsilon);
}

TEST_P(ManifoldTest, DifferenceUndoesRetract) {
  for (const double length : kLengths) {
    const VectorXd q = point(), delta = variation(length);
    // coordinates of size 1 are known to a rounding, and so is what lies between them
    EXPECT_LE((difference(q, retracted(q, delta)) - delta).lpNorm<Eigen::Infinity>(),
              8 * kEpsilon * std::max(1.0, length))
        << length;
  }
}

TEST_P(ManifoldTest, RetractUndoesDifference) {
  for (int i = 0; i < 20; ++i) {
    const VectorXd from = point(), to = point();
    // compared by their difference, because q and −q are the same rotation
    EXPECT_LE(difference(to, retracted(from, difference(from, to))).lpNorm<Eigen::Infinity>(), 16 * kEpsilon);
  }
}

TEST_P(ManifoldTest, MayRetractInPlace) {
  VectorXd q = point();
  const VectorXd delta = variation(0.7), expected = retracted(q, delta);
  manifold_.retract(q, delta, q);
  EXPECT_EQ(q, expected);
}

TEST_P(ManifoldTest, StaysOnTheManifoldOverManySteps) {
  VectorXd q = point();
  for (int i = 0; i < 10000; ++i) manifold_.retract(q, variation(0.5), q);
  for (const Manifold::Block& b : manifold_.blocks())
    if (b.kind == Manifold::Kind::rotation) {
      EXPECT_NEAR(q.segment<4>(b.q).norm(), 1, 4 * kEpsilon);
    }
}

TEST_P(ManifoldTest, TangentMovesTheEndPointToFirstOrder) {
  bool curved = false;
  for (const Manifold::Block& b : manifold_.blocks()) curved = curved || b.kind == Manifold::Kind::rotation;
  for (const double length : {0.3, 1.0, 2.5}) {
    const VectorXd q = point(), delta = variation(length), change = variation(1);
    const auto defect = [&](double x) {
      return difference(retracted(retracted(q, delta), tangent(delta, x * change)), retracted(q, delta + x * change))
          .norm();
    };
    // what is left falls with the square of dδ; its third-order part changes the rate by a few
    // hundredths
    if (curved) {
      EXPECT_NEAR(std::log2(defect(0.01) / defect(0.005)), 2, 0.1) << length;
    } else {
      EXPECT_LE(defect(0.01), 8 * kEpsilon);
    }
  }
}

TEST_P(ManifoldTest, TangentAndItsInverseCancel) {
  for (const double length : kLengths) {
    const VectorXd delta = variation(length), x = variation(1);
    VectorXd back(manifold_.dimension());
    manifold_.apply_tangent_inverse(delta, tangent(delta, x), back);
    EXPECT_LE((back - x).lpNorm<Eigen::Infinity>(), 16 * kEpsilon) << length;
  }
}

INSTANTIATE_TEST_SUITE_P(Products, ManifoldTest,
                         ::testing::Values(product("Line", {1}), product("FiveNumbers", {5}), product("Rotation", {0}),
                                           product("RigidBody", {3, 0}), product("Mixed", {2, 0, 3, 0, 0, 1, 4})),
                         [](const auto& i) { return i.param.name; });

}  // namespace manifold_test
}  // namespace bricard
