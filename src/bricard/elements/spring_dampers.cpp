// SPDX-License-Identifier: Apache-2.0
#include "bricard/elements/spring_dampers.h"

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

double pull(const SpringDampers::Item& s, const Line& x) {
  return s.stiffness * (x.length - s.free_length) + s.damping * x.rate + s.preload;
}

}  // namespace

void SpringDampers::add_couplings(std::vector<Coupling>& couplings) const {
  for (const Item& s : items_) add_two_point_couplings(s.place, couplings);
}

void SpringDampers::add_residual(const Kinematics& k, Residual& r) const {
  for (const Item& s : items_) {
    const Line x = line(two_point_kinematics(k, s.place));
    add_two_point_force(k, s.place, pull(s, x) * x.e, r);
  }
}

//     δl = e·δd,  δe = P δd/l,  δl̇ = e·δḋ + (P ḋ)·δd/l,   P = 1 − e eᵀ
//     K = k e eᵀ + c e (P ḋ)ᵀ/l + (F/l) P,   C = c e eᵀ
void SpringDampers::add_tangent(const Kinematics& k, Tangent& T) const {
  const Slot* slots = T.slots;
  for (const Item& s : items_) {
    const Line x = line(two_point_kinematics(k, s.place));
    const double F = pull(s, x);
    const Matrix3d ee = x.e * x.e.transpose();
    Matrix3d K = s.stiffness * ee;
    if (x.length > 0) {
      K += (s.damping / x.length) * x.e * x.across.transpose() + (F / x.length) * (Matrix3d::Identity() - ee);
    } else {  // F = k d in every direction where the points coincide
      K = s.stiffness * Matrix3d::Identity();
    }
    add_two_point_tangent(k, s.place, F * x.e, K, s.damping * ee, slots, T);
    slots += kTwoPointSlots;
  }
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
    const double rate = line(two_point_kinematics(k, s.place)).rate;
    sum -= s.damping * rate * rate;
  }
  return sum;
}

}  // namespace bricard
