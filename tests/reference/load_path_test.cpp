// SPDX-License-Identifier: Apache-2.0
#include "bricard/analysis/load_path.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "bricard/analysis/find_start.h"
#include "bricard/assemble/assemble.h"
#include "bricard/read/driven_model.h"

// Paths of equilibria next to closed forms: limit points, bifurcations, buckling.
namespace bricard::testing {
namespace load_path_test {

constexpr double kPi = std::numbers::pi;
using Kind = CriticalPoint::Kind;

struct Path {
  Model model;
  System system;
  LoadPath path;
  Path(const std::string& text, double from, double to)
      : model(io::read_driven_model(text, "path.yaml", {}, "P")), system(assemble(model)) {
    const StartState start = find_start(model, system, StartType::given);
    LoadPathSettings settings;
    settings.from = from, settings.to = to;
    path = follow_load_path(system, start.state, settings);
  }
  double load(size_t point) const { return path.states[point].inputs[0]; }
};

/// P(y) = 2k (L₀/L − 1) y; greatest where L³ = b²L₀.
TEST(LoadPath, FollowsATwoBarTrussThroughBothLimitPoints) {
  const double b = 1, y0 = 0.5, k = 1000, L0 = std::hypot(b, y0);
  const double limit = 2 * k * b * std::pow(std::pow(L0 / b, 2.0 / 3) - 1, 1.5);
  const Path p(R"(
gravity: [0, 0, 0]
parameters: {P: 0}
ground: {markers: {left: {position: [-1, 0, 0]}, right: {position: [1, 0, 0]}}}
bodies: {top: {mass: 1, inertia: [1, 1, 1], position: [0, 0, 0.5]}}
joints: {guide: {type: translational, between: [ground, top], at: [0, 0, 0.5], axis: [0, 0, 1]}}
forces:
  l: {type: spring-damper, between: [ground.left, top], stiffness: 1000}
  r: {type: spring-damper, between: [ground.right, top], stiffness: 1000}
  load: {type: force, on: top, force: [0, 0, -P]}
)",
               0, 60);
  ASSERT_TRUE(p.path.finished) << p.path.problem;
  ASSERT_EQ(p.path.critical.size(), 2u);
  for (const int i : {0, 1}) {
    EXPECT_EQ(p.path.critical[i].kind, Kind::limit);
    EXPECT_NEAR(p.path.critical[i].value, i == 0 ? limit : -limit, 1e-8 * limit);
    EXPECT_EQ(p.path.critical[i].unstable_after, 1 - i);
  }
  for (size_t i = 0; i < p.path.states.size(); ++i) {
    const double y = p.path.states[i].q[2], L = std::hypot(b, y);
    EXPECT_NEAR(2 * k * (L0 / L - 1) * y, p.load(i), 1e-8);
  }
  EXPECT_NEAR(p.path.states.back().inputs[0], 60, 1e-10);
}

/// Reissner's column:  P (1 − P/EA + P/GA) = ((2n − 1) π/2)² EI/L²
TEST(LoadPath, AColumnBucklesAtEulersLoadsWithShearAndCompression) {
  for (const auto& [EA, GA] : {std::pair{1e6, 1e6}, std::pair{300.0, 100.0}}) {
    SCOPED_TRACE(EA);
    const Path p(fmt::format(R"(
gravity: [0, 0, 0]
parameters: {{P: 0}}
ground: {{markers: {{foot: {{}}}}}}
beams:
  column: {{from: ground.foot, to: [0, 0, 1], stiffness: [{0}, {1}, {1}, 1, 1, 1.5], mass_per_length: 1,
           inertia_per_length: [2e-2, 1e-2, 1e-2], elements: 8}}
forces: {{weight: {{type: force, on: column.end, force: [0, 0, -P]}}}}
)",
                             EA, GA),
                 0, 30);
    ASSERT_TRUE(p.path.finished) << p.path.problem;
    std::vector<double> expected;
    for (const double EI : {1.0, 1.5})
      for (const int n : {1, 2}) {
        const double c = std::pow((2 * n - 1) * kPi / 2, 2) * EI, a = 1 / GA - 1 / EA;
        const double load = a == 0 ? c : (std::sqrt(1 + 4 * a * c) - 1) / (2 * a);
        if (load < 30) expected.push_back(load);
      }
    std::sort(expected.begin(), expected.end());
    ASSERT_EQ(p.path.critical.size(), expected.size());
    for (size_t i = 0; i < expected.size(); ++i) {
      EXPECT_EQ(p.path.critical[i].kind, Kind::bifurcation);
      EXPECT_NEAR(p.path.critical[i].value / expected[i], 1, 1e-6)
          << i;  // error of the elements at the fourth load: 2e-7
      EXPECT_EQ(p.path.critical[i].unstable_after, static_cast<int>(i) + 1);
    }
  }
}

