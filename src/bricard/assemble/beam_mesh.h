// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <vector>

#include "bricard/assemble/frames.h"
#include "bricard/elements/beams.h"
#include "bricard/elements/rigid_bodies.h"

// A beam becomes nodes, elements and masses.                                              theory: docs/theory/beams.md
namespace bricard {

/// An unstrained beam: its curve with the axes of its sections (x along the curve), and what its sections are made of, all as
/// functions of the length s along it.
struct BeamLine {
  double length = 0;
  std::function<Pose(double)> pose;
  std::function<Matrix6d(double)> stiffness,
      mass;            ///< 6×6, of (Γ, κ) and of (velocity, spin) in the axes of the section
  double damping = 0;  ///< τ of σ = C (ε − ε₀ + τ ε̇)

  /// Where the mass centre of a section is, in its axes: the mass matrix is [m 1, −m c̃; m c̃, J].
  Vector3d mass_center(double s) const;
  /// The same beam with the line of mass centres as its curve, on which the mass matrix is block-diagonal:
  ///     r ← r + R c,    Γ = Γ_c + c × κ − c′,    C ← Bᵀ C B,   B = [1 c̃; 0 1],    J ← J − m (c² 1 − c cᵀ)
  BeamLine centred() const;
};

struct BeamMesh {
  int nodes_per_element = 2;
  std::vector<double> ends;  ///< s of the ends of the elements, from 0 to the length

  int elements() const { return static_cast<int>(ends.size()) - 1; }
  /// s of the nodes.
  std::vector<double> nodes() const;
  static BeamMesh uniform(double length, int elements, int nodes_per_element);
};

/// Elements of all beams, before they become batches.
struct BeamParts {
  std::vector<Beams<2>::Item> two;
  std::vector<Beams<3>::Item> three;
  std::vector<Beams<4>::Item> four;
  std::vector<std::string> names_two, names_three, names_four;  ///< of the elements, if they have any
};

/// Share of each node of the mesh in ∫ f ds: Lobatto's weights.
std::vector<double> node_lengths(const BeamMesh& mesh);

/// `line` is centred. `nodes`: frames of the system, as many as the mesh has. The system has all its coordinates.
/// With a name the elements are called name.1, name.2, …
void add_beam(const BeamLine& line, const BeamMesh& mesh, const std::vector<int>& nodes, const System& system,
              BeamParts& parts, const std::string& name = "");

/// What is lumped in the nodes that are no ground.
std::vector<RigidBodies::Item> beam_masses(const BeamLine& line, const BeamMesh& mesh, const std::vector<int>& nodes,
                                           const System& system);

void add_batches(BeamParts parts, System& system);

/// Gauss' formula with four points, from 0 to 1.
inline constexpr double kGauss4[]{0.06943184420297371, 0.33000947820757187, 0.6699905217924281, 0.9305681557970262};
inline constexpr double kGaussWeights4[]{0.17392742256872692, 0.3260725774312731, 0.3260725774312731,
                                         0.17392742256872692};

}  // namespace bricard
