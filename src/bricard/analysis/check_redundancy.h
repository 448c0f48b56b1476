// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "bricard/analysis/constraint_rank.h"

// From vectors of the left null space to words: which equations of which joint say what others say
// already.
//                                                                             theory:
//                                                                             docs/theory/check.md
namespace bricard {

/// Equations of one joint or coupler that depend on others. A joint that could not transmit these
/// forces and torques would be enough; a coupler would not be missed.
struct Redundancy {
  std::string joint, type;  ///< name and type of the joint or coupler
  bool is_coupler = false;
  std::vector<std::string> directions;           ///< force along z, torque about its x axis …; one for each equation
  std::vector<std::string> depends_on;           ///< other joints
  std::vector<std::string> depends_on_couplers;  ///< and couplers
};

/// A motion that prescribes what joints and other motions prescribe already.
struct OverDrive {
  std::string motion;
  std::vector<std::string> motions, joints, couplers;  ///< that it depends on
  double contradiction = 0;  ///< by how much their velocities disagree, m/s; 0 if that is round-off
  double acceleration = 0;   ///< and their accelerations with the velocities of the state, m/s²
  double gap = 0;            ///< and their positions, where these could not be brought together, m
};

/// Σ yᵢ xᵢ per largest yᵢ; 0 if it is round-off of its terms.
double combination(const Eigen::SparseVector<double>& y, const VectorXd& x);

struct Dependencies {
  std::vector<Redundancy> joints;
  std::vector<OverDrive> motions;
  int joint_equations() const;  ///< those of joints and couplers
};

/// `k` is where G and its rank were found.
Dependencies name_dependencies(const System& system, const Kinematics& k, const SparseRows& G, int rank);

}  // namespace bricard
