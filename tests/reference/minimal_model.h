// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "bricard/math/expression.h"
#include "bricard/math/rotation.h"

// A second formulation of mechanisms: minimal coordinates u and Kane's equations, all in ground axes, integrated by the
// classical Runge–Kutta method. It shares no equation with the program: each body is reached from ground by a path of
// elementary turns and shifts, and there are no constraints.
namespace bricard::testing {

/// One piece of a path: a turn about or a shift along an axis by f(u[coordinate]), or a constant displacement.
struct Piece {
  enum class Kind { turn, shift, constant } kind;
  Vector3d axis = Vector3d::Zero();  ///< of a constant: displacement
  int coordinate = -1;
  std::function<TimeJet(double)> f;  ///< with its first two derivatives
  Matrix3d R = Matrix3d::Identity();
};
Piece turn(const Vector3d& axis, int coordinate, double factor = 1);
Piece shift(const Vector3d& axis, int coordinate, double factor = 1);
/// By a formula in t, which stands for the coordinate.
Piece turn(const Vector3d& axis, int coordinate, const std::string& formula);
Piece shift(const Vector3d& axis, int coordinate, const std::string& formula);
Piece constant(const Vector3d& p, const Matrix3d& R = Matrix3d::Identity());

struct MinimalBody {
  double mass;
  Matrix3d inertia;
  std::vector<Piece> path;  ///< from ground to the centre of mass
};

struct BodyMotion {
  Vector3d p, v, w, a, alpha;
  Matrix3d R;
};

/// Force and torque about the centre of mass that something not modelled must exert.
struct NeededWrench {
  Vector3d force, torque;
};

struct MinimalModel {
  std::vector<MinimalBody> bodies;
  Vector3d gravity{0, 0, -9.81};
  int coordinates = 0;
  /// Generalized forces of what acts on the coordinates themselves.
  std::function<VectorXd(double t, const VectorXd& u, const VectorXd& u1)> forces;
  /// T = ½ I u̇ₖ² of what moves with a coordinate alone, one I for each; empty if nothing does.
  VectorXd inertias;
  /// Forces in ground axes and torques about the centres of mass that act on the bodies besides gravity.
  std::function<std::vector<NeededWrench>(double t, const std::vector<BodyMotion>& bodies)> loads;
  /// Coordinates that are given as functions of time.
  std::vector<std::optional<std::function<TimeJet(double)>>> prescribed;

  BodyMotion motion(size_t body, const VectorXd& u, const VectorXd& u1, const VectorXd& u2) const;
  VectorXd accelerations(double t, const VectorXd& u, const VectorXd& u1) const;
  std::vector<BodyMotion> motions(const VectorXd& u, const VectorXd& u1, const VectorXd& u2) const;
  /// What the rest of the world does to a body besides gravity, loads included.
  NeededWrench needed(size_t body, const VectorXd& u, const VectorXd& u1, const VectorXd& u2) const;
  /// What must act along a coordinate besides gravity, forces and loads: inverse dynamics.
  double needed_along(int coordinate, double t, const VectorXd& u, const VectorXd& u1, const VectorXd& u2) const;
  void integrate(double duration, int steps, VectorXd& u, VectorXd& u1) const;
  void set_prescribed(double t, VectorXd& u, VectorXd& u1) const;
};

}  // namespace bricard::testing
