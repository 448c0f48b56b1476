// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "bricard/model/model.h"
#include "generators/draw.h"

// A mechanism drawn at random: what it is made of in one position, its home, and the same as a model file in any pose,
// order and naming.
namespace bricard::testing {

/// a t + b sin c t
struct DriveLaw {
  double a = 0, b = 0, c = 0;
  double value(double t) const { return a * t + b * std::sin(c * t); }
  double rate(double t) const { return a + b * c * std::cos(c * t); }
  double acceleration(double t) const { return -b * c * c * std::sin(c * t); }
};

/// All positions and directions in the axes of the mechanism, as they are at home. A body turns and shifts from there.
struct Linkage {
  struct Body {
    double mass = 1;
    Matrix3d inertia = Matrix3d::Identity();  ///< about the mass centre
    Vector3d centre = Vector3d::Zero();
  };
  struct Joint {
    JointType type = JointType::revolute;
    int from = -1, to = -1;  ///< bodies; −1: ground
    Vector3d at = Vector3d::Zero(), axis = Vector3d::UnitZ();
    Vector3d second_axis = Vector3d::UnitX();  ///< of a universal joint, fixed in `to`
  };
  struct Drive {
    int joint;
    DriveLaw law;
  };
  std::string family;
  std::vector<Body> bodies;
  std::vector<Joint> joints;
  std::vector<Drive> drives;  ///< of revolute or translational joints
  Vector3d gravity{0, -9.81, 0};
  int freedoms = 1;     ///< without the drives
  bool planar = false;  ///< all motion is parallel to the x–y plane
  double length = 1;    ///< its usual one
  double duration = 0.2, step = 1e-3;

  bool is_driven() const { return static_cast<int>(drives.size()) == freedoms; }  ///< all of it
  int add_body(Draw& draw, const Vector3d& centre, double size, double mass);
  int add_joint(JointType type, int from, int to, const Vector3d& at, const Vector3d& axis);
};

/// How a linkage is written down.
struct Writing {
  Matrix3d R = Matrix3d::Identity();  ///< pose of the mechanism's axes in the ground frame
  Vector3d p = Vector3d::Zero();
  std::vector<int> body_order, joint_order;  ///< the i-th that is written
  std::vector<std::string> body_names, joint_names;
  std::vector<Matrix3d> body_axes;  ///< in the mechanism's axes, at home
  std::vector<bool> swapped;        ///< the joint is written from `to` to `from`
  bool plane = false;               ///< `plane: xy`
};
Writing plain_writing(const Linkage& linkage);
/// Any pose in space, order and names.
Writing random_writing(const Linkage& linkage, Draw& draw);

/// Velocities of the bodies at the start: of the mass centre, and angular.
struct BodyRates {
  Vector3d v = Vector3d::Zero(), w = Vector3d::Zero();
};

/// The model file; `run` is the text of its run settings.
std::string model_text(const Linkage& linkage, const Writing& writing, const std::vector<BodyRates>& start,
                       const std::string& run);

}  // namespace bricard::testing
