// SPDX-License-Identifier: Apache-2.0
#include "bricard/system/tangent_assembly.h"

#include <algorithm>

namespace bricard {
namespace {

bool sees_accelerations(const ElementBatch& batch) { return batch.sees_accelerations() || batch.has_inertia(); }

template <class Block>
void add_diagonal(Tangent& T, const Slot& slot, const Block& X) {
  for (Eigen::Index j = 0; j < X.cols(); ++j)
    for (Eigen::Index i = 0; i < X.rows(); ++i) T.lower[slot.offset + i + j * slot.stride] += X(i, j);
}

/// X to block (a, b) and Yᵀ to block (b, a), as Tangent::add_pair, for blocks of any size.
template <class First, class Second>
void add_both(Tangent& T, const Slot& slot, const First& X, const Second& Y) {
  double* const of_X = slot.flipped && T.upper ? T.upper : T.lower;
  double* const of_Y = slot.flipped ? T.lower : T.upper;
  for (Eigen::Index j = 0; j < X.cols(); ++j)
    for (Eigen::Index i = 0; i < X.rows(); ++i) {
      const Eigen::Index at = slot.offset + (slot.flipped ? j + i * slot.stride : i + j * slot.stride);
      if (!T.upper) {
        T.lower[at] += 0.5 * (X(i, j) + Y(i, j));
      } else {
        of_X[at] += X(i, j);
        of_Y[at] += Y(i, j);
      }
    }
}

}  // namespace

TangentAssembly::TangentAssembly(const System& system, Which which) : system_(system) {
  std::vector<Coupling> of_batch;
  for (const auto& batch : system.batches()) {
    of_batch.clear();
    batch->add_couplings(of_batch);
    const auto has_multipliers = [&](const Coupling& c) {
      return system.is_multiplier(c.a) || system.is_multiplier(c.b);
    };
    if (which == Which::all || std::any_of(of_batch.begin(), of_batch.end(), has_multipliers)) add_batch(*batch);
  }
  if (acted_on_.empty()) return;
  std::sort(acted_on_.begin(), acted_on_.end());
  acted_on_.erase(std::unique(acted_on_.begin(), acted_on_.end()), acted_on_.end());
  if (which == Which::all) add_curvature_couplings();
  size_t largest = 0, widest = 0;
  for (const Batch& b : batches_) {
    largest = std::max(largest, b.size);
    for (const Pair& p : b.pairs)
      for (const int rows : {p.a.size, p.a.columns})
        for (const int columns : {p.b.size, p.b.columns})
          widest = std::max(widest, static_cast<size_t>(rows) * columns);
  }
  for (Written& w : written_) w.lower.assign(largest, 0), w.upper.assign(largest, 0);
  for (std::vector<double>& w : work_) w.assign(widest, 0);
  factors_.resize(system.followers().size());
  for (const int f : acted_on_) {
    const int n = system.followers()[f].columns;
    Factors& x = factors_[f];
    for (Matrix6Xd* m : {&x.charted, &x.V, &x.W, &x.by_v, &x.of_v, &x.of_rows, &x.of_a}) m->setZero(6, n);
    x.curvature.setZero(n, n);
    x.x.setZero(n);
    has_rotations_ = has_rotations_ || system.followers()[f].has_rotations();
    has_bias_ = has_bias_ || system.followers()[f].kind->has_bias();
  }
  residual_ = system.make_residual();
}

TangentAssembly::Side TangentAssembly::side_of(int block) const {
  Side side;
  if (!System::is_follower(block)) {
    const UnknownBlock& b = system_.blocks()[block];
    return {{{block, b.size, 0}}, -1, b.size, b.size, b.multiplier};
  }
  side.follower = block - kFirstFollowerBlock;
  const FollowerPlace& place = system_.followers()[side.follower];
  for (const FollowerPlace::Part& p : place.parts) side.parts.push_back({p.block, p.size, p.column});
  side.size = 6, side.columns = place.columns;
  return side;
}

// The couplings of a batch without followers are its own. Those of others are expanded; ground's are left out and share one
// place that is never read.
void TangentAssembly::add_batch(const ElementBatch& elements) {
  std::vector<Coupling> named;
  elements.add_couplings(named);
  Batch& batch = batches_.emplace_back(Batch{&elements, couplings_.size(), {}, {}});
  const auto follows = [](const Coupling& c) { return System::is_follower(c.a) || System::is_follower(c.b); };
  if (std::none_of(named.begin(), named.end(), follows)) {
    couplings_.insert(couplings_.end(), named.begin(), named.end());
    return;
  }
  int largest = 6;
  for (const UnknownBlock& b : system_.blocks()) largest = std::max(largest, b.size);
  batch.size = static_cast<size_t>(largest) * largest;
  has_mass_ = has_mass_ || sees_accelerations(elements);
  for (const Coupling& c : named) {
    if (c.a < 0 || c.b < 0) {
      batch.places.push_back({0, largest, false});
      continue;
    }
    const Pair& pair = batch.pairs.emplace_back(Pair{side_of(c.a), side_of(c.b), c.a == c.b, batch.size});
    batch.places.push_back({static_cast<int>(batch.size), pair.a.size, false});
    batch.size += static_cast<size_t>(pair.a.size) * pair.b.size;
    for (const Side* side : {&pair.a, &pair.b})
      if (side->follower >= 0) acted_on_.push_back(side->follower);
    for (size_t k = 0; k < pair.a.parts.size(); ++k)
      for (size_t l = 0; l < (pair.diagonal ? k + 1 : pair.b.parts.size()); ++l)
        couplings_.push_back({pair.a.parts[k].block, pair.b.parts[l].block, c.acts});
  }
}

void TangentAssembly::add_curvature_couplings() {
  first_curvature_ = couplings_.size();
  for (const int f : acted_on_) {
    const auto& parts = system_.followers()[f].parts;
    for (size_t k = 0; k < parts.size(); ++k)
      for (size_t l = 0; l <= k; ++l) couplings_.push_back({parts[k].block, parts[l].block});
  }
}

void TangentAssembly::add(const Kinematics& k, const Slot* slots, Tangent& T) {
  if (!acted_on_.empty()) prepare(k, T);
  for (const Batch& batch : batches_) {
    T.slots = slots + batch.first;
    if (batch.pairs.empty()) batch.elements->add_tangent(k, T);
    else add_mapped(batch, k, T);
  }
  if (acted_on_.empty() || T.w.q == 0) return;
  T.slots = slots + first_curvature_;
  add_curvature(k, T);
}

void TangentAssembly::prepare(const Kinematics& k, const Tangent& T) {
  const Weights& w = T.w;
  for (const int f : acted_on_) {
    const FollowerPlace& place = system_.followers()[f];
    const FollowerMotion& motion = k.followers[f];
    Factors& x = factors_[f];
    for (const FollowerPlace::Part& p : place.parts)
      if (p.node >= 0)
        x.charted.middleCols<3>(p.column + 3) =
            motion.J.middleCols<3>(p.column + 3) * (T.chart[p.node] - Matrix3d::Identity());
    if (w.q != 0 || w.row_q != 0 || has_mass_) {
      motion.gather(k.state->v, x.x);
      place.kind->gradient(k, place.index, x.x, x.V);
    }
    x.of_v = w.v * x.charted + w.q * x.V;
    x.of_rows = w.row_v * x.charted + w.row_q * x.V;
    if (has_mass_) prepare_accelerations(k, T, f);
  }
}

//     ∂(J̇ v)/∂v e_j = V(e_j) v + V(v) e_j
void TangentAssembly::prepare_accelerations(const Kinematics& k, const Tangent& T, int follower) {
  const FollowerPlace& place = system_.followers()[follower];
  const FollowerMotion& motion = k.followers[follower];
  Factors& x = factors_[follower];
  x.of_a = T.w.a * x.charted;
  if (T.w.q != 0) {
    motion.gather(k.state->a, x.x);
    place.kind->gradient(k, place.index, x.x, x.W);
    x.of_a += T.w.q * x.W;
  }
  if (!place.kind->has_bias()) return;
  if (T.w.q != 0) {
    place.kind->bias_gradient(k, place.index, x.W);
    x.of_a += T.w.q * x.W;
  }
  if (T.w.v == 0) return;
  x.by_v = x.V;
  for (int j = 0; j < place.columns; ++j) {
    x.x.setZero();
    x.x[j] = 1;
    place.kind->gradient(k, place.index, x.x, x.W);
    x.by_v.col(j).noalias() += x.W * motion.v;
  }
  for (const FollowerPlace::Part& p : place.parts)
    if (p.node >= 0) {
      const Eigen::Matrix<double, 6, 3> turns = x.by_v.middleCols<3>(p.column + 3);
      x.by_v.middleCols<3>(p.column + 3) = turns * T.chart[p.node];
    }
  x.of_a += T.w.v * x.by_v;
}

void TangentAssembly::evaluate(const Batch& batch, const Kinematics& k, const Tangent& T, const Weights& w,
                               Written& out) {
  const auto size = static_cast<std::ptrdiff_t>(batch.size);
  std::fill(out.lower.begin(), out.lower.begin() + size, 0.0);
  std::fill(out.upper.begin(), out.upper.begin() + size, 0.0);
  Tangent part;
  part.w = w;
  part.chart = T.chart;
  part.slots = batch.places.data();
  part.lower = out.lower.data();
  part.upper = out.upper.data();
  batch.elements->add_tangent(k, part);
  out.there = true;
}

// Parts after velocities and accelerations alone are asked for only where they meet something that is not zero. In those of
// velocity rows, whose weights are in the proportion of w_v and w_q, the penalty is per w_v.
void TangentAssembly::add_mapped(const Batch& batch, const Kinematics& k, Tangent& T) {
  const Weights& w = T.w;
  for (Written& part : written_) part.there = false;
  evaluate(batch, k, T, w, written_[0]);
  const bool moves = w.q != 0 || w.row_q != 0, turns = has_rotations_ && (w.v != 0 || w.row_v != 0);
  if (batch.elements->sees_velocities() && (moves || turns)) {
    Weights after_v;
    after_v.v = after_v.row_v = 1;
    after_v.penalty = w.v != 0 ? w.penalty / w.v : 0;
    after_v.rates_only = true;
    evaluate(batch, k, T, after_v, written_[1]);
  }
  if (sees_accelerations(*batch.elements) && (w.q != 0 || (has_rotations_ && w.a != 0) || (has_bias_ && w.v != 0))) {
    Weights after_a;
    after_a.a = 1;
    evaluate(batch, k, T, after_a, written_[2]);
  }
  const Slot* slot = T.slots;
  for (const Pair& pair : batch.pairs) slot = add_pair(pair, k, slot, T);
}

/// What the columns of a follower are multiplied with in one of the parts that a batch wrote.
const Matrix6Xd& TangentAssembly::columns_of(const Kinematics& k, const Side& side, bool of_rows, int part) const {
  if (part == 0) return k.followers[side.follower].J;
  const Factors& x = factors_[side.follower];
  return part == 2 ? x.of_a : of_rows ? x.of_rows : x.of_v;
}

//     block (a, b):  J_aᵀ Σ X R_b,        block (b, a), transposed:  (Σ R_aᵀ Y) J_b
const Slot* TangentAssembly::add_pair(const Pair& pair, const Kinematics& k, const Slot* slot, Tangent& T) {
  const Side &a = pair.a, &b = pair.b;
  Matrix half(work_[0].data(), a.size, b.columns), whole(work_[1].data(), a.columns, b.columns);
  Matrix mirror_half(work_[2].data(), a.columns, b.size), mirror(work_[3].data(), a.columns, b.columns);
  half.setZero();
  mirror_half.setZero();
  for (int part = 0; part < 3; ++part) {
    if (!written_[part].there) continue;
    const Place X(written_[part].lower.data() + pair.place, a.size, b.size);
    const Place Y(written_[part].upper.data() + pair.place, a.size, b.size);
    if (b.follower >= 0) half += X.lazyProduct(columns_of(k, b, a.multiplier, part));
    else if (part == 0) half = X;
    if (pair.diagonal) continue;
    if (a.follower >= 0) mirror_half += columns_of(k, a, b.multiplier, part).transpose().lazyProduct(Y);
    else if (part == 0) mirror_half = Y;
  }
  if (a.follower >= 0) whole = k.followers[a.follower].J.transpose().lazyProduct(half);
  else whole = half;
  if (b.follower >= 0) mirror = mirror_half.lazyProduct(k.followers[b.follower].J);
  else mirror = mirror_half;
  for (size_t i = 0; i < a.parts.size(); ++i)
    for (size_t j = 0; j < (pair.diagonal ? i + 1 : b.parts.size()); ++j, ++slot) {
      const Side::Part &p = a.parts[i], &q = b.parts[j];
      const auto X = whole.block(p.column, q.column, p.size, q.size);
      const auto Y = mirror.block(p.column, q.column, p.size, q.size);
      if (pair.diagonal && i == j) add_diagonal(T, *slot, X);
      else if (pair.diagonal) add_both(T, *slot, X, whole.block(q.column, p.column, q.size, p.size).transpose());
      else if (p.block == q.block) add_diagonal(T, *slot, X), add_diagonal(T, *slot, Y.transpose());
      else add_both(T, *slot, X, Y);
    }
  return slot;
}

//     row j of ∂(Jᵀf)/∂q:   fᵀ ∂(J e_j)/∂q
void TangentAssembly::add_curvature(const Kinematics& k, Tangent& T) {
  residual_.motion.setZero();
  residual_.constraint.setZero();
  residual_.penalty = T.w.penalty / T.w.q;
  residual_.rate = T.w.row_v != 0 ? T.w.row_q / T.w.row_v : 0;
  for (const Batch& batch : batches_)
    if (!batch.pairs.empty()) batch.elements->add_residual(k, residual_);
  const Slot* slot = T.slots;
  for (const int f : acted_on_) {
    const FollowerPlace& place = system_.followers()[f];
    Factors& x = factors_[f];
    const Vector6d force = T.w.q * residual_.motion.segment<6>(system_.v_of(place.node));
    const bool known = place.kind->curvature(k, place.index, force, x.curvature);
    for (int j = 0; !known && j < place.columns; ++j) {
      x.x.setZero();
      x.x[j] = 1;
      place.kind->gradient(k, place.index, x.x, x.W);
      x.curvature.row(j).noalias() = force.transpose() * x.W;
    }
    for (size_t i = 0; i < place.parts.size(); ++i)
      for (size_t j = 0; j <= i; ++j, ++slot) {
        const FollowerPlace::Part &p = place.parts[i], &q = place.parts[j];
        const auto X = x.curvature.block(p.column, q.column, p.size, q.size);
        if (i == j) add_diagonal(T, *slot, X);
        else add_both(T, *slot, X, x.curvature.block(q.column, p.column, q.size, p.size).transpose());
      }
  }
}

}  // namespace bricard
