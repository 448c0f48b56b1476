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
    case JointType::planar: return "planar";
    case JointType::constant_velocity: return "constant-velocity";
    case JointType::screw: return "screw";
    case JointType::inline_: return "inline";
    case JointType::inplane: return "inplane";
    case JointType::parallel: return "parallel";
    case JointType::perpendicular: return "perpendicular";
    case JointType::orientation: return "orientation";
    case JointType::point_on_curve: return "point-on-curve";
    case JointType::curve_on_curve: return "curve-on-curve";
    case JointType::knife_edge: return "knife-edge";
    case JointType::rolling: return "rolling";
  }
  return "";
}

const char* name_of(JointCoordinate coordinate) {
  switch (coordinate) {
    case JointCoordinate::automatic: return "automatic";
    case JointCoordinate::angle: return "angle";
    case JointCoordinate::translation: return "translation";
    case JointCoordinate::x: return "x";
    case JointCoordinate::y: return "y";
    case JointCoordinate::z: return "z";
  }
  return "";
}

const char* name_of(CouplerType type) {
  switch (type) {
    case CouplerType::gear: return "gear";
    case CouplerType::rack_and_pinion: return "rack-and-pinion";
    case CouplerType::coupler: return "coupler";
  }
  return "";
}

const char* name_of(Plane plane) {
  switch (plane) {
    case Plane::none: return "";
    case Plane::xy: return "xy";
    case Plane::yz: return "yz";
    case Plane::zx: return "zx";
  }
  return "";
}

Vector3d normal_of(Plane plane) {
  switch (plane) {
    case Plane::yz: return Vector3d::UnitX();
    case Plane::zx: return Vector3d::UnitY();
    default: return Vector3d::UnitZ();
  }
}

std::vector<JointCoordinate> coordinates_of(JointType type) {
  using C = JointCoordinate;
  switch (type) {
    case JointType::revolute: return {C::angle};
    case JointType::translational:
    case JointType::inline_: return {C::translation};
    case JointType::cylindrical:
    case JointType::screw: return {C::angle, C::translation};
    case JointType::planar: return {C::x, C::y, C::angle};
    default: return {};
  }
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
