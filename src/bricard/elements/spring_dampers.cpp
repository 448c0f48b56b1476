// SPDX-License-Identifier: Apache-2.0
#include "bricard/elements/spring_dampers.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "bricard/elements/one_sided.h"

namespace bricard {
namespace {

struct SpringLine {
  double length, rate;  ///< l, l̇
  Vector3d e;           ///< d/l; for coincident points the direction of their motion, or zero at rest
  Vector3d across;      ///< (1 − e eᵀ) ḋ
};

SpringLine line(const TwoPointKinematics& x) {
  const double l = x.d.norm();
  const Vector3d along = l > std::numeric_limits<double>::min() ? x.d : x.d_dot;
  const double norm = along.norm();
  const Vector3d e = norm > 0 ? Vector3d(along / norm) : Vector3d::Zero();
  const double rate = e.dot(x.d_dot);
  return {l, rate, e, x.d_dot - rate * e};
}

double law_of(const SpringDampers::Item& s, const SpringLine& x, const Kinematics& k) {
  const double variables[] = {x.length, x.rate};
  return s.law ? s.law->values(k, variables)[0] : 0;
}

double pull(const SpringDampers::Item& s, const SpringLine& x, const Kinematics& k) {
  return s.stiffness * (x.length - s.free_length) + s.damping * x.rate + s.preload + law_of(s, x, k);
}

double depth_of(const SpringDampers::Item& s, const SpringLine& x) { return s.direction * (x.length - s.free_length); }

double side_of(const SpringDampers::Item& s, const Kinematics& k) {
  return s.side < 0 ? one_sided::kByPosition : k.state->discrete[s.side];
}

/// Whether it acts with this pull.
bool acts(const SpringDampers::Item& s, const SpringLine& x, const Kinematics& k, double F) {
  return s.direction == 0 || one_sided::presses(side_of(s, k), depth_of(s, x), s.direction * F);
}

std::array<int, 2> row_blocks(const SpringDampers::Item& s) { return {s.place.block_a, s.place.block_b}; }

/// What a pull of 1 contributes to the residual of both bodies.
MeasuredRows unit_pull(const SpringDampers::Item& s, const Vector3d& e, const Kinematics& k) {
  const Matrix3d &R_a = k.frames[s.place.node_a].R, &R_b = k.frames[s.place.node_b].R;
  MeasuredRows rows;
  rows << -e, -s.place.r_a.cross(R_a.transpose() * e), e, s.place.r_b.cross(R_b.transpose() * e);
  return rows;
}

/// What it takes out of the motion beyond its potential. Behind its limit the potential is there, acting or not.
double power_of_one_sided(const SpringDampers::Item& s, const SpringLine& x, const Kinematics& k) {
  const double F = pull(s, x, k), stretch = x.length - s.free_length;
  const bool behind = one_sided::is_behind(side_of(s, k), depth_of(s, x));
  const double conservative = behind ? s.stiffness * stretch + s.preload : 0;
  return ((acts(s, x, k, F) ? F : 0) - conservative) * x.rate;
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
    const SpringLine x = line(two_point_kinematics(k, s.place));
    const double F = pull(s, x, k);
    if (acts(s, x, k, F)) add_two_point_force(k, s.place, F * x.e, r);
  }
}

//     δl = e·δd,  δe = P δd/l,  δl̇ = e·δḋ + (P ḋ)·δd/l,   P = 1 − e eᵀ
//     K = F_l e eᵀ + F_l̇ e (P ḋ)ᵀ/l + (F/l) P,   C = F_l̇ e eᵀ;   F_l = k, F_l̇ = c without a law
void SpringDampers::add_tangent(const Kinematics& k, Tangent& T) const {
  const Slot* slots = T.slots;
  for (const Item& s : items_) {
    const SpringLine x = line(two_point_kinematics(k, s.place));
    double F = pull(s, x, k);
    MeasuredFormulas::Derivatives D;
    double by_length = s.stiffness, by_rate = s.damping;
    if (s.law) {
      const double variables[] = {x.length, x.rate};
      D = s.law->derivatives(k, variables);
      by_length += D(0, 0), by_rate += D(0, 1);
    }
    if (!acts(s, x, k, F)) {
      F = by_length = by_rate = 0;
      D.setZero();
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
    const SpringLine x = line(two_point_kinematics(k, s.place));
    if (!acts(s, x, k, pull(s, x, k))) continue;
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
    const double l = two_point_kinematics(k, s.place).d.norm(), stretch = l - s.free_length;
    if (s.direction == 0) sum += 0.5 * s.stiffness * stretch * stretch + s.preload * l;
    else if (one_sided::is_behind(side_of(s, k), s.direction * stretch))
      sum += 0.5 * s.stiffness * stretch * stretch + s.preload * stretch;
  }
  return sum;
}

double SpringDampers::power(const Kinematics& k) const {
  double sum = 0;
  for (const Item& s : items_) {
    const SpringLine x = line(two_point_kinematics(k, s.place));
    if (s.direction == 0) sum -= (s.damping * x.rate + law_of(s, x, k)) * x.rate;
    else sum -= power_of_one_sided(s, x, k);
  }
  return sum;
}

void SpringDampers::list_roots(std::vector<std::string>& owners) const {
  for (const Item& s : items_)
    if (s.side >= 0) owners.insert(owners.end(), one_sided::kRoots, s.owner);
}

void SpringDampers::add_roots(const Kinematics& k, double*& next) const {
  for (const Item& s : items_) {
    if (s.side < 0) continue;
    const SpringLine x = line(two_point_kinematics(k, s.place));
    *next++ = depth_of(s, x);
    *next++ = one_sided::pressure_root(side_of(s, k), depth_of(s, x), s.direction * pull(s, x, k));
  }
}

std::string SpringDampers::pass_root(int root, bool rising, State& s) const {
  for (const Item& e : items_) {
    if (e.side < 0) continue;
    if (root < one_sided::kRoots) {
      const std::string what = one_sided::pass_root(root, rising, s.discrete[e.side]);
      const bool rope = e.direction > 0;
      return rope && what == "touches" ? "becomes tight" : rope && what == "leaves" ? "goes slack" : what;
    }
    root -= one_sided::kRoots;
  }
  return "";
}

}  // namespace bricard
