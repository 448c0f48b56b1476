// SPDX-License-Identifier: Apache-2.0
#include "papers/blades.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "bricard/analysis/eigenmodes.h"
#include "bricard/assemble/assemble.h"
#include "papers/beam_runs.h"
#include "papers/linearization.h"

namespace bricard {
namespace {

constexpr double kPi = std::numbers::pi;

/// Im s of the slowest modes about the steady rotation of a model, rad/s.
std::vector<double> turning_frequencies(const Model& model, int count) {
  System system = assemble(model);
  LinearizationSettings settings;
  settings.reference = {"hub.center", {}};
  const LinearizeOptions options = linearize_options(model, settings, system);
  const OperatingPoint point = find_operating_point(model, system, PointType::steady, settings.reference);
  std::vector<double> all;
  if (!point.problem.empty()) return all;
  LinearEquations equations(system, point.state, options);
  EigenmodeOptions wanted;
  wanted.count = count;
  for (const Eigenmode& mode : find_eigenmodes(equations, system, wanted).modes) all.push_back(mode.s.imag());
  return all;
}

/// The relative distance to the nearest; not a number if there are none.
double distance_to(const std::vector<double>& all, double wanted) {
  double nearest = all.empty() ? NAN : INFINITY;
  for (const double w : all) nearest = std::min(nearest, std::abs(w - wanted) / wanted);
  return nearest;
}

// ---- uniform and clamped ------------------------------------------------------------------------------------------

/// Rotating Euler–Bernoulli beam, no hub, in √(EI/(mL⁴)): speed and flap by power series, exact to 1e-7.
struct Clamped {
  double speed, flap[3];
};
constexpr Clamped kClamped[] = {{0, {3.51601527, 22.0344916, 61.6972144}},  {1, {3.68164681, 22.1810112, 61.8417626}},
                                {2, {4.13731957, 22.6149220, 62.2731841}},  {4, {5.58500142, 24.2733494, 63.9667605}},
                                {6, {7.36037302, 26.8090817, 66.6839144}},  {8, {9.25683760, 29.9953819, 70.2929622}},
                                {10, {11.2023278, 33.6403659, 74.6492946}}, {12, {13.1701505, 37.6031123, 79.6144785}}};

// ---- articulated, after paper 003 ---------------------------------------------------------------------------------

/// The hinge is 3 in from the axis, as in the paper; the rest is chosen: uniform, with stiffnesses that put the first elastic flap, lag and
/// twist at rest where NASTRAN has them (11.53, 42.44 and 102.05 Hz), a lag spring, and no stretch, shear or rotary inertia to speak of.
struct Articulated {
  double hinge = 0.0762, length = 1.3, mass = 0.5, flap = 31.53, lag = 427.2, spring = 40, twist_inertia = 2e-6,
         flap_inertia = 1e-7;
  double lag_inertia() const { return twist_inertia - flap_inertia; }
  double twist() const { return twist_inertia * std::pow(4 * length * 102.05, 2); }

  /// `modal`: the blade is a body with 30 normal shapes while it is held at its root, instead of the beam.
  std::string text(double speed, bool modal = false) const {
    return beam_study::with(R"yaml(
gravity: [0, 0, 0]
bodies:
  hub: {mass: 5, inertia: [0.1, 0.1, 0.1], angular_velocity: [0, 0, SPEED], markers: {center: {}}}
beams:
  blade:
    from: [HINGE, 0, 0]
    to: [TIP, 0, 0]
    stiffness: [1e9, 1e9, 1e9, TWIST, FLAP, LAG]
    mass_per_length: MASS
    inertia_per_length: INERTIA
    velocity: [0, SPEED*HINGE, 0]
    angular_velocity: [0, 0, SPEED]
    elements: 20
REDUCE
joints:
  axis: {type: revolute, between: [ground, hub], at: [0, 0, 0], axis: [0, 0, 1]}
  hinge: {type: universal, between: [hub, ROOT], at: [HINGE, 0, 0], axis: [0, 0, 1], second_axis: [0, 1, 0]}
motions: {drive: {joint: axis, velocity: SPEED}}
forces:
  spring: {type: force, on: ROOT, torque: [0, 0, "-SPRING*first_angle(hinge)"], frame: hub.center, reaction: hub}
)yaml",
                            {{"REDUCE", modal ? "    reduce: {modes: 30, frame: start}" : ""},
                             {"ROOT", modal ? "blade.start" : "blade_0"},
                             {"SPEED", fmt::format("{:.17g}", speed)},
                             {"HINGE", fmt::format("{}", hinge)},
                             {"TIP", fmt::format("{}", hinge + length)},
                             {"TWIST", fmt::format("{:.17g}", twist())},
                             {"FLAP", fmt::format("{}", flap)},
                             {"LAG", fmt::format("{}", lag)},
                             {"MASS", fmt::format("{}", mass)},
                             {"INERTIA", fmt::format("[{}, {}, {}]", twist_inertia, flap_inertia, lag_inertia())},
                             {"SPRING", fmt::format("{}", spring)}});
  }

