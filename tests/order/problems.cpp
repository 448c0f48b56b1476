// SPDX-License-Identifier: Apache-2.0
#include "order/problems.h"

#include <array>
#include <cmath>

#include "order/exact_motion.h"

namespace bricard::testing {
namespace {

using Vector = Eigen::Matrix<Real, 3, 1>;
using Matrix = Eigen::Matrix<Real, 3, 3>;
using Quaternion = Eigen::Quaternion<Real>;

constexpr int kTimes = 16;  // at which motions are compared

Body body(const std::string& name, double mass, const Vector3d& inertia, const Vector3d& position) {
  Body b;
  b.name = name;
  b.mass = mass;
  b.inertia = inertia.asDiagonal();
  b.position = position;
  return b;
}

}  // namespace

// Angle φ from the downward vertical, mass centre at l (sin φ, −cos φ):  J φ̈ = −m g l sin φ,   J =
// m l² + m L²/12
//     reaction = m (a − g),   moments about the mass centre leave no torque at the bearing
Problem pendulum() {
  constexpr Real g = 9.81L, l = 0.5L, J = 1 / 3.0L;
  constexpr double interval = 2.0 / kTimes;
  Model model;
  model.gravity = {0, -9.81, 0};
  model.bodies = {body("rod", 1, {0.01, 1 / 12.0, 1 / 12.0}, {0.5, 0, 0})};
  model.joints = {joint(JointType::revolute, "bearing", "ground", "rod", Vector3d::Zero())};
  Problem problem{start(model), {}};
  using Values = Eigen::Matrix<Real, 2, 1>;
  const auto angular = [&](Real phi) { return -g * l / J * std::sin(phi); };
  const auto rate = [&](const Values& y) { return Values(y[1], angular(y[0])); };
  Values y(std::acos(-1.0L) / 2, 0);
  for (int i = 1; i <= kTimes; ++i) {
    y = extrapolated<Values>(rate, y, interval, 8);
    const Vector along(std::sin(y[0]), -std::cos(y[0]), 0), across(std::cos(y[0]), std::sin(y[0]), 0);
    Matrix R;
    R << along, across, Vector::UnitZ();
    Moment m{problem.model.system.make_state(), std::vector<Wrench>(1)};
    m.state.t = i * interval;
    set_body(problem.model.system, 1, l * along, R, l * y[1] * across, Vector(0, 0, y[1]), m.state);
    m.reactions[0].force = (l * angular(y[0]) * across - l * y[1] * y[1] * along + Vector(0, g, 0)).cast<double>();
    problem.exact.push_back(m);
  }
  return problem;
}

// Orientation R and body rates Ω about the fixed point, r from it to the mass centre in the body:
//     J_O Ω̇ = r × Rᵀ m g − Ω × J_O Ω,   J_O = J + m (r·r 1 − r rᵀ),   reaction = m (a − g)
Problem heavy_top(double duration) {
  const double interval = duration / kTimes;
  const Vector r(0, 1, 0), gravity(0, 0, -9.81L);
  const Matrix J_O = Vector(0.234375L + 15, 0.46875L, 0.234375L + 15).asDiagonal(), J_O_inverse = J_O.inverse();
  Model model;
  model.bodies = {body("top", 15, {0.234375, 0.46875, 0.234375}, {0, 1, 0})};
  model.bodies[0].angular_velocity = {0, 150, -4.61538};
  model.bodies[0].velocity = {4.61538, 0, 0};
  model.joints = {joint(JointType::spherical, "tip", "ground", "top", Vector3d::Zero())};
  Problem problem{start(model), {}};
  using Values = Eigen::Matrix<Real, 7, 1>;
  const auto turn = [](const Values& y) { return Quaternion(y[0], y[1], y[2], y[3]).normalized().toRotationMatrix(); };
  const auto angular = [&](const Values& y) -> Vector {
    const Vector w = y.tail<3>();
    return J_O_inverse * (r.cross(turn(y).transpose() * (15 * gravity)) - w.cross(J_O * w));
  };
  const auto rate = [&](const Values& y) {
    const Quaternion change = Quaternion(y[0], y[1], y[2], y[3]) * Quaternion(0, y[4] / 2, y[5] / 2, y[6] / 2);
    Values d;
    d << change.w(), change.vec(), angular(y);
    return d;
  };
  Values y;
  y << 1, 0, 0, 0, 0, 150, -4.61538L;
  for (int i = 1; i <= kTimes; ++i) {
    y = extrapolated<Values>(rate, y, interval, static_cast<int>(std::ceil(interval / 1e-3)));
    const Matrix R = turn(y);
    const Vector w = y.tail<3>(), acceleration = R * (angular(y).cross(r) + w.cross(w.cross(r)));
    Moment m{problem.model.system.make_state(), std::vector<Wrench>(1)};
    m.state.t = i * interval;
    set_body(problem.model.system, 1, R * r, R, R * w.cross(r), w, m.state);
    m.reactions[0].force = (15 * (acceleration - gravity)).cast<double>();
    problem.exact.push_back(m);
  }
  return problem;
}

namespace {

// The spatial slider-crank. All positions follow from the crank angle φ about x:
//     B = A + l_c (0, −sin φ, cos φ),   C = (√(l² − B_y² − B_z²), 0, 0)
//     rod: z along C − B, x perpendicular to it and to the x axis of the slider (cross of the
//     universal joint)
struct SliderCrank {
  struct Pose {
    Vector p;
    Matrix R;
  };
  /// A body's position and its first two derivatives after φ; w: rotation per φ, body axes.
  struct Curve {
    Pose pose;
    Vector p1, p2, w, w1;
  };
  static constexpr Real crank = 0.08L, rod = 0.3L;
  const Vector A{0, 0.1L, 0.12L}, gravity{0, 0, -9.81L};
  const std::array<Real, 3> mass{0.12L, 0.5L, 2};
  const std::array<Vector, 3> inertia{Vector(0.02L, 0.0101L, 0.0101L), Vector(4e-3L, 4e-3L, 4e-4L),
                                      Vector(1e-4L, 1e-4L, 1e-4L)};

