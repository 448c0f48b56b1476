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
  static const JointPrimitives fixed{true, 0, aligned, false, {}};
  static const JointPrimitives revolute{true, 0, parallel, false, {angle}};
  static const JointPrimitives translational{false, 2, aligned, false, {translation}};
  static const JointPrimitives cylindrical{false, 2, parallel, false, {angle, translation}};
  static const JointPrimitives spherical{true, 0, {}, false,
                                         {{Kind::rotation_vector_x, "rotation_x", "rad"},
                                          {Kind::rotation_vector_y, "rotation_y", "rad"},
                                          {Kind::rotation_vector_z, "rotation_z", "rad"}}};
  static const JointPrimitives universal{true, 0, {{z, x}}, false,
                                         {{Kind::first_angle, "first_angle", "rad"},
                                          {Kind::second_angle, "second_angle", "rad"}}};
  static const JointPrimitives distance{false, 0, {}, true, {{Kind::distance, "distance", "m"}}};
  switch (type) {
    case JointType::fixed: return fixed;
    case JointType::revolute: return revolute;
    case JointType::translational: return translational;
    case JointType::cylindrical: return cylindrical;
    case JointType::spherical: return spherical;
    case JointType::universal: return universal;
    case JointType::distance: return distance;
  }
  return fixed;
}

}  // namespace bricard
