// SPDX-License-Identifier: Apache-2.0
#include "bricard/analysis/mechanism_graph.h"

#include <algorithm>
#include <deque>
#include <string_view>

namespace bricard {
namespace {

constexpr int kRoot = -1, kUnseen = -2;

/// A spanning tree of each connected part, grown in breadth; ground's comes first.
struct SpanningTree {
  std::vector<int> joint;  ///< to the parent, per node; kRoot for roots
  std::vector<int> parent, depth, root;
};

/// The body that a joint's end is on.
int end_of(const System& system, const JointInfo& joint, size_t end) { return system.body_of(joint.markers[end].node); }

int other_end(const System& system, const JointInfo& joint, int node) {
  return end_of(system, joint, end_of(system, joint, 0) == node ? 1 : 0);
}

SpanningTree make_spanning_tree(const System& system) {
  const int n = static_cast<int>(system.nodes().size());
  std::vector<std::vector<int>> joints_of(n);
  for (size_t j = 0; j < system.joints.size(); ++j)
    for (const size_t end : {0, 1}) joints_of[end_of(system, system.joints[j], end)].push_back(static_cast<int>(j));
  SpanningTree tree{std::vector<int>(n, kUnseen), std::vector<int>(n, 0), std::vector<int>(n, 0),
                    std::vector<int>(n, 0)};
  for (int root = 0; root < n; ++root) {
    if (tree.joint[root] != kUnseen) continue;
    tree.joint[root] = kRoot;
    tree.root[root] = root;
    for (std::deque<int> queue{root}; !queue.empty(); queue.pop_front())
      for (const int j : joints_of[queue.front()]) {
        const int next = other_end(system, system.joints[j], queue.front());
        if (tree.joint[next] != kUnseen) continue;
        tree.joint[next] = j;
        tree.parent[next] = queue.front();
        tree.depth[next] = tree.depth[queue.front()] + 1;
        tree.root[next] = root;
        queue.push_back(next);
      }
  }
  return tree;
}

}  // namespace

std::vector<Loop> find_loops(const System& system) {
  const SpanningTree tree = make_spanning_tree(system);
  std::vector<Loop> loops;
  for (size_t j = 0; j < system.joints.size(); ++j) {
    const int number = static_cast<int>(j);
    int a = end_of(system, system.joints[j], 0), b = end_of(system, system.joints[j], 1);
    if (tree.joint[a] == number || tree.joint[b] == number) continue;
    Loop up, down;  // from both ends to where they meet
    while (a != b) {
      const bool from_a = tree.depth[a] >= tree.depth[b];
      int& end = from_a ? a : b;
      (from_a ? up : down).bodies.push_back(end);
      (from_a ? up : down).joints.push_back(tree.joint[end]);
      end = tree.parent[end];
    }
    up.bodies.push_back(a);
    up.bodies.insert(up.bodies.end(), down.bodies.rbegin(), down.bodies.rend());
    up.joints.insert(up.joints.end(), down.joints.rbegin(), down.joints.rend());
    up.joints.push_back(number);
    loops.push_back(std::move(up));
  }
  return loops;
}

namespace {

/// What each node hangs together with by joints and by beams: the same number, that of the lowest node.
std::vector<int> connected_parts(const System& system) {
  std::vector<int> part = make_spanning_tree(system).root;
  std::vector<Coupling> couplings;
  for (const auto& batch : system.batches())
    if (std::string_view(batch->kind()) == "beam") batch->add_couplings(couplings);
  for (const Coupling& c : couplings) {
    if (c.a < 0 || c.b < 0 || System::is_follower(c.a) || System::is_follower(c.b)) continue;
    const int a = part[system.blocks()[c.a].node], b = part[system.blocks()[c.b].node];
    if (a != b) std::replace(part.begin(), part.end(), std::max(a, b), std::min(a, b));
  }
  return part;
}

}  // namespace

std::vector<LooseGroup> find_loose_groups(const System& system) {
  const std::vector<int> part = connected_parts(system);
  std::vector<char> has_force(system.blocks().size(), false);
  std::vector<Coupling> couplings;
  for (const auto& batch : system.batches()) {
    if (std::string_view(batch->kind()) == "rigid body" || std::string_view(batch->kind()) == "flexible body") continue;
    couplings.clear();
    batch->add_couplings(couplings);
    const auto constrains = [&](const Coupling& c) {
      return c.acts && (system.is_multiplier(c.a) || system.is_multiplier(c.b));
    };
    if (std::any_of(couplings.begin(), couplings.end(), constrains)) continue;  // a joint
    for (const Coupling& c : couplings)
      for (const int named : {c.a, c.b})
        for (const int block : system.unknown_blocks(named)) has_force[block] = true;
  }
  std::vector<LooseGroup> groups;
  std::vector<int> group_of(part.size(), -1);
  for (size_t i = 1; i < part.size(); ++i) {
    if (part[i] == 0 || system.nodes()[i].carrier >= 0) continue;
    int& group = group_of[part[i]];
    if (group < 0) group = static_cast<int>(groups.size()), groups.emplace_back();
    groups[group].bodies.push_back(static_cast<int>(i));
    for (const int block : system.unknown_blocks(system.block_of(static_cast<int>(i))))
      groups[group].has_forces = groups[group].has_forces || has_force[block];
  }
  return groups;
}

}  // namespace bricard
