// SPDX-License-Identifier: Apache-2.0
#include "bricard/elements/spring_dampers.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace bricard {
namespace {

struct Line {
  double length, rate;  ///< l, l̇
  Vector3d e;           ///< d/l; for coincident points the direction of their motion, or zero at rest
  Vector3d across;      ///< (1 − e eᵀ) ḋ
};

Line line(const TwoPointKinematics& x) {
  const double l = x.d.norm();
  const Vector3d along = l > std::numeric_limits<double>::min() ? x.d : x.d_dot;
  const double norm = along.norm();
  const Vector3d e = norm > 0 ? Vector3d(along / norm) : Vector3d::Zero();
  const double rate = e.dot(x.d_dot);
  return {l, rate, e, x.d_dot - rate * e};
}

double law_of(const SpringDampers::Item& s, const Line& x, const Kinematics& k) {
  const double variables[] = {x.length, x.rate};
  return s.law ? s.law->values(k, variables)[0] : 0;
}

double pull(const SpringDampers::Item& s, const Line& x, const Kinematics& k) {
  return s.stiffness * (x.length - s.free_length) + s.damping * x.rate + s.preload + law_of(s, x, k);
}

std::array<int, 2> row_blocks(const SpringDampers::Item& s) { return {s.place.block_a, s.place.block_b}; }

/// What a pull of 1 contributes to the residual of both bodies.
MeasuredRows unit_pull(const SpringDampers::Item& s, const Vector3d& e, const Kinematics& k) {
  const Matrix3d &R_a = k.frames[s.place.node_a].R, &R_b = k.frames[s.place.node_b].R;
  MeasuredRows rows;
  rows << -e, -s.place.r_a.cross(R_a.transpose() * e), e, s.place.r_b.cross(R_b.transpose() * e);
  return rows;
}

}  // namespace

void SpringDampers::add_couplings(std::vector<Coupling>& couplings) const {
  for (const Item& s : items_) {
    add_two_point_couplings(s.place, couplings);
    if (!s.law) continue;
    for (const Measure& m : s.law->measures) add_measure_couplings(m, row_blocks(s), couplings);
  }
}

void SpringDampers::add_residual(const Kinematics& k, Residual& r) const {
  for (const Item& s : items_) {
    const Line x = line(two_point_kinematics(k, s.place));
    add_two_point_force(k, s.place, pull(s, x, k) * x.e, r);
  }
}

//     δl = e·δd,  δe = P δd/l,  δl̇ = e·δḋ + (P ḋ)·δd/l,   P = 1 − e eᵀ
//     K = F_l e eᵀ + F_l̇ e (P ḋ)ᵀ/l + (F/l) P,   C = F_l̇ e eᵀ;   F_l = k, F_l̇ = c without a law
void SpringDampers::add_tangent(const Kinematics& k, Tangent& T) const {
  const Slot* slots = T.slots;
  for (const Item& s : items_) {
    const Line x = line(two_point_kinematics(k, s.place));
    const double F = pull(s, x, k);
    MeasuredFormulas::Derivatives D;
    double by_length = s.stiffness, by_rate = s.damping;
    if (s.law) {
      const double variables[] = {x.length, x.rate};
      D = s.law->derivatives(k, variables);
      by_length += D(0, 0), by_rate += D(0, 1);
    }
    const Matrix3d ee = x.e * x.e.transpose();
    Matrix3d K = by_length * ee;
    if (x.length > 0) {
      K += (by_rate / x.length) * x.e * x.across.transpose() + (F / x.length) * (Matrix3d::Identity() - ee);
    } else {  // F = k d in every direction where the points coincide
      K = by_length * Matrix3d::Identity();
    }
    add_two_point_tangent(k, s.place, F * x.e, K, by_rate * ee, slots, T);
    slots += kTwoPointSlots;
    if (!s.law) continue;
    for (size_t m = 0; m < s.law->measures.size(); ++m)
      slots = add_measure_tangent(s.law->measures[m], row_blocks(s), D(0, s.law->variables + m) * unit_pull(s, x.e, k),
                                  k, slots, T);
  }
}

void SpringDampers::add_input_derivative(const Kinematics& k, int input, Residual& r) const {
  for (const Item& s : items_) {
    if (!s.law) continue;
    const Line x = line(two_point_kinematics(k, s.place));
    const double variables[] = {x.length, x.rate};
    add_two_point_force(k, s.place, s.law->input_derivatives(k, input, variables)[0] * x.e, r);
  }
}

bool SpringDampers::is_unsymmetric() const {
  return std::any_of(items_.begin(), items_.end(), [](const Item& s) { return s.law && !s.law->measures.empty(); });
}

bool SpringDampers::sees_accelerations() const {
  return std::any_of(items_.begin(), items_.end(), [](const Item& s) { return s.law && s.law->sees_accelerations(); });
}

double SpringDampers::potential_energy(const Kinematics& k) const {
  double sum = 0;
  for (const Item& s : items_) {
    const double l = two_point_kinematics(k, s.place).d.norm();
    sum += 0.5 * s.stiffness * (l - s.free_length) * (l - s.free_length) + s.preload * l;
  }
  return sum;
}

double SpringDampers::power(const Kinematics& k) const {
  double sum = 0;
  for (const Item& s : items_) {
    const Line x = line(two_point_kinematics(k, s.place));
    sum -= (s.damping * x.rate + law_of(s, x, k)) * x.rate;
  }
  return sum;
}

}  // namespace bricard
