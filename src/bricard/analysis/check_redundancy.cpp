// SPDX-License-Identifier: Apache-2.0
#include "bricard/analysis/check_redundancy.h"

#include <Eigen/QR>
#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>

#include "bricard/analysis/mechanism_graph.h"

namespace bricard {
namespace {

using SparseVector = Eigen::SparseVector<double>;
using Components = Eigen::Matrix<double, 6, 1>;

constexpr double kZero = 1e-7;  // of vectors whose largest entry is 1
constexpr double kPruned = 1e-10;
constexpr size_t kLongLoop = 60;  // joints; longer ones are not looked at alone

/// Who made a row: joints first, then motions, couplers and planes, then blocks that are none of them.
struct Owner {
  enum class Kind { joint, motion, coupler, plane, other };
  Kind kind;
  int number;  ///< of the joint or motion, or in System::equations
  int first_row, rows;
};

/// Combinations of the rows of one loop that vanish: yᵀG = 0 with entries of this loop only.
void add_loop_vectors(const System& system, const SparseRows& G, const Loop& loop,
                      const std::vector<std::vector<int>>& motions_of,
                      const std::map<std::string, const EquationInfo*>& planes, std::vector<SparseVector>& vectors) {
  std::vector<int> rows;
  const auto add_rows = [&](int first, int count) {
    for (int i = first; i < first + count; ++i)
      if (G.row(i).norm() > 0) rows.push_back(i);  // of a joint that is off there are none
  };
  for (const int j : loop.joints) {
    add_rows(system.joints[j].first_row, system.joints[j].rows);
    for (const int m : motions_of[j]) add_rows(system.motions[m].first_row, system.motions[m].rows);
  }
  for (const int body : loop.bodies)
    if (const auto plane = planes.find(system.nodes()[body].name); plane != planes.end())
      add_rows(plane->second->first_row, plane->second->rows);
  std::sort(rows.begin(), rows.end());
  std::map<int, int> columns;
  for (const int row : rows)
    for (SparseRows::InnerIterator e(G, row); e; ++e)
      columns.emplace(static_cast<int>(e.col()), static_cast<int>(columns.size()));
  std::vector<char> turns(system.velocities(), false);
  for (const Manifold::Block& b : system.manifold().blocks())
    if (b.kind == Manifold::Kind::rotation) std::fill_n(turns.begin() + b.v, b.size, true);
  Eigen::MatrixXd A = Eigen::MatrixXd::Zero(rows.size(), columns.size());
  for (size_t i = 0; i < rows.size(); ++i)
    for (SparseRows::InnerIterator e(G, rows[i]); e; ++e)
      A(i, columns[static_cast<int>(e.col())]) = turns[e.col()] ? e.value() / system.reference_length : e.value();
  VectorXd size = A.rowwise().norm();
  size = (size.array() > 0).select(size, 1);  // a row of something that is off
  for (Eigen::Index i = 0; i < A.rows(); ++i) A.row(i) /= size[i];
  const Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr(A);
  const auto diagonal = qr.matrixQR().diagonal();
  Eigen::Index rank = 0;
  while (rank < diagonal.size() && std::abs(diagonal[rank]) > kRankTolerance) ++rank;
  const Eigen::MatrixXd Q = qr.householderQ() * Eigen::MatrixXd::Identity(A.rows(), A.rows());
  for (Eigen::Index v = rank; v < Q.cols(); ++v) {
    SparseVector y(system.multipliers());
    for (size_t i = 0; i < rows.size(); ++i)
      if (std::abs(Q(i, v)) > kPruned) y.insertBack(rows[i]) = Q(i, v) / size[i];
    vectors.push_back(std::move(y));
  }
}

/// A basis of the left null space, loop by loop as far as that is possible: short vectors say more.
/// Loops of a spanning tree each have a joint of their own, so vectors of different loops are
/// independent.
std::vector<SparseVector> short_null_vectors(const System& system, const SparseRows& G, int rank) {
  std::vector<std::vector<int>> motions_of(system.joints.size());
  for (size_t m = 0; m < system.motions.size(); ++m)
    if (system.motions[m].joint >= 0) motions_of[system.motions[m].joint].push_back(static_cast<int>(m));
  std::map<std::string, const EquationInfo*> planes;
  for (const EquationInfo& e : system.equations)
    if (e.kind == EquationInfo::Kind::plane) planes.emplace(e.name, &e);
  std::vector<SparseVector> vectors;
  for (const Loop& loop : find_loops(system))
    if (loop.joints.size() <= kLongLoop) add_loop_vectors(system, G, loop, motions_of, planes, vectors);
  if (static_cast<int>(vectors.size()) == system.multipliers() - rank) return vectors;
  const std::vector<SparseVector> all = find_rank(system, G, NullVectors::yes).null_vectors;  // some need several loops
  vectors.insert(vectors.end(), all.begin(), all.end());
  return vectors;
}

class Namer {
 public:
  Namer(const System& system, const Kinematics& k, std::vector<SparseVector> null_vectors);
  Dependencies run();

