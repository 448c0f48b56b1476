// SPDX-License-Identifier: Apache-2.0
#include "bricard/analysis/compare_runs.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <new>

#include "bricard/results/channels.h"

namespace bricard {
namespace {

constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();
constexpr int kMostTimes = 100;
constexpr double kShortRun = 0.05;  ///< s; such runs are timed three times
// What Newton's method leaves behind must stay far below the error of the reference.
constexpr double kReferenceTolerance = 1e-12;

/// What is compared of one state.
struct Moment {
  VectorXd q, v, reactions, quantities;
};

std::string name_of(const Channel& channel, const Column& column) {
  std::string name = channel.owner.empty() ? channel.name : channel.owner + "." + channel.name;
  return column.name.empty() ? name : name + "." + column.name;
}

/// The larger one; not a number stays so.
double worse(double a, double b) { return std::isnan(a) || a >= b ? a : b; }

double length_or_one(double scale) { return scale > 0 ? scale : 1; }

/// Reads states as moments and measures how far they are apart.
class Judge {
 public:
  Judge(const Model& model, const System& system, const State& start, const std::vector<std::string>& quantities)
      : system_(system), start_(start), channels_(model, system, 0), kinematics_(system.make_kinematics()) {
    const std::vector<std::string> names = quantity_names(model, system);
    for (const std::string& quantity : quantities)
      places_.push_back(std::find(names.begin(), names.end(), quantity) - names.begin());
  }

  Moment read(const Sample& sample) {
    const State& s = sample.state;
    Moment moment{s.q, s.v, VectorXd::Zero(6 * static_cast<long>(system_.joints.size())),
                  VectorXd::Zero(static_cast<long>(places_.size()))};
    system_.update(s, kinematics_);
    std::vector<Wrench> wrenches(system_.joints.size());
    system_.reactions(kinematics_, wrenches);
    for (size_t j = 0; j < wrenches.size(); ++j) {
      moment.reactions.segment<3>(6 * static_cast<long>(j)) = wrenches[j].force;
      moment.reactions.segment<3>(6 * static_cast<long>(j) + 3) = wrenches[j].torque / system_.reference_length;
    }
    if (places_.empty()) return moment;
    const std::vector<double>& values = channels_.evaluate(sample);
    for (size_t i = 0; i < places_.size(); ++i) moment.quantities[static_cast<long>(i)] = values[places_[i]];
    return moment;
  }

  //     y = y_h + (y_h − y_2h)/3,   q = q_h∘Exp(Log(q_2h⁻¹ q_h)/3)
  Moment extrapolate(const Moment& coarse, const Moment& fine) const {
    Moment m = fine;
    VectorXd delta(fine.v.size());
    system_.manifold().difference(fine.q, coarse.q, delta);
    system_.manifold().retract(fine.q, -delta / 3, m.q);
    m.v += (fine.v - coarse.v) / 3;
    m.reactions += (fine.reactions - coarse.reactions) / 3;
    m.quantities += (fine.quantities - coarse.quantities) / 3;
    return m;
  }

  /// Sets what errors are relative to.
  void scale_by(const std::vector<Moment>& reference) {
    Moment rest{start_.q, 0 * start_.v, 0 * reference[0].reactions, 0 * reference[0].quantities};
    scale_ = {0, 0, 0, std::vector<double>(places_.size(), 0)};
    for (const Moment& m : reference) raise(scale_, difference(m, rest));
  }

  /// Relative, at one time.
  RunErrors error(const Moment& moment, const Moment& reference) const {
    RunErrors e = difference(moment, reference);
    e.positions /= length_or_one(scale_.positions);
    e.velocities /= length_or_one(scale_.velocities);
    e.reactions = system_.joints.empty() ? kUnknown : e.reactions / length_or_one(scale_.reactions);
    for (size_t i = 0; i < e.quantities.size(); ++i) e.quantities[i] /= length_or_one(scale_.quantities[i]);
    return e;
  }

  RunErrors largest_error(const std::vector<Moment>& moments, const std::vector<Moment>& reference) const {
    RunErrors largest = error(moments[0], reference[0]);
    for (size_t i = 1; i < moments.size(); ++i) raise(largest, error(moments[i], reference[i]));
    return largest;
  }

