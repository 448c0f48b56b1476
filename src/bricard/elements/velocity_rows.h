// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <vector>

#include "bricard/system/element.h"

// What elements with rows on velocities share.                              theory: docs/theory/nonholonomic.md
//     y = H v + h₀,   ẏ = H a + ∂y/∂q v + ∂y/∂t,   forces Hᵀ(μ + penalty·rate·y)
namespace bricard {

inline constexpr int kMaxVelocityNodes = 6, kMaxVelocityRows = 3;

/// The bodies that an element's rows touch, ground left out, and where its multipliers are.
struct VelocityPlace {
  struct Node {
    int node, v, block;
  };
  std::vector<Node> nodes;
  int multipliers = -1;  ///< unknown block
  int offset = 0;        ///< first row in that block
  int row = 0;           ///< and in State::lambda
  int joint = -1;        ///< number of the joint, −1 if its reaction is not reported
};

/// The rows at one state; columns are the six coordinates of each node.
struct VelocityRows {
  using Columns =
      Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor, kMaxVelocityRows, 6 * kMaxVelocityNodes>;
  using Square = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::ColMajor, 6 * kMaxVelocityNodes,
                               6 * kMaxVelocityNodes>;
  using Values = Eigen::Matrix<double, Eigen::Dynamic, 1, Eigen::ColMajor, kMaxVelocityRows, 1>;
  Values value;   ///< y; of a row on positions g
  Columns H, Y;   ///< ∂y/∂v, ∂y/∂q; of a row on positions ∂g/∂q and ∂ġ/∂q
  int positions;  ///< this many rows come first that are rows g on positions
};

void add_velocity_couplings(const VelocityPlace& place, std::vector<Coupling>& couplings);
int velocity_slots(const VelocityPlace& place);

/// λ with what the augmented Lagrangian adds to it; `rate` and `penalty` as in Residual.
VelocityRows::Values velocity_forces(const VelocityPlace& place, const VelocityRows& rows, const State& s, double rate,
                                     double penalty);
void add_velocity_residual(const VelocityPlace& place, const VelocityRows& rows, const State& s, Residual& r);
/// `K` is ∂(Hᵀf)/∂q with the forces f held fixed.
void add_velocity_tangent(const VelocityPlace& place, const VelocityRows& rows, const VelocityRows::Square& K,
                          const Slot* slots, Tangent& T);
/// rate and penalty of a residual whose tangent has these weights.
double rate_of(const Weights& w);
double penalty_of(const Weights& w);

/// The velocities of the nodes, one after the other.
Eigen::Matrix<double, Eigen::Dynamic, 1, Eigen::ColMajor, 6 * kMaxVelocityNodes, 1> velocities_of(
    const VelocityPlace& place, const Kinematics& k);

}  // namespace bricard
