// SPDX-License-Identifier: Apache-2.0
#include "bricard/solve/sparse_solver.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "bricard/solve/elimination_order.h"
#include "bricard/solve/panel_kernels.h"
#include "bricard/system/assertion.h"

namespace bricard {

using panel::kLanes;
constexpr int kTallest = 8 * kLanes;  // panels up to this height are worked on in registers

namespace {

/// Blocks below the diagonal of each block column of L: Gilbert's union over the children of the elimination
/// tree. `order` is brought into postorder on the way, which leaves the fill as it is.
std::vector<std::vector<int>> symbolic_factor(const std::vector<std::vector<int>>& graph, std::vector<int>& order) {
  const int n = static_cast<int>(order.size());
  std::vector<int> parent;
  std::vector<std::vector<int>> structure;
  const auto factor = [&] {
    std::vector<int> place(n);
    for (int k = 0; k < n; ++k) place[order[k]] = k;
    parent.assign(n, -1);
    structure.assign(n, {});
    std::vector<std::vector<int>> children(n);
    for (int k = 0; k < n; ++k) {
      std::vector<int>& below = structure[k];
      for (const int other : graph[order[k]])
        if (place[other] > k) below.push_back(place[other]);
      for (const int child : children[k])
        for (const int row : structure[child])
          if (row != k) below.push_back(row);
      std::sort(below.begin(), below.end());
      below.erase(std::unique(below.begin(), below.end()), below.end());
      if (!below.empty()) children[parent[k] = below[0]].push_back(k);
    }
    return children;
  };
  const std::vector<std::vector<int>> children = factor();
  std::vector<int> postorder;
  std::vector<std::pair<int, size_t>> stack;  // node, next child
  for (int root = 0; root < n; ++root) {
    if (parent[root] >= 0) continue;
    stack.push_back({root, 0});
    while (!stack.empty()) {
      auto& [node, next] = stack.back();
      if (next < children[node].size()) {
        stack.push_back({children[node][next++], 0});
      } else {
        postorder.push_back(order[node]);
        stack.pop_back();
      }
    }
  }
  order = postorder;
  factor();
  return structure;
}

}  // namespace

SparseSolver::SparseSolver(const std::vector<UnknownBlock>& blocks, const std::vector<Coupling>& couplings,
                           bool symmetric)
    : symmetric_(symmetric), blocks_(blocks) {
  order_ = elimination_order(blocks, couplings);
  const auto structure = symbolic_factor(block_graph(static_cast<int>(blocks.size()), couplings), order_);
  place_.resize(blocks.size());
  int next = 0;
  for (size_t k = 0; k < order_.size(); ++k) {
    place_[order_[k]] = static_cast<int>(k);
    start_.push_back(next);
    next += blocks[order_[k]].size;
  }
  start_.push_back(next);
  permutation_.resize(next);
  for (size_t b = 0; b < blocks.size(); ++b)
    for (int i = 0; i < blocks[b].size; ++i) permutation_[blocks[b].first + i] = start_[place_[b]] + i;
  find_panels(structure);
  find_updates();
  work_.setZero(next + kLanes);  // vectors of four may reach behind the last unknown
  pivots_.assign(next, 0);
  inverse_pivots_.assign(next, 0);
  strength_.assign(next, 0);
  rule_.allocate(next);
  is_multiplier_.assign(next, 0);
  original_.assign(next, 0);
  for (const UnknownBlock& b : blocks)
    for (int i = b.first; i < b.first + b.size; ++i) {
      is_multiplier_[permutation_[i]] = b.multiplier;
      original_[permutation_[i]] = i;
    }
  int largest = 0;
  for (const Panel& p : panels_) largest = std::max(largest, p.stride);
  panel_.assign(largest, 0);
  diagonal_.assign(largest, 0);
}

// Consecutive block columns join a panel while the next one has the same rows below (fundamental supernode).
void SparseSolver::find_panels(const std::vector<std::vector<int>>& structure) {
  const int n = static_cast<int>(order_.size());
  panel_of_.assign(n, 0);
  int entries = 0, largest_block = 0;
  size_t largest_product = 0;
  for (int k = 0; k < n;) {
    int last = k;
    while (last + 1 < n && !structure[last].empty() && structure[last][0] == last + 1 &&
           structure[last].size() == structure[last + 1].size() + 1)
      ++last;
    Panel p;
    p.first_block = k;
    p.blocks = last - k + 1;
    p.first = start_[k];
    p.columns = start_[last + 1] - start_[k];
    p.offset = entries;
    p.first_row = static_cast<int>(rows_.size());
    p.first_update = 0;
    for (int i = 0; i < p.columns; ++i) rows_.push_back(p.first + i);
    for (const int b : structure[last])
      for (int i = start_[b]; i < start_[b + 1]; ++i) rows_.push_back(i);
    p.below = static_cast<int>(rows_.size()) - p.first_row - p.columns;
    p.stride = (p.rows() + 3) & ~3;
    rows_.resize(p.first_row + p.stride, p.first);  // the padding is multiplied by zeros
    entries += p.stride * p.columns;
    largest_product = std::max(largest_product, static_cast<size_t>((p.below + 3) & ~3) * (p.below + 2));
    for (int b = k; b <= last; ++b) {
      panel_of_[b] = static_cast<int>(panels_.size());
      largest_block = std::max(largest_block, start_[b + 1] - start_[b]);
    }
    panels_.push_back(p);
    below_.push_back(structure[last]);
    k = last + 1;
  }
  spare_ = std::max(largest_block, 6);
  lower_.assign(entries + spare_ * spare_, 0);
  if (!symmetric_) upper_.assign(lower_.size(), 0);
  product_.assign(largest_product, 0);
}

// Offset of block (later, earlier), both as places in the elimination order.
int SparseSolver::position(int later, int earlier, int* stride) const {
  const int panel = panel_of_[earlier];
  const Panel& p = panels_[panel];
  *stride = p.stride;
  const int column = start_[earlier] - p.first;
  int row;
  if (panel_of_[later] == panel) {
    row = start_[later] - p.first;
  } else {
    row = p.columns;
    for (const int b : below_[panel]) {
      if (b == later) break;
      row += start_[b + 1] - start_[b];
    }
  }
  return p.offset + row + column * p.stride;
}

void SparseSolver::find_updates() {
  for (size_t i = 0; i < panels_.size(); ++i) {
    panels_[i].first_update = static_cast<int>(updates_.size());
    int column = 0;
    for (size_t c = 0; c < below_[i].size(); ++c) {
      const int cb = below_[i][c], columns = start_[cb + 1] - start_[cb];
      int row = column;
      for (size_t r = c; r < below_[i].size(); ++r) {
        const int rb = below_[i][r], rows = start_[rb + 1] - start_[rb];
        Update u{row, rows, column, columns, 0, 0};
        u.offset = position(rb, cb, &u.stride);
        // rows that follow each other here and in the target are one update (never across the square part)
        Update* last = updates_.size() > static_cast<size_t>(panels_[i].first_update) ? &updates_.back() : nullptr;
        if (last && last->column == column && last->row + last->rows == row && last->stride == u.stride &&
            last->offset + last->rows == u.offset && last->row != column) {
          last->rows += rows;
        } else {
          updates_.push_back(u);
        }
        row += rows;
      }
      column += columns;
    }
  }
}

Slot SparseSolver::slot(int a, int b) const {
  if (a < 0 || b < 0) return {static_cast<int>(lower_.size()) - spare_ * spare_, spare_, false};
  Slot s;
  s.flipped = place_[a] < place_[b];
  s.offset = position(std::max(place_[a], place_[b]), std::min(place_[a], place_[b]), &s.stride);
  return s;
}

// Diagonal blocks come in full; afterwards the square part is used below the diagonal only.
void SparseSolver::prepare_diagonal(const Panel& p) {
  const int ld = p.stride;
  double* L = lower_.data() + p.offset;
  for (int k = 0; k < p.columns; ++k) diagonal_[k] = L[k * (ld + 1)];
  for (int k = 0; k < p.columns; ++k) panel_[k] = strength_[p.first + k];
  for (int k = p.columns; k < ld; ++k) panel_[k] = 0;
  for (int b = p.first_block; b < p.first_block + p.blocks; ++b) {
    if (symmetric_ && is_multiplier_[start_[b]]) continue;  // what stands there is symmetric already
    const int begin = start_[b] - p.first, end = start_[b + 1] - p.first;
    for (int j = begin; j < end; ++j)
      for (int i = j + 1; i < end; ++i) {
        if (symmetric_) L[i + j * ld] = 0.5 * (L[i + j * ld] + L[j + i * ld]);
        else upper_[p.offset + i + j * ld] = L[j + i * ld];
      }
  }
}

inline double SparseSolver::pivot(const Panel& p, int k) {
  const int unknown = p.first + k, ld = p.stride;
  double d = lower_[p.offset + k * (ld + 1)];
  double compared = std::abs(diagonal_[k]);  // what would be left of it if the column were independent
  const bool uniform = rule_.regularization.uniform;
  if (uniform) highest_row_ = std::max(highest_row_, is_multiplier_[unknown] ? d : d > 0 ? -HUGE_VAL : HUGE_VAL);
  if (is_multiplier_[unknown] && (uniform || !rule_.is_usual(d, original_[unknown]))) {
    const double strength = panel_[k];
    d = rule_.apply(d, strength, original_[unknown]);
    compared = strength;
  } else if (is_multiplier_[unknown]) {
    compared = 0;
  }
  // written so that NaN counts as broken
  if (!(std::abs(d) >= smallest_pivot_ * compared)) smallest_pivot_ = compared > 0 ? std::abs(d) / compared : 0;
  pivots_[unknown] = d;
  inverse_pivots_[unknown] = 1 / d;
  return d;
}

// Column k becomes l = a/d, and what it takes from the pivots of multipliers is added to their strength (multipliers
// themselves have negative pivots), unless all get the same E, whatever their strength.
inline void SparseSolver::finish_column(const Panel& p, int k, double d, int stride) {
  double* l = lower_.data() + p.offset + k * stride;
  double* u = symmetric_ ? l : upper_.data() + p.offset + k * stride;
  const double inverse = inverse_pivots_[p.first + k];
  panel::finish_column(l, inverse, k, stride);
  if (!symmetric_) panel::finish_column(u, inverse, k, stride);
  if (d > 0 && weighs_rows_) panel::add_strength(panel_.data(), l, u, d, k, stride);
}

namespace {

inline int round_down(int i) { return i & ~(kLanes - 1); }
inline int round_up(int i) { return (i + kLanes - 1) & ~(kLanes - 1); }

/// y ← y − f x from entry `begin` (a multiple of kLanes) to `end` (likewise)
inline void subtract_scaled(double* __restrict y, const double* __restrict x, double f, int begin, int end) {
  for (int i = begin; i < end; i += kLanes) panel::at(y + i) -= f * panel::at(x + i);
}

}  // namespace

// Two columns at a time, held in registers while the columns to their left act on them:
//     a_j ← a_j − Σ_{k<j} (l_jk d_k) l_k,    d_j = a_jj,    l_j = a_j/d_j
template <int lanes>
void SparseSolver::eliminate_columns(const Panel& p) {
  constexpr int stride = lanes * kLanes;
  const int nc = p.columns;
  double* A = lower_.data() + p.offset;
  const double* d = pivots_.data() + p.first;
  int j = 0;
  for (; j + 1 < nc; j += 2) {
    double* a_j = A + j * stride;
    double* b_j = a_j + stride;
    panel::Four a[lanes], b[lanes];
    for (int n = 0; n < lanes; ++n) a[n] = panel::at(a_j + n * kLanes), b[n] = panel::at(b_j + n * kLanes);
    for (int k = 0; k < j; ++k) {
      const double* l_k = A + k * stride;
      const double f = l_k[j] * d[k], g = l_k[j + 1] * d[k];
      for (int n = 0; n < lanes; ++n) {
        a[n] -= f * panel::at(l_k + n * kLanes);
        b[n] -= g * panel::at(l_k + n * kLanes);
      }
    }
    for (int n = 0; n < lanes; ++n) panel::at(a_j + n * kLanes) = a[n];
    pivot(p, j);
    const double f = a_j[j + 1] * inverse_pivots_[p.first + j];
    for (int n = 0; n < lanes; ++n) panel::at(b_j + n * kLanes) = b[n] - f * a[n];
    finish_column(p, j, d[j], stride);
    finish_column(p, j + 1, pivot(p, j + 1), stride);
  }
  if (j == nc) return;
  double* a_j = A + j * stride;
  for (int k = 0; k < j; ++k) {
    const double* l_k = A + k * stride;
    const double f = l_k[j] * d[k];
    for (int n = 0; n < lanes; ++n) panel::at(a_j + n * kLanes) -= f * panel::at(l_k + n * kLanes);
  }
  finish_column(p, j, pivot(p, j), stride);
}

void SparseSolver::eliminate_symmetric(const Panel& p) {
  switch (p.stride / kLanes) {
    case 1: return eliminate_columns<1>(p);
    case 2: return eliminate_columns<2>(p);
    case 3: return eliminate_columns<3>(p);
    case 4: return eliminate_columns<4>(p);
    case 5: return eliminate_columns<5>(p);
    case 6: return eliminate_columns<6>(p);
    case 7: return eliminate_columns<7>(p);
    case 8: return eliminate_columns<8>(p);
  }
  // tall panels: the columns to the right are updated as soon as one is finished
  const int ld = p.stride, nc = p.columns;
  double* A = lower_.data() + p.offset;
  for (int k = 0; k < nc; ++k) {
    double* a_k = A + k * ld;
    const double d = pivot(p, k), inverse = inverse_pivots_[p.first + k];
    for (int j = k + 1; j < nc; ++j) subtract_scaled(A + j * ld, a_k, a_k[j] * inverse, round_down(j), ld);
    finish_column(p, k, d, ld);
  }
}

// The twin with rows of U kept as columns:   l = a/d, u = b/d,   a_j ← a_j − u_j a_k,   b_j ← b_j − l_j b_k
void SparseSolver::eliminate_unsymmetric(const Panel& p) {
  const int ld = p.stride, nc = p.columns;
  double* A = lower_.data() + p.offset;
  double* B = upper_.data() + p.offset;
  for (int k = 0; k < nc; ++k) {
    double* a_k = A + k * ld;
    double* b_k = B + k * ld;
    const double d = pivot(p, k), inverse = inverse_pivots_[p.first + k];
    for (int j = k + 1; j < nc; ++j) {
      subtract_scaled(A + j * ld, a_k, b_k[j] * inverse, round_down(j), ld);
      subtract_scaled(B + j * ld, b_k, a_k[j] * inverse, round_down(j), ld);
    }
    finish_column(p, k, d, ld);
  }
}

//     A₂₂ ← A₂₂ − L₂₁ D U₁₂: the product first, then block by block into the panels of the ancestors
void SparseSolver::update_ancestors(const Panel& p) {
  const int padded = round_up(p.below);
  const Update* begin = updates_.data() + p.first_update;
  const Update* end =
      &p == &panels_.back() ? updates_.data() + updates_.size() : updates_.data() + (&p + 1)->first_update;
  const double* L = lower_.data() + p.offset + p.columns;
  const double* U = symmetric_ ? L : upper_.data() + p.offset + p.columns;
  const auto subtract = [&](Storage& target, const double* X, const double* F, bool diagonal_blocks) {
    const panel::Product product{product_.data(), X, F, pivots_.data() + p.first, padded, p.stride, p.columns};
    for (const Update* u = begin; u != end; ++u)
      if (u->row == u->column) panel::compute_columns(product, u->column, u->columns);
    for (const Update* u = begin; u != end; ++u) {
      if (u->row == u->column && !diagonal_blocks) continue;
      for (int c = 0; c < u->columns; ++c)
        panel::subtract(&target[u->offset + c * u->stride], &product_[u->row + (u->column + c) * padded], u->rows);
    }
  };
  subtract(lower_, L, U, true);
  if (!symmetric_) subtract(upper_, U, L, false);  // diagonal blocks are complete in lower_
}

FactorReport SparseSolver::factorize() {
  rule_.begin();
  smallest_pivot_ = 1;
  highest_row_ = -HUGE_VAL;
  weighs_rows_ = !rule_.regularization.uniform || rule_.regularization.compliance == 0;
  std::fill(strength_.begin(), strength_.end(), 0.0);
  for (const Panel& p : panels_) {
    prepare_diagonal(p);
    symmetric_ ? eliminate_symmetric(p) : eliminate_unsymmetric(p);
    for (int i = 0; i < p.below; ++i) strength_[rows_[p.first_row + p.columns + i]] += panel_[p.columns + i];
    update_ancestors(p);
  }
  return {smallest_pivot_ > broken_pivot_, smallest_pivot_, rule_.weakest_row(), rule_.redundant_rows(), highest_row_};
}

namespace {

using Sweep = void (*)(const panel::Triangle&, double*);
constexpr Sweep kForward[] = {nullptr,           panel::forward<1>, panel::forward<2>,
                              panel::forward<3>, panel::forward<4>, panel::forward<5>,
                              panel::forward<6>, panel::forward<7>, panel::forward<8>};
constexpr Sweep kBackward[] = {nullptr,
                               panel::backward<1>,
                               panel::backward<2>,
                               panel::backward<3>,
                               panel::backward<4>,
                               panel::backward<5>,
                               panel::backward<6>,
                               panel::backward<7>,
                               panel::backward<8>};

}  // namespace

void SparseSolver::solve(VectorXd& x) const {
  double* w = work_.data();
  const auto triangle = [&](const Panel& p, const Storage& factor) {
    return panel::Triangle{factor.data() + p.offset, inverse_pivots_.data() + p.first, rows_.data() + p.first_row,
                           p.columns, p.below};
  };
  const Storage& U = symmetric_ ? lower_ : upper_;
  for (size_t i = 0; i < permutation_.size(); ++i) w[permutation_[i]] = x[i];
  for (const Panel& p : panels_) {  // L y = b, then D y
    if (p.stride <= kTallest) kForward[p.stride / kLanes](triangle(p, lower_), w);
    else panel::forward_tall(triangle(p, lower_), p.stride, w, panel_.data());
  }
  for (auto p = panels_.rbegin(); p != panels_.rend(); ++p) {  // U x = y
    if (p->stride <= kTallest) kBackward[p->stride / kLanes](triangle(*p, U), w);
    else panel::backward_tall(triangle(*p, U), p->stride, w, panel_.data());
  }
  for (size_t i = 0; i < permutation_.size(); ++i) x[i] = w[permutation_[i]];
}

std::size_t SparseSolver::entries() const { return lower_.size() + upper_.size(); }

std::size_t SparseSolver::bytes() const {
  const std::size_t unknowns = pivots_.size();
  std::size_t sum = 8 * (entries() + work_.size() + product_.size() + panel_.size() + diagonal_.size());
  // pivots, their inverses, strengths; what the regularization keeps of each row; two marks and two numberings
  sum += unknowns * (8 * 3 + 8 * 5 + 2 + 4 * 2);
  sum += 4 * (order_.size() + place_.size() + start_.size() + panel_of_.size() + rows_.size());
  sum += sizeof(Panel) * panels_.size() + sizeof(Update) * updates_.size();
  for (const auto& b : below_) sum += sizeof(b) + 4 * b.size();
  return sum + sizeof(UnknownBlock) * blocks_.size();
}

}  // namespace bricard
