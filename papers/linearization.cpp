// SPDX-License-Identifier: Apache-2.0
#include "papers/linearization.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "bricard/analysis/campbell.h"
#include "bricard/analysis/eigenmodes.h"
#include "bricard/assemble/assemble.h"
#include "bricard/read/linearization_reader.h"
#include "bricard/write/files.h"
#include "papers/blades.h"
#include "papers/study.h"

// Paper 003: linearization in coordinates of one's choice.                          [NegrutOrtiz2006]
namespace bricard {

using Complex = std::complex<double>;

LinearCase linear_case(const StudyContext& context, const std::string& name, const io::Overrides& parameters,
                       PointType type, const std::string& reference) {
  const std::string path = (context.models / (name + ".yaml")).string();
  LinearCase c;
  c.read = io::read_linear_model(io::read_file(path), path, parameters);
  c.read.settings.reference = {reference, {}};
  c.system = std::make_unique<System>(assemble(c.read.model));
  c.options = std::make_unique<LinearizeOptions>(linearize_options(c.read.model, c.read.settings, *c.system));
  c.point = find_operating_point(c.read.model, *c.system, type, c.read.settings.reference);
  if (!c.point.problem.empty()) throw std::runtime_error(name + ": " + c.point.problem);
  c.equations = std::make_unique<LinearEquations>(*c.system, c.point.state, *c.options);
  if (!c.equations->report().problem.empty()) throw std::runtime_error(name + ": " + c.equations->report().problem);
  return c;
}

namespace {

Quantity angular_velocity(double value) { return {value, parse_unit("rad/s")->dimension}; }

constexpr double kPi = std::numbers::pi;

std::vector<Complex> spectrum_of(const LinearCase& c) {
  const int size = c.equations->size();
  const auto pairs = eigenpairs_of(c.equations->rates(c.equations->respond(MatrixXd::Identity(size, size))));
  return {pairs->values.begin(), pairs->values.end()};
}

double distance_to(const std::vector<Complex>& all, const Complex& wanted) {
  double nearest = INFINITY;
  for (const Complex& s : all) nearest = std::min(nearest, std::abs(s - wanted));
  return nearest;
}

// ---- rotor and stator ----------------------------------------------------------------------------

struct Published {
  double turns, frequencies[4];  ///< translation and rocking, backward and forward, Hz
};

/// Roots of the whirl equations in complex coordinates, solved independently with more digits than are given here.
constexpr Published kWhirl[] = {{0.00, {.1271771866, .1271771866, .6390938287, .6390938287}},
                                {0.25, {.1267771122, .1274893199, .4750317950, .8604199734}},
                                {0.50, {.1262477019, .1277392241, .3617305980, 1.132439848}},
                                {0.75, {.1255187759, .1279436049, .2854109519, 1.441287281}},
                                {1.00, {.1244645106, .1281137416, .2335024715, 1.774254785}}};
constexpr const char* kWhirlNames[] = {"translation, backward", "translation, forward", "rocking, backward",
                                       "rocking, forward"};

void add_rotor_table(const StudyContext& context, Study& study) {
  ReportTable table{"Rotor and stator: frequencies in Hz, ground axes / seen from the rotor",
                    {"speed [1/s]", kWhirlNames[0], kWhirlNames[1], kWhirlNames[2], kWhirlNames[3]},
                    {},
                    ""};
  double worst = 0, worst_turning = 0;
  for (const Published& p : kWhirl) {
    const double omega = 2 * kPi * p.turns;
    const auto fixed = spectrum_of(
        linear_case(context, "rotor_stator", {{"speed", angular_velocity(omega)}}, PointType::given, "ground"));
    const auto turning = spectrum_of(
        linear_case(context, "rotor_stator", {{"speed", angular_velocity(omega)}}, PointType::given, "rotor.center"));
    std::vector<std::string> row{fmt::format("{:g}", p.turns)};
    for (int i = 0; i < 4; ++i) {
      const double sign = i % 2 == 0 ? -1 : 1;
      const auto nearest = [&](const std::vector<Complex>& all, double wanted) {
        return std::min_element(all.begin(), all.end(),
                                [&](const Complex& a, const Complex& b) {
                                  return std::abs(a.imag() - wanted) < std::abs(b.imag() - wanted);
                                })
                   ->imag() /
               (2 * kPi);
      };
      const double f = nearest(fixed, sign * 2 * kPi * p.frequencies[i]);
      const double g = nearest(turning, sign * 2 * kPi * p.frequencies[i] - omega);
      worst = std::max(worst, std::abs(f - sign * p.frequencies[i]) / p.frequencies[i]);
      worst_turning = std::max(worst_turning, std::abs(g + p.turns - sign * p.frequencies[i]) / p.frequencies[i]);
      row.push_back(fmt::format("{:.8f} / {:.8f}", std::abs(f), std::abs(g)));
    }
    table.rows.push_back(row);
  }
  table.verdict =
      "Figure 7 of the paper shows these curves without numbers; seen from the rotor every whirl is shifted by the "
      "speed.";
  study.tables.push_back(table);
  study.checks.push_back(compare("rotor: frequencies in ground axes, largest relative error", worst, 0, 1e-8));
  study.checks.push_back(
      compare("rotor: frequencies seen from the rotor, largest relative error", worst_turning, 0, 1e-8));
  const auto at_half =
      spectrum_of(linear_case(context, "rotor_stator", {{"speed", angular_velocity(kPi)}}, PointType::given, "ground"));
  for (const auto& [name, s] : {std::pair{"rocking, forward", Complex(-.012221900936, 7.115329414237)},
                                std::pair{"rocking, backward", Complex(-.003902660517, -2.272820378448)},
                                std::pair{"up and down", Complex(-1.0 / 3000, .816496512886)},
                                std::pair{"yaw of the stator", Complex(-5, 99.8749217772)}})
    study.checks.push_back(
        compare(fmt::format("rotor: eigenvalue at 0.5 turns per second, {}", name), distance_to(at_half, s), 0, 1e-8));
}

void add_rotor_plots(const StudyContext& context, Study& study) {
  for (const char* reference : {"ground", "rotor.center"}) {
    CampbellPlan plan;
    plan.parameter = "speed", plan.unit = "rad/s", plan.count = 6;
    plan.settings.reference = {reference, {}};
    for (int i = 0; i <= 40; ++i) plan.values.push_back(2 * kPi * i / 40);
    const std::string path = (context.models / "rotor_stator.yaml").string(), text = io::read_file(path);
    plan.model = [&](double value) {
      return io::read_linear_model(text, path, {{"speed", angular_velocity(value)}}).model;
    };
    const Campbell campbell = find_campbell(plan);
    ReportPlot plot = campbell_report("", plan, campbell).plots[0];
    plot.title = std::string(reference) == "ground" ? "Rotor and stator, ground axes (figure 7a)"
                                                    : "Rotor and stator, seen from the rotor (figure 7b)";
    plot.x = "speed of the rotor [1/s]";
    std::erase_if(plot.curves,
                  [](const ReportCurve& c) { return c.name != "rotation" && (c.y.empty() || c.y.front() > 5); });
    for (ReportCurve& c : plot.curves)
      for (double& x : c.x) x /= 2 * kPi;
    study.plots.push_back(plot);
  }
}

// ---- helicopter blade ----------------------------------------------------------------------------

//     flap ω² = Ω² (1 + (e S − I_x)/I),   lag ω² = k/I + Ω² e S/I                            [Johnson1980]
void add_blade(const StudyContext& context, Study& study) {
  const double e = 0.0762, R = 2.2, m = 4, k = 4000, S = m * R / 2, I = m * R * R / 3, I_x = 1e-3;
  ReportTable table{
      "Helicopter blade, rigid, in Hz", {"speed [rpm]", "flap", "closed form", "lag", "closed form"}, {}, ""};
  double worst = 0;
  for (const double rpm : {0.0, 150.0, 250.0, 350.0, 450.0, 550.0, 660.0}) {
    const double omega = rpm * kPi / 30, flap = omega * std::sqrt(1 + (e * S - I_x) / I),
                 lag = std::sqrt(k / I + omega * omega * e * S / I);
    const LinearCase blade =
        linear_case(context, "helicopter_blade", {{"speed", angular_velocity(omega)}}, PointType::steady, "hub.center");
    const auto all = spectrum_of(blade);
    const auto nearest = [&](double wanted) {
      return std::min_element(all.begin(), all.end(),
                              [&](const Complex& a, const Complex& b) {
                                return std::abs(a - Complex(0, wanted)) < std::abs(b - Complex(0, wanted));
                              })
          ->imag();
    };
    if (rpm > 0) worst = std::max(worst, std::abs(nearest(flap) / flap - 1));
    worst = std::max(worst, std::abs(nearest(lag) / lag - 1));
    table.rows.push_back({fmt::format("{:g}", rpm), fmt::format("{:.6f}", nearest(flap) / (2 * kPi)),
                          fmt::format("{:.6f}", flap / (2 * kPi)), fmt::format("{:.6f}", nearest(lag) / (2 * kPi)),
                          fmt::format("{:.6f}", lag / (2 * kPi))});
  }
  table.verdict =
      "The paper's blade bends; its rigid motions were verified there with the same closed forms. Mass, length and "
      "spring here are our own.";
  study.tables.push_back(table);
  study.checks.push_back(
      compare("blade: flap and lag against the closed forms, largest relative error", worst, 0, 1e-8));
}

}  // namespace

Study reproduce_003(const StudyContext& context) {
  Study study;
  study.name = "003";
  study.description = "linearization of constrained mechanisms in coordinates of one's choice";
  add_rotor_table(context, study);
  add_rotor_plots(context, study);
  add_rotor_experiment(study);
  add_blade(context, study);
  add_uniform_blade(context, study);
  add_articulated_blade(context, study);
  add_machines(context, study);
  return study;
}

}  // namespace bricard
