// SPDX-License-Identifier: Apache-2.0
#include "bricard/results/channels.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "bricard/assemble/assemble.h"
#include "bricard/elements/measured_formulas.h"

namespace bricard {
namespace {

constexpr const char* kGround = "ground";

std::vector<Column> xyz(const char* unit) { return {{"x", unit}, {"y", unit}, {"z", unit}}; }

Vector3d position_of(const MarkerPose& m, const Kinematics& k) { return k.frames[m.node].p + k.frames[m.node].R * m.r; }

Vector3d velocity_of(const MarkerPose& m, const Kinematics& k) {
  const Frame& f = k.frames[m.node];
  return f.v + f.R * f.w.cross(m.r);
}

/// The coordinate of a joint that is counted over many turns.
const RelativeCoordinate* angle_of(const JointInfo& joint) {
  for (const RelativeCoordinate& c : joint.coordinates)
    if (c.angle_index >= 0) return &c;
  return nullptr;
}

}  // namespace

Channels::Channels(const Model& model, const System& system, double start_energy)
    : system_(system), start_energy_(start_energy), kinematics_(system.make_kinematics()),
      reactions_(system.joints.size()), angle_rates_(system.make_state().angles) {
  const Named named(model);
  find_springs(named);
  list_bodies(named.frames);
  list_joints();
  for (const FlexibleBeam& beam : model.flexible_beams) beams_.emplace_back(beam, named, system).list(list_);
  list_signals(model);
}

void Channels::find_springs(const Named& named) {
  const Model& model = named.model;
  const auto law_of = [&](const std::string& name) {
    const auto found = system_.laws.find(name);
    return found == system_.laws.end() ? nullptr : found->second;
  };
  for (const SpringDamper& s : model.springs) {
    const MarkerPose i = named.marker(s.between[0]), j = named.marker(s.between[1]);
    const double length = named.frames.start_distance(i, j);
    springs_.push_back({i, j, s.stiffness, s.damping, s.free_length.value_or(length), s.preload, law_of(s.name)});
  }
  for (const TorsionSpring& s : model.torsion_springs)
    for (const JointInfo& joint : system_.joints)
      if (joint.name == s.joint.name)
        torsion_springs_.push_back({&joint, angle_of(joint), s.stiffness, s.damping, s.free_angle, law_of(s.name)});
}

void Channels::list_bodies(const FrameTable& frames) {
  const std::vector<Column> wxyz{{"w", ""}, {"x", ""}, {"y", ""}, {"z", ""}};
  const auto add_frame = [&](int node) {
    const FrameRow& body = frames[node];
    shown_.push_back({node, body.origin});
    const auto add_vector = [&](const char* name, std::vector<Column> columns) {
      list_.push_back({Channel::Kind::body, body.name, name, kGround, std::move(columns)});
    };
    add_vector("position", xyz("m"));
    add_vector("quaternion_wxyz", wxyz);
    add_vector("velocity", xyz("m/s"));
    add_vector("angular_velocity", xyz("rad/s"));
    add_vector("acceleration", xyz("m/s^2"));
    add_vector("angular_acceleration", xyz("rad/s^2"));
  };
  for (const int node : frames.bodies()) add_frame(node);
  for (const int node : frames.interfaces()) add_frame(node);
  for (const FlexibleInfo& body : system_.flexible) {
    std::vector<Column> columns;
    for (int i = 0; i < body.shapes; ++i) columns.push_back({fmt::format("mode{}", i + 1), "m"});
    list_.push_back({Channel::Kind::body, body.name, "modal_coordinates", "body", columns});
  }
}

void Channels::list_joints() {
  for (const JointInfo& joint : system_.joints) {
    std::vector<Column> coordinates;
    for (const RelativeCoordinate& c : joint.coordinates) coordinates.push_back({c.name, c.unit});
    const auto kind = Channel::Kind::joint;
    list_.push_back({kind, joint.name, "coordinates", "first marker", coordinates});
    list_.push_back({kind, joint.name, "force", kGround, xyz("N")});
    list_.push_back({kind, joint.name, "torque", kGround, xyz("N*m")});
  }
}

void Channels::list_signals(const Model& model) {
  const auto add_signal = [&](const std::string& name, const std::string& unit, const char* frame = "") {
    list_.push_back({Channel::Kind::signal, "", name, frame, {{"", unit}}});
  };
  for (const char* name : {"kinetic", "potential", "total", "work", "defect"})
    add_signal(std::string("energy.") + name, "J");
  add_signal("constraint.position", "m");
  add_signal("constraint.velocity", "m/s");
  for (const JointInfo& joint : system_.joints)
    for (const RelativeCoordinate& c : joint.coordinates) add_signal(joint.name + "." + c.name, c.unit, "first marker");
  for (const Point& point : model.points)
    for (const char* axis : {".x", ".y", ".z"}) add_signal(point.name + axis, "m", kGround);
  for (const SpringDamper& s : model.springs) {
    add_signal(s.name + ".length", "m");
    add_signal(s.name + ".force", "N");
    for (const char* axis : {"x", "y", "z"}) add_signal(s.name + ".force_" + axis, "N", kGround);
  }
  for (const TorsionSpring& s : model.torsion_springs) add_signal(s.name + ".torque", "N*m");
  for (const BeamStations& beam : beams_) add_signal(beam.name() + ".strain_energy", "J");
  std::vector<ElementSignal> of_elements;
  for (const auto& batch : system_.batches()) batch->list_signals(of_elements);
  for (const ElementSignal& s : of_elements) add_signal(s.name, s.unit);
  for (const NamedValue& v : system_.variables) add_signal(v.name, v.unit);
  for (const Signal& s : model.signals) add_signal(s.name, s.unit);
}

const std::vector<double>& Channels::evaluate(const Sample& sample) {
  system_.update(sample.state, kinematics_);
  row_.clear();
  add_bodies(sample.state);
  add_joints();
  for (BeamStations& beam : beams_) beam.add_values(kinematics_, row_);
  add_signals(sample);
  return row_;
}

//     ω and ω̇ are stored in body axes; in ground axes  ω_W = R ω,  ω̇_W = R (ω̇ + ω × ω) = R ω̇
//     origin of the body frame, at r from the mass centre:   v̇ + R (ω̇ × r + ω × (ω × r))
void Channels::add_bodies(const State& s) {
  for (const ShownFrame& shown : shown_) {
    const Frame& f = kinematics_.frames[shown.node];
    const Vector3d& r = shown.origin;
    const Vector6d a = kinematics_.acceleration(system_.v_of(shown.node));
    const Vector3d w_dot = a.tail<3>(), w_r = f.w.cross(r);
    add(f.p + f.R * r);
    add_quaternion(s, shown.node);
    add(f.v + f.R * w_r);
    add(f.R * f.w);
    add(a.head<3>() + f.R * (w_dot.cross(r) + f.w.cross(w_r)));
    add(f.R * w_dot);
  }
  for (const FlexibleInfo& body : system_.flexible)
    row_.insert(row_.end(), s.q.data() + body.q, s.q.data() + body.q + body.shapes);
}

/// Of an interface that of the two which is next to that of its body, so that it does not jump.
void Channels::add_quaternion(const State& s, int node) {
  const FrameNode& own = system_.nodes()[system_.body_of(node)];
  Quaterniond q = quaternion_at(s.q, own.q + 3);
  if (system_.body_of(node) != node) {
    const Quaterniond body = q;
    q = Quaterniond(kinematics_.frames[node].R);
    if (body.dot(q) < 0) q.coeffs() = -q.coeffs();
  }
  row_.insert(row_.end(), {q.w(), q.x(), q.y(), q.z()});
}

void Channels::add_joints() {
  system_.reactions(kinematics_, reactions_);
  coordinates_.clear();
  for (size_t j = 0; j < system_.joints.size(); ++j) {
    const JointInfo& joint = system_.joints[j];
    for (const RelativeCoordinate& c : joint.coordinates) {
      coordinates_.push_back(system_.coordinate(kinematics_, joint, c));
      row_.push_back(coordinates_.back());
    }
    add(reactions_[j].force);
    add(reactions_[j].torque);
  }
}

void Channels::add_signals(const Sample& sample) {
  const double total = sample.kinetic + sample.potential;
  row_.insert(row_.end(), {sample.kinetic, sample.potential, total, sample.work, total - start_energy_ - sample.work,
                           sample.position_violation, sample.velocity_violation});
  row_.insert(row_.end(), coordinates_.begin(), coordinates_.end());
  for (const MarkerPose& point : system_.points) add(position_of(point, kinematics_));
  add_springs();
  for (const BeamStations& beam : beams_) row_.push_back(beam.strain_energy(kinematics_));
  for (const auto& batch : system_.batches()) batch->add_signals(kinematics_, row_);
  const size_t first = row_.size();
  for (const NamedValue& v : system_.variables) row_.push_back(v.value->values(kinematics_)[0]);
  for (const auto& signal : system_.signals) row_.push_back(signal->values(kinematics_)[0]);
  lost_.resize(row_.size() - first, NAN);
  for (size_t i = 0; i < lost_.size(); ++i)
    if (std::isnan(lost_[i]) && !std::isfinite(row_[first + i])) lost_[i] = sample.state.t;
}

std::vector<std::string> Channels::remarks() const {
  std::vector<std::string> remarks;
  for (size_t i = 0; i < lost_.size(); ++i)
    if (!std::isnan(lost_[i]))
      remarks.push_back(fmt::format("signal '{}' is not finite, first at t = {:.6g} s",
                                    list_[list_.size() - lost_.size() + i].name, lost_[i]));
  return remarks;
}

//     F = k (l − l₀) + c l̇ + F₀ + law,    M = −k (θ − θ₀) − c θ̇ − law
void Channels::add_springs() {
  for (const Spring& s : springs_) {
    const Vector3d d = position_of(s.j, kinematics_) - position_of(s.i, kinematics_);
    const Vector3d d_dot = velocity_of(s.j, kinematics_) - velocity_of(s.i, kinematics_);
    const double length = d.norm();
    const bool apart = length > std::numeric_limits<double>::min();
    const double rate = apart ? d.dot(d_dot) / length : d_dot.norm();  // as the element has it
    row_.push_back(length);
    const double variables[] = {length, rate};
    const double law = s.law ? s.law->values(kinematics_, variables)[0] : 0;
    const double force = s.stiffness * (length - s.free_length) + s.damping * rate + s.preload + law;
    row_.push_back(force);
    add(apart ? Vector3d(-force / length * d) : Vector3d::Zero());  // on the second end
  }
  if (torsion_springs_.empty()) return;
  system_.angle_rates(kinematics_, angle_rates_);
  for (const TurningSpring& s : torsion_springs_) {
    const double angle = system_.coordinate(kinematics_, *s.joint, *s.angle);
    const double rate = angle_rates_[s.angle->angle_index];
    const double variables[] = {angle, rate};
    const double law = s.law ? s.law->values(kinematics_, variables)[0] : 0;
    row_.push_back(-s.stiffness * (angle - s.free_angle) - s.damping * rate - law);
  }
}

ChannelTable make_channel_table(Channels& channels, const std::vector<Sample>& samples) {
  ChannelTable table{{}, channels.list(), {}};
  const auto is_regular = [](const Sample& sample) { return !sample.requested; };
  const size_t rows = std::count_if(samples.begin(), samples.end(), is_regular);
  table.time.reserve(rows);
  for (const Channel& channel : table.channels) {
    table.values.emplace_back();
    table.values.back().reserve(rows * channel.width());
  }
  for (const Sample& sample : samples) {
    if (sample.requested) continue;
    table.time.push_back(sample.state.t);
    auto value = channels.evaluate(sample).begin();
    for (size_t c = 0; c < table.channels.size(); ++c) {
      const auto end = value + static_cast<std::ptrdiff_t>(table.channels[c].width());
      table.values[c].insert(table.values[c].end(), value, end);
      value = end;
    }
  }
  return table;
}

}  // namespace bricard
