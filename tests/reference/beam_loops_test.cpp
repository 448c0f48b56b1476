// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "reference/at_rest.h"
#include "reference/simulated.h"

// Loops of flexible members with more joints than they need, wherever they are in space. Each is flat: the same in a planar model
// is the second formulation.
namespace bricard::testing {
namespace beam_loops_test {

/// Where the plane of a mechanism is in space.
struct Placing {
  Vector3d origin = Vector3d::Zero();
  Matrix3d R = Matrix3d::Identity();
  bool planar = false;

  std::string point(double x, double y, double z = 0) const { return text(origin + R * Vector3d(x, y, z)); }
  std::string direction(double x, double y, double z) const { return text(R * Vector3d(x, y, z)); }
  static std::string text(const Vector3d& p) { return fmt::format("[{:.16g}, {:.16g}, {:.16g}]", p.x(), p.y(), p.z()); }
};

class Random {
 public:
  explicit Random(unsigned seed) : engine_(seed) {}
  double between(double low, double high) { return std::uniform_real_distribution<>(low, high)(engine_); }
  template <class T>
  T one_of(std::initializer_list<T> list) {
    return *(list.begin() + std::uniform_int_distribution<size_t>(0, list.size() - 1)(engine_));
  }
  Placing placing() {
    Placing at;
    at.origin = {between(-2, 2), between(-2, 2), between(-2, 2)};
    at.R = Quaterniond(between(-1, 1), between(-1, 1), between(-1, 1), between(-1, 1)).normalized().toRotationMatrix();
    return at;
  }
  /// Bars from soft to stiff: EI from 3 to 5000 N m².
  std::string bar() {
    return fmt::format(
        "section: {{type: rectangle, width: {:.4g} mm, height: {:.4g} mm}}, material: {}, elements: {}, degree: {}",
        between(6, 20), between(6, 20), one_of({"steel", "aluminium", "titanium"}), one_of({1, 2}), one_of({1, 2, 3}));
  }

 private:
  std::mt19937 engine_;
};

/// A four-bar linkage that falls from rest: two hinges on one axis at the foot of its crank, hinges at B, C and D.
class FourBar {
 public:
  explicit FourBar(unsigned seed) : random_(seed) {
    double reach = 0;
    do {
      angle_ = random_.between(0, 6.28), crank_ = random_.between(0.1, 0.15);
      coupler_ = random_.between(0.25, 0.4), rocker_ = random_.between(0.2, 0.35);
      b_ = crank_ * Vector3d(std::cos(angle_), std::sin(angle_), 0);
      reach = (d_ - b_).norm();
    } while (reach > 0.9 * (coupler_ + rocker_) || reach < 1.1 * std::abs(coupler_ - rocker_));
    const double along = (reach * reach + coupler_ * coupler_ - rocker_ * rocker_) / (2 * reach),
                 up = std::sqrt(coupler_ * coupler_ - along * along);
    const Vector3d x = (d_ - b_) / reach;
    c_ = b_ + along * x + up * Vector3d::UnitZ().cross(x);
    for (std::string& bar : bars_) bar = random_.bar();
  }

  std::string text(const Placing& at) const {
    const std::string b = at.point(b_.x(), b_.y()), c = at.point(c_.x(), c_.y()), normal = at.direction(0, 0, 1);
    std::string text =
        fmt::format("gravity: {}\n{}beams:\n", at.direction(0, -9.81, 0), at.planar ? "plane: xy\n" : "");
    const auto beam = [&](const char* name, const std::string& from, const std::string& to, size_t i) {
      text += fmt::format("  {}: {{from: {}, to: {}, z_axis: {}, {}}}\n", name, from, to, normal, bars_[i]);
    };
    beam("crank", at.point(0, 0), b, 0), beam("coupler", b, c, 1), beam("rocker", at.point(d_.x(), 0), c, 2);
    text += "joints:\n";
    const auto hinge = [&](const char* name, const char* between, const std::string& place) {
      text += fmt::format("  {}: {{type: revolute, between: [{}], at: {}, axis: {}}}\n", name, between, place, normal);
    };
    hinge("A", "ground, crank.start", at.point(0, 0)), hinge("A_again", "ground, crank.start", at.point(0, 0, 0.05));
    hinge("B", "crank.end, coupler.start", b), hinge("C", "coupler.end, rocker.end", c);
    hinge("D", "ground, rocker.start", at.point(d_.x(), 0));
    return text + "run: {duration: 0.01, step: 2e-4, output_step: 2e-3, integrator: radau}\n";
  }

