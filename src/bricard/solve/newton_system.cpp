// SPDX-License-Identifier: Apache-2.0
#include "bricard/solve/newton_system.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "bricard/system/assertion.h"

namespace bricard {
/// What rows on velocities have besides ε, per strength of a typical row.
//     E of rows on velocities with the uniform rule. A formula keeps g = 0 at the end of a step, and ġ = 0 only as far as its
// order goes; where a row on velocities follows from the ġ of others, both cannot hold, and the softer one yields. Results of
// 110 carts are the same for 1e-6 to 1e-4 (docs/theory/nonholonomic.md).
double NewtonSystem::yielding(const Regularization& r) const {
  return r.uniform && r.compliance == 0 ? std::max(0.0, tolerances_.yielding_epsilon - r.epsilon) : 0;
}

NewtonSystem::NewtonSystem(const System& system, SolverType type, const Tolerances& tolerances)
    : system_(system), tolerances_(tolerances), tangents_(system), couplings_(tangents_.couplings()) {
  if (type == SolverType::automatic && system.is_unsymmetric()) type = SolverType::sparse_lu;
  const auto& blocks = system.blocks();
  for (size_t b = 0; b < blocks.size(); ++b)
    if (blocks[b].multiplier) multiplier_blocks_.push_back(static_cast<int>(b));
  for (const int b : multiplier_blocks_) couplings_.push_back({b, b});
  std::vector<std::pair<int, int>> pairs;  // unordered pairs of blocks, each with its first coupling in distinct_
  for (size_t c = 0; c < couplings_.size(); ++c) pairs.push_back(std::minmax(couplings_[c].a, couplings_[c].b));
  distinct_.resize(couplings_.size());
  std::iota(distinct_.begin(), distinct_.end(), 0);
  const auto pair_before = [&](int i, int j) { return pairs[i] != pairs[j] ? pairs[i] < pairs[j] : i < j; };
  std::sort(distinct_.begin(), distinct_.end(), pair_before);
  const auto unwanted = [&](size_t i) {
    return pairs[distinct_[i]].first < 0 || (i > 0 && pairs[distinct_[i]] == pairs[distinct_[i - 1]]);
  };
  std::vector<int> kept;
  for (size_t i = 0; i < distinct_.size(); ++i)
    if (!unwanted(i)) kept.push_back(distinct_[i]);
  distinct_ = kept;
  main_ = make_engine(type);
  current_ = &main_;
  x_.setZero(system.unknowns());
  softness_.setZero(system.unknowns());
  rhs_.setZero(system.unknowns());
  product_.setZero(system.unknowns());
}

NewtonSystem::NewtonSystem(const System& system, const RunSettings& settings, const Tolerances& tolerances)
    : NewtonSystem(system, settings.solver, tolerances) {
  scaling_ = settings.scaling;
  augmentation_ = settings.augmentation;
}

NewtonSystem::Engine NewtonSystem::make_engine(SolverType type) const {
  Engine engine;
  engine.solver = make_linear_solver(type, system_.blocks(), couplings_, tolerances_);
  const size_t of_batches = couplings_.size() - multiplier_blocks_.size();
  for (size_t i = 0; i < of_batches; ++i) engine.slots.push_back(engine.solver->slot(couplings_[i].a, couplings_[i].b));
  for (const int b : multiplier_blocks_) engine.multiplier_slots.push_back(engine.solver->slot(b, b));
  return engine;
}

NewtonForm NewtonSystem::step_form(double h, double q, double v, double a) const {
  const double s = system_.reference_mass + h * (system_.reference_damping + h * system_.reference_stiffness);
  const bool is_scaled = scaling_ != Scaling::none;
  return {is_scaled ? h * h : 1, q, v, a, scaling_ == Scaling::full ? s : 1, augmentation_};
}

// The pivots of multipliers are −s² G S⁻¹ Gᵀ, and S is c a M and less.
double NewtonSystem::pivot_unit(const NewtonForm& form) const {
  const double mass = form.factor * form.a * system_.reference_mass;
  return mass > 0 ? form.scale * form.scale / mass : form.scale;
}

void NewtonSystem::assemble(Engine& engine, const Kinematics& k, const std::vector<Matrix3d>& chart,
                            const NewtonForm& form) {
  engine.solver->clear();
  Tangent T;
  T.w = {form.factor * form.q, form.factor * form.v, form.factor * form.a, form.scale, form.augmentation * form.scale};
  T.w.x = form.at_rest ? form.factor : T.w.v;
  T.w.x_rate = T.w.a;
  T.w.row_v = form.positions_only ? 0 : form.scale;
  T.w.row_q = form.positions_only ? 0 : form.scale * form.rate();
  T.chart = chart.data();
  T.lower = engine.solver->lower();
  T.upper = engine.solver->upper();
  tangents_.add(k, engine.slots.data(), T);
  const double extra = yielding(form.regularization) * typical_row(form);
  auto velocity_row = system_.velocity_rows().begin();  // in the order of the blocks
  for (size_t m = 0; extra > 0 && m < multiplier_blocks_.size(); ++m) {
    const Slot& slot = engine.multiplier_slots[m];
    const int first = system_.row_of(multiplier_blocks_[m]), size = system_.blocks()[multiplier_blocks_[m]].size;
    for (; velocity_row != system_.velocity_rows().end() && *velocity_row < first + size; ++velocity_row)
      T.lower[slot.offset + (*velocity_row - first) * (slot.stride + 1)] -= extra;
  }
  Regularization rule = form.regularization;
  rule.unit = pivot_unit(form);
  if (PivotRule* pivots = engine.solver->pivot_rule()) {
    pivots->regularization = rule;
    return;
  }
  // a solver that pivots gets −ε s²/(c a m_r) on the diagonal of all constraint rows
  softness_.tail(system_.multipliers()).setConstant(rule.compliance != 0 ? rule.compliance : rule.epsilon * rule.unit);
  for (size_t m = 0; m < multiplier_blocks_.size(); ++m) {
    const Slot& slot = engine.multiplier_slots[m];
    const UnknownBlock& block = system_.blocks()[multiplier_blocks_[m]];
    for (int i = 0; i < block.size; ++i) T.lower[slot.offset + i * (slot.stride + 1)] -= softness_[block.first + i];
  }
}

/// What is to be known before the first factorization: how many rows are redundant, where they are weak by geometry,
/// and how strong they are against the masses.
void NewtonSystem::measure_start(const Kinematics& k, const std::vector<Matrix3d>& chart) {
  measured_ = true;
  if (system_.multipliers() == 0) return;
  if (!rows_are_those_of_a_tree(system_)) geometry_ = std::make_unique<ConstraintGeometry>(system_, k, tolerances_);
  redundant_rows_ = geometry_ ? geometry_->redundant_rows() : 0;
  const auto diagonal = [&](size_t b, int i) -> double& {
    const Slot slot = main_.solver->slot(static_cast<int>(b), static_cast<int>(b));
    return main_.solver->lower()[slot.offset + i * (slot.stride + 1)];
  };
  const auto for_coordinates = [&](const auto& visit) {
    for (size_t b = 0; b < system_.blocks().size(); ++b)
      for (int i = 0; !system_.blocks()[b].multiplier && i < system_.blocks()[b].size; ++i)
        visit(system_.blocks()[b].first + i, diagonal(b, i));
  };
  NewtonForm masses;
  masses.a = 1;
  assemble(main_, k, chart, masses);
  VectorXd inertia(system_.velocities()), strength = VectorXd::Zero(system_.multipliers());
  for_coordinates([&](int unknown, double entry) { inertia[unknown] = entry; });
  visit_constraints(main_, false, [&](double entry, int unknown, int row) {
    if (inertia[unknown] > 0) strength[row] += entry * entry / inertia[unknown];
  });
  // Between the strongest row, against which round-off counts, and the usual ones, which are to be hardly softened.
  double logarithms = 0;
  for (const double row : strength) logarithms += std::log(std::max(row, 1e-300));
  typical_row_ = std::sqrt(strength.maxCoeff() * std::exp(logarithms / strength.size()));
  PivotRule* pivots = main_.solver->pivot_rule();
  if (!pivots) return;
  NewtonForm only_constraints;  // with equal masses: 1 for positions, ℓ² for rotations
  only_constraints.regularization.epsilon = 0;
  assemble(main_, k, chart, only_constraints);
  const VectorXd lengths = system_.lengths();
  for_coordinates([&](int unknown, double& entry) { entry += std::pow(lengths[unknown], 2); });
  main_.solver->factorize();
  pivots->expect(pivots->ratios());
}

/// Pivots that fall far below their usual size tell that a singular position may be near, or that the masses of a loop
/// differ much. Geometry decides.
void NewtonSystem::judge_independence(const FactorReport& report, const Kinematics& k) {
  memory_.weakest_row = geometry_ ? report.weakest_row : 1;
  memory_.independence = 1;
  const bool sees_rows = main_.solver->pivot_rule();
  if (!geometry_ || (sees_rows && memory_.weakest_row >= tolerances_.near_singular)) return;
  geometry_->measure(k);
  memory_.weakest_row = geometry_->weakest_row();
  memory_.independence = geometry_->independence();
}

void NewtonSystem::keep_matrix(Engine& engine) const {
  const size_t n = engine.solver->size();
  engine.kept_lower.assign(engine.solver->lower(), engine.solver->lower() + n);
  if (engine.solver->upper()) engine.kept_upper.assign(engine.solver->upper(), engine.solver->upper() + n);
}

// Without pivoting first. A doubtful factor is kept and refined; a broken one is repeated with pivoting.
void NewtonSystem::factorize(const Kinematics& k, const std::vector<Matrix3d>& chart, const NewtonForm& form) {
  if (!measured_) measure_start(k, chart);
  form_ = form;
  current_ = &main_;
  assemble(main_, k, chart, form);
  if (memory_.refine) keep_matrix(main_);
  const bool kept = memory_.refine;
  ++counts_.factorizations;
  const FactorReport report = main_.solver->factorize();
  if (form.judges_rows && !form.regularization.uniform) judge_independence(report, k);
  if (PivotRule* pivots = main_.solver->pivot_rule()) softness_ = pivots->subtracted();
  const double extra = yielding(form.regularization) * typical_row(form);
  for (const int row : system_.velocity_rows()) softness_[system_.velocities() + row] += extra;
  memory_.refine = report.healthy && report.smallest_pivot < tolerances_.doubtful_pivot;
  if (memory_.refine && !kept) {  // the first doubtful one: the matrix is needed once more
    assemble(main_, k, chart, form);
    keep_matrix(main_);
    main_.solver->factorize();
  }
  if (report.healthy) return;
  if (!fallback_.solver) fallback_ = make_engine(SolverType::klu);
  current_ = &fallback_;
  ++counts_.fallbacks;
  assemble(fallback_, k, chart, form);
  keep_matrix(fallback_);
  fallback_.solver->factorize();
  memory_.refine = true;
}

/// All entries of G, or of Gᵀ, in the storage.
template <class Visitor>
void NewtonSystem::visit_constraints(Engine& engine, bool forces, const Visitor& visit) {
  const auto& blocks = system_.blocks();
  for (const int c : distinct_) {
    const Coupling& pair = couplings_[c];
    if (blocks[pair.a].multiplier == blocks[pair.b].multiplier) continue;
    const Slot& slot = engine.slots[c];
    const UnknownBlock& later = blocks[slot.flipped ? pair.b : pair.a];
    const UnknownBlock& earlier = blocks[slot.flipped ? pair.a : pair.b];
    // the lower array has the rows of what is eliminated later
    double* array =
        later.multiplier == forces && engine.solver->upper() ? engine.solver->upper() : engine.solver->lower();
    for (int j = 0; j < earlier.size; ++j)
      for (int i = 0; i < later.size; ++i) {
        const int coordinate = later.multiplier ? earlier.first + j : later.first + i;
        const int multiplier = later.multiplier ? later.first + i : earlier.first + j;
        visit(array[slot.offset + i + j * slot.stride], coordinate, multiplier - system_.velocities());
      }
  }
}

/// The matrix at k with the kept entries of G and Gᵀ.
FactorReport NewtonSystem::factorize_kept(const Kinematics& k, const std::vector<Matrix3d>& chart, double compliance) {
  form_.regularization.compliance = compliance;
  assemble(main_, k, chart, form_);
  for (const bool of_forces : {false, true}) {
    const double* next = constraints_[of_forces].data();
    visit_constraints(main_, of_forces, [&](double& x, int, int) { x = *next++; });
  }
  ++counts_.factorizations;
  return main_.solver->factorize();
}

// Without the coordinates the matrix is −(W + c), W = G S⁻¹Gᵀ. A row that vanishes at a singular position between those of G
// and Gᵀ has w < 0 there, and w + c a pole; w − c has none, and strong rows do not feel the difference. In W + c the other
// rows' c hide the sign of a small w, so that it is looked at with less of it.
bool NewtonSystem::factorize_apart(const Kinematics& k, const Kinematics& forces, const Kinematics& rows,
                                   const std::vector<Matrix3d>& chart, const NewtonForm& form) {
  BRICARD_ASSERT(main_.solver->upper());
  form_ = form;
  current_ = &main_;
  memory_.refine = false;
  for (const bool of_forces : {false, true}) {
    std::vector<double>& kept = constraints_[of_forces];
    kept.clear();
    assemble(main_, of_forces ? forces : rows, chart, form);
    visit_constraints(main_, of_forces, [&](double x, int, int) { kept.push_back(x); });
  }
  const double c = form.regularization.compliance;
  const auto factorize_looking = [&](bool look) {
    const bool turned = look && factorize_kept(k, chart, tolerances_.probing_compliance * c).highest_row > 0;
    const bool weak = factorize_kept(k, chart, turned ? -c : c).highest_row > -tolerances_.firm_compliance * c;
    return std::pair{turned, weak};
  };
  auto [turned, weak] = factorize_looking(memory_.apart_weak);
  if (weak && !memory_.apart_weak) turned = factorize_looking(true).first;
  memory_.apart_weak = weak;
  return turned;
}

void NewtonSystem::save() {
  saved_ = memory_;
  main_.solver->save();
  if (fallback_.solver) fallback_.solver->save();
}

void NewtonSystem::restore() {
  memory_ = saved_;
  main_.solver->restore();
  if (fallback_.solver) fallback_.solver->restore();
}

void NewtonSystem::archive(Archive& x) {
  x(memory_, measured_, redundant_rows_, typical_row_, softness_, counts_);
  x.maybe(geometry_, [&] { return std::make_unique<ConstraintGeometry>(system_, tolerances_); });
  main_.solver->archive(x);
  bool has_fallback = fallback_.solver != nullptr;
  x(has_fallback);
  if (has_fallback && !fallback_.solver) fallback_ = make_engine(SolverType::klu);
  if (has_fallback) fallback_.solver->archive(x);
}

void NewtonSystem::solve(VectorXd& x) {
  ++counts_.solves;
  if (!memory_.refine) {
    current_->solver->solve(x);
    return;
  }
  rhs_ = x;
  current_->solver->solve(x);
  multiply(*current_, x, product_);
  product_ = rhs_ - product_;
  current_->solver->solve(product_);
  x += product_;
  ++counts_.refinements;
}

void NewtonSystem::multiply(const Engine& engine, const VectorXd& x, VectorXd& y) const {
  y.setZero();
  const auto& blocks = system_.blocks();
  const double* upper = engine.kept_upper.empty() ? engine.kept_lower.data() : engine.kept_upper.data();
  for (const int c : distinct_) {
    const Coupling& pair = couplings_[c];
    const Slot& slot =
        c < static_cast<int>(engine.slots.size()) ? engine.slots[c] : engine.multiplier_slots[c - engine.slots.size()];
    const UnknownBlock& later = blocks[slot.flipped ? pair.b : pair.a];
    const UnknownBlock& earlier = blocks[slot.flipped ? pair.a : pair.b];
    const bool diagonal = pair.a == pair.b;
    for (int j = 0; j < earlier.size; ++j)
      for (int i = 0; i < later.size; ++i) {
        const int at = slot.offset + i + j * slot.stride;
        y[later.first + i] += engine.kept_lower[at] * x[earlier.first + j];
        if (!diagonal) y[earlier.first + j] += upper[at] * x[later.first + i];
      }
  }
}

double NewtonSystem::left_by(const VectorXd& x) const {
  const int m = system_.multipliers();
  return m > 0 ? softness().cwiseProduct(x.tail(m)).lpNorm<Eigen::Infinity>() / form_.scale : 0;
}

void NewtonSystem::correction(const Residual& r, VectorXd& dz, VectorXd& dlambda) {
  const int n = system_.velocities(), m = system_.multipliers();
  x_.head(n) = -form_.factor * r.motion.head(n);
  x_.tail(m) = -form_.scale * r.constraint;
  solve(x_);
  dz = x_.head(n);
  dlambda = (form_.scale / form_.factor) * x_.tail(m);
}

Eigen::MatrixXd NewtonSystem::dense_matrix(const Kinematics& k, const std::vector<Matrix3d>& chart,
                                           const NewtonForm& form) {
  Engine engine = make_engine(SolverType::dense);
  assemble(engine, k, chart, form);
  keep_matrix(engine);
  const int n = system_.unknowns();
  Eigen::MatrixXd A(n, n);
  VectorXd column(n);
  for (int j = 0; j < n; ++j) {
    multiply(engine, VectorXd::Unit(n, j), column);
    A.col(j) = column;
  }
  return A;
}

std::size_t NewtonSystem::bytes() const {
  return main_.solver->bytes() + sizeof(Slot) * (main_.slots.size() + main_.multiplier_slots.size()) +
         sizeof(Coupling) * couplings_.size() +
         sizeof(double) * (x_.size() + rhs_.size() + product_.size() + softness_.size()) +
         sizeof(int) * (distinct_.size() + multiplier_blocks_.size());
}

}  // namespace bricard
