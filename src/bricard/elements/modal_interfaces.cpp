// SPDX-License-Identifier: Apache-2.0
#include "bricard/elements/modal_interfaces.h"

#include "bricard/elements/modal_bodies.h"
#include "bricard/math/rotation_functions.h"
#include "bricard/system/assertion.h"

namespace bricard {

ModalInterfaces::Item::Item(int own_node, int body_node, int body_block, int modes_block, int q, int v,
                            const PartInterface& at)
    : node(own_node), body(body_node), block(body_block), modes(modes_block), q_modes(q), v_modes(v),
      position(at.position), axes(at.axes), translation(at.translation), rotation(at.axes.transpose() * at.rotation) {
  const Eigen::Index r = translation.cols();
  BRICARD_ASSERT(r <= kMaxShapes && rotation.cols() == r);
  if (at.shortening[0].size() == 0) return;
  shortening.resize(3 * r, r);
  for (Eigen::Index a = 0; a < 3; ++a) shortening.middleRows(a * r, r) = at.shortening[static_cast<size_t>(a)];
}

ModalInterfaces::ModalInterfaces(std::vector<Item> items) : items_(std::move(items)) {
  for (const Item& e : items_) followers_.push_back({e.node, {e.block, e.modes}});
}

namespace {

using Shapes3 = Eigen::Matrix<double, 3, Eigen::Dynamic, Eigen::ColMajor, 3, kMaxShapes>;

/// χ x, a row for each direction.
template <class Vector>
Shapes3 shortened(const ModalInterfaces::Item& e, const Vector& x) {
  const Eigen::Index r = e.translation.cols();
  Eigen::Matrix<double, Eigen::Dynamic, 3, Eigen::ColMajor, kMaxShapes, 3> product(r, 3);
  Eigen::Map<VectorXd>(product.data(), 3 * r).noalias() = e.shortening * x;
  return product.transpose();
}

/// Where it is in the axes of the body, and how that changes.
struct InterfaceAt {
  Vector3d s, theta;
  Shapes3 moves;  ///< s_η = φ + ηᵀχ
  Matrix3d Q;
  RotationMap T;

