// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <map>
#include <memory>
#include <type_traits>

#include "bricard/check/read_log.h"
#include "bricard/model/model.h"

namespace bricard::io {

/// Rules that many elements share. A value is judged if it was said without fault; what is wrong goes to the log.
class Checker {
 public:
  Checker(const Model& model, ReadLog& log) : model_(model), log_(log) {}

 protected:
  bool given(const std::string& path) const { return log_.place_of(path) || log_.is_faulty(path); }

  void require(bool good, const std::string& path, double value, const std::string& rule);
  /// What a field says of its numbers.
  template <class T>
  void require_range(Range range, const std::string& path, const T& value);
  /// The same for all fields of an element.
  template <class Element>
  void check_ranges(const Element& element, const std::string& path) {
    const auto check = [&](const auto& field) {
      if (field.range != Range::any) require_range(field.range, path + "." + field.name, element.*field.member);
    };
    std::apply([&](const auto&... field) { (check(field), ...); }, Element::fields());
  }

  /// A key that has no meaning here would be ignored in silence.
  void refuse(const std::string& owner, const std::string& key, const std::string& why);
  /// The same for elements of which there are many: the reason is made by `why()` where it is wanted.
  template <class Why>
  requires std::is_invocable_v<Why>
  void refuse(const std::string& owner, const std::string& key, const Why& why) {
    if (log_.place_of(owner + "." + key)) refuse(owner, key, std::string(why()));
  }
  void need(const std::string& owner, const Place& place, const std::string& key, const std::string& help);
  /// At least one of the keys, for the element to do anything.
  void need_any(const std::string& owner, const Place& place, const std::vector<std::string>& keys);
  /// Exactly one of the keys.
  void need_one(const std::string& owner, const Place& place, const std::vector<std::string>& keys);
  /// Has a value at t = 0.
  void check_formula(const Expression& formula, const std::string& path, const std::string& item = "",
                     bool with_rates = false);

  /// Whether the name leads to a body or to a marker; complains if not.
  bool resolve(const Reference& reference, const std::string& path);
  /// A body, or an interface of a flexible one: `at` and `axis` say where on it a joint is.
  bool is_bare(const Reference& reference);
  bool check_between(const std::array<Reference, 2>& ends, const std::string& path, const std::string& kind);
  /// The joint of that name; complains if there is none. A joint with a faulty type is no help.
  const Joint* find_joint(const Reference& reference, const std::string& path, const std::string& where = "");
  /// The coordinate of a joint that is meant; complains if it has none or more than one.
  std::optional<JointCoordinate> find_coordinate(const Reference& joint, JointCoordinate wanted, const Place& owner,
                                                 const std::string& owner_path, const std::string& joint_path,
                                                 const std::string& coordinate_path, const std::string& kind);
  /// The same for an element with the keys `joint` and `coordinate`.
  std::optional<JointCoordinate> check_coordinate(const Reference& joint, JointCoordinate wanted, const Place& owner,
                                                  const std::string& path, const std::string& kind);

  const Model& model_;
  ReadLog& log_;

 private:
  /// What references may lead to.
  struct Names {
    explicit Names(const Model& model);
    void add_beam_markers(const FlexibleBeam& beam);
    std::map<std::string, const std::vector<Marker>*> markers;  ///< by name of the body or beam
    std::map<std::string, const Joint*> joints;
    std::map<std::string, std::vector<Marker>> beam_markers;  ///< of each beam
    std::vector<std::string> faulty_beams;
    std::map<std::string, const std::vector<PartInterface>*> flexible;  ///< bodies; null: it is faulty
  };
  const Names& names();
  /// The body a reference is on; places of a beam are apart from each other.
  std::string body_of(const std::string& reference);

  std::unique_ptr<const Names> names_;  ///< made when the first reference is looked up
};

/// The parts of a reference before and after its dot.
std::string body_in(const std::string& reference);
std::string marker_in(const std::string& reference);

template <class T>
void Checker::require_range(Range range, const std::string& path, const T& value) {
  const auto judge = [&](double number) {
    if (range == Range::positive) {
      require(number > 0, path, number, "must be > 0");
      require(!(number > 0) || number >= 1 / kLargestNumber, path, number, "is too small to compute with");
    } else if (range == Range::not_negative) require(number >= 0, path, number, "must be >= 0");
    else if (range == Range::not_zero) require(number != 0, path, number, "must not be 0");
  };
  if (range == Range::any) return;
  if constexpr (std::is_convertible_v<T, double>) judge(value);
  else if constexpr (requires { value.minCoeff(); }) judge(value.minCoeff());
  else if constexpr (requires { value.has_value(); }) {
    if (value) require_range(range, path, *value);
  } else if constexpr (requires { value.begin(); }) {
    for (const auto& item : value) require_range(range, path, item);
  }
}

}  // namespace bricard::io
