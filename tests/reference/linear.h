// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <memory>
#include <string>
#include <vector>

#include "bricard/analysis/eigenmodes.h"
#include "bricard/analysis/linearize.h"
#include "bricard/analysis/operating_point.h"
#include "bricard/assemble/assemble.h"
#include "bricard/read/linearization_reader.h"
#include "papers/reduced_equations.h"
#include "reference/rotor_mount.h"

// What tests of linear equations have in common.
namespace bricard::testing {

using Complex = std::complex<double>;

/// A model from text, its operating point and its linear equations.
struct Linear {
  io::LinearModel read;
  System system;
  LinearizeOptions options;
  OperatingPoint point;
  std::unique_ptr<LinearEquations> equations;
  Linearization lin;

  Linear(const std::string& text, PointType type = PointType::given, const std::vector<std::string>& states = {})
      : read(io::read_linear_model(text, "test.yaml")), system(assemble(read.model)) {
    for (const std::string& state : states) read.settings.states.push_back(io::parse_state(read.model, state));
    options = linearize_options(read.model, read.settings, system);
    point = find_operating_point(read.model, system, type, read.settings.reference);
    EXPECT_EQ(point.problem, "");
    equations = std::make_unique<LinearEquations>(system, point.state, options);
    EXPECT_EQ(equations->report().problem, "");
    lin = linearize(*equations, read.model, read.settings, system, point.state);
  }
  std::vector<Complex> eigenvalues() const {
    std::vector<Complex> all;
    const auto pairs = eigenpairs_of(lin.A);
    for (const Complex s : pairs->values) all.push_back(s);
    return all;
  }
};

inline double distance_to(const std::vector<Complex>& all, const Complex& wanted) {
  double nearest = INFINITY;
  for (const Complex& s : all) nearest = std::min(nearest, std::abs(s - wanted));
  return nearest;
}

inline void expect_same_spectrum(const std::vector<Complex>& a, const std::vector<Complex>& b, double tolerance) {
  ASSERT_EQ(a.size(), b.size());
  for (const Complex& s : a) EXPECT_LT(distance_to(b, s), tolerance * (1 + std::abs(s))) << s;
}

/// A against central differences of the reduced nonlinear equations.
inline void expect_reduced_matrix(const System& system, const State& s, const LinearizeOptions& options) {
  const LinearEquations equations(system, s, options);
  ASSERT_EQ(equations.report().problem, "");
  const int states = equations.size();
  ASSERT_GT(states, 0);
  const MatrixXd A = equations.rates(equations.respond(MatrixXd::Identity(states, states)));
  // Of sixth order. Where states turn bodies much, even these steps are long; where they do not, round-off of rates is
  // divided by them; and rates are differences themselves: those with other steps say how well all are known.
  const auto by_steps = [&](double step, double fineness) {
    const ReducedEquations reduced(system, s, options, equations, fineness);
    return MatrixXd((16 * reduced.matrix(step) - reduced.matrix(2 * step)) / 15);
  };
  const MatrixXd expected = by_steps(5e-4, 1);
  const auto apart = [&](const MatrixXd& other) { return (expected - other).cwiseAbs().maxCoeff(); };
  const double size = expected.cwiseAbs().maxCoeff(),
               known_to = std::max(apart(by_steps(2.5e-4, 1)), apart(by_steps(5e-4, 0.6)));
  EXPECT_LT(known_to, 2e-5 * size);
  EXPECT_LT((A - expected).cwiseAbs().maxCoeff(), 1e-7 * size + 2 * known_to) << A << "\n\n" << expected;
}

/// Rotor and stator of the paper.
constexpr const char* kRotor = R"(
gravity: [0, 0, 0]
parameters: {speed: 0 rev/s}
bodies:
  rotor:
    mass: 1300
    inertia: [500, 500, 1000]
    position: [0, 0, 0.75]
    angular_velocity: [0, 0, speed]
    markers: {center: {}}
  stator: {mass: 200, inertia: [50, 50, 10]}
joints:
  bearing: {type: revolute, between: [stator, rotor], at: [0, 0, 0], axis: [0, 0, 1]}
)";

inline std::string rotor(double turns_per_second, const char* reference) {
  std::string text = std::string(kRotor) + kRotorMount;
  text.replace(text.find("speed: 0 rev/s"), 14, "speed: " + std::to_string(turns_per_second) + " rev/s");
  return text + "linearization: {reference: " + reference + "}\n";
}

}  // namespace bricard::testing
