// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "bricard/analysis/check_model.h"
#include "bricard/read/model_reader.h"

// What `check` says of couplers, screws, planar mechanisms, a suspension, a gyroscope.
namespace bricard::testing {
namespace check_couplers_test {

using Names = std::vector<std::string>;

Model from_text(const std::string& text) { return io::read_model_text(text, "test.yaml"); }

Model model_file(const std::string& name) {
  return io::read_model((std::filesystem::path(BRICARD_SOURCE_DIR) / "models" / (name + ".yaml")).string());
}

/// Two shafts and a slide, with what couples or drives them.
CheckReport check_shafts(const std::string& more) {
  return check_model(from_text(R"(
bodies:
  a: {mass: 1, inertia: [1, 1, 1]}
  b: {mass: 1, inertia: [1, 1, 1], position: [1, 0, 0]}
  c: {mass: 1, inertia: [1, 1, 1], position: [2, 0, 0]}
joints:
  A: {type: revolute, between: [ground, a], at: [0, 0, 0], axis: [0, 0, 1]}
  B: {type: revolute, between: [ground, b], at: [1, 0, 0], axis: [0, 0, 1]}
  C: {type: translational, between: [ground, c], at: [2, 0, 0], axis: [0, 1, 0]}
)" + more));
}

void expect_one(const CheckReport& r, const std::string& name, const std::string& type, const Names& couplers) {
  ASSERT_EQ(r.always.joints.size(), 1u);
  const Redundancy& found = r.always.joints[0];
  EXPECT_TRUE(found.is_coupler);
  EXPECT_EQ(found.joint, name);
  EXPECT_EQ(found.type, type);
  EXPECT_EQ(found.directions, Names{"its equation"});
  EXPECT_EQ(found.depends_on, Names{});
  EXPECT_EQ(found.depends_on_couplers, couplers);
}

TEST(CheckCouplers, NamesAGearThatRepeatsAnother) {
  const CheckReport r = check_shafts(R"(
couplers:
  mesh: {type: gear, joints: [A, B], ratio: 2}
  again: {type: gear, joints: [B, A], ratio: 0.5}
)");
  EXPECT_EQ(r.gruebler, 1);
  EXPECT_EQ(r.degrees_of_freedom, 2);
  expect_one(r, "again", "gear", {"mesh"});
}

TEST(CheckCouplers, NamesARackThatRepeatsAnother) {
  expect_one(check_shafts(R"(
couplers:
  rack: {type: rack-and-pinion, joints: [A, C], radius: 0.3}
  again: {type: rack-and-pinion, joints: [A, C], radius: 0.3}
)"),
             "again", "rack-and-pinion", {"rack"});
}

/// θ_a = 2 θ_b, x = 0.3 θ_a, so that x − 0.6 θ_b + (θ_a − 2 θ_b) says nothing new.
TEST(CheckCouplers, NamesACouplerThatOthersImply) {
  expect_one(check_shafts(R"(
couplers:
  mesh: {type: gear, joints: [A, B], ratio: 2}
  rack: {type: rack-and-pinion, joints: [A, C], radius: 0.3}
  sum: {type: coupler, joints: [A, B, C], factors: [1, -2.6, 1]}
)"),
             "sum", "coupler", {"mesh", "rack"});
}

TEST(CheckCouplers, NamesTheGearsThatAMotionContradicts) {
  const CheckReport r = check_shafts(R"(
couplers:
  mesh: {type: gear, joints: [A, B], ratio: 2}
motions:
  first: {joint: A, displacement: 3*t}
  second: {joint: B, displacement: 3*t}
)");
  ASSERT_EQ(r.always.motions.size(), 1u);
  EXPECT_EQ(r.always.motions[0].motion, "second");
  EXPECT_EQ(r.always.motions[0].motions, Names{"first"});
  EXPECT_EQ(r.always.motions[0].couplers, Names{"mesh"});
  EXPECT_TRUE(r.always.joints.empty());
  EXPECT_FALSE(r.can_run());
  ASSERT_FALSE(r.problems.empty());
  EXPECT_NE(r.problems[0].find("motion second contradicts what motion first and coupler mesh prescribe already"),
            std::string::npos)
      << r.problems[0];
}

/// Turned to 1 rad by its motion, the first shaft takes the second to 0.5 by one gear and to 1 by the other.
TEST(CheckCouplers, SaysWhichGearsCannotBeClosed) {
  const CheckReport r = check_shafts(R"(
couplers:
  mesh: {type: gear, joints: [A, B], ratio: 2}
  other: {type: gear, joints: [A, B], ratio: 1}
motions: {drive: {joint: A, displacement: 1 + t}}
)");
  EXPECT_FALSE(r.start.assembled);
  bool named = false;
  for (const JointGap& gap : r.start.open) {
    EXPECT_EQ(gap.name.find("equation"), std::string::npos) << gap.name;
    named = named || gap.name == "gear 'mesh'" || gap.name == "gear 'other'";
    EXPECT_EQ(gap.distance, 0);
  }
  EXPECT_TRUE(named);
}

/// A nut on a thread beside a guide of its own: the guide allows no turn, so the thread allows no motion. Nothing is redundant until
/// the guide is a weld, which holds what the screw holds.
TEST(CheckCouplers, NamesTheScrewThatHoldsWhatAWeldHolds) {
  const std::string body = R"(
bodies: {nut: {mass: 1, inertia: [1, 1, 1], position: [0, 0, 1]}}
joints:
  weld: {type: fixed, between: [ground, nut], at: [0, 0, 1]}
  thread: {type: screw, between: [ground, nut], at: [0, 0, 1], axis: [0, 0, 1], pitch: 0.1}
)";
  const CheckReport r = check_model(from_text(body));
  EXPECT_EQ(r.degrees_of_freedom, 0);
  ASSERT_EQ(r.always.joints.size(), 1u);
  EXPECT_EQ(r.always.joints[0].joint, "thread");
  EXPECT_EQ(r.always.joints[0].type, "screw");
  EXPECT_FALSE(r.always.joints[0].is_coupler);
  EXPECT_EQ(r.always.joints[0].directions.size(), 5u);
  EXPECT_EQ(r.always.joints[0].depends_on, Names{"weld"});
}

/// A third crank between the two of a parallelogram moves along, and is one equation too many: 3·4 − 2·6 = 0.
TEST(CheckPlane, NamesTheCrankTooMany) {
  const CheckReport r = check_model(from_text(R"(
plane: xy
gravity: [0, -9.81, 0]
bodies:
  left: {mass: 1, inertia: [1, 1, 1], position: [0, 0.5, 0]}
  middle: {mass: 1, inertia: [1, 1, 1], position: [1, 0.5, 0.1]}
  right: {mass: 1, inertia: [1, 1, 1], position: [2, 0.5, -0.1]}
  bar: {mass: 1, inertia: [1, 1, 1], position: [1, 1, 0.2]}
joints:
  A: {type: revolute, between: [ground, left], at: [0, 0, 0]}
  B: {type: revolute, between: [left, bar], at: [0, 1, 0]}
  C: {type: revolute, between: [ground, right], at: [2, 0, 0]}
  D: {type: revolute, between: [right, bar], at: [2, 1, 0]}
  E: {type: revolute, between: [ground, middle], at: [1, 0, 0]}
  F: {type: revolute, between: [middle, bar], at: [1, 1, 0]}
)"));
  EXPECT_EQ(r.velocities, 12);
  EXPECT_EQ(r.equations, 12);
  EXPECT_EQ(r.gruebler, 0);
  EXPECT_EQ(r.degrees_of_freedom, 1);
  ASSERT_EQ(r.always.joints.size(), 1u);
  EXPECT_EQ(r.always.joints[0].joint, "F");
  EXPECT_EQ(r.always.joints[0].directions, Names{"force along its y axis"});  // along the crank
  EXPECT_EQ(r.always.joints[0].depends_on, (Names{"A", "B", "C", "D", "E"}));
  EXPECT_TRUE(r.remedies.empty());
  EXPECT_TRUE(r.can_run());
}

TEST(CheckPlane, SeesATrussAndABodyInTheAir) {
  const CheckReport r = check_model(from_text(R"(
plane: zx
bodies:
  left: {mass: 1, inertia: [1, 1, 1], position: [0.5, 0, 0.5]}
  right: {mass: 1, inertia: [1, 1, 1], position: [1.5, 0, 0.5]}
  stone: {mass: 1, inertia: [1, 1, 1], position: [5, 0, 5]}
joints:
  A: {type: revolute, between: [ground, left], at: [0, 0, 0]}
  B: {type: revolute, between: [left, right], at: [1, 0, 1]}
  C: {type: revolute, between: [ground, right], at: [2, 0, 0]}
)"));
  EXPECT_EQ(r.degrees_of_freedom, 3);  // of the stone
  EXPECT_EQ(r.always.joint_equations(), 0);
  EXPECT_EQ(r.immovable, (Names{"left", "right"}));
  ASSERT_EQ(r.loose.size(), 1u);
  EXPECT_EQ(r.loose[0].bodies, Names{"stone"});
  EXPECT_FALSE(r.loose[0].has_forces);
}

/// Growth is that of a top that stands still, and said to be that if it spins.
TEST(Check, KnowsThatATopSpins) {
  const auto top = [](const std::string& spin) {
    return from_text(R"(
bodies: {top: {mass: 1, inertia: [0.02, 0.02, 0.01], position: [0, 0, 0.1], angular_velocity: [0, 0, )" +
                     spin + R"(]}}
joints: {foot: {type: spherical, between: [ground, top], at: [0, 0, 0]}}
)");
  };
  const double growth = std::sqrt(9.81 * 0.1 / (0.02 + 0.01));  // upright, about the foot
  for (const std::string spin : {"0", "300"}) {
    const CheckReport r = check_model(top(spin));
    EXPECT_NEAR(r.scales.fastest_growth, growth, 1e-9 * growth);
    EXPECT_EQ(r.scales.moving, spin != "0");
  }
}

/// The frequency of a pendulum is that of small swings, also if it passes its lowest point at speed.
TEST(Check, KnowsThePendulumsFrequencyWhereItMoves) {
  const CheckReport r = check_model(from_text(R"(
bodies: {bob: {mass: 2, inertia: [0.01, 0.02, 0.01], position: [0, 0, -0.5], velocity: [4, 0, 0], angular_velocity: [0, -8, 0]}}
joints: {pin: {type: revolute, between: [ground, bob], at: [0, 0, 0], axis: [0, 1, 0]}}
)"));
  EXPECT_NEAR(r.scales.fastest, std::sqrt(2 * 9.81 * 0.5 / (0.02 + 2 * 0.25)), 1e-9);
  EXPECT_TRUE(r.scales.moving);
}

/// A motor that is driven in its bearing rides on a frame on springs: what is free is the frame.
TEST(Check, NamesTheBodyThatIsFreeAndNotWhatRidesOnIt) {
  const CheckReport r = check_model(from_text(R"(
bodies:
  motor: {mass: 1, inertia: [1, 1, 1], position: [1, 0, 0]}
  frame: {mass: 5, inertia: [1, 1, 1]}
  fan: {mass: 1, inertia: [1, 1, 1], position: [-1, 0, 0]}
joints:
  shaft: {type: revolute, between: [frame, motor], at: [1, 0, 0], axis: [1, 0, 0]}
  hub: {type: revolute, between: [frame, fan], at: [-1, 0, 0], axis: [1, 0, 0]}
forces: {mount: {type: bushing, between: [ground, frame], at: [0, 0, 0], stiffness: [1e4, 1e4, 1e4], rotational_stiffness: [100, 100, 100]}}
motions: {drive: {joint: shaft, velocity: 10}}
)"));
  EXPECT_EQ(r.degrees_of_freedom, 7);
  Names undriven = r.undriven;
  std::sort(undriven.begin(), undriven.end());
  EXPECT_EQ(undriven, (Names{"body 'frame'", "hub.angle"}));
}

/// Twelve bodies: heave (5 equations) and rack (5), 18 on each side, three motions; the arms hang on bushings, which are no joints,
/// so that there are no loops. The slowest motion is heave: both springs at the wheel, (a/b cos(lean))² k, and the torsion of the
/// bushings of both arms, in series with the tyres, under the mass that they carry. The fastest is one of an arm on two bushings; a turn of the upper arm about its ball
/// joint alone has ω² = 2 k_radial/(m/3), and no mode but a faster one can be the fastest.
TEST(Check, UnderstandsTheDoubleWishboneSuspension) {
  const CheckReport r = check_model(model_file("double_wishbone"));
  EXPECT_EQ(r.bodies, 12);
  EXPECT_EQ(r.velocities, 72);
  EXPECT_EQ(r.equations, 10 + 2 * 18 + 3);
  EXPECT_EQ(r.gruebler, 23);
  EXPECT_EQ(r.degrees_of_freedom, 23);
  EXPECT_EQ(r.always.joint_equations(), 0);
  EXPECT_TRUE(r.always.motions.empty());
  EXPECT_FALSE(r.is_singular());
  EXPECT_TRUE(r.loops.empty());
  EXPECT_TRUE(r.loose.empty());
  EXPECT_TRUE(r.start.moves.empty());
  EXPECT_TRUE(r.can_run());
  EXPECT_NE(std::find(r.undriven.begin(), r.undriven.end(), "heave.translation"), r.undriven.end());
  for (const std::string& name : r.undriven)  // the wheels and the rack are driven
    EXPECT_TRUE(name.find("bearing") == std::string::npos && name.find("rack") == std::string::npos) << name;
  const double lever = (0.56 - 0.35) / (0.68 - 0.35), cosine = 0.53 / std::hypot(0.06, 0.53);
  const double torsion = 2 * 30 / std::pow(0.68 - 0.35, 2) + 2 * 20 / std::pow(0.64 - 0.42, 2);
  const double spring = 60e3 * lever * lever * cosine * cosine + torsion, tyre = 220e3;
  const double heave = std::sqrt(2 / (1 / spring + 1 / tyre) / (623 + 9.8));
  EXPECT_NEAR(r.scales.slowest, heave, 0.03 * heave);
  EXPECT_FALSE(r.scales.fastest_growth > 0);
  EXPECT_GT(r.scales.fastest, std::sqrt(2 * 4e6 / (3.0 / 3)));
  EXPECT_LT(r.scales.fastest, 4 * std::sqrt(2 * 4e6 / (3.0 / 3)));
  EXPECT_LT(r.scales.suggested_step, 2e-4);
}

}  // namespace check_couplers_test
}  // namespace bricard::testing
