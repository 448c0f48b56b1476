// SPDX-License-Identifier: Apache-2.0
#include "peers/ida.h"

#include <ida/ida.h>
#include <nvector/nvector_serial.h>
#include <sunlinsol/sunlinsol_klu.h>
#include <sunmatrix/sunmatrix_sparse.h>

#include <Eigen/QR>
#include <Eigen/SparseCore>
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <stdexcept>

#include "bricard/analysis/sparse_tangent.h"

namespace bricard {
namespace {

using Sparse = Eigen::SparseMatrix<double, Eigen::ColMajor, sunindextype>;
using Map = Eigen::Map<VectorXd>;

Map map(N_Vector y) { return {N_VGetArrayPointer(y), N_VGetLength(y)}; }

/// ė = ½ L(e) ω
Eigen::Matrix<double, 4, 3> left(const Eigen::Vector4d& e) {
  Eigen::Matrix<double, 4, 3> L;
  L << -e[1], -e[2], -e[3], e[0], -e[3], e[2], e[3], e[0], -e[1], -e[2], e[1], e[0];
  return L;
}

/// Rows of G that do not depend on others.
std::vector<int> independent_rows(const SparseRows& G) {
  const Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr(Eigen::MatrixXd(G).transpose());
  const auto order = qr.colsPermutation().indices();
  std::vector<int> rows(order.data(), order.data() + qr.rank());
  std::sort(rows.begin(), rows.end());
  return rows;
}

class Equations {
 public:
  Equations(const System& system, const State& start)
      : system_(system), state_(start), kinematics_(system.make_kinematics()), residual_(system.make_residual()),
        tangent_(system), rate_(system.multipliers()), bias_(system.multipliers()), rate_beside_(system.multipliers()) {
    system_.update(state_, kinematics_);
    tangent_.evaluate(kinematics_, 0, 0, 1);
    weight_ = tangent_.S().diagonal().cwiseInverse();
    rows_ = independent_rows(tangent_.G());
    nq_ = system.manifold().coordinates(), nv_ = system.velocities(), m_ = static_cast<int>(rows_.size());
    motion_.resize(nv_);
    // Forces change when fewer rows carry them; independent ones leave no choice.
    Eigen::MatrixXd A(nv_, m_);
    for (int i = 0; i < m_; ++i) A.col(i) = tangent_.G().row(rows_[i]);
    const VectorXd pull = tangent_.G().transpose() * start.lambda;
    lambda_ = A.colPivHouseholderQr().solve(pull);
  }

  int size() const { return nq_ + nv_ + 2 * m_; }
  int coordinates() const { return nq_; }
  int velocities() const { return nv_; }
  int rows() const { return m_; }

  void start(const State& s, Map y, Map rate) {
    y << s.q, s.v, lambda_, VectorXd::Zero(m_);
    rate.setZero();
    set(s.t, y, rate);
    velocity_of_q(s.v, rate.head(nq_));
    rate.segment(nq_, nv_) = s.a;
  }

  void residual(double t, const Map& y, const Map& rate, Map F) {
    set(t, y, rate);
    system_.constraint_rates(kinematics_, rate_, bias_);
    system_.residual(kinematics_, residual_);
    F.segment(nq_, nv_) = residual_.motion.head(nv_);
    for (int i = 0; i < m_; ++i) {
      F[nq_ + nv_ + i] = residual_.constraint[rows_[i]];
      F[nq_ + nv_ + m_ + i] = rate_[rows_[i]];
      state_.lambda[rows_[i]] += y[nq_ + nv_ + m_ + i];
    }
    system_.residual(kinematics_, residual_);  // the forces of λ + μ, for Gᵀμ as the difference
    motion_ = state_.v - weight_.cwiseProduct(residual_.motion.head(nv_) - F.segment(nq_, nv_));
    velocity_of_q(motion_, F.head(nq_));
    F.head(nq_) = rate.head(nq_) - F.head(nq_);
  }

