// SPDX-License-Identifier: Apache-2.0
#include "bricard/flex/rods.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "bricard/flex/part_integrals.h"

// Rods against closed forms.
namespace bricard {
namespace rods_test {

using std::numbers::pi;

constexpr double kLength = 1.3, kE = 2e11, kG = 8e10, kDensity = 7800, kWidth = 0.03, kHeight = 0.02;

/// A rectangle, its width along y. Without rotary inertia it is the rod of elementary theory.
RodSection section(bool rotary = true) {
  const double A = kWidth * kHeight, Iy = kWidth * std::pow(kHeight, 3) / 12, Iz = kHeight * std::pow(kWidth, 3) / 12;
  RodSection c;
  c.EA = kE * A, c.GA_y = c.GA_z = 5.0 / 6 * kG * A;
  c.GJ = 0.2 * kG * (Iy + Iz), c.EI_y = kE * Iy, c.EI_z = kE * Iz;
  c.mass = kDensity * A;
  c.inertia = kDensity * Vector3d(Iy + Iz, rotary ? Iy : 0, rotary ? Iz : 0).asDiagonal();
  return c;
}

Matrix3d some_axes() { return exp_rotation({0.4, -0.8, 1.1}).toRotationMatrix(); }

/// From the origin along x of the axes, with sections in them.
Rod rod(int elements, Rod::Theory theory, const Matrix3d& axes = Matrix3d::Identity(), bool rotary = true) {
  Rod r;
  r.name = "rod";
  r.corners = {Vector3d::Zero(), kLength * axes.col(0)};
  r.z_axis = axes.col(2);
  r.section = section(rotary);
  r.theory = theory;
  r.elements = elements;
  return r;
}

/// Unknowns that are left if some are zero; `end` counts from the last node.
struct Held {
  std::vector<int> start, end;
};
Eigen::MatrixXd left(const SparseMatrix& A, const Held& held) {
  const int n = static_cast<int>(A.rows());
  std::vector<int> kept;
  for (int i = 0; i < n; ++i) {
    const auto is_in = [&](const std::vector<int>& list, int j) {
      return std::find(list.begin(), list.end(), j) != list.end();
    };
    if (!is_in(held.start, i) && !is_in(held.end, i - (n - 6))) kept.push_back(i);
  }
  return Eigen::MatrixXd(A)(kept, kept);
}
const std::vector<int> kAll{0, 1, 2, 3, 4, 5};

/// ω, ascending.
VectorXd frequencies(const Structure& s, const Held& held) {
  const Eigen::GeneralizedSelfAdjointEigenSolver<Eigen::MatrixXd> modes(left(s.stiffness, held),
                                                                        left(mass_matrix(s), held));
  return modes.eigenvalues().cwiseMax(0).cwiseSqrt();
}

/// The one nearest to a value.
double nearest(const VectorXd& list, double wanted) {
  int at = 0;
  (list.array() - wanted).abs().minCoeff(&at);
  return list[at];
}

double root(const std::function<double(double)>& f, double a, double b) {
  for (int i = 0; i < 200; ++i) {
    const double middle = 0.5 * (a + b);
    (f(a) * f(middle) <= 0 ? b : a) = middle;
  }
  return a;
}

TEST(Rods, BendUnderForcesAtTheEndAsElementaryTheorySays) {
  const Matrix3d axes = some_axes();
  for (const auto theory : {Rod::Theory::euler_bernoulli, Rod::Theory::timoshenko})
    for (const int elements : {1, 3}) {
      const Rod r = rod(elements, theory, axes);
      const Structure s = rod_structure(r);
      const RodSection& c = r.section;
      const double L = kLength, shear = theory == Rod::Theory::timoshenko ? L : 0;
      VectorXd force = VectorXd::Zero(6);
      force << axes * Vector3d(3, 5, 7), axes * Vector3d(2, -4, 6);
      VectorXd f = VectorXd::Zero(s.unknowns() - 6);
      f.tail<6>() = force;
      const VectorXd u = left(s.stiffness, {kAll, {}}).ldlt().solve(f).tail<6>();
      const Vector3d moved = axes.transpose() * u.head<3>(), turned = axes.transpose() * u.tail<3>();
      const Vector3d expected(3 * L / c.EA,
                              5 * (std::pow(L, 3) / (3 * c.EI_z) + shear / c.GA_y) + 6 * L * L / (2 * c.EI_z),
                              7 * (std::pow(L, 3) / (3 * c.EI_y) + shear / c.GA_z) + 4 * L * L / (2 * c.EI_y));
      const Vector3d turn(2 * L / c.GJ, -4 * L / c.EI_y - 7 * L * L / (2 * c.EI_y),
                          6 * L / c.EI_z + 5 * L * L / (2 * c.EI_z));
      EXPECT_LT((moved - expected).norm(), 1e-10 * expected.norm());  // condition of K: some 1e4
      EXPECT_LT((turned - turn).norm(), 1e-10 * turn.norm());
    }
}

TEST(Rods, HaveMassCentreAndInertiaOfTheBody) {
  Rod r = rod(3, Rod::Theory::timoshenko, some_axes());
  r.corners = {{0.1, 0.2, 0.3}, {1.1, 0.4, -0.3}, {1.1, 1.4, 0.3}};
  r.z_axis = Vector3d(0.1, 0.2, 1);
  r.section.mass_center = {0, 0.004, -0.003};
  const Structure s = rod_structure(r);
  const PartInertia found = part_inertia(s, Eigen::MatrixXd(s.unknowns(), 0));
  double mass = 0;
  Vector3d first = Vector3d::Zero();
  Matrix3d second = Matrix3d::Zero();
  for (int i = 0; i < 2; ++i) {
    const Vector3d way = r.corners[i + 1] - r.corners[i];
    Matrix3d axes;
    axes.col(0) = way.normalized();
    axes.col(2) = (*r.z_axis - axes.col(0).dot(*r.z_axis) * axes.col(0)).normalized();
    axes.col(1) = axes.col(2).cross(axes.col(0));
    const double m = r.section.mass * way.norm();
    const Vector3d centre = 0.5 * (r.corners[i] + r.corners[i + 1]) + axes * r.section.mass_center;
    const Matrix3d J = axes * r.section.inertia * axes.transpose() * way.norm();
    mass += m;
    first += m * centre;
    second +=
        m * centre * centre.transpose() + m / 12 * way * way.transpose() + 0.5 * J.trace() * Matrix3d::Identity() - J;
  }
  EXPECT_NEAR(found.mass, mass, 1e-12 * mass);
  EXPECT_LT((found.first - first).norm(), 1e-12 * first.norm());
  EXPECT_LT((found.second - second).norm(), 1e-12 * second.norm());
}

TEST(Rods, MovedAsAWholeHaveNoStrainAndTheirMomentum) {
  Rod r = rod(4, Rod::Theory::timoshenko, some_axes());
  r.corners.push_back({1, 1, 1});
  const Structure s = rod_structure(r);
  const Eigen::MatrixXd R = rigid_motions(s);
  EXPECT_LT((s.stiffness * R).norm(), 1e-12 * Eigen::MatrixXd(s.stiffness).norm() * R.norm());
  const PartInertia inertia = part_inertia(s, R);
  const Matrix3d J = inertia.second.trace() * Matrix3d::Identity() - inertia.second;
  const Eigen::MatrixXd M = R.transpose() * (mass_matrix(s) * R);
  EXPECT_LT((M.bottomRightCorner(3, 3) - J).norm(), 1e-12 * J.norm());
  EXPECT_LT((M.topLeftCorner(3, 3) - inertia.mass * Matrix3d::Identity()).norm(), 1e-12 * inertia.mass);
}

// cosh x cos x = ∓1 of the clamped and the free rod. Elements of third degree: ω too large by (βh)⁴/1440 [StrangFix1973].
TEST(Rods, VibrateAsElementaryTheorySays) {
  const int elements = 24;
  const Structure s = rod_structure(rod(elements, Rod::Theory::euler_bernoulli, some_axes(), false));
  const double m = section().mass;
  for (const bool clamped : {true, false}) {
    const VectorXd all = frequencies(s, clamped ? Held{kAll, {}} : Held{});
    for (int mode = 1; mode <= 3; ++mode) {
      const double near = clamped ? (mode - 0.5) * pi : (mode + 0.5) * pi;
      const double x =
          root([&](double y) { return std::cos(y) + (clamped ? 1 : -1) / std::cosh(y); }, near - 0.4, near + 0.4);
      for (const double EI : {section().EI_y, section().EI_z}) {
        const double expected = x * x / (kLength * kLength) * std::sqrt(EI / m);
        const double too_large = nearest(all, expected) / expected - 1, theory = std::pow(x / elements, 4) / 1440;
        EXPECT_NEAR(too_large, theory, 0.1 * theory + 1e-8) << clamped << mode;
      }
    }
  }
}

/// det of the conditions M = V = 0 at both ends of a free rod with shear and rotary inertia, bending about y:
///     EI θ″ + GA (w′ − θ) + ρI ω² θ = 0,   GA (w″ − θ′) + m ω² w = 0;    w = e^{rx}
double free_determinant(const RodSection& c, double L, double omega) {
  const double EI = c.EI_y, GA = c.GA_z, m = c.mass, rI = c.inertia(1, 1), o2 = omega * omega;
  // GA EI r⁴ + (GA ρI + EI m) ω² r² + m ω² (ρI ω² − GA) = 0
  const double p = (GA * rI + EI * m) * o2 / (GA * EI), q = m * o2 * (rI * o2 - GA) / (GA * EI);
  const double a = std::sqrt(-p / 2 + std::sqrt(p * p / 4 - q)), b = std::sqrt(p / 2 + std::sqrt(p * p / 4 - q));
  // w = cosh ax, sinh ax, cos bx, sin bx;  θ = (GA w″ + m ω² w)/(GA w′) of each, in pairs
  const double ka = (GA * a * a + m * o2) / (GA * a), kb = (GA * b * b - m * o2) / (GA * b);
  const auto rows = [&](double x) {
    Eigen::Matrix<double, 2, 4> R;
    const double C = std::cosh(a * x), S = std::sinh(a * x), co = std::cos(b * x), si = std::sin(b * x);
    R.row(0) << ka * a * C, ka * a * S, -kb * b * co, -kb * b * si;        // θ′ of θ = ka S, ka C, −kb si, kb co
    R.row(1) << (a - ka) * S, (a - ka) * C, (kb - b) * si, (b - kb) * co;  // w′ − θ
    return R;
  };
  Eigen::Matrix4d A;
  A << rows(0), rows(L);
  for (int i = 0; i < 4; ++i) A.row(i) /= A.row(i).norm();
  return A.determinant();
}

TEST(Rods, VibrateWithShearAsTheirFrequencyEquationSays) {
  Rod r = rod(40, Rod::Theory::timoshenko, some_axes());
  r.section.EI_y *= 30, r.section.inertia(1, 1) *= 30,
      r.section.inertia(0, 0) += r.section.inertia(1, 1);  // as deep as a sixth
  const VectorXd all = frequencies(rod_structure(r), {});
  int found = 0;
  double last = 100;
  for (double omega = 100; found < 3; omega *= 1.001)
    if (free_determinant(r.section, kLength, last) * free_determinant(r.section, kLength, omega) < 0) {
      const double expected = root([&](double o) { return free_determinant(r.section, kLength, o); }, last, omega);
      // Between elements of third degree, (βh)⁴/1440, and of first for the part of shear, (βh)²/24.
      const double beta = (found + 1.5) * pi / kLength, at_most = std::pow(beta * kLength / r.elements, 2) / 24;
      EXPECT_NEAR(nearest(all, expected), expected, at_most * expected) << found;
      const double slender = beta * beta * std::sqrt(r.section.EI_y / r.section.mass);
      EXPECT_LT(expected, 0.99 * slender);  // shear matters: more than these errors
      ++found, last = omega;
    } else {
      last = omega;
    }
}

// Linear elements with consistent mass: ω² = 6 c²/h² (1 − cos kh)/(2 + cos kh), clamped at one end: k = (i − ½) π/L.
TEST(Rods, VibrateAlongAndAboutTheirAxis) {
  const int elements = 10;
  const RodSection c = section();
  const VectorXd all = frequencies(rod_structure(rod(elements, Rod::Theory::timoshenko, some_axes())), {kAll, {}});
  for (const double speed : {std::sqrt(c.EA / c.mass), std::sqrt(c.GJ / c.inertia(0, 0))})
    for (int i = 1; i <= 3; ++i) {
      const double h = kLength / elements, k = (i - 0.5) * pi / kLength;
      const double omega = speed / h * std::sqrt(6 * (1 - std::cos(k * h)) / (2 + std::cos(k * h)));
      EXPECT_NEAR(nearest(all, omega), omega, 1e-9 * omega);
      EXPECT_NEAR(omega, k * speed, 1.1 * std::pow(k * h, 2) / 24 * omega);
    }
}

// Euler's four columns, K + P K_g singular, K_g of a unit thrust.
TEST(Rods, BuckleAtEulersLoads) {
  const int elements = 16;
  const Structure s = rod_structure(rod(elements, Rod::Theory::euler_bernoulli));
  const RodSection c = section();
  const double clamped_pinned = root([](double x) { return std::sin(x) - x * std::cos(x); }, 4, 4.6);
  struct Column {
    Held held;
    double root;
  };
  const std::vector<int> guided{1, 2, 3, 4, 5}, pin{1, 2, 3};
  for (const Column& column : {Column{{kAll, {}}, pi / 2}, Column{{{0, 1, 2, 3}, pin}, pi},
                               Column{{kAll, pin}, clamped_pinned}, Column{{kAll, guided}, 2 * pi}}) {
    VectorXd u = VectorXd::Zero(s.unknowns());
    for (int i = 0; i < s.nodes.cols(); ++i) u[6 * i] = -s.nodes(0, i) / c.EA;
    const SparseMatrix K_g = -s.geometric_stiffness(u);
    const Eigen::GeneralizedSelfAdjointEigenSolver<Eigen::MatrixXd> loads(left(K_g, column.held),
                                                                          left(s.stiffness, column.held));
    const double expected = std::pow(column.root / kLength, 2) * c.EI_y;  // about the weak axis
    const double found = 1 / loads.eigenvalues().maxCoeff(), error = std::pow(column.root / elements, 4) / 720;
    EXPECT_NEAR(found, expected, (2 * error + 1e-10) * expected) << column.root;
  }
}

}  // namespace rods_test
}  // namespace bricard
