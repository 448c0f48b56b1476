// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Sparse>
#include <functional>
#include <string>
#include <vector>

#include "bricard/model/reduced_part.h"

// A linear elastic part before it is reduced, whatever it was made from: rods, beams or finite elements.
//     M ü + K u = f,     M = Dᵀ (W ⊗ 1₃) D                                            theory: docs/theory/modal_bodies.md
// Mass sits in points; D u are their displacements, and ∫ f g dm = Σ W_ij f_i g_j over them. A solid's points are its nodes, and
// W is its consistent mass; a rod's are Gauss' points, and W is diagonal. Whatever a moving part needs to know of its mass
// follows from points, W and D, exactly.
namespace bricard {

using SparseMatrix = Eigen::SparseMatrix<double>;

struct Structure {
  std::string name, source;
  Eigen::Matrix3Xd nodes;  ///< undeformed
  bool turning = false;    ///< nodes have six unknowns, displacement and rotation vector, in a row; else three
  SparseMatrix stiffness;  ///< K, n×n, both triangles

  Eigen::Matrix3Xd points;    ///< undeformed
  SparseMatrix weights;       ///< W
  SparseMatrix displacement;  ///< D, 3·points × n; point i has the rows 3 i … 3 i + 2

  /// K of the stresses that belong to displacements u; empty if it is not known.
  std::function<SparseMatrix(const VectorXd& u)> geometric_stiffness;
  /// Stiffness of forces on the points, one in each column, whose levers turn: D u leaves out ½ θ × (θ × l). Empty if none has.
  std::function<SparseMatrix(const Eigen::Matrix3Xd& forces)> lever_stiffness;

  // What pictures show: points on the surface, or lines of rods.
  Eigen::Matrix3Xd surface_points;
  SparseMatrix surface_displacement;  ///< 3·points × n
  SparseMatrix surface_stress;        ///< xx, yy, zz, xy, yz, zx: 6·points × n; empty if it is not known
  std::vector<std::array<int, 3>> triangles;
  std::vector<std::array<int, 2>> lines;

  int unknowns() const { return static_cast<int>(stiffness.rows()); }
  int unknowns_per_node() const { return turning ? 6 : 3; }
};

/// Where markers will sit: a node that turns, or a set of nodes whose motion gives six unknowns.
struct InterfaceNodes {
  enum class Spider {
    rigid,   ///< nodes move as a rigid body (RBE2)
    average  ///< its motion is the mean of theirs, which stay free (RBE3)
  };
  std::string name;
  std::vector<int> nodes;
  Spider spider = Spider::rigid;
  Vector3d position = Vector3d::Zero();  ///< of the interface: the mean of the nodes, unless somebody wants another
  Matrix3d axes = Matrix3d::Identity();
};

/// Six displacements or turns that are zero in all shapes, so that shapes contain no motion of the whole part.
struct FrameSupport {
  std::string interface;
  std::vector<int> components;  ///< 0 … 5: displacements, rotation vector
};

struct Reduction {
  enum class Kind { craig_bampton, free } kind = Kind::craig_bampton;
  int modes = 10;                   ///< besides those that the interfaces need
  double max_frequency = 0;         ///< rad/s, of the modes that are kept; 0: no limit
  bool stiffening = false;          ///< with X and Y, if the structure knows its geometric stiffness
  std::vector<FrameSupport> frame;  ///< empty: mean axes, in which shapes have no momentum
};

/// Shapes are orthogonal: their modal masses are 1, `stiffness` is diagonal with the squares of `frequencies`.
ReducedPart reduce(const Structure& structure, const std::vector<InterfaceNodes>& interfaces, const Reduction& wanted);

SparseMatrix mass_matrix(const Structure& structure);

}  // namespace bricard
