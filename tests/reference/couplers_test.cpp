// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "bricard/analysis/consistent_start.h"
#include "bricard/analysis/simulate.h"
#include "bricard/assemble/assemble.h"
#include "bricard/read/model_reader.h"
#include "reference/mechanisms.h"
#include "reference/minimal_model.h"

// Couplers, forces in joint coordinates, curve contacts and shafts against minimal coordinates and closed forms.
namespace bricard::testing {
namespace couplers_test {

constexpr double kPi = std::numbers::pi;
const Vector3d kX = Vector3d::UnitX(), kY = Vector3d::UnitY(), kZ = Vector3d::UnitZ();

RunSettings settings(double duration, double h) {
  RunSettings s;
  s.duration = duration;
  s.step = s.output_step.emplace(h);
  s.tolerance = 1e-10;
  s.integrator = IntegratorType::generalized_alpha;
  return s;
}

Body body(const std::string& name, const Vector3d& position, double mass = 1) {
  Body b;
  b.name = name;
  b.mass = mass;
  b.inertia = mass * Vector3d(0.05, 0.07, 0.06).asDiagonal();
  b.position = position;
  return b;
}

Expression formula(const std::string& text) { return Expression::parse(text, {}, true); }

std::vector<Reference> names(const std::vector<std::string>& words) {
  std::vector<Reference> list;
  for (const std::string& w : words) list.push_back({w, {}});
  return list;
}

/// Three bodies on ground, off the axes of their joints so that gravity moves them; the joints' coordinates are coupled.
struct CoupledCase {
  std::string name;
  std::vector<JointType> joints;
  Coupler coupler;
  std::vector<double> ways;  ///< of the coordinates per unit of the one that is left
};

void PrintTo(const CoupledCase& c, std::ostream* out) { *out << c.name; }

Coupler make_coupler(CouplerType type, const std::vector<std::string>& joints) {
  Coupler c;
  c.name = "mesh";
  c.type = type;
  c.joints = names(joints);
  return c;
}

std::vector<CoupledCase> coupled_cases() {
  const JointType revolute = JointType::revolute, slide = JointType::translational;
  std::vector<CoupledCase> cases;
  Coupler ratio = make_coupler(CouplerType::gear, {"j0", "j1"});
  ratio.ratio = -2.5;
  cases.push_back({"GearByRatio", {revolute, revolute}, ratio, {1, -1 / 2.5}});
  Coupler teeth = make_coupler(CouplerType::gear, {"j0", "j1"});
  teeth.teeth = {20, 35};
  cases.push_back({"GearByTeeth", {revolute, revolute}, teeth, {1, -20.0 / 35}});
  teeth.internal = true;
  cases.push_back({"GearInARing", {revolute, revolute}, teeth, {1, 20.0 / 35}});
  Coupler rack = make_coupler(CouplerType::rack_and_pinion, {"j0", "j1"});
  rack.radius = 0.15;
  cases.push_back({"RackAndPinion", {revolute, slide}, rack, {1, 0.15}});
  Coupler two = make_coupler(CouplerType::coupler, {"j0", "j1"});
  two.factors = {3, -1.5};
  cases.push_back({"CouplerOfTwoSlides", {slide, slide}, two, {1, 2}});
  return cases;
}

const Vector3d kAxes[] = {Vector3d(1, 0.2, 0.3).normalized(), Vector3d(-0.4, 1, 0.5).normalized(),
                          Vector3d(0.3, 0.8, 1).normalized()};
const Vector3d kPlaces[] = {Vector3d(0, 0, 0), Vector3d(1, 0.3, 0), Vector3d(-1, 0.5, 0.4)};
const Vector3d kOffset(0.2, -0.1, 0.3);

Model bodies_on_ground(const std::vector<JointType>& joints) {
  Model model;
  for (size_t i = 0; i < joints.size(); ++i) {
    const std::string number = std::to_string(i);
    model.bodies.push_back(body("b" + number, kPlaces[i] + kOffset, 1 + 0.5 * static_cast<double>(i)));
    model.joints.push_back(joint(joints[i], "j" + number, "ground", "b" + number, kPlaces[i], kAxes[i]));
  }
  return model;
}

MinimalBody path_body(const Body& b, size_t i, const Piece& piece) {
  return {b.mass, b.inertia, {constant(kPlaces[i]), piece, constant(kOffset)}};
}

class EveryCoupler : public ::testing::TestWithParam<CoupledCase> {};

TEST_P(EveryCoupler, MovesAndReactsAsOneCoordinateSays) {
  const CoupledCase& c = GetParam();
  Model model = bodies_on_ground(c.joints);
  model.couplers = {c.coupler};
  MinimalModel m;
  m.coordinates = 1;
  for (size_t i = 0; i < c.joints.size(); ++i) {
    const bool turns = c.joints[i] == JointType::revolute;
    m.bodies.push_back(
        path_body(model.bodies[i], i, turns ? turn(kAxes[i], 0, c.ways[i]) : shift(kAxes[i], 0, c.ways[i])));
  }
  VectorXd u = VectorXd::Zero(1), u1 = VectorXd::Constant(1, 1.5);
  for (size_t i = 0; i < c.joints.size(); ++i) {
    const BodyMotion x = m.motion(i, u, u1, u);
    model.bodies[i].velocity = x.v, model.bodies[i].angular_velocity = x.w;
  }
  const Started started = start(model);
  EXPECT_LT((started.state.v - initial_wishes(model, started.system).v).norm(), 1e-12);
  const Results results = simulate(started.system, started.state, settings(1.5, 5e-4));
  ASSERT_TRUE(results.report.finished);
  m.integrate(1.5, 1500, u, u1);
  const VectorXd u2 = m.accelerations(1.5, u, u1);
  const State& end = results.samples.back().state;
  for (size_t i = 0; i < c.joints.size(); ++i) {
    const BodyMotion x = m.motion(i, u, u1, u2);
    const FrameNode& node = started.system.nodes()[i + 1];
    EXPECT_LT((end.q.segment<3>(node.q) - x.p).norm(), 2e-5);
    EXPECT_LT((end.v.segment<3>(node.v) - x.v).norm(), 2e-4);
    // what the coupler does to the coordinate: the body's wrench along or about the axis
    const NeededWrench f = m.needed(i, u, u1, u2);
    const bool turns = c.joints[i] == JointType::revolute;
    const double exact = turns ? kAxes[i].dot(f.torque + (x.p - kPlaces[i]).cross(f.force)) : kAxes[i].dot(f.force);
    const std::string name = "mesh.j" + std::to_string(i) + (turns ? ".torque" : ".force");
    EXPECT_NEAR(signal_of(model, started.system, end, name), exact, 1e-3) << name;
    EXPECT_GT(std::abs(exact), 0.05);
  }
}

INSTANTIATE_TEST_SUITE_P(Couplers, EveryCoupler, ::testing::ValuesIn(coupled_cases()),
                         [](const auto& i) { return i.param.name; });

/// x₀ + x₁/2 − 2 x₂ = const between two turns and a shift leaves two coordinates.
TEST(CouplerOfThreeJoints, MovesAsTwoCoordinatesSay) {
  Model model = bodies_on_ground({JointType::revolute, JointType::translational, JointType::revolute});
  Coupler three = make_coupler(CouplerType::coupler, {"j0", "j1", "j2"});
  three.factors = {1, 0.5, -2};
  model.couplers = {three};
  MinimalModel m;
  m.coordinates = 2;
  m.bodies = {path_body(model.bodies[0], 0, turn(kAxes[0], 0)), path_body(model.bodies[1], 1, shift(kAxes[1], 1)),
              path_body(model.bodies[2], 2, turn(kAxes[2], 0, 0.5))};
  m.bodies[2].path.insert(m.bodies[2].path.begin() + 2, turn(kAxes[2], 1, 0.25));
  VectorXd u = VectorXd::Zero(2), u1 = u;
  const Started started = start(model);
  const Results results = simulate(started.system, started.state, settings(1, 1e-3));
  m.integrate(1, 1000, u, u1);
  for (size_t i = 0; i < 3; ++i)
    EXPECT_LT(
        (results.samples.back().state.q.segment<3>(started.system.nodes()[i + 1].q) - m.motion(i, u, u1, u1).p).norm(),
        2e-5);
}

/// An epicyclic gear: sun, planet on a turning carrier, fixed ring. Willis' equation for the speeds.
TEST(EpicyclicGear, TurnsAsWillisSays) {
  const double sun = 24, planet = 18, ring = sun + 2 * planet;
  Model model;
  model.gravity.setZero();
  model.bodies = {body("sun", Vector3d::Zero()), body("carrier", Vector3d::Zero()), body("planet", kX)};
  model.joints = {joint(JointType::revolute, "j0", "carrier", "sun", Vector3d::Zero()),
                  joint(JointType::revolute, "j1", "ground", "carrier", Vector3d::Zero()),
                  joint(JointType::revolute, "j2", "carrier", "planet", kX)};
  Coupler inner = make_coupler(CouplerType::gear, {"j0", "j2"}),
          outer = make_coupler(CouplerType::coupler, {"j1", "j2"});
  inner.teeth = {sun, planet};
  outer.name = "ring";
  outer.factors = {ring,
                   planet};  // seen from the carrier the ring turns by −θ_carrier: planet·θ_planet = −ring·θ_carrier
  model.couplers = {inner, outer};
  Motion drive;
  drive.name = "drive", drive.joint = {"j1", {}}, drive.displacement = formula("3*t");
  model.motions = {drive};
  const Started started = start(model);
  const double carrier = 3;
  EXPECT_NEAR(started.state.v[started.system.nodes()[1].v + 5], carrier * (1 + ring / sun), 1e-10);     // sun
  EXPECT_NEAR(started.state.v[started.system.nodes()[3].v + 5], carrier * (1 - ring / planet), 1e-10);  // planet
  const Results results = simulate(started.system, started.state, settings(2, 1e-2));                   // many turns
  ASSERT_TRUE(results.report.finished);
  EXPECT_NEAR(results.samples.back().state.angles[0], 3 * 2 * ring / sun, 1e-8);
}

/// Two shafts bent by 40 degrees: a constant-velocity joint gives both the same speed, Hooke's joint does not.
double speed_ratio(JointType type, double angle) {
  const double bend = 40 * kPi / 180;
  const Vector3d other(std::sin(bend), 0, std::cos(bend));
  Model model;
  model.bodies = {body("in", -0.5 * kZ), body("out", 0.5 * other)};
  model.joints = {joint(JointType::revolute, "first", "ground", "in", -0.5 * kZ, kZ),
                  joint(JointType::revolute, "last", "ground", "out", 0.5 * other, other)};
  const Matrix3d swing = Eigen::AngleAxisd(bend, kY).toRotationMatrix();
  const bool hooke = type == JointType::universal;
  const Matrix3d turned = Eigen::AngleAxisd(angle, kZ).toRotationMatrix();
  // the input is turned by `angle`; Hooke's cross needs its second axis perpendicular to the first
  Joint coupling;
  coupling.name = "coupling", coupling.type = type;
  coupling.between = {Reference{"in.end", {}}, Reference{"out.end", {}}};
  const Matrix3d of_in = hooke ? Matrix3d(turned * Eigen::AngleAxisd(kPi / 2, kY).toRotationMatrix()) : turned;
  const Vector3d fork = turned * kX,
                 across = other.cross(fork).normalized();  // x of the second marker ⟂ z of the first
  Matrix3d cross;
  cross.col(0) = across, cross.col(2) = other, cross.col(1) = cross.col(2).cross(cross.col(0));
  const Matrix3d of_out = hooke ? cross : Matrix3d(swing * turned);
  model.bodies[0].markers = {{"end", {}, 0.5 * kZ, Quaterniond(of_in)}};
  model.bodies[1].markers = {{"end", {}, -0.5 * other, Quaterniond(of_out)}};
  model.joints.push_back(coupling);
  Motion drive;
  drive.name = "drive", drive.joint = {"first", {}}, drive.velocity = formula("2");
  model.motions = {drive};
  const Started started = start(model);
  const Vector3d w =
      started.state.v.segment<3>(started.system.nodes()[2].v + 3);  // its axes are those of ground at the start
  return other.dot(w) / 2;
}

TEST(ConstantVelocityJoint, TransmitsTheSameSpeedAtEveryAngle) {
  for (double angle = 0; angle < 6.3; angle += 0.7)
    EXPECT_NEAR(speed_ratio(JointType::constant_velocity, angle), 1, 1e-12);
}

/// Hooke: ω₂/ω₁ = cos β/(1 − sin²β cos²θ), θ from the plane of the shafts.
TEST(HookesJoint, TransmitsASpeedThatVaries) {
  const double bend = 40 * kPi / 180;
  for (double angle = 0; angle < 6.3; angle += 0.7)
    EXPECT_NEAR(speed_ratio(JointType::universal, angle),
                std::cos(bend) / (1 - std::pow(std::sin(bend) * std::cos(angle), 2)), 1e-10)
        << angle;
}

/// Springs, dampers, preload, motor and stops on a turn and on a shift, against the same law in minimal coordinates.
class JointForce : public ::testing::TestWithParam<JointType> {};

TEST_P(JointForce, MovesAsTheLawInOneCoordinateSays) {
  Model model = bodies_on_ground({GetParam()});
  model.joint_springs = {{"spring", {}, {"j0", {}}, JointCoordinate::automatic, 40, 0.7, 0.1, 2}};
  model.joint_stops = {{"stop", {}, {"j0", {}}, JointCoordinate::automatic, -0.1, 0.25, 900, 5, 0.02}};
  model.motors = {{"motor", {}, {"j0", {}}, JointCoordinate::automatic, formula("3*sin(4*t)")}};
  MinimalModel m;
  m.coordinates = 1;
  const bool turns = GetParam() == JointType::revolute;
  m.bodies = {path_body(model.bodies[0], 0, turns ? turn(kAxes[0], 0) : shift(kAxes[0], 0))};
  double deepest = 0;
  m.forces = [&](double t, const VectorXd& u, const VectorXd& u1) {
    const double x = u[0], v = u1[0];
    const auto stop = [&](double depth, double speed) {
      deepest = std::max(deepest, depth);
      const double r = std::min(1.0, depth / 0.02);
      return depth > 0 ? std::max(0.0, 900 * depth + 5 * r * r * (3 - 2 * r) * speed) : 0;
    };
    return VectorXd::Constant(
        1, -40 * (x - 0.1) - 0.7 * v + 2 + 3 * std::sin(4 * t) + stop(-0.1 - x, -v) - stop(x - 0.25, v));
  };
  VectorXd u = VectorXd::Zero(1), u1 = VectorXd::Constant(1, 4);
  const BodyMotion x0 = m.motion(0, u, u1, u);
  model.bodies[0].velocity = x0.v, model.bodies[0].angular_velocity = x0.w;
  const Started started = start(model);
  const Results results = simulate(started.system, started.state, settings(0.6, 1e-4));
  ASSERT_TRUE(results.report.finished);
  m.integrate(0.6, 20000, u, u1);
  EXPECT_GT(deepest, 0.02);  // the stop was needed
  const BodyMotion end = m.motion(0, u, u1, u);
  EXPECT_LT((results.samples.back().state.q.head<3>() - end.p).norm(), 2e-5);
  EXPECT_LT((results.samples.back().state.v.head<3>() - end.v).norm(), 1e-3);
  EXPECT_LT(results.report.max_energy_defect, 2e-4);  // of 10 J, stops included
}

INSTANTIATE_TEST_SUITE_P(Coordinates, JointForce, ::testing::Values(JointType::revolute, JointType::translational),
                         [](const auto& i) { return i.param == JointType::revolute ? "Angle" : "Translation"; });

/// A round cam of radius r, eccentric by e, and a follower that slides along y. With a roller of radius ρ
///     y = e sin θ + √((r + ρ)² − e² cos²θ),
/// with a flat face across y
///     y = e sin θ + r.
struct Cam {
  Model model;
  Cam(bool flat, double e, double r, double rho) {
    model.gravity = {0, -9.81, 0};
    model.bodies = {body("cam", Vector3d::Zero()), body("follower", Vector3d(0, r + rho + 0.1, 0))};
    model.bodies[0].markers = {{"centre", {}, Vector3d(e, 0, 0), Quaterniond::Identity()}};
    model.bodies[1].markers = {{"tip", {}, Vector3d(0, -0.1, 0), Quaterniond::Identity()}};
    model.joints = {joint(JointType::revolute, "shaft", "ground", "cam", Vector3d::Zero()),
                    joint(JointType::translational, "guide", "ground", "follower", Vector3d::Zero(), kY)};
    CurveShape round, face;
    round.name = "round", round.radius = r;
    face.name = "face", face.points = {{1, 0}, {-1, 0}};
    model.curves = {round, face};
    Joint contact;
    contact.name = "contact";
    contact.type = flat ? JointType::curve_on_curve : JointType::point_on_curve;
    contact.between = {Reference{"cam.centre", {}}, Reference{"follower.tip", {}}};
    contact.curve = Reference{"round", {}};
    if (flat) contact.second_curve = Reference{"face", {}};
    else contact.radius = rho, contact.hold_in_plane = false;
    model.joints.push_back(contact);
    Motion drive;
    drive.name = "drive", drive.joint = {"shaft", {}}, drive.displacement = formula("4*t");
    model.motions = {drive};
  }
};

TEST(RoundCam, LiftsARollerAndAFlatFaceAsTheClosedFormSays) {
  const double e = 0.03, r = 0.1, rho = 0.02;
  for (const bool flat : {false, true}) {
    SCOPED_TRACE(flat ? "flat face" : "roller");
    const double roller = flat ? 0 : rho;
    const Model model = Cam(flat, e, r, roller).model;
    const Started started = start(model);
    const Results results = simulate(started.system, started.state, settings(1.6, 2e-3));
    ASSERT_TRUE(results.report.finished) << results.report.stopped_because;
    for (const Sample& sample : results.samples) {
      const double theta = 4 * sample.state.t, w = 4;
      const double root = std::sqrt((r + roller) * (r + roller) - std::pow(e * std::cos(theta), 2));
      const double y = e * std::sin(theta) + (flat ? r : root);
      EXPECT_NEAR(sample.state.q[started.system.nodes()[2].q + 1] - 0.1, y, 1e-9)
          << sample.state.t;                        // Newton's tolerance
      if (!flat || sample.state.t < 0.1) continue;  // m (ÿ + g) presses on the face; ÿ = −e ω² sin θ
      EXPECT_NEAR(signal_of(model, started.system, sample.state, "contact.normal_force"),
                  9.81 - e * w * w * std::sin(theta), 2e-4);
    }
  }
}

/// An elliptic cam under a flat face: the lift is the height of the turned ellipse, √(a² sin²θ + b² cos²θ).
TEST(EllipticCam, LiftsAFlatFaceByItsHeight) {
  const double a = 0.12, b = 0.08;
  Model model = Cam(true, 0, b, 0).model;
  model.curves[0].radius.reset();
  model.curves[0].half_axes = {a, b};
  const Started started = start(model);
  const Results results = simulate(started.system, started.state, settings(1.6, 2e-3));
  ASSERT_TRUE(results.report.finished) << results.report.stopped_because;
  for (const Sample& sample : results.samples) {
    const double theta = 4 * sample.state.t;
    EXPECT_NEAR(sample.state.q[started.system.nodes()[2].q + 1] - 0.1,
                std::hypot(a * std::sin(theta), b * std::cos(theta)), 1e-9);
  }
}

/// A profile made from the law of the lift: tangents at the distance h(u) from the shaft, u the direction of their normals.
///     y = h(π/2 − θ),   ÿ = h″ θ̇² − h′ θ̈,   and the face is pressed by m (ÿ + g) + k (l₀ − l)
TEST(FlatFollowerCam, LiftsByTheLawItWasMadeFrom) {
  const Model model = io::read_model(std::string(BRICARD_SOURCE_DIR) + "/models/flat_follower_cam.yaml");
  const Started started = start(model);
  const Results results = simulate(started.system, started.state, settings(0.3, 1e-4));
  ASSERT_TRUE(results.report.finished) << results.report.stopped_because;
  const int y = started.system.nodes()[2].q + 1;
  const double offset = started.state.q[y] - signal_of(model, started.system, started.state, "height");
  for (size_t i = 0; i < results.samples.size(); i += 25) {
    const State& s = results.samples[i].state;
    const double theta = s.angles[0], u = kPi / 2 - theta, w = s.v[5], alpha = s.a[5];
    const double h = 0.03 - 0.004 * std::cos(u) + 0.0008 * std::cos(3 * u);
    const double h1 = 0.004 * std::sin(u) - 0.0024 * std::sin(3 * u),
                 h2 = 0.004 * std::cos(u) - 0.0072 * std::cos(3 * u);
    EXPECT_NEAR(s.q[y] - offset, h, 1e-9) << s.t;
    const double force = model.bodies[1].mass * (h2 * w * w - h1 * alpha + 9.81) + 3000 * (0.06 - (0.12 - h - 0.06));
    EXPECT_NEAR(signal_of(model, started.system, s, "contact.normal_force"), force, 1e-3 * force) << s.t;
    EXPECT_NEAR(signal_of(model, started.system, s, "servo.torque"), 0.5 * (20 * kPi - w), 1e-9);
  }
  EXPECT_GT(results.samples.back().state.angles[0], 5 * kPi);
}

/// The trammel: two points of a rod on two straight lines draw an ellipse; here a third point of it is held on that
/// ellipse as well, which must cost nothing: the mechanism keeps its freedom.
TEST(Trammel, DrawsTheEllipseItIsHeldOn) {
  Model model;
  model.gravity.setZero();
  model.bodies = {body("rod", Vector3d::Zero())};
  const double a = 0.5, b = 0.3,
               angle = 0.7;  // the pen is a from the point on the y axis and b from that on the x axis
  const Vector3d along(std::cos(angle), std::sin(angle), 0);
  model.bodies[0].position = Vector3d(a * along.x(), b * along.y(), 0);
  model.bodies[0].orientation = Quaterniond(Eigen::AngleAxisd(angle, kZ));
  model.bodies[0].markers = {{"pen", {}, Vector3d::Zero(), Quaterniond::Identity()},
                             {"on_y", {}, Vector3d(-a, 0, 0), Quaterniond::Identity()},
                             {"on_x", {}, Vector3d(-b, 0, 0), Quaterniond::Identity()}};
  model.ground.markers = {{"centre", {}, Vector3d::Zero(), Quaterniond::Identity()},
                          {"x_plane", {}, Vector3d::Zero(), frame_from_axis(kX)},
                          {"y_plane", {}, Vector3d::Zero(), frame_from_axis(kY)}};
  CurveShape oval;
  oval.name = "oval", oval.half_axes = {a, b};
  model.curves = {oval};
  const auto connect = [&](const std::string& name, JointType type, const std::string& on_ground,
                           const std::string& on_rod) {
    Joint j;
    j.name = name, j.type = type;
    j.between = {Reference{on_ground, {}}, Reference{on_rod, {}}};
    model.joints.push_back(j);
  };
  connect("plane", JointType::planar, "ground.centre", "rod.pen");
  connect("first", JointType::inplane, "ground.x_plane", "rod.on_y");
  connect("second", JointType::inplane, "ground.y_plane", "rod.on_x");
  connect("track", JointType::point_on_curve, "ground.centre", "rod.pen");
  model.joints.back().curve = Reference{"oval", {}};
  model.joints.back().hold_in_plane = false;
  model.bodies[0].angular_velocity = 2 * kZ;
  const System system = assemble(model);
  State s = initial_wishes(model, system);
  const StartReport report = consistent_start(system, SolverType::automatic, s);
  ASSERT_TRUE(report.assembled);
  EXPECT_LT(report.largest_move, 1e-12);
  EXPECT_EQ(report.degrees_of_freedom, 1);
  EXPECT_EQ(report.redundant_constraints, 1);
  const Results results = simulate(system, s, settings(3, 2e-3));
  ASSERT_TRUE(results.report.finished) << results.report.stopped_because;
  EXPECT_LT(results.report.max_position_violation, 1e-8);
}

}  // namespace couplers_test
}  // namespace bricard::testing
