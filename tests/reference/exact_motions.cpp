// SPDX-License-Identifier: Apache-2.0
#include "reference/exact_motions.h"

#include <cmath>

#include "bricard/io/model_reader.h"

namespace bricard::testing {
namespace {

using Real = long double;

/// y after a time t in equal steps of Runge–Kutta's method of fourth order.
template <class Rate, class Values>
Values runge_kutta(const Rate& rate, Values y, Real t, int steps) {
  const Real h = t / steps;
  for (int i = 0; i < steps; ++i) {
    const Values k1 = rate(y), k2 = rate(y + h / 2 * k1), k3 = rate(y + h / 2 * k2), k4 = rate(y + h * k3);
    y += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
  }
  return y;
}

Problem read(const std::string& name, const io::Overrides& parameters, const std::vector<double>& times) {
  Problem problem{start(io::read_model(BRICARD_SOURCE_DIR "/models/" + name + ".yaml", parameters)), {}};
  for (const double t : times) {
    problem.exact.push_back({problem.model.system.make_state(), {}});
    problem.exact.back().state.t = t;
  }
  return problem;
}

/// Poses of bodies at one time; they are numbered as in the file, from 1.
struct Poses {
  const System& system;
  State& state;

  void set(int body, const Vector3d& p, const Quaterniond& turn) const {
    const int first = system.nodes()[body].q;
    state.q.segment<3>(first) = p;
    store_quaternion(state.q, first + 3, turn);
  }
  void set_in_plane(int body, Real x, Real y, Real angle) const {
    set(body, {static_cast<double>(x), static_cast<double>(y), 0}, about(Vector3d::UnitZ(), angle));
  }
  static Quaterniond about(const Vector3d& axis, Real angle) {
    return Quaterniond(Eigen::AngleAxisd(static_cast<double>(angle), axis));
  }
};

/// The slider-crank by its crank angle θ; ψ: angle of the rod; c: its mass centre; x: the slider; ′ after θ.
struct SliderCrank {
  using Vector = Eigen::Matrix<Real, 2, 1>;
  static constexpr Real m1 = 3, L1 = 0.3L, m2 = 0.9L, L2 = 0.6L, k = 100, d = 5, free_length = 0.3L, g = 9.81L;
  static constexpr Real J1 = m1 * L1 * L1 / 3, J2 = m2 * L2 * L2 / 12;

  static Real rod_angle(Real theta) { return std::asin(-L1 / L2 * std::sin(theta)); }
  static Real slider(Real theta) { return L1 * std::cos(theta) + L2 * std::cos(rod_angle(theta)); }

