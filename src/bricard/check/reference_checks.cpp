// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "bricard/check/checker.h"
#include "bricard/check/model_checks.h"
#include "bricard/model/measure_names.h"

namespace bricard::io {
namespace {

/// Of points, measures in formulas and events.
class ReferenceChecker : Checker {
 public:
  using Checker::Checker;

  void check(const Body& body) {
    const std::string path = "bodies." + body.name + ".relative_to";
    if (!log_.place_of(path) || !resolve(body.relative_to, path)) return;
    if (body_in(body.relative_to.name) == body.name)
      log_.fault(body.relative_to.place, path, "a body cannot be placed relative to itself; name another body");
  }

  void check(const Point& point) { resolve(point.marker, "points." + point.name); }

  void check(const Event& event, const std::string& path) {
    for (const Reference& r : event.activate) check_switch(r, path + ".activate");
    for (const Reference& r : event.deactivate) check_switch(r, path + ".deactivate");
    const Place* when = log_.place_of(path + ".when");
    if (when && event.when.formula.inputs().empty() && !event.when.formula.uses_time())
      log_.fault(*when, path + ".when", "never changes, so that nothing would happen; use t, a measure or a name");
  }

  void check_switch(const Reference& reference, const std::string& path) {
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
    for_each_force_list(model_, add);
    add(model_.joints), add(model_.motions);
    std::sort(names.begin(), names.end());
    names.erase(std::unique(names.begin(), names.end()), names.end());
    log_.fault(reference.place, path,
               fmt::format("no force, joint or motion is named '{}'{}", reference.name,
                           suggestion(reference.name, names, "known")));
  }

  void check(const ReadLog::MeasureNote& note) {
    const MeasureName& measure = *find_measure(note.call.function);
    const std::vector<std::string>& names = note.call.arguments;
    for (size_t i = measure.of_joint ? 1 : 0; i < names.size(); ++i) resolve({names[i], note.place}, note.path);
    if (!measure.of_joint) return;
    const Joint* joint = find_joint({names[0], note.place}, note.path, fmt::format(" in '{}'", note.call.function));
    if (joint) check_joint_measure(note, measure, *joint);
  }

 private:
  // Coordinates belong to joints that have them.
  void check_joint_measure(const ReadLog::MeasureNote& note, const MeasureName& measure, const Joint& joint) {
    const std::string wanted = measure.coordinate;
    const auto& all = kind_of(joint.type).coordinates;
    const auto named = [&](const char* c) { return c && c == wanted; };
    if (!wanted.empty() && std::none_of(all.begin(), all.end(), named))
      log_.fault(note.place, note.path,
                 fmt::format("'{}' is a {} joint, which has no {}", joint.name, name_of(joint.type), wanted));
  }
};

}  // namespace

void check_references(const Model& model, ReadLog& log) {
  if (model.bodies.empty() && model.flexible_beams.empty()) {
    const Place start = model.sources.empty() ? Place{} : Place{model.sources[0].path, 1, 1};
    log.fault(start, "bodies", "the model has no bodies; expected at least one");
  }
  check_joint_references(model, log);
  check_force_references(model, log);
  check_coordinates(model, log);
  ReferenceChecker checker(model, log);
  for (const ReadLog::MeasureNote& note : log.measures()) checker.check(note);
  for (const Body& body : model.bodies) checker.check(body);
  for (const Point& point : model.points) checker.check(point);
  for (const Reference& r : model.inactive) checker.check_switch(r, "inactive");
  for (const Event& event : model.events) checker.check(event, "events." + event.name);
}

}  // namespace bricard::io
