// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>

#include "bricard/integrate/integrator.h"
#include "bricard/model/integrator_kinds.h"
#include "bricard/read/model_reader.h"
#include "order/exact_motion.h"

// What holds for every integrator, or for every one of its kind, besides its order.
namespace bricard::testing {
namespace every_integrator_test {

using I = IntegratorType;

/// All but the augmented ones, which tests of their own judge.
std::vector<I> all_integrators() {
  std::vector<I> all;
  for (const IntegratorKind& kind : integrator_kinds())
    if (kind.family != IntegratorKind::Family::augmented) all.push_back(kind.type);
  return all;
}

/// As from a model file that names the integrator and nothing else.
State end_of_run(const Started& model, I type, double h, int steps) {
  RunSettings settings;
  settings.integrator = type;
  const std::unique_ptr<Integrator> integrator = make_integrator(model.system, settings);
  State s = model.state;
  integrator->start(s);
  for (int i = 0; i < steps; ++i)
    if (integrator->step(h, s).status != StepStatus::accepted) {
      ADD_FAILURE() << "step " << i << " was not accepted";
      break;
    }
  return s;
}

class EveryIntegrator : public ::testing::TestWithParam<I> {};

/// Two parallelograms of spatial hinges, six equations more than needed: θ̈ = −(7/6) g cos θ. Backward Euler is off by h
/// times its acceleration, half the time and a factor; the others are at least a hundred times better.
TEST_P(EveryIntegrator, RunsRedundantLoops) {
  constexpr double kStart = 1.5707963267948966, kEnd = 0.4, kStep = 1e-3;
  using Values = Eigen::Matrix<Real, 2, 1>;
  const auto rate = [](const Values& y) { return Values(y[1], -7 / 6.0L * 9.81L * std::cos(y[0])); };
  const Values exact = extrapolated<Values>(rate, Values(kStart, -1), kEnd, 20);
  const Started model = start(n_four_bar(2, 0.01, kStart, -1));
  const State s = end_of_run(model, GetParam(), kStep, std::lround(kEnd / kStep));
  const int upright = model.system.nodes()[1].q;
  const Eigen::Vector2d at(s.q[upright], s.q[upright + 1]),
      wanted(std::cos(static_cast<double>(exact[0])), std::sin(static_cast<double>(exact[0])));
  EXPECT_LT((2 * at - wanted).norm(), GetParam() == I::radau_1 ? 5e-3 : 5e-5);
}

/// A driven four-bar leaves nothing to integrate: positions and velocities follow from where two circles meet.
TEST_P(EveryIntegrator, FollowsAMotionExactly) {
  constexpr Real kBase = 1, kCrank = 0.3L, kCoupler = 0.9L, kRocker = 0.7L;
  constexpr double kStep = 2e-3;
  constexpr int kSteps = 300;
  const Real turn = 2 * std::acos(-1.0L), t = kStep * kSteps;
  const Started model = start(io::read_model(BRICARD_SOURCE_DIR "/models/four_bar.yaml"));
  const State s = end_of_run(model, GetParam(), kStep, kSteps);
  const Jet angle{turn / 4 + turn * t, turn, 0};
  const PlanarVector C =
      meeting_point({kCrank * cos(angle), kCrank * sin(angle)}, kCoupler, point(kBase, 0), kRocker, 1);
  const FrameNode& rocker = model.system.nodes()[3];
  EXPECT_NEAR(s.q[rocker.q], static_cast<double>((kBase + C.x.x) / 2), 1e-9);
  EXPECT_NEAR(s.q[rocker.q + 1], static_cast<double>(C.y.x / 2), 1e-9);
  EXPECT_NEAR(s.v[rocker.v], static_cast<double>(C.x.d / 2), 1e-7);
  EXPECT_NEAR(s.v[rocker.v + 1], static_cast<double>(C.y.d / 2), 1e-7);
}

/// A free body whose middle axis of inertia is the one it turns about tumbles; without loads its angular momentum stays.
/// First order loses some, the others have errors of (h ω)² at most.
TEST_P(EveryIntegrator, KeepsTheAngularMomentumOfATumblingBody) {
  Model model;
  model.gravity = Vector3d::Zero();
  Body body;
  body.name = "book";
  body.mass = 1;
  body.inertia = Vector3d(1, 2, 2.5).asDiagonal();
  body.angular_velocity = {0.1, 5, 0.05};
  model.bodies = {body};
  const Started started = start(model);
  const auto momentum = [&](const State& s) -> Vector3d {
    Kinematics k = started.system.make_kinematics();
    started.system.update(s, k);
    return k.frames[1].R * body.inertia.diagonal().cwiseProduct(k.frames[1].w);
  };
  const Vector3d before = momentum(started.state), after = momentum(end_of_run(started, GetParam(), 1e-3, 2000));
  EXPECT_LT((after - before).norm() / before.norm(), GetParam() == I::radau_1 ? 0.05 : 1e-4);
}

INSTANTIATE_TEST_SUITE_P(All, EveryIntegrator, ::testing::ValuesIn(all_integrators()), [](const auto& i) {
  std::string name = name_of(i.param);
  std::erase(name, '-');
  return name;
});

/// One for each stage but the first, whose accelerations are known, and one for the end; with redundant rows, too.
/// One factorization per stage; where constraints repeat each other the landing takes two more at most, which learn
/// the rank of its own position.
TEST(ExplicitRungeKutta, FactorizesOncePerStage) {
  constexpr int kSteps = 20;
  for (const auto& [model, more] : {std::pair{chain(3), 0}, {n_four_bar(2, 0.01, 1.2, -1), 2}}) {
    const Started started = start(model);
    for (const auto& [type, stages] : {std::pair{I::rk4, 4}, {I::dopri, 7}}) {
      RunSettings settings;
      settings.integrator = type;
      const std::unique_ptr<Integrator> integrator = make_integrator(started.system, settings);
      State s = started.state;
      integrator->start(s);
      const long before = integrator->counts().factorizations;
      for (int i = 0; i < kSteps; ++i) ASSERT_EQ(integrator->step(1e-3, s).status, StepStatus::accepted);
      const long made = integrator->counts().factorizations - before;
      EXPECT_GE(made, kSteps * stages) << name_of(type);
      EXPECT_LE(made, kSteps * (stages + more)) << name_of(type);
    }
  }
}

/// Largest violation of velocity constraints in 10 s of the slider-crank without damper, over the largest velocity.
double velocity_violation(I type, double h) {
  const Started crank = start(io::read_model(BRICARD_SOURCE_DIR "/models/slider_crank_004.yaml", {{"damping", 0.0}}));
  RunSettings settings;
  settings.integrator = type;
  settings.projection = ProjectionMode::none;
  settings.alpha = -0.3;
  settings.gamma = 0.8;
  settings.beta = 0.25 * 1.3 * 1.3;
  settings.tolerance = 1e-12;
  const std::unique_ptr<Integrator> integrator = make_integrator(crank.system, settings);
  Kinematics k = crank.system.make_kinematics();
  VectorXd rate(crank.system.multipliers()), bias(crank.system.multipliers());
  State s = crank.state;
  double violation = 0, velocity = 0;
  integrator->start(s);
  for (int i = 0; i < std::lround(10 / h); ++i) {
    if (integrator->step(h, s).status != StepStatus::accepted) return HUGE_VAL;
    crank.system.update(s, k);
    crank.system.constraint_rates(k, rate, bias);
    violation = std::max(violation, rate.lpNorm<Eigen::Infinity>());
    velocity = std::max(velocity, s.v.lpNorm<Eigen::Infinity>());
  }
  return violation / velocity;
}

TEST(StabilizedIndex2, KeepsVelocityConstraintsAtRoundOff) {
  for (const I type : {I::nstiff_si2, I::hht_add, I::hht_si2})
    EXPECT_LE(velocity_violation(type, 0x1p-8), 1e-13) << name_of(type);
}

/// Newmark's too, although its motion is of first order: the error of its velocities lies along the motion.
TEST(Index3, HasVelocityViolationsOfSecondOrder) {
  for (const I type : {I::nstiff, I::newmark, I::hht, I::generalized_alpha})
    EXPECT_NEAR(std::log2(velocity_violation(type, 0x1p-9) / velocity_violation(type, 0x1p-10)), 2, 0.1)
        << name_of(type);
}

}  // namespace every_integrator_test
}  // namespace bricard::testing
