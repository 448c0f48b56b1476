// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <memory>
#include <span>
#include <vector>

#include "bricard/model/measure_names.h"
#include "bricard/system/system.h"

// What a formula can see of the motion: scalar functions of up to three markers, of their velocities and accelerations,
// and of the multipliers of a joint, with exact derivatives.            theory: docs/theory/measures.md
namespace bricard {

/// The reaction of one joint on its second body, worked out from the elements that make up the joint. Zero if they act on
/// a third body too.
class JointReaction {
 public:
  static constexpr int kMaxRows = 12;
  using Multipliers = Eigen::Matrix<double, kMaxRows, 1>;

  JointReaction(const System& system, int joint);

  struct Block {
    int block, row, size, offset;  ///< row in State::lambda; offset within Multipliers
  };
  const std::vector<Block>& blocks() const { return blocks_; }

  /// Gᵀλ in the rows of the second body and its derivative after both bodies and the multipliers.
  struct Evaluation {
    Vector6d load;
    Eigen::Matrix<double, 6, 6> by_first, by_second;
    Eigen::Matrix<double, 6, kMaxRows> by_multipliers;
  };
  Evaluation evaluate(const Kinematics& k) const;

 private:
  static constexpr int kSize = 12 + kMaxRows;  ///< first body, second body, multipliers
  std::vector<std::unique_ptr<ElementBatch>> parts_;
  std::vector<Slot> slots_;  ///< of all parts, into a matrix of kSize
  std::vector<size_t> first_slot_;
  std::vector<Block> blocks_;
  std::vector<Matrix3d> chart_;  ///< all 1
};

/// What does not change of a measure.
struct MeasureDefinition {
  MeasureQuantity quantity = MeasureQuantity::position;
  int component = 0;                  ///< of a vector: along this axis of marker r, or kMagnitude
  std::array<MarkerPose, 3> markers;  ///< i, j, r; of a joint i is the second marker and j the first
  int angle_index = -1;               ///< into State::angles
  int joint = -1;
  int index = -1;  ///< of a state or an input in the system
};

/// How a measure changes with the unknown of a Newton system.
struct MeasureRow {
  std::array<Vector6d, 3> frames;  ///< with the frames of i, j and r
  JointReaction::Multipliers multipliers;
  double state = 0;  ///< with its differential state
};

/// A measure as a function of velocities, m = J v + m₀: derivatives after the velocities of its three frames, after their
/// positions, and of the former after the latter.
struct VelocityForm {
  Eigen::Matrix<double, 18, 1> by_v, by_q;
  Eigen::Matrix<double, 18, 18> by_v_by_q;
};

class Measure {
 public:
  Measure(const System& system, const MeasureDefinition& definition);

  double value(const Kinematics& k) const;
  /// Its derivative with the weights of a tangent, as the elements' add_tangent has them.
  MeasureRow row(const Kinematics& k, const Weights& w, const Matrix3d* chart) const;

  bool sees_accelerations() const;
  /// Whether it is a sum of velocities with factors that depend on positions; a position is not.
  bool is_velocity() const;
  bool is_position() const;
  /// Of a velocity or a position.
  VelocityForm velocity_form(const Kinematics& k) const;

  /// The unknown blocks of row(): three of frames (−1 for ground or none), then those of multipliers.
  std::array<int, 3> frame_blocks() const { return blocks_; }
  std::span<const JointReaction::Block> multiplier_blocks() const;
  /// The unknown block of its state and the place in it; −1 if it is none.
  int state_block() const { return state_block_; }
  int state_offset() const { return state_offset_; }
  /// The number of the input that it is; −1 if it is none.
  int input() const { return d_.quantity == MeasureQuantity::input ? d_.index : -1; }
  /// The rate of an input, as it is a function of time; else 0.
  double input_rate(const Kinematics& k) const { return input_ ? input_->jet(k.state->t).rate : 0; }
  const std::array<MarkerPose, 3>& markers() const { return d_.markers; }

 private:
  struct Gradient;
  struct Point;
  /// The frames of its markers.
  struct View {
    const Kinematics& all;
    std::array<const Frame*, 3> frames;
    const Frame& operator[](int marker) const { return *frames[marker]; }
  };
  View view(const Kinematics& k) const;
  Point point(const View& k, int marker) const;
  Vector3d difference(const View& k) const;
  void add_difference(const View& k, const Vector3d& seed, Gradient& g) const;
  void add_axis(const View& k, int marker, int axis, const Vector3d& seed, Gradient& g) const;
  Gradient gradient(const View& k) const;
  void add_angle(const View& k, Gradient& g) const;
  void add_distance_rate(const View& k, Gradient& g) const;
  void add_translation_rate(const View& k, Gradient& g) const;
  void add_reaction(const View& k, Gradient& g) const;
  void add_rotation_vector(const View& k, Gradient& g) const;
  Vector3d rotation_vector(const View& k) const;
  Vector3d axis(const View& k, int marker, int number) const;

  MeasureDefinition d_;
  std::array<int, 3> v_;       ///< where the velocities of the frames are, −1 for ground
  std::array<int, 3> blocks_;  ///< −1 for ground and where there is no dependence
  int state_block_ = -1, state_offset_ = 0, state_v_ = -1;
  std::shared_ptr<const Expression> input_;
  std::shared_ptr<const JointReaction> reaction_;
};

/// Couplings and tangent blocks of the rows of one block that depend on a measure: δ(rows) = J δ(measure). Nothing for
/// ground, block −1. add_row_tangent returns the slot after the last one used.
void add_row_couplings(const Measure& measure, int row_block, std::vector<Coupling>& couplings);
const Slot* add_row_tangent(const Measure& measure, const MeasureRow& d, int row_block, std::span<const double> J,
                            const Slot* slot, Tangent& T);

/// The same for up to two frames with the given blocks, six rows each.
using MeasuredRows = Eigen::Matrix<double, 12, 1>;
void add_measure_couplings(const Measure& measure, const std::array<int, 2>& row_blocks,
                           std::vector<Coupling>& couplings);
/// Returns the slot after the last one used.
const Slot* add_measure_tangent(const Measure& measure, const std::array<int, 2>& row_blocks, const MeasuredRows& J,
                                const Kinematics& k, const Slot* slot, Tangent& T);

}  // namespace bricard
