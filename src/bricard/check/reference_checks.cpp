// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "bricard/assemble/beam_line.h"
#include "bricard/assemble/events.h"
#include "bricard/assemble/joint_table.h"
#include "bricard/check/model_checks.h"
#include "bricard/model/measure_names.h"

namespace bricard::io {
namespace {

/// A reference split at its dot.
struct Target {
  std::string body;    ///< "ground" or the name of a body
  std::string marker;  ///< "" for the body itself
};

Target split(const std::string& name) {
  const size_t dot = name.find('.');
  if (dot == std::string::npos) return {name, ""};
  return {name.substr(0, dot), name.substr(dot + 1)};
}

class ReferenceChecker {
 public:
  ReferenceChecker(const Model& model, ReadLog& log) : model_(model), log_(log) {
    markers_["ground"] = &model.ground.markers;
    for (const Body& body : model.bodies) markers_[body.name] = &body.markers;
    for (const FlexibleBeam& beam : model.flexible_beams) add_beam_markers(beam);
    for (const Joint& joint : model.joints) joints_[joint.name] = &joint;
  }

  void check() {
    if (model_.bodies.empty()) {
      const Place start{model_.sources[0].path, 1, 1};
      log_.fault(start, "bodies", "the model has no bodies; expected at least one");
    }
    for (const Joint& joint : model_.joints) check_joint(joint, "joints." + joint.name);
    for (const Motion& motion : model_.motions)
      if (motion.between) check_between(*motion.between, "motions." + motion.name + ".between", "motion");
    check_fields(model_.bushings, "bushing");
    check_fields(model_.fields, "field");
    for (const BeamForce& beam : model_.beams) check_between(beam.between, "forces." + beam.name + ".between", "beam");
    for (const SpringDamper& spring : model_.springs)
      check_between(spring.between, "forces." + spring.name + ".between", "spring");
    for (const TorsionSpring& spring : model_.torsion_springs)
      check_torsion_spring(spring, "forces." + spring.name + ".joint");
    for (const AppliedForce& force : model_.forces) check_force(force, "forces." + force.name);
    for (const ReadLog::MeasureNote& note : log_.measures()) check_measure(note);
    for (const Point& point : model_.points) resolve(point.marker, "points." + point.name);
    for (const Reference& r : model_.inactive) check_switch(r, "inactive");
    for (const Event& event : model_.events) check_event(event, "events." + event.name);
  }

 private:
  // A beam that is faulty has no nodes among the bodies; what is said about its markers then leads nowhere.
  void add_beam_markers(const FlexibleBeam& beam) {
    if (!markers_.count(beam.node_name(0))) {
      faulty_beams_.push_back(beam.name);
      return;
    }
    for (const BeamPlace& place : beam_places(beam)) {
      beam_nodes_[place.name] = place.body;
      beam_markers_[beam.name].push_back({});
      beam_markers_[beam.name].back().name = place.name.substr(beam.name.size() + 1);
    }
    markers_[beam.name] = &beam_markers_[beam.name];
  }

  /// The body a reference is on; of a marker of a beam its node.
  std::string body_of(const std::string& name) const {
    const auto node = beam_nodes_.find(name);
    return node == beam_nodes_.end() ? split(name).body : node->second;
  }

  template <class Map>
  static std::vector<std::string> names_in(const Map& map) {
    std::vector<std::string> names;
    for (const auto& [name, element] : map) names.push_back(name);
    return names;
  }

  // Whether the name leads to a body or to a marker; complains if not.
  bool resolve(const Reference& reference, const std::string& path) {
    if (reference.name.empty() && reference.place.line == 0) return false;  // was not read
    const Target target = split(reference.name);
    if (std::count(faulty_beams_.begin(), faulty_beams_.end(), target.body)) return false;
    const auto body = markers_.find(target.body);
    if (body == markers_.end()) {
      log_.fault(reference.place, path,
                 fmt::format("unknown body '{}'{}", target.body, suggestion(target.body, names_in(markers_), "known")));
      return false;
    }
    if (reference.name.find('.') == std::string::npos) {
      if (!beam_markers_.count(target.body)) return true;
      log_.fault(reference.place, path,
                 fmt::format("'{}' is a beam; name one of its markers, as {}.start or {}.end", target.body, target.body,
                             target.body));
      return false;
    }
    std::vector<std::string> names;
    for (const Marker& marker : *body->second) names.push_back(target.body + "." + marker.name);
    if (std::count(names.begin(), names.end(), reference.name)) return true;
    const std::string hint =
        names.empty() ? fmt::format("; '{}' has no markers", target.body) : suggestion(reference.name, names, "known");
    log_.fault(reference.place, path, fmt::format("unknown marker '{}'{}", reference.name, hint));
    return false;
  }

