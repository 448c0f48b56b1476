// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "bricard/math/expression.h"
#include "bricard/system/element.h"
#include "bricard/system/follower.h"
#include "bricard/system/manifold.h"

namespace bricard {

class MeasuredFormulas;

/// A set of neighbouring unknowns that is always coupled as a whole: coordinates of one body or
/// multipliers of one joint. `first` counts coordinates first, then multipliers.
struct UnknownBlock {
  int first, size;
  bool multiplier;
  int node = -1;        ///< the frame whose six unknowns they are; −1: none
  bool states = false;  ///< differential states
  /// Points, vectors or modal coordinates: what is neither a frame nor a state.
  bool is_vector() const { return !multiplier && !states && node < 0; }
};

/// A frame that markers can sit on, with its own six unknowns; block −1: it has none (ground, frames that follow other
/// unknowns).
struct FrameNode {
  std::string name;
  int q = 0, v = 0;
  int block = -1;
  int follower = -1;  ///< number among the frames that follow other unknowns
  int carrier = -1;   ///< of an interface: the node of its body
};

/// A constant pose on a frame.
struct MarkerPose {
  int node = 0;
  Vector3d r = Vector3d::Zero();      ///< origin in the frame
  Matrix3d R = Matrix3d::Identity();  ///< axes in the frame
};

/// One coordinate a joint reports.
struct RelativeCoordinate {
  enum class Kind {
    angle,
    translation,
    offset_x,
    offset_y,
    bend,
    distance,
    first_angle,
    second_angle,
    rotation_vector_x,
    rotation_vector_y,
    rotation_vector_z
  };
  Kind kind;
  std::string name, unit;
  int angle_index = -1;  ///< into State::angles if it is counted over many turns
};

/// What results need to know of a joint.
struct JointInfo {
  std::string name;
  const char* type = "";
  std::array<MarkerPose, 2> markers;
  std::vector<RelativeCoordinate> coordinates;
  int first_row = 0, rows = 0;
  /// Points along the curves of a curve joint, in the x–y planes of the markers; for pictures.
  std::array<std::vector<Eigen::Vector2d>, 2> outlines;
};

/// The equations of a prescribed motion.
struct MotionInfo {
  std::string name;
  int joint = -1;  ///< number of the joint it drives, −1 if none
  int first_row = 0, rows = 0;
};

/// Equations that belong to no joint and no motion: those of a coupler, or what keeps a body in the model's plane.
struct EquationInfo {
  enum class Kind { coupler, plane, rigid, velocity };
  Kind kind;
  std::string name;       ///< of the coupler, the body or the constraint
  const char* type = "";  ///< gear, rack-and-pinion, coupler; plane; shape; velocity constraint
  int first_row = 0, rows = 0;
  std::string text() const;  ///< gear 'mesh', plane of body 'rod'
};

/// A differential state: of an equation of the user or of a controller.
struct StateInfo {
  std::string name, unit;
  int v = 0;         ///< x is State::v[v], ẋ is State::a[v], and their equation is the row v of motion
  int block = -1;    ///< its unknown block, and
  int offset = 0;    ///< its place in it
  double scale = 1;  ///< its usual size
  double start = 0, start_rate = 0;  ///< the latter is a guess for equations that are not solved for ẋ
  bool implicit = false;             ///< its equation is d(…, ẋ, x) = 0, not ẋ = f
};

/// A flexible body: its modal coordinates are q[q] … of the state, their velocities v[v] ….
struct FlexibleInfo {
  std::string name;
  int node = 0, block = 0;
  int q = 0, v = 0, shapes = 0;
};

/// A value that can be driven from outside: u = value(t) + State::inputs.
struct InputInfo {
  std::string name, unit;
  Expression value;
};

/// A value with a name that results show: variables and outputs of controllers.
struct NamedValue {
  std::string name, unit;
  std::shared_ptr<const MeasuredFormulas> value;
};

/// A force, joint or motion that events switch on and off.
struct SwitchInfo {
  std::string name;             ///< in messages: joint 'latch'
  int index = 0;                ///< into State::discrete: 1 on, 0 off
  int first_row = 0, rows = 0;  ///< of its constraints, which have λ = 0 while it is off
};

/// What happens when a formula passes through zero.                        theory: docs/theory/events.md
struct EventInfo {
  struct Setting {
    int input;
    std::shared_ptr<const MeasuredFormulas> value;
  };
  std::string name;
  std::shared_ptr<const MeasuredFormulas> when;
  bool rising = true, falling = true;  ///< which way it counts
  int happened = -1;                   ///< into State::discrete, of an event that happens once
  bool stops = false;                  ///< it ends the run
  std::vector<Setting> settings;
  std::vector<int> on, off;  ///< switches
  bool acts() const { return stops || !settings.empty() || !on.empty() || !off.empty(); }
};

/// Angle about z between two markers, counted over many turns.
struct TrackedAngle {
  MarkerPose i, j;
};

/// A relative rotation that is used as a rotation vector, which jumps at half a turn.
struct WatchedRotation {
  MarkerPose i, j;
  std::string user;  ///< path of the element in the model
};

/// The model, numbered and ready to evaluate; unchanged once assembled.
class System {
 public:
  System();

