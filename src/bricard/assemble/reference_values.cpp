// SPDX-License-Identifier: Apache-2.0
#include "bricard/assemble/reference_values.h"

#include <algorithm>
#include <cmath>

#include "bricard/assemble/beam_line.h"
#include "bricard/assemble/coordinates.h"

namespace bricard {
namespace {

/// How stiff a force is, as N/m and N s/m.
struct Resistance {
  double stiffness = 0, damping = 0;
};

/// One function for each kind of force; a kind that has none does not compile.
struct ResistanceOf {
  const Named& named;
  const System& system;
  double length;  ///< ℓ_r

  Resistance operator()(const SpringDamper& f) const { return {f.stiffness, f.damping}; }
  Resistance operator()(const TorsionSpring& f) const { return turning({f.stiffness, f.damping}); }
  Resistance operator()(const AppliedForce&) const { return {}; }  // formulas are not known before they are evaluated
  Resistance operator()(const Motor&) const { return {}; }
  Resistance operator()(const JointSpring& f) const { return in_joint(f, {f.stiffness, f.damping}); }
  Resistance operator()(const JointStop& f) const { return in_joint(f, {f.stiffness, f.damping}); }
  Resistance operator()(const Bushing& f) const { return {f.stiffness.mean(), f.damping.mean()}; }
  Resistance operator()(const FieldForce& f) const { return matrices(f.stiffness, f.damping); }
  Resistance operator()(const BeamForce& f) const {
    Fields::Item item{};
    set_beam(f, f.length.value_or(named.frames.start_distance(named.marker(f.between[0]), named.marker(f.between[1]))),
             item);
    return matrices(item.stiffness, item.damping);
  }

 private:
  Resistance turning(const Resistance& r) const {
    return {r.stiffness / (length * length), r.damping / (length * length)};
  }
  template <class Force>
  Resistance in_joint(const Force& f, const Resistance& r) const {
    return joint_coordinate(system, named.joint(f.joint), f.coordinate).turns() ? turning(r) : r;
  }
  static Resistance matrices(const Matrix6d& K, const Matrix6d& C) {
    return {K.diagonal().head<3>().mean(), C.diagonal().head<3>().mean()};
  }
};

Resistance total_resistance(const Named& named, const System& system, double length) {
  const ResistanceOf of{named, system, length};
  Resistance sum;
  const auto add = [&](const auto& forces) {
    for (const auto& f : forces) {
      const Resistance r = of(f);
      sum.stiffness += r.stiffness, sum.damping += r.damping;
    }
  };
  std::apply([&](const auto... kind) { (add(named.model.*kind), ...); }, Model::force_kinds());
  for (const FlexibleBeam& beam : named.model.flexible_beams) {  // N per stretch over the length of an element, of each
    const BeamLine line = beam_line(beam);
    const BeamMesh mesh = beam_mesh(beam, line.length);
    for (int e = 0; e < mesh.elements(); ++e) {
      const double size = mesh.ends[e + 1] - mesh.ends[e];
      const double k = line.stiffness(mesh.ends[e]).diagonal().head<3>().mean() / size;
      sum.stiffness += k, sum.damping += beam.damping * k;
    }
  }
  return sum;
}

/// Mean over the bodies of the largest of: the lever of a joint, the length of a rod, the radius of gyration. Levers
/// may be round-off, where a joint sits in a mass centre that was computed; then a radius of gyration is not. A body
/// that is a point has neither: it counts as a thousandth of the springs that hold it.
double size_of_bodies(const Named& named, const System& system) {
  constexpr double kPoint = 1e-3;
  const Model& model = named.model;
  std::vector<double> size(named.frames.size(), 0);
  const auto at_least = [&](const MarkerPose& m, double value) { size[m.node] = std::max(size[m.node], value); };
  for (size_t j = 0; j < system.joints.size(); ++j) {
    const std::array<MarkerPose, 2>& ends = system.joints[j].markers;
    const bool is_rod = model.joints[j].type == JointType::distance;
    const double rod = is_rod ? model.joints[j].length.value_or(named.frames.start_distance(ends[0], ends[1])) : 0;
    for (const MarkerPose& m : ends) at_least(m, std::max(m.r.norm(), rod));
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

}  // namespace

// m_r: mean mass; k_r, d_r: springs and dampers shared out over the bodies.          [Bauchau2009, eq. (6)]
void set_reference_values(const Named& named, System& system) {
  const Model& model = named.model;
  const double n = static_cast<double>(named.frames.bodies().size());
  double mass = 0;
  for (const int node : named.frames.bodies()) mass += named.frames[node].mass / n;
  system.reference_mass = mass;
  system.reference_length = model.run.reference_length.value_or(size_of_bodies(named, system));
  const Resistance r = total_resistance(named, system, system.reference_length);
  system.reference_stiffness = r.stiffness / n;
  system.reference_damping = r.damping / n;
}

}  // namespace bricard
