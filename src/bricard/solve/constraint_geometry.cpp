// SPDX-License-Identifier: Apache-2.0
#include "bricard/solve/constraint_geometry.h"

#include <Eigen/Eigenvalues>
#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <numeric>
#include <string_view>

namespace bricard {
namespace {

constexpr unsigned kProbes = 2;  // motions away from the start, both ways

/// Rows that may be dependent, if their pivots do not tell which of them are.
std::vector<int> unclear_rows(const Eigen::Ref<const VectorXd>& ratios, const Tolerances& t) {
  std::vector<int> weak;
  bool clear = true;
  for (int i = 0; i < ratios.size(); ++i) {
    if (ratios[i] > t.maybe_redundant) continue;
    weak.push_back(i);
    clear = clear && ratios[i] <= t.clearly_redundant;
  }
  return clear || weak.size() > Limits::rows_measured ? std::vector<int>() : weak;
}

//     Y ← P⁻¹Y,  P = G D⁻¹Gᵀ + E known by its factor,   Y orthonormal;      singular values of D^(−½)GᵀY
/// How many combinations of weak rows vanish at s, to which k belongs and where `solver` has its factor.
int count_dependent(const System& system, const LinearSolver& solver, const std::vector<int>& weak, State& s,
                    const Kinematics& k, double dependency) {
  const int n = system.velocities(), m = system.multipliers(), count = static_cast<int>(weak.size());
  Eigen::MatrixXd Y = Eigen::MatrixXd::Zero(m, count), forces(n, count);
  for (int j = 0; j < count; ++j) Y(weak[j], j) = 1;
  VectorXd x(system.unknowns());
  for (int sweep = 0; sweep < 2; ++sweep) {
    for (int j = 0; j < count; ++j) {
      x << VectorXd::Zero(n), Y.col(j);
      solver.solve(x);
      Y.col(j) = x.tail(m);
    }
    Y = Eigen::HouseholderQR<Eigen::MatrixXd>(Y).householderQ() * Eigen::MatrixXd::Identity(m, count);
  }
  Residual r = system.make_residual();
  const auto forces_of = [&](const VectorXd& lambda) {
    s.lambda = lambda;
    system.constraint_forces(k, r);
    return VectorXd(r.motion.head(n).cwiseQuotient(system.lengths()));
  };
  const VectorXd others = forces_of(VectorXd::Zero(m));
  for (int j = 0; j < count; ++j) forces.col(j) = forces_of(Y.col(j)) - others;
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> squares(forces.transpose() * forces, Eigen::EigenvaluesOnly);
  return static_cast<int>((squares.eigenvalues().array() <= dependency * dependency).count());
}

}  // namespace

bool rows_are_those_of_a_tree(const System& system) {
  static constexpr std::string_view kSometimesDependent[] = {"constant-velocity", "point-on-curve", "curve-on-curve",
                                                             "knife-edge", "rolling"};
  int rows = system.plane_rows();  // they take other motions than the joints of a planar model
  std::vector<int> parent(system.nodes().size());
  for (int node = 0; node < static_cast<int>(parent.size()); ++node) parent[node] = system.body_of(node);
  const auto root = [&](int node) {
    while (parent[node] != node) node = parent[node] = parent[parent[node]];
    return node;
  };
  for (const JointInfo& joint : system.joints) {
    const int a = root(joint.markers[0].node), b = root(joint.markers[1].node);
    if (a == b || std::count(std::begin(kSometimesDependent), std::end(kSometimesDependent), joint.type) > 0)
      return false;
    parent[a] = b;
    rows += joint.rows;
  }
  std::vector<bool> driven(system.joints.size());
  for (const MotionInfo& motion : system.motions) {
    if (motion.joint < 0 || driven[motion.joint]) return false;
    driven[motion.joint] = true;
    rows += motion.rows;
  }
  return rows == system.multipliers();
}

ConstraintGeometry::ConstraintGeometry(const System& system, const Kinematics& k, const Tolerances& tolerances)
    : ConstraintGeometry(system, tolerances) {
  survey(k);
  set_floor(tolerances_.row_floor);
  measure(k);
}

ConstraintGeometry::ConstraintGeometry(const System& system, const Tolerances& tolerances)
    : system_(system), tolerances_(tolerances), tangents_(system, TangentAssembly::Which::with_multipliers),
      no_chart_(system.nodes().size(), Matrix3d::Identity()) {
  const auto& blocks = system.blocks();
  std::vector<Coupling> couplings = tangents_.couplings();
  const size_t of_batches = couplings.size();
  for (int b = 0; b < static_cast<int>(blocks.size()); ++b) couplings.push_back({b, b});
  solver_ = make_linear_solver(SolverType::sparse_ldlt, blocks, couplings, tolerances);
  for (size_t i = 0; i < of_batches; ++i) slots_.push_back(solver_->slot(couplings[i].a, couplings[i].b));
  VectorXd D = VectorXd::Ones(system.velocities());
  for (const Manifold::Block& b : system.manifold().blocks())
    if (b.kind == Manifold::Kind::rotation) D.segment(b.v, b.size).setConstant(std::pow(system.reference_length, 2));
  for (int b = 0; b < static_cast<int>(blocks.size()); ++b) {
    if (blocks[b].multiplier) continue;
    const Slot slot = solver_->slot(b, b);
    for (int i = 0; i < blocks[b].size; ++i)
      metric_.push_back({slot.offset + i * (slot.stride + 1), D[blocks[b].first + i]});
  }
  fresh_ = VectorXd::Ones(system.unknowns());
  usual_ = sorted_ = VectorXd::Zero(system.multipliers());
  set_floor(tolerances_.row_floor);
}

void ConstraintGeometry::factorize(const Kinematics& k) {
  solver_->clear();
  solver_->pivot_rule()->expect(fresh_);
  Tangent T;
  T.w.constraint = T.w.row_v = 1;
  T.chart = no_chart_.data();
  T.lower = solver_->lower();
  tangents_.add(k, slots_.data(), T);
  for (const auto& [place, value] : metric_) solver_->lower()[place] += value;
  solver_->factorize();
}

Eigen::Ref<const VectorXd> ConstraintGeometry::row_ratios() const {
  return solver_->pivot_rule()->ratios().tail(system_.multipliers());
}

void ConstraintGeometry::set_floor(double part) { solver_->pivot_rule()->regularization = {part, false}; }

int ConstraintGeometry::count_redundant() const {
  return static_cast<int>((row_ratios().array() <= tolerances_.redundant_pivot).count());
}

int ConstraintGeometry::vanished_rows(double part) const {
  const Eigen::Ref<const VectorXd> ratios = row_ratios();  // an expression of it would outlive it
  return static_cast<int>((ratios.array() <= (part * usual_.array()).max(dependent_)).count()) - usually_redundant_;
}

// Where joints are a little open, redundant rows seem to differ from others: as many of the weakest are redundant as usual.
void ConstraintGeometry::measure(const Kinematics& k) {
  factorize(k);
  const auto ratios = row_ratios();
  dependent_ = tolerances_.redundant_pivot;
  if (usually_redundant_ > 0) {
    sorted_ = ratios;
    std::nth_element(sorted_.begin(), sorted_.begin() + (usually_redundant_ - 1), sorted_.end());
    const double last = sorted_[usually_redundant_ - 1];
    if (last <= tolerances_.maybe_redundant) dependent_ = std::max(dependent_, last);
  }
  int dependent = 0;
  double smallest = 1;
  weakest_row_ = 1;
  for (Eigen::Index i = 0; i < ratios.size(); ++i) {
    if (ratios[i] <= dependent_) {
      ++dependent;
      continue;
    }
    smallest = std::min(smallest, ratios[i]);
    weakest_row_ = std::min(weakest_row_, ratios[i] / std::max(ratios[i], usual_[i]));
  }
  const bool singular = dependent > usually_redundant_;
  independence_ = singular ? 0 : std::sqrt(smallest);
  if (singular) weakest_row_ = 0;
}

/// A motion of size 1 that the constraints allow, by no preference: what G leaves of a mixed vector, in the metric D.
VectorXd ConstraintGeometry::admissible_motion(unsigned seed) const {
  VectorXd x = VectorXd::Zero(system_.unknowns());
  unsigned state = seed * 2654435761u + 12345u;
  for (const Manifold::Block& b : system_.manifold().blocks()) {
    const double length = b.kind == Manifold::Kind::rotation ? system_.reference_length : 1;
    for (int i = b.v; i < b.v + b.size; ++i) {
      state = state * 1664525u + 1013904223u;
      if (b.kind != Manifold::Kind::state) x[i] = length * (state / 4294967296.0 - 0.5);
    }
  }
  solver_->solve(x);
  double size = 0;
  for (const Manifold::Block& b : system_.manifold().blocks()) {
    const double unit = b.kind == Manifold::Kind::rotation ? 1 : system_.reference_length;
    size = std::max(size, x.segment(b.v, b.size).lpNorm<Eigen::Infinity>() / unit);
  }
  return x.head(system_.velocities()) * (size > 0 ? 1 / size : 0);
}

//     D dz + Gᵀμ = 0,   G dz = −g;      rows on velocities, which are not open, have H dz = 0
/// Closes the joints near the positions of s, as far as that leads, and factorizes there.
void ConstraintGeometry::close(State& s, Kinematics& k) {
  Residual r = system_.make_residual();
  VectorXd x = VectorXd::Zero(system_.unknowns()), before = s.q;
  const double size = std::max(system_.reference_length, s.q.lpNorm<Eigen::Infinity>());
  double open = HUGE_VAL;
  set_floor(tolerances_.firm_floor);
  for (int i = 0;; ++i) {
    system_.update(s, k);
    factorize(k);
    system_.residual(k, r);
    const double now = r.constraint.lpNorm<Eigen::Infinity>();
    if (now <= tolerances_.closed_probe * size || (i == Limits::probe_corrections && now < open)) return;
    if (!(now < open)) break;
    open = now;
    before = s.q;
    x.head(system_.velocities()).setZero();
    x.tail(system_.multipliers()) = -r.constraint;
    solver_->solve(x);
    system_.manifold().retract(before, VectorXd(x.head(system_.velocities())), s.q);
  }
  s.q = before;
  system_.update(s, k);
  factorize(k);
}

void ConstraintGeometry::survey(const Kinematics& k) {
  State probe = *k.state;
  Kinematics there = system_.make_kinematics();
  const auto look = [&](double floor) {
    set_floor(floor);
    factorize(there);
  };
  const auto count = [&] {
    const std::vector<int> weak = unclear_rows(row_ratios(), tolerances_);
    if (weak.empty()) return count_redundant();
    look(tolerances_.firm_floor);
    return count_dependent(system_, *solver_, weak, probe, there, tolerances_.dependency);
  };
  const double near = tolerances_.short_probe, far = tolerances_.long_probe;
  close(probe, there);
  const VectorXd here = probe.q;
  VectorXd motions[kProbes];
  for (unsigned i = 0; i < kProbes; ++i) motions[i] = admissible_motion(i + 1);
  look(tolerances_.row_floor);
  usual_ = row_ratios();
  usually_redundant_ = count();
  for (const VectorXd& motion : motions)
    for (const double length : {near, -near, far, -far}) {
      const bool is_short = std::abs(length) == near;
      if (is_short && usually_redundant_ == 0) continue;
      system_.manifold().retract(here, length * motion, probe.q);
      if (is_short) close(probe, there);
      else system_.update(probe, there);
      look(tolerances_.row_floor);
      if (is_short) usually_redundant_ = std::min(usually_redundant_, count());
      else usual_ = usual_.cwiseMax(row_ratios());
    }
}

}  // namespace bricard