  /// ∂F/∂y + c ∂F/∂ẏ
  const Sparse& jacobian(double t, double c, const Map& y, const Map& rate) {
    set(t, y, rate);
    entries_.clear();
    const int v = nq_, lambda = nq_ + nv_, mu = lambda + m_;
    for (size_t i = 1; i < system_.nodes().size(); ++i) add_motion_of_body(system_.nodes()[i], c);
    tangent_.evaluate(kinematics_, 1, 0, 0);
    for (int r = 0; r < nv_; ++r)
      for (SparseRows::InnerIterator it(tangent_.S(), r); it; ++it) add_after_q(v + r, it.col(), it.value());
    tangent_.evaluate(kinematics_, 0, 1, c);
    for (int r = 0; r < nv_; ++r)
      for (SparseRows::InnerIterator it(tangent_.S(), r); it; ++it) add(v + r, v + it.col(), it.value());
    for (int i = 0; i < m_; ++i)
      for (SparseRows::InnerIterator it(tangent_.G(), rows_[i]); it; ++it) {
        add(v + it.col(), lambda + i, it.value());
        add_after_q(lambda + i, it.col(), it.value());
        add(mu + i, v + it.col(), it.value());
        add_before_q(it.col(), mu + i, weight_[it.col()] * it.value());
      }
    add_derivative_of_rates(mu);
    return assemble();
  }

 private:
  /// Unknowns to state_, with unit quaternions.
  void set(double t, const Map& y, const Map& rate) {
    state_.t = t;
    state_.q = y.head(nq_);
    state_.v = y.segment(nq_, nv_);
    state_.a = rate.segment(nq_, nv_);
    state_.lambda.setZero();
    for (int i = 0; i < m_; ++i) state_.lambda[rows_[i]] = y[nq_ + nv_ + i];
    quaternions_ = state_.q;
    for (size_t i = 1; i < system_.nodes().size(); ++i) state_.q.segment<4>(system_.nodes()[i].q + 3).normalize();
    system_.update(state_, kinematics_);
  }

  template <class Out>
  void velocity_of_q(const VectorXd& v, Out&& rate) const {
    for (size_t i = 1; i < system_.nodes().size(); ++i) {
      const FrameNode& n = system_.nodes()[i];
      rate.template segment<3>(n.q) = v.segment<3>(n.v);
      rate.template segment<4>(n.q + 3) = 0.5 * left(quaternions_.segment<4>(n.q + 3)) * v.segment<3>(n.v + 3);
    }
  }

  void add(Eigen::Index row, Eigen::Index column, double value) {
    entries_.emplace_back(static_cast<int>(row), static_cast<int>(column), value);
  }

  void add_motion_of_body(const FrameNode& n, double c) {
    const Vector3d w = state_.v.segment<3>(n.v + 3);
    Eigen::Matrix4d turn;  // ½ e∘ω as a matrix on e
    turn << 0, -w[0], -w[1], -w[2], w[0], 0, w[2], -w[1], w[1], -w[2], 0, w[0], w[2], w[1], -w[0], 0;
    const auto L = left(quaternions_.segment<4>(n.q + 3));
    for (int i = 0; i < 3; ++i) add(n.q + i, n.q + i, c), add(n.q + i, nq_ + n.v + i, -1);
    for (int i = 0; i < 4; ++i) {
      for (int j = 0; j < 4; ++j) add(n.q + 3 + i, n.q + 3 + j, (i == j ? c : 0) - 0.5 * turn(i, j));
      for (int j = 0; j < 3; ++j) add(n.q + 3 + i, nq_ + n.v + 3 + j, -0.5 * L(i, j));
    }
  }

