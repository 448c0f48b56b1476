// SPDX-License-Identifier: Apache-2.0
#include "bricard/elements/natural_frames.h"

#include <algorithm>
#include <cmath>

namespace bricard {

// |ω|² = ½ Σ|ė_j|² ≤ 1.5 max|ė_j|²,   |ė_j| ≤ Σ_k ‖E_kj‖ |ẋ_k|;   two bodies may turn against each other
template <int d>
NaturalFrames<d>::NaturalFrames(std::vector<NaturalFrame<d>> frames) : frames_(std::move(frames)) {
  for (const NaturalFrame<d>& f : frames_)
    for (int j = 0; j < 3; ++j) {
      double sum = 0;
      for (const auto& C : f.C) sum += C.template middleRows<3>(3 + 3 * j).norm() / std::sqrt(d);
      lever_ = std::max(lever_, 2 * std::sqrt(1.5) * std::sqrt(d) * sum);
    }
}

template <int d>
void NaturalFrames<d>::update(const State& s, std::vector<Frame>& frames) const {
  for (size_t n = 0; n < frames_.size(); ++n) {
    const NaturalFrame<d>& f = frames_[n];
    Eigen::Matrix<double, 12, 1> x = f.c, v = Eigen::Matrix<double, 12, 1>::Zero();
    for (int k = 0; k < f.kColumns; ++k) {
      x += f.C[k] * f.at[k].template position<d>(s);
      v += f.C[k] * f.at[k].template rate<d>(s.v);
    }
    Frame& frame = frames[n + 1];
    frame.p = x.head<3>();
    frame.v = v.head<3>();
    const Matrix3d dR = Eigen::Map<const Matrix3d>(v.data() + 3);
    frame.R = Eigen::Map<const Matrix3d>(x.data() + 3);
    const auto e = [&](int i) { return frame.R.col(i); };
    frame.w = 0.5 * Vector3d(e(2).dot(dR.col(1)) - e(1).dot(dR.col(2)), e(0).dot(dR.col(2)) - e(2).dot(dR.col(0)),
                             e(1).dot(dR.col(0)) - e(0).dot(dR.col(1)));
  }
}

template <int d>
void NaturalFrames<d>::accelerations(const State& s, const std::vector<Frame>& frames, VectorXd& a) const {
  a.setZero(6 * frames_.size());
  for (size_t n = 0; n < frames_.size(); ++n)
    for (int k = 0; k < NaturalFrame<d>::kColumns; ++k)
      a.segment<6>(6 * n) += rates(frames_[n], k, frames[n + 1].R) * frames_[n].at[k].template rate<d>(s.a);
}

//     δe₁ = θ₃e₂ − θ₂e₃ and so on:   θ₁ = ½ (e₃·δe₂ − e₂·δe₃),  …
template <int d>
typename NaturalFrames<d>::Rates NaturalFrames<d>::rates(const NaturalFrame<d>& f, int column, const Matrix3d& R) {
  const auto E = [&](int j) { return f.C[column].template middleRows<3>(3 + 3 * j); };
  Rates B;
  B.template topRows<3>() = f.C[column].template topRows<3>();
  for (int i = 0; i < 3; ++i) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    B.row(3 + i) = 0.5 * (R.col(k).transpose() * E(j) - R.col(j).transpose() * E(k));
  }
  return B;
}

template <int d>
FrameElements<d>::FrameElements(System on_frames, std::shared_ptr<const NaturalFrames<d>> frames,
                                const std::vector<int>& multipliers)
    : inner_(std::move(on_frames)), frames_(std::move(frames)), state_(inner_.make_state()),
      kinematics_(inner_.make_kinematics()), residual_(inner_.make_residual()) {
  const auto& blocks = inner_.blocks();
  sides_.resize(blocks.size());
  for (size_t n = 1; n < inner_.nodes().size(); ++n) {
    Side& side = sides_[inner_.nodes()[n].block];
    side.node = static_cast<int>(n);
    side.count = kColumns;
    for (int c = 0; c < kColumns; ++c) side.blocks[c] = frames_->of_node(side.node).at[c].block;
  }
  size_t next = 0;
  for (size_t b = 0; b < blocks.size(); ++b)
    if (blocks[b].multiplier) sides_[b] = {0, blocks[b].size, 1, {multipliers[next++]}};
  for (const auto& batch : inner_.batches()) {
    first_.push_back(couplings_.size());
    batch->add_couplings(couplings_);
  }
  for (const Coupling& c : couplings_) {
    for (const int block : {c.a, c.b})
      if (block >= 0 && sides_[block].node > 0) touched_.push_back(sides_[block].node);
    slots_.push_back({static_cast<int>(36 * slots_.size()), 6, false});
  }
  std::sort(touched_.begin(), touched_.end());
  touched_.erase(std::unique(touched_.begin(), touched_.end()), touched_.end());
  lower_.assign(36 * slots_.size(), 0);
  upper_ = lower_;
  no_chart_.assign(inner_.nodes().size(), Matrix3d::Identity());
  rates_.resize(inner_.nodes().size());
  turning_ = rates_;
}

