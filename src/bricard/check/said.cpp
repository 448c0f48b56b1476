// SPDX-License-Identifier: Apache-2.0
#include "bricard/check/said.h"

#include <fmt/format.h>

#include <algorithm>

#include "bricard/model/measure_names.h"

namespace bricard::io {
namespace {

bool same(const Reference& a, const Reference& b) { return a.name == b.name; }
bool same(const Quaterniond& a, const Quaterniond& b) { return a.coeffs() == b.coeffs(); }
bool same(const BodyPoint& a, const BodyPoint& b) { return a.position == b.position && same(a.marker, b.marker); }
bool same(const Density& a, const Density& b) { return a.value == b.value; }
bool same(const Expression& a, const Expression& b) {
  return a.is_constant() && b.is_constant() ? a(0) == b(0) : a.text() == b.text();
}
template <class T>
requires std::is_arithmetic_v<T> || std::is_enum_v<T> || std::is_same_v<T, std::string> || requires(T m) { m.rows(); }
bool same(const T& a, const T& b) { return a == b; }
template <class T>
requires requires(const T& f) { f.formula; }
bool same(const T& a, const T& b) { return same(a.formula, b.formula); }
template <class T>
requires requires { T::fields(); }
bool same(const T&, const T&) { return false; }
bool same(const JointNumber& a, const JointNumber& b) { return a.value == b.value; }
bool same(const JointStart& a, const JointStart& b) { return a.numbers.empty() && b.numbers.empty(); }
template <class T, size_t n>
bool same(const std::array<T, n>& a, const std::array<T, n>& b) {
  for (size_t i = 0; i < n; ++i)
    if (!same(a[i], b[i])) return false;
  return true;
}
template <class T>
bool same(const std::vector<T>& a, const std::vector<T>& b) {
  return a.empty() && b.empty();
}
template <class T>
bool same(const std::optional<T>& a, const std::optional<T>& b) {
  return a && b ? same(*a, *b) : a.has_value() == b.has_value();
}

class Teller {
 public:
  ReadLog log;

  template <class Struct>
  void tell(const Struct& said, const std::string& path, const Place& place) {
    static const Struct usual{};
    const auto tell_field = [&](const auto& field) {
      const std::string key = path + "." + field.name;
      if (field.presence == Presence::required || !same(said.*field.member, usual.*field.member))
        log.record(key, {}, true);
      note(said.*field.member, key, place);
      judge(said.*field.member, key);
    };
    std::apply([&](const auto&... field) { (tell_field(field), ...); }, Struct::fields());
  }

  template <class Element>
  void tell_named(const Element& element, const std::string& section) {
    const std::string path = section + "." + element.name;
    if (const std::string what = fault_of_name(element.name); !what.empty()) log.fault(element.place, path, what);
    if (log.place_of(path)) log.fault(element.place, path, "this name is taken");
    log.record(path, element.place, true);
    tell(element, path, element.place);
  }

  template <class Element>
  void tell_list(const std::vector<Element>& list, const std::string& path) {
    for (size_t i = 0; i < list.size(); ++i) tell(list[i], fmt::format("{}[{}]", path, i), list[i].place);
  }

  /// Numbers that no model has.
  template <class T>
  void judge(const T& value, const std::string& path) {
    if constexpr (std::is_floating_point_v<T>) {
      if (const std::string what = fault_of_number(value); !what.empty())
        log.fault({}, path, what, fmt::format("{}", value));
    } else if constexpr (requires { value.coeffs(); }) {
      judge(value.coeffs(), path);
    } else if constexpr (requires { value.rows(); }) {
      for (Eigen::Index i = 0; i < value.size(); ++i) judge(value.data()[i], path);
    } else if constexpr (requires { value.has_value(); }) {
      if (value) judge(*value, path);
    } else if constexpr (requires { value.value; }) {
      judge(value.value, path);
    } else if constexpr (requires { value.position; }) {
      judge(value.position, path);
    } else if constexpr (requires { value.begin(); } && !std::is_same_v<T, std::string>) {
      for (const auto& item : value) judge(item, path);
    }
  }

  /// Measures in formulas.
  void note(const Expression& formula, const std::string& path, const Place& place) {
    for (const MeasureCall& call : formula.inputs())
      if (!call.arguments.empty() && find_measure(call.function)) log.note_measure({place, path, call});
  }
  template <class T>
  void note(const T& value, const std::string& path, const Place& place) {
    if constexpr (requires { value.formula; }) note(value.formula, path, place);
    if constexpr (std::is_same_v<T, LoadFormulas>)
      for (const Expression& formula : value) note(formula, path, place);
  }
  template <class T>
  void note(const std::optional<T>& value, const std::string& path, const Place& place) {
    if (value) note(*value, path, place);
  }
};

}  // namespace

std::string fault_of_name(const std::string& name) {
  if (name.empty()) return "a name must not be empty";
  if (name.find_first_of("./") != std::string::npos) return "a name must not contain . or /";
  const auto is_control = [](unsigned char c) { return c < 0x20 || c == 0x7f; };
  if (std::any_of(name.begin(), name.end(), is_control)) return "a name must not contain control characters";
  if (name.front() == ' ' || name.back() == ' ') return "a name must not start or end with a space";
  return "";
}

ReadLog said_in(const Model& model) {
  const Model usual;
  Teller teller;
  ReadLog& log = teller.log;
  if (!same(model.gravity, usual.gravity)) log.record("gravity", {}, true);
  if (model.plane != usual.plane) log.record("plane", {}, true);
  if (model.align != usual.align) log.record("align", {}, true);
  teller.tell_list(model.ground.shapes, "ground.shapes");
  for (const Body& body : model.bodies) {
    const std::string path = "bodies." + body.name;
    teller.tell_named(body, "bodies");
    for (const char* key : {".mass", ".inertia"}) log.record(path + key, {}, true);
    teller.tell_list(body.shapes, path + ".shapes");
    teller.tell_list(body.point_masses, path + ".point_masses");
  }
  for (const Joint& joint : model.joints) teller.tell_named(joint, "joints");
  for (const CurveShape& curve : model.curves) teller.tell_named(curve, "curves");
  for (const Coupler& coupler : model.couplers) teller.tell_named(coupler, "couplers");
  for (const Motion& motion : model.motions) teller.tell_named(motion, "motions");
  for_each_force(model, [&](const auto& force) { teller.tell_named(force, force.kind.section); });
  for (const DifferentialEquation& e : model.states) teller.tell_named(e, "states");
  for (const Variable& w : model.variables) teller.tell_named(w, "variables");
  for (const TransferFunction& f : model.transfer_functions) teller.tell_named(f, "controllers");
  for (const StateSpace& f : model.state_spaces) teller.tell_named(f, "controllers");
  for (const Pid& f : model.pids) teller.tell_named(f, "controllers");
  for (const Event& event : model.events) teller.tell_named(event, "events");
  for (const Signal& signal : model.signals) teller.note(signal.value, "signals." + signal.name, signal.place);
  return std::move(teller.log);
}

ReadLog said_in(const RunSettings& run) {
  Teller teller;
  teller.tell(run, "run", {});
  return std::move(teller.log);
}

}  // namespace bricard::io
