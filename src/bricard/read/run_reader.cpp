// SPDX-License-Identifier: Apache-2.0
#include "bricard/read/run_reader.h"

#include "bricard/model/integrator_kinds.h"
#include "bricard/read/field_reader.h"

namespace bricard::io {
namespace {

/// The settings of a method that stand under it. They are known by the same paths as beside it, `run.alpha`.
void read_own_settings(const Cursor& at, RunSettings& out) {
  KeyTable keys(at, at.place);
  keys.require("type", "the integrator");
  const IntegratorKind& kind = kind_of(chosen_integrator(out));
  const auto read_one = [&](const auto& field) {
    const Cursor* value = kind.owns(field.name) ? keys.find(field.name) : nullptr;
    if (!value) return;
    Cursor here = *value;
    here.path = std::string("run.") + field.name;
    here.unit = field.unit;
    if (at.log->place_of(here.path)) return here.fault("is given twice: here, and beside the integrator");
    at.log->record(here.path, here.place, read(here, out.*field.member));
  };
  std::apply([&](const auto&... field) { (read_one(field), ...); }, RunSettings::fields());
  keys.report();
}

}  // namespace

bool read(const Cursor& at, IntegratorType& out) {
  if (!at.node.IsMap()) return read<IntegratorType>(at, out);
  const std::optional<Cursor> type = peek(at, "type");
  if (!type) at.fault("the key 'type' is missing: the name of an integrator, as in {type: hht, alpha: -0.3}");
  return type && read<IntegratorType>(*type, out);
}

void read_run(const Cursor& at, RunSettings& out) {
  read_fields(at, at.place, out);
  const std::optional<Cursor> integrator = peek(at, "integrator");
  if (integrator && integrator->node.IsMap() && !at.log->is_faulty("run.integrator"))
    read_own_settings(*integrator, out);
}

}  // namespace bricard::io
