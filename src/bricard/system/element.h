// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "bricard/system/state.h"

// The one seam: elements know no integrator, integrators know no element.
//     r(t,q,v,a,λ) = M(q) a − f(t,q,v) + Gᵀ(t,q) λ + Hᵀ(t,q) μ = 0,     g(t,q) = 0,   G = ∂g/∂q
//     H(t,q) v + h₀(t,q) = 0                                              velocity rows, of rolling and the like
// μ stands among the λ, and the velocity rows among those of g. A differential state x is the velocity of an unknown
// without position, ẋ its acceleration.                                  theory: docs/theory/states.md, nonholonomic.md
namespace bricard {

/// r and g. `motion` has more entries than there are velocities: six rows of ground, never read, and six for each frame
/// that follows other unknowns, whose rows they are added to.
struct Residual {
  VectorXd motion;
  VectorXd constraint;
  double penalty = 0;  ///< λ + penalty·g acts in the place of λ (augmented Lagrangian)
  double rate = 0;  ///< velocity rows have rate·(H v + h₀) in the place of g: 1/c_v in a step, where it is a length
};

/// How q, v and a move with the unknown z of a Newton system, times the factors of its rows:
///     tangent = q ∂r/∂q + (v ∂r/∂v + a ∂r/∂a) T⁻¹,    constraint·G,    penalty·GᵀG
struct Weights {
  double q = 0, v = 0, a = 0;
  double constraint = 0;
  double penalty = 0;
  double x = 0, x_rate = 0;     ///< of differential states and their rates: v and a in a time step, 1 and 0 at rest
  double row_v = 0, row_q = 0;  ///< velocity rows: row_v H T⁻¹ + row_q ∂(H v + h₀)/∂q
  bool rates_only = false;      ///< penalty·HᵀH of velocity rows, but not GᵀG of those on positions
};

/// Two unknown blocks that meet in the tangent; −1 stands for ground. Elements name frames by System::block_of.
struct Coupling {
  int a, b;
  bool acts = true;  ///< false: a depends on the multiplier b, which is no force on a
};

/// Where the block (a, b) of a Coupling lies in the factor's storage (column-major).
struct Slot {
  int offset = 0, stride = 0;
  bool flipped = false;  ///< a is eliminated before b: the storage holds the transposed pair
};

/// Receives tangent blocks and adds them where the factorization wants them.
/// For each coupling one block of the lower triangle and, unless the storage is symmetric, the transposed
/// block of the upper triangle at the same place of a second array. Diagonal blocks are stored in full.
class Tangent {
 public:
  Weights w;
  const Matrix3d* chart = nullptr;  ///< T(δ)⁻¹ of each frame's rotation; 1 for followers
  const Slot* slots = nullptr;      ///< of the batch at work, in the order of its couplings
  double* lower = nullptr;
  double* upper = nullptr;  ///< null: symmetric storage, the two triangles are averaged

  /// Adds X to the diagonal block `slot` at row r, column c.
  template <class Block>
  void add_diagonal(const Slot& slot, int r, int c, const Block& X) {
    double* at = lower + slot.offset + r + c * slot.stride;
    for (int j = 0; j < X.cols(); ++j)
      for (int i = 0; i < X.rows(); ++i) at[i + j * slot.stride] += X(i, j);
  }

  /// Adds X to block (a, b) and Yᵀ to block (b, a), both shifted by (r, c) seen from (a, b).
  template <class Block>
  void add_pair(const Slot& slot, int r, int c, const Block& X, const Block& Y) {
    if (!upper) {
      add_one(lower, slot, r, c, (0.5 * (X + Y)).eval());
    } else {
      add_one(slot.flipped ? upper : lower, slot, r, c, X);
      add_one(slot.flipped ? lower : upper, slot, r, c, Y);
    }
  }

  /// Adds X to block (a, b) alone; `diagonal`: a and b are the same.
  template <class Block>
  void add_block(const Slot& slot, bool diagonal, int r, int c, const Block& X) {
    if (diagonal) add_diagonal(slot, r, c, X);
    else add_pair(slot, r, c, X, Block(Block::Zero(X.rows(), X.cols())));
  }

  /// x times the 3×3 identity to block (a, b) and to block (b, a).
  void add_identity(const Slot& slot, int r, int c, double x) {
    const int at = slot.offset + (slot.flipped ? c + r * slot.stride : r + c * slot.stride), next = slot.stride + 1;
    for (int i = 0; i < 3; ++i) lower[at + i * next] += x;
    for (int i = 0; upper && i < 3; ++i) upper[at + i * next] += x;
  }

