// SPDX-License-Identifier: Apache-2.0
#include "bricard/assemble/user_states.h"

#include "bricard/assemble/control.h"

namespace bricard {

std::vector<UserState> bind_states(const Model& model, const std::vector<Signal>& states, System& system) {
  const Named named(model);
  FormulaBinder binder(
      system, [&](const Reference& r) { return named.marker(r); }, [&](const Reference& r) { return named.joint(r); });
  define_names(model, binder);
  std::vector<UserState> bound;
  for (const Signal& s : states)
    bound.push_back({s.name, s.unit,
                     std::make_shared<const MeasuredFormulas>(
                         binder.bind({s.value}, {}, s.place, "linearization.states." + s.name))});
  return bound;
}

}  // namespace bricard
