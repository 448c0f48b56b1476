// SPDX-License-Identifier: Apache-2.0
#include "bricard/analysis/check_beams.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace bricard {

BeamNames::BeamNames(const Model& model) {
  if (model.flexible_beams.empty()) return;
  std::map<std::string, const Body*> bodies;
  for (const Body& body : model.bodies) bodies[body.name] = &body;
  for (const FlexibleBeam& beam : model.flexible_beams) {
    std::vector<Vector3d> places;
    for (auto node = bodies.find(beam.node_name(0)); node != bodies.end();
         node = bodies.find(beam.node_name(places.size()))) {
      beam_of_[node->first] = beam.name;
      places.push_back(node->second->position);
    }
    const auto degree = static_cast<size_t>(beam.degree);
    BeamSummary summary{beam.name, static_cast<int>((places.size() - 1) / degree), static_cast<int>(places.size()),
                        beam.degree};
    for (size_t i = 0; i + degree < places.size(); i += degree) {
      const double length = (places[i + degree] - places[i]).norm();
      summary.shortest = i == 0 ? length : std::min(summary.shortest, length);
      summary.longest = std::max(summary.longest, length);
    }
    beams_.push_back(summary);
  }
}

std::vector<std::string> BeamNames::folded(const std::vector<std::string>& names) const {
  if (beams_.empty()) return names;
  const std::string before = "body '";  // as names of what can move have it
  std::vector<std::string> all;
  std::set<std::string> told;
  for (const std::string& name : names) {
    const bool quoted = name.starts_with(before);
    const auto node = beam_of_.find(quoted ? name.substr(before.size(), name.size() - before.size() - 1) : name);
    if (node == beam_of_.end()) all.push_back(name);
    else if (told.insert(node->second).second) all.push_back(fmt::format("beam '{}'", node->second));
  }
  return all;
}

}  // namespace bricard
