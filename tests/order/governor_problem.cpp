// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "bricard/read/model_reader.h"
#include "order/exact_motion.h"
#include "order/problems.h"

namespace bricard::testing {
namespace {

constexpr int kTimes = 16;

/// y after a time t in equal steps of Runge–Kutta's method of fourth order: stiff dampers want short steps of low order.
template <class Rate, class Values>
Values runge_kutta(const Rate& rate, Values y, Real t, int steps) {
  const Real h = t / steps;
  for (int i = 0; i < steps; ++i) {
    const Values k1 = rate(y), k2 = rate(y + h / 2 * k1), k3 = rate(y + h / 2 * k2), k4 = rate(y + h * k3);
    y += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
  }
  return y;
}

Quaterniond about(const Vector3d& axis, Real angle) {
  return Quaterniond(Eigen::AngleAxisd(static_cast<double>(angle), axis));
}

void place(const System& system, int body, const Vector3d& p, const Quaterniond& turn, State& s) {
  const int first = system.nodes()[body].q;
  s.q.segment<3>(first) = p;
  store_quaternion(s.q, first + 3, turn);
}

/// The governor by y = (α, s, α̇, ṡ, φ): arms below the horizontal, height of the slider, angle of the shaft.
struct Governor {
  using Values = Eigen::Matrix<Real, 5, 1>;
  static constexpr Real bar = 0.3L, ball = 5, slider = 3, L = 1, w = 0.01L, cube = 0.1L, hinge = 0.05L, g = 9.81L;
  static constexpr Real arm = bar + ball, reach = (bar * L / 2 + ball * L) / arm, J_axial = bar * w * w / 6,
                        J_arm = bar * (L * L + w * w) / 12 + bar * (reach - L / 2) * (reach - L / 2) +
                                ball * (L - reach) * (L - reach);
  Real k, d, momentum = 0;

  Values start() const { return {std::acos(-1.0L) / 6, 0.5L, 0, 0, 0}; }

  /// Moment of inertia about the axis of the shaft.
  static Real inertia(Real alpha) {
    const Real s = std::sin(alpha), c = std::cos(alpha), x = hinge + reach * c;
    return J_axial + slider * cube * cube / 6 + 2 * (arm * x * x + J_arm * c * c + J_axial * s * s);
  }
  Real speed(Real alpha) const { return momentum / inertia(alpha); }

  //     2 J α̈ − ½ I′ ω² − 2 m g r cos α + 2 F ∂l/∂α = 0,   m_s s̈ + m_s g + 2 F ∂l/∂s = 0,   F = k (l − ½) + d l̇
  //     l = |(½ cos α, 1 − ½ sin α − s)|
  Values rate(const Values& y) const {
    const Real sin = std::sin(y[0]), cos = std::cos(y[0]), x = L / 2 * cos, z = L - L / 2 * sin - y[1];
    const Real l = std::hypot(x, z), l_alpha = (-x * L / 2 * sin - z * L / 2 * cos) / l, l_s = -z / l;
    const Real F = k * (l - L / 2) + d * (l_alpha * y[2] + l_s * y[3]), omega = speed(y[0]);
    const Real half_I1 = -2 * arm * (hinge + reach * cos) * reach * sin + 2 * (J_axial - J_arm) * sin * cos;
    const Real J = J_arm + arm * reach * reach;
    Values rate;
    rate << y[2], y[3], (half_I1 * omega * omega + 2 * arm * g * reach * cos - 2 * F * l_alpha) / (2 * J),
        -g - 2 * F * l_s / slider, omega;
    return rate;
  }
};

}  // namespace

Problem flyball_governor(double stiffness, double damping, double duration) {
  const io::Overrides parameters{{"k", {stiffness, {}}}, {"c", {damping, {}}}};
  Problem problem{start(io::read_model(BRICARD_SOURCE_DIR "/models/flyball_governor.yaml", parameters)), {}};
  const System& system = problem.model.system;
  Governor governor{stiffness, damping};
  Governor::Values y = governor.start();
  governor.momentum = governor.inertia(y[0]) * 2 * std::acos(-1.0L);
  const double interval = duration / kTimes,
               steps_per_second = damping > 1e3 ? 4e4 : 8e3;  // stiff dampers: rates of 4e4/s
  const int steps = static_cast<int>(std::ceil(steps_per_second * interval));
  for (int i = 1; i <= kTimes; ++i) {
    y = runge_kutta([&](const Governor::Values& at) { return governor.rate(at); }, y, interval, steps);
    problem.exact.push_back({system.make_state(), {}});
    State& s = problem.exact.back().state;
    s.t = i * interval;
    const Quaterniond shaft = about(Vector3d::UnitZ(), y[4]);
    const double alpha = static_cast<double>(y[0]), reach = static_cast<double>(Governor::reach);
    const Vector3d right(0.05 + reach * std::cos(alpha), 0, 1 - reach * std::sin(alpha));
    place(system, 1, {0, 0, 0.5}, shaft, s);
    place(system, 2, {0, 0, static_cast<double>(y[1])}, shaft, s);
    place(system, 3, shaft * right, shaft * about(Vector3d::UnitY(), y[0]), s);
    place(system, 4, shaft * Vector3d(-right[0], 0, right[2]),
          shaft * about(Vector3d::UnitY(), std::acos(-1.0L) - y[0]), s);
    s.v[system.nodes()[1].v + 5] = static_cast<double>(governor.speed(y[0]));
  }
  return problem;
}

}  // namespace bricard::testing
