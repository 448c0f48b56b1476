// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <numbers>
#include <sstream>

#include "bricard/analysis/eigenmodes.h"
#include "bricard/analysis/operating_point.h"
#include "bricard/assemble/assemble.h"
#include "reference/simulated.h"

// Models with a beam, and the same with the beam reduced to a body with a few shapes.
namespace bricard::testing {
namespace reduced_beams_test {

std::string replaced(std::string text, const std::string& word, const std::string& by) {
  EXPECT_NE(text.find(word), std::string::npos) << word;
  return text.replace(text.find(word), word.size(), by);
}

Vector3d place_of(const System& system, const Kinematics& k, size_t point) {
  const MarkerPose& at = system.points[point];
  return k.frames[at.node].p + k.frames[at.node].R * at.r;
}

/// Of each sample, what `look` makes of the places of the model's points.
template <class Look>
std::vector<double> over_samples(const Simulated& run, const Look& look) {
  const System& system = run.started.system;
  Kinematics k = system.make_kinematics();
  std::vector<double> values;
  for (const Sample& sample : run.results.samples) {
    system.update(sample.state, k);
    std::vector<Vector3d> places;
    for (size_t i = 0; i < system.points.size(); ++i) places.push_back(place_of(system, k, i));
    values.push_back(look(sample.state.t, places));
  }
  return values;
}

double largest(const std::vector<double>& a) {
  double most = 0;
  for (const double x : a) most = std::max(most, std::abs(x));
  return most;
}

double largest_difference(const std::vector<double>& a, const std::vector<double>& b) {
  EXPECT_EQ(a.size(), b.size());
  double most = 0;
  for (size_t i = 0; i < std::min(a.size(), b.size()); ++i) most = std::max(most, std::abs(a[i] - b[i]));
  return most;
}

// ---- a rod that is spun up ------------------------------------------------------------------------------------------

// The cantilever of [KaneRyanBanerjee1987]: 8 m, ω₁ = 2.91 rad/s, from rest to 6 rad/s in 15 s,
//     θ = Ω/T (t²/2 + (T/2π)² (cos 2πt/T − 1))
const char* const kSpinUp = R"yaml(
gravity: [0, 0, 0]
bodies:
  hub: {mass: 1, inertia: [1, 1, 1], markers: {root: {}}}
beams:
  blade:
    from: hub.root
    to: [8, 0, 0]
    stiffness: [5.03e6, 1.6e6, 1.6e6, 430, 566.7, 566.7]
    mass_per_length: 0.2019
    inertia_per_length: [4.54e-5, 2.27e-5, 2.27e-5]
    elements: 6
REDUCE
joints:
  axis: {type: revolute, between: [ground, hub], at: [0, 0, 0], axis: [0, 0, 1]}
motions:
  drive: {joint: axis, displacement: "6/15*(t^2/2 + (15/(2*pi))^2*(cos(2*pi*t/15) - 1))"}
points: {tip: blade.end}
run: {duration: 15, step: 0.01, output_step: 0.1}
)yaml";

/// Of the tip across the turning line.
std::vector<double> spun_up(const std::string& reduce) {
  const Simulated run(replaced(kSpinUp, "REDUCE", reduce));
  EXPECT_TRUE(run.results.report.finished);
  return over_samples(run, [](double t, const std::vector<Vector3d>& places) {
    const double pi = std::numbers::pi,
                 angle = 0.4 * (t * t / 2 + std::pow(7.5 / pi, 2) * (std::cos(2 * pi * t / 15) - 1));
    return -std::sin(angle) * places[0].x() + std::cos(angle) * places[0].y();
  });
}

TEST(ReducedBeams, BladeThatIsSpunUpBendsAsTheBeamIfItsStressesStiffenIt) {
  const std::vector<double> beam = spun_up("");
  const std::vector<double> modal = spun_up("    reduce: {modes: 6, frame: start}");
  const std::vector<double> mean = spun_up("    reduce: {modes: 16}");
  const std::vector<double> soft = spun_up("    reduce: {modes: 6, frame: start, stiffening: false}");
  const double most = largest(beam);
  EXPECT_GT(most, 0.5);  // m
  EXPECT_LT(largest_difference(modal, beam), 0.01 * most);
  EXPECT_LT(largest_difference(mean, beam), 0.01 * most);
  EXPECT_GT(largest_difference(soft, beam), most);  // Ω > ω₁: it flies away
  fmt::print("spin-up: tip {:.5f} m, held {:.2e}, mean axes {:.2e}, without stiffening {:.2e}\n", most,
             largest_difference(modal, beam), largest_difference(mean, beam), largest_difference(soft, beam));
}

// ---- slider-crank ---------------------------------------------------------------------------------------------------

std::string slider_crank(bool reduced) {
  std::ifstream file(BRICARD_SOURCE_DIR "/models/flexible_slider_crank.yaml");
  std::stringstream text;
  text << file.rdbuf();
  std::string model =
      replaced(text.str(), "  middle: rod.middle", "  middle: rod.middle\n  start: rod.start\n  end: rod.end");
  return reduced ? replaced(model, "    markers: {middle: 0.5}", "    markers: {middle: 0.5}\n    reduce: {modes: 16}")
                 : model;
}

TEST(ReducedBeams, SliderCrankWithAModalRodBendsAsWithABeam) {
  const auto deflection = [](const Simulated& run) {  // of the middle of the rod from its chord
    const RunReport& report = run.results.report;
    EXPECT_TRUE(report.finished);
    EXPECT_LT(report.max_energy_defect, 1e-4 * report.energy_turned_over);
    fmt::print("energy: defect {:.2e} of {:.2e} J\n", report.max_energy_defect, report.energy_turned_over);
    return over_samples(run, [](double, const std::vector<Vector3d>& p) {
      const Vector3d chord = (p[2] - p[1]).normalized(), away = p[0] - p[1];
      return chord.cross(away).y();
    });
  };
  const std::vector<double> beam = deflection(Simulated(slider_crank(false)));
  const std::vector<double> modal = deflection(Simulated(slider_crank(true)));
  const double most = largest(beam);
  EXPECT_GT(most, 4e-4);  // m
  EXPECT_LT(largest_difference(modal, beam), 0.01 * most);
  fmt::print("slider-crank: {:.3e} m in the middle, difference {:.2e}\n", most, largest_difference(modal, beam));
}

std::vector<double> frequencies_of(const Model& model, int count) {
  System system = assemble(model);
  const LinearizeOptions options = linearize_options(model, {}, system);
  const OperatingPoint at = find_operating_point(model, system, PointType::given, {});
  EXPECT_EQ(at.problem, "");
  LinearEquations equations(system, at.state, options);
  EigenmodeOptions wanted;
  wanted.count = count;
  std::vector<double> w;
  for (const Eigenmode& mode : find_eigenmodes(equations, system, wanted).modes)
    if (mode.s.imag() > 0) w.push_back(std::abs(mode.s));
  std::sort(w.begin(), w.end());
  return w;
}

TEST(ReducedBeams, SliderCrankWithAModalRodHasTheFrequenciesOfTheBeam) {
  const auto locked = [](bool reduced) {
    const io::Overrides still{{"speed", Quantity(0, parse_unit("rad/s")->dimension)}};
    return frequencies_of(io::read_model_text(slider_crank(reduced), "crank.yaml", still), 12);
  };
  const std::vector<double> beam = locked(false), modal = locked(true);
  ASSERT_GE(std::min(beam.size(), modal.size()), 4u);
  for (size_t i = 0; i < 4; ++i) {
    EXPECT_NEAR(modal[i], beam[i], 1e-3 * beam[i]) << i;
    fmt::print("slider-crank, crank held: {:.3f} and {:.3f} rad/s\n", modal[i], beam[i]);
  }
}

}  // namespace reduced_beams_test
}  // namespace bricard::testing
