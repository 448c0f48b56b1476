// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

#include "bricard/elements/natural_masses.h"
#include "bricard/system/system.h"

// The frames of bodies that are described in natural coordinates, and what acts on them.
//                                                             theory: docs/theory/natural_coordinates.md
// Origin and axes are linear in the variables of a body,
//     (p, e₁, e₂, e₃) = c + Σ C_k x_k,       v = Σ P_k ẋ_k,   ω = Σ Θ_k ẋ_k,
// with Θ taken half from one and half from the other axis of each pair, so that ω̇ = Σ Θ_k ẍ_k without a further term.
namespace bricard {

/// How the frame of one body follows its variables.
template <int d>
struct NaturalFrame {
  static constexpr int kColumns = NaturalMasses<d>::kColumns;
  std::array<NaturalVariable, kColumns> at;
  std::array<Eigen::Matrix<double, 12, d>, kColumns> C;
  Eigen::Matrix<double, 12, 1> c;
};

template <int d>
class NaturalFrames final : public FrameSource {
 public:
  using Rates = Eigen::Matrix<double, 6, d>;  ///< δ(pose of the frame) = Σ Rates δx_k
  explicit NaturalFrames(std::vector<NaturalFrame<d>> frames);

  void update(const State& s, std::vector<Frame>& frames) const override;
  double fastest_turn(const State& s) const override { return lever_ * s.v.template lpNorm<Eigen::Infinity>(); }
  void accelerations(const State& s, const std::vector<Frame>& frames, VectorXd& a) const override;
  const NaturalFrame<d>& of_node(int node) const { return frames_[node - 1]; }
  /// P_k and Θ_k of one variable where the frame is now; with Ṙ in the place of R: minus the derivative of ω.
  static Rates rates(const NaturalFrame<d>& f, int column, const Matrix3d& R);

 private:
  std::vector<NaturalFrame<d>> frames_;
  double lever_ = 0;  ///< fastest relative turn per largest velocity component
};

/// Forces and joints between frames, written for frames with unknowns of their own, on frames of natural bodies:
/// residuals and tangents are taken from one to the other with Rates. `on_frames` has the elements and no bodies; its
/// multipliers are the first of the system this batch is part of.
template <int d>
class FrameElements final : public ElementBatch {
 public:
  /// `multipliers`: the unknown blocks that those of `on_frames` became, in the same order.
  FrameElements(System on_frames, std::shared_ptr<const NaturalFrames<d>> frames, const std::vector<int>& multipliers);

  const char* kind() const override { return "elements on natural bodies"; }
  void list_roots(std::vector<std::string>& owners) const override;
  void add_roots(const Kinematics& k, double*& next) const override;
  std::string pass_root(int root, bool rising, State& s) const override;
  void add_couplings(std::vector<Coupling>& couplings) const override;
  void add_residual(const Kinematics& k, Residual& r) const override;
  void add_tangent(const Kinematics& k, Tangent& T) const override;
  void add_constraint_forces(const Kinematics& k, Residual& r) const override;
  void add_constraint_rates(const Kinematics& k, VectorXd& rate, VectorXd& bias) const override;
  double potential_energy(const Kinematics& k) const override { return inner_.potential_energy(seen(k)); }
  bool has_power() const override { return inner_.has_power(); }
  double power(const Kinematics& k) const override { return inner_.power(seen(k)); }
  bool is_unsymmetric() const override { return inner_.is_unsymmetric(); }

 private:
  using Rates = typename NaturalFrames<d>::Rates;
  static constexpr int kColumns = NaturalMasses<d>::kColumns;
  using Columns = std::array<Rates, kColumns>;
  using Small = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::ColMajor, 6, 6>;
  using Place = Eigen::Map<const Eigen::Matrix<double, 6, 6>>;

  /// What one side of an inner coupling becomes: blocks of a body's variables, or multipliers.
  struct Side {
    int node = 0;   ///< 0: multipliers
    int size = 6;   ///< rows of the inner block
    int count = 0;  ///< of outer blocks
    std::array<int, kColumns> blocks{};
  };
  /// The frames with a state that has the sizes of the inner system; accelerations are not known.
  const Kinematics& seen(const Kinematics& k) const;
  Small times(const Side& side, int column, const std::vector<Columns>& rates, const Small& X) const;
  void add_wrenches(const Kinematics& k, Residual& r) const;
  void evaluate_tangents(const Kinematics& k, const Weights& w) const;
  void add_mapped(Tangent& T, bool of_velocities) const;
  void add_curvature(const Kinematics& k, Tangent& T) const;

  System inner_;
  std::shared_ptr<const NaturalFrames<d>> frames_;
  std::vector<Side> sides_;          // of all inner blocks
  std::vector<Coupling> couplings_;  // inner, of all batches
  std::vector<size_t> first_;        // of each batch
  std::vector<Slot> slots_;          // places of inner blocks in the scratch arrays
  std::vector<int> touched_;         // nodes that something acts on
  // scratch of one evaluation
  mutable State state_;
  mutable Kinematics kinematics_;
  mutable Residual residual_;
  mutable std::vector<double> lower_, upper_;
  mutable std::vector<Matrix3d> no_chart_;
  mutable std::vector<Columns> rates_, turning_;
};

extern template class NaturalFrames<2>;
extern template class NaturalFrames<3>;
extern template class FrameElements<2>;
extern template class FrameElements<3>;

}  // namespace bricard