  Vector B(Real phi) const { return A + crank * Vector(0, -std::sin(phi), std::cos(phi)); }
  Vector C(Real phi) const { return {std::sqrt(rod * rod - B(phi).tail<2>().squaredNorm()), 0, 0}; }

  std::array<Curve, 3> curves(Real phi) const {
    const Jet angle{phi, 1, 0}, zero{}, one{1}, c = cos(angle), s = sin(angle);
    const Jet By = Jet{A[1]} - crank * s, Bz = Jet{A[2]} + crank * c, Cx = sqrt(Jet{rod * rod} - By * By - Bz * Bz);
    const std::array<Jet, 3> z{(1 / rod) * Cx, (-1 / rod) * By, (-1 / rod) * Bz};
    const Jet n = sqrt(z[1] * z[1] + z[2] * z[2]);
    const std::array<Jet, 3> x{zero, z[2] / n, -1 * z[1] / n};
    const std::array<Jet, 3> y{z[1] * x[2] - z[2] * x[1], z[2] * x[0] - z[0] * x[2], z[0] * x[1] - z[1] * x[0]};
    return {curve({zero, Jet{A[1]} - crank / 2 * s, Jet{A[2]} + crank / 2 * c}, {one, zero, zero}, {zero, c, s},
                  {zero, -1 * s, c}),
            curve({0.5L * Cx, 0.5L * By, 0.5L * Bz}, x, y, z),
            curve({Cx, zero, zero}, {one, zero, zero}, {zero, one, zero}, {zero, zero, one})};
  }

  /// From the position and the three axes.
  static Curve curve(const std::array<Jet, 3>& p, const std::array<Jet, 3>& x, const std::array<Jet, 3>& y,
                     const std::array<Jet, 3>& z) {
    Curve c;
    Matrix R1, R2;
    for (int i = 0; i < 3; ++i) {
      c.pose.p[i] = p[i].x, c.p1[i] = p[i].d, c.p2[i] = p[i].dd;
      c.pose.R.row(i) << x[i].x, y[i].x, z[i].x;
      R1.row(i) << x[i].d, y[i].d, z[i].d;
      R2.row(i) << x[i].dd, y[i].dd, z[i].dd;
    }
    c.w = axial(c.pose.R.transpose() * R1);
    c.w1 = axial(c.pose.R.transpose() * R2);  // RᵀR″ = w̃ w̃ + w̃′, of which the first is symmetric
    return c;
  }

  static Vector axial(const Matrix& X) { return Vector(X(2, 1) - X(1, 2), X(0, 2) - X(2, 0), X(1, 0) - X(0, 1)) / 2; }

  /// φ̈ from  I φ̈ + ½ I′ φ̇² + V′ = 0,   I = Σ m p′² + w·Jw
  Real angular(Real phi, Real speed) const {
    const auto curve = curves(phi);
    Real I = 0, half_I1 = 0, V1 = 0;
    for (int i = 0; i < 3; ++i) {
      const Curve& c = curve[i];
      const Vector Jw = inertia[i].cwiseProduct(c.w);
      I += mass[i] * c.p1.squaredNorm() + c.w.dot(Jw);
      half_I1 += mass[i] * c.p1.dot(c.p2) + Jw.dot(c.w1);
      V1 -= mass[i] * gravity.dot(c.p1);
    }
    return -(half_I1 * speed * speed + V1) / I;
  }

