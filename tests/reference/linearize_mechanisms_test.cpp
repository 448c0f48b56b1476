// SPDX-License-Identifier: Apache-2.0
#include <fstream>
#include <random>

#include "bricard/analysis/check_model.h"
#include "bricard/analysis/consistent_start.h"
#include "bricard/model/measure_names.h"
#include "reference/linear.h"
#include "reference/mechanisms.h"
#include "reference/simulated.h"

// Linearized equations of random mechanisms against differences of their reduced nonlinear equations.
namespace bricard::testing {
namespace linearize_mechanisms_test {

enum class Variant { open, closed, redundant, flexible, driven, rolling, controlled };
constexpr unsigned kVariants = 7;

/// A formula of measures and of the controller `hold`.
Expression formula(const std::string& text) {
  ExpressionScope scope;
  scope.measures_allowed = true;
  scope.measures = measure_signatures();
  scope.variables = {"hold"};
  return Expression::parse(text, scope);
}

Vector3d random_vector(std::mt19937& random) {
  std::uniform_real_distribution<double> uniform(-1, 1);
  return {uniform(random), uniform(random), uniform(random)};
}

/// A tree of bodies with springs, at random places and speeds; besides, by variant, a rod that closes a loop, a joint
/// twice, bushings instead of joints, a motion, a condition on velocities or a controller.
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
    Joint j = joint(types[random() % 5], "j" + std::to_string(i), before, b.name,
                    Vector3d(i + 0.5, 0, 0) + 0.3 * random_vector(random), random_vector(random).normalized());
    j.second_axis = j.axis->unitOrthogonal();
    const bool hinged = variant == Variant::driven || variant == Variant::redundant || variant == Variant::controlled;
    if (hinged && i == 0) j.type = JointType::revolute;
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
  if (variant == Variant::rolling)  // as on a ball of the radius 0.7 m, with a drift
    model.velocity_constraints.push_back(
        {"roll",
         {},
         {formula("vx(" + last + ") - 0.7*wy(" + last + ") + 0.3*z(" + last + ")*vy(" + last + ") - 0.1")}});
  if (variant == Variant::controlled) {
    Pid hold;
    hold.name = "hold";
    hold.input = {formula("0.2 - angle(j0) - 0.1*distance(b0, b1)")};
    hold.proportional = 12, hold.integral = 5, hold.derivative = 2, hold.filter = 0.2;
    model.pids.push_back(hold);
    Motor motor;
    motor.name = "motor", motor.joint = {"j0", {}}, motor.force = {formula("hold")};
    model.motors.push_back(motor);
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

TEST(Linearize, RandomMechanismsAgreeWithDifferencesOfTheReducedEquations) {
  for (unsigned seed = 0; seed < 6 * kVariants; ++seed) {
    SCOPED_TRACE(seed);
    const Model model = random_mechanism(seed, static_cast<Variant>(seed % kVariants));
    System system = assemble(model);
    std::vector<Signal> wanted;
    if (seed % 3 > 0)  // some user states, among them surplus ones
      for (const char* text : {"x(b0)", "y(b1)^2 + z(b0)", "distance(b0, b1)"})
        wanted.push_back(io::parse_state(model, text));
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
    for (const std::vector<const char*>& texts :
         {std::vector<const char*>{}, {"x(b1)", "y(b0) + 0.3*z(b1)"}, {"z(b1)*x(b0)", "y(b1)"}}) {
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

/// The same mechanism with lengths, masses and times of other sizes.
Model scaled(Model m, double length, double mass, double time) {
  const double force = mass * length / (time * time);
  m.gravity *= length / (time * time);
  for (Body& b : m.bodies) {
    b.mass *= mass;
    b.inertia *= mass * length * length;
    b.position *= length;
    b.velocity *= length / time;
    b.angular_velocity /= time;
  }
  for (Joint& j : m.joints) {
    if (j.at) *j.at *= length;
    if (j.length) *j.length *= length;
  }
  for (SpringDamper& s : m.springs)
    s.stiffness *= force / length, s.damping *= force * time / length, s.preload *= force;
  for (Bushing& b : m.bushings) {
    if (b.at) *b.at *= length;
    b.stiffness *= force / length, b.damping *= force * time / length;
    b.rotational_stiffness *= force * length, b.rotational_damping *= force * length * time;
  }
  return m;
}

EigenmodeResult modes_of(const Model& model) {
  const System system = assemble(model);
  State s = initial_wishes(model, system);
  EXPECT_TRUE(consistent_start(system, SolverType::automatic, s).assembled);
  const LinearizeOptions options;
  LinearEquations equations(system, s, options);
  EigenmodeResult result = find_eigenmodes(equations, system, {});
  label_modes(model, system, s, equations, result.modes);
  return result;
}

/// From micrometres to kilometres, micrograms to kilotons: eigenvalues are as the units of time say, and in each mode
/// every body has the share of the energy it has in metres and kilograms.
TEST(Linearize, EigenvaluesAndShapesDoNotDependOnUnits) {
  std::mt19937 random(1);
  std::uniform_real_distribution<double> power(-1, 1);
  for (unsigned seed = 0; seed < 60; ++seed) {
    SCOPED_TRACE(seed);
    const Model model = random_mechanism(seed, static_cast<Variant>(seed % 4));
    const double length = std::pow(10, -1.5 + 4.5 * power(random)), mass = std::pow(10, 6 * power(random)),
                 time = std::pow(10, 3 * power(random));
    const EigenmodeResult usual = modes_of(model), other = modes_of(scaled(model, length, mass, time));
    ASSERT_EQ(usual.modes.size(), other.modes.size());
    for (const Eigenmode& mode : other.modes) {
      const auto distance = [&](const Eigenmode& m) { return std::abs(m.s - mode.s * time); };
      const auto nearest = std::min_element(usual.modes.begin(), usual.modes.end(),
                                            [&](const auto& a, const auto& b) { return distance(a) < distance(b); });
      EXPECT_LT(distance(*nearest), 1e-9 * (1 + std::abs(nearest->s)));
      EXPECT_FALSE(mode.doubtful()) << mode.s << " " << mode.error << " " << mode.residual;
      for (const EnergyShare& share : mode.kinetic)
        for (const EnergyShare& expected : nearest->kinetic)
          if (share.name == expected.name) {
            EXPECT_NEAR(share.share, expected.share, 1e-6);
          }
    }
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

std::string model_text(const std::string& name, const std::string& length) {
  std::ifstream file(BRICARD_SOURCE_DIR "/models/" + name + ".yaml");
  std::string text{std::istreambuf_iterator<char>(file), {}};
  const size_t after = text.rfind("\nrun:") + 5;
  if (length.empty()) return text;
  return text[after] == '\n' ? text.insert(after, "\n  reference_length: " + length)
                             : text.insert(text.find('{', after) + 1, "reference_length: " + length + ", ");
}

struct Seen {
  std::vector<std::string> states;
  std::vector<Complex> eigenvalues;
  int freedom;
  RunReport run;
  VectorXd end;
};
Seen look_at(const std::string& text) {
  const Linear linear(text);
  const CheckReport check = check_model(linear.read.model);
  EXPECT_TRUE(check.can_run());
  Model model = linear.read.model;
  model.run.duration = 20 * model.run.step, model.run.rtol.reset();
  const Simulated run(model);
  std::vector<std::string> states;
  for (const NamedQuantity& state : linear.lin.state_names()) states.push_back(state.name);
  return {states, linear.eigenvalues(), check.degrees_of_freedom, run.results.report, run.end().q};
}

// Small motions, freedoms and the run are the model's, whatever turns are compared by; where that is impossible it is said.
// Runs whose rows are of very different sizes may say that they are not good.
TEST(ReferenceLength, OfAnySizeGivesTheSameAnswersOrIsRefused) {
  for (const char* name : {"double_pendulum", "slider_crank_004", "flyball_governor", "scissor_lift"}) {
    const Seen own = look_at(model_text(name, ""));
    int refused = 0;
    for (const char* length : {"1e-9", "1e-6", "2e-3", "0.1", "100", "1e6", "1e9"}) {
      SCOPED_TRACE(std::string(name) + " " + length);
      try {
        const Seen seen = look_at(model_text(name, length));
        EXPECT_EQ(seen.states.size(), own.states.size());
        // Of a motion A depends on its states. A double eigenvalue 0 has the square root of round-off.
        if (seen.states == own.states) expect_same_spectrum(seen.eigenvalues, own.eigenvalues, 3e-3);
        EXPECT_EQ(seen.freedom, own.freedom);
        if (seen.run.verdict() == Verdict::good) {
          EXPECT_LT((seen.end - own.end).lpNorm<Eigen::Infinity>(), 1e-6);
        }
      } catch (const ModelError& error) {
        EXPECT_NE(std::string(error.what()).find("run.reference_length = "), std::string::npos) << error.what();
        ++refused;
      }
    }
    EXPECT_EQ(refused, 4);
  }
}

}  // namespace linearize_mechanisms_test
}  // namespace bricard::testing
