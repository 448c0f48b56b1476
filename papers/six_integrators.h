// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "bricard/integrate/integrator.h"
#include "bricard/model/model.h"
#include "papers/study.h"

// What the parts of the study 004 share: six methods, runs with fixed steps, orders and figures of them.
namespace bricard::six_integrators {

inline constexpr double kAlpha = -0.3, kLittleDamping = -0.05;

struct Method {
  std::string name;
  RunSettings settings;
  double order;
  bool stabilized;  // index 2
  // of the other implementation, rigid slider-crank with h = 2⁻¹⁰ s
  double speed_error;  // of the crank at 2 s, rad/s, damper on
  double drift;        // largest |ġ| in 10 s, m/s, damper off
};

/// All with the numerical damping of α; Newmark with the β and γ of HHT. Without projections, which the paper does not have.
std::vector<Method> methods(double alpha);

struct StudiedMechanism {
  System system;
  State start;
};

/// Takes `steps` steps of h; `look` sees the start and the end of each. Whether all were accepted.
template <class Look>
bool run(const StudiedMechanism& m, const RunSettings& settings, double h, long steps, const Look& look) {
  const std::unique_ptr<Integrator> integrator = make_integrator(m.system, settings);
  Kinematics k = m.system.make_kinematics();
  State s = m.start;
  m.system.update(s, k);
  look(s, k);
  integrator->start(s);
  for (long i = 1; i <= steps; ++i) {
    if (integrator->step(h, s).status != StepStatus::accepted) return false;
    s.t = m.start.t + static_cast<double>(i) * h;
    m.system.update(s, k);
    look(s, k);
  }
  return true;
}

/// Errors at steps that are halved from one to the next, and their order between the last two.
struct Convergence {
  std::vector<double> steps, errors;
  double order() const { return std::log2(errors[errors.size() - 2] / errors.back()); }
};

/// One curve and one row of a table per method, and a check of its order.
struct Figure {
  std::string name, quantity, unit;
  double tolerance;  // of the orders; not a number: they are shown, not checked
  std::string verdict;
};

void show(const Figure& figure, const std::vector<Method>& all, const std::vector<Convergence>& runs, Study& study);

struct EnergyCurve {
  std::vector<double> time, energy;  // relative to the start
  double mean = 0;                   // (1/T) ∫|E| dt
  double loss = 0;                   // −E, averaged over the last fifth of the time
};

EnergyCurve energy_of(const StudiedMechanism& m, const RunSettings& settings, double h, double end);

/// Processor time of each method, the least of several runs in turns, so that a busy machine troubles all methods alike.
std::vector<double> times_of(const StudiedMechanism& m, const std::vector<Method>& all, double h, long steps);

/// Figures 4, 10 and a row of figure 16: the connecting rod bends (papers/flexible_crank.cpp).
void add_flexible_crank(const StudyContext& context, ReportTable& run_times, Study& study);

}  // namespace bricard::six_integrators
