// SPDX-License-Identifier: Apache-2.0
#include "bricard/elements/modal_bodies.h"

#include "bricard/system/assertion.h"

namespace bricard {

using Eigen::Dynamic;
using Eigen::MatrixXd;

namespace {

/// Place of (a, b) with a ≤ b among xx, xy, xz, yy, yz, zz.
constexpr int kOrder[3][3] = {{0, 1, 2}, {1, 3, 4}, {2, 4, 5}};

/// C_ab = ∫ φ_aᵀ φ_b dm.
MatrixXd shapes_shapes(const PartInertia& inertia, int a, int b) {
  const MatrixXd& C = inertia.shapes_shapes[static_cast<size_t>(kOrder[a][b])];
  return a <= b ? C : MatrixXd(C.transpose());
}

}  // namespace

//     B_ab = C_ab + X_ba,    Γ_c = ε_cab C_ba,    Ξ_c = ε_cab X_ba
ModalConstants::ModalConstants(const ReducedPart& part)
    : r(part.shapes()), stiffens(part.stiffening.has_value()), mass(part.inertia.mass), first(part.inertia.first),
      second(part.inertia.second), S(part.inertia.shapes), D(part.inertia.points_shapes.transpose()), K(part.stiffness),
      damping(part.damping.size() ? part.damping : MatrixXd::Zero(r, r)) {
  BRICARD_ASSERT(r >= 1 && r <= kMaxShapes);
  const auto C = [&](int a, int b) { return shapes_shapes(part.inertia, a, b); };
  const auto X = [&](int a, int b) {
    return stiffens ? part.stiffening->X[static_cast<size_t>(3 * a + b)] : MatrixXd(MatrixXd::Zero(r, r));
  };
  const int more = stiffens ? 3 : 0;
  M = C(0, 0) + C(1, 1) + C(2, 2);
  of_eta.resize((10 + more) * r, r);
  of_rate.resize((4 + 2 * more) * r, r);
  of_turns.resize((3 + 2 * more) * r, r);
  tangent.resize(r * r, 12 + 2 * more);
  int column = 0;
  const auto to_tangent = [&](const MatrixXd& m) { tangent.col(column++) = m.reshaped(); };
  to_tangent(K), to_tangent(damping), to_tangent(M);
  for (int a = 0; a < 3; ++a)
    for (int b = 0; b < 3; ++b) {
      of_eta.middleRows((3 * a + b) * r, r) = C(b, a) + X(b, a);
      if (a == b) to_tangent(C(a, a) + X(a, a));
      else if (a < b) to_tangent(C(a, b) + C(b, a) + X(a, b) + X(b, a));
    }
  of_eta.middleRows(9 * r, r) = K;
  of_rate.topRows(r) = damping;
  for (int c = 0; c < 3; ++c) {
    const int a = (c + 1) % 3, b = (c + 2) % 3;
    const MatrixXd turning = C(b, a) - C(a, b);
    of_rate.middleRows((1 + c) * r, r) = of_turns.middleRows(c * r, r) = turning;
    to_tangent(turning);
  }
  if (!stiffens) return;
  for (int c = 0; c < 3; ++c) {
    const int a = (c + 1) % 3, b = (c + 2) % 3;
    const MatrixXd shortening = X(b, a) - X(a, b);
    of_rate.middleRows((4 + c) * r, r) = of_turns.middleRows((3 + c) * r, r) = shortening;
    to_tangent(shortening);
  }
  for (int a = 0; a < 3; ++a) {
    const MatrixXd& Y = part.stiffening->Y[static_cast<size_t>(a)];
    of_eta.middleRows((10 + a) * r, r) = of_rate.middleRows((7 + a) * r, r) = Y;
    of_turns.middleRows((6 + a) * r, r) = Y;
    to_tangent(Y);
  }
}

namespace {

using Segment = Eigen::VectorBlock<const VectorXd>;
using Matrix93 = Eigen::Matrix<double, 9, 3>;
/// A vector over the shapes in each column.
template <int columns>
using Columns = Eigen::Matrix<double, Dynamic, columns, Eigen::ColMajor, kMaxShapes, columns>;
template <int columns>
using UpToColumns = Eigen::Matrix<double, Dynamic, Dynamic, Eigen::ColMajor, kMaxShapes, columns>;

/// The products of a vector with matrices that are stacked, one in each column.
template <class Out, class Vector>
void multiply(const MatrixXd& stacked, const Vector& x, Out& out) {
  const Eigen::Index r = stacked.cols();
  out.resize(r, stacked.rows() / r);
  Eigen::Map<VectorXd>(out.data(), stacked.rows()).noalias() = stacked * x;
}

/// Where a body is, and the integrals over it that change with η.
struct BodyAt {
  const ModalConstants& part;
  const Frame& frame;
  Segment eta, rate;
  UpToColumns<13> of_eta;  ///< D-free n_ab, K η, Y η
  Columns<9> n;            ///< n_abᵀ in the column 3 a + b
  Columns<3> S;            ///< c_ηᵀ
  Columns<3> h;
  Vector3d c, c_rate;
  Matrix3d J, N;

