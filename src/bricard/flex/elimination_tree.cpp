// SPDX-License-Identifier: Apache-2.0
#include "bricard/flex/elimination_tree.h"

#include <metis.h>

#include <algorithm>
#include <numeric>

#include "bricard/system/assertion.h"

namespace bricard {
namespace {

using Pattern = Eigen::SparseMatrix<double>;

/// Neighbours of vertices, without themselves.
struct Graph {
  std::vector<int> start{0}, neighbours;
  std::vector<int> weight;  ///< unknowns of each vertex
  int size() const { return static_cast<int>(weight.size()); }
};

/// Which vertex each unknown belongs to: those whose columns have the same rows, theirs among them, are one.
struct Vertices {
  std::vector<int> of_unknown;
  std::vector<std::vector<int>> unknowns;
};

Vertices vertices_of(const Pattern& A) {
  const int n = static_cast<int>(A.cols());
  const int *start = A.outerIndexPtr(), *row = A.innerIndexPtr();
  std::vector<std::size_t> hash(n, 0);
  for (int j = 0; j < n; ++j)
    for (int k = start[j]; k < start[j + 1]; ++k) hash[j] += (row[k] + std::size_t{1}) * 0x9E3779B97F4A7C15u;
  Vertices vertices{std::vector<int>(n), {}};
  for (int j = 0; j < n; ++j) {
    int found = -1;
    for (int k = start[j]; k < start[j + 1] && row[k] < j && found < 0; ++k) {
      const int i = row[k];
      if (hash[i] == hash[j] && std::equal(row + start[i], row + start[i + 1], row + start[j], row + start[j + 1]))
        found = vertices.of_unknown[i];
    }
    if (found < 0) found = static_cast<int>(vertices.unknowns.size()), vertices.unknowns.emplace_back();
    vertices.of_unknown[j] = found;
    vertices.unknowns[found].push_back(j);
  }
  return vertices;
}

Graph graph_of(const Pattern& A, const Vertices& vertices) {
  Graph graph;
  const int n = static_cast<int>(vertices.unknowns.size());
  std::vector<int> mark(n, -1);
  for (int v = 0; v < n; ++v) {
    mark[v] = v;
    for (Pattern::InnerIterator entry(A, vertices.unknowns[v].front()); entry; ++entry) {
      const int other = vertices.of_unknown[entry.row()];
      if (mark[other] == v) continue;
      mark[other] = v;
      graph.neighbours.push_back(other);
    }
    graph.start.push_back(static_cast<int>(graph.neighbours.size()));
    graph.weight.push_back(static_cast<int>(vertices.unknowns[v].size()));
  }
  return graph;
}

/// Vertices of each connected part.
std::vector<std::vector<int>> parts_of(const Graph& graph) {
  std::vector<std::vector<int>> parts;
  std::vector<bool> seen(graph.size(), false);
  for (int v = 0; v < graph.size(); ++v) {
    if (seen[v]) continue;
    seen[v] = true;
    std::vector<int> part{v};
    for (std::size_t at = 0; at < part.size(); ++at)
      for (int k = graph.start[part[at]]; k < graph.start[part[at] + 1]; ++k) {
        const int other = graph.neighbours[k];
        if (!seen[other]) seen[other] = true, part.push_back(other);
      }
    std::sort(part.begin(), part.end());
    parts.push_back(std::move(part));
  }
  return parts;
}

/// Vertices in the order in which they are eliminated.
std::vector<int> dissection(const Graph& graph) {
  std::vector<int> order, number(graph.size());
  for (const std::vector<int>& part : parts_of(graph)) {
    if (part.size() < 3) {
      order.insert(order.end(), part.begin(), part.end());
      continue;
    }
    for (std::size_t i = 0; i < part.size(); ++i) number[part[i]] = static_cast<int>(i);
    std::vector<idx_t> start{0}, neighbours, weights, old_of_new(part.size()), new_of_old(part.size());
    for (const int v : part) {
      for (int k = graph.start[v]; k < graph.start[v + 1]; ++k) neighbours.push_back(number[graph.neighbours[k]]);
      start.push_back(static_cast<idx_t>(neighbours.size()));
      weights.push_back(graph.weight[v]);
    }
    idx_t options[METIS_NOPTIONS];
    METIS_SetDefaultOptions(options);
    options[METIS_OPTION_COMPRESS] = 0;  // has been done
    idx_t size = static_cast<idx_t>(part.size());
    const int status = METIS_NodeND(&size, start.data(), neighbours.data(), weights.data(), options, old_of_new.data(),
                                    new_of_old.data());
    if (status != METIS_OK) std::iota(old_of_new.begin(), old_of_new.end(), 0);  // any order is right
    for (const idx_t i : old_of_new) order.push_back(part[i]);
  }
  return order;
}

/// Of the graph in an order: names of vertices are their places in it.
struct VertexTree {
  std::vector<int> parent;  ///< −1: none
  std::vector<int> rows;    ///< unknowns in the column of a vertex of L, from its own on
};

VertexTree tree_of(const Graph& graph, const std::vector<int>& order) {
  const int n = graph.size();
  std::vector<int> place(n);
  for (int i = 0; i < n; ++i) place[order[i]] = i;
  VertexTree tree{std::vector<int>(n, -1), std::vector<int>(n)};
  std::vector<int> ancestor(n, -1), mark(n, -1);
  const auto for_earlier = [&](int i, const auto& visit) {
    for (int k = graph.start[order[i]]; k < graph.start[order[i] + 1]; ++k)
      if (place[graph.neighbours[k]] < i) visit(place[graph.neighbours[k]]);
  };
  for (int i = 0; i < n; ++i)  // paths to the roots so far are shortened on the way
    for_earlier(i, [&](int k) {
      while (ancestor[k] >= 0 && ancestor[k] != i) {
        const int next = ancestor[k];
        ancestor[k] = i;
        k = next;
      }
      if (ancestor[k] < 0) ancestor[k] = tree.parent[k] = i;
    });
  for (int i = 0; i < n; ++i) {  // row i of L: all vertices between those of A and i
    tree.rows[i] += graph.weight[order[i]];
    mark[i] = i;
    for_earlier(i, [&](int k) {
      for (; mark[k] != i; k = tree.parent[k]) tree.rows[k] += graph.weight[order[i]], mark[k] = i;
    });
  }
  return tree;
}

/// Entries of n columns of L on top of `below` more rows.
double trapezoid(double n, double below) { return n * (n + 1) / 2 + n * below; }

/// Zeros that are worth to be stored for fewer and larger supernodes. Small ones are slow in any case.
bool worth(double zeros, double all, double columns) {
  return zeros <= (columns <= 12 ? 0.5 : columns <= 48 ? 0.15 : 0.04) * all;
}

/// Supernodes, each named by its last vertex: vertices[s] is empty for others.
struct Supernodes {
  std::vector<std::vector<int>> vertices, children;
  std::vector<int> columns, below;
  std::vector<int> roots;
};

Supernodes supernodes_of(const VertexTree& tree, const std::vector<int>& weight) {
  const int n = static_cast<int>(tree.parent.size());
  Supernodes s{
      std::vector<std::vector<int>>(n), std::vector<std::vector<int>>(n), std::vector<int>(n), std::vector<int>(n), {}};
  std::vector<double> zeros(n, 0);
  for (int v = 0; v < n; ++v) {  // children first
    s.vertices[v] = {v};
    s.columns[v] = weight[v];
    s.below[v] = tree.rows[v] - weight[v];
    std::vector<int> candidates = std::move(s.children[v]);
    s.children[v].clear();
    std::sort(candidates.begin(), candidates.end(), [&](int a, int b) { return s.below[a] > s.below[b]; });
    for (const int c : candidates) {
      const double both = trapezoid(s.columns[v] + s.columns[c], s.below[v]);
      const double stored = trapezoid(s.columns[v], s.below[v]) + trapezoid(s.columns[c], s.below[c]);
      const double empty = both - stored + zeros[v] + zeros[c];
      if (both > stored && !worth(empty, both, s.columns[v] + s.columns[c])) {
        s.children[v].push_back(c);
        continue;
      }
      zeros[v] = empty;
      s.columns[v] += s.columns[c];
      s.vertices[c].insert(s.vertices[c].end(), s.vertices[v].begin(), s.vertices[v].end());
      s.vertices[v] = std::move(s.vertices[c]);
      s.vertices[c].clear();
      s.children[v].insert(s.children[v].end(), s.children[c].begin(), s.children[c].end());
      s.children[c].clear();
    }
    if (tree.parent[v] >= 0) s.children[tree.parent[v]].push_back(v);
    else s.roots.push_back(v);
  }
  return s;
}

/// Supernodes with children first, each with those first that need the most beside what they leave.
std::vector<int> least_memory_order(Supernodes& s, double& waiting) {
  const int n = static_cast<int>(s.vertices.size());
  std::vector<double> peak(n, 0);
  const auto left = [&](int v) { return static_cast<double>(s.below[v]) * s.below[v]; };
  for (int v = 0; v < n; ++v) {
    if (s.vertices[v].empty()) continue;
    std::sort(s.children[v].begin(), s.children[v].end(),
              [&](int a, int b) { return peak[a] - left(a) > peak[b] - left(b); });
    double held = 0;
    for (const int c : s.children[v]) {
      peak[v] = std::max(peak[v], held + peak[c]);
      held += left(c);
    }
    peak[v] = std::max(peak[v], held + left(v));
    waiting = std::max(waiting, peak[v]);
  }
  std::vector<int> order, stack;
  std::vector<std::size_t> next(n, 0);
  for (const int root : s.roots) {
    stack.push_back(root);
    while (!stack.empty()) {
      const int v = stack.back();
      if (next[v] < s.children[v].size()) {
        stack.push_back(s.children[v][next[v]++]);
      } else {
        order.push_back(v);
        stack.pop_back();
      }
    }
  }
  return order;
}

/// Rows below the columns of all supernodes: those of A and those of the children.
void find_rows(const Pattern& A, EliminationTree& tree) {
  const int n = static_cast<int>(tree.order.size()), count = static_cast<int>(tree.first.size()) - 1;
  std::vector<int> owner(n), mark(n, -1), found;
  for (int s = 0; s < count; ++s)
    for (int p = tree.first[s]; p < tree.first[s + 1]; ++p) owner[p] = s;
  std::vector<std::vector<int>> children(count);
  tree.parent.assign(count, -1);
  tree.rows_start = {0};
  tree.panel_start = {0};
  for (int s = 0; s < count; ++s) {
    found.clear();
    const auto add = [&](int p) {
      if (p < tree.first[s + 1] || mark[p] == s) return;
      mark[p] = s;
      found.push_back(p);
    };
    for (int p = tree.first[s]; p < tree.first[s + 1]; ++p)
      for (Pattern::InnerIterator entry(A, tree.order[p]); entry; ++entry) add(tree.position[entry.row()]);
    for (const int c : children[s])
      for (std::size_t k = tree.rows_start[c]; k < tree.rows_start[c + 1]; ++k) add(tree.rows[k]);
    std::sort(found.begin(), found.end());
    tree.rows.insert(tree.rows.end(), found.begin(), found.end());
    tree.rows_start.push_back(tree.rows.size());
    if (!found.empty()) {
      tree.parent[s] = owner[found.front()];
      children[tree.parent[s]].push_back(s);
    }
    const double columns = tree.columns(s), below = tree.below(s);
    tree.panel_start.push_back(tree.panel_start.back() + static_cast<std::size_t>(columns * (columns + below)));
    tree.operations += columns * columns * columns / 3 + columns * columns * below + columns * below * below;
  }
  tree.entries = static_cast<double>(tree.panel_start.back());
}

}  // namespace

EliminationTree elimination_tree(const Pattern& A) {
  BRICARD_ASSERT(A.rows() == A.cols() && A.isCompressed());
  const Vertices vertices = vertices_of(A);
  const Graph graph = graph_of(A, vertices);
  const std::vector<int> order = dissection(graph);
  std::vector<int> weight;
  for (const int v : order) weight.push_back(graph.weight[v]);
  Supernodes supernodes = supernodes_of(tree_of(graph, order), weight);
  EliminationTree tree;
  tree.first = {0};
  for (const int s : least_memory_order(supernodes, tree.waiting)) {
    for (const int place : supernodes.vertices[s]) {
      const std::vector<int>& unknowns = vertices.unknowns[order[place]];
      tree.order.insert(tree.order.end(), unknowns.begin(), unknowns.end());
    }
    tree.first.push_back(static_cast<int>(tree.order.size()));
  }
  tree.position.resize(tree.order.size());
  for (std::size_t p = 0; p < tree.order.size(); ++p) tree.position[tree.order[p]] = static_cast<int>(p);
  find_rows(A, tree);
  return tree;
}

}  // namespace bricard
