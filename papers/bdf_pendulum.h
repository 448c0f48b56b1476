// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <string>
#include <vector>

// The pendulum of [BottassoBauchauCardona2007, eq. (31)], integrated by the two-step BDF (first step: one-step) in the
// three-field form (u, v, λ) or the two-field form (u, λ), with equations and unknowns scaled by powers of h. A
// study of round-off: small, dense, and Newton's method goes on until its corrections stop decreasing.
namespace bricard::bdf_pendulum {

/// The fields; also the rows that belong to them: kinematic equations, equilibrium, constraint.
enum Variable { u, v, lambda };

/// D_L = diag(h^left), D_R = diag(h^right); unknowns are kept as D_R⁻¹ (u, v, λ).
struct Preconditioner {
  std::string name;
  bool two_fields = false;
  std::array<int, 3> left{}, right{};
};

/// no preconditioning, eq. (16), eqs. (23)–(24), eqs. (23) and (29)
Preconditioner three_field_none();
Preconditioner three_field_left();
Preconditioner three_field_both_24();
Preconditioner three_field_both_29();
/// no preconditioning, eq. (44), eqs. (48)–(49)
Preconditioner two_field_none();
Preconditioner two_field_left();
Preconditioner two_field_both();

struct Run {
  double correction = 0;             ///< largest over the steps of the last decreasing Newton correction, 2-norm
  std::array<double, 3> by_field{};  ///< the same per field, maximum norm
  std::array<double, 3> error{};     ///< at the end against the exact solution, unscaled
  double condition = 0;              ///< κ of the last matrix, exact also where it is huge
  double condition_by_svd = 0;       ///< the same from the singular values of the matrix itself, as the paper has it
  int most_iterations = 0;
};

/// From rest at (cos angle, sin angle) to `end`. From (1, 0) some products are exact and short runs show little
/// round-off.
Run integrate(const Preconditioner& p, double h, double end, double angle = 0);

/// Newton's corrections in the step, of so many, that saturates highest when the iteration goes on regardless.
std::vector<double> saturation(const Preconditioner& p, double h, int steps, double angle);

/// κ·h^power as h → 0 from the singular values of the limit of the matrices at u = (1, 0).
struct Limit {
  double constant;
  int power;  ///< κ = constant·h^−power
};
Limit limit_of(const Preconditioner& p);

}  // namespace bricard::bdf_pendulum
