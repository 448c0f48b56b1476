// SPDX-License-Identifier: Apache-2.0
#include "bricard/elements/contacts.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "bricard/elements/contact_shapes.h"
#include "bricard/elements/one_sided.h"

namespace bricard {
namespace {

using Matrix6 = Eigen::Matrix<double, 6, 6>;
using Matrix63 = Eigen::Matrix<double, 6, 3>;
using One = Eigen::Matrix<double, 1, 1>;

/// Motion of frame B as A sees it, in the axes of A:
///     P = R_aᵀ(p_b − p_a),   S = R_aᵀ R_b,   V = Ṗ,   W = S ω_b − ω_a
struct RelativeMotion {
  Vector3d P, V, W, U;  ///< U = R_aᵀ(v_b − v_a)
  Matrix3d S;
  RelativeMotion(const Frame& A, const Frame& B)
      : P(A.R.transpose() * (B.p - A.p)), U(A.R.transpose() * (B.v - A.v)), S(A.R.transpose() * B.R) {
    V = U - A.w.cross(P);
    W = S * B.w - A.w;
  }
};

// Variables of the derivatives: δP, the turn δφ of S (S → Exp(δφ) S), δV, δW and z.
constexpr int kP = 0, kTurn = 3, kV = 6, kW = 9, kZ = 12, kVariables = 15;
using ContactJet = Jet<kVariables>;

/// 1/s, of open contacts: ż = −z, which stays 0 in motion and is so at rest.
constexpr double kStraighten = 1;

template <class T>
Triple<T> variables(const Vector3d& x, int first) {
  if constexpr (std::is_same_v<T, double>) return triple<T>(x);
  else return {T::variable(x.x(), first), T::variable(x.y(), first + 1), T::variable(x.z(), first + 2)};
}

/// S r with a constant r:  δ(S r) = δφ × S r
template <class T>
Triple<T> turned_along(const Matrix3d& S, const Vector3d& r) {
  const Vector3d x = S * r;
  Triple<T> t = triple<T>(x);
  if constexpr (!std::is_same_v<T, double>) {
    t.x.d[kTurn + 1] = x.z(), t.x.d[kTurn + 2] = -x.y();
    t.y.d[kTurn + 2] = x.x(), t.y.d[kTurn] = -x.z();
    t.z.d[kTurn] = x.y(), t.z.d[kTurn + 1] = -x.x();
  }
  return t;
}

/// One row for each pair of shapes, in the order of ShapePair.
template <class T>
constexpr Touch<T> (*kTouch[])(const ShapePose<T>&, const ShapeSizes&) = {sphere_on_plane<T>, sphere_on_sphere<T>,
                                                                          disc_on_plane<T>, sphere_on_curve<T>};

/// All in the axes of A's marker, but for the load.
template <class T>
struct PointContact {
  T depth, rate;            ///< a, ȧ
  T pressure;               ///< N* of the law
  Triple<T> normal;         ///< n
  Triple<T> slip;           ///< velocity of B along the surface
  Triple<T> friction;       ///< on B, for the pressure above
  Triple<T> bristle_rate;   ///< ż
  Triple<T> force, moment;  ///< on B at the origin of its frame, axes of A
};

template <class T>
T pressure_of(const Contacts::Item& e, const T& a, const T& rate, const Kinematics& k) {
  if (e.law) {
    const double at[] = {value_of(a), value_of(rate)};
    const double value = e.law->values(k, at)[0];
    if constexpr (std::is_same_v<T, double>) {
      return value;
    } else {
      const MeasuredFormulas::Derivatives D = e.law->derivatives(k, at);
      return chain(a, value, D(0, 0)) + chain(rate, 0.0, D(0, 1));
    }
  }
  const T factor = T(1.0) + T(e.dissipation) * rate;
  if (e.exponent == 1) return T(e.stiffness) * a * factor;
  // odd in a, so that trial positions in front of the surface are smooth
  const double x = std::abs(value_of(a)), slope = std::pow(x, e.exponent - 1);
  return T(e.stiffness) * chain(a, value_of(a) * slope, e.exponent * slope) * factor;
}

/// μ(v) from v².
template <class T>
T coefficient(const FrictionLaw& f, const T& square) {
  if (f.sticking == f.sliding) return T(f.sliding);
  const double vs2 = f.stribeck_speed * f.stribeck_speed;
  const T x = power_of(T(1 / vs2) * square, 0.5 * f.stribeck_exponent);
  return T(f.sliding) + T(f.sticking - f.sliding) * exponential(-x);
}

template <class T>
void add_friction(const FrictionLaw& f, const Triple<T>& z, PointContact<T>& c) {
  const T square = dot(c.slip, c.slip);
  if (f.bristles > 0) {
    const T rate = T(f.bristles) * root(square) * inverse(coefficient(f, square));
    c.bristle_rate = c.slip - scaled(rate, z);
    const Triple<T> z_along = z - scaled(dot(c.normal, z), c.normal), z_rate = c.slip - scaled(rate, z_along);
    const Triple<T> sum = scaled(T(f.bristles), z_along) + scaled(T(f.damping), z_rate) + scaled(T(f.viscous), c.slip);
    c.friction = scaled(-c.pressure, sum);
  } else if (f.slip_speed > 0) {
    const T mu = coefficient(f, square) * inverse(root(square + T(f.slip_speed * f.slip_speed)));
    c.friction = scaled(-c.pressure * (mu + T(f.viscous)), c.slip);
  }
}

template <class T>
PointContact<T> evaluate(const Contacts::Item& e, const RelativeMotion& x, const Kinematics& k) {
  const Matrix3d to_marker = e.a.R.transpose();
  const Triple<T> P = turned(to_marker, variables<T>(x.P, kP) - triple<T>(e.a.r));
  const Triple<T> V = turned(to_marker, variables<T>(x.V, kV)), W = turned(to_marker, variables<T>(x.W, kW));
  const ShapePose<T> pose{P + turned(to_marker, turned_along<T>(x.S, e.b.r)),
                          turned(to_marker, turned_along<T>(x.S, e.b.R.col(2)))};
  const Touch<T> touch = kTouch<T>[static_cast<int>(e.pair)](pose, {e.radius, e.second_radius, e.curve.get()});
  const Triple<T> lever = touch.c - P, velocity = V + cross(W, lever);
  const T gap_rate = dot(touch.n, velocity);
  PointContact<T> c;
  c.depth = -touch.gap, c.rate = -gap_rate, c.normal = touch.n;
  c.slip = velocity - scaled(gap_rate, touch.n);
  c.pressure = pressure_of(e, c.depth, c.rate, k);
  Triple<T> z;
  if (e.has_bristles()) z = variables<T>(k.state->v.segment<3>(e.states), kZ);
  add_friction(e.friction, z, c);
  const Triple<T> force = scaled(c.pressure, touch.n) + c.friction;
  c.force = turned(e.a.R, force), c.moment = turned(e.a.R, cross(lever, force));
  return c;
}

RelativeMotion motion_of(const Contacts::Item& e, const Kinematics& k) {
  return {k.frames[e.a.node], k.frames[e.b.node]};
}

double side_of(const Contacts::Item& e, const Kinematics& k) {
  return e.side < 0 ? one_sided::kByPosition : k.state->discrete[e.side];
}

/// Whether nothing at all has to be worked out.
bool is_off(const Contacts::Item& e, const Kinematics& k) {
  const double side = side_of(e, k);
  return side == one_sided::kOff || side == one_sided::kReleased;
}

template <class T>
bool presses(const Contacts::Item& e, const PointContact<T>& c, const Kinematics& k) {
  return one_sided::presses(side_of(e, k), value_of(c.depth), value_of(c.pressure));
}

/// Passes through zero where N* does behind the surface, but not at the surface itself: 1 + c ȧ, or the formula.
double release_root(const Contacts::Item& e, const PointContact<double>& c) {
  return e.law ? c.pressure : 1 + e.dissipation * c.rate;
}

double conservative_force(const Contacts::Item& e, double a) {
  return e.law ? 0 : e.stiffness * a * std::pow(std::abs(a), e.exponent - 1);
}

/// Derivatives of three jets after three variables.
Matrix3d columns(const Triple<ContactJet>& f, int first) {
  Matrix3d D;
  for (int i = 0; i < 3; ++i) D.col(i) << f.x.d[first + i], f.y.d[first + i], f.z.d[first + i];
  return D;
}

}  // namespace

void Contacts::add_couplings(std::vector<Coupling>& couplings) const {
  for (const Item& e : items_) {
    couplings.push_back({e.block_a, e.block_a});
    couplings.push_back({e.block_b, e.block_b});
    couplings.push_back({e.block_a, e.block_b});
    if (!e.has_bristles()) continue;
    couplings.push_back({e.state_block, e.state_block});
    if (e.block_a >= 0) couplings.push_back({e.block_a, e.state_block});
    if (e.block_b >= 0) couplings.push_back({e.block_b, e.state_block});
  }
}

// On B the force F and, about the origin of its frame, the moment M; on A the opposite.   residual = −(what acts)
void Contacts::add_residual(const Kinematics& k, Residual& r) const {
  for (const Item& e : items_) {
    if (e.has_bristles()) r.motion.segment<3>(e.states) += k.state->a.segment<3>(e.states);
    const RelativeMotion x = motion_of(e, k);
    const PointContact<double> c = is_off(e, k) ? PointContact<double>{} : evaluate<double>(e, x, k);
    if (is_off(e, k) || !presses(e, c, k)) {
      if (e.has_bristles()) r.motion.segment<3>(e.states) += kStraighten * k.state->v.segment<3>(e.states);
      continue;
    }
    const Vector3d F = value_of(c.force), M = value_of(c.moment);
    const Matrix3d& R_a = k.frames[e.a.node].R;
    r.motion.segment<3>(e.v_a) += R_a * F;
    r.motion.segment<3>(e.v_a + 3) += M + x.P.cross(F);
    r.motion.segment<3>(e.v_b) -= R_a * F;
    r.motion.segment<3>(e.v_b + 3) -= x.S.transpose() * M;
    if (e.has_bristles()) r.motion.segment<3>(e.states) -= value_of(c.bristle_rate);
  }
}

//     δP = R_aᵀ(δp_b − δp_a) + P̃ δθ_a,            δφ = S δθ_b − δθ_a
//     δV = R_aᵀ(δv_b − δv_a) + Ũ δθ_a + P̃ δω_a − ω̃_a δP,   δW = S δω_b − δω_a − (S ω_b)~ δφ
// residual −Jᵀ (F, M) with J = ∂(P, φ)/∂(p, θ); its derivative −Jᵀ δ(F, M) and, from the turning of J,
//     a: −R_a F̃ δθ_a,  −F̃ δP        b: R_a F̃ δθ_a,  −Sᵀ M̃ δφ
void Contacts::add_tangent(const Kinematics& k, Tangent& T) const {
  const Slot* slot = T.slots;
  for (const Item& e : items_) {
    const Slot &aa = slot[0], &bb = slot[1], &ab = slot[2];
    slot += 3;
    const Slot* own = e.has_bristles() ? slot++ : nullptr;
    const Slot* states_a = own && e.block_a >= 0 ? slot++ : nullptr;
    const Slot* states_b = own && e.block_b >= 0 ? slot++ : nullptr;
    const auto add_states = [&](double of_z) {
      for (int i = 0; own && i < 3; ++i) T.add_diagonal(*own, i, i, One(T.w.x_rate + T.w.x * of_z));
    };
    if (is_off(e, k)) {
      add_states(kStraighten);
      continue;
    }
    const RelativeMotion x = motion_of(e, k);
    const PointContact<ContactJet> c = evaluate<ContactJet>(e, x, k);
    if (!presses(e, c, k)) {
      add_states(kStraighten);
      continue;
    }
    add_states(0);
    const Frame &A = k.frames[e.a.node], &B = k.frames[e.b.node];
    const Vector3d F = value_of(c.force), M = value_of(c.moment);
    const Matrix3d Rt = A.R.transpose(), one = Matrix3d::Identity(), zero = Matrix3d::Zero();

    Matrix6 J_a, J_b, rates_a, rates_b;  // of (P, φ) and, with velocities held, of (V, W)
    J_a << -Rt, skew(x.P), zero, -one;
    J_b << Rt, zero, zero, x.S;
    const Matrix3d w_a = skew(A.w), w_b = skew(x.S * B.w);
    rates_a << w_a * Rt, skew(x.U) - w_a * skew(x.P), zero, w_b;
    rates_b << -w_a * Rt, zero, zero, -w_b * x.S;
    Matrix6 charted_a = J_a, charted_b = J_b;  // of velocities, which are J of the unknowns' rates
    charted_a.rightCols<3>() = (J_a.rightCols<3>() * T.chart[e.a.node]).eval();
    charted_b.rightCols<3>() = (J_b.rightCols<3>() * T.chart[e.b.node]).eval();
    const Matrix6 pose_a = T.w.q * J_a, pose_b = T.w.q * J_b;
    const Matrix6 twist_a = T.w.q * rates_a + T.w.v * charted_a, twist_b = T.w.q * rates_b + T.w.v * charted_b;

    const auto load = [&](int first) {
      Matrix6 D;
      D << columns(c.force, first), columns(c.force, first + 3), columns(c.moment, first), columns(c.moment, first + 3);
      return D;
    };
    const Matrix6 by_pose = load(kP), by_twist = load(kV);
    const Matrix6 load_a = by_pose * pose_a + by_twist * twist_a, load_b = by_pose * pose_b + by_twist * twist_b;
    Matrix6 K_aa = -J_a.transpose() * load_a, K_ab = -J_a.transpose() * load_b, K_ba = -J_b.transpose() * load_a,
            K_bb = -J_b.transpose() * load_b;
    const Matrix3d turn_F = T.w.q * A.R * skew(F);
    K_aa.topRightCorner<3, 3>() -= turn_F;
    K_ba.topRightCorner<3, 3>() += turn_F;
    K_aa.bottomRows<3>() -= skew(F) * pose_a.topRows<3>();
    K_ab.bottomRows<3>() -= skew(F) * pose_b.topRows<3>();
    const Matrix3d turn_M = x.S.transpose() * skew(M);
    K_ba.bottomRows<3>() -= turn_M * pose_a.bottomRows<3>();
    K_bb.bottomRows<3>() -= turn_M * pose_b.bottomRows<3>();
    T.add_diagonal(aa, 0, 0, K_aa);
    T.add_diagonal(bb, 0, 0, K_bb);
    T.add_pair(ab, 0, 0, K_ab, Matrix6(K_ba.transpose()));
    if (!own) continue;

    T.add_diagonal(*own, 0, 0, Matrix3d(-T.w.x * columns(c.bristle_rate, kZ)));
    Matrix63 by_z;
    by_z << columns(c.force, kZ), columns(c.moment, kZ);
    by_z *= T.w.x;
    Eigen::Matrix<double, 3, 6> z_by_pose, z_by_twist;
    z_by_pose << columns(c.bristle_rate, kP), columns(c.bristle_rate, kTurn);
    z_by_twist << columns(c.bristle_rate, kV), columns(c.bristle_rate, kW);
    const auto add = [&](const Slot& at, const Matrix6& J, const Matrix6& pose, const Matrix6& twist) {
      const Matrix63 of_frame = -J.transpose() * by_z;
      const Matrix63 of_states = -(z_by_pose * pose + z_by_twist * twist).transpose();
      T.add_pair(at, 0, 0, of_frame, of_states);
    };
    if (states_a) add(*states_a, J_a, pose_a, twist_a);
    if (states_b) add(*states_b, J_b, pose_b, twist_b);
  }
}

//     V = k aᵖ⁺¹/(p + 1) behind the surface, pressing or not
double Contacts::potential_energy(const Kinematics& k) const {
  double sum = 0;
  for (const Item& e : items_) {
    if (e.law || side_of(e, k) == one_sided::kOff) continue;
    const double a = -contact_gap(e, k);
    if (one_sided::is_behind(side_of(e, k), a))
      sum += e.stiffness * std::pow(std::abs(a), e.exponent + 1) / (e.exponent + 1);
  }
  return sum;
}

double Contacts::power(const Kinematics& k) const {
  double sum = 0;
  for (const Item& e : items_) {
    if (side_of(e, k) == one_sided::kOff) continue;
    const RelativeMotion x = motion_of(e, k);
    const PointContact<double> c = evaluate<double>(e, x, k);
    if (presses(e, c, k)) sum += value_of(c.force).dot(x.V) + value_of(c.moment).dot(x.W);
    if (one_sided::is_behind(side_of(e, k), c.depth)) sum += conservative_force(e, c.depth) * c.rate;
  }
  return sum;
}

bool Contacts::is_unsymmetric() const {
  return std::any_of(items_.begin(), items_.end(),
                     [](const Item& e) { return e.has_bristles() || e.friction.slip_speed > 0; });
}

void Contacts::list_signals(std::vector<ElementSignal>& signals) const {
  for (size_t i = 0; i < items_.size(); ++i) {
    if (i > 0 && items_[i].contact == items_[i - 1].contact) continue;
    signals.push_back({items_[i].name + ".depth", "m"});
    signals.push_back({items_[i].name + ".normal_force", "N"});
    signals.push_back({items_[i].name + ".friction", "N"});
  }
}

// Of a contact with several points the greatest depth, the sum of the normal forces and the sum of the vectors of friction.
void Contacts::add_signals(const Kinematics& k, std::vector<double>& values) const {
  double depth = 0, normal = 0;
  Vector3d friction = Vector3d::Zero();
  for (size_t i = 0; i < items_.size(); ++i) {
    const Item& e = items_[i];
    const bool first = i == 0 || items_[i - 1].contact != e.contact;
    const bool last = i + 1 == items_.size() || items_[i + 1].contact != e.contact;
    if (first) depth = -std::numeric_limits<double>::infinity(), normal = 0, friction.setZero();
    const PointContact<double> c = evaluate<double>(e, motion_of(e, k), k);
    depth = std::max(depth, c.depth);
    if (presses(e, c, k)) normal += c.pressure, friction += value_of(c.friction);
    if (last) values.insert(values.end(), {depth, normal, friction.norm()});
  }
}

void Contacts::list_roots(std::vector<std::string>& owners) const {
  for (const Item& e : items_)
    if (e.side >= 0) owners.insert(owners.end(), one_sided::kRoots, "contact '" + e.name + "'");
}

void Contacts::add_roots(const Kinematics& k, double*& next) const {
  for (const Item& e : items_) {
    if (e.side < 0) continue;
    const PointContact<double> c = evaluate<double>(e, motion_of(e, k), k);
    *next++ = c.depth;
    *next++ = one_sided::pressure_root(side_of(e, k), c.depth, release_root(e, c));
  }
}

std::string Contacts::pass_root(int root, bool rising, State& s) const {
  for (const Item& e : items_) {
    if (e.side < 0) continue;
    if (root < one_sided::kRoots) {
      const std::string what = one_sided::pass_root(root, rising, s.discrete[e.side]);
      if (!what.empty() && e.has_bristles()) s.v.segment<3>(e.states).setZero(), s.a.segment<3>(e.states).setZero();
      return what;
    }
    root -= one_sided::kRoots;
  }
  return "";
}

double contact_gap(const Contacts::Item& item, const Kinematics& k) {
  return -evaluate<double>(item, motion_of(item, k), k).depth;
}

// f(x) = (1 + e) x − ln(1 + x) + ln(1 − e x) is positive between 0 and the solution and falls from there to 1/e.
double dissipation_of(double e) {
  if (e >= 1) return 0;
  const auto f = [e](double x) { return (1 + e) * x - std::log1p(x) + std::log1p(-e * x); };
  double low = 0, high = 1 / e;
  for (int i = 0; i < 200 && high - low > 1e-15 * high; ++i) {
    const double middle = 0.5 * (low + high);
    (f(middle) > 0 ? low : high) = middle;
  }
  return 0.5 * (low + high);
}

}  // namespace bricard
