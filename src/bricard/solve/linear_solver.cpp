// SPDX-License-Identifier: Apache-2.0
#include "bricard/solve/linear_solver.h"

#include <algorithm>

#include "bricard/solve/dense_solver.h"
#include "bricard/solve/klu_solver.h"
#include "bricard/solve/skyline_solver.h"
#include "bricard/solve/sparse_solver.h"

namespace bricard {

void LinearSolver::clear() {
  std::fill(lower_.begin(), lower_.end(), 0.0);
  std::fill(upper_.begin(), upper_.end(), 0.0);
}

namespace {

std::unique_ptr<LinearSolver> solver_of(SolverType type, const std::vector<UnknownBlock>& blocks,
                                        const std::vector<Coupling>& couplings) {
  switch (type) {
    case SolverType::dense: return std::make_unique<DenseSolver>(blocks);
    case SolverType::skyline: return std::make_unique<SkylineSolver>(blocks, couplings);
    case SolverType::klu: return std::make_unique<KluSolver>(blocks, couplings);
    case SolverType::sparse_lu: return std::make_unique<SparseSolver>(blocks, couplings, false);
    case SolverType::automatic:
    case SolverType::sparse_ldlt: break;
  }
  return std::make_unique<SparseSolver>(blocks, couplings, true);
}

}  // namespace

std::unique_ptr<LinearSolver> make_linear_solver(SolverType type, const std::vector<UnknownBlock>& blocks,
                                                 const std::vector<Coupling>& couplings, const Tolerances& tolerances) {
  std::unique_ptr<LinearSolver> solver = solver_of(type, blocks, couplings);
  solver->use(tolerances);
  return solver;
}

}  // namespace bricard
