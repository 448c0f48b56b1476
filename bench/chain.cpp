// SPDX-License-Identifier: Apache-2.0
//
// Chain of N links joined by spatial revolutes, released horizontally, h = 1 ms, one thread.
//     build/bench/chain --benchmark_counters_tabular=true
// Counters: microseconds per link and step, Newton iterations per step, kilobytes of solver memory per link.

#include <benchmark/benchmark.h>

#include <string>

#include "bricard/analysis/consistent_start.h"
#include "bricard/assemble/assemble.h"
#include "bricard/integrate/integrator.h"

namespace {

using namespace bricard;

Model chain(int links) {
  Model model;
  for (int i = 0; i < links; ++i) {
    Body link;
    link.name = "link" + std::to_string(i);
    link.mass = 1;
    link.inertia = Vector3d(1e-4, 1.0 / 12, 1.0 / 12).asDiagonal();
    link.position = {i + 0.5, 0, 0};
    Joint hinge;
    hinge.name = "hinge" + std::to_string(i);
    hinge.type = JointType::revolute;
    hinge.between = {Reference{i ? model.bodies.back().name : "ground", {}}, Reference{link.name, {}}};
    hinge.at = Vector3d(i, 0, 0);
    hinge.axis = Vector3d(0, 1, 0);
    model.bodies.push_back(link);
    model.joints.push_back(hinge);
  }
  return model;
}

void run_chain(benchmark::State& bench, ProjectionMode projection) {
  const int links = static_cast<int>(bench.range(0));
  Model model = chain(links);
  model.run.projection = projection;
  const System system = assemble(model);
  State s = initial_wishes(model, system);
  if (!consistent_start(system, model.run.solver, s).assembled) {
    bench.SkipWithError("not assembled");
    return;
  }
  const auto integrator = make_integrator(system, model.run);
  integrator->start(s);
  constexpr double h = 1e-3;
  for (int i = 0; i < 200; ++i) integrator->step(h, s);  // caches warm, motion under way
  long steps = 0, iterations = 0;
  for (auto _ : bench) {
    const StepReport report = integrator->step(h, s);
    if (report.status != StepStatus::accepted) {
      bench.SkipWithError("a step failed");
      break;
    }
    ++steps, iterations += report.iterations;
  }
  using benchmark::Counter;
  bench.counters["us/link/step"] =
      Counter(1e-6 * static_cast<double>(steps) * links, Counter::kIsRate | Counter::kInvert);
  bench.counters["iterations"] = static_cast<double>(iterations) / static_cast<double>(std::max(steps, 1L));
  bench.counters["kB/link"] = static_cast<double>(integrator->bytes()) / 1024 / links;
}

BENCHMARK_CAPTURE(run_chain, automatic, ProjectionMode::automatic)->RangeMultiplier(10)->Range(10, 10000);
BENCHMARK_CAPTURE(run_chain, projected, ProjectionMode::full)->RangeMultiplier(10)->Range(10, 10000);

}  // namespace

BENCHMARK_MAIN();
