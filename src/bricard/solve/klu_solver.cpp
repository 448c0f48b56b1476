// SPDX-License-Identifier: Apache-2.0
#include "bricard/solve/klu_solver.h"

#include <klu.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "bricard/system/assertion.h"

namespace bricard {

struct KluSolver::Factors {
  klu_common common;
  klu_symbolic* symbolic = nullptr;
  klu_numeric* numeric = nullptr;
  klu_numeric* saved = nullptr;  // with other pivots than `numeric` if `replaced`
  bool replaced = false;

  explicit Factors(double pivot_tolerance) {
    klu_defaults(&common);
    common.tol = pivot_tolerance;
    common.btf = 0;               // the pattern is symmetric and has its diagonal: no triangular form to find
    common.scale = -1;            // the equations come scaled
    common.halt_if_singular = 0;  // zero pivots are seen and reported below
  }
  ~Factors() {
    klu_free_numeric(&numeric, &common);
    klu_free_numeric(&saved, &common);
    klu_free_symbolic(&symbolic, &common);
  }
  Factors(const Factors&) = delete;
  Factors& operator=(const Factors&) = delete;

  Eigen::Map<const VectorXd> pivots() const { return {static_cast<const double*>(numeric->Udiag), numeric->n}; }
};

KluSolver::KluSolver(const std::vector<UnknownBlock>& blocks, const std::vector<Coupling>& couplings,
                     double pivot_tolerance)
    : blocks_(blocks), factors_(std::make_unique<Factors>(pivot_tolerance)) {
  set_pairs(couplings);
  set_pattern();
  const int n = static_cast<int>(column_start_.size()) - 1;
  factors_->symbolic = klu_analyze(n, column_start_.data(), row_.data(), &factors_->common);
}

KluSolver::~KluSolver() = default;

// One block of storage for each pair that meets, every diagonal block among them.
void KluSolver::set_pairs(const std::vector<Coupling>& couplings) {
  int spare = 16;
  for (int i = 0; i < static_cast<int>(blocks_.size()); ++i) {
    pairs_.push_back({i, i, 0});
    spare = std::max(spare, blocks_[i].size);
  }
  for (const auto& [a, b, acts] : couplings) {
    if (a < 0 || b < 0) continue;
    const bool a_later = blocks_[a].first > blocks_[b].first;
    pairs_.push_back({a_later ? a : b, a_later ? b : a, 0});
  }
  const auto key = [](const Pair& p) { return std::pair{p.later, p.earlier}; };
  std::ranges::sort(pairs_, {}, key);
  const auto same = [&](const Pair& a, const Pair& b) { return key(a) == key(b); };
  pairs_.erase(std::unique(pairs_.begin(), pairs_.end(), same), pairs_.end());

  int entries = 0;
  for (Pair& p : pairs_) {
    p.offset = entries;
    entries += blocks_[p.later].size * blocks_[p.earlier].size;
  }
  ground_ = {entries, spare, false};
  lower_.assign(entries + spare * spare, 0.0);
  upper_ = lower_;
}

// The pattern of A by columns, and where each stored entry goes in it.
void KluSolver::set_pattern() {
  struct Entry {
    int column, row, source;  // source: i for lower_[i], ~i for upper_[i]
  };
  std::vector<Entry> entries;
  int n = 0;
  for (const UnknownBlock& b : blocks_) n += b.size;
  for (const Pair& p : pairs_) {
    const UnknownBlock &later = blocks_[p.later], &earlier = blocks_[p.earlier];
    for (int c = 0; c < earlier.size; ++c)
      for (int r = 0; r < later.size; ++r) {
        const int source = p.offset + r + c * later.size;
        entries.push_back({earlier.first + c, later.first + r, source});
        if (p.later != p.earlier) entries.push_back({later.first + r, earlier.first + c, ~source});
      }
  }
  std::ranges::sort(entries, {}, [](const Entry& e) { return std::pair{e.column, e.row}; });

  value_of_lower_.assign(ground_.offset, -1);
  value_of_upper_.assign(ground_.offset, -1);
  column_start_.assign(n + 1, 0);
  for (const Entry& e : entries) {
    const int value = static_cast<int>(row_.size());
    (e.source >= 0 ? value_of_lower_[e.source] : value_of_upper_[~e.source]) = value;
    row_.push_back(e.row);
    column_start_[e.column + 1] = value + 1;
  }
  value_.assign(row_.size(), 0.0);
}

Slot KluSolver::slot(int a, int b) const {
  if (a < 0 || b < 0) return ground_;
  const bool flipped = blocks_[a].first < blocks_[b].first;
  const std::pair wanted = flipped ? std::pair{b, a} : std::pair{a, b};
  const auto pair = std::ranges::lower_bound(pairs_, wanted, {}, [](const Pair& p) {
    return std::pair{p.later, p.earlier};
  });
  BRICARD_ASSERT(pair != pairs_.end() && pair->later == wanted.first &&
                 pair->earlier == wanted.second);  // the pair was among the couplings
  return {pair->offset, blocks_[pair->later].size, flipped};
}

// Factorizes with the pivots in use. They are good while the pivot growth max|U|/max|A| is at most
// a thousand times what it was when they were chosen: three digits are what a Newton correction,
// repeated anyway, can lose.
bool KluSolver::keep_pivots() {
  if (growth_ == 0) return false;
  Factors& f = *factors_;
  klu_refactor(column_start_.data(), row_.data(), value_.data(), f.symbolic, f.numeric, &f.common);
  klu_rgrowth(column_start_.data(), row_.data(), value_.data(), f.symbolic, f.numeric, &f.common);
  return f.pivots().allFinite() && f.common.rgrowth >= 1e-3 * growth_;
}

void KluSolver::choose_pivots() {
  Factors& f = *factors_;
  growth_ = 0;
  ++pivot_searches_;
  if (f.replaced) klu_free_numeric(&f.numeric, &f.common);
  else {
    f.saved = f.numeric;
    saved_chosen_.swap(chosen_);
  }
  f.replaced = true;
  chosen_ = value_;
  f.numeric = klu_factor(column_start_.data(), row_.data(), value_.data(), f.symbolic, &f.common);
  if (!f.numeric) return;  // out of memory
  klu_rgrowth(column_start_.data(), row_.data(), value_.data(), f.symbolic, f.numeric, &f.common);
  growth_ = f.common.rgrowth;
}

void KluSolver::save() {
  Factors& f = *factors_;
  klu_free_numeric(&f.saved, &f.common);
  f.replaced = false;
  saved_growth_ = growth_;
}

void KluSolver::restore() {
  Factors& f = *factors_;
  if (f.replaced) {
    klu_free_numeric(&f.numeric, &f.common);
    f.numeric = f.saved;
    f.saved = nullptr;
    f.replaced = false;
    saved_chosen_.swap(chosen_);
  }
  growth_ = saved_growth_;
}

// The same values lead to the same choice.
void KluSolver::archive(Archive& x) {
  x(growth_, chosen_);
  if (!x.reads()) return;
  Factors& f = *factors_;
  save();  // frees what was saved
  klu_free_numeric(&f.numeric, &f.common);
  if (growth_ == 0) return;
  value_ = chosen_;
  f.numeric = klu_factor(column_start_.data(), row_.data(), value_.data(), f.symbolic, &f.common);
}

FactorReport KluSolver::factorize() {
  if (value_.empty()) return {};
  for (int i = 0; i < ground_.offset; ++i) {
    value_[value_of_lower_[i]] = lower_[i];
    if (value_of_upper_[i] >= 0) value_[value_of_upper_[i]] = upper_[i];
  }
  double largest = 0;
  for (const Pair& p : pairs_)
    if (p.later == p.earlier)
      for (int i = 0, m = blocks_[p.later].size; i < m; ++i)
        largest = std::max(largest, std::abs(lower_[p.offset + i * (m + 1)]));

  if (!keep_pivots()) choose_pivots();
  if (!factors_->numeric) return {false, 0};
  const double smallest = factors_->pivots().cwiseAbs().minCoeff() / largest;
  const bool healthy = factors_->pivots().allFinite() && smallest > broken_pivot_;
  if (!healthy) growth_ = 0;  // pivots of a singular matrix are no choice for the next
  return {healthy, smallest};
}

void KluSolver::solve(VectorXd& x) const {
  if (value_.empty()) return;
  Factors& f = *factors_;
  if (f.numeric) klu_solve(f.symbolic, f.numeric, static_cast<int>(x.size()), 1, x.data(), &f.common);
  else x.setConstant(std::numeric_limits<double>::quiet_NaN());
}

std::size_t KluSolver::bytes() const {
  const std::size_t indices = column_start_.size() + row_.size() + 2 * value_of_lower_.size();
  return (lower_.size() + upper_.size() + value_.size()) * sizeof(double) + indices * sizeof(int) +
         factors_->common.memusage;
}

}  // namespace bricard
