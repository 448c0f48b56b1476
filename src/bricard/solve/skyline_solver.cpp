// SPDX-License-Identifier: Apache-2.0
#include "bricard/solve/skyline_solver.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "bricard/system/assertion.h"

namespace bricard {
namespace {

using Graph = std::vector<std::vector<int>>;

/// Coordinate blocks are neighbours if they meet in the matrix or in one multiplier block.
/// A multiplier block only knows its coordinates.
Graph make_coordinate_graph(const std::vector<UnknownBlock>& blocks, const std::vector<Coupling>& couplings) {
  Graph graph(blocks.size());
  for (const auto& [a, b, acts] : couplings) {
    if (a < 0 || b < 0 || a == b || (blocks[a].multiplier && blocks[b].multiplier)) continue;
    if (!blocks[b].multiplier) graph[a].push_back(b);
    if (!blocks[a].multiplier) graph[b].push_back(a);
  }
  for (std::size_t m = 0; m < blocks.size(); ++m)
    if (blocks[m].multiplier)
      for (const int a : graph[m])
        for (const int b : graph[m])
          if (a != b) graph[a].push_back(b);
  for (std::vector<int>& neighbours : graph) {
    std::sort(neighbours.begin(), neighbours.end());
    neighbours.erase(std::unique(neighbours.begin(), neighbours.end()), neighbours.end());
  }
  return graph;
}

/// Cuthill–McKee numbering of the part of the graph connected with `start`: level by level, within
/// a level by the parent's number, then by the number of neighbours.
struct Sweep {
  std::vector<int> order;
  int depth = 0;
};

Sweep cuthill_mckee(const Graph& graph, int start, std::vector<int>& level) {
  Sweep sweep{{start}, 0};
  level[start] = 0;
  for (std::size_t head = 0; head < sweep.order.size(); ++head) {
    const int node = sweep.order[head];
    const auto first_child = static_cast<std::ptrdiff_t>(sweep.order.size());
    for (const int next : graph[node])
      if (level[next] < 0) {
        level[next] = level[node] + 1;
        sweep.order.push_back(next);
      }
    std::stable_sort(sweep.order.begin() + first_child, sweep.order.end(),
                     [&](int a, int b) { return graph[a].size() < graph[b].size(); });
    sweep.depth = level[node];
  }
  return sweep;
}

/// Starts from an end of the graph: the node found last is tried as start while that makes more
/// levels.
Sweep cuthill_mckee_from_end(const Graph& graph, int start, std::vector<int>& level) {
  Sweep sweep = cuthill_mckee(graph, start, level);
  for (;;) {
    for (const int node : sweep.order) level[node] = -1;
    Sweep other = cuthill_mckee(graph, sweep.order.back(), level);
    const bool longer = other.depth > sweep.depth;
    sweep = std::move(other);
    if (!longer) return sweep;
  }
}

/// A column-major matrix inside a larger array.
struct Panel {
  const double* at;
  int stride;
};

/// C ← C − A Bᵀ for an M × N tile whose sums stay in registers; A and B have `depth` columns.
template <int M, int N>
void subtract_tile(double* C, int stride, Panel A, Panel B, int depth) {
  using Column = Eigen::Matrix<double, M, 1>;
  Column sum[N];
  for (Column& column : sum) column.setZero();
  for (int c = 0; c < depth; ++c, A.at += A.stride, B.at += B.stride)
    for (int n = 0; n < N; ++n) sum[n] += Eigen::Map<const Column>(A.at) * B.at[n];
  for (int n = 0; n < N; ++n) Eigen::Map<Column>(C + n * stride) -= sum[n];
}

template <int M>
void subtract_strip(double* C, int stride, int columns, Panel A, Panel B, int depth) {
  int j = 0;
  for (; j + 4 <= columns; j += 4) subtract_tile<M, 4>(C + j * stride, stride, A, {B.at + j, B.stride}, depth);
  for (; j + 2 <= columns; j += 2) subtract_tile<M, 2>(C + j * stride, stride, A, {B.at + j, B.stride}, depth);
  for (; j < columns; ++j) subtract_tile<M, 1>(C + j * stride, stride, A, {B.at + j, B.stride}, depth);
}

/// C ← C − A Bᵀ. The panels are a few rows high and long; Eigen's product would pack them first.
void subtract_product(double* C, int stride, int rows, int columns, Panel A, Panel B, int depth) {
  int i = 0;
  for (; i + 4 <= rows; i += 4) subtract_strip<4>(C + i, stride, columns, {A.at + i, A.stride}, B, depth);
  for (; i + 2 <= rows; i += 2) subtract_strip<2>(C + i, stride, columns, {A.at + i, A.stride}, B, depth);
  for (; i < rows; ++i) subtract_strip<1>(C + i, stride, columns, {A.at + i, A.stride}, B, depth);
}

}  // namespace

std::vector<int> profile_order(const std::vector<UnknownBlock>& blocks, const std::vector<Coupling>& couplings) {
  const Graph graph = make_coordinate_graph(blocks, couplings);
  const int count = static_cast<int>(blocks.size());
  std::vector<int> level(count, -1), coordinates;
  for (int i = 0; i < count; ++i)
    if (!blocks[i].multiplier && level[i] < 0) {
      const Sweep sweep = cuthill_mckee_from_end(graph, i, level);
      coordinates.insert(coordinates.end(), sweep.order.begin(), sweep.order.end());
    }
  std::reverse(coordinates.begin(), coordinates.end());

  std::vector<int> place(count, 0);  // of coordinate blocks
  for (std::size_t k = 0; k < coordinates.size(); ++k) place[coordinates[k]] = static_cast<int>(k);
  Graph followers(coordinates.size() + 1);  // multipliers after each coordinate block; without any: last
  for (int i = 0; i < count; ++i)
    if (blocks[i].multiplier) {
      int last = graph[i].empty() ? static_cast<int>(coordinates.size()) : 0;
      for (const int j : graph[i]) last = std::max(last, place[j]);
      followers[last].push_back(i);
    }
  std::vector<int> order;
  for (std::size_t k = 0; k < followers.size(); ++k) {
    if (k < coordinates.size()) order.push_back(coordinates[k]);
    order.insert(order.end(), followers[k].begin(), followers[k].end());
  }
  return order;
}

SkylineSolver::SkylineSolver(const std::vector<UnknownBlock>& blocks, const std::vector<Coupling>& couplings)
    : SkylineSolver(blocks, couplings, profile_order(blocks, couplings)) {}

SkylineSolver::SkylineSolver(const std::vector<UnknownBlock>& blocks, const std::vector<Coupling>& couplings,
                             const std::vector<int>& order) {
  BRICARD_ASSERT(order.size() == blocks.size());
  set_profile(blocks, couplings, order);
  int largest = 16;
  for (const UnknownBlock& b : blocks) largest = std::max(largest, b.size);
  allocate(largest);
}

void SkylineSolver::set_profile(const std::vector<UnknownBlock>& blocks, const std::vector<Coupling>& couplings,
                                const std::vector<int>& order) {
  position_.resize(blocks.size());
  int n = 0;
  for (const int block : order) {
    const int k = static_cast<int>(rows_.size());
    position_[block] = k;
    rows_.push_back({blocks[block].size, n, n, 0, blocks[block].first, blocks[block].multiplier, k});
    n += blocks[block].size;
  }
  for (const auto& [a, b, acts] : couplings) {
    if (a < 0 || b < 0) continue;
    const auto [earlier, later] = std::minmax({position_[a], position_[b]});
    rows_[later].reach = std::min(rows_[later].reach, earlier);
  }
  for (BlockRow& row : rows_) row.first_column = rows_[row.reach].first_row;
}

void SkylineSolver::allocate(int largest_block) {
  int n = 0, entries = 0, longest = 0;
  for (BlockRow& row : rows_) {
    row.offset = entries;
    const int left = (row.first_row - row.first_column) * row.size;
    entries += left + row.size * row.size;
    longest = std::max(longest, left);
    n += row.size;
  }
  ground_ = {entries, largest_block, false};
  lower_.assign(entries + largest_block * largest_block, 0.0);
  reduced_.assign(longest, 0.0);
  pivots_ = VectorXd::Zero(n);
  strength_ = VectorXd::Zero(largest_block);
  rule_.allocate(n);
  work_ = VectorXd::Zero(n);
}

Slot SkylineSolver::slot(int a, int b) const {
  if (a < 0 || b < 0) return ground_;
  const auto [earlier, later] = std::minmax({position_[a], position_[b]});
  const BlockRow& row = rows_[later];
  const int column = rows_[earlier].first_row - row.first_column;
  BRICARD_ASSERT(column >= 0);  // the pair was among the couplings
  return {row.offset + column * row.size, row.size, position_[a] < position_[b]};
}

// The lower triangle of each diagonal block becomes the mean of both. Returns the largest |a_ii|.
double SkylineSolver::symmetrise_diagonals() {
  double largest = 0;
  for (const BlockRow& row : rows_) {
    double* A = &lower_[row.diagonal()];
    for (int j = 0; j < row.size; ++j) {
      largest = std::max(largest, std::abs(A[j + j * row.size]));
      for (int i = j + 1; i < row.size; ++i) A[i + j * row.size] = 0.5 * (A[i + j * row.size] + A[j + i * row.size]);
    }
  }
  return largest;
}

// With g = L D, for each block j left of the diagonal of block row k, from left to right:
//     g_kj = (A_kj − Σ_{i<j} g_ki L_jiᵀ) L_jj⁻ᵀ,     i from where both rows k and j have begun
// then L_kj = g_kj D_j⁻¹ and A_kk ← A_kk − Σ_j g_kj L_kjᵀ.
void SkylineSolver::reduce(const BlockRow& row) {
  const int m = row.size;
  double* g = &lower_[row.offset];
  for (const BlockRow* left = &rows_[row.reach]; left != &row; ++left) {
    double* g_j = g + (left->first_row - row.first_column) * m;
    const int start = std::max(row.first_column, left->first_column);
    subtract_product(g_j, m, m, left->size, {g + (start - row.first_column) * m, m},
                     {&lower_[left->offset + (start - left->first_column) * left->size], left->size},
                     left->first_row - start);
    const double* L_jj = &lower_[left->diagonal()];
    for (int c = 0; c < left->size; ++c)
      for (int r = c + 1; r < left->size; ++r)
        for (int i = 0; i < m; ++i) g_j[i + r * m] -= g_j[i + c * m] * L_jj[r + c * left->size];
  }
  const int columns = row.first_row - row.first_column;
  std::copy_n(g, columns * m, reduced_.begin());
  for (int c = 0; c < columns; ++c) {
    const double inverse = 1 / pivots_[row.first_column + c];
    for (int i = 0; i < m; ++i) g[i + c * m] *= inverse;
  }
  strength_.setZero();
  for (int c = 0; row.multiplier && c < columns; ++c)
    for (int i = 0; i < m; ++i) strength_[i] += std::max(0.0, reduced_[i + c * m] * g[i + c * m]);
  subtract_product(&lower_[row.diagonal()], m, m, m, {reduced_.data(), m}, {g, m}, columns);
}

// A_kk = L_kk D_k L_kkᵀ, column by column, lower triangle only.
void SkylineSolver::factorize_diagonal(const BlockRow& row) {
  const int m = row.size;
  double* A = &lower_[row.diagonal()];
  for (int k = 0; k < m; ++k) {
    double pivot = A[k + k * m];
    if (row.multiplier) pivot = rule_.apply(pivot, strength_[k], row.unknown + k);
    pivots_[row.first_row + k] = pivot;
    for (int j = k + 1; j < m; ++j) {
      const double l = A[j + k * m] / pivot;
      for (int i = j; i < m; ++i) A[i + j * m] -= A[i + k * m] * l;
      A[j + k * m] = l;
    }
  }
}

FactorReport SkylineSolver::factorize() {
  if (rows_.empty()) return {};
  const double largest = symmetrise_diagonals();
  rule_.begin();
  for (const BlockRow& row : rows_) {
    reduce(row);
    factorize_diagonal(row);
  }
  const double smallest = pivots_.cwiseAbs().minCoeff() / largest;
  return {pivots_.allFinite() && smallest > broken_pivot_, smallest, rule_.weakest_row(), rule_.redundant_rows()};
}

void SkylineSolver::solve(VectorXd& x) const {
  using Matrix = Eigen::Map<const Eigen::MatrixXd>;
  for (const BlockRow& row : rows_) {  // L y = x, row by row
    auto y = work_.segment(row.first_row, row.size);
    y = x.segment(row.unknown, row.size);
    const int left = row.first_row - row.first_column;
    y.noalias() -= Matrix(&lower_[row.offset], row.size, left) * work_.segment(row.first_column, left);
    Matrix(&lower_[row.diagonal()], row.size, row.size).triangularView<Eigen::UnitLower>().solveInPlace(y);
  }
  work_.array() /= pivots_.array();
  for (auto row = rows_.rbegin(); row != rows_.rend(); ++row) {  // Lᵀ x = D⁻¹ y, column by column
    auto y = work_.segment(row->first_row, row->size);
    Matrix(&lower_[row->diagonal()], row->size, row->size)
        .transpose()
        .triangularView<Eigen::UnitUpper>()
        .solveInPlace(y);
    x.segment(row->unknown, row->size) = y;
    const int left = row->first_row - row->first_column;
    work_.segment(row->first_column, left).noalias() -= Matrix(&lower_[row->offset], row->size, left).transpose() * y;
  }
}

std::size_t SkylineSolver::bytes() const {
  return (lower_.size() + reduced_.size() + pivots_.size() + work_.size()) * sizeof(double);
}

}  // namespace bricard
