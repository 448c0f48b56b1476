// SPDX-License-Identifier: Apache-2.0
#include "bricard/read/materials.h"

#include <fmt/format.h>

#include "bricard/read/field_reader.h"

namespace bricard::io {
namespace {

void check_material(const Material& material, const std::string& path, ReadLog& log) {
  const auto given = [&](const char* key) { return log.place_of(path + "." + key); };
  const auto fault = [&](const char* key, const std::string& what) { log.fault(*given(key), path + "." + key, what); };
  if (given("density") && !(material.density > 0))
    fault("density", fmt::format("must be > 0 kg/m^3, found {:.6g}", material.density));
  if (given("youngs_modulus") && !(material.youngs_modulus > 0))
    fault("youngs_modulus", fmt::format("must be > 0 N/m^2, found {:.6g}", material.youngs_modulus));
  if (given("poissons_ratio") && !(material.poissons_ratio >= 0 && material.poissons_ratio <= 0.5))
    fault("poissons_ratio", fmt::format("must be from 0 to 0.5, found {:.6g}", material.poissons_ratio));
  if (given("youngs_modulus") && !given("poissons_ratio") && !log.is_faulty(path + ".poissons_ratio"))
    log.fault(material.place, path, "missing key 'poissons_ratio': 0 to 0.5; beams need it beside youngs_modulus");
}

}  // namespace

void read_materials(const Cursor& section, std::vector<Material>& out) {
  Cursor at = section;
  at.path = "materials";
  const auto entries = entries_of(at, "a map, name: {density: ..., youngs_modulus: ..., poissons_ratio: ...}");
  for (size_t i = 0; entries && i < entries->size(); ++i) {
    const Entry& entry = (*entries)[i];
    if (!claim_name(entry)) continue;
    Material material;
    material.name = entry.key;
    material.place = entry.key_place;
    read_fields(entry.value, entry.key_place, material);
    check_material(material, entry.value.path, *at.log);
    out.push_back(std::move(material));
  }
}

}  // namespace bricard::io
