// SPDX-License-Identifier: Apache-2.0
#include "bricard/flex/interfaces.h"

#include <fmt/format.h>

#include <Eigen/Cholesky>
#include <Eigen/SVD>

#include "bricard/model/source.h"

namespace bricard {
namespace {

/// Sines of angles below are round-off of coordinates in files.
constexpr double kOnOneLine = 1e-5;

[[noreturn]] void refuse_interface(const std::string& name, const std::string& what) {
  throw ModelError({Fault{{}, fmt::format("interface '{}': {}", name, what)}});
}

}  // namespace

InterfaceNodes make_interface(const Structure& structure, const std::string& name, const std::vector<int>& nodes,
                              InterfaceNodes::Spider spider, const std::string& set) {
  if (nodes.empty()) refuse_interface(name, fmt::format("{} has no nodes of the part", set));
  InterfaceNodes interface { name, nodes, spider, Vector3d::Zero(), Matrix3d::Identity() };
  Eigen::Matrix3Xd places(3, static_cast<Eigen::Index>(nodes.size()));
  for (std::size_t i = 0; i < nodes.size(); ++i)
    places.col(static_cast<Eigen::Index>(i)) = structure.nodes.col(nodes[i]);
  interface.position = places.rowwise().mean();
  if (structure.turning) return interface;
  if (nodes.size() < 3)
    refuse_interface(name,
                     fmt::format("{} has {} nodes; three that are not on one line are needed", set, nodes.size()));
  const Eigen::MatrixXd levers = places.colwise() - interface.position;
  const VectorXd spread = Eigen::JacobiSVD<Eigen::MatrixXd>(levers * levers.transpose()).singularValues().cwiseSqrt();
  if (!(spread[1] > kOnOneLine * spread[0]))
    refuse_interface(name,
                     fmt::format("all {} nodes of {} are on one line; they cannot hold it against turning about that",
                                 nodes.size(), set));
  if (spider == InterfaceNodes::Spider::average && nodes.size() > kMostAveraged)
    refuse_interface(
        name,
        fmt::format("{} has {} nodes, and the mean of more than {} is not taken; choose fewer, or a rigid interface "
                    "(nodeset:)",
                    set, nodes.size(), kMostAveraged));
  return interface;
}

Eigen::MatrixXd mean_motion(const Structure& structure, const InterfaceNodes& interface) {
  Eigen::MatrixXd G(3 * static_cast<Eigen::Index>(interface.nodes.size()), 6);
  for (std::size_t i = 0; i < interface.nodes.size(); ++i) {
    const Eigen::Index row = 3 * static_cast<Eigen::Index>(i);
    G.block<3, 3>(row, 0).setIdentity();
    G.block<3, 3>(row, 3) = -skew(structure.nodes.col(interface.nodes[i]) - interface.position);
  }
  // Levers may be much smaller or larger than 1 m.
  const Eigen::Matrix<double, 6, 1> scale = G.colwise().norm().cwiseInverse();
  G *= scale.asDiagonal();
  return scale.asDiagonal() * (G.transpose() * G).ldlt().solve(G.transpose());
}

}  // namespace bricard
