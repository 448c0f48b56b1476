// SPDX-License-Identifier: Apache-2.0
#include "bricard/system/system.h"

#include <algorithm>
#include <cmath>

#include "bricard/system/assertion.h"

namespace bricard {

System::System() { nodes_.push_back({"ground", 0, 0, -1}); }

int System::add_frame(const std::string& name) {
  BRICARD_ASSERT(nl_ == 0);  // unknowns are numbered coordinates first
  const int block = static_cast<int>(blocks_.size());
  blocks_.push_back({velocities(), 6, false});
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

int System::add_follower(const std::string& name) {
  nodes_.push_back({name, -1, -1, -1});
  return static_cast<int>(nodes_.size()) - 1;
}

int System::add_states(std::vector<StateInfo> infos) {
  BRICARD_ASSERT(nl_ == 0);
  const int block = static_cast<int>(blocks_.size()), size = static_cast<int>(infos.size());
  for (int i = 0; i < size; ++i) {
    infos[i].v = velocities() + i, infos[i].block = block, infos[i].offset = i;
    states.push_back(infos[i]);
  }
  blocks_.push_back({velocities(), size, false});
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

int System::v_of(int node) const { return node == 0 ? velocities() : nodes_[node].v; }

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
  return k;
}

Residual System::make_residual() const {
  return {VectorXd::Zero(velocities() + 6), VectorXd::Zero(multipliers()), 0, 0};
}

void System::update(const State& s, Kinematics& k) const {
  k.state = &s;
  if (source_) {
    if (elements_use_frames_) source_->update(s, k.frames);
    return;
  }
  for (size_t i = 1; i < nodes_.size(); ++i) {
    const FrameNode& node = nodes_[i];
    Frame& f = k.frames[i];
    f.p = s.q.segment<3>(node.q);
    f.R = quaternion_at(s.q, node.q + 3).toRotationMatrix();
    f.v = s.v.segment<3>(node.v);
    f.w = s.v.segment<3>(node.v + 3);
  }
}

void System::residual(const Kinematics& k, Residual& r) const {
  r.motion.setZero();
  r.constraint.setZero();
  for (const auto& batch : batches_) batch->add_residual(k, r);
}

void System::add(std::unique_ptr<ElementBatch> batch) {
  std::vector<Coupling> couplings;
  batch->add_couplings(couplings);
  const auto is_multiplier = [&](int block) { return block >= 0 && blocks_[block].multiplier; };
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
}

void System::input_derivative(const Kinematics& k, int input, Residual& r) const {
  r.motion.setZero();
  r.constraint.setZero();
  for (const auto& batch : batches_) batch->add_input_derivative(k, input, r);
}

void System::constraint_rates(const Kinematics& k, VectorXd& rate, VectorXd& bias) const {
  rate.setZero();
  bias.setZero();
  for (const auto& batch : batches_) batch->add_constraint_rates(k, rate, bias);
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
