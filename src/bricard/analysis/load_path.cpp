// SPDX-License-Identifier: Apache-2.0
#include "bricard/analysis/load_path.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "bricard/analysis/equilibrium_solver.h"
#include "bricard/analysis/name_list.h"

namespace bricard {
namespace {

constexpr double kFirstStep = 0.02, kSmallestStep = 1e-7;
constexpr double kStraight = 0.9;    // cosine of directions at both ends of a step: less is another path
constexpr double kLongerStep = 1.5;  // after few corrections
constexpr int kFewCorrections = 4;
constexpr double kTogether = 1e-4;  // two critical points in a step of this length are not told apart
constexpr double kLocated = 1e-10;  // of a step: where the search for a critical point ends
constexpr double kVanished = 1e-9;  // of the change of a stiffness over a step: the same
constexpr double kJump = 1e-3;      // of this change: more is left where the path was lost in between
constexpr int kMostSearches = 60;
constexpr size_t kMostNames = 3;

/// An equilibrium with the direction of the path and the stiffnesses of its motions.
struct PathPoint {
  State s;
  PathDirection direction;
  VectorXd stiffness;  // ω², the smallest first
  Eigen::MatrixXd motions;
  double noise = 0;  // of stiffnesses
  int unstable() const { return static_cast<int>((stiffness.array() < -noise).count()); }
};

class PathFollower {
 public:
  PathFollower(const System& system, const State& start, const LoadPathSettings& settings,
               const StaticTolerances& tolerances)
      : system_(system), settings_(settings), s_(start), motions_(system),
        solver_(system, SolverType::automatic, s_, tolerances) {}

  LoadPath follow(const std::function<bool()>& cancelled) {
    if (!begin()) return std::move(path_);
    double step = std::min(kFirstStep, settings_.largest_step);
    while (path_.problem.empty() && !path_.finished) {
      if (cancelled && cancelled()) path_.problem = "interrupted";
      else if (static_cast<int>(path_.states.size()) >= settings_.most_points)
        path_.problem =
            fmt::format("the end was not reached in {} points; p is {:.6g}", settings_.most_points, load(here_.s));
      else advance(step);
    }
    path_.iterations = solver_.report.iterations;
    return std::move(path_);
  }

 private:
  double load(const State& s) const { return s.inputs[settings_.input]; }
  double range() const { return settings_.to - settings_.from; }
  /// p as a part of the way from end to end.
  double part(const State& s) const { return (load(s) - settings_.from) / range(); }

  bool begin() {
    s_.inputs[settings_.input] = settings_.from;
    const StaticReport rest = find_equilibrium(system_, SolverType::automatic, s_);
    solver_.report.iterations = rest.iterations;
    if (!rest.found) path_.problem = rest.problem;
    if (!rest.found) return false;
    if (const std::string problem = why_not(); !problem.empty()) {
      path_.problem = problem;
      return false;
    }
    solver_.measure_path(settings_.input, std::abs(range()));
    here_ = examined(solver_.direction());
    if (here_.direction.load * range() < 0) here_.direction.turn_round();
    path_.states.push_back(here_.s);
    return true;
  }

  /// Equations that change with time, or not with p.
  std::string why_not() {
    Kinematics k = system_.make_kinematics();
    Residual now = system_.make_residual(), later = now;
    State s = s_;
    s.inputs[settings_.input] = settings_.to;
    system_.update(s, k);
    system_.residual(k, now);
    for (const double t : {0.37, 1.9}) {
      s.t = s_.t + t;
      system_.update(s, k);
      system_.residual(k, later);
      if (now.motion != later.motion || now.constraint != later.constraint)
        return "loads or motions change with time; a path is about equilibria of a model that stands still: "
               "take t out of its formulas";
    }
    system_.input_derivative(k, settings_.input, later);
    if (later.motion.head(system_.velocities()).isZero(0)) return "the parameter of the path changes no force";
    return "";
  }

