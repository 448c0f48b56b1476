// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <complex>

#include "bricard/analysis/consistent_start.h"
#include "bricard/analysis/statics.h"
#include "bricard/assemble/assemble.h"
#include "order/exact_motion.h"
#include "papers/dense_matrices.h"
#include "reference/simulated.h"

// Differential equations, variables and controllers, against closed forms and equations solved by other means.
namespace bricard::testing {
namespace states_test {

constexpr const char* kBody = R"yaml(
gravity: [0, 0, 0]
bodies: {cart: {mass: 2, inertia: [0.1, 0.1, 0.1]}}
joints: {rail: {type: translational, between: [ground, cart], at: [0, 0, 0], axis: [1, 0, 0]}}
run: {integrator: radau, duration: 3, step: 0.01, output_step: 0.3}
)yaml";

/// exp(A t) y
Eigen::VectorXd propagated(const Eigen::MatrixXd& A, const Eigen::VectorXd& y, double t) {
  return dense::exponential(A * t) * y;
}

//     m ẍ = k_p e + k_i ∫e + k_d (e − x_d)/T,   ẋ_d = (e − x_d)/T,   e = 0.3 − x
TEST(Controllers, PidOnAMassFollowsTheLinearEquations) {
  const Simulated run(std::string(kBody) + R"yaml(
controllers:
  pid: {type: pid, input: 0.3 - translation(rail), proportional: 40, integral: 15, derivative: 12, filter: 0.05}
forces: {drive: {type: motor, joint: rail, force: pid}}
)yaml");
  const double m = 2, p = 40, i = 15, d = 12, T = 0.05;
  Eigen::MatrixXd A(4, 4);  // of e, ė, ∫e, x_d
  A << 0, 1, 0, 0, -(p + d / T) / m, 0, -i / m, d / T / m, 1, 0, 0, 0, 1 / T, 0, 0, -1 / T;
  const std::vector<double> x = run.signal("rail.translation"), integral = run.signal("pid.integral"),
                            output = run.signal("pid");
  for (size_t n = 0; n < x.size(); ++n) {
    const Eigen::VectorXd y = propagated(A, Eigen::Vector4d(0.3, 0, 0, 0), run.results.samples[n].state.t);
    EXPECT_NEAR(x[n], 0.3 - y[0], 1e-8);
    EXPECT_NEAR(integral[n], y[2], 1e-8);
    EXPECT_NEAR(output[n], p * y[0] + i * y[2] + d * (y[0] - y[3]) / T, 1e-6);
  }
}

/// The same with limits, against the equations with limits in long double. The integral does not run away.
TEST(Controllers, PidKeepsItsLimits) {
  Simulated run(std::string(kBody) + R"yaml(
controllers: {pid: {type: pid, input: 1 - translation(rail), proportional: 8, integral: 6, limits: [-2, 2]}}
forces: {drive: {type: motor, joint: rail, force: pid - 6*translation_rate(rail)}}
)yaml");
  using Values = Eigen::Matrix<Real, 3, 1>;  // x, ẋ, ∫e
  const auto rate = [](const Values& y) {
    const Real e = 1 - y[0], free = 8 * e + 6 * y[2], held = std::min<Real>(std::max<Real>(free, -2), 2);
    return Values(y[1], (held - 6 * y[1]) / 2, e + (held - free) / 8);
  };
  const Values exact = extrapolated<Values>(rate, Values(0, 0, 0), 3, 3000);
  EXPECT_NEAR(run.signal("rail.translation").back(), static_cast<double>(exact[0]), 2e-6);  // kinks of the limits
  EXPECT_NEAR(run.signal("pid.integral").back(), static_cast<double>(exact[2]), 2e-5);
  for (const double y : run.signal("pid")) EXPECT_LE(std::abs(y), 2);
}

//     (2 s + 1)/(s + 3) of a step: 1/3 + 5/3 e^(−3t);   (s + 5)/(s² + 2 s + 5): 1 − e^(−t) cos 2t
TEST(Controllers, TransferFunctionsHaveTheirStepResponse) {
  const Simulated run(std::string(kBody) + R"yaml(
controllers:
  lead: {type: transfer-function, input: 1, numerator: [2, 1], denominator: [1, 3]}
  second: {type: transfer-function, input: 1, numerator: [0, 3, 15], denominator: [3, 6, 15]}
  gain: {type: transfer-function, input: 2 + t, numerator: [3], denominator: [2]}
)yaml");
  const auto lead = run.signal("lead"), second = run.signal("second"), gain = run.signal("gain");
  for (size_t n = 0; n < lead.size(); ++n) {
    const double t = run.results.samples[n].state.t;
    EXPECT_NEAR(lead[n], 1 / 3.0 + 5 / 3.0 * std::exp(-3 * t), 1e-9);
    EXPECT_NEAR(second[n], 1 - std::exp(-t) * std::cos(2 * t), 1e-9);
    EXPECT_DOUBLE_EQ(gain[n], 1.5 * (2 + t));
  }
}

/// A state-space block is the transfer function C (s − A)⁻¹B + D, for each of its inputs and outputs.
TEST(Controllers, StateSpaceIsTheTransferFunction) {
  const Simulated run(std::string(kBody) + R"yaml(
controllers:
  ss:
    type: state-space
    inputs: [sin(3*t), 1]
    A: [[0, 1], [-5, -2]]
    B: [[0, 1], [1, 0]]
    C: [[5, 1], [1, 0]]
    D: [[0.5, 0], [0, 0]]
    outputs: [first, second]
  a: {type: transfer-function, input: sin(3*t), numerator: [0.5, 2, 7.5], denominator: [1, 2, 5]}
  b: {type: transfer-function, input: 1, numerator: [5, 5], denominator: [1, 2, 5]}
  c: {type: transfer-function, input: sin(3*t), numerator: [1], denominator: [1, 2, 5]}
  d: {type: transfer-function, input: 1, numerator: [1, 2], denominator: [1, 2, 5]}
signals: {first_of_two: a + b, second_of_two: c + d}
)yaml");
  for (const char* name : {"first", "second"}) {
    const auto found = run.signal(name), expected = run.signal(std::string(name) + "_of_two");
    for (size_t n = 0; n < found.size(); ++n) EXPECT_NEAR(found[n], expected[n], 1e-9) << name;
  }
}

//     p + p³/5 + x = 0 with p = ẋ:   x = −p − p³/5,   t = ln(p₀/p) + 3/10 (p₀² − p²)
TEST(States, EquationsThatAreNotSolvedForTheRate) {
  for (const char* method : {"radau", "hht", "bdf, order: 4", "nstiff-si2", "midpoint", "dopri"}) {
    SCOPED_TRACE(method);
    const Simulated run(std::string("bodies: {b: {mass: 1, inertia: [1, 1, 1]}}\n"
                                    "states: {x: {equation: x' + 0.2*x'^3 + x, start: -1.2, start_rate: 0.9}}\n"
                                    "run: {duration: 1.5, step: 1/2000, integrator: ") +
                        method + (method == std::string("dopri") ? "}\n" : ", tolerance: 1e-10}\n"));
    const double p = run.end().a[run.started.system.states[0].v], x = run.signal("x").back();
    EXPECT_NEAR(run.started.state.a[run.started.system.states[0].v], 1, 1e-12);
    const double smooth = method == std::string("hht") || method == std::string("nstiff-si2") ? 1e-6 : 5e-7;
    EXPECT_NEAR(std::log(1 / p) + 0.3 * (1 - p * p), 1.5, 4 * smooth);
    EXPECT_NEAR(x, -p - 0.2 * p * p * p, smooth);
  }
}

/// x'² = 4 − x has two solutions; the guess chooses one, and none can be found where the equation does not depend on
/// x'.
TEST(States, EquationsAreSolvedFromTheirStartRate) {
  const auto started = [](const std::string& rate) {
    const Model model = io::read_model_text("bodies: {b: {mass: 1, inertia: [1, 1, 1]}}\n"
                                            "states: {x: {equation: x'^2 + x - 4, start_rate: " +
                                                rate + "}}\n",
                                            "test.yaml");
    const System system = assemble(model);
    State s = initial_wishes(model, system);
    const StartReport report = consistent_start(model, system, SolverType::automatic, s);
    return std::pair{s.a[system.states[0].v], report.problem};
  };
  EXPECT_NEAR(started("0.5").first, 2, 1e-12);
  EXPECT_NEAR(started("-0.5").first, -2, 1e-12);
  EXPECT_EQ(started("0").second,
            "states.x.equation: cannot be solved for x' at the start: where x' = 0 it does not change with x'; "
            "give another 'start_rate'.");
}

/// A chain of variables is its formula written out; a loop solves its equation; both have exact derivatives, so that
/// Newton's method takes as few iterations. The chain is added up in another order: where a correction happens to be next
/// to the tolerance, its last bits may cost or save an iteration.
TEST(Variables, ChainsAndLoops) {
  const std::string body = std::string(kBody) + "inputs: {push: 3*sin(2*t)}\n";
  const Simulated chain(body + R"yaml(
variables: {far: 2*near + push, near: translation(rail)^2, both: far - near}
forces: {drive: {type: motor, joint: rail, force: both - 4*translation(rail)}}
)yaml");
  const Simulated written(
      body + "forces: {drive: {type: motor, joint: rail, force: translation(rail)^2 + push - 4*translation(rail)}}\n");
  EXPECT_NEAR(chain.end().q[0], written.end().q[0], 1e-12);
  const double iterations = static_cast<double>(written.results.report.iterations);
  EXPECT_NEAR(static_cast<double>(chain.results.report.iterations), iterations, 0.05 * iterations);
  const Simulated loop(body + R"yaml(
states: {x: {rate: w - x, start: 0.4}}
variables: {w: {value: cos(w) + 0.5*v, guess: 0.5}, v: sin(v)/3 + x + translation(rail)}
forces: {drive: {type: motor, joint: rail, force: push - 3*w}}
)yaml");
  const auto w = loop.signal("w"), v = loop.signal("v"), x = loop.signal("x"), s = loop.signal("rail.translation");
  for (size_t n = 0; n < w.size(); ++n) {
    EXPECT_NEAR(w[n], std::cos(w[n]) + 0.5 * v[n], 1e-13);
    EXPECT_NEAR(v[n], std::sin(v[n]) / 3 + x[n] + s[n], 1e-13);
  }
  EXPECT_LT(static_cast<double>(loop.results.report.iterations), 1.5 * iterations);
}

/// Spring and integral controller at rest: the integral holds the load, x = 0.2.
TEST(States, StaticsFindsTheirRest) {
  const Model model = io::read_model_text(R"yaml(
gravity: [9.81, 0, 0]
bodies: {cart: {mass: 2, inertia: [0.1, 0.1, 0.1], position: [0.05, 0, 0]}}
joints: {rail: {type: translational, between: [ground, cart], at: [0, 0, 0], axis: [1, 0, 0]}}
forces:
  spring: {type: joint-spring, joint: rail, stiffness: 50}
  drive: {type: motor, joint: rail, force: pid}
controllers: {pid: {type: pid, input: 0.2 - dx(cart), proportional: 30, integral: 20}}
run: {duration: 1}
)yaml",
                                          "test.yaml");
  Started s = start(model);
  const StaticReport report = find_equilibrium(s.system, SolverType::automatic, s.state);
  EXPECT_TRUE(report.found) << report.problem;
  EXPECT_NEAR(s.state.q[0], 0.2, 1e-10);
}