 private:
  static void raise(RunErrors& largest, const RunErrors& e) {
    largest.positions = worse(largest.positions, e.positions);
    largest.velocities = worse(largest.velocities, e.velocities);
    largest.reactions = worse(largest.reactions, e.reactions);
    for (size_t i = 0; i < e.quantities.size(); ++i)
      largest.quantities[i] = worse(largest.quantities[i], e.quantities[i]);
  }

  /// The largest block of a variation: lengths as they are, turns as arcs.
  double largest_block(const VectorXd& delta) const {
    double largest = 0;
    for (const Manifold::Block& block : system_.manifold().blocks()) {
      const double arm = block.kind == Manifold::Kind::rotation ? system_.reference_length : 1;
      largest = std::max(largest, arm * delta.segment(block.v, block.size).norm());
    }
    return largest;
  }

  RunErrors difference(const Moment& a, const Moment& b) const {
    VectorXd delta(a.v.size());
    system_.manifold().difference(b.q, a.q, delta);
    RunErrors e{largest_block(delta), largest_block(a.v - b.v), 0, {}};
    for (long i = 0; i < a.reactions.size(); i += 3)
      e.reactions = std::max(e.reactions, (a.reactions - b.reactions).segment<3>(i).norm());
    for (long i = 0; i < a.quantities.size(); ++i) e.quantities.push_back(std::abs(a.quantities[i] - b.quantities[i]));
    return e;
  }

  const System& system_;
  const State& start_;
  Channels channels_;
  Kinematics kinematics_;
  std::vector<size_t> places_;  ///< of the quantities among all values
  RunErrors scale_{1, 1, 1, {}};
};

/// Equal distances, as many as possible of which every step is a part, so that nothing is interpolated. `steps` are
/// empty where they are not fixed.
std::vector<double> common_times(double duration, const std::vector<double>& steps) {
  const auto fits = [&](int n) {
    return std::all_of(steps.begin(), steps.end(), [&](double h) {
      const double count = duration / n / h;
      return count > 0.5 && std::abs(count - std::round(count)) < 1e-9 * std::max(1.0, count);
    });
  };
  int n = kMostTimes;
  while (n > 1 && !fits(n)) --n;
  std::vector<double> times;
  for (int i = 1; i <= n; ++i) times.push_back(i == n ? duration : duration * i / n);
  return times;
}

/// One run of a method with one step.
struct Attempt {
  bool finished = false;
  std::string problem;
  std::vector<Moment> moments;
  RunReport report;
  double seconds = 0;
};

class Runner {
 public:
  Runner(const System& system, const State& start, const CompareHooks& hooks, Judge& judge, std::vector<double> times,
         bool by_tolerance)
      : system_(system), start_(start), hooks_(hooks), judge_(judge), times_(std::move(times)),
        by_tolerance_(by_tolerance) {}

  Attempt run(const CompareMethod& method, double step, const std::string& name) {
    if (hooks_.begin) hooks_.begin(name);
    RunSettings settings = method.settings;
    settings.rtol.reset();
    if (by_tolerance_) settings.rtol = step;
    else settings.step = step;
    settings.output_step = settings.duration;
    Attempt attempt;
    try {
      take(simulate(system_, start_, settings, {times_, hooks_.cancelled, hooks_.progress}), attempt);
      for (int i = 0; i < 2 && attempt.finished && attempt.seconds < kShortRun; ++i)
        attempt.seconds = std::min(attempt.seconds, simulate(system_, start_, settings).report.seconds.at("stepping"));
    } catch (const std::bad_alloc&) {
      throw;
    } catch (const std::exception& error) {  // a method that cannot run this model says why
      attempt.problem = error.what();
    }
    return attempt;
  }

  bool interrupted() const { return hooks_.cancelled && hooks_.cancelled(); }

 private:
  void take(const Results& results, Attempt& attempt) {
    attempt.report = results.report;
    attempt.finished = results.report.finished;
    attempt.problem = results.report.stopped_because;
    attempt.seconds = results.report.seconds.at("stepping");
    for (const Sample& sample : results.samples)
      if (sample.requested) attempt.moments.push_back(judge_.read(sample));
    if (!attempt.finished || attempt.moments.size() == times_.size()) return;
    attempt.finished = false;
    attempt.problem = "the run has no values at some of the times that are compared";
  }