  PathPoint examined(const PathDirection& direction) {
    PathPoint point{s_, direction, {}, {}, 0};
    const ModeRange range = motions_.mode_range(s_);
    if (!range.any()) return point;
    point.stiffness = range.lowest;
    point.motions = range.shapes;
    point.noise = std::numeric_limits<double>::epsilon() * std::abs(range.fastest[0].stiffness);
    for (Eigen::Index i = 0; i < point.stiffness.size(); ++i)  // what an eigenvalue solver leaves
      if (std::abs(point.stiffness[i]) <= static_cast<double>(system_.velocities()) * point.noise)
        point.stiffness[i] = solver_.stiffness_of(point.motions.col(i));
    return point;
  }

  /// The equilibrium at a distance from `from` along its direction; nothing if it is not found or lies on another path.
  std::optional<PathPoint> at(const PathPoint& from, double distance, int* corrections = nullptr) {
    solver_.go_along(from.s, from.direction, distance);
    const long before = solver_.report.iterations;
    if (!solver_.correct_on_path(from.s, from.direction, distance)) return {};
    if (corrections) *corrections = static_cast<int>(solver_.report.iterations - before);
    PathDirection direction = solver_.direction();
    double cosine = solver_.product(direction, from.direction);
    if (cosine < 0) direction.turn_round(), cosine = -cosine;
    if (!(cosine > kStraight)) return {};
    return examined(direction);
  }

  void advance(double& step) {
    int corrections = 0;
    std::optional<PathPoint> next = at(here_, step, &corrections);
    const bool several = next && std::abs(next->unstable() - here_.unstable()) > 1 && step > kTogether;
    if (!next || several) {
      step /= 2;
      if (step < kSmallestStep)
        path_.problem = fmt::format("the path could not be followed beyond p = {:.6g}", load(here_.s));
      return;
    }
    if (part(next->s) > 1) {
      solver_.go_along(here_.s, here_.direction, step * (1 - part(here_.s)) / (part(next->s) - part(here_.s)));
      PathDirection fixed = here_.direction;
      fixed.motion.setZero();
      fixed.load = std::abs(range()) * (range() > 0 ? 1 : -1);
      if (solver_.correct_on_path(here_.s, fixed, 1 - part(here_.s))) {
        next = examined(here_.direction);
        path_.finished = true;
      }
    }
    if (next->unstable() != here_.unstable() && !locate(*next, step)) {
      if (step > kTogether) {
        step /= 2;  // no motion lost its stiffness on the way: another path
        path_.finished = false;
        return;
      }
      path_.jumps.push_back(load(here_.s));
    }
    here_ = *std::move(next);
    path_.states.push_back(here_.s);
    if (part(here_.s) < -1)
      path_.problem = fmt::format("the path turned round and went on to p = {:.6g}, away from its end", load(here_.s));
    if (corrections <= kFewCorrections) step = std::min(kLongerStep * step, settings_.largest_step);
  }

  /// Of the mode of this number.
  double stiffness(const PathPoint& point, int which) {
    s_ = point.s;
    return solver_.stiffness_of(point.motions.col(which));
  }

  /// The root of the stiffness that changes its sign between here and `next`, by the rule of false position (Illinois).
  bool locate(const PathPoint& next, double step) {
    const int which = std::min(here_.unstable(), next.unstable());
    double a = 0, b = step, of_a = stiffness(here_, which), of_b = stiffness(next, which);
    if (of_a * of_b >= 0) return false;
    const double change = std::abs(of_b - of_a);
    double value = HUGE_VAL;
    std::optional<PathPoint> found;
    for (int i = 0; i < kMostSearches && std::abs(b - a) > kLocated * step; ++i) {
      const double middle = i % 8 == 7 ? 0.5 * (a + b) : (a * of_b - b * of_a) / (of_b - of_a);
      std::optional<PathPoint> tried = at(here_, middle);
      if (!tried) break;
      found = std::move(tried);
      value = stiffness(*found, which);
      if (value * of_b < 0) {
        a = std::exchange(b, middle), of_a = of_b, of_b = value;
      } else {
        b = middle, of_b = value, of_a /= 2;
      }
      if (std::abs(value) < kVanished * change) break;
    }
    if (!(std::abs(value) < kJump * change)) return false;
    CriticalPoint c;
    const bool turns = here_.direction.load * next.direction.load < 0;
    c.kind = turns ? CriticalPoint::Kind::limit : CriticalPoint::Kind::bifurcation;
    c.value = load(found->s);
    c.point = static_cast<int>(path_.states.size());
    c.unstable_before = here_.unstable(), c.unstable_after = next.unstable();
    c.motion = found->motions.col(which);
    c.moves = moving_parts(system_, found->s, c.motion);
    path_.states.push_back(found->s);
    path_.critical.push_back(std::move(c));
    return true;
  }

