// SPDX-License-Identifier: Apache-2.0
#include "bricard/assemble/alignment.h"

#include <algorithm>
#include <cmath>
#include <deque>
#include <numeric>

#include "bricard/assemble/joint_table.h"

namespace bricard {
namespace {

// Below, axes are as parallel as round-off of their poses allows and are left alone. A thousandth of the tolerance of
// rank.
constexpr double kRoundOff = 1e-12;

/// Joints that hold the axes of one body against those of another.
bool locks_turning(JointType type) { return primitives_of(type).axes.size() == 3; }

/// Joints whose axis has one direction in both bodies, which turn about it.
bool is_hinge(JointType type) { return primitives_of(type).axes.size() == 2; }

/// Which column of a marker is an axis of the joint; −1: none.
int axis_column(JointType type, int end) {
  constexpr int z = 2;
  const JointPrimitives& p = primitives_of(type);
  if (is_hinge(type)) return z;
  if (p.axes.size() == 1) return end == 0 ? p.axes[0].of_first : p.axes[0].of_second;
  if (p.special == JointPrimitives::Special::curve) return end == 0 || kind_of(type).takes("second_curve") ? z : -1;
  return !p.slides.empty() && end == 0 ? z : -1;
}

/// An axis of a joint on one body, or of a sliding joint on both.
struct Axis {
  int joint, column;
  std::vector<int> ends;
  int group;           ///< of bodies that do not turn against each other
  Vector3d direction;  ///< in the axes of the group
  int family = -1;
};

/// Axes of a group that are parallel.
struct Family {
  int group;
  std::vector<int> axes;
  Vector3d direction;
  int leader;       ///< the axis that gave the direction
  int across = -1;  ///< leader of the family that it was made perpendicular to
};

double angle_between(const Vector3d& a, const Vector3d& b) { return std::asin(std::min(1.0, a.cross(b).norm())); }

class Aligner {
 public:
  Aligner(const Named& named, double angle) : named_(named), angle_(angle) {
    for (const Joint& joint : named.model.joints) made_.ends.push_back(joint_markers(named, joint));
    joints_of_.resize(named.frames.size());
    for (size_t j = 0; j < made_.ends.size(); ++j)
      for (const MarkerPose& m : made_.ends[j]) joints_of_[m.node].push_back(static_cast<int>(j));
  }

  AlignedJoints run() {
    find_groups();
    list_axes();
    make_families();
    choose_leaders();
    make_perpendicular();
    for (const Family& family : families_)
      for (const int a : family.axes) turn(axes_[a], family);
    close_loops();
    return std::move(made_);
  }

 private:
  JointType type(int joint) const { return named_.model.joints[joint].type; }
  const std::string& joint_name(int joint) const { return named_.model.joints[joint].name; }
  std::string body_name(int node) const { return named_.frames[node].name; }

  /// Bodies that are held parallel to each other, and the axes of each in those of its group:  R_g R_i = R_g R_j.
  void find_groups() {
    group_of_.assign(joints_of_.size(), -1);
    to_group_.assign(joints_of_.size(), Matrix3d::Identity());
    for (size_t first = 0; first < joints_of_.size(); ++first) {
      if (group_of_[first] >= 0) continue;
      group_of_[first] = static_cast<int>(bodies_of_.size());
      bodies_of_.push_back({static_cast<int>(first)});
      for (size_t n = 0; n < bodies_of_.back().size(); ++n) visit_neighbours(bodies_of_.back()[n]);
    }
  }

  void visit_neighbours(int node) {
    for (const int j : joints_of_[node]) {
      if (!locks_turning(type(j))) continue;
      const int here = made_.ends[j][0].node == node ? 0 : 1;
      MarkerPose& there = made_.ends[j][1 - here];
      const Matrix3d R = to_group_[node] * made_.ends[j][here].R;
      if (group_of_[there.node] < 0) {
        group_of_[there.node] = group_of_[node];
        to_group_[there.node] = R * there.R.transpose();
        bodies_of_.back().push_back(there.node);
      } else {
        same_axes(j, R, there);
      }
    }
  }

