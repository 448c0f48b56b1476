// SPDX-License-Identifier: Apache-2.0
#include "bricard/elements/torsion_springs.h"

#include <algorithm>

#include "bricard/elements/relative_rotation.h"

namespace bricard {
namespace {

struct Twist {
  Matrix3d Q;
  RotationFunction f;
  Vector3d relative;  ///< Δω = Q ω_b − ω_a, frame A
  double angle, rate;
};

Twist twist(const Kinematics& k, const TorsionSprings::Item& s) {
  Twist x;
  x.Q = k.frames[s.node_a].R.transpose() * k.frames[s.node_b].R;
  x.f = angle(s.x, s.y, x.Q * s.b);
  x.relative = x.Q * k.frames[s.node_b].w - k.frames[s.node_a].w;
  x.angle = nearest_turn(x.f.value, k.state->angles[s.angle_index]);
  x.rate = -x.f.n.dot(x.relative);
  return x;
}

double law_of(const TorsionSprings::Item& s, const Twist& x, const Kinematics& k) {
  const double variables[] = {x.angle, x.rate};
  return s.law ? s.law->values(k, variables)[0] : 0;
}

double moment(const TorsionSprings::Item& s, const Twist& x, const Kinematics& k) {
  return s.stiffness * (x.angle - s.free_angle) + s.damping * x.rate + law_of(s, x, k);
}

std::array<int, 2> row_blocks(const TorsionSprings::Item& s) { return {s.block_a, s.block_b}; }

}  // namespace

void TorsionSprings::add_couplings(std::vector<Coupling>& couplings) const {
  for (const Item& s : items_) {
    couplings.push_back({s.block_a, s.block_a});
    couplings.push_back({s.block_b, s.block_b});
    couplings.push_back({s.block_a, s.block_b});
    if (!s.law) continue;
    for (const Measure& m : s.law->measures) add_measure_couplings(m, row_blocks(s), couplings);
  }
}

void TorsionSprings::add_residual(const Kinematics& k, Residual& r) const {
  for (const Item& s : items_) {
    const Twist x = twist(k, s);
    const double M = moment(s, x, k);
    r.motion.segment<3>(s.v_a + 3) += M * x.f.n;
    r.motion.segment<3>(s.v_b + 3) -= M * (x.Q.transpose() * x.f.n);
  }
}

//     δθ = −n·Δφ,   δθ̇ = m·Δφ − n·(Q δω_b − δω_a),   m = −(HᵀΔω + Q ω_b × n)
//     residual M n and −M Qᵀn; the turning of n as in relative_rotation.h
void TorsionSprings::add_tangent(const Kinematics& k, Tangent& T) const {
  const Slot* slots = T.slots;
  for (const Item& s : items_) {
    const Twist x = twist(k, s);
    const double M = moment(s, x, k);
    MeasuredFormulas::Derivatives D;
    double by_angle = s.stiffness, by_rate = s.damping;
    if (s.law) {
      const double variables[] = {x.angle, x.rate};
      D = s.law->derivatives(k, variables);
      by_angle += D(0, 0), by_rate += D(0, 1);
    }
    const Vector3d& n = x.f.n;
    const Vector3d w_b = x.Q * k.frames[s.node_b].w;
    const Vector3d m = -(x.f.H.transpose() * x.relative + w_b.cross(n));
    const Vector3d of_phi = T.w.q * (-by_angle * n + by_rate * m);  // δM = of_phi·Δφ + …
    const Vector3d E_a = -of_phi + T.w.v * by_rate * T.chart[s.node_a].transpose() * n;
    const Vector3d E_b =
        x.Q.transpose() * of_phi - T.w.v * by_rate * T.chart[s.node_b].transpose() * (x.Q.transpose() * n);
    const Vector3d n_b = -(x.Q.transpose() * n);
    const Matrix3d H = T.w.q * M * x.f.H;
    const Matrix3d N = T.w.q * M * (x.f.H.transpose() - skew(n)) * x.Q;  // block (b, a) transposed
    T.add_diagonal(slots[0], 3, 3, (n * E_a.transpose() - H).eval());
    T.add_diagonal(slots[1], 3, 3, (n_b * E_b.transpose() - N.transpose() * x.Q).eval());
    T.add_pair(slots[2], 3, 3, Matrix3d(n * E_b.transpose() + H * x.Q), Matrix3d(E_a * n_b.transpose() + N));
    slots += 3;
    if (!s.law) continue;
    MeasuredRows rows = MeasuredRows::Zero();
    rows.segment<3>(3) = n, rows.segment<3>(9) = n_b;
    for (size_t m_i = 0; m_i < s.law->measures.size(); ++m_i)
      slots =
          add_measure_tangent(s.law->measures[m_i], row_blocks(s), D(0, s.law->variables + m_i) * rows, k, slots, T);
  }
}

void TorsionSprings::add_input_derivative(const Kinematics& k, int input, Residual& r) const {
  for (const Item& s : items_) {
    if (!s.law) continue;
    const Twist x = twist(k, s);
    const double variables[] = {x.angle, x.rate};
    const double M = s.law->input_derivatives(k, input, variables)[0];
    r.motion.segment<3>(s.v_a + 3) += M * x.f.n;
    r.motion.segment<3>(s.v_b + 3) -= M * (x.Q.transpose() * x.f.n);
  }
}

bool TorsionSprings::is_unsymmetric() const {
  return std::any_of(items_.begin(), items_.end(), [](const Item& s) { return s.law && !s.law->measures.empty(); });
}

bool TorsionSprings::sees_accelerations() const {
  return std::any_of(items_.begin(), items_.end(), [](const Item& s) { return s.law && s.law->sees_accelerations(); });
}

double TorsionSprings::potential_energy(const Kinematics& k) const {
  double sum = 0;
  for (const Item& s : items_) {
    const double angle = twist(k, s).angle - s.free_angle;
    sum += 0.5 * s.stiffness * angle * angle;
  }
  return sum;
}

double TorsionSprings::power(const Kinematics& k) const {
  double sum = 0;
  for (const Item& s : items_) {
    const Twist x = twist(k, s);
    sum -= (s.damping * x.rate + law_of(s, x, k)) * x.rate;
  }
  return sum;
}

}  // namespace bricard
