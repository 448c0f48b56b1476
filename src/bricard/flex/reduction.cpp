// SPDX-License-Identifier: Apache-2.0
#include "bricard/flex/reduction.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "bricard/flex/attached.h"
#include "bricard/flex/lowest_modes.h"
#include "bricard/flex/part_integrals.h"
#include "bricard/flex/part_stiffening.h"
#include "bricard/model/source.h"

// From a structure to a few shapes.                                                      theory: docs/theory/flexible_parts.md
namespace bricard {
namespace {

[[noreturn]] void refuse_reduction(const Structure& structure, const std::string& what) {
  throw ModelError({Fault{{}, fmt::format("part '{}': {}", structure.name, what)}});
}

/// How many are not above the limit.
int within(const VectorXd& frequencies, double max_frequency) {
  int count = 0;
  while (count < frequencies.size() && (max_frequency <= 0 || frequencies[count] <= max_frequency)) ++count;
  return count;
}

/// Shares (φᵀM R)²/(RᵀM R) of the motions R of the part along x, y, z and about its mass centre.
Eigen::Matrix<double, Eigen::Dynamic, 6> effective_masses(const AttachedUnknowns& attached, const SparseMatrix& M,
                                                          const std::vector<int>& inner,
                                                          const Eigen::MatrixXd& shapes) {
  Eigen::MatrixXd R = attached.rigid;
  Eigen::MatrixXd MR = M * R;
  const Matrix3d first = R.leftCols<3>().transpose() * MR.rightCols<3>();  // −m [c×]
  const double mass = R.col(0).dot(MR.col(0));
  R.rightCols<3>() -= R.leftCols<3>() * first / mass;
  MR = M * R;
  const Eigen::Matrix<double, 1, 6> whole = (R.transpose() * MR).diagonal().transpose();
  Eigen::Matrix<double, Eigen::Dynamic, 6> shares = (shapes.transpose() * MR(inner, Eigen::all)).cwiseAbs2();
  for (int i = 0; i < shares.rows(); ++i) shares.row(i) = shares.row(i).cwiseQuotient(whole);
  return shares;
}

/// How many of the first `most` modes move the wanted share of mass along x, y and z.
int enough(const Eigen::Matrix<double, Eigen::Dynamic, 6>& effective, double share, int most) {
  if (share <= 0) return most;
  Vector3d sum = Vector3d::Zero();
  for (int count = 0; count < most; ++count) {
    if (sum.minCoeff() >= share) return count;
    sum += effective.row(count).head<3>().transpose();
  }
  return most;
}

/// Constraint shapes of the interfaces, and normal modes while these are held:
///     Ψ = [−K_ii⁻¹ K_ib; 1],     K_ii φ = ω² M_ii φ                                                  [CraigBampton1968]
Eigen::MatrixXd craig_bampton_shapes(const Structure& structure, const AttachedUnknowns& attached,
                                     const SparseMatrix& K, const SparseMatrix& M, const Reduction& wanted,
                                     const ReductionWork& work, StructureModes& modes) {
  const int n = static_cast<int>(K.rows());
  std::vector<int> inner, border;
  std::vector<bool> is_border(static_cast<size_t>(n), false);
  for (const auto& unknowns : attached.interfaces)
    for (const int i : unknowns) is_border[static_cast<size_t>(i)] = true;
  for (int i = 0; i < n; ++i) (is_border[static_cast<size_t>(i)] ? border : inner).push_back(i);
  const int b = static_cast<int>(border.size());

  Eigen::MatrixXd shapes = Eigen::MatrixXd::Zero(n, b);
  for (int j = 0; j < b; ++j) shapes(border[static_cast<size_t>(j)], j) = 1;
  if (inner.empty()) return shapes;
  const SparseMatrix K_ii = part_of(K, inner, inner), M_ii = part_of(M, inner, inner);
  SparseCholesky solver(K_ii);
  if (!solver.factorize(K_ii, work.watch).regular())
    refuse_reduction(structure, "it can move without strain while its interfaces are held: a piece hangs on nothing");
  const Eigen::MatrixXd constraint = solver.solve(Eigen::MatrixXd(-part_of(K, inner, border)));
  const LowestModes normal =
      wanted.modes > 0 ? lowest_modes(K_ii, M_ii, wanted.modes, solver, work.watch) : LowestModes{};
  if (!normal.problem.empty()) refuse_reduction(structure, normal.problem);
  modes.held = normal.frequencies;
  modes.effective = effective_masses(attached, M, inner, normal.shapes);
  const int count = enough(modes.effective, work.effective_mass, within(normal.frequencies, wanted.max_frequency));
  modes.kept = count;
  shapes.conservativeResize(n, b + count);
  shapes.rightCols(count).setZero();
  for (size_t i = 0; i < inner.size(); ++i) {
    shapes.row(inner[i]).head(b) = constraint.row(static_cast<int>(i));
    shapes.row(inner[i]).tail(count) = normal.shapes.row(static_cast<int>(i)).head(count);
  }
  return shapes;
}

/// The six motions of the whole part, and its lowest modes.
Eigen::MatrixXd free_shapes(const Structure& structure, const AttachedUnknowns& attached, const SparseMatrix& K,
                            const SparseMatrix& M, const Reduction& wanted, const WorkWatch& watch) {
  const LowestModes modes = lowest_modes(K, M, wanted.modes + 6, Support::free, watch);
  if (!modes.problem.empty()) refuse_reduction(structure, modes.problem);
  if (modes.free != 6)
    refuse_reduction(structure, fmt::format("{} motions of it have no strain, not six: it falls into pieces, or is "
                                            "held somewhere",
                                            modes.free));
  const int count = within(modes.frequencies.tail(modes.count() - 6), wanted.max_frequency);
  Eigen::MatrixXd shapes(K.rows(), 6 + count);
  shapes << attached.rigid, modes.shapes.middleCols(6, count);
  return shapes;
}

/// What is zero in all shapes, six rows for û: momenta, or motions of interfaces in their axes.
Eigen::MatrixXd held_rows(const Structure& structure, const AttachedUnknowns& attached, const SparseMatrix& M,
                          const std::vector<InterfaceNodes>& interfaces, const std::vector<FrameSupport>& frame) {
  if (frame.empty()) return (M * attached.rigid).transpose();
  Eigen::MatrixXd held = Eigen::MatrixXd::Zero(6, M.rows());
  int row = 0;
  for (const FrameSupport& support : frame) {
    const auto named = [&](const InterfaceNodes& i) { return i.name == support.interface; };
    const auto found = std::find_if(interfaces.begin(), interfaces.end(), named);
    if (found == interfaces.end()) {
      std::vector<std::string> names;
      for (const InterfaceNodes& i : interfaces) names.push_back(i.name);
      const std::string near = did_you_mean(support.interface, names);
      refuse_reduction(structure, fmt::format("frame: there is no interface '{}'{}", support.interface,
                                              near.empty() ? "" : "; did you mean '" + near + "'?"));
    }
    const auto& unknowns = attached.interfaces[static_cast<size_t>(found - interfaces.begin())];
    for (const int component : support.components) {
      if (component < 0 || component > 5 || row == 6)
        refuse_reduction(structure, "frame: six components of interfaces are held, each one of 0 to 5");
      for (int a = 0; a < 3; ++a)
        held(row, unknowns[static_cast<size_t>(component / 3 * 3 + a)]) = found->axes(a, component % 3);
      ++row;
    }
  }
  if (row < 6) refuse_reduction(structure, fmt::format("frame: six components must be held, and these are {}", row));
  return held;
}

/// Combinations of shapes in which what is held is zero, with modal masses 1 and a diagonal stiffness.
struct PartShapes {
  VectorXd squares;
  Eigen::MatrixXd shapes;
};

PartShapes orthogonal_shapes(const Structure& structure, Eigen::MatrixXd V, const SparseMatrix& K,
                             const SparseMatrix& M, const Eigen::MatrixXd& rigid, const Eigen::MatrixXd& held) {
  const auto symmetric = [&](const SparseMatrix& A) {
    const Eigen::MatrixXd P = V.transpose() * (A * V);
    return Eigen::MatrixXd(0.5 * (P + P.transpose()));
  };
  for (int j = 0; j < V.cols(); ++j) {
    const double mass = V.col(j).dot(M * V.col(j));
    if (!(mass > 0)) refuse_reduction(structure, "a motion of it has no mass: is a density or an inertia missing?");
    V.col(j) /= std::sqrt(mass);
  }
  Eigen::GeneralizedSelfAdjointEigenSolver<Eigen::MatrixXd> all(symmetric(K), symmetric(M));
  if (all.info() != Eigen::Success)
    refuse_reduction(structure, "a motion of it has no mass: is a density or an inertia missing?");
  V = (V * all.eigenvectors()).eval();

  // Motions of the whole part, φ − R (S R)⁻¹ S φ, are taken out, and six of the combinations with them.
  Eigen::MatrixXd S = held;
  for (int i = 0; i < 6; ++i) S.row(i) /= S.row(i).norm();
  Eigen::MatrixXd moved = rigid;
  for (int j = 0; j < 6; ++j) moved.col(j) /= moved.col(j).norm();
  Eigen::FullPivLU<Eigen::MatrixXd> motions(S * moved);
  motions.setThreshold(1e-8);
  if (!motions.isInvertible())
    refuse_reduction(structure, "frame: with these components held it can still move as a whole");
  Eigen::MatrixXd zero = S * V;  // 6×c
  for (int i = 0; i < 6; ++i) zero.row(i) /= zero.row(i).norm();
  const Eigen::HouseholderQR<Eigen::MatrixXd> qr(zero.transpose());
  const int kept = static_cast<int>(V.cols()) - 6;
  const Eigen::MatrixXd Z =
      (qr.householderQ() * Eigen::MatrixXd::Identity(V.cols(), V.cols())).rightCols(std::max(kept, 0));
  const Eigen::MatrixXd stiffness = Z.transpose() * all.eigenvalues().asDiagonal() * Z;
  PartShapes result;
  if (kept <= 0) return {VectorXd(0), Eigen::MatrixXd(K.rows(), 0)};
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> ordered(0.5 * (stiffness + stiffness.transpose()));
  result.squares = ordered.eigenvalues();
  result.shapes = V * (Z * ordered.eigenvectors());
  for (int again = 0; again < 2; ++again) result.shapes -= moved * motions.solve(S * result.shapes);
  return result;
}

PartSurface part_surface(const Structure& structure, const Eigen::MatrixXd& shapes) {
  PartSurface surface;
  surface.points = structure.surface_points;
  surface.triangles = structure.triangles;
  surface.lines = structure.lines;
  surface.shapes = (structure.surface_displacement * shapes).cast<float>();
  if (structure.surface_stress.size() > 0) surface.stresses = (structure.surface_stress * shapes).cast<float>();
  return surface;
}

}  // namespace

SparseMatrix mass_matrix(const Structure& structure) {
  std::vector<Eigen::Triplet<double>> entries;
  for (int j = 0; j < structure.weights.outerSize(); ++j)
    for (SparseMatrix::InnerIterator entry(structure.weights, j); entry; ++entry)
      for (int a = 0; a < 3; ++a) entries.emplace_back(3 * static_cast<int>(entry.row()) + a, 3 * j + a, entry.value());
  SparseMatrix W(structure.displacement.rows(), structure.displacement.rows());
  W.setFromTriplets(entries.begin(), entries.end());
  return structure.displacement.transpose() * (W * structure.displacement).pruned();
}

VectorXd free_frequencies(const Structure& structure, const std::vector<InterfaceNodes>& interfaces, int count,
                          const WorkWatch& watch) {
  const AttachedUnknowns attached = attach_interfaces(structure, interfaces);
  const SparseMatrix Tt = attached.T.transpose();
  const SparseMatrix K = Tt * structure.stiffness * attached.T, M = Tt * mass_matrix(structure) * attached.T;
  const LowestModes modes = lowest_modes(K, M, count + 6, Support::free, watch);
  if (!modes.problem.empty()) refuse_reduction(structure, modes.problem);
  return modes.frequencies.tail(std::max(0, modes.count() - 6));
}

ReducedPart reduce(const Structure& structure, const std::vector<InterfaceNodes>& interfaces, const Reduction& wanted) {
  StructureModes modes;
  return reduce(structure, interfaces, wanted, {}, modes);
}

ReducedPart reduce(const Structure& structure, const std::vector<InterfaceNodes>& interfaces, const Reduction& wanted,
                   const ReductionWork& work, StructureModes& modes) {
  const AttachedUnknowns attached = attach_interfaces(structure, interfaces);
  const SparseMatrix Tt = attached.T.transpose();
  const SparseMatrix K = Tt * structure.stiffness * attached.T, M = Tt * mass_matrix(structure) * attached.T;
  const bool free = wanted.kind == Reduction::Kind::free || interfaces.empty();
  const Eigen::MatrixXd found = free ? free_shapes(structure, attached, K, M, wanted, work.watch)
                                     : craig_bampton_shapes(structure, attached, K, M, wanted, work, modes);
  const Eigen::MatrixXd held = held_rows(structure, attached, M, interfaces, wanted.frame);
  const PartShapes kept = orthogonal_shapes(structure, found, K, M, attached.rigid, held);
  const Eigen::MatrixXd shapes = attached.T * kept.shapes;

  ReducedPart part;
  part.name = structure.name, part.source = structure.source;
  part.stiffness = kept.squares.asDiagonal();
  for (const double square : kept.squares) part.frequencies.push_back(std::sqrt(std::max(0.0, square)));
  part.inertia = part_inertia(structure, shapes);
  std::optional<StressStiffness> stresses;
  if (wanted.stiffening && structure.geometric_stiffness) {
    stresses.emplace(structure, attached, K, held, wanted.frame.empty(), kept.shapes);
    part.stiffening = stresses->of_accelerations();
  }
  for (size_t i = 0; i < interfaces.size(); ++i) {
    PartInterface interface;
    interface.name = interfaces[i].name, interface.position = interfaces[i].position,
    interface.axes = interfaces[i].axes;
    interface.translation = kept.shapes.middleRows<3>(attached.interfaces[i][0]);
    interface.rotation = kept.shapes.middleRows<3>(attached.interfaces[i][3]);
    if (stresses) interface.shortening = stresses->shortening(static_cast<int>(i));
    part.interfaces.push_back(interface);
  }
  part.surface = part_surface(structure, shapes);
  return part;
}

}  // namespace bricard
