// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <numbers>

#include "bricard/analysis/campbell.h"
#include "bricard/write/files.h"
#include "papers/dense_matrices.h"
#include "reference/linear.h"

// The uncontrolled bicycle against its published equations.     [MeijaardPapadopoulosRuinaSchwab2007, Tables 1 and 2]
//     M q̈ + v C₁ q̇ + (g K₀ + v² K₂) q = 0,   q = (lean to the right, steer to the right)
namespace bricard::testing {
namespace bicycle_test {

const std::string kFile = std::string(BRICARD_SOURCE_DIR) + "/models/whipple_bicycle.yaml";

/// Upright, straight on.
io::LinearModel bicycle(double v, const std::string& reference = "ground") {
  std::string text = io::read_file(kFile);
  const std::string given = "v: 5 m/s";
  text.replace(text.find(given), given.size(), fmt::format("v: {} m/s", v));
  io::LinearModel read = io::read_linear_model(text, kFile);
  read.settings.reference = {reference, {}};
  return read;
}

/// Eigenvectors in columns: lean, steer, and their rates.
dense::Eigensystem published(double v) {
  Eigen::Matrix2d M, C1, K0, K2;
  M << 80.81722, 2.31941332208709, 2.31941332208709, 0.29784188199686;
  C1 << 0, 33.86641391492494, -0.85035641456978, 1.68540397397560;
  K0 << -80.95, -2.59951685249872, -2.59951685249872, -0.80329488458618;
  K2 << 0, 76.59734589573222, 0, 2.65431523794604;
  Eigen::Matrix4d A;
  A << Eigen::Matrix2d::Zero(), Eigen::Matrix2d::Identity(), -M.inverse() * (9.81 * K0 + v * v * K2),
      -M.inverse() * v * C1;
  return dense::eigensystem(A);
}

struct Modes {
  System system;
  EigenmodeResult found;
};

Modes modes_of(const io::LinearModel& read) {
  Modes m{assemble(read.model), {}};
  const LinearizeOptions options = linearize_options(read.model, read.settings, m.system);
  const OperatingPoint point = find_operating_point(read.model, m.system, PointType::given, read.settings.reference);
  EXPECT_EQ(point.problem, "");
  LinearEquations equations(m.system, point.state, options);
  m.found = find_eigenmodes(equations, m.system, {});
  return m;
}

/// Steer over lean of a mode: turns of the frame about x and of the fork against it about the steer axis, which points down
/// in the source.
Complex steer_over_lean(const Modes& m, const VectorXcd& shape) {
  const int frame = m.system.nodes()[2].v, fork = m.system.nodes()[3].v;
  const Vector3d down(std::sin(std::numbers::pi / 10), 0, -std::cos(std::numbers::pi / 10));
  const Eigen::Vector3cd turn = shape.segment<3>(fork + 3) - shape.segment<3>(frame + 3);
  return down.cast<Complex>().dot(turn) / shape[frame + 3];
}

TEST(Bicycle, HasTheEigenvaluesOfTheSourceAtFiveMetresPerSecond) {
  const auto values = published(5).values;
  const std::vector<Complex> all(values.begin(), values.end());
  for (const Complex& s : {Complex(-0.322866429004087, 0), Complex(-14.078389692798220, 0),
                           Complex(-0.775341882195845, 4.464867713788228)})
    EXPECT_LT(distance_to(all, s), 1e-10);
}

TEST(Bicycle, EigenvaluesAndShapesAreThoseOfThePublishedEquationsInAnyAxes) {
  for (const char* reference : {"ground", "frame", "fork"})
    for (const double v : {0.0, 1.0, 3.0, 4.292382536341110, 5.0, 6.0, 6.024262015388373, 8.0, 10.0}) {
      SCOPED_TRACE(std::string(reference) + " at " + std::to_string(v));
      const Modes m = modes_of(bicycle(v, reference));
      const auto expected = published(v);
      int zeros = 0;
      for (const Eigenmode& mode : m.found.modes) {
        zeros += mode.is_zero();
        if (mode.is_zero()) continue;
        EXPECT_FALSE(mode.doubtful() && std::abs(mode.s) > 1e-2) << mode.s << " " << mode.error << " " << mode.residual;
        Eigen::Index nearest = 0;
        EXPECT_LT((expected.values.array() - mode.s).abs().minCoeff(&nearest), 1e-8) << mode.s;
        const Eigen::Vector4cd q = expected.vectors.col(nearest);
        const Complex ratio = q[1] / q[0];
        EXPECT_LT(std::abs(steer_over_lean(m, mode.shape) - ratio), 1e-6 * (1 + std::abs(ratio))) << mode.s;
      }
      // two positions, heading, two turns of wheels, speed; at the last digit of the capsize speed one more
      EXPECT_EQ(zeros, expected.values.cwiseAbs().minCoeff() < 1e-9 ? 7 : 6);
    }
}

TEST(Bicycle, StaysUprightBetweenTheWeaveAndTheCapsizeSpeed) {
  CampbellPlan plan;
  plan.parameter = "v", plan.unit = "m/s";
  plan.values = {1, 2, 3, 4, 5, 6, 7, 8};
  plan.settings = bicycle(5).settings;
  plan.model = [](double v) { return bicycle(v).model; };
  const Campbell campbell = find_campbell(plan);
  ASSERT_EQ(campbell.unstable.size(), 2u);
  EXPECT_FALSE(campbell.unstable[0].from_is_boundary);
  EXPECT_NEAR(campbell.unstable[0].to, 4.292382536341110, 1e-6);
  EXPECT_NEAR(campbell.unstable[1].from, 6.024262015388373, 1e-6);
  EXPECT_FALSE(campbell.unstable[1].to_is_boundary);
  EXPECT_EQ(campbell.points[4].verdict.stability, Stability::stable);
  EXPECT_NEAR(campbell.points[7].verdict.growth, published(8).values.real().maxCoeff(), 1e-8);
  const Report report = campbell_report("bicycle", plan, campbell);
  EXPECT_NE(report.tables[1].verdict.find("to 4.2923"), std::string::npos) << report.tables[1].verdict;
}

}  // namespace bicycle_test
}  // namespace bricard::testing
