// SPDX-License-Identifier: Apache-2.0
#include "bricard/assemble/beam_mesh.h"

#include <cmath>

#include "bricard/system/assertion.h"

namespace bricard {
namespace {

/// How the motion of a section at the pose (p, Q) moves the one it is seen from: (δr, δθ) ← (Q δr + p × Q δθ, Q δθ).
Matrix6d motion_seen_from(const Vector3d& p, const Matrix3d& Q) {
  Matrix6d A;
  A << Q, skew(p) * Q, Matrix3d::Zero(), Q;
  return A;
}

/// The stiffness of a helix that gives under forces at its ends what the true beam gives, in linear theory.
///     C = Āᵀ (mean of A_s C_s⁻¹ A_sᵀ)⁻¹ Ā    A_s: from the section at s to the middle of the helix, Ā: its mean on the helix
/// For a straight uniform beam C⁻¹ is that of the section with L²/12 of the bending flexibility in the place of shear's
/// [MacNeal1978].
Matrix6d helix_stiffness(const BeamLine& line, double begin, double end, const Vector6d& helix) {
  const double length = end - begin;
  const auto on_helix = [&](double x) {  // seen from x = 0
    const Vector3d turn = x * helix.tail<3>();
    return Pose{x * tangent_operator(turn).transpose() * helix.head<3>(), exp_rotation(turn).toRotationMatrix()};
  };
  const Pose first = line.pose(begin), half = on_helix(0.5 * length);
  const Pose middle{first.p + first.R * half.p, first.R * half.R};
  Matrix6d flexibility = Matrix6d::Zero(), mean = Matrix6d::Zero();
  for (int g = 0; g < 4; ++g) {
    const double s = begin + kGauss4[g] * length, x = (kGauss4[g] - 0.5) * length;
    const Pose at = line.pose(s);
    const Matrix3d Rt = middle.R.transpose();
    const Matrix6d A = motion_seen_from(Rt * (at.p - middle.p), Rt * at.R);
    flexibility += kGaussWeights4[g] * A * line.stiffness(s).inverse() * A.transpose();
    mean += kGaussWeights4[g] * motion_seen_from(on_helix(x).p, on_helix(x).R);
  }
  const Matrix6d C = mean.transpose() * flexibility.inverse() * mean;
  return 0.5 * (C + C.transpose());
}

template <int Nodes>
void add_beam_elements(const BeamLine& line, const BeamMesh& mesh, const std::vector<int>& nodes, const System& system,
                       std::vector<typename Beams<Nodes>::Item>& items) {
  const BeamRule rule(Nodes);
  for (int element = 0; element < mesh.elements(); ++element) {
    typename Beams<Nodes>::Item e;
    const double begin = mesh.ends[element], end = mesh.ends[element + 1];
    e.length = end - begin;
    e.damping = line.damping;
    std::array<Frame, Nodes> frames;
    for (int i = 0; i < Nodes; ++i) {
      e.node[i] = nodes[element * (Nodes - 1) + i];
      e.v[i] = system.v_of(e.node[i]), e.block[i] = system.block_of(e.node[i]);
      const Pose pose = line.pose(begin + rule.nodes[i] * e.length);
      frames[i].p = pose.p, frames[i].R = pose.R;
    }
    for (int p = 0; p < Nodes - 1; ++p) {
      e.points[p].unstrained = Beams<Nodes>::strain(e, p, frames);
      e.points[p].stiffness = Nodes == 2 ? helix_stiffness(line, begin, end, e.points[p].unstrained)
                                         : line.stiffness(begin + rule.points[p] * e.length);
    }
    items.push_back(e);
  }
}

}  // namespace

Vector3d BeamLine::mass_center(double s) const {
  const Matrix6d M = mass(s);
  return Vector3d(M(5, 1), M(3, 2), M(4, 0)) / M(0, 0);
}

BeamLine BeamLine::centred() const {
  BeamLine line = *this;
  const auto at = [given = *this](double s) { return given.mass_center(s); };
  line.pose = [given = *this, at](double s) {
    const Pose section = given.pose(s);
    return Pose{section.p + section.R * at(s), section.R};
  };
  line.stiffness = [given = *this, at](double s) {
    Matrix6d B = Matrix6d::Identity();
    B.topRightCorner<3, 3>() = skew(at(s));
    return Matrix6d(B.transpose() * given.stiffness(s) * B);
  };
  line.mass = [given = *this, at](double s) {
    Matrix6d M = given.mass(s);
    const Vector3d c = at(s);
    M.topRightCorner<3, 3>().setZero();
    M.bottomLeftCorner<3, 3>().setZero();
    M.bottomRightCorner<3, 3>() += M(0, 0) * skew(c) * skew(c);
    return M;
  };
  return line;
}

std::vector<double> BeamMesh::nodes() const {
  const BeamRule rule(nodes_per_element);
  std::vector<double> s{ends.front()};
  for (int e = 0; e < elements(); ++e)
    for (int i = 1; i < nodes_per_element; ++i) s.push_back(ends[e] + rule.nodes[i] * (ends[e + 1] - ends[e]));
  return s;
}

BeamMesh BeamMesh::uniform(double length, int elements, int nodes_per_element) {
  BeamMesh mesh{nodes_per_element, {}};
  for (int i = 0; i <= elements; ++i) mesh.ends.push_back(length * i / elements);
  return mesh;
}

std::vector<double> node_lengths(const BeamMesh& mesh) {
  const BeamRule rule(mesh.nodes_per_element);
  std::vector<double> lengths(1, 0.0);
  for (int e = 0; e < mesh.elements(); ++e) {
    const double length = mesh.ends[e + 1] - mesh.ends[e];
    lengths.back() += rule.node_weights[0] * length;
    for (int i = 1; i < mesh.nodes_per_element; ++i) lengths.push_back(rule.node_weights[i] * length);
  }
  return lengths;
}

void add_beam(const BeamLine& line, const BeamMesh& mesh, const std::vector<int>& nodes, const System& system,
              BeamParts& parts, const std::string& name) {
  BRICARD_ASSERT(nodes.size() == mesh.nodes().size());
  std::vector<std::string>& names = mesh.nodes_per_element == 2   ? parts.names_two
                                    : mesh.nodes_per_element == 3 ? parts.names_three
                                                                  : parts.names_four;
  for (int i = 1; !name.empty() && i <= mesh.elements(); ++i) names.push_back(name + "." + std::to_string(i));
  if (mesh.nodes_per_element == 2) add_beam_elements<2>(line, mesh, nodes, system, parts.two);
  if (mesh.nodes_per_element == 3) add_beam_elements<3>(line, mesh, nodes, system, parts.three);
  if (mesh.nodes_per_element == 4) add_beam_elements<4>(line, mesh, nodes, system, parts.four);
}

std::vector<RigidBodies::Item> beam_masses(const BeamLine& line, const BeamMesh& mesh, const std::vector<int>& nodes,
                                           const System& system) {
  const std::vector<double> places = mesh.nodes(), lengths = node_lengths(mesh);
  std::vector<RigidBodies::Item> masses;
  for (size_t i = 0; i < nodes.size(); ++i) {
    const int node = nodes[i], block = system.block_of(node);
    if (block < 0) continue;
    const Matrix6d M = lengths[i] * line.mass(places[i]);
    masses.push_back({node, system.v_of(node), block, M(0, 0), M.bottomRightCorner<3, 3>()});
  }
  return masses;
}

void add_batches(BeamParts parts, System& system) {
  if (!parts.two.empty()) system.add(std::make_unique<Beams<2>>(std::move(parts.two), std::move(parts.names_two)));
  if (!parts.three.empty())
    system.add(std::make_unique<Beams<3>>(std::move(parts.three), std::move(parts.names_three)));
  if (!parts.four.empty()) system.add(std::make_unique<Beams<4>>(std::move(parts.four), std::move(parts.names_four)));
}

}  // namespace bricard
