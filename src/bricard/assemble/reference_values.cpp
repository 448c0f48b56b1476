// SPDX-License-Identifier: Apache-2.0
#include "bricard/assemble/reference_values.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "bricard/assemble/beam_line.h"
#include "bricard/assemble/forces.h"
#include "bricard/assemble/joint_table.h"

namespace bricard {
namespace {

/// Mean over the bodies of the largest of: the lever of a joint, the length of a rod, the radius of gyration. Levers
/// may be round-off, where a joint sits in a mass centre that was computed; then a radius of gyration is not. A body
/// that is a point has neither: it counts as a thousandth of the springs that hold it.
double size_of_bodies(const Named& named, const System& system) {
  constexpr double kPoint = 1e-3;
  const Model& model = named.model;
  std::vector<double> size(named.frames.size(), 0);
  const auto at_least = [&](const MarkerPose& m, double value) {
    double& own = size[named.frames.on_body(m).node];
    own = std::max(own, value);
  };
  for (size_t j = 0; j < system.joints.size(); ++j) {
    const std::array<MarkerPose, 2>& ends = system.joints[j].markers;
    const bool is_rod = primitives_of(model.joints[j].type).special == JointPrimitives::Special::distance;
    const double rod = is_rod ? model.joints[j].length.value_or(named.frames.start_distance(ends[0], ends[1])) : 0;
    for (const MarkerPose& m : ends) at_least(m, std::max(named.frames.on_body(m).r.norm(), rod));
  }
  for (const SpringDamper& s : model.springs) {
    const MarkerPose i = named.marker(s.between[0]), j = named.marker(s.between[1]);
    for (const MarkerPose& m : {i, j}) at_least(m, kPoint * named.frames.start_distance(i, j));
  }
  for (const FlexibleBeam& beam : model.flexible_beams) {  // nodes of beams: as their neighbours are apart
    const double length = beam_line(beam).length;
    const std::vector<double> places = beam_mesh(beam, length).nodes();
    for (size_t i = 0; i < places.size(); ++i) {
      double& own = size[named.node({beam.node_name(i), {}})];
      own = std::max(own, length / static_cast<double>(places.size() - 1));
    }
  }
  double sum = 0;
  for (const int node : named.frames.bodies()) {
    const FrameRow& b = named.frames[node];
    sum += std::max(size[node], std::sqrt(b.inertia.trace() / b.mass));
  }
  return sum / static_cast<double>(named.frames.bodies().size());
}

/// A given length, unless it is so far from the model's own that turns and lengths could not be compared: rows of the
/// joints then look dependent that are not, or independent that are not. Up to this factor all analyses agree.
double checked_length(double given, double own) {
  constexpr double kFarthest = 1e3;
  if (!(own > 0) || (given <= kFarthest * own && own <= kFarthest * given)) return given;
  throw ModelError(
      {{{},
        fmt::format(
            "run.reference_length = {:.3g} m: the bodies of the model have a size of {:.2g} m, by "
            "which turns are compared with lengths; leave it out, or give one within a factor of {:.0f} of this size",
            given, own, kFarthest)}});
}

}  // namespace

// m_r: mean mass; k_r, d_r: springs and dampers shared out over the bodies.          [Bauchau2009, eq. (6)]
void set_reference_values(const Named& named, System& system) {
  const Model& model = named.model;
  const double n = static_cast<double>(named.frames.bodies().size());
  double mass = 0;
  for (const int node : named.frames.bodies()) mass += named.frames[node].mass / n;
  system.reference_mass = mass;
  const double own = size_of_bodies(named, system);
  system.reference_length = model.run.reference_length ? checked_length(*model.run.reference_length, own) : own;
  Resistance r = total_resistance(named, system, system.reference_length);
  for (const FlexibleBeam& beam : model.flexible_beams) {  // N per stretch over the length of an element, of each
    const BeamLine line = beam_line(beam);
    const BeamMesh mesh = beam_mesh(beam, line.length);
    for (int e = 0; e < mesh.elements(); ++e) {
      const double k = line.stiffness(mesh.ends[e]).diagonal().head<3>().mean() / (mesh.ends[e + 1] - mesh.ends[e]);
      r.stiffness += k, r.damping += beam.damping * k;
    }
  }
  for (const int node : named.frames.bodies())  // of the softest shape, which is held least
    if (const auto& part = named.frames[node].part) {
      r.stiffness += part->stiffness.diagonal().minCoeff();
      if (part->damping.size()) r.damping += part->damping.diagonal().minCoeff();
    }
  system.reference_stiffness = r.stiffness / n;
  system.reference_damping = r.damping / n;
}

}  // namespace bricard
