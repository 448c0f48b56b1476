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
    const FrameNode& node = system.nodes()[d_.markers[m].node];
    v_[m] = node.block < 0 ? -1 : node.v;
    blocks_[m] = node.block;
  }
  using Q = MeasureQuantity;
  const bool of_two = d_.quantity == Q::distance_rate || d_.quantity == Q::angle || d_.quantity == Q::rotation_vector ||
                      d_.quantity == Q::translation_rate;
  const bool has_axis = d_.component != kMagnitude && !of_two;
  if (!has_axis) blocks_[2] = -1;
  if (d_.joint >= 0) reaction_ = std::make_shared<JointReaction>(system, d_.joint);
}

std::span<const JointReaction::Block> Measure::multiplier_blocks() const {
  return reaction_ ? std::span<const JointReaction::Block>(reaction_->blocks()) : std::span<const JointReaction::Block>();
}

bool Measure::sees_accelerations() const {
  using Q = MeasureQuantity;
  return d_.quantity == Q::acceleration || d_.quantity == Q::angular_acceleration || d_.quantity == Q::force ||
         d_.quantity == Q::torque;
}

Measure::Point Measure::point(const Kinematics& k, int m) const {
  Vector3d a = Vector3d::Zero(), w_dot = Vector3d::Zero();
  if (v_[m] >= 0) a = k.state->a.segment<3>(v_[m]), w_dot = k.state->a.segment<3>(v_[m] + 3);
  return {k.frames[d_.markers[m].node], d_.markers[m].r, a, w_dot};
}

Vector3d Measure::axis(const Kinematics& k, int m, int number) const {
  return k.frames[d_.markers[m].node].R * d_.markers[m].R.col(number);
}

namespace {

//     x = p + R r,   ẋ = v + R (ω × r),   ẍ = v̇ + R (ω̇ × r + ω × (ω × r)),   in ground axes R ω and R ω̇
Vector3d vector_of(MeasureQuantity quantity, const Frame& f, const Vector3d& r, const Vector3d& a, const Vector3d& w_dot) {
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
void add_vector(MeasureQuantity quantity, const Frame& f, const Vector3d& r, const Vector3d& w_dot, const Vector3d& seed,
                OfFrame& g) {
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
    default:
      g.a_turn += u;
      g.q_turn += w_dot.cross(u);
  }
}

}  // namespace

Vector3d Measure::difference(const Kinematics& k) const {
  const Point i = point(k, 0), j = point(k, 1);
  return vector_of(d_.quantity, i.f, i.r, i.a, i.w_dot) - vector_of(d_.quantity, j.f, j.r, j.a, j.w_dot);
}

void Measure::add_difference(const Kinematics& k, const Vector3d& seed, Gradient& g) const {
  const Point i = point(k, 0), j = point(k, 1);
  add_vector(d_.quantity, i.f, i.r, i.w_dot, seed, g.frames[0]);
  add_vector(d_.quantity, j.f, j.r, j.w_dot, -seed, g.frames[1]);
}

void Measure::add_axis(const Kinematics& k, int m, int number, const Vector3d& seed, Gradient& g) const {
  const Vector3d u = k.frames[d_.markers[m].node].R.transpose() * seed;
  g.frames[m].q_turn += d_.markers[m].R.col(number).cross(u);
}

namespace {

/// The line between two points: e is d/|d|, or the direction of motion where they coincide, as for springs.
struct Line {
  Vector3d d, d_dot, e;
  double length;
};

Line line(const Kinematics& k, const MarkerPose& i, const MarkerPose& j) {
  const Frame &I = k.frames[i.node], &J = k.frames[j.node];
  Line x;
  x.d = I.p + I.R * i.r - J.p - J.R * j.r;
  x.d_dot = I.v + I.R * I.w.cross(i.r) - J.v - J.R * J.w.cross(j.r);
  x.length = x.d.norm();
  x.e = direction(x.length > std::numeric_limits<double>::min() ? x.d : x.d_dot);
  return x;
}

}  // namespace

