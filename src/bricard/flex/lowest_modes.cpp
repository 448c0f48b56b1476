// SPDX-License-Identifier: Apache-2.0
#include "bricard/flex/lowest_modes.h"

#include <fmt/format.h>

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <functional>
#include <random>

namespace bricard {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr Index kBlock = 8;
constexpr double kConverged = 1e-10;  ///< errors of shapes that end the iteration
constexpr double kAccepted = 1e-6;    ///< those that are found, measured afresh: round-off of large parts is in it
constexpr int kRestarts = 60;

using Solve = std::function<MatrixXd(const MatrixXd&)>;  ///< (K + σ M)⁻¹ b

VectorXd lengths(const MatrixXd& Y, const SparseMatrix& M) {
  return Y.cwiseProduct(M * Y).colwise().sum().transpose().cwiseMax(0).cwiseSqrt();
}

/// A space that grows by blocks, and the operator (K + σ M)⁻¹ M in it.
struct Space {
  const SparseMatrix& M;
  const Solve& solve;
  Index limit;
  MatrixXd V, T;             ///< VᵀM V = 1, T = VᵀM (K + σ M)⁻¹ M V, in their first `size` columns
  Index size = 0, last = 0;  ///< `last` of them are the newest block
  MatrixXd outside;          ///< what the operator makes of the newest block beyond the space
  VectorXd before;           ///< lengths of what it makes of it

  /// What is left of Y orthogonal to V.
  void remove_known(MatrixXd& Y) const {
    for (int pass = 0; pass < 2; ++pass) {
      const MatrixXd known = V.leftCols(size).transpose() * (M * Y);
      Y.noalias() -= V.leftCols(size) * known;
    }
  }

  /// Directions of Y, orthogonal to V and longer than `least`, become a new block. False if there are none.
  bool add(MatrixXd Y, const VectorXd& least) {
    for (int pass = 0; pass < 2; ++pass) {
      if (pass > 0) remove_known(Y);
      MatrixXd gram = Y.transpose() * (M * Y);
      VectorXd scale = gram.diagonal().cwiseMax(0).cwiseSqrt();
      for (Index j = 0; j < scale.size(); ++j) scale[j] = scale[j] > (pass == 0 ? least[j] : 0.5) ? 1 / scale[j] : 0;
      gram = (scale.asDiagonal() * gram * scale.asDiagonal()).eval();
      const Eigen::SelfAdjointEigenSolver<MatrixXd> own(gram);
      const Index kept = (own.eigenvalues().array() > 1e-12).count();
      if (kept == 0) return false;
      const VectorXd to_one = own.eigenvalues().tail(kept).cwiseSqrt().cwiseInverse();
      Y = (Y * (scale.asDiagonal() * own.eigenvectors().rightCols(kept) * to_one.asDiagonal())).eval();
    }
    last = std::min(Y.cols(), limit - size);  // less only by round-off: there is room for whole blocks
    V.middleCols(size, last) = Y.leftCols(last);
    size += last;
    return last > 0;
  }

  void apply() {
    outside = solve(M * V.middleCols(size - last, last));
    const MatrixXd inside = V.leftCols(size).transpose() * (M * outside);
    T.block(0, size - last, size, last) = inside;
    T.block(size - last, 0, last, size) = inside.transpose();
    before = lengths(outside, M);
    remove_known(outside);
  }

  /// A new start where the operator leads to nothing new.
  bool add_random(std::mt19937_64& random) {
    std::uniform_real_distribution<double> value(-1, 1);
    MatrixXd Y = solve(M * MatrixXd::NullaryExpr(M.rows(), kBlock, [&] { return value(random); }));
    const VectorXd all = lengths(Y, M);
    remove_known(Y);
    return add(std::move(Y), 1e-8 * all);
  }

