// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "bricard/analysis/simulate.h"
#include "bricard/read/model_reader.h"
#include "order/exact_motion.h"
#include "reference/mechanisms.h"

// A tolerance where constraints are redundant and positions singular: random mechanisms against their one coordinate,
// and Bricard's against the published motion. On failure a table of all runs is printed.
namespace bricard::testing {
namespace redundant_tolerance_test {

using I = IntegratorType;
using Angle = Eigen::Matrix<Real, 2, 1>;  // φ and φ̇

/// The same numbers with every library.
class Random {
 public:
  explicit Random(unsigned seed) : bits_(seed) {}
  double between(double low, double high) { return low + (high - low) * (static_cast<double>(bits_()) / 4294967295.0); }

 private:
  std::mt19937 bits_;
};

/// A mechanism whose bodies all follow from one angle, and its model file.
struct Case {
  std::string name, text;
  PlanarMechanism mechanism;
  Angle start;
};

std::string bar(const std::string& name, Real mass, Real length, const PlanarVector& centre,
                const PlanarVector& along) {
  const double across = static_cast<double>(mass * length * length / 12), axial = 0.01 * across;
  return fmt::format(
      "  {}: {{mass: {:.17g}, inertia: [{:.17g}, {:.17g}, {:.17g}], position: [{:.17g}, {:.17g}, 0], orientation: "
      "{{axis: [0, "
      "0, 1], angle: {:.17g}}}, velocity: [{:.17g}, {:.17g}, 0], angular_velocity: [0, 0, {:.17g}]}}\n",
      name, static_cast<double>(mass), axial, across, across, static_cast<double>(centre.x.x),
      static_cast<double>(centre.y.x), static_cast<double>(std::atan2(along.y.x, along.x.x)),
      static_cast<double>(centre.x.d), static_cast<double>(centre.y.d),
      static_cast<double>(along.x.x * along.y.d - along.y.x * along.x.d));
}

std::string revolute(const std::string& name, const std::string& i, const std::string& j, const PlanarVector& at) {
  return fmt::format("  {}: {{type: revolute, between: [{}, {}], at: [{:.17g}, {:.17g}, 0], axis: [0, 0, 1]}}\n", name,
                     i, j, static_cast<double>(at.x.x), static_cast<double>(at.y.x));
}

PlanarMechanism::Body uniform_bar(Real mass, Real length, const PlanarVector& centre, const PlanarVector& along) {
  PlanarMechanism::Body body{mass, mass * length * length / 12, centre, along};
  body.load = [mass](Real) { return PlanarMechanism::Load{0, -9.81L * mass, 0}; };
  return body;
}

/// Parallel uprights of one length, any masses and distances, their tops joined by bars: three redundant equations in
/// each loop, one more freedom in each where all lie flat.
Case parallelograms(Random& random) {
  const int loops = 1 + static_cast<int>(random.between(0, 2.99));
  const Real length = random.between(0.8, 2);
  std::vector<Real> mass, distance;
  for (int i = 0; i <= 2 * loops; ++i) mass.push_back(std::pow(10.0, random.between(-1, 1)));
  for (int i = 0; i < loops; ++i) distance.push_back(length * random.between(0.4, 2));
  Case c;
  c.name = fmt::format("{} parallelograms", loops);
  // fast enough to turn over: what just reaches the top is no test of a method
  c.start = {random.between(1.3, 1.8), -random.between(1, 2) * std::sqrt(9.81 / static_cast<double>(length))};
  c.mechanism.at = [=](const Jet& phi) {
    PlanarMechanism::Position p;
    const PlanarVector along{cos(phi), sin(phi)};
    Real x = 0;
    for (int i = 0; i <= loops; x += i < loops ? distance[i] : 0, ++i)
      p.bodies.push_back(uniform_bar(mass[i], length, point(x, 0) + length / 2 * along, along));
    x = 0;
    for (int i = 0; i < loops; x += distance[i], ++i)
      p.bodies.push_back(
          uniform_bar(mass[loops + 1 + i], distance[i], point(x + distance[i] / 2, 0) + length * along, point(1, 0)));
    return p;
  };
  const PlanarMechanism::Position now = c.mechanism.at({c.start[0], c.start[1], 0});
  const PlanarVector along = now.bodies[0].along;
  c.text = "gravity: [0, -9.81, 0]\nbodies:\n";
  std::string joints = "joints:\n";
  Real x = 0;
  for (int i = 0; i <= loops; ++i) {
    c.text += bar(fmt::format("u{}", i), mass[i], length, now.bodies[i].centre, along);
    joints += revolute(fmt::format("a{}", i), "ground", fmt::format("u{}", i), point(x, 0));
    if (i < loops)
      joints +=
          revolute(fmt::format("l{}", i), fmt::format("u{}", i), fmt::format("b{}", i), point(x, 0) + length * along);
    if (i > 0)
      joints += revolute(fmt::format("r{}", i), fmt::format("u{}", i), fmt::format("b{}", i - 1),
                         point(x, 0) + length * along);
    if (i < loops) x += distance[i];
  }
  for (int i = 0; i < loops; ++i)
    c.text +=
        bar(fmt::format("b{}", i), mass[loops + 1 + i], distance[i], now.bodies[loops + 1 + i].centre, point(1, 0));
  c.text += joints;
  return c;
}

/// Crank and rod of equal length, the end of the rod on the x axis: singular where both stand upright. In space with
/// redundant equations, or in the plane with none.
Case equal_bars(Random& random, bool planar) {
  const Real length = random.between(0.8, 2), crank = std::pow(10.0, random.between(-1, 1)),
             rod = std::pow(10.0, random.between(-1, 1));
  Case c;
  c.name = planar ? "slider-crank in its plane" : "slider-crank in space";
  c.start = {random.between(0.5, 1), random.between(2, 4) / std::sqrt(static_cast<double>(length))};
  c.mechanism.at = [=](const Jet& phi) {
    const PlanarVector along{cos(phi), sin(phi)}, back{cos(phi), Real(-1) * sin(phi)};
    return PlanarMechanism::Position{{uniform_bar(crank, length, length / 2 * along, along),
                                      uniform_bar(rod, length, length * along + length / 2 * back, back)},
                                     {}};
  };
  const PlanarMechanism::Position now = c.mechanism.at({c.start[0], c.start[1], 0});
  const PlanarVector top = length * now.bodies[0].along, end = top + length * now.bodies[1].along;
  c.text = std::string(planar ? "plane: xy\n" : "") + "gravity: [0, -9.81, 0]\nbodies:\n" +
           bar("crank", crank, length, now.bodies[0].centre, now.bodies[0].along) +
           bar("rod", rod, length, now.bodies[1].centre, now.bodies[1].along) + "joints:\n" +
           revolute("A", "ground", "crank", point(0, 0)) + revolute("B", "crank", "rod", top) +
           fmt::format("  C: {{type: inline, between: [ground, rod], at: [{:.17g}, 0, 0], axis: [1, 0, 0]}}\n",
                       static_cast<double>(end.x.x));
  return c;
}

/// The largest distance of all bodies from where they belong, positions per reference length, angles in rad.
double error_at(const System& system, const State& s, const PlanarMechanism& mechanism, const Angle& exact) {
  const PlanarMechanism::Position wanted = mechanism.at({exact[0], exact[1], 0});
  Kinematics k = system.make_kinematics();
  system.update(s, k);
  double largest = 0;
  for (size_t i = 0; i < wanted.bodies.size(); ++i) {
    const PlanarMechanism::Body& b = wanted.bodies[i];
    const Vector3d centre(static_cast<double>(b.centre.x.x), static_cast<double>(b.centre.y.x), 0),
        along(static_cast<double>(b.along.x.x), static_cast<double>(b.along.y.x), 0);
    const Frame& frame = k.frames[i + 1];
    largest = std::max({largest, (frame.p - centre).norm() / system.reference_length, (frame.R.col(0) - along).norm()});
  }
  return largest;
}

struct Outcome {
  bool finished;
  double error;
  RunReport report;
};

Outcome run(const Case& c, I type, double duration, double rtol, double step = 1e-3) {
  Model model = io::read_model_text(c.text, "random.yaml");
  model.run.integrator = type;
  model.run.duration = duration;
  model.run.step = step;
  model.run.output_step = duration;
  if (rtol > 0) model.run.rtol = rtol;
  const Started started = start(model);
  const Results results = simulate(started.system, started.state, model.run);
  const auto rate = [&](const Angle& y) { return Angle(y[1], c.mechanism.acceleration(y[0], y[1])); };
  const Angle exact = extrapolated<Angle>(rate, c.start, duration, static_cast<int>(60 * duration));
  return {results.report.finished, error_at(started.system, results.samples.back().state, c.mechanism, exact),
          results.report};
}

std::string line(const Case& c, I type, double wanted, const Outcome& r) {
  return fmt::format("{:<26} {:<17} {:<7g} error {:<9.2g} {:>6} steps {:>5} rejected  {} {}{}\n", c.name, name_of(type),
                     wanted, r.error, r.report.steps, r.report.rejected_steps, name_of(r.report.verdict()),
                     r.report.stopped_because, r.report.doubts.empty() ? "" : r.report.doubts[0].text);
}

std::vector<Case> random_mechanisms(unsigned seed, int of_each) {
  Random random(seed);
  std::vector<Case> cases;
  for (int i = 0; i < of_each; ++i) {
    cases.push_back(parallelograms(random));
    cases.push_back(equal_bars(random, false));
    cases.push_back(equal_bars(random, true));
  }
  return cases;
}

bool is_of_high_order(I type) { return type == I::radau || type == I::bdf || type == I::dopri; }

class RedundantTolerance : public ::testing::TestWithParam<I> {};

// The motion itself makes up to some sixty times a tolerance's worth of error in these two seconds, with all methods
// alike (falling and turning over: errors of velocities grow with time).
constexpr double kFactor = 200;

TEST_P(RedundantTolerance, HoldsForRandomRedundantAndSingularMechanisms) {
  std::string table;
  bool good = true;
  for (const Case& c : random_mechanisms(14, 5))
    for (const double rtol : {1e-3, 1e-5, 1e-7}) {
      if (rtol < 1e-6 && !is_of_high_order(GetParam())) continue;  // 10^5 steps
      const Outcome r = run(c, GetParam(), 2, rtol);
      table += line(c, GetParam(), rtol, r);
      // explicit stages may find no accelerations next to a singular position; then the run says so
      const bool refused = GetParam() == I::dopri && !r.report.stopped_because.empty();
      good = good && (refused || (r.finished && r.error <= kFactor * rtol && r.report.steps < 50000));
    }
  EXPECT_TRUE(good) << table;
}

/// The library's motion after 10 s, from another program to 13 digits: P3 of problem A04.
TEST_P(RedundantTolerance, HoldsForBricardsMechanism) {
  Model model = io::read_model(BRICARD_SOURCE_DIR "/models/bricard.yaml");
  model.run.integrator = GetParam();
  const Vector3d exact(0.9997309873038, -0.9999999638258, -0.0002689765122);
  for (const double rtol : {1e-3, 1e-5, 1e-7}) {
    if (rtol < 1e-6 && !is_of_high_order(GetParam())) continue;
    model.run.rtol = rtol;
    const Started started = start(model);
    const Results results = simulate(started.system, started.state, model.run);
    ASSERT_TRUE(results.report.finished) << rtol << ": " << results.report.stopped_because;
    Kinematics k = started.system.make_kinematics();
    started.system.update(results.samples.back().state, k);
    const Vector3d P3 = k.frames[2].p - 0.5 * k.frames[2].R.col(1);
    // explicit stages lie off the redundant constraints, see docs/theory/explicit_runge_kutta.md
    EXPECT_LT((P3 - exact).norm(), (GetParam() == I::dopri ? 5 : 1) * kFactor * rtol) << rtol;
    if (GetParam() == I::radau || GetParam() == I::bdf) {
      EXPECT_EQ(results.report.singular_steps, 0);  // it has no singular position
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Methods, RedundantTolerance,
                         ::testing::Values(I::radau, I::bdf, I::nstiff, I::nstiff_si2, I::hht, I::hht_si2, I::hht_add,
                                           I::newmark, I::generalized_alpha, I::dopri),
                         [](const auto& i) {
                           std::string name = name_of(i.param);
                           std::erase(name, '-');
                           return name;
                         });

/// Fixed steps; next to a singular position one may be halved. energy-decaying may find no way through; then it says so.
class RedundantSteps : public ::testing::TestWithParam<I> {};

TEST_P(RedundantSteps, PassSingularPositionsOfRandomMechanisms) {
  std::string table;
  bool good = true;
  for (const unsigned seed : {7, 1})
    for (const Case& c : random_mechanisms(seed, 6))
      for (const double step : {1e-2, 2e-3}) {
        const Outcome r = run(c, GetParam(), 2, 0, step);
        table += line(c, GetParam(), step, r);
        const bool right = r.finished && r.error <= 1500 * step * step;  // second order: (h ω)² ω t/2, ω up to 12 rad/s
        good = good && (right || (GetParam() == I::energy_decaying && r.report.verdict() != Verdict::good));
      }
  EXPECT_TRUE(good) << table;
}

INSTANTIATE_TEST_SUITE_P(Methods, RedundantSteps,
                         ::testing::Values(I::radau, I::hht_add, I::midpoint, I::rk4, I::energy_decaying),
                         [](const auto& i) {
                           std::string name = name_of(i.param);
                           std::erase(name, '-');
                           return name;
                         });

/// Velocities and positions far below any error of theirs: what the iteration leaves is round-off, whose size no one
/// knows beforehand.
TEST(StepControl, EndsIterationsAtRoundOff) {
  Model model = io::read_model(BRICARD_SOURCE_DIR "/models/cart_pendulum.yaml");
  for (const I type : {I::radau, I::bdf}) {
    model.run.integrator = type;
    model.run.rtol = 1e-10;
    const Started cart = start(model);
    const Results results = simulate(cart.system, cart.state, model.run);
    EXPECT_TRUE(results.report.finished) << results.report.stopped_because;
    EXPECT_LT(results.report.steps, 20000);
  }
}

}  // namespace redundant_tolerance_test
}  // namespace bricard::testing