  bool check_between(const std::array<Reference, 2>& ends, const std::string& path, const std::string& kind) {
    if (!log_.place_of(path)) return false;
    const bool first = resolve(ends[0], path + "[0]"), second = resolve(ends[1], path + "[1]");
    if (!first || !second) return false;
    const std::string body = body_of(ends[0].name);
    if (body != body_of(ends[1].name)) return true;
    log_.fault(ends[1].place, path, fmt::format("both ends are on '{}'; a {} connects two bodies", body, kind));
    return false;
  }

  void check_joint(const Joint& joint, const std::string& path) {
    if (!check_between(joint.between, path + ".between", "joint")) return;
    if (!log_.place_of(path + ".type") || joint.type == JointType::distance) return;
    if (joint.type == JointType::point_on_curve || joint.type == JointType::curve_on_curve ||
        joint.type == JointType::rolling)
      return;
    const bool has_marker =
        !split(joint.between[0].name).marker.empty() || !split(joint.between[1].name).marker.empty();
    if (has_marker) {
      const auto refuse = [&](const char* key, bool given) {
        if (!given || log_.is_faulty(path + "." + key)) return;
        log_.fault(joint.place, path,
                   fmt::format("key '{}' has no effect when 'between' names a marker, which says where the joint is "
                               "and how it is turned; remove the key or name two bodies",
                               key));
      };
      refuse("at", joint.at.has_value());
      refuse("axis", joint.axis.has_value());
      refuse("second_axis", joint.second_axis.has_value());
      return;
    }
    const auto need = [&](const char* key, bool given, const std::string& what) {
      if (given || log_.is_faulty(path + "." + key)) return;
      log_.fault(joint.place, path,
                 fmt::format("missing key '{}': {}; or name a marker in 'between', as {}.pin", key, what,
                             joint.between[1].name));
    };
    const bool only_directions = joint.type == JointType::parallel || joint.type == JointType::perpendicular ||
                                 joint.type == JointType::orientation;
    const bool has_axis =
        joint.type != JointType::fixed && joint.type != JointType::spherical && joint.type != JointType::orientation;
    if (!only_directions) need("at", joint.at.has_value(), "where the joint is at the start, ground frame, in m");
    if (has_axis) need("axis", joint.axis.has_value(), "direction of the joint's axis at the start");
    if (joint.type == JointType::universal)
      need("second_axis", joint.second_axis.has_value(), "the other axis of the cross");
    if (joint.type == JointType::perpendicular)
      need("second_axis", joint.second_axis.has_value(), "direction fixed in the second body");
  }

  // The joint of that name; complains if there is none. A joint with a faulty type is no help.
  const Joint* find_joint(const Reference& reference, const std::string& path) {
    if (!log_.place_of(path)) return nullptr;
    const auto found = joints_.find(reference.name);
    if (found != joints_.end()) return log_.place_of("joints." + reference.name + ".type") ? found->second : nullptr;
    const std::string hint =
        joints_.empty() ? "; the model has no joints" : suggestion(reference.name, names_in(joints_), "known");
    log_.fault(reference.place, path, fmt::format("unknown joint '{}'{}", reference.name, hint));
    return nullptr;
  }

  // Between two bodies with `at`, or between two markers.
  template <class Field>
  void check_fields(const std::vector<Field>& fields, const std::string& kind) {
    for (const Field& f : fields) {
      const std::string path = "forces." + f.name;
      if (!check_between(f.between, path + ".between", kind)) continue;
      const bool marker = !split(f.between[0].name).marker.empty() || !split(f.between[1].name).marker.empty();
      if (f.at && marker)
        log_.fault(f.place, path,
                   "key 'at' has no effect when 'between' names a marker; remove the key or name two bodies");
    }
  }

