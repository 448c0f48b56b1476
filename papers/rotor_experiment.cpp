// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>

#include "bricard/analysis/consistent_start.h"
#include "bricard/analysis/eigenmodes.h"
#include "bricard/analysis/simulate.h"
#include "bricard/assemble/assemble.h"
#include "papers/dense_matrices.h"
#include "papers/linearization.h"

// The nonlinear rotor is shaken and runs up to 1.25 turns per second in 2500 s; the spectrum of what it does must have
// its peaks where the linear equations say.                                              [NegrutOrtiz2006, figs. 8, 9]
namespace bricard {

using Complex = std::complex<double>;

namespace {

constexpr double kDuration = 2500, kRate = 0.0005;  // s; turns per s²
constexpr double kSample = 0.2;                     // s
constexpr int kWindow = 300;                        // samples of a spectrum: 60 s
constexpr int kPadding = 4;                         // finer lines between those of the window

Body body(const std::string& name, double mass, const Vector3d& inertia, const Vector3d& position) {
  Body b;
  b.name = name, b.mass = mass, b.inertia = inertia.asDiagonal(), b.position = position;
  return b;
}

/// Smooth random shaking along x: values every second, joined by a cubic spline.
Expression random_shake() {
  std::mt19937 random(7);
  std::normal_distribution<double> normal(0, 2e-3);
  std::map<std::string, Table> tables;
  Table& table = tables["shake"];
  for (int i = 0; i <= static_cast<int>(kDuration / 0.25) + 8; ++i)
    table.x.push_back(0.25 * i), table.y.push_back(normal(random));
  ExpressionScope scope;
  scope.time = true;
  scope.tables = &tables;
  return Expression::parse("cubic(t, shake)", scope);
}

Model experiment() {
  Model model;
  model.gravity.setZero();
  model.bodies = {body("base", 100, {10, 10, 10}, {0, 0, 0}), body("stator", 200, {50, 50, 10}, {0, 0, 0}),
                  body("rotor", 1300, {500, 500, 1000}, {0, 0, 0.75})};
  const auto add_joint = [&](const char* name, JointType type, const char* a, const char* b, const Vector3d& axis) {
    Joint j;
    j.name = name, j.type = type, j.between = {Reference{a, {}}, Reference{b, {}}}, j.at = Vector3d::Zero(),
    j.axis = axis;
    model.joints.push_back(j);
  };
  add_joint("slide", JointType::translational, "ground", "base", Vector3d::UnitX());
  add_joint("bearing", JointType::revolute, "stator", "rotor", Vector3d::UnitZ());
  Bushing mount;
  mount.name = "mount", mount.between = {Reference{"base", {}}, Reference{"stator", {}}}, mount.at = Vector3d::Zero();
  mount.stiffness.setConstant(1000), mount.damping.setConstant(1);
  mount.rotational_stiffness = {1e4, 1e4, 1e5}, mount.rotational_damping = {10, 10, 100};
  model.bushings.push_back(mount);
  Motion shake, drive;
  shake.name = "shake", shake.joint = {"slide", {}}, shake.displacement = random_shake();
  drive.name = "drive", drive.joint = {"bearing", {}};
  drive.displacement = Expression::parse("pi*0.0005*t^2", {}, true);  // speed 2π·0.0005 t
  model.motions = {shake, drive};
  model.run.duration = kDuration;
  model.run.integrator = IntegratorType::radau;  // hardly damps at this step
  model.run.step = 0.1;
  model.run.output_step = kSample;
  return model;
}

/// What is looked at: way of the rotor's mass centre over the base and tilt of its axis, as complex numbers x + i y, in
/// ground axes and in those of the rotor.
struct Signals {
  std::vector<Complex> way, tilt, way_seen_from_rotor, tilt_seen_from_rotor;
};

Signals run_experiment(std::string& problem) {
  const Model model = experiment();
  const System system = assemble(model);
  State s = initial_wishes(model, system);
  consistent_start(system, SolverType::automatic, s);
  const Results results = simulate(system, s, model.run);
  if (!results.report.finished) problem = results.report.stopped_because;
  Signals signals;
  const FrameNode& rotor = system.nodes()[3];
  for (const Sample& sample : results.samples) {
    const double angle = std::numbers::pi * kRate * sample.state.t * sample.state.t;
    const Vector3d p = sample.state.q.segment<3>(rotor.q) - sample.state.q.segment<3>(system.nodes()[1].q);
    const Vector3d axis = quaternion_at(sample.state.q, rotor.q + 3) * Vector3d::UnitZ();
    const Complex back = std::exp(Complex(0, -angle));
    signals.way.emplace_back(p.x(), p.y());
    signals.tilt.emplace_back(axis.x(), axis.y());
    signals.way_seen_from_rotor.push_back(signals.way.back() * back);
    signals.tilt_seen_from_rotor.push_back(signals.tilt.back() * back);
  }
  return signals;
}

/// |Σ wₙ xₙ e^(−2πi f n Δ)| with a Hann window about sample `middle`, over frequencies from −2 to 2 Hz.
struct Spectrum {
  std::vector<double> frequency, amplitude;
  double peak_near(double f, double reach) const {
    double best = 0, at = NAN;
    for (size_t i = 1; i + 1 < frequency.size(); ++i)
      if (std::abs(frequency[i] - f) < reach && amplitude[i] > best && amplitude[i] >= amplitude[i - 1] &&
          amplitude[i] >= amplitude[i + 1])
        best = amplitude[i], at = frequency[i];
    return at;
  }
};

Spectrum spectrum_about(const std::vector<Complex>& x, int middle) {
  Spectrum s;
  const double line = 1 / (kWindow * kSample * kPadding);
  for (double f = -2.1; f <= 2.1; f += line) {
    Complex sum = 0;
    const Complex step = std::exp(Complex(0, -2 * std::numbers::pi * f * kSample));
    Complex turn = 1;
    for (int n = 0; n < kWindow; ++n, turn *= step)
      sum += 0.5 * (1 - std::cos(2 * std::numbers::pi * n / (kWindow - 1))) * x[middle - kWindow / 2 + n] * turn;
    s.frequency.push_back(f);
    s.amplitude.push_back(std::abs(sum) / kWindow);
  }
  return s;
}

}  // namespace

std::vector<Complex> rotor_whirl(double omega) {
  const Complex i(0, 1);
  MatrixXcd M(2, 2), C(2, 2), K(2, 2), A = MatrixXcd::Zero(4, 4);
  M << 1500, 975, 975, 1281.25;
  C << 1, 0, 0, 10.0 - 1000.0 * i * omega;
  K << 1000, 0, 0, 1e4;
  A.topRightCorner(2, 2).setIdentity();
  A.bottomLeftCorner(2, 2) = -M.inverse() * K;
  A.bottomRightCorner(2, 2) = -M.inverse() * C;
  const Eigen::VectorXcd values = dense::eigensystem(A).values;
  std::vector<Complex> s(values.begin(), values.end());
  std::sort(s.begin(), s.end(), [](const Complex& a, const Complex& b) { return a.imag() < b.imag(); });
  return {s[1], s[2], s[0], s[3]};
}

void add_rotor_experiment(Study& study) {
  std::string problem;
  const Signals signals = run_experiment(problem);
  study.text += problem.empty() ? "" : "The experiment stopped: " + problem + "\n";
  ReportTable table{"Rotor shaken while it runs up: peaks of spectra against linear frequencies [Hz]",
                    {"speed [1/s]", "signal", "mode", "linear", "peak of the nonlinear run"},
                    {},
                    ""};
  ReportPlot plot{"Spectra of the rotor's way, ground axes (figure 9a)",
                  "frequency [Hz]",
                  "amplitude [m]",
                  false,
                  true,
                  {},
                  {},
                  ""};
  const double resolution = 1 / (kWindow * kSample);
  double worst = 0;
  for (const double t : {500.0, 1000.0, 1500.0, 2000.0, 2250.0}) {
    const int middle = static_cast<int>(t / kSample);
    if (middle + kWindow / 2 >= static_cast<int>(signals.way.size())) continue;
    const double turns = kRate * t;
    const std::vector<Complex> whirl = rotor_whirl(2 * std::numbers::pi * turns);
    const Spectrum way = spectrum_about(signals.way, middle), tilt = spectrum_about(signals.tilt, middle),
                   way_seen = spectrum_about(signals.way_seen_from_rotor, middle),
                   tilt_seen = spectrum_about(signals.tilt_seen_from_rotor, middle);
    plot.curves.push_back({fmt::format("{:g} turns per s", turns), way.frequency, way.amplitude, false});
    const auto add = [&](const char* signal, const char* mode, const Spectrum& s, double f, double shift) {
      const double peak = s.peak_near(f - shift, 0.08);
      const double error = std::abs(peak - (f - shift));
      worst = std::isfinite(error) ? std::max(worst, error) : INFINITY;
      table.rows.push_back(
          {fmt::format("{:g}", turns), signal, mode, fmt::format("{:.4f}", f - shift), fmt::format("{:.4f}", peak)});
    };
    const char* names[] = {"translation, backward", "translation, forward", "rocking, backward", "rocking, forward"};
    for (int m = 0; m < 4; ++m) {
      const double f = whirl[m].imag() / (2 * std::numbers::pi);
      add(m < 2 ? "way" : "tilt", names[m], m < 2 ? way : tilt, f, 0);
      add(m < 2 ? "way seen from the rotor" : "tilt seen from the rotor", names[m], m < 2 ? way_seen : tilt_seen, f,
          turns);
    }
  }
  table.verdict = fmt::format(
      "Negative frequencies go round backwards. Lines of the spectra are {:.4f} Hz apart, and the speed changes by "
      "{:.2f} 1/s within "
      "each window, which moves the rocking modes.",
      resolution, kRate * kWindow * kSample);
  study.tables.push_back(table);
  study.plots.push_back(plot);
  study.checks.push_back(compare(
      "rotor: peaks of the nonlinear run against linear frequencies, largest difference in Hz", worst, 0, 0.015));
}

}  // namespace bricard
