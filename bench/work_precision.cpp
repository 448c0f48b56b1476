// SPDX-License-Identifier: Apache-2.0
//
// Error, steps and time of runs with a tolerance, next to SUNDIALS IDA on the same equations.
//     build/bench/work_precision
// Errors: the largest of all bodies at the end of the run against the exact motion, positions per reference length, angles
// in rad. Times are those of the processor, the fastest of some runs. The last column: how many times as long IDA takes for the same error, between its own runs by interpolation.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <ctime>
#include <optional>

#include "bricard/analysis/simulate.h"
#include "order/problems.h"
#include "peers/ida.h"

namespace {

using namespace bricard;
using bricard::testing::Problem;

struct Point {
  double tolerance = 0, error = 0;
  long steps = 0;
  bool finished = false;
  double seconds = 0;
};

double error_of(const Problem& problem, const VectorXd& q) {
  const System& system = problem.model.system;
  VectorXd delta(system.velocities());
  system.manifold().difference(problem.exact.back().state.q, q, delta);
  double largest = 0;
  for (size_t i = 1; i < system.nodes().size(); ++i) {
    const int v = system.nodes()[i].v;
    largest = std::max({largest, delta.segment<3>(v).norm() / system.reference_length, delta.segment<3>(v + 3).norm()});
  }
  return largest;
}

double processor_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

/// The fastest of some runs.
template <class Run>
Point fastest(const Run& run) {
  Point best;
  double shortest = HUGE_VAL, spent = 0;
  for (int i = 0; i < 7 && spent < 0.5; ++i) {
    const double begin = processor_seconds();
    best = run();
    const double seconds = processor_seconds() - begin;
    spent += seconds;
    shortest = std::min(shortest, seconds);
  }
  best.seconds = shortest;
  return best;
}

RunSettings settings(const Problem& problem, IntegratorType type, double tolerance) {
  RunSettings s;
  s.integrator = type;
  s.duration = s.output_step.emplace(problem.exact.back().state.t);
  s.step = 1e-4 * s.duration;
  s.rtol = tolerance;
  return s;
}

Point run_bricard(const Problem& problem, IntegratorType type, double tolerance) {
  const Results results = simulate(problem.model.system, problem.model.state, settings(problem, type, tolerance));
  return {tolerance, error_of(problem, results.samples.back().state.q), results.report.steps, results.report.finished};
}

/// How large velocities and multipliers become.
PeerScales scales_of(const Problem& problem) {
  RunSettings s = settings(problem, IntegratorType::radau, 1e-4);
  s.output_step = s.duration / 200;
  const System& system = problem.model.system;
  PeerScales scales{0, 0, 0};
  for (const Sample& sample : simulate(system, problem.model.state, s).samples) {
    for (size_t i = 1; i < system.nodes().size(); ++i) {
      const int v = system.nodes()[i].v;
      scales.velocity = std::max(scales.velocity, sample.state.v.segment<3>(v).norm());
      scales.rate = std::max(scales.rate, sample.state.v.segment<3>(v + 3).norm());
    }
    scales.multiplier = std::max(scales.multiplier, sample.state.lambda.lpNorm<Eigen::Infinity>());
  }
  return scales;
}

/// Time at which the curve reaches an error, by straight lines between logarithms; none beyond its ends.
std::optional<double> time_for(const std::vector<Point>& curve, double error) {
  for (size_t i = 1; i < curve.size(); ++i) {
    const Point &a = curve[i - 1], &b = curve[i];
    if (!a.finished || !b.finished || (a.error - error) * (b.error - error) > 0 || a.error == b.error) continue;
    const double x = std::log(error / a.error) / std::log(b.error / a.error);
    return a.seconds * std::pow(b.seconds / a.seconds, x);
  }
  return {};
}

void print(const char* method, const std::vector<Point>& curve, const std::vector<Point>& peer) {
  for (const Point& p : curve) {
    fmt::print("  {:<8}{:>9.0e}", method, p.tolerance);
    if (!p.finished) {
      fmt::print("   did not finish\n");
      continue;
    }
    const auto time = time_for(peer, p.error);
    fmt::print("{:>11.1e}{:>9}{:>11.2f}{:>11}\n", p.error, p.steps, 1e3 * p.seconds,
               &curve == &peer ? ""
               : time          ? fmt::format("{:.2f}", *time / p.seconds)
                               : "-");
  }
}

void compare(const char* name, const Problem& problem) {
  const double tolerances[] = {1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8};
  const PeerScales scales = scales_of(problem);
  std::vector<Point> ida;
  for (const double tolerance : tolerances)
    ida.push_back(fastest([&] {
      const PeerResult r =
          run_ida(problem.model.system, problem.model.state, scales, problem.exact.back().state.t, tolerance);
      return Point{tolerance, error_of(problem, r.q), r.steps, r.finished};
    }));
  fmt::print("{}\n  {:<8}{:>9}{:>11}{:>9}{:>11}{:>11}\n", name, "method", "tolerance", "error", "steps", "time [ms]",
             "IDA/this");
  print("ida", ida, ida);
  using enum IntegratorType;
  for (const IntegratorType type : {hht, bdf, radau}) {
    std::vector<Point> curve;
    for (const double tolerance : tolerances)
      curve.push_back(fastest([&] { return run_bricard(problem, type, tolerance); }));
    print(name_of(type), curve, ida);
  }
}

}  // namespace

int main() {
  compare("slider-crank, 2 s", bricard::testing::slider_crank(2, 5));
  compare("Andrews' mechanism, 0.03 s", bricard::testing::seven_bodies(0.03));
  compare("flyball governor, 2 s", bricard::testing::flyball_governor(8e5, 4e4));
}
