// SPDX-License-Identifier: Apache-2.0
#include "bricard/math/units.h"

#include <charconv>
#include <cmath>
#include <numbers>

namespace bricard {
namespace {

using Kind = Dimension::Kind;

struct Unit {
  const char* name;
  double factor;  ///< in SI
  double L, M, T, A;
};

constexpr double kPound = 0.45359237, kGravity = 9.80665, kInch = 0.0254, kFoot = 0.3048;
constexpr double kTurn = 2 * std::numbers::pi, kDegree = kTurn / 360;
constexpr double kPoundForce = kPound * kGravity, kPsi = kPoundForce / (kInch * kInch);

constexpr Unit kUnits[] = {{"m", 1, 1, 0, 0, 0},
                           {"mm", 1e-3, 1, 0, 0, 0},
                           {"cm", 1e-2, 1, 0, 0, 0},
                           {"km", 1e3, 1, 0, 0, 0},
                           {"um", 1e-6, 1, 0, 0, 0},
                           {"in", kInch, 1, 0, 0, 0},
                           {"ft", kFoot, 1, 0, 0, 0},
                           {"rad", 1, 0, 0, 0, 1},
                           {"deg", kDegree, 0, 0, 0, 1},
                           {"mrad", 1e-3, 0, 0, 0, 1},
                           {"rev", kTurn, 0, 0, 0, 1},
                           {"rpm", kTurn / 60, 0, 0, -1, 1},
                           {"kg", 1, 0, 1, 0, 0},
                           {"g", 1e-3, 0, 1, 0, 0},
                           {"mg", 1e-6, 0, 1, 0, 0},
                           {"tonne", 1e3, 0, 1, 0, 0},
                           {"lb", kPound, 0, 1, 0, 0},
                           {"slug", kPoundForce / kFoot, 0, 1, 0, 0},
                           {"s", 1, 0, 0, 1, 0},
                           {"ms", 1e-3, 0, 0, 1, 0},
                           {"us", 1e-6, 0, 0, 1, 0},
                           {"min", 60, 0, 0, 1, 0},
                           {"h", 3600, 0, 0, 1, 0},
                           {"N", 1, 1, 1, -2, 0},
                           {"mN", 1e-3, 1, 1, -2, 0},
                           {"kN", 1e3, 1, 1, -2, 0},
                           {"MN", 1e6, 1, 1, -2, 0},
                           {"lbf", kPoundForce, 1, 1, -2, 0},
                           {"kgf", kGravity, 1, 1, -2, 0},
                           {"Nm", 1, 2, 1, -2, 0},
                           {"J", 1, 2, 1, -2, 0},
                           {"kJ", 1e3, 2, 1, -2, 0},
                           {"W", 1, 2, 1, -3, 0},
                           {"kW", 1e3, 2, 1, -3, 0},
                           {"Pa", 1, -1, 1, -2, 0},
                           {"kPa", 1e3, -1, 1, -2, 0},
                           {"MPa", 1e6, -1, 1, -2, 0},
                           {"GPa", 1e9, -1, 1, -2, 0},
                           {"bar", 1e5, -1, 1, -2, 0},
                           {"psi", kPsi, -1, 1, -2, 0},
                           {"ksi", 1e3 * kPsi, -1, 1, -2, 0}};

const Unit* find_unit(std::string_view name) {
  for (const Unit& unit : kUnits)
    if (name == unit.name) return &unit;
  return nullptr;
}

struct DimensionName {
  const char *name, *unit;
};

// The first unit of a dimension is its name in messages; the words cover what fields of models measure.
constexpr DimensionName kNames[] = {{"an angle", "rad"},
                                    {"a length", "m"},
                                    {"a mass", "kg"},
                                    {"a time", "s"},
                                    {"a force", "N"},
                                    {"a velocity", "m/s"},
                                    {"an acceleration", "m/s^2"},
                                    {"an angular velocity", "rad/s"},
                                    {"an angular acceleration", "rad/s^2"},
                                    {"a frequency", "s^-1"},
                                    {"an angular acceleration", "s^-2"},
                                    {"a torque", "N*m"},
                                    {"a stiffness", "N/m"},
                                    {"a torsional stiffness", "N*m/rad"},
                                    {"a damping", "N*s/m"},
                                    {"a torsional damping", "N*m*s/rad"},
                                    {"a moment of inertia", "kg*m^2"},
                                    {"an area", "m^2"},
                                    {"a volume", "m^3"},
                                    {"a density", "kg/m^3"},
                                    {"a pressure", "Pa"},
                                    {"a power", "W"},
                                    {"a ratio of mass and length", "kg/m"}};

bool near(double a, double b) { return std::abs(a - b) < 1e-9; }

bool has_size(const Dimension& d) { return !(near(d.power[0], 0) && near(d.power[1], 0) && near(d.power[2], 0)); }
bool is_number(const Dimension& d) { return !has_size(d) && near(d.power[Dimension::angle], 0); }

// A ratio of like quantities is a number like any other.
Dimension reduced(Dimension d) {
  if (is_number(d)) return {};
  return d;
}

Dimension raised(Dimension d, double exponent) {
  for (double& p : d.power) p *= exponent;
  return reduced(d);
}

Dimension times(const Dimension& a, const Dimension& b, double sign) {
  Dimension d{std::max(a.kind, b.kind), a.power};
  for (size_t i = 0; i < 4; ++i) d.power[i] += sign * b.power[i];
  return reduced(d);
}

bool is_word(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_word_part(char c) { return is_word(c) || (c >= '0' && c <= '9'); }

size_t skip_spaces(std::string_view text, size_t at) {
  while (at < text.size() && (text[at] == ' ' || text[at] == '\t')) ++at;
  return at;
}

std::string_view word_at(std::string_view text, size_t at) {
  size_t end = at;
  if (end < text.size() && is_word(text[end]))
    while (end < text.size() && is_word_part(text[end])) ++end;
  return text.substr(at, end - at);
}

// `^2`, `^-1`, `**2` after a unit; 1 if there is none.
double read_exponent(std::string_view text, size_t& at) {
  const size_t sign = skip_spaces(text, at);
  const size_t length = text.substr(sign, 2) == "**" ? 2 : text.substr(sign, 1) == "^" ? 1 : 0;
  if (length == 0) return 1;
  const size_t begin = skip_spaces(text, sign + length);
  double value = 1;
  const auto [end, error] = std::from_chars(text.data() + begin, text.data() + text.size(), value);
  if (error != std::errc()) return 1;  // left for the formula to complain about
  at = static_cast<size_t>(end - text.data());
  return value;
}

// The common dimension of several arguments; scales those that are bare numbers.
Dimension agree(std::span<const Dimension> arguments, std::initializer_list<size_t> which, const UnitSystem& units,
                std::vector<double>& scale) {
  const Dimension* common = nullptr;
  bool mixed = false;
  for (const size_t i : which) {
    const Dimension& d = arguments[i];
    if (d.kind == Kind::plain) continue;
    if (!common) common = &d;
    else if (!same_dimension(*common, d)) {
      if (common->kind == Kind::hard && d.kind == Kind::hard)
        throw DimensionError(describe(*common) + " and " + describe(d) + " do not go together");
      mixed = mixed || common->kind == d.kind;
      if (d.kind == Kind::hard) common = &d;
    } else if (d.kind == Kind::hard) {
      common = &d;
    }
  }
  if (!common) return {};
  const Dimension result = mixed && common->kind == Kind::soft ? Dimension{} : *common;
  for (const size_t i : which) scale[i] = conversion(arguments[i], result, units).value_or(1);
  return result;
}

}  // namespace

Dimension soft(const Dimension& d) { return reduced({Kind::soft, d.power}); }

bool same_dimension(const Dimension& a, const Dimension& b) {
  return near(a.power[0], b.power[0]) && near(a.power[1], b.power[1]) && near(a.power[2], b.power[2]);
}

std::string describe(const Dimension& d) {
  if (is_number(d)) return "a plain number";
  for (const DimensionName& entry : kNames) {
    const Dimension named = parse_unit(entry.unit)->dimension;
    if (same_dimension(named, d) && near(named.power[3], d.power[3])) return entry.name;
  }
  return "a quantity in " + unit_text(d);
}

std::string unit_text(const Dimension& d) {
  if (is_number(d)) return "";
  for (const DimensionName& entry : kNames) {
    const Dimension named = parse_unit(entry.unit)->dimension;
    if (same_dimension(named, d) && near(named.power[3], d.power[3])) return entry.unit;
  }
  std::string text;
  const char* bases[] = {"m", "kg", "s", "rad"};
  for (const size_t i : {1u, 0u, 2u, 3u}) {
    if (near(d.power[i], 0)) continue;
    char number[32];
    const auto end = std::to_chars(number, number + sizeof number, d.power[i]).ptr;
    text += (text.empty() ? "" : "*") + std::string(bases[i]);
    if (!near(d.power[i], 1)) text += "^" + std::string(number, end);
  }
  return text;
}

double UnitSystem::factor(const Dimension& d) const {
  if (length == 1 && angle == 1 && mass == 1 && time == 1 && force == 1) return 1;
  const double forces = near(d.power[Dimension::time], 0) ? 0 : d.power[Dimension::mass];
  return std::pow(force, forces) * std::pow(length, d.power[Dimension::length] - forces) *
         std::pow(mass, d.power[Dimension::mass] - forces) * std::pow(time, d.power[Dimension::time] + 2 * forces) *
         std::pow(angle, d.power[Dimension::angle]);
}

std::optional<double> conversion(const Dimension& found, const Dimension& expected, const UnitSystem& units) {
  if (found.kind == Kind::plain) return units.factor(expected);
  const bool alike = same_dimension(found, expected) && (has_size(found) || !is_number(expected) || is_number(found));
  if (alike) return 1.0;
  if (found.kind == Kind::soft) return units.factor(expected) / units.factor(found);
  return {};
}

std::vector<std::string> known_units() {
  std::vector<std::string> names;
  for (const Unit& unit : kUnits) names.push_back(unit.name);
  return names;
}

bool is_unit(std::string_view name) { return find_unit(name) != nullptr; }

std::optional<UnitProduct> read_unit(std::string_view text, size_t at) {
  UnitProduct product;
  product.unit = {1, {Kind::hard, {}}};
  for (double sign = 1;;) {
    const std::string_view name = word_at(text, at);
    const Unit* unit = find_unit(name);
    if (!unit) break;
    at += name.size();
    const double exponent = sign * read_exponent(text, at);
    product.unit.value *= std::pow(unit->factor, exponent);
    const double powers[] = {unit->L, unit->M, unit->T, unit->A};
    for (size_t i = 0; i < 4; ++i) product.unit.dimension.power[i] += exponent * powers[i];
    product.end = at;
    const size_t op = skip_spaces(text, at);
    if (op >= text.size() || (text[op] != '*' && text[op] != '/')) break;
    sign = text[op] == '*' ? 1 : -1;
    at = skip_spaces(text, op + 1);
    const std::string_view next = word_at(text, at);
    const size_t after = skip_spaces(text, at + next.size());
    const bool is_call = after < text.size() && text[after] == '(';  // min(a, b) is no minute
    if (!find_unit(next) || is_call) break;
    product.factors.emplace_back(next);
  }
  if (product.end == 0) return {};
  product.unit.dimension = reduced(product.unit.dimension);
  return product;
}

std::optional<Quantity> parse_unit(std::string_view text) {
  if (text.empty()) return Quantity(1);
  const auto product = read_unit(text, 0);
  if (!product || product->end != text.size()) return {};
  return product->unit;
}

Settled settle(DimensionRule rule, std::span<const Dimension> x, std::optional<double> exponent,
               const UnitSystem& units) {
  Settled out{std::vector<double>(x.size(), 1.0), {}};
  const auto to_number = [&](size_t i) {
    if (x[i].kind != Kind::plain) out.scale[i] = 1 / units.factor(x[i]);
  };
  // Angles are numbers in rad.
  const auto require_number = [&](size_t i) {
    if (!has_size(x[i])) return;
    if (x[i].kind == Kind::hard) throw DimensionError(describe(x[i]) + " stands where a plain number is expected");
    to_number(i);
  };
  switch (rule) {
    case DimensionRule::same: out.result = x.size() == 1 ? x[0] : agree(x, {0, 1}, units, out.scale); break;
    case DimensionRule::keep: out.result = x[0]; break;
    case DimensionRule::product: out.result = times(x[0], x[1], 1); break;
    case DimensionRule::quotient: out.result = times(x[0], x[1], -1); break;
    case DimensionRule::root: out.result = raised(x[0], 0.5); break;
    case DimensionRule::power:
      require_number(1);
      if (exponent) {
        out.result = raised(x[0], *exponent * out.scale[1]);
      } else {
        if (x[0].kind == Kind::hard && !is_number(x[0]))
          throw DimensionError("a power of " + describe(x[0]) + " needs a constant exponent");
        to_number(0);
      }
      break;
    case DimensionRule::number: require_number(0); break;
    case DimensionRule::inverse:
      require_number(0);
      out.result = soft_angle();
      break;
    case DimensionRule::ratio:
      agree(x, {0, 1}, units, out.scale);
      out.result = soft_angle();
      break;
    case DimensionRule::sign: break;
    case DimensionRule::step:
      agree(x, {0, 1, 3}, units, out.scale);
      out.result = agree(x, {2, 4}, units, out.scale);
      break;
    case DimensionRule::compare: agree(x, {0, 1}, units, out.scale); break;
    case DimensionRule::choice: out.result = agree(x, {1, 2, 3}, units, out.scale); break;
    case DimensionRule::file:
      for (size_t i = 0; i < x.size(); ++i) to_number(i);
      break;
  }
  return out;
}

}  // namespace bricard