  /// An entry after the variation `column` of positions becomes entries after q: dθ = 2 Lᵀde/|e|².
  void add_after_q(Eigen::Index row, Eigen::Index column, double value) {
    const FrameNode& n = node_of(column);
    const Eigen::Index i = column - n.v;
    if (i < 3) return add(row, n.q + i, value);
    const Eigen::Vector4d e = quaternions_.segment<4>(n.q + 3);
    const auto L = left(e);
    for (int k = 0; k < 4; ++k) add(row, n.q + 3 + k, value * 2 * L(k, i - 3) / e.squaredNorm());
  }

  /// An entry in the row of the velocity `row` becomes entries in the rows of q̇.
  void add_before_q(Eigen::Index row, Eigen::Index column, double value) {
    const FrameNode& n = node_of(row);
    const Eigen::Index i = row - n.v;
    if (i < 3) return add(n.q + i, column, value);
    const auto L = left(quaternions_.segment<4>(n.q + 3));
    for (int k = 0; k < 4; ++k) add(n.q + 3 + k, column, 0.5 * L(k, i - 3) * value);
  }

  const FrameNode& node_of(Eigen::Index velocity) const { return system_.nodes()[1 + velocity / 6]; }

  void add_derivative_of_rates(int first) {
    constexpr double d = 1e-7;
    const double round_off = 1e-6 * (1 + state_.v.lpNorm<Eigen::Infinity>());
    system_.constraint_rates(kinematics_, rate_, bias_);
    const VectorXd q = state_.q;
    VectorXd step = VectorXd::Zero(nv_);
    for (int j = 0; j < nv_; ++j) {
      step[j] = d;
      system_.manifold().retract(q, step, state_.q);
      step[j] = 0;
      system_.update(state_, kinematics_);
      system_.constraint_rates(kinematics_, rate_beside_, bias_);
      for (int i = 0; i < m_; ++i) {
        const double slope = (rate_beside_[rows_[i]] - rate_[rows_[i]]) / d;
        if (std::abs(slope) > round_off) add_after_q(first + i, j, slope);
      }
    }
    state_.q = q;
    system_.update(state_, kinematics_);
  }

  /// KLU keeps its ordering: the pattern, found in a general position at first, stays.
  const Sparse& assemble() {
    if (matrix_.nonZeros() == 0) {
      matrix_.resize(size(), size());
      matrix_.setFromTriplets(entries_.begin(), entries_.end());
      return matrix_;
    }
    std::fill_n(matrix_.valuePtr(), matrix_.nonZeros(), 0.0);
    for (const auto& entry : entries_) {
      const sunindextype* rows = matrix_.innerIndexPtr();
      const sunindextype *begin = rows + matrix_.outerIndexPtr()[entry.col()],
                         *end = rows + matrix_.outerIndexPtr()[entry.col() + 1];
      const sunindextype* place = std::lower_bound(begin, end, entry.row());
      if (place != end && *place == entry.row()) matrix_.valuePtr()[place - rows] += entry.value();
      else if (std::abs(entry.value()) > 1e-9)  // else round-off, as of gyroscopic terms of a cube
        throw std::logic_error("an entry outside of the pattern");
    }
    return matrix_;
  }

