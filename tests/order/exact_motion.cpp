// SPDX-License-Identifier: Apache-2.0
#include "order/exact_motion.h"

#include <cmath>

namespace bricard::testing {
namespace {

using Vector = Eigen::Matrix<Real, 3, 1>;
using Matrix = Eigen::Matrix<Real, 3, 3>;

/// Rates of a body per φ: of its mass centre and of its angle, the latter from the turning of its unit vector.
struct Rates {
  Real x, y, turn, x2, y2, turn2;
};

Rates rates_of(const PlanarMechanism::Body& b) {
  const PlanarVector &p = b.centre, &u = b.along;
  return {p.x.d, p.y.d, u.x.x * u.y.d - u.y.x * u.x.d, p.x.dd, p.y.dd, u.x.x * u.y.dd - u.y.x * u.x.dd};
}

}  // namespace

Jet sqrt(const Jet& a) {
  const Real x = std::sqrt(a.x), d = a.d / (2 * x);
  return {x, d, (a.dd - 2 * d * d) / (2 * x)};
}

Jet cos(const Jet& a) {
  const Real c = std::cos(a.x), s = std::sin(a.x);
  return {c, -s * a.d, -c * a.d * a.d - s * a.dd};
}

Jet sin(const Jet& a) {
  const Real c = std::cos(a.x), s = std::sin(a.x);
  return {s, c * a.d, -s * a.d * a.d + c * a.dd};
}

PlanarVector in_axes(const PlanarVector& along, Real x, Real y) {
  return {x * along.x - y * along.y, x * along.y + y * along.x};
}

PlanarVector meeting_point(const PlanarVector& p, Real radius_p, const PlanarVector& q, Real radius_q, int side) {
  const PlanarVector d = q - p;
  const Jet square = d.x * d.x + d.y * d.y, one{1};
  const Jet along = 0.5L * (one + Jet{radius_p * radius_p - radius_q * radius_q} / square);
  const Jet across = static_cast<Real>(side) * sqrt(Jet{radius_p * radius_p} / square - along * along);
  return {p.x + along * d.x - across * d.y, p.y + along * d.y + across * d.x};
}

//     Σ (m p′² + J θ′²) φ̈ + Σ (m p′·p″ + J θ′θ″) φ̇² = Σ F·p′ + τ θ′
Real PlanarMechanism::acceleration(Real phi, Real speed) const {
  const Position position = at({phi, 1, 0});
  Real inertia = 0, force = 0;
  for (const Body& b : position.bodies) {
    const Rates r = rates_of(b);
    const Load load = b.load(speed);
    inertia += b.mass * (r.x * r.x + r.y * r.y) + b.inertia * r.turn * r.turn;
    force += load.x * r.x + load.y * r.y + load.torque * r.turn -
             (b.mass * (r.x * r.x2 + r.y * r.y2) + b.inertia * r.turn * r.turn2) * speed * speed;
  }
  return force / inertia;
}

//     m a = F + Σ ± R,   J θ̈ = τ + Σ ± (T + (P − p) × R)
std::vector<Wrench> PlanarMechanism::reactions(Real phi, Real speed) const {
  const Position position = at({phi, 1, 0});
  const Real acceleration_of_phi = acceleration(phi, speed);
  const Eigen::Index equations = 3 * static_cast<Eigen::Index>(position.bodies.size()),
                     unknowns = 2 * static_cast<Eigen::Index>(position.hinges.size());
  Eigen::Matrix<Real, -1, -1> E = Eigen::Matrix<Real, -1, -1>::Zero(equations, unknowns);
  Eigen::Matrix<Real, -1, 1> loads(equations);
  for (Eigen::Index i = 0; i < equations / 3; ++i) {
    const Body& b = position.bodies[i];
    const Rates r = rates_of(b);
    const Load load = b.load(speed);
    const auto second = [&](Real d, Real dd) { return d * acceleration_of_phi + dd * speed * speed; };
    loads.segment<3>(3 * i) << b.mass * second(r.x, r.x2) - load.x, b.mass * second(r.y, r.y2) - load.y,
        b.inertia * second(r.turn, r.turn2) - load.torque;
  }
  for (Eigen::Index j = 0; j < unknowns / 2; ++j) {
    const Hinge& hinge = position.hinges[j];
    for (const auto& [body, sign] : {std::pair{hinge.first, -1.0L}, {hinge.second, 1.0L}}) {
      if (body < 0) continue;
      const PlanarVector arm = hinge.at - position.bodies[body].centre;
      auto block = E.block<3, 2>(3 * body, 2 * j);
      if (hinge.guide) block << 0, 0, sign, 0, sign * arm.x.x, sign;
      else block << sign, 0, 0, sign, -sign * arm.y.x, sign * arm.x.x;
    }
  }
  const Eigen::Matrix<Real, -1, 1> x = E.colPivHouseholderQr().solve(loads);
  std::vector<Wrench> wrenches(position.hinges.size());
  for (size_t j = 0; j < wrenches.size(); ++j) {
    const Vector3d found(static_cast<double>(x[2 * j]), static_cast<double>(x[2 * j + 1]), 0);
    wrenches[j] = {found, Vector3d::Zero()};
    if (position.hinges[j].guide) wrenches[j] = {{0, found[0], 0}, {0, 0, found[1]}};
  }
  return wrenches;
}

void set_body(const System& system, int node, const Vector& p, const Matrix& R, const Vector& v, const Vector& w,
              State& s) {
  const FrameNode& n = system.nodes()[node];
  s.q.segment<3>(n.q) = p.cast<double>();
  store_quaternion(s.q, n.q + 3, Eigen::Quaternion<Real>(R).normalized().cast<double>());
  s.v.segment<3>(n.v) = v.cast<double>();
  s.v.segment<3>(n.v + 3) = w.cast<double>();
}

Problem planar_problem(Started model, const PlanarMechanism& mechanism, Eigen::Matrix<Real, 2, 1> y, Real duration,
                       int times, int steps_between) {
  Problem problem{std::move(model), {}};
  using Values = Eigen::Matrix<Real, 2, 1>;
  const auto rate = [&](const Values& now) { return Values(now[1], mechanism.acceleration(now[0], now[1])); };
  for (int i = 1; i <= times; ++i) {
    y = extrapolated<Values>(rate, y, duration / times, steps_between);
    Moment m{problem.model.system.make_state(), mechanism.reactions(y[0], y[1])};
    m.state.t = static_cast<double>(duration * i / times);
    const PlanarMechanism::Position position = mechanism.at({y[0], 1, 0});
    for (size_t b = 0; b < position.bodies.size(); ++b) {
      const PlanarVector &p = position.bodies[b].centre, &u = position.bodies[b].along;
      Matrix R;
      R << u.x.x, -u.y.x, 0, u.y.x, u.x.x, 0, 0, 0, 1;
      const Rates r = rates_of(position.bodies[b]);
      set_body(problem.model.system, static_cast<int>(b) + 1, {p.x.x, p.y.x, 0}, R, y[1] * Vector(r.x, r.y, 0),
               Vector(0, 0, y[1] * r.turn), m.state);
    }
    problem.exact.push_back(m);
  }
  return problem;
}

}  // namespace bricard::testing
