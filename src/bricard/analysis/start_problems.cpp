// SPDX-License-Identifier: Apache-2.0
#include "bricard/analysis/start_problems.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>

#include "bricard/analysis/consistent_start.h"
#include "bricard/analysis/name_list.h"
#include "bricard/analysis/neighbours.h"
#include "bricard/assemble/assemble.h"
#include "bricard/assemble/coordinates.h"
#include "bricard/assemble/variant.h"

namespace bricard {
namespace {

constexpr double kContradiction =
    1e-9;                    // reference lengths, per s and per s²: what round-off of a formula in t may leave
constexpr size_t kMost = 5;  // names in a sentence

std::string contradiction_text(const OverDrive& over, bool assembled, double length) {
  const char* text = "motion {} contradicts what {}: they differ by {}{:.3g} {} at the start";
  const double floor = kContradiction * length;
  const std::string by = prescribed_by(over);
  if (!assembled)
    return over.gap > floor ? fmt::format(fmt::runtime(text), over.motion, by, "about ", over.gap, "m") : "";
  if (over.contradiction > floor)
    return fmt::format(fmt::runtime(text), over.motion, by, "", over.contradiction, "m/s");
  return over.acceleration > floor ? fmt::format(fmt::runtime(text), over.motion, by, "", over.acceleration, "m/s^2")
                                   : "";
}

/// Whether a combination of rows that vanishes does not vanish in their rates; which motions are to blame is another
/// question.
bool may_contradict(const System& system, const State& s,
                    const std::vector<Eigen::SparseVector<double>>& null_vectors) {
  State rest = s;
  rest.v.setZero();
  Kinematics k = system.make_kinematics();
  VectorXd moving(system.multipliers()), bias(system.multipliers()), unused(system.multipliers());
  system.update(s, k);
  system.constraint_rates(k, unused, bias);
  system.update(rest, k);
  system.constraint_rates(k, moving, unused);
  const double floor = kContradiction * system.reference_length;
  return std::any_of(null_vectors.begin(), null_vectors.end(), [&](const Eigen::SparseVector<double>& y) {
    return combination(y, moving) > floor || combination(y, bias) > floor;
  });
}

/// The interval of f in which it still changes by more than its rate explains when it has become as short as numbers
/// are; found by halving. first = second: f has a rate everywhere.
template <class Function>
std::pair<double, double> halve_to_jump(const Function& f, double from, double to) {
  const auto surprise = [&](double a, double b) {
    const TimeJet x = f(a), y = f(b);
    return std::abs(y.value - x.value - 0.5 * (x.rate + y.rate) * (b - a));
  };
  for (;;) {
    const double middle = from + 0.5 * (to - from);
    if (!(from < middle && middle < to)) return {from, to};
    (surprise(from, middle) > surprise(middle, to) ? to : from) = middle;
  }
}

/// Degrees of freedom of the joints alone: at s, or at its neighbour where they are fewest.
int freedom_of_joints(const System& system, const State& s, const std::vector<State>& neighbours) {
  int rank = rank_at(system, s, MotionRows::without).rank;
  for (const State& near : neighbours) rank = std::max(rank, rank_at(system, near, MotionRows::without).rank);
  return system.motions_without_constraints() - rank;
}

/// One entry for each joint, the largest first.
std::vector<AxisTurn> by_joint(const std::vector<AxisTurn>& turns) {
  std::vector<AxisTurn> joints;
  for (const AxisTurn& t : turns) {
    const auto known =
        std::find_if(joints.begin(), joints.end(), [&](const AxisTurn& other) { return other.joint == t.joint; });
    if (known == joints.end()) {
      joints.push_back(t);
    } else {
      if (known->body.find(t.body) == std::string::npos) known->body += " and " + t.body;
      if (known->other.empty()) known->other = t.other, known->perpendicular = t.perpendicular;
      known->angle = std::max(known->angle, t.angle), known->shift = std::max(known->shift, t.shift);
    }
  }
  std::stable_sort(joints.begin(), joints.end(),
                   [](const AxisTurn& a, const AxisTurn& b) { return a.angle > b.angle; });
  return joints;
}

std::string other_axis(const AxisTurn& t) {
  if (t.other.empty()) return "the axes it holds fixed already";
  return fmt::format("{} that of '{}'", t.perpendicular ? "perpendicular to" : "parallel to", t.other);
}

/// Motions that have to do with what is open; all if none of them is open itself.
std::string motions_in(const System& system, const std::vector<JointGap>& open) {
  std::vector<std::string> all, named;
  for (const MotionInfo& m : system.motions) {
    all.push_back("'" + m.name + "'");
    for (const JointGap& gap : open)
      if (gap.name == "motion '" + m.name + "'") named.push_back(all.back());
  }
  return name_list(named.empty() ? all : named, kMost);
}

/// "motion 'a' jumps …" between s and h later, with positions as they are.
std::string jump_ahead(const System& system, const State& s, double h) {
  Kinematics k = system.make_kinematics();
  Residual r = system.make_residual();
  State at = s;
  at.v.setZero();
  VectorXd rate(system.multipliers()), bias(system.multipliers());
  for (const MotionInfo& m : system.motions) {
    const auto row = [&](double t) -> TimeJet {
      at.t = t;
      system.update(at, k);
      system.residual(k, r);
      system.constraint_rates(k, rate, bias);
      return {r.constraint[m.first_row], rate[m.first_row], 0};
    };
    const auto [before, after] = halve_to_jump(row, s.t, s.t + h);
    if (std::abs(row(after).value - row(before).value) > kContradiction * system.reference_length)
      return fmt::format("motion '{}' jumps at t = {:.6g} s, which no mechanism can follow", m.name, after);
  }
  return "";
}

}  // namespace

std::string prescribed_by(const OverDrive& over) {
  const std::string couplers = over.couplers.empty() ? "" : " and coupler " + name_list(over.couplers, kMost);
  if (over.motions.empty()) return "the joints" + couplers + " hold fixed already";
  return fmt::format("motion {}{} {} already", name_list(over.motions, kMost), couplers,
                     couplers.empty() ? "prescribes" : "prescribe");
}

std::string find_contradictions(const System& system, const State& s, bool assembled) {
  if (system.motions.empty()) return "";
  Kinematics k = system.make_kinematics();
  system.update(s, k);
  SparseTangent tangent(system);
  tangent.evaluate(k, 0, 0, 0);
  const ConstraintRank rank = find_rank(system, tangent.G(), NullVectors::yes);
  if (assembled && !may_contradict(system, s, rank.null_vectors)) return "";
  std::string text;
  for (const OverDrive& over : name_dependencies(system, k, tangent.G(), rank.rank).motions)
    if (const std::string one = contradiction_text(over, assembled, system.reference_length); !one.empty())
      text += (text.empty() ? "" : "; ") + one;
  return text;
}

// A jump leaves a gap that does not shrink with the interval. Looked for where a thousandth of the duration is not
// enough for the rates to explain the change, so that jumps below some 1e-4 of the whole displacement may be missed.
std::string find_jumps(const Model& model) {
  constexpr int kIntervals = 1000;
  for (const Motion& motion : model.motions) {
    if (!motion.displacement || motion.displacement->is_constant()) continue;
    const MotionFunction x = motion_function(motion, {}, model.run.duration);
    std::vector<TimeJet> points;
    double least = INFINITY, most = -INFINITY;
    const double w = model.run.duration / kIntervals;
    for (int i = 0; i <= kIntervals; ++i) {
      points.push_back(x(i * w));
      least = std::min(least, points.back().value), most = std::max(most, points.back().value);
    }
    for (int i = 0; i < kIntervals; ++i) {
      const TimeJet &a = points[i], &b = points[i + 1];
      if (!(std::abs(b.value - a.value - 0.5 * (a.rate + b.rate) * w) > 1e-4 * (most - least))) continue;
      const auto [before, after] = halve_to_jump(x, i * w, (i + 1) * w);
      if (std::abs(x(after).value - x(before).value) > 1e-6 * (most - least))
        return fmt::format(
            "motion {} jumps from {:.4g} to {:.4g} at t = {:.6g} s, which no mechanism can follow; use step(), step5() "
            "or havsin() to go over smoothly",
            motion.name, x(before).value, x(after).value, after);
    }
  }
  return "";
}

std::string find_askew_axes(const Model& model, const AlignedJoints& all, const std::vector<AxisTurn>& done,
                            const System& system, const State& s, bool assembled) {
  if (model.plane != Plane::none) return "";
  std::vector<AxisTurn> askew;
  for (const AxisTurn& t : all.turns)
    if (t.angle > 0 && std::none_of(done.begin(), done.end(), [&](const AxisTurn& d) {
          return d.angle > 0 && d.joint == t.joint && d.body == t.body;
        }))
      askew.push_back(t);
  if (askew.empty()) return "";
  askew = by_joint(askew);
  Model other = model;
  other.align = kMostAligned;
  const System aligned = assemble_variant(other);
  State there = initial_wishes(other, aligned);
  StartReport report;
  assemble_positions(aligned, SolverType::automatic, there, report);
  if (!report.assembled) return "";
  const int left = freedom_of_joints(system, s, {});
  const int could = freedom_of_joints(aligned, there, find_neighbours(aligned, there, 0.01 * model.run.duration));
  if (could <= left && assembled) return "";
  std::vector<std::string> names;
  for (const AxisTurn& t : askew)
    names.push_back(fmt::format("the axis of joint '{}' is askew by {:.3g} rad on {}: it is not {}", t.joint, t.angle,
                                t.body, other_axis(t)));
  const std::string harm =
      !assembled ? "With it the joints cannot be closed"
                 : fmt::format("That leaves {} {} of freedom instead of {}, and nearly dependent equations", left,
                               left == 1 ? "degree" : "degrees", could);
  return fmt::format(
      "{}. {}. Correct the axis, or let the program turn it with `align: {:.1e} rad` in the model file (`align: 0` "
      "if it is meant so).",
      fmt::join(names.begin(), names.begin() + std::min(kMost, names.size()), "; "), harm,
      std::min(kMostAligned, 1.1 * all.widest));
}

std::vector<std::string> alignment_remarks(const std::vector<AxisTurn>& turns) {
  constexpr size_t kLines = 10;
  std::vector<std::string> remarks;
  const std::vector<AxisTurn> joints = by_joint(turns);
  for (size_t i = 0; i < std::min(joints.size(), kLines); ++i) {
    const AxisTurn& t = joints[i];
    std::vector<std::string> what;
    if (t.angle > 0)
      what.push_back(fmt::format("its axis was turned by {:.2g} rad on {}, {}", t.angle, t.body, other_axis(t)));
    if (t.shift > 0) what.push_back(fmt::format("it was moved by {:.2g} m along its axis", t.shift));
    remarks.push_back(fmt::format("joint '{}': {} (align)", t.joint, fmt::join(what, "; ")));
  }
  if (joints.size() > kLines) remarks.push_back(fmt::format("and {} more joints were aligned", joints.size() - kLines));
  return remarks;
}

std::string why_locked(const System& system, int degrees_of_freedom, double weakest) {
  if (degrees_of_freedom > 0 || !system.motions.empty() || !system.states.empty()) return "";
  std::string text = "nothing can move: the joints leave no degree of freedom and there is no motion";
  constexpr double kOnlyJust = 1e-3;
  if (weakest < kOnlyJust)
    text += fmt::format(
        "; one only just, by {:.1g} of the strength of an equation: give lengths and axes with more digits", weakest);
  return text;
}

std::string why_motion_stops(const System& system, const State& s, double h) {
  if (system.motions.empty()) return "";
  if (const std::string jump = jump_ahead(system, s, h); !jump.empty()) return jump + ".";
  for (const double ahead : {h / 16, h, 4 * h}) {
    State next = s;
    next.t += ahead;
    StartReport report;
    assemble_positions(system, SolverType::automatic, next, report);
    if (report.assembled) continue;
    return fmt::format(
        "motion {} cannot go on at t = {:.6g} s: the joints cannot follow it; at t = {:.6g} s {}. The mechanism is "
        "locked or at the end of its reach.",
        motions_in(system, report.open), s.t, next.t, gap_text(report.open));
  }
  return "";
}

}  // namespace bricard