  const System& system_;
  const State& start_;
  const CompareHooks& hooks_;
  Judge& judge_;
  std::vector<double> times_;
  bool by_tolerance_;
};

/// The steps with which the reference runs, from coarse to fine: the coarser ones tell its uncertainty.
std::vector<double> reference_steps(const CompareReference& reference, bool by_tolerance) {
  if (by_tolerance) return {10 * reference.step, reference.step};
  if (reference.extrapolate) return {4 * reference.step, 2 * reference.step, reference.step};
  return {2 * reference.step, reference.step};
}

/// The reference at the common times; empty if a run fails. Its uncertainty is what the last halving of the step has changed:
/// more than what is still missing, also of reactions, whose errors need not fall as fast as those of positions.
std::vector<Moment> run_reference(const ComparePlan& plan, Runner& runner, Judge& judge, Comparison& out) {
  const CompareReference& reference = plan.reference;
  CompareMethod method = reference.method;
  method.settings.tolerance = std::min(method.settings.tolerance, kReferenceTolerance);
  std::vector<std::vector<Moment>> runs;
  for (const double step : reference_steps(reference, plan.by_tolerance)) {
    const Attempt attempt =
        runner.run(method, step, fmt::format("reference {}, {}", method.name, resolution_text(plan, step)));
    out.reference_seconds += attempt.seconds;
    out.reference_problem = attempt.finished ? "" : attempt.problem;
    if (!attempt.finished) return {};
    runs.push_back(attempt.moments);
  }
  if (reference.extrapolate && !plan.by_tolerance) {
    for (size_t k = 0; k + 1 < runs.size(); ++k)
      for (size_t i = 0; i < runs[k].size(); ++i) runs[k][i] = judge.extrapolate(runs[k][i], runs[k + 1][i]);
    runs.pop_back();
  }
  judge.scale_by(runs[1]);
  out.uncertainty = judge.largest_error(runs[0], runs[1]);
  return runs[1];
}

}  // namespace

std::string resolution_text(const ComparePlan& plan, double step) {
  return plan.by_tolerance ? fmt::format("rtol {:g}", step) : fmt::format("{:g} s", step);
}

std::vector<std::string> quantity_names(const Model& model, const System& system) {
  std::vector<std::string> names;
  const Channels channels(model, system, 0);
  for (const Channel& channel : channels.list())
    for (const Column& column : channel.columns) names.push_back(name_of(channel, column));
  return names;
}

Comparison compare_runs(const Model& model, const System& system, const State& start, const ComparePlan& plan,
                        const CompareHooks& hooks) {
  Comparison out;
  out.planned = plan.methods.size() * plan.steps.size();
  out.reference_length = system.reference_length;
  out.has_reactions = !system.joints.empty();
  const RunErrors unknown{kUnknown, kUnknown, kUnknown, std::vector<double>(plan.quantities.size(), kUnknown)};
  out.uncertainty = unknown;
  std::vector<double> steps;
  if (!plan.by_tolerance) {
    steps = plan.steps;
    for (const double step : reference_steps(plan.reference, false)) steps.push_back(step);
  }
  out.times = common_times(model.run.duration, steps);
  Judge judge(model, system, start, plan.quantities);
  Runner runner(system, start, hooks, judge, out.times, plan.by_tolerance);

  const std::vector<Moment> reference = run_reference(plan, runner, judge, out);
  out.has_reference = !reference.empty();
  for (const double step : plan.steps)
    for (const CompareMethod& method : plan.methods) {
      if (runner.interrupted()) break;
      const Attempt attempt = runner.run(method, step,
                                         fmt::format("run {} of {}: {}, {}", out.runs.size() + 1, out.planned,
                                                     method.name, resolution_text(plan, step)));
      if (runner.interrupted() && !attempt.finished) break;
      ComparedRun run{method.name, step,    attempt.finished, attempt.problem,
                      unknown,     unknown, attempt.report,   attempt.seconds};
      if (attempt.finished && out.has_reference) {
        run.largest = judge.largest_error(attempt.moments, reference);
        run.end = judge.error(attempt.moments.back(), reference.back());
      }
      out.runs.push_back(std::move(run));
    }
  out.interrupted = runner.interrupted();
  const auto place = [&](const ComparedRun& run) {
    return std::find_if(plan.methods.begin(), plan.methods.end(),
                        [&](const CompareMethod& m) { return m.name == run.method; }) -
           plan.methods.begin();
  };
  std::stable_sort(out.runs.begin(), out.runs.end(),
                   [&](const ComparedRun& a, const ComparedRun& b) { return place(a) < place(b); });
  return out;
}

}  // namespace bricard
