// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <limits>
#include <memory>
#include <vector>

#include "bricard/math/expression_functions.h"
#include "bricard/math/external_function.h"
#include "bricard/math/spline.h"

// The operations on the tape of a formula and the one interpreter, for plain numbers and for jets.
namespace bricard {

enum Op : int {
  op_number,
  op_time,
  op_input,
  op_negate,
  op_sin,
  op_cos,
  op_tan,
  op_asin,
  op_acos,
  op_atan,
  op_sinh,
  op_cosh,
  op_tanh,
  op_exp,
  op_log,
  op_log10,
  op_sqrt,
  op_cbrt,
  op_abs,
  op_floor,
  op_ceil,
  op_round,
  op_trunc,
  op_sign,
  op_add,
  op_subtract,
  op_multiply,
  op_divide,
  op_power,
  op_atan2,
  op_hypot,
  op_min,
  op_max,
  op_mod,
  op_transfer_sign,
  op_less,
  op_less_equal,
  op_equal,
  op_greater,
  op_greater_equal,
  op_if,
  op_step,
  op_step5,
  op_havsin,
  op_poly,
  op_cheby,
  op_forcos,
  op_forsin,
  op_shf,
  op_impact,
  op_bistop,
  op_spline,
  op_external,
  op_store,  ///< keeps the value on top of the stack in a slot
  op_load    ///< the value of a slot
};

constexpr int kMaxDepth = 64;  // values on the evaluation stack
constexpr size_t kFewSlots = 8, kMaxSlots = 1000;

template <class S>
S apply_unary(int op, const S& x) {
  using std::sin, std::cos, std::tan, std::asin, std::acos, std::atan, std::sinh, std::cosh, std::tanh, std::exp,
      std::log, std::log10, std::sqrt, std::cbrt, std::abs;
  switch (op) {
    case op_negate: return -x;
    case op_sin: return sin(x);
    case op_cos: return cos(x);
    case op_tan: return tan(x);
    case op_asin: return asin(x);
    case op_acos: return acos(x);
    case op_atan: return atan(x);
    case op_sinh: return sinh(x);
    case op_cosh: return cosh(x);
    case op_tanh: return tanh(x);
    case op_exp: return exp(x);
    case op_log: return log(x);
    case op_log10: return log10(x);
    case op_sqrt: return sqrt(x);
    case op_cbrt: return cbrt(x);
    case op_abs: return abs(x);
    case op_floor: return S{std::floor(value_of(x))};
    case op_ceil: return S{std::ceil(value_of(x))};
    case op_round: return S{std::round(value_of(x))};
    case op_trunc: return S{std::trunc(value_of(x))};
    default: return S{sign(value_of(x))};
  }
}

template <class S>
S apply_binary(int op, const S& x, const S& y) {
  using std::pow, std::atan2, std::hypot;
  switch (op) {
    case op_add: return x + y;
    case op_subtract: return x - y;
    case op_multiply: return x * y;
    case op_divide: return x / y;
    case op_power: return pow(x, y);
    case op_atan2: return atan2(x, y);
    case op_hypot: return hypot(x, y);
    case op_min: return value_of(y) < value_of(x) ? y : x;
    case op_max: return value_of(y) > value_of(x) ? y : x;
    case op_mod: return mod(x, y);
    case op_transfer_sign: return transfer_sign(x, y);
    case op_less: return S{value_of(x) < value_of(y) ? 1.0 : 0.0};
    case op_less_equal: return S{value_of(x) <= value_of(y) ? 1.0 : 0.0};
    case op_greater: return S{value_of(x) > value_of(y) ? 1.0 : 0.0};
    case op_greater_equal: return S{value_of(x) >= value_of(y) ? 1.0 : 0.0};
    default: return S{value_of(x) == value_of(y) ? 1.0 : 0.0};
  }
}

// The arguments start at x; the result takes the place of the first.
template <class S>
S apply(int op, const S* x, int count) {
  if (op < op_add) return apply_unary(op, x[0]);
  if (op < op_if) return apply_binary(op, x[0], x[1]);
  switch (op) {
    case op_if: return arithmetic_if(x);
    case op_step: return step(x);
    case op_step5: return step5(x);
    case op_havsin: return havsin(x);
    case op_poly: return poly(x, count);
    case op_cheby: return cheby(x, count);
    case op_forcos: return fourier(x, count, true);
    case op_forsin: return fourier(x, count, false);
    case op_shf: return shf(x);
    case op_impact: return impact(x);
    default: return bistop(x);
  }
}

/// The spline's derivative of the given order as a function of x.
inline double apply_spline(const Spline& spline, int order, double x) { return spline(x)[order]; }
inline TimeJet apply_spline(const Spline& spline, int order, const TimeJet& x) {
  const std::array<double, 4> y = spline(x.value);
  return chain(x, y[order], y[order + 1], order + 2 < 4 ? y[order + 2] : 0);
}

/// Nothing is known of an external function but its values: ḟ is a central difference along the rates of its arguments, f̈
/// is not known.
inline double apply_external(const ExternalFunction& f, const double* x, int count) {
  return f.value({x, static_cast<size_t>(count)});
}
inline TimeJet apply_external(const ExternalFunction& f, const TimeJet* x, int count) {
  constexpr double kRelative = 6e-6, kSmallest = 1e-3;  // ε^(1/3); arguments below this count as so large
  std::array<double, kMaxDepth> at;
  double h = std::numeric_limits<double>::infinity();
  for (int i = 0; i < count; ++i) {
    at[i] = x[i].value;
    if (x[i].rate != 0) h = std::min(h, kRelative * std::max(std::abs(x[i].value), kSmallest) / std::abs(x[i].rate));
  }
  const double value = apply_external(f, at.data(), count);
  if (!std::isfinite(h)) return {value, 0, 0};
  const auto along = [&](double s) {
    for (int i = 0; i < count; ++i) at[i] = x[i].value + s * x[i].rate;
    return apply_external(f, at.data(), count);
  };
  return {value, (along(h) - along(-h)) / (2 * h), std::numeric_limits<double>::quiet_NaN()};
}

template <class S, class Instruction>
S evaluate(const std::vector<Instruction>& tape, const std::vector<std::shared_ptr<const Spline>>& splines,
           const std::vector<std::shared_ptr<const ExternalFunction>>& functions, const S& time, const S* inputs,
           S* slots) {
  std::array<S, kMaxDepth> stack;
  size_t top = 0;
  for (const Instruction& i : tape) {
    switch (i.op) {
      case op_number: stack[top++] = S{i.number}; break;
      case op_time: stack[top++] = time; break;
      case op_input: stack[top++] = inputs[i.index]; break;
      case op_store: slots[i.index] = stack[top - 1]; break;
      case op_load: stack[top++] = slots[i.index]; break;
      case op_spline:
        stack[top - 1] = apply_spline(*splines[i.index], static_cast<int>(i.number), stack[top - 1]);
        break;
      case op_external:
        top -= static_cast<size_t>(i.count);
        stack[top] = apply_external(*functions[i.index], &stack[top], i.count);
        ++top;
        break;
      default:
        top -= static_cast<size_t>(i.count);
        stack[top] = apply(i.op, &stack[top], i.count);
        ++top;
    }
  }
  return stack[0];
}

}  // namespace bricard
