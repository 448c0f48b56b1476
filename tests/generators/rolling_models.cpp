// SPDX-License-Identifier: Apache-2.0
#include "generators/rolling_models.h"

#include <fmt/format.h>

namespace bricard::testing {
namespace {

std::string text(const Vector3d& x) { return fmt::format("[{:.17g}, {:.17g}, {:.17g}]", x.x(), x.y(), x.z()); }

/// Writes a model whose floor is z = 0 of axes that lie anywhere: everything is given in those.
class FloorModel {
 public:
  explicit FloorModel(Draw& draw, double slope = 0) : R_(draw.rotation()), p_(draw.vector(1)) {
    gravity_ = Eigen::AngleAxisd(slope, Vector3d::UnitY()) * Vector3d(0, 0, -9.81);
  }
  /// A body of revolution about its own z axis.
  void add_body(const std::string& name, double mass, double across, double along, const Vector3d& at,
                const Matrix3d& axes, const Vector3d& v, const Vector3d& w, const std::string& markers = "") {
    add_body(name, mass, Vector3d(across, across, along), at, axes, v, w, markers);
  }
  void add_body(const std::string& name, double mass, const Vector3d& inertia, const Vector3d& at, const Matrix3d& axes,
                const Vector3d& v, const Vector3d& w, const std::string& markers = "") {
    const Matrix3d Q = R_ * axes;
    bodies_ += fmt::format(
        "  {}: {{mass: {:.17g}, inertia: {}, position: {},\n    orientation: {{z: {}, x: {}}},\n    velocity: {}, "
        "angular_velocity: {}{}}}\n",
        name, mass, text(inertia), text(Vector3d(p_ + R_ * at)), text(Vector3d(Q.col(2))), text(Vector3d(Q.col(0))),
        text(Vector3d(R_ * v)), text(Vector3d(R_ * w)), markers.empty() ? "" : ", markers: {" + markers + "}");
  }
  void add_wheel_contact(const std::string& body, double radius, double tube) {
    joints_ += fmt::format(
        "  roll_{0}: {{type: rolling, between: [ground.floor, {0}], radius: {1:.17g}, tube_radius: {2:.17g}}}\n", body,
        radius, tube);
  }
  void add_joint(const std::string& type, const std::string& a, const std::string& b, const Vector3d& at,
                 const Vector3d& axis) {
    joints_ += fmt::format("  {}_{}: {{type: {}, between: [{}, {}], at: {}, axis: {}}}\n", a, b, type, a, b,
                           text(Vector3d(p_ + R_ * at)), text(Vector3d(R_ * axis)));
  }
  void add_blade(const std::string& body) {
    joints_ += fmt::format("  blade_{0}: {{type: knife-edge, between: [ground.floor, {0}.blade]}}\n", body);
  }
  std::string done() const {
    return fmt::format("gravity: {}\nground: {{markers: {{floor: {{position: {}, orientation: {{z: {}, x: "
                       "{}}}}}}}}}\nbodies:\n{}joints:\n{}",
                       text(Vector3d(R_ * gravity_)), text(p_), text(Vector3d(R_.col(2))), text(Vector3d(R_.col(0))),
                       bodies_, joints_);
  }

