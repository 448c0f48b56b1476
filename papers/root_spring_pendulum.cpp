// SPDX-License-Identifier: Apache-2.0
#include "papers/root_spring_pendulum.h"

#include <cmath>

namespace bricard::root_spring {
namespace {

using Vector2d = Eigen::Vector2d;

/// q₁, q₂, φ and what depends on them.
struct Geometry {
  Vector2d q, along, across;  ///< along = (cos φ, sin φ), across = d along/dφ
  explicit Geometry(const VectorXd& x)
      : q(x[0], x[1]), along(std::cos(x[2]), std::sin(x[2])), across(-along.y(), along.x()) {}

  Vector2d constraint(double length) const { return {q.squaredNorm() - length * length, q.dot(along)}; }
  Eigen::Matrix<double, 2, 3> jacobian() const {
    Eigen::Matrix<double, 2, 3> G;
    G << 2 * q.transpose(), 0, along.transpose(), q.dot(across);
    return G;
  }
  /// ∂(Gᵀμ)/∂(q, φ)
  Matrix3d curvature(const Vector2d& mu) const {
    Matrix3d H = Matrix3d::Zero();
    H(0, 0) = H(1, 1) = 2 * mu[0];
    H.block<2, 1>(0, 2) = mu[1] * across;
    H.block<1, 2>(2, 0) = mu[1] * across.transpose();
    H(2, 2) = -mu[1] * q.dot(along);
    return H;
  }
};

}  // namespace

void RootSpringPendulum::add_couplings(std::vector<Coupling>& couplings) const {
  couplings.push_back({block_, block_});
  couplings.push_back({multipliers_, block_});
}

void RootSpringPendulum::add_residual(const Kinematics& k, Residual& r) const {
  const Geometry x(k.state->q);
  const Vector2d g = x.constraint(p_.length), mu = k.state->lambda + r.penalty * g;
  r.constraint += g;
  r.motion.head<2>() += p_.mass * k.state->a.head<2>();
  r.motion[2] += p_.stiffness * k.state->q[2];
  r.motion.head<3>() += x.jacobian().transpose() * mu;
}

void RootSpringPendulum::add_tangent(const Kinematics& k, Tangent& T) const {
  const Geometry x(k.state->q);
  const double penalty = T.w.q != 0 ? T.w.penalty / T.w.q : 0;
  const Vector2d mu = k.state->lambda + penalty * x.constraint(p_.length);
  const Eigen::Matrix<double, 2, 3> G = x.jacobian();
  Matrix3d S = T.w.q * x.curvature(mu) + T.w.penalty * G.transpose() * G;
  S(0, 0) += T.w.a * p_.mass;
  S(1, 1) += T.w.a * p_.mass;
  S(2, 2) += T.w.q * p_.stiffness;
  T.add_diagonal(T.slots[0], 0, 0, S);
  T.add_symmetric(T.slots[1], 0, 0, (T.w.constraint * G).eval());
}

//     Ċ = G v,   C̈₁ − G a = 2 q̇ᵀq̇,   C̈₂ − G a = 2 φ̇ q̇ᵀacross − φ̇² qᵀalong
void RootSpringPendulum::add_constraint_rates(const Kinematics& k, VectorXd& rate, VectorXd& bias) const {
  const Geometry x(k.state->q);
  const Vector2d v = k.state->v.head<2>();
  const double w = k.state->v[2];
  rate += x.jacobian() * k.state->v.head<3>();
  bias[0] += 2 * v.squaredNorm();
  bias[1] += 2 * w * v.dot(x.across) - w * w * x.q.dot(x.along);
}

double RootSpringPendulum::kinetic_energy(const Kinematics& k) const {
  return 0.5 * p_.mass * k.state->v.head<2>().squaredNorm();
}

double RootSpringPendulum::potential_energy(const Kinematics& k) const {
  return 0.5 * p_.stiffness * k.state->q[2] * k.state->q[2];
}

System make_system(const Pendulum& p, Reference reference) {
  System system;
  const int block = system.add_vector_block(3);
  const int multipliers = system.add_multipliers(2);
  system.add(std::make_unique<RootSpringPendulum>(p, block, multipliers));
  const bool averages = reference == Reference::averages;
  system.reference_length = p.length;
  system.reference_mass = averages ? 2 * p.mass / 3 : p.mass;
  system.reference_stiffness = averages ? p.stiffness / 3 : p.stiffness;
  return system;
}

State exact_state(const System& system, const Pendulum& p, double start_angle, double t) {
  const double frequency = std::sqrt(p.stiffness / p.mass) / p.length;
  const double angle = start_angle * std::cos(frequency * t);
  const double w = -start_angle * frequency * std::sin(frequency * t), w_dot = -frequency * frequency * angle;
  const Vector2d out(std::sin(angle), -std::cos(angle)), side(-out.y(), out.x());
  State s = system.make_state();
  s.t = t;
  s.q << p.length * out, angle;
  s.v << p.length * w * side, w;
  s.a << p.length * (w_dot * side - w * w * out), w_dot;
  s.lambda << 0.5 * p.mass * w * w, p.stiffness * angle / p.length;
  return s;
}

}  // namespace bricard::root_spring