  void check_torsion_spring(const TorsionSpring& spring, const std::string& path) {
    const Joint* joint = find_joint(spring.joint, path);
    if (!joint || joint->type == JointType::revolute || joint->type == JointType::cylindrical) return;
    log_.fault(spring.joint.place, path,
               fmt::format("'{}' is a {} joint; a torsion spring needs a revolute or cylindrical "
                           "one",
                           joint->name, name_of(joint->type)));
  }

  void check_force(const AppliedForce& force, const std::string& path) {
    if (log_.place_of(path + ".frame") && force.frame.name != "body") resolve(force.frame, path + ".frame");
    const bool acts = log_.place_of(path + ".on") && resolve(force.on, path + ".on");
    const std::string body = split(force.on.name).body;
    if (acts && body == "ground")
      log_.fault(force.on.place, path + ".on", "a force on ground has no effect; name a body");
    if (!log_.place_of(path + ".reaction") || !resolve(force.reaction, path + ".reaction")) return;
    if (acts && split(force.reaction.name).body == body)
      log_.fault(force.reaction.place, path + ".reaction",
                 fmt::format("the force acts on '{}' already; name another body", body));
  }

  void check_event(const Event& event, const std::string& path) {
    for (const Reference& r : event.activate) check_switch(r, path + ".activate");
    for (const Reference& r : event.deactivate) check_switch(r, path + ".deactivate");
    const Place* when = log_.place_of(path + ".when");
    if (when && event.when.formula.inputs().empty() && !event.when.formula.uses_time())
      log_.fault(*when, path + ".when", "never changes, so that nothing would happen; use t, a measure or a name");
  }

  void check_switch(const Reference& reference, const std::string& path) {
    if (reference.name.empty()) return;  // was not read
    const size_t found = switched_elements(model_, reference.name).size();
    if (found > 1)
      log_.fault(reference.place, path,
                 fmt::format("more than one element is named '{0}'; say forces.{0}, joints.{0} or motions.{0}",
                             reference.name));
    if (found > 0) return;
    std::vector<std::string> names;
    const auto add = [&](const auto& list) {
      for (const auto& element : list) names.push_back(element.name);
    };
    std::apply([&](const auto... list) { (add(model_.*list), ...); }, Model::force_kinds());
    add(model_.joints), add(model_.motions);
    std::sort(names.begin(), names.end());
    names.erase(std::unique(names.begin(), names.end()), names.end());
    log_.fault(reference.place, path,
               fmt::format("no force, joint or motion is named '{}'{}", reference.name,
                           suggestion(reference.name, names, "known")));
  }

  void check_measure(const ReadLog::MeasureNote& note) {
    const MeasureName& measure = *find_measure(note.call.function);
    const std::vector<std::string>& names = note.call.arguments;
    for (size_t i = measure.of_joint ? 1 : 0; i < names.size(); ++i) resolve({names[i], note.place}, note.path);
    if (!measure.of_joint) return;
    const auto found = joints_.find(names[0]);
    if (found == joints_.end()) {
      const std::string hint =
          joints_.empty() ? "; the model has no joints" : suggestion(names[0], names_in(joints_), "known");
      return log_.fault(note.place, note.path,
                        fmt::format("unknown joint '{}' in '{}'{}", names[0], note.call.function, hint));
    }
    if (log_.place_of("joints." + names[0] + ".type")) check_joint_measure(note, measure, *found->second);
  }

  // Coordinates belong to joints that have them.
  void check_joint_measure(const ReadLog::MeasureNote& note, const MeasureName& measure, const Joint& joint) {
    const std::string wanted = measure.coordinate;
    const auto& all = primitives_of(joint.type).coordinates;
    const auto named = [&](const RelativeCoordinate& c) { return c.name == wanted; };
    if (!wanted.empty() && std::none_of(all.begin(), all.end(), named))
      log_.fault(note.place, note.path,
                 fmt::format("'{}' is a {} joint, which has no {}", joint.name, name_of(joint.type), wanted));
  }

  const Model& model_;
  std::map<std::string, std::string> beam_nodes_;            // arm.end: arm_8
  std::map<std::string, std::vector<Marker>> beam_markers_;  // of each beam
  std::vector<std::string> faulty_beams_;
  ReadLog& log_;
  std::map<std::string, const std::vector<Marker>*> markers_;  ///< by name of the body
  std::map<std::string, const Joint*> joints_;
};

}  // namespace

void check_references(const Model& model, ReadLog& log) { ReferenceChecker(model, log).check(); }

}  // namespace bricard::io
