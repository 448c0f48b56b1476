// SPDX-License-Identifier: Apache-2.0
#include "generators/linkage.h"

#include <fmt/format.h>

#include <numeric>

namespace bricard::testing {

namespace {

std::string text(const Vector3d& x) { return fmt::format("[{:.17g}, {:.17g}, {:.17g}]", x.x(), x.y(), x.z()); }

std::string text(const Matrix3d& I) {
  return fmt::format("[{:.17g}, {:.17g}, {:.17g}, {:.17g}, {:.17g}, {:.17g}]", I(0, 0), I(1, 1), I(2, 2), I(0, 1),
                     I(0, 2), I(1, 2));
}

std::vector<int> shuffled(int count, Draw& draw) {
  std::vector<int> order(count);
  std::iota(order.begin(), order.end(), 0);
  for (int i = count - 1; i > 0; --i) std::swap(order[i], order[draw.below(i + 1)]);
  return order;
}

/// Names that sort in any order: the program must not care.
std::vector<std::string> random_names(int count, const std::string& tail, Draw& draw) {
  std::vector<std::string> names;
  for (int i = 0; i < count; ++i) {
    std::string name;
    for (int k = 0; k < 3; ++k) name += static_cast<char>('a' + draw.below(26));
    names.push_back(name + tail + std::to_string(i));
  }
  return names;
}

}  // namespace

/// An ellipsoid-like body: its second moments of mass are drawn, so that the inertia is that of a real one.
int Linkage::add_body(Draw& draw, const Vector3d& centre, double size, double mass) {
  const Matrix3d Q = draw.rotation();
  const Vector3d half = size * Vector3d(draw.uniform(0.15, 0.4), draw.uniform(0.15, 0.4), draw.uniform(0.15, 0.4));
  const Vector3d moments = mass * half.cwiseProduct(half);
  const Matrix3d second = Q * moments.asDiagonal() * Q.transpose();
  bodies.push_back({mass, second.trace() * Matrix3d::Identity() - second, centre});
  return static_cast<int>(bodies.size()) - 1;
}

int Linkage::add_joint(JointType type, int from, int to, const Vector3d& at, const Vector3d& axis) {
  joints.push_back({type, from, to, at, axis.normalized()});
  return static_cast<int>(joints.size()) - 1;
}

Writing plain_writing(const Linkage& linkage) {
  Writing w;
  for (size_t b = 0; b < linkage.bodies.size(); ++b) {
    w.body_order.push_back(static_cast<int>(b));
    w.body_names.push_back("b" + std::to_string(b));
    w.body_axes.push_back(Matrix3d::Identity());
  }
  for (size_t j = 0; j < linkage.joints.size(); ++j) {
    w.joint_order.push_back(static_cast<int>(j));
    w.joint_names.push_back("j" + std::to_string(j));
    w.swapped.push_back(false);
  }
  return w;
}

Writing random_writing(const Linkage& linkage, Draw& draw) {
  const int bodies = static_cast<int>(linkage.bodies.size()), joints = static_cast<int>(linkage.joints.size());
  Writing w;
  w.R = draw.rotation();
  w.p = draw.vector(2 * linkage.length);
  w.body_order = shuffled(bodies, draw);
  w.joint_order = shuffled(joints, draw);
  w.body_names = random_names(bodies, "_body", draw);
  w.joint_names = random_names(joints, "_joint", draw);
  for (int b = 0; b < bodies; ++b) w.body_axes.push_back(draw.rotation());
  for (const Linkage::Joint& j :
       linkage.joints)  // where the two markers stay together, so that reactions can be compared
    w.swapped.push_back((j.type == JointType::revolute || j.type == JointType::spherical) && draw.chance(0.5));
  return w;
}

std::string model_text(const Linkage& linkage, const Writing& w, const std::vector<BodyRates>& start,
                       const std::string& run) {
  std::string out = "# " + linkage.family + "\n";
  Vector3d gravity = w.R * linkage.gravity;
  if (w.plane) out += "plane: xy\n", gravity.z() = 0;  // what acts across the plane does not change what happens in it
  out += "gravity: " + text(gravity) + "\nbodies:\n";
  for (const int b : w.body_order) {
    const Linkage::Body& body = linkage.bodies[b];
    const Matrix3d Q = w.R * w.body_axes[b];
    const Matrix3d I = w.body_axes[b].transpose() * body.inertia * w.body_axes[b];
    out += fmt::format("  {}: {{mass: {:.17g}, inertia: {}, position: {},\n    orientation: {{z: {}, x: {}}},\n",
                       w.body_names[b], body.mass, text(I), text(Vector3d(w.p + w.R * body.centre)),
                       text(Vector3d(Q.col(2))), text(Vector3d(Q.col(0))));
    out += fmt::format("    velocity: {}, angular_velocity: {}}}\n", text(Vector3d(w.R * start[b].v)),
                       text(Vector3d(w.R * start[b].w)));
  }
  out += "joints:\n";
  const auto name = [&](int b) { return b < 0 ? std::string("ground") : w.body_names[b]; };
  for (const int j : w.joint_order) {
    const Linkage::Joint& joint = linkage.joints[j];
    const int first = w.swapped[j] ? joint.to : joint.from, second = w.swapped[j] ? joint.from : joint.to;
    out += fmt::format("  {}: {{type: {}, between: [{}, {}], at: {}", w.joint_names[j], name_of(joint.type),
                       name(first), name(second), text(Vector3d(w.p + w.R * joint.at)));
    if (joint.type != JointType::spherical) out += ", axis: " + text(Vector3d(w.R * joint.axis));
    if (joint.type == JointType::universal) out += ", second_axis: " + text(Vector3d(w.R * joint.second_axis));
    out += "}\n";
  }
  if (!linkage.drives.empty()) out += "motions:\n";
  for (size_t i = 0; i < linkage.drives.size(); ++i) {
    const auto& [j, law] = linkage.drives[i];
    const double sign = w.swapped[j] ? -1 : 1;
    out += fmt::format("  drive{}: {{joint: {}, displacement: \"{:.17g}*t + {:.17g}*sin({:.17g}*t)\"}}\n", i,
                       w.joint_names[j], sign * law.a, sign * law.b, law.c);
  }
  return out + "run: {" + run + "}\n";
}

}  // namespace bricard::testing
