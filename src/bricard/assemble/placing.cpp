// SPDX-License-Identifier: Apache-2.0
#include "bricard/assemble/placing.h"

#include <fmt/format.h>

#include <algorithm>
#include <numbers>
#include <optional>

namespace bricard {
namespace {

Pose operator*(const Pose& a, const Pose& b) { return {a.p + a.R * b.p, a.R * b.R}; }
Pose inverse(const Pose& a) { return {-(a.R.transpose() * a.p), a.R.transpose()}; }
Pose pose_of(const MarkerPose& marker) { return {marker.r, marker.R}; }

[[noreturn]] void refuse(const Place& place, const std::string& what) { throw ModelError({{place, what}}); }

/// Of its own; else it moves with what it is placed on.
bool has_motion(const Body& body) { return !body.velocity.isZero(0) || !body.angular_velocity.isZero(0); }

/// Bodies that are joined by joints with `start` are placed from one of them on.
class Placing {
 public:
  Placing(const Model& model, const PlacingNames& names, FrameTable& frames)
      : names_(names), frames_(frames), bodies_(frames.size()), along_(frames.size()), group_(frames.size(), -1),
        known_(frames.size()) {
    for (size_t i = 0; i < model.bodies.size(); ++i) bodies_[frames.bodies()[i]] = &model.bodies[i];
    for (const Joint& joint : model.joints) {
      if (!joint.is_placing()) continue;
      std::array<MarkerPose, 2> ends = names.ends(joint);
      for (MarkerPose& end : ends) end = frames.on_body(end);
      links_.push_back({&joint, ends});
      for (const MarkerPose& end : ends) along_[end.node].push_back(static_cast<int>(links_.size()) - 1);
    }
    collect(0);
    for (const Link& link : links_)
      if (group_[link.ends[0].node] < 0) collect(first_of(link.ends[0].node));
    for (const int node : frames.bodies())
      if (group_[node] < 0) collect(node);
  }

  /// A group whose first body is relative to another one comes after the group of that one.
  void place() {
    std::vector<int> waiting;
    for (size_t g = 0; g < groups_.size(); ++g) {
      for (int next = static_cast<int>(g); next >= 0 && groups_[next].progress != Group::Progress::done;) {
        const Body* body = bodies_[groups_[next].root];
        if (groups_[next].progress == Group::Progress::running)
          refuse(body->relative_to.place,
                 fmt::format("bodies.{}.relative_to: leads in a circle with the joints that have 'start'", body->name));
        groups_[next].progress = Group::Progress::running;
        waiting.push_back(next);
        const auto on = held_by(groups_[next].root);
        next = on ? group_[on->node] : -1;
      }
      for (; !waiting.empty(); waiting.pop_back()) place(waiting.back());
    }
  }

 private:
  struct Link {
    const Joint* joint;
    std::array<MarkerPose, 2> ends;
    bool used = false;
  };
  struct Group {
    int root;
    enum class Progress { waiting, running, done } progress = Progress::waiting;
  };

  /// Up the joints, from their second body to their first, as far as it goes.
  int first_of(int node) const {
    std::vector<bool> seen(frames_.size());
    for (bool up = true; up && !seen[node];) {
      seen[node] = true, up = false;
      for (const int l : along_[node])
        if (!up && links_[l].ends[1].node == node) node = links_[l].ends[0].node, up = true;
    }
    return node;
  }

  /// The marker that a body is relative to, if its group does not place it.
  std::optional<MarkerPose> held_by(int node) const {
    if (!bodies_[node] || bodies_[node]->relative_to.name.empty()) return {};
    const MarkerPose on = frames_.on_body(names_.marker(bodies_[node]->relative_to));
    return group_[on.node] == group_[node] ? std::nullopt : std::optional(on);
  }

