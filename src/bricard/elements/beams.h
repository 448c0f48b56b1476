// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

#include "bricard/math/rotation_functions.h"
#include "bricard/system/element.h"

// Geometrically exact beams with two, three or four nodes.                                 theory: docs/theory/beams.md
//     U = ½ Σ w (ε − ε₀)ᵀ C (ε − ε₀),    ε = (Γ, κ) = (Rᵀ r′, vex(Rᵀ R′)),    σ = C (ε − ε₀ + τ ε̇)
// The x axis of a section runs along the beam. Strains are functions of the poses seen from one of the nodes,
//     d_i = Rᵣᵀ (r_i − r_r),   ψ_i = Log(Rᵣᵀ R_i)
// which do not know where the element is in space:
//     two nodes:            Γ = T(ψ)⁻ᵀ d/L,  κ = ψ/L                             a helix, whose strains are constant
//     three and four nodes: Γ = Exp(ψ)ᵀ d′,  κ = T(ψ) ψ′,  d = Σ N_i d_i,  ψ = Σ N_i ψ_i     at two or three points
// Nodes are Lobatto's points along the beam, strains are taken at Gauss' points, one fewer than nodes.
namespace bricard {

using Matrix6d = Eigen::Matrix<double, 6, 6>;

/// Where nodes and Gauss' points of an element are, from 0 to 1, and the weights of both.
struct BeamRule {
  explicit BeamRule(int nodes);
  std::vector<double> nodes, node_weights, points, point_weights;
};

template <int Nodes>
class Beams final : public ElementBatch {
 public:
  static constexpr int kPoints = Nodes - 1;

  /// A section at which strains are taken.
  struct Point {
    Matrix6d stiffness;  ///< C, of (Γ, κ) in the axes of the section
    Vector6d unstrained = Vector6d::Zero();
  };
  struct Item {
    std::array<int, Nodes> node, v, block;
    double length = 0;   ///< along the unstrained beam
    double damping = 0;  ///< τ
    std::array<Point, kPoints> points;
  };

  /// Section forces of the elements that have a name are signals.
  explicit Beams(std::vector<Item> items, std::vector<std::string> names = {})
      : items_(std::move(items)), names_(std::move(names)) {}

  const char* kind() const override { return "beam"; }
  void add_couplings(std::vector<Coupling>& couplings) const override;
  void add_residual(const Kinematics& k, Residual& r) const override;
  void add_tangent(const Kinematics& k, Tangent& T) const override;
  double potential_energy(const Kinematics& k) const override;
  bool has_power() const override;
  double power(const Kinematics& k) const override;
  bool sees_velocities() const override { return has_power(); }
  void list_signals(std::vector<ElementSignal>& signals) const override;
  void add_signals(const Kinematics& k, std::vector<double>& values) const override;

  const std::vector<Item>& items() const { return items_; }
  /// ε at a point, whatever is unstrained.
  static Vector6d strain(const Item& e, int point, const std::array<Frame, Nodes>& frames);
  /// ε − ε₀ and σ at a point.
  struct Section {
    Vector6d strain, force;
  };
  Section section(const Kinematics& k, int item, int point) const;
  /// Place and axes of the section at x of an element, from 0 to 1.
  Frame section_frame(const Kinematics& k, int item, double x) const;

 private:
  std::vector<Item> items_;
  std::vector<std::string> names_;
};

extern template class Beams<2>;
extern template class Beams<3>;
extern template class Beams<4>;

}  // namespace bricard
