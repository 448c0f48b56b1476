// SPDX-License-Identifier: Apache-2.0
#include "bricard/integrate/integrator.h"
#include "reference/sleigh.h"

// Does halving the step divide the error by 2ᵖ where a condition on velocities acts and a differential state goes along?
//     Chaplygin's sleigh with ẋ = −3 x + ω;   x by quadrature
namespace bricard::testing {
namespace nonholonomic_order_test {

struct Case {
  const char* name;
  IntegratorType type;
  double order;
  int steps;
  int bdf_order = 0;
};

void PrintTo(const Case& c, std::ostream* out) { *out << c.name; }

/// e^(−3t) ∫ e^(3s) ω(s) ds by Simpson's rule.
double exact_state(double t) {
  constexpr int n = 4000;
  const double h = t / n;
  double sum = 0;
  for (int i = 0; i <= n; ++i)
    sum += (i == 0 || i == n ? 1 : i % 2 ? 4 : 2) * std::exp(3 * (i * h - t)) * sleigh_motion(i * h).turn_rate;
  return sum * h / 3;
}

/// Errors of speed, turn rate, angle, force and state, root mean square over five times within 2 s.
Eigen::Matrix<double, 5, 1> errors_of(const Case& c, int steps) {
  const Started s0 = start(io::read_model_text(
      std::string(kSleigh) + "joints: {blade: {type: knife-edge, between: [ground, sled.blade]}}\n" +
          "states: {x: wz(sled) - 3*x}\n",
      "test.yaml"));
  RunSettings settings;
  settings.integrator = c.type;
  settings.tolerance = 1e-12;
  if (c.bdf_order) settings.order = c.bdf_order;
  State s = s0.state;
  const std::unique_ptr<Integrator> integrator = make_integrator(s0.system, settings);
  integrator->start(s);
  Eigen::Matrix<double, 5, 1> squares = Eigen::Matrix<double, 5, 1>::Zero();
  for (int part = 1; part <= 5; ++part) {
    for (int i = 0; i < steps / 5; ++i) EXPECT_EQ(integrator->step(2.0 / steps, s).status, StepStatus::accepted);
    const SleighMotion found = motion_of(s0.system, s), exact = sleigh_motion(0.4 * part);
    Eigen::Matrix<double, 5, 1> e;
    e << found.speed - exact.speed, found.turn_rate - exact.turn_rate, found.angle - exact.angle,
        -s.lambda[0] - exact.force, s.v[s0.system.states[0].v] - exact_state(0.4 * part);
    squares += e.cwiseAbs2();
  }
  return (squares / 5).cwiseSqrt();
}

class NonHolonomicOrder : public ::testing::TestWithParam<Case> {};

TEST_P(NonHolonomicOrder, IsThatOfTheMethod) {
  const auto coarse = errors_of(GetParam(), GetParam().steps), fine = errors_of(GetParam(), 2 * GetParam().steps);
  for (int i = 0; i < 5; ++i)
    EXPECT_NEAR(std::log2(coarse[i] / fine[i]), GetParam().order, 0.15) << "value " << i << ", error " << fine[i];
}

using I = IntegratorType;
INSTANTIATE_TEST_SUITE_P(Methods, NonHolonomicOrder,
                         ::testing::Values(Case{"Hht", I::hht, 2, 200}, Case{"Newmark", I::newmark, 2, 200},
                                           Case{"GeneralizedAlpha", I::generalized_alpha, 2, 200},
                                           Case{"Midpoint", I::midpoint, 2, 200}, Case{"Nstiff", I::nstiff, 2, 400},
                                           Case{"NstiffSi2", I::nstiff_si2, 2, 400}, Case{"HhtSi2", I::hht_si2, 2, 200},
                                           Case{"Bdf3", I::bdf, 3, 200, 3}, Case{"Bdf5", I::bdf, 5, 100, 5},
                                           Case{"Radau", I::radau, 5, 10}, Case{"RadauOneStage", I::radau_1, 1, 1000},
                                           Case{"Rk4", I::rk4, 4, 50}, Case{"Dopri", I::dopri, 5, 50}),
                         [](const auto& i) { return i.param.name; });

}  // namespace nonholonomic_order_test
}  // namespace bricard::testing
