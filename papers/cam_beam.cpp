// SPDX-License-Identifier: Apache-2.0
#include "papers/cam_beam.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "bricard/analysis/run_model.h"
#include "bricard/analysis/simulation.h"
#include "bricard/assemble/assemble.h"
#include "bricard/read/model_reader.h"
#include "bricard/results/channels.h"
#include "bricard/write/files.h"
#include "papers/beam_runs.h"
#include "papers/conditioning.h"

// The text leaves open where the cam's pivot is, how the cam starts, the shapes in contact, shear and inertia of the sections, the unit of
// the damper, and what friction does at separation. The model file completes it; the numbers to compare with are those of another
// program for the same completion.
namespace bricard::cam_beam {
namespace {

using beam_study::with;

constexpr double kBegin = 0.49405, kEnd = 0.49417, kSampling = 2e-7;  // s, around the first impact
constexpr double kPlain = 1e3;                                        // of s = 1e3 + m_ave/h²

struct Impact {
  double touch = NAN, duration = NAN, peak = 0, impulse = 0;
  double smallest_step = NAN;
  State middle;
};

std::string text_of(const StudyContext& context) {
  return io::read_file((context.models / "cam_beam_impact.yaml").string());
}

/// The first impact with a tolerance only, its force at many times of the interpolated steps.
Impact first_impact(const StudyContext& context) {
  Model model = io::read_model_text(text_of(context), "cam_beam_impact.yaml");
  model.run.duration = 0.4942, model.run.rtol = 1e-6;
  const System system = assemble(model);
  const StartState start = start_of(model, system, Analysis::dynamics);
  SimulationHooks hooks;
  for (int i = 0; kBegin + i * kSampling < kEnd; ++i) hooks.at.push_back(kBegin + i * kSampling);
  const Results results = simulate(system, start.state, model.run, hooks);
  Impact impact;
  for (const EventRecord& event : results.report.events) {
    if (event.what == "touches" && !(impact.touch > 0)) impact.touch = event.t;
    if (event.what == "leaves" && !(impact.duration > 0)) impact.duration = event.t - impact.touch;
  }
  impact.smallest_step = results.report.smallest_step;
  Channels channels(model, system, 0);
  size_t force = 0, place = 0;
  for (const Channel& c : channels.list()) {
    if (c.name == "impact.normal_force") force = place;
    place += c.width();
  }
  for (const Sample& sample : results.samples) {
    if (!sample.requested) continue;
    const double N = channels.evaluate(sample)[force];
    if (N > impact.peak) impact.peak = N, impact.middle = sample.state;
    impact.impulse += N * kSampling;
  }
  return impact;
}

void check_impact(const Impact& impact, Study& study) {
  const auto check = [&](const char* what, double value, double reference, double tolerance) {
    study.checks.push_back(compare(fmt::format("cam-beam impact: {}", what), value, reference, tolerance));
  };
  check("first touch [s] (other program: 0.494056)", impact.touch, 0.494056, 1.5e-6);
  check("duration of the first impact [s] (other program: 1.02e-4)", impact.duration, 1.02e-4, 1e-6);
  check("peak of its force [kN] (other program: 48.23 +- 0.02)", impact.peak / 1e3, 48.23, 0.12);
  check("its impulse [N s] (other program: 3.1325 +- 0.001)", impact.impulse, 3.1325,
        0.018);  // half a percent: tolerance, interpolation, mesh
}

/// Condition numbers of the matrix of a step of the two-step BDF in the middle of the impact.
void study_conditions(const StudyContext& context, Study& study) {
  // coarse and without friction, whose states have units of their own
  Model model = io::read_model_text(with(text_of(context), {{"elements: 8", "elements: 2"},
                                                            {"elements: 2\nground", "elements: 1\nground"},
                                                            {"    friction_coefficient: 0.3\n", ""},
                                                            {"    bristle_stiffness: 1e5\n", ""}}),
                                    "cam_beam_impact.yaml");
  model.run.duration = 0.4941, model.run.rtol = 1e-6;
  const System system = assemble(model);
  const StartState start = start_of(model, system, Analysis::dynamics);
  const State touching = simulate(system, start.state, model.run).samples.back().state;
  const NewtonSystem newton(system, SolverType::dense);
  std::vector<double> steps{1e-3, 1e-4, 1e-5, 1e-6, 1e-7}, none, one, ours;
  for (const double h : steps) {
    const NewtonForm form = newton.step_form(h, 1, 1.5 / h, 2.25 / (h * h));
    ours.push_back(conditioning::condition_number(system, touching, form));
    one.push_back(conditioning::condition_number(system, touching, form, h * h, kPlain * h * h + 1));
    none.push_back(conditioning::condition_number(system, touching, form, h * h, kPlain * h * h));
  }
  study.plots.push_back({"Section 5, cam-beam impact: condition number in contact over the step",
                         "h [s]",
                         "condition number [1]",
                         true,
                         true,
                         {{"s = 1e3 (m_ave = 0)", steps, none, false},
                          {"s = 1e3 + 1/h² (m_ave = 1)", steps, one, false},
                          {"s of this program", steps, ours, false}},
                         {-4, 0},
                         "Without the part 1/h² no digit is left at the steps that an impact needs."});
  study.checks.push_back(compare("cam-beam impact: slope of κ over h, s = 1e3, 1e-5 to 1e-7 s (theory: -4)",
                                 conditioning::slope({1e-5, 1e-7}, {none[2], none[4]}), -4, 0.2));
  study.checks.push_back(compare("cam-beam impact: log10 κ, s = 1e3, h = 1e-6 s (no digit left from 16 on)",
                                 std::max(16.0, std::log10(none[3])), std::log10(none[3]), 0));
  study.checks.push_back(compare("cam-beam impact: slope of κ over h, s = 1e3 + 1/h², 1e-6 to 1e-7 s",
                                 conditioning::slope({1e-6, 1e-7}, {one[3], one[4]}), 0, 0.05));
  study.checks.push_back(compare("cam-beam impact: slope of κ over h, s of this program, 1e-6 to 1e-7 s",
                                 conditioning::slope({1e-6, 1e-7}, {ours[3], ours[4]}), 0, 0.05));
}

/// The whole second with a tolerance only: Figs. 10 and 11.
void study_history(const StudyContext& context, Study& study) {
  Model model = io::read_model_text(text_of(context), "cam_beam_impact.yaml");
  model.run.duration = 1, model.run.output_step = 0.2, model.run.rtol = 1e-4;
  const System system = assemble(model);
  const StartState start = start_of(model, system, Analysis::dynamics);
  Simulation simulation(system, start.state, model.run);
  ReportCurve steps{"h", {}, {}, false}, scaling{"1e3 + 1/h²", {}, {}, false};
  double before = 0;
  while (simulation.step()) {
    const double t = simulation.state().t, h = t - before;
    before = t;
    if (h <= 0) continue;
    steps.x.push_back(t), steps.y.push_back(h);
    scaling.x.push_back(t), scaling.y.push_back(kPlain + 1 / (h * h));
  }
  const Results results = simulation.finish();
  study.checks.push_back(
      compare("cam-beam impact: time reached with a tolerance only [s]", results.report.end_time, 1, 1e-9));
  const auto touches = std::count_if(results.report.events.begin(), results.report.events.end(),
                                     [](const EventRecord& e) { return e.what == "touches"; });
  study.checks.push_back(compare("cam-beam impact: log10 of the number of impacts (other program: 1000 to 1600)",
                                 std::log10(static_cast<double>(touches)), 3.1, 0.3));
  size_t block = 0;
  for (size_t n = 0; n < system.nodes().size(); ++n)
    if (system.nodes()[n].name == "block") block = n;
  for (const auto& [t, y] : {std::pair{0.6, 0.0839}, std::pair{0.8, 0.2575}}) {
    double ours = std::numeric_limits<double>::quiet_NaN();
    for (const Sample& sample : results.samples)
      if (std::abs(sample.state.t - t) < 1e-9) ours = sample.state.q[system.nodes()[block].q + 1];
    study.checks.push_back(
        compare(fmt::format("cam-beam impact: y of P at {} s [m] (other program: {})", t, y), ours, y, 5e-4));
  }
  study.checks.push_back(compare("cam-beam impact: log10 of the smallest step in one second (at most -5)",
                                 std::min(-5.0, std::log10(results.report.smallest_step)),
                                 std::log10(results.report.smallest_step), 0));
  study.plots.push_back({"Fig. 10, cam-beam impact: step size",
                         "time [s]",
                         "h [s]",
                         false,
                         true,
                         {steps},
                         {},
                         "Long steps until 0.494 s; then each impact cuts them to microseconds, and they come back."});
  study.plots.push_back(
      {"Fig. 11, cam-beam impact: scaling factor for m_ave = 1",
       "time [s]",
       "s [1]",
       false,
       true,
       {scaling},
       {},
       "The paper has 1e13 at the instant of contact and 1e8 to 1e11 behind it. s = 1e3 + 1/h² has these "
       "values for h = 3e-7 s and 1e-4 to 3e-6 s."});
}

}  // namespace

void study_impact(const StudyContext& context, Study& study) {
  const Impact impact = first_impact(context);
  check_impact(impact, study);
  study.checks.push_back(compare(
      "cam-beam impact: log10 of the smallest step of the first impact, generalized-alpha, rtol 1e-6 (at most -6)",
      std::min(-6.0, std::log10(impact.smallest_step)), std::log10(impact.smallest_step), 0));
  study_conditions(context, study);
  if (!context.quick) study_history(context, study);
}

}  // namespace bricard::cam_beam
