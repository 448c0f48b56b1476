// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <vector>

#include "bricard/model/enum_names.h"
#include "bricard/model/model.h"
#include "bricard/read/cursor.h"

// Reads a value of each type a model struct may have, and whole structs by their list of fields.
// Each `read` says what is wrong in the log, and then returns false.
namespace bricard::io {

bool read(const Cursor& at, double& out);
bool read(const Cursor& at, int& out);
bool read(const Cursor& at, bool& out);
bool read(const Cursor& at, std::string& out);
bool read(const Cursor& at, Vector3d& out);
bool read(const Cursor& at, Quaterniond& out);
bool read(const Cursor& at, Matrix3d& out);
bool read(const Cursor& at, Expression& out);
bool read(const Cursor& at, Reference& out);
bool read(const Cursor& at, std::array<Reference, 2>& out);
bool read(const Cursor& at, LoadFormulas& out);
bool read(const Cursor& at, SpringLaw& out);
bool read(const Cursor& at, TorsionLaw& out);
bool read(const Cursor& at, ContactLaw& out);
bool read(const Cursor& at, MeasuredFormula& out);
bool read(const Cursor& at, CurveFormula& out);
bool read(const Cursor& at, JointNumber& out);
bool read(const Cursor& at, JointStart& out);
bool read(const Cursor& at, std::array<double, 2>& out);
bool read(const Cursor& at, Vector2d& out);
bool read(const Cursor& at, Vector6d& out);
bool read(const Cursor& at, Matrix6d& out);
bool read(const Cursor& at, std::vector<Reference>& out);
bool read(const Cursor& at, std::vector<JointNumber>& out);
bool read(const Cursor& at, std::vector<Vector2d>& out);
bool read(const Cursor& at, std::vector<JointCoordinate>& out);

bool read(const Cursor& at, std::vector<double>& out);
bool read(const Cursor& at, std::vector<std::vector<double>>& out);
bool read(const Cursor& at, std::vector<MeasuredFormula>& out);
bool read(const Cursor& at, std::vector<std::string>& out);
bool read(const Cursor& at, std::vector<InputSetting>& out);

bool read(const Cursor& at, BodyPoint& out);
bool read(const Cursor& at, BeamEnd& out);
bool read(const Cursor& at, BeamCurve& out);
bool read(const Cursor& at, BeamLoad& out);
bool read(const Cursor& at, SectionValue& out);
bool read(const Cursor& at, BeamSection& out);
bool read(const Cursor& at, std::vector<BeamSection>& out);
bool read(const Cursor& at, std::vector<BeamMarker>& out);
bool read(const Cursor& at, DampingRatios& out);
bool read(const Cursor& at, ModeChoice& out);
bool read(const Cursor& at, FlexibleRod& out);
bool read(const Cursor& at, FlexibleBody& out);
bool read(const Cursor& at, std::vector<Vector3d>& out);
bool read(const Cursor& at, Density& out);
/// A word, or a map whose `type` it is (run_reader.h).
bool read(const Cursor& at, IntegratorType& out);

/// These append.
bool read(const Cursor& at, std::vector<Marker>& out);
bool read(const Cursor& at, std::vector<Shape>& out);
bool read(const Cursor& at, std::vector<PointMass>& out);

/// The position of a word in a list of names.
std::optional<size_t> read_choice(const Cursor& at, const std::vector<std::string>& names,
                                  const std::vector<std::string>& aliases);

template <class Enum>
requires std::is_enum_v<Enum>
bool read(const Cursor& at, Enum& out) {
  for (const EnumName<Enum>& entry : enum_names(Enum{}))
    if (at.node.IsScalar() && at.node.Scalar() == entry.name) {
      out = entry.value;
      return true;
    }
  std::vector<std::string> names, aliases;
  std::vector<Enum> values, alias_values;
  for (const EnumName<Enum>& entry : enum_names(Enum{})) {
    const bool alias = std::find(values.begin(), values.end(), entry.value) != values.end();
    (alias ? aliases : names).push_back(entry.name);
    (alias ? alias_values : values).push_back(entry.value);
  }
  values.insert(values.end(), alias_values.begin(), alias_values.end());
  const auto index = read_choice(at, names, aliases);
  if (index) out = values[*index];
  return index.has_value();
}

template <class T>
bool read(const Cursor& at, std::optional<T>& out) {
  T value{};
  if (!read(at, value)) return false;
  out = value;
  return true;
}

/// Claims the name of an element, which must be well formed; false if another one has it already.
bool claim_name(const Entry& entry);

/// Reads the struct's listed fields from a map. `also` are further keys, read elsewhere.
template <class Struct>
void read_fields(const Cursor& at, const Place& owner, Struct& out, const std::vector<std::string>& also = {}) {
  KeyTable keys(at, owner);
  for (const std::string& key : also) keys.find(key);
  const auto read_one = [&](const auto& field) {
    const Cursor* value = keys.find(field.name);
    if (!value && field.presence == Presence::required) {
      const bool has_unit = *field.unit && field.unit != std::string_view("any");
      keys.miss(field.name, has_unit ? std::string(field.help) + ", in " + field.unit : field.help);
    }
    if (!value) return;
    Cursor here = *value;
    here.unit = field.unit;
    at.log->record(value->path, value->place, read(here, out.*field.member));
  };
  std::apply([&](const auto&... field) { (read_one(field), ...); }, Struct::fields());
  keys.report();
  if (!keys.is_map()) at.log->record(at.path + ".*", owner, false);  // none of its keys is known
}

}  // namespace bricard::io