 private:
  Matrix3d R_;
  Vector3d p_, gravity_;
  std::string bodies_, joints_;
};

/// Axes with the given z.
Matrix3d axes_of(const Vector3d& z, const Vector3d& hint) {
  Matrix3d R;
  R.col(2) = z.normalized();
  R.col(0) = (hint - hint.dot(R.col(2)) * R.col(2)).normalized();
  R.col(1) = R.col(2).cross(R.col(0));
  return R;
}

/// A disc or a ring with a round rim, leaning, with any angular velocity.
std::string disc(Draw& draw) {
  FloorModel m(draw);
  const double R = draw.log_uniform(0.05, 1), tube = draw.chance(0.5) ? 0 : draw.uniform(0.05, 0.3) * R,
               mass = draw.log_uniform(0.1, 50);
  const double lean = draw.uniform(-0.5, 0.5), k = draw.uniform(0.25, 0.5);
  const Vector3d axle(0, -std::cos(lean), std::sin(lean)),
      down = Vector3d(0, -std::sin(lean), -std::cos(lean));  // to the rim
  const double spin = draw.uniform(1, 4) * std::sqrt(9.81 / R);
  const Vector3d w = spin * axle + draw.vector(0.3) * std::sqrt(9.81 / R), arm = R * down + tube * Vector3d(0, 0, -1);
  const Vector3d centre(0, 0, -arm.z());
  m.add_body("disc", mass, k * mass * R * R, 2 * k * mass * R * R, centre, axes_of(axle, Vector3d::UnitX()),
             -w.cross(arm), w);
  m.add_wheel_contact("disc", R, tube);
  return m.done();
}

/// A top on a ball-shaped tip that rolls.
std::string top(Draw& draw) {
  FloorModel m(draw);
  const double r = draw.log_uniform(0.002, 0.03), height = draw.uniform(0.03, 0.15), mass = draw.log_uniform(0.02, 2),
               rho = draw.uniform(0.3, 0.9) * height;
  const double tilt = draw.uniform(0.05, 0.5);
  const Vector3d axis(std::sin(tilt), 0, std::cos(tilt)), centre = Vector3d(0, 0, r) + height * axis;
  const double along = mass * rho * rho, across = mass * (0.5 * rho * rho + 0.02 * height * height);
  const double needed =
      2 * std::sqrt((across + mass * height * height) * mass * 9.81 * height) / along;  // of a sleeping top
  const Vector3d w = draw.uniform(1.1, 2) * needed * axis;
  const Vector3d v = w.cross(Vector3d(0, 0, r)) + w.cross(height * axis);
  m.add_body("top", mass, across, along, centre, axes_of(axis, Vector3d::UnitY()), v, w,
             fmt::format("tip: {{position: [0, 0, {:.17g}]}}", -height));
  std::string text = m.done();
  return text + fmt::format(
                    "  tip: {{type: rolling, between: [ground.floor, top.tip], radius: 0, tube_radius: {:.17g}}}\n", r);
}

/// Rear frame with rider, fork and two wheels; the mass a little beside the plane of symmetry, so that it starts to
/// lean.
std::string bicycle(Draw& draw) {
  FloorModel m(draw);
  const double rear = draw.uniform(0.25, 0.4), front = draw.uniform(0.25, 0.4), base = draw.uniform(0.9, 1.3),
               speed = draw.uniform(2, 9);
  const double tilt = draw.uniform(0.1, 0.5), trail = draw.uniform(0.02, 0.1), rider = draw.uniform(30, 100);
  const double tube = draw.chance(0.5) ? 0 : 0.02;
  const Vector3d forward(speed, 0, 0), y = Vector3d::UnitY(), steer(-std::sin(tilt), 0, std::cos(tilt));
  const Matrix3d wheel_axes = axes_of(y, Vector3d::UnitX()), upright = Matrix3d::Identity();
  const Vector3d head(base + trail, 0, 0);  // where the steering axis meets the floor
  const auto wheel = [&](const std::string& name, double x, double radius) {
    const double mass = draw.uniform(1, 4);
    m.add_body(name, mass, 0.4 * mass * radius * radius, 0.8 * mass * radius * radius, {x, 0, radius + tube},
               wheel_axes, forward, speed / (radius + tube) * y);
    m.add_wheel_contact(name, radius, tube);
  };
  wheel("rear", 0, rear), wheel("front", base, front);
  m.add_body("frame", rider, rider * Vector3d(0.11, 0.13, 0.04),
             {draw.uniform(0.25, 0.45) * base, draw.sign() * draw.uniform(1e-3, 0.01), draw.uniform(0.7, 1.1)}, upright,
             forward, Vector3d::Zero());
  m.add_body("fork", draw.uniform(2, 6), Vector3d(0.06, 0.06, 0.01), head + 0.7 * steer, upright, forward,
             Vector3d::Zero());
  m.add_joint("revolute", "frame", "rear", {0, 0, rear + tube}, y);
  m.add_joint("revolute", "fork", "front", {base, 0, front + tube}, y);
  m.add_joint("revolute", "frame", "fork", head + 0.8 * steer, steer);
  return m.done();
}

/// Two wheels on one axle (their conditions across it are the same) and a chassis that hangs on it.
std::string cart(Draw& draw) {
  FloorModel m(draw, draw.uniform(-0.2, 0.2));
  const double R = draw.uniform(0.1, 0.5), half = draw.uniform(0.2, 0.8), speed = draw.uniform(-3, 3),
               yaw = draw.uniform(-2, 2);
  const Vector3d axle(0, 1, 0), turn(0, 0, yaw),
      hang(draw.uniform(-0.1, 0.1), draw.uniform(-0.1, 0.1), -draw.uniform(0.2, 0.8) * R);
  const Vector3d middle(0, 0, R);
  for (const double side : {-1.0, 1.0}) {
    const double mass = draw.log_uniform(0.3, 10), v = speed - yaw * side * half;
    m.add_body(side < 0 ? "right" : "left", mass, 0.25 * mass * R * R, 0.5 * mass * R * R, middle + side * half * axle,
               axes_of(axle, Vector3d::UnitX()), Vector3d(v, 0, 0), turn + v / R * axle);
    m.add_wheel_contact(side < 0 ? "right" : "left", R, 0);
    m.add_joint("revolute", "chassis", side < 0 ? "right" : "left", middle + side * half * axle, axle);
  }
  const double mass = draw.log_uniform(1, 50);
  m.add_body("chassis", mass, mass * half * half * Vector3d(0.3, 0.3, 0.4), middle + hang, Matrix3d::Identity(),
             Vector3d(speed, 0, 0) + turn.cross(hang), turn);
  return m.done();
}

/// One to three sleds in a row, each with a blade, on a slope.
std::string sleds(Draw& draw) {
  FloorModel m(draw, draw.uniform(0, 0.3));
  const int count = 1 + draw.below(3);
  const double speed = draw.uniform(-3, 3), yaw = count == 1 ? draw.uniform(-3, 3) : 0, course = draw.uniform(-1, 1);
  const Matrix3d axes = Eigen::AngleAxisd(course, Vector3d::UnitZ()).toRotationMatrix();
  const Vector3d along = axes.col(0), turn(0, 0, yaw);
  for (int i = 0; i < count; ++i) {
    const double mass = draw.log_uniform(0.5, 50), arm = draw.uniform(-0.4, 0.4), aside = draw.uniform(-0.1, 0.1);
    const Vector3d at = -1.0 * i * along, blade = axes * Vector3d(arm, aside, 0);
    const std::string name = "sled" + std::to_string(i);
    m.add_body(name, mass, mass * Vector3d(0.1, 0.1, draw.uniform(0.05, 0.2)), at, axes,
               speed * along - turn.cross(blade), turn,
               fmt::format("blade: {{position: [{:.17g}, {:.17g}, 0], orientation: {{z: [0, 1, 0]}}}}", arm, aside));
    m.add_joint("planar", "ground", name, at, Vector3d::UnitZ());
    m.add_blade(name);
    if (i > 0) m.add_joint("revolute", "sled" + std::to_string(i - 1), name, at + 0.5 * along, Vector3d::UnitZ());
  }
  return m.done();
}

}  // namespace

const std::vector<RollingFamily>& rolling_families() {
  static const std::vector<RollingFamily> families = {
      {"discs", disc}, {"tops", top}, {"bicycles", bicycle}, {"carts", cart}, {"sleds", sleds}};
  return families;
}

}  // namespace bricard::testing
