// SPDX-License-Identifier: Apache-2.0
//
// Linear equations of a chain of N links that hangs straight down, one thread: the augmented sparse system beside the
// reduction to a state space with dense matrices.
//     build/bench/linearize --benchmark_counters_tabular=true
// augmented_factor: the choice of coordinates and the factorization, which is all that iterative modes need;
// augmented_matrix: A formed besides; slowest_modes: four modes without A; dense_reduction: A by a basis Z of the null
// space of the constraints,   M̂ = ZᵀMZ,  A = [0 1; −M̂⁻¹ZᵀKZ  −M̂⁻¹ZᵀCZ],   O(N³) time and O(N²) memory.

#include <benchmark/benchmark.h>

#include <Eigen/Dense>
#include <string>

#include "bricard/analysis/consistent_start.h"
#include "bricard/analysis/eigenmodes.h"
#include "bricard/assemble/assemble.h"

namespace {

using namespace bricard;

struct HangingChain {
  System system;
  State state;
  LinearizeOptions options;

  explicit HangingChain(int links) : system(assemble(model_of(links))), state(initial_wishes(model_of(links), system)) {
    consistent_start(system, SolverType::automatic, state);
  }
  static Model model_of(int links) {
    Model model;
    for (int i = 0; i < links; ++i) {
      Body link;
      link.name = "link" + std::to_string(i);
      link.mass = 0.05;
      link.inertia = Vector3d(4e-5, 4e-5, 2e-6).asDiagonal();
      link.position = {0, 0, -0.1 * (i + 0.5)};
      Joint hinge;
      hinge.name = "hinge" + std::to_string(i);
      hinge.type = JointType::revolute;
      hinge.between = {Reference{i ? model.bodies.back().name : "ground", {}}, Reference{link.name, {}}};
      hinge.at = Vector3d(0, 0, -0.1 * i);
      hinge.axis = Vector3d(0, 1, 0);
      model.bodies.push_back(link);
      model.joints.push_back(hinge);
    }
    return model;
  }
};

void augmented_factor(benchmark::State& bench) {
  const HangingChain chain(static_cast<int>(bench.range(0)));
  for (auto _ : bench) benchmark::DoNotOptimize(LinearEquations(chain.system, chain.state, chain.options).size());
}

void augmented_matrix(benchmark::State& bench) {
  const HangingChain chain(static_cast<int>(bench.range(0)));
  double slowest = 0;
  for (auto _ : bench) {
    const LinearEquations equations(chain.system, chain.state, chain.options);
    const int size = equations.size();
    const MatrixXd A = equations.rates(equations.respond(MatrixXd::Identity(size, size)));
    slowest = A.bottomLeftCorner(size / 2, size / 2).trace();
  }
  bench.counters["trace"] = slowest;
}

void slowest_modes(benchmark::State& bench) {
  const HangingChain chain(static_cast<int>(bench.range(0)));
  double rope = 0;
  for (auto _ : bench) {
    LinearEquations equations(chain.system, chain.state, chain.options);
    EigenmodeOptions four;
    four.count = 4, four.shift = 0.5;
    rope = find_eigenmodes(equations, chain.system, four).modes[0].s.imag();
  }
  // ½ j₀ √(g/L) of a hanging rope
  bench.counters["per_rope"] =
      rope / (0.5 * 2.404825557695773 * std::sqrt(9.81 / (0.1 * static_cast<double>(bench.range(0)))));
}

void dense_reduction(benchmark::State& bench) {
  const HangingChain chain(static_cast<int>(bench.range(0)));
  double slowest = 0;
  for (auto _ : bench) {
    Kinematics k = chain.system.make_kinematics();
    chain.system.update(chain.state, k);
    SparseTangent tangent(chain.system);
    const auto dense = [&](double q, double v, double a) {
      tangent.evaluate(k, q, v, a);
      return MatrixXd(tangent.S());
    };
    const MatrixXd M = dense(0, 0, 1), C = dense(0, 1, 0), K = dense(1, 0, 0), G = tangent.G();
    const Eigen::ColPivHouseholderQR<MatrixXd> qr(G.transpose());
    const MatrixXd Q = qr.householderQ();
    const MatrixXd Z = Q.rightCols(Q.cols() - qr.rank());
    const Eigen::Index z = Z.cols();
    const Eigen::LLT<MatrixXd> mass(Z.transpose() * M * Z);
    MatrixXd A = MatrixXd::Zero(2 * z, 2 * z);
    A.topRightCorner(z, z).setIdentity();
    A.bottomLeftCorner(z, z) = -mass.solve(Z.transpose() * K * Z);
    A.bottomRightCorner(z, z) = -mass.solve(Z.transpose() * C * Z);
    slowest = A.bottomLeftCorner(z, z).trace();
  }
  bench.counters["trace"] = slowest;
}

BENCHMARK(augmented_factor)->RangeMultiplier(2)->Range(125, 4000)->Unit(benchmark::kMillisecond);
BENCHMARK(slowest_modes)->RangeMultiplier(2)->Range(125, 4000)->Unit(benchmark::kMillisecond);
BENCHMARK(augmented_matrix)->RangeMultiplier(2)->Range(125, 2000)->Unit(benchmark::kMillisecond)->Iterations(1);
BENCHMARK(dense_reduction)->RangeMultiplier(2)->Range(125, 500)->Unit(benchmark::kMillisecond)->Iterations(1);

}  // namespace