  const System& system_;
  State state_;
  Kinematics kinematics_;
  Residual residual_;
  SparseTangent tangent_;
  VectorXd rate_, bias_, rate_beside_, weight_, motion_, lambda_, quaternions_;
  std::vector<int> rows_;
  int nq_ = 0, nv_ = 0, m_ = 0;
  std::vector<Eigen::Triplet<double>> entries_;
  Sparse matrix_;
};

int residual_function(realtype t, N_Vector y, N_Vector rate, N_Vector F, void* equations) {
  static_cast<Equations*>(equations)->residual(t, map(y), map(rate), map(F));
  return map(F).allFinite() ? 0 : 1;
}

int jacobian_function(realtype t, realtype c, N_Vector y, N_Vector rate, N_Vector, SUNMatrix J, void* equations,
                      N_Vector, N_Vector, N_Vector) {
  const Sparse& A = static_cast<Equations*>(equations)->jacobian(t, c, map(y), map(rate));
  std::copy_n(A.outerIndexPtr(), A.cols() + 1, SUNSparseMatrix_IndexPointers(J));
  std::copy_n(A.innerIndexPtr(), A.nonZeros(), SUNSparseMatrix_IndexValues(J));
  std::copy_n(A.valuePtr(), A.nonZeros(), SUNSparseMatrix_Data(J));
  return 0;
}

/// The matrix in a position without zeros that are there by chance.
const Sparse& find_pattern(Equations& equations, const State& start) {
  std::srand(1);
  VectorXd y(equations.size()), rate = VectorXd::Random(equations.size());
  y << start.q, VectorXd::Random(equations.size() - start.q.size());
  y.head(start.q.size()) += 0.3 * VectorXd::Random(start.q.size());
  return equations.jacobian(start.t, 1, Map(y.data(), y.size()), Map(rate.data(), rate.size()));
}

void set_tolerances(const System& system, const PeerScales& scales, double tolerance, const Equations& equations,
                    Map atol, Map is_differential) {
  const int nq = equations.coordinates(), nv = equations.velocities(), m = equations.rows();
  is_differential.setZero();
  is_differential.head(nq + nv).setOnes();
  for (size_t i = 1; i < system.nodes().size(); ++i) {
    const FrameNode& n = system.nodes()[i];
    atol.segment<3>(n.q).setConstant(system.reference_length);
    atol.segment<4>(n.q + 3).setConstant(0.5);
    atol.segment<3>(nq + n.v).setConstant(scales.velocity);
    atol.segment<3>(nq + n.v + 3).setConstant(scales.rate);
  }
  atol.segment(nq + nv, m).setConstant(scales.multiplier);
  atol.tail(m).setConstant(system.reference_mass * scales.velocity);
  atol *= tolerance;
}

}  // namespace

PeerResult run_ida(const System& system, const State& start, const PeerScales& scales, double duration,
                   double tolerance) {
  SUNContext context = nullptr;
  SUNContext_Create(nullptr, &context);
  Equations equations(system, start);
  const sunindextype entries = find_pattern(equations, start).nonZeros(), size = equations.size();
  N_Vector y = N_VNew_Serial(size, context), rate = N_VClone(y), atol = N_VClone(y), id = N_VClone(y);
  equations.start(start, map(y), map(rate));
  set_tolerances(system, scales, tolerance, equations, map(atol), map(id));
  SUNMatrix J = SUNSparseMatrix(size, size, entries, CSC_MAT, context);
  SUNLinearSolver solver = SUNLinSol_KLU(y, J, context);
  void* ida = IDACreate(context);
  IDAInit(ida, residual_function, start.t, y, rate);
  IDASetUserData(ida, &equations);
  IDASetErrFile(ida, nullptr);
  IDASVtolerances(ida, 0, atol);
  IDASetId(ida, id);
  IDASetSuppressAlg(ida, SUNTRUE);
  IDASetMaxNumSteps(ida, 1000000);
  IDASetLinearSolver(ida, solver, J);
  IDASetJacFn(ida, jacobian_function);
  IDASetStopTime(ida, start.t + duration);
  PeerResult result;
  double t = start.t;
  result.finished = IDASolve(ida, start.t + duration, &t, y, rate, IDA_NORMAL) >= 0;
  result.q = map(y).head(equations.coordinates());
  for (size_t i = 1; i < system.nodes().size(); ++i) result.q.segment<4>(system.nodes()[i].q + 3).normalize();
  IDAGetNumSteps(ida, &result.steps);
  IDAFree(&ida);
  SUNLinSolFree(solver);
  SUNMatDestroy(J);
  for (N_Vector v : {y, rate, atol, id}) N_VDestroy(v);
  SUNContext_Free(&context);
  return result;
}

}  // namespace bricard
