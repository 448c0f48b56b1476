// SPDX-License-Identifier: Apache-2.0
#include "bricard/analysis/constraint_rank.h"

#include <Eigen/QR>
#include <algorithm>
#include <map>
#include <numeric>
#include <set>

namespace bricard {
namespace {

using Eigen::MatrixXd;

/// Rows that are still to be eliminated, over the columns of a few blocks.
struct RowGroup {
  std::vector<int> blocks;  ///< in rising order
  MatrixXd values;
  int maker = -1;         ///< the elimination it is left from; −1: original rows
  std::vector<int> rows;  ///< the original rows, if so
};

/// One eliminated block: Qᵀ [rows of all groups] = [pivot rows; rows left; rows that touch
/// nothing].
struct Elimination {
  std::vector<int> groups;
  MatrixXd Q;
  int pivots = 0, left = 0;
};

class FrontalQR {
 public:
  FrontalQR(const System& system, const SparseRows& G, NullVectors wanted);
  ConstraintRank run();

 private:
  void eliminate(int block);
  static void retire_rows(Elimination& e, MatrixXd& rest);
  std::pair<int, int> cost(int block) const;
  void requeue(int block);
  void add_null_vectors(int elimination);
  Eigen::SparseVector<double> null_vector(int elimination, const VectorXd& combination) const;

