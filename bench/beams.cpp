// SPDX-License-Identifier: Apache-2.0
//
// A steel strip clamped at one end, released under gravity, h = 1 ms, one thread; elements of 5 cm.
//     build/bench/beams --benchmark_counters_tabular=true
// Counters: microseconds per element and step, Newton iterations per step, kilobytes of solver memory per element.

#include <benchmark/benchmark.h>

#include <string>

#include "bricard/assemble/beam_mesh.h"
#include "bricard/integrate/integrator.h"

namespace {

using namespace bricard;

/// 20 mm × 2 mm of steel.
BeamLine strip(double length) {
  const double b = 0.02, h = 0.002, A = b * h, E = 210e9, G = 81e9, density = 7850;
  Vector6d C, M;
  C << E * A, 5.0 / 6 * G * A, 5.0 / 6 * G * A, G * b * h * h * h / 3, E * b * h * h * h / 12, E * h * b * b * b / 12;
  M << A, A, A, A * (b * b + h * h) / 12, A * h * h / 12, A * b * b / 12;
  const Matrix6d stiffness = C.asDiagonal(), mass = Matrix6d((density * M).asDiagonal());
  return {length,
          [](double s) {
            return Pose{{s, 0, 0}, Matrix3d::Identity()};
          },
          [=](double) { return stiffness; }, [=](double) { return mass; }, 0};
}

void run_cantilever(benchmark::State& bench, int nodes_per_element) {
  const int elements = static_cast<int>(bench.range(0));
  const double length = 0.05 * elements;
  const BeamLine line = strip(length);
  const BeamMesh mesh = BeamMesh::uniform(length, elements, nodes_per_element);
  System system;
  std::vector<int> nodes{0};
  const std::vector<double> places = mesh.nodes();
  for (size_t i = 1; i < places.size(); ++i) nodes.push_back(system.add_frame(""));
  BeamParts parts;
  add_beam(line, mesh, nodes, system, parts);
  add_batches(std::move(parts), system);
  const std::vector<RigidBodies::Item> masses = beam_masses(line, mesh, nodes, system);
  system.reference_length = 0.05, system.reference_mass = masses[0].mass;
  system.add(std::make_unique<RigidBodies>(masses, Vector3d(0, 0, -9.81)));
  State s = system.make_state();
  for (size_t i = 1; i < places.size(); ++i) s.q[system.nodes()[nodes[i]].q] = places[i];
  const auto integrator = make_integrator(system, RunSettings{});
  integrator->start(s);
  constexpr double h = 1e-3;
  for (int i = 0; i < 100; ++i)
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
  bench.counters["us/element/step"] =
      Counter(1e-6 * static_cast<double>(steps) * elements, Counter::kIsRate | Counter::kInvert);
  bench.counters["iterations"] = static_cast<double>(iterations) / static_cast<double>(std::max(steps, 1L));
  bench.counters["kB/element"] = static_cast<double>(integrator->bytes()) / 1024 / elements;
}

BENCHMARK_CAPTURE(run_cantilever, two_nodes, 2)->RangeMultiplier(10)->Range(10, 10000);
BENCHMARK_CAPTURE(run_cantilever, three_nodes, 3)->RangeMultiplier(10)->Range(10, 1000);
BENCHMARK_CAPTURE(run_cantilever, four_nodes, 4)->RangeMultiplier(10)->Range(10, 1000);

}  // namespace

BENCHMARK_MAIN();
