// SPDX-License-Identifier: Apache-2.0
#include "reference/mechanisms.h"

#include <cmath>
#include <stdexcept>

#include "bricard/analysis/consistent_start.h"
#include "bricard/assemble/assemble.h"

namespace bricard::testing {

Body rod(const std::string& name, const Vector3d& from, const Vector3d& to, double axial) {
  const Vector3d along = to - from;
  const double transverse = along.squaredNorm() / 12;
  Body b;
  b.name = name;
  b.mass = 1;
  b.inertia = Vector3d(transverse, transverse, axial).asDiagonal();
  b.position = 0.5 * (from + to);
  b.orientation = frame_from_axis(along);
  return b;
}

Joint joint(JointType type, const std::string& name, const std::string& first, const std::string& second,
            const Vector3d& at, const Vector3d& axis) {
  Joint j;
  j.type = type;
  j.name = name;
  j.between = {Reference{first, {}}, Reference{second, {}}};
  j.at = at;
  j.axis = axis;
  return j;
}

Model n_four_bar(int n, double axial, double angle, double angle_rate) {
  const Vector3d along{std::cos(angle), std::sin(angle), 0}, across{-std::sin(angle), std::cos(angle), 0};
  Model model;
  model.gravity = {0, -9.81, 0};
  for (int i = 0; i <= n; ++i) {
    const Vector3d foot(i, 0, 0);
    Body b = rod("vertical" + std::to_string(i), foot, foot + along, axial);
    b.velocity = 0.5 * angle_rate * across;
    b.angular_velocity = {0, 0, angle_rate};
    model.joints.push_back(joint(JointType::revolute, "foot" + std::to_string(i), "ground", b.name, foot));
    model.bodies.push_back(b);
  }
  for (int i = 0; i < n; ++i) {
    const Vector3d left = Vector3d(i, 0, 0) + along, right = left + Vector3d::UnitX();
    Body b = rod("horizontal" + std::to_string(i), left, right, axial);
    b.velocity = angle_rate * across;
    const std::string number = std::to_string(i), next = std::to_string(i + 1);
    model.joints.push_back(joint(JointType::revolute, "left" + number, "vertical" + number, b.name, left));
    model.joints.push_back(joint(JointType::revolute, "right" + number, b.name, "vertical" + next, right));
    model.bodies.push_back(b);
  }
  return model;
}

Started start(const Model& model) {
  Started started{assemble(model), {}};
  started.state = initial_wishes(model, started.system);
  const StartReport report = consistent_start(started.system, SolverType::automatic, started.state);
  if (!report.assembled) throw std::runtime_error(report.problem);
  return started;
}

}  // namespace bricard::testing
