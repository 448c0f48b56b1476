// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

#include "bricard/elements/natural_variable.h"

// What keeps a body rigid in natural coordinates: directions between its points and along its vectors keep their lengths
// and angles. Joints that leave points or directions of two bodies in a relation are of the same kind, with more variables.
//                                                             theory: docs/theory/natural_coordinates.md
//     g = s (d_i·d_j − c),    d_i = c_i + Σ a_k x_k,    d_j = c_j + Σ b_k x_k;     a_k, b_k complex in the plane
namespace bricard {

/// A sum of variables.
template <int d, int kMax>
struct NaturalSum {
  int count = 0;
  std::array<NaturalVariable, kMax> at;
  std::array<double, kMax> re{}, im{};  ///< im in the plane only
  VectorD<d> constant = VectorD<d>::Zero();

  /// Adds a multiple of x; what is fixed goes to the constant.
  void add(const NaturalVariable& x, double factor, double turned = 0);
};

/// `kMax` variables at most: 3 for the rows of a body, 8 for those between two.
template <int d, int kMax>
class DotProducts final : public ElementBatch {
 public:
  struct Item {
    NaturalSum<d, kMax> i, j;
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
  static constexpr bool kTurned = d == 2 && kMax > 3;  ///< factors are complex
  /// An item over the variables of both sums.
  struct Row {
    int count = 0, row, multipliers, offset;
    bool is_square;  ///< d_j = d_i
    std::array<int, kMax> v, block;
    std::array<double, kMax> a{}, b{};
    std::array<double, kTurned ? kMax : 1> a_im{}, b_im{};
    VectorD<d> c_i, c_j;
    double c, scale;
  };
  struct Pair {
    VectorD<d> i, j;
  };
  using MatrixD = Eigen::Matrix<double, d, d>;
  static VectorD<d> times(double re, double im, const VectorD<d>& x);
  static Pair directions(const Row& e, const VectorXd& q, const VectorD<d>& c_i, const VectorD<d>& c_j);
  static VectorD<d> gradient(const Row& e, int k, const Pair& x);
  static MatrixD curvature(const Row& e, int k, int l);
  std::vector<Row> rows_;
};

extern template struct NaturalSum<2, 3>;
extern template struct NaturalSum<3, 3>;
extern template struct NaturalSum<2, 8>;
extern template struct NaturalSum<3, 8>;
extern template class DotProducts<2, 3>;
extern template class DotProducts<3, 3>;
extern template class DotProducts<2, 8>;
extern template class DotProducts<3, 8>;

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
