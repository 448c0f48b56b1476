// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "bricard/flex/structure.h"

// Sets of nodes that joints take hold of: six unknowns q, displacement and rotation vector of a place.
//     rigid:    u_i = q₁ + q₂ × r_i                                            theory: docs/theory/finite_elements.md
//     average:  q = A u,  A = (GᵀG)⁻¹Gᵀ,  G_i = [1, −r_i×]: the motion that is nearest to that of the nodes. Forces F, T on it go
//               to the nodes as Aᵀ[F; T]: F in equal shares, T in proportion to the levers.
namespace bricard {

/// An average couples all its nodes with each other.
inline constexpr int kMostAveraged = 1500;

/// An interface at the mean of nodes. Throws ModelError if there are none, they are too few, or all on one line, about which
/// they cannot turn it. `set`: what the user calls them.
InterfaceNodes make_interface(const Structure& structure, const std::string& name, const std::vector<int>& nodes,
                              InterfaceNodes::Spider spider, const std::string& set);

/// A of an average, 6 × 3·nodes.
Eigen::MatrixXd mean_motion(const Structure& structure, const InterfaceNodes& interface);

}  // namespace bricard
