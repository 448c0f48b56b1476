// SPDX-License-Identifier: Apache-2.0
#include "bricard/model/mass_properties.h"

#include <gtest/gtest.h>

#include <numbers>

#include "bricard/analysis/consistent_start.h"
#include "bricard/analysis/simulate.h"
#include "bricard/assemble/assemble.h"
#include "bricard/read/model_reader.h"
#include "bricard/results/channels.h"

namespace bricard {
namespace mass_properties_test {

using std::numbers::pi;

Shape solid(ShapeType type, double radius, double length, double density = 2) {
  Shape shape;
  shape.type = type;
  shape.radius = radius;
  shape.length = length;
  shape.density = Density{density};
  return shape;
}

void expect_same(const MassProperties& a, const MassProperties& b) {
  EXPECT_NEAR(a.mass, b.mass, 1e-13 * b.mass);
  EXPECT_LT((a.center - b.center).norm(), 1e-13);
  EXPECT_LT((a.inertia - b.inertia).norm(), 1e-13 * b.inertia.norm());
}

MassProperties expected(double m, const Vector3d& center, const Vector3d& moments) {
  return {m, center, moments.asDiagonal()};
}

TEST(MassProperties, AreThoseOfTextbooks) {
  const double r = 0.3, l = 0.8, m = 2 * pi * r * r * l;
  expect_same(mass_properties(solid(ShapeType::cylinder, r, l)),
              expected(m, {0, 0, 0}, {m / 12 * (3 * r * r + l * l), m / 12 * (3 * r * r + l * l), m / 2 * r * r}));
  const double ball = 8 * pi / 3 * r * r * r;
  expect_same(mass_properties(solid(ShapeType::sphere, r, 0)),
              expected(ball, {0, 0, 0}, Vector3d::Constant(0.4 * ball * r * r)));
  // A cone has its mass centre at a quarter of its height, and 3/80 m (4 r² + h²) about it.
  expect_same(
      mass_properties(solid(ShapeType::cone, r, l)),
      expected(m / 3, {0, 0, -l / 4}, {m / 80 * (4 * r * r + l * l), m / 80 * (4 * r * r + l * l), m / 10 * r * r}));
  Shape box = solid(ShapeType::box, 0, 0);
  box.size = {1, 2, 3};
  expect_same(mass_properties(box), expected(12, {0, 0, 0}, {13, 10, 5}));
}

TEST(MassProperties, AddUpToThoseOfTheWhole) {
  // A cone cut at 3/4 of its height.
  Shape lower = solid(ShapeType::cone, 0.4, 0.9), top = solid(ShapeType::cone, 0.1, 0.3);
  lower.top_radius = 0.1;
  lower.position = {0, 0, -0.15};
  top.position = {0, 0, 0.45};
  expect_same(mass_properties(lower) + mass_properties(top), mass_properties(solid(ShapeType::cone, 0.4, 1.2)));
  Shape tube = solid(ShapeType::tube, 0.4, 0.5);
  tube.inner_radius = 0.3;
  expect_same(mass_properties(tube) + mass_properties(solid(ShapeType::cylinder, 0.3, 0.5)),
              mass_properties(solid(ShapeType::cylinder, 0.4, 0.5)));
  // A turned box, cut across its turned x axis.
  Shape box = solid(ShapeType::box, 0, 0), left = box, right = box;
  box.orientation = left.orientation = right.orientation = exp_rotation({0.3, -0.5, 0.9});
  box.position = {1, 2, 3};
  box.size = {0.6, 0.2, 0.3};
  left.size = {0.4, 0.2, 0.3}, right.size = {0.2, 0.2, 0.3};
  left.position = box.position + box.orientation * Vector3d(-0.1, 0, 0);
  right.position = box.position + box.orientation * Vector3d(0.2, 0, 0);
  expect_same(mass_properties(left) + mass_properties(right), mass_properties(box));
}

TEST(MassProperties, FollowFromTheMassOfAShape) {
  Shape shape = solid(ShapeType::cone, 0.3, 0.8);
  const MassProperties by_density = mass_properties(shape);
  shape.density.reset();
  shape.mass = by_density.mass;
  expect_same(mass_properties(shape), by_density);
}

Body body_of(const std::string& text) {
  return io::read_model_text("bodies: {rod: {" + text + "}}", "model.yaml").bodies[0];
}

TEST(Body, TakesItsMassFromShapesAndPointMasses) {
  const Body body = body_of(
      "shapes: [{type: box, size: [0.2, 0.1, 0.3], density: steel, position: [1, 0, 0]}, {type: sphere, radius: 1}],"
      "markers: {tip: {position: [2, 1, 0]}}, point_masses: {mass: 3, at: tip}");
  const double m = 0.006 * 7850, M = m + 3;
  const Vector3d center = (m * Vector3d(1, 0, 0) + 3 * Vector3d(2, 1, 0)) / M;
  const Vector3d d(1, 1, 0);  // between the two: their reduced mass gives the rest
  const Matrix3d box = Vector3d(m / 12 * 0.1, m / 12 * 0.13, m / 12 * 0.05).asDiagonal();
  EXPECT_NEAR(body.mass, M, 1e-12);
  EXPECT_LT((body.mass_center.position - center).norm(), 1e-14);
  EXPECT_LT((body.inertia - box - steiner(m * 3 / M, d)).norm(), 1e-13);
}

TEST(Body, HasItsInertiaAboutAnyMarker) {
  // A rod of 2 m along the y axis of a turned marker at its end: m l²/3 about it, m l²/12 about the middle.
  const Body body = body_of("mass: 3, inertia: [4, 0.1, 4], inertia_about: end, mass_center: middle,"
                            "markers: {end: {position: [0, 0, 5], orientation: {z: [0, 0, -1], x: [0, 1, 0]}},"
                            "          middle: {relative_to: end, position: [0, 1, 0]}}");
  const Vector3d y = Quaterniond(body.markers[0].orientation) * Vector3d::UnitY();
  EXPECT_LT((body.mass_center.position - Vector3d(0, 0, 5) - y).norm(), 1e-15);
  const Matrix3d about_middle = Matrix3d::Identity() - 0.9 * y * y.transpose();
  EXPECT_LT((body.inertia - about_middle).norm(), 1e-14);
}

TEST(Marker, MayBeRelativeToAnotherOrToGround) {
  const Body body =
      body_of("mass: 1, inertia: [1, 1, 1], position: [1, 2, 3], orientation: {axis: [0, 0, 1], angle_deg: 90},"
              "markers: {c: {relative_to: b, position: [1, 0, 0]},"
              "          b: {relative_to: a, position: [0, 0, 2], orientation: {axis: [0, 1, 0], angle_deg: 90}},"
              "          a: {position: [1, 1, 1], orientation: {axis: [1, 0, 0], angle_deg: 90}},"
              "          g: {relative_to: ground, position: [1, 3, 3]}}");
  // a turns z to −y, b then turns x to −z of a, which is y of the body.
  EXPECT_LT((body.markers[1].position - Vector3d(1, -1, 1)).norm(), 1e-15);
  EXPECT_LT((body.markers[0].position - Vector3d(1, 0, 1)).norm(), 1e-15);
  EXPECT_LT((body.markers[3].position - Vector3d(1, 0, 0)).norm(), 1e-15);
  EXPECT_LT((body.markers[3].orientation * Vector3d::UnitY() - Vector3d(1, 0, 0)).norm(), 1e-15);
}

TEST(Orientation, ByEulerAnglesAboutFixedAxesIsTheOppositeOrderAboutTurnedOnes) {
  const auto read = [](const std::string& text) {
    return body_of("mass: 1, inertia: [1, 1, 1], orientation: " + text).orientation;
  };
  EXPECT_LT(read("{euler: [0.3, -0.7, 1.1], sequence: XYZ}")
                .angularDistance(read("{euler: [1.1, -0.7, 0.3], sequence: zyx}")),
            1e-15);
  EXPECT_GT(read("{euler: [0.3, -0.7, 1.1], sequence: XYZ}")
                .angularDistance(read("{euler: [0.3, -0.7, 1.1], sequence: xyz}")),
            0.1);
}

/// The signals and body channels of the last sample.
std::map<std::string, double> end_of(const std::string& bodies) {
  const Model model = io::read_model_text(bodies + R"(
joints: {hinge: {type: revolute, between: [ground, rod], at: [0, 0, 0], axis: [0, 1, 0.2]}}
forces: {strut: {type: spring-damper, between: [ground.hook, rod.tip], stiffness: 100}}
points: {tip: rod.tip}
ground: {markers: {hook: {position: [1, 1, 1]}}}
run: {duration: 0.5, step: 1/1000}
)",
                                          "model.yaml");
  const System system = assemble(model);
  State state = initial_wishes(model, system);
  EXPECT_TRUE(consistent_start(system, SolverType::automatic, state).assembled);
  const Results results = simulate(system, state, model.run);
  Channels channels(model, system, results.report.start_energy);
  const ChannelTable table = make_channel_table(channels, results.samples);
  std::map<std::string, double> end;
  for (size_t c = 0; c < table.channels.size(); ++c) {
    const size_t columns = table.channels[c].columns.size();
    for (size_t k = 0; k < columns; ++k)
      end[table.channels[c].owner + "/" + table.channels[c].name + "/" + std::to_string(k)] =
          table.values[c][table.values[c].size() - columns + k];
  }
  return end;
}

TEST(Body, MayHaveItsFrameAnywhere) {
  // The same rod, once with the frame at its mass centre, once turned and at its tip.
  const auto middle =
      end_of("bodies: {rod: {mass: 2, inertia: [0.1, 0.4, 0.5], position: [0.5, 0, 0],"
             " velocity: [0, 0, 0.5], angular_velocity: [0, -1, 0], markers: {tip: {position: [0.5, 0, 0]}}}}");
  const auto tip = end_of("bodies: {rod: {mass: 2, inertia: [0.4, 0.1, 0.5], mass_center: [0, 0.5, 0],"
                          " position: [1, 0, 0], orientation: {axis: [0, 0, 1], angle_deg: 90},"
                          " velocity: [0, 0, 1], angular_velocity: [0, -1, 0], markers: {tip: {}}}}");
  for (const auto& [name, value] : middle)
    if (name.rfind("rod/", 0) != 0) {  // both runs within Newton's tolerance, 1e-8
      EXPECT_NEAR(value, tip.at(name), 3e-8 * std::max(1.0, std::abs(value))) << name;
    }
  for (const char* axis : {"x", "y", "z"})
    EXPECT_NEAR(tip.at("rod/position/" + std::to_string(axis[0] - 'x')), tip.at(std::string("/tip.") + axis + "/0"),
                1e-15);
  // Velocity and acceleration of the frame at the tip: v + ω × r and v̇ + ω̇ × r + ω × (ω × r) from the mass centre.
  const auto vector = [](const std::map<std::string, double>& end, const std::string& name) {
    return Vector3d(end.at("rod/" + name + "/0"), end.at("rod/" + name + "/1"), end.at("rod/" + name + "/2"));
  };
  const Vector3d r = vector(tip, "position") - vector(middle, "position"), w = vector(middle, "angular_velocity");
  EXPECT_NEAR(r.norm(), 0.5, 1e-9);
  EXPECT_LT((vector(tip, "velocity") - vector(middle, "velocity") - w.cross(r)).norm(), 1e-8);
  EXPECT_LT((vector(tip, "acceleration") - vector(middle, "acceleration") -
             vector(middle, "angular_acceleration").cross(r) - w.cross(w.cross(r)))
                .norm(),
            1e-6);
}

}  // namespace mass_properties_test
}  // namespace bricard
