// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

#include "bricard/elements/natural_variable.h"

// What keeps a body rigid in natural coordinates: directions between its points and along its vectors keep their lengths
// and angles.                                                  theory: docs/theory/natural_coordinates.md
//     g = s (d_i·d_j − c),    d_i = Σ a_k x_k,    d_j = Σ b_k x_k
namespace bricard {

template <int d>
class DotProducts final : public ElementBatch {
 public:
  static constexpr int kMax = 3;
  struct Item {
    int count;
    std::array<NaturalVariable, kMax> at;
    std::array<double, kMax> a{}, b{};
    double c, scale;
    int multipliers, offset, row;  ///< block of its multiplier, place within it, place in State::lambda
  };

  explicit DotProducts(const std::vector<Item>& items);

  const char* kind() const override { return "dot product"; }
  void add_couplings(std::vector<Coupling>& couplings) const override;
  void add_residual(const Kinematics& k, Residual& r) const override;
  void add_tangent(const Kinematics& k, Tangent& T) const override;
  void add_constraint_rates(const Kinematics& k, VectorXd& rate, VectorXd& bias) const override;

 private:
  /// An item with its fixed variables added up.
  struct Row {
    int count, row, multipliers, offset;
    bool is_square;  ///< d_j = d_i
    std::array<int, kMax> v, block;
    std::array<double, kMax> a, b;
    VectorD<d> c_i, c_j;
    double c, scale;
  };
  struct Pair {
    VectorD<d> i, j;
  };
  static Pair directions(const Row& e, const VectorXd& q);
  static VectorD<d> gradient(const Row& e, int k, const Pair& x);
  std::vector<Row> rows_;
};

extern template class DotProducts<2>;
extern template class DotProducts<3>;

/// A variable that is tied to others of the same body: Σ (c_k + e_k i) x_k = 0, d rows; e_k in the plane only.
template <int d>
class NaturalTies final : public ElementBatch {
 public:
  static constexpr int kMax = 5;
  struct Item {
    int count;
    std::array<NaturalVariable, kMax> at;
    std::array<double, kMax> c{}, e{};
    int multipliers, row;
  };

  explicit NaturalTies(std::vector<Item> items) : items_(std::move(items)) {}

  const char* kind() const override { return "tie"; }
  void add_couplings(std::vector<Coupling>& couplings) const override;
  void add_residual(const Kinematics& k, Residual& r) const override;
  void add_tangent(const Kinematics& k, Tangent& T) const override;
  void add_constraint_rates(const Kinematics& k, VectorXd& rate, VectorXd& bias) const override;

 private:
  std::vector<Item> items_;
};

extern template class NaturalTies<2>;
extern template class NaturalTies<3>;

}  // namespace bricard
