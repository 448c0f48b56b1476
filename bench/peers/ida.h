// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bricard/system/system.h"

// SUNDIALS IDA, a BDF code of variable step and order, on the equations of a System: a peer to compare with.
// Stabilized index 2 after Gear, Gupta and Leimkuhler, unknowns y = (q, v, λ, μ), quaternions as they are:
//     q̇ = B(q) (v − W Gᵀμ),   M v̇ + Gᵀλ = f,   g = 0,   ġ = 0
// Residual and derivatives are those of the System (only ∂ġ/∂q is a quotient of differences), the matrix is sparse and
// factorized by KLU. λ and μ are not part of the error test. IDA cannot solve dependent equations: of the constraints it
// gets those that are independent at the start.
namespace bricard {

struct PeerResult {
  bool finished = false;
  VectorXd q;
  long steps = 0;
};

/// The sizes of unknowns over the run; times the tolerance they are IDA's absolute tolerances.
struct PeerScales {
  double velocity = 1, rate = 1, multiplier = 1;
};

PeerResult run_ida(const System& system, const State& start, const PeerScales& scales, double duration,
                   double tolerance);

}  // namespace bricard
