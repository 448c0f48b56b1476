// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "bricard/analysis/eigenmodes.h"
#include "bricard/analysis/operating_point.h"
#include "bricard/assemble/assemble.h"
#include "papers/beam_runs.h"
#include "papers/beam_study.h"

// A shaft that runs through its critical speed [Bauchau2016], with Timoshenko's theory of its sag and its first frequencies.
namespace bricard::beam_study {
namespace {

constexpr double kPi = std::numbers::pi;

const char* const kShaft = R"yaml(
gravity: [0, 0, -GRAVITY]
parameters: {offset: 0.05 m}
beams:
  first:
    from: [0, 0, 0]
    to: [3, 0, 0]
    stiffness: [313.4e6, 60.5e6, 60.5e6, 272.7e3, 354.5e3, 354.5e3]
    mass_per_length: 11.64
    inertia_per_length: [26.34e-3, 13.17e-3, 13.17e-3]
    elements: ELEMENTS
  second:
    from: [3, 0, 0]
    to: [6, 0, 0]
    stiffness: [313.4e6, 60.5e6, 60.5e6, 272.7e3, 354.5e3, 354.5e3]
    mass_per_length: 11.64
    inertia_per_length: [26.34e-3, 13.17e-3, 13.17e-3]
    elements: ELEMENTS
bodies:
  disc:
    mass: 70.573
    inertia: [2.0325, 1.0163, 1.0163]
    position: [3, 0, offset]
    markers: {hub: {position: [0, 0, -offset]}}
joints:
  hub: {type: fixed, between: [first_LAST, disc], at: [3, 0, 0]}
  other_side: {type: fixed, between: [disc, second_0], at: [3, 0, 0]}
  left: {type: revolute, between: [ground, first_0], at: [0, 0, 0], axis: [1, 0, 0]}
  right: {type: cylindrical, between: [ground, second_LAST], at: [6, 0, 0], axis: [1, 0, 0]}
motions: {drive: {joint: left, velocity: "SPEED"}}
points: {hub: disc.hub}
run: {duration: 2.5 s, output_step: 5 ms}
)yaml";

/// Ω up to 48 rad/s in 0.5 s, there until 1 s, up to 72 rad/s until 1.25 s.
const char* const kSpeed =
    "if(t - 0.5, 24*(1 - cos(2*pi*t)), 48, if(t - 1, 48, 48, if(t - 1.25, 48 + 12*(1 - cos(4*pi*(t - 1))), 72, 72)))";

Model shaft(int elements, double gravity, const std::string& speed) {
  return io::read_model_text(with(kShaft, {{"ELEMENTS", std::to_string(elements)},
                                           {"LAST", std::to_string(3 * elements)},
                                           {"GRAVITY", fmt::format("{}", gravity)},
                                           {"SPEED", speed}}),
                             "study.yaml");
}

struct Shaft {
  double half = 3, EA = 313.4e6, GA = 60.5e6, GJ = 272.7e3, EI = 354.5e3, m = 11.64, rho_J = 26.34e-3, rho_I = 13.17e-3,
         disc = 70.573, disc_J = 2.0325, offset = 0.05, gravity = 9.81;