double Measure::value(const Kinematics& k) const {
  const MarkerPose &i = d_.markers[0], &j = d_.markers[1];
  Vector3d y;
  switch (d_.quantity) {
    case MeasureQuantity::distance_rate: {
      const Line x = line(k, i, j);
      return x.e.dot(x.d_dot);
    }
    case MeasureQuantity::translation_rate: {
      const Line x = line(k, i, j);
      const Frame& J = k.frames[j.node];
      const Vector3d z = axis(k, 1, 2);
      return x.d_dot.dot(z) + x.d.dot((J.R * J.w).cross(z));
    }
    case MeasureQuantity::angle: {
      const Vector3d b = axis(k, 0, 0);
      return nearest_turn(std::atan2(axis(k, 1, 1).dot(b), axis(k, 1, 0).dot(b)), k.state->angles[d_.angle_index]);
    }
    case MeasureQuantity::rotation_vector: return rotation_vector(k)[d_.component];
    case MeasureQuantity::force:
    case MeasureQuantity::torque: {
      const Vector6d load = reaction_->evaluate(k).load;
      const Frame& B = k.frames[i.node];
      y = -load.head<3>();
      if (d_.quantity == MeasureQuantity::torque) y = -(B.R * load.tail<3>()) - (B.R * i.r).cross(y);
      break;
    }
    default: y = difference(k);
  }
  return d_.component == kMagnitude ? y.norm() : y.dot(axis(k, 2, d_.component));
}

