// SPDX-License-Identifier: Apache-2.0
#include "bricard/analysis/check_beams.h"

#include <fmt/format.h>

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <set>

#include "bricard/assemble/beam_line.h"

namespace bricard {
namespace {

// Waves of stretch and shear: of C₁₁ over the mass per length, their speed squared is an eigenvalue.
double wave_speed(const BeamLine& line, double s) {
  const Matrix3d C = line.stiffness(s).topLeftCorner<3, 3>();
  return std::sqrt(Eigen::SelfAdjointEigenSolver<Matrix3d>(C, Eigen::EigenvaluesOnly).eigenvalues()[2] /
                   line.mass(s)(0, 0));
}

/// Radius of gyration in bending about the softer axis, √(EI/EA).
double radius_of_gyration(const BeamLine& line, double s) {
  const Matrix6d C = line.stiffness(s);
  return std::sqrt(std::min(C(4, 4), C(5, 5)) / C(0, 0));
}

void measure_mesh(const FlexibleBeam& beam, BeamSummary& summary) {
  const BeamLine line = beam_line(beam).centred();
  const BeamMesh mesh = beam_mesh(beam, line.length);
  const std::vector<double> nodes = mesh.nodes();
  for (int e = 0; e < mesh.elements(); ++e) {
    const double begin = mesh.ends[e], end = mesh.ends[e + 1], length = end - begin;
    const Matrix3d R = line.pose(begin).R.transpose() * line.pose(end).R;
    summary.shortest = e == 0 ? length : std::min(summary.shortest, length);
    summary.longest = std::max(summary.longest, length);
    summary.turn = std::max(summary.turn, log_rotation(Quaterniond(R)).norm());
    summary.thickness = std::max(summary.thickness, length / radius_of_gyration(line, 0.5 * (begin + end)));
  }
  for (size_t i = 0; i < nodes.size(); ++i) {
    const double speed = wave_speed(line, nodes[i]);
    summary.wave_speed = std::max(summary.wave_speed, speed);
    if (i == 0) continue;
    const double time = (nodes[i] - nodes[i - 1]) / speed;
    summary.wave_time = i == 1 ? time : std::min(summary.wave_time, time);
  }
}

/// Nodes to which a joint or a spring goes.
std::set<std::string> held_nodes(const Model& model) {
  std::map<std::string, std::string> places;
  for (const FlexibleBeam& beam : model.flexible_beams)
    for (const BeamPlace& place : beam_places(beam)) places[place.name] = place.body;
  std::set<std::string> held;
  const auto note = [&](const std::array<Reference, 2>& between) {
    for (const Reference& end : between) {
      const auto place = places.find(end.name);
      held.insert(place == places.end() ? end.name.substr(0, end.name.find('.')) : place->second);
    }
  };
  for (const Joint& joint : model.joints) note(joint.between);
  for_each_force(model, [&]<class Force>(const Force& force) {
    if constexpr (Between<Force>) note(force.between);
  });
  return held;
}

}  // namespace

BeamNames::BeamNames(const Model& model) {
  if (model.flexible_beams.empty()) return;
  const std::set<std::string> held = held_nodes(model);
  for (const FlexibleBeam& beam : model.flexible_beams) {
    const int elements = beam_mesh(beam, beam_line(beam).length).elements(), nodes = elements * beam.degree + 1;
    BeamSummary summary{beam.name, elements, nodes, beam.degree};
    for (int i = 0; i < nodes; ++i) beam_of_[beam.node_name(static_cast<size_t>(i))] = beam.name;
    measure_mesh(beam, summary);
    if (!held.count(beam.node_name(0))) summary.free.push_back("start");
    if (!held.count(beam.node_name(static_cast<size_t>(nodes) - 1))) summary.free.push_back("end");
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