  /// Clamped at both ends against bending:  PL³/192EI + PL/4GA + qL⁴/384EI + qL²/8GA.
  double sag() const {
    const double L = 2 * half, P = disc * gravity, q = m * gravity;
    return P * L * L * L / (192 * EI) + P * L / (4 * GA) + q * std::pow(L, 4) / (384 * EI) + q * L * L / (8 * GA);
  }
  /// Force per displacement of both halves together on the hub, which moves across and does not turn, at frequency w:
  ///     w′ = θ + Q/GA,   θ′ = M/EI,   M′ = −Q − ρI ω² θ,   Q′ = −ρA ω² w
  double bending(double w) const {
    Eigen::Matrix4d A = Eigen::Matrix4d::Zero(), E = Eigen::Matrix4d::Identity(), term = E;
    A(0, 1) = 1, A(0, 3) = 1 / GA, A(1, 2) = 1 / EI, A(2, 3) = -1, A(2, 1) = -rho_I * w * w, A(3, 0) = -m * w * w;
    const int halvings = 8;
    A *= half / (1 << halvings);
    for (int i = 1; i < 20; ++i) E += term = term * A / i;
    for (int i = 0; i < halvings; ++i) E = E * E;
    // from (M, Q) at the clamp with θ = 0 at the hub
    const double M = -E(1, 3), Q = E(1, 2);
    return 2 * (E(3, 2) * M + E(3, 3) * Q) / (E(0, 2) * M + E(0, 3) * Q);
  }
  /// Of twist: the left end follows the drive, the right one is free.
  double twisting(double w) const {
    const double beta = w * std::sqrt(rho_J / GJ);
    return GJ * beta * (1 / std::tan(beta * half) - std::tan(beta * half));
  }
  /// Up and down; the mass centre is above the hub and goes along.
  double up_down(double w) const { return bending(w) - disc * w * w; }
  /// Sideways the disc turns with it.
  double sideways(double w) const {
    const double coupling = disc * offset * w * w;
    return up_down(w) * (twisting(w) - (disc_J + disc * offset * offset) * w * w) - coupling * coupling;
  }
};

template <class F>
double root_near(double x, const F& f) {  // by secants
  double a = x, b = x * (1 + 1e-5), fa = f(a), fb = f(b);
  for (int i = 0; i < 40 && fb != fa && std::abs(b - a) > 1e-15 * b; ++i) {
    const double c = b - fb * (b - a) / (fb - fa);
    a = b, fa = fb, b = c, fb = f(c);
  }
  return b;
}

/// rad/s, ascending.
std::vector<double> frequencies(const Model& model, int count) {
  System system = assemble(model);
  const LinearizeOptions options = linearize_options(model, {}, system);
  const OperatingPoint point = find_operating_point(model, system, PointType::given, {});
  LinearEquations equations(system, point.state, options);
  EigenmodeOptions wanted;
  wanted.count = count;
  std::vector<double> all;
  for (const Eigenmode& mode : find_eigenmodes(equations, system, wanted).modes) all.push_back(std::abs(mode.s));
  all.resize(static_cast<size_t>(count), NAN);
  return all;
}

}  // namespace

void study_rotors(Study& study) {
  const Shaft exact;
  const double slope = 3 * exact.sag() / 6;  // the largest
  const std::vector<double> ours = frequencies(shaft(8, 0, "0"), 3);
  const double sideways = root_near(56.7, [&](double w) { return exact.sideways(w); }),
               up_down = root_near(56.9, [&](double w) { return exact.up_down(w); }),
               twist = root_near(204, [&](double w) { return exact.sideways(w); });
  add_comparison(
      study, "Rotating shaft: 2 × 8 cubic elements at rest",
      {{"sag of the hub under its weight [m]", -Rest(shaft(8, exact.gravity, "0")).position("disc.hub").z(),
        exact.sag(), slope * slope * exact.sag()},
       {"first frequency, sideways with twist [rad/s]", ours[0], sideways, 1e-7 * sideways},
       {"second, up and down [rad/s]", ours[1], up_down, 1e-7 * up_down},
       {"third, twist [rad/s]", ours[2], twist, 1e-7 * twist}},
      "Exact: Timoshenko's beam, clamped at both ends against bending, with the disc in its middle. The sag is "
      "that of small displacements, apart by squares of the slope, (3 · 3.3 mm/6 m)²; frequencies are asked for "
      "to 1e-7.");

  Model model = shaft(2, exact.gravity, kSpeed), finer = shaft(4, exact.gravity, kSpeed);
  model.run.step = 5e-4, finer.run.step = 2.5e-4;
  const std::vector<std::string> signals{"hub.y", "hub.z"};
  const Trace coarse = run(model, signals), fine = run(finer, signals);
  for (const size_t i : {0, 1})
    study.checks.push_back(
        compare(fmt::format("Rotating shaft: change of {} with a mesh and a step twice as fine, of 6 m", signals[i]),
                largest_difference(fine, coarse, i) / 6, 0, 1e-3));
  ReportCurve amplitude{"distance of the hub from the axis", fine.t, {}, false};
  for (size_t i = 0; i < fine.t.size(); ++i) amplitude.y.push_back(std::hypot(fine.values[0][i], fine.values[1][i]));
  study.plots.push_back(
      {"Rotating shaft: through the critical speed of 57 rad/s",
       "time [s]",
       "[m]",
       false,
       false,
       {std::move(amplitude)},
       {},
       "48 rad/s from 0.5 to 1 s, 72 rad/s from 1.25 s on, without damping: behind the critical speed the free "
       "vibration beats with the forced one. No numbers of others are known."});
}

}  // namespace bricard::beam_study
