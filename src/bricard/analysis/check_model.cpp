// SPDX-License-Identifier: Apache-2.0
#include "bricard/analysis/check_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>

#include "bricard/analysis/check_remedy.h"
#include "bricard/analysis/mechanism_graph.h"
#include "bricard/analysis/modes.h"
#include "bricard/analysis/name_list.h"
#include "bricard/analysis/neighbours.h"
#include "bricard/analysis/start_problems.h"
#include "bricard/analysis/trial_run.h"
#include "bricard/assemble/assemble.h"
#include "bricard/assemble/markers.h"
#include "bricard/solve/newton_system.h"

namespace bricard {
namespace {

constexpr double kStands = 1e-3;   // rad in the whole run: no oscillation, but a motion without resistance
constexpr double kMoves = 1e-5;    // of the largest velocity: anything below stands still
constexpr size_t kMostNamed = 8;   // bodies or changes in a sentence
constexpr double kFarGuess = 0.5;  // rad, reference lengths: another way of assembly may have been meant

Dependencies dependencies_at(const System& system, const State& s, const ConstraintRank& rank) {
  if (rank.rank == system.multipliers() - system.rows_off(s)) return {};
  Kinematics k = system.make_kinematics();
  system.update(s, k);
  SparseTangent tangent(system);
  tangent.evaluate(k, 0, 0, 0);
  return name_dependencies(system, k, tangent.G(), rank.rank);
}

/// Rank and dependencies at the start, and at the neighbour of highest rank, which becomes
/// `generic`.
void find_dependencies(const Model& model, const System& system, const State& s, CheckReport& report, State& generic) {
  ConstraintRank here;
  if (report.start.assembled) {  // where the start was completed, it was found
    here.rank = system.motions_without_constraints() - report.start.degrees_of_freedom;
    here.weakest = report.start.weakest;
  } else {
    here = rank_at(system, s);
  }
  report.degrees_of_freedom = system.motions_without_constraints() - here.rank;
  report.weakest = here.weakest;
  generic = s;
  ConstraintRank best = here;
  // Independent equations of joints without a loop are independent everywhere, and no position of theirs is special.
  const bool same_everywhere = report.loops.empty() && model.couplers.empty() && model.motions.empty() &&
                               here.rank == system.multipliers() - system.rows_off(s);
  report.generic_known = same_everywhere;
  const double later = 0.01 * model.run.duration;
  for (const State& near : same_everywhere ? std::vector<State>() : find_neighbours(system, s, later)) {
    ConstraintRank there = rank_at(system, near);
    if (report.generic_known && there.rank <= best.rank) continue;
    report.generic_known = true;
    if (there.rank >= best.rank) best = std::move(there), generic = near;
  }
  report.generic_degrees_of_freedom = system.motions_without_constraints() - best.rank;
  report.always = dependencies_at(system, generic, best);
  if (report.is_singular()) report.at_start = dependencies_at(system, s, here);
}

/// To 1, 2 or 5 times a power of ten.
double rounded_down(double step) {
  const double rounded = std::pow(10.0, std::floor(3 * std::log10(step)) / 3);
  return std::stod(fmt::format("{:.0e}", rounded));
}

void find_time_scales(const System& system, const State& s, double duration, SmallMotions& motions,
                      CheckReport& report) {
  TimeScales& scales = report.scales;
  scales.moving = s.v.lpNorm<Eigen::Infinity>() > 1e-9;
  const ModeRange range = motions.mode_range(motions.let_go(s));
  const double noise = 1e-9 * (range.any() ? std::abs(range.fastest[0].stiffness) : 0);
  for (const auto* modes : {&range.softest, &range.fastest})
    for (const Mode& mode : *modes) {
      if (mode.stiffness < -noise) scales.fastest_growth = std::max(scales.fastest_growth, std::sqrt(-mode.stiffness));
      if (mode.stiffness <= noise) continue;
      const double frequency = std::sqrt(mode.stiffness);
      if (frequency * duration < kStands) continue;
      scales.fastest = std::max(scales.fastest, frequency);
      scales.slowest = scales.slowest == 0 ? frequency : std::min(scales.slowest, frequency);
    }
  const SparseRows& damping = motions.damping(s);
  for (const Mode& mode : range.fastest) scales.damping = std::max(scales.damping, mode.z.dot(damping * mode.z));
  for (const FrameNode& node : system.nodes())
    if (node.block >= 0) scales.turning = std::max(scales.turning, s.v.segment<3>(node.v + 3).norm());
  // HHT needs about 20 steps per period for 1 % of error in it, and 50 for a turn of a crank. The waves in single elements
  // of a beam are faster than anything that moves it; what does is measured below.
  scales.of_mesh = !report.beams.empty() || !system.flexible.empty();
  double rate = scales.of_mesh ? 0 : 20 / (2 * std::numbers::pi) * std::max(scales.fastest, scales.fastest_growth);
  rate = std::max(rate, 50 / (2 * std::numbers::pi) * scales.turning);
  // what moves at the start, and what gets moving later, is no matter of frequencies: it is measured
  if (const double step = report.can_run() ? measure_step(system, s, duration) : 0; step > 0)
    rate = std::max(rate, 1 / step);
  if (!(rate > 0)) return;
  const double guess = rounded_down(1 / rate);
  ConfirmedStep found{guess, 0, ""};
  if (report.can_run()) found = confirm_step(system, s, duration, guess);
  scales.suggested_step = found.step < guess ? rounded_down(found.step) : guess;
  scales.followed = found.followed, scales.doubt = found.doubt;
}

/// Another way to close the joints with less movement: from guesses that are moved at random.
bool has_nearer_closure(const System& system, const State& guess, const State& start) {
  const double taken = distance_between(system, guess, start);
  if (!(taken > 1e-3 * system.reference_length) || system.velocities() > 600) return false;
  std::mt19937 generator(3);
  std::normal_distribution<double> normal;
  for (int i = 0; i < 6; ++i) {
    State other = guess;
    VectorXd move = VectorXd::NullaryExpr(system.velocities(), [&] { return 0.5 * normal(generator); });
    for (const Manifold::Block& b : system.manifold().blocks())
      if (b.kind != Manifold::Kind::rotation) move.segment(b.v, b.size) *= system.reference_length;
    system.manifold().retract(guess.q, move, other.q);
    StartReport report;
    assemble_positions(system, SolverType::automatic, other, report);
    if (report.assembled && distance_between(system, guess, other) < 0.8 * taken) return true;
  }
  return false;
}

std::vector<std::string> body_names(const System& system, const std::vector<int>& nodes) {
  std::vector<std::string> names;
  for (const int n : nodes) names.push_back(system.nodes()[n].name);
  return names;
}

void describe_graph(const System& system, const BeamNames& beams, CheckReport& report) {
  for (const Loop& loop : find_loops(system)) {
    LoopNames names{beams.folded(body_names(system, loop.bodies)), {}};
    for (const int j : loop.joints) names.joints.push_back(system.joints[j].name);
    report.loops.push_back(std::move(names));
  }
  for (const LooseGroup& group : find_loose_groups(system))
    report.loose.push_back({beams.folded(body_names(system, group.bodies)), group.has_forces});
}

void describe_places(const Model& model, const System& system, CheckReport& report) {
  const Named named(model);
  for (const JointInfo& joint : system.joints) {
    JointPlaces places{joint.name, {}};
    for (int e = 0; e < 2; ++e) {
      const MarkerPose& marker = joint.markers[e];
      places.ends[e] = {named.frames[marker.node].name, named.frames.position_in_owner(marker), marker.R.col(2)};
    }
    report.places.push_back(std::move(places));
  }
}

void find_problems(const System& system, CheckReport& r) {
  if (!r.start.problem.empty()) r.problems.push_back(r.start.problem);
  if (r.start.assembled && r.start.problem.empty())
    for (const OverDrive& over : r.always.motions)
      r.suggestions.push_back(fmt::format("motion {} prescribes what {}; remove it", over.motion, prescribed_by(over)));
  if (!r.start.problem.empty() || !r.start.assembled) return;
  if (const std::string locked = why_locked(system, r.degrees_of_freedom, r.weakest); !locked.empty())
    r.problems.push_back(locked);
}

void add_suggestions(const Model& model, const System& system, CheckReport& r) {
  for (const Remedy& remedy : r.remedies) {
    std::vector<std::string> changes;
    for (const JointChange& c : remedy.changes) changes.push_back(fmt::format("{} {} (now {})", c.joint, c.to, c.from));
    r.suggestions.push_back(fmt::format(
        "make {}: {} of {} redundant equations remain, with the same degrees of freedom",
        name_list(changes, kMostNamed), remedy.redundant_left == 0 ? "none" : std::to_string(remedy.redundant_left),
        r.always.joint_equations()));
  }
  if (r.is_singular())
    r.suggestions.emplace_back(
        "the start is a singular position, where the mechanism can go on in several ways; start a "
        "little beside it");
  for (const LooseBodies& loose : r.loose)
    r.suggestions.push_back(fmt::format("{} {} no joint to ground{}", name_list(loose.bodies, kMostNamed),
                                        loose.bodies.size() == 1 ? "has" : "have",
                                        loose.has_forces ? "" : " and no force but gravity: free to fall"));
  if (r.degrees_of_freedom == 0 && r.motions > 0 && r.can_run())
    r.suggestions.emplace_back("all motion is prescribed: `bricard kinematics` gives exact positions and the forces of "
                               "the motions");
  if (r.scales.suggested_step > 0 && r.scales.suggested_step < 0.5 * model.run.step)
    r.suggestions.push_back(fmt::format("the step of {:.3g} s is long for the fastest motion; try {:.1g} s",
                                        model.run.step, r.scales.suggested_step));
  for (const BodyMove& move : r.start.moves)
    if (move.distance > kFarGuess * system.reference_length || move.angle > kFarGuess) {
      r.suggestions.push_back(
          fmt::format("the start is far from the given positions ({} moved {:.3g} m and turned {:.3g}°); "
                      "look whether it is the way of assembly you mean",
                      move.body, move.distance, move.angle * 180 / std::numbers::pi));
      break;
    }
  r.suggestions.insert(r.suggestions.end(), r.start.turned_round.begin(), r.start.turned_round.end());
  if (r.nearer_closure)
    r.suggestions.emplace_back(
        "the joints can also be closed with less movement than the start took; give better start "
        "positions");
}

}  // namespace

Freedom find_freedom(const System& system, const State& s) {
  Freedom freedom;
  freedom.degrees_of_freedom = system.motions_without_constraints() - rank_at(system, s).rank;
  if (freedom.degrees_of_freedom == 0) return freedom;
  freedom.movable = moving_parts(system, s, random_feasible_velocity(system, s, 1));
  return freedom;
}

CheckReport check_model(const Model& model) {
  CheckReport report;
  const System system = assemble(model);
  const BeamNames beams(model);
  report.beams = beams.beams();
  report.flexible = flexible_bodies(model);
  report.bodies = static_cast<int>(model.bodies.size()) - beams.nodes();
  report.joints = static_cast<int>(system.joints.size());
  report.motions = static_cast<int>(system.motions.size());
  report.plane = name_of(model.plane);
  report.velocities = system.motions_without_constraints() - system.plane_rows();
  const State guess = initial_wishes(model, system);
  report.equations = system.multipliers() - system.plane_rows() - system.rows_off(guess);
  report.gruebler = report.velocities - report.equations;
  State s = guess, generic;
  report.start = consistent_start(model, system, SolverType::automatic, s);
  describe_graph(system, beams, report);
  describe_places(model, system, report);
  const bool finite = s.q.allFinite() && s.v.allFinite() && s.a.allFinite() && s.lambda.allFinite();
  if (!finite) find_problems(system, report);  // there is nothing that could be looked at
  if (!finite) return report;
  find_dependencies(model, system, s, report, generic);
  find_problems(system, report);
  if (!report.start.assembled) return report;
  report.nearer_closure = has_nearer_closure(system, guess, s);
  if (report.always.joint_equations() > 0) report.remedies = find_remedies(model, generic, report.always);
  if (report.motions > 0 && report.degrees_of_freedom > 0)
    report.undriven = beams.folded(find_freedom(system, s).movable);
  SmallMotions motions(system);
  const VectorXd way =
      generic.q == s.q ? motions.random_velocity(generic, 1) : random_feasible_velocity(system, generic, 1);
  for (const FrameNode& node : system.nodes())
    if (node.block >= 0 && report.motions == 0 && way.segment(node.v, 6).norm() < kMoves && !beams.has(node.name))
      report.immovable.push_back(node.name);
  find_time_scales(system, s, model.run.duration, motions, report);
  add_suggestions(model, system, report);
  return report;
}

}  // namespace bricard
