// SPDX-License-Identifier: Apache-2.0
#include "bricard/flex/shape_choice.h"

#include <cmath>

namespace bricard {

using Eigen::MatrixXd;

ReducedPart with_shapes(const ReducedPart& part, const std::vector<int>& kept, const VectorXd& factors) {
  ReducedPart out = part;
  const auto columns = [&](auto& shapes) {
    if (shapes.cols() > 0)
      shapes = (shapes(Eigen::all, kept) * factors.cast<typename std::decay_t<decltype(shapes)>::Scalar>().asDiagonal())
                   .eval();
  };
  const auto squares = [&](MatrixXd& m) {
    if (m.size() > 0) m = (factors.asDiagonal() * m(kept, kept) * factors.asDiagonal()).eval();
  };
  columns(out.inertia.shapes), columns(out.inertia.points_shapes);
  for (MatrixXd& m : out.inertia.shapes_shapes) squares(m);
  squares(out.stiffness), squares(out.damping);
  if (out.stiffening) {
    for (MatrixXd& m : out.stiffening->X) squares(m);
    for (MatrixXd& m : out.stiffening->Y) squares(m);
  }
  for (PartInterface& at : out.interfaces) {
    columns(at.translation), columns(at.rotation);
    for (MatrixXd& m : at.shortening) squares(m);
  }
  columns(out.surface.shapes), columns(out.surface.stresses);
  out.frequencies.clear();
  for (const int i : kept)
    if (static_cast<size_t>(i) < part.frequencies.size())
      out.frequencies.push_back(part.frequencies[static_cast<size_t>(i)]);
  return out;
}

namespace {

/// ∫ φᵀφ dm of each shape.
VectorXd modal_masses(const ReducedPart& part) {
  const auto& C = part.inertia.shapes_shapes;
  return (C[0] + C[3] + C[5]).diagonal();
}

}  // namespace

ReducedPart with_lengths(const ReducedPart& part) {
  std::vector<int> all(static_cast<size_t>(part.shapes()));
  for (size_t i = 0; i < all.size(); ++i) all[i] = static_cast<int>(i);
  return with_shapes(part, all, (part.inertia.mass * modal_masses(part).cwiseInverse()).cwiseSqrt());
}

MatrixXd modal_damping(const ReducedPart& part, const std::vector<double>& ratios) {
  const VectorXd m = modal_masses(part);
  VectorXd damping(part.shapes());
  for (Eigen::Index i = 0; i < damping.size(); ++i)
    damping[i] = 2 * ratios[ratios.size() == 1 ? 0 : static_cast<size_t>(i)] *
                 std::sqrt(std::max(0.0, part.stiffness(i, i) * m[i]));
  return damping.asDiagonal();
}

}  // namespace bricard
