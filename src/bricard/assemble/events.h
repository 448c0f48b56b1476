// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bricard/assemble/formula_binding.h"
#include "bricard/assemble/joints.h"
#include "bricard/elements/switched_elements.h"

// Elements that events switch, and the events.                               theory: docs/theory/events.md
namespace bricard {

/// Which elements can be switched, with their entries of State::discrete.
class SwitchTable {
 public:
  /// Throws ModelError for names that mean nothing, or more than one element.
  SwitchTable(const Model& model, System& system);

  /// The number of an element in System::switches, −1 if nothing switches it.
  int find(SwitchedKind kind, const std::string& name) const;
  int find(const Reference& reference) const;

 private:
  const Model& model_;
  std::vector<SwitchedName> names_;
};

/// The batches of what was collected, which are then gone.
std::vector<std::unique_ptr<ElementBatch>> make_batches(Parts& parts, double reference_length);

/// Puts items into one batch, and those that can be switched into batches of their own. `switches` has one number for each,
/// −1 for those that nothing switches.
template <class Batch, class Item>
void add_switched(System& system, std::vector<Item> items, const std::vector<int>& switches) {
  std::vector<Item> others;
  for (size_t i = 0; i < items.size(); ++i) {
    if (switches[i] < 0) {
      others.push_back(std::move(items[i]));
      continue;
    }
    std::vector<std::unique_ptr<ElementBatch>> part;
    part.push_back(std::make_unique<Batch>(std::vector<Item>{std::move(items[i])}));
    system.add(std::make_unique<SwitchedElements>(std::move(part), system.switches[switches[i]].index, -1, 0,
                                                  system.reference_mass));
  }
  if (!others.empty()) system.add(std::make_unique<Batch>(std::move(others)));
}

/// The model's events. All inputs and elements must be in the system already.
void add_events(const Model& model, const SwitchTable& switches, System& system, FormulaBinder& binder);

}  // namespace bricard
