// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <string>
#include <vector>

#include "generators/linkage.h"

// A second formulation of linkages that shares nothing with the program: relative coordinates u along a spanning tree,
// loops closed by dense orthogonal factorizations, the reactions from Newton and Euler of each body.
//     c(t, u) = 0,   J = ∂c/∂u,      J u̇ = −∂c/∂t,      J ü = γ,      Nᵀ(M ü + h) = 0 with J N = 0
// Rows of drives stand among those of c. The rank of J is told by the linkage (its freedoms), not found.
namespace bricard::testing {

/// Pose and motion of a frame that lies in the mechanism's axes at home.
struct MovingFrame {
  Matrix3d R = Matrix3d::Identity();
  Vector3d p = Vector3d::Zero();  ///< of what was the origin at home
  Vector3d v = Vector3d::Zero(), w = Vector3d::Zero(), a = Vector3d::Zero(), alpha = Vector3d::Zero();

  Vector3d at(const Vector3d& home) const { return p + R * home; }
  Vector3d velocity(const Vector3d& home) const { return v + w.cross(R * home); }
  Vector3d acceleration(const Vector3d& home) const {
    const Vector3d r = R * home;
    return a + alpha.cross(r) + w.cross(w.cross(r));
  }
};

/// The reaction of a joint on its body `to`, in the mechanism's axes, about the joint's place on that body.
struct JointLoad {
  Vector3d force, torque;
  /// Directions in which the equations of motion say what the load is, whatever else is redundant; force and torque.
  std::vector<Vector3d> told_forces, told_torques;
};

class LoopWitness {
 public:
  explicit LoopWitness(const Linkage& linkage);

  int coordinates() const { return static_cast<int>(pieces_.size()); }
  const Linkage& linkage() const { return linkage_; }
  /// The coordinate of a joint with one of them; −1 if the joint closes a loop.
  int coordinate_of(int joint) const { return first_piece_[joint]; }

  /// Closes the loops from the guess u, drives at t; false if that does not converge.
  bool close(double t, VectorXd& u) const;
  /// The nearest velocities that keep the loops closed.
  VectorXd rates(double t, const VectorXd& u, const VectorXd& wish) const;
  VectorXd accelerations(double t, const VectorXd& u, const VectorXd& u1) const;
  /// From t = 0 to the time t of a free linkage, local error below `tolerance`; false if a position was too weak.
  bool integrate(double from, double to, double tolerance, VectorXd& u, VectorXd& u1, double& step) const;
  /// Smallest singular value of J that is not 0 over the largest: how well the loops are held. 0 where the coordinates
  /// are poor.
  double strength(double t, const VectorXd& u) const;

  std::vector<MovingFrame> frames(const VectorXd& u, const VectorXd& u1, const VectorXd& u2) const;
  /// The coordinates and rates nearest to given poses of all bodies.
  void fit(const std::vector<MovingFrame>& bodies, VectorXd& u, VectorXd& u1) const;
  /// Of all that the equations of motion allow the one of least Σ(|force|² + |torque|²/unit²).
  std::vector<JointLoad> loads(const std::vector<MovingFrame>& bodies, double unit) const;

 private:
  /// One turn about or shift along a line.
  struct Piece {
    bool turns;
    int body;    ///< that it moves
    int parent;  ///< piece before it, −1: ground
    Vector3d axis, at;
  };
  /// A row of c between two bodies: d·(x_to − x_from) = 0 or d·e = cosine, d fixed in `from`, e in `to`.
  struct Row {
    bool angle;
    int from, to;
    Vector3d d, e;  ///< e of a point row: the place on both
    double offset;
  };
  struct Moving {  // all pieces and bodies at (u, u̇, ü)
    std::vector<MovingFrame> pieces;
    std::vector<Vector3d> axes, places;  ///< of the pieces, in the mechanism's axes
  };

  /// Coordinates of another tree are refused: Eigen itself looks at sizes in debug builds only.
  const VectorXd& own(const VectorXd& u) const;
  void add_pieces(int joint, bool forward);
  void add_rows(const Linkage::Joint& joint);
  Moving move(const VectorXd& u, const VectorXd& u1, const VectorXd& u2) const;
  MovingFrame frame(const Moving& m, int body) const { return body < 0 ? MovingFrame{} : m.pieces[last_piece_[body]]; }
  /// ∂ of the velocity of a point (world) of a body and of its angular velocity with respect to u̇.
  void partials(const Moving& m, int body, const Vector3d& point, Eigen::MatrixXd& V, Eigen::MatrixXd& W) const;
  Eigen::MatrixXd jacobian(const Moving& m) const;
  VectorXd closure(double t, const Moving& m, const VectorXd& u) const;
  VectorXd closure_bias(double t, const Moving& m) const;  ///< −γ
  Eigen::MatrixXd free_directions(const Eigen::MatrixXd& J) const;

  Linkage linkage_;
  int free_;  ///< freedoms − drives
  std::vector<Piece> pieces_;
  std::vector<int> first_piece_, last_piece_;  ///< of joints; of bodies
  std::vector<Row> rows_;
  std::vector<int> middle_turns_;  ///< of ball joints: near a right angle the other two turn about the same line
};

}  // namespace bricard::testing