  bool grow(std::mt19937_64& random) { return size < limit && (add(outside, 1e-12 * before) || add_random(random)); }
};

struct Ritz {
  VectorXd theta, errors;  ///< the largest θ first
  MatrixXd S;
};

Ritz ritz_pairs(const Space& space) {
  const MatrixXd T = space.T.topLeftCorner(space.size, space.size);
  const Eigen::SelfAdjointEigenSolver<MatrixXd> own((T + T.transpose()) / 2);
  Ritz ritz{own.eigenvalues().reverse(), VectorXd(space.size), own.eigenvectors().rowwise().reverse()};
  const MatrixXd gram = space.outside.transpose() * (space.M * space.outside);
  for (Index i = 0; i < space.size; ++i) {
    const VectorXd s = ritz.S.col(i).tail(space.last);
    ritz.errors[i] = std::sqrt(std::max(0.0, s.dot(gram * s))) / std::max(ritz.theta[i], 1e-300);
  }
  return ritz;
}

/// The operator of a part, and how many of its modes are wanted.
struct Search {
  const SparseMatrix &K, &M;
  const Solve& solve;
  double shift;
  bool try_shift;  ///< whether σ may be changed for one nearer to what is looked for
  Index count;
  const WorkWatch& watch;
};

struct Found {
  MatrixXd shapes;
  VectorXd theta;
  double better_shift = 0;  ///< if it is not 0, nothing else was found
};

/// ω² of what is in the middle of those wanted, as known so far, if σ is far from it; else 0.
double better_shift(const Search& search, const Ritz& ritz) {
  const Index middle = std::min(ritz.theta.size() - 1, std::max<Index>(search.count / 2, 6));
  const double square = 1 / ritz.theta[middle] - search.shift;
  return search.try_shift && square > 0 && (search.shift > 10 * square || search.shift < 1e-2 * square) ? square : 0;
}

Found find(const Search& search) {
  const Index n = search.K.rows(), limit = n <= 200 ? n : std::min(n, 2 * search.count + 4 * kBlock);
  Space space{search.M, search.solve, limit, MatrixXd(n, limit), MatrixXd::Zero(limit, limit), 0, 0, {}, {}};
  std::mt19937_64 random(1);
  Found found;
  if (!space.add_random(random)) return found;
  for (int restart = 0; restart < kRestarts; ++restart) {
    Ritz ritz;
    bool complete = false;  // nothing is outside of the space
    for (Index good = 0;;) {
      search.watch.at("modes", static_cast<double>(good) / static_cast<double>(search.count));
      space.apply();
      const bool full = space.size == n || (limit < n && space.size + kBlock > limit);
      if (full || space.size >= search.count + kBlock) {
        ritz = ritz_pairs(space);
        good = (ritz.errors.head(std::min(search.count, space.size)).array() < kConverged).count();
        if (full || good == search.count) break;
      }
      if ((complete = !space.grow(random))) break;
    }
    if (complete) ritz = ritz_pairs(space);
    if ((found.better_shift = better_shift(search, ritz)) > 0) return found;
    const Index wanted = std::min(search.count, space.size);
    if (complete || space.size == n || (ritz.errors.head(wanted).array() < kConverged).all()) {
      found.theta = ritz.theta.head(wanted);
      found.shapes = space.V.leftCols(space.size) * ritz.S.leftCols(wanted);
      return found;
    }
    // the best vectors stay, and what leads out of their space
    const Index kept = wanted + kBlock;
    space.V.leftCols(kept) = (space.V.leftCols(space.size) * ritz.S.leftCols(kept)).eval();
    space.T.setZero();
    space.T.diagonal().head(kept) = ritz.theta.head(kept);
    space.size = kept;
    space.grow(random);
  }
  return found;
}

/// Shapes and their errors, measured afresh with the matrices themselves.
LowestModes checked(const Search& search, const Found& found) {
  LowestModes modes{VectorXd(found.theta.size()), found.shapes, VectorXd(found.theta.size()), 0, search.shift, {}};
  const Index count = found.theta.size();
  if (count == 0) {
    modes.problem = "no modes were found: the iteration for them does not converge";
    return modes;
  }
  MatrixXd& shapes = modes.shapes;
  for (Index j = 0; j < count; ++j) {
    Index largest = 0;
    shapes.col(j).cwiseAbs().maxCoeff(&largest);
    shapes.col(j) *= std::copysign(1 / std::sqrt(shapes.col(j).dot(search.M * shapes.col(j))), shapes(largest, j));
  }
  modes.errors =
      lengths(search.solve(search.M * shapes) - shapes * found.theta.asDiagonal(), search.M).cwiseQuotient(found.theta);
  for (Index j = 0; j < count; ++j) {
    const double square = shapes.col(j).dot(search.K * shapes.col(j)), expected = 1 / found.theta[j] - search.shift;
    modes.frequencies[j] = std::sqrt(std::max(0.0, square));
    // round-off in K φ, and what σ hides
    if (search.shift > 0 && square < kAccepted * search.shift) ++modes.free;
    const double error = std::abs(square - expected) / (expected + search.shift);
    if (modes.problem.empty() && (modes.errors[j] > kAccepted || error > kAccepted))
      modes.problem = fmt::format("mode {} is certain to {:.1e} only: stiffness and mass differ by too many digits",
                                  j + 1, std::max(modes.errors[j], error));
  }
  return modes;
}

/// σ to begin with: for a body with n^(1/3) nodes in each direction, whose lowest ω² is about that part of the highest.
double first_shift(const SparseMatrix& K, const SparseMatrix& M) {
  const double nodes = std::max(1.0, static_cast<double>(K.rows()) / 3);
  return 0.01 * K.diagonal().sum() / M.diagonal().sum() * std::pow(nodes, -2.0 / 3);
}

LowestModes of_free_part(const SparseMatrix& K, const SparseMatrix& M, Index count, const WorkWatch& watch) {
  SparseMatrix shifted = K + M;
  SparseCholesky factor(shifted);
  double shift = first_shift(K, M);
  for (int attempt = 0;; ++attempt) {
    shifted = K + shift * M;
    const CholeskyReport report = factor.factorize(shifted, watch);
    if (!report.regular()) {
      LowestModes none;
      none.problem = fmt::format("unknown {} has neither stiffness nor mass, or the stiffness is not positive",
                                 report.unknown + 1);
      return none;
    }
    const Solve solve = [&](const MatrixXd& b) { return factor.solve(b); };
    const Search search{K, M, solve, shift, attempt < 8, count, watch};
    const Found found = find(search);
    if (found.better_shift == 0) return checked(search, found);
    shift = found.better_shift;
  }
}

}  // namespace

LowestModes lowest_modes(const SparseMatrix& K, const SparseMatrix& M, int count, const SparseCholesky& factor,
                         const WorkWatch& watch) {
  const Solve solve = [&](const MatrixXd& b) { return factor.solve(b); };
  const Search search{K, M, solve, 0, false, std::min<Index>(count, K.rows()), watch};
  return checked(search, find(search));
}

LowestModes lowest_modes(const SparseMatrix& K, const SparseMatrix& M, int count, Support support,
                         const WorkWatch& watch) {
  if (support != Support::free) {
    SparseCholesky factor(K);
    const CholeskyReport report = factor.factorize(K, watch);
    if (report.regular()) return lowest_modes(K, M, count, factor, watch);
    if (support == Support::held) {
      LowestModes none;
      none.problem =
          fmt::format("the part is not held, or its stiffness is not positive: pivot {:.1e} of {:.1e} at unknown {}",
                      report.pivot, report.diagonal, report.unknown + 1);
      return none;
    }
  }
  return of_free_part(K, M, std::min<Index>(count, K.rows()), watch);
}

}  // namespace bricard