  // Building, by assemble or by hand.
  int add_frame(const std::string& name);  ///< a body: R³ × SO(3); returns the node
  int add_vector_block(int size);          ///< returns the block
  /// A frame that follows other unknowns, and of an interface the node of its body; returns the node.
  int add_follower(const std::string& name, int carrier = -1);
  void add(std::unique_ptr<FollowerBatch> batch);  ///< how such frames move
  /// No element looks at followers: `update` leaves them as they are.
  void leave_followers_out() { elements_use_followers_ = false; }
  /// One block of differential states; `v`, `block` and `offset` are set. Returns the block.
  int add_states(std::vector<StateInfo> infos);
  int add_multipliers(int rows);  ///< returns the block
  void add_velocity_row(int row) { velocity_rows_.push_back(row); }
  int add_tracked_angle(const TrackedAngle& angle);
  int add_discrete(double start);  ///< an entry of State::discrete; returns its index
  const VectorXd& discrete_start() const { return discrete_; }
  void set_discrete_start(const VectorXd& start) { discrete_ = start; }
  const std::vector<TrackedAngle>& tracked_angles() const { return angles_; }
  void add(std::unique_ptr<ElementBatch> batch);

  const Manifold& manifold() const { return manifold_; }
  int velocities() const { return manifold_.dimension(); }
  /// Velocities of bodies and the like, which constraints can take away; differential states are none.
  int motions_without_constraints() const { return velocities() - static_cast<int>(states.size()); }
  /// v = 0, but differential states as they are.
  void stop(State& s) const;
  int multipliers() const { return nl_; }
  int unknowns() const { return velocities() + multipliers(); }
  const std::vector<FrameNode>& nodes() const { return nodes_; }  ///< [0] is ground
  const std::vector<UnknownBlock>& blocks() const { return blocks_; }
  /// First row of a multiplier block in State::lambda and Residual::constraint.
  int row_of(int multiplier_block) const { return blocks_[multiplier_block].first - velocities(); }
  /// Where the coordinates of an unknown block start in State::q.
  int q_of(int block) const;
  /// Where a node's six rows start in Residual::motion, once all coordinates are there: those of ground come after all
  /// velocities, those of followers after them.
  int v_of(int node) const;
  /// The body of an interface; else the node itself.
  int body_of(int node) const { return nodes_[node].carrier >= 0 ? nodes_[node].carrier : node; }
  /// What elements call a node in their couplings: its unknown block, −1 for ground, a number past all blocks for a follower.
  int block_of(int node) const;
  static bool is_follower(int block) { return block >= kFirstFollowerBlock; }
  bool is_multiplier(int block) const { return block >= 0 && !is_follower(block) && blocks_[block].multiplier; }
  /// The unknown blocks behind one that elements name: itself, those a follower follows, none for ground.
  std::vector<int> unknown_blocks(int block) const;
  const std::vector<FollowerPlace>& followers() const { return followers_; }
  /// Whether forces act on it.
  bool is_acted_on(int follower) const { return acted_on_[follower]; }
  /// What a row of g belongs to: joint 'A', motion 'drive', …
  std::string row_name(int row) const;
  /// Rows of what is off at s: they constrain nothing.
  int rows_off(const State& s) const;
  /// Equations that only keep bodies in the model's plane; 0 in space.
  int plane_rows() const;
  /// Rows of g that are conditions H v + h₀ = 0 on velocities.
  const std::vector<int>& velocity_rows() const { return velocity_rows_; }
  /// A length per unit of each velocity's increment: 1, ℓ_r for rotations, ℓ_r over its usual size for a state.
  VectorXd lengths() const;
  const std::vector<std::unique_ptr<ElementBatch>>& batches() const { return batches_; }