  /// A second joint that holds the same two bodies parallel says so in the same way.
  void same_axes(int joint, const Matrix3d& R, MarkerPose& there) {
    const Matrix3d wanted = to_group_[there.node].transpose() * R;
    const double off = (wanted - there.R).norm() / std::sqrt(2.0);  // of a small turn: its angle
    if (off <= kRoundOff || off > angle_) return;
    there.R = wanted;
    made_.widest = std::max(made_.widest, off);
    made_.turns.push_back({joint_name(joint), body_name(there.node), "", false, off, 0});
  }

  void list_axes() {
    for (int j = 0; j < static_cast<int>(made_.ends.size()); ++j)
      for (int e = 0; e < 2; ++e) {
        const int column = axis_column(type(j), e);
        if (column < 0) continue;
        const MarkerPose& m = made_.ends[j][e];
        std::vector<int> ends{e};
        if (locks_turning(type(j))) ends = {0, 1};
        axes_.push_back({j, column, ends, group_of_[m.node], to_group_[m.node] * m.R.col(column)});
      }
  }

  void make_families() {
    std::vector<std::vector<int>> of_group(bodies_of_.size());
    for (size_t a = 0; a < axes_.size(); ++a) {
      Axis& axis = axes_[a];
      for (const int f : of_group[axis.group])
        if (const double angle = angle_between(axis.direction, families_[f].direction);
            axis.family < 0 && angle <= angle_)
          axis.family = f, made_.widest = std::max(made_.widest, angle);
      if (axis.family < 0) {
        axis.family = static_cast<int>(families_.size());
        of_group[axis.group].push_back(axis.family);
        families_.push_back({axis.group, {}, axis.direction, static_cast<int>(a)});
      }
      families_[axis.family].axes.push_back(static_cast<int>(a));
    }
    families_of_ = std::move(of_group);
  }

  /// Blame of a joint: the share of the others that point elsewhere, in the families of its axes and, in space at the
  /// start, among all axes that hinges make parallel. The least blamed gives the direction, of several the first in the
  /// file.
  void choose_leaders() {
    std::vector<double> blame(made_.ends.size(), 0);
    for (const Family& family : families_)
      add_blame(
          family.axes, [&](int a) { return axes_[a].direction; }, blame);
    for (const std::vector<int>& set : parallel_sets()) {
      std::vector<int> axes;
      for (const int f : set) axes.insert(axes.end(), families_[f].axes.begin(), families_[f].axes.end());
      add_blame(
          axes, [&](int a) { return at_start(axes_[a].joint, axes_[a].ends[0], axes_[a].column); }, blame);
    }
    for (Family& family : families_) {
      family.leader = *std::min_element(family.axes.begin(), family.axes.end(), [&](int a, int b) {
        return blame[axes_[a].joint] < blame[axes_[b].joint] - 1e-9;
      });
      family.direction = axes_[family.leader].direction;
    }
  }

  template <class Direction>
  void add_blame(const std::vector<int>& axes, const Direction& direction, std::vector<double>& blame) const {
    constexpr size_t kMostDirections = 50;  // where all differ nobody is right
    struct Alike {
      Vector3d direction;
      std::vector<int> axes;
    };
    std::vector<Alike> groups;
    for (const int a : axes) {
      const Vector3d d = direction(a);
      const auto same = std::find_if(groups.begin(), groups.end(),
                                     [&](const Alike& g) { return angle_between(d, g.direction) <= kRoundOff; });
      if (same != groups.end()) same->axes.push_back(a);
      else groups.push_back({d, {a}});
      if (groups.size() > kMostDirections) return;
    }
    const double n = static_cast<double>(axes.size());
    for (const Alike& g : groups)
      for (const int a : g.axes)
        blame[axes_[a].joint] += (n - static_cast<double>(g.axes.size())) / std::max(1.0, n - 1);
  }