  template <class Vector>
  InterfaceAt(const ModalInterfaces::Item& e, const Vector& eta) : moves(e.translation) {
    s = e.position + e.translation * eta;
    if (e.shortening.size()) {
      const Shapes3 change = shortened(e, eta);
      moves += change;
      s.noalias() += 0.5 * change * eta;
    }
    theta.noalias() = e.rotation * eta;
    const CosineSeries series(theta.squaredNorm());
    Q = e.axes * exp_map(series).matrix(theta);
    T = tangent_map(series);
  }
};

auto eta_of(const ModalInterfaces::Item& e, const State& s) { return s.q.segment(e.q_modes, e.translation.cols()); }

}  // namespace

void ModalInterfaces::update(const State& s, std::vector<Frame>& frames) const {
  for (const Item& e : items_) {
    const InterfaceAt at(e, eta_of(e, s));
    const auto rate = s.v.segment(e.v_modes, e.translation.cols());
    const Frame& B = frames[e.body];
    Frame& f = frames[e.node];
    const Vector3d velocity = B.w.cross(at.s) + at.moves * rate, turning = e.rotation * rate;
    f.p = B.p + B.R * at.s;
    f.R = B.R * at.Q;
    f.v = B.v + B.R * velocity;
    f.w = at.Q.transpose() * B.w + at.T.apply(at.theta, turning);
  }
}

void ModalInterfaces::jacobian(const Kinematics& k, int i, Eigen::Ref<Matrix6Xd> J) const {
  const Item& e = items_[i];
  const InterfaceAt at(e, eta_of(e, *k.state));
  const Matrix3d& R = k.frames[e.body].R;
  const Eigen::Index r = e.translation.cols();
  J.topLeftCorner<3, 3>().setIdentity();
  J.block<3, 3>(0, 3) = -R * skew(at.s);
  J.topRightCorner(3, r).noalias() = R * at.moves;
  J.bottomLeftCorner<3, 3>().setZero();
  J.block<3, 3>(3, 3) = at.Q.transpose();
  J.bottomRightCorner(3, r).noalias() = at.T.matrix(at.theta) * e.rotation;
}

// With x = (…, y, z), y the turning of B and z of the modal coordinates, and ζ = Aᵀψ z:
//     ∂(ω_B × s + s_η z)/∂η:  ỹ s_η + χ z,        ∂(Qᵀy + T ζ)/∂θ = (Qᵀy)~ T + ∂(T ζ)/∂θ
void ModalInterfaces::gradient(const Kinematics& k, int i, const Eigen::Ref<const VectorXd>& x,
                               Eigen::Ref<Matrix6Xd> V) const {
  const Item& e = items_[i];
  const InterfaceAt at(e, eta_of(e, *k.state));
  const Matrix3d& R = k.frames[e.body].R;
  const Eigen::Index r = e.translation.cols();
  const Vector3d turning = x.segment<3>(3), zeta = e.rotation * x.tail(r);
  const Vector3d velocity = turning.cross(at.s) + at.moves * x.tail(r), seen = at.Q.transpose() * turning;
  Shapes3 change = skew(turning) * at.moves;
  if (e.shortening.size()) change += shortened(e, x.tail(r));
  V.leftCols<3>().setZero();
  V.block<3, 3>(0, 3) = -R * skew(velocity);
  V.topRightCorner(3, r).noalias() = R * change;
  V.block<3, 3>(3, 3).setZero();
  V.bottomRightCorner(3, r).noalias() =
      (skew(seen) * at.T.matrix(at.theta) + at.T.derivative(at.theta, zeta)) * e.rotation;
}

// With f = (F, m), F_B = R_BᵀF:    Jᵀf = (F,  s × F_B + Q m,  s_ηᵀF_B + (Aᵀψ)ᵀTᵀm)
bool ModalInterfaces::curvature(const Kinematics& k, int i, const Vector6d& f, Eigen::Ref<Eigen::MatrixXd> C) const {
  const Item& e = items_[i];
  const InterfaceAt at(e, eta_of(e, *k.state));
  const Eigen::Index r = e.translation.cols();
  const Vector3d force = k.frames[e.body].R.transpose() * f.head<3>(), torque = f.tail<3>();
  const Matrix3d F = skew(force), T = at.T.matrix(at.theta);
  C.topRows<3>().setZero();
  C.leftCols<3>().setZero();
  C.block<3, 3>(3, 3) = skew(at.s) * F;
  C.block(6, 3, r, 3).noalias() = at.moves.transpose() * F;
  const Matrix3d turned = at.Q * skew(torque) * T;
  C.block(3, 6, 3, r).noalias() = -F * at.moves;
  C.block(3, 6, 3, r).noalias() -= turned * e.rotation;
  const Matrix3d by_theta = at.T.transposed().derivative(at.theta, torque);
  const Shapes3 half = by_theta * e.rotation;
  auto of_shapes = C.bottomRightCorner(r, r);
  of_shapes.noalias() = e.rotation.transpose().lazyProduct(half);
  for (Eigen::Index a = 0; a < 3 && e.shortening.size(); ++a) of_shapes += force[a] * e.shortening.middleRows(a * r, r);
  return true;
}

// J̇ v = (R (ω × (ω × s) + 2 ω × s_η η̇ + η̇ᵀχ η̇),  z × ν + Ṫ θ̇)    with z = Qᵀω, ν = T θ̇, Ṫ θ̇ = ∂(T θ̇)/∂θ θ̇
//     ∂(z × ν)/∂θ = −ν̃ z̃ T + z̃ ∂(T θ̇)/∂θ,      ∂(Ṫ θ̇)/∂θ: row by row the second derivative of T θ̇, times θ̇
void ModalInterfaces::bias_gradient(const Kinematics& k, int i, Eigen::Ref<Matrix6Xd> out) const {
  const Item& e = items_[i];
  const InterfaceAt at(e, eta_of(e, *k.state));
  const Frame& B = k.frames[e.body];
  const Eigen::Index r = e.translation.cols();
  const auto rate = k.state->v.segment(e.v_modes, r);
  const Matrix3d W = skew(B.w);
  const Vector3d moving = at.moves * rate;
  Vector3d bias = B.w.cross(B.w.cross(at.s)) + 2 * B.w.cross(moving);
  Shapes3 change = W * W * at.moves;
  if (e.shortening.size()) {
    const Shapes3 shorter = shortened(e, rate);
    bias += shorter * rate;
    change += 2 * W * shorter;
  }
  const Vector3d turning = e.rotation * rate, relative = at.T.apply(at.theta, turning), seen = at.Q.transpose() * B.w;
  const Matrix3d T = at.T.matrix(at.theta);
  Matrix3d second = skew(seen) * at.T.derivative(at.theta, turning) - skew(relative) * skew(seen) * T;
  for (int a = 0; a < 3; ++a)
    second.row(a) += (at.T.hessian(at.theta, Vector3d::Unit(a), turning) * turning).transpose();
  out.leftCols<3>().setZero();
  out.block<3, 3>(0, 3) = -B.R * skew(bias);
  out.topRightCorner(3, r).noalias() = B.R * change;
  out.block<3, 3>(3, 3).setZero();
  out.bottomRightCorner(3, r).noalias() = second * e.rotation;
}

}  // namespace bricard
