// SPDX-License-Identifier: Apache-2.0
#include "bricard/solve/linear_solver.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <memory>
#include <random>
#include <string>

#include "bricard/solve/dense_solver.h"
#include "bricard/solve/klu_solver.h"
#include "bricard/solve/skyline_solver.h"

namespace bricard {
namespace linear_solver_test {

using Eigen::MatrixXd;

/// X is block (a, b), Yᵀ is block (b, a); a diagonal block has no Y.
struct Part {
  int a, b;
  MatrixXd X, Y;
};

struct Problem {
  std::vector<UnknownBlock> blocks;
  std::vector<Part> parts;

  int unknowns() const { return blocks.empty() ? 0 : blocks.back().first + blocks.back().size; }

  std::vector<Coupling> couplings() const {
    std::vector<Coupling> list;
    for (const Part& p : parts) list.push_back({p.a, p.b});
    return list;
  }

  MatrixXd matrix() const {
    MatrixXd A = MatrixXd::Zero(unknowns(), unknowns());
    for (const auto& [a, b, X, Y] : parts) {
      if (a < 0 || b < 0) continue;
      A.block(blocks[a].first, blocks[b].first, X.rows(), X.cols()) += X;
      if (a != b) A.block(blocks[b].first, blocks[a].first, X.cols(), X.rows()) += Y.transpose();
    }
    return A;
  }
};

/// Adds each part in pieces of at most 3 × 3, as elements do.
void assemble(const Problem& problem, LinearSolver& solver) {
  Tangent T;
  T.lower = solver.lower();
  T.upper = solver.upper();
  for (const auto& [a, b, X, Y] : problem.parts) {
    const Slot slot = solver.slot(a, b);
    for (int r = 0; r < X.rows(); r += 3)
      for (int c = 0; c < X.cols(); c += 3) {
        const int rows = std::min<int>(3, X.rows() - r), columns = std::min<int>(3, X.cols() - c);
        const MatrixXd x = X.block(r, c, rows, columns);
        if (a == b && a >= 0) {
          T.add_diagonal(slot, r, c, x);
        } else if (X == Y) {
          T.add_symmetric(slot, r, c, x);
        } else {
          T.add_pair(slot, r, c, x, MatrixXd(Y.block(r, c, rows, columns)));
        }
      }
  }
}

FactorReport factorize(const Problem& problem, LinearSolver& solver) {
  solver.clear();
  assemble(problem, solver);
  return solver.factorize();
}

/// What the solver should have factorized.
MatrixXd reference_matrix(const Problem& problem, LinearSolver& solver) {
  const MatrixXd A = problem.matrix();
  return solver.upper() ? A : MatrixXd(0.5 * (A + A.transpose()));
}

/// Random matrices of mechanisms: S and springs unsymmetric by a few per cent, multipliers with −ε.
class Builder {
 public:
  explicit Builder(int seed) : random_(seed) {}

  int integer(int low, int high) { return std::uniform_int_distribution<int>(low, high)(random_); }

  MatrixXd matrix(int rows, int columns) {
    std::uniform_real_distribution<double> entry(-1, 1);
    MatrixXd X(rows, columns);
    for (double& x : X.reshaped()) x = entry(random_);
    return X;
  }

  VectorXd vector(int size) { return matrix(size, 1); }

  int coordinates(int size) {
    const MatrixXd X = matrix(size, size);
    return block(size, false, MatrixXd::Identity(size, size) + X * X.transpose() + 0.05 * matrix(size, size));
  }

  void spring(int a, int b) {
    const MatrixXd K = 0.1 * matrix(size(a), size(b));
    problem.parts.push_back({a, b, K, K + 0.01 * matrix(size(a), size(b))});
  }

  /// Written as (λ, body) or (body, λ); −1 is ground.
  void joint(int a, int b, int rows, double epsilon = 1e-8) {
    const int multiplier = block(rows, true, -epsilon * MatrixXd::Identity(rows, rows));
    for (const int body : {a, b}) {
      const MatrixXd G = matrix(rows, size(body));
      if (integer(0, 1)) {
        problem.parts.push_back({multiplier, body, G, G});
      } else {
        problem.parts.push_back({body, multiplier, G.transpose(), G.transpose()});
      }
    }
  }

  Problem problem;

 private:
  int size(int block) const { return block < 0 ? 6 : problem.blocks[block].size; }

  int block(int size, bool multiplier, const MatrixXd& diagonal) {
    const int index = static_cast<int>(problem.blocks.size());
    problem.blocks.push_back({problem.unknowns(), size, multiplier});
    problem.parts.push_back({index, index, diagonal, {}});
    return index;
  }

