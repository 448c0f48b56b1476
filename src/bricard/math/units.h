// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <map>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

// Units and dimensions of numbers in model files. Values are SI inside; a dimension says what they measure.
namespace bricard {

/// What a value measures, and how sure that is:
///   plain  a bare number; it takes on the unit of whatever it is added to or assigned to, in the file's units
///   soft   a variable (time, a measure): a quantity next to quantities, a number in the file's units next to numbers
///   hard   the user wrote a unit
struct Dimension {
  enum class Kind { plain, soft, hard };
  Kind kind = Kind::plain;
  std::array<double, 4> power{};  ///< of length, mass, time, angle

  static constexpr int length = 0, mass = 1, time = 2, angle = 3;
};

Dimension soft(const Dimension& d);
inline Dimension soft_time() { return {Dimension::Kind::soft, {0, 0, 1, 0}}; }
inline Dimension soft_angle() { return {Dimension::Kind::soft, {0, 0, 0, 1}}; }

/// Length, mass and time agree. An angle is a ratio of lengths: it may appear and vanish in products.
bool same_dimension(const Dimension& a, const Dimension& b);

/// `a length`, `a mass`, `a torque`, `a quantity in kg*m/s`.
std::string describe(const Dimension& d);
/// `kg*m^2`, `N*s/m`; "" for plain numbers.
std::string unit_text(const Dimension& d);

/// A value in SI and what it measures.
struct Quantity {
  double value = 0;
  Dimension dimension;
  Quantity() = default;
  Quantity(double v) : value(v) {}  // NOLINT: a bare number is a quantity
  Quantity(double v, const Dimension& d) : value(v), dimension(d) {}
};

/// What bare numbers mean; in SI.
struct UnitSystem {
  double length = 1, angle = 1, mass = 1, time = 1, force = 1;
  /// One unit of this dimension in SI. Masses that come with a time are forces: M Tᵏ = F L⁻¹ Tᵏ⁺².
  double factor(const Dimension& d) const;
};

/// The file's units, and the dimensions of the names a formula may use; a name that is absent is a plain number.
struct UnitContext {
  UnitSystem units;
  std::map<std::string, Dimension> dimensions;
};

/// What to multiply a value by to have it in SI where `expected` is wanted; nothing if it measures something else.
std::optional<double> conversion(const Dimension& found, const Dimension& expected, const UnitSystem& units);

std::vector<std::string> known_units();
bool is_unit(std::string_view name);

/// A product of units as it stands in a text: `N*s/mm`, `kg/m^3`, `s^-1`.
struct UnitProduct {
  Quantity unit;
  size_t end = 0;                    ///< offset of what follows it
  std::vector<std::string> factors;  ///< names after the first: each could be meant as a name of the formula
};

/// Reads the units that start at `at`; a * or / that no unit follows is not part of it. Nothing if no unit is there.
std::optional<UnitProduct> read_unit(std::string_view text, size_t at);

/// A text that is a unit as a whole, as `N*m/rad`; "" is a plain number.
std::optional<Quantity> parse_unit(std::string_view text);

/// How an operation treats the dimensions of its arguments.
enum class DimensionRule {
  same,  ///< arguments alike, result like them: + - min max mod
  keep,  ///< of one argument, result like it: negation, abs
  product,
  quotient,
  power,
  root,
  number,   ///< of plain numbers and angles, result a plain number: sin, exp
  ratio,    ///< arguments alike, result an angle: atan2
  inverse,  ///< of plain numbers, result an angle: asin
  sign,     ///< of anything, result a plain number
  step,     ///< step(x, x0, h0, x1, h1): x alike, h alike, result like h
  compare,  ///< arguments alike, result a plain number: <
  choice,   ///< if(x, a, b, c): a, b, c alike, result like them
  file      ///< arguments as numbers in the file's units, result a plain number
};

struct DimensionError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// What the arguments have to be multiplied by before an operation, and the dimension of its result.
struct Settled {
  std::vector<double> scale;
  Dimension result;
};

/// Throws DimensionError where arguments do not go together. `exponent` is the second argument of a power, if known.
Settled settle(DimensionRule rule, std::span<const Dimension> arguments, std::optional<double> exponent,
               const UnitSystem& units);

}  // namespace bricard