  /// Families that hinges make parallel to each other.
  std::vector<std::vector<int>> parallel_sets() const {
    std::vector<std::vector<int>> next(families_.size());
    std::vector<int> at_first(made_.ends.size(), -1);
    for (const Axis& axis : axes_) {
      if (!is_hinge(type(axis.joint))) continue;
      int& first = at_first[axis.joint];
      if (first >= 0) next[first].push_back(axis.family), next[axis.family].push_back(first);
      first = axis.family;
    }
    std::vector<std::vector<int>> sets;
    std::vector<char> seen(families_.size(), false);
    for (size_t f = 0; f < families_.size(); ++f) {
      if (seen[f]) continue;
      seen[f] = true;
      sets.push_back({static_cast<int>(f)});
      for (size_t n = 0; n < sets.back().size(); ++n)
        for (const int other : next[sets.back()[n]])
          if (!seen[other]) seen[other] = true, sets.back().push_back(other);
    }
    return sets;
  }

  /// The family of fewer axes gives way, of two alike the later one.
  void make_perpendicular() {
    for (const auto& families : families_of_)
      for (int sweep = 0; sweep < 3; ++sweep)
        for (size_t p = 0; p < families.size(); ++p)
          for (size_t q = p + 1; q < families.size(); ++q) {
            Family* stays = &families_[families[p]];
            Family* moves = &families_[families[q]];
            if (moves->axes.size() > stays->axes.size()) std::swap(moves, stays);
            const double off = stays->direction.dot(moves->direction);
            if (std::abs(off) <= kRoundOff || std::abs(off) > angle_) continue;
            moves->direction = (moves->direction - off * stays->direction).normalized();
            moves->across = stays->leader;
            made_.widest = std::max(made_.widest, std::abs(off));
          }
  }

  void turn(const Axis& axis, const Family& family) {
    const Vector3d wanted = axis.direction.dot(family.direction) < 0 ? Vector3d(-family.direction) : family.direction;
    const double angle = angle_between(axis.direction, wanted);
    if (angle <= kRoundOff) return;
    const Matrix3d Q = exp_rotation(angle * axis.direction.cross(wanted).normalized()).toRotationMatrix();
    const bool follows = axes_[family.leader].joint != axis.joint;
    for (const int e : axis.ends) {
      MarkerPose& m = made_.ends[axis.joint][e];
      m.R = to_group_[m.node].transpose() * Q * to_group_[m.node] * m.R;
      const int other = follows ? family.leader : family.across;
      made_.turns.push_back({joint_name(axis.joint), body_name(m.node), other < 0 ? "" : joint_name(axes_[other].joint),
                             !follows, angle, 0});
    }
    turned_.push_back(axis.family);
  }

  /// Families that hinges make parallel have one direction in space, along which their bodies have heights. Only loops
  /// can be open.
  void close_loops() {
    std::vector<std::vector<int>> hinges(families_.size());
    for (const Axis& axis : axes_)
      if (is_hinge(type(axis.joint))) hinges[axis.family].push_back(axis.joint);
    std::vector<char> turned(families_.size(), false);
    for (const int f : turned_) turned[f] = true;
    for (const std::vector<int>& set : parallel_sets()) {
      size_t ends = 0;
      for (const int f : set) ends += hinges[f].size();
      if (ends / 2 >= set.size() || std::any_of(set.begin(), set.end(), [&](int f) { return turned[f] != 0; }))
        close_heights(set, hinges);
    }
  }

  /// The direction that all families of a set have in space, in the axes of their groups: that of the first, or its
  /// opposite as the axes of hinges are opposite at the start.
  std::unordered_map<int, Vector3d> common_direction(const std::vector<int>& set,
                                                     const std::vector<std::vector<int>>& hinges) const {
    std::unordered_map<int, int> family_at;  // of both ends of a joint
    for (const int f : set)
      for (const int a : families_[f].axes)
        for (const int e : axes_[a].ends) family_at[2 * axes_[a].joint + e] = f;
    std::unordered_map<int, Vector3d> direction{{set[0], families_[set[0]].direction}};
    std::deque<int> queue{set[0]};
    for (; !queue.empty(); queue.pop_front()) {
      const int f = queue.front();
      for (const int j : hinges[f]) {
        const int here = family_at[2 * j] == f ? 0 : 1, next = family_at[2 * j + 1 - here];
        const Vector3d& d = families_[next].direction;
        const double same =
            direction[f].dot(in_group(j, here)) * at_start(j, 0).dot(at_start(j, 1)) * d.dot(in_group(j, 1 - here));
        if (direction.emplace(next, same < 0 ? Vector3d(-d) : d).second) queue.push_back(next);
      }
    }
    return direction;
  }

