// SPDX-License-Identifier: Apache-2.0
//
// Pendulums whose rods bend in a few shapes, beside pendulums of rigid rods, h = 1 ms, one thread.
//     build/bench/modal_bodies --benchmark_counters_tabular=true
// Counters: microseconds per body and step, Newton iterations per step. What shapes cost is the difference to those without.

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include "bricard/analysis/find_start.h"
#include "bricard/assemble/assemble.h"
#include "bricard/integrate/integrator.h"
#include "bricard/read/model_reader.h"

namespace {

using namespace bricard;

std::string pendulums(int count, int shapes, bool stiffening) {
  const std::string flexible = fmt::format(
      "flexible: {{rod: {{from: [0, 0, 0], to: [1, 0, 0], section: {{type: tube, radius: 10 mm, thickness: 2 mm}}, "
      "material: steel}}, modes: {}, stiffening: {}}}",
      shapes, stiffening);
  std::string bodies = "bodies:\n", joints = "joints:\n";
  for (int i = 0; i < count; ++i) {
    bodies += fmt::format("  rod{}: {{position: [0, {}, 0], {}}}\n", i, i,
                          shapes > 0 ? flexible : "mass: 0.8, inertia: [1e-4, 0.066, 0.066], mass_center: [0.5, 0, 0]");
    joints +=
        fmt::format("  hinge{0}: {{type: revolute, between: [ground, rod{0}{1}], at: [0, {0}, 0], axis: [0, 1, 0]}}\n",
                    i, shapes > 0 ? ".start" : "");
  }
  return bodies + joints;
}

void run_pendulums(benchmark::State& bench, int shapes, bool stiffening) {
  const int count = static_cast<int>(bench.range(0));
  const Model model = io::read_model_text(pendulums(count, shapes, stiffening), "pendulums.yaml");
  const System system = assemble(model);
  State s = find_start(model, system, StartType{}).state;
  const auto integrator = make_integrator(system, model.run);
  integrator->start(s);
  constexpr double h = 1e-3;
  for (int i = 0; i < 200; ++i)
    if (integrator->step(h, s).status != StepStatus::accepted) return bench.SkipWithError("a step failed");
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
  bench.counters["us/body/step"] =
      Counter(1e-6 * static_cast<double>(steps) * count, Counter::kIsRate | Counter::kInvert);
  bench.counters["iterations"] = static_cast<double>(iterations) / static_cast<double>(std::max(steps, 1L));
}

BENCHMARK_CAPTURE(run_pendulums, rigid, 0, false)->RangeMultiplier(4)->Range(1, 64);
BENCHMARK_CAPTURE(run_pendulums, shapes_6, 6, false)->RangeMultiplier(4)->Range(1, 64);
BENCHMARK_CAPTURE(run_pendulums, shapes_20, 20, false)->RangeMultiplier(4)->Range(1, 64);
BENCHMARK_CAPTURE(run_pendulums, shapes_20_stiffening, 20, true)->RangeMultiplier(4)->Range(1, 64);

}  // namespace

BENCHMARK_MAIN();
