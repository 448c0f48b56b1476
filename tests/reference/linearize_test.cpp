// SPDX-License-Identifier: Apache-2.0
#include "bricard/analysis/linearize.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>

#include "bricard/analysis/consistent_start.h"
#include "bricard/analysis/eigenmodes.h"
#include "bricard/analysis/frequency_response.h"
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

// By hand, θ from the vertical and the joint's angle from its start: with s = h(θ), θ̈ = f(θ, θ̇):   s̈ = h′ f + h″ θ̇²;
//   ∂s̈/∂ṡ = (h′ f_ω + 2 h″ ω)/h′,   ∂s̈/∂s = (h″ f + h′ f_θ + h‴ ω²)/h′ − (∂s̈/∂ṡ) h″ ω/h′
TEST(Linearize, OddCoordinateAgreesWithDerivationByHand) {
  std::string text = kPendulum;
  text.replace(text.find("phi: 0, c: 0"), 12, "phi: 0.6, c: 0.3");
  text.replace(text.find("    orientation"), 0, "    angular_velocity: [0, -1.5, 0]\n    velocity: [1.5*l*cos(phi), 0, 1.5*l*sin(phi)]\n");
  const Linear p(text, PointType::given, {"s=exp(2*sin(0.6 + angle(hinge)))"});
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
  const MatrixXd expected = ReducedEquations(system, s, options, equations).matrix(2e-3);
  EXPECT_LT((A - expected).cwiseAbs().maxCoeff(), 1e-6 * expected.cwiseAbs().maxCoeff()) << A << "\n\n" << expected;
}

TEST(Linearize, ThirtyRandomMechanismsAgreeWithDifferencesOfTheReducedEquations) {
  for (unsigned seed = 0; seed < 30; ++seed) {  // the sled and the controlled pendulum below are two more
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

// ---- conditions on velocities, controllers -------------------------------------------------------

// Upright disc rolling straight on: (A + m r²) s² = m g r − C (C + m r²) Ω²/A, C about the axle, A about a diameter.
TEST(Linearize, RollingDiscLeansAsTheClosedFormSays) {
  for (const double spin : {2.0, 5.0}) {
    const Linear disc(R"(
parameters: {spin: )" + std::to_string(spin) + R"(, R: 0.3}
bodies:
  disc:
    mass: 2
    inertia: [0.04, 0.04, 0.07]
    position: [0, 0, R]
    orientation: {z: [0, -1, 0], x: [1, 0, 0]}
    angular_velocity: [0, spin, 0]
    velocity: [spin*R, 0, 0]
joints:
  wheel: {type: rolling, between: [ground, disc], radius: R}
)");
    const double m = 2, r = 0.3, A = 0.04, C = 0.07;
    const Complex s = std::sqrt(Complex((m * 9.81 * r - C * (C + m * r * r) * spin * spin / A) / (A + m * r * r)));
    EXPECT_EQ(disc.lin.positions.size(), 5u);
    EXPECT_EQ(disc.lin.velocities.size(), 3u);
    for (const Complex& root : {s, -s}) EXPECT_LT(distance_to(disc.eigenvalues(), root), 1e-8) << root;
  }
}

constexpr const char* kSled = R"(
gravity: [0, 0, 0]
bodies:
  sled:
    mass: 2
    inertia: [0.3, 0.4, 0.5]
    position: [1, 0.3, 0]
    orientation: {axis: [0, 0, 1], angle: 0.4}
    velocity: [0.9, 0.2, 0]
    angular_velocity: [0, 0, 0.8]
    markers: {blade: {position: [-0.4, 0.1, 0]}}
joints:
  table: {type: planar, between: [ground, sled], at: [0, 0, 0], axis: [0, 0, 1]}
velocity_constraints:
  no_side_slip: cos(angle_z(sled))*vy(sled.blade) - sin(angle_z(sled))*vx(sled.blade)
forces:
  spring: {type: spring-damper, between: [ground, sled], stiffness: 30, damping: 0.4, free_length: 0.5}
)";

TEST(Linearize, SledOnAKnifeEdgeAgreesWithDifferencesOfTheReducedEquations) {
  for (const std::vector<std::string>& states : {std::vector<std::string>{}, {"phi=angle_z(sled)", "distance(sled, ground)"}}) {
    const Linear sled(kSled, PointType::given, states);
    ASSERT_EQ(sled.lin.positions.size(), 3u);
    ASSERT_EQ(sled.lin.velocities.size(), 2u);
    expect_reduced_matrix(sled.system, sled.point.state, sled.options);
  }
}

constexpr const char* kControlled = R"(
parameters: {l: 0.7, phi: 0}
inputs:
  torque: {unit: N*m}
bodies:
  rod:
    mass: 2
    inertia: [0.05, 0.05, 0.05]
    position: [l*sin(phi), 0, -l*cos(phi)]
    orientation: {axis: [0, 1, 0], angle: -phi}
joints:
  hinge: {type: revolute, between: [ground, rod], at: [0, 0, 0], axis: [0, -1, 0]}
controllers:
  hold: {type: pid, input: -angle(hinge), proportional: 40, integral: 15, derivative: 3, filter: 0.01}
forces:
  motor: {type: motor, joint: hinge, force: hold + torque}
signals:
  theta: angle(hinge)
  moment: hold
)";

