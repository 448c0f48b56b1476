// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bricard/elements/relative_point.h"
#include "bricard/elements/relative_rotation.h"
#include "bricard/system/system.h"

// A scalar coordinate x(q) of marker j on B relative to marker i on A: what motions prescribe, couplers couple and
// springs, stops and motors in joints act on.                              theory: docs/theory/joints.md
//     angle:   atan2(y_i·x_j, x_i·x_j)            about z_i
//     offset:  e·(x_j − x_i)                      along the axis e = x_i, y_i or z_i
//     twist:   ½ (x_i·y_j − y_i·x_j)              zero if the shafts z_i and z_j turn alike, however bent
namespace bricard {

struct Coordinate {
  enum class Kind { angle, offset, twist };
  Kind kind = Kind::angle;
  MarkerPose i, j;
  int axis = 2;          ///< of an offset
  int angle_index = -1;  ///< into State::angles, which names the turn; −1: not counted
  int joint = -1;        ///< number of the joint whose reaction it belongs to
  int v_a = 0, v_b = 0, block_a = -1, block_b = -1;

  bool turns() const { return kind != Kind::offset; }
};

/// Fills in where the unknowns of both frames are.
Coordinate make_coordinate(const System& system, Coordinate::Kind kind, const MarkerPose& i, const MarkerPose& j);

struct CoordinateState {
  double value, rate, bias;  ///< x, ẋ, ẍ − G a
  Vector6d G_a, G_b;         ///< ∂x/∂(p, θ)
  Vector6d D_a, D_b;         ///< ∂ẋ/∂(p, θ) at fixed velocities
};
CoordinateState evaluate(const Kinematics& k, const Coordinate& c);

/// The value on the turn that the state remembers.
inline double counted(const Kinematics& k, const Coordinate& c, double value) {
  return c.angle_index < 0 ? value : nearest_turn(value, k.state->angles[c.angle_index]);
}

/// Couplings (a,a), (b,b), (a,b), in the order of the slots below.
inline constexpr int kCoordinateSlots = 3;
inline void add_coordinate_couplings(const Coordinate& c, std::vector<Coupling>& couplings) {
  couplings.push_back({c.block_a, c.block_a});
  couplings.push_back({c.block_b, c.block_b});
  couplings.push_back({c.block_a, c.block_b});
}

/// Residual f Gᵀ.
inline void add_coordinate_force(const Coordinate& c, const CoordinateState& x, double f, Residual& r) {
  r.motion.segment<6>(c.v_a) += f * x.G_a;
  r.motion.segment<6>(c.v_b) += f * x.G_b;
}

/// Its derivative with f fixed: f ∂G/∂q.
void add_coordinate_stiffness(const Kinematics& k, const Coordinate& c, double f, const Slot* slots, Tangent& T);

/// Its derivative with δf = f_x δx + f_v δẋ.
void add_coordinate_tangent(const Kinematics& k, const Coordinate& c, const CoordinateState& x, double f, double f_x,
                            double f_v, const Slot* slots, Tangent& T);

/// The wrench −f Gᵀ on B.
void add_coordinate_reaction(const Kinematics& k, const Coordinate& c, const CoordinateState& x, double f,
                             std::vector<Wrench>& wrenches);

}  // namespace bricard
