// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>

#include "bricard/analysis/simulate.h"
#include "bricard/model/measure_names.h"
#include "reference/arm_on_base.h"

// Every force against the same law written down a second time, in ground axes and by differences, on a general motion of an
// arm on a base.
namespace bricard::testing {
namespace forces_test {

using C = JointCoordinate;

/// Both markers in space.
struct Ends {
  Vector3d x_i, x_j, v_i, v_j, w_i, w_j;
  Matrix3d R_i, R_j;
  Ends(const BodyMotion& base, const BodyMotion& arm) {
    const ArmPlaces& at = arm_places();
    R_i = base.R * at.base_axes, R_j = arm.R * at.arm_axes;
    x_i = base.p + base.R * at.on_base, x_j = arm.p + arm.R * at.on_arm;
    w_i = base.w, w_j = arm.w;
    v_i = base.v + base.w.cross(x_i - base.p), v_j = arm.v + arm.w.cross(x_j - arm.p);
  }
  /// Displacement of j and its rate, seen from i.
  Vector3d d() const { return R_i.transpose() * (x_j - x_i); }
  Vector3d d_rate() const { return R_i.transpose() * (v_j - v_i - w_i.cross(x_j - x_i)); }
  double angle() const { return std::atan2(R_i.col(1).dot(R_j.col(0)), R_i.col(0).dot(R_j.col(0))); }
  double angle_rate() const { return (w_j - w_i).dot(R_i.col(2)); }
};

/// Force and torque on the arm at its marker, in ground axes.
struct Load {
  Vector3d force = Vector3d::Zero(), torque = Vector3d::Zero();
};

struct ForceCase {
  std::string name;
  std::optional<JointType> joint;  ///< none: the arm is free
  std::vector<Piece> pieces;
  int freedoms;
  std::function<void(Model&)> add;
  std::function<Load(double t, const Ends& e)> load;
  bool reaction = true;  ///< the opposite acts on the base
};

void PrintTo(const ForceCase& c, std::ostream* out) { *out << c.name; }

const std::array<Reference, 2> kBetween{Reference{"base.i", {}}, Reference{"arm.j", {}}};
const Reference kJoint{"joint", {}};

Expression measured(const std::string& text, const std::vector<std::string>& variables = {}) {
  ExpressionScope scope;
  scope.time = scope.measures_allowed = true;
  scope.measures = measure_signatures();
  scope.variables = variables;
  return Expression::parse(text, scope);
}

/// Full, not symmetric, and stable.
Matrix6d some_matrix(double scale) {
  const Matrix6d A =
      Matrix6d::NullaryExpr([](Eigen::Index i, Eigen::Index j) { return std::sin(1.0 + 2.0 * i + 5.0 * j + i * j); });
  return scale * (A * A.transpose() + 0.2 * (A - A.transpose()));
}

/// f = −K (ξ − ξ₀) − C ξ̇ + preload; the rate of the rotation vector and the torque that does its work by differences of
/// the rotation itself.
Load field_load(const Ends& e, const Matrix6d& K, const Matrix6d& D, const Vector6d& free, const Vector6d& preload) {
  const Matrix3d Q = e.R_i.transpose() * e.R_j;
  const auto phi = [&](const Vector3d& turn) {
    const double angle = turn.norm();
    const Matrix3d more = angle > 0 ? Eigen::AngleAxisd(angle, turn / angle).toRotationMatrix() : Matrix3d::Identity();
    const Eigen::AngleAxisd a(Matrix3d(more * Q));
    return Vector3d(a.angle() * a.axis());
  };
  const double h = 1e-4;
  const auto slope = [&](const Vector3d& way) -> Vector3d {
    return (8 * (phi(h * way) - phi(-h * way)) - (phi(2 * h * way) - phi(-2 * h * way))) / (12 * h);
  };
  Vector6d xi, rate;
  xi << e.d(), phi(Vector3d::Zero());
  rate << e.d_rate(), slope(e.R_i.transpose() * (e.w_j - e.w_i));
  const Vector6d f = preload - K * (xi - free) - D * rate;
  Vector3d torque;
  for (int n = 0; n < 3; ++n) torque[n] = f.tail<3>().dot(slope(Vector3d::Unit(n)));
  return {e.R_i * f.head<3>(), e.R_i * torque};
}

/// The stiffness of the end of a cantilever as the inverse of its compliance.
Matrix6d cantilever(const BeamForce& b, double L) {
  const double E = b.youngs_modulus, GA = b.shear_modulus * b.area;
  Matrix6d F = Matrix6d::Zero();
  F(0, 0) = L / (E * b.area), F(3, 3) = L / (b.shear_modulus * b.Ixx);
  F(1, 1) = L * L * L / (3 * E * b.Izz) + b.asy * L / GA, F(5, 5) = L / (E * b.Izz);
  F(2, 2) = L * L * L / (3 * E * b.Iyy) + b.asz * L / GA, F(4, 4) = L / (E * b.Iyy);
  F(1, 5) = F(5, 1) = L * L / (2 * E * b.Izz);
  F(2, 4) = F(4, 2) = -L * L / (2 * E * b.Iyy);
  return F.inverse();
}

Load pull(const Ends& e, const std::function<double(double length, double rate)>& law) {
  const Vector3d d = e.x_j - e.x_i, along = d.normalized();
  return {-law(d.norm(), along.dot(e.v_j - e.v_i)) * along};
}

double stop_force(double depth, double speed) {
  const double u = std::min(1.0, depth / 0.2);
  return depth > 0 ? std::max(0.0, 60 * depth + 8 * u * u * (3 - 2 * u) * speed) : 0;
}

using Pieces = std::vector<Piece>;

Pieces free_arm() { return {shift(kX, 3), shift(kY, 4), shift(kZ, 5), turn(kX, 6), turn(kY, 7), turn(kZ, 8)}; }
Pieces planar_arm() { return {shift(kX, 3), shift(kY, 4), turn(kZ, 5)}; }

void add_between_cases(std::vector<ForceCase>& cases) {
  SpringDamper spring{"s", {}, kBetween, 40, 3, 0.4, 5, {}};
  cases.push_back(
      {"SpringDamper",
       {},
       free_arm(),
       6,
       [=](Model& m) { m.springs = {spring}; },
       [](double, const Ends& e) { return pull(e, [](double l, double v) { return 40 * (l - 0.4) + 3 * v + 5; }); }});
  const Expression cubic = measured("30*length^3 - 2*rate*length + 4*z(arm.j, base.i, base.i)*t", {"length", "rate"});
  SpringDamper law{"s", {}, kBetween, 0, 0, 0.4, 0, SpringLaw{cubic}};
  cases.push_back({"SpringByLaw",
                   {},
                   free_arm(),
                   6,
                   [=](Model& m) { m.springs = {law}; },
                   [](double t, const Ends& e) {
                     return pull(e, [&](double l, double v) { return 30 * l * l * l - 2 * v * l + 4 * e.d().z() * t; });
                   }});
  Bushing bushing{"b",       {},        kBetween,        {},         {40, 50, 60},
                  {7, 8, 9}, {3, 2, 1}, {0.5, 0.4, 0.3}, {1, -2, 3}, {0.3, 0.2, -0.4}};
  cases.push_back({"Bushing",
                   {},
                   free_arm(),
                   6,
                   [=](Model& m) { m.bushings = {bushing}; },
                   [=](double, const Ends& e) {
                     Vector6d k, c, f;
                     k << bushing.stiffness, bushing.rotational_stiffness, c << bushing.damping,
                         bushing.rotational_damping;
                     f << bushing.force, bushing.torque;
                     return field_load(e, k.asDiagonal(), c.asDiagonal(), Vector6d::Zero(), f);
                   }});
  FieldForce field{
      "f", {}, kBetween, {}, some_matrix(4), some_matrix(0.3), some_matrix(0.1).col(2), some_matrix(1).col(4)};
  cases.push_back({"Field",
                   {},
                   free_arm(),
                   6,
                   [=](Model& m) { m.fields = {field}; },
                   [=](double, const Ends& e) {
                     return field_load(e, field.stiffness, field.damping, field.free_position, field.preload);
                   }});
  BeamForce beam{"b", {}, kBetween, 0.8, 2e5, 8e4, 1e-4, 2e-6, 1e-6, 3e-6, 1.2, 1.1, 0.02};
  cases.push_back({"Beam",
                   {},
                   free_arm(),
                   6,
                   [=](Model& m) { m.beams = {beam}; },
                   [=](double, const Ends& e) {
                     const Matrix6d K = cantilever(beam, 0.8);
                     return field_load(e, K, 0.02 * K, 0.8 * Vector6d::Unit(0), Vector6d::Zero());
                   }});
}

void add_applied_cases(std::vector<ForceCase>& cases) {
  AppliedForce force{"f", {}, {"arm.j", {}}, {}, {}, {"ground", {}}, {}};
  force.force = {measured("2*cos(3*t)"), measured("-1"), measured("4*t")};
  force.torque = {measured("0.3"), measured("t"), measured("0")};
  cases.push_back({"ForceInGroundAxes",
                   {},
                   free_arm(),
                   6,
                   [=](Model& m) { m.forces = {force}; },
                   [](double t, const Ends&) {
                     return Load{{2 * std::cos(3 * t), -1, 4 * t}, {0.3, t, 0}};
                   },
                   false});
  force.frame = {"body", {}}, force.reaction = {"base", {}};
  cases.push_back({"ForceInBodyAxesWithReaction",
                   {},
                   free_arm(),
                   6,
                   [=](Model& m) { m.forces = {force}; },
                   [](double t, const Ends& e) {
                     return Load{e.R_j * Vector3d(2 * std::cos(3 * t), -1, 4 * t), e.R_j * Vector3d(0.3, t, 0)};
                   }});
  force.frame = {"base.i", {}};
  force.force = {measured("-9*x(arm.j, base.i, base.i)"), measured("speed(arm.j, base.i)"),
                 measured("-2*vz(arm.j, base.i, arm.j)*t")};
  force.torque = {measured("-0.5*wx(arm, base, base.i)"), measured("distance(arm.j, base.i)"), measured("0.2*wm(arm)")};
  cases.push_back({"ForceOfMeasures",
                   {},
                   free_arm(),
                   6,
                   [=](Model& m) { m.forces = {force}; },
                   [](double t, const Ends& e) {
                     const Vector3d v = e.v_j - e.v_i;
                     return Load{
                         e.R_i * Vector3d(-9 * e.d().x(), v.norm(), -2 * t * v.dot(e.R_j.col(2))),
                         e.R_i * Vector3d(-0.5 * e.R_i.col(0).dot(e.w_j - e.w_i), e.d().norm(), 0.2 * e.w_j.norm())};
                   }});
}

/// A force f along, or a torque about, an axis of the first marker.
Load along(const Ends& e, int axis, double f) { return {f * e.R_i.col(axis)}; }
Load about_z(const Ends& e, double f) { return {Vector3d::Zero(), f * e.R_i.col(2)}; }

void add_joint_cases(std::vector<ForceCase>& cases) {
  const JointType revolute = JointType::revolute, planar = JointType::planar;
  TorsionSpring torsion{
      "s", {}, kJoint, 12, 0.7, 0.3, TorsionLaw{measured("3*sin(angle) + rate*t", {"angle", "rate"})}};
  cases.push_back({"TorsionSpring",
                   revolute,
                   {turn(kZ, 3)},
                   1,
                   [=](Model& m) { m.torsion_springs = {torsion}; },
                   [](double t, const Ends& e) {
                     const double a = e.angle(), w = e.angle_rate();
                     return about_z(e, -12 * (a - 0.3) - 0.7 * w - 3 * std::sin(a) - w * t);
                   }});
  JointSpring turning{"s", {}, kJoint, C::angle, 12, 0.7, 0.3, 2}, sliding{"s", {}, kJoint, C::y, 30, 2, -0.2, 4};
  cases.push_back(
      {"JointSpringOfAnAngle", planar, planar_arm(), 3, [=](Model& m) { m.joint_springs = {turning}; },
       [](double, const Ends& e) { return about_z(e, -12 * (e.angle() - 0.3) - 0.7 * e.angle_rate() + 2); }});
  cases.push_back(
      {"JointSpringOfATranslation", planar, planar_arm(), 3, [=](Model& m) { m.joint_springs = {sliding}; },
       [](double, const Ends& e) { return along(e, 1, -30 * (e.d().y() + 0.2) - 2 * e.d_rate().y() + 4); }});
  JointStop limit{"s", {}, kJoint, C::translation, 0.7, 0.9, 60, 8, 0.2};
  cases.push_back({"JointStop",
                   JointType::cylindrical,
                   {turn(kZ, 3), shift(kZ, 4)},
                   2,
                   [=](Model& m) { m.joint_stops = {limit}; },
                   [](double, const Ends& e) {
                     const double x = e.d().z(), v = e.d_rate().z();
                     return along(e, 2, stop_force(0.7 - x, -v) - stop_force(x - 0.9, v));
                   }});
  Motor torque{"m", {}, kJoint, C::angle, {measured("3*cos(5*t) - 2*angle_rate(joint)*x(arm.j, base.i, base.i)")}};
  cases.push_back(
      {"MotorOfAnAngle", planar, planar_arm(), 3, [=](Model& m) { m.motors = {torque}; },
       [](double t, const Ends& e) { return about_z(e, 3 * std::cos(5 * t) - 2 * e.angle_rate() * e.d().x()); }});
  Motor push{"m",
             {},
             kJoint,
             C::translation,
             {measured("4 - 20*translation(joint) - 3*translation_rate(joint) + speed(arm)*t")}};
  cases.push_back({"MotorOfATranslation",
                   JointType::inline_,
                   {shift(kZ, 3), turn(kX, 4), turn(kY, 5), turn(kZ, 6)},
                   4,
                   [=](Model& m) { m.motors = {push}; },
                   [](double t, const Ends& e) {
                     const Vector3d center =
                         e.v_j - e.w_j.cross(e.R_j * arm_places().arm_axes.transpose() * arm_places().on_arm);
                     return along(e, 2, 4 - 20 * e.d().z() - 3 * e.d_rate().z() + center.norm() * t);
                   }});
  AppliedForce hooke{"f", {}, {"arm.j", {}}, {}, {}, {"base.i", {}}, {"base", {}}};
  hooke.torque[2] = measured("-5*first_angle(joint) - first_angle_rate(joint)");
  AppliedForce cross{"g", {}, {"arm.j", {}}, {}, {}, {"arm.j", {}}, {"base", {}}};
  cross.torque[0] = measured("-4*second_angle(joint) - 2*second_angle_rate(joint)");
  cases.push_back({"TorquesOfUniversalAngles",
                   JointType::universal,
                   {turn(kZ, 3), turn(kX, 4)},
                   2,
                   [=](Model& m) {
                     m.forces = {hooke, cross};
                   },
                   [](double, const Ends& e) {
                     const double a = std::atan2(e.R_i.col(1).dot(e.R_j.col(0)), e.R_i.col(0).dot(e.R_j.col(0)));
                     const double b = std::atan2(e.R_i.col(2).dot(e.R_j.col(1)), e.R_i.col(2).dot(e.R_j.col(2)));
                     const Vector3d w = e.w_j - e.w_i, x = e.R_j.col(0), z = e.R_i.col(2);
                     return Load{Vector3d::Zero(), (-5 * a - w.dot(z)) * z + (-4 * b - 2 * w.dot(x)) * x};
                   }});
  AppliedForce ball = hooke;
  ball.torque = {measured("-6*rotation_x(joint)"), measured("-5*rotation_y(joint)"), measured("-4*rotation_z(joint)")};
  cases.push_back({"TorqueOfARotationVector",
                   JointType::spherical,
                   {turn(kX, 3), turn(kY, 4), turn(kZ, 5)},
                   3,
                   [=](Model& m) { m.forces = {ball}; },
                   [](double, const Ends& e) {
                     const Eigen::AngleAxisd phi(Matrix3d(e.R_i.transpose() * e.R_j));
                     return Load{Vector3d::Zero(), e.R_i * Vector3d(-6, -5, -4).cwiseProduct(phi.angle() * phi.axis())};
                   }});
}

std::vector<ForceCase> force_cases() {
  std::vector<ForceCase> cases;
  add_between_cases(cases);
  add_applied_cases(cases);
  add_joint_cases(cases);
  return cases;
}

MinimalModel minimal(const ForceCase& c) {
  MinimalModel m = minimal_arm(c.pieces, c.freedoms);
  m.loads = [&c](double t, const std::vector<BodyMotion>& bodies) {
    const Ends e(bodies[0], bodies[1]);
    const Load f = c.load(t, e);
    const double back = c.reaction ? -1 : 0;
    return std::vector<NeededWrench>{{back * f.force, back * (f.torque + (e.x_j - bodies[0].p).cross(f.force))},
                                     {f.force, f.torque + (e.x_j - bodies[1].p).cross(f.force)}};
  };
  return m;
}

/// The joints give what is needed beyond the load: that of the arm at its marker, the ball joint for both bodies.
void expect_reactions(const State& s, const System& system, const MinimalModel& m, double t, const VectorXd& u,
                      const VectorXd& u1, const VectorXd& u2, double tolerance) {
  const std::vector<BodyMotion> bodies = m.motions(u, u1, u2);
  const std::vector<NeededWrench> loads = m.loads(t, bodies);
  const std::vector<Wrench> found = reactions_of(system, s);
  const auto missing = [&](size_t b, const Vector3d& about) {
    const NeededWrench f = m.needed(b, u, u1, u2);
    const Vector3d force = f.force - loads[b].force;
    return Wrench{force, f.torque - loads[b].torque + (bodies[b].p - about).cross(force)};
  };
  const Vector3d pivot = arm_places().pivot;
  const Wrench base = missing(0, pivot), arm = missing(1, pivot);
  expect_wrench(found[0], {base.force + arm.force, base.torque + arm.torque}, tolerance, "ball");
  if (found.size() > 1) expect_wrench(found[1], missing(1, Ends(bodies[0], bodies[1]).x_j), tolerance, "joint");
}

class EveryForce : public ::testing::TestWithParam<ForceCase> {};

TEST_P(EveryForce, MovesBodiesAsTheLawInGroundAxesSays) {
  const ForceCase& c = GetParam();
  const MinimalModel m = minimal(c);
  RandomState s(m.coordinates, 3);
  Model model = arm_on_base(m, s);
  if (c.joint) model.joints.push_back(arm_joint(*c.joint));
  c.add(model);
  const Started started = start(model);
  const VectorXd u2 = m.accelerations(0, s.u, s.u1),
                 without = minimal_arm(c.pieces, c.freedoms).accelerations(0, s.u, s.u1);
  EXPECT_GT((u2 - without).norm(), 0.3);  // the force matters
  expect_alike(started.state, started.system, m, s.u, s.u1, u2, 1e-10);
  expect_reactions(started.state, started.system, m, 0, s.u, s.u1, u2, 3e-8);
  const Results results = simulate(started.system, started.state, arm_settings(0.4, 1e-3));
  ASSERT_TRUE(results.report.finished) << results.report.stopped_because;
  m.integrate(0.4, 800, s.u, s.u1);
  const VectorXd end = m.accelerations(0.4, s.u, s.u1);
  expect_alike(results.samples.back().state, started.system, m, s.u, s.u1, end, 3e-5);
  expect_reactions(results.samples.back().state, started.system, m, 0.4, s.u, s.u1, end, 1e-2);
}

INSTANTIATE_TEST_SUITE_P(Forces, EveryForce, ::testing::ValuesIn(force_cases()),
                         [](const auto& i) { return i.param.name; });

}  // namespace forces_test
}  // namespace bricard::testing