  /// Newton and Euler: m (a − g) and the rate of angular momentum about the mass centre, ground
  /// axes.
  struct Load {
    Vector force, torque;
  };
  Load load(int i, const Curve& c, Real speed, Real acceleration) const {
    const Vector w = speed * c.w, w_rate = speed * speed * c.w1 + acceleration * c.w;
    return {mass[i] * (speed * speed * c.p2 + acceleration * c.p1 - gravity),
            c.pose.R * (inertia[i].cwiseProduct(w_rate) + w.cross(inertia[i].cwiseProduct(w)))};
  }

  /// On crank at A, rod at B, rod at C and slider. The rod has seven unknowns F_B, F_C and the
  /// torque τ about the normal n of the cross; its six equations and that of the slider along x,
  /// where its guide gives no force, decide them.
  std::array<Load, 4> reactions(Real phi, Real speed, Real acceleration) const {
    const auto c = curves(phi);
    std::array<Load, 3> l;
    for (int i = 0; i < 3; ++i) l[i] = load(i, c[i], speed, acceleration);
    const Vector n = Vector::UnitX().cross(c[1].pose.R.col(0)),
                 r = rod / 2 * c[1].pose.R.col(2);  // mass centre to C
    const auto cross = [](const Vector& a) { return Matrix{{0, -a[2], a[1]}, {a[2], 0, -a[0]}, {-a[1], a[0], 0}}; };
    Eigen::Matrix<Real, 7, 7> E = Eigen::Matrix<Real, 7, 7>::Zero();
    E.block<3, 3>(0, 0) = E.block<3, 3>(0, 3) = Matrix::Identity();
    E.block<3, 3>(3, 0) = -cross(r), E.block<3, 3>(3, 3) = cross(r), E.block<3, 1>(3, 6) = n;
    E(6, 3) = -1;
    Eigen::Matrix<Real, 7, 1> loads;
    loads << l[1].force, l[1].torque, l[2].force.x();
    const Eigen::Matrix<Real, 7, 1> x = E.fullPivLu().solve(loads);
    const Vector F_B = x.head<3>(), F_C = x.segment<3>(3), torque = x[6] * n, half = crank / 2 * c[0].pose.R.col(2);
    const Vector F_A = l[0].force + F_B;
    return {Load{F_A, l[0].torque + half.cross(F_A) + half.cross(F_B)}, Load{F_B, Vector::Zero()}, Load{F_C, torque},
            Load{l[2].force + F_C, l[2].torque + torque}};
  }
};

Model slider_crank_model(const SliderCrank& s, double speed) {
  const auto curve = s.curves(0);
  const char* names[] = {"crank", "rod", "slider"};
  Model model;
  model.gravity = s.gravity.cast<double>();
  for (int i = 0; i < 3; ++i) {
    const SliderCrank::Curve& c = curve[i];
    Body b = body(names[i], static_cast<double>(s.mass[i]), s.inertia[i].cast<double>(), c.pose.p.cast<double>());
    b.orientation = Quaternion(c.pose.R).normalized().cast<double>();
    b.velocity = speed * c.p1.cast<double>();
    b.angular_velocity = speed * (c.pose.R * c.w).cast<double>();
    model.bodies.push_back(b);
  }
  const Vector3d x = Vector3d::UnitX(), at_A = s.A.cast<double>(), at_B = s.B(0).cast<double>(),
                 at_C = s.C(0).cast<double>();
  model.joints = {joint(JointType::revolute, "bearing", "ground", "crank", at_A, x),
                  joint(JointType::spherical, "B", "crank", "rod", at_B),
                  joint(JointType::universal, "C", "slider", "rod", at_C, x),
                  joint(JointType::translational, "guide", "ground", "slider", at_C, x)};
  model.joints[2].second_axis = curve[1].pose.R.col(0).cast<double>();
  return model;
}

}  // namespace

Problem spatial_slider_crank(int times, double duration) {
  constexpr double kSpeed = 10;
  const double interval = duration / times;
  const SliderCrank mechanism;
  Problem problem{start(slider_crank_model(mechanism, kSpeed)), {}};
  using Values = Eigen::Matrix<Real, 2, 1>;
  const auto rate = [&](const Values& y) { return Values(y[1], mechanism.angular(y[0], y[1])); };
  Values y(0, kSpeed);
  for (int i = 1; i <= times; ++i) {
    y = extrapolated<Values>(rate, y, interval, static_cast<int>(std::ceil(128 * interval)));
    const auto curve = mechanism.curves(y[0]);
    Moment m{problem.model.system.make_state(), {}};
    m.state.t = i * interval;
    for (int b = 0; b < 3; ++b)
      set_body(problem.model.system, b + 1, curve[b].pose.p, curve[b].pose.R, y[1] * curve[b].p1, y[1] * curve[b].w,
               m.state);
    for (const SliderCrank::Load& load : mechanism.reactions(y[0], y[1], mechanism.angular(y[0], y[1])))
      m.reactions.push_back({load.force.cast<double>(), load.torque.cast<double>()});
    problem.exact.push_back(m);
  }
  return problem;
}

}  // namespace bricard::testing