 private:
  Random random_;
  double angle_ = 0, crank_ = 0, coupler_ = 0, rocker_ = 0;
  Vector3d b_, c_, d_{0.3, 0, 0};
  std::string bars_[3];
};

std::vector<Vector3d> reactions(const System& system, const State& state, const Matrix3d& R) {
  Kinematics k = system.make_kinematics();
  system.update(state, k);
  std::vector<Wrench> wrenches(system.joints.size());
  system.reactions(k, wrenches);
  std::vector<Vector3d> forces;
  for (const Wrench& w : wrenches) forces.push_back(R.transpose() * w.force);
  return forces;
}

std::vector<Vector3d> places(const System& system, const State& state, const Placing& at) {
  Kinematics k = system.make_kinematics();
  system.update(state, k);
  std::vector<Vector3d> p;
  for (size_t n = 1; n < k.frames.size(); ++n) p.push_back(at.R.transpose() * (k.frames[n].p - at.origin));
  return p;
}

double largest_difference(const std::vector<Vector3d>& a, const std::vector<Vector3d>& b) {
  double most = a.size() == b.size() ? 0 : NAN;
  for (size_t i = 0; i < a.size(); ++i) most = std::max(most, (a[i] - b[i]).norm());
  return most;
}
double largest(const std::vector<Vector3d>& a) {
  return largest_difference(a, std::vector(a.size(), Vector3d(0, 0, 0)));
}

class FlexibleLoops : public ::testing::TestWithParam<unsigned> {};
INSTANTIATE_TEST_SUITE_P(Random, FlexibleLoops, ::testing::Range(1u, 6u));

TEST_P(FlexibleLoops, FourBarsWithAHingeTooManyMoveAsInThePlane) {
  const FourBar linkage(GetParam());
  SCOPED_TRACE(linkage.text({}));
  Placing turned = Random(100 + GetParam()).placing(), planar;
  planar.planar = true;
  const Simulated flat(linkage.text({})), in_space(linkage.text(turned)), in_plane(linkage.text(planar));
  for (const Simulated* run : {&flat, &in_space, &in_plane}) {
    const RunReport& report = run->results.report;
    State s = run->started.state;
    EXPECT_GE(consistent_start(run->started.system, SolverType::automatic, s).redundant_constraints, 2);
    EXPECT_EQ(report.verdict(), Verdict::good) << report.stopped_because;
    EXPECT_LT(report.max_energy_defect, 1e-4 * report.energy_turned_over);
  }
  for (size_t i = 0; i < flat.results.samples.size(); ++i) {
    const State &a = flat.results.samples[i].state, &b = in_space.results.samples[i].state,
                &c = in_plane.results.samples[i].state;
    const auto here = places(flat.started.system, a, {});
    EXPECT_LT(largest_difference(here, places(in_space.started.system, b, turned)), 1e-9);
    EXPECT_LT(largest_difference(here, places(in_plane.started.system, c, planar)), 1e-9);
    auto forces = reactions(flat.started.system, a, Matrix3d::Identity()),
         elsewhere = reactions(in_space.started.system, b, turned.R),
         planar_forces = reactions(in_plane.started.system, c, Matrix3d::Identity());
    const double size = largest(forces);
    ASSERT_TRUE(std::isfinite(size));
    EXPECT_LT(largest_difference(forces, elsewhere), 1e-5 * size) << i;
    for (auto* list : {&forces, &planar_forces}) (*list)[0] += (*list)[1], (*list)[1].setZero();  // of A, together
    EXPECT_LT(largest_difference(forces, planar_forces), 1e-5 * size) << i;
  }
}

/// A portal on clamped feet with a brace, a hinge beside each weld, and a force and a moment on its corners.
std::string portal(unsigned seed, const Placing& at) {
  Random random(seed);
  const double width = random.between(0.5, 3), height = random.between(0.5, 3);
  std::string text = fmt::format(R"yaml(
gravity: {gravity}
{plane}frames:
  portal:
    nodes: {{A: {A}, B: {B}, C: {C}, D: {D}}}
    members:
      - {{nodes: [A, B], {}}}
      - {{nodes: [B, C], {}}}
      - {{nodes: [C, D], {}}}
      - {{nodes: [A, C], {}}}
    z_axis: {normal}
joints:
)yaml",
                                 random.bar(), random.bar(), random.bar(), random.bar(),
                                 fmt::arg("gravity", at.direction(0, -9.81, 0)),
                                 fmt::arg("plane", at.planar ? "plane: xy\n" : ""), fmt::arg("A", at.point(0, 0)),
                                 fmt::arg("B", at.point(0, height)), fmt::arg("C", at.point(width, height)),
                                 fmt::arg("D", at.point(width, 0)), fmt::arg("normal", at.direction(0, 0, 1)));
  const auto joint = [&](const char* name, const char* type, const char* between, const std::string& place) {
    text += fmt::format("  {}: {{type: {}, between: [{}], at: {}{}}}\n", name, type, between, place,
                        std::string(type) == "fixed" ? "" : ", axis: " + at.direction(0, 0, 1));
  };
  joint("foot_A", "fixed", "ground, portal_A_B.start", at.point(0, 0));
  joint("foot_A_again", "fixed", "ground, portal_A_C.start", at.point(0, 0));
  joint("foot_D", "fixed", "ground, portal_C_D.end", at.point(width, 0));
  joint("hinge_B", "revolute", "portal_A_B.end, portal_B_C.start", at.point(0, height));
  joint("hinge_C", "revolute", "portal_A_C.end, portal_C_D.start", at.point(width, height));
  return text + fmt::format("forces: {{push: {{type: force, on: portal_A_B.end, force: {}, torque: {}}}}}\n",
                            at.direction(40, 0, 0), at.direction(0, 0, 5));
}

TEST_P(FlexibleLoops, PortalsWithJointsTooManyRestAsInThePlane) {
  Placing turned = Random(200 + GetParam()).placing(), planar;
  planar.planar = true;
  SCOPED_TRACE(portal(GetParam(), {}));
  const AtRest flat(portal(GetParam(), {}), std::nullopt), in_space(portal(GetParam(), turned), std::nullopt),
      in_plane(portal(GetParam(), planar), std::nullopt);
  const auto here = places(flat.system, flat.state, {});
  EXPECT_LT(largest_difference(here, places(in_space.system, in_space.state, turned)), 1e-8);
  EXPECT_LT(largest_difference(here, places(in_plane.system, in_plane.state, planar)), 1e-8);
  const auto forces = reactions(flat.system, flat.state, Matrix3d::Identity()),
             elsewhere = reactions(in_space.system, in_space.state, turned.R);
  EXPECT_LT(largest_difference(forces, elsewhere), 1e-4 * largest(forces));
  Vector3d feet = Vector3d::Zero(), weight(40, 0, 0);
  for (size_t j = 0; j < flat.system.joints.size(); ++j)
    if (flat.system.joints[j].name.starts_with("foot")) feet += forces[j];
  for (const Body& body : flat.model.bodies) weight += body.mass * flat.model.gravity;
  EXPECT_LT((feet + weight).norm(), 1e-5 * weight.norm());
}

}  // namespace beam_loops_test
}  // namespace bricard::testing
