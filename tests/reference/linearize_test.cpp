// SPDX-License-Identifier: Apache-2.0
#include "bricard/analysis/linearize.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>

#include "bricard/analysis/consistent_start.h"
#include "bricard/analysis/eigenmodes.h"
#include "bricard/analysis/operating_point.h"
#include "bricard/assemble/assemble.h"
#include "bricard/io/linearization_reader.h"
#include "reference/mechanisms.h"
#include "papers/reduced_equations.h"

// Linearized equations against closed forms, hand-derived matrices and differences of reduced nonlinear equations.
namespace bricard::testing {
namespace {

using Complex = std::complex<double>;
constexpr double kPi = std::numbers::pi;

/// A model from text, its operating point and its linear equations.
struct Linear {
  io::LinearModel read;
  System system;
  LinearizeOptions options;
  OperatingPoint point;
  std::unique_ptr<LinearEquations> equations;
  Linearization lin;

  Linear(const std::string& text, PointType type = PointType::given, const std::vector<std::string>& states = {})
      : read(io::read_linear_model(text, "test.yaml")), system(assemble(read.model)) {
    for (const std::string& state : states) read.settings.states.push_back(io::parse_state(read.model, state));
    options = linearize_options(read.model, read.settings, system);
    point = find_operating_point(read.model, system, type, read.settings.reference);
    EXPECT_EQ(point.problem, "");
    equations = std::make_unique<LinearEquations>(system, point.state, options);
    EXPECT_EQ(equations->report().problem, "");
    lin = linearize(*equations, read.model, read.settings, system, point.state);
  }
  std::vector<Complex> eigenvalues() const {
    std::vector<Complex> all;
    const auto pairs = eigenpairs_of(lin.A);
    for (const Complex s : pairs->values) all.push_back(s);
    return all;
  }
};

double distance_to(const std::vector<Complex>& all, const Complex& wanted) {
  double nearest = INFINITY;
  for (const Complex& s : all) nearest = std::min(nearest, std::abs(s - wanted));
  return nearest;
}

void expect_same_spectrum(const std::vector<Complex>& a, const std::vector<Complex>& b, double tolerance) {
  ASSERT_EQ(a.size(), b.size());
  for (const Complex& s : a) EXPECT_LT(distance_to(b, s), tolerance * (1 + std::abs(s))) << s;
}

constexpr const char* kPendulum = R"(
parameters: {m: 2, l: 0.7, J: 0.05, phi: 0, c: 0}
bodies:
  rod:
    mass: m
    inertia: [J, J, J]
    position: [l*sin(phi), 0, -l*cos(phi)]
    orientation: {axis: [0, 1, 0], angle: -phi}
joints:
  hinge: {type: revolute, between: [ground, rod], at: [0, 0, 0], axis: [0, -1, 0]}
forces:
  damper: {type: torsion-spring, joint: hinge, damping: c}
signals:
  height: z(rod)
  torque: torque_y(hinge)
)";

TEST(Linearize, PendulumInItsAngle) {
  const Linear p(kPendulum, PointType::equilibrium, {"theta=angle(hinge)"});
  const double J = 0.05 + 2 * 0.49, k = 2 * 9.81 * 0.7;
  ASSERT_EQ(p.lin.states(), 2);
  EXPECT_EQ(p.lin.positions[0].name, "theta");
  EXPECT_EQ(p.lin.positions[0].unit, "rad");
  EXPECT_NEAR(p.lin.mass(0, 0), J, 1e-12);
  EXPECT_NEAR(p.lin.stiffness(0, 0), k, 1e-11);
  EXPECT_NEAR(p.lin.damping(0, 0), 0, 1e-12);
  EXPECT_NEAR(p.lin.A(1, 0), -k / J, 1e-11);
  EXPECT_EQ(p.lin.A(0, 1), 1);
}

// θ̈ = −(m g l sin θ + c θ̇)/J at an angle where nothing is in balance.
TEST(Linearize, PendulumAwayFromEquilibriumIsLinearizedAndSaidSo) {
  std::string text = kPendulum;
  text.replace(text.find("phi: 0, c: 0"), 12, "phi: 0.6, c: 0.3");
  const Linear p(text, PointType::given, {"angle(hinge)"});
  const double J = 0.05 + 2 * 0.49, k = 2 * 9.81 * 0.7;
  EXPECT_NEAR(p.lin.A(1, 0), -k * std::cos(0.6) / J, 1e-10);
  EXPECT_NEAR(p.lin.A(1, 1), -0.3 / J, 1e-11);
  ASSERT_EQ(p.lin.report.remarks.size(), 1u);
  EXPECT_NE(p.lin.report.remarks[0].find("no equilibrium"), std::string::npos);
}

// By hand: with s = h(θ), θ̈ = f(θ, θ̇):   s̈ = h′ f + h″ θ̇²;
//   ∂s̈/∂ṡ = (h′ f_ω + 2 h″ ω)/h′,   ∂s̈/∂s = (h″ f + h′ f_θ + h‴ ω²)/h′ − (∂s̈/∂ṡ) h″ ω/h′
TEST(Linearize, OddCoordinateAgreesWithDerivationByHand) {
  std::string text = kPendulum;
  text.replace(text.find("phi: 0, c: 0"), 12, "phi: 0.6, c: 0.3");
  text.replace(text.find("    orientation"), 0, "    angular_velocity: [0, -1.5, 0]\n    velocity: [1.5*l*cos(phi), 0, 1.5*l*sin(phi)]\n");
  const Linear p(text, PointType::given, {"s=exp(2*sin(angle(hinge)))"});
  const double J = 0.05 + 2 * 0.49, k = 2 * 9.81 * 0.7, th = 0.6, w = 1.5;
  const double f = -(k * std::sin(th) + 0.3 * w) / J, f_th = -k * std::cos(th) / J, f_w = -0.3 / J;
  const double h = std::exp(2 * std::sin(th)), u = 2 * std::cos(th), u1 = -2 * std::sin(th), u2 = -u;
  const double h1 = h * u, h2 = h * (u * u + u1), h3 = h * (u * u * u + 3 * u * u1 + u2);
  const double by_rate = (h1 * f_w + 2 * h2 * w) / h1;
  const double by_value = (h2 * f + h1 * f_th + h3 * w * w) / h1 - by_rate * h2 * w / h1;
  EXPECT_NEAR(p.lin.A(1, 1), by_rate, 1e-9 * std::abs(by_rate));
  EXPECT_NEAR(p.lin.A(1, 0), by_value, 1e-9 * std::abs(by_value));
  EXPECT_EQ(p.lin.report.remarks[0], "linearized about a motion, not about rest");
}

TEST(Linearize, OutputsSeePositionsAndReactions) {
  std::string text = kPendulum;
  text.replace(text.find("phi: 0, c: 0"), 12, "phi: 0.6, c: 0.3");
  const Linear p(text, PointType::given, {"angle(hinge)"});
  ASSERT_EQ(p.lin.outputs.size(), 2u);
  EXPECT_NEAR(p.lin.C(0, 0), 0.7 * std::sin(0.6), 1e-11);  // z = −l cos θ
  EXPECT_NEAR(p.lin.C(0, 1), 0, 1e-12);
}

TEST(Linearize, SurplusStatesAreLeftOutWithTheReason) {
  const Linear p(kPendulum, PointType::equilibrium,
                 {"angle(hinge)", "x(rod)", "y(rod)", "distance(rod, ground)", "twice=2*angle(hinge)", "three=3 + 0*x(rod)"});
  ASSERT_EQ(p.lin.states(), 2);
  EXPECT_EQ(p.lin.positions[0].name, "angle(hinge)");
  const auto& dropped = p.lin.report.dropped;
  ASSERT_EQ(dropped.size(), 5u);
  EXPECT_EQ(dropped[0].name + " " + dropped[0].reason, "x(rod) depends on 'angle(hinge)' through joint 'hinge'");
  EXPECT_EQ(dropped[1].name + " " + dropped[1].reason, "y(rod) is fixed by joint 'hinge'");
  EXPECT_EQ(dropped[2].name + " " + dropped[2].reason, "distance(rod, ground) is fixed by joint 'hinge'");
  EXPECT_EQ(dropped[3].name + " " + dropped[3].reason, "twice depends on 'angle(hinge)'");
  EXPECT_EQ(dropped[4].name + " " + dropped[4].reason, "three is constant: it does not depend on positions");
}

TEST(Linearize, MissingStatesAreCompleted) {
  const Linear p(R"(
bodies:
  box: {mass: 2, inertia: [1, 2, 3]}
forces:
  mount: {type: bushing, between: [ground, box], at: [0.1, 0.2, 0], stiffness: [100, 200, 300], rotational_stiffness: [10, 20, 30]}
)", PointType::equilibrium, {"h=z(box)"});
  ASSERT_EQ(p.lin.positions.size(), 6u);
  EXPECT_EQ(p.lin.positions[0].name, "h");
  ASSERT_EQ(p.lin.report.added.size(), 5u);
  for (const std::string& name : p.lin.report.added) EXPECT_NE(name, "box.z");
}

constexpr const char* kRotor = R"(
gravity: [0, 0, 0]
parameters: {speed: 0 rev/s}
bodies:
  rotor: {mass: 1300, inertia: [500, 500, 1000], position: [0, 0, 0.75], angular_velocity: [0, 0, speed], markers: {center: {}}}
  stator: {mass: 200, inertia: [50, 50, 10]}
joints:
  bearing: {type: revolute, between: [stator, rotor], at: [0, 0, 0], axis: [0, 0, 1]}
forces:
  mount:
    type: bushing
    between: [ground, stator]
    at: [0, 0, 0]
    stiffness: [1000, 1000, 1000]
    damping: [1, 1, 1]
    rotational_stiffness: [1e4, 1e4, 1e5]
    rotational_damping: [10, 10, 100]
)";

