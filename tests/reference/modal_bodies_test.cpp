// SPDX-License-Identifier: Apache-2.0
#include "bricard/elements/modal_bodies.h"

#include <gtest/gtest.h>

#include <functional>

#include "bricard/analysis/consistent_start.h"
#include "bricard/analysis/simulate.h"
#include "bricard/elements/modal_interfaces.h"
#include "bricard/integrate/integrator.h"
#include "bricard/model/integrator_kinds.h"
#include "tangent/mass_cloud.h"

// Flexible bodies against clouds of point masses: sums over points and Lagrange's equations by differences, without integrals of
// the part and without the formulas of the element.
namespace bricard::testing {
namespace modal_bodies_test {

using Eigen::MatrixXd;

const Vector3d kGravity{0.3, -9.81, 1};

struct Motion {
  Vector3d p;
  Matrix3d R;
  VectorXd eta;
  Vector3d v, w;  ///< ground axes, body axes
  VectorXd rate;
};

/// s and ṡ of a point.
std::pair<Vector3d, Vector3d> local(const MassCloud::Point& point, const VectorXd& eta, const VectorXd& rate) {
  Vector3d s = point.x + point.phi * eta, s_dot = point.phi * rate;
  for (size_t a = 0; a < 3 && point.chi[0].size(); ++a) {
    const auto i = static_cast<Eigen::Index>(a);
    s[i] += 0.5 * eta.dot(point.chi[a] * eta), s_dot[i] += eta.dot(point.chi[a] * rate);
  }
  return {s, s_dot};
}

/// Σ ½ m ṗ² with deformations that are `factor` times as large.
double full_kinetic_energy(const MassCloud& cloud, const Motion& m, double factor) {
  double sum = 0;
  for (const MassCloud::Point& point : cloud.points) {
    const auto [s, s_dot] = local(point, factor * m.eta, factor * m.rate);
    sum += 0.5 * point.mass * (m.v + m.R * (m.w.cross(s) + s_dot)).squaredNorm();
  }
  return sum;
}

/// Its terms up to the second order in deformations, which are all there are without χ. It is a polynomial of the fourth degree.
double kinetic_energy(const MassCloud& cloud, const Motion& m) {
  if (!cloud.shortens()) return full_kinetic_energy(cloud, m, 1);
  Eigen::Matrix<double, 5, 5> powers;
  Eigen::Matrix<double, 5, 1> values;
  for (int i = 0; i < 5; ++i) {
    for (int j = 0; j < 5; ++j) powers(i, j) = std::pow(i - 2, j);
    values[i] = full_kinetic_energy(cloud, m, i - 2);
  }
  const Eigen::Matrix<double, 5, 1> coefficients = powers.fullPivLu().solve(values);
  return coefficients.head<3>().sum();
}

/// V is of the second order itself.
double potential_energy(const MassCloud& cloud, const Motion& m) {
  double sum = 0.5 * m.eta.dot(cloud.stiffness * m.eta);
  for (const MassCloud::Point& point : cloud.points)
    sum -= point.mass * kGravity.dot(m.p + m.R * local(point, m.eta, m.rate).first);
  return sum;
}

/// With velocities that are x more.
Motion faster(Motion m, const VectorXd& x) {
  m.v += x.head<3>(), m.w += x.segment<3>(3), m.rate += x.tail(x.size() - 6);
  return m;
}

/// ∂T/∂(ṗ, ω, η̇): T is quadratic in velocities, differences are exact.
VectorXd momentum(const MassCloud& cloud, const Motion& m) {
  const Eigen::Index n = 6 + m.eta.size();
  VectorXd all(n);
  for (Eigen::Index i = 0; i < n; ++i) {
    const VectorXd x = VectorXd::Unit(n, i);
    all[i] = (kinetic_energy(cloud, faster(m, x)) - kinetic_energy(cloud, faster(m, -x))) / 2;
  }
  return all;
}

/// Of the fourth order; with h = 2e-3 truncation and round-off are of the order 1e-11 for functions of the order of 10.
template <class F>
auto derivative(const F& f) {
  constexpr double h = 2e-3;
  return (((8 * (f(h) - f(-h)) - (f(2 * h) - f(-2 * h))) / (12 * h)));
}

/// Lagrange's equations in the velocities (ṗ, ω): momentum π and energies,
///     r_p = π̇_p − ∂(T − V)/∂p,   r_θ = π̇_ω + ω × π_ω − ∂(T − V)/∂θ,   r_η = π̇_η − ∂(T − V)/∂η + D η̇
VectorXd lagrange(const MassCloud& cloud, const Motion& m, const VectorXd& acceleration) {
  const Eigen::Index r = m.eta.size();
  const auto later = [&](double t) {
    const Vector3d alpha = acceleration.segment<3>(3), theta = m.w * t + 0.5 * t * t * alpha;
    Motion x = m;
    x.p += m.v * t + 0.5 * t * t * acceleration.head<3>();
    x.R = m.R * exp_rotation(theta).toRotationMatrix();
    x.eta += m.rate * t + 0.5 * t * t * acceleration.tail(r);
    x.v += acceleration.head<3>() * t;
    x.w = tangent_operator(theta) * (m.w + t * alpha);
    x.rate += acceleration.tail(r) * t;
    return x;
  };
  const auto moved = [&](Eigen::Index i, double x) {
    Motion to = m;
    if (i < 3) to.p[i] += x;
    else if (i < 6) to.R = m.R * exp_rotation(x * Vector3d::Unit(i - 3)).toRotationMatrix();
    else to.eta[i - 6] += x;
    return to;
  };
  VectorXd result = derivative([&](double t) { return VectorXd(momentum(cloud, later(t))); });
  result.segment<3>(3) += m.w.cross(Vector3d(momentum(cloud, m).segment<3>(3)));
  for (Eigen::Index i = 0; i < 6 + r; ++i)
    result[i] -= derivative([&](double x) {
      const Motion at = moved(i, x);
      return kinetic_energy(cloud, at) - potential_energy(cloud, at);
    });
  result.tail(r) += cloud.damping * m.rate;
  return result;
}

/// One body alone.
System system_of(const MassCloud& cloud, const Vector3d& gravity) {
  System s;
  const int node = s.add_frame("body"), modes = s.add_vector_block(cloud.shapes());
  s.add(std::make_unique<ModalBodies>(
      std::vector<ModalBodies::Item>{{node, s.v_of(node), s.block_of(node), modes, s.q_of(modes),
                                      s.blocks()[modes].first, std::make_shared<ModalConstants>(part_of(cloud)), "b"}},
      gravity));
  s.reference_mass = part_of(cloud).inertia.mass;
  s.flexible.push_back({"b", node, modes, s.q_of(modes), s.blocks()[modes].first, cloud.shapes()});
  return s;
}

State random_state(const System& system, unsigned seed) {
  std::mt19937 generator(seed);
  std::uniform_real_distribution<double> uniform(-1, 1);
  State s = system.make_state();
  VectorXd delta(system.velocities());
  for (VectorXd* x : {&delta, &s.v, &s.a})
    for (double& value : *x) value = uniform(generator);
  system.manifold().retract(s.q, delta, s.q);
  return s;
}

Motion motion_of(const State& s) {
  const Eigen::Index r = s.v.size() - 6;
  return {s.q.head<3>(), quaternion_at(s.q, 3).toRotationMatrix(), s.q.tail(r), s.v.head<3>(), s.v.segment<3>(3),
          s.v.tail(r)};
}

class ModalBody : public ::testing::TestWithParam<bool> {};  ///< with χ

TEST_P(ModalBody, ObeysTheEquationsOfLagrangeForACloudOfPoints) {
  for (const unsigned seed : {1U, 2U, 3U}) {
    const MassCloud cloud = random_cloud(4, GetParam(), seed);
    const System system = system_of(cloud, kGravity);
    const State s = random_state(system, seed);
    Kinematics k = system.make_kinematics();
    Residual r = system.make_residual();
    system.update(s, k);
    system.residual(k, r);
    const VectorXd expected = lagrange(cloud, motion_of(s), s.a);
    EXPECT_LT((r.motion.head(system.velocities()) - expected).lpNorm<Eigen::Infinity>(), 1e-8);
    EXPECT_NEAR(system.kinetic_energy(k), kinetic_energy(cloud, motion_of(s)), 1e-12);
    EXPECT_NEAR(system.potential_energy(k), potential_energy(cloud, motion_of(s)), 1e-11);
    EXPECT_NEAR(system.power(k), -s.v.tail(4).dot(cloud.damping * s.v.tail(4)), 1e-13);
  }
}

/// Linear momentum and, about the origin of space, angular momentum.
Vector6d momenta(const MassCloud& cloud, const Motion& m) {
  const VectorXd all = momentum(cloud, m);
  Vector6d both;
  both << all.head<3>(), m.p.cross(Vector3d(all.head<3>())) + m.R * all.segment<3>(3);
  return both;
}

/// It tumbles by two turns while its shapes vibrate some ten times.
State tumbling(const System& system) {
  State s = random_state(system, 7);
  s.v *= 2;
  s.q.tail(system.velocities() - 6) *= 0.3;
  s.a.setZero();
  EXPECT_TRUE(consistent_start(system, SolverType::automatic, s).assembled);
  return s;
}

RunSettings settings_of(IntegratorType type, double step) {
  RunSettings settings;
  settings.integrator = type;
  settings.step = step;
  settings.duration = 2;
  return settings;
}

// The method of Runge and Kutta with h = 1e-4 is exact to h⁴ ω⁵ t ~ 1e-12.
TEST_P(ModalBody, KeepsMomentumAndEnergyWhileItTumbles) {
  MassCloud cloud = random_cloud(4, GetParam(), 11);
  cloud.damping.setZero();
  const System system = system_of(cloud, Vector3d::Zero());
  const State start = tumbling(system);
  const Results results = simulate(system, start, settings_of(IntegratorType::rk4, 1e-4));
  ASSERT_TRUE(results.report.finished) << results.report.stopped_because;
  const Motion first = motion_of(start), last = motion_of(results.samples.back().state);
  const Vector6d before = momenta(cloud, first);
  EXPECT_GT((first.R - last.R).norm(), 0.5);
  EXPECT_LT((momenta(cloud, last) - before).norm(), 1e-10 * before.norm());
  EXPECT_NEAR(kinetic_energy(cloud, last) + 0.5 * last.eta.dot(cloud.stiffness * last.eta), results.report.start_energy,
              1e-10 * results.report.start_energy);
  EXPECT_LT(results.report.max_energy_defect, 1e-10 * results.report.energy_turned_over);
}

INSTANTIATE_TEST_SUITE_P(Shortening, ModalBody, ::testing::Bool(),
                         [](const auto& param) { return param.param ? "WithShortening" : "Linear"; });

double difference(const System& system, const State& a, const State& b) {
  VectorXd delta(system.velocities());
  system.manifold().difference(a.q, b.q, delta);
  return delta.lpNorm<Eigen::Infinity>();
}

// Twice the order of a method's error with half the step, or round-off.
TEST(ModalBodyRun, IsTheSameForEveryIntegrator) {
  const MassCloud cloud = random_cloud(4, true, 11);
  const System system = system_of(cloud, kGravity);
  const State start = tumbling(system);
  const auto end_of = [&](IntegratorType type, double step) {
    RunSettings settings = settings_of(type, step);
    settings.duration = 0.4;
    const Results results = simulate(system, start, settings);
    EXPECT_TRUE(results.report.finished) << results.report.stopped_because;
    return results.samples.back().state;
  };
  const State exact = end_of(IntegratorType::rk4, 5e-5);
  for (const IntegratorKind& kind : integrator_kinds()) {
    RunSettings settings;
    settings.integrator = kind.type;
    const std::string refused = why_not(system, settings);
    EXPECT_EQ(refused.empty(), !kind.hamiltonian && kind.type != IntegratorType::energy_decaying) << refused;
    if (!refused.empty()) continue;  // the mass matrix changes
    SCOPED_TRACE(kind.word);
    const double coarse = difference(system, end_of(kind.type, 1e-3), exact);
    const double fine = difference(system, end_of(kind.type, 5e-4), exact);
    EXPECT_LT(fine, std::max(0.6 * coarse, 1e-8)) << "after " << coarse;
    EXPECT_LT(fine, 0.05);
  }
}

/// Where an interface is and how it moves, by differences of its pose.
TEST(ModalInterface, FollowsThePointOfTheCloudItSitsOn) {
  const MassCloud cloud = random_cloud(4, true, 5);
  const ReducedPart part = part_of(cloud);
  System system;
  const int body = system.add_frame("body"), modes = system.add_vector_block(4), tip = system.add_follower("tip");
  const PartInterface& at = part.interfaces[1];
  system.add(std::make_unique<ModalInterfaces>(std::vector<ModalInterfaces::Item>{
      {tip, body, system.block_of(body), modes, system.q_of(modes), system.blocks()[modes].first, at}}));
  const State s = random_state(system, 3);
  const Motion m = motion_of(s);
  Kinematics k = system.make_kinematics();
  system.update(s, k);
  const Vector3d point = local(cloud.points[1], m.eta, m.rate).first;
  EXPECT_LT((k.frames[tip].p - (m.p + m.R * point)).norm(), 1e-14);
  const Matrix3d turned = m.R * exp_rotation(at.rotation * m.eta).toRotationMatrix() * at.axes;
  EXPECT_LT((k.frames[tip].R - turned).norm(), 1e-14);
}

}  // namespace modal_bodies_test
}  // namespace bricard::testing