  State make_state() const;
  Kinematics make_kinematics() const;
  Residual make_residual() const;

  /// Poses and velocities of all frames; `k` refers to `s` from then on.
  void update(const State& s, Kinematics& k) const;
  /// The followers, if `update` left them out.
  void complete(const State& s, Kinematics& k) const {
    if (!elements_use_followers_) update_followers(s, k);
  }
  /// A bound of the rates of all angles at s if no element looks at frames; infinite if one does.
  double fastest_turn(const State& s) const;
  void residual(const Kinematics& k, Residual& r) const;
  /// Gᵀλ in r.motion; r.penalty must be 0.
  void constraint_forces(const Kinematics& k, Residual& r) const;
  /// ∂r/∂u and ∂(H v + h₀)/∂u of one input.
  void input_derivative(const Kinematics& k, int input, Residual& r) const;
  void constraint_rates(const Kinematics& k, VectorXd& rate, VectorXd& bias) const;
  void reactions(const Kinematics& k, std::vector<Wrench>& at_second_marker) const;
  double kinetic_energy(const Kinematics& k) const;
  double potential_energy(const Kinematics& k) const;
  bool has_power() const;
  double power(const Kinematics& k) const;
  bool is_unsymmetric() const;
  bool sees_accelerations() const;
  /// The tracked angles at k, on the turn nearest to `predicted`.
  void track_angles(const Kinematics& k, const VectorXd& predicted, VectorXd& angles) const;
  /// Rates of the tracked angles.
  void angle_rates(const Kinematics& k, VectorXd& rates) const;
  /// φ with Exp(φ) = R_iᵀR_j.
  Vector3d rotation_vector(const Kinematics& k, const MarkerPose& i, const MarkerPose& j) const;
  double coordinate(const Kinematics& k, const JointInfo& joint, const RelativeCoordinate& c) const;

  std::vector<JointInfo> joints;
  std::vector<MotionInfo> motions;
  std::vector<StateInfo> states;
  std::vector<FlexibleInfo> flexible;
  std::vector<InputInfo> inputs;
  std::vector<NamedValue> variables;    ///< and outputs of controllers
  std::vector<EquationInfo> equations;  ///< of couplers and of the plane
  std::vector<MarkerPose> points;
  std::vector<WatchedRotation> rotations;
  std::vector<std::shared_ptr<const MeasuredFormulas>> signals;  ///< one formula each, in the model's order
  std::map<std::string, std::shared_ptr<const MeasuredFormulas>>
      laws;  ///< formulas of forces and states, by their name
  std::vector<SwitchInfo> switches;
  std::vector<EventInfo> events;
  std::vector<std::string> acceleration_laws;  ///< forces whose formulas see accelerations or reactions, by name
  std::vector<std::string> rotors;             ///< joints that feel the inertia of a motor
  double reference_length = 1;                 ///< ℓ_r
  double reference_mass = 1;                   ///< m_r
  double reference_damping = 0, reference_stiffness = 0;  ///< d_r, k_r

 private:
  Manifold manifold_;
  int nl_ = 0;
  std::vector<int> velocity_rows_;
  std::vector<FrameNode> nodes_;
  std::vector<UnknownBlock> blocks_;
  std::vector<TrackedAngle> angles_;
  VectorXd discrete_;  // at the start
  std::vector<std::unique_ptr<ElementBatch>> batches_;
  std::vector<const ElementBatch*> constraints_;  // those of the batches that have multipliers
  void update_followers(const State& s, Kinematics& k) const;
  void pull_back(const Kinematics& k, Residual& r) const;

  std::vector<std::unique_ptr<FollowerBatch>> follower_kinds_;
  std::vector<FollowerPlace> followers_;
  std::vector<char> acted_on_;  // per follower
  bool elements_use_followers_ = true;
};

}  // namespace bricard
