// SPDX-License-Identifier: Apache-2.0
#include "order/observed_orders.h"

#include <cmath>
#include <stdexcept>

#include "bricard/integrate/integrator.h"

namespace bricard::testing {
namespace {

double squared_distance(const std::vector<Wrench>& a, const std::vector<Wrench>& b) {
  double sum = 0;
  for (size_t j = 0; j < a.size(); ++j)
    sum += (a[j].force - b[j].force).squaredNorm() + (a[j].torque - b[j].torque).squaredNorm();
  return sum;
}

}  // namespace

Errors errors(const Problem& problem, const RunSettings& settings, int steps) {
  const System& system = problem.model.system;
  const int times = static_cast<int>(problem.exact.size());
  const double h = problem.exact.back().state.t / steps;
  const std::unique_ptr<Integrator> integrator = make_integrator(system, settings);
  State s = problem.model.state;
  Kinematics k = system.make_kinematics();
  std::vector<Wrench> reactions(system.joints.size());
  VectorXd delta(system.velocities());
  Errors sum;
  integrator->start(s);
  for (int j = 0; j < times; ++j) {
    const Moment& exact = problem.exact[j];
    for (int i = 0; i < steps / times; ++i)
      if (integrator->step(h, s).status != StepStatus::accepted) throw std::runtime_error("a step was not accepted");
    system.update(s, k);
    system.reactions(k, reactions);
    system.manifold().difference(exact.state.q, s.q, delta);
    sum.q += delta.squaredNorm() / times;
    sum.v += (s.v - exact.state.v).squaredNorm() / times;
    if (j >= times / 4) sum.lambda += squared_distance(reactions, exact.reactions) / (times - times / 4);
  }
  return {std::sqrt(sum.q), std::sqrt(sum.v), std::sqrt(sum.lambda)};
}

Orders observed_orders(const Problem& problem, const RunSettings& settings, int steps) {
  const Errors coarse = errors(problem, settings, steps), fine = errors(problem, settings, 4 * steps);
  const auto order = [](double of_coarse, double of_fine) { return std::log2(of_coarse / of_fine) / 2; };
  return {order(coarse.q, fine.q), order(coarse.v, fine.v), order(coarse.lambda, fine.lambda)};
}

}  // namespace bricard::testing
