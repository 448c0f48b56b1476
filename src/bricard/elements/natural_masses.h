// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

#include "bricard/elements/natural_variable.h"

// Inertia and weight of bodies in natural coordinates.          theory: docs/theory/natural_coordinates.md
//     r_k = Σ_l M_kl ẍ_l − w_k,      M_kl = m_kl 1 (+ n_kl i in the plane), constant
namespace bricard {

template <int d>
class NaturalMasses final : public ElementBatch {
 public:
  static constexpr int kColumns = d == 2 ? 2 : 4;  ///< variables a body's points follow from
  struct Item {
    std::array<NaturalVariable, kColumns> at;
    Eigen::Matrix<double, kColumns, kColumns> m, n;  ///< n is skew; zero in space
    std::array<VectorD<d>, kColumns> weight;
    double potential = 0;  ///< what weight does not tell: the height across the plane
  };

  explicit NaturalMasses(const std::vector<Item>& items);

  const char* kind() const override { return "natural bodies"; }
  void add_couplings(std::vector<Coupling>& couplings) const override;
  void add_residual(const Kinematics& k, Residual& r) const override;
  void add_tangent(const Kinematics& k, Tangent& T) const override;
  double kinetic_energy(const Kinematics& k) const override;
  double potential_energy(const Kinematics& k) const override;

 private:
  /// M is constant: what all bodies have at a variable, or at a pair of them, is added up once.
  struct Own {
    NaturalVariable at;
    double m;
    VectorD<d> weight;
  };
  struct Mixed {
    NaturalVariable a, b;
    double m, n;  ///< M_ab = m 1 + n i;  M_ba = m 1 − n i
  };
  Own& own(const NaturalVariable& x);
  std::vector<Own> own_;
  std::vector<Mixed> mixed_;
  double potential_ = 0;  ///< of what is fixed
};

extern template class NaturalMasses<2>;
extern template class NaturalMasses<3>;

}  // namespace bricard
