// SPDX-License-Identifier: Apache-2.0
#include "bricard/elements/measures.h"

#include <cmath>
#include <limits>

namespace bricard {

/// Derivatives after position and rotation (q), velocity and angular velocity (v) and their rates (a) of three frames.
struct Measure::Gradient {
  struct OfFrame {
    Vector3d q = Vector3d::Zero(), q_turn = Vector3d::Zero(), v = Vector3d::Zero(), v_turn = Vector3d::Zero(),
             a = Vector3d::Zero(), a_turn = Vector3d::Zero();
  };
  std::array<OfFrame, 3> frames;
  JointReaction::Multipliers multipliers = JointReaction::Multipliers::Zero();
};

/// A marker's frame with its accelerations.
struct Measure::Point {
  const Frame& f;
  Vector3d r, a, w_dot;  ///< marker in the frame; acceleration of the origin; ω̇ in the frame's axes
};

namespace {

Vector3d direction(const Vector3d& x) {
  const double norm = x.norm();
  return norm > std::numeric_limits<double>::min() ? Vector3d(x / norm) : Vector3d::Zero();
}

}  // namespace

Measure::Measure(const System& system, const MeasureDefinition& definition) : d_(definition) {
  for (int m = 0; m < 3; ++m) {
    const int node = d_.markers[m].node;
    v_[m] = node == 0 ? -1 : system.v_of(node);
    blocks_[m] = system.block_of(node);
  }
  using Q = MeasureQuantity;
  const bool of_two = d_.quantity == Q::distance_rate || d_.quantity == Q::angle || d_.quantity == Q::rotation_vector ||
                      d_.quantity == Q::translation_rate;
  const bool has_axis = d_.component != kMagnitude && !of_two;
  if (!has_axis) blocks_[2] = -1;
  if (d_.joint >= 0) reaction_ = std::make_shared<JointReaction>(system, d_.joint);
  if (d_.quantity == Q::input) input_ = std::make_shared<const Expression>(system.inputs[d_.index].value);
  if (d_.quantity != Q::state && d_.quantity != Q::state_rate) return;
  const StateInfo& x = system.states[d_.index];
  state_block_ = x.block, state_offset_ = x.offset, state_v_ = x.v;
}

std::span<const JointReaction::Block> Measure::multiplier_blocks() const {
  return reaction_ ? std::span<const JointReaction::Block>(reaction_->blocks())
                   : std::span<const JointReaction::Block>();
}

bool Measure::sees_accelerations() const {
  using Q = MeasureQuantity;
  return d_.quantity == Q::acceleration || d_.quantity == Q::angular_acceleration || d_.quantity == Q::force ||
         d_.quantity == Q::torque || d_.quantity == Q::state_rate;
}

Measure::View Measure::view(const Kinematics& k) const {
  return {k, {&k.frames[d_.markers[0].node], &k.frames[d_.markers[1].node], &k.frames[d_.markers[2].node]}};
}

Measure::Point Measure::point(const View& k, int m) const {
  using Q = MeasureQuantity;
  const bool wanted = v_[m] >= 0 && (d_.quantity == Q::acceleration || d_.quantity == Q::angular_acceleration);
  const Vector6d a = wanted ? k.all.acceleration(v_[m]) : Vector6d::Zero();
  return {k[m], d_.markers[m].r, a.head<3>(), a.tail<3>()};
}

Vector3d Measure::axis(const View& k, int m, int number) const { return k[m].R * d_.markers[m].R.col(number); }

namespace {

//     x = p + R r,   ẋ = v + R (ω × r),   ẍ = v̇ + R (ω̇ × r + ω × (ω × r)),   in ground axes R ω and R ω̇
Vector3d vector_of(MeasureQuantity quantity, const Frame& f, const Vector3d& r, const Vector3d& a,
                   const Vector3d& w_dot) {
  switch (quantity) {
    case MeasureQuantity::position: return f.p + f.R * r;
    case MeasureQuantity::velocity: return f.v + f.R * f.w.cross(r);
    case MeasureQuantity::angular_velocity: return f.R * f.w;
    case MeasureQuantity::acceleration: return a + f.R * (w_dot.cross(r) + f.w.cross(f.w.cross(r)));
    default: return f.R * w_dot;
  }
}

// g += seedᵀ ∂(vector)/∂(frame). With u = Rᵀ seed and variations δθ, δω, δω̇ in the frame's axes:
//     δ(R b) = −R b̃ δθ adds b × u to the turn,   ∂(ω × (ω × r))/∂ω = −(ω × r)~ − ω̃ r̃
template <class OfFrame>
void add_vector(MeasureQuantity quantity, const Frame& f, const Vector3d& r, const Vector3d& w_dot,
                const Vector3d& seed, OfFrame& g) {
  const Vector3d u = f.R.transpose() * seed, wr = f.w.cross(r);
  switch (quantity) {
    case MeasureQuantity::position:
      g.q += seed;
      g.q_turn += r.cross(u);
      break;
    case MeasureQuantity::velocity:
      g.v += seed;
      g.v_turn += r.cross(u);
      g.q_turn += wr.cross(u);
      break;
    case MeasureQuantity::angular_velocity:
      g.v_turn += u;
      g.q_turn += f.w.cross(u);
      break;
    case MeasureQuantity::acceleration:
      g.a += seed;
      g.a_turn += r.cross(u);
      g.v_turn += wr.cross(u) - r.cross(f.w.cross(u));
      g.q_turn += (w_dot.cross(r) + f.w.cross(wr)).cross(u);
      break;
    default: g.a_turn += u; g.q_turn += w_dot.cross(u);
  }
}

}  // namespace

Vector3d Measure::difference(const View& k) const {
  const Point i = point(k, 0), j = point(k, 1);
  return vector_of(d_.quantity, i.f, i.r, i.a, i.w_dot) - vector_of(d_.quantity, j.f, j.r, j.a, j.w_dot);
}

void Measure::add_difference(const View& k, const Vector3d& seed, Gradient& g) const {
  const Point i = point(k, 0), j = point(k, 1);
  add_vector(d_.quantity, i.f, i.r, i.w_dot, seed, g.frames[0]);
  add_vector(d_.quantity, j.f, j.r, j.w_dot, -seed, g.frames[1]);
}

void Measure::add_axis(const View& k, int m, int number, const Vector3d& seed, Gradient& g) const {
  const Vector3d u = k[m].R.transpose() * seed;
  g.frames[m].q_turn += d_.markers[m].R.col(number).cross(u);
}

namespace {

/// The line between two points: e is d/|d|, or the direction of motion where they coincide, as for springs.
struct Line {
  Vector3d d, d_dot, e;
  double length;
};

Line line(const Frame& I, const Frame& J, const MarkerPose& i, const MarkerPose& j) {
  Line x;
  x.d = I.p + I.R * i.r - J.p - J.R * j.r;
  x.d_dot = I.v + I.R * I.w.cross(i.r) - J.v - J.R * J.w.cross(j.r);
  x.length = x.d.norm();
  x.e = direction(x.length > std::numeric_limits<double>::min() ? x.d : x.d_dot);
  return x;
}

}  // namespace

double Measure::value(const Kinematics& kinematics) const {
  const View k = view(kinematics);
  const State& s = *kinematics.state;
  const MarkerPose &i = d_.markers[0], &j = d_.markers[1];
  Vector3d y;
  switch (d_.quantity) {
    case MeasureQuantity::state: return s.v[state_v_];
    case MeasureQuantity::state_rate: return s.a[state_v_];
    case MeasureQuantity::input: return (*input_)(s.t) + s.inputs[d_.index];
    case MeasureQuantity::distance_rate: {
      const Line x = line(k[0], k[1], i, j);
      return x.e.dot(x.d_dot);
    }
    case MeasureQuantity::translation_rate: {
      const Line x = line(k[0], k[1], i, j);
      const Frame& J = k[1];
      const Vector3d z = axis(k, 1, 2);
      return x.d_dot.dot(z) + x.d.dot((J.R * J.w).cross(z));
    }
    case MeasureQuantity::angle: {
      const Vector3d b = axis(k, 0, 0);
      return nearest_turn(std::atan2(axis(k, 1, 1).dot(b), axis(k, 1, 0).dot(b)), s.angles[d_.angle_index]);
    }
    case MeasureQuantity::rotation_vector: return rotation_vector(k)[d_.component];
    case MeasureQuantity::force:
    case MeasureQuantity::torque: {
      const Vector6d load = reaction_->evaluate(kinematics).load;
      const Frame& B = k[0];
      y = -load.head<3>();
      if (d_.quantity == MeasureQuantity::torque) y = -(B.R * load.tail<3>()) - (B.R * i.r).cross(y);
      break;
    }
    default: y = difference(k);
  }
  return d_.component == kMagnitude ? y.norm() : y.dot(axis(k, 2, d_.component));
}

Measure::Gradient Measure::gradient(const View& k) const {
  Gradient g;
  switch (d_.quantity) {
    case MeasureQuantity::distance_rate: add_distance_rate(k, g); break;
    case MeasureQuantity::translation_rate: add_translation_rate(k, g); break;
    case MeasureQuantity::angle: add_angle(k, g); break;
    case MeasureQuantity::rotation_vector: add_rotation_vector(k, g); break;
    case MeasureQuantity::force:
    case MeasureQuantity::torque: add_reaction(k, g); break;
    case MeasureQuantity::state:
    case MeasureQuantity::state_rate:
    case MeasureQuantity::input: break;
    default: {
      const Vector3d y = difference(k);
      if (d_.component == kMagnitude) {
        add_difference(k, direction(y), g);
      } else {
        add_difference(k, axis(k, 2, d_.component), g);
        add_axis(k, 2, d_.component, y, g);
      }
    }
  }
  return g;
}

//     δ(e·ḋ) = e·δḋ + ((1 − e eᵀ) ḋ)·δd/l
void Measure::add_distance_rate(const View& k, Gradient& g) const {
  const Line x = line(k[0], k[1], d_.markers[0], d_.markers[1]);
  const Vector3d across = x.length > 0 ? Vector3d((x.d_dot - x.e.dot(x.d_dot) * x.e) / x.length) : Vector3d::Zero();
  for (int m = 0; m < 2; ++m) {
    const Point p = point(k, m);
    const double sign = m == 0 ? 1 : -1;
    add_vector(MeasureQuantity::velocity, p.f, p.r, p.w_dot, sign * x.e, g.frames[m]);
    add_vector(MeasureQuantity::position, p.f, p.r, p.w_dot, sign * across, g.frames[m]);
  }
}

//     ḋ·z + d·(ω_j × z) = z·(ḋ + d × ω_j)
void Measure::add_translation_rate(const View& k, Gradient& g) const {
  const Line x = line(k[0], k[1], d_.markers[0], d_.markers[1]);
  const Frame& J = k[1];
  const Vector3d z = axis(k, 1, 2), w = J.R * J.w;
  for (int m = 0; m < 2; ++m) {
    const Point p = point(k, m);
    const double sign = m == 0 ? 1 : -1;
    add_vector(MeasureQuantity::velocity, p.f, p.r, p.w_dot, sign * z, g.frames[m]);
    add_vector(MeasureQuantity::position, p.f, p.r, p.w_dot, sign * w.cross(z), g.frames[m]);
  }
  const Point j = point(k, 1);
  add_vector(MeasureQuantity::angular_velocity, j.f, j.r, j.w_dot, z.cross(x.d), g.frames[1]);
  add_axis(k, 1, 2, x.d_dot + x.d.cross(w), g);
}

//     θ = atan2(s, c),  c = x·b,  s = y·b,   δθ = (c δs − s δc)/(c² + s²)
void Measure::add_angle(const View& k, Gradient& g) const {
  const Vector3d x = axis(k, 1, 0), y = axis(k, 1, 1), b = axis(k, 0, 0);
  const double c = x.dot(b), s = y.dot(b), rho2 = c * c + s * s;
  add_axis(k, 1, 0, -s / rho2 * b, g);
  add_axis(k, 1, 1, c / rho2 * b, g);
  add_axis(k, 0, 0, (c * y - s * x) / rho2, g);
}

Vector3d Measure::rotation_vector(const View& k) const {
  const MarkerPose &i = d_.markers[0], &j = d_.markers[1];
  const Matrix3d R_j = k[1].R * j.R;
  return log_rotation(Quaterniond(Matrix3d(R_j.transpose() * k[0].R * i.R)));
}

// With Exp(φ) = R_jᵀR_i and small turns δθ of the frames in their own axes:
//     δφ = T(φ)⁻¹ (R_iᵀ of the marker) δθ_i − T(φ)⁻ᵀ (R_jᵀ of the marker) δθ_j
void Measure::add_rotation_vector(const View& k, Gradient& g) const {
  const Matrix3d S = tangent_operator_inverse(rotation_vector(k));
  g.frames[0].q_turn += d_.markers[0].R * S.row(d_.component).transpose();
  g.frames[1].q_turn -= d_.markers[1].R * S.col(d_.component);
}

// With ρ = Gᵀλ in the rows of the second body B and l = R r from its origin to the marker:
//     F = −ρ_F,   M = −R ρ_M − l × F
//     δM = −R δρ_M + R ρ̃_M δθ − δl × F − l × δF,   δl = R (δθ × r)
void Measure::add_reaction(const View& k, Gradient& g) const {
  const JointReaction::Evaluation e = reaction_->evaluate(k.all);
  const Frame& B = k[0];
  const Vector3d& r = d_.markers[0].r;
  const Vector3d F = -e.load.head<3>(), rho = e.load.tail<3>(), l = B.R * r;
  const bool force = d_.quantity == MeasureQuantity::force;
  const Vector3d y = force ? F : Vector3d(-(B.R * rho) - l.cross(F));
  Vector3d seed = direction(y);
  if (d_.component != kMagnitude) {
    seed = axis(k, 2, d_.component);
    add_axis(k, 2, d_.component, y, g);
  }
  Vector6d by_load;
  if (force) {
    by_load << -seed, Vector3d::Zero();
  } else {
    const Vector3d u = B.R.transpose() * seed;
    by_load << seed.cross(l), -u;  // −l × δF with δF = −δρ_F
    g.frames[0].q_turn += u.cross(rho) - r.cross(B.R.transpose() * F.cross(seed));
  }
  const Vector6d by_second = e.by_second.transpose() * by_load, by_first = e.by_first.transpose() * by_load;
  g.frames[0].q += by_second.head<3>();
  g.frames[0].q_turn += by_second.tail<3>();
  g.frames[1].q += by_first.head<3>();
  g.frames[1].q_turn += by_first.tail<3>();
  g.multipliers += e.by_multipliers.transpose() * by_load;
}

MeasureRow Measure::row(const Kinematics& k, const Weights& w, const Matrix3d* chart) const {
  const Gradient g = gradient(view(k));
  MeasureRow row;
  for (int m = 0; m < 3; ++m) {
    const Gradient::OfFrame& f = g.frames[m];
    const Matrix3d& C = chart[d_.markers[m].node];
    row.frames[m].head<3>() = w.q * f.q + w.v * f.v + w.a * f.a;
    row.frames[m].tail<3>() = w.q * f.q_turn + C.transpose() * (w.v * f.v_turn + w.a * f.a_turn);
  }
  row.multipliers = w.constraint * g.multipliers;
  if (state_block_ >= 0) row.state = d_.quantity == MeasureQuantity::state ? w.x : w.x_rate;
  return row;
}

bool Measure::is_velocity() const {
  using Q = MeasureQuantity;
  const bool along_axis =
      d_.component != kMagnitude && (d_.quantity == Q::velocity || d_.quantity == Q::angular_velocity);
  return along_axis || d_.quantity == Q::distance_rate || d_.quantity == Q::translation_rate;
}

bool Measure::is_position() const {
  using Q = MeasureQuantity;
  return d_.quantity == Q::position || d_.quantity == Q::angle || d_.quantity == Q::rotation_vector;
}

// A velocity is linear in the velocities: its derivative after one of them is its value where that one is 1 and the rest
// are 0, so that the derivative of this after positions is the gradient there.
VelocityForm Measure::velocity_form(const Kinematics& k) const {
  VelocityForm form;
  const auto by_positions = [](const Gradient& g) {
    Eigen::Matrix<double, 18, 1> y;
    for (int m = 0; m < 3; ++m) y.segment<3>(6 * m) = g.frames[m].q, y.segment<3>(6 * m + 3) = g.frames[m].q_turn;
    return y;
  };
  const Gradient g = gradient(view(k));
  form.by_q = by_positions(g);
  for (int m = 0; m < 3; ++m)
    form.by_v.segment<3>(6 * m) = g.frames[m].v, form.by_v.segment<3>(6 * m + 3) = g.frames[m].v_turn;
  form.by_v_by_q.setZero();
  if (!is_velocity()) return form;
  std::array<Frame, 3> frames;
  for (int m = 0; m < 3; ++m) {
    frames[m] = k.frames[d_.markers[m].node];
    frames[m].v.setZero(), frames[m].w.setZero();
  }
  const View unit{k, {&frames[0], &frames[1], &frames[2]}};
  for (int m = 0; m < 3; ++m)
    for (int i = 0; i < 6 && blocks_[m] >= 0; ++i) {
      double& one = i < 3 ? frames[m].v[i] : frames[m].w[i - 3];
      one = 1;
      form.by_v_by_q.row(6 * m + i) = by_positions(gradient(unit)).transpose();
      one = 0;
    }
  return form;
}

JointReaction::JointReaction(const System& system, int joint) : chart_(system.nodes().size(), Matrix3d::Identity()) {
  const JointInfo& info = system.joints[joint];
  const int first = system.block_of(info.markers[0].node), second = system.block_of(info.markers[1].node);
  std::vector<Coupling> couplings;
  for (const auto& batch : system.batches()) {
    std::unique_ptr<ElementBatch> part = batch->part_of_joint(joint);
    if (!part) continue;
    first_slot_.push_back(couplings.size());
    part->add_couplings(couplings);
    parts_.push_back(std::move(part));
  }
  int offset = 0;
  bool fits = true;  // a third body, as in a gear, does not
  const auto place_of = [&](int block) {
    if (block == first) return 0;
    if (block == second) return 6;
    for (const Block& b : blocks_)
      if (b.block == block) return 12 + b.offset;
    const int size = system.is_multiplier(block) ? system.blocks()[block].size : 0;
    if (size == 0 || offset + size > kMaxRows) {
      fits = false;
      return 0;
    }
    blocks_.push_back({block, system.row_of(block), size, offset});
    offset += size;
    return 12 + offset - size;
  };
  for (const Coupling& c : couplings) {
    const int row = place_of(c.a), column = place_of(c.b);
    slots_.push_back({row + column * kSize, kSize, false});
  }
  if (!fits) parts_.clear(), blocks_.clear();
}

// The parts write their tangent with weights q = 1, s = 1 into a small matrix of their own: above the diagonal stands the
// transposed of what belongs below it.
JointReaction::Evaluation JointReaction::evaluate(const Kinematics& k) const {
  Eigen::Matrix<double, kSize, kSize> lower, upper;
  lower.setZero();
  upper.setZero();
  Tangent T;
  T.w = {1, 0, 0, 1, 0};
  T.chart = chart_.data();
  T.lower = lower.data();
  T.upper = upper.data();
  for (size_t p = 0; p < parts_.size(); ++p) {
    T.slots = slots_.data() + first_slot_[p];
    parts_[p]->add_tangent(k, T);
  }
  lower += upper.transpose();
  Evaluation e;
  e.by_first = lower.block<6, 6>(6, 0);
  e.by_second = lower.block<6, 6>(6, 6);
  e.by_multipliers = lower.block<6, kMaxRows>(6, 12);
  e.load.setZero();
  for (const Block& b : blocks_)
    e.load += e.by_multipliers.middleCols(b.offset, b.size) * k.state->lambda.segment(b.row, b.size);
  return e;
}

namespace {

/// J dᵀ, six rows at once where there are six, with the columns of the unknowns that d belongs to.
template <class Row>
void add_product(Tangent& T, const Slot& slot, bool diagonal, int c, std::span<const double> J, const Row& d) {
  using Six = Eigen::Matrix<double, 6, Row::RowsAtCompileTime, Eigen::ColMajor, 6, Row::MaxRowsAtCompileTime>;
  using One = Eigen::Matrix<double, 1, Row::RowsAtCompileTime, Eigen::RowMajor, 1, Row::MaxRowsAtCompileTime>;
  if (J.size() == 6)
    return T.add_block(slot, diagonal, 0, c, Six(Eigen::Map<const Vector6d>(J.data()) * d.transpose()));
  for (size_t i = 0; i < J.size(); ++i) T.add_block(slot, diagonal, static_cast<int>(i), c, One(J[i] * d.transpose()));
}

}  // namespace

void add_row_couplings(const Measure& measure, int row_block, std::vector<Coupling>& couplings) {
  if (row_block < 0) return;
  for (const int block : measure.frame_blocks())
    if (block >= 0) couplings.push_back({row_block, block});
  if (measure.state_block() >= 0) couplings.push_back({row_block, measure.state_block()});
  for (const JointReaction::Block& b : measure.multiplier_blocks()) couplings.push_back({row_block, b.block, false});
}

const Slot* add_row_tangent(const Measure& measure, const MeasureRow& d, int row_block, std::span<const double> J,
                            const Slot* slot, Tangent& T) {
  using Some = Eigen::Matrix<double, Eigen::Dynamic, 1, Eigen::ColMajor, JointReaction::kMaxRows, 1>;
  if (row_block < 0) return slot;
  const std::array<int, 3> frames = measure.frame_blocks();
  for (int m = 0; m < 3; ++m)
    if (frames[m] >= 0) add_product(T, *slot++, frames[m] == row_block, 0, J, d.frames[m]);
  if (measure.state_block() >= 0)
    add_product(T, *slot++, measure.state_block() == row_block, measure.state_offset(), J,
                Eigen::Matrix<double, 1, 1>(d.state));
  for (const JointReaction::Block& b : measure.multiplier_blocks())
    add_product(T, *slot++, false, 0, J, Some(d.multipliers.segment(b.offset, b.size)));
  return slot;
}

void add_measure_couplings(const Measure& measure, const std::array<int, 2>& row_blocks,
                           std::vector<Coupling>& couplings) {
  for (const int block : row_blocks) add_row_couplings(measure, block, couplings);
}

const Slot* add_measure_tangent(const Measure& measure, const std::array<int, 2>& row_blocks, const MeasuredRows& J,
                                const Kinematics& k, const Slot* slot, Tangent& T) {
  const MeasureRow d = measure.row(k, T.w, T.chart);
  for (int row = 0; row < 2; ++row)
    slot = add_row_tangent(measure, d, row_blocks[row], {J.data() + 6 * row, 6}, slot, T);
  return slot;
}

}  // namespace bricard
