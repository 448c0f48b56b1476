// SPDX-License-Identifier: Apache-2.0
#include "bricard/model/measure_names.h"

#include <vector>

namespace bricard {
namespace {

using Q = MeasureQuantity;

constexpr MeasureName kNames[] = {
    {{"distance", 1, 2, "distance(i, j)"}, Q::position, kMagnitude, false},
    {{"dm", 1, 2, "dm(i, j)"}, Q::position, kMagnitude, false},
    {{"x", 1, 3, "x(i, j, r)"}, Q::position, 0, false},
    {{"y", 1, 3, "y(i, j, r)"}, Q::position, 1, false},
    {{"z", 1, 3, "z(i, j, r)"}, Q::position, 2, false},
    {{"dx", 1, 3, "dx(i, j, r)"}, Q::position, 0, false},
    {{"dy", 1, 3, "dy(i, j, r)"}, Q::position, 1, false},
    {{"dz", 1, 3, "dz(i, j, r)"}, Q::position, 2, false},
    {{"speed", 1, 2, "speed(i, j)"}, Q::velocity, kMagnitude, false},
    {{"vm", 1, 2, "vm(i, j)"}, Q::velocity, kMagnitude, false},
    {{"velocity_x", 1, 3, "velocity_x(i, j, r)"}, Q::velocity, 0, false},
    {{"velocity_y", 1, 3, "velocity_y(i, j, r)"}, Q::velocity, 1, false},
    {{"velocity_z", 1, 3, "velocity_z(i, j, r)"}, Q::velocity, 2, false},
    {{"vx", 1, 3, "vx(i, j, r)"}, Q::velocity, 0, false},
    {{"vy", 1, 3, "vy(i, j, r)"}, Q::velocity, 1, false},
    {{"vz", 1, 3, "vz(i, j, r)"}, Q::velocity, 2, false},
    {{"distance_rate", 1, 2, "distance_rate(i, j)"}, Q::distance_rate, kMagnitude, false},
    {{"vr", 1, 2, "vr(i, j)"}, Q::distance_rate, kMagnitude, false},
    {{"angular_speed", 1, 2, "angular_speed(i, j)"}, Q::angular_velocity, kMagnitude, false},
    {{"wm", 1, 2, "wm(i, j)"}, Q::angular_velocity, kMagnitude, false},
    {{"angular_velocity_x", 1, 3, "angular_velocity_x(i, j, r)"}, Q::angular_velocity, 0, false},
    {{"angular_velocity_y", 1, 3, "angular_velocity_y(i, j, r)"}, Q::angular_velocity, 1, false},
    {{"angular_velocity_z", 1, 3, "angular_velocity_z(i, j, r)"}, Q::angular_velocity, 2, false},
    {{"wx", 1, 3, "wx(i, j, r)"}, Q::angular_velocity, 0, false},
    {{"wy", 1, 3, "wy(i, j, r)"}, Q::angular_velocity, 1, false},
    {{"wz", 1, 3, "wz(i, j, r)"}, Q::angular_velocity, 2, false},
    {{"acceleration", 1, 2, "acceleration(i, j)"}, Q::acceleration, kMagnitude, false},
    {{"accm", 1, 2, "accm(i, j)"}, Q::acceleration, kMagnitude, false},
    {{"acceleration_x", 1, 3, "acceleration_x(i, j, r)"}, Q::acceleration, 0, false},
    {{"acceleration_y", 1, 3, "acceleration_y(i, j, r)"}, Q::acceleration, 1, false},
    {{"acceleration_z", 1, 3, "acceleration_z(i, j, r)"}, Q::acceleration, 2, false},
    {{"accx", 1, 3, "accx(i, j, r)"}, Q::acceleration, 0, false},
    {{"accy", 1, 3, "accy(i, j, r)"}, Q::acceleration, 1, false},
    {{"accz", 1, 3, "accz(i, j, r)"}, Q::acceleration, 2, false},
    {{"angular_acceleration", 1, 2, "angular_acceleration(i, j)"}, Q::angular_acceleration, kMagnitude, false},
    {{"wdtm", 1, 2, "wdtm(i, j)"}, Q::angular_acceleration, kMagnitude, false},
    {{"angular_acceleration_x", 1, 3, "angular_acceleration_x(i, j, r)"}, Q::angular_acceleration, 0, false},
    {{"angular_acceleration_y", 1, 3, "angular_acceleration_y(i, j, r)"}, Q::angular_acceleration, 1, false},
    {{"angular_acceleration_z", 1, 3, "angular_acceleration_z(i, j, r)"}, Q::angular_acceleration, 2, false},
    {{"wdtx", 1, 3, "wdtx(i, j, r)"}, Q::angular_acceleration, 0, false},
    {{"wdty", 1, 3, "wdty(i, j, r)"}, Q::angular_acceleration, 1, false},
    {{"wdtz", 1, 3, "wdtz(i, j, r)"}, Q::angular_acceleration, 2, false},
    {{"angle_x", 1, 2, "angle_x(i, j)"}, Q::angle, 0, false},
    {{"angle_y", 1, 2, "angle_y(i, j)"}, Q::angle, 1, false},
    {{"angle_z", 1, 2, "angle_z(i, j)"}, Q::angle, 2, false},
    {{"ax", 1, 2, "ax(i, j)"}, Q::angle, 0, false},
    {{"ay", 1, 2, "ay(i, j)"}, Q::angle, 1, false},
    {{"az", 1, 2, "az(i, j)"}, Q::angle, 2, false},
    {{"angle", 1, 1, "angle(joint)"}, Q::angle, 2, true, "angle"},
    {{"angle_rate", 1, 1, "angle_rate(joint)"}, Q::angular_velocity, 2, true, "angle"},
    {{"first_angle", 1, 1, "first_angle(joint)"}, Q::angle, 2, true, "first_angle"},
    {{"first_angle_rate", 1, 1, "first_angle_rate(joint)"}, Q::angular_velocity, 2, true, "first_angle"},
    {{"second_angle", 1, 1, "second_angle(joint)"}, Q::angle, 0, true, "second_angle"},
    {{"second_angle_rate", 1, 1, "second_angle_rate(joint)"}, Q::angular_velocity, 0, true, "second_angle"},
    {{"rotation_x", 1, 1, "rotation_x(joint)"}, Q::rotation_vector, 0, true, "rotation_x"},
    {{"rotation_y", 1, 1, "rotation_y(joint)"}, Q::rotation_vector, 1, true, "rotation_y"},
    {{"rotation_z", 1, 1, "rotation_z(joint)"}, Q::rotation_vector, 2, true, "rotation_z"},
    {{"translation", 1, 1, "translation(joint)"}, Q::position, 2, true, "translation"},
    {{"translation_rate", 1, 1, "translation_rate(joint)"}, Q::translation_rate, 2, true, "translation"},
    {{"force_x", 1, 2, "force_x(joint, r)"}, Q::force, 0, true},
    {{"force_y", 1, 2, "force_y(joint, r)"}, Q::force, 1, true},
    {{"force_z", 1, 2, "force_z(joint, r)"}, Q::force, 2, true},
    {{"force_magnitude", 1, 1, "force_magnitude(joint)"}, Q::force, kMagnitude, true},
    {{"torque_x", 1, 2, "torque_x(joint, r)"}, Q::torque, 0, true},
    {{"torque_y", 1, 2, "torque_y(joint, r)"}, Q::torque, 1, true},
    {{"torque_z", 1, 2, "torque_z(joint, r)"}, Q::torque, 2, true},
    {{"torque_magnitude", 1, 1, "torque_magnitude(joint)"}, Q::torque, kMagnitude, true}};

const char* unit_of(MeasureQuantity quantity) {
  switch (quantity) {
    case Q::position: return "m";
    case Q::velocity:
    case Q::distance_rate:
    case Q::translation_rate: return "m/s";
    case Q::angular_velocity: return "rad/s";
    case Q::acceleration: return "m/s^2";
    case Q::angular_acceleration: return "rad/s^2";
    case Q::angle:
    case Q::rotation_vector: return "rad";
    case Q::force: return "N";
    case Q::torque: return "N*m";
    case Q::state:
    case Q::state_rate:
    case Q::input: break;  // as the model says
  }
  return "";
}

}  // namespace

std::span<const MeasureName> measure_names() { return kNames; }

std::span<const MeasureSignature> measure_signatures() {
  static const std::vector<MeasureSignature> signatures = [] {
    std::vector<MeasureSignature> list;
    for (const MeasureName& m : kNames) {
      list.push_back(m.signature);
      list.back().unit = unit_of(m.quantity);
    }
    return list;
  }();
  return signatures;
}

const MeasureName* find_measure(const std::string& name) {
  for (const MeasureName& m : kNames)
    if (name == m.signature.name) return &m;
  return nullptr;
}

}  // namespace bricard
