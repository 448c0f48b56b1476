// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <complex>

#include "bricard/analysis/eigenpairs.h"
#include "bricard/analysis/linearize.h"
#include "bricard/analysis/stability.h"

// Free small motions x(t) = Re(φ eˢᵗ):  A φ = s φ.                           theory: docs/theory/linearization.md
namespace bricard {

/// A part of an energy.
struct EnergyShare {
  std::string name;
  double share = 0;
};

struct Eigenmode {
  std::complex<double> s;  ///< 1/s; of a conjugate pair the one with Im s > 0
  VectorXcd x;             ///< states
  VectorXcd shape;  ///< δq: per body displacement (ground axes) and turn (body axes); largest entry 1 m or 1 rad
  std::vector<EnergyShare> kinetic;  ///< by bodies, the largest first, at least a hundredth
  std::vector<EnergyShare> strain;   ///< by forces, likewise; may be negative
  std::string label;
  double error = 0;     ///< 1/s: bound of what round-off in the equations may have changed in s
  double residual = 0;  ///< |A x − s x| relative to |s x|, positions and velocities of bodies at their usual sizes

  bool oscillates() const { return s.imag() != 0; }
  double frequency() const;  ///< Hz: |s|/2π, that of the mode without its damping
  double damping() const;    ///< −Re s/|s|
  bool is_zero() const { return std::abs(s) <= error; }
  bool grows() const { return s.real() > error; }
  /// Not zero, but less than six digits of s, or of the shape, are certain.
  bool doubtful() const;
};

/// What eigenvalues say of a state.
struct StabilityVerdict {
  Stability stability = Stability::neutral;  ///< eigenvalues that are zero left aside, unless there are no others
  double growth = 0;                         ///< 1/s: the largest real part of the others
  int zeros = 0;                             ///< eigenvalues that are zero to within their errors: what moves freely
};
StabilityVerdict judge_stability(const std::vector<Eigenmode>& modes);

struct EigenmodeOptions {
  int count = 0;          ///< of modes, the slowest first; 0: all, which needs at most `dense_limit` states
  double shift = 0;       ///< 1/s; > 0: iterative, modes with eigenvalues near this real number first
  bool undamped = false;  ///< K z = ω² M̂ z
  int dense_limit = 600;  ///< beyond so many states always iterative
};

struct EigenmodeResult {
  std::vector<Eigenmode> modes;  ///< in the order of |s|
  bool iterative = false;
  std::string problem;  ///< what is missing, in plain words
};

/// All or the slowest modes. `linearization` may be absent: the iterative method needs only the equations.
EigenmodeResult find_eigenmodes(LinearEquations& equations, const System& system, const EigenmodeOptions& options);

/// Fills in energies and labels.
void label_modes(const Model& model, const System& system, const State& s, const LinearEquations& equations,
                 std::vector<Eigenmode>& modes);

}  // namespace bricard