std::string rotor(double turns_per_second, const char* reference) {
  std::string text = kRotor;
  text.replace(text.find("speed: 0 rev/s"), 14, "speed: " + std::to_string(turns_per_second) + " rev/s");
  return text + "linearization: {reference: " + reference + "}\n";
}

/// Whirl in complex coordinates u = x + i y of the mount and tilt ψ: roots of
///     det [1500 s² + s + 1000, 975 s²; 975 s², 1281.25 s² + (10 − 1000 i Ω) s + 10⁴] = 0
std::vector<Complex> whirl_roots(double omega) {
  const Complex i(0, 1);
  MatrixXcd A = MatrixXcd::Zero(4, 4), M(2, 2), C(2, 2), K(2, 2);
  M << 1500, 975, 975, 1281.25;
  C << 1, 0, 0, 10.0 - 1000.0 * i * omega;
  K << 1000, 0, 0, 1e4;
  A.topRightCorner(2, 2).setIdentity();
  A.bottomLeftCorner(2, 2) = -M.inverse() * K;
  A.bottomRightCorner(2, 2) = -M.inverse() * C;
  const Eigen::ComplexEigenSolver<MatrixXcd> eigen(A);
  return {eigen.eigenvalues().begin(), eigen.eigenvalues().end()};
}

