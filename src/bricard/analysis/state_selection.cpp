// SPDX-License-Identifier: Apache-2.0
#include "bricard/analysis/state_selection.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "bricard/analysis/constraint_rank.h"
#include "bricard/analysis/moving_rows.h"

namespace bricard {
namespace {

constexpr double kSignificant = 1e-6;  // of the largest part of a combination that vanishes
constexpr double kHeavy = 0.1;         // weight of a constraint that may be left out
constexpr size_t kNamed = 4;           // in a reason

/// |row|, coordinates as lengths.
VectorXd row_norms(const System& system, const SparseRows& J) {
  VectorXd scale = VectorXd::Ones(system.velocities());
  for (const Manifold::Block& b : system.manifold().blocks())
    if (b.kind == Manifold::Kind::rotation) scale.segment<3>(b.v).setConstant(1 / system.reference_length);
  VectorXd norms = VectorXd::Zero(J.rows());
  for (int i = 0; i < J.rows(); ++i)
    for (SparseRows::InnerIterator e(J, i); e; ++e) norms[i] += std::pow(e.value() * scale[e.col()], 2);
  return norms.cwiseSqrt();
}

std::string list_of(const std::vector<std::string>& names) {
  const size_t shown = std::min(names.size(), kNamed);
  return fmt::format("{}{}", fmt::join(names.begin(), names.begin() + static_cast<long>(shown), ", "),
                     names.size() > shown ? fmt::format(" and {} more", names.size() - shown) : "");
}

/// Why a candidate is not independent, by the combination of rows that vanishes.
std::string reason_of(const System& system, const Eigen::SparseVector<double>& y, const VectorXd& norms, int first_user,
                      int dropped, const std::vector<std::string>& names) {
  double largest = 0;
  for (Eigen::SparseVector<double>::InnerIterator e(y); e; ++e)
    largest = std::max(largest, std::abs(e.value()) * norms[e.index()]);
  std::vector<std::string> users, owners;
  std::set<std::string> known;
  for (Eigen::SparseVector<double>::InnerIterator e(y); e; ++e) {
    if (std::abs(e.value()) * norms[e.index()] < kSignificant * largest || e.index() == dropped) continue;
    if (e.index() >= first_user) users.push_back("'" + names[e.index() - first_user] + "'");
    else if (e.index() < system.multipliers())
      if (const std::string owner = system.row_name(static_cast<int>(e.index())); known.insert(owner).second)
        owners.push_back(owner);
  }
  if (users.empty() && owners.empty()) return "is constant: it does not depend on positions";
  if (users.empty()) return "is fixed by " + list_of(owners);
  return "depends on " + list_of(users) + (owners.empty() ? "" : " through " + list_of(owners));
}

/// A combination of rows that vanishes and the row that is left out for it.
struct Surplus {
  Eigen::SparseVector<double> y;
  int row;
};

/// Of each combination the last user state is left out, or if it has none the last constraint with much weight.
std::vector<Surplus> find_surplus(std::vector<Eigen::SparseVector<double>> ys, const VectorXd& norms, int first_user) {
  std::vector<Surplus> surplus;
  const auto weigh = [&](const Eigen::SparseVector<double>& y) {
    double largest = 0;
    int last = -1;
    for (Eigen::SparseVector<double>::InnerIterator e(y); e; ++e)
      largest = std::max(largest, std::abs(e.value()) * norms[e.index()]);
    for (Eigen::SparseVector<double>::InnerIterator e(y); e; ++e) {
      const double least = e.index() >= first_user ? kSignificant : kHeavy;
      if (largest > 0 && std::abs(e.value()) * norms[e.index()] > least * largest) last = static_cast<int>(e.index());
    }
    return last;
  };
  while (!ys.empty()) {  // the highest row first: user states before constraints, the last one before the others
    int best = -1;
    size_t which = 0;
    for (size_t i = 0; i < ys.size(); ++i)
      if (const int row = weigh(ys[i]); row > best) best = row, which = i;
    if (best < 0) break;
    const Eigen::SparseVector<double> y = ys[which];
    ys.erase(ys.begin() + static_cast<long>(which));
    const auto free_from_it = [&](Eigen::SparseVector<double>& other) {
      const double part = other.coeff(best);
      if (part == 0) return;
      other = Eigen::SparseVector<double>(other - part / y.coeff(best) * y);
      other.coeffRef(best) = 0;
      other.prune(0.0);
    };
    for (Eigen::SparseVector<double>& other : ys) free_from_it(other);
    for (Surplus& earlier : surplus) free_from_it(earlier.y);  // reasons name only what is taken
    surplus.push_back({y, best});
  }
  return surplus;
}

SparseRows unit_rows(const std::vector<int>& columns, int size) {
  SparseRows rows(static_cast<int>(columns.size()), size);
  for (size_t i = 0; i < columns.size(); ++i) rows.insert(static_cast<int>(i), columns[i]) = 1;
  return rows;
}

SparseRows without_rows(const SparseRows& J, const std::vector<char>& out) {
  SparseRows kept = J;
  kept.prune([&](int row, int, double) { return !out[row]; });
  return kept;
}

}  // namespace

LevelChoice choose_states(const System& system, const SparseRows& constraints, const SparseRows& users,
                          const std::vector<std::string>& names, const std::vector<int>& excluded) {
  const int m = static_cast<int>(constraints.rows()), first_user = m + static_cast<int>(excluded.size());
  SparseRows J = stacked(stacked(constraints, unit_rows(excluded, system.velocities())), users);
  const VectorXd norms = row_norms(system, J);
  std::vector<char> out(J.rows(), false);
  LevelChoice choice;
  for (int i = 0; i < J.rows(); ++i) out[i] = norms[i] == 0;
  ConstraintRank rank = find_rank(system, J, NullVectors::yes);
  std::vector<Eigen::SparseVector<double>> ys;
  for (Eigen::SparseVector<double>& y : rank.null_vectors) {  // rows that are zero have one each, of no interest
    for (Eigen::SparseVector<double>::InnerIterator e(y); e; ++e)
      if (out[e.index()]) e.valueRef() = 0;
    y.prune(0.0);
    if (y.nonZeros() > 0) ys.push_back(std::move(y));
  }
  std::vector<std::string> reasons(names.size());
  for (const Surplus& s : find_surplus(std::move(ys), norms, first_user)) {
    out[s.row] = true;
    if (s.row >= first_user) reasons[s.row - first_user] = reason_of(system, s.y, norms, first_user, s.row, names);
  }
  for (size_t u = 0; u < names.size(); ++u) {
    if (norms[first_user + static_cast<int>(u)] == 0) reasons[u] = "is constant: it does not depend on positions";
    if (out[first_user + static_cast<int>(u)]) choice.dropped.push_back({names[u], reasons[u]});
    else choice.users.push_back(static_cast<int>(u));
  }
  for (int i = 0; i < m; ++i)
    if (norms[i] > 0) (out[i] ? choice.redundant : choice.constraints).push_back(i);
  if (std::find(out.begin(), out.end(), true) != out.end())
    rank = find_rank(system, without_rows(J, out), NullVectors::no);
  choice.columns = rank.free_columns;
  return choice;
}

}  // namespace bricard