  Vector3d in_group(int joint, int end) const {
    const MarkerPose& m = made_.ends[joint][end];
    return to_group_[m.node] * m.R.col(2);
  }

  Vector3d at_start(int joint, int end, int column = 2) const {
    return named_.frames.start(made_.ends[joint][end]).R.col(column);
  }

  struct Level {
    Vector3d n;  ///< the common direction in the body's axes
    bool known = false;
    double height = 0;  ///< of the body's origin along it
    double way = 0;     ///< how long the levers up to here are
  };

  // Joints that hold two bodies along n:  h_a + nᵀr_i = h_b + nᵀr_j. A joint that closes a loop is moved by what is
  // missing, if that is no more than what small angles can do over the levers of the loop.
  void close_heights(const std::vector<int>& set, const std::vector<std::vector<int>>& hinges) {
    const std::unordered_map<int, Vector3d> direction = common_direction(set, hinges);
    std::vector<int> bodies;
    for (const int f : set)
      for (const int node : bodies_of_[families_[f].group])
        if (levels_.emplace(node, Level{to_group_[node].transpose() * direction.at(f)}).second) bodies.push_back(node);
    std::unordered_map<int, bool> used;
    for (const int root : bodies) {
      if (levels_[root].known) continue;
      levels_[root].known = true;
      std::deque<int> queue{root};
      while (!queue.empty()) {
        const int node = queue.front();
        queue.pop_front();
        for (const int j : joints_of_[node])
          if (!used[j] && holds_along(j)) used[j] = true, follow(j, node, queue);
      }
    }
    levels_.clear();
  }

  bool holds_along(int joint) const {
    const auto first = levels_.find(made_.ends[joint][0].node), second = levels_.find(made_.ends[joint][1].node);
    if (first == levels_.end() || second == levels_.end()) return false;
    const JointPrimitives& p = primitives_of(type(joint));
    if (p.coincide || p.slides.empty()) return p.coincide;
    const Vector3d z = made_.ends[joint][0].R.col(2);
    if (p.slides.size() == 2) return std::abs(z.dot(first->second.n)) <= 2 * kRoundOff;
    return angle_between(z, first->second.n) <= 2 * kRoundOff;
  }

  void follow(int joint, int node, std::deque<int>& queue) {
    const int here = made_.ends[joint][0].node == node ? 0 : 1;
    const MarkerPose& m = made_.ends[joint][here];
    MarkerPose& other = made_.ends[joint][1 - here];
    const Level& from = levels_[node];
    Level& to = levels_[other.node];
    const double height = from.height + from.n.dot(m.r) - to.n.dot(other.r);
    const double way = from.way + m.r.norm() + other.r.norm();
    if (!to.known) {
      to.known = true, to.height = height, to.way = way;
      queue.push_back(other.node);
      return;
    }
    const double missing = height - to.height, levers = way + to.way;
    if (std::abs(missing) <= kRoundOff * levers || std::abs(missing) > angle_ * levers) return;
    other.r += missing * to.n;
    made_.turns.push_back({joint_name(joint), body_name(other.node), "", false, 0, std::abs(missing)});
  }

  const Named& named_;
  double angle_;
  AlignedJoints made_;
  std::vector<std::vector<int>> joints_of_;  ///< each body
  std::vector<int> group_of_;                ///< each body
  std::vector<Matrix3d> to_group_;           ///< from the body's axes
  std::vector<std::vector<int>> bodies_of_;  ///< each group
  std::vector<Axis> axes_;
  std::vector<Family> families_;
  std::vector<std::vector<int>> families_of_;  ///< each group
  std::vector<int> turned_;                    ///< families with an axis that was turned
  std::unordered_map<int, Level> levels_;
};

}  // namespace

AlignedJoints align_joints(const Named& named, double angle) {
  if (named.model.plane == Plane::none && angle > 0) return Aligner(named, angle).run();
  AlignedJoints as_given;
  for (const Joint& joint : named.model.joints) as_given.ends.push_back(joint_markers(named, joint));
  return as_given;
}

}  // namespace bricard
