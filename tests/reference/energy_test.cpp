// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "bricard/analysis/simulate.h"
#include "bricard/integrate/integrator.h"
#include "bricard/read/model_reader.h"
#include "reference/mechanisms.h"

// Books that must balance whatever the mechanism: energy with the work of motions, dampers and
// forces, momentum of what is free, weights hanging from joints.
namespace bricard::testing {
namespace energy_test {

RunSettings settings(double duration, double h) {
  RunSettings s;
  s.duration = duration;
  s.step = s.output_step.emplace(h);
  s.tolerance = 1e-12;  // Newton's error far below the method's
  return s;
}

/// T + V − E₀ − work, at worst.
double energy_defect(const Started& model, double h) {
  const Results results = simulate(model.system, model.state, settings(1, h));
  EXPECT_TRUE(results.report.finished) << results.report.stopped_because;
  return results.report.max_energy_defect;
}

struct EnergyCase {
  std::string name;
  bool motions, dampers, forces;
};

/// The model with every element, less what the case leaves out.
Model reduced(const EnergyCase& c) {
  Model model = every_element();
  if (!c.motions) model.motions.clear();
  if (!c.forces) model.forces.clear();
  if (!c.dampers) {
    for (SpringDamper& s : model.springs) s.damping = 0;
    for (TorsionSpring& s : model.torsion_springs) s.damping = 0;
  }
  return model;
}

void PrintTo(const EnergyCase& c, std::ostream* out) { *out << c.name; }

class EnergyBalance : public ::testing::TestWithParam<EnergyCase> {};

/// Trapezoidal rule and integrators are of second order, so the balance is.
TEST_P(EnergyBalance, ClosesAtSecondOrder) {
  const Started model = start(reduced(GetParam()));
  const double coarse = energy_defect(model, 2e-3), fine = energy_defect(model, 1e-3);
  EXPECT_NEAR(std::log2(coarse / fine), 2, 0.1);
}

TEST_P(EnergyBalance, CountsWorkWhereThereIsSome) {
  const Started model = start(reduced(GetParam()));
  const Results results = simulate(model.system, model.state, settings(1, 1e-3));
  const bool some = GetParam().motions || GetParam().dampers || GetParam().forces;
  EXPECT_EQ(std::abs(results.report.work) > 0.01, some) << results.report.work;
}

INSTANTIATE_TEST_SUITE_P(Elements, EnergyBalance,
                         ::testing::Values(EnergyCase{"ConservativeOnly", false, false, false},
                                           EnergyCase{"Motions", true, false, false},
                                           EnergyCase{"Dampers", false, true, false},
                                           EnergyCase{"Forces", false, false, true},
                                           EnergyCase{"All", true, true, true}),
                         [](const auto& i) { return i.param.name; });

TEST(EveryCoordinateElement, ClosesItsEnergyBalanceAtSecondOrder) {
  const Started model = start(every_coordinate());
  const double coarse = energy_defect(model, 1e-3), fine = energy_defect(model, 5e-4);
  EXPECT_NEAR(std::log2(coarse / fine), 2, 0.15);
  EXPECT_LT(fine, 1e-3);
}

/// A body of three different moments of inertia, tumbling.
Model free_body(const Vector3d& gravity) {
  Model model;
  model.gravity = gravity;
  Body b;
  b.name = "stone";
  b.mass = 2;
  b.inertia << 0.5, 0.02, -0.03, 0.02, 0.8, 0.05, -0.03, 0.05, 1.1;
  b.velocity = {1, -2, 3};
  b.angular_velocity = {0.5, 4, -0.3};
  model.bodies = {b};
  return model;
}

TEST(FreeBody, KeepsItsLinearMomentum) {
  const Vector3d gravity(0, 0, -9.81);
  const Started model = start(free_body(gravity));
  const Results results = simulate(model.system, model.state, settings(2, 0.01));
  for (const Sample& s : results.samples) {
    const double t = s.state.t;
    // the parabola is a polynomial of second degree, which the method integrates exactly; 200
    // roundings of 20 m
    EXPECT_LE((s.state.v.head<3>() - Vector3d(1, -2, 3) - t * gravity).norm(), 1e-12);
    EXPECT_LE((s.state.q.head<3>() - t * Vector3d(1, -2, 3) - 0.5 * t * t * gravity).norm(), 1e-12);
  }
}

/// R J ω, how far from its start at worst.
double angular_momentum_defect(double h) {
  const Model stone = free_body(Vector3d::Zero());
  const Started model = start(stone);
  const Vector3d at_start = stone.bodies[0].inertia * Vector3d(0.5, 4, -0.3);
  double worst = 0;
  for (const Sample& s : simulate(model.system, model.state, settings(2, h)).samples) {
    const Vector3d L = quaternion_at(s.state.q, 3) * (stone.bodies[0].inertia * Vector3d(s.state.v.tail<3>()));
    worst = std::max(worst, (L - at_start).norm());
  }
  return worst;
}

TEST(FreeBody, KeepsItsAngularMomentumAtSecondOrder) {
  const double coarse = angular_momentum_defect(2e-3), fine = angular_momentum_defect(1e-3);
  EXPECT_NEAR(std::log2(coarse / fine), 2, 0.1);
  EXPECT_LT(fine, 1e-4);  // of 3.5 N m s: (ω h)² = 1.6e-5 per radian, 8 rad
}

/// Links of 1 kg and 1 m hanging down: each hinge carries what hangs below it.
Model hanging_chain(int links) {
  Model model;
  for (int i = 0; i < links; ++i) {
    const Vector3d top(0, 0, -i);
    const std::string name = "link" + std::to_string(i), above = i == 0 ? "ground" : "link" + std::to_string(i - 1);
    model.bodies.push_back(rod(name, top, top - Vector3d::UnitZ(), 0.01));
    model.joints.push_back(joint(i % 2 ? JointType::revolute : JointType::spherical, "hinge" + std::to_string(i), above,
                                 name, top, {1, 0, 0}));
  }
  return model;
}

void expect_weights(const System& system, const State& s) {
  Kinematics k = system.make_kinematics();
  std::vector<Wrench> reactions(system.joints.size());
  system.update(s, k);
  system.reactions(k, reactions);
  const int links = static_cast<int>(reactions.size());
  for (int i = 0; i < links; ++i) {
    EXPECT_LE((reactions[i].force - Vector3d(0, 0, 9.81 * (links - i))).norm(), 1e-8)
        << i;  // Newton's tolerance on 100 N
    EXPECT_LE(reactions[i].torque.norm(), 1e-8) << i;
  }
}

TEST(HangingChain, CarriesItsWeightAtTheStart) {
  const Started model = start(hanging_chain(10));
  expect_weights(model.system, model.state);
}

TEST(HangingChain, CarriesItsWeightAfterManySteps) {
  const Started model = start(hanging_chain(10));
  for (const ProjectionMode projection : {ProjectionMode::none, ProjectionMode::full}) {
    RunSettings s = settings(1, 0.01);
    s.projection = projection;
    expect_weights(model.system, simulate(model.system, model.state, s).samples.back().state);
  }
}

/// A door on two equal hinges: five of their equations are redundant, and symmetry says what each
/// carries.
Model door() {
  Model model;
  model.gravity = {0, -9.81, 0};
  model.bodies = {rod("door", {0, 0, 0}, {1, 0, 0}, 0.01)};
  model.joints = {joint(JointType::revolute, "lower", "ground", "door", {0, 0, -0.5}),
                  joint(JointType::revolute, "upper", "ground", "door", {0, 0, 0.5})};
  return model;
}

TEST(Door, IsCarriedByBothHingesAlike) {
  const Started model = start(door());
  for (const SolverType solver : {SolverType::automatic, SolverType::dense, SolverType::skyline,
                                  SolverType::sparse_ldlt, SolverType::sparse_lu, SolverType::klu}) {
    SCOPED_TRACE(static_cast<int>(solver));
    RunSettings s = settings(1, 1e-3);
    s.solver = solver;
    const State end = simulate(model.system, model.state, s).samples.back().state;
    Kinematics k = model.system.make_kinematics();
    std::vector<Wrench> hinges(2);
    model.system.update(end, k);
    model.system.reactions(k, hinges);
    EXPECT_GT(hinges[0].force.norm(), 1);
    EXPECT_LE((hinges[0].force - hinges[1].force).norm(), 1e-6);  // Newton's tolerance on 12 N
    EXPECT_LE(std::abs(hinges[0].force.z()), 1e-6);
  }
}

/// The end of a falling chain cracks like a whip, far too fast for such steps: they may be inaccurate, but none may come
/// to rest where Newton's method has run away to.
TEST(Whip, StaysTogetherWithLongSteps) {
  const Model model = io::read_model(BRICARD_SOURCE_DIR "/models/chain.yaml", {{"N", {100, {}}}});
  const Started chain = start(model);
  for (const IntegratorType type : {IntegratorType::hht, IntegratorType::generalized_alpha, IntegratorType::bdf})
    for (const double h : {2e-3, 4e-3, 1e-2}) {
      SCOPED_TRACE(fmt::format("{}, {} s", name_of(type), h));
      RunSettings s = model.run;
      s.integrator = type;
      s.step = s.output_step.emplace(h);
      const Results results = simulate(chain.system, chain.state, s);
      EXPECT_TRUE(results.report.finished) << results.report.stopped_because;
      EXPECT_LT(results.report.max_position_violation, 0.01);  // a tenth of a link
      EXPECT_LT(results.report.max_energy_defect, 50);         // the chain loses 250 J of height on its way
    }
}

}  // namespace energy_test
}  // namespace bricard::testing
