// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <vector>

#include "bricard/system/system.h"

// The tangent of all elements in the unknowns of the system.                        docs/architecture.md, Followers
// Batches between frames that have unknowns of their own write where the factorization wants it. What a batch writes for
// followers goes to memory of this class first, and from there with
//     w_q ∂r/∂q + (w_v ∂r/∂v + w_a ∂r/∂a) T⁻¹  =  Jᵀ (K J + D R_v + M R_a) + w_q ∂(Jᵀf)/∂q
//     R_v = w_v (J T⁻¹ − J) + w_q ∂(J v)/∂q,     R_a = w_a (J T⁻¹ − J) + w_q ∂(J v̇ + J̇ v)/∂q + w_v ∂(J̇ v)/∂v T⁻¹
// to the blocks that they follow: K is the tangent of the elements with all weights and T = 1 for followers, D and M are
// those after velocities and accelerations alone. A velocity row has its own two weights in R_v.
namespace bricard {

/// Belongs to whoever factorizes: a system can be used by several of them at once.
class TangentAssembly {
 public:
  enum class Which { all, with_multipliers };  ///< of the batches
  explicit TangentAssembly(const System& system, Which which = Which::all);

  /// Pairs of unknown blocks, in the order in which `add` wants their slots.
  const std::vector<Coupling>& couplings() const { return couplings_; }

  /// Adds the tangents at k to T, whose `slots` are used up on the way.
  void add(const Kinematics& k, const Slot* slots, Tangent& T);

 private:
  using Matrix = Eigen::Map<Eigen::MatrixXd>;
  using Place = Eigen::Map<const Eigen::MatrixXd>;
  /// One block of a coupling as the element names it, and the unknown blocks that it becomes.
  struct Side {
    struct Part {
      int block, size, column;
    };
    std::vector<Part> parts;
    int follower = -1;
    int size = 0, columns = 0;  ///< of the element's block, and of all parts
    bool multiplier = false;
  };
  struct Pair {
    Side a, b;
    bool diagonal;
    size_t place;  ///< in the parts below
  };
  struct Batch {
    const ElementBatch* elements;
    size_t first;              ///< of its slots
    std::vector<Pair> pairs;   ///< none: no followers in it
    std::vector<Slot> places;  ///< of all its couplings
    size_t size = 0;
  };
  /// What a batch wrote: with all weights, after velocities, after accelerations.
  struct Written {
    std::vector<double> lower, upper;
    bool there = false;
  };
  /// Of one follower.
  struct Factors {
    Matrix6Xd charted;              ///< J T⁻¹ − J
    Matrix6Xd V, W;                 ///< gradients: of the velocity, of others
    Matrix6Xd by_v;                 ///< ∂(J̇ v)/∂v T⁻¹
    Matrix6Xd of_v, of_rows, of_a;  ///< R_v of motion and of velocity rows, R_a
    Eigen::MatrixXd curvature;      ///< ∂(Jᵀf)/∂q
    VectorXd x;
  };

  Side side_of(int block) const;
  void add_batch(const ElementBatch& batch);
  void add_curvature_couplings();
  void prepare(const Kinematics& k, const Tangent& T);
  void prepare_accelerations(const Kinematics& k, const Tangent& T, int follower);
  void evaluate(const Batch& batch, const Kinematics& k, const Tangent& T, const Weights& w, Written& out);
  void add_mapped(const Batch& batch, const Kinematics& k, Tangent& T);
  const Slot* add_pair(const Pair& pair, const Kinematics& k, const Slot* slot, Tangent& T);
  const Matrix6Xd& columns_of(const Kinematics& k, const Side& side, bool of_rows, int part) const;
  void add_curvature(const Kinematics& k, Tangent& T);

  const System& system_;
  std::vector<Coupling> couplings_;
  std::vector<Batch> batches_;
  std::vector<Factors> factors_;  ///< per follower
  std::vector<int> acted_on_;     ///< followers with forces on them
  size_t first_curvature_ = 0;
  bool has_rotations_ = false, has_bias_ = false, has_mass_ = false;
  std::array<Written, 3> written_;
  std::array<std::vector<double>, 4> work_;
  Residual residual_;
};

}  // namespace bricard
