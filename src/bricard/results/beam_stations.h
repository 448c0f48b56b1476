// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <variant>
#include <vector>

#include "bricard/assemble/beam_line.h"
#include "bricard/assemble/beam_sections.h"
#include "bricard/assemble/markers.h"
#include "bricard/results/channel.h"

// What is known of a beam along its length.                                theory: docs/theory/beams.md, Results along a beam
// Stations are the two ends of the beam and between them the points at which its elements take their strains: the middle of
// elements with two nodes, two or three Gauss' points of the others.
namespace bricard {

/// position, quaternion_wxyz   of the sections, ground frame
/// strain, curvature           Γ and κ less those of the unstrained shape, axes of the section
/// force, moment               N and M in the same axes, with damping
/// normal_stress, shear_stress, von_mises     at named points of the section, for sections whose shape is known
class BeamStations {
 public:
  BeamStations(const FlexibleBeam& beam, const Named& named, const System& system);

  const std::string& name() const { return name_; }
  void list(std::vector<Channel>& channels) const;
  /// The values of all channels, in their order.
  void add_values(const Kinematics& k, std::vector<double>& row);
  double strain_energy(const Kinematics& k) const;

 private:
  using Elements = std::variant<Beams<2>, Beams<3>, Beams<4>>;
  /// Where a section is, and what it is made of.
  struct Station {
    int element;
    double x;              ///< in the element, from 0 to 1
    int point;             ///< at which strains are taken; −1: an end of the beam
    Vector3d mass_center;  ///< which the elements take as the line of the beam
    Matrix6d flexibility;  ///< C⁻¹ of the section
    std::vector<SectionPoint> points;
  };
  /// All forces on a section, and those of them that strain it.
  struct SectionForces {
    Vector6d all, elastic;
  };

  SectionForces forces_at(const Kinematics& k, const Station& at) const;
  template <int Nodes>
  SectionForces forces_at(const Beams<Nodes>& elements, const Kinematics& k, const Station& at) const;
  Frame frame_at(const Kinematics& k, const Station& at) const;

  std::string name_;
  std::vector<double> places_;  ///< s of the stations, m
  std::vector<Station> stations_;
  std::unique_ptr<const Elements> elements_;
  std::vector<std::vector<double>> values_;  // scratch, of each channel
};

}  // namespace bricard
