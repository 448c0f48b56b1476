// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bricard/model/model.h"

namespace bricard {

/// How the equations of small motions are written: in which coordinates, from which inputs to which outputs.
struct LinearizationSettings {
  std::vector<Signal> states;
  Reference reference{"ground", {}};
  std::vector<Reference> inputs, outputs;
  static constexpr auto fields() {
    return std::tuple{
        field(&LinearizationSettings::states, "states", "",
              "wanted coordinates, formulas in positions: a list, or name: formula; completed where they are too few"),
        field(&LinearizationSettings::reference, "reference", "",
              "marker in whose axes, as they move undisturbed, all other coordinates are counted; ground if absent"),
        field(&LinearizationSettings::inputs, "inputs", "", "names of inputs; all if absent"),
        field(&LinearizationSettings::outputs, "outputs", "", "names of signals; all if absent")};
  }
};

}  // namespace bricard