/// A thin strip under a force across its end, in its stiff direction: 4.0126 √(EI GJ)/L² in linear theory; bending before
/// buckling divides by about √((1 − EI/EI_y)(1 − GJ/EI_y)) [HodgesPeters1975].
TEST(LoadPath, AThinCantileverBucklesLaterally) {
  const double EI = 9.50521, GJ = 14.3930, stiff = 15208.3;
  const Path p(fmt::format(R"(
gravity: [0, 0, 0]
parameters: {{P: 0}}
ground: {{markers: {{clamp: {{}}}}}}
beams:
  strip: {{from: ground.clamp, to: [1, 0, 0], stiffness: [1.825e7, 5.84936e6, 5.84936e6, {}, {}, {}],
          mass_per_length: 0.675, inertia_per_length: [5.63e-4, 5.625e-4, 3.5e-7], elements: 8}}
forces: {{load: {{type: force, on: strip.end, force: [0, 0, -P]}}}}
)",
                           GJ, stiff, EI),
               0, 60);
  ASSERT_TRUE(p.path.finished) << p.path.problem;
  ASSERT_EQ(p.path.critical.size(), 1u);
  EXPECT_EQ(p.path.critical[0].kind, Kind::bifurcation);
  const double linear = 4.0126 * std::sqrt(EI * GJ) / std::sqrt((1 - EI / stiff) * (1 - GJ / stiff));
  EXPECT_NEAR(p.path.critical[0].value / linear, 1, 2e-4);
  EXPECT_NEAR(p.path.critical[0].value, 46.98, 0.01);  // an independent program
}

/// The same strip with its end held in the plane: 81.7 N of an independent program with other elements. (A soft bushing takes the turn
/// about y from the slider, which would be free.)
TEST(LoadPath, AThinCantileverWithAHeldEndBucklesLater) {
  const Path p(R"(
gravity: [0, 0, 0]
parameters: {P: 0}
ground: {markers: {clamp: {}}}
bodies: {slider: {mass: 1, inertia: [1, 1, 1], position: [1, 0, 0]}}
beams:
  strip: {from: ground.clamp, to: [1, 0, 0], stiffness: [1.825e7, 5.84936e6, 5.84936e6, 14.3930, 15208.3, 9.50521],
          mass_per_length: 0.675, inertia_per_length: [5.63e-4, 5.625e-4, 3.5e-7], elements: 8}
joints:
  hold: {type: planar, between: [ground, slider], at: [1, 0, 0], axis: [0, 1, 0]}
  end: {type: spherical, between: [slider, strip_24], at: [1, 0, 0]}
forces:
  turn: {type: bushing, between: [ground, slider], at: [1, 0, 0], rotational_stiffness: [1, 1, 1]}
  load: {type: force, on: strip.end, force: [0, 0, -P]}
)",
               0, 100);
  ASSERT_TRUE(p.path.finished) << p.path.problem;
  ASSERT_EQ(p.path.critical.size(), 1u);
  EXPECT_NEAR(p.path.critical[0].value, 81.7, 0.05);  // as many digits as it is given with
}

/// Beyond buckling, with a small force aside, as the elastica:
/// P/P_E = (2 K(sin(α/2))/π)² at the end angle α [TimoshenkoGere1961, section 2.7].
TEST(LoadPath, ABuckledColumnBendsAsTheElastica) {
  const Path p(R"(
gravity: [0, 0, 0]
parameters: {P: 0}
plane: xz
ground: {markers: {foot: {}}}
beams:
  column: {from: ground.foot, to: [0, 0, 1], stiffness: [1e6, 1e6, 1e6, 1, 1, 1], mass_per_length: 1,
           inertia_per_length: [2e-6, 1e-6, 1e-6], elements: 8}
forces: {weight: {type: force, on: column.end, force: [1e-4, 0, -P]}}
)",
               0, 4);
  ASSERT_TRUE(p.path.finished) << p.path.problem;
  EXPECT_TRUE(p.path.critical.empty());
  const FrameNode& end = p.system.nodes().back();
  int seen = 0;
  for (size_t i = 0; i < p.path.states.size(); ++i) {
    const Vector3d axis = quaternion_at(p.path.states[i].q, end.q + 3) * Vector3d(1, 0, 0);
    const double alpha = std::acos(axis.z()), K = std::comp_ellint_1(std::sin(alpha / 2));
    if (alpha < 0.3) continue;
    EXPECT_NEAR(p.load(i) / (K * K), 1, 3e-4) << alpha;  // the force aside is 4e-5 of the load and bends by 4e-5/(α/2)
    ++seen;
  }
  EXPECT_GT(seen, 10);
}

TEST(LoadPath, SaysWhyThereIsNone) {
  const std::string rod = R"(
parameters: {P: 0}
bodies: {rod: {mass: 2, inertia: [0.1, 0.1, 0.1], position: [0, 0, -0.5]}}
joints: {pin: {type: revolute, between: [ground, rod], at: [0, 0, 0], axis: [0, 1, 0]}}
)";
  EXPECT_NE(Path(rod, 0, 1).path.problem.find("changes no force"), std::string::npos);
  EXPECT_NE(Path(rod + "forces: {f: {type: force, on: rod, force: [P*t, 0, 0]}}\n", 0, 1)
                .path.problem.find("change with time"),
            std::string::npos);
  try {
    Path(rod + "ground: {markers: {far: {position: [P, 0, 0]}}}\n", 0, 1);
    FAIL() << "not refused";
  } catch (const ModelError& error) {
    EXPECT_NE(std::string(error.what()).find("'P' is driven, which may not be used here"), std::string::npos)
        << error.what();
  }
  try {
    Path("parameters: {Q: 2*P, P: 1}\nbodies: {rod: {mass: 2, inertia: [1, 1, 1]}}\n", 0, 1);
    FAIL() << "not refused";
  } catch (const ModelError& error) {
    EXPECT_NE(std::string(error.what()).find("uses 'P', which is driven"), std::string::npos) << error.what();
  }
}

}  // namespace load_path_test
}  // namespace bricard::testing