  /// `of_rate`: where the products with η̇ go, too.
  BodyAt(const Kinematics& k, const ModalBodies::Item& item, UpToColumns<13>* of_rate = nullptr)
      : part(*item.part), frame(k.frames[item.node]), eta(k.state->q, item.q_modes, part.r),
        rate(k.state->v, item.v_modes, part.r) {
    multiply(part.of_eta, eta, of_eta);
    if (of_rate) multiply(part.of_eta, rate, *of_rate);
    n = part.D + of_eta.leftCols<9>();
    S = part.S.transpose();
    c = part.first + part.S * eta;
    if (part.stiffens) {
      S += of_eta.middleCols<3>(10);
      c.noalias() += 0.5 * of_eta.middleCols<3>(10).transpose() * eta;
    }
    c_rate.noalias() = S.transpose() * rate;
    h.resize(part.r, 3);
    for (int a = 0; a < 3; ++a)
      h.col(a) = n.col(3 * ((a + 1) % 3) + (a + 2) % 3) - n.col(3 * ((a + 2) % 3) + (a + 1) % 3);
    // ∫ s_a s_b dm = second + ½ (n_ab + D_ab + n_ba + D_ba) η
    const Columns<9> mean = 0.5 * (n + part.D);
    Eigen::Matrix<double, 9, 1> moved, rates;
    moved.noalias() = mean.transpose() * eta;
    rates.noalias() = n.transpose() * rate;
    const Matrix3d half = Eigen::Map<const Matrix3d>(moved.data());
    const Matrix3d P = part.second + half + half.transpose();
    J = P.trace() * Matrix3d::Identity() - P;
    N = Eigen::Map<const Matrix3d>(rates.data()).transpose();
  }

  const auto n_of(int a, int b) const { return n.col(3 * a + b); }

