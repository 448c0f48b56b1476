// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "bricard/integrate/integrator.h"
#include "order/exact_motion.h"
#include "reference/sleigh.h"

// Blades and wheels, against closed forms and equations in minimal coordinates.
namespace bricard::testing {
namespace nonholonomic_test {

/// Three ways to write the condition of a blade.
const char* const kBlades[] = {
    "joints: {blade: {type: knife-edge, between: [ground, sled.blade]}}\n",
    "velocity_constraints: {blade: \"vy(sled.blade, ground, sled)\"}\n",
    "velocity_constraints: {blade: \"cos(angle_z(sled))*vy(sled.blade) - sin(angle_z(sled))*vx(sled.blade)\"}\n"};

TEST(NonHolonomic, ChaplyginSleighFollowsTheClosedForm) {
  for (const char* blade : kBlades)
    for (const char* plane : {"", "plane: xy\n"}) {
      SCOPED_TRACE(std::string(plane) + blade);
      const Simulated run(std::string(plane) + kSleigh + blade + "run: {integrator: radau, duration: 4, step: 0.02}\n");
      EXPECT_EQ(run.results.report.finished, true) << run.results.report.stopped_because;
      const SleighMotion exact = sleigh_motion(4), found = motion_of(run.started.system, run.end());
      EXPECT_NEAR(found.speed, exact.speed, 1e-9);
      EXPECT_NEAR(found.turn_rate, exact.turn_rate, 1e-9);
      EXPECT_NEAR(std::remainder(found.angle - exact.angle, 2 * std::acos(-1.0)), 0, 1e-9);
      EXPECT_LT(run.results.report.max_energy_defect, 1e-9);
    }
}

//     x = g′/(2ω²) sin²ωt,   y = g′/(2ω²) (ωt − ½ sin 2ωt),   g′ the gravity along the slope      [NeimarkFufaev1972]
TEST(NonHolonomic, BladeOnASlopeRunsInACycloid) {
  const double pull = 3, w = 2, t = 5;
  const Simulated run(R"yaml(
plane: xy
gravity: [3, 0, 0]
bodies: {skate: {mass: 2, inertia: [0.1, 0.1, 0.1], angular_velocity: [0, 0, 2], markers: {blade: {orientation: {z: [0, 1, 0]}}}}}
joints: {blade: {type: knife-edge, between: [ground, skate.blade]}}
run: {integrator: radau, duration: 5, step: 0.01}
)yaml");
  const double s = std::sin(w * t);
  EXPECT_NEAR(run.end().q[0], pull / (2 * w * w) * s * s, 1e-9);
  EXPECT_NEAR(run.end().q[1], pull / (2 * w * w) * (w * t - 0.5 * std::sin(2 * w * t)), 1e-9);
}

constexpr const char* kDisc = R"yaml(
parameters: {R: 0.5, m: 2, J: m*R^2/4, th: 1.2, p: 0.3, q: 0.8, r: 5}
bodies:
  disc:
    mass: m
    inertia: [J, J, 2*J]
    position: [0, 0, R*sin(th)]
    orientation: {z: [0, -sin(th), cos(th)], x: [1, 0, 0]}
    angular_velocity: [p, q*cos(th) - r*sin(th), q*sin(th) + r*cos(th)]
    velocity: [-r*R, -p*R*sin(th), p*R*cos(th)]
joints: {wheel: {type: rolling, between: [ground, disc], radius: R}}
)yaml";

/// Lean angle and angular velocity in the axes along the track, up in the disc, and along the axle.
Eigen::Vector4d lean_of(const Matrix3d& R, const Vector3d& w_body) {
  const Vector3d axle = R.col(2), track = Vector3d::UnitZ().cross(axle).normalized(), up = axle.cross(track),
                 w = R * w_body;
  return {std::acos(axle.z()), w.dot(track), w.dot(up), w.dot(axle)};
}

Eigen::Vector4d lean_of(const System& system, const State& s) {
  Kinematics k = system.make_kinematics();
  system.update(s, k);
  return lean_of(k.frames[1].R, k.frames[1].w);
}

using Values = Eigen::Matrix<Real, 4, 1>;

/// θ, p, q, ω₃ of a thin disc:  (A + mR²) ṗ = A q² cot θ − (C + mR²) q ω₃ − m g R cos θ,  A q̇ = p (C ω₃ − A q cot θ),
/// (C + mR²) ω̇₃ = mR² p q                                                                [NeimarkFufaev1972]
Values disc_rates(const Values& y) {
  const Real a = 0.25L, c = 0.5L, g = 9.81L / 0.5L, cot = std::cos(y[0]) / std::sin(y[0]);  // per mR²
  return Values(y[1], (a * y[2] * y[2] * cot - (c + 1) * y[2] * y[3] - g * std::cos(y[0])) / (a + 1),
                y[1] * (c * y[3] - a * y[2] * cot) / a, y[1] * y[2] / (c + 1));
}

TEST(NonHolonomic, RollingDiscFollowsItsEquationsOfLean) {
  const Simulated run(std::string(kDisc) + "run: {integrator: radau, duration: 2, step: 0.005}\n");
  const Values exact = extrapolated<Values>(disc_rates, Values(1.2L, 0.3L, 0.8L, 5), 2, 40);
  EXPECT_LT((lean_of(run.started.system, run.end()) - exact.cast<double>()).norm(), 1e-8);
  EXPECT_LT(run.results.report.max_energy_defect, 1e-8);
  EXPECT_LT(run.results.report.max_position_violation, 1e-12);
  EXPECT_LT(run.results.report.max_velocity_violation, 1e-12);
}

/// Upright and straight, pushed aside a little: the lean swings with ν² = (C (C + mR²) ω²/A − m g R)/(A + mR²), which for
/// a disc is 4/5 (3ω² − g/R), and for a hoop (4ω² − g/R)·2/3; below ω² = g/(3R) or g/(4R) the disc falls.
TEST(NonHolonomic, RollingDiscIsStableAboveTheCriticalSpeed) {
  for (const bool hoop : {false, true})
    for (const double part : {0.8, 1.25}) {
      const double R = 0.5, critical = std::sqrt(9.81 / ((hoop ? 4 : 3) * R)), w = part * critical, push = 1e-4,
                   t = 1.2;
      const double square = hoop ? (4 * w * w - 9.81 / R) * 2 / 3 : 0.8 * (3 * w * w - 9.81 / R),
                   nu = std::sqrt(std::abs(square));
      const Simulated run("parameters: {w: " + std::to_string(w) +
                          ", push: 1e-4, R: 0.5, k: " + (hoop ? "1/2" : "1/4") + "}\n" + R"yaml(
bodies:
  disc:
    {mass: 3, inertia: [3*k*R^2, 3*k*R^2, 6*k*R^2], position: [0, 0, R], orientation: {z: [0, -1, 0], x: [1, 0, 0]},
     angular_velocity: [push, w, 0], velocity: [w*R, -push*R, 0]}
joints: {wheel: {type: rolling, between: [ground, disc], radius: R}}
run: {integrator: radau, duration: 1.2, step: 0.01}
)yaml");
      const double lean = lean_of(run.started.system, run.end())[0] - std::acos(0.0);
      const double exact = push / nu * (square > 0 ? std::sin(nu * t) : std::sinh(nu * t));
      EXPECT_NEAR(lean, exact, 2e-4 * std::abs(push / nu)) << "hoop " << hoop << ", speed " << part;
    }
}

/// On a plane that turns about the vertical a ball runs in a circle, with 2/7 of
/// the turn rate of the plane.                                                                  [NeimarkFufaev1972]
TEST(NonHolonomic, BallOnATurntableRunsInACircle) {
  const Simulated run(R"yaml(
bodies:
  table: {mass: 5, inertia: [1, 1, 1]}
  ball: {mass: 0.3, inertia: [0.3*0.4*0.01, 0.3*0.4*0.01, 0.3*0.4*0.01], position: [0.4, 0, 0.1], orientation: {z: [1, 0, 0]},
         angular_velocity: [20, 0, 0]}
joints:
  spindle: {type: revolute, between: [ground, table], at: [0, 0, 0], axis: [0, 0, 1]}
  wheel: {type: rolling, between: [table, ball], radius: 0, tube_radius: 0.1}
motions: {turn: {joint: spindle, displacement: 3*t}}
run: {integrator: radau, duration: 7.330382858376184, step: 0.01}
)yaml");  // a turn of 2π at 2/7·3 rad/s
  const int ball = run.started.system.nodes()[2].q;
  EXPECT_LT((run.end().q.segment<3>(ball) - run.started.state.q.segment<3>(ball)).norm(), 2e-6);
  double farthest = 0;
  for (const Sample& s : run.results.samples)
    farthest = std::max(farthest, (s.state.q.segment<3>(ball) - run.started.state.q.segment<3>(ball)).norm());
  EXPECT_GT(farthest, 0.5);
}

/// A condition that depends on time prescribes a velocity: ẋ = 0.3 sin 2t.
TEST(NonHolonomic, VelocityByAFormulaOfTime) {
  const Simulated run(R"yaml(
bodies: {b: {mass: 2, inertia: [1, 1, 1]}}
inputs: {speed: 0.3*sin(2*t)}
velocity_constraints: {drive: vx(b) - speed}
run: {duration: 2, step: 1e-3, projection: full}
)yaml");
  EXPECT_NEAR(run.end().q[0], 0.15 * (1 - std::cos(4)), 2e-7);
  EXPECT_NEAR(run.signal("drive.force").back(), 2 * 0.6 * std::cos(4), 1e-5);
  EXPECT_NEAR(run.results.report.end_energy - run.results.report.start_energy, run.results.report.work, 1e-4);
}

/// In the stabilized formulas, and after projections, conditions on velocities hold to round-off over a long run.
TEST(NonHolonomic, DriftStaysAtRoundOff) {
  for (const char* method : {"nstiff-si2", "hht-si2", "radau", "hht, projection: full"}) {
    const Simulated run(std::string(kDisc) + "run: {duration: 5, step: 0.005, integrator: " + method + "}\n");
    EXPECT_LT(run.results.report.max_velocity_violation, 1e-12) << method;
    EXPECT_LT(run.results.report.max_position_violation, 1e-10) << method;
  }
}

TEST(NonHolonomic, MethodsThatCannotTakeThemSaySo) {
  const Started s = start(io::read_model_text(std::string(kSleigh) + kBlades[0], "test.yaml"));
  RunSettings settings;
  for (const auto& [type, use] :
       {std::pair{IntegratorType::hht_add, "hht-si2"}, std::pair{IntegratorType::energy_decaying, "hht or radau"}}) {
    settings.integrator = type;
    EXPECT_EQ(why_not(s.system, settings), std::string("joint 'blade' is a condition on velocities, which '") +
                                               name_of(type) + "' cannot take; use " + use);
  }
}

}  // namespace nonholonomic_test
}  // namespace bricard::testing
