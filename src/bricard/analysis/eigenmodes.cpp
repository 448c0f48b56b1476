// SPDX-License-Identifier: Apache-2.0
#include "bricard/analysis/eigenmodes.h"

#include <Spectra/GenEigsRealShiftSolver.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numbers>

namespace bricard {
namespace {

using Complex = std::complex<double>;
constexpr double kDefaultShift = 1;  // 1/s: off the eigenvalue 0 of rigid motions
constexpr double kSixDigits = 1e-6;

/// (A − σ)⁻¹, or that of the undamped motions, for Spectra.
class ShiftedInverse {
 public:
  using Scalar = double;
  ShiftedInverse(const LinearEquations& equations, bool undamped) : equations_(equations), undamped_(undamped) {}
  Eigen::Index rows() const { return undamped_ ? std::ssize(equations_.positions()) : equations_.size(); }
  Eigen::Index cols() const { return rows(); }
  void set_shift(double) {}  // the factorization is made before, where its failure can be told
  void perform_op(const double* x, double* y) const {
    const Eigen::Map<const VectorXd> given(x, rows());
    Eigen::Map<VectorXd>(y, rows()) = undamped_ ? equations_.solve_undamped(given) : equations_.solve_shifted(given);
  }

 private:
  const LinearEquations& equations_;
  bool undamped_;
};

/// Of conjugate pairs one; rounding may leave tiny imaginary parts, which belong to pairs all the same.
void keep_upper_half(const Eigenpairs& pairs, std::vector<Eigenmode>& modes) {
  for (Eigen::Index i = 0; i < pairs.values.size(); ++i)
    if (pairs.values[i].imag() >= 0) {
      Eigenmode mode;
      mode.s = pairs.values[i];
      mode.x = pairs.vectors.col(i);
      if (pairs.errors.size()) mode.error = pairs.errors[i];
      modes.push_back(std::move(mode));
    }
  std::stable_sort(modes.begin(), modes.end(),
                   [](const Eigenmode& a, const Eigenmode& b) { return std::abs(a.s) < std::abs(b.s); });
}

// z with K z = ω² M̂ z moves as eⁱᵚᵗ; ω² < 0: it grows and decays without oscillation. |δs| ≤ |δω²|/|s|, and √|δω²| for
// s = 0.
Eigenpairs pairs_of_squares(const Eigenpairs& squares) {
  const Eigen::Index z = squares.vectors.rows(), count = squares.values.size();
  Eigenpairs pairs{VectorXcd(count), MatrixXcd::Zero(2 * z, count), VectorXd(squares.errors.size())};
  for (Eigen::Index i = 0; i < count; ++i) {
    pairs.values[i] = std::sqrt(squares.values[i]);
    if (pairs.values[i].imag() < 0) pairs.values[i] = -pairs.values[i];
    if (squares.values[i].imag() == 0 && squares.values[i].real() < 0)
      pairs.values[i] = Complex(0, std::sqrt(-squares.values[i].real()));
    pairs.vectors.col(i) << squares.vectors.col(i), pairs.values[i] * squares.vectors.col(i);
    if (pairs.errors.size())
      pairs.errors[i] = std::min(std::sqrt(squares.errors[i]), squares.errors[i] / std::abs(pairs.values[i]));
  }
  return pairs;
}

std::optional<Eigenpairs> undamped_pairs(const LinearEquations& equations) {
  const int z = static_cast<int>(equations.positions().size()), size = equations.size();
  MatrixXd of_positions = MatrixXd::Zero(size, z);
  of_positions.topRows(z).setIdentity();
  const Sensitivities y = equations.respond(of_positions);
  const auto squares =
      eigenpairs_of(equations.rates(y).bottomRows(size - z), equations.rate_errors(y).bottomRows(size - z));
  if (!squares) return {};
  return pairs_of_squares(*squares);
}

std::optional<Eigenpairs> all_pairs(const LinearEquations& equations) {
  const Sensitivities y = equations.respond(MatrixXd::Identity(equations.size(), equations.size()));
  return eigenpairs_of(equations.rates(y), equations.rate_errors(y));
}

EigenmodeResult iterative_modes(LinearEquations& equations, const EigenmodeOptions& options) {
  EigenmodeResult result;
  result.iterative = true;
  const double shift = options.shift > 0 ? options.shift : kDefaultShift;
  const double sigma = options.undamped ? shift * shift : shift;  // −ω² is what is near it then
  if (!(options.undamped ? equations.factorize_undamped(sigma) : equations.factorize_shifted(sigma))) {
    result.problem = fmt::format("the shift {} 1/s is an eigenvalue; choose another one", shift);
    return result;
  }
  ShiftedInverse inverse(equations, options.undamped);
  const int size = static_cast<int>(inverse.rows()), wanted = (options.undamped ? 1 : 2) * std::max(options.count, 1);
  const int count = std::min(wanted, size - 2), basis = std::min(size, std::max(2 * count + 20, 40));
  Spectra::GenEigsRealShiftSolver<ShiftedInverse> solver(inverse, count, basis, sigma);
  Eigen::Index found = 0;
  try {
    solver.init();
    found = solver.compute(Spectra::SortRule::LargestMagn, 1000, 1e-11);
    const Eigenpairs pairs{solver.eigenvalues(), solver.eigenvectors(), {}};
    keep_upper_half(options.undamped ? pairs_of_squares(pairs) : pairs, result.modes);
  } catch (const std::exception&) {  // Spectra's way to say that it did not converge
    result.problem = "the iteration for eigenvalues failed; choose another shift, or an operating point at rest";
    return result;
  }
  if (static_cast<int>(result.modes.size()) > options.count) result.modes.resize(options.count);
  if (found < count) result.problem = fmt::format("only {} of {} eigenvalues converged", found, count);
  return result;
}

/// |ẋ − s x| relative to |s x|, of undamped motions |Ẇ − s²S| to |s²S|. Velocities are counted per |s|, or, where
/// s = 0, per the fastest |s|, as is the residual.
double residual_of(const LinearEquations& equations, const Eigenmode& mode, const VectorXcd& rates, double fastest,
                   bool undamped) {
  const Eigen::Index z0 = std::ssize(equations.positions());
  const double rate = std::abs(mode.s) > 0 ? std::abs(mode.s) : fastest > 0 ? fastest : 1;
  VectorXd sizes = equations.state_sizes();
  if (undamped) {
    const VectorXcd left = rates.tail(z0) - mode.s * mode.s * mode.x.head(z0);
    return left.cwiseQuotient(sizes.head(z0)).norm() /
           (rate * rate * mode.x.head(z0).cwiseQuotient(sizes.head(z0)).norm());
  }
  for (Eigen::Index i = z0; i < sizes.size(); ++i)
    if (!equations.velocities()[i - z0].differential) sizes[i] *= rate;
  return (rates - mode.s * mode.x).cwiseQuotient(sizes).norm() / (rate * mode.x.cwiseQuotient(sizes).norm());
}

/// δq of the states of each mode, the largest entry being real 1; how well the pair satisfies its equation. Without
/// better knowledge, as of iterations, this is also the error of s.
void add_shapes(const LinearEquations& equations, bool undamped, std::vector<Eigenmode>& modes) {
  if (modes.empty()) return;
  const Eigen::Index z1 = std::ssize(equations.velocities());
  MatrixXd x(equations.size(), 2 * static_cast<int>(modes.size()));
  for (size_t i = 0; i < modes.size(); ++i) x.col(2 * i) = modes[i].x.real(), x.col(2 * i + 1) = modes[i].x.imag();
  if (undamped) x.bottomRows(z1).setZero();
  const Sensitivities y = equations.respond(x);
  const MatrixXd rates = equations.rates(y);
  for (size_t i = 0; i < modes.size(); ++i) {
    Eigenmode& mode = modes[i];
    const VectorXcd rate = rates.col(2 * i) + Complex(0, 1) * rates.col(2 * i + 1);
    mode.residual = residual_of(equations, mode, rate, std::abs(modes.back().s), undamped);
    mode.shape = y.q.col(2 * i) + Complex(0, 1) * y.q.col(2 * i + 1);
    Eigen::Index largest = 0;
    if (mode.shape.size() == 0 || mode.shape.cwiseAbs().maxCoeff(&largest) == 0) continue;
    const Complex unit = 1.0 / mode.shape[largest];
    mode.shape *= unit;
    mode.x *= unit;
  }
}

}  // namespace

double Eigenmode::frequency() const { return std::abs(s) / (2 * std::numbers::pi); }
double Eigenmode::damping() const { return std::abs(s) > 0 ? -s.real() / std::abs(s) : 0; }

bool Eigenmode::doubtful() const {
  return !is_zero() && !(residual <= kSixDigits && error <= kSixDigits * std::abs(s));
}

StabilityVerdict judge_stability(const std::vector<Eigenmode>& modes) {
  StabilityVerdict verdict;
  bool any = false, stays = false, grows = false;
  for (const Eigenmode& mode : modes) {
    if (mode.is_zero()) {
      ++verdict.zeros;
      continue;
    }
    verdict.growth = any ? std::max(verdict.growth, mode.s.real()) : mode.s.real();
    any = true;
    grows = grows || mode.grows();
    stays = stays || std::abs(mode.s.real()) <= mode.error;
  }
  verdict.stability = grows ? Stability::unstable : !any || stays ? Stability::neutral : Stability::stable;
  return verdict;
}

EigenmodeResult find_eigenmodes(LinearEquations& equations, const System&, const EigenmodeOptions& options) {
  EigenmodeResult result;
  const int size = equations.size();
  if (size == 0) return result;
  const bool iterative = size > options.dense_limit || options.shift > 0;
  if (options.undamped && !equations.second_order()) {
    result.problem =
        "modes without damping need equations of second order: here are differential states or conditions on "
        "velocities";
    return result;
  }
  if (iterative && equations.positions().size() > 4) {
    EigenmodeOptions some = options;
    if (some.count == 0) some.count = 20;
    result = iterative_modes(equations, some);
  } else {
    const auto pairs = options.undamped ? undamped_pairs(equations) : all_pairs(equations);
    if (!pairs) {
      result.problem = "the eigenvalues did not converge";
      return result;
    }
    keep_upper_half(*pairs, result.modes);
    if (options.count > 0 && static_cast<int>(result.modes.size()) > options.count) result.modes.resize(options.count);
  }
  add_shapes(equations, options.undamped, result.modes);
  for (Eigenmode& mode : result.modes)
    if (result.iterative) mode.error = mode.residual * std::abs(mode.s);
  return result;
}

}  // namespace bricard