  /// The same for a pair that is symmetric: X to block (a, b) and Xᵀ to block (b, a).
  template <class Block>
  void add_symmetric(const Slot& slot, int r, int c, const Block& X) {
    add_one(lower, slot, r, c, X);
    if (upper) add_one(upper, slot, r, c, X);
  }

 private:
  template <class Block>
  static void add_one(double* array, const Slot& slot, int r, int c, const Block& X) {
    if (slot.flipped) {
      double* at = array + slot.offset + c + r * slot.stride;
      for (int i = 0; i < X.rows(); ++i)
        for (int j = 0; j < X.cols(); ++j) at[j + i * slot.stride] += X(i, j);
    } else {
      double* at = array + slot.offset + r + c * slot.stride;
      for (int j = 0; j < X.cols(); ++j)
        for (int i = 0; i < X.rows(); ++i) at[i + j * slot.stride] += X(i, j);
    }
  }
};

/// Force and torque on the second body of a joint: ground axes, about the origin of the body's frame.
struct Wrench {
  Vector3d force = Vector3d::Zero(), torque = Vector3d::Zero();
};

/// A number over time that an element reports.
struct ElementSignal {
  std::string name, unit;
};

/// All elements of one kind, side by side in memory. It does not change: what events switch is in State::discrete.
class ElementBatch {
 public:
  virtual ~ElementBatch() = default;

  /// What it is called in messages and tests.
  virtual const char* kind() const = 0;

  /// The blocks it writes in add_tangent, in that order.
  virtual void add_couplings(std::vector<Coupling>& couplings) const = 0;

  virtual void add_residual(const Kinematics& k, Residual& r) const = 0;
  virtual void add_tangent(const Kinematics& k, Tangent& T) const = 0;

  /// Gᵀλ alone; asked for only if it has multipliers. For elements that do nothing else add_residual says it.
  virtual void add_constraint_forces(const Kinematics& k, Residual& r) const { add_residual(k, r); }

  /// ġ and g̈ − G a of its constraint rows; of velocity rows y = H v + h₀ itself and ẏ − H a.
  virtual void add_constraint_rates(const Kinematics&, VectorXd& /*rate*/, VectorXd& /*bias*/) const {}

  /// ∂r/∂u and ∂(H v + h₀)/∂u of one named input of the system, the latter in the rows of g.
  virtual void add_input_derivative(const Kinematics&, int /*input*/, Residual&) const {}

  /// Reactions of joint j go to wrenches[j].
  virtual void add_reactions(const Kinematics&, std::vector<Wrench>& /*wrenches*/) const {}

  virtual double kinetic_energy(const Kinematics&) const { return 0; }
  virtual double potential_energy(const Kinematics&) const { return 0; }

  /// Power that dampers, motions and applied forces put into the system.
  virtual bool has_power() const { return false; }
  virtual double power(const Kinematics&) const { return 0; }

  /// The elements of one joint alone, for its reactions; null if it has none. Each batch with add_reactions has this.
  virtual std::unique_ptr<ElementBatch> part_of_joint(int /*joint*/) const { return nullptr; }

  /// Whether its tangent is so far from symmetric that the average of both triangles would not do.
  virtual bool is_unsymmetric() const { return false; }
  /// Whether its forces depend on accelerations or multipliers.
  virtual bool sees_accelerations() const { return false; }
  /// Whether its rows depend on velocities, and whether it has mass. Asked on followers, whose tangents are made of parts.
  virtual bool sees_velocities() const { return true; }
  virtual bool has_inertia() const { return false; }

  /// What results show besides: names, and the values in the same order.
  virtual void list_signals(std::vector<ElementSignal>&) const {}
  virtual void add_signals(const Kinematics&, std::vector<double>& /*values*/) const {}

  /// Root functions: whom each belongs to in messages (joint-stop 'bumper'), and the values in the same order, from *next on.
  /// A change of sign is an event, at which a step ends.                   theory: docs/theory/events.md
  virtual void list_roots(std::vector<std::string>& /*owners*/) const {}
  virtual void add_roots(const Kinematics&, double*& /*next*/) const {}
  /// Its root has become positive (rising) or negative at s: changes its entries of s.discrete. Returns what happened in
  /// words; "" if nothing did.
  virtual std::string pass_root(int /*root*/, bool /*rising*/, State& /*s*/) const { return ""; }
};

}  // namespace bricard
