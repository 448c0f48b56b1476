// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "reference/at_rest.h"

// Beams that are welded to beams, and what else hangs on their markers, against Euler's and Timoshenko's beams.
namespace bricard::testing {
namespace beam_welds_test {

// Bars of steel with a radius of 10 mm.
constexpr double kPi = std::numbers::pi, kE = 210e9, kNu = 0.3, kG = kE / (2 * (1 + kNu)), kArea = kPi * 1e-4;
constexpr double kI = kPi / 4 * 1e-8, kShear = 6 * (1 + kNu) / (7 + 6 * kNu);
const char* const kBar = "elements: 2, section: {type: circle, radius: 10 mm}, material: steel";

/// The end of a cantilever under a force across it.
double sag(double force, double length) {
  return force * (length * length * length / (3 * kE * kI) + length / (kShear * kG * kArea));
}

/// Both beams bend over 1 m, and the branch goes along with the twist of the rod, F · 1 m/(G J) · 1 m. They turn by 8e-4, whose
/// square is left out.
TEST(BeamWelds, ABranchInTheMiddleOfABeamInAnyOrder) {
  const std::string rod = fmt::format("  rod: {{from: ground.wall, to: [2, 0, 0], markers: {{middle: 0.5}}, {}}}\n",
                                      kBar),
                    branch = fmt::format("  branch: {{from: rod.middle, to: [1, 1, 0], {}}}\n", kBar);
  for (const std::string& beams : {rod + branch, branch + rod}) {
    const AtRest tree("gravity: [0, 0, 0]\nground: {markers: {wall: {}}}\nbeams:\n" + beams +
                      "forces: {push: {type: force, on: branch.end, force: [0, 0, 1]}}\n");
    EXPECT_NEAR(tree.at("branch.end").z() / (2 * sag(1, 1) + 1 / (kG * 2 * kI)), 1, 3e-6);
    EXPECT_NEAR(tree.at("rod.middle").z() / sag(1, 1), 1, 3e-6);
  }
}

/// A cantilever of 3 m in three pieces: a beam, a member of a framework on it, and a beam on this one, which stands first.
std::string chain(const std::string& more) {
  return fmt::format(R"yaml(
gravity: [0, 0, 0]
ground: {{markers: {{wall: {{}}}}}}
beams:
  last: {{from: middle_A_B.end, to: [3, 0, 0], {0}}}
  first: {{to: ground.wall, from: [1, 0, 0], {0}}}
frames:
  middle:
    nodes: {{A: first.start, B: [2, 0, 0]}}
    members: [[A, B]]
    section: {{type: circle, radius: 10 mm}}
    material: steel
    elements: 2
forces: {{push: {{type: force, on: last.end, force: [0, 0, 0.5]}}}}
{1}
)yaml",
                     kBar, more);
}

TEST(BeamWelds, FrameworksHangOnBeamsAndBeamsOnMembers) {
  const AtRest space(chain("")), plane(chain("plane: zx"));
  EXPECT_NEAR(space.at("last.end").z() / sag(0.5, 3), 1, 2e-5);  // slope 1.4e-3
  EXPECT_LT((space.at("last.end") - plane.at("last.end")).norm(), 1e-9);
  EXPECT_EQ(space.system.joints.size(), 3u);
}

/// A joint with an axis of its own takes the marker of a beam as the node there. Of a force in the middle of the link each of its
/// ends carries one half. The slider has no stiffness at all: wherever the whole stands, hence however its coordinates are
/// rounded, what is left in its rows is judged beside the round-off of the beams.
TEST(BeamWelds, JointsWithAnAxisOfTheirOwnNameMarkersOfBeams) {
  for (const double x : {0.0, 0.1, 0.37, -1.3, 2.9}) {
    SCOPED_TRACE(x);
    const AtRest hinged(fmt::format(R"yaml(
gravity: [0, 0, 0]
ground: {{markers: {{wall: {{position: [{0}, 0, 0]}}}}}}
bodies: {{slider: {{mass: 1, inertia: [1, 1, 1], position: [{2}, 0, 0]}}}}
beams:
  rod: {{from: ground.wall, to: [{1}, 0, 0], {3}}}
  link: {{from: [{1}, 0, 0], to: [{2}, 0, 0], markers: {{middle: 0.5}}, {3}}}
joints:
  hinge: {{type: revolute, between: [rod.end, link.start], at: [{1}, 0, 0], axis: [0, 1, 0]}}
  pin: {{type: revolute, between: [link.end, slider], at: [{2}, 0, 0], axis: [0, 1, 0]}}
  guide: {{type: translational, between: [ground, slider], at: [{2}, 0, 0], axis: [1, 0, 0]}}
forces: {{push: {{type: force, on: link.middle, force: [0, 0, 2]}}}}
)yaml",
                                    x, x + 1, x + 2, kBar));
    EXPECT_NEAR(hinged.at("rod.end").z() / sag(1, 1), 1, 3e-6);
  }
}

/// A lump that is welded on by a rigid arm: its weight bends the rod by a force and a moment at once.
TEST(BeamWelds, RigidLinksAndMassesHangOnMarkers) {
  const AtRest loaded(fmt::format(R"yaml(
gravity: [0, 0, -10]
ground: {{markers: {{wall: {{}}}}}}
bodies: {{lump: {{mass: 0.1, inertia: [1e-4, 1e-4, 1e-4], position: [1.5, 0, 0], markers: {{arm: {{position: [-0.5, 0, 0]}}}}}}}}
beams:
  rod: {{from: ground.wall, to: [1, 0, 0], stiffness: [1e7, 1e7, 1e7, 1e3, 1e3, 1e3], mass_per_length: 1e-2,
        inertia_per_length: [1e-6, 1e-6, 1e-6], elements: 2}}
joints:
  weld: {{type: fixed, between: [rod.end, lump.arm]}}
)yaml"));
  const double F = 1, M = 0.5, q = 0.1, EI = 1e3, GA = 1e7, slope = F / (2 * EI) + M / EI + q / (6 * EI);
  const double w = F / (3 * EI) + F / GA + M / (2 * EI) + q / (8 * EI) + q / (2 * GA);
  EXPECT_NEAR(loaded.at("rod.end").z() / -w, 1, 3e-6);
  EXPECT_NEAR(loaded.at("lump").z() / -(w + 0.5 * slope), 1, 3e-6);
}

}  // namespace beam_welds_test
}  // namespace bricard::testing
