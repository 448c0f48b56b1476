// SPDX-License-Identifier: Apache-2.0
#include "bricard/analysis/neighbours.h"

#include <algorithm>

#include "bricard/analysis/consistent_start.h"
#include "bricard/analysis/modes.h"

namespace bricard {
namespace {

constexpr int kNeighbours = 3;
constexpr double kNeighbourhood = 0.03;  // reference lengths and radians away

}  // namespace

std::vector<State> find_neighbours(const System& system, const State& s, double later) {
  std::vector<State> found;
  for (int i = 0; i < kNeighbours; ++i) {
    State moved = s;
    const VectorXd way = random_feasible_velocity(system, s, 7 + i);
    const double length = system.reference_length;
    double size = 0;
    for (const Manifold::Block& b : system.manifold().blocks())
      size = std::max(
          size, way.segment(b.v, b.size).lpNorm<Eigen::Infinity>() / (b.kind == Manifold::Kind::rotation ? 1 : length));
    if (size == 0 && system.motions.empty()) return found;
    if (size > 0) system.manifold().retract(s.q, kNeighbourhood / size * way, moved.q);
    moved.t = s.t + later;
    StartReport report;
    assemble_positions(system, SolverType::automatic, moved, report);
    if (report.assembled) found.push_back(std::move(moved));
  }
  return found;
}

}  // namespace bricard