TEST(Linearize, RotorAndStatorInBothFrames) {
  for (const double turns : {0.0, 0.25, 0.5, 0.75, 1.0}) {
    SCOPED_TRACE(turns);
    const double omega = 2 * kPi * turns;
    for (const bool turning : {false, true}) {
      SCOPED_TRACE(turning);
      const std::vector<Complex> found = Linear(rotor(turns, turning ? "rotor.center" : "ground")).eigenvalues();
      ASSERT_EQ(found.size(), 14u);
      for (const Complex& s : whirl_roots(omega))  // seen from the rotor all goes round backwards with Ω
        EXPECT_LT(distance_to(found, turning ? s - Complex(0, omega) : s), 1e-8) << s;
      EXPECT_LT(distance_to(found, {-1.0 / 3000, std::sqrt(1000.0 / 1500 - std::pow(1.0 / 3000, 2))}), 1e-8);  // up and down
      EXPECT_LT(distance_to(found, {-5, std::sqrt(1e4 - 25.0)}), 1e-8);                                         // yaw of the stator
    }
  }
}

TEST(Linearize, ModesOfTheRotorAreLabelled) {
  Linear p(rotor(0.5, "ground"));
  EigenmodeResult result = find_eigenmodes(*p.equations, p.system, {});
  label_modes(p.read.model, p.system, p.point.state, *p.equations, result.modes);
  const Eigenmode& last = result.modes.back();  // yaw of the stator
  EXPECT_NEAR(last.frequency(), 100 / (2 * kPi), 1e-6);
  EXPECT_NEAR(last.damping(), 0.05, 1e-8);
  EXPECT_EQ(last.kinetic[0].name, "stator");
  EXPECT_GT(last.kinetic[0].share, 0.99);
  EXPECT_EQ(last.strain[0].name, "mount");
  EXPECT_NE(last.label.find("stator turns about z"), std::string::npos) << last.label;
}

