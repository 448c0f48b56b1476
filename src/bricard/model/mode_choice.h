// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "bricard/model/fields.h"
#include "bricard/model/source.h"

namespace bricard {

/// One damping ratio for all shapes, or one for each.
struct DampingRatios {
  std::vector<double> values;
};

/// Which shapes of a flexible part a mechanism uses, and how.                  theory: docs/theory/modal_bodies.md
struct ModeChoice {
  Place place;
  std::optional<int> modes;
  std::optional<double> frequency;  ///< Hz
  std::optional<DampingRatios> damping;
  std::optional<bool> stiffening;
  std::string frame;
  static constexpr auto fields() {
    return std::tuple{
        field(&ModeChoice::modes, "modes", "", "number of shapes, >= 1; all of a file, 8 of a rod or beam if absent"),
        field(&ModeChoice::frequency, "frequency", "", "in Hz: shapes above it are left out", Range::positive),
        field(&ModeChoice::damping, "damping", "",
              "damping ratio of the shapes, a number or a list; that of the part if absent"),
        field(&ModeChoice::stiffening, "stiffening", "",
              "whether stresses change the stiffness, as in rotating blades; true if absent and the part knows how"),
        field(&ModeChoice::frame, "frame", "",
              "of rods and beams: interface that holds the body's frame; if absent it moves with the mean motion")};
  }
};

}  // namespace bricard
