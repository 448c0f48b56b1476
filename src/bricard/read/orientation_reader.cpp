// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "bricard/read/field_reader.h"

// Orientations, in the four ways a model file may give them:
//     [w, x, y, z]   {axis, angle}   {euler, sequence}   {z, x}
namespace bricard::io {
namespace {

constexpr double kDegree = std::numbers::pi / 180;
constexpr double kZeroLength = 1e-12;  // of a direction

// A direction may be given as a difference of positions: its unit does not count.
std::optional<Vector3d> direction(Cursor at) {
  Vector3d vector;
  at.unit = nullptr;
  if (!read(at, vector)) return {};
  if (vector.norm() > kZeroLength) return vector.normalized();
  at.fault("a direction must not be zero");
  return {};
}

bool from_list(const Cursor& at, Quaterniond& out) {
  const auto items = items_of(at, "a quaternion [w, x, y, z] of four numbers", 4);
  if (!items) return false;
  std::array<double, 4> c{};
  bool good = true;
  for (size_t i = 0; i < 4; ++i) good = read((*items)[i], c[i]) && good;
  if (!good) return false;
  const Quaterniond q(c[0], c[1], c[2], c[3]);
  if (std::abs(q.norm() - 1) > 1e-3) {  // more than rounding of printed digits
    at.fault(fmt::format("a quaternion [w, x, y, z] must have norm 1, found {:.6g}", q.norm()));
    return false;
  }
  out = q.normalized();
  return true;
}

bool from_axis_and_angle(const Cursor& axis, Cursor angle, double unit, Quaterniond& out) {
  const auto n = direction(axis);
  double a = 0;
  angle.unit = unit == 1 ? "rad" : "";
  if (!read(angle, a) || !n) return false;
  out = Quaterniond(Eigen::AngleAxisd(a * unit, *n));
  return true;
}

// Small letters, intrinsic: each rotation is about an axis as the ones before have turned it. Capitals, extrinsic: about
// the axes outside, which is the same in the opposite order.
bool from_euler(Cursor euler, const Cursor& sequence, double unit, Quaterniond& out) {
  Vector3d angles;
  euler.unit = unit == 1 ? "rad" : "";
  const bool good = read(euler, angles);
  const auto letters = text_of(sequence, "three letters as xyz");
  if (!letters) return false;
  const bool extrinsic = letters->find_first_not_of("XYZ") == std::string::npos;
  if (letters->size() != 3 || (!extrinsic && letters->find_first_not_of("xyz") != std::string::npos) ||
      (*letters)[0] == (*letters)[1] || (*letters)[1] == (*letters)[2]) {
    sequence.fault(fmt::format("expected three letters out of x, y, z, neighbours different, as "
                               "xyz or zxz (turned axes), XYZ or ZXZ (fixed axes); found '{}'",
                               *letters));
    return false;
  }
  if (!good) return false;
  out = Quaterniond::Identity();
  for (int i = 0; i < 3; ++i) {
    const Vector3d axis = Vector3d::Unit((*letters)[static_cast<size_t>(i)] - (extrinsic ? 'X' : 'x'));
    const Quaterniond turn(Eigen::AngleAxisd(angles[i] * unit, axis));
    out = extrinsic ? turn * out : out * turn;
  }
  return true;
}

bool from_axes(const Cursor& z, const Cursor* x, Quaterniond& out) {
  const auto z_axis = direction(z);
  const auto x_axis = x ? direction(*x) : std::nullopt;
  if (!z_axis || (x && !x_axis)) return false;
  if (x_axis && z_axis->cross(*x_axis).norm() < 1e-6) {
    x->fault("must not be parallel to z");
    return false;
  }
  out = x_axis ? frame_from_axes(*z_axis, *x_axis) : frame_from_axis(*z_axis);
  return true;
}

}  // namespace

bool read(const Cursor& at, Quaterniond& out) {
  if (at.node.IsSequence()) return from_list(at, out);
  const std::string ways = "[w, x, y, z], {axis, angle}, {axis, angle_deg}, {euler, sequence}, {euler_deg, sequence}, "
                           "{z} or {z, x}";
  if (!at.node.IsMap()) {
    at.fault(fmt::format("expected an orientation, {}, found {}", ways, describe(at.node)));
    return false;
  }
  KeyTable keys(at, at.place);
  const Cursor *axis = keys.find("axis"), *angle = keys.find("angle"), *angle_deg = keys.find("angle_deg"),
               *euler = keys.find("euler"), *euler_deg = keys.find("euler_deg"), *sequence = keys.find("sequence"),
               *z = keys.find("z"), *x = keys.find("x");
  const auto only = [&](std::initializer_list<const Cursor*> wanted) {
    size_t given = 0;
    for (const Cursor* key : wanted) given += key != nullptr;
    return given == wanted.size() && at.node.size() == given;
  };
  if (only({axis, angle})) return from_axis_and_angle(*axis, *angle, 1, out);
  if (only({axis, angle_deg})) return from_axis_and_angle(*axis, *angle_deg, kDegree, out);
  if (only({euler, sequence})) return from_euler(*euler, *sequence, 1, out);
  if (only({euler_deg, sequence})) return from_euler(*euler_deg, *sequence, kDegree, out);
  if (only({z}) || only({z, x})) return from_axes(*z, x, out);
  if (keys.report()) return false;
  std::vector<std::string> given;
  for (const auto& pair : at.node)
    if (pair.first.IsScalar()) given.push_back(pair.first.Scalar());
  at.fault(fmt::format("expected an orientation, {}; found {{{}}}", ways, fmt::join(given, ", ")));
  return false;
}

}  // namespace bricard::io
