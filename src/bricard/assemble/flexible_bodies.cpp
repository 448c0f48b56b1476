// SPDX-License-Identifier: Apache-2.0
#include "bricard/assemble/flexible_bodies.h"

#include <map>

#include "bricard/elements/modal_bodies.h"
#include "bricard/elements/modal_interfaces.h"
#include "bricard/system/assertion.h"

namespace bricard {

void add_flexible_unknowns(const FrameTable& frames, System& system) {
  for (const int node : frames.bodies()) {
    const FrameRow& body = frames[node];
    if (!body.part) continue;
    const int shapes = body.part->shapes(), block = system.add_vector_block(shapes);
    system.flexible.push_back({body.name, node, block, system.q_of(block), system.blocks()[block].first, shapes});
  }
  std::vector<ModalInterfaces::Item> items;
  for (const FlexibleInfo& body : system.flexible) {
    const std::vector<PartInterface>& interfaces = frames[body.node].part->interfaces;
    for (size_t i = 0; i < interfaces.size(); ++i) {
      const int node = frames.interface_of(body.node, static_cast<int>(i));
      const int added = system.add_follower(frames[node].name, body.node);
      BRICARD_ASSERT(added == node);
      items.emplace_back(node, body.node, system.block_of(body.node), body.block, body.q, body.v, interfaces[i]);
    }
  }
  if (!items.empty()) system.add(std::make_unique<ModalInterfaces>(std::move(items)));
}

// Bodies of the same part share its constants.
void add_flexible_bodies(const FrameTable& frames, const Vector3d& gravity, System& system) {
  std::map<const ReducedPart*, std::shared_ptr<const ModalConstants>> parts;
  std::vector<ModalBodies::Item> items;
  for (const FlexibleInfo& body : system.flexible) {
    const ReducedPart* part = frames[body.node].part.get();
    auto& constants = parts[part];
    if (!constants) constants = std::make_shared<const ModalConstants>(*part);
    items.push_back({body.node, system.v_of(body.node), system.block_of(body.node), body.block, body.q, body.v,
                     constants, body.name});
  }
  if (!items.empty()) system.add(std::make_unique<ModalBodies>(std::move(items), gravity));
}

}  // namespace bricard