  //     I θ̈ + ½ I′ θ̇² + V′ + d x′² θ̇ = 0,   I = J₁ + m₂ c′² + J₂ ψ′²
  static Vector rate(const Vector& y) {
    const Real s = std::sin(y[0]), c = std::cos(y[0]), psi = rod_angle(y[0]);
    const Vector along(std::cos(psi), std::sin(psi)), across(-along[1], along[0]);
    const Real psi1 = -L1 * c / (L2 * along[0]), psi2 = (L1 / L2 * s + along[1] * psi1 * psi1) / along[0];
    const Vector c1 = L1 * Vector(-s, c) + L2 / 2 * psi1 * across,
                 c2 = L1 * Vector(-c, -s) + L2 / 2 * (psi2 * across - psi1 * psi1 * along);
    const Real x1 = -L1 * s - L2 * along[1] * psi1, I = J1 + m2 * c1.squaredNorm() + J2 * psi1 * psi1,
               half_I1 = m2 * c1.dot(c2) + J2 * psi1 * psi2,
               V1 = m1 * g * L1 / 2 * c + m2 * g * c1[1] + k * (slider(y[0]) - free_length) * x1;
    return {y[1], -(half_I1 * y[1] * y[1] + V1 + d * x1 * x1 * y[1]) / I};
  }
};

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

Problem paper_slider_crank() {
  using S = SliderCrank;
  Problem problem = read("slider_crank_004", {}, {0.5, 1, 1.5, 2});
  S::Vector y(1.5L * std::acos(-1.0L), 0);
  for (Moment& moment : problem.exact) {
    y = runge_kutta(S::rate, y, 0.5L, 5000);
    const Poses poses{problem.model.system, moment.state};
    const Real psi = S::rod_angle(y[0]), x = S::L1 * std::cos(y[0]), z = S::L1 * std::sin(y[0]);
    constexpr Real centre = (0.9L * 0.3L - 0.1L * 0.6L) / 0.8L;  // of the rod without what it gives to the slider
    poses.set_in_plane(1, x / 2, z / 2, y[0]);
    poses.set_in_plane(2, x + centre * std::cos(psi), z + centre * std::sin(psi), psi);
    poses.set_in_plane(3, S::slider(y[0]), 0, 0);
    moment.state.v[problem.model.system.nodes()[1].v + 5] = static_cast<double>(y[1]);
  }
  return problem;
}

// Mazzia and Magherini, Test Set for Initial Value Problem Solvers; here with more digits, by extrapolation in quadruple
// precision. The published ones at 0.03 s belong to a time that is later by 1e-12 s.
Problem andrews() {
  struct Angles {
    double t, beta, theta, gamma, phi, delta, epsilon;
  };
  constexpr Angles published[] = {
      {0.005, 0.2110763859032667, -0.2015871709340801, 0.4491151900115144, 0.2102507979300145, 0.4887437654619352,
       1.225866794034907},
      {0.010, 2.160113131531527, -1.883364231107044, 0.1585167580012267, -0.3286410751746703, 0.5251547747977295,
       1.068427204632401},
      {0.015, 5.655429749991794, -5.833796765108832, 0.4258919257523779, 0.1640128375726053, 0.4936765269686444,
       1.208712541909195},
      {0.020, 8.184905889661676, -7.890505363730450, 0.2095369133846976, -0.2383255965958512, 0.5225369171559964,
       1.086275108599873},
      {0.025, 12.10714923444766, -12.25703010357549, 0.4409733555830119, 0.1939451660544560, 0.4905195446815898,
       1.219766771810429},
      {0.030, 15.810771195153707, -15.756371058411839, 0.040822240119645805, -0.53473011634207959, 0.52440996587995407,
       1.0480807410419379}};
  Problem problem = read("andrews", {}, {});
  const System& system = problem.model.system;
  constexpr double xa = -0.06934, ya = -0.00227, xb = -0.03635, yb = 0.03273;
  for (const Angles& a : published) {
    problem.exact.push_back({system.make_state(), {}});
    problem.exact.back().state.t = a.t;
    const auto set = [&](int body, double x0, double y0, double x, double y, double angle) {
      const double s = std::sin(angle), c = std::cos(angle);
      Poses{system, problem.exact.back().state}.set_in_plane(body, x0 + c * x - s * y, y0 + s * x + c * y, angle);
    };
    set(1, 0, 0, 0.00092, 0, a.beta);
    set(2, 0.007 * std::cos(a.beta), 0.007 * std::sin(a.beta), -0.0115, 0, a.beta + a.theta);
    set(3, xb, yb, 0.01043, -0.01874, a.gamma);
    set(4, xa + 0.04 * std::cos(a.delta), ya + 0.04 * std::sin(a.delta), 0, 0.01421 - 0.02, a.phi + a.delta);
    set(5, xa, ya, 0.02308, 0.00916, a.delta);
    set(6, xa + 0.04 * std::sin(a.epsilon), ya - 0.04 * std::cos(a.epsilon), 0.02 - 0.01421, 0, a.epsilon - a.phi);
    set(7, xa, ya, -0.00449, -0.01228, a.epsilon);
  }
  return problem;
}

Problem flyball_governor(double stiffness, double damping) {
  Problem problem = read("flyball_governor", {{"k", {stiffness, {}}}, {"c", {damping, {}}}}, {0.5, 1, 1.5, 2});
  Governor governor{stiffness, damping};
  Governor::Values y = governor.start();
  governor.momentum = governor.inertia(y[0]) * 2 * std::acos(-1.0L);
  for (Moment& moment : problem.exact) {
    // The stiff dampers' fastest rate, 4e4 per second, asks for 20000 steps.
    y = runge_kutta([&](const Governor::Values& at) { return governor.rate(at); }, y, 0.5L, damping > 1e3 ? 20000 : 4000);
    const Poses poses{problem.model.system, moment.state};
    const Quaterniond shaft = Poses::about(Vector3d::UnitZ(), y[4]);
    const double alpha = static_cast<double>(y[0]), reach = static_cast<double>(Governor::reach);
    const Vector3d right(0.05 + reach * std::cos(alpha), 0, 1 - reach * std::sin(alpha));
    poses.set(1, {0, 0, 0.5}, shaft);
    poses.set(2, {0, 0, static_cast<double>(y[1])}, shaft);
    poses.set(3, shaft * right, shaft * Poses::about(Vector3d::UnitY(), y[0]));
    poses.set(4, shaft * Vector3d(-right[0], 0, right[2]), shaft * Poses::about(Vector3d::UnitY(), std::acos(-1.0L) - y[0]));
    moment.state.v[problem.model.system.nodes()[1].v + 5] = static_cast<double>(governor.speed(y[0]));
  }
  return problem;
}

}  // namespace bricard::testing
