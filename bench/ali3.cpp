// SPDX-License-Identifier: Apache-2.0
//
// The planar double four-bar in natural coordinates with ALi3, h = 10 ms, 10 s: the general program, from the model file,
// next to one that is written out for this mechanism alone (hand_written.h). Both take the same iterations.
//     build/bench/ali3

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>

#include "bricard/analysis/consistent_start.h"
#include "bricard/analysis/natural_run.h"
#include "bricard/analysis/simulate.h"
#include "bricard/assemble/assemble.h"
#include "bricard/integrate/integrator.h"
#include "bricard/read/model_reader.h"
#include "hand_written.h"

namespace {

using namespace bricard;

constexpr double kStep = 0.01;
constexpr int kSteps = 1000, kRepetitions = 200;

struct Outcome {
  double best = 1e9;  ///< us per step
  long iterations = 0;
  double energy = 0;
  template <class Run>
  void time(const Run& run) {
    const auto begin = std::chrono::steady_clock::now();
    iterations = run();
    const std::chrono::duration<double, std::micro> taken = std::chrono::steady_clock::now() - begin;
    best = std::min(best, taken.count() / kSteps);
  }
};

void print(const char* name, const Outcome& o) {
  fmt::print("{:<14}{:>12.3f}{:>20.3f}{:>18.5f}\n", name, o.best, static_cast<double>(o.iterations) / kSteps, o.energy);
}

}  // namespace

int main() {
  const Model model = io::read_model(BRICARD_SOURCE_DIR "/models/double_four_bar_planar.yaml");
  const System bodies = assemble(model);
  State wished = initial_wishes(model, bodies);
  consistent_start(model, bodies, model.run.solver, wished);
  const NaturalSystem natural = assemble_natural(model, bodies, wished);
  const State start = natural_start(natural, bodies, wished, model.run.solver);
  Outcome general, special;
  for (int repetition = 0; repetition < kRepetitions; ++repetition) {  // in turn, so that both see the same machine
    const auto integrator = make_integrator(natural.system, model.run);
    State s = start;
    integrator->start(s);
    general.time([&] {
      long sum = 0;
      for (int i = 0; i < kSteps; ++i) sum += integrator->step(kStep, s).iterations;
      return sum;
    });
    Kinematics k = natural.system.make_kinematics();
    natural.system.update(s, k);
    general.energy = natural.system.kinetic_energy(k) + natural.system.potential_energy(k);

    hand_written::DoubleFourBar written(kStep, 4e9, model.run.tolerance);
    hand_written::State h;
    std::copy(start.a.data(), start.a.data() + 6, h.a.begin());
    special.time([&] {
      long sum = 0;
      for (int i = 0; i < kSteps; ++i) sum += written.step(h);
      return sum;
    });
    special.energy = written.energy(h);
  }
  fmt::print("{:<14}{:>12}{:>20}{:>18}\n", "program", "us per step", "corrections", "energy at 10 s");
  print("general", general);
  print("hand-written", special);
  fmt::print("ratio {:.2f}\n", general.best / special.best);
}
