// SPDX-License-Identifier: Apache-2.0
#include "tangent/random_system.h"

#include "bricard/elements/applied_forces.h"
#include "bricard/elements/coincidences.h"
#include "bricard/elements/distances.h"
#include "bricard/elements/rigid_bodies.h"
#include "bricard/elements/rotation_constraints.h"
#include "bricard/elements/slide_constraints.h"
#include "bricard/elements/spring_dampers.h"
#include "bricard/elements/torsion_springs.h"

namespace bricard::testing {
namespace {

constexpr double kLength = 0.7;

Expression formula(const std::string& text) { return Expression::parse(text, {}, true); }

ConstraintPlace place(System& s, int a, int b, int rows) {
  const int multipliers = s.add_multipliers(rows);
  return {a, b, s.v_of(a), s.v_of(b), s.nodes()[a].block, s.nodes()[b].block, multipliers, 0, s.row_of(multipliers), -1};
}

TwoPointPlace points(const System& s, int a, int b, const Vector3d& r_a, const Vector3d& r_b) {
  return {a, b, s.v_of(a), s.v_of(b), s.nodes()[a].block, s.nodes()[b].block, r_a, r_b};
}

const Matrix3d kAxes = exp_rotation({0.3, -0.8, 0.5}).toRotationMatrix();
const Matrix3d kOtherAxes = exp_rotation({-0.2, 0.4, 1.1}).toRotationMatrix();
const Vector3d kPoint{0.3, -0.5, 0.8}, kOtherPoint{-0.6, 0.2, 0.4};

void add_bodies(System& s) {
  Matrix3d J;
  J << 2, 0.1, -0.2, 0.1, 1.5, 0.3, -0.2, 0.3, 1.1;
  std::vector<RigidBodies::Item> items;
  for (int node : {1, 2}) items.push_back({node, s.nodes()[node].v, s.nodes()[node].block, 1.0 + node, J * node});
  s.add(std::make_unique<RigidBodies>(items, Vector3d(0.3, -9.81, 1)));
}

void add_axes(System& s) {
  std::vector<AxisConstraints::Item> items;
  for (const auto& [a, b, rows] : {std::tuple{1, 2, 3}, std::tuple{0, 1, 2}})
    items.push_back({place(s, a, b, rows), rows, {kAxes.col(0), kAxes.col(1), kAxes.col(2)},
                     {kOtherAxes.col(1), kOtherAxes.col(2), kOtherAxes.col(0)}});
  s.add(std::make_unique<AxisConstraints>(items, kLength));
}

void add_slides(System& s) {
  std::vector<SlideConstraints::Item> items;
  for (const auto& [a, b, rows] : {std::tuple{2, 1, 2}, std::tuple{0, 2, 1}})
    items.push_back({place(s, a, b, rows), rows, {kAxes.col(0), kAxes.col(1), kAxes.col(2)}, kPoint, kOtherPoint, formula("0.2*sin(3*t)")});
  s.add(std::make_unique<SlideConstraints>(items));
}

void add_springs(System& s) {
  std::vector<SpringDampers::Item> items;
  items.push_back({points(s, 1, 2, kPoint, kOtherPoint), 13, 2.5, 0.4, 0.3});
  items.push_back({points(s, 0, 1, kOtherPoint, kPoint), 7, 1.5, 0.9, 0});
  s.add(std::make_unique<SpringDampers>(items));
}

void add_torsion_springs(System& s) {
  const int angle = s.add_tracked_angle({{1, kPoint, kAxes}, {2, kPoint, kOtherAxes}});
  std::vector<TorsionSprings::Item> items;
  items.push_back({1, 2, s.v_of(1), s.v_of(2), s.nodes()[1].block, s.nodes()[2].block, kAxes.col(0), kAxes.col(1),
                   kOtherAxes.col(0), angle, 11, 1.7, 0.2});
  s.add(std::make_unique<TorsionSprings>(items));
}

void add_forces(System& s, bool follows) {
  std::vector<AppliedForces::Item> items;
  items.push_back({1, s.nodes()[1].v, s.nodes()[1].block, kPoint, follows, kAxes,
                   {formula("1+t"), formula("-2"), formula("3*cos(t)")}, {formula("0.5"), formula("t^2"), formula("-1")}});
  s.add(std::make_unique<AppliedForces>(items));
}

}  // namespace

std::vector<ElementCase> all_element_cases() {
  return {
      {"RigidBodies", [](System&) {}},
      {"Coincidences",
       [](System& s) {
         std::vector<Coincidences::Item> items{{place(s, 1, 2, 3), kPoint, kOtherPoint}, {place(s, 0, 1, 3), kOtherPoint, kPoint}};
         s.add(std::make_unique<Coincidences>(items));
       }},
      {"AxisConstraints", add_axes},
      {"AngleMotions",
       [](System& s) {
         std::vector<AngleMotions::Item> items{{place(s, 1, 2, 1), kAxes.col(0), kAxes.col(1), kOtherAxes.col(0), formula("0.4*t^2+0.1")}};
         s.add(std::make_unique<AngleMotions>(items, kLength));
       }},
      {"SlideConstraints", add_slides},
      {"Distances",
       [](System& s) {
         std::vector<Distances::Item> items{{place(s, 1, 2, 1), points(s, 1, 2, kPoint, kOtherPoint), 0.8}};
         s.add(std::make_unique<Distances>(items));
       }},
      {"SpringDampers", add_springs},
      {"TorsionSprings", add_torsion_springs},
      {"ForceFixedInGround", [](System& s) { add_forces(s, false); }},
      {"ForceFollowingTheBody", [](System& s) { add_forces(s, true); }},
  };
}

System make_system(const ElementCase& element) {
  System s;
  s.add_frame("first");
  s.add_frame("second");
  add_bodies(s);
  element.add(s);
  return s;
}

State random_state(const System& system, unsigned seed) {
  std::mt19937 generator(seed);
  std::uniform_real_distribution<double> uniform(-1, 1);
  const auto fill = [&](VectorXd& x) {
    for (double& value : x) value = uniform(generator);
  };
  State s = system.make_state();
  s.t = 0.37;
  VectorXd delta(system.velocities());
  fill(delta);
  system.manifold().retract(s.q, 1.5 * delta, s.q);
  fill(s.v);
  fill(s.a);
  fill(s.lambda);
  return s;
}

}  // namespace bricard::testing
