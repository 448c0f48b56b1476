// SPDX-License-Identifier: Apache-2.0
#include "bricard/analysis/eigenmodes.h"

#include <fmt/format.h>

#include <Spectra/GenEigsRealShiftSolver.h>
#include <algorithm>
#include <cmath>
#include <iterator>
#include <numbers>

extern "C" void dgeevx_(const char* balance, const char* left, const char* right, const char* sense, const int* n,
                        double* a, const int* lda, double* wr, double* wi, double* vl, const int* ldvl, double* vr,
                        const int* ldvr, int* low, int* high, double* scale, double* norm, double* rconde,
                        double* rcondv, double* work, const int* lwork, int* iwork, int* info);

namespace bricard {
namespace {

using Complex = std::complex<double>;
constexpr double kDefaultShift = 1;  // 1/s: off the eigenvalue 0 of rigid motions

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
      modes.push_back(std::move(mode));
    }
  std::stable_sort(modes.begin(), modes.end(),
                   [](const Eigenmode& a, const Eigenmode& b) { return std::abs(a.s) < std::abs(b.s); });
}

// z with K z = ω² M̂ z moves as eⁱᵚᵗ; ω² < 0: it grows and decays without oscillation.
Eigenpairs pairs_of_squares(const Eigenpairs& squares) {
  const Eigen::Index z = squares.vectors.rows(), count = squares.values.size();
  Eigenpairs pairs{VectorXcd(count), MatrixXcd::Zero(2 * z, count)};
  for (Eigen::Index i = 0; i < count; ++i) {
    pairs.values[i] = std::sqrt(squares.values[i]);
    if (pairs.values[i].imag() < 0) pairs.values[i] = -pairs.values[i];
    if (squares.values[i].imag() == 0 && squares.values[i].real() < 0)
      pairs.values[i] = Complex(0, std::sqrt(-squares.values[i].real()));
    pairs.vectors.col(i) << squares.vectors.col(i), pairs.values[i] * squares.vectors.col(i);
  }
  return pairs;
}

std::optional<Eigenpairs> undamped_pairs(const LinearEquations& equations) {
  const int z = static_cast<int>(equations.positions().size()), size = equations.size();
  MatrixXd of_positions = MatrixXd::Zero(size, z);
  of_positions.topRows(z).setIdentity();
  const MatrixXd acceleration = equations.rates(equations.respond(of_positions)).bottomRows(size - z);
  const auto squares = eigenpairs_of(acceleration.topRows(z));
  if (!squares) return {};
  return pairs_of_squares(*squares);
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
    const Eigenpairs pairs{solver.eigenvalues(), solver.eigenvectors()};
    keep_upper_half(options.undamped ? pairs_of_squares(pairs) : pairs, result.modes);
  } catch (const std::exception&) {  // Spectra's way to say that it did not converge
    result.problem = "the iteration for eigenvalues failed; choose another shift, or an operating point at rest";
    return result;
  }
  if (static_cast<int>(result.modes.size()) > options.count) result.modes.resize(options.count);
  if (found < count) result.problem = fmt::format("only {} of {} eigenvalues converged", found, count);
  return result;
}

/// δq of the states of each mode, the largest entry being real 1.
void add_shapes(const LinearEquations& equations, std::vector<Eigenmode>& modes) {
  if (modes.empty()) return;
  MatrixXd x(equations.size(), 2 * static_cast<int>(modes.size()));
  for (size_t i = 0; i < modes.size(); ++i) x.col(2 * i) = modes[i].x.real(), x.col(2 * i + 1) = modes[i].x.imag();
  const MatrixXd q = equations.respond(x).q;
  for (size_t i = 0; i < modes.size(); ++i) {
    Eigenmode& mode = modes[i];
    mode.shape = q.col(2 * i) + Complex(0, 1) * q.col(2 * i + 1);
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

std::optional<Eigenpairs> eigenpairs_of(MatrixXd A) {
  const int n = static_cast<int>(A.rows());
  Eigenpairs pairs{VectorXcd(n), MatrixXcd(n, n)};
  if (n == 0) return pairs;
  VectorXd real(n), imaginary(n), scale(n), conditions(n), more_conditions(n), work(1);
  MatrixXd vectors(n, n);
  int low = 0, high = 0, info = 0, one = 1, size = -1, unused = 0;
  double norm = 0, none = 0;
  for (const bool query : {true, false}) {
    if (!query) size = static_cast<int>(work[0]), work.resize(size);
    dgeevx_("B", "N", "V", "N", &n, A.data(), &n, real.data(), imaginary.data(), &none, &one, vectors.data(), &n, &low,
            &high, scale.data(), &norm, conditions.data(), more_conditions.data(), work.data(), &size, &unused, &info);
  }
  if (info != 0) return {};
  for (int i = 0; i < n; ++i) {
    pairs.values[i] = {real[i], imaginary[i]};
    pairs.vectors.col(i) = vectors.col(i).cast<Complex>();
    if (imaginary[i] == 0) continue;
    pairs.values[i + 1] = std::conj(pairs.values[i]);
    pairs.vectors.col(i) = vectors.col(i) + Complex(0, 1) * vectors.col(i + 1);
    pairs.vectors.col(i + 1) = pairs.vectors.col(i).conjugate();
    ++i;
  }
  return pairs;
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
    const auto pairs = options.undamped
                           ? undamped_pairs(equations)
                           : eigenpairs_of(equations.rates(equations.respond(MatrixXd::Identity(size, size))));
    if (!pairs) {
      result.problem = "the eigenvalues did not converge";
      return result;
    }
    keep_upper_half(*pairs, result.modes);
    if (options.count > 0 && static_cast<int>(result.modes.size()) > options.count) result.modes.resize(options.count);
  }
  add_shapes(equations, result.modes);
  return result;
}

}  // namespace bricard
