// SPDX-License-Identifier: Apache-2.0
#include "bricard/elements/rolling_constraints.h"

#include "bricard/elements/constraint_rows.h"

namespace bricard {
namespace {

using RollingWheel = RollingConstraints::Item;

/// Where the bodies meet, in ground axes, and how ρ moves with small turns φ of both:  δρ = by_a δφ_a + by_b δφ_b.
struct RollingContact {
  Vector3d rho, sigma;
  Matrix3d by_a = Matrix3d::Zero(), by_b;
  Vector3d normal;
  double height = 0;  ///< g of a wheel
};

//     δu = (1 − u uᵀ) δ(n − (n·a) a)/s,   δa = δφ_b × a,   δn = δφ_a × n
RollingContact contact(const Kinematics& k, const RollingWheel& e) {
  const Frame &A = k.frames[e.a.node], &B = k.frames[e.b.node];
  RollingContact c;
  const Vector3d center = B.R * e.b.r;
  c.normal = A.R * e.a.R.col(2);
  c.rho = center;
  c.by_b = -skew(center);
  if (e.wheel && e.radius > 0) {
    const Vector3d a = B.R * e.b.R.col(2), &n = c.normal;
    const double along = n.dot(a);
    const Vector3d across = n - along * a;
    const double s = across.norm();
    const Vector3d u = across / s;
    const Matrix3d P = (Matrix3d::Identity() - u * u.transpose()) / s;
    c.rho -= e.radius * u;
    c.by_b -= e.radius * P * (along * Matrix3d::Identity() + a * n.transpose()) * skew(a);
    c.by_a = e.radius * P * (Matrix3d::Identity() - a * a.transpose()) * skew(n);
  }
  if (e.wheel) {
    c.rho -= e.tube_radius * c.normal;
    c.by_a += e.tube_radius * skew(c.normal);
    c.height = c.normal.dot(B.p + c.rho - A.p - A.R * e.a.r);
  }
  c.sigma = B.p + c.rho - A.p;
  return c;
}

/// Direction i of the rows in ground axes; the first row of a wheel is that of the normal.
Vector3d direction(const Kinematics& k, const RollingWheel& e, const RollingContact& c, int i) {
  if (!e.wheel) return k.frames[e.b.node].R * e.directions[i];
  return i == 0 ? c.normal : Vector3d(k.frames[e.a.node].R * e.directions[i - 1]);
}

int row_count(const RollingWheel& e) { return static_cast<int>(e.directions.size()) + (e.wheel ? 1 : 0); }

//     δy = δd·w + δφ_b·(ω_b × (ρ × d)) − δφ_a·(ω_a × (σ × d)) + (d × (ω_b − ω_a))·δρ − (d × ω_a)·(δp_b − δp_a)
VelocityRows rows_of(const Kinematics& k, const RollingWheel& e, const RollingContact& c) {
  const Frame &A = k.frames[e.a.node], &B = k.frames[e.b.node];
  const Vector3d w_a = A.R * A.w, w_b = B.R * B.w;
  const Vector3d w = B.v + w_b.cross(c.rho) - A.v - w_a.cross(c.sigma);
  const int count = row_count(e), nodes = static_cast<int>(e.place.nodes.size());
  VelocityRows rows;
  rows.positions = e.wheel ? 1 : 0;
  rows.value.resize(count);
  rows.H.resize(count, 6 * nodes);
  rows.Y.resize(count, 6 * nodes);
  for (int i = 0; i < count; ++i) {
    const Vector3d d = direction(k, e, c, i), by_rho = d.cross(w_b - w_a), drag = d.cross(w_a), turn = d.cross(w);
    rows.value[i] = i < rows.positions ? c.height : d.dot(w);
    for (int n = 0; n < nodes; ++n) {
      auto H = rows.H.block<1, 6>(i, 6 * n), Y = rows.Y.block<1, 6>(i, 6 * n);
      if (e.place.nodes[n].node == e.b.node) {
        const Vector3d y =
            w_b.cross(c.rho.cross(d)) + c.by_b.transpose() * by_rho + (e.wheel ? Vector3d::Zero() : turn).eval();
        H << d.transpose(), (B.R.transpose() * c.rho.cross(d)).transpose();
        Y << -drag.transpose(), (B.R.transpose() * y).transpose();
      } else {
        const Vector3d y =
            -w_a.cross(c.sigma.cross(d)) + c.by_a.transpose() * by_rho + (e.wheel ? turn : Vector3d::Zero()).eval();
        H << -d.transpose(), -(A.R.transpose() * c.sigma.cross(d)).transpose();
        Y << drag.transpose(), (A.R.transpose() * y).transpose();
      }
    }
  }
  return rows;
}

// With F = Σ f d, which turns with the body s that has the directions, M_b = ρ × F, M_a = −σ × F:
//     δF = −F̃ δφ_s,   δM_b = −F̃ δρ − ρ̃ F̃ δφ_s,   δM_a = F̃ (δp_b − δp_a + δρ) + σ̃ F̃ δφ_s,   δ(RᵀM) = Rᵀ(δM + M̃ δφ)
VelocityRows::Square stiffness_of(const Kinematics& k, const RollingWheel& e, const RollingContact& c,
                                  const VelocityRows::Values& f) {
  const std::array<Matrix3d, 2> R{k.frames[e.a.node].R, k.frames[e.b.node].R};
  Vector3d F = Vector3d::Zero();
  for (int i = 0; i < row_count(e); ++i) F += f[i] * direction(k, e, c, i);
  const Matrix3d F_ = skew(F);
  Eigen::Matrix<double, 12, 12> K = Eigen::Matrix<double, 12, 12>::Zero();  // ground axes, A before B
  const int s = e.wheel ? 3 : 9;
  K.block<3, 3>(6, s) -= F_;
  K.block<3, 3>(0, s) += F_;
  K.block<3, 3>(9, 3) -= F_ * c.by_a;
  K.block<3, 3>(9, 9) -= F_ * c.by_b;
  K.block<3, 3>(9, s) -= skew(c.rho) * F_;
  K.block<3, 3>(9, 9) += skew(c.rho.cross(F));
  K.block<3, 3>(3, 6) += F_;
  K.block<3, 3>(3, 0) -= F_;
  K.block<3, 3>(3, 3) += F_ * c.by_a;
  K.block<3, 3>(3, 9) += F_ * c.by_b;
  K.block<3, 3>(3, s) += skew(c.sigma) * F_;
  K.block<3, 3>(3, 3) -= skew(c.sigma.cross(F));
  for (int body : {0, 1}) {  // turns in the bodies' own axes
    K.middleRows<3>(6 * body + 3) = (R[body].transpose() * K.middleRows<3>(6 * body + 3)).eval();
    K.middleCols<3>(6 * body + 3) = (K.middleCols<3>(6 * body + 3) * R[body]).eval();
  }
  const int nodes = static_cast<int>(e.place.nodes.size());
  VelocityRows::Square of_nodes(6 * nodes, 6 * nodes);
  const auto first = [&](int n) { return e.place.nodes[n].node == e.b.node ? 6 : 0; };
  for (int i = 0; i < nodes; ++i)
    for (int j = 0; j < nodes; ++j) of_nodes.block<6, 6>(6 * i, 6 * j) = K.block<6, 6>(first(i), first(j));
  return of_nodes;
}

}  // namespace

void RollingConstraints::add_couplings(std::vector<Coupling>& couplings) const {
  for (const RollingWheel& e : items_) add_velocity_couplings(e.place, couplings);
}

void RollingConstraints::add_residual(const Kinematics& k, Residual& r) const {
  for (const RollingWheel& e : items_) add_velocity_residual(e.place, rows_of(k, e, contact(k, e)), *k.state, r);
}

void RollingConstraints::add_tangent(const Kinematics& k, Tangent& T) const {
  const Slot* slots = T.slots;
  for (const RollingWheel& e : items_) {
    const RollingContact c = contact(k, e);
    const VelocityRows rows = rows_of(k, e, c);
    const VelocityRows::Values f = velocity_forces(e.place, rows, *k.state, rate_of(T.w), penalty_of(T.w));
    add_velocity_tangent(e.place, rows, stiffness_of(k, e, c, f), slots, T);
    slots += velocity_slots(e.place);
  }
}

void RollingConstraints::add_constraint_rates(const Kinematics& k, VectorXd& rate, VectorXd& bias) const {
  for (const RollingWheel& e : items_) {
    const VelocityRows rows = rows_of(k, e, contact(k, e));
    const auto v = velocities_of(e.place, k);
    for (int i = 0; i < row_count(e); ++i) {
      rate[e.place.row + i] += rows.H.row(i).dot(v);
      bias[e.place.row + i] += rows.Y.row(i).dot(v);
    }
  }
}

void RollingConstraints::add_reactions(const Kinematics& k, std::vector<Wrench>& wrenches) const {
  for (const RollingWheel& e : items_) {
    if (e.place.joint < 0) continue;
    const RollingContact c = contact(k, e);
    Vector3d F = Vector3d::Zero();
    for (int i = 0; i < row_count(e); ++i) F -= k.state->lambda[e.place.row + i] * direction(k, e, c, i);
    wrenches[e.place.joint].force += F;
    wrenches[e.place.joint].torque += c.rho.cross(F);
  }
}

std::unique_ptr<ElementBatch> RollingConstraints::part_of_joint(int joint) const {
  return select_joint<RollingConstraints>(items_, joint);
}

void RollingConstraints::list_signals(std::vector<ElementSignal>& signals) const {
  for (const RollingWheel& e : items_)
    if (e.wheel) signals.push_back({e.name + ".normal_force", "N"});
}

void RollingConstraints::add_signals(const Kinematics& k, std::vector<double>& values) const {
  for (const RollingWheel& e : items_)
    if (e.wheel) values.push_back(-k.state->lambda[e.place.row]);
}

}  // namespace bricard