  /// Of small bending w(x) in tension, zero at a frequency:
  ///     EI w″″ − (T w′)′ = m p w,   T = m Ω² ((L² − x²)/2 + e (L − x)),   w(0) = 0,   EI w″(0) = k w′(0),   free at L
  /// p = ω² for flap, ω² + Ω² for lag. By Runge–Kutta from the hinge for w′(0) = 1 and for a shear force there.
  double determinant(double speed, double EI, double k, double p) const {
    using Vector4d = Eigen::Vector4d;
    const auto slope = [&](double x, const Vector4d& y) {  // w, w′, M = EI w″, S = M′ − T w′
      const double T = mass * speed * speed * ((length * length - x * x) / 2 + hinge * (length - x));
      return Vector4d(y[1], y[2] / EI, y[3] + T * y[1], mass * p * y[0]);
    };
    constexpr int kSteps = 400;
    const double h = length / kSteps;
    Eigen::Matrix<double, 4, 2> Y;
    Y << 0, 0, 1, 0, k, 0, 0, 1;
    for (int i = 0; i < kSteps; ++i)
      for (const int c : {0, 1}) {
        const double x = i * h;
        const Vector4d y = Y.col(c), a = slope(x, y), b = slope(x + h / 2, y + h / 2 * a),
                       d = slope(x + h / 2, y + h / 2 * b), f = slope(x + h, y + h * d);
        Y.col(c) += h / 6 * (a + 2 * b + 2 * d + f);
      }
    return Y.bottomRows<2>().determinant();
  }
  /// rad/s, ascending, up to `most`.
  std::vector<double> bending(double speed, bool is_lag, double most) const {
    const auto f = [&](double w) {
      return determinant(speed, is_lag ? lag : flap, is_lag ? spring : 0, w * w + (is_lag ? speed * speed : 0));
    };
    std::vector<double> roots;
    for (double a = 1; a < most; a += 2) {
      double low = a, high = a + 2;
      if (f(low) * f(high) > 0) continue;
      for (int i = 0; i < 50; ++i) (f(low) * f((low + high) / 2) > 0 ? low : high) = (low + high) / 2;
      roots.push_back((low + high) / 2);
    }
    return roots;
  }
  /// First mode: a section that turns away from the plane of rotation is turned back by Ω² (J_z − J_y).
  double twisting(double speed) const {
    const double at_rest = kPi / (2 * length) * std::sqrt(twist() / twist_inertia);
    return std::sqrt(at_rest * at_rest + speed * speed * (lag_inertia() - flap_inertia) / twist_inertia);
  }
};

}  // namespace

void add_uniform_blade(const StudyContext& context, Study& study) {
  const std::string path = (context.models / "rotating_blade.yaml").string();
  ReportTable table{
      "Uniform rotating blade, 20 cubic elements (rotating_blade.yaml)",
      {"speed", "flap 1", "flap 2", "flap 3", "largest relative difference, flap", "lag"},
      {},
      "Speeds and frequencies in √(EI/(mL⁴)). Reference: the Euler–Bernoulli beam by power series; lag² = flap² − "
      "speed². Five digits are asked for; stretch, shear and rotary inertia of the model take 2e-6."};
  for (const Clamped& row : kClamped) {
    if (context.quick && row.speed != 0 && row.speed != 12) continue;
    const auto ours =
        turning_frequencies(io::read_model(path, {{"speed", Quantity(row.speed, parse_unit("rad/s")->dimension)}}), 8);
    double flap = 0, lag = 0;
    std::vector<std::string> cells{fmt::format("{}", row.speed)};
    for (const double w : row.flap) {
      flap = std::max(flap, distance_to(ours, w));
      lag = std::max(lag, distance_to(ours, std::sqrt(w * w - row.speed * row.speed)));
      double nearest = NAN;
      for (const double x : ours)
        if (!(std::abs(nearest - w) <= std::abs(x - w))) nearest = x;
      cells.push_back(fmt::format("{:.7f}", nearest));
    }
    if (ours.empty()) flap = lag = NAN;
    cells.insert(cells.end(), {fmt::format("{:.1e}", flap), fmt::format("{:.1e}", lag)});
    table.rows.push_back(std::move(cells));
    study.checks.push_back(
        compare(fmt::format("uniform blade, speed {}: flap and lag, largest relative difference", row.speed),
                std::max(flap, lag), 0, 1e-5));
  }
  study.tables.push_back(std::move(table));
}

