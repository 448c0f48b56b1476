// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "bricard/read/field_reader.h"

// Walks the field lists of all model structs: each number may be a formula of parameters, may have a unit, and is converted
// from the units of its file.
namespace bricard::io {
namespace every_number_test {

template <class T>
struct Tag {};

/// Writes numbers 0.5, 0.75, 1, … in SI, each in the wanted way.
struct Writer {
  enum class Way { number, formula, unit, file_units, huge } way;
  UnitSystem file;
  int count = 0;

  std::string operator()(const std::string& unit) {
    const double value = 0.5 + 0.25 * count++;
    const auto known = parse_unit(unit);
    switch (way) {
      case Way::number: break;
      case Way::huge: return "1e200";
      case Way::formula: return fmt::format("half + {}*quarter", count - 1);
      case Way::unit: return fmt::format("{} {}", value, known ? unit : "");
      case Way::file_units: return fmt::format("{:.17g}", value / (known ? file.factor(known->dimension) : 1));
    }
    return fmt::format("{}", value);
  }
};

/// `N, N*m` or `N/m, N/rad, N*m/m, N*m/rad` as units of the rows of halves.
std::string part(std::string units, int n) {
  for (; n > 0; --n) units.erase(0, units.find(", ") + 2);
  return units.substr(0, units.find(", "));
}

std::string list(int n, const auto& item) {
  std::string text = "[";
  for (int i = 0; i < n; ++i) text += (i ? ", " : "") + item(i);
  return text + "]";
}

// What stands in a file for a value of each type; NoNumber if there is none in it.
struct NoNumber {};
std::string text(Tag<double>, const char* unit, Writer& w) { return w(unit); }
std::string text(Tag<JointNumber>, const char* unit, Writer& w) { return w(unit); }
std::string text(Tag<Expression>, const char* unit, Writer& w) { return w(unit); }
std::string text(Tag<MeasuredFormula>, const char* unit, Writer& w) { return w(unit); }
std::string text(Tag<CurveFormula>, const char* unit, Writer& w) { return w(unit); }
std::string text(Tag<SpringLaw>, const char* unit, Writer& w) { return w(unit); }
std::string text(Tag<TorsionLaw>, const char* unit, Writer& w) { return w(unit); }
std::string text(Tag<Density>, const char* unit, Writer& w) { return w(unit); }
std::string text(Tag<Vector2d>, const char* unit, Writer& w) {
  return list(2, [&](int) { return w(unit); });
}
std::string text(Tag<Vector3d>, const char* unit, Writer& w) {
  return list(3, [&](int) { return w(unit); });
}
std::string text(Tag<BodyPoint>, const char* unit, Writer& w) { return text(Tag<Vector3d>{}, unit, w); }
std::string text(Tag<BeamEnd>, const char* unit, Writer& w) { return text(Tag<Vector3d>{}, unit, w); }
std::string text(Tag<std::vector<Vector3d>>, const char* unit, Writer& w) {
  return list(3, [&](int) { return text(Tag<Vector3d>{}, unit, w); });
}
std::string text(Tag<BeamCurve>, const char* unit, Writer& w) { return text(Tag<Vector3d>{}, unit, w); }
std::string text(Tag<BeamLoad>, const char* unit, Writer& w) { return text(Tag<Vector3d>{}, unit, w); }
std::string text(Tag<LoadFormulas>, const char* unit, Writer& w) { return text(Tag<Vector3d>{}, unit, w); }
std::string text(Tag<Matrix3d>, const char* unit, Writer& w) {
  return list(6, [&](int) { return w(unit); });
}
std::string text(Tag<Vector6d>, const char* unit, Writer& w) {
  return list(6, [&](int i) { return w(part(unit, i / 3)); });
}
std::string text(Tag<Matrix6d>, const char* unit, Writer& w) {
  return list(6, [&](int i) { return list(6, [&](int j) { return w(part(unit, 2 * (i / 3) + j / 3)); }); });
}
std::string text(Tag<std::array<double, 2>>, const char* unit, Writer& w) { return text(Tag<Vector2d>{}, unit, w); }
std::string text(Tag<std::vector<JointNumber>>, const char* unit, Writer& w) { return text(Tag<Vector3d>{}, unit, w); }
std::string text(Tag<std::vector<Vector2d>>, const char* unit, Writer& w) {
  return list(3, [&](int) { return text(Tag<Vector2d>{}, unit, w); });
}
std::string text(Tag<Quaterniond>, const char*, Writer& w) {
  const std::string axis = list(3, [&](int) { return w("any"); });
  return "{axis: " + axis + ", angle: " + w("rad") + "}";
}
template <class T>
NoNumber text(Tag<T>, const char*, Writer&) {
  return {};
}
template <class T>
auto text(Tag<std::optional<T>>, const char* unit, Writer& w) {
  return text(Tag<T>{}, unit, w);
}

using Numbers = std::vector<double>;
Numbers numbers(double x) { return {x}; }
Numbers numbers(const JointNumber& x) { return {x.formula(0)}; }
Numbers numbers(const Expression& x) { return {x(0)}; }
Numbers numbers(const MeasuredFormula& x) { return {x.formula(0)}; }
Numbers numbers(const CurveFormula& x) { return {x.formula(0)}; }
Numbers numbers(const SpringLaw& x) { return {x.formula(0)}; }
Numbers numbers(const TorsionLaw& x) { return {x.formula(0)}; }
Numbers numbers(const Density& x) { return {x.value}; }
Numbers numbers(const Quaterniond& x) { return {x.coeffs().data(), x.coeffs().data() + 4}; }
Numbers numbers(const BeamEnd& x) { return {x.position.data(), x.position.data() + 3}; }
Numbers numbers(const BeamCurve& x) { return {x.position[0](0), x.position[1](0), x.position[2](0)}; }
Numbers numbers(const BeamLoad& x) { return {x.force[0](0), x.force[1](0), x.force[2](0)}; }
Numbers numbers(const BodyPoint& x) { return {x.position.data(), x.position.data() + 3}; }
template <class T>
requires requires { T::RowsAtCompileTime; }
Numbers numbers(const T& x) { return {x.data(), x.data() + x.size()}; }
template <class T>
requires requires(const T& x) { x.begin(); } &&(!requires { T::RowsAtCompileTime; })Numbers numbers(const T& x) {
  Numbers all;
  for (const auto& item : x)
    for (const double n : numbers(item)) all.push_back(n);
  return all;
}

template <class T>
T read_as(Writer::Way way, const char* unit, const std::string& where) {
  static const UnitSystem kOther{1e-3, 0.017453292519943295, 1e-3, 1e-3, 1e3};
  const SourceFile file{"test.yaml", ""};
  Writer writer{way, kOther};
  Scope scope;
  scope.file = &file;
  scope.constants = {{"half", 0.5}, {"quarter", 0.25}};
  if (way == Writer::Way::file_units) scope.units.units = kOther;
  ReadLog log;
  const std::string written = text(Tag<T>{}, unit, writer);
  const YAML::Node node = YAML::Load(written);
  Cursor at = root_cursor(node, scope, log);
  at.unit = unit;
  T value{};
  EXPECT_TRUE(read(at, value)) << where << ": " << written;
  return value;
}

template <class T>
Numbers numbers_in(const std::optional<T>& x) {
  return numbers(*x);
}
template <class T>
Numbers numbers_in(const T& x) {
  return numbers(x);
}

/// Reads one field in all ways; returns whether it has numbers.
template <class Struct, class T>
bool check_field(const Field<Struct, T>& field) {
  constexpr bool has_numbers = !std::is_same_v<decltype(text(Tag<T>{}, "", std::declval<Writer&>())), NoNumber>;
  if constexpr (has_numbers) {
    using Way = Writer::Way;
    const Numbers expected = numbers_in(read_as<T>(Way::number, field.unit, field.name));
    for (const Way way : {Way::formula, Way::unit, Way::file_units}) {
      const Numbers found = numbers_in(read_as<T>(way, field.unit, field.name));
      EXPECT_EQ(found.size(), expected.size());
      for (size_t i = 0; i < std::min(found.size(), expected.size()); ++i)
        EXPECT_NEAR(found[i], expected[i], 1e-12 * std::abs(expected[i]))
            << field.name << " in way " << static_cast<int>(way);
    }
  }
  return has_numbers;
}

/// Formulas may have any value at any time; numbers may not be too large to compute with.
template <class T>
constexpr bool is_formula =
    std::is_same_v<T, Expression> || std::is_same_v<T, MeasuredFormula> || std::is_same_v<T, CurveFormula> ||
    std::is_same_v<T, SpringLaw> || std::is_same_v<T, TorsionLaw> || std::is_same_v<T, LoadFormulas> ||
    std::is_same_v<T, BeamCurve> || std::is_same_v<T, BeamLoad> || std::is_same_v<T, int>;
template <class T>
struct Inner {
  using type = T;
};
template <class T>
struct Inner<std::optional<T>> {
  using type = T;
};

template <class Struct, class T>
bool refuses_huge(const Field<Struct, T>& field) {
  using Value = typename Inner<T>::type;
  constexpr bool has_numbers = !std::is_same_v<decltype(text(Tag<T>{}, "", std::declval<Writer&>())), NoNumber>;
  if constexpr (has_numbers && !is_formula<Value>) {
    const SourceFile file{"test.yaml", ""};
    Writer writer{Writer::Way::huge, {}};
    Scope scope;
    scope.file = &file;
    ReadLog log;
    const YAML::Node node = YAML::Load(text(Tag<T>{}, field.unit, writer));
    Cursor at = root_cursor(node, scope, log);
    at.unit = field.unit;
    T value{};
    EXPECT_FALSE(read(at, value)) << field.name;
    EXPECT_EQ(log.findings().empty() ? "" : log.findings()[0].value, "1e+200") << field.name;
    return true;
  }
  return false;
}

template <class... Structs>
int count_refusals() {
  int count = 0;
  const auto check_struct = [&](auto tag) {
    std::apply([&](const auto&... field) { ((count += refuses_huge(field)), ...); }, decltype(tag)::fields());
  };
  (check_struct(Structs{}), ...);
  return count;
}

template <class... Structs>
int check_all() {
  int count = 0;
  const auto check_struct = [&](auto tag) {
    std::apply([&](const auto&... field) { ((count += check_field(field)), ...); }, decltype(tag)::fields());
  };
  (check_struct(Structs{}), ...);
  return count;
}

TEST(EveryNumber, MayBeAFormulaHaveAUnitAndFollowTheFile) {
  const int count = check_all<Marker, Shape, PointMass, Body, Joint, SpringDamper, TorsionSpring, AppliedForce, Motion,
                              Coupler, CurveShape, JointSpring, JointStop, Motor, Bushing, FieldForce, BeamForce,
                              BeamSection, FlexibleBeam, Material, RunSettings>();
  EXPECT_GE(count, 85);
}

TEST(EveryNumber, ThatIsTooLargeIsRefused) {
  const int count = count_refusals<Marker, Shape, PointMass, Body, Joint, SpringDamper, TorsionSpring, AppliedForce,
                                   Motion, Coupler, CurveShape, JointSpring, JointStop, Motor, Bushing, FieldForce,
                                   BeamForce, BeamSection, FlexibleBeam, Material, RunSettings>();
  EXPECT_GE(count, 60);
}

}  // namespace every_number_test
}  // namespace bricard::io
