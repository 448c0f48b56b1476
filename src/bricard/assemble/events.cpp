// SPDX-License-Identifier: Apache-2.0
#include "bricard/assemble/events.h"

#include <fmt/format.h>

#include <algorithm>

namespace bricard {
namespace {

SwitchedName only_one(const Model& model, const Reference& reference) {
  const std::vector<SwitchedName> found = switched_elements(model, reference.name);
  if (found.size() == 1) return found[0];
  const std::string what = found.empty() ? "no force, joint or motion" : "more than one element";
  throw ModelError({{reference.place, fmt::format("{} is named '{}'", what, reference.name)}});
}

}  // namespace

SwitchTable::SwitchTable(const Model& model, System& system) : model_(model) {
  const auto add = [&](const Reference& reference, bool on) {
    const SwitchedName wanted = only_one(model, reference);
    if (find(wanted.kind, wanted.name) >= 0) return;
    names_.push_back(wanted);
    system.switches.push_back(
        {fmt::format("{} '{}'", name_of(wanted.kind), wanted.name), system.add_discrete(on ? 1 : 0)});
  };
  for (const Reference& reference : model.inactive) add(reference, false);
  for (const Event& event : model.events) {
    for (const Reference& reference : event.activate) add(reference, true);
    for (const Reference& reference : event.deactivate) add(reference, true);
  }
}

int SwitchTable::find(SwitchedKind kind, const std::string& name) const {
  for (size_t i = 0; i < names_.size(); ++i)
    if (names_[i].kind == kind && names_[i].name == name) return static_cast<int>(i);
  return -1;
}

int SwitchTable::find(const Reference& reference) const {
  const SwitchedName wanted = only_one(model_, reference);
  return find(wanted.kind, wanted.name);
}

std::vector<std::unique_ptr<ElementBatch>> make_batches(Parts& parts, double length) {
  std::vector<std::unique_ptr<ElementBatch>> batches;
  const auto add = [&]<class Batch, class... Settings>(auto& items, Batch*, Settings... settings) {
    if (!items.empty()) batches.push_back(std::make_unique<Batch>(std::move(items), settings...));
  };
  add(parts.coincidences, static_cast<Coincidences*>(nullptr));
  add(parts.axes, static_cast<AxisConstraints*>(nullptr), length);
  add(parts.slides, static_cast<SlideConstraints*>(nullptr));
  add(parts.distances, static_cast<Distances*>(nullptr));
  add(parts.rolling, static_cast<RollingConstraints*>(nullptr));
  add(parts.curves, static_cast<CurveConstraints*>(nullptr));
  add(parts.coordinates, static_cast<CoordinateConstraints*>(nullptr), length);
  add(parts.rotors, static_cast<RotorInertias*>(nullptr));
  return batches;
}

void add_events(const Model& model, const SwitchTable& switches, System& system, FormulaBinder& binder) {
  const auto bind = [&](const MeasuredFormula& formula, const Place& place, const std::string& path) {
    return std::make_shared<const MeasuredFormulas>(binder.bind({formula.formula}, {}, place, path));
  };
  for (const Event& event : model.events) {
    const std::string path = "events." + event.name;
    if (event.when.formula.inputs().empty() && !event.when.formula.uses_time())
      throw ModelError({{event.place, path + ".when: never changes, so that nothing would happen"}});
    EventInfo& info = system.events.emplace_back();
    info.name = event.name;
    info.when = bind(event.when, event.place, path + ".when");
    info.rising = event.direction != Crossing::falling, info.falling = event.direction != Crossing::rising;
    if (event.once) info.happened = system.add_discrete(0);
    info.stops = event.stop;
    for (const InputSetting& setting : event.set) {
      const auto named = [&](const InputInfo& u) { return u.name == setting.input; };
      const auto input = std::find_if(system.inputs.begin(), system.inputs.end(), named);
      if (input == system.inputs.end())
        throw ModelError({{setting.place, fmt::format("{}.set: no input is named '{}'", path, setting.input)}});
      info.settings.push_back({static_cast<int>(input - system.inputs.begin()),
                               bind(setting.value, setting.place, path + ".set." + setting.input)});
    }
    for (const Reference& reference : event.activate) info.on.push_back(switches.find(reference));
    for (const Reference& reference : event.deactivate) info.off.push_back(switches.find(reference));
  }
}

}  // namespace bricard