  const System& system_;
  LoadPathSettings settings_;
  State s_;  ///< that the solver works on
  SmallMotions motions_;
  EquilibriumSolver solver_;
  PathPoint here_;
  LoadPath path_;
};

std::string text_of(const CriticalPoint& c, const InputInfo& input, const BeamNames& beams) {
  const std::vector<std::string> parts = beams.folded(c.moves);
  const std::string moves = name_list(parts, kMostNames);
  const std::string value =
      fmt::format("{} = {:.8g}{}{}", input.name, c.value, input.unit.empty() ? "" : " ", input.unit);
  const std::string motions =
      fmt::format("from {} to {} motions with negative stiffness", c.unstable_before, c.unstable_after);
  if (c.kind == CriticalPoint::Kind::limit)
    return fmt::format("limit point at {} (sample {}): {} {} way; {}", value, c.point, moves,
                       parts.size() == 1 ? "gives" : "give", motions);
  return fmt::format("bifurcation at {} (sample {}): {} can leave the path without force (buckling); {}", value,
                     c.point, moves, motions);
}

}  // namespace

LoadPath follow_load_path(const System& system, const State& start, const LoadPathSettings& settings,
                          const std::function<bool()>& cancelled, const StaticTolerances& tolerances) {
  return PathFollower(system, start, settings, tolerances).follow(cancelled);
}

Results solve_load_path(const System& system, const State& start, const RunSettings& run,
                        const LoadPathSettings& settings, const BeamNames& beams, const SimulationHooks& hooks) {
  LoadPath path = follow_load_path(system, start, settings, hooks.cancelled);
  if (path.states.empty()) path.states.push_back(start);
  RunSettings counted = run;
  counted.step = 1;
  counted.output_step.reset();
  counted.duration = static_cast<double>(path.states.size()) - 1;
  const auto number = [&](double t) { return static_cast<size_t>(std::lround(t - start.t)); };
  FollowedSteps steps;
  steps.stands_still = true;
  steps.advance = [&](double t, State& next) {
    next = path.states[number(t)];
    next.t = t;
    return StepReport{};
  };
  path.states[0].t = start.t;
  Results results = simulate(system, path.states[0], counted, hooks, steps);
  RunReport& report = results.report;
  const InputInfo& input = system.inputs[settings.input];
  std::vector<std::string> remarks;
  for (const CriticalPoint& c : path.critical) remarks.push_back(text_of(c, input, beams));
  for (const double p : path.jumps)
    remarks.push_back(fmt::format(
        "near {} = {:.6g} two paths are too close to be told apart: what follows may be the other one. Take a "
        "larger imperfection, or none",
        input.name, p));
  if (path.critical.empty()) remarks.emplace_back("no limit point and no bifurcation");
  report.remarks.insert(report.remarks.begin(), remarks.begin(), remarks.end());
  report.stopped_because = path.problem;
  report.finished = path.finished;
  report.iterations = path.iterations;
  report.integrator = "path";
  report.solver = "newton";
  report.linear.factorizations = report.linear.solves = path.iterations;
  return results;
}

}  // namespace bricard