void add_articulated_blade(const StudyContext& context, Study& study) {
  const Articulated blade;
  constexpr double kMost = 2 * kPi * 130;
  const std::vector<double> speeds =
      context.quick ? std::vector<double>{0, 660} : std::vector<double>{0, 150, 250, 350, 450, 550, 660};
  ReportTable table{"Articulated blade, 20 cubic elements: frequencies in Hz",
                    {"speed [rpm]", "lag", "flap", "1st flap", "2nd flap", "1st chord", "3rd flap", "1st torsion",
                     "largest relative difference", "as a modal body"},
                    {},
                    ""};
  ReportPlot plot{"Articulated blade: fan plot", "speed [rpm]", "frequency [Hz]"};
  const char* const names[] = {"lag", "flap", "1st flap", "2nd flap", "1st chord", "3rd flap", "1st torsion"};
  for (const char* name : names) plot.curves.push_back({name, {}, {}, false});
  for (const double rpm : speeds) {
    const double speed = rpm * kPi / 30;
    const auto ours = turning_frequencies(io::read_model_text(blade.text(speed), "study.yaml"), 12);
    const auto modal = turning_frequencies(io::read_model_text(blade.text(speed, true), "study.yaml"), 12);
    std::vector<double> flap = blade.bending(speed, false, kMost), lag = blade.bending(speed, true, kMost);
    if (rpm == 0) flap.insert(flap.begin(), 0);  // free to flap
    const double exact[] = {lag.at(0), flap.at(0), flap.at(1),           flap.at(2),
                            lag.at(1), flap.at(3), blade.twisting(speed)};
    double worst = 0, worst_modal = modal.empty() ? NAN : 0;
    std::vector<std::string> cells{fmt::format("{}", rpm)};
    for (size_t i = 0; i < std::size(exact); ++i) {
      double nearest = NAN;
      for (const double x : ours)
        if (!(std::abs(nearest - exact[i]) <= std::abs(x - exact[i]))) nearest = x;
      if (exact[i] > 0) worst = std::max(worst, distance_to(ours, exact[i]));
      if (exact[i] > 0) worst_modal = std::max(worst_modal, distance_to(modal, exact[i]));
      cells.push_back(fmt::format("{:.4f}", nearest / (2 * kPi)));
      plot.curves[i].x.push_back(rpm), plot.curves[i].y.push_back(nearest / (2 * kPi));
    }
    if (ours.empty()) worst = NAN;
    cells.push_back(fmt::format("{:.1e}", worst));
    cells.push_back(fmt::format("{:.1e}", worst_modal));
    table.rows.push_back(std::move(cells));
    study.checks.push_back(
        compare(fmt::format("articulated blade, {} rpm: seven modes against theory, largest relative difference", rpm),
                worst, 0, 5e-5));
    study.checks.push_back(
        compare(fmt::format("articulated blade as a modal body, {} rpm: the same, largest relative difference", rpm),
                worst_modal, 0, 3e-4));
  }
  const std::pair<const char*, std::array<double, 2>> nastran[] = {{"1st flap", {11.53, 29.62}},
                                                                   {"2nd flap", {36.38, 55.69}},
                                                                   {"1st chord", {42.44, 49.29}},
                                                                   {"3rd flap", {76.80, 96.52}},
                                                                   {"1st torsion", {102.05, 102.53}}};
  for (const auto& [name, f] : nastran) plot.curves.push_back({name, {0, 660}, {f[0], f[1]}, true});
  table.verdict =
      "The blade's distributions of mass and stiffness and its lag spring are not published. This one is "
      "uniform, with a hinge 3 in from "
      "the axis as there and stiffnesses that meet the first elastic flap, chord and torsion at rest "
      "(11.53, 42.44, 102.05 Hz). Reference: "
      "the rotating Euler–Bernoulli beam by Runge–Kutta and the twisting bar; stretch (2e-6), shear (1e-6) "
      "and rotary inertia (2e-5) of the model "
      "make the bound of 5e-5. As a modal body the blade has 30 normal shapes while it is held at its root, those of "
      "its ends, and the stiffness of its stresses.";
  plot.verdict = "Points: NASTRAN's values for the real blade at 0 and 660 rpm. With three numbers fitted at rest the "
                 "uniform blade has the others to "
                 "9 %.";
  study.tables.push_back(std::move(table));
  study.plots.push_back(std::move(plot));
}

}  // namespace bricard