  const System& system_;
  NullVectors wanted_;
  int rows_;
  VectorXd row_scale_;
  std::vector<RowGroup> groups_;
  std::vector<std::set<int>> groups_of_;  ///< of each block, those still to be eliminated
  std::vector<std::pair<int, int>> queued_cost_;
  std::set<std::pair<std::pair<int, int>, int>> queue_;  ///< (cost, block)
  std::vector<Elimination> eliminations_;
  std::vector<char> is_pivot_;  ///< per coordinate
  ConstraintRank result_;
};

FrontalQR::FrontalQR(const System& system, const SparseRows& G, NullVectors wanted)
    : system_(system), wanted_(wanted), rows_(static_cast<int>(G.rows())), row_scale_(VectorXd::Zero(G.rows())),
      groups_of_(system.blocks().size()), queued_cost_(system.blocks().size()), is_pivot_(system.velocities(), false) {
  std::vector<double> column_scale(system.velocities(), 1.0);  // all coordinates become lengths
  for (const Manifold::Block& b : system.manifold().blocks())
    if (b.kind == Manifold::Kind::rotation) std::fill_n(column_scale.begin() + b.v, 3, 1 / system.reference_length);
  std::vector<int> block_of(system.velocities());
  const auto& blocks = system.blocks();
  for (size_t b = 0; b < blocks.size(); ++b)
    if (!blocks[b].multiplier) std::fill_n(block_of.begin() + blocks[b].first, blocks[b].size, static_cast<int>(b));
  std::vector<std::pair<int, int>> ranges;  // rows of a multiplier block; further rows are groups of their own
  for (const UnknownBlock& m : blocks)
    if (m.multiplier) ranges.emplace_back(m.first - system.velocities(), m.first - system.velocities() + m.size);
  for (int i = system.multipliers(); i < rows_; ++i) ranges.emplace_back(i, i + 1);
  for (const auto& [begin, end] : ranges) {
    RowGroup group;
    std::set<int> touched;
    for (int i = begin; i < end; ++i) {
      group.rows.push_back(i);
      for (SparseRows::InnerIterator e(G, i); e; ++e) {
        touched.insert(block_of[e.col()]);
        row_scale_[i] += std::pow(e.value() * column_scale[e.col()], 2);
      }
      row_scale_[i] = row_scale_[i] > 0 ? 1 / std::sqrt(row_scale_[i]) : 1;
    }
    if (group.rows.empty()) continue;
    group.blocks.assign(touched.begin(), touched.end());
    std::map<int, int> first;  // column of each block in the group
    int columns = 0;
    for (const int b : group.blocks) first[b] = columns, columns += blocks[b].size;
    group.values = MatrixXd::Zero(group.rows.size(), columns);
    for (size_t i = 0; i < group.rows.size(); ++i)
      for (SparseRows::InnerIterator e(G, group.rows[i]); e; ++e) {
        const int b = block_of[e.col()];
        group.values(i, first[b] + e.col() - blocks[b].first) =
            e.value() * column_scale[e.col()] * row_scale_[group.rows[i]];
      }
    for (const int b : group.blocks) groups_of_[b].insert(static_cast<int>(groups_.size()));
    groups_.push_back(std::move(group));
  }
}

/// Leaves first, whose rows are independent of all others and go with them; then those with few
/// neighbours.
std::pair<int, int> FrontalQR::cost(int block) const {
  std::set<int> neighbours;
  int rows = 0;
  for (const int g : groups_of_[block]) {
    neighbours.insert(groups_[g].blocks.begin(), groups_[g].blocks.end());
    rows += static_cast<int>(groups_[g].values.rows());
  }
  return {rows > system_.blocks()[block].size, static_cast<int>(neighbours.size())};
}

void FrontalQR::requeue(int block) {
  queue_.erase({queued_cost_[block], block});
  queued_cost_[block] = cost(block);
  queue_.insert({queued_cost_[block], block});
}

ConstraintRank FrontalQR::run() {
  for (size_t g = 0; g < groups_.size(); ++g)  // rows without any entry constrain nothing
    if (groups_[g].blocks.empty()) {
      eliminations_.push_back(
          {{static_cast<int>(g)}, MatrixXd::Identity(groups_[g].rows.size(), groups_[g].rows.size()), 0, 0});
      add_null_vectors(static_cast<int>(eliminations_.size()) - 1);
    }
  for (size_t b = 0; b < groups_of_.size(); ++b)
    if (!groups_of_[b].empty()) requeue(static_cast<int>(b));
  while (!queue_.empty()) {
    const int block = queue_.begin()->second;
    queue_.erase(queue_.begin());
    eliminate(block);
  }
  for (int c = 0; c < system_.velocities(); ++c)
    if (!is_pivot_[c]) result_.free_columns.push_back(c);
  return result_;
}

void FrontalQR::eliminate(int block) {
  Elimination e;
  e.groups.assign(groups_of_[block].begin(), groups_of_[block].end());
  if (e.groups.empty()) return;
  std::set<int> others;
  int rows = 0;
  for (const int g : e.groups) {
    others.insert(groups_[g].blocks.begin(), groups_[g].blocks.end());
    rows += static_cast<int>(groups_[g].values.rows());
  }
  others.erase(block);
  const auto& blocks = system_.blocks();
  std::map<int, int> first{{block, 0}};
  int columns = blocks[block].size;
  for (const int b : others) first[b] = columns, columns += blocks[b].size;
  MatrixXd F = MatrixXd::Zero(rows, columns);
  int row = 0;
  for (const int g : e.groups) {
    RowGroup& group = groups_[g];
    int column = 0;
    for (const int b : group.blocks) {
      F.block(row, first[b], group.values.rows(), blocks[b].size) = group.values.middleCols(column, blocks[b].size);
      column += blocks[b].size;
      groups_of_[b].erase(g);
    }
    row += static_cast<int>(group.values.rows());
    group.values.resize(0, 0);
  }
  const Eigen::ColPivHouseholderQR<MatrixXd> qr(F.leftCols(blocks[block].size));
  const auto diagonal = qr.matrixQR().diagonal();
  for (; e.pivots < diagonal.size() && std::abs(diagonal[e.pivots]) > kRankTolerance; ++e.pivots) {
    result_.weakest = std::min(result_.weakest, std::abs(diagonal[e.pivots]));
    is_pivot_[blocks[block].first + qr.colsPermutation().indices()[e.pivots]] = true;
  }
  result_.rank += e.pivots;
  e.Q = qr.householderQ() * MatrixXd::Identity(rows, rows);
  const int others_columns = columns - blocks[block].size;
  MatrixXd rest = e.Q.rightCols(rows - e.pivots).transpose() * F.rightCols(others_columns);
  retire_rows(e, rest);
  const int number = static_cast<int>(eliminations_.size());
  eliminations_.push_back(std::move(e));
  const Elimination& kept = eliminations_.back();
  if (kept.left > 0) {
    for (const int b : others) groups_of_[b].insert(static_cast<int>(groups_.size()));
    groups_.push_back({{others.begin(), others.end()}, rest.topRows(kept.left), number, {}});
  }
  add_null_vectors(number);
  for (const int b : others) requeue(b);
}

/// More rows left than they have columns: another rotation makes the surplus ones vanish.
void FrontalQR::retire_rows(Elimination& e, MatrixXd& rest) {
  e.left = static_cast<int>(rest.rows());
  if (rest.rows() <= rest.cols()) return;
  e.left = static_cast<int>(rest.cols());
  if (rest.cols() == 0) return;
  const Eigen::HouseholderQR<MatrixXd> qr(rest);
  const MatrixXd Q = qr.householderQ() * MatrixXd::Identity(rest.rows(), rest.rows());
  rest = qr.matrixQR().topRows(e.left).triangularView<Eigen::Upper>();
  e.Q.rightCols(Q.rows()) = (e.Q.rightCols(Q.rows()) * Q).eval();
}

void FrontalQR::add_null_vectors(int elimination) {
  if (wanted_ == NullVectors::no) return;
  const Elimination& e = eliminations_[elimination];
  for (Eigen::Index i = e.pivots + e.left; i < e.Q.cols(); ++i)
    result_.null_vectors.push_back(null_vector(elimination, e.Q.col(i)));
}

/// A combination of the rows of an elimination as one of the original rows: back through the
/// eliminations before it.
Eigen::SparseVector<double> FrontalQR::null_vector(int elimination, const VectorXd& combination) const {
  std::vector<std::pair<int, double>> entries;
  std::map<int, VectorXd> pending{{elimination, combination}};
  while (!pending.empty()) {
    const auto last = std::prev(pending.end());
    const Elimination& e = eliminations_[last->first];
    const VectorXd of_rows = std::move(last->second);
    pending.erase(last);
    Eigen::Index at = 0;
    for (const int g : e.groups) {
      const RowGroup& group = groups_[g];
      if (group.maker < 0) {
        for (const int row : group.rows) entries.emplace_back(row, row_scale_[row] * of_rows[at++]);
      } else {
        const Elimination& maker = eliminations_[group.maker];
        pending[group.maker] = maker.Q.middleCols(maker.pivots, maker.left) * of_rows.segment(at, maker.left);
        at += maker.left;
      }
    }
  }
  std::sort(entries.begin(), entries.end());
  Eigen::SparseVector<double> y(rows_);
  for (const auto& [row, value] : entries)
    if (std::abs(value) > kRankTolerance * row_scale_[row]) y.insertBack(row) = value;
  return y;
}

}  // namespace

ConstraintRank find_rank(const System& system, const SparseRows& G, NullVectors wanted) {
  return FrontalQR(system, G, wanted).run();
}

ConstraintRank rank_at(const System& system, const State& s, MotionRows motions, NullVectors wanted) {
  Kinematics k = system.make_kinematics();
  system.update(s, k);
  SparseTangent tangent(system);
  tangent.evaluate(k, 0, 0, 0);
  if (motions == MotionRows::with) return find_rank(system, tangent.G(), wanted);
  std::vector<char> is_motion(system.multipliers(), false);
  for (const MotionInfo& m : system.motions) std::fill_n(is_motion.begin() + m.first_row, m.rows, true);
  SparseRows G = tangent.G();
  G.prune([&](int row, int, double) { return !is_motion[row]; });
  return find_rank(system, G, wanted);
}

}  // namespace bricard