  void collect(int root) {
    const int number = static_cast<int>(groups_.size());
    groups_.push_back({root});
    std::vector<int> members{root};
    group_[root] = number;
    for (size_t i = 0; i < members.size(); ++i)
      for (const int l : along_[members[i]])
        for (const MarkerPose& end : links_[l].ends)
          if (group_[end.node] < 0) group_[end.node] = number, members.push_back(end.node);
    if (root == 0) return;
    for (const int node : members)  // if one is relative to what is no part of the group, this is where the group hangs
      if (held_by(node)) groups_[number].root = node;
  }

  void place(int number) {
    const int root = groups_[number].root;
    if (const auto on = held_by(root)) {
      const Body& body = *bodies_[root];
      move(root, frames_.start(*on) * inverse(frames_.given(*on)) * frames_[root].given,
           "that of '" + body.relative_to.name + "'");
      const FrameRow& other = frames_[on->node];
      const Vector3d turning = other.start.R * other.spin;
      if (!has_motion(body))
        frames_.set_motion(root, other.velocity + turning.cross(frames_[root].start.p - other.start.p),
                           frames_[root].start.R.transpose() * turning);
    }
    groups_[number].progress = Group::Progress::done;
    std::vector<int> placed{root};
    known_[root] = true;
    for (size_t i = 0; i < placed.size(); ++i)
      for (const int l : along_[placed[i]]) {
        Link& link = links_[l];
        if (link.used) continue;
        link.used = true;
        const int outer = link.ends[0].node == placed[i] ? 1 : 0;
        const int node = link.ends[outer].node;
        if (known_[node])
          refuse(
              link.joint->place,
              fmt::format("joints.{}: 'start' closes a loop of joints that have it; all its bodies are placed by the "
                          "others: remove it here",
                          link.joint->name));
        known_[node] = true;
        placed.push_back(node);
        place_along(link, outer);
      }
  }

  void move(int node, const Pose& pose, const std::string& by) {
    const Pose& given = frames_[node].given;
    if (bodies_[node]->fixed && !(pose.p.isApprox(given.p, 1e-9) && pose.R.isApprox(given.R, 1e-9)))
      refuse(bodies_[node]->place,
             fmt::format("bodies.{}.fixed: its place at the start is {}; remove one of them", frames_[node].name, by));
    frames_.move(node, pose);
  }

  //     x_j = x_i + R_i d,   R_j = R_i R,   ẋ_j = ẋ_i + ω_i × R_i d + R_i ḋ,   ω_j = ω_i + R_i w
  void place_along(const Link& link, int outer) {
    const int node = link.ends[outer].node;
    const MarkerPose &from = link.ends[1 - outer], &to = link.ends[outer];
    const RelativeStart x = relative_start(*link.joint);
    const Pose at = frames_.start(from), marker = at * (outer == 1 ? x.pose : inverse(x.pose));
    move(node, marker * inverse(pose_of(to)), "told by joint '" + link.joint->name + "'");
    const Body& body = *bodies_[node];
    if (has_motion(body)) return;
    const FrameRow& inner = frames_[from.node];
    const Vector3d turning = inner.start.R * inner.spin, speed = inner.velocity + turning.cross(inner.start.R * from.r);
    const Matrix3d& R_i = outer == 1 ? at.R : marker.R;
    const Vector3d d = R_i * x.pose.p, d_rate = R_i * x.velocity, w = R_i * x.spin;
    const double sign = outer == 1 ? 1 : -1;
    const Vector3d omega = turning + sign * w, omega_i = outer == 1 ? turning : omega;
    const Vector3d v = speed + sign * (omega_i.cross(d) + d_rate);
    const Matrix3d& R = frames_[node].start.R;
    frames_.set_motion(node, v - omega.cross(R * to.r), R.transpose() * omega);
  }

