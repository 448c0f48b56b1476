// SPDX-License-Identifier: Apache-2.0
#include "bricard/system/system.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "bricard/system/assertion.h"

namespace bricard {

System::System() { nodes_.push_back({"ground", 0, 0, -1}); }

int System::add_frame(const std::string& name) {
  BRICARD_ASSERT(nl_ == 0);  // unknowns are numbered coordinates first
  const int block = static_cast<int>(blocks_.size());
  blocks_.push_back({velocities(), 6, false, static_cast<int>(nodes_.size())});
  nodes_.push_back({name, manifold_.coordinates(), velocities(), block});
  manifold_.add_vector(3);
  manifold_.add_rotation();
  return static_cast<int>(nodes_.size()) - 1;
}

int System::add_vector_block(int size) {
  BRICARD_ASSERT(nl_ == 0);
  blocks_.push_back({velocities(), size, false});
  manifold_.add_vector(size);
  return static_cast<int>(blocks_.size()) - 1;
}

int System::add_follower(const std::string& name, int carrier) {
  nodes_.push_back({name, -1, -1, -1, static_cast<int>(acted_on_.size()), carrier});
  acted_on_.push_back(false);
  followers_.emplace_back();
  return static_cast<int>(nodes_.size()) - 1;
}

void System::add(std::unique_ptr<FollowerBatch> batch) {
  for (size_t i = 0; i < batch->followers().size(); ++i) {
    const Follower& f = batch->followers()[i];
    FollowerPlace& place = followers_[nodes_[f.node].follower];
    place = {batch.get(), static_cast<int>(i), f.node, {}, 0};
    for (const int b : f.blocks) {
      BRICARD_ASSERT(b >= 0 && !is_follower(b) && !blocks_[b].multiplier && !blocks_[b].states);
      place.parts.push_back({b, blocks_[b].first, blocks_[b].size, place.columns, blocks_[b].node});
      place.columns += blocks_[b].size;
    }
  }
  follower_kinds_.push_back(std::move(batch));
}

int System::add_states(std::vector<StateInfo> infos) {
  BRICARD_ASSERT(nl_ == 0);
  const int block = static_cast<int>(blocks_.size()), size = static_cast<int>(infos.size());
  for (int i = 0; i < size; ++i) {
    infos[i].v = velocities() + i, infos[i].block = block, infos[i].offset = i;
    states.push_back(infos[i]);
  }
  blocks_.push_back({velocities(), size, false, -1, true});
  manifold_.add_states(size);
  return block;
}

int System::add_multipliers(int rows) {
  blocks_.push_back({unknowns(), rows, true});
  nl_ += rows;
  return static_cast<int>(blocks_.size()) - 1;
}

int System::add_tracked_angle(const TrackedAngle& angle) {
  angles_.push_back(angle);
  return static_cast<int>(angles_.size()) - 1;
}

int System::add_discrete(double start) {
  const auto index = discrete_.size();
  discrete_.conservativeResize(index + 1);
  discrete_[index] = start;
  return static_cast<int>(index);
}

int System::rows_off(const State& s) const {
  int rows = 0;
  for (const SwitchInfo& x : switches) rows += s.discrete[x.index] == 0 ? x.rows : 0;
  return rows;
}

int System::q_of(int block) const {
  for (const Manifold::Block& b : manifold_.blocks())
    if (b.v == blocks_[block].first) return b.q;
  return -1;
}

int System::v_of(int node) const {
  const FrameNode& n = nodes_[node];
  return n.block >= 0 ? n.v : velocities() + 6 * (n.follower + 1);
}

int System::block_of(int node) const {
  const FrameNode& n = nodes_[node];
  return n.follower >= 0 ? kFirstFollowerBlock + n.follower : n.block;
}

std::vector<int> System::unknown_blocks(int block) const {
  if (block < 0) return {};
  if (!is_follower(block)) return {block};
  std::vector<int> blocks;
  for (const FollowerPlace::Part& p : followers_[block - kFirstFollowerBlock].parts) blocks.push_back(p.block);
  return blocks;
}

int System::plane_rows() const {
  int rows = 0;
  for (const EquationInfo& e : equations)
    if (e.kind == EquationInfo::Kind::plane) rows += e.rows;
  return rows;
}

std::string EquationInfo::text() const {
  return std::string(type) + (kind == Kind::plane || kind == Kind::rigid ? " of body '" : " '") + name + "'";
}

std::string System::row_name(int row) const {
  const auto has = [&](const auto& x) { return row >= x.first_row && row < x.first_row + x.rows; };
  for (const JointInfo& j : joints)
    if (has(j)) return "joint '" + j.name + "'";
  for (const MotionInfo& m : motions)
    if (has(m)) return "motion '" + m.name + "'";
  for (const EquationInfo& e : equations)
    if (has(e)) return e.text();
  return "a constraint";
}

VectorXd System::lengths() const {
  VectorXd lengths = VectorXd::Ones(velocities());
  for (const Manifold::Block& b : manifold_.blocks())
    if (b.kind == Manifold::Kind::rotation) lengths.segment<3>(b.v).setConstant(reference_length);
  for (const StateInfo& x : states) lengths[x.v] = reference_length / x.scale;
  return lengths;
}

State System::make_state() const {
  State s;
  s.q = VectorXd::Zero(manifold_.coordinates());
  for (const Manifold::Block& b : manifold_.blocks())
    if (b.kind == Manifold::Kind::rotation) s.q[b.q] = 1;
  s.v = VectorXd::Zero(velocities());
  s.a = VectorXd::Zero(velocities());
  s.lambda = VectorXd::Zero(multipliers());
  s.angles = VectorXd::Zero(static_cast<int>(angles_.size()));
  s.inputs = VectorXd::Zero(static_cast<int>(inputs.size()));
  s.discrete = discrete_;
  return s;
}

void System::stop(State& s) const {
  for (const Manifold::Block& b : manifold_.blocks())
    if (b.kind != Manifold::Kind::state) s.v.segment(b.v, b.size).setZero();
}

Kinematics System::make_kinematics() const {
  Kinematics k;
  k.frames.resize(nodes_.size());
  k.followers.resize(followers_.size());
  bool has_bias = false;
  for (size_t i = 0; i < followers_.size(); ++i) {
    const FollowerPlace& place = followers_[i];
    FollowerMotion& f = k.followers[i];
    for (const FollowerPlace::Part& p : place.parts) f.parts.push_back({p.first, p.size, p.column});
    f.J.setZero(6, place.columns);
    f.V.setZero(6, place.columns);
    f.v.setZero(place.columns);
    has_bias = has_bias || (place.kind && place.kind->has_bias());
  }
  if (has_bias) {
    k.pushed.resize(1);
    k.pushed[0].frames.resize(nodes_.size());
    k.pushed[0].followers = k.followers;  // with zeros: nothing asks for accelerations there
  }
  return k;
}

Residual System::make_residual() const {
  const Eigen::Index of_followers = elements_use_followers_ ? 6 * static_cast<Eigen::Index>(followers_.size()) : 0;
  return {VectorXd::Zero(velocities() + 6 + of_followers), VectorXd::Zero(multipliers()), 0, 0};
}

void System::update(const State& s, Kinematics& k) const {
  k.state = &s;
  for (size_t i = 1; i < nodes_.size(); ++i) {
    const FrameNode& node = nodes_[i];
    if (node.block < 0) continue;
    Frame& f = k.frames[i];
    f.p = s.q.segment<3>(node.q);
    f.R = quaternion_at(s.q, node.q + 3).toRotationMatrix();
    f.v = s.v.segment<3>(node.v);
    f.w = s.v.segment<3>(node.v + 3);
  }
  if (!follower_kinds_.empty() && elements_use_followers_) update_followers(s, k);
}

//     J̇ v = ∂(J v)/∂q v
void System::update_followers(const State& s, Kinematics& k) const {
  for (const auto& kind : follower_kinds_) kind->update(s, k.frames);
  for (size_t i = 0; i < followers_.size(); ++i) {
    const FollowerPlace& place = followers_[i];
    FollowerMotion& f = k.followers[i];
    place.kind->jacobian(k, place.index, f.J);
    if (!place.kind->has_bias()) continue;
    f.gather(s.v, f.v);
    place.kind->gradient(k, place.index, f.v, f.V);
    f.bias.noalias() = f.V * f.v;
  }
  if (k.pushed.empty()) return;
  Kinematics& pushed = k.pushed[0];
  pushed.state = &s;
  pushed.frames = k.frames;
  for (size_t i = 0; i < followers_.size(); ++i) {
    Frame& frame = pushed.frames[followers_[i].node];
    frame.v += k.followers[i].bias.head<3>();
    frame.w += k.followers[i].bias.tail<3>();
  }
}

double System::fastest_turn(const State& s) const {
  double fastest = elements_use_followers_ ? std::numeric_limits<double>::infinity() : 0;
  for (const auto& kind : follower_kinds_) fastest = std::max(fastest, kind->fastest_turn(s));
  return fastest;
}

/// From the rows of followers to those of the unknowns they follow.
void System::pull_back(const Kinematics& k, Residual& r) const {
  const int first = velocities() + 6;
  for (size_t i = 0; i < followers_.size(); ++i) {
    if (!acted_on_[i]) continue;
    const Vector6d force = r.motion.segment<6>(first + 6 * static_cast<int>(i));
    for (const FollowerPlace::Part& p : followers_[i].parts)
      r.motion.segment(p.first, p.size).noalias() += k.followers[i].J.middleCols(p.column, p.size).transpose() * force;
  }
}

void System::residual(const Kinematics& k, Residual& r) const {
  r.motion.setZero();
  r.constraint.setZero();
  for (const auto& batch : batches_) batch->add_residual(k, r);
  if (!followers_.empty()) pull_back(k, r);
}

void System::add(std::unique_ptr<ElementBatch> batch) {
  std::vector<Coupling> couplings;
  batch->add_couplings(couplings);
  for (const Coupling& c : couplings)
    for (const int block : {c.a, c.b})
      if (is_follower(block)) acted_on_[block - kFirstFollowerBlock] = true;
  for (const Coupling& c : couplings)
    if (is_multiplier(c.a) || is_multiplier(c.b)) {
      constraints_.push_back(batch.get());
      break;
    }
  batches_.push_back(std::move(batch));
}

void System::constraint_forces(const Kinematics& k, Residual& r) const {
  r.motion.setZero();
  r.constraint.setZero();
  for (const ElementBatch* batch : constraints_) batch->add_constraint_forces(k, r);
  if (!followers_.empty()) pull_back(k, r);
}

void System::input_derivative(const Kinematics& k, int input, Residual& r) const {
  r.motion.setZero();
  r.constraint.setZero();
  for (const auto& batch : batches_) batch->add_input_derivative(k, input, r);
  if (!followers_.empty()) pull_back(k, r);
}

// With followers G a is G (J v̇ + J̇ v): the bias has G J̇ v besides, the rate with twists pushed by J̇ v less that without.
void System::constraint_rates(const Kinematics& k, VectorXd& rate, VectorXd& bias) const {
  bias.setZero();
  if (!k.pushed.empty()) {
    for (const auto& batch : batches_) batch->add_constraint_rates(k.pushed[0], bias, rate);
  }
  rate.setZero();
  for (const auto& batch : batches_) batch->add_constraint_rates(k, rate, bias);
  if (!k.pushed.empty()) bias -= rate;
}

void System::reactions(const Kinematics& k, std::vector<Wrench>& wrenches) const {
  for (Wrench& w : wrenches) w = Wrench{};
  for (const auto& batch : batches_) batch->add_reactions(k, wrenches);
  for (size_t j = 0; j < joints.size(); ++j) {  // from the body's origin to the second marker
    const MarkerPose& m = joints[j].markers[1];
    const Vector3d lever = k.frames[m.node].R * m.r;
    wrenches[j].torque -= lever.cross(wrenches[j].force);
  }
}

double System::kinetic_energy(const Kinematics& k) const {
  double sum = 0;
  for (const auto& batch : batches_) sum += batch->kinetic_energy(k);
  return sum;
}

double System::potential_energy(const Kinematics& k) const {
  double sum = 0;
  for (const auto& batch : batches_) sum += batch->potential_energy(k);
  return sum;
}

bool System::has_power() const {
  for (const auto& batch : batches_)
    if (batch->has_power()) return true;
  return false;
}

bool System::is_unsymmetric() const {
  return std::any_of(batches_.begin(), batches_.end(), [](const auto& batch) { return batch->is_unsymmetric(); });
}

bool System::sees_accelerations() const {
  return std::any_of(batches_.begin(), batches_.end(), [](const auto& batch) { return batch->sees_accelerations(); });
}

double System::power(const Kinematics& k) const {
  double sum = 0;
  for (const auto& batch : batches_)
    if (batch->has_power()) sum += batch->power(k);
  return sum;
}

namespace {

// Angle of the second marker's x axis about the first marker's z axis, from its x axis.
double angle_between(const MarkerPose& i, const MarkerPose& j, const Kinematics& k) {
  const Vector3d x_j = k.frames[i.node].R.transpose() * (k.frames[j.node].R * j.R.col(0));
  return std::atan2(i.R.col(1).dot(x_j), i.R.col(0).dot(x_j));
}

}  // namespace

void System::track_angles(const Kinematics& k, const VectorXd& predicted, VectorXd& angles) const {
  for (size_t n = 0; n < angles_.size(); ++n) {
    const double raw = angle_between(angles_[n].i, angles_[n].j, k);
    angles[n] = nearest_turn(raw, predicted[n]);
  }
}

void System::angle_rates(const Kinematics& k, VectorXd& rates) const {
  for (size_t n = 0; n < angles_.size(); ++n) {
    const MarkerPose& i = angles_[n].i;
    const MarkerPose& j = angles_[n].j;
    const Vector3d w_ij = k.frames[j.node].R * k.frames[j.node].w - k.frames[i.node].R * k.frames[i.node].w;
    rates[n] = w_ij.dot(k.frames[i.node].R * i.R.col(2));
  }
}

Vector3d System::rotation_vector(const Kinematics& k, const MarkerPose& i, const MarkerPose& j) const {
  const Matrix3d R_i = k.frames[i.node].R * i.R;
  return log_rotation(Quaterniond(Matrix3d(R_i.transpose() * k.frames[j.node].R * j.R)));
}

double System::coordinate(const Kinematics& k, const JointInfo& joint, const RelativeCoordinate& c) const {
  using Kind = RelativeCoordinate::Kind;
  const MarkerPose& i = joint.markers[0];
  const MarkerPose& j = joint.markers[1];
  const Matrix3d R_i = k.frames[i.node].R * i.R;
  const Matrix3d R_ij = R_i.transpose() * k.frames[j.node].R * j.R;
  const Vector3d d = k.frames[j.node].p + k.frames[j.node].R * j.r - k.frames[i.node].p - k.frames[i.node].R * i.r;
  switch (c.kind) {
    case Kind::angle: return nearest_turn(std::atan2(R_ij(1, 0), R_ij(0, 0)), k.state->angles[c.angle_index]);
    case Kind::translation: return d.dot(R_i.col(2));
    case Kind::offset_x: return d.dot(R_i.col(0));
    case Kind::offset_y: return d.dot(R_i.col(1));
    case Kind::bend: return std::atan2(std::hypot(R_ij(0, 2), R_ij(1, 2)), R_ij(2, 2));
    case Kind::distance: return d.norm();
    // universal: R_ij = R_z(first) R_x(second) up to the fixed frames of the cross
    case Kind::first_angle: return nearest_turn(std::atan2(R_ij(1, 0), R_ij(0, 0)), k.state->angles[c.angle_index]);
    case Kind::second_angle: return nearest_turn(std::atan2(R_ij(2, 1), R_ij(2, 2)), k.state->angles[c.angle_index]);
    case Kind::rotation_vector_x: return rotation_vector(k, i, j).x();
    case Kind::rotation_vector_y: return rotation_vector(k, i, j).y();
    case Kind::rotation_vector_z: return rotation_vector(k, i, j).z();
  }
  return 0;
}

}  // namespace bricard
