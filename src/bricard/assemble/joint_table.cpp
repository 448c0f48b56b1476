// SPDX-License-Identifier: Apache-2.0
#include "bricard/assemble/joint_table.h"

namespace bricard {

const JointPrimitives& primitives_of(JointType type) {
  using Kind = RelativeCoordinate::Kind;
  constexpr int x = 0, y = 1, z = 2;
  static const std::vector<AxisPair> parallel{{z, x}, {z, y}};
  static const std::vector<AxisPair> aligned{{x, y}, {y, z}, {z, x}};
  static const RelativeCoordinate angle{Kind::angle, "angle", "rad"};
  static const RelativeCoordinate translation{Kind::translation, "translation", "m"};
  static const RelativeCoordinate x_offset{Kind::offset_x, "x", "m"}, y_offset{Kind::offset_y, "y", "m"};
  static const std::vector<RelativeCoordinate> rotation{{Kind::rotation_vector_x, "rotation_x", "rad"},
                                                        {Kind::rotation_vector_y, "rotation_y", "rad"},
                                                        {Kind::rotation_vector_z, "rotation_z", "rad"}};
  using Special = JointPrimitives::Special;
  constexpr Special none = Special::none;
  static const JointPrimitives fixed{true, {}, aligned, none, {}};
  static const JointPrimitives revolute{true, {}, parallel, none, {angle}};
  static const JointPrimitives translational{false, {x, y}, aligned, none, {translation}};
  static const JointPrimitives cylindrical{false, {x, y}, parallel, none, {angle, translation}};
  static const JointPrimitives spherical{true, {}, {}, none, rotation};
  static const JointPrimitives universal{
      true,
      {},
      {{z, x}},
      none,
      {{Kind::first_angle, "first_angle", "rad"}, {Kind::second_angle, "second_angle", "rad"}}};
  static const JointPrimitives distance{false, {}, {}, Special::distance, {{Kind::distance, "distance", "m"}}};
  static const JointPrimitives planar{false, {z}, parallel, none, {x_offset, y_offset, angle}};
  static const JointPrimitives constant_velocity{true, {}, {}, Special::twist, {{Kind::bend, "bend", "rad"}}};
  static const JointPrimitives screw{false, {x, y}, parallel, Special::screw, {angle, translation}};
  static const JointPrimitives inline_{false, {x, y}, {}, none, {translation}};
  static const JointPrimitives inplane{false, {z}, {}, none, {x_offset, y_offset}};
  static const JointPrimitives parallel_axes{false, {}, parallel, none, {angle}};
  static const JointPrimitives perpendicular{false, {}, {{z, z}}, none, {}};
  static const JointPrimitives orientation{false, {}, aligned, none, {}};
  static const JointPrimitives curve{false, {}, {}, Special::curve, {}};
  static const JointPrimitives knife_edge{false, {}, {}, Special::knife_edge, {}};
  static const JointPrimitives rolling{false, {}, {}, Special::rolling, {}};
  switch (type) {
    case JointType::fixed: return fixed;
    case JointType::revolute: return revolute;
    case JointType::translational: return translational;
    case JointType::cylindrical: return cylindrical;
    case JointType::spherical: return spherical;
    case JointType::universal: return universal;
    case JointType::distance: return distance;
    case JointType::planar: return planar;
    case JointType::constant_velocity: return constant_velocity;
    case JointType::screw: return screw;
    case JointType::inline_: return inline_;
    case JointType::inplane: return inplane;
    case JointType::parallel: return parallel_axes;
    case JointType::perpendicular: return perpendicular;
    case JointType::orientation: return orientation;
    case JointType::point_on_curve:
    case JointType::curve_on_curve: return curve;
    case JointType::knife_edge: return knife_edge;
    case JointType::rolling: return rolling;
  }
  return fixed;
}

}  // namespace bricard
