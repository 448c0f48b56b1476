// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "bricard/model/joint_elements.h"

// What the user adds to the equations: inputs, differential equations, variables, controllers, and conditions on
// velocities. Each input, state, variable and output is a name that formulas may use.   theory: docs/theory/states.md
namespace bricard {

/// A value that can be driven from outside; on its own it is a function of time.
struct Input {
  std::string name;
  Place place;
  Expression value{0.0};
  std::string unit;
  static constexpr auto fields() {
    return std::tuple{field(&Input::value, "value", "of the input", "formula in t; 0 if absent"),
                      field(&Input::unit, "unit", "", "what it measures, as N; a plain number if absent")};
  }
};

/// A differential equation of first order with its state x:  ẋ = rate, or equation(ẋ, x, …) = 0.
struct DifferentialEquation {
  std::string name;
  Place place;
  std::optional<MeasuredFormula> rate, equation;
  JointNumber start = 0, start_rate = 0;
  std::optional<JointNumber> scale;
  std::string unit;
  static constexpr auto fields() {
    return std::tuple{
        field(&DifferentialEquation::rate, "rate", "of the state per s", "x' by a formula in t, measures and names"),
        field(&DifferentialEquation::equation, "equation", "any",
              "instead of rate: a formula in x', x, t, measures and names that is zero"),
        field(&DifferentialEquation::start, "start", "of the state", "value at t = 0; 0 if absent"),
        field(&DifferentialEquation::start_rate, "start_rate", "of the state per s",
              "equation: x' from which its solution at t = 0 is looked for; 0 if absent"),
        field(&DifferentialEquation::scale, "scale", "of the state",
              "usual size, > 0: errors are judged against it; if absent the amount of start, or 1"),
        field(&DifferentialEquation::unit, "unit", "", "what it measures, as Pa; a plain number if absent")};
  }
};

/// A value by a formula, which may use other variables and itself: w = value(w, …).
struct Variable {
  std::string name;
  Place place;
  MeasuredFormula value;
  JointNumber guess = 0;
  std::string unit;
  static constexpr auto fields() {
    return std::tuple{required(&Variable::value, "value", "of the variable",
                               "formula in t, measures and names; may use the variable itself"),
                      field(&Variable::guess, "guess", "of the variable",
                            "if it depends on itself: where the solution is looked for; 0 if absent"),
                      field(&Variable::unit, "unit", "", "what it measures, as N; a plain number if absent")};
  }
};

/// Plain numbers, as coefficients or one row of a matrix.
using Numbers = std::vector<double>;

/// Of a controller, with its matrices in the equations.
inline constexpr int kMostBlockStates = 64, kMostBlockInputs = 6;

/// y = (bₘ sᵐ + … + b₀)/(aₙ sⁿ + … + a₀) u, m ≤ n, from rest.
struct TransferFunction {
  std::string name;
  Place place;
  MeasuredFormula input;
  Numbers numerator, denominator;
  static constexpr auto fields() {
    return std::tuple{
        required(&TransferFunction::input, "input", "", "formula in t, measures and names"),
        required(&TransferFunction::numerator, "numerator", "", "coefficients, that of the highest power of s first"),
        required(&TransferFunction::denominator, "denominator", "",
                 "coefficients, that of the highest power of s first; at least as many as in the numerator")};
  }
};

/// ẋ = A x + B u,  y = C x + D u.
struct StateSpace {
  std::string name;
  Place place;
  std::vector<MeasuredFormula> inputs;
  std::vector<Numbers> A, B, C, D;
  Numbers start;
  std::vector<std::string> outputs;
  static constexpr auto fields() {
    return std::tuple{
        required(&StateSpace::inputs, "inputs", "", "list of formulas in t, measures and names, at most 6"),
        required(&StateSpace::A, "A", "", "matrix, a list of rows: states by states"),
        required(&StateSpace::B, "B", "", "states by inputs"),
        required(&StateSpace::C, "C", "", "outputs by states"),
        field(&StateSpace::D, "D", "", "outputs by inputs; 0 if absent"),
        field(&StateSpace::start, "start", "", "states at t = 0; 0 if absent"),
        field(&StateSpace::outputs, "outputs", "",
              "names of the outputs; that of the block if absent and there is one")};
  }
};

/// y = k_p e + k_i ∫e + k_d s/(1 + T s) e, within limits.
struct Pid {
  std::string name;
  Place place;
  MeasuredFormula input;
  double proportional = 0, integral = 0, derivative = 0;
  std::optional<double> filter;
  std::optional<std::array<double, 2>> limits;
  static constexpr auto fields() {
    return std::tuple{
        required(&Pid::input, "input", "", "the error: formula in t, measures and names, as 0.5 - angle(pin)"),
        field(&Pid::proportional, "proportional", "", "gain of the error"),
        field(&Pid::integral, "integral", "", "gain of its integral"),
        field(&Pid::derivative, "derivative", "", "gain of its rate, which is filtered"),
        field(&Pid::filter, "filter", "s", "time constant of the filter, > 0; needed with derivative"),
        field(&Pid::limits, "limits", "",
              "[lowest, highest] output; the integral waits while the output is held there")};
  }
};

/// A condition on velocities: formula = 0, linear in them.
struct VelocityConstraint {
  std::string name;
  Place place;
  MeasuredFormula formula;
};

}  // namespace bricard