 private:
  struct Pivot {
    int vector, direction;
  };
  void find_wrenches(const Kinematics& k);
  std::vector<Pivot> take(int owner, bool in_ground_axes);
  Components components(int owner, const SparseVector& y, bool in_ground_axes) const;
  bool ground_axes_suit(int owner) const;
  void eliminate(int owner, bool in_ground_axes, const Pivot& pivot);
  std::vector<std::string> directions_of(int owner, const std::vector<Pivot>& pivots, bool in_ground_axes) const;
  void name_joint(int owner);
  void name_motion(int owner);
  std::set<int> owners_of(const SparseVector& y) const;

  const System& system_;
  std::vector<Owner> owners_;
  std::vector<int> owner_of_row_;
  std::vector<SparseVector> vectors_;
  std::vector<char> taken_;
  std::vector<std::set<int>> vectors_of_;            ///< per owner
  std::vector<std::array<Components, 6>> wrenches_;  ///< per joint and row: force, torque/ℓ; ground axes
  std::vector<Matrix3d> axes_;                       ///< of the first marker, per joint
  VectorXd moving_, open_;                           ///< ∂g/∂t and g
  VectorXd bias_;                                    ///< g̈ − G a
  Dependencies result_;
};

Namer::Namer(const System& system, const Kinematics& k, std::vector<SparseVector> null_vectors)
    : system_(system), owner_of_row_(system.multipliers(), -1), vectors_(std::move(null_vectors)),
      taken_(vectors_.size(), false) {
  const auto add = [&](Owner::Kind kind, size_t number, int first_row, int rows) {
    if (rows == 0) return;
    std::fill_n(owner_of_row_.begin() + first_row, rows, static_cast<int>(owners_.size()));
    owners_.push_back({kind, static_cast<int>(number), first_row, rows});
  };
  for (size_t j = 0; j < system.joints.size(); ++j)
    add(Owner::Kind::joint, j, system.joints[j].first_row, system.joints[j].rows);
  for (size_t m = 0; m < system.motions.size(); ++m)
    add(Owner::Kind::motion, m, system.motions[m].first_row, system.motions[m].rows);
  for (size_t e = 0; e < system.equations.size(); ++e)
    add(system.equations[e].kind == EquationInfo::Kind::plane ? Owner::Kind::plane : Owner::Kind::coupler, e,
        system.equations[e].first_row, system.equations[e].rows);
  for (size_t b = 0; b < system.blocks().size(); ++b)
    if (system.blocks()[b].multiplier && owner_of_row_[system.row_of(static_cast<int>(b))] < 0)
      add(Owner::Kind::other, b, system.row_of(static_cast<int>(b)), system.blocks()[b].size);
  vectors_of_.resize(owners_.size());
  for (size_t v = 0; v < vectors_.size(); ++v) {
    vectors_[v] /= vectors_[v].coeffs().cwiseAbs().maxCoeff();
    for (const int o : owners_of(vectors_[v])) vectors_of_[o].insert(static_cast<int>(v));
  }
  find_wrenches(k);
}

std::set<int> Namer::owners_of(const SparseVector& y) const {
  std::set<int> owners;
  for (SparseVector::InnerIterator e(y); e; ++e)
    if (std::abs(e.value()) > kZero) owners.insert(owner_of_row_[e.index()]);
  return owners;
}

/// What a unit multiplier of each joint's row does to its second body; and how the motions move.
void Namer::find_wrenches(const Kinematics& k) {
  State s = *k.state;
  s.v.setZero();
  Kinematics at_rest = k;
  system_.update(s, at_rest);
  wrenches_.resize(system_.joints.size());
  std::vector<Wrench> found(system_.joints.size());
  for (int i = 0; i < 6; ++i) {
    s.lambda.setZero();
    for (const JointInfo& j : system_.joints)
      if (i < j.rows) s.lambda[j.first_row + i] = 1;
    system_.reactions(at_rest, found);
    for (size_t j = 0; j < found.size(); ++j)
      wrenches_[j][i] << found[j].force, found[j].torque / system_.reference_length;
  }
  for (const JointInfo& j : system_.joints) axes_.push_back(k.frames[j.markers[0].node].R * j.markers[0].R);
  moving_.resize(system_.multipliers());
  bias_.resize(system_.multipliers());
  system_.constraint_rates(k, moving_, bias_);
  VectorXd of_rest(system_.multipliers());
  system_.constraint_rates(at_rest, moving_, of_rest);
  Residual r = system_.make_residual();
  system_.residual(at_rest, r);
  open_ = r.constraint;
}

/// What a combination of rows would do at one owner: the force and torque of a joint, else the
/// multipliers themselves.
Components Namer::components(int owner, const SparseVector& y, bool in_ground_axes) const {
  const Owner& o = owners_[owner];
  Components sum = Components::Zero();
  for (int i = 0; i < std::min(o.rows, 6); ++i) {
    const double value = y.coeff(o.first_row + i);
    if (o.kind == Owner::Kind::joint) sum += value * wrenches_[o.number][i];
    else sum[i] = value;
  }
  if (o.kind == Owner::Kind::joint && !in_ground_axes) {
    const Matrix3d to_marker = axes_[o.number].transpose();
    sum << to_marker * sum.head<3>().eval(), to_marker * sum.tail<3>().eval();
  }
  return sum;
}

/// Whether fewer directions, or as few, are needed in ground axes than in those of the joint.
bool Namer::ground_axes_suit(int owner) const {
  std::array<int, 2> directions{};
  for (const bool ground : {false, true}) {
    Components largest = Components::Zero();
    for (const int v : vectors_of_[owner])
      if (!taken_[v]) largest = largest.cwiseMax(components(owner, vectors_[v], ground).cwiseAbs());
    directions[ground] = static_cast<int>((largest.array() > kZero).count());
  }
  return directions[true] <= directions[false];
}

/// Clears the direction of the pivot in all other vectors.
void Namer::eliminate(int owner, bool in_ground_axes, const Pivot& pivot) {
  const SparseVector& by = vectors_[pivot.vector];
  const double value = components(owner, by, in_ground_axes)[pivot.direction];
  const std::set<int> others = vectors_of_[owner];
  for (const int v : others) {
    const double factor = components(owner, vectors_[v], in_ground_axes)[pivot.direction] / value;
    if (v == pivot.vector || std::abs(factor) < kZero) continue;
    const SparseVector next = vectors_[v] - factor * by;
    vectors_[v] = next.pruned(1.0, kPruned);
    for (const int o : owners_of(by)) vectors_of_[o].insert(v);
  }
}

/// Directions of this owner that can be left out: one for each vector that is left and involves it.
std::vector<Namer::Pivot> Namer::take(int owner, bool in_ground_axes) {
  std::vector<Pivot> pivots;
  while (true) {
    Pivot best{-1, 0};
    double largest = kZero;
    for (const int v : vectors_of_[owner]) {
      if (taken_[v]) continue;
      int direction = 0;
      const double value = components(owner, vectors_[v], in_ground_axes).cwiseAbs().maxCoeff(&direction);
      if (value > largest * (1 + 1e-6)) largest = value, best = {v, direction};
    }
    if (best.vector < 0) return pivots;
    taken_[best.vector] = true;
    eliminate(owner, in_ground_axes, best);
    pivots.push_back(best);
  }
}

void Namer::name_motion(int owner) {
  for (const Pivot& pivot : take(owner, true)) {
    OverDrive over;
    over.motion = system_.motions[owners_[owner].number].name;
    const SparseVector& y = vectors_[pivot.vector];
    over.contradiction = combination(y, moving_);
    over.acceleration = combination(y, bias_);
    over.gap = combination(y, open_);
    for (const int o : owners_of(y)) {
      if (o == owner) continue;
      if (owners_[o].kind == Owner::Kind::motion) over.motions.push_back(system_.motions[owners_[o].number].name);
      if (owners_[o].kind == Owner::Kind::joint) over.joints.push_back(system_.joints[owners_[o].number].name);
      if (owners_[o].kind == Owner::Kind::coupler) over.couplers.push_back(system_.equations[owners_[o].number].name);
    }
    result_.motions.push_back(std::move(over));
  }
}

std::vector<std::string> Namer::directions_of(int owner, const std::vector<Pivot>& pivots, bool in_ground_axes) const {
  const Owner& o = owners_[owner];
  std::vector<std::string> words;
  for (const Pivot& pivot : pivots) {
    if (o.kind == Owner::Kind::coupler) {
      words.emplace_back("its equation");
    } else if (o.kind == Owner::Kind::joint) {
      const std::string axis(1, "xyz"[pivot.direction % 3]);
      words.push_back((pivot.direction < 3 ? "force along " : "torque about ") +
                      (in_ground_axes ? axis : "its " + axis + " axis"));
    } else {
      words.push_back("row " + std::to_string(pivot.direction));
    }
  }
  return words;
}

void Namer::name_joint(int owner) {
  const bool ground = ground_axes_suit(owner);
  std::vector<Pivot> pivots = take(owner, ground);
  if (pivots.empty()) return;
  std::sort(pivots.begin(), pivots.end(), [](const Pivot& a, const Pivot& b) { return a.direction < b.direction; });
  const Owner& o = owners_[owner];
  Redundancy found;
  if (o.kind == Owner::Kind::joint) {
    found.joint = system_.joints[o.number].name;
    found.type = system_.joints[o.number].type;
  } else if (o.kind == Owner::Kind::other) {
    found.joint = "equation " + std::to_string(o.first_row);
  } else {
    found.joint = system_.equations[o.number].name;
    found.type = system_.equations[o.number].type;
    found.is_coupler = o.kind == Owner::Kind::coupler;
  }
  found.directions = directions_of(owner, pivots, ground);
  std::set<int> others;
  for (const Pivot& pivot : pivots) others.merge(owners_of(vectors_[pivot.vector]));
  others.erase(owner);
  for (const int other : others) {
    if (owners_[other].kind == Owner::Kind::joint)
      found.depends_on.push_back(system_.joints[owners_[other].number].name);
    if (owners_[other].kind == Owner::Kind::coupler)
      found.depends_on_couplers.push_back(system_.equations[owners_[other].number].name);
  }
  result_.joints.push_back(std::move(found));
}

/// Motions first, so that what remains concerns joints only; then couplers and the joints that close
/// loops, which come last. The plane of a planar model is never to blame as long as a joint is.
Dependencies Namer::run() {
  using Kind = Owner::Kind;
  const std::array<std::set<Kind>, 3> turns{{{Kind::motion}, {Kind::coupler, Kind::joint}, {Kind::other, Kind::plane}}};
  for (const std::set<Kind>& kinds : turns)
    for (int o = static_cast<int>(owners_.size()) - 1; o >= 0; --o) {
      if (!kinds.count(owners_[o].kind)) continue;
      if (owners_[o].kind == Kind::motion) name_motion(o);
      else name_joint(o);
    }
  return result_;
}

}  // namespace

// The vectors of the null space are exact to the tolerance of rank, 1e-9; a thousand times that is no contradiction.
double combination(const SparseVector& y, const VectorXd& x) {
  constexpr double kRoundOff = 1000 * kRankTolerance;
  double sum = 0, terms = 0, largest = 0;
  for (SparseVector::InnerIterator e(y); e; ++e) {
    sum += e.value() * x[e.index()];
    terms += std::abs(e.value() * x[e.index()]);
    largest = std::max(largest, std::abs(e.value()));
  }
  return std::abs(sum) > kRoundOff * terms ? std::abs(sum) / largest : 0;
}

int Dependencies::joint_equations() const {
  int sum = 0;
  for (const Redundancy& r : joints) sum += static_cast<int>(r.directions.size());
  return sum;
}

Dependencies name_dependencies(const System& system, const Kinematics& k, const SparseRows& G, int rank) {
  const int off = system.rows_off(*k.state);
  if (rank == system.multipliers() - off) return {};
  std::vector<SparseVector> vectors = short_null_vectors(system, G, rank);
  const auto is_off = [&](const SparseVector& y) {
    for (SparseVector::InnerIterator e(y); e; ++e)
      if (!(G.row(e.index()).norm() == 0)) return false;
    return true;
  };
  std::erase_if(vectors, is_off);  // and those of rows that are not finite, which are empty
  return Namer(system, k, std::move(vectors)).run();
}

}  // namespace bricard
