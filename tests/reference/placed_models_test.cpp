// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <numbers>

#include "bricard/analysis/run_model.h"
#include "bricard/analysis/simulate.h"
#include "bricard/assemble/assemble.h"
#include "bricard/read/model_reader.h"
#include "reference/mechanisms.h"

// Machines that are written with placed bodies, against what can be said of them by hand.
namespace bricard::testing {
namespace placed_models_test {

struct Ran {
  Model model;
  StartState start;
  System system;
  Results results;
  explicit Ran(const std::string& name)
      : model(io::read_model(BRICARD_SOURCE_DIR "/models/" + name + ".yaml")), system(assemble(model)) {
    start = start_of(model, system, Analysis::dynamics);
    results = simulate(model, system, start.state, model.run);
    EXPECT_EQ(results.report.verdict(), Verdict::good);
  }
  double value(const Sample& sample, const std::string& signal) const {
    return signal_of(model, system, sample.state, signal);
  }
  double parameter(const std::string& name) const {
    for (const auto& p : model.parameters)
      if (p.name == name) return p.value;
    ADD_FAILURE() << name;
    return NAN;
  }
};

// Three spheres about the elbows, moved inwards by the radius of the platform, meet where it is.
TEST(PlacedModels, DeltaRobotIsWhereThreeSpheresMeet) {
  const Ran robot("delta_robot");
  const double base = robot.parameter("base"), plate = robot.parameter("plate"), arm = robot.parameter("arm"),
               rod = robot.parameter("rod");
  const FrameNode& node = robot.system.nodes()[1];
  ASSERT_EQ(node.name, "platform");
  for (size_t n = 0; n < robot.results.samples.size(); n += 50) {
    const Sample& sample = robot.results.samples[n];
    std::array<Vector3d, 3> spheres;
    for (int i = 0; i < 3; ++i) {
      const double way = 2 * std::numbers::pi * (i + 1) / 3;
      const double angle = robot.value(sample, "motor" + std::to_string(i + 1) + ".angle");
      const double out = base - plate + arm * std::cos(angle);
      spheres[i] = {out * std::cos(way), out * std::sin(way), -arm * std::sin(angle)};
    }
    Eigen::Matrix<double, 2, 3> A;
    Eigen::Vector2d b;
    for (int i = 0; i < 2; ++i) {
      A.row(i) = 2 * (spheres[i + 1] - spheres[0]).transpose();
      b[i] = spheres[i + 1].squaredNorm() - spheres[0].squaredNorm();
    }
    const Vector3d on_line = A.transpose() * (A * A.transpose()).inverse() * b;
    Vector3d along = Vector3d(A.row(0)).cross(Vector3d(A.row(1))).normalized();
    if (along.z() > 0) along = -along;
    const Vector3d d = on_line - spheres[0];
    const double half = along.dot(d);
    const Vector3d met = on_line + (-half + std::sqrt(half * half - d.squaredNorm() + rod * rod)) * along;
    const Quaterniond q = quaternion_at(sample.state.q, node.q + 3);
    const Vector3d origin = sample.state.q.segment<3>(node.q) - q * robot.model.bodies[0].mass_center.position;
    EXPECT_LE((origin - met).norm(), 1e-9) << sample.state.t;
    EXPECT_LE(q.vec().norm(), 1e-9) << sample.state.t;
  }
}

// At rest the pressure holds the lift by virtual work: p A dl/dθ = dV/dθ.
TEST(PlacedModels, ScissorLiftIsHeldByItsPressure) {
  const Ran lift("scissor_lift");
  const Sample &first = lift.results.samples.front(), &last = lift.results.samples.back();
  const double L = lift.parameter("L"), bars = lift.parameter("bar"), load = lift.parameter("load");
  const double foot_x = lift.parameter("foot_x"), foot_y = lift.parameter("foot_y"), area = lift.parameter("area");
  for (const Sample* sample : {&first, &last}) {
    const double theta = lift.value(*sample, "left1.angle"), x = 0.75 * L * std::cos(theta),
                 y = 0.75 * L * std::sin(theta);
    const double gain = ((y - foot_y) * x - (x - foot_x) * y) / std::hypot(x - foot_x, y - foot_y);
    const double pressure = 9.81 * L * std::cos(theta) * (9 * bars + 3 * load) / (area * gain);
    EXPECT_NEAR(lift.value(*sample, "pressure"), pressure, 1e-6 * pressure);
    EXPECT_NEAR(lift.value(*sample, "height"), 3 * L * std::sin(theta), 1e-9);
  }
  EXPECT_GT(lift.value(last, "height"), lift.value(first, "height") + 1);
}

// Before the bump and long after it the tyres carry the weight.
TEST(PlacedModels, MotorcycleStandsOnItsTyres) {
  const Ran bike("motorcycle");
  double weight = 0;
  for (const Body& body : bike.model.bodies) weight += 9.81 * body.mass;
  const Sample &first = bike.results.samples.front(), &last = bike.results.samples.back();
  const auto carried = [&](const Sample& s) { return bike.value(s, "front_load") + bike.value(s, "rear_load"); };
  EXPECT_NEAR(carried(first), weight, 1e-6 * weight);
  EXPECT_NEAR(carried(last), weight, 0.01 * weight);
  double least = weight;
  for (size_t n = 0; n < bike.results.samples.size(); n += 5)
    least = std::min(least, bike.value(bike.results.samples[n], "front_load"));
  EXPECT_EQ(least, 0);  // it leaves the road
}

}  // namespace placed_models_test
}  // namespace bricard::testing
