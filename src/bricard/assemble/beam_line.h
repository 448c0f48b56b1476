// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bricard/assemble/beam_mesh.h"

// From what the user says of a beam to its line and mesh, and to nodes among the bodies of the model.
namespace bricard {

struct Named;

/// Its ends have their positions and its values are good.
BeamLine beam_line(const FlexibleBeam& beam);

/// What its sections are made of: of its material, or its own values.
Material material_of(const FlexibleBeam& beam);
/// The section at s, from 0 to 1; of a beam that has sections.
BeamSection section_at(const FlexibleBeam& beam, double s);

/// Elements as many as wanted, of about equal length, with an end wherever there is a marker.
BeamMesh beam_mesh(const FlexibleBeam& beam, double length);

/// A marker of a beam: node by its number along the beam.
struct BeamPlace {
  std::string name;  ///< arm.middle
  std::string body;  ///< arm_4
};
std::vector<BeamPlace> beam_places(const FlexibleBeam& beam);

/// Names of the forces that are its loads.
std::vector<std::string> load_names(const FlexibleBeam& beam);

/// Adds nodes (bodies), loads (forces) and welds (joints) of a beam to the model.
void expand_beam(const FlexibleBeam& beam, Model& model);

/// Elements of all beams; the frames of the model are nodes of the system.
void add_beams(const Named& named, System& system);

}  // namespace bricard
