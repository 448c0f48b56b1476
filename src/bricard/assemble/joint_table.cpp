// SPDX-License-Identifier: Apache-2.0
#include "bricard/assemble/joint_table.h"

#include <map>

#include "bricard/system/assertion.h"

namespace bricard {
namespace {

struct JointForm {
  JointPrimitives in_space;
  PlanarForm in_plane;
};

std::map<JointType, JointForm> make_table() {
  constexpr int x = 0, y = 1, z = 2;
  const std::vector<AxisPair> parallel{{z, x}, {z, y}}, aligned{{x, y}, {y, z}, {z, x}};
  using Special = JointPrimitives::Special;

  using enum PlanarForm::Axis;
  using Choice = PlanarForm::Choice;
  const std::vector<AxisPair> no_turn{{x, y}};  // of axes in the plane
  const PlanarForm as_in_space{}, pin{{any, any}, true, false, {x, y}};
  PlanarForm hinge = pin, clamp = pin, cross = pin;
  hinge.axis = {normal, normal};
  clamp.same_axes = true, clamp.axes = no_turn;
  cross.choice = Choice::either_axis;
  const PlanarForm slider{{in_plane, in_plane}, true, false, {y}, no_turn};
  PlanarForm slider_or_pin = slider;
  slider_or_pin.choice = Choice::pin_along_normal;
  const auto refused = [](const char* why) {
    PlanarForm form;
    form.refusal = why;
    return form;
  };

  return {
      {JointType::fixed, {{true, {}, aligned}, clamp}},
      {JointType::revolute, {{true, {}, parallel}, hinge}},
      {JointType::translational, {{false, {x, y}, aligned}, slider}},
      {JointType::cylindrical, {{false, {x, y}, parallel}, slider_or_pin}},
      {JointType::spherical, {{true, {}, {}}, pin}},
      {JointType::universal, {{true, {}, {{z, x}}}, cross}},
      {JointType::distance, {{false, {}, {}, Special::distance}, as_in_space}},
      {JointType::planar,
       {{false, {z}, parallel},
        refused("a planar joint holds nothing in {}, where all bodies move in the plane already; remove it")}},
      {JointType::constant_velocity,
       {{true, {}, {}, Special::twist},
        refused("a constant-velocity joint has no meaning in {}; use a revolute joint, or remove 'plane'")}},
      {JointType::screw,
       {{false, {x, y}, parallel, Special::screw},
        refused("a screw turns about the axis that it moves along, which cannot be in {}; couple a revolute with a "
                "translational joint (rack-and-pinion), or remove 'plane'")}},
      {JointType::point_on_curve, {{false, {}, {}, Special::curve}, {{normal, any}, true}}},
      {JointType::curve_on_curve, {{false, {}, {}, Special::curve}, {{normal, normal}}}},
      {JointType::inline_, {{false, {x, y}, {}}, {{in_plane, any}, true, false, {y}}}},
      {JointType::inplane, {{false, {z}, {}}, {{in_plane, any}, false, false, {x}}}},
      {JointType::parallel, {{false, {}, parallel}, {{in_plane, in_plane}, false, false, {}, no_turn}}},
      {JointType::perpendicular, {{false, {}, {{z, z}}}, {{in_plane, in_plane}, false, false, {}, {{x, x}}}}},
      {JointType::orientation, {{false, {}, aligned}, {{any, any}, false, true, {}, no_turn}}},
      {JointType::knife_edge, {{false, {}, {}, Special::knife_edge}, {{any, in_plane}}}},
      {JointType::rolling, {{false, {}, {}, Special::rolling}, {{in_plane, normal}}}},
      {JointType::revolute_spherical, {{false, {z}, {}, Special::distance}, {{normal, any}, true}}},
  };
}

/// By the name that results and measures have for it.
RelativeCoordinate coordinate_named(const std::string& name) {
  using Of = RelativeCoordinate::Kind;
  static const RelativeCoordinate all[] = {{Of::angle, "angle", "rad"},
                                           {Of::translation, "translation", "m"},
                                           {Of::offset_x, "x", "m"},
                                           {Of::offset_y, "y", "m"},
                                           {Of::rotation_vector_x, "rotation_x", "rad"},
                                           {Of::rotation_vector_y, "rotation_y", "rad"},
                                           {Of::rotation_vector_z, "rotation_z", "rad"},
                                           {Of::first_angle, "first_angle", "rad"},
                                           {Of::second_angle, "second_angle", "rad"},
                                           {Of::distance, "distance", "m"},
                                           {Of::bend, "bend", "rad"}};
  for (const RelativeCoordinate& c : all)
    if (name == c.name) return c;
  BRICARD_ASSERT(!"a coordinate of joint_kinds.h that is not measured");
  return {};
}

/// In the order of JointType.
const std::vector<JointForm>& table() {
  static const std::vector<JointForm> forms = [] {
    std::map<JointType, JointForm> rows = make_table();
    std::vector<JointForm> made;
    for (const JointKind& kind : kJointKinds) {
      BRICARD_ASSERT(rows.count(kind.type) == 1);
      made.push_back(rows[kind.type]);
      for (const char* name : kind.coordinates)
        if (name) made.back().in_space.coordinates.push_back(coordinate_named(name));
    }
    return made;
  }();
  return forms;
}

}  // namespace

const JointPrimitives& primitives_of(JointType type) { return table()[static_cast<size_t>(type)].in_space; }
const PlanarForm& planar_form_of(JointType type) { return table()[static_cast<size_t>(type)].in_plane; }

}  // namespace bricard
