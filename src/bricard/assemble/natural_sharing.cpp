// SPDX-License-Identifier: Apache-2.0
#include "bricard/assemble/natural_sharing.h"

#include <algorithm>
#include <cmath>

namespace bricard {
namespace {

constexpr double kSame = 1e-9;        // local positions that differ less are the same point, relative to their size
constexpr double kIndependent = 0.2;  // sine of the angle between a direction and those that are there already

bool same(const Vector3d& a, const Vector3d& b) { return (a - b).norm() <= kSame * (1 + a.norm()); }

class Sharer {
 public:
  Sharer(const Named& named, const Kinematics& start, double length)
      : named_(named), start_(start), length_(length), planar_(named.model.plane != Plane::none),
        of_node_(start.frames.size()) {}

  Sharing make() {
    made_.rows = joint_rows(named_);
    for (JointRows& rows : made_.rows) share(rows);
    drop_unused();
    made_.columns.resize(of_node_.size());
    made_.tied.resize(of_node_.size());
    for (size_t n = 1; n < of_node_.size(); ++n) choose_columns(static_cast<int>(n));
    return std::move(made_);
  }

 private:
  void share(JointRows& rows) {
    JointPrimitives& p = rows.primitives;
    if (planar_ ? p.slides.size() == 2 : p.coincide) {
      if (merge(variable(rows.markers[0].node, rows.markers[0].r, false),
                variable(rows.markers[1].node, rows.markers[1].r, false)))
        p.coincide = false, p.slides.clear();
    }
    const bool parallel = p.axes.size() == 2, aligned = p.axes.size() == 3;
    if (planar_ || !(parallel || aligned)) return;
    if (!share_axis(rows.markers)) return;
    aligned ? p.axes = {{0, 1}} : p.axes = {};
  }

  bool share_axis(const std::array<MarkerPose, 2>& m) {
    const int i = variable(m[0].node, m[0].R.col(2), true);
    const Vector3d z = start_.frames[m[0].node].R * made_.local(i, m[0].node);
    Vector3d z_j = m[1].R.col(2);
    if (z.dot(start_.frames[m[1].node].R * z_j) < 0) z_j = -z_j;
    const int j = variable(m[1].node, z_j, true);
    if (i != j && made_.local(j, m[1].node).dot(z_j) < 0)  // known by its other end
      for (BodyFixed& member : made_.variables[j].members) member.local = -member.local;
    return merge(i, j);
  }

  /// The variable of a body at a place, new if need be; a vector also by its other end.
  int variable(int node, const Vector3d& local, bool is_vector) {
    for (const int v : of_node_[node]) {
      if (made_.variables[v].is_vector != is_vector) continue;
      const Vector3d& known = made_.local(v, node);
      if (same(known, local) || (is_vector && same(known, -local))) return v;
    }
    made_.variables.push_back({is_vector, {{node, local}}, {}});
    of_node_[node].push_back(static_cast<int>(made_.variables.size()) - 1);
    return of_node_[node].back();
  }

  /// False if a body would have the variable at two places.
  bool merge(int i, int j) {
    if (i == j) return true;
    std::vector<BodyFixed>& to = made_.variables[i].members;
    std::vector<BodyFixed>& from = made_.variables[j].members;
    for (const BodyFixed& m : from)
      for (const BodyFixed& known : to)
        if (m.node == known.node) return false;
    for (const BodyFixed& m : from) {
      to.push_back(m);
      std::replace(of_node_[m.node].begin(), of_node_[m.node].end(), j, i);
    }
    from.clear();
    return true;
  }

  /// Variables with no or one member are left over from joints that could not be shared.
  void drop_unused() {
    std::vector<int> number(made_.variables.size(), -1);
    std::vector<NaturalPoint> kept;
    for (size_t v = 0; v < made_.variables.size(); ++v) {
      if (made_.variables[v].members.size() < 2) continue;
      number[v] = static_cast<int>(kept.size());
      kept.push_back(std::move(made_.variables[v]));
    }
    made_.variables = std::move(kept);
    for (std::vector<int>& list : of_node_) {
      for (int& v : list) v = number[v];
      list.erase(std::remove(list.begin(), list.end(), -1), list.end());
      std::sort(list.begin(), list.end());
      list.erase(std::unique(list.begin(), list.end()), list.end());
    }
  }