/// The rod stands on its tip, held there by a controller or, without, falling over.
StaticReport standing_rod(double gain, double& lean) {
  const Simulated rod(R"yaml(
bodies: {rod: {mass: 2, inertia: [0.1, 0.1, 0.1], position: [0, 0, 0.5]}}
joints: {pin: {type: revolute, between: [ground, rod], at: [0, 0, 0], axis: [0, 1, 0]}}
controllers: {hold: {type: pid, input: -angle(pin), proportional: )yaml" +
                      std::to_string(gain) + R"yaml(, derivative: 5, filter: 0.02}}
forces: {motor: {type: motor, joint: pin, force: hold}}
run: {duration: 0.01}
)yaml");
  State s = rod.started.state;
  const StaticReport report = find_equilibrium(rod.started.system, SolverType::automatic, s);
  lean = signal_of(rod.model, rod.started.system, s, "pin.angle");
  return report;
}

TEST(States, StaticsSeesWhatAControllerHolds) {
  double lean = 0;
  const StaticReport held = standing_rod(30, lean);
  EXPECT_TRUE(held.found);
  EXPECT_EQ(held.stability, Stability::stable) << held.text();  // 30 N m per rad against 9.81 of the weight
  EXPECT_NEAR(lean, 0, 1e-9);
  const StaticReport loose = standing_rod(5, lean);  // leans until 5 θ = 9.81 sin θ
  EXPECT_TRUE(loose.found);
  EXPECT_EQ(loose.stability, Stability::stable) << loose.text();
  EXPECT_NE(loose.text().find("an unstable one was found directly"), std::string::npos) << loose.text();
  EXPECT_GT(std::abs(lean), 1);
  EXPECT_NEAR(5 * lean, 9.81 * std::sin(lean), 1e-8);
}

TEST(Variables, ALoopThatLosesItsSolutionIsNamed) {
  for (const char* method : {"radau", "hht", "bdf", "hht-si2", "dopri"}) {
    SCOPED_TRACE(method);
    std::string text = kBody;
    text.replace(text.find("radau"), 5, method);
    const Simulated run(text + R"yaml(
variables: {flow: {value: flow^2 + 0.1*t, guess: 0.1}}
forces: {drive: {type: motor, joint: rail, force: flow}}
)yaml");
    EXPECT_FALSE(run.results.report.finished);
    EXPECT_NEAR(run.results.report.end_time, 2.5, 0.02);  // flow² − flow + 0.1 t has no root beyond
    const std::string& why = run.results.report.stopped_because;
    EXPECT_NE(why.find("variable 'flow' has no solution that its guess leads to"), std::string::npos) << why;
  }
}

TEST(Variables, ALoopFollowsTheSolutionNearItsGuess) {
  const auto at_start = [](const std::string& guess) {
    const Simulated run(std::string(kBody) + "variables: {u: {value: 1/u + u/2, guess: " + guess + "}}\n");
    return std::pair{run.signal("u").front(), run.signal("u").back()};
  };
  EXPECT_NEAR(at_start("1.2").first, std::sqrt(2), 1e-12);
  EXPECT_NEAR(at_start("-1.2").first, -std::sqrt(2), 1e-12);
  EXPECT_NEAR(at_start("-1.2").second, -std::sqrt(2), 1e-12);
}

TEST(Variables, ALoopWithoutSolutionIsRefusedAtTheStart) {
  try {
    assemble(io::read_model_text(std::string(kBody) + "variables: {w: {value: w^2 + 1, guess: 0.1}}\n", "test.yaml"));
    FAIL();
  } catch (const ModelError& error) {
    EXPECT_NE(std::string(error.what())
                  .find("no solution of w = w^2 + 1 was found at the start, looking from 0.1 on; give another 'guess'"),
              std::string::npos)
        << error.what();
  }
}

TEST(States, AreRecordedBetweenSteps) {
  const Simulated run(std::string(kBody) + "states: {x: {rate: -x, start: 2}, y: x - 3*y}\n");
  Model model = run.model;
  model.run.rtol = 1e-9;
  const Simulated tolerance(model);
  for (const Simulated* s : {&run, &tolerance})
    for (const Sample& sample : s->results.samples) {
      const auto& states = s->started.system.states;
      const double t = sample.state.t;
      EXPECT_NEAR(sample.state.v[states[0].v], 2 * std::exp(-t), 2e-8);
      EXPECT_NEAR(sample.state.v[states[1].v], std::exp(-t) - std::exp(-3 * t), 2e-8);
    }
}

}  // namespace states_test
}  // namespace bricard::testing
