// SPDX-License-Identifier: Apache-2.0
#include "bricard/flex/beam_structure.h"

#include <memory>

#include "bricard/analysis/sparse_tangent.h"
#include "bricard/assemble/beam_line.h"
#include "bricard/flex/mass_points.h"

namespace bricard {
namespace {

/// Elements between nodes that are all free.
struct BeamModel {
  BeamMesh mesh;
  std::vector<Pose> poses;      ///< of the nodes, which are mass centres
  std::vector<double> lengths;  ///< share of each node in ∫ f ds
  BeamLine line;                ///< centred
  BeamParts parts;
  SparseMatrix turns;  ///< from rotation vectors in the axes of the part to those in the axes of the nodes

  explicit BeamModel(const FlexibleBeam& beam) {
    line = beam_line(beam).centred();
    mesh = beam_mesh(beam, line.length);
    lengths = node_lengths(mesh);
    std::vector<int> nodes;
    System system;
    for (const double s : mesh.nodes()) {
      poses.push_back(line.pose(s));
      nodes.push_back(system.add_frame(""));
    }
    add_beam(line, mesh, nodes, system, parts);
    std::vector<Eigen::Triplet<double>> entries;
    for (int i = 0; i < static_cast<int>(poses.size()); ++i)
      for (int a = 0; a < 3; ++a) {
        entries.emplace_back(6 * i + a, 6 * i + a, 1.0);
        for (int b = 0; b < 3; ++b)
          entries.emplace_back(6 * i + 3 + a, 6 * i + 3 + b, poses[static_cast<size_t>(i)].R(b, a));
      }
    turns.resize(unknowns(), unknowns());
    turns.setFromTriplets(entries.begin(), entries.end());
  }

  int unknowns() const { return 6 * static_cast<int>(poses.size()); }

  /// ∂r/∂q of elements in the undeformed shape, its symmetric part: the moments in it are balanced by what loads it.
  SparseMatrix tangent(BeamParts elements) const {
    System system;
    for (size_t i = 0; i < poses.size(); ++i) system.add_frame("");
    add_batches(std::move(elements), system);
    State state = system.make_state();
    for (size_t i = 0; i < poses.size(); ++i) {
      const FrameNode& node = system.nodes()[i + 1];
      state.q.segment<3>(node.q) = poses[i].p;
      store_quaternion(state.q, node.q + 3, Quaterniond(poses[i].R));
    }
    Kinematics k = system.make_kinematics();
    system.update(state, k);
    SparseTangent derivatives(system);
    derivatives.evaluate(k, 1, 0, 0);
    const SparseMatrix S = derivatives.S(), St = S.transpose();
    const SparseMatrix Tt = turns.transpose();
    return Tt * SparseMatrix(0.5 * (S + St)) * turns;
  }

  /// ε of small displacements, linearly, at the points of an element.
  template <int Nodes>
  void prestress(std::vector<typename Beams<Nodes>::Item>& items, const VectorXd& u) const {
    constexpr double kSmall = 1e-4;  // turns and strains of differences, whose error is the square of that
    const double largest = std::max(u.cwiseAbs().maxCoeff() / line.length, turn_of(u));
    if (largest == 0) return;
    const double h = kSmall / largest;
    for (auto& e : items)
      for (int p = 0; p < Nodes - 1; ++p) {
        std::array<Frame, Nodes> plus, minus;
        for (int i = 0; i < Nodes; ++i) {
          const int node = e.node[static_cast<size_t>(i)] - 1;
          plus[static_cast<size_t>(i)] = moved(node, h * u), minus[static_cast<size_t>(i)] = moved(node, -h * u);
        }
        const Vector6d strain = (Beams<Nodes>::strain(e, p, plus) - Beams<Nodes>::strain(e, p, minus)) / (2 * h);
        e.points[static_cast<size_t>(p)].unstrained -= strain;
      }
  }

  Frame moved(int node, const VectorXd& u) const {
    const Pose& pose = poses[static_cast<size_t>(node)];
    Frame frame;
    frame.p = pose.p + u.segment<3>(6 * node);
    frame.R = exp_rotation(u.segment<3>(6 * node + 3)).toRotationMatrix() * pose.R;
    return frame;
  }

  double turn_of(const VectorXd& u) const {
    double largest = 0;
    for (int i = 0; i < u.size(); i += 6) largest = std::max(largest, u.segment<3>(i + 3).cwiseAbs().maxCoeff());
    return largest;
  }
};

}  // namespace

Structure beam_structure(const FlexibleBeam& beam) {
  const auto model = std::make_shared<const BeamModel>(beam);
  const int nodes = static_cast<int>(model->poses.size());
  const std::vector<double> s = model->mesh.nodes();
  Structure structure;
  structure.name = beam.name;
  structure.source = "beam '" + beam.name + "' about its undeformed shape";
  structure.turning = true;
  structure.stiffness = model->tangent(model->parts);
  MassPoints points(model->unknowns());
  structure.nodes.resize(3, nodes);
  std::vector<Eigen::Triplet<double>> shown;
  for (int i = 0; i < nodes; ++i) {
    const auto at = static_cast<size_t>(i);
    const Pose& pose = model->poses[at];
    structure.nodes.col(i) = pose.p - beam.from.position;
    const Matrix6d M = model->lengths[at] * model->line.mass(s[at]);
    const Matrix3d J = pose.R * M.bottomRightCorner<3, 3>() * pose.R.transpose();
    points.add(M(0, 0), J, structure.nodes.col(i), Matrix6d::Identity(),
               {6 * i, 6 * i + 1, 6 * i + 2, 6 * i + 3, 6 * i + 4, 6 * i + 5});
    for (int a = 0; a < 3; ++a) shown.emplace_back(3 * i + a, 6 * i + a, 1.0);
    if (i > 0) structure.lines.push_back({i - 1, i});
  }
  points.finish(structure);
  structure.surface_points = structure.nodes;
  structure.surface_displacement.resize(3 * nodes, structure.unknowns());
  structure.surface_displacement.setFromTriplets(shown.begin(), shown.end());
  structure.geometric_stiffness = [model, K = structure.stiffness](const VectorXd& u) {
    BeamParts stressed = model->parts;
    model->prestress<2>(stressed.two, u);
    model->prestress<3>(stressed.three, u);
    model->prestress<4>(stressed.four, u);
    return SparseMatrix(model->tangent(std::move(stressed)) - K);
  };
  return structure;
}

std::vector<InterfaceNodes> beam_interfaces(const FlexibleBeam& beam) {
  const BeamLine line = beam_line(beam);
  const std::vector<double> s = beam_mesh(beam, line.length).nodes();
  const auto at = [&](const std::string& name, double where) {
    size_t node = 0;
    for (size_t i = 0; i < s.size(); ++i)
      if (std::abs(s[i] - where) < std::abs(s[node] - where)) node = i;
    const Pose pose = line.pose(s[node]);
    return InterfaceNodes{
        name, {static_cast<int>(node)}, InterfaceNodes::Spider::rigid, pose.p - beam.from.position, pose.R};
  };
  std::vector<InterfaceNodes> interfaces{at("start", 0), at("end", line.length)};
  for (const BeamMarker& marker : beam.markers) interfaces.push_back(at(marker.name, marker.s * line.length));
  return interfaces;
}

}  // namespace bricard