// J θ̈ + k θ = u,  u = −(k_p + k_i/s + k_d s/(1 + T s)) θ:   s (1 + T s)(J s² + k + k_p) + k_i (1 + T s) + k_d s² = 0
TEST(Linearize, PendulumWithPidHasTheRootsOfItsPolynomial) {
  const Linear p(kControlled, PointType::given, {"angle(hinge)"});
  ASSERT_EQ(p.lin.states(), 4);
  const double J = 0.05 + 2 * 0.49, k = 2 * 9.81 * 0.7, T = 0.01;
  for (const Complex& s : p.eigenvalues()) {
    const Complex rest = s * (1.0 + T * s) * (J * s * s + k + 40.0) + 15.0 * (1.0 + T * s) + 3.0 * s * s;
    EXPECT_LT(std::abs(rest), 1e-8 * (1 + std::pow(std::abs(s), 4) * T * J)) << s;
  }
  ASSERT_EQ(p.lin.inputs.size(), 1u);
  const int rate = 1;  // θ, θ', integral, filter
  EXPECT_NEAR(p.lin.B(rate, 0), 1 / J, 1e-11);
  EXPECT_EQ(p.lin.mass.rows(), 1);
}

TEST(Linearize, ControlledPendulumAwayFromRestAgreesWithDifferencesOfTheReducedEquations) {
  std::string text = kControlled;
  text.replace(text.find("phi: 0"), 6, "phi: 0.5");
  const Linear p(text);
  expect_reduced_matrix(p.system, p.point.state, p.options);
}

// H(iω) from torque to angle of the closed loop, and from torque to the controller's output.
TEST(Linearize, FrequencyResponseOfTheClosedLoop) {
  const Linear p(kControlled, PointType::given, {"angle(hinge)"});
  const double J = 0.05 + 2 * 0.49, k = 2 * 9.81 * 0.7, T = 0.01;
  const FrequencyResponse response = find_frequency_response(p.lin, logarithmic(0.1, 100, 7));
  for (size_t i = 0; i < response.H.size(); ++i) {
    const Complex s(0, 2 * kPi * response.frequencies[i]), G = 1.0 / (J * s * s + k), R = 40.0 + 15.0 / s + 3.0 * s / (1.0 + T * s);
    const Complex theta = G / (1.0 + G * R);
    EXPECT_LT(std::abs(response.H[i](0, 0) - theta), 1e-9 * std::abs(theta));
    EXPECT_LT(std::abs(response.H[i](1, 0) + R * theta), 1e-9 * std::abs(R * theta));
  }
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

// A chain of N links that hangs straight down swings nearly as a rope: ω = ½ j₀ √(g/L), j₀ the first root of J₀.
TEST(Linearize, SlowestSwingOfALongChain) {
  const std::string hanging = R"(
parameters: {N: 1500, L: 0.1}
repeat:
  - for: {i: N}
    bodies:
      "link{i}": {mass: 0.05, inertia: [4e-5, 4e-5, 2e-6], position: [0, 0, -(i - 0.5)*L]}
  - for: {i: [2, N]}
    joints:
      "hinge{i}": {type: revolute, between: ["link{i-1}", "link{i}"], at: [0, 0, -(i - 1)*L], axis: [0, 1, 0]}
joints:
  hinge1: {type: revolute, between: [ground, link1], at: [0, 0, 0], axis: [0, 1, 0]}
)";
  const io::LinearModel read = io::read_linear_model(hanging, "chain.yaml");
  const System system = assemble(read.model);
  State s = initial_wishes(read.model, system);
  consistent_start(system, SolverType::automatic, s);
  const LinearizeOptions options;
  LinearEquations equations(system, s, options);
  EigenmodeOptions some;
  some.count = 2;
  const EigenmodeResult result = find_eigenmodes(equations, system, some);
  ASSERT_TRUE(result.iterative);
  ASSERT_EQ(result.modes.size(), 2u);
  EXPECT_NEAR(result.modes[0].s.imag(), 0.5 * 2.404825557695773 * std::sqrt(9.81 / 150), 1e-5);
  EXPECT_NEAR(result.modes[0].s.real(), 0, 1e-9);
}

}  // namespace
}  // namespace bricard::testing
