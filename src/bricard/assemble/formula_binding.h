// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "bricard/elements/measured_formulas.h"
#include "bricard/model/source.h"

namespace bricard {

/// A name that stands for a formula: a variable, the output or the input of a controller.
struct NamedDefinition {
  Expression formula;
  double guess = 0;  ///< where its solution is looked for if it depends on itself
  Place place;
  std::string path;
};

/// Finds what the measures and names in formulas refer to. All joints, states and inputs must be in the system already.
class FormulaBinder {
 public:
  using FindMarker = std::function<MarkerPose(const Reference&)>;
  using FindJoint = std::function<int(const Reference&)>;
  FormulaBinder(System& system, FindMarker marker, FindJoint joint)
      : system_(system), marker_(std::move(marker)), joint_(std::move(joint)) {}

  void define(const std::string& name, NamedDefinition definition) { definitions_[name] = std::move(definition); }

  /// `variables` are inputs that the owner gives values to. Throws ModelError at `place`.
  MeasuredFormulas bind(const std::vector<Expression>& formulas, const std::vector<std::string>& variables,
                        const Place& place, const std::string& path);
  /// The same for the law of a force, which the system has to know if it sees accelerations or reactions.
  MeasuredFormulas bind_force(const std::vector<Expression>& formulas, const std::vector<std::string>& variables,
                              const Place& place, const std::string& path);

 private:
  struct Collected;
  void collect(const Expression& formula, const std::vector<std::string>& variables, Collected& all) const;
  void sort(const std::string& name, const std::vector<std::string>& variables, Collected& all) const;
  Measure make_measure(const MeasureCall& call, const Place& place, const std::string& path);
  MeasureDefinition of_name(const std::string& name, const Place& place, const std::string& path) const;
  MeasureDefinition of_markers(const MeasureName& name, const MeasureCall& call, const Place& place);
  MeasureDefinition of_joint(const MeasureName& name, const MeasureCall& call, const Place& place,
                             const std::string& path);

  System& system_;
  FindMarker marker_;
  FindJoint joint_;
  std::map<std::string, NamedDefinition> definitions_;
};

}  // namespace bricard
