// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "bricard/assemble/assemble.h"
#include "bricard/read/model_reader.h"

// Scales of a model: they are lengths and stiffnesses of the thing, not of the way it is written down.
namespace bricard::testing {
namespace reference_values_test {

System read(const std::string& text) { return assemble(io::read_model_text(text, "test.yaml")); }

TEST(ReferenceValues, ADiscThatTurnsAboutItsComputedMassCentreHasItsOwnSize) {
  for (const char* shape : {"{type: cylinder, radius: 0.3, length: 0.02, density: 7850}",
                            "{type: cylinder, radius: 0.3, length: 0.02, mass: 3, position: [0.1, 0.2, 0.3]}"}) {
    const System system =
        read(fmt::format(R"(
bodies: {{disc: {{position: [1, 2, 0.3], shapes: {}, markers: {{centre: {{position: [0.1, 0.2, 0.3]}}, origin: {{}}}}}}}}
joints: {{axle: {{type: revolute, between: [ground, disc.{}]}}}}
)",
                         shape, std::string(shape).find("position") == std::string::npos ? "origin" : "centre"));
    EXPECT_NEAR(system.reference_length, 0.3, 0.003) << shape;  // √(tr J/m) of a thin disc is its radius
  }
}

TEST(ReferenceValues, TheSameThingInOtherUnitsAndFramesHasTheSameLength) {
  for (const char* unit : {"um", "mm", "m", "km"})
    for (const double shift : {0.0, 0.7, 1e-17}) {
      // a rod of one unit that hangs by one end, its body frame anywhere along it
      const System system = read(fmt::format(R"(
units: {{length: {0}}}
bodies:
  rod: {{mass: 2, inertia: [0.1666666667, 1e-3, 0.1666666667], position: [0, {1}, 0], mass_center: [0, {2}, 0]}}
joints: {{hinge: {{type: spherical, between: [ground, rod], at: [0, 0, 0]}}}}
)",
                                             unit, shift, 0.5 - shift));
      const double length = std::string(unit) == "um"   ? 1e-6
                            : std::string(unit) == "mm" ? 1e-3
                            : std::string(unit) == "m"  ? 1
                                                        : 1e3;
      EXPECT_NEAR(system.reference_length / length, 0.5, 1e-9) << unit << " " << shift;
    }
}

TEST(ReferenceValues, ALeverCountsAsLittleAsItIsSmall) {
  for (const double lever : {0.0, 1e-19, 1e-12, 1e-6, 1e-3, 0.1}) {
    const System system = read(fmt::format(R"(
bodies: {{wheel: {{mass: 1, inertia: [0.25, 0.25, 0.5]}}}}
joints: {{axle: {{type: revolute, between: [ground, wheel], at: [{}, 0, 0], axis: [0, 0, 1]}}}}
)",
                                           lever));
    EXPECT_NEAR(system.reference_length, 1, 1e-12) << lever;
  }
}

TEST(ReferenceValues, APointOnASpringIsNotSmallerThanAThousandthOfIt) {
  const System system = read(R"(
bodies: {point: {mass: 1, inertia: [1e-20, 1e-20, 1e-20], position: [0, 0, -2]}}
forces: {spring: {type: spring-damper, between: [ground, point], stiffness: 100}}
)");
  EXPECT_NEAR(system.reference_length, 2e-3, 1e-12);
}

// Each against the force that says the same in other words.
TEST(ReferenceValues, EveryKindOfForceCounts) {
  const std::string model = R"(
bodies:
  a: {mass: 1, inertia: [1, 1, 1], position: [1, 0, 0]}
  b: {mass: 3, inertia: [1, 1, 1], position: [3, 0, 0]}
joints: {slide: {type: translational, between: [ground, a], at: [1, 0, 0], axis: [1, 0, 0]},
         hinge: {type: revolute, between: [ground, b], at: [3, 0, 0], axis: [0, 0, 1]}}
forces: {f: )";
  const auto scales = [&](const std::string& force) {
    const System system = read(model + force + "}\n");
    return std::pair{system.reference_stiffness, system.reference_damping};
  };
  const auto spring = scales("{type: joint-spring, joint: slide, stiffness: 600, damping: 4}");
  EXPECT_EQ(spring, (std::pair{300.0, 2.0}));
  EXPECT_EQ(scales("{type: joint-stop, joint: slide, upper: 1, stiffness: 600, damping: 4}"), spring);
  EXPECT_EQ(scales("{type: spring-damper, between: [a, b], stiffness: 600, damping: 4}"), spring);
  EXPECT_EQ(scales("{type: bushing, between: [a, b], stiffness: [600, 600, 600], damping: [4, 4, 4]}"), spring);
  const auto turning = scales("{type: torsion-spring, joint: hinge, stiffness: 600, damping: 4}");
  EXPECT_EQ(scales("{type: joint-stop, joint: hinge, upper: 1, stiffness: 600, damping: 4}"), turning);
  // E A/L = 200·2/2 and 12 E I/L³ = 12·200·0.5/8, twice
  const auto beam = scales(
      "{type: beam, between: [a, b], youngs_modulus: 200, shear_modulus: 80, area: 2, Ixx: 1, Iyy: 0.5, Izz: 0.5, "
      "damping_ratio: 0.01}");
  EXPECT_NEAR(beam.first, (200 + 150 + 150) / 3.0 / 2, 1e-9);
  EXPECT_NEAR(beam.second, 0.01 * beam.first, 1e-9);
}

}  // namespace reference_values_test
}  // namespace bricard::testing
