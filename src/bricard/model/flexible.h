// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "bricard/model/beam.h"

// What the user says of bodies that deform in a few shapes.                         theory: docs/theory/modal_bodies.md
namespace bricard {

enum class RodTheory { timoshenko, euler_bernoulli };

/// A straight rod of one cross-section, in the axes of its body. Its ends are the interfaces `start` and `end`.
struct FlexibleRod {
  Place place;
  Vector3d from = Vector3d::Zero(), to = Vector3d::Zero();
  std::optional<Vector3d> z_axis;
  std::optional<BeamSection> section;
  std::string material;
  std::optional<double> youngs_modulus, poissons_ratio, density;
  RodTheory theory = RodTheory::timoshenko;
  std::optional<int> elements;
  std::vector<BeamMarker> markers;
  static constexpr auto fields() {
    return std::tuple{
        required(&FlexibleRod::from, "from", "m", "its start, in the axes of the body"),
        required(&FlexibleRod::to, "to", "m", "its end"),
        field(&FlexibleRod::z_axis, "z_axis", "any",
              "direction that z of the section is nearest to; [0, 0, 1], for rods along it [0, 1, 0]"),
        required(&FlexibleRod::section, "section", "", "the cross-section: {type: rectangle, width: ..., height: ...}"),
        field(&FlexibleRod::material, "material", "", "steel, aluminium, titanium, ...; or the next three"),
        field(&FlexibleRod::youngs_modulus, "youngs_modulus", "N/m^2", "E, > 0; that of the material if absent",
              Range::positive),
        field(&FlexibleRod::poissons_ratio, "poissons_ratio", "", "0 to 0.5; that of the material if absent",
              Range::not_negative),
        field(&FlexibleRod::density, "density", "kg/m^3", "> 0; that of the material if absent", Range::positive),
        field(&FlexibleRod::theory, "theory", "", "timoshenko, with shear; or euler-bernoulli"),
        field(&FlexibleRod::elements, "elements", "", "that its shapes are worked out with; 40 if absent"),
        field(&FlexibleRod::markers, "markers", "",
              "interfaces on the way: {middle: 0.5}; start and end are there already")};
  }
};

/// What makes a body flexible: a file or a rod, and which of its shapes count.
struct FlexibleBody : ModeChoice {
  std::string file;
  std::optional<FlexibleRod> rod;
  static constexpr auto fields() {
    return std::tuple_cat(
        std::tuple{field(&FlexibleBody::file, "file", "", "a part that `bricard flex reduce` wrote, .flex.h5"),
                   field(&FlexibleBody::rod, "rod", "",
                         "in its place, a straight rod: {from: ..., to: ..., section: ..., material: ...}")},
        ModeChoice::fields());
  }
};

}  // namespace bricard
