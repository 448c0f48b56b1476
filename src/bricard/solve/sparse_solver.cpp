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

SparseSolver::SparseSolver(const std::vector<UnknownBlock>& blocks, const std::vector<Coupling>& couplings, bool symmetric)
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
  allocate_regularization(next);
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
  size_t largest_update = 0;
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
    largest_update = std::max(largest_update, static_cast<size_t>((p.below + 3) & ~3) * p.columns);
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
  scaled_lower_.assign(largest_update + 8, 0);
  if (!symmetric_) scaled_upper_.assign(largest_update + 8, 0);
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
  for (int b = p.first_block; b < p.first_block + p.blocks; ++b) {
    if (symmetric_ && is_multiplier_[start_[b]]) continue;  // what stands there is symmetric already
    const int begin = start_[b] - p.first, end = start_[b + 1] - p.first;
    for (int j = begin; j < end; ++j)
      for (int i = j + 1; i < end; ++i) {
        if (symmetric_)
          L[i + j * ld] = 0.5 * (L[i + j * ld] + L[j + i * ld]);
        else
          upper_[p.offset + i + j * ld] = L[j + i * ld];
      }
  }
}

inline double SparseSolver::pivot(const Panel& p, int k) {
  const int unknown = p.first + k, ld = p.stride;
  double d = lower_[p.offset + k * (ld + 1)];
  double compared = std::abs(diagonal_[k]);  // what would be left of it if the column were independent
  if (is_multiplier_[unknown] && rule_.uniform) {
    d = softened(d, original_[unknown]);
    compared = 0;
  } else if (is_multiplier_[unknown] && !is_usual(d, original_[unknown])) {
    const double* L = lower_.data() + p.offset + k;
    const double* U = symmetric_ ? L : upper_.data() + p.offset + k;
    double strength = strength_[unknown];
    for (int j = 0; j < k; ++j) strength += std::max(0.0, L[j * ld] * U[j * ld] * pivots_[p.first + j]);
    d = regularized(d, strength, original_[unknown]);
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

// What the coordinates of this panel take from the pivots of multipliers in panels above.
void SparseSolver::add_strength(const Panel& p) {
  for (int i = 0; i < p.below; ++i) {
    const int row = rows_[p.first_row + p.columns + i];
    if (!is_multiplier_[row]) continue;
    const double* L = lower_.data() + p.offset + p.columns + i;
    const double* U = symmetric_ ? L : upper_.data() + p.offset + p.columns + i;
    for (int k = 0; k < p.columns; ++k)
      strength_[row] += std::max(0.0, L[k * p.stride] * U[k * p.stride] * pivots_[p.first + k]);
  }
}

namespace {

using Lanes = Eigen::Map<Eigen::Array4d, Eigen::Aligned32>;
using ConstLanes = Eigen::Map<const Eigen::Array4d, Eigen::Aligned32>;
inline int round_down(int i) { return i & ~(kLanes - 1); }
inline int round_up(int i) { return (i + kLanes - 1) & ~(kLanes - 1); }

/// y ← y − f x from entry `begin` (a multiple of kLanes) to `end` (likewise)
inline void subtract_scaled(double* __restrict y, const double* __restrict x, double f, int begin, int end) {
  for (int i = begin; i < end; i += kLanes) Lanes(y + i) -= f * ConstLanes(x + i);
}

/// After column k of a panel has served: its rows below are kept times D for the update, the column becomes l = a/d.
/// Entries up to the diagonal are set to zero, so that solve() can run over them.
inline void finish_column(double* __restrict column, double* __restrict scaled, double inverse, int k, int columns, int below, int stride) {
  for (int i = 0; i < below; ++i) scaled[i] = column[columns + i];
  const int first = round_down(k);
  switch (k - first) {  // a loop would become a call of memset, dearer than these stores
    case 3: column[first + 2] = 0; [[fallthrough]];
    case 2: column[first + 1] = 0; [[fallthrough]];
    case 1: column[first] = 0; [[fallthrough]];
    default: column[k] = 0;
  }
  for (int i = round_down(k); i < stride; i += kLanes) Lanes(column + i) *= inverse;
}

/// target[0…rows) ← target − Σ_k factor_k scaled_k[0…rows): eight rows at a time, sums kept in registers. Reads up to
/// seven entries behind the last row, which the buffer has.
inline void subtract_sum(double* __restrict target, const double* __restrict scaled, int scaled_stride,
                         const double* __restrict factor, int factor_stride, int columns, int rows) {
  using Four = Eigen::Map<const Eigen::Array4d>;
  for (int begin = 0; begin < rows; begin += 8) {
    Eigen::Array4d low = Eigen::Array4d::Zero(), high = low;
    const double* x = scaled + begin;
    for (int k = 0; k < columns; ++k, x += scaled_stride) {
      const double f = factor[k * factor_stride];
      low += f * Four(x);
      high += f * Four(x + 4);
    }
    double sum[8];
    Eigen::Map<Eigen::Array4d>(sum, 4) = low;
    Eigen::Map<Eigen::Array4d>(sum + 4, 4) = high;
    const int count = std::min(8, rows - begin);
    for (int i = 0; i < count; ++i) target[begin + i] -= sum[i];
  }
}

}  // namespace

// Column by column, each held in registers while the columns to its left act on it:
//     a_j ← a_j − Σ_{k<j} (l_jk d_k) l_k,    d_j = a_jj,    l_j = a_j/d_j
template <int lanes>
void SparseSolver::eliminate_columns(const Panel& p) {
  constexpr int stride = lanes * kLanes;
  const int nc = p.columns, padded = round_up(p.below);
  double* __restrict A = lower_.data() + p.offset;
  for (int j = 0; j < nc; ++j) {
    double* a_j = A + j * stride;
    Eigen::Array4d a[lanes];
    for (int n = 0; n < lanes; ++n) a[n] = ConstLanes(a_j + n * kLanes);
    for (int k = 0; k < j; ++k) {
      const double* l_k = A + k * stride;
      const double factor = l_k[j] * pivots_[p.first + k];
      for (int n = 0; n < lanes; ++n) a[n] -= factor * ConstLanes(l_k + n * kLanes);
    }
    for (int n = 0; n < lanes; ++n) Lanes(a_j + n * kLanes) = a[n];
    const double inverse = 1 / pivot(p, j);
    finish_column(a_j, scaled_lower_.data() + j * padded, inverse, j, nc, p.below, stride);
  }
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
    const double inverse = 1 / pivot(p, k);
    for (int j = k + 1; j < nc; ++j) subtract_scaled(A + j * ld, a_k, a_k[j] * inverse, round_down(j), ld);
    finish_column(a_k, scaled_lower_.data() + k * round_up(p.below), inverse, k, nc, p.below, ld);
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
    const double inverse = 1 / pivot(p, k);
    for (int j = k + 1; j < nc; ++j) {
      subtract_scaled(A + j * ld, a_k, b_k[j] * inverse, round_down(j), ld);
      subtract_scaled(B + j * ld, b_k, a_k[j] * inverse, round_down(j), ld);
    }
    finish_column(a_k, scaled_lower_.data() + k * round_up(p.below), inverse, k, nc, p.below, ld);
    finish_column(b_k, scaled_upper_.data() + k * round_up(p.below), inverse, k, nc, p.below, ld);
  }
}

//     A₂₂ ← A₂₂ − L₂₁ D U₁₂, block by block into the panels of the ancestors
void SparseSolver::update_ancestors(const Panel& p) {
  const int ld = p.stride, padded = round_up(p.below);
  const int end = &p == &panels_.back() ? static_cast<int>(updates_.size()) : (&p + 1)->first_update;
  const double* L = lower_.data() + p.offset + p.columns;
  const double* U = symmetric_ ? L : upper_.data() + p.offset + p.columns;
  const auto subtract = [&](double* target, const double* scaled, const double* factor, const Update& u) {
    for (int c = 0; c < u.columns; ++c, target += u.stride, ++factor)
      subtract_sum(target, scaled + u.row, padded, factor, ld, p.columns, u.rows);
  };
  for (int n = p.first_update; n < end; ++n) {
    const Update& u = updates_[n];
    subtract(lower_.data() + u.offset, scaled_lower_.data(), U + u.column, u);
    if (symmetric_ || u.row == u.column) continue;  // diagonal blocks are complete in lower_
    subtract(upper_.data() + u.offset, scaled_upper_.data(), L + u.column, u);
  }
}

FactorReport SparseSolver::factorize() {
  weakest_row_ = smallest_pivot_ = 1;
  redundant_rows_ = 0;
  std::fill(strength_.begin(), strength_.end(), 0.0);
  for (const Panel& p : panels_) {
    prepare_diagonal(p);
    symmetric_ ? eliminate_symmetric(p) : eliminate_unsymmetric(p);
    if (!rule_.uniform) add_strength(p);
    update_ancestors(p);
  }
  return {smallest_pivot_ > kBrokenPivot, smallest_pivot_, weakest_row_, redundant_rows_};
}

namespace {

using Sweep = void (*)(const panel::Triangle&, double*);
constexpr Sweep kForward[] = {nullptr, panel::forward<1>, panel::forward<2>, panel::forward<3>, panel::forward<4>,
                              panel::forward<5>, panel::forward<6>, panel::forward<7>, panel::forward<8>};
constexpr Sweep kBackward[] = {nullptr, panel::backward<1>, panel::backward<2>, panel::backward<3>, panel::backward<4>,
                               panel::backward<5>, panel::backward<6>, panel::backward<7>, panel::backward<8>};

}  // namespace

void SparseSolver::solve(VectorXd& x) const {
  double* w = work_.data();
  const auto triangle = [&](const Panel& p, const Storage& factor) {
    return panel::Triangle{factor.data() + p.offset, inverse_pivots_.data() + p.first, rows_.data() + p.first_row, p.columns, p.below};
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
  std::size_t sum = 8 * (entries() + work_.size() + pivots_.size() + scaled_lower_.size() + scaled_upper_.size());
  sum += 4 * (order_.size() + place_.size() + start_.size() + panel_of_.size() + rows_.size() + permutation_.size());
  sum += sizeof(Panel) * panels_.size() + sizeof(Update) * updates_.size();
  for (const auto& b : below_) sum += sizeof(b) + 4 * b.size();
  return sum + sizeof(UnknownBlock) * blocks_.size();
}

}  // namespace bricard
