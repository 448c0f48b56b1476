// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "bricard/read/model_reader.h"
#include "order/exact_motion.h"
#include "order/problems.h"

// The two planar mechanisms of the comparison of six integrators [NegrutJayKhude2009], each by its one coordinate.
namespace bricard::testing {
namespace {

constexpr int kTimes = 16;

Started started(const std::string& file, const io::Overrides& values = {}) {
  return start(io::read_model(BRICARD_SOURCE_DIR "/models/" + file, values));
}

using Load = PlanarMechanism::Load;
using Position = PlanarMechanism::Position;

// φ: angle of the crank. The rod has given the mass m_B at its end to the slider (see the model file).
Position slider_crank_at(const Jet& phi, Real damping) {
  constexpr Real m1 = 3, L1 = 0.3L, m2 = 0.9L, L2 = 0.6L, m_B = 0.1L, g = 9.81L, stiffness = 100, free_length = 0.3L;
  constexpr Real m_rest = m2 - m_B, c_rest = (m2 * L2 / 2 - m_B * L2) / m_rest;
  constexpr Real J_rest = m2 * L2 * L2 / 3 - m_B * L2 * L2 - m_rest * c_rest * c_rest;
  const Real x_start = std::sqrt(L2 * L2 - L1 * L1);
  const PlanarVector along{cos(phi), sin(phi)}, A = L1 * along;
  const PlanarVector B{A.x + sqrt(Jet{L2 * L2} - A.y * A.y), {0}}, rod = (1 / L2) * (B - A);
  const auto weight = [](Real mass) { return [=](Real) { return Load{0, -mass * g, 0}; }; };
  const auto on_slider = [=](Real speed) {
    return Load{-stiffness * (B.x.x - free_length) - damping * B.x.d * speed, -m_B * g, 0};
  };
  return {{{m1, m1 * L1 * L1 / 12, 0.5L * A, along, weight(m1)},
           {m_rest, J_rest, A + c_rest * rod, rod, weight(m_rest)},
           {m_B, m_B * 6e-4L, B, point(1, 0), on_slider}},
          {{-1, 0, point(0, 0)}, {0, 1, A}, {1, 2, B}, {-1, 2, B - point(x_start, 0), true}}};
}

// φ: angle β of the crank K1. E, G and H are where circles meet.
Position seven_bodies_at(const Jet& beta) {
  constexpr Real rr = 0.007L, ra = 0.00092L, d = 0.028L, da = 0.0115L, ss = 0.035L, sa = 0.01874L, sb = 0.01043L,
                 sc = 0.018L, sd = 0.02L, e = 0.02L, ea = 0.01421L, zt = 0.04L, ta = 0.02308L, tb = 0.00916L,
                 zf = 0.02L, fa = 0.01421L, u = 0.04L, ua = 0.01228L, ub = 0.00449L, stiffness = 4530,
                 free_length = 0.07785L, torque = 0.033L;
  const PlanarVector A = point(-0.06934L, -0.00227L), B = point(-0.03635L, 0.03273L), C = point(0.014L, 0.072L);
  const PlanarVector K1{cos(beta), sin(beta)}, F = rr * K1;
  const PlanarVector E = meeting_point(F, d, B, ss, 1), G = meeting_point(A, zt, E, e, 1),
                     H = meeting_point(A, u, E, zf, -1);
  const auto down = [](const PlanarVector& r) {
    return PlanarVector{-1 * r.y, r.x};
  };  // of a body whose −y axis is along r
  const PlanarVector K2 = (1 / d) * (F - E), K3 = down((1 / ss) * (E - B)), K4 = down((1 / e) * (E - G)),
                     K5 = (1 / zt) * (G - A), K6 = (1 / zf) * (E - H), K7 = down((1 / u) * (H - A));
  const PlanarVector centre3 = B + in_axes(K3, sb, -sa), D = B + in_axes(K3, sd, -sc), arm = D - centre3,
                     spring = C - D;
  const auto motor = [](Real) { return Load{0, 0, torque}; };
  const auto pull = [=](Real) {
    const Real length = std::hypot(spring.x.x, spring.y.x), part = stiffness * (length - free_length) / length;
    const Real x = part * spring.x.x, y = part * spring.y.x;
    return Load{x, y, arm.x.x * y - arm.y.x * x};
  };
  const auto none = [](Real) { return Load{}; };
  return {{{0.04325L, 2.194e-6L, ra * K1, K1, motor},
           {0.00365L, 4.410e-7L, F - da * K2, K2, none},
           {0.02373L, 5.255e-6L, centre3, K3, pull},
           {0.00706L, 5.667e-7L, G + in_axes(K4, 0, ea - e), K4, none},
           {0.07050L, 1.169e-5L, A + in_axes(K5, ta, tb), K5, none},
           {0.00706L, 5.667e-7L, H + (zf - fa) * K6, K6, none},
           {0.05498L, 1.912e-5L, A + in_axes(K7, -ub, -ua), K7, none}},
          {{-1, 0, point(0, 0)},
           {0, 1, F},
           {-1, 2, B},
           {-1, 4, A},
           {4, 3, G},
           {-1, 6, A},
           {6, 5, H},
           {1, 2, E},
           {1, 3, E},
           {1, 5, E}}};
}

}  // namespace

Problem slider_crank(double duration, double damping) {
  const PlanarMechanism mechanism{[=](const Jet& phi) { return slider_crank_at(phi, damping); }};
  return planar_problem(started("slider_crank_004.yaml", {{"damping", damping}}), mechanism,
                        {3 * std::acos(-1.0L) / 2, 0}, duration, kTimes,
                        static_cast<int>(std::ceil(100 * duration / kTimes)));
}

Problem seven_bodies(double duration) {
  const PlanarMechanism mechanism{seven_bodies_at};
  return planar_problem(started("andrews.yaml"), mechanism, {-0.0617138900142764496358948458001L, 0}, duration, kTimes,
                        static_cast<int>(std::ceil(1e4 * duration / kTimes)));
}

}  // namespace bricard::testing