  /// ∂(J z)/∂η = 2 z_a n_bb − (n_ab + n_ba) z_b, transposed: n times this matrix.
  static Matrix93 inertia_change(const Vector3d& z) {
    Matrix93 Z = Matrix93::Zero();
    for (int a = 0; a < 3; ++a)
      for (int b = 0; b < 3; ++b) Z(4 * b, a) += 2 * z[a], Z(3 * a + b, a) -= z[b], Z(3 * b + a, a) -= z[b];
    return Z;
  }
  /// 2 (tr n 1 − nᵀ) ω, in the same way.
  static Matrix93 Coriolis(const Vector3d& w) {
    Matrix93 Q = Matrix93::Zero();
    for (int a = 0; a < 3; ++a)
      for (int b = 0; b < 3; ++b) Q(4 * b, a) += 2 * w[a], Q(3 * b + a, a) -= 2 * w[b];
    return Q;
  }
};

}  // namespace

ModalBodies::ModalBodies(std::vector<Item> items, const Vector3d& gravity)
    : items_(std::move(items)), gravity_(gravity) {
  for (const Item& e : items_) damped_ = damped_ || !e.part->damping.isZero(0);
}

void ModalBodies::add_couplings(std::vector<Coupling>& couplings) const {
  for (const Item& e : items_) {
    couplings.push_back({e.block, e.block});
    couplings.push_back({e.modes, e.modes});
    couplings.push_back({e.block, e.modes});
  }
}

void ModalBodies::add_residual(const Kinematics& k, Residual& r) const {
  for (const Item& e : items_) {
    const BodyAt at(k, e);
    const ModalConstants& part = at.part;
    const Matrix3d& R = at.frame.R;
    const Vector3d& w = at.frame.w;
    const auto acceleration = k.state->a.segment(e.v_modes, part.r);
    const Vector3d A = R.transpose() * (k.state->a.segment<3>(e.v) - gravity_),
                   turning = k.state->a.segment<3>(e.v + 3);
    const Matrix3d E = skew(turning) + skew(w) * skew(w);
    UpToColumns<10> of_rate;
    multiply(part.of_rate, at.rate, of_rate);

    Vector3d force = part.mass * A + E * at.c + 2 * w.cross(at.c_rate);
    force.noalias() += at.S.transpose() * acceleration;
    Vector3d torque =
        at.c.cross(A) + at.J * turning + w.cross(at.J * w) + 2 * (at.N.trace() * w - at.N.transpose() * w);
    torque.noalias() += at.h.transpose() * acceleration;
    auto modes = r.motion.segment(e.v_modes, part.r);
    modes += of_rate.col(0) + at.of_eta.col(9);
    modes.noalias() += part.M * acceleration;
    modes.noalias() += at.S * A;
    for (int c = 0; c < 3; ++c) modes += 2 * w[c] * of_rate.col(1 + c);
    const Eigen::Matrix<double, 9, 1> accelerations = E.reshaped();  // E_ba in the place 3 a + b
    modes.noalias() += at.n * accelerations;
    if (part.stiffens) {
      torque.noalias() += of_rate.middleCols<3>(4).transpose() * at.rate;
      force.noalias() += of_rate.middleCols<3>(7).transpose() * at.rate;
    }
    r.motion.segment<3>(e.v) += R * force;
    r.motion.segment<3>(e.v + 3) += torque;
  }
}

// ∂A/∂θ = Ã. By position, velocity and acceleration, with (…)~ for skew matrices:
//     r_p:  R (m Ã − F̃) θ,   R (E c_η + 2 ω̃ Ẏ + Ÿ) η;    R (−(ω × c)~ − ω̃ c̃ − 2 (ċ)~) ω,   R (2 ω̃ c_η + 2 Ẏ) η̇;
//           m,   −R c̃,   R c_η
//     r_θ:  c̃ Ã θ,   (−Ã c_η + J_η ω̇ + ω̃ J_η ω + 2 (tr N_η 1 − N_ηᵀ) ω + (Ξ − Γ) η̈) η;
//           (ω̃ J − (J ω)~ + 2 (tr N 1 − Nᵀ)) ω,   2 ((tr n 1 − nᵀ) ω + Ξ η̇) η̇;     c̃ Rᵀ,   J,   h
//     r_η:  c_ηᵀ Ã θ,   (K + A_a Y_a + E_ab (C_ab + X_ab)) η;     (2 Γ η̇ − (J_η ω)ᵀ) ω,   (D + 2 ω_c Γ_c) η̇;
//           c_ηᵀ Rᵀ,   hᵀ,   M
void ModalBodies::add_tangent(const Kinematics& k, Tangent& T) const {
  const Slot* slot = T.slots;
  const Weights& weight = T.w;
  for (const Item& e : items_) {
    UpToColumns<13> bound;  // Bᵀ_ab η̇
    const BodyAt at(k, e, &bound);
    const ModalConstants& part = at.part;
    const int size = part.r;
    const Matrix3d &R = at.frame.R, &chart = T.chart[e.node];
    const Vector3d& w = at.frame.w;
    const auto acceleration = k.state->a.segment(e.v_modes, size);
    const Vector3d A = R.transpose() * (k.state->a.segment<3>(e.v) - gravity_),
                   turning = k.state->a.segment<3>(e.v + 3);
    const Matrix3d W = skew(w), E = skew(turning) + W * W, A_skew = skew(A), c_skew = skew(at.c);
    UpToColumns<9> by_rate, by_acceleration;  // of η̇ and η̈: Γ [, Ξ, Y]
    multiply(part.of_turns, at.rate, by_rate);
    multiply(part.of_turns, acceleration, by_acceleration);

    // the frame
    Vector3d force = part.mass * A + E * at.c + 2 * w.cross(at.c_rate);
    force.noalias() += at.S.transpose() * acceleration;
    if (part.stiffens) force.noalias() += by_rate.middleCols<3>(6).transpose() * at.rate;
    const Matrix3d Coriolis = 2 * (at.N.trace() * Matrix3d::Identity() - at.N.transpose());
    Eigen::Matrix<double, 6, 6> frame;
    frame.topLeftCorner<3, 3>() = weight.a * part.mass * Matrix3d::Identity();
    frame.topRightCorner<3, 3>() =
        R * (weight.q * (part.mass * A_skew - skew(force)) -
             (weight.v * (skew(w.cross(at.c)) + W * c_skew + 2 * skew(at.c_rate)) + weight.a * c_skew) * chart);
    frame.bottomLeftCorner<3, 3>() = weight.a * c_skew * R.transpose();
    frame.bottomRightCorner<3, 3>() =
        weight.q * c_skew * A_skew + (weight.v * (W * at.J - skew(at.J * w) + Coriolis) + weight.a * at.J) * chart;
    T.add_diagonal(*slot++, 0, 0, frame);

    // the shapes
    Eigen::Matrix<double, 18, 1> factors = Eigen::Matrix<double, 18, 1>::Zero();
    const Matrix3d WW = weight.q * W * W;
    factors.head<12>() << weight.q, weight.v, weight.a, WW(0, 0), WW(0, 1), WW(0, 2), WW(1, 1), WW(1, 2), WW(2, 2),
        weight.q * turning + 2 * weight.v * w;
    factors.tail<6>() << weight.q * turning, weight.q * A;
    Eigen::Matrix<double, Dynamic, 1, 0, kMaxShapes * kMaxShapes, 1> sum(size * size);
    sum.noalias() = part.tangent * factors.head(part.tangent.cols());
    T.add_diagonal(*slot++, 0, 0, Eigen::Map<const MatrixXd>(sum.data(), size, size));

    // both; transposed, with shapes in rows. B_ab = Bᵀ_ab ∓ Γ_c
    const Matrix93 Z = BodyAt::inertia_change(w), Q = BodyAt::Coriolis(w);
    Matrix3d of_turns;
    for (int c = 0; c < 3; ++c) {
      const int a = (c + 1) % 3, b = (c + 2) % 3;
      of_turns.row(c) = Q.row(3 * b + a) - Q.row(3 * a + b);
    }
    const Columns<3> change = at.n.lazyProduct(Z);
    Columns<3> forces =
        at.S.lazyProduct(Matrix3d((weight.q * E + 2 * weight.v * W + weight.a * Matrix3d::Identity()).transpose()));
    Columns<3> torques =
        at.n.lazyProduct(Matrix93(weight.q * (BodyAt::inertia_change(turning) - Z * W) + weight.v * Q));
    torques += bound.leftCols<9>().lazyProduct(Matrix93(weight.q * Q));
    torques += by_rate.leftCols<3>().lazyProduct(Matrix3d(weight.q * of_turns));
    torques += at.S.lazyProduct(Matrix3d(weight.q * A_skew));
    torques += weight.a * at.h - weight.q * by_acceleration.leftCols<3>();
    Columns<3> turns = weight.v * (2 * by_rate.leftCols<3>() - change) + weight.a * at.h;
    if (part.stiffens) {
      forces += by_rate.middleCols<3>(6) * (2 * weight.v * Matrix3d::Identity() - 2 * weight.q * W) +
                weight.q * by_acceleration.middleCols<3>(6);
      torques += 2 * weight.v * by_rate.middleCols<3>(3) + weight.q * by_acceleration.middleCols<3>(3);
    }
    Eigen::Matrix<double, 6, Dynamic, Eigen::ColMajor, 6, kMaxShapes> upper(6, size), lower(6, size);
    upper.topRows<3>() = R * forces.transpose();
    upper.bottomRows<3>() = torques.transpose();
    lower.topRows<3>() = weight.a * R * at.S.transpose();
    lower.bottomRows<3>() = chart.transpose() * turns.transpose() - weight.q * A_skew * at.S.transpose();
    T.add_pair(*slot++, 0, 0, upper, lower);
  }
}

//     T = ½ m u² + u·(ω × c + ċ) + ½ ω·J ω + ω·h η̇ + ½ η̇ᵀM η̇,    u = Rᵀ ṗ_B
double ModalBodies::kinetic_energy(const Kinematics& k) const {
  double sum = 0;
  for (const Item& e : items_) {
    const BodyAt at(k, e);
    const Vector3d &w = at.frame.w, u = at.frame.R.transpose() * at.frame.v;
    sum += 0.5 * at.part.mass * u.squaredNorm() + u.dot(w.cross(at.c) + at.c_rate) + 0.5 * w.dot(at.J * w) +
           (at.h * w).dot(at.rate) + 0.5 * at.rate.dot(at.part.M * at.rate);
  }
  return sum;
}

double ModalBodies::potential_energy(const Kinematics& k) const {
  double sum = 0;
  for (const Item& e : items_) {
    const BodyAt at(k, e);
    sum += 0.5 * at.eta.dot(at.of_eta.col(9)) - gravity_.dot(at.part.mass * at.frame.p + at.frame.R * at.c);
  }
  return sum;
}

double ModalBodies::power(const Kinematics& k) const {
  double sum = 0;
  for (const Item& e : items_) {
    const auto rate = k.state->v.segment(e.v_modes, e.part->r);
    sum -= rate.dot(e.part->damping * rate);
  }
  return sum;
}

void ModalBodies::list_signals(std::vector<ElementSignal>& signals) const {
  for (const Item& e : items_)
    if (!e.name.empty()) signals.push_back({e.name + ".elastic_energy", "J"});
}

void ModalBodies::add_signals(const Kinematics& k, std::vector<double>& values) const {
  for (const Item& e : items_) {
    if (e.name.empty()) continue;
    const auto eta = k.state->q.segment(e.q_modes, e.part->r);
    values.push_back(0.5 * eta.dot(e.part->K * eta));
  }
}

}  // namespace bricard
