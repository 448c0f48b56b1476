// SPDX-License-Identifier: Apache-2.0
#include "bricard/model/model.h"

namespace bricard {

const char* name_of(JointType type) {
  switch (type) {
    case JointType::fixed: return "fixed";
    case JointType::revolute: return "revolute";
    case JointType::translational: return "translational";
    case JointType::cylindrical: return "cylindrical";
    case JointType::spherical: return "spherical";
    case JointType::universal: return "universal";
    case JointType::distance: return "distance";
  }
  return "";
}

const char* name_of(ShapeType type) {
  switch (type) {
    case ShapeType::box: return "box";
    case ShapeType::cylinder: return "cylinder";
    case ShapeType::tube: return "tube";
    case ShapeType::sphere: return "sphere";
    case ShapeType::cone: return "cone";
    case ShapeType::rod: return "rod";
  }
  return "";
}

}  // namespace bricard
