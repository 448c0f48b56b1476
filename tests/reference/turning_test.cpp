// SPDX-License-Identifier: Apache-2.0
#include <complex>
#include <numbers>

#include "bricard/integrate/generalized_alpha.h"
#include "papers/dense_matrices.h"
#include "reference/rotor_mount.h"
#include "reference/simulated.h"

// Bodies that turn against each other by more than a little in a step: what index-3 methods do to velocities that
// violate constraints, by theory and in runs.              theory: docs/theory/generalized_alpha.md
namespace bricard::testing {
namespace turning_test {

using Complex = std::complex<double>;
constexpr double kPi = std::numbers::pi;

/// A rotor that a motion turns in a stator on soft mounts, with a small tilting rate at the start.
Simulated turned(const std::string& run, double turns_per_second) {
  return Simulated(R"yaml(
gravity: [0, 0, 0]
parameters: {speed: )yaml" +
                   std::to_string(turns_per_second) + R"yaml( rev/s}
bodies:
  stator: {mass: 200, inertia: [50, 50, 10], angular_velocity: [1e-6, 0, 0]}
  rotor: {mass: 1300, inertia: [500, 500, 1000], position: [0, 0, 0.75], angular_velocity: [1e-6, 0, speed]}
joints: {bearing: {type: revolute, between: [stator, rotor], at: [0, 0, 0], axis: [0, 0, 1]}}
motions: {drive: {joint: bearing, velocity: speed}}
)yaml" + kRotorMount +
                   "run: {" + run + "}\n");
}

// One step for small motions, x + i y of the mount and tilt ψ, with the rotor's velocity v_r, algorithmic acceleration
// a_r and acceleration w_r counted in its own axes, which turn by θ = Ωh (here turned back):
//     e⁻ⁱᶿ v_r' = v_r + h((1 − γ) a_r + γ e⁻ⁱᶿ a_r'),   ψ' = ψ + T(θ) eⁱᶿ (h v_r + h²((½ − β) a_r + β e⁻ⁱᶿ a_r'))
// The constraint is that rotor and stator have the same ψ. The growth of what grows fastest, 1/s.
double growth_in_theory(const AlphaCoefficients& c, double h, double omega) {
  const Complex i(0, 1), turn = std::exp(i * omega * h), T = (1.0 - 1.0 / turn) / (i * omega * h);
  enum { x, v_x, a_x, w_x, tilt, v_s, a_s, w_s, v_r, a_r, w_r, size };
  Eigen::MatrixXcd next = Eigen::MatrixXcd::Zero(size, size), now = next;
  int row = 0;
  const auto add_formula = [&](int q, int v, int a, int w, Complex own, Complex chart) {
    next(row, q) = now(row, q) = 1, next(row, a) = -chart * h * h * c.beta * own;
    now(row, v) = chart * h, now(row, a) = chart * h * h * (0.5 - c.beta), ++row;
    next(row, v) = own, next(row, a) = -h * c.gamma * own, now(row, v) = 1, now(row, a) = h * (1 - c.gamma), ++row;
    next(row, a) = (1 - c.alpha_m) * own, next(row, w) = -(1 - c.alpha_f) * own;
    now(row, a) = -c.alpha_m, now(row, w) = c.alpha_f, ++row;
  };
  add_formula(x, v_x, a_x, w_x, 1, 1);
  add_formula(tilt, v_s, a_s, w_s, 1, 1);
  add_formula(tilt, v_r, a_r, w_r, 1.0 / turn, T * turn);
  next(row, w_x) = 1500, next(row, w_s) = 975, next(row, v_x) = 1, next(row, x) = 1000, ++row;
  next(row, w_x) = 975, next(row, w_s) = 781.25, next(row, w_r) = 500, next(row, v_r) = i * (500.0 - 1000.0) * omega;
  next(row, v_s) = 10, next(row, tilt) = 1e4;
  return std::log(dense::eigensystem(next.inverse() * now).values.cwiseAbs().maxCoeff()) / h;
}

double growth_in_a_run(const Simulated& run) {
  const Sample &a = run.results.samples[run.results.samples.size() / 2], &b = run.results.samples.back();
  return std::log(b.velocity_violation / a.velocity_violation) / (b.state.t - a.state.t);
}

TEST(Turning, ViolationsOfVelocitiesGrowAsTheorySays) {
  for (const double step : {0.1, 0.05}) {
    const Simulated run = turned("integrator: hht, alpha: -0.02, projection: none, output_step: 1, duration: " +
                                     std::to_string(2 / step) + ", step: " + std::to_string(step),
                                 0.4);
    const double theory = growth_in_theory(hht_coefficients(-0.02), step, 2 * kPi * 0.4);
    std::printf("growth at %.2g rad per step: %.4f 1/s, theory %.4f 1/s\n", 2 * kPi * 0.4 * step, growth_in_a_run(run),
                theory);
    EXPECT_GT(theory, 0.2);
    EXPECT_NEAR(growth_in_a_run(run), theory, 0.02 * theory);
  }
}

/// Less than −ln ρ∞ of turning in a step never lets them grow, whatever the method.
TEST(Turning, ViolationsDecayIfBodiesTurnLittleInAStep) {
  for (const double alpha : {-0.01, -0.05, -0.1, -0.3}) {
    const double limit = -std::log((1 + alpha) / (1 - alpha));
    for (const double part : {0.25, 0.5, 1.0})
      EXPECT_LT(growth_in_theory(hht_coefficients(alpha), part * limit / (2 * kPi), 2 * kPi), 0)
          << alpha << " " << part;
    EXPECT_GT(growth_in_theory(hht_coefficients(alpha), 3 * limit / (2 * kPi), 2 * kPi), 0) << alpha;
  }
}

TEST(Turning, ProjectionsComeByThemselvesWhereViolationsWouldGrow) {
  for (const char* method : {"hht, alpha: -0.02", "hht", "generalized-alpha", "newmark, gamma: 0.55, beta: 0.2756"}) {
    SCOPED_TRACE(method);
    const Simulated run = turned(std::string("step: 0.1, duration: 100, output_step: 1, integrator: ") + method, 1);
    EXPECT_TRUE(run.results.report.finished);
    EXPECT_LT(run.results.report.max_velocity_violation, 1e-12);
    const double tilt =
        (quaternion_at(run.end().q, run.started.system.nodes()[2].q + 3) * Vector3d::UnitZ()).head<2>().norm();
    EXPECT_LT(tilt, 1e-3);
  }
}

/// Steps of h through the whole run, cut in halves where Newton's method fails. The largest gain or loss of energy.
double energy_defect(const Started& started, double duration, double h, double factor) {
  const System& system = started.system;
  RunSettings settings;
  Tolerances tolerances;
  tolerances.much_of_velocity *= factor;
  GeneralizedAlpha integrator(system, hht_coefficients(settings.alpha), false, settings, tolerances);
  Kinematics k = system.make_kinematics();
  State s = started.state;
  const auto energy = [&] {
    system.update(s, k);
    return system.kinetic_energy(k) + system.potential_energy(k);
  };
  const double start = energy();
  double worst = 0;
  integrator.start(s);
  for (double step = h; s.t < duration - 1e-9 && step > 1e-4 * h;) {
    const bool accepted = integrator.step(step, s).status == StepStatus::accepted;
    if (accepted) worst = std::max(worst, std::abs(energy() - start));
    step = accepted ? std::min(h, 2 * step) : 0.5 * step;
  }
  return s.t < duration - 1e-9 ? HUGE_VAL : worst;
}

/// A chain of 100 links in a plane, let go from the horizontal. Its end cracks like a whip; no turn is looked at there.
Started flat_chain() {
  return start(io::read_model_text(R"yaml(
plane: xz
parameters: {N: 100, L: 0.1, m: 0.05, J: m*L^2/12}
repeat:
  - for: {i: N}
    bodies: {"link{i}": {mass: m, inertia: [J, J, J], position: [(i - 0.5)*L, 0, 0]}}
  - for: {i: [2, N]}
    joints: {"hinge{i}": {type: revolute, between: ["link{i-1}", "link{i}"], at: [(i - 1)*L, 0, 0], axis: [0, 1, 0]}}
joints: {hinge1: {type: revolute, between: [ground, link1], at: [0, 0, 0], axis: [0, 1, 0]}}
)yaml",
                                   "test.yaml"));
}

/// From which violation on steps are projected may be a tenth or ten times of what it is: the chain stays together (bound:
/// Whip in energy_test.cpp). Without such a rule it is lost.
TEST(Turning, WhatIsMuchOfTheVelocitiesHasAMargin) {
  const Started flat = flat_chain();
  for (const double h : {2e-3, 4e-3, 1e-2, 2e-2}) {
    for (const double factor : {0.1, 1.0 / 3, 1.0, 3.0, 10.0})
      EXPECT_LT(energy_defect(flat, 3, h, factor), 50) << factor << " " << h;
    EXPECT_GT(energy_defect(flat, 3, h, 1e6), 50) << h;
  }
}

}  // namespace turning_test
}  // namespace bricard::testing
