// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "bricard/read/model_reader.h"
#include "reference/at_rest.h"

// Equilibria of thin beams as `bricard static` finds them, next to closed forms and to the boundary value problem solved
// by shooting.
namespace bricard::testing {
namespace beam_paths_test {

constexpr double kPi = std::numbers::pi;

Quantity newtons(double x) { return {x, parse_unit("N")->dimension}; }
Quantity radians(double degrees) { return {degrees * kPi / 180, parse_unit("rad")->dimension}; }

StaticReport static_report(const AtRest& rest) {
  State s = initial_wishes(rest.model, rest.system);
  consistent_start(rest.model, rest.system, SolverType::automatic, s);
  return find_equilibrium(rest.system, SolverType::automatic, s);
}

void expect_reached_by_loading(const AtRest& rest) {
  const StaticReport report = static_report(rest);
  EXPECT_EQ(report.load_reached, 1) << report.text();
  EXPECT_EQ(report.relaxation_steps, 0) << report.text();
}

/// Shooting, nine digits [Dowell and Traybar's strip].
TEST(BeamLoading, PrincetonBeamIsReachedByLoadSteps) {
  const double table[][5] = {{4.448, 30, -0.001916840, -0.004751073, 0.039949986},
                             {8.896, 45, -0.014389659, -0.008888886, 0.109043083},
                             {13.345, 0, -0.000304810, -0.016065129, 0},
                             {13.345, 60, -0.041207236, -0.011716496, 0.181923440},
                             {13.345, 90, -0.050406670, 0, 0.200695293}};
  for (const auto& [load, degrees, u1, u2, u3] : table) {
    SCOPED_TRACE(degrees);
    const AtRest rest(io::read_model(BRICARD_SOURCE_DIR "/models/princeton_beam.yaml",
                                     {{"load", newtons(load)}, {"angle", radians(degrees)}}));
    EXPECT_LT((rest.at("strip.end") - Vector3d(0.508 + u1, u2, u3)).norm(), 2e-9);
    expect_reached_by_loading(rest);
  }
}

/// Loads that the round-off of EA/h outweighs: deflections are those of linear theory as far as digits of positions go.
TEST(BeamLoading, TinyLoadsBalanceToo) {
  for (const double load : {1e-3, 1e-6, 1e-9, 1e-12}) {
    SCOPED_TRACE(load);
    const AtRest rest(io::read_model(BRICARD_SOURCE_DIR "/models/princeton_beam.yaml",
                                     {{"load", newtons(load)}, {"angle", radians(90)}}));
    const double L = 0.508, linear = load * (std::pow(L, 3) / (3 * 2.42873) + L / 6.40131e5);
    EXPECT_NEAR(rest.at("strip.end").z(), linear, 1e-7 * linear + 1e-12);
    expect_reached_by_loading(rest);
  }
}

std::string cantilever(const std::string& stiffness, const std::string& force) {
  return "gravity: [0, 0, 0]\nground: {markers: {clamp: {}}}\nbeams:\n  rod: {from: ground.clamp, to: [1, 0, 0], "
         "stiffness: [" +
         stiffness + "], mass_per_length: 1, inertia_per_length: [2e-6, 1e-6, 1e-6], elements: 12}\n" +
         "forces: {load: {type: force, on: rod.end, force: [" + force + "]}}\n";
}

/// The elastica, EA of 1e9 EI/L².
TEST(BeamLoading, ElasticaIsReachedByLoadSteps) {
  const double table[][3] = {{1, .056433236283, .301720773800},
                             {2, .160641720825, .493457480397},
                             {5, .387628360724, .713791523612},
                             {10, .554995597754, .810609024880}};
  for (const auto& [load, u, w] : table) {
    SCOPED_TRACE(load);
    const AtRest rest(cantilever("1e9, 1e9, 1e9, 1, 1, 1", "0, " + std::to_string(load) + ", 0"), {});
    EXPECT_LT((rest.at("rod.end") - Vector3d(1 - u, w, 0)).norm(), 3e-8);
    expect_reached_by_loading(rest);
  }
}

/// The bend of 45° [Bathe and Bolourchi 1979], in the first converged digits of the literature: −23.48, −13.50, 53.37.
TEST(BeamLoading, BendOf45DegreesIsReachedByLoadSteps) {
  const AtRest rest(R"(
gravity: [0, 0, 0]
ground: {markers: {clamp: {}}}
beams:
  bend:
    from: ground.clamp
    curve: [100*sin(pi/4*s), 100*(1 - cos(pi/4*s)), 0]
    z_axis: [0, 0, 1]
    stiffness: [1e7, 5e6, 5e6, 833333.3333333333, 833333.3333333333, 833333.3333333333]
    mass_per_length: 1
    inertia_per_length: [0.1666, 0.0833, 0.0833]
    elements: 8
forces: {load: {type: force, on: bend.end, force: [0, 0, 600]}}
)");
  const Vector3d start(100 * std::sin(kPi / 4), 100 * (1 - std::cos(kPi / 4)), 0);
  EXPECT_LT((rest.at("bend.end") - start - Vector3d(-23.48, -13.50, 53.37)).norm(), 0.2);
  expect_reached_by_loading(rest);
}

}  // namespace beam_paths_test
}  // namespace bricard::testing
