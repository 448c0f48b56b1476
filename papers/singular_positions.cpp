// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "bricard/analysis/consistent_start.h"
#include "bricard/analysis/natural_run.h"
#include "bricard/analysis/simulate.h"
#include "bricard/assemble/assemble.h"
#include "bricard/read/model_reader.h"
#include "papers/study.h"

// F. González, Behaviour of augmented Lagrangian algorithms in the simulation of multibody systems with singular
// configurations (2015): nine algorithms on the double four-bar linkage, the slider-crank and Bricard's mechanism.
// Constraints of the paper are |d|² − L² = 0; rows here are lengths, (|d|² − L²)/2L, so that the paper's α is (2L)² = 4 times
// larger here for bars of one metre.
namespace bricard {
namespace {

constexpr double kLimit = 0.1;  // J, the paper's criterion for the double four-bar
constexpr double kRowFactor = 4;

/// A model in natural coordinates, ready to run.
struct Mechanism {
  Model model;
  System bodies;
  State bodies_start;
  NaturalSystem natural;
  State start;
};

Mechanism prepare(Model model) {
  System bodies = assemble(model);
  State s = initial_wishes(model, bodies);
  consistent_start(model, bodies, model.run.solver, s);
  NaturalSystem natural = assemble_natural(model, bodies, s);
  State start = natural_start(natural, bodies, s, model.run.solver);
  return {std::move(model), std::move(bodies), std::move(s), std::move(natural), std::move(start)};
}

Mechanism prepare(const StudyContext& context, const char* file, const io::Overrides& values = {}) {
  return prepare(io::read_model((context.models / file).string(), values));
}

Mechanism double_four_bar(const StudyContext& context) {
  Model model = io::read_model((context.models / "double_four_bar.yaml").string());
  model.plane = Plane::xy;
  return prepare(std::move(model));
}

struct Outcome {
  bool finished = true;
  double energy = 0;        ///< largest |E − E₀|, J
  double milliseconds = 0;  ///< of the steps alone
  std::vector<double> times, drift;
};

/// `look` sees the states, one per step but not more than one per millisecond.
template <class Look>
Outcome run(const Mechanism& m, RunSettings settings, double duration, const Look& look) {
  settings.duration = duration;
  settings.output_step = std::max(settings.step, 1e-3);
  const Results results = simulate(m.natural.system, m.start, settings);
  Outcome o;
  o.finished = results.report.finished;
  o.milliseconds = 1e3 * results.report.seconds.at("stepping");
  const size_t every = std::max<size_t>(1, results.samples.size() / 500);
  for (size_t i = 1; i < results.samples.size(); ++i) {
    const Sample& sample = results.samples[i];
    const double drift = sample.kinetic + sample.potential - results.report.start_energy;
    o.energy = std::max(o.energy, std::abs(drift));
    if (i % every == 0) o.times.push_back(sample.state.t), o.drift.push_back(drift);
    look(sample.state);
  }
  return o;
}

Outcome run(const Mechanism& m, const RunSettings& settings, double duration) {
  return run(m, settings, duration, [](const State&) {});
}

std::string energy_text(const Outcome& o) { return o.finished ? fmt::format("{:.4g}", o.energy) : "failed"; }

RunSettings with(IntegratorType type, double h, double alpha = 0, double omega = 0, double xi = 0, int passes = 0) {
  RunSettings s;
  s.coordinates = Coordinates::natural;
  s.integrator = type;
  s.step = h;
  if (alpha > 0) s.penalty = kRowFactor * alpha;
  if (omega > 0) s.omega = omega;
  if (xi > 0) s.xi = xi;
  if (passes > 0) s.passes = passes;
  return s;
}

/// How far the tops B0, B1, B2 of the double four-bar are from the corners of parallelograms.
double branch_defect(const State& s) {
  const Eigen::Vector2d level(1, 0);
  return std::max((s.q.segment<2>(2) - s.q.segment<2>(0) - level).norm(),
                  (s.q.segment<2>(4) - s.q.segment<2>(2) - level).norm());
}

/// One row of the paper's table of best results.
struct TableRow {
  const char *method, *rule;
  IntegratorType type;
  double h, alpha, omega, xi;
  int passes;
  double seconds;      // of the paper
  double independent;  // largest drift that another implementation found
  double tolerance;    // 0: round-off decides, nothing to compare (AHNR: α times it gives 0.010 to 0.025 J)
  bool attainable;     // whether the paper's criterion is
};

const TableRow kTable[] = {
    {"Penalty", "FE", IntegratorType::penalty_euler, 2e-5, 1e7, 30, 1, 0, 2.5, 0.260, 2e-3, false},
    {"AL", "FE", IntegratorType::al_euler, 5e-6, 1e7, 10, 1, 0, 12.21, 0.066, 0, false},
    // the energy is that of samples with consistent velocities: 0.0958
    {"AH", "FE", IntegratorType::ah_euler, 1e-3, 1e9, 0.1, 1000, 0, 0.07, 0.0954, 5e-4, true},
    {"Penalty", "TR", IntegratorType::penalty, 5e-3, 1e8, 25, 1, 2, 0.04, 0.045, 2e-3, true},
    {"AL", "TR", IntegratorType::al, 5e-3, 1e8, 20, 1, 2, 0.05, 0.058, 3e-3, true},
    {"AH", "TR", IntegratorType::ah, 5e-3, 1e9, 0.1, 1000, 3, 0.10, 0.004, 2e-3, true},
    {"ALNR", "TR", IntegratorType::alnr, 5e-3, 1e7, 100, 1, 0, 0.05, 0.0404, 2e-3, true},
    {"AHNR", "TR", IntegratorType::ahnr, 5e-3, 1e8, 1, 10000, 8, 0.08, 0.0103, 0, true},
    {"ALi3", "TR", IntegratorType::ali3, 1e-2, 1e9, 0, 0, 0, 0.02, 0.0917, 3e-3, true}};

void add_best_results(const Mechanism& m, Study& study) {
  ReportTable table{
      "Best results for the double four-bar, 10 s, the paper's parameters",
      {"method", "rule", "h [ms]", "alpha", "omega", "xi", "corrections", "max |dE| [J]", "another program",
       "parallelogram defect [m]", "time [ms]", "paper [ms]"},
      {},
      "The criterion of 0.1 J is met by all but the penalty method with Euler's rule at the paper's step. AL with "
      "Euler's "
      "rule meets it with two updates of the multipliers per step, by round-off at a singular position; iterated on it "
      "does "
      "not. With the trapezoidal rule the fixed-point methods meet it only with the number of corrections given here: "
      "iterating on makes them change branch or fail. Their defect is the violation that penalties leave. Corrections: "
      "– until "
      "they converge."};
  for (const TableRow& row : kTable) {
    const RunSettings settings = with(row.type, row.h, row.alpha, row.omega, row.xi, row.passes);
    double defect = 0;
    const Outcome o = run(m, settings, 10, [&](const State& s) { defect = std::max(defect, branch_defect(s)); });
    const std::string name = fmt::format("{} {}", row.method, row.rule);
    if (row.tolerance > 0)
      study.checks.push_back(
          compare(name + ": max |dE| as another program found it [J]", o.energy, row.independent, row.tolerance));
    if (row.attainable) study.checks.push_back(compare(name + ": max |dE| below 0.1 J", o.energy, 0, kLimit));
    const bool newton =
        row.type == IntegratorType::alnr || row.type == IntegratorType::ahnr || row.type == IntegratorType::ali3;
    if (newton) study.checks.push_back(compare(name + ": parallelogram defect [m]", defect, 0, 1e-6));
    table.rows.push_back(
        {row.method, row.rule, fmt::format("{:g}", 1e3 * row.h), fmt::format("{:g}", row.alpha),
         row.omega > 0 ? fmt::format("{:g}", row.omega) : "–", row.xi > 0 ? fmt::format("{:g}", row.xi) : "–",
         row.passes > 0 ? fmt::format("{}", row.passes) : "–", energy_text(o), fmt::format("{:g}", row.independent),
         fmt::format("{:.1e}", defect), fmt::format("{:.1f}", o.milliseconds), fmt::format("{:g}", 1e3 * row.seconds)});
  }
  study.tables.push_back(std::move(table));
}

/// With an α that does not make round-off large, AHNR is what another program found for the paper's.
void add_automatic_ahnr(const Mechanism& m, Study& study) {
  study.checks.push_back(
      compare("AHNR, parameters chosen by the program, 5 ms: max |dE| as another program found it [J]",
              run(m, with(IntegratorType::ahnr, 5e-3), 10).energy, 0.0103, 3e-4));
}

/// θ of the exact parallel motion, 3θ̈ = −3.5 g cos θ.
struct ExactAngle {
  long double angle = std::numbers::pi_v<long double> / 2, rate = -1;
  void advance(double h) {
    const long double d = h / 8.0L;
    const auto bend = [](long double x) { return -3.5L / 3 * 9.81L * std::cos(x); };
    for (int i = 0; i < 8; ++i) {
      const long double a1 = bend(angle), w2 = rate + d / 2 * a1, a2 = bend(angle + d / 2 * rate),
                        w3 = rate + d / 2 * a2, a3 = bend(angle + d / 2 * w2), w4 = rate + d * a3,
                        a4 = bend(angle + d * w3);
      angle += d / 6 * (rate + 2 * w2 + 2 * w3 + w4);
      rate += d / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
    }
  }
};

struct Family {
  const char* name;
  IntegratorType type;
};
const Family kNewtonFamily[] = {{"ALi3", IntegratorType::ali3},
                                {"ALNR", IntegratorType::alnr},
                                {"AHNR", IntegratorType::ahnr},
                                {"HHT", IntegratorType::hht}};

// Energy and the place of the tip are off by c h², which the largest step decides; four times that is allowed.
void add_robustness(const Mechanism& m, Study& study) {
  ReportTable table{"Fourteen steps on the double four-bar, 10 s, parameters chosen by the program",
                    {"h [ms]"},
                    {},
                    "Each run is judged by energy, by branch (defect below 1e-3 m next to a singular position) and by "
                    "the exact motion "
                    "of the tip. Both errors grow with h²."};
  for (const Family& f : kNewtonFamily)
    table.columns.insert(table.columns.end(), {fmt::format("{} |dE| [J]", f.name), "defect [m]", "tip [m]"});
  std::vector<int> good(std::size(kNewtonFamily), 0);
  ReportPlot plot{
      "Error of the energy on the double four-bar", "h [s]", "max |dE| [J]", true, true, {}, {2}, "All fall with h²."};
  for (const Family& f : kNewtonFamily) plot.curves.push_back({f.name, {}, {}, false});
  const double steps[] = {1, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10, 12.5, 15, 16, 20};
  for (const double ms : steps) {
    table.rows.push_back({fmt::format("{:g}", ms)});
    for (size_t f = 0; f < std::size(kNewtonFamily); ++f) {
      double defect = 0, tip = 0, before = 0;
      ExactAngle exact;
      const Outcome o = run(m, with(kNewtonFamily[f].type, 1e-3 * ms), 10, [&](const State& s) {
        exact.advance(s.t - before);
        before = s.t;
        defect = std::max(defect, branch_defect(s));
        const Eigen::Vector2d place(static_cast<double>(std::cos(exact.angle)),
                                    static_cast<double>(std::sin(exact.angle)));
        tip = std::max(tip, (s.q.segment<2>(0) - place).norm());
      });
      const double x = ms / 10;
      good[f] += o.finished && o.energy < 0.5 * x * x && defect < 1e-3 && tip < 0.5 * x * x;
      plot.curves[f].x.push_back(1e-3 * ms), plot.curves[f].y.push_back(o.energy);
      table.rows.back().insert(table.rows.back().end(),
                               {energy_text(o), fmt::format("{:.0e}", defect), fmt::format("{:.2g}", tip)});
    }
  }
  for (size_t f = 0; f < std::size(kNewtonFamily); ++f)
    study.checks.push_back(compare(fmt::format("{}: good runs out of 14", kNewtonFamily[f].name), good[f], 14, 0));
  study.tables.push_back(std::move(table));
  study.plots.push_back(std::move(plot));
}

/// θ of the crank of the singular slider-crank at 10 s, and Bricard's P3, computed in high precision.
constexpr double kCrankAngle = 35.5686540893930;

void add_other_mechanisms(const StudyContext& context, Study& study) {
  ReportTable table{
      "Slider-crank through its singular positions and Bricard's mechanism, 10 s",
      {"mechanism", "h [ms]"},
      {},
      "The slider-crank keeps its branch; the error of the crank's angle at 10 s is given behind the energy. Bricard's "
      "mechanism is redundant throughout: its energy criterion is 1e-3 J."};
  for (const Family& f : kNewtonFamily) table.columns.push_back(fmt::format("{} max |dE| [J]", f.name));
  const Mechanism slider = prepare(context, "singular_slider_crank.yaml"), bricard = prepare(context, "bricard.yaml");
  for (const double h : {1e-2, 5e-3, 2e-3}) {
    table.rows.push_back({"slider-crank", fmt::format("{:g}", 1e3 * h)});
    for (const Family& f : kNewtonFamily) {
      Eigen::Vector2d tip(0, 0);
      const Outcome o = run(slider, with(f.type, h), 10, [&](const State& s) { tip = s.q.segment<2>(0); });
      const double angle = std::remainder(std::atan2(tip.y(), tip.x()) - kCrankAngle, 2 * std::numbers::pi);
      table.rows.back().push_back(fmt::format("{} ({:.1e} rad)", energy_text(o), angle));
      study.checks.push_back(
          compare(fmt::format("slider-crank, {}, {:g} ms: angle of the crank at 10 s [rad]", f.name, 1e3 * h), angle, 0,
                  4000 * h * h));
    }
  }
  for (const double h : {5e-3, 2e-3, 1e-3}) {
    table.rows.push_back({"Bricard", fmt::format("{:g}", 1e3 * h)});
    for (const Family& f : kNewtonFamily) {
      const Outcome o = run(bricard, with(f.type, h), 10);
      table.rows.back().push_back(energy_text(o));
      if (h <= 2e-3)
        study.checks.push_back(
            compare(fmt::format("Bricard, {}, {:g} ms: max |dE| [J]", f.name, 1e3 * h), o.energy, 0, 1e-3));
    }
  }
  study.tables.push_back(std::move(table));
}

/// Reaction of a joint over time, in the direction of an axis, at the steps of a run.
ReportCurve reaction(const Mechanism& m, RunSettings settings, double duration, const char* joint, int axis,
                     const char* name) {
  settings.duration = duration;
  settings.output_step = settings.step;
  settings.coordinates = Coordinates::natural;
  const Results results = simulate(m.model, m.bodies, m.bodies_start, settings);
  int number = 0;
  for (size_t j = 0; j < m.bodies.joints.size(); ++j)
    if (m.bodies.joints[j].name == joint) number = static_cast<int>(j);
  ReportCurve curve{name, {}, {}, false};
  Kinematics k = m.bodies.make_kinematics();
  std::vector<Wrench> wrenches(m.bodies.joints.size());
  for (const Sample& sample : results.samples) {
    m.bodies.update(sample.state, k);
    m.bodies.reactions(k, wrenches);
    curve.x.push_back(sample.state.t), curve.y.push_back(wrenches[number].force[axis]);
  }
  return curve;
}

/// The largest second difference from a sample on.
double roughness(const ReportCurve& c, size_t from) {
  double largest = 0;
  for (size_t i = from + 1; i + 1 < c.y.size(); ++i)
    largest = std::max(largest, std::abs(c.y[i + 1] - 2 * c.y[i] + c.y[i - 1]));
  return largest;
}

// The start in the singular position has two velocities that the constraints allow there: that of the slider-crank, which
// goes on, and that of a pendulum, which becomes a violation at the first step away.
void add_reactions(const StudyContext& context, Study& study) {
  const io::Overrides singular{{"start", {std::numbers::pi / 2, {}}}};
  const Mechanism upright = prepare(context, "singular_slider_crank.yaml", singular);
  ReportPlot start{
      "Vertical reaction at the ground pin after a start in the singular position",
      "t [s]",
      "force [N]",
      false,
      false,
      {},
      {},
      "Without a secondary velocity all reactions are smooth from the start. One of 0.01 m/s, which the constraints do "
      "not see at the start, is a violation one step later and so an impulse with every method; projections (ALi3) "
      "leave nothing of it after some steps, without them (AL) it lingers on."};
  Mechanism disturbed = prepare(context, "singular_slider_crank.yaml", singular);
  const double h = 1e-3;
  start.curves.push_back(reaction(upright, with(IntegratorType::ali3, h), 0.1, "A", 1, "ALi3"));
  start.curves.push_back(reaction(upright, with(IntegratorType::alnr, h), 0.1, "A", 1, "ALNR"));
  const int rod = disturbed.bodies.nodes()[2].v;
  disturbed.bodies_start.v[rod] += 0.005;  // of its mass centre, half as fast as C
  disturbed.bodies_start.v[rod + 5] += 0.01;
  start.curves.push_back(reaction(disturbed, with(IntegratorType::ali3, h), 0.1, "A", 1, "ALi3, secondary velocity"));
  start.curves.push_back(
      reaction(disturbed, with(IntegratorType::al, h, 1e8, 20, 1, 2), 0.1, "A", 1, "AL, secondary velocity"));
  study.checks.push_back(compare("start in the singular position, ALi3: largest jump of the reaction's slope [N]",
                                 roughness(start.curves[0], 1), 0, 1));
  study.checks.push_back(
      compare("secondary velocity: impulse in the first steps (1 yes)", roughness(start.curves[3], 1) > 100, 1, 0));
  study.checks.push_back(
      compare("secondary velocity, ALi3: largest jump after 8 steps [N]", roughness(start.curves[2], 8), 0, 0.02));
  study.checks.push_back(compare("secondary velocity, AL: it is still there after 8 steps (1 yes)",
                                 roughness(start.curves[3], 8) > 0.1, 1, 0));
  study.plots.push_back(std::move(start));

  const Mechanism four_bar = double_four_bar(context);
  ReportPlot crossing{"Horizontal reaction at the first ground pin of the double four-bar",
                      "t [s]",
                      "force [N]",
                      false,
                      false,
                      {},
                      {},
                      "The bars lie in one line at 0.714 s. Methods with projections pass without a trace; AL with the "
                      "trapezoidal rule and "
                      "fixed-point iteration shows an impulse."};
  crossing.curves.push_back(reaction(four_bar, with(IntegratorType::ali3, 5e-3), 1.2, "A0", 0, "ALi3"));
  crossing.curves.push_back(reaction(four_bar, with(IntegratorType::alnr, 5e-3), 1.2, "A0", 0, "ALNR"));
  crossing.curves.push_back(reaction(four_bar, with(IntegratorType::al, 5e-3, 1e8, 20, 1, 2), 1.2, "A0", 0, "AL, TR"));
  study.plots.push_back(std::move(crossing));
}

struct MapOf {
  const char* title;
  IntegratorType type;
  int passes;
  bool over_xi;  // α × ξ at ω = 1 instead of α × ω at ξ = 1
};

void add_maps(const Mechanism& m, Study& study) {
  const std::vector<double> alpha{1e5, 1e6, 1e7, 1e8, 1e9}, omega{1, 3, 10, 30, 100, 300},
      xi{1, 10, 100, 1e3, 1e4, 1e5};
  for (const MapOf& map :
       {MapOf{"Penalty, trapezoidal rule", IntegratorType::penalty, 2, false},
        MapOf{"AL, trapezoidal rule", IntegratorType::al, 2, false}, MapOf{"ALNR", IntegratorType::alnr, 0, false},
        MapOf{"AH, trapezoidal rule", IntegratorType::ah, 3, true}, MapOf{"AHNR", IntegratorType::ahnr, 8, true}}) {
    const std::vector<double>& other = map.over_xi ? xi : omega;
    ReportMap shown{fmt::format("Energy drift of {}, h = 5 ms", map.title),
                    "alpha",
                    map.over_xi ? "xi (omega = 1)" : "omega [1/s] (xi = 1)",
                    "max |dE| [J]",
                    alpha,
                    other,
                    {},
                    true,
                    true,
                    true,
                    ""};
    int good = 0;
    for (const double y : other)
      for (const double a : alpha) {
        const Outcome o = run(
            m, map.over_xi ? with(map.type, 5e-3, a, 1, y, map.passes) : with(map.type, 5e-3, a, y, 1, map.passes), 10);
        shown.values.push_back(o.finished ? o.energy : NAN);
        good += o.finished && o.energy < kLimit;
      }
    shown.verdict = fmt::format("{} of {} combinations stay within 0.1 J; blank ones fail.", good, shown.values.size());
    study.maps.push_back(std::move(shown));
  }
}

void add_histories(const Mechanism& m, Study& study) {
  ReportPlot plot{
      "Energy drift over time, alpha = 1e8, h = 5 ms, omega = 1, xi = 1e4", "t [s]", "E - E0 [J]", false, false, {}, {},
      "Hamiltonian methods; AHNR with eight corrections per step."};
  for (const auto& [name, type, passes] :
       {std::tuple{"AH, trapezoidal rule", IntegratorType::ah, 3}, std::tuple{"AHNR", IntegratorType::ahnr, 8}}) {
    const Outcome o = run(m, with(type, 5e-3, 1e8, 1, 1e4, passes), 10);
    if (o.finished) {
      plot.curves.push_back({name, o.times, o.drift, false});
    } else {
      plot.verdict +=
          fmt::format(" {} fails at t = {:.3g} s with these parameters.", name, o.times.empty() ? 0 : o.times.back());
    }
  }
  study.plots.push_back(std::move(plot));
}

}  // namespace

Study reproduce_002(const StudyContext& context) {
  Study study;
  study.name = "002";
  study.description = "augmented Lagrangian and Hamiltonian algorithms at singular positions";
  study.text = "Natural coordinates: points shared between bars, constant mass matrix. alpha of the paper refers to "
               "constraints |d|^2 - L^2 = 0.";
  const Mechanism m = double_four_bar(context);
  add_best_results(m, study);
  add_automatic_ahnr(m, study);
  add_robustness(m, study);
  add_other_mechanisms(context, study);
  add_reactions(context, study);
  add_maps(m, study);
  add_histories(m, study);
  return study;
}

}  // namespace bricard
