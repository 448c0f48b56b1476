// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include "bricard/solve/linear_solver.h"
#include "bricard/system/tangent_assembly.h"

// How independent the constraints are where they are now, told by geometry alone: no mass, no force and no step has a
// part in it.                                                              theory: docs/theory/newton_system.md
//     [ D   Gᵀ ]
//     [ G   0  ]      D = 1 for positions, ℓ_r² for rotations
// Each pivot of a row of G, divided by what it would be without the other rows, is the square of the row's distance from
// being a combination of those before it. Rows whose pivots are round-off are redundant. How many of them there are in
// ordinary positions is found out once, at the ends of a few small motions away from the start, where the joints are
// closed again: a singular position has more.
namespace bricard {

/// Whether the rows cannot depend on each other in any position: joints without loops, each of a kind whose own rows never
/// do, and motions of one of their coordinates. Rows at the end of a tree are independent of all others if they are so among
/// themselves.
bool rows_are_those_of_a_tree(const System& system);

class ConstraintGeometry {
 public:
  /// Surveys the neighbourhood of k.
  ConstraintGeometry(const System& system, const Kinematics& k, const Tolerances& tolerances = {});
  /// What another one found out is to be read from an archive.
  explicit ConstraintGeometry(const System& system, const Tolerances& tolerances = {});

  void measure(const Kinematics& k);
  /// Distance from the next dependency, of a row of length 1; 0: singular here.
  double independence() const { return independence_; }
  /// The square of it, per row relative to what is usual near the start.
  double weakest_row() const { return weakest_row_; }
  /// Rows that usually do not depend on others and now do: their pivots are below this part of the usual ones.
  int vanished_rows(double part) const;
  int redundant_rows() const { return usually_redundant_; }  ///< in ordinary positions
  void archive(Archive& x) { x(usual_, usually_redundant_, dependent_, independence_, weakest_row_); }

 private:
  void factorize(const Kinematics& k);
  void survey(const Kinematics& k);
  void close(State& s, Kinematics& k);
  VectorXd admissible_motion(unsigned seed) const;
  int count_redundant() const;
  Eigen::Ref<const VectorXd> row_ratios() const;
  void set_floor(double part);

  const System& system_;
  Tolerances tolerances_;
  TangentAssembly tangents_;  ///< of batches with constraints
  std::unique_ptr<LinearSolver> solver_;
  std::vector<Slot> slots_;
  std::vector<Matrix3d> no_chart_;
  std::vector<std::pair<int, double>> metric_;  ///< places of the diagonal in the storage, and D
  VectorXd fresh_, usual_;                      ///< nothing usual yet; usual pivots of the rows
  VectorXd sorted_;                             ///< scratch
  int usually_redundant_ = 0;
  double dependent_ = 0;  ///< pivots up to this are of dependent rows
  double independence_ = 1, weakest_row_ = 1;
};

}  // namespace bricard
