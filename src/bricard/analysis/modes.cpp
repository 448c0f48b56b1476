// SPDX-License-Identifier: Apache-2.0
#include "bricard/analysis/modes.h"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <optional>
#include <random>
#include <set>

#include "bricard/analysis/mechanism_graph.h"

namespace bricard {
namespace {

constexpr int kLanczosSteps = 60;
constexpr int kShifts = 8;              // at most, for the softest mode
constexpr double kSettled = 1e-6;       // relative change of its stiffness from shift to shift
constexpr double kNothing = 1e-12;      // stiffness relative to the largest below which there is none
constexpr int kDense = 300;             // velocities; up to here all modes are found at once
constexpr double kIndependent = 1e-9;   // smaller pivots of normed constraint rows count as zero
constexpr double kNothingMoves = 1e-7;  // of a random velocity after projection
constexpr double kMoves = 1e-5;         // of the largest change
constexpr double kExhausted = 1e-9;     // a new Lanczos vector this small: the space is complete

VectorXd random_vector(int n, unsigned seed) {
  std::mt19937 generator(seed);
  std::normal_distribution<double> normal;
  return VectorXd::NullaryExpr(n, [&] { return normal(generator); });
}

using Operator = std::function<VectorXd(const VectorXd&)>;

struct Ritz {
  VectorXd values;
  Eigen::MatrixXd vectors;  ///< in columns, M-orthonormal
};

/// Lanczos with full orthogonalization in the inner product of M; A must be symmetric in it. Products with M go along with
/// their vectors, one for each and sweep.
Ritz lanczos(const Operator& A, const SparseRows& M, VectorXd start) {
  std::vector<VectorXd> basis, images;
  std::vector<double> diagonal, beside;
  start /= std::sqrt(start.dot(M * start));
  for (int i = 0; i < kLanczosSteps; ++i) {
    basis.push_back(start);
    images.emplace_back(M * start);
    VectorXd next = A(start), image = M * next;
    const double size = std::sqrt(std::abs(next.dot(image)));
    diagonal.push_back(next.dot(images.back()));
    for (int twice = 0; twice < 2; ++twice) {
      for (size_t j = 0; j < basis.size(); ++j) {
        const double part = basis[j].dot(image);
        next -= part * basis[j];
        image -= part * images[j];
      }
      image = M * next;
    }
    const double rest = std::sqrt(std::max(0.0, next.dot(image)));
    if (!(rest > kExhausted * size)) break;
    beside.push_back(rest);
    start = next / rest;
  }
  const int m = static_cast<int>(basis.size());
  Eigen::MatrixXd T = Eigen::MatrixXd::Zero(m, m), V(basis[0].size(), m);
  for (int i = 0; i < m; ++i) {
    T(i, i) = diagonal[i];
    if (i + 1 < m) T(i, i + 1) = T(i + 1, i) = beside[i];
    V.col(i) = basis[i];
  }
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eigen(T);
  return {eigen.eigenvalues(), V * eigen.eigenvectors()};
}

/// All modes, by K and M on the null space of G in coordinates in which M is 1; none if M is not definite.
///     M = L Lᵀ,  y = Lᵀ z,  G L⁻ᵀ y = 0
std::optional<Ritz> dense_modes(const Eigen::MatrixXd& M, const Eigen::MatrixXd& K, const Eigen::MatrixXd& G) {
  const Eigen::LLT<Eigen::MatrixXd> root(M);
  if (root.info() != Eigen::Success) return {};
  Eigen::MatrixXd Gt = G.transpose();
  if (Gt.size() > 0) root.matrixL().solveInPlace(Gt);
  for (auto column : Gt.colwise()) column.stableNormalize();
  Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr(M.rows(), std::max<Eigen::Index>(Gt.cols(), 1));
  qr.setThreshold(kIndependent);
  Eigen::MatrixXd Z = Eigen::MatrixXd::Identity(M.rows(), M.rows());
  if (Gt.cols() > 0) {
    qr.compute(Gt);
    Z = Eigen::MatrixXd(qr.householderQ()).rightCols(M.rows() - qr.rank());
  }
  if (Z.cols() == 0) return Ritz{};
  Z = root.matrixU().solve(Z).eval();
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eigen(Z.transpose() * K * Z);
  return Ritz{eigen.eigenvalues(), Z * eigen.eigenvectors()};
}

/// The body of a group that has the most joints.
int carrier_of(const System& system, const LooseGroup& group) {
  int carrier = group.bodies[0], most = -1;
  for (const int body : group.bodies) {
    int joints = 0;
    for (const JointInfo& j : system.joints) joints += j.markers[0].node == body || j.markers[1].node == body;
    if (joints > most) carrier = body, most = joints;
  }
  return carrier;
}

/// Whether a body moves as one with a neighbour that is explained, or that will be named for both.
bool rides_along(const System& system, const Kinematics& after, const Kinematics& before, int body,
                 const std::set<int>& explained, double least) {
  const auto seen_from = [](const Kinematics& k, int from, int to) {
    const Frame &A = k.frames[from], &B = k.frames[to];
    Eigen::Matrix<double, 3, 4> pose;
    pose << A.R.transpose() * B.R, A.R.transpose() * (B.p - A.p);
    return pose;
  };
  for (const JointInfo& j : system.joints) {
    const int a = j.markers[0].node, b = j.markers[1].node;
    if ((a != body && b != body) || a == 0 || b == 0) continue;
    const int other = a == body ? b : a;
    if (!explained.count(other) && other > body) continue;
    if ((seen_from(after, other, body) - seen_from(before, other, body)).norm() < least) return true;
  }
  return false;
}

/// The modes of values 1/(ω² + σ), the softest first.
void keep_sorted(const Ritz& soft, double sigma, ModeRange& range) {
  std::vector<std::pair<double, Eigen::Index>> order;
  for (Eigen::Index j = 0; j < soft.values.size(); ++j)
    if (soft.values[j] != 0) order.emplace_back(1 / soft.values[j] - sigma, j);
  std::sort(order.begin(), order.end());
  range.lowest.resize(static_cast<Eigen::Index>(order.size()));
  range.shapes.resize(soft.vectors.rows(), range.lowest.size());
  for (Eigen::Index i = 0; i < range.lowest.size(); ++i) {
    range.lowest[i] = order[static_cast<size_t>(i)].first;
    range.shapes.col(i) = soft.vectors.col(order[static_cast<size_t>(i)].second);
  }
}

// Differential states become oscillators on their own, among the fastest, which nobody takes for a motion.
void hold_states(const System& system, SparseRows& M, SparseRows& K) {
  if (system.states.empty()) return;
  double fastest = 1;
  std::vector<char> is_state(system.velocities(), false);
  for (const StateInfo& x : system.states) is_state[x.v] = true;
  for (int i = 0; i < system.velocities(); ++i)
    if (!is_state[i] && M.coeff(i, i) > 0) fastest = std::max(fastest, std::abs(K.coeff(i, i) / M.coeff(i, i)));
  const auto foreign = [&](Eigen::Index i, Eigen::Index j, double) { return !is_state[i] && !is_state[j]; };
  M.prune(foreign);
  K.prune(foreign);
  for (const StateInfo& x : system.states) M.coeffRef(x.v, x.v) = 1, K.coeffRef(x.v, x.v) = fastest;
}

}  // namespace

void ConstrainedSolver::factorize(const Kinematics& k, double w_q, double w_a) {
  NewtonForm form;
  form.q = w_q;
  form.a = w_a;
  form.scale =
      w_q != 0 ? std::max(w_a * system_.reference_mass, system_.reference_stiffness) : w_a * system_.reference_mass;
  newton_.factorize(k, std::vector<Matrix3d>(system_.nodes().size(), Matrix3d::Identity()), form);
}

void ConstrainedSolver::solve(VectorXd& b) {
  const int n = system_.velocities(), m = system_.multipliers();
  x_.resize(n + m);
  x_ << b, VectorXd::Zero(m);
  b.setZero();
  newton_.solve_repeatedly(x_, Limits::soft_repetitions, [&] { b += x_.head(n); });
}

void SmallMotions::evaluate(const State& s, double w_q, double w_v, double w_a) {
  at_ = s;
  system_.update(at_, k_);
  tangent_.evaluate(k_, w_q, w_v, w_a);
}

// Masses and directions of constraints change with the position alone, unless forces see accelerations or rows velocities.
/// M and its factor; k_ belongs to s.
void SmallMotions::factorize_masses(const State& s) {
  if (&s != &at_) at_ = s;
  system_.update(at_, k_);
  const bool by_position = !system_.sees_accelerations() && system_.velocity_rows().empty();
  const bool is_there = factorized_.q.size() == at_.q.size() && factorized_.t == at_.t && factorized_.q == at_.q;
  if (by_position && is_there && factorized_.discrete == at_.discrete) return;
  tangent_.evaluate(k_, 0, 0, 1);
  M_ = tangent_.S();
  solver_.factorize(k_, 0, 1);
  factorized_ = at_;
}

/// With the masses and their factor.
VectorXd SmallMotions::feasible(unsigned seed) {
  VectorXd x = random_vector(system_.velocities(), seed);
  for (const Manifold::Block& b : system_.manifold().blocks())
    if (b.kind == Manifold::Kind::rotation) x.segment<3>(b.v) /= system_.reference_length;
    else if (b.kind == Manifold::Kind::state) x.segment(b.v, b.size).setZero();
  const double before = x.lpNorm<Eigen::Infinity>();
  x = M_ * x;
  solver_.solve(x);
  const double size = x.lpNorm<Eigen::Infinity>();
  if (!(size > kNothingMoves * before)) return VectorXd::Zero(x.size());
  return x / size;
}

VectorXd SmallMotions::random_velocity(const State& s, unsigned seed) {
  factorize_masses(s);
  return feasible(seed);
}

// Forces may depend on a and λ.
State SmallMotions::let_go(const State& s) {
  at_ = s;
  at_.v.setZero();
  at_.a.setZero();
  at_.lambda.setZero();
  Residual r = system_.make_residual();
  VectorXd da(system_.velocities()), dlambda(system_.multipliers());
  for (int i = 0; i < 20; ++i) {
    factorize_masses(at_);
    system_.residual(k_, r);
    r.constraint.setZero();
    solver_.newton().correction(r, da, dlambda);
    at_.a += da;
    at_.lambda += dlambda;
    if (!at_.a.allFinite() || !at_.lambda.allFinite()) return s;
    if (!system_.sees_accelerations() || da.norm() <= 1e-12 * at_.a.norm()) break;
  }
  return at_;
}

const SparseRows& SmallMotions::damping(const State& s) {
  State rest = s;
  rest.v.setZero();
  evaluate(rest, 0, 1, 0);
  return tangent_.S();
}

VectorXd random_feasible_velocity(const System& system, const State& s, unsigned seed) {
  return SmallMotions(system).random_velocity(s, seed);
}

ModeRange find_mode_range(const System& system, const State& s) { return SmallMotions(system).mode_range(s); }

std::vector<std::string> moving_parts(const System& system, const State& s, const VectorXd& z) {
  const double d = 1e-4 * std::min(1.0, system.reference_length) / std::max(1e-300, z.lpNorm<Eigen::Infinity>());
  State ahead = s, behind = s;
  system.manifold().retract(s.q, d * z, ahead.q);
  system.manifold().retract(s.q, -d * z, behind.q);
  Kinematics after = system.make_kinematics(), before = system.make_kinematics();
  system.update(ahead, after);
  system.update(behind, before);
  std::vector<std::pair<double, std::string>> found;
  std::set<int> explained;
  for (const JointInfo& joint : system.joints)
    for (const RelativeCoordinate& c : joint.coordinates) {
      double change = std::abs(system.coordinate(after, joint, c) - system.coordinate(before, joint, c));
      if (c.unit == "rad") change *= system.reference_length;
      if (change < kMoves * d * z.lpNorm<Eigen::Infinity>()) continue;
      found.emplace_back(-change, joint.name + "." + c.name);
      for (const MarkerPose& m : joint.markers) explained.insert(m.node);
    }
  const double least = kMoves * z.lpNorm<Eigen::Infinity>();
  const auto add_body = [&](int i) {
    if (system.nodes()[i].block < 0) return;
    const double change = z.segment(system.nodes()[i].v, 6).norm();
    if (change > least) found.emplace_back(-d * change, "body '" + system.nodes()[i].name + "'");
  };
  for (const LooseGroup& group : find_loose_groups(system)) {  // it moves as a whole, besides its joints
    add_body(carrier_of(system, group));
    explained.insert(group.bodies.begin(), group.bodies.end());
  }
  for (int i = 1; i < static_cast<int>(system.nodes().size()); ++i)
    if (!explained.count(i) && !rides_along(system, after, before, i, explained, d * least)) add_body(i);
  std::stable_sort(found.begin(), found.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<std::string> names;
  for (auto& [change, name] : found) names.push_back(std::move(name));
  return names;
}

// Fastest: largest eigenvalues of P M⁻¹K. Softest: with the shift σ, the largest of (K + σM)⁻¹M,
// which are 1/(ω² + σ); negative ones belong to ω² < −σ.
ModeRange SmallMotions::mode_range(const State& s) {
  ModeRange range;
  State at_rest = s;
  system_.stop(at_rest);
  const VectorXd start = random_velocity(at_rest, 1);
  if (start.isZero(0)) return range;
  SparseRows M = M_;
  tangent_.evaluate(k_, 1, 0, 0);
  SparseRows K = 0.5 * (tangent_.S() + SparseRows(tangent_.S().transpose()));
  hold_states(system_, M, K);

  if (system_.velocities() <= kDense) {
    const Eigen::MatrixXd symmetric = 0.5 * (Eigen::MatrixXd(M) + Eigen::MatrixXd(M).transpose());
    if (const auto all = dense_modes(symmetric, Eigen::MatrixXd(K), Eigen::MatrixXd(tangent_.G()))) {
      if (all->values.size() == 0) return range;
      Eigen::Index largest = 0;
      all->values.cwiseAbs().maxCoeff(&largest);
      range.fastest.push_back({all->values[largest], all->vectors.col(largest)});
      range.softest.push_back({all->values[0], all->vectors.col(0)});
      range.lowest = all->values;
      range.shapes = all->vectors;
      return range;
    }
  }

  const Ritz fast = lanczos(  // with the factor of the masses, by which the start was found
      [&](const VectorXd& z) {
        VectorXd y = K * z;
        solver_.solve(y);
        return y;
      },
      M, start);
  Eigen::Index best = 0;
  const double largest = fast.values.cwiseAbs().maxCoeff(&best);
  range.fastest.push_back({fast.values[best], fast.vectors.col(best)});

  fast.values.minCoeff(&best);
  range.softest.push_back({fast.values[best], fast.vectors.col(best)});
  range.lowest = fast.values;
  range.shapes = fast.vectors;
  if (fast.values.size() < kLanczosSteps || largest == 0) return range;  // all modes were found

  double sigma = 1e-3 * largest;
  factorized_.q.resize(0);
  for (int i = 0; i < kShifts; ++i) {  // a shift as large as the softest itself tells it from its neighbours
    solver_.factorize(k_, 1, sigma);
    const Ritz soft = lanczos(
        [&](const VectorXd& z) {
          VectorXd y = M * z;
          solver_.solve(y);
          return y;
        },
        M, start);
    keep_sorted(soft, sigma, range);
    const double before = range.softest[0].stiffness;
    for (int j = 0; j < soft.values.size(); ++j) {
      const double found = 1 / soft.values[j] - sigma;
      if (soft.values[j] != 0 && found < range.softest[0].stiffness) range.softest[0] = {found, soft.vectors.col(j)};
    }
    const double now = range.softest[0].stiffness;
    if (now <= kNothing * largest || (i > 0 && before - now <= kSettled * now)) break;
    sigma = now;
  }
  return range;
}

}  // namespace bricard
