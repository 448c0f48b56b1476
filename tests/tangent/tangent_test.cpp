// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "bricard/assemble/assemble.h"
#include "bricard/read/model_reader.h"
#include "bricard/solve/newton_system.h"
#include "generators/samples.h"
#include "tangent/random_system.h"

// Is the matrix of the Newton system the derivative of its residual? One test, run over all elements.
namespace bricard::testing {
namespace tangent_test {

using Eigen::MatrixXd;

/// Moves (z, λ̂) by `step` times a direction the way the form says: q along it, v + w_v T⁻¹dz, a + w_a T⁻¹dz,
/// λ + (s/c) dλ̂.
State moved(const System& system, const State& s, const NewtonForm& form, const std::vector<Matrix3d>& chart,
            const Direction& direction, double step) {
  VectorXd ddelta = step * direction.unknowns.head(system.velocities());
  for (size_t i = 1; i < system.nodes().size(); ++i) {
    if (system.nodes()[i].block < 0) continue;
    const int v = system.nodes()[i].v + 3;
    ddelta.segment<3>(v) = chart[i] * Vector3d(ddelta.segment<3>(v));
  }
  State m = s;
  m.q = direction.q(form.q * step);
  m.v += form.v * ddelta;
  m.a += form.a * ddelta;
  m.lambda += form.scale / form.factor * step * direction.unknowns.tail(system.multipliers());
  return m;
}

/// (c r, s g) with the augmented term; −ε is not part of the residual.
VectorXd rows(const System& system, const State& s, const NewtonForm& form) {
  Kinematics k = system.make_kinematics();
  Residual r = system.make_residual();
  r.penalty = form.q != 0 ? form.augmentation * form.scale / form.factor : 0;
  r.rate = form.rate();
  system.update(s, k);
  system.residual(k, r);
  VectorXd x(system.unknowns());
  x << form.factor * r.motion.head(system.velocities()), form.scale * r.constraint;
  return x;
}

/// Differences need states at which no element is next to a place where it is not smooth: a knot of a curve, an angle without
/// a direction. These are such states, for frames of each kind.
unsigned seed_of(FrameKind kind, const std::array<unsigned, 3>& seeds) { return seeds[static_cast<size_t>(kind)]; }

class TangentTest : public ::testing::TestWithParam<ElementCase> {};

void expect_derivative_of_the_residual(const System& system, FrameKind frames, unsigned seed) {
  const State s = random_state(system, frames, seed);
  Kinematics k = system.make_kinematics();
  system.update(s, k);
  std::vector<Matrix3d> chart(system.nodes().size(), Matrix3d::Identity());
  for (size_t i = 1; i < chart.size(); ++i)
    if (system.nodes()[i].block >= 0) chart[i] = tangent_operator_inverse(Vector3d(0.2, -0.1 * i, 0.3));
  NewtonSystem newton(system, SolverType::dense);
  constexpr Regularization none{0, false};
  const NewtonForm forms[] = {{1, 1, 0, 0, 1, 0, none},  // c, ∂q/∂z, ∂v/∂z, ∂a/∂z, s, ρ
                              {1, 0, 1, 0, 1, 0, none},
                              {1, 0, 0, 1, 1, 0, none},
                              {0.3, 1, 2, 5, 1.7, 0, none},
                              {0.3, 1, 2, 5, 1.7, 0.9, none}};
  for (const NewtonForm& form : forms) {
    const MatrixXd exact = newton.dense_matrix(k, chart, form);
    const double h = 1e-3;  // fourth-order differences: truncation 1e-12, round-off 1e-12
    for (const Direction& direction : directions(system, s, frames)) {
      const auto at = [&](double x) { return rows(system, moved(system, s, form, chart, direction, x), form); };
      const VectorXd column = (8 * (at(h) - at(-h)) - (at(2 * h) - at(-2 * h))) / (12 * h);
      // G stands in the matrix whatever the weights; its rows move only with q, and velocity rows with q and v
      const int compared = form.q != 0 ? system.unknowns() : system.velocities();
      VectorXd error = (exact * direction.unknowns - column).head(compared);
      for (const int row : system.velocity_rows())
        if (form.q != 0 && form.v == 0) error[system.velocities() + row] = 0;
      EXPECT_LT(error.lpNorm<Eigen::Infinity>(), 2e-9)
          << "direction " << direction.unknowns.transpose() << ", weights " << form.q << form.v << form.a;
    }
  }
}

TEST_P(TangentTest, IsTheDerivativeOfTheResidual) {
  expect_derivative_of_the_residual(make_system(GetParam()), GetParam().frames,
                                    seed_of(GetParam().frames, {7, 10, 25}));
}

TEST(FollowerTangent, IsTheDerivativeOfTheResidualNextToTheFramesItFollows) {
  const ElementCase springs{"", [](System& s) { add_springs_to_followed_frames(s); }, FrameKind::modal};
  expect_derivative_of_the_residual(make_system(springs), FrameKind::modal, 25);
}

// As the assembler makes them of models.
TEST(TangentOfModels, EveryKindOfForceAndJointIsTheDerivativeOfTheResidual) {
  constexpr unsigned kSeed = 1;
  for (const std::string& word : force_words()) {
    SCOPED_TRACE(word);
    for (const Keys& sample : samples_of_force(word)) {
      const std::string text = model_with_force(word, sample);
      SCOPED_TRACE(text);
      expect_derivative_of_the_residual(assemble(io::read_model_text(text, "test.yaml")), FrameKind::own, kSeed);
    }
  }
  for (const JointKind& kind : kJointKinds) {
    SCOPED_TRACE(kind.word);
    expect_derivative_of_the_residual(assemble(io::read_model_text(model_with_joint(kind), "test.yaml")),
                                      FrameKind::own, kSeed);
  }
}

TEST_P(TangentTest, SymmetricStorageHoldsTheAverageOfBothTriangles) {
  const System system = make_system(GetParam());
  const State s = random_state(system, GetParam().frames, 9);
  Kinematics k = system.make_kinematics();
  system.update(s, k);
  const std::vector<Matrix3d> chart(system.nodes().size(), Matrix3d::Identity());
  const NewtonForm form{0.1, 1, 20, 400, 1.5, 0.5, {0, false}};
  NewtonSystem newton(system, SolverType::sparse_ldlt);
  const MatrixXd A = newton.dense_matrix(k, chart, form);
  VectorXd b = VectorXd::LinSpaced(system.unknowns(), -1, 1), x = b;
  newton.factorize(k, chart, form);
  newton.solve(x);
  const VectorXd expected = (0.5 * (A + A.transpose())).fullPivLu().solve(b);
  EXPECT_LT((x - expected).norm(), 1e-7 * expected.norm());
}

INSTANTIATE_TEST_SUITE_P(AllElements, TangentTest, ::testing::ValuesIn(all_element_cases()),
                         [](const auto& element) { return element.param.name; });

class RatesTest : public ::testing::TestWithParam<ElementCase> {};

/// The state at time s.t + x when the accelerations stay s.a: exact to second order, which central differences see.
State drifted(const System& system, const State& s, double x) {
  State m = s;
  m.t += x;
  VectorXd delta = x * s.v + 0.5 * x * x * s.a;
  system.manifold().retract(s.q, delta, m.q);
  m.v = s.v + x * s.a;
  return m;
}

TEST_P(RatesTest, AreTimeDerivativesOfTheConstraint) {
  const System system = make_system(GetParam());
  const State s = random_state(system, GetParam().frames, seed_of(GetParam().frames, {3, 4, 4}));
  const int n = system.multipliers();
  VectorXd rate(n), bias(n), rate_plus(n), rate_minus(n), unused(n);
  Kinematics k = system.make_kinematics();
  Residual plus = system.make_residual(), minus = plus;
  system.update(s, k);
  system.constraint_rates(k, rate, bias);
  NewtonSystem newton(system, SolverType::dense);
  const std::vector<Matrix3d> chart(system.nodes().size(), Matrix3d::Identity());
  const MatrixXd G = newton.dense_matrix(k, chart, {1, 1, 0, 0, 1}).bottomLeftCorner(n, system.velocities());
  const double h = 1e-5;
  const auto evaluate = [&](double x, Residual& r, VectorXd& rates) {
    const State m = drifted(system, s, x);
    system.update(m, k);
    system.residual(k, r);
    system.constraint_rates(k, rates, unused);
  };
  evaluate(h, plus, rate_plus);
  evaluate(-h, minus, rate_minus);
  VectorXd of_positions = (plus.constraint - minus.constraint) / (2 * h) - rate;
  for (const int row : system.velocity_rows()) of_positions[row] = 0;
  EXPECT_LT(of_positions.lpNorm<Eigen::Infinity>(), 1e-8);
  EXPECT_LT(((rate_plus - rate_minus) / (2 * h) - G * s.a - bias).lpNorm<Eigen::Infinity>(), 1e-8);
}

INSTANTIATE_TEST_SUITE_P(Constraints, RatesTest, ::testing::ValuesIn([] {
                           std::vector<ElementCase> with_rows;
                           for (const ElementCase& e : all_element_cases())
                             if (make_system(e).multipliers() > 0) with_rows.push_back(e);
                           return with_rows;
                         }()),
                         [](const auto& element) { return element.param.name; });

/// Energy books: dT/dt + dV/dt = power of what is not conservative, for any state (constraints by their multipliers).
class PowerTest : public ::testing::TestWithParam<ElementCase> {};

TEST_P(PowerTest, BalancesTheChangeOfEnergy) {
  const System system = make_system(GetParam());
  State s = random_state(system, GetParam().frames, 5);
  s.lambda.setZero();
  s.a.setZero();
  Kinematics k = system.make_kinematics();
  Residual r = system.make_residual();
  system.update(s, k);
  system.residual(k, r);
  // with r = 0 the books would be even; without acceleration the forces that are left over do the work v·r
  for (const StateInfo& x : system.states) r.motion[x.v] = 0;
  const double left_over = s.v.dot(r.motion.head(system.velocities()));
  const double power = system.power(k), h = 1e-5;
  const auto energy = [&](double x) {
    const State m = drifted(system, s, x);
    system.update(m, k);
    return system.kinetic_energy(k) + system.potential_energy(k);
  };
  EXPECT_NEAR((energy(h) - energy(-h)) / (2 * h), power + left_over, 1e-7);
}

/// How forces, states and conditions on velocities change with the named inputs.
TEST_P(PowerTest, InputsHaveExactDerivatives) {
  const System system = make_system(GetParam());
  State s = random_state(system, GetParam().frames, 5);
  Kinematics k = system.make_kinematics();
  Residual exact = system.make_residual(), plus = exact, minus = exact;
  plus.rate = minus.rate = 1;
  for (int i = 0; i < static_cast<int>(system.inputs.size()); ++i) {
    const auto at = [&](double u, Residual& r) {
      s.inputs[i] = u;
      system.update(s, k);
      system.residual(k, r);
    };
    const double h = 1e-5;
    at(0.3 + h, plus);
    at(0.3 - h, minus);
    at(0.3, exact);
    system.input_derivative(k, i, exact);
    EXPECT_LT(((plus.motion - minus.motion) / (2 * h) - exact.motion).lpNorm<Eigen::Infinity>(), 1e-8);
    if (exact.constraint.size()) {
      EXPECT_LT(((plus.constraint - minus.constraint) / (2 * h) - exact.constraint).lpNorm<Eigen::Infinity>(), 1e-8);
    }
    s.inputs[i] = 0;
  }
}

INSTANTIATE_TEST_SUITE_P(AllElements, PowerTest, ::testing::ValuesIn(all_element_cases()),
                         [](const auto& element) { return element.param.name; });

}  // namespace tangent_test
}  // namespace bricard::testing
