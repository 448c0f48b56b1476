// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "bricard/elements/measured_formulas.h"
#include "bricard/model/source.h"

namespace bricard {

/// Finds what the measures in formulas refer to. All joints must be in the system already.
class FormulaBinder {
 public:
  using FindMarker = std::function<MarkerPose(const Reference&)>;
  using FindJoint = std::function<int(const Reference&)>;
  FormulaBinder(System& system, FindMarker marker, FindJoint joint)
      : system_(system), marker_(std::move(marker)), joint_(std::move(joint)) {}

  /// `variables` are inputs that the owner gives values to. Throws ModelError at `place`.
  MeasuredFormulas bind(const std::vector<Expression>& formulas, const std::vector<std::string>& variables,
                        const Place& place, const std::string& path);
  /// The same for the law of a force, which the system has to know if it sees accelerations or reactions.
  MeasuredFormulas bind_force(const std::vector<Expression>& formulas, const std::vector<std::string>& variables,
                              const Place& place, const std::string& path);

 private:
  Measure make_measure(const MeasureCall& call, const Place& place, const std::string& path);
  MeasureDefinition of_markers(const MeasureName& name, const MeasureCall& call, const Place& place);
  MeasureDefinition of_joint(const MeasureName& name, const MeasureCall& call, const Place& place, const std::string& path);

  System& system_;
  FindMarker marker_;
  FindJoint joint_;
};

}  // namespace bricard
