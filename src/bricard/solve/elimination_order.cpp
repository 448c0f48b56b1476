// SPDX-License-Identifier: Apache-2.0
#include "bricard/solve/elimination_order.h"

#include <camd.h>

#include <algorithm>
#include <deque>
#include <iterator>

#include "bricard/system/assertion.h"

namespace bricard {
namespace {

/// The mechanism as a tree, found breadth first from the bodies that are joined to ground.
struct Tree {
  std::vector<int> host;    ///< for each multiplier block the coordinate block it hangs up, −1 if it closes a loop
  std::vector<int> depth;   ///< of each coordinate block: joints between it and ground
  std::vector<int> parent;  ///< of each coordinate block, −1 for those next to ground
};

Tree spanning_tree(const std::vector<UnknownBlock>& blocks, const std::vector<std::vector<int>>& graph) {
  const int n = static_cast<int>(blocks.size());
  std::vector<int> host(n, -1), room(n, 0), depth(n, 0), parent(n, -1);
  std::vector<char> reached(n, 0);
  for (int b = 0; b < n; ++b) room[b] = blocks[b].multiplier ? 0 : blocks[b].size;
  std::deque<int> queue;
  const auto reach = [&](int body, int joint) {
    reached[body] = 1;
    queue.push_back(body);
    if (joint >= 0 && room[body] >= blocks[joint].size) {
      host[joint] = body;
      room[body] -= blocks[joint].size;
    }
  };
  const auto spread = [&] {
    while (!queue.empty()) {
      const int body = queue.front();
      queue.pop_front();
      for (const int joint : graph[body]) {
        if (!blocks[joint].multiplier) continue;
        for (const int other : graph[joint])
          if (!blocks[other].multiplier && !reached[other]) {
            depth[other] = depth[body] + 1;
            parent[other] = body;
            reach(other, joint);
          }
      }
    }
  };
  for (int joint = 0; joint < n; ++joint) {  // joints to ground touch one body only
    if (!blocks[joint].multiplier || graph[joint].size() != 1) continue;
    const int body = graph[joint][0];
    if (!reached[body]) {
      reach(body, joint);
    } else if (room[body] >= blocks[joint].size && host[joint] < 0) {
      host[joint] = body;
      room[body] -= blocks[joint].size;
    }
  }
  spread();
  for (int body = 0; body < n; ++body) {
    if (blocks[body].multiplier || reached[body]) continue;
    reach(body, -1);
    spread();
  }
  // motions and the like: with a body of theirs that already hosts a joint they share, if there is room
  for (int joint = 0; joint < n; ++joint) {
    if (!blocks[joint].multiplier || host[joint] >= 0) continue;
    for (const int other : graph[joint]) {
      const bool twin = std::any_of(graph[other].begin(), graph[other].end(), [&](int m) {
        return m != joint && blocks[m].multiplier && host[m] == other && graph[m] == graph[joint];
      });
      if (twin && room[other] >= blocks[joint].size) {
        host[joint] = other;
        room[other] -= blocks[joint].size;
        break;
      }
    }
  }
  return {host, depth, parent};
}

/// The last place in `place` of a body on the loop that a joint closes: from each of its bodies towards ground, up to
/// where the paths meet.
int last_of_loop(const Tree& tree, const std::vector<int>& bodies, const std::vector<int>& place) {
  int last = -1;
  std::vector<int> ends = bodies;
  for (const int b : ends) last = std::max(last, place[b]);
  while (true) {  // the deepest end climbs until all are the same or ground
    std::sort(ends.begin(), ends.end());
    ends.erase(std::unique(ends.begin(), ends.end()), ends.end());
    if (bodies.size() > 1 && ends.size() == 1) return last;
    const auto deepest =
        std::max_element(ends.begin(), ends.end(), [&](int a, int b) { return tree.depth[a] < tree.depth[b]; });
    if (deepest == ends.end()) return last;
    last = std::max(last, place[*deepest]);
    if (tree.parent[*deepest] < 0) {
      ends.erase(deepest);
      if (ends.empty()) return last;
    } else {
      *deepest = tree.parent[*deepest];
      last = std::max(last, place[*deepest]);
    }
  }
}

}  // namespace

std::vector<std::vector<int>> block_graph(int blocks, const std::vector<Coupling>& couplings) {
  std::vector<std::vector<int>> graph(blocks);
  for (const Coupling& c : couplings) {
    if (c.a < 0 || c.b < 0 || c.a == c.b) continue;
    graph[c.a].push_back(c.b);
    graph[c.b].push_back(c.a);
  }
  for (auto& neighbours : graph) {
    std::sort(neighbours.begin(), neighbours.end());
    neighbours.erase(std::unique(neighbours.begin(), neighbours.end()), neighbours.end());
  }
  return graph;
}

std::vector<int> elimination_order(const std::vector<UnknownBlock>& blocks, const std::vector<Coupling>& couplings) {
  const int n = static_cast<int>(blocks.size());
  std::vector<Coupling> acting;  // what makes the mechanism; others only fill the matrix
  std::copy_if(couplings.begin(), couplings.end(), std::back_inserter(acting),
               [](const Coupling& c) { return c.acts; });
  const auto mechanism = block_graph(n, acting), graph = block_graph(n, couplings);
  const Tree tree = spanning_tree(blocks, mechanism);
  const int deepest = n > 0 ? *std::max_element(tree.depth.begin(), tree.depth.end()) : 0;

  // groups: a coordinate block with the multipliers it hosts
  std::vector<int> group(n, -1);
  std::vector<std::vector<int>> members;
  std::vector<int> stage;  // groups of a lower stage are eliminated first
  for (int b = 0; b < n; ++b) {
    if (blocks[b].multiplier) continue;
    group[b] = static_cast<int>(members.size());
    members.push_back({b});
    stage.push_back(deepest - tree.depth[b]);
  }
  for (int b = 0; b < n; ++b)
    if (tree.host[b] >= 0) members[group[b] = group[tree.host[b]]].push_back(b);

  const int groups = static_cast<int>(members.size());
  std::vector<int> columns{0}, rows;
  for (int g = 0; g < groups; ++g) {
    std::vector<int> neighbours;
    const auto add = [&](int other) {
      if (group[other] >= 0 && group[other] != g) neighbours.push_back(group[other]);
    };
    for (const int b : members[g])
      for (const int other : graph[b]) {
        add(other);
        if (group[other] >= 0) continue;
        for (const int across : graph[other]) add(across);  // bodies that a loop joint ties together
      }
    std::sort(neighbours.begin(), neighbours.end());
    neighbours.erase(std::unique(neighbours.begin(), neighbours.end()), neighbours.end());
    rows.insert(rows.end(), neighbours.begin(), neighbours.end());
    columns.push_back(static_cast<int>(rows.size()));
  }
  std::vector<int> sequence(groups);
  for (int& s : stage) s = std::min(s, std::max(groups - 1, 0));  // camd counts stages up to n − 1
  rows.push_back(0);                                              // and wants a non-null pointer
  const int status = camd_order(groups, columns.data(), rows.data(), sequence.data(), nullptr, nullptr, stage.data());
  BRICARD_ASSERT(status == CAMD_OK || status == CAMD_OK_BUT_JUMBLED);
  (void)status;

  std::vector<int> place(n, -1);
  for (int k = 0; k < groups; ++k) place[members[sequence[k]].front()] = k;
  std::vector<std::vector<int>> closing(groups);  // loop joints after the k-th group
  std::vector<int> order, loose;
  for (int b = 0; b < n; ++b) {
    if (group[b] >= 0) continue;
    std::vector<int> bodies;
    for (const int other : mechanism[b])
      if (!blocks[other].multiplier) bodies.push_back(other);
    if (bodies.empty()) loose.push_back(b);
    else closing[last_of_loop(tree, bodies, place)].push_back(b);
  }
  for (int k = 0; k < groups; ++k) {
    order.insert(order.end(), members[sequence[k]].begin(), members[sequence[k]].end());
    order.insert(order.end(), closing[k].begin(), closing[k].end());
  }
  order.insert(order.end(), loose.begin(), loose.end());
  return order;
}

}  // namespace bricard