// ---- random mechanisms ---------------------------------------------------------------------------

enum class Variant { open, closed, redundant, flexible, driven };

Vector3d random_vector(std::mt19937& random) {
  std::uniform_real_distribution<double> uniform(-1, 1);
  return {uniform(random), uniform(random), uniform(random)};
}

/// A tree of bodies with springs, at random places and speeds; besides, by variant, a rod that closes a loop, a joint
/// twice, bushings instead of joints or a motion.
Model random_mechanism(unsigned seed, Variant variant) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> uniform(0.5, 1.5);
  const JointType types[] = {JointType::revolute, JointType::translational, JointType::spherical, JointType::universal,
                             JointType::cylindrical};
  Model model;
  const int count = 2 + static_cast<int>(seed % 2);
  for (int i = 0; i < count; ++i) {
    Body b;
    b.name = "b" + std::to_string(i);
    b.mass = uniform(random);
    b.inertia = Vector3d(uniform(random), uniform(random), uniform(random)).asDiagonal();
    b.inertia.diagonal().array() += 1;
    b.position = Vector3d(i + 1, 0, 0) + 0.3 * random_vector(random);
    b.orientation = exp_rotation(random_vector(random));
    b.velocity = random_vector(random);
    b.angular_velocity = random_vector(random);
    const std::string before = i == 0 ? "ground" : "b" + std::to_string(i - 1);
    Joint j = joint(types[random() % 5], "j" + std::to_string(i), before, b.name, Vector3d(i + 0.5, 0, 0) + 0.3 * random_vector(random),
                    random_vector(random).normalized());
    j.second_axis = j.axis->unitOrthogonal();
    if (variant == Variant::driven && i == 0) j.type = JointType::revolute;
    if (variant == Variant::redundant && i == 0) j.type = JointType::revolute;
    if (j.type != JointType::universal) j.second_axis.reset();
    if (variant == Variant::flexible && i == count - 1) {
      Bushing bushing;
      bushing.name = "soft";
      bushing.between = j.between;
      bushing.at = j.at;
      bushing.stiffness = {80, 90, 100};
      bushing.damping = {1, 2, 3};
      bushing.rotational_stiffness = {30, 40, 50};
      bushing.rotational_damping = {1, 0.5, 0.2};
      model.bushings.push_back(bushing);
    } else {
      model.joints.push_back(j);
    }
    SpringDamper spring;
    spring.name = "s" + std::to_string(i);
    spring.between = {Reference{"ground", {}}, Reference{b.name, {}}};
    spring.stiffness = 20, spring.damping = 0.7, spring.preload = 3;
    model.springs.push_back(spring);
    model.bodies.push_back(b);
  }
  const std::string last = model.bodies.back().name;
  if (variant == Variant::closed) {
    Joint rod;
    rod.name = "rod", rod.type = JointType::distance;
    rod.between = {Reference{"ground", {}}, Reference{last, {}}};
    rod.length = model.bodies.back().position.norm();
    model.joints.push_back(rod);
  }
  if (variant == Variant::redundant) {
    Joint twice = model.joints[0];
    twice.name = "twice";
    *twice.at += 0.4 * *twice.axis;
    model.joints.push_back(twice);
  }
  if (variant == Variant::driven) {
    Motion motion;
    motion.name = "drive";
    motion.joint = {"j0", {}};
    motion.displacement = Expression::parse("0.8*t + 0.3*sin(t)", {}, true);
    model.motions.push_back(motion);
  }
  return model;
}

