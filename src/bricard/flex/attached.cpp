// SPDX-License-Identifier: Apache-2.0
#include "bricard/flex/attached.h"

#include <fmt/format.h>

#include "bricard/flex/interfaces.h"
#include "bricard/flex/part_integrals.h"
#include "bricard/model/source.h"

namespace bricard {
namespace {

[[noreturn]] void refuse(const Structure& structure, const std::string& what) {
  throw ModelError({Fault{{}, fmt::format("part '{}': {}", structure.name, what)}});
}

/// Several names for one node: an earlier interface that is the same, −1 if there is none.
int same_before(const Structure& structure, const std::vector<InterfaceNodes>& interfaces, size_t i) {
  if (!structure.turning || interfaces[i].nodes.size() != 1) return -1;
  for (size_t j = 0; j < i; ++j)
    if (interfaces[j].nodes == interfaces[i].nodes && interfaces[j].position == interfaces[i].position)
      return static_cast<int>(j);
  return -1;
}

/// Interface that a node belongs to, −1 if none.
std::vector<int> owners(const Structure& structure, const std::vector<InterfaceNodes>& interfaces) {
  std::vector<int> owner(static_cast<size_t>(structure.nodes.cols()), -1);
  for (size_t i = 0; i < interfaces.size(); ++i) {
    const InterfaceNodes& interface = interfaces[i];
    if (same_before(structure, interfaces, i) >= 0) continue;
    if (interface.nodes.empty()) refuse(structure, fmt::format("interface '{}' has no nodes", interface.name));
    for (const int node : interface.nodes) {
      if (node < 0 || node >= structure.nodes.cols())
        refuse(structure, fmt::format("interface '{}' has node {}, and there are {}", interface.name, node,
                                      structure.nodes.cols()));
      int& who = owner[static_cast<size_t>(node)];
      if (who >= 0)
        refuse(structure, fmt::format("interfaces '{}' and '{}' share a node",
                                      interfaces[static_cast<size_t>(who)].name, interface.name));
      who = static_cast<int>(i);
    }
    if (structure.turning && interface.spider == InterfaceNodes::Spider::average)
      refuse(structure, fmt::format("interface '{}': means are of nodes that do not turn", interface.name));
  }
  return owner;
}

/// Six unknowns of the nodes of an average that follow q and the others:  u_d = A_d⁻¹ (q − A_r u_r).
struct AveragedNodes {
  std::vector<int> unknowns;     ///< of all its nodes
  std::array<int, 6> followers;  ///< which of them
  Eigen::MatrixXd of_q, of_all;  ///< A_d⁻¹, A_d⁻¹ A
};

AveragedNodes averaged_nodes(const Structure& structure, const InterfaceNodes& interface) {
  AveragedNodes averaged;
  for (const int node : interface.nodes)
    for (int a = 0; a < 3; ++a) averaged.unknowns.push_back(3 * node + a);
  Eigen::MatrixXd A = mean_motion(structure, interface);
  Eigen::MatrixXd scaled = A;  // displacements and turns alike
  for (int i = 0; i < 6; ++i) scaled.row(i) /= A.row(i).norm();
  const Eigen::ColPivHouseholderQR<Eigen::MatrixXd> pivots(scaled);
  Eigen::MatrixXd A_d(6, 6);
  for (int i = 0; i < 6; ++i) {
    averaged.followers[static_cast<size_t>(i)] = pivots.colsPermutation().indices()[i];
    A_d.col(i) = A.col(averaged.followers[static_cast<size_t>(i)]);
  }
  averaged.of_q = A_d.inverse();
  averaged.of_all = averaged.of_q * A;
  return averaged;
}

}  // namespace

SparseMatrix part_of(const SparseMatrix& A, const std::vector<int>& rows, const std::vector<int>& columns) {
  std::vector<int> place(static_cast<size_t>(A.rows()), -1);
  for (size_t i = 0; i < rows.size(); ++i) place[static_cast<size_t>(rows[i])] = static_cast<int>(i);
  SparseMatrix part(static_cast<int>(rows.size()), static_cast<int>(columns.size()));
  for (size_t j = 0; j < columns.size(); ++j) {
    part.startVec(static_cast<int>(j));
    for (SparseMatrix::InnerIterator entry(A, columns[j]); entry; ++entry)
      if (const int i = place[static_cast<size_t>(entry.row())]; i >= 0)
        part.insertBack(i, static_cast<int>(j)) = entry.value();
  }
  part.finalize();
  return part;
}

AttachedUnknowns attach_interfaces(const Structure& structure, const std::vector<InterfaceNodes>& interfaces) {
  const std::vector<int> owner = owners(structure, interfaces);
  const int each = structure.unknowns_per_node(), nodes = static_cast<int>(structure.nodes.cols());
  const Eigen::MatrixXd rigid = rigid_motions(structure);
  const auto is_average = [&](size_t i) { return interfaces[i].spider == InterfaceNodes::Spider::average; };
  std::vector<AveragedNodes> averages(interfaces.size());
  std::vector<bool> follows(static_cast<size_t>(structure.unknowns()), false);
  for (size_t i = 0; i < interfaces.size(); ++i) {
    if (!is_average(i)) continue;
    averages[i] = averaged_nodes(structure, interfaces[i]);
    for (const int k : averages[i].followers)
      follows[static_cast<size_t>(averages[i].unknowns[static_cast<size_t>(k)])] = true;
  }
  std::vector<Eigen::Triplet<double>> entries;
  std::vector<int> rows;  // of rigid motions, for the free ones
  std::vector<int> column(static_cast<size_t>(structure.unknowns()), -1);
  int count = 0;
  for (int node = 0; node < nodes; ++node) {
    const int who = owner[static_cast<size_t>(node)];
    if (who >= 0 && !is_average(static_cast<size_t>(who))) continue;
    for (int i = each * node; i < each * (node + 1); ++i) {
      if (follows[static_cast<size_t>(i)]) continue;
      rows.push_back(i);
      column[static_cast<size_t>(i)] = count;
      entries.emplace_back(i, count++, 1.0);
    }
  }
  AttachedUnknowns attached;
  int different = 0;
  for (size_t i = 0; i < interfaces.size(); ++i) different += same_before(structure, interfaces, i) < 0;
  attached.rigid.resize(count + 6 * different, 6);
  for (int i = 0; i < count; ++i) attached.rigid.row(i) = rigid.row(rows[static_cast<size_t>(i)]);
  for (size_t number = 0; number < interfaces.size(); ++number) {
    const InterfaceNodes& interface = interfaces[number];
    if (const int same = same_before(structure, interfaces, number); same >= 0) {
      attached.interfaces.push_back(attached.interfaces[static_cast<size_t>(same)]);
      continue;
    }
    attached.interfaces.push_back({count, count + 1, count + 2, count + 3, count + 4, count + 5});
    attached.rigid.middleRows<6>(count).setIdentity();
    attached.rigid.block<3, 3>(count, 3) = -skew(interface.position);
    if (is_average(number)) {
      const AveragedNodes& averaged = averages[number];
      for (int d = 0; d < 6; ++d) {
        const int row = averaged.unknowns[static_cast<size_t>(averaged.followers[static_cast<size_t>(d)])];
        for (int i = 0; i < 6; ++i) entries.emplace_back(row, count + i, averaged.of_q(d, i));
        for (size_t k = 0; k < averaged.unknowns.size(); ++k)
          if (const int at = column[static_cast<size_t>(averaged.unknowns[k])]; at >= 0)
            entries.emplace_back(row, at, -averaged.of_all(d, static_cast<int>(k)));
      }
    } else {
      for (const int node : interface.nodes) {
        const Matrix3d lever = -skew(structure.nodes.col(node) - interface.position);
        for (int a = 0; a < 3; ++a) {
          entries.emplace_back(each * node + a, count + a, 1.0);
          if (structure.turning) entries.emplace_back(each * node + 3 + a, count + 3 + a, 1.0);
          for (int b = 0; b < 3; ++b)
            if (lever(a, b) != 0) entries.emplace_back(each * node + a, count + 3 + b, lever(a, b));
        }
      }
    }
    count += 6;
  }
  attached.T.resize(structure.unknowns(), count);
  attached.T.setFromTriplets(entries.begin(), entries.end());
  return attached;
}

}  // namespace bricard
