// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "bricard/math/rotation.h"

// The space the coordinates live in: a product of vector spaces Rᵏ and rotations SO(3).
// Only this file knows that q is not a vector.                        theory: docs/theory/rotation.md
//     retract(q, δ) = q∘Exp(δ),    retract(q, δ + dδ) = retract(retract(q, δ), T(δ) dδ) + O(dδ²)
namespace bricard {

class Manifold {
 public:
  enum class Kind { vector, rotation, state };  ///< a state has variations, but no coordinates
  struct Block {
    Kind kind;
    int q, v;  ///< where its coordinates and its variations start
    int size;  ///< number of variations (3 for a rotation, stored as quaternion w x y z)
  };

  void add_vector(int size);
  void add_rotation();
  void add_states(int size);

  int coordinates() const { return nq_; }
  int dimension() const { return nv_; }
  const std::vector<Block>& blocks() const { return blocks_; }

  /// out = q∘Exp(δ); `out` may be `q`.
  void retract(const VectorXd& q, const VectorXd& delta, VectorXd& out) const;
  /// δ with retract(from, δ) = to; rotations by the shorter way.
  void difference(const VectorXd& from, const VectorXd& to, VectorXd& delta) const;
  /// y becomes Log(Exp(δ)⁻¹ Exp(y)): the same point in the chart that has its origin δ further on.
  void rebase(const VectorXd& delta, VectorXd& y) const;
  /// y = T(δ) x
  void apply_tangent(const VectorXd& delta, const VectorXd& x, VectorXd& y) const;
  /// y = T(δ)⁻¹ x
  void apply_tangent_inverse(const VectorXd& delta, const VectorXd& x, VectorXd& y) const;

 private:
  std::vector<Block> blocks_;
  int nq_ = 0, nv_ = 0;
};

/// The quaternion stored at q[i] … q[i+3] as w x y z.
inline Quaterniond quaternion_at(const VectorXd& q, int i) { return {q[i], q[i + 1], q[i + 2], q[i + 3]}; }
inline void store_quaternion(VectorXd& q, int i, const Quaterniond& value) {
  q[i] = value.w(), q[i + 1] = value.x(), q[i + 2] = value.y(), q[i + 3] = value.z();
}

}  // namespace bricard
