// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <complex>

#include "bricard/integrate/integrator.h"
#include "papers/dense_matrices.h"

// A state x with a differential equation of first order, as controllers and friction have it, is a coordinate whose
// velocity is x and whose position nobody looks at. Every integrator carries it along.
//     m ÿ + k y = x + 2 λ,   M ẅ + λ = 0,   w = 2 y,   ẋ = −c x + d ẏ
namespace bricard::testing {
namespace differential_states_test {

constexpr double kSmall = 1, kLarge = 0.5, kSpring = 30, kDecay = 8, kGain = 5;

class Oscillator final : public ElementBatch {
 public:
  Oscillator(int block, int rows) : block_(block), rows_(rows) {}
  const char* kind() const override { return "oscillator"; }
  void add_couplings(std::vector<Coupling>& couplings) const override {
    couplings.push_back({block_, block_});
    couplings.push_back({rows_, block_});
  }
  void add_residual(const Kinematics& k, Residual& r) const override {
    const State& s = *k.state;
    const double force = s.lambda[0] + r.penalty * (s.q[1] - 2 * s.q[0]);
    r.motion[0] += kSmall * s.a[0] + kSpring * s.q[0] - s.v[2] - 2 * force;
    r.motion[1] += kLarge * s.a[1] + force;
    r.motion[2] += s.a[2] + kDecay * s.v[2] - kGain * s.v[0];
    r.constraint[0] += s.q[1] - 2 * s.q[0];
  }
  void add_tangent(const Kinematics&, Tangent& T) const override {
    Eigen::Matrix3d K = Eigen::Matrix3d::Zero();
    K(0, 0) = T.w.a * kSmall + T.w.q * kSpring + 4 * T.w.penalty;
    K(0, 1) = K(1, 0) = -2 * T.w.penalty;
    K(1, 1) = T.w.a * kLarge + T.w.penalty;
    K(0, 2) = -T.w.v;
    K(2, 0) = -T.w.v * kGain;
    K(2, 2) = T.w.a + T.w.v * kDecay;
    T.add_diagonal(T.slots[0], 0, 0, K);
    T.add_symmetric(T.slots[1], 0, 0, Eigen::RowVector3d(-2 * T.w.constraint, T.w.constraint, 0));
  }
  void add_constraint_rates(const Kinematics& k, VectorXd& rate, VectorXd&) const override {
    rate[0] += k.state->v[1] - 2 * k.state->v[0];
  }
  bool is_unsymmetric() const override { return true; }

 private:
  int block_, rows_;
};

System oscillator() {
  System system;
  const int block = system.add_vector_block(3);
  const int rows = system.add_multipliers(1);
  system.add(std::make_unique<Oscillator>(block, rows));
  return system;
}

/// (y, ẏ, x) from the reduced linear equations.
Eigen::Vector3d exact(double t) {
  const double mass = kSmall + 4 * kLarge;
  Eigen::Matrix3d A;
  A << 0, 1, 0, -kSpring / mass, 0, 1 / mass, 0, kGain, -kDecay;
  return dense::exponential(A * t) * Eigen::Vector3d(0.3, -1, 2);
}

State start_state(const System& system) {
  State s = system.make_state();
  s.q << 0.3, 0.6, 0;
  s.v << -1, -2, 2;
  const double y = (-kSpring * 0.3 + 2) / (kSmall + 4 * kLarge);
  s.a << y, 2 * y, -kDecay * 2 - kGain;
  s.lambda[0] = -kLarge * 2 * y;
  return s;
}

/// Errors of y, ẏ, x and λ within one second, root mean square over ten times.
Eigen::Vector4d errors_of(const RunSettings& settings, int steps) {
  const System system = oscillator();
  State s = start_state(system);
  const std::unique_ptr<Integrator> integrator = make_integrator(system, settings);
  integrator->start(s);
  Eigen::Vector4d squares = Eigen::Vector4d::Zero();
  for (int part = 1; part <= 10; ++part) {
    for (int i = 0; i < steps / 10; ++i) EXPECT_EQ(integrator->step(1.0 / steps, s).status, StepStatus::accepted);
    const Eigen::Vector3d e = exact(0.1 * part);
    const double force = -2 * kLarge * (-kSpring * e[0] + e[2]) / (kSmall + 4 * kLarge);
    squares += Eigen::Vector4d(s.q[0] - e[0], s.v[0] - e[1], s.v[2] - e[2], s.lambda[0] - force).cwiseAbs2();
  }
  return (squares / 10).cwiseSqrt();
}

struct Case {
  const char* name;
  IntegratorType type;
  double order;
  int steps;
  int bdf_order = 0;
};

void PrintTo(const Case& c, std::ostream* out) { *out << c.name; }

class DifferentialStates : public ::testing::TestWithParam<Case> {};

TEST_P(DifferentialStates, AreAsExactAsVelocities) {
  RunSettings s;
  s.integrator = GetParam().type;
  s.tolerance = 1e-12;
  if (GetParam().bdf_order) s.order = GetParam().bdf_order;
  const Eigen::Vector4d coarse = errors_of(s, GetParam().steps), fine = errors_of(s, 2 * GetParam().steps);
  for (int i = 0; i < 4; ++i) EXPECT_NEAR(std::log2(coarse[i] / fine[i]), GetParam().order, 0.1) << "value " << i;
}

using I = IntegratorType;
INSTANTIATE_TEST_SUITE_P(Methods, DifferentialStates,
                         ::testing::Values(Case{"Hht", I::hht, 2, 400}, Case{"Newmark", I::newmark, 2, 400},
                                           Case{"GeneralizedAlpha", I::generalized_alpha, 2, 400},
                                           Case{"Midpoint", I::midpoint, 2, 400}, Case{"Nstiff", I::nstiff, 2, 800},
                                           Case{"NstiffSi2", I::nstiff_si2, 2, 800}, Case{"HhtSi2", I::hht_si2, 2, 400},
                                           Case{"HhtAdd", I::hht_add, 2, 400}, Case{"Bdf3", I::bdf, 3, 400, 3},
                                           Case{"Bdf5", I::bdf, 5, 200, 5}, Case{"Radau", I::radau, 5, 20},
                                           Case{"RadauOneStage", I::radau_1, 1, 2000}, Case{"Rk4", I::rk4, 4, 100},
                                           Case{"Dopri", I::dopri, 5, 100}),
                         [](const auto& i) { return i.param.name; });

}  // namespace differential_states_test
}  // namespace bricard::testing