Measure::Gradient Measure::gradient(const Kinematics& k) const {
  Gradient g;
  switch (d_.quantity) {
    case MeasureQuantity::distance_rate: add_distance_rate(k, g); break;
    case MeasureQuantity::translation_rate: add_translation_rate(k, g); break;
    case MeasureQuantity::angle: add_angle(k, g); break;
    case MeasureQuantity::rotation_vector: add_rotation_vector(k, g); break;
    case MeasureQuantity::force:
    case MeasureQuantity::torque: add_reaction(k, g); break;
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
void Measure::add_distance_rate(const Kinematics& k, Gradient& g) const {
  const Line x = line(k, d_.markers[0], d_.markers[1]);
  const Vector3d across = x.length > 0 ? Vector3d((x.d_dot - x.e.dot(x.d_dot) * x.e) / x.length) : Vector3d::Zero();
  for (int m = 0; m < 2; ++m) {
    const Point p = point(k, m);
    const double sign = m == 0 ? 1 : -1;
    add_vector(MeasureQuantity::velocity, p.f, p.r, p.w_dot, sign * x.e, g.frames[m]);
    add_vector(MeasureQuantity::position, p.f, p.r, p.w_dot, sign * across, g.frames[m]);
  }
}

//     ḋ·z + d·(ω_j × z) = z·(ḋ + d × ω_j)
void Measure::add_translation_rate(const Kinematics& k, Gradient& g) const {
  const Line x = line(k, d_.markers[0], d_.markers[1]);
  const Frame& J = k.frames[d_.markers[1].node];
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
void Measure::add_angle(const Kinematics& k, Gradient& g) const {
  const Vector3d x = axis(k, 1, 0), y = axis(k, 1, 1), b = axis(k, 0, 0);
  const double c = x.dot(b), s = y.dot(b), rho2 = c * c + s * s;
  add_axis(k, 1, 0, -s / rho2 * b, g);
  add_axis(k, 1, 1, c / rho2 * b, g);
  add_axis(k, 0, 0, (c * y - s * x) / rho2, g);
}

Vector3d Measure::rotation_vector(const Kinematics& k) const {
  const MarkerPose &i = d_.markers[0], &j = d_.markers[1];
  const Matrix3d R_j = k.frames[j.node].R * j.R;
  return log_rotation(Quaterniond(Matrix3d(R_j.transpose() * k.frames[i.node].R * i.R)));
}

// With Exp(φ) = R_jᵀR_i and small turns δθ of the frames in their own axes:
//     δφ = T(φ)⁻¹ (R_iᵀ of the marker) δθ_i − T(φ)⁻ᵀ (R_jᵀ of the marker) δθ_j
void Measure::add_rotation_vector(const Kinematics& k, Gradient& g) const {
  const Matrix3d S = tangent_operator_inverse(rotation_vector(k));
  g.frames[0].q_turn += d_.markers[0].R * S.row(d_.component).transpose();
  g.frames[1].q_turn -= d_.markers[1].R * S.col(d_.component);
}

// With ρ = Gᵀλ in the rows of the second body B and l = R r from its origin to the marker:
//     F = −ρ_F,   M = −R ρ_M − l × F
//     δM = −R δρ_M + R ρ̃_M δθ − δl × F − l × δF,   δl = R (δθ × r)
void Measure::add_reaction(const Kinematics& k, Gradient& g) const {
  const JointReaction::Evaluation e = reaction_->evaluate(k);
  const Frame& B = k.frames[d_.markers[0].node];
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
  const Gradient g = gradient(k);
  MeasureRow row;
  for (int m = 0; m < 3; ++m) {
    const Gradient::OfFrame& f = g.frames[m];
    const Matrix3d& C = chart[d_.markers[m].node];
    row.frames[m].head<3>() = w.q * f.q + w.v * f.v + w.a * f.a;
    row.frames[m].tail<3>() = w.q * f.q_turn + C.transpose() * (w.v * f.v_turn + w.a * f.a_turn);
  }
  row.multipliers = w.constraint * g.multipliers;
  return row;
}

JointReaction::JointReaction(const System& system, int joint) : chart_(system.nodes().size(), Matrix3d::Identity()) {
  const JointInfo& info = system.joints[joint];
  const int first = system.nodes()[info.markers[0].node].block, second = system.nodes()[info.markers[1].node].block;
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
    const int size = block < 0 ? 0 : system.blocks()[block].size;
    if (block < 0 || !system.blocks()[block].multiplier || offset + size > kMaxRows) {
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

template <class Visit>
void for_each_pair(const Measure& measure, const std::array<int, 2>& row_blocks, const Visit& visit) {
  for (int row = 0; row < 2; ++row) {
    if (row_blocks[row] < 0) continue;
    const std::array<int, 3> frames = measure.frame_blocks();
    for (int m = 0; m < 3; ++m)
      if (frames[m] >= 0) visit(row, frames[m], m, nullptr);
    for (const JointReaction::Block& b : measure.multiplier_blocks()) visit(row, b.block, -1, &b);
  }
}

}  // namespace

void add_measure_couplings(const Measure& measure, const std::array<int, 2>& row_blocks, std::vector<Coupling>& couplings) {
  for_each_pair(measure, row_blocks, [&](int row, int block, int, const JointReaction::Block* b) {
    couplings.push_back({row_blocks[row], block, b == nullptr});
  });
}

const Slot* add_measure_tangent(const Measure& measure, const std::array<int, 2>& row_blocks, const MeasuredRows& J,
                                const Kinematics& k, const Slot* slot, Tangent& T) {
  using Matrix66 = Eigen::Matrix<double, 6, 6>;
  using Wide = Eigen::Matrix<double, 6, Eigen::Dynamic, Eigen::ColMajor, 6, JointReaction::kMaxRows>;
  const MeasureRow d = measure.row(k, T.w, T.chart);
  for_each_pair(measure, row_blocks, [&](int row, int block, int m, const JointReaction::Block* b) {
    const Vector6d rows = J.segment<6>(6 * row);
    if (b) {
      const Wide X = rows * d.multipliers.segment(b->offset, b->size).transpose();
      T.add_pair(*slot++, 0, 0, X, Wide(Wide::Zero(6, b->size)));
    } else if (block == row_blocks[row]) {
      T.add_diagonal(*slot++, 0, 0, Matrix66(rows * d.frames[m].transpose()));
    } else {
      T.add_pair(*slot++, 0, 0, Matrix66(rows * d.frames[m].transpose()), Matrix66(Matrix66::Zero()));
    }
  });
  return slot;
}

}  // namespace bricard
