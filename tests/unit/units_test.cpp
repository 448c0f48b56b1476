// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <numbers>

#include "bricard/analysis/consistent_start.h"
#include "bricard/analysis/simulate.h"
#include "bricard/assemble/assemble.h"
#include "bricard/read/model_reader.h"

namespace bricard {
namespace units_test {

using std::numbers::pi;

double near_to(double value) { return 1e-14 * std::abs(value); }

Model read(const std::string& text, const io::Overrides& overrides = {}) {
  return io::read_model_text(text, "model.yaml", overrides);
}

std::string faults_of(const std::string& text, const io::Overrides& overrides = {}) {
  try {
    read(text, overrides);
  } catch (const ModelError& error) {
    return error.what();
  }
  return "no fault";
}

TEST(Units, HaveTheirDefinedValues) {
  const std::pair<const char*, double> cases[] = {
      {"25 mm", 0.025},
      {"3 deg", pi / 60},
      {"1500 rpm", 50 * pi},
      {"2 GPa", 2e9},
      {"15 lbf*in", 15 * 4.4482216152605 * 0.0254},  // the pound-force and the inch are exact by definition
      {"7850 kg/m^3", 7850},
      {"0.2 N*s/mm", 200},
      {"5 N*m/deg", 900 / pi},
      {"36 km/h", 10},
      {"2 s^-1", 2},
      {"1 psi", 6894.757293168361},
      {"1 slug", 14.593902937206364},
      {"2 rev/min", pi / 15},
      {"9.81 m/s**2", 9.81},
      {"(1 + 2) cm", 0.03},
      {"2 m / 4", 0.5},
      {"3 ms*2", 0.006},
      {"5 m*min(2, 3)", 10},
      {"2*3 mm^2", 6e-6},
      {"-(4 mm)", -0.004},
      {"sqrt(4 mm^2)", 0.002},
      {"(2 mm)^2", 4e-6},
      {"sin(30 deg)", 0.5},
      {"max(1 cm, 2 mm, 3)", 3},
      {"step(1 s, 0, 0, 2, 4 mm)", 0.002},
      {"step(2.5 mm, 2 mm, 0, 0.003, 8)", 4}};
  for (const auto& [text, value] : cases)
    EXPECT_NEAR(Expression::parse(text, {}, false)(0), value, near_to(value)) << text;
}

TEST(Units, OfAProductFollowFromItsFactors) {
  const std::map<std::string, double> constants{{"k", 200}, {"L", 0.5}};
  const UnitContext context{{}, {{"k", parse_unit("N/m")->dimension}, {"L", parse_unit("m")->dimension}}};
  const auto unit_of = [&](const char* text) {
    return unit_text(Expression::parse(text, constants, true, context).dimension());
  };
  EXPECT_EQ(unit_of("k*L"), "N");
  EXPECT_EQ(unit_of("k*L^2/2"), "N*m");
  EXPECT_EQ(unit_of("sqrt(k/(2 kg))"), "s^-1");
  EXPECT_EQ(unit_of("2*L"), "m");
  EXPECT_EQ(unit_of("L/(2 m)"), "");
  EXPECT_EQ(unit_of("L/(2 s)*t"), "m");
  EXPECT_EQ(unit_of("k + 5"), "N/m");
}

TEST(Units, OfSummandsMustAgree) {
  const auto error_of = [](const char* text) -> std::string {
    try {
      Expression::parse(text, {{"m", 2}}, true);
    } catch (const ExpressionError& error) {
      return error.what();
    }
    return "no error";
  };
  EXPECT_EQ(error_of("5 mm + 3 kg"), "'5 mm + 3 kg': a length and a mass do not go together");
  EXPECT_EQ(error_of("sin(3 mm)"), "'sin(3 mm)': a length stands where a plain number is expected");
  EXPECT_EQ(error_of("2^(3 s)"), "'2^(3 s)': a time stands where a plain number is expected");
  EXPECT_EQ(error_of("(2 mm)^t"), "'(2 mm)^t': a power of a length needs a constant exponent");
  EXPECT_EQ(error_of("5 Nmm"), "unknown unit 'Nmm'");
  EXPECT_EQ(error_of("5 N*m"), "'m' is a unit and a parameter; write *(m) for the parameter, or give it another name");
}

/// A driven, sprung crank in the units of the first line.
const std::string kCrank = R"yaml(
parameters: {L: %L%}
gravity: [0, 0, %g%]
bodies:
  crank: {mass: %m%, inertia: [%I%, %I%, %I%], position: [L/2, 0, 0], markers: {tip: {position: [L/2, 0, 0]}}}
  rocker: {mass: %m%, inertia: [%I%, %I%, %I%], position: [1.5*L, 0, 0], orientation: {axis: [0, 1, 0], angle: %a%},
           velocity: [0, 0, %v%]}
joints:
  drive: {type: revolute, between: [ground, crank], at: [0, 0, 0], axis: [0, 1, 0]}
  elbow: {type: revolute, between: [crank, rocker], at: [L, 0, 0], axis: [0, 1, 0]}
motions:
  turn: {joint: drive, displacement: "%w%*t + %a%*sin(%w%/%a%*t)"}
forces:
  coil: {type: torsion-spring, joint: elbow, stiffness: %k%, damping: %c%, free_angle: %a%}
  strut: {type: spring-damper, between: [ground, rocker], stiffness: %K%, free_length: L}
  gust: {type: force, on: rocker, force: [0, 0, "%F%*t"]}
run: {duration: %T%, step: %h%}
)yaml";

std::string filled(std::string text, const std::map<std::string, std::string>& values) {
  for (const auto& [key, value] : values)
    for (size_t at; (at = text.find("%" + key + "%")) != std::string::npos;) text.replace(at, key.size() + 2, value);
  return text;
}

VectorXd end_of(const Model& model) {
  const System system = assemble(model);
  State state = initial_wishes(model, system);
  EXPECT_TRUE(consistent_start(system, SolverType::automatic, state).assembled);
  return simulate(system, state, model.run).samples.back().state.q;
}

TEST(Units, OfAFileGiveBareNumbersTheirMeaning) {
  const double degree = pi / 180;
  const Model si = read(filled(kCrank, {{"L", "0.4"},
                                        {"g", "-9.81"},
                                        {"m", "2"},
                                        {"I", "0.01"},
                                        {"a", "(30*pi/180)"},
                                        {"v", "0.5"},
                                        {"w", "(2*pi/3)"},
                                        {"k", "3"},
                                        {"c", "0.2"},
                                        {"K", "50"},
                                        {"F", "4"},
                                        {"T", "0.5"},
                                        {"h", "1/1000"}}));
  // mm, deg, g, ms, N: a torque is in N mm, a stiffness in N mm/deg, gravity in mm/ms².
  const std::string block = "units: {length: mm, angle: deg, mass: g, time: ms, force: N}";
  const Model mixed = read(block + filled(kCrank, {{"L", "400"},
                                                   {"g", "-9.81e-3"},
                                                   {"m", "2000"},
                                                   {"I", "1e7"},
                                                   {"a", "30"},
                                                   {"v", "0.5"},
                                                   {"w", "0.12"},
                                                   {"k", std::to_string(3000 * degree)},
                                                   {"c", "2e5*pi/180"},
                                                   {"K", "0.05"},
                                                   {"F", "4e-3"},
                                                   {"T", "500"},
                                                   {"h", "1"}}));
  EXPECT_NEAR(mixed.bodies[0].inertia(0, 0), 0.01, 1e-16);
  EXPECT_NEAR(mixed.gravity.z(), si.gravity.z(), 1e-14);
  EXPECT_NEAR(mixed.torsion_springs[0].damping, 0.2, 1e-14);
  EXPECT_NEAR(mixed.springs[0].stiffness, 50, 1e-12);
  EXPECT_NEAR(mixed.forces[0].force[2](0.25), 1, 1e-14);
  for (const double t : {0.0, 0.1, 0.4}) {
    // sin takes radians: with bare numbers in ms and deg its argument is the number w/a·t of those units.
    const double number = 0.12 / 30 * (t / 1e-3);
    EXPECT_NEAR((*mixed.motions[0].displacement)(t), (0.12 * t / 1e-3 + 30 * std::sin(number)) * degree, 1e-12);
    EXPECT_NEAR((*si.motions[0].displacement)(t), 2 * pi / 3 * t + pi / 6 * std::sin(4 * t), 1e-12);
  }
  EXPECT_LT((end_of(si) - end_of(mixed)).norm(), 1e-5);  // the stiffness has six decimals
}

TEST(Units, MayDifferFromTheFiles) {
  const std::string text =
      "units: {length: mm}\n"
      "parameters: {width: 25 mm, gap: 3}\n"
      "bodies: {rod: {mass: 500 g, inertia: [1, 1, 1], position: [2*width + 5 mm, 1 m + gap, gap]}}\n";
  const Model model = read(text);
  EXPECT_NEAR(model.bodies[0].mass, 0.5, 1e-15);
  EXPECT_NEAR(model.bodies[0].inertia(0, 0), 1e-6, 1e-20);  // kg*mm^2
  EXPECT_NEAR(model.bodies[0].position.x(), 0.055, 1e-15);
  EXPECT_NEAR(model.bodies[0].position.y(), 1.003, 1e-15);
  EXPECT_NEAR(model.bodies[0].position.z(), 0.003, 1e-17);
  EXPECT_EQ(model.parameters[0].unit, "m");
  EXPECT_EQ(model.parameters[0].value, 0.025);
  EXPECT_EQ(model.parameters[1].unit, "");
}

TEST(Units, OfVariablesAndMeasuresAreThoseOfTheFileNextToBareNumbers) {
  const auto law = [](const std::string& units, const std::string& formula) {
    const Model model =
        read("units: {" + units +
             "}\n"
             "bodies: {a: {mass: 1, inertia: [1, 1, 1]}, b: {mass: 1, inertia: [1, 1, 1], position: [1, 0, 0]}}\n"
             "forces: {s: {type: spring-damper, between: [a, b], law: \"" +
             formula + "\"}}\n");
    const double inputs[] = {0.12, 0.12};  // length or a distance, in m
    return model.springs[0].law->formula.value(0, inputs);
  };
  for (const char* text : {"5*(length - 100)", "5*(distance(a, b) - 100)", "(5 N/mm)*(length - 100)", "5*length - 500",
                           "if(length - 100: 0, 1, 100 N)", "100*(length > 110)", "step(length, 110, 0, 12 cm, 100)"})
    EXPECT_NEAR(law("length: mm", text), 100, 1e-10) << text;
  EXPECT_NEAR(law("", "(5 N/mm)*(length - 100 mm)"), 100, 1e-10);
  EXPECT_NEAR(law("force: kN", "0.1"), 100, 1e-10);
}

/// Factors times coordinates are counted in one unit: 3 deg per 2 mm.
TEST(Units, OfCouplerFactorsFollowTheCoordinates) {
  const auto factors = [](const std::string& units, const std::string& list) {
    const Model model = read("units: {" + units +
                             "}\n"
                             "bodies: {a: {mass: 1, inertia: [1, 1, 1]}, b: {mass: 1, inertia: [1, 1, 1]}}\n"
                             "joints:\n"
                             "  turn: {type: revolute, between: [ground, a], at: [0, 0, 0], axis: [0, 0, 1]}\n"
                             "  slide: {type: translational, between: [ground, b], at: [0, 0, 0], axis: [0, 0, 1]}\n"
                             "couplers: {c: {type: coupler, joints: [turn, slide], factors: " +
                             list + "}}\n");
    return Eigen::Vector2d(model.couplers[0].factors[0], model.couplers[0].factors[1]);
  };
  const Eigen::Vector2d expected(2, -3 * (pi / 180) / 1e-3);
  EXPECT_LT((factors("length: mm, angle: deg", "[2, -3]") - expected).norm(), 1e-11);
  EXPECT_LT((factors("", "[2, -3 deg/mm]") - expected).norm(), 1e-11);
  EXPECT_LT((factors("", "[2, -3]") - Eigen::Vector2d(2, -3)).norm(), 1e-15);
}

TEST(Units, OfTablesMakeThemFunctionsOfQuantities) {
  const auto law = [](const std::string& units, const std::string& formula) {
    const Model model =
        read("units: {" + units +
             "}\n"
             "tables: {soft: {x_unit: mm, y_unit: kN, x: [0, 50, 100, 150], y: [0, 1, 2, 3]}}\n"
             "bodies: {a: {mass: 1, inertia: [1, 1, 1]}, b: {mass: 1, inertia: [1, 1, 1], position: [1, 0, 0]}}\n"
             "forces: {s: {type: spring-damper, between: [a, b], law: \"" +
             formula + "\"}}\n");
    const double inputs[] = {0.12};
    return model.springs[0].law->formula.value(0, inputs);
  };
  for (const char* units : {"", "length: mm", "length: cm, force: kN, time: ms"})
    for (const char* text : {"soft", "akima(length, soft)", "cubic(length + 0, soft)", "cubic(length, soft, 1)*length",
                             "akima(12 cm, soft)", "0.001*(1 s^2)*akima(length, soft)/(1e-3 s^2)"})
      EXPECT_NEAR(law(units, text), 2400, 1e-9) << text << " with " << units;
  EXPECT_NEAR(law("length: mm", "akima(120, soft)"), 2400, 1e-9);
}

/// A direction is a difference of positions, whatever their unit; bare components are in the file's.
TEST(Units, OfDirectionsDoNotCount) {
  const Model model =
      read("units: {length: mm}\n"
           "parameters: {rise: 3 cm, way: 40 mm}\n"
           "bodies: {a: {mass: 1, inertia: [1, 1, 1], orientation: {z: [way, 0, 30], x: [0, 1, 0]}}}\n"
           "joints: {slope: {type: translational, between: [ground, a], at: [0, 0, 0], axis: [way, 0, rise]}}\n");
  EXPECT_LT((model.joints[0].axis->normalized() - Vector3d(0.8, 0, 0.6)).norm(), 1e-14);
  EXPECT_LT((model.bodies[0].orientation * Vector3d::UnitZ() - Vector3d(0.8, 0, 0.6)).norm(), 1e-14);
}

TEST(Units, OfParametersSetFromOutsideMustBeTheFiles) {
  const std::string text = "parameters: {L: 25 mm, n: 2}\n"
                           "bodies: {rod: {mass: n, inertia: [1, 1, 1], position: [L, 0, 0]}}\n";
  const Quantity inch(0.0254, parse_unit("m")->dimension), kilogram(1, parse_unit("kg")->dimension);
  EXPECT_EQ(read(text, {{"L", inch}}).bodies[0].position.x(), 0.0254);
  EXPECT_EQ(faults_of(text, {{"L", kilogram}}), "parameter 'L' set from outside: is a mass where a length is expected");
  EXPECT_EQ(faults_of(text, {{"L", 30}}),
            "parameter 'L' set from outside: is a plain number where a length is expected; give a unit, as '30 m'");
  EXPECT_EQ(read(text, {{"n", kilogram}}).bodies[0].mass, 1);
}

}  // namespace units_test
}  // namespace bricard
