// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>

#include "bricard/analysis/simulate.h"
#include "bricard/assemble/assemble.h"
#include "papers/dense_matrices.h"
#include "reference/mechanisms.h"

// Bushings, fields and beams between two markers against linear theory, statics of beams and the books of energy.
namespace bricard::testing {
namespace fields_test {

RunSettings settings(double duration, double h) {
  RunSettings s;
  s.duration = duration;
  s.step = s.output_step.emplace(h);
  s.tolerance = 1e-12;
  s.integrator = IntegratorType::generalized_alpha;
  s.rho_infinity = 1;
  return s;
}

/// An engine on one bushing that is not at its centre of mass.
Model engine() {
  Model model;
  model.gravity.setZero();
  Body b;
  b.name = "engine";
  b.mass = 3;
  b.inertia << 0.5, 0.02, -0.03, 0.02, 0.8, 0.05, -0.03, 0.05, 1.1;
  b.markers = {{"foot", {}, Vector3d(0.2, -0.1, -0.3), Quaterniond::Identity()}};
  model.bodies = {b};
  model.ground.markers = {{"foot", {}, Vector3d(0.2, -0.1, -0.3), Quaterniond::Identity()}};
  Bushing bushing;
  bushing.name = "mount";
  bushing.between = {Reference{"ground.foot", {}}, Reference{"engine.foot", {}}};
  bushing.stiffness = {300, 500, 900};
  bushing.rotational_stiffness = {40, 60, 80};
  model.bushings = {bushing};
  return model;
}

/// Small motions are those of M ü + K u = 0 with u = (displacement of the centre, rotation); the foot moves by u + θ × r.
TEST(BushingMountedBody, SwingsInItsNormalModes) {
  Model model = engine();
  const Vector3d r = model.bodies[0].markers[0].position;
  Matrix6d J = Matrix6d::Identity(), M = Matrix6d::Zero(), K = Matrix6d::Zero();
  J.topRightCorner<3, 3>() = -skew(r);
  M.topLeftCorner<3, 3>() = 3 * Matrix3d::Identity();
  M.bottomRightCorner<3, 3>() = model.bodies[0].inertia;
  Vector6d diagonal;
  diagonal << model.bushings[0].stiffness, model.bushings[0].rotational_stiffness;
  K = J.transpose() * diagonal.asDiagonal() * J;
  const dense::Vibrations modes = dense::vibrations(K, M);
  const double scale = 1e-5, T = 1.0;
  for (int n = 0; n < 6; ++n) {
    SCOPED_TRACE(n);
    const Vector6d shape = scale * modes.shapes.col(n);
    model.bodies[0].position = shape.head<3>();
    model.bodies[0].orientation = exp_rotation(shape.tail<3>());
    const Started started = start(model);
    const double omega = std::sqrt(modes.squares[n]);
    const Results results = simulate(started.system, started.state, settings(T, 5e-4));
    const State& end = results.samples.back().state;
    const double factor = std::cos(omega * T);
    // (ω h)²/12 per radian of phase, ω up to 35/s: 1e-3; nonlinear terms are smaller by 1e-5
    EXPECT_LT((end.q.head<3>() - factor * shape.head<3>()).norm(), 2e-3 * scale);
    EXPECT_LT((log_rotation(quaternion_at(end.q, 3)) - factor * shape.tail<3>()).norm(), 2e-3 * scale);
  }
}

TEST(BushingMountedBody, KeepsItsEnergyInLargeMotions) {
  Model model = engine();
  model.bodies[0].velocity = {2, -1, 1};
  model.bodies[0].angular_velocity = {4, 3, -5};  // about one radian of turn
  const Started started = start(model);
  const auto defect = [&](double h) {
    return simulate(started.system, started.state, settings(1, h)).report.max_energy_defect;
  };
  const double coarse = defect(2e-3), fine = defect(1e-3);
  EXPECT_NEAR(std::log2(coarse / fine), 2, 0.2);
  EXPECT_LT(fine, 0.05);  // of 30 J
}

/// Free in space, action and reaction of a field between two bodies change neither momentum nor spin.
TEST(FieldBetweenTwoBodies, KeepsMomentumAndSpin) {
  Model model = engine();
  Body other = model.bodies[0];
  other.name = "other";
  other.position = {0.4, 0.3, -0.5};
  other.orientation = exp_rotation({0.3, -0.5, 0.2});
  other.velocity = {1, 0, -2}, other.angular_velocity = {0, 3, 1};
  model.bodies.push_back(other);
  model.bushings.clear();
  FieldForce field;
  field.name = "link";
  field.between = {Reference{"engine.foot", {}}, Reference{"other.foot", {}}};
  const Matrix6d A =
      Matrix6d::NullaryExpr([](Eigen::Index i, Eigen::Index j) { return std::sin(1.0 + 2 * i + 5 * j); });
  field.stiffness = 30 * A * A.transpose();
  field.damping = 2 * A.transpose() * A;
  field.preload << 1, -2, 3, 0.5, 0.2, -0.4;
  model.fields = {field};
  const Started started = start(model);
  const auto momentum = [&](const State& s) {
    Vector6d sum = Vector6d::Zero();
    for (int n = 0; n < 2; ++n) {
      const FrameNode& node = started.system.nodes()[n + 1];
      const Vector3d p = 3 * s.v.segment<3>(node.v);
      sum.head<3>() += p;
      sum.tail<3>() +=
          s.q.segment<3>(node.q).cross(p) +
          quaternion_at(s.q, node.q + 3) * (model.bodies[0].inertia * Vector3d(s.v.segment<3>(node.v + 3)));
    }
    return sum;
  };
  const Results results = simulate(started.system, started.state, settings(0.5, 2e-4));
  ASSERT_TRUE(results.report.finished);
  const Vector6d change = momentum(results.samples.back().state) - momentum(started.state);
  EXPECT_LT(change.head<3>().norm(), 1e-9);           // exact for the method: round-off and Newton's tolerance
  EXPECT_LT(change.tail<3>().norm(), 1e-4);           // spin at second order
  EXPECT_LT(results.report.work, -1);                 // the damper took energy,
  EXPECT_LT(results.report.max_energy_defect, 1e-3);  // which the books show
}

/// Turning at 4 rad/s it passes half a turn after π/4 s and again a turn later: said once. Without a torque nothing jumps.
TEST(BushingPastHalfATurn, IsReportedWithItsTimeAndName) {
  for (const double torsional : {1e-9, 0.0}) {
    Model model = engine();
    model.bodies[0].inertia = Vector3d(0.5, 0.8, 1.1).asDiagonal();
    model.bodies[0].angular_velocity = {0, 0, 4};
    model.bodies[0].markers[0].position.setZero();
    model.ground.markers[0].position.setZero();
    model.bushings[0].rotational_stiffness = Vector3d::Constant(torsional);
    const Started started = start(model);
    const Results results = simulate(started.system, started.state, settings(3, 1e-2));
    if (torsional == 0) {
      EXPECT_TRUE(results.report.remarks.empty());
    } else {
      ASSERT_EQ(results.report.remarks.size(), 1u);
      EXPECT_EQ(results.report.remarks[0].find("t = 0.79 s: forces.mount turned past half a turn"), 0u)
          << results.report.remarks[0];
    }
  }
}

/// A tip mass on a clamped beam, placed where Timoshenko's beam under its weight has it: it must stay at rest.
TEST(CantileverBeam, CarriesItsTipAsBeamTheorySays) {
  const double L = 0.8, E = 2e11, G = 8e10, A = 4e-4, I = 1.2e-8, shear = 1.2, mass = 0.01, g = 9.81;
  const double P = mass * g;
  const double deflection = P * L * L * L / (3 * E * I) + shear * P * L / (G * A), slope = P * L * L / (2 * E * I);
  for (const bool along_y : {true, false}) {  // gravity across the beam, in each of its two planes
    Model model;
    model.gravity = along_y ? Vector3d(0, -g, 0) : Vector3d(0, 0, -g);
    Body tip;
    tip.name = "tip";
    tip.mass = mass;
    tip.inertia = 1e-6 * Matrix3d::Identity();
    tip.position = along_y ? Vector3d(L, -deflection, 0) : Vector3d(L, 0, -deflection);
    tip.orientation = exp_rotation(along_y ? Vector3d(0, 0, -slope) : Vector3d(0, slope, 0));
    model.bodies = {tip};
    BeamForce beam;
    beam.name = "beam";
    beam.between = {Reference{"ground", {}}, Reference{"tip", {}}};
    beam.length = L, beam.youngs_modulus = E, beam.shear_modulus = G, beam.area = A;
    beam.Ixx = 2 * I, beam.Iyy = I, beam.Izz = I, beam.asy = shear, beam.asz = shear;
    model.beams = {beam};
    const Started started = start(model);
    EXPECT_LT(started.state.a.head<3>().norm(), 1e-6 * g);  // linear beam: the rest is δ²/L² of it
    EXPECT_LT(started.state.a.tail<3>().norm() * 1e-6, 1e-6 * P * L);
  }
}

}  // namespace fields_test
}  // namespace bricard::testing