template <int d>
const Kinematics& FrameElements<d>::seen(const Kinematics& k) const {
  state_.t = k.state->t;
  state_.lambda = k.state->lambda.head(inner_.multipliers());
  carry_over(*k.state, state_);
  kinematics_.state = &state_;
  kinematics_.frames = k.frames;
  return kinematics_;
}

template <int d>
void FrameElements<d>::add_couplings(std::vector<Coupling>& couplings) const {
  for (const Coupling& c : couplings_) {
    if (c.a < 0 || c.b < 0) continue;
    const Side &a = sides_[c.a], &b = sides_[c.b];
    for (int k = 0; k < a.count; ++k)
      for (int l = 0; l < (c.a == c.b ? k + 1 : b.count); ++l) couplings.push_back({a.blocks[k], b.blocks[l], c.acts});
  }
  for (const int node : touched_)
    for (int k = 0; k < kColumns; ++k)
      for (int l = 0; l <= k; ++l)
        couplings.push_back({frames_->of_node(node).at[k].block, frames_->of_node(node).at[l].block});
}

template <int d>
void FrameElements<d>::add_residual(const Kinematics& k, Residual& r) const {
  residual_.penalty = r.penalty;
  inner_.residual(seen(k), residual_);
  add_wrenches(k, r);
}

template <int d>
void FrameElements<d>::add_constraint_forces(const Kinematics& k, Residual& r) const {
  residual_.penalty = 0;
  inner_.constraint_forces(seen(k), residual_);
  add_wrenches(k, r);
}

template <int d>
void FrameElements<d>::list_roots(std::vector<std::string>& owners) const {
  for (const auto& batch : inner_.batches()) batch->list_roots(owners);
}

template <int d>
void FrameElements<d>::add_roots(const Kinematics& k, double*& next) const {
  for (const auto& batch : inner_.batches()) batch->add_roots(seen(k), next);
}

template <int d>
std::string FrameElements<d>::pass_root(int root, bool rising, State& s) const {
  std::vector<std::string> owners;
  for (const auto& batch : inner_.batches()) {
    owners.clear();
    batch->list_roots(owners);
    if (root < static_cast<int>(owners.size())) return batch->pass_root(root, rising, s);
    root -= static_cast<int>(owners.size());
  }
  return "";
}

/// From residual_ to the variables.
template <int d>
void FrameElements<d>::add_wrenches(const Kinematics& k, Residual& r) const {
  r.constraint.head(inner_.multipliers()) += residual_.constraint;
  for (const int node : touched_) {
    const NaturalFrame<d>& f = frames_->of_node(node);
    const auto wrench = residual_.motion.segment<6>(inner_.v_of(node));
    for (int c = 0; c < kColumns; ++c)
      r.motion.segment<d>(f.at[c].row) += NaturalFrames<d>::rates(f, c, k.frames[node].R).transpose() * wrench;
  }
}

template <int d>
void FrameElements<d>::evaluate_tangents(const Kinematics& k, const Weights& w) const {
  Tangent T;
  T.w = w;
  T.chart = no_chart_.data();
  const Kinematics& inner = seen(k);
  std::fill(lower_.begin(), lower_.end(), 0);
  std::fill(upper_.begin(), upper_.end(), 0);
  T.lower = lower_.data();
  T.upper = upper_.data();
  for (size_t b = 0; b < inner_.batches().size(); ++b) {
    T.slots = slots_.data() + first_[b];
    inner_.batches()[b]->add_tangent(inner, T);
  }
}

/// Aᵀ X for the rows of a side.
template <int d>
typename FrameElements<d>::Small FrameElements<d>::times(const Side& side, int column,
                                                         const std::vector<Columns>& rates, const Small& X) const {
  if (side.node == 0) return X;
  return rates[side.node][column].transpose() * X;
}