  const PlacingNames& names_;
  FrameTable& frames_;
  std::vector<const Body*> bodies_;  ///< by their frames
  std::vector<Link> links_;
  std::vector<std::vector<int>> along_;  ///< links of each frame
  std::vector<int> group_;               ///< of each frame
  std::vector<Group> groups_;
  std::vector<bool> known_;  ///< frames that are placed
};

}  // namespace

RelativeStart relative_start(const Joint& joint) {
  const auto number = [](const JointStart& given, size_t i) {
    return i < given.numbers.size() ? given.numbers[i].value : 0;
  };
  const auto q = [&](size_t i) { return number(joint.start, i); };
  const auto rate = [&](size_t i) { return number(joint.start_velocity, i); };
  const Vector3d z = Vector3d::UnitZ();
  RelativeStart x;
  const auto turn = [&](size_t i) { x.pose.R = exp_rotation(q(i) * z).toRotationMatrix(), x.spin = rate(i) * z; };
  const auto slide = [&](size_t i) { x.pose.p = q(i) * z, x.velocity = rate(i) * z; };
  switch (joint.type) {
    case JointType::revolute: turn(0); break;
    case JointType::translational: slide(0); break;
    case JointType::cylindrical: turn(0), slide(1); break;
    case JointType::planar:
      turn(2);
      x.pose.p << q(0), q(1), 0;
      x.velocity << rate(0), rate(1), 0;
      break;
    case JointType::screw: {
      const double way = joint.pitch.value_or(0) / (2 * std::numbers::pi);
      turn(0);
      x.pose.p = way * q(0) * z, x.velocity = way * rate(0) * z;
      break;
    }
    case JointType::universal: {  // about z of the first, then x of the second
      const Matrix3d first = exp_rotation(q(0) * z).toRotationMatrix();
      x.pose.R = first * exp_rotation(q(1) * Vector3d::UnitX()).toRotationMatrix();
      x.spin = rate(0) * z + rate(1) * first.col(0);
      break;
    }
    case JointType::spherical: {  // a rotation vector and its rate
      const Vector3d theta(q(0), q(1), q(2));
      x.pose.R = exp_rotation(theta).toRotationMatrix();
      x.spin = x.pose.R * (tangent_operator(theta) * Vector3d(rate(0), rate(1), rate(2)));
      break;
    }
    default: break;
  }
  return x;
}

void place_given(const Model& model, const PlacingNames& names, FrameTable& frames) {
  enum class Progress { waiting, running, done };
  std::vector<Progress> progress(frames.size(), Progress::waiting);
  progress[0] = Progress::done;
  std::vector<int> number(frames.size());
  for (size_t i = 0; i < model.bodies.size(); ++i) number[frames.bodies()[i]] = static_cast<int>(i);
  std::vector<int> waiting;
  for (const int first : frames.bodies()) {
    for (int node = first; progress[node] != Progress::done;) {
      const Reference& relative_to = model.bodies[number[node]].relative_to;
      if (progress[node] == Progress::running)
        refuse(relative_to.place, fmt::format("bodies.{}.relative_to: leads in a circle", frames[node].name));
      if (relative_to.name.empty()) {
        progress[node] = Progress::done;
      } else {
        progress[node] = Progress::running;
        waiting.push_back(node);
        node = frames.on_body(names.marker(relative_to)).node;
      }
    }
    for (; !waiting.empty(); waiting.pop_back()) {
      const int node = waiting.back();
      frames.give(node, frames.given(names.marker(model.bodies[number[node]].relative_to)) * frames[node].given);
      progress[node] = Progress::done;
    }
  }
}

void place_start(const Model& model, const PlacingNames& names, FrameTable& frames) {
  const auto places = [](const Joint& joint) { return joint.is_placing(); };
  const auto is_placed = [](const Body& body) { return !body.relative_to.name.empty(); };
  if (std::any_of(model.joints.begin(), model.joints.end(), places) ||
      std::any_of(model.bodies.begin(), model.bodies.end(), is_placed))
    Placing(model, names, frames).place();
}

}  // namespace bricard
