// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <tuple>
#include <vector>

#include "bricard/model/fields.h"
#include "bricard/model/source.h"

namespace bricard {

/// What bodies and beams are made of: one of the list below, or one of the model's own.
struct Material {
  std::string name;
  double density = 0;
  double youngs_modulus = 0;  ///< 0: it is no material for beams
  double poissons_ratio = 0;
  Place place{};
  static constexpr auto fields() {
    return std::tuple{
        required(&Material::density, "density", "kg/m^3", "> 0", Range::positive),
        field(&Material::youngs_modulus, "youngs_modulus", "N/m^2", "E, > 0; without it beams cannot be made of it"),
        field(&Material::poissons_ratio, "poissons_ratio", "", "0 to 0.5; goes with E")};
  }
};

/// Those that every model knows.
const std::vector<Material>& materials();

}  // namespace bricard
