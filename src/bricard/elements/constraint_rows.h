// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bricard/system/element.h"

// What every constraint between two frames A and B shares: its place among the unknowns.
namespace bricard {

/// Two frames and the rows of their joint.
struct ConstraintPlace {
  int node_a, node_b;
  int v_a, v_b;          ///< rows of the frames in Residual::motion
  int block_a, block_b;  ///< unknown blocks, −1 for ground
  int multipliers;       ///< unknown block of the joint's multipliers
  int offset;            ///< this element's first row within that block
  int row;               ///< and within State::lambda
  int joint;             ///< number of the joint, −1 if its reaction is not reported
};

/// The five couplings of a constraint, in the order used by the slots below.
inline void add_constraint_couplings(const ConstraintPlace& c, std::vector<Coupling>& couplings) {
  couplings.push_back({c.block_a, c.block_a});
  couplings.push_back({c.block_b, c.block_b});
  couplings.push_back({c.block_a, c.block_b});
  couplings.push_back({c.multipliers, c.block_a});
  couplings.push_back({c.multipliers, c.block_b});
}
inline constexpr int kConstraintSlots = 5;
struct ConstraintSlots {
  const Slot &aa, &bb, &ab, &la, &lb;
  explicit ConstraintSlots(const Slot* s) : aa(s[0]), bb(s[1]), ab(s[2]), la(s[3]), lb(s[4]) {}
};

/// A batch of the items that belong to a joint, null if there are none.
template <class Batch, class Item, class... Settings>
std::unique_ptr<ElementBatch> select_joint(const std::vector<Item>& items, int joint, Settings... settings) {
  std::vector<Item> chosen;
  for (const Item& item : items)
    if (item.place.joint == joint) chosen.push_back(item);
  if (chosen.empty()) return nullptr;
  return std::make_unique<Batch>(std::move(chosen), settings...);
}

/// s G and ρ s GᵀG for rows whose derivatives after the six coordinates of A and B are G_a and G_b.
template <class Rows>
void add_constraint_jacobian(Tangent& T, const ConstraintSlots& slots, int offset, const Rows& G_a, const Rows& G_b) {
  T.add_symmetric(slots.la, offset, 0, (T.w.constraint * G_a).eval());
  T.add_symmetric(slots.lb, offset, 0, (T.w.constraint * G_b).eval());
  if (T.w.penalty == 0) return;
  T.add_diagonal(slots.aa, 0, 0, (T.w.penalty * G_a.transpose() * G_a).eval());
  T.add_diagonal(slots.bb, 0, 0, (T.w.penalty * G_b.transpose() * G_b).eval());
  T.add_symmetric(slots.ab, 0, 0, (T.w.penalty * G_a.transpose() * G_b).eval());
}

}  // namespace bricard
