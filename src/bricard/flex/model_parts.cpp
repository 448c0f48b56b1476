// SPDX-License-Identifier: Apache-2.0
#include "bricard/flex/model_parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <numbers>

#include "bricard/assemble/beam_line.h"
#include "bricard/assemble/beam_sections.h"
#include "bricard/flex/beam_structure.h"
#include "bricard/flex/rods.h"

namespace bricard {
namespace {

constexpr int kUsualModes = 8, kUsualElements = 40;

/// Shapes of the interfaces, 6 m − 6, and normal modes up to the wanted number; the lowest of them if that is less.
ReducedPart reduced(const Structure& structure, const std::vector<InterfaceNodes>& interfaces, ModeChoice choice) {
  choice.modes = choice.modes.value_or(kUsualModes);
  Reduction wanted;
  wanted.modes = std::max(0, *choice.modes - 6 * (static_cast<int>(interfaces.size()) - 1));
  wanted.stiffening = choice.stiffening.value_or(true);
  if (!choice.frame.empty()) wanted.frame = {{choice.frame, {0, 1, 2, 3, 4, 5}}};
  return choose_shapes(reduce(structure, interfaces, wanted), choice);
}

template <class Columns>
void keep_columns(Columns& A, int count) {
  if (A.size() > 0) A = A.leftCols(count).eval();
}

void keep_corner(Eigen::MatrixXd& A, int count) {
  if (A.size() > 0) A = A.topLeftCorner(count, count).eval();
}

void keep_shapes(ReducedPart& part, int count) {
  part.frequencies.resize(static_cast<size_t>(count));
  keep_columns(part.inertia.shapes, count);
  keep_columns(part.inertia.points_shapes, count);
  for (Eigen::MatrixXd& A : part.inertia.shapes_shapes) keep_corner(A, count);
  keep_corner(part.stiffness, count);
  keep_corner(part.damping, count);
  if (part.stiffening) {
    for (Eigen::MatrixXd& A : part.stiffening->X) keep_corner(A, count);
    for (Eigen::MatrixXd& A : part.stiffening->Y) keep_corner(A, count);
  }
  for (PartInterface& interface : part.interfaces) {
    keep_columns(interface.translation, count);
    keep_columns(interface.rotation, count);
    for (Eigen::MatrixXd& A : interface.shortening) keep_corner(A, count);
  }
  keep_columns(part.surface.shapes, count);
  keep_columns(part.surface.stresses, count);
}

}  // namespace

ReducedPart choose_shapes(ReducedPart part, const ModeChoice& choice) {
  int count = std::min(part.shapes(), choice.modes.value_or(part.shapes()));
  if (choice.frequency)
    while (count > 0 && part.frequencies[static_cast<size_t>(count) - 1] > 2 * std::numbers::pi * *choice.frequency)
      --count;
  if (count < part.shapes()) keep_shapes(part, count);
  if (!choice.stiffening.value_or(true)) {
    part.stiffening.reset();
    for (PartInterface& interface : part.interfaces) interface.shortening = {};
  }
  if (choice.damping) {
    const std::vector<double>& ratios = choice.damping->values;
    if (static_cast<int>(ratios.size()) < (ratios.size() == 1 ? 1 : count))
      throw ModelError({Fault{choice.place, fmt::format("damping: {} ratios, and there are {} shapes; say one for all, "
                                                        "or one for each",
                                                        ratios.size(), count)}});
    part.damping = Eigen::MatrixXd::Zero(count, count);
    for (int i = 0; i < count; ++i) {
      const auto at = static_cast<size_t>(i);
      part.damping(i, i) = 2 * ratios[ratios.size() == 1 ? 0 : at] * part.frequencies[at];
    }
  }
  return part;
}

ReducedPart reduced_rod(const std::string& name, const FlexibleRod& rod, const ModeChoice& choice) {
  FlexibleBeam of_material;
  of_material.material = rod.material;
  of_material.youngs_modulus = rod.youngs_modulus;
  of_material.poissons_ratio = rod.poissons_ratio;
  of_material.density = rod.density;
  const Material m = material_of(of_material);
  const SectionConstants c = section_constants(*rod.section, m.poissons_ratio);

  std::vector<double> places{0, 1};
  for (const BeamMarker& marker : rod.markers) places.push_back(marker.s);
  std::sort(places.begin(), places.end());
  places.erase(std::unique(places.begin(), places.end()), places.end());

  Rod straight;
  straight.name = name;
  straight.source =
      fmt::format("a rod of {} with a constant section", rod.material.empty() ? "its own material" : rod.material);
  for (const double s : places) straight.corners.push_back(rod.from + s * (rod.to - rod.from));
  straight.z_axis = rod.z_axis;
  straight.section =
      RodSection::from(section_stiffness(c, m.youngs_modulus, m.poissons_ratio), section_mass(c, m.density));
  straight.theory = rod.theory == RodTheory::euler_bernoulli ? Rod::Theory::euler_bernoulli : Rod::Theory::timoshenko;
  const int spans = static_cast<int>(places.size()) - 1;
  straight.elements = std::max(1, (rod.elements.value_or(kUsualElements) + spans - 1) / spans);

  const Matrix3d axes = rod_axes(straight, 0);
  std::vector<InterfaceNodes> interfaces;
  const auto add = [&](const std::string& what, double s) {
    const auto corner = std::find(places.begin(), places.end(), s) - places.begin();
    interfaces.push_back({what,
                          {straight.node(static_cast<int>(corner))},
                          InterfaceNodes::Spider::rigid,
                          rod.from + s * (rod.to - rod.from),
                          axes});
  };
  add("start", 0);
  add("end", 1);
  for (const BeamMarker& marker : rod.markers) add(marker.name, marker.s);
  return reduced(rod_structure(straight), interfaces, choice);
}

ReducedPart reduced_beam(const FlexibleBeam& beam, const ModeChoice& choice) {
  return reduced(beam_structure(beam), beam_interfaces(beam), choice);
}

}  // namespace bricard
