// SPDX-License-Identifier: Apache-2.0
#include "bricard/system/manifold.h"

namespace bricard {

void Manifold::add_vector(int size) {
  blocks_.push_back({Kind::vector, nq_, nv_, size});
  nq_ += size, nv_ += size;
}

void Manifold::add_rotation() {
  blocks_.push_back({Kind::rotation, nq_, nv_, 3});
  nq_ += 4, nv_ += 3;
}

void Manifold::add_states(int size) {
  blocks_.push_back({Kind::state, nq_, nv_, size});
  nv_ += size;
}

void Manifold::retract(const VectorXd& q, const VectorXd& delta, VectorXd& out) const {
  for (const Block& b : blocks_) {
    if (b.kind == Kind::vector) {
      for (int i = 0; i < b.size; ++i) out[b.q + i] = q[b.q + i] + delta[b.v + i];
    } else if (b.kind == Kind::rotation) {
      const Quaterniond turned = quaternion_at(q, b.q) * exp_rotation(delta.segment<3>(b.v));
      // one Newton step towards norm 1 removes the round-off of the product
      const double correction = 0.5 * (3 - turned.squaredNorm());
      store_quaternion(out, b.q, Quaterniond(turned.coeffs() * correction));
    }
  }
}

void Manifold::difference(const VectorXd& from, const VectorXd& to, VectorXd& delta) const {
  for (const Block& b : blocks_) {
    if (b.kind == Kind::vector) {
      for (int i = 0; i < b.size; ++i) delta[b.v + i] = to[b.q + i] - from[b.q + i];
    } else if (b.kind == Kind::state) {
      delta.segment(b.v, b.size).setZero();
    } else {
      delta.segment<3>(b.v) = log_rotation(quaternion_at(from, b.q).conjugate() * quaternion_at(to, b.q));
    }
  }
}

void Manifold::rebase(const VectorXd& delta, VectorXd& y) const {
  for (const Block& b : blocks_) {
    if (b.kind != Kind::rotation) {
      for (int i = 0; i < b.size; ++i) y[b.v + i] -= delta[b.v + i];
    } else {
      const Quaterniond back = exp_rotation(delta.segment<3>(b.v)).conjugate();
      y.segment<3>(b.v) = log_rotation(back * exp_rotation(y.segment<3>(b.v)));
    }
  }
}

void Manifold::apply_tangent(const VectorXd& delta, const VectorXd& x, VectorXd& y) const {
  for (const Block& b : blocks_) {
    if (b.kind != Kind::rotation) {
      for (int i = 0; i < b.size; ++i) y[b.v + i] = x[b.v + i];
    } else {
      y.segment<3>(b.v) = tangent_operator(delta.segment<3>(b.v)) * Vector3d(x.segment<3>(b.v));
    }
  }
}

void Manifold::apply_tangent_inverse(const VectorXd& delta, const VectorXd& x, VectorXd& y) const {
  for (const Block& b : blocks_) {
    if (b.kind != Kind::rotation) {
      for (int i = 0; i < b.size; ++i) y[b.v + i] = x[b.v + i];
    } else {
      y.segment<3>(b.v) = tangent_operator_inverse(delta.segment<3>(b.v)) * Vector3d(x.segment<3>(b.v));
    }
  }
}

}  // namespace bricard