void expect_reduced_matrix(const System& system, const State& s, const LinearizeOptions& options) {
  const LinearEquations equations(system, s, options);
  ASSERT_EQ(equations.report().problem, "");
  const int size = equations.size();
  ASSERT_GT(size, 0);
  const MatrixXd A = equations.rates(equations.respond(MatrixXd::Identity(size, size)));
  const MatrixXd expected = ReducedEquations(system, s, options, equations).matrix(4e-3);
  EXPECT_LT((A - expected).cwiseAbs().maxCoeff(), 1e-6 * expected.cwiseAbs().maxCoeff()) << A << "\n\n" << expected;
}

TEST(Linearize, ThirtyRandomMechanismsAgreeWithDifferencesOfTheReducedEquations) {
  for (unsigned seed = 0; seed < 30; ++seed) {
    SCOPED_TRACE(seed);
    const Model model = random_mechanism(seed, static_cast<Variant>(seed % 5));
    System system = assemble(model);
    std::vector<Signal> wanted;
    if (seed % 3 > 0)  // some user states, among them surplus ones
      for (const char* text : {"x(b0)", "y(b1)^2 + z(b0)", "distance(b0, b1)"}) wanted.push_back(io::parse_state(model, text));
    const LinearizeOptions options{bind_states(model, wanted, system), {}};
    State s = initial_wishes(model, system);
    ASSERT_TRUE(consistent_start(system, SolverType::automatic, s).assembled);
    expect_reduced_matrix(system, s, options);
  }
}

TEST(Linearize, EigenvaluesDoNotDependOnTheCoordinatesAtRest) {
  for (unsigned seed = 0; seed < 10; ++seed) {
    SCOPED_TRACE(seed);
    const Model model = random_mechanism(seed, static_cast<Variant>(seed % 4));
    std::vector<std::vector<Complex>> spectra;
    for (const std::vector<const char*>& texts : {std::vector<const char*>{}, {"x(b1)", "y(b0) + 0.3*z(b1)"}, {"z(b1)*x(b0)", "y(b1)"}}) {
      System system = assemble(model);
      std::vector<Signal> wanted;
      for (const char* text : texts) wanted.push_back(io::parse_state(model, text));
      const LinearizeOptions options{bind_states(model, wanted, system), {}};
      const OperatingPoint point = find_operating_point(model, system, PointType::equilibrium, {"ground", {}});
      ASSERT_EQ(point.problem, "");
      const LinearEquations equations(system, point.state, options);
      const int size = equations.size();
      const auto pairs = eigenpairs_of(equations.rates(equations.respond(MatrixXd::Identity(size, size))));
      spectra.emplace_back(pairs->values.begin(), pairs->values.end());
    }
    expect_same_spectrum(spectra[0], spectra[1], 1e-6);
    expect_same_spectrum(spectra[0], spectra[2], 1e-6);
  }
}

TEST(Linearize, RedundantJointsAreNamed) {
  const Model model = random_mechanism(2, Variant::redundant);
  const System system = assemble(model);
  State s = initial_wishes(model, system);
  consistent_start(system, SolverType::automatic, s);
  const LinearizeOptions options;
  const LinearEquations equations(system, s, options);
  ASSERT_EQ(equations.report().redundant.size(), 1u);
  EXPECT_EQ(equations.report().redundant[0], "joint 'twice'");
}

// ---- large systems -------------------------------------------------------------------------------

TEST(Linearize, IterativeModesAgreeWithAllModes) {
  const Model model = chain(40);
  const System system = assemble(model);
  const OperatingPoint point = find_operating_point(model, system, PointType::equilibrium, {"ground", {}});
  ASSERT_EQ(point.problem, "");
  const LinearizeOptions options;
  LinearEquations equations(system, point.state, options);
  EigenmodeOptions some;
  some.count = 6, some.shift = 0.5;
  const EigenmodeResult iterative = find_eigenmodes(equations, system, some), all = find_eigenmodes(equations, system, {});
  EXPECT_TRUE(iterative.iterative);
  EXPECT_FALSE(all.iterative);
  ASSERT_EQ(iterative.modes.size(), 6u);
  for (int i = 0; i < 6; ++i) EXPECT_LT(std::abs(iterative.modes[i].s - all.modes[i].s), 1e-7 * std::abs(all.modes[i].s));
}

}  // namespace
}  // namespace bricard::testing