//     block (a, b):  L_kᵀ X R_l,     block (b, a):  (R_kᵀ Y L_l)ᵀ with the parts of both exchanged
template <int d>
void FrameElements<d>::add_mapped(Tangent& T, bool of_velocities) const {
  const std::vector<Columns>& right = of_velocities ? turning_ : rates_;
  const Slot* slot = T.slots;
  for (size_t n = 0; n < couplings_.size(); ++n) {
    const Coupling& c = couplings_[n];
    if (c.a < 0 || c.b < 0) continue;
    const Side &a = sides_[c.a], &b = sides_[c.b];
    const Small X = Place(lower_.data() + slots_[n].offset).topLeftCorner(a.size, b.size);
    const Small Y = Place(upper_.data() + slots_[n].offset).topLeftCorner(a.size, b.size);
    const auto block = [&](int k, int l) {
      return Small(times(b, l, right, times(a, k, rates_, X).transpose()).transpose());
    };
    const auto mirror = [&](int k, int l) {
      return Small(times(b, l, rates_, times(a, k, right, Y).transpose()).transpose());
    };
    for (int k = 0; k < a.count; ++k)
      for (int l = 0; l < (c.a == c.b ? k + 1 : b.count); ++l, ++slot) {
        if (a.blocks[k] < 0 || b.blocks[l] < 0) continue;
        if (c.a == c.b) {
          k == l ? T.add_diagonal(*slot, 0, 0, block(k, k))
                 : T.add_pair(*slot, 0, 0, block(k, l), Small(block(l, k).transpose()));
        } else if (a.blocks[k] == b.blocks[l]) {
          T.add_diagonal(*slot, 0, 0, Small(block(k, l) + mirror(k, l).transpose()));
        } else {
          T.add_pair(*slot, 0, 0, block(k, l), mirror(k, l));
        }
      }
  }
  T.slots = slot;
}

//     Θ_kᵀτ = Σ_ij S_ij E_kjᵀ e_i,   S₃₂ = −S₂₃ = τ₁/2 and so on;     derivative for x_l:  Σ_ij S_ij E_kjᵀ E_li
template <int d>
void FrameElements<d>::add_curvature(const Kinematics& k, Tangent& T) const {
  residual_.penalty = T.w.q != 0 ? T.w.penalty / T.w.q : 0;
  inner_.residual(seen(k), residual_);
  const Slot* slot = T.slots;
  for (const int node : touched_) {
    const NaturalFrame<d>& f = frames_->of_node(node);
    const Vector3d torque = T.w.q * residual_.motion.segment<3>(inner_.v_of(node) + 3);
    const Matrix3d S = 0.5 * skew(torque);
    const auto E = [&](int c, int j) { return f.C[c].template middleRows<3>(3 + 3 * j); };
    const auto H = [&](int c, int l) {
      Eigen::Matrix<double, d, d> sum = Eigen::Matrix<double, d, d>::Zero();
      for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) sum += S(i, j) * E(c, j).transpose() * E(l, i);
      return sum;
    };
    for (int c = 0; c < kColumns; ++c)
      for (int l = 0; l <= c; ++l, ++slot) {
        if (f.at[c].is_fixed() || f.at[l].is_fixed()) continue;
        c == l ? T.add_diagonal(*slot, 0, 0, H(c, c))
               : T.add_pair(*slot, 0, 0, H(c, l), Eigen::Matrix<double, d, d>(H(l, c).transpose()));
      }
  }
}

template <int d>
void FrameElements<d>::add_tangent(const Kinematics& k, Tangent& T) const {
  const Slot* begin = T.slots;
  for (const int node : touched_) {
    const NaturalFrame<d>& f = frames_->of_node(node);
    Matrix3d dR = Matrix3d::Zero();
    for (int c = 0; c < kColumns; ++c) {
      const Eigen::Matrix<double, 9, 1> rate = f.C[c].template bottomRows<9>() * f.at[c].template rate<d>(k.state->v);
      dR += Eigen::Map<const Matrix3d>(rate.data());
    }
    for (int c = 0; c < kColumns; ++c) {
      rates_[node][c] = NaturalFrames<d>::rates(f, c, k.frames[node].R);
      turning_[node][c] = -NaturalFrames<d>::rates(f, c, dR);
      turning_[node][c].template topRows<3>().setZero();
    }
  }
  evaluate_tangents(k, T.w);
  add_mapped(T, false);
  const Slot* curvature = T.slots;
  if (T.w.q != 0) {  // v = Σ Rates ẋ_k moves with q, too
    T.slots = begin;
    evaluate_tangents(k, {0, T.w.q, 0, 0, 0});
    add_mapped(T, true);
    T.slots = curvature;
    add_curvature(k, T);
  }
}

template <int d>
void FrameElements<d>::add_constraint_rates(const Kinematics& k, VectorXd& rate, VectorXd& bias) const {
  const Kinematics& inner = seen(k);
  for (const auto& batch : inner_.batches()) batch->add_constraint_rates(inner, rate, bias);
}

template class NaturalFrames<2>;
template class NaturalFrames<3>;
template class FrameElements<2>;
template class FrameElements<3>;

}  // namespace bricard
