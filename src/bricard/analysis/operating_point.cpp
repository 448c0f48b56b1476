// SPDX-License-Identifier: Apache-2.0
#include "bricard/analysis/operating_point.h"

#include <fmt/format.h>

#include <Eigen/KLUSupport>
#include <algorithm>
#include <cmath>

#include "bricard/analysis/consistent_start.h"
#include "bricard/analysis/simulate.h"
#include "bricard/analysis/statics.h"
#include "bricard/assemble/assemble.h"

namespace bricard {
namespace {

constexpr int kMaxCorrections = 40;
constexpr double kBalanced = 1e-10;        // of the relative accelerations, against those of the bodies
constexpr double kSmallCorrection = 1e-8;  // reference lengths or radians: the square of such a correction is round-off
constexpr double kLargestStep = 0.3;       // the same of what is tried at once

/// Velocities of bodies seen from the reference marker, in its axes r_k, for the chosen coordinates:
///     r_k·(ṗ_B − ṗ_N − ω_N × (p_B − p_N)),   r_k·(ω_B − ω_N),    N: the body that carries the marker
SparseRows relative_rows(const System& system, const Kinematics& k, const MarkerPose& reference,
                         const std::vector<LinearCoordinate>& chosen) {
  const Frame& N = k.frames[reference.node];
  const int of_N = reference.node == 0 ? -1 : system.nodes()[reference.node].v;
  const Matrix3d R = N.R * reference.R;
  std::vector<Eigen::Triplet<double>> entries;
  const auto add = [&](size_t row, int column, const Vector3d& x) {
    for (int j = 0; column >= 0 && j < 3; ++j) entries.emplace_back(static_cast<int>(row), column + j, x[j]);
  };
  for (size_t i = 0; i < chosen.size(); ++i) {
    for (const FlexibleInfo& body : system.flexible)  // whose shapes are seen from itself
      if (chosen[i].column >= body.v && chosen[i].column < body.v + body.shapes)
        entries.emplace_back(static_cast<int>(i), chosen[i].column, 1.0);
    for (size_t b = 1; b < system.nodes().size(); ++b) {
      const int v = system.nodes()[b].v, axis = chosen[i].column - v;
      if (system.nodes()[b].block < 0 || axis < 0 || axis >= 6) continue;
      const Vector3d r = R.col(axis % 3);
      if (axis < 3) {
        add(i, v, r);
        add(i, of_N, -r);
        if (of_N >= 0) add(i, of_N + 3, -(N.R.transpose() * (k.frames[b].p - N.p).cross(r)));
      } else {
        add(i, v + 3, k.frames[b].R.transpose() * r);
        if (of_N >= 0) add(i, of_N + 3, -(N.R.transpose() * r));
      }
    }
  }
  SparseRows rows(static_cast<int>(chosen.size()), system.velocities());
  rows.setFromTriplets(entries.begin(), entries.end());
  return rows;
}

/// Sets v so that the constraints hold and nothing else moves relative to the reference; false if it moves by itself.
bool set_steady_velocities(const System& system, const LinearEquations& equations, const MarkerPose& reference,
                           State& s) {
  Kinematics k = system.make_kinematics();
  s.v.setZero();
  system.update(s, k);
  VectorXd rate = VectorXd::Zero(system.multipliers()), bias = rate;
  system.constraint_rates(k, rate, bias);
  SparseTangent tangent(system);
  tangent.evaluate(k, 0, 0, 0);
  const std::vector<int>& kept = equations.independent_constraints();
  const SparseRows J =
      stacked(chosen_rows(tangent.G(), kept), relative_rows(system, k, reference, equations.positions()));
  VectorXd b = VectorXd::Zero(J.rows());
  for (size_t i = 0; i < kept.size(); ++i) b[static_cast<int>(i)] = -rate[kept[i]];
  Eigen::KLU<Eigen::SparseMatrix<double>> lu;
  lu.compute(Eigen::SparseMatrix<double>(J));
  if (lu.info() != Eigen::Success) return false;
  s.v = lu.solve(b);
  return s.v.allFinite();
}

double largest(const System& system, const VectorXd& x) {
  double size = 0;
  for (const FrameNode& node : system.nodes())
    if (node.block >= 0)
      size = std::max({size, x.segment<3>(node.v).norm() / system.reference_length, x.segment<3>(node.v + 3).norm()});
  for (const FlexibleInfo& body : system.flexible)
    size = std::max(size, x.segment(body.v, body.shapes).norm() / system.reference_length);
  return size;
}

// Newton's method for the relative accelerations of the free coordinates, which vanish; the matrix is Ẇ_S. Of stiff parts, as
// thin beams, round-off of positions leaves accelerations beyond any bound; then the correction tells that there is no better
// position.
std::string find_steady_state(const Model& model, const System& system, const Reference& reference, State& s) {
  LinearizeOptions options;
  options.reference = find_marker(model, reference);
  double left = 0, scale = 0, correction = HUGE_VAL;
  for (int i = 0; i < kMaxCorrections; ++i) {
    StartReport report;
    assemble_positions(system, model.run.solver, s, report);
    if (!report.assembled) return report.problem;
    const LinearEquations at_rest(system, s, options);
    if (!set_steady_velocities(system, at_rest, options.reference, s))
      return fmt::format(
          "there is no steady state seen from '{}': its body moves by itself; name a marker that motions carry",
          reference.name);
    consistent_start(system, model.run.solver, s);
    const LinearEquations equations(system, s, options);
    if (!equations.report().problem.empty()) return equations.report().problem;
    const MotionCurve curve(system, s);
    const MovingRows rows = curve.follow(
        [&](const Kinematics& k) { return relative_rows(system, k, options.reference, equations.positions()); });
    const VectorXd f = rows.value * s.a + rows.rate * s.v;
    left = f.size() ? f.lpNorm<Eigen::Infinity>() : 0;
    scale = std::max(largest(system, s.a), model.gravity.norm() / system.reference_length);
    if (left <= kBalanced * scale || correction <= kSmallCorrection) return "";
    const int z = static_cast<int>(equations.positions().size());
    MatrixXd x = MatrixXd::Zero(equations.size(), z);
    x.topRows(z).setIdentity();
    const Sensitivities y = equations.respond(x);
    const MatrixXd J = equations.rates(y).bottomRows(equations.size() - z);
    VectorXd way = y.q * J.completeOrthogonalDecomposition().solve(-f);
    correction = largest(system, way);
    way *= std::min(1.0, kLargestStep / std::max(1e-300, correction));
    system.manifold().retract(s.q, way, s.q);
  }
  return fmt::format("no steady state was found: relative accelerations of {:.2g} of those of the bodies are left",
                     scale > 0 ? left / scale : 0);
}

}  // namespace

OperatingPoint find_operating_point(const Model& model, const System& system, PointType type,
                                    const Reference& reference, std::optional<double> time) {
  OperatingPoint point;
  State& s = point.state = initial_wishes(model, system);
  const StartReport start = consistent_start(model, system, model.run.solver, s);
  if (!start.problem.empty()) {
    point.problem = start.problem;
    return point;
  }
  point.remark = "the start of the file";
  if (type == PointType::equilibrium) {
    const StaticReport rest = find_equilibrium(system, model.run.solver, s);
    if (!rest.found) point.problem = rest.problem;
    point.remark = rest.text();
    const auto moves = [](const Body& b) { return !b.velocity.isZero(0) || !b.angular_velocity.isZero(0); };
    if (std::any_of(model.bodies.begin(), model.bodies.end(), moves))
      point.remark += "; at rest: the velocities of the file are not used";
    system.stop(s);
    s.a.setZero();
  } else if (type == PointType::steady) {
    point.problem = find_steady_state(model, system, reference, s);
    point.remark = fmt::format("steady state seen from '{}'", reference.name);
  }
  if (!time || !point.problem.empty()) return point;
  RunSettings run = model.run;
  run.duration = *time;
  const Results results = simulate(system, s, run);
  if (!results.report.finished) point.problem = results.report.stopped_because;
  s = results.samples.back().state;
  consistent_start(system, model.run.solver, s);
  point.remark = fmt::format("the state at t = {:g} s", s.t);
  return point;
}

}  // namespace bricard
