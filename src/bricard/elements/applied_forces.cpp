// SPDX-License-Identifier: Apache-2.0
#include "bricard/elements/applied_forces.h"

#include <algorithm>

namespace bricard {
namespace {

using PointForce = AppliedForces::Item;

/// Force and torque in ground axes; the lever from the origin of the second body.
struct Load {
  Vector3d force, torque, lever;
};

Vector3d lever(const Kinematics& k, const PointForce& e) {
  const Frame& f = k.frames[e.on.node];
  return f.p + f.R * e.r - k.frames[e.reaction.node].p;
}

Load load(const Kinematics& k, const PointForce& e) {
  const MeasuredFormulas::Values y = e.components.values(k);
  const Matrix3d R = k.frames[e.axes.node].R * e.R_axes;
  return {R * y.head<3>(), R * y.tail<3>(), lever(k, e)};
}

bool has_reaction(const PointForce& e) { return e.reaction.block >= 0; }

std::array<int, 2> row_blocks(const PointForce& e) { return {e.on.block, e.reaction.block}; }

/// What a force F and a torque M contribute to the residual, on the body and on the one that takes the reaction.
MeasuredRows residual_of(const Kinematics& k, const PointForce& e, const Vector3d& F, const Vector3d& M,
                         const Vector3d& l) {
  const Matrix3d& R = k.frames[e.on.node].R;
  MeasuredRows rows;
  rows << -F, -e.r.cross(R.transpose() * F) - R.transpose() * M, F,
      k.frames[e.reaction.node].R.transpose() * (M + l.cross(F));
  return rows;
}

}  // namespace

bool AppliedForces::is_unsymmetric() const {
  return std::any_of(items_.begin(), items_.end(),
                     [](const PointForce& e) { return !e.components.measures.empty() || has_reaction(e); });
}

bool AppliedForces::sees_accelerations() const {
  return std::any_of(items_.begin(), items_.end(),
                     [](const PointForce& e) { return e.components.sees_accelerations(); });
}

void AppliedForces::add_couplings(std::vector<Coupling>& couplings) const {
  for (const PointForce& e : items_) {
    couplings.push_back({e.on.block, e.on.block});
    couplings.push_back({e.on.block, e.axes.block});
    if (has_reaction(e)) {
      couplings.push_back({e.reaction.block, e.reaction.block});
      couplings.push_back({e.reaction.block, e.on.block});
      couplings.push_back({e.reaction.block, e.axes.block});
    }
    for (const Measure& m : e.components.measures) add_measure_couplings(m, row_blocks(e), couplings);
  }
}

void AppliedForces::add_residual(const Kinematics& k, Residual& r) const {
  for (const PointForce& e : items_) {
    const Load x = load(k, e);
    const MeasuredRows rows = residual_of(k, e, x.force, x.torque, x.lever);
    r.motion.segment<6>(e.on.v) += rows.head<6>();
    if (has_reaction(e)) r.motion.segment<6>(e.reaction.v) += rows.tail<6>();
  }
}

void AppliedForces::add_input_derivative(const Kinematics& k, int input, Residual& r) const {
  for (const PointForce& e : items_) {
    const MeasuredFormulas::Values y = e.components.input_derivatives(k, input);
    const Matrix3d R = k.frames[e.axes.node].R * e.R_axes;
    const MeasuredRows rows = residual_of(k, e, R * y.head<3>(), R * y.tail<3>(), lever(k, e));
    r.motion.segment<6>(e.on.v) += rows.head<6>();
    if (has_reaction(e)) r.motion.segment<6>(e.reaction.v) += rows.tail<6>();
  }
}

namespace {

//     The axes turn:          δF = −R ũ_F δθ,  u_F = RᵀF,  and alike δM
//     The body turns:         δ(RᵀF) = (RᵀF)~ δθ
//     The lever l = x − p₂:   δl = δp₁ − R₁ r̃ δθ₁ − δp₂,   δ(l × F) = −F̃ δl
void add_geometry(const Kinematics& k, const PointForce& e, const Load& x, const Slot* slots, Tangent& T) {
  const Matrix3d &R1 = k.frames[e.on.node].R, &R_f = k.frames[e.axes.node].R;
  const double q = T.w.q;
  const Matrix3d P = -R_f * skew(R_f.transpose() * x.force), S = -R_f * skew(R_f.transpose() * x.torque);
  const Matrix3d turn = skew(e.r) * skew(R1.transpose() * x.force) + skew(R1.transpose() * x.torque);
  Eigen::Matrix<double, 6, 3> by_axes;
  by_axes << -q * P, -q * (skew(e.r) * R1.transpose() * P + R1.transpose() * S);
  T.add_diagonal(slots[0], 3, 3, Matrix3d(-q * turn));
  if (e.axes.block >= 0) T.add_block(slots[1], e.axes.block == e.on.block, 0, 3, by_axes);
  if (!has_reaction(e)) return;
  const Matrix3d R2t = k.frames[e.reaction.node].R.transpose(), by_lever = -q * R2t * skew(x.force);
  const Vector3d moment = R2t * (x.torque + x.lever.cross(x.force));
  T.add_diagonal(slots[2], 3, 3, Matrix3d(q * skew(moment)));
  T.add_diagonal(slots[2], 3, 0, Matrix3d(-by_lever));
  T.add_block(slots[3], e.reaction.block == e.on.block, 3, 0, by_lever);
  T.add_block(slots[3], e.reaction.block == e.on.block, 3, 3, Matrix3d(-by_lever * R1 * skew(e.r)));
  by_axes << q * P, q * R2t * (S + skew(x.lever) * P);
  if (e.axes.block >= 0) T.add_block(slots[4], e.axes.block == e.reaction.block, 0, 3, by_axes);
}

}  // namespace

void AppliedForces::add_tangent(const Kinematics& k, Tangent& T) const {
  const Slot* slots = T.slots;
  for (const PointForce& e : items_) {
    const Load x = load(k, e);
    add_geometry(k, e, x, slots, T);
    slots += has_reaction(e) ? 5 : 2;
    if (e.components.measures.empty()) continue;
    const MeasuredFormulas::Derivatives D = e.components.derivatives(k);
    const Matrix3d R = k.frames[e.axes.node].R * e.R_axes;
    for (size_t m = 0; m < e.components.measures.size(); ++m) {
      const Vector3d dF = R * D.col(m).head<3>(), dM = R * D.col(m).tail<3>();
      slots =
          add_measure_tangent(e.components.measures[m], row_blocks(e), residual_of(k, e, dF, dM, x.lever), k, slots, T);
    }
  }
}

double AppliedForces::power(const Kinematics& k) const {
  double sum = 0;
  for (const PointForce& e : items_) {
    const Frame& f = k.frames[e.on.node];
    const Load x = load(k, e);
    sum += x.force.dot(f.v + f.R * f.w.cross(e.r)) + x.torque.dot(f.R * f.w);
    if (!has_reaction(e)) continue;
    const Frame& g = k.frames[e.reaction.node];
    const Vector3d w = g.R * g.w;
    sum -= x.force.dot(g.v + w.cross(x.lever)) + x.torque.dot(w);
  }
  return sum;
}

void AppliedForces::list_signals(std::vector<ElementSignal>& signals) const {
  for (const PointForce& e : items_) {
    if (e.name.empty()) continue;
    for (const char* axis : {"x", "y", "z"}) signals.push_back({e.name + ".force_" + axis, "N"});
    for (const char* axis : {"x", "y", "z"}) signals.push_back({e.name + ".torque_" + axis, "N*m"});
  }
}

void AppliedForces::add_signals(const Kinematics& k, std::vector<double>& values) const {
  for (const PointForce& e : items_) {
    if (e.name.empty()) continue;
    const Load x = load(k, e);
    values.insert(values.end(), x.force.data(), x.force.data() + 3);
    values.insert(values.end(), x.torque.data(), x.torque.data() + 3);
  }
}

}  // namespace bricard
