// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <optional>

#include "bricard/analysis/consistent_start.h"
#include "bricard/integrate/integrator.h"
#include "papers/dense_matrices.h"
#include "reference/cantilever.h"

// Beams in motion: frequencies in closed form, momentum, energy, orders in time.
namespace bricard::testing {
namespace beam_dynamics_test {

using Eigen::MatrixXd;
using I = IntegratorType;

constexpr double kPi = std::numbers::pi;

/// ω of small motions about the unstrained shape, ascending.
VectorXd frequencies(const Cantilever& c) {
  NewtonSystem newton(c.system, SolverType::dense);
  const std::vector<Matrix3d> chart(c.system.nodes().size(), Matrix3d::Identity());
  const Kinematics k = c.kinematics();
  const MatrixXd K = newton.dense_matrix(k, chart, {1, 1, 0, 0, 1}), M = newton.dense_matrix(k, chart, {1, 0, 0, 1, 1});
  return dense::vibrations(K, M).squares.cwiseMax(0).cwiseSqrt();
}

/// Timoshenko's cantilever in closed form: the determinant of its end at frequency ω, of y = (w, θ, M, Q).
///     w′ = θ + Q/GA,   θ′ = M/EI,   M′ = −Q − ρI ω² θ,   Q′ = −ρA ω² w
struct BendingBeam {
  double GA, EI, mass, inertia, length;
  double determinant(double w) const {
    Eigen::Matrix4d A = Eigen::Matrix4d::Zero(), E = Eigen::Matrix4d::Identity(), term = E;
    A(0, 1) = 1, A(0, 3) = 1 / GA, A(1, 2) = 1 / EI, A(2, 3) = -1, A(2, 1) = -inertia * w * w, A(3, 0) = -mass * w * w;
    const int halvings = 6;
    A *= length / (1 << halvings);
    for (int i = 1; i < 20; ++i) E += term = term * A / i;
    for (int i = 0; i < halvings; ++i) E = E * E;
    return E.bottomRightCorner<2, 2>().determinant();
  }
  double frequency_near(double w) const {  // by secants
    double a = w, b = w * (1 + 1e-6), fa = determinant(a), fb = determinant(b);
    for (int i = 0; i < 40 && fb != fa && std::abs(b - a) > 1e-15 * b; ++i) {
      const double c = b - fb * (b - a) / (fb - fa);
      a = b, fa = fb, b = c, fb = determinant(c);
    }
    return b;
  }
};

double nearest(const VectorXd& values, double wanted) {
  Eigen::Index i = 0;
  (values.array() - wanted).abs().minCoeff(&i);
  return values[i];
}

/// Nodes per element and elements of the coarser mesh. Bending with shear in two planes, and along the beam and in twist
/// (k − ½) π/L √(EA/ρA).
class BeamFrequencies : public ::testing::TestWithParam<std::array<int, 2>> {};

TEST_P(BeamFrequencies, ConvergeWithTwiceTheDegreeOfTheInterpolation) {
  const auto [nodes, elements] = GetParam();
  const Matrix6d C = diagonal(900, 120, 80, 3, 1, 2.5), M = diagonal(1, 1, 1, 0.02, 0.008, 0.012);
  const BendingBeam soft{80, 1, 1, 0.008, 1}, stiff{120, 2.5, 1, 0.012, 1};
  const double exact[] = {soft.frequency_near(3.4), stiff.frequency_near(5.4), soft.frequency_near(17.5),
                          0.5 * kPi * 30, 0.5 * kPi * std::sqrt(3 / 0.02)};
  VectorXd coarse, fine;
  for (const int refined : {1, 2}) {
    const Cantilever c(straight_line(1, C, M), BeamMesh::uniform(1, refined * elements, nodes), end_force(0, 0, 0));
    (refined == 1 ? coarse : fine) = frequencies(c);
  }
  for (const double w : exact) {
    const double first = std::abs(nearest(coarse, w) - w) / w, second = std::abs(nearest(fine, w) - w) / w;
    EXPECT_NEAR(std::log2(first / second), 2 * (nodes - 1), 0.3) << w << ": " << first << " " << second;
  }
}

INSTANTIATE_TEST_SUITE_P(Lumped, BeamFrequencies,
                         ::testing::Values(std::array{2, 16}, std::array{3, 8}, std::array{4, 4}),
                         [](const auto& beam) { return std::to_string(beam.param[0]) + "Nodes"; });

/// A free, soft, curved beam with a mass that is not in its axis, turning and bending.
struct FreeBeam {
  System system;
  State state;
  explicit FreeBeam(int nodes_per_element, double damping = 0, bool balanced = true, int elements = 2) {
    Matrix6d M = diagonal(1, 1, 1, 0.02, 0.01, 0.01);
    const Vector3d c = balanced ? Vector3d::Zero() : Vector3d(0, 0.05, -0.03);
    M.topRightCorner<3, 3>() = -skew(c), M.bottomLeftCorner<3, 3>() = skew(c);
    M.bottomRightCorner<3, 3>() -= skew(c) * skew(c);
    BeamLine line = straight_line(2, diagonal(40, 30, 30, 2, 3, 1.5), M);
    line.pose = [](double s) {
      const double a = s / 3;
      return Pose{3 * Vector3d(std::sin(a), 1 - std::cos(a), 0),
                  Eigen::AngleAxisd(a, Vector3d::UnitZ()).toRotationMatrix()};
    };
    line.damping = damping;
    line = line.centred();
    const BeamMesh mesh = BeamMesh::uniform(2, elements, nodes_per_element);
    const std::vector<double> places = mesh.nodes();
    std::vector<int> nodes;
    for (size_t i = 0; i < places.size(); ++i) nodes.push_back(system.add_frame("n" + std::to_string(i)));
    BeamParts parts;
    add_beam(line, mesh, nodes, system, parts);
    system.reference_mass = 0.5;
    add_batches(parts, system);
    system.add(std::make_unique<RigidBodies>(beam_masses(line, mesh, nodes, system), Vector3d::Zero()));
    state = system.make_state();
    const Vector3d spin(0.8, -1.1, 2.5);
    for (size_t i = 0; i < places.size(); ++i) {
      const Pose pose = line.pose(places[i]);
      const FrameNode& node = system.nodes()[nodes[i]];
      state.q.segment<3>(node.q) = pose.p;
      store_quaternion(state.q, node.q + 3, Quaterniond(pose.R));
      state.v.segment<3>(node.v) = Vector3d(0.3, 0.1, -0.2) + spin.cross(pose.p) + Vector3d(0, 0, 0.5 * pose.p.x());
      state.v.segment<3>(node.v + 3) = pose.R.transpose() * spin;
    }
    EXPECT_TRUE(consistent_start(system, SolverType::automatic, state).assembled);
  }
  double energy(const State& s) const {
    Kinematics k = system.make_kinematics();
    system.update(s, k);
    return system.kinetic_energy(k) + system.potential_energy(k);
  }
  /// Linear and angular momentum about the origin: M v summed with the motions of the whole.
  Vector6d momentum(const State& s) const {
    Kinematics k = system.make_kinematics();
    Residual r = system.make_residual();
    State moving = s;  // M v is the residual that velocities in the place of accelerations give
    moving.a = s.v, moving.v.setZero();
    system.update(moving, k);
    system.residual(k, r);
    VectorXd p = r.motion;
    moving.a.setZero();
    system.residual(k, r);
    p -= r.motion;
    Vector6d sum = Vector6d::Zero();
    for (size_t n = 1; n < system.nodes().size(); ++n) {
      const FrameNode& node = system.nodes()[n];
      const Vector3d force = p.segment<3>(node.v), turn = p.segment<3>(node.v + 3);
      sum.head<3>() += force;
      sum.tail<3>() += k.frames[n].p.cross(force) + k.frames[n].R * turn;
    }
    return sum;
  }
};

State run(const System& system, State s, I type, double h, int steps, std::optional<int> order = {}) {
  RunSettings settings;
  settings.integrator = type;
  settings.order = order;
  const auto integrator = make_integrator(system, settings);
  integrator->start(s);
  for (int i = 0; i < steps; ++i)
    if (integrator->step(h, s).status != StepStatus::accepted) {
      ADD_FAILURE() << name_of(type) << ": step " << i;
      break;
    }
  return s;
}

class FreeBeams : public ::testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(Nodes, FreeBeams, ::testing::Values(2, 3, 4), ::testing::PrintToStringParamName());

/// The method of fifth order leaves no error but round-off.
TEST_P(FreeBeams, KeepTheirMomentum) {
  const FreeBeam beam(GetParam(), 0, false);
  const Vector6d before = beam.momentum(beam.state),
                 after = beam.momentum(run(beam.system, beam.state, I::radau, 2e-3, 300));
  EXPECT_GT(before.head<3>().norm(), 1);
  EXPECT_GT(before.tail<3>().norm(), 1);
  EXPECT_LT((after - before).norm(), 1e-11);
}

/// What is left of the error of the method, (ω h)⁶ = 2e-14 in each step, and of round-off, after 50 s in which it tumbles 20 times.
TEST(FreeBeam, KeepsItsMomentumOverAHundredThousandSteps) {
  const FreeBeam beam(2, 0, false, 1);
  const Vector6d before = beam.momentum(beam.state),
                 after = beam.momentum(run(beam.system, beam.state, I::dopri, 5e-4, 100'000));
  EXPECT_LT((after - before).norm(), 1e-10);
}

/// Steps within which the fastest mode of these beams turns by half a radian; the iteration of the method does not converge for
/// much larger ones.
TEST_P(FreeBeams, NeverGainEnergyByTheEnergyDecayingScheme) {
  for (const double h : {0.002, 0.01}) {
    const FreeBeam beam(GetParam(), 0, false);
    State s = beam.state;
    RunSettings settings;
    settings.integrator = I::energy_decaying;
    const auto integrator = make_integrator(beam.system, settings);
    integrator->start(s);
    double energy = beam.energy(s);
    const double at_start = energy;
    for (int i = 0; i < 60; ++i) {
      ASSERT_EQ(integrator->step(h, s).status, StepStatus::accepted) << h << " step " << i;
      const double now = beam.energy(s);
      EXPECT_LT(now, energy + 1e-9 * at_start) << h << " step " << i;
      energy = now;
    }
    EXPECT_GT(energy, 0.2 * at_start);
  }
}

/// What is lost is what the damping of the material takes; the trapezoidal sum of its power is off by h² ω²/12 of its parts.
TEST_P(FreeBeams, LoseTheEnergyThatTheirDampingTakes) {
  const FreeBeam beam(GetParam(), 0.05);
  const auto power = [&](const State& s) {
    Kinematics k = beam.system.make_kinematics();
    beam.system.update(s, k);
    return beam.system.power(k);
  };
  constexpr double h = 2e-3;
  State s = beam.state;
  double work = -0.5 * h * power(s);
  RunSettings settings;
  settings.integrator = I::radau;
  const auto integrator = make_integrator(beam.system, settings);
  integrator->start(s);
  for (int i = 0; i < 200; ++i) {
    work += h * power(s);
    ASSERT_EQ(integrator->step(h, s).status, StepStatus::accepted);
  }
  work += 0.5 * h * power(s);
  const double lost = beam.energy(s) - beam.energy(beam.state);
  EXPECT_LT(lost, -0.01 * beam.energy(beam.state));
  EXPECT_NEAR(work / lost, 1, 1e-3);
}

struct MethodOrder {
  I type;
  double order, h;
  std::optional<int> formula = {};  ///< of BDF
};

class BeamOrderInTime : public ::testing::TestWithParam<MethodOrder> {};

/// All but the Hamiltonian formulas, which take no rotations, and the explicit one of fifth order: between steps that it survives and
/// round-off its error falls with the sixth power. It and Radau IIA are each other's reference, with steps of 1 ms.
TEST_P(BeamOrderInTime, IsThatOfTheMethod) {
  const auto& [type, order, h, formula] = GetParam();
  const FreeBeam beam(2, 0.02);
  constexpr double kEnd = 0.8;
  static const State exact = run(beam.system, beam.state, type == I::radau ? I::dopri : I::radau, 1e-3, 800);
  double error[2];
  for (const int i : {0, 1}) {
    const State s = run(beam.system, beam.state, type, h / (1 << i), std::lround(kEnd / h) << i, formula);
    VectorXd difference(beam.system.velocities());
    beam.system.manifold().difference(exact.q, s.q, difference);
    error[i] = difference.norm() + (s.v - exact.v).norm();
  }
  EXPECT_NEAR(std::log2(error[0] / error[1]), order, 0.3) << error[0] << " " << error[1];
}

INSTANTIATE_TEST_SUITE_P(Methods, BeamOrderInTime,
                         ::testing::Values(MethodOrder{I::hht, 2, 0.01}, MethodOrder{I::newmark, 2, 0.01},
                                           MethodOrder{I::generalized_alpha, 2, 0.01},
                                           MethodOrder{I::midpoint, 2, 0.01}, MethodOrder{I::nstiff, 2, 0.005},
                                           MethodOrder{I::bdf, 2, 0.005}, MethodOrder{I::radau, 5, 0.08},
                                           MethodOrder{I::radau_1, 1, 0.002}, MethodOrder{I::energy_decaying, 2, 0.01},
                                           MethodOrder{I::nstiff_si2, 2, 0.005}, MethodOrder{I::hht_add, 2, 0.01},
                                           MethodOrder{I::hht_si2, 2, 0.01}, MethodOrder{I::rk4, 4, 0.02},
                                           MethodOrder{I::bdf, 1, 0.002, 1}, MethodOrder{I::bdf, 3, 0.004, 3},
                                           MethodOrder{I::bdf, 4, 0.004, 4}, MethodOrder{I::bdf, 5, 0.004, 5},
                                           MethodOrder{I::penalty_euler, 1, 0.002}, MethodOrder{I::al_euler, 1, 0.002},
                                           MethodOrder{I::penalty, 2, 0.005}, MethodOrder{I::al, 2, 0.005},
                                           MethodOrder{I::alnr, 2, 0.005}, MethodOrder{I::ali3, 2, 0.005}),
                         [](const auto& method) {
                           std::string name = name_of(method.param.type);
                           std::erase(name, '-');
                           return name + (method.param.formula ? std::to_string(*method.param.formula) : "");
                         });

}  // namespace beam_dynamics_test
}  // namespace bricard::testing