  int own(int node, const Vector3d& local, bool is_vector) {
    made_.variables.push_back({is_vector, {{node, local}}, {}});
    return static_cast<int>(made_.variables.size()) - 1;
  }

  std::vector<int> points_of(int node) const {
    std::vector<int> points;
    for (const int v : of_node_[node])
      if (!made_.variables[v].is_vector) points.push_back(v);
    return points;
  }

  void choose_columns(int node) {
    std::vector<int>& columns = made_.columns[node];
    columns = planar_ ? planar_columns(node) : spatial_columns(node);
    for (const int v : of_node_[node])
      if (std::find(columns.begin(), columns.end(), v) == columns.end()) made_.tied[node].push_back(v);
  }

  /// In the plane: the two points farthest apart.
  std::vector<int> planar_columns(int node) {
    const std::vector<int> points = points_of(node);
    const Vector3d normal = start_.frames[node].R.transpose() * normal_of(named_.model.plane);
    const auto in_plane = [&](int v) { return Vector3d(normal.cross(made_.local(v, node))); };
    std::vector<int> best;
    double longest = kSame * length_;
    for (size_t i = 0; i < points.size(); ++i)
      for (size_t j = i + 1; j < points.size(); ++j) {
        const double distance = (in_plane(points[i]) - in_plane(points[j])).norm();
        if (distance > longest * (1 + kSame)) best = {points[i], points[j]}, longest = distance;
      }
    if (!best.empty()) return best;
    const int first = points.empty() ? own(node, Vector3d::Zero(), false) : points[0];
    const Vector3d across = normal.unitOrthogonal();
    // the mass centre, if it is far enough away
    const Vector3d r = made_.local(first, node);
    const bool far = normal.cross(r).norm() > 0.1 * length_;
    return {first, own(node, far ? Vector3d::Zero() : Vector3d(r + length_ * across), false)};
  }

  /// In space: a point and three independent directions, to other points or along vectors.
  std::vector<int> spatial_columns(int node) {
    const std::vector<int> points = points_of(node);
    std::vector<int> columns{points.empty() ? own(node, Vector3d::Zero(), false) : points[0]};
    const Vector3d origin = made_.local(columns[0], node);
    std::vector<Vector3d> basis;
    const auto rest = [&](const Vector3d& direction) {  // the part across the directions that are there
      Vector3d r = direction.normalized();
      for (const Vector3d& b : basis) r -= b.dot(r) * b;
      return r;
    };
    while (basis.size() < 3) {
      int best = -1;
      Vector3d best_rest = Vector3d::Zero();
      for (const int v : of_node_[node]) {
        const Vector3d& x = made_.local(v, node);
        const Vector3d direction = made_.variables[v].is_vector ? x : Vector3d(x - origin);
        if (direction.norm() <= kSame * length_) continue;
        const Vector3d r = rest(direction);
        if (r.norm() > best_rest.norm() * (1 + kSame)) best = v, best_rest = r;
      }
      if (best_rest.norm() < kIndependent) {
        best_rest = basis.empty()       ? Vector3d(Vector3d::UnitX())
                    : basis.size() == 1 ? basis[0].unitOrthogonal()
                                        : basis[0].cross(basis[1]);
        best = own(node, best_rest, true);
      }
      basis.push_back(best_rest.normalized());
      columns.push_back(best);
    }
    return columns;
  }

  const Named& named_;
  const Kinematics& start_;
  double length_;
  bool planar_;
  std::vector<std::vector<int>> of_node_;
  Sharing made_;
};

}  // namespace

const Vector3d& Sharing::local(int variable, int node) const {
  const auto& members = variables[variable].members;
  return std::find_if(members.begin(), members.end(), [&](const BodyFixed& m) { return m.node == node; })->local;
}

Sharing share_variables(const Named& named, const Kinematics& start, double length) {
  return Sharer(named, start, length).make();
}

}  // namespace bricard