  std::mt19937 random_;
};

Problem chain(int bodies, int seed) {
  Builder b(seed);
  for (int i = 0; i < bodies; ++i) b.coordinates(6);
  for (int i = 0; i < bodies; ++i) b.joint(i - 1, i, b.integer(1, 5));
  return b.problem;
}

Problem loops(int bodies, int seed) {
  Builder b(seed);
  for (int i = 0; i < bodies; ++i) b.coordinates(6);
  for (int i = 0; i < bodies; ++i) b.joint(i - 1, i, b.integer(1, 4));
  b.joint(bodies - 1, -1, 2);
  for (int i = 0; i + 4 < bodies; i += 3) b.joint(i + 4, i, 2);
  return b.problem;
}

Problem tree(int bodies, int seed) {
  Builder b(seed);
  for (int i = 0; i < bodies; ++i) b.coordinates(i % 3 ? 6 : b.integer(1, 6));
  for (int i = 0; i < bodies; ++i) b.joint(b.integer(-1, i - 1), i, 1);
  for (int i = 0; i < bodies; ++i) {
    const int other = b.integer(-1, bodies - 1);
    if (other != i) b.spring(i, other);
  }
  return b.problem;
}

std::vector<Problem> mechanisms() {
  return {chain(1, 1), chain(2, 2), chain(20, 3), loops(5, 4), loops(30, 5), tree(10, 6), tree(60, 7)};
}

class EverySolver : public ::testing::TestWithParam<SolverType> {
 protected:
  std::unique_ptr<LinearSolver> make(const Problem& p) const {
    return make_linear_solver(GetParam(), p.blocks, p.couplings());
  }
};

/// Relative error: round-off 1e-16 times condition numbers up to 1e4, ε not counted, and some room.
constexpr double tolerance = 1e-11;

TEST_P(EverySolver, SolvesLikeFullPivoting) {
  Builder random(100);
  for (const Problem& problem : mechanisms()) {
    const auto solver = make(problem);
    EXPECT_TRUE(factorize(problem, *solver).healthy);
    const VectorXd b = random.vector(problem.unknowns());
    const VectorXd expected = reference_matrix(problem, *solver).fullPivLu().solve(b);
    VectorXd x = b;
    solver->solve(x);
    EXPECT_LT((x - expected).norm(), tolerance * expected.norm()) << problem.unknowns();
  }
}

TEST_P(EverySolver, GivesTheSameBitsAgain) {
  Builder random(100);
  for (const Problem& problem : mechanisms()) {
    const auto solver = make(problem);
    const VectorXd b = random.vector(problem.unknowns());
    VectorXd first;
    for (int k = 0; k < 3; ++k) {
      factorize(problem, *solver);
      VectorXd x = b;
      solver->solve(x);
      if (k == 0) first = x;
      EXPECT_EQ(x, first);
    }
  }
}

TEST_P(EverySolver, SolvesSeveralMatricesOfOnePattern) {
  Builder random(100);
  const auto solver = make(loops(12, 1));
  for (int seed = 1; seed < 6; ++seed) {
    Problem problem = loops(12, 1);
    for (Part& p : problem.parts)
      if (p.a != p.b && p.b >= 0) p.X = p.Y = random.matrix(p.X.rows(), p.X.cols());
    EXPECT_TRUE(factorize(problem, *solver).healthy);
    const VectorXd b = random.vector(problem.unknowns());
    const VectorXd expected = reference_matrix(problem, *solver).fullPivLu().solve(b);
    VectorXd x = b;
    solver->solve(x);
    EXPECT_LT((x - expected).norm(), tolerance * expected.norm());
  }
}

TEST_P(EverySolver, NeverReadsBlocksOfGround) {
  const MatrixXd poison = MatrixXd::Constant(6, 6, std::numeric_limits<double>::quiet_NaN());
  for (const Problem& problem : mechanisms()) {
    Problem poisoned = problem;
    for (const auto& [a, b, acts] : {Coupling{-1, -1}, {0, -1}, {-1, 0}})
      poisoned.parts.push_back({a, b, poison, poison});
    const VectorXd b = Builder(100).vector(problem.unknowns());
    VectorXd x = b, y = b;
    const auto solver = make(problem), poisoned_solver = make(poisoned);
    factorize(problem, *solver);
    factorize(poisoned, *poisoned_solver);
    solver->solve(x);
    poisoned_solver->solve(y);
    EXPECT_EQ(x, y);
  }
}

TEST_P(EverySolver, SolvesAroundAFreeBlockAndAnEmptyJoint) {
  Builder builder(8);
  builder.coordinates(6);
  builder.coordinates(3);
  builder.joint(-1, 0, 3);
  builder.joint(-1, -1, 2);
  const Problem& problem = builder.problem;
  const auto solver = make(problem);
  EXPECT_TRUE(factorize(problem, *solver).healthy);
  const VectorXd b = builder.vector(problem.unknowns());
  const VectorXd expected = reference_matrix(problem, *solver).fullPivLu().solve(b);
  VectorXd x = b;
  solver->solve(x);
  EXPECT_LT((x - expected).norm(), tolerance * expected.norm());
}

/// The second joint repeats the first; neither has an ε.
Problem redundant() {
  Builder b(9);
  for (int i = 0; i < 4; ++i) b.coordinates(6);
  for (int i = 0; i < 4; ++i) b.joint(i - 1, i, 3, 0);
  b.joint(2, 3, 3, 0);
  std::vector<Part>& parts = b.problem.parts;
  const std::size_t last = parts.size();
  const MatrixXd G = b.matrix(3, 6), H = b.matrix(3, 6);
  for (const std::size_t k : {last - 6, last - 3}) {  // each joint: its diagonal, then two blocks
    parts[k + 1] = {parts[k].a, 2, G, G};
    parts[k + 2] = {parts[k].a, 3, H, H};
  }
  return b.problem;
}

TEST_P(EverySolver, ReportsASingularMatrixAndRecovers) {
  Problem problem = redundant();
  const auto solver = make(problem);
  EXPECT_FALSE(factorize(problem, *solver).healthy);
  VectorXd x = VectorXd::Ones(problem.unknowns());
  solver->solve(x);

  for (Part& p : problem.parts)
    if (p.a == p.b && problem.blocks[p.a].multiplier) p.X.diagonal().setConstant(-1e-4);
  EXPECT_TRUE(factorize(problem, *solver).healthy);
  x.setOnes();
  solver->solve(x);
  const VectorXd residual = reference_matrix(problem, *solver) * x - VectorXd::Ones(x.size());
  EXPECT_LT(residual.norm(), 1e-9);
}

TEST_P(EverySolver, ReportsZeroAndNotFiniteMatrices) {
  for (const double value : {0.0, std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
    Problem problem = loops(6, 10);
    for (Part& p : problem.parts) p.X = p.Y = MatrixXd::Constant(p.X.rows(), p.X.cols(), value);
    const auto solver = make(problem);
    EXPECT_FALSE(factorize(problem, *solver).healthy) << value;
    VectorXd x = VectorXd::Ones(problem.unknowns());
    solver->solve(x);
    EXPECT_TRUE(factorize(loops(6, 10), *solver).healthy);
  }
}

// The second pivot is 5 (1 + ratio) − 5: what is left of 5.
TEST_P(EverySolver, ReportsASmallPivot) {
  Problem problem;
  problem.blocks = {{0, 2, false}};
  for (const double ratio : {std::ldexp(1.0, -40), 0.0}) {
    MatrixXd A(2, 2);
    A << 5, 5, 5, 5 * (1 + ratio);
    problem.parts = {{0, 0, A, {}}};
    const auto solver = make(problem);
    const FactorReport report = factorize(problem, *solver);
    EXPECT_EQ(report.healthy, ratio > 0);
    EXPECT_NEAR(report.smallest_pivot, ratio, 1e-3 * ratio);
  }
}

std::string type_name(const ::testing::TestParamInfo<SolverType>& type) {
  switch (type.param) {
    case SolverType::automatic: return "automatic";
    case SolverType::dense: return "dense";
    case SolverType::skyline: return "skyline";
    case SolverType::sparse_ldlt: return "sparse_ldlt";
    case SolverType::sparse_lu: return "sparse_lu";
    case SolverType::klu: return "klu";
  }
  return "";
}

INSTANTIATE_TEST_SUITE_P(LinearSolver, EverySolver,
                         ::testing::Values(SolverType::automatic, SolverType::dense, SolverType::skyline,
                                           SolverType::sparse_ldlt, SolverType::sparse_lu, SolverType::klu),
                         type_name);

TEST(LinearSolver, IsSparseIfNotChosen) {
  const std::vector<UnknownBlock> blocks{{0, 6, false}, {6, 5, true}};
  EXPECT_STREQ(make_linear_solver(SolverType::automatic, blocks, {{0, 1}})->name(), "sparse-ldlt");
}

/// Pendulum with a root spring at rest: q = (0, 1), φ = 0, m = ℓ = s = 1, k h² -> 0, with the
/// penalty ρ GᵀG, G = [0 2 0; 1 0 1].                                  [Bauchau2009,
/// eqs. (29), (36)]
Problem pendulum_at_rest(double rho) {
  Eigen::Matrix<double, 2, 3> G;
  G << 0, 2, 0, 1, 0, 1;
  const MatrixXd S = Vector3d(2, 2, 0).asDiagonal().toDenseMatrix() + rho * G.transpose() * G;
  return {{{0, 3, false}, {3, 2, true}}, {{0, 0, S, {}}, {1, 0, G, G}}};
}

TEST(SkylineSolver, HasThePivotsOfTheAugmentedPendulum) {
  const Problem problem = pendulum_at_rest(1);
  SkylineSolver solver(problem.blocks, problem.couplings(), {0, 1});
  EXPECT_TRUE(factorize(problem, solver).healthy);
  VectorXd expected(5);
  expected << 3, 6, 2.0 / 3, -2.0 / 3, -1;
  EXPECT_LT((solver.pivots() - expected).norm(), 1e-14);
}

TEST(SkylineSolver, FailsOnThePendulumWithoutPenaltyWherePivotingDoesNot) {
  const Problem problem = pendulum_at_rest(0);
  SkylineSolver skyline(problem.blocks, problem.couplings(), {0, 1});
  EXPECT_FALSE(factorize(problem, skyline).healthy);
  EXPECT_EQ(skyline.pivots().head<3>(), Vector3d(2, 2, 0));
  DenseSolver dense(problem.blocks);
  EXPECT_TRUE(factorize(problem, dense).healthy);
  KluSolver klu(problem.blocks, problem.couplings());
  EXPECT_TRUE(factorize(problem, klu).healthy);
}

TEST(SkylineSolver, OrdersAShuffledChainWithinItsBand) {
  const std::vector<int> name{4, 0, 6, 2, 7, 1, 5, 3};  // of the bodies along the chain
  Builder b(11);
  for (std::size_t i = 0; i < name.size(); ++i) b.coordinates(6);
  b.joint(-1, name[0], 5);
  for (std::size_t i = 1; i < name.size(); ++i) b.joint(name[i - 1], name[i], 5);
  const std::vector<int> order = profile_order(b.problem.blocks, b.problem.couplings());

  std::vector<int> bodies, place(order.size());
  for (std::size_t k = 0; k < order.size(); ++k) {
    place[order[k]] = static_cast<int>(k);
    if (order[k] < 8) bodies.push_back(order[k]);
  }
  EXPECT_TRUE(bodies == name || std::equal(bodies.begin(), bodies.end(), name.rbegin()));
  for (int joint = 9; joint < 16; ++joint) {  // block 8 hangs the first body on ground
    const int last = std::max(place[name[joint - 9]], place[name[joint - 8]]);
    EXPECT_GT(place[joint], last);
    EXPECT_LE(place[joint], last + 2);
  }
}

TEST(SkylineSolver, GivesTheSameSolutionInEveryOrder) {
  const Problem problem = tree(12, 12);
  std::vector<int> order(problem.blocks.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = static_cast<int>(i);
  SkylineSolver natural(problem.blocks, problem.couplings(), order);
  SkylineSolver ordered(problem.blocks, problem.couplings());
  EXPECT_LT(ordered.bytes(), natural.bytes());
  VectorXd x = Builder(1).vector(problem.unknowns()), y = x;
  factorize(problem, natural);
  natural.solve(x);
  factorize(problem, ordered);
  ordered.solve(y);
  EXPECT_LT((x - y).norm(), tolerance * x.norm());
}

/// Two unknowns whose good pivots lie on the diagonal, or beside it.
Problem two_by_two(double diagonal, double beside) {
  const auto one = [](double x) { return MatrixXd::Constant(1, 1, x); };
  return {{{0, 1, false}, {1, 1, false}},
          {{0, 0, one(diagonal), {}}, {1, 1, one(diagonal), {}}, {0, 1, one(beside), one(-beside)}}};
}

TEST(KluSolver, KeepsGoodPivotsAndReplacesBadOnes) {
  const Problem on_diagonal = two_by_two(1, 0.5);
  KluSolver solver(on_diagonal.blocks, on_diagonal.couplings());
  for (const double diagonal : {1.0, 2.0, 0.3}) factorize(two_by_two(diagonal, 0.5), solver);
  EXPECT_EQ(solver.pivot_searches(), 1);
  for (const double diagonal : {0.0, 1e-12}) {
    EXPECT_TRUE(factorize(two_by_two(diagonal, 0.5), solver).healthy);
    VectorXd x = Eigen::Vector2d(1, 3);
    solver.solve(x);
    EXPECT_LT((x - Eigen::Vector2d(-6, 2)).norm(), 1e-10);
  }
  EXPECT_EQ(solver.pivot_searches(), 2);
}

}  // namespace linear_solver_test
}  // namespace bricard
