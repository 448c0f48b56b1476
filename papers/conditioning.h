// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "bricard/solve/newton_system.h"

// Condition numbers of Newton matrices  [S Gᵀ; G 0]  in the 2-norm, also where they exceed what double precision
// resolves.
namespace bricard::conditioning {

/// σ_max/σ_min.
double condition_number(const Eigen::MatrixXd& A);

/// The matrix without the directions of dependent constraints: multipliers in the range of G, in an orthonormal basis
/// of it. Its singular values are the non-zero ones of A; `coordinates` is the size of S.
Eigen::MatrixXd without_redundancy(const Eigen::MatrixXd& A, int coordinates);

/// κ of L A R for diagonal L and R and a well-conditioned A. The inverse R⁻¹ A⁻¹ L⁻¹ is formed from that of A, so that
/// no digits are lost however large κ is; the singular values of L A R itself are wrong from κ ≈ 1e16 on.
double condition_number(const Eigen::VectorXd& L, const Eigen::MatrixXd& A, const Eigen::VectorXd& R);

/// κ of the matrix that the program builds for a step in the state s. Dependent constraints are left out, as are what
/// `form` wants in their place.
double condition_number(const System& system, const State& s, const NewtonForm& form);

/// The same with other factors c and s, by way of the scaled ones in `form`, which has ρ = 0: no digits are lost.
double condition_number(const System& system, const State& s, const NewtonForm& form, double factor, double scale);

/// The same for the equations without any scaling (c = s = 1), by way of the scaled ones in `form`, which has ρ = 0.
double unscaled_condition_number(const System& system, const State& s, const NewtonForm& form);

/// The slope of log y over log x between the first and the last of positive values.
double slope(const std::vector<double>& x, const std::vector<double>& y);

}  // namespace bricard::conditioning
