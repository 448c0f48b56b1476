// SPDX-License-Identifier: Apache-2.0
#include "bricard/analysis/consistent_start.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>

#include "bricard/analysis/held_axes.h"
#include "bricard/analysis/sparse_tangent.h"
#include "bricard/analysis/start_problems.h"
#include "bricard/assemble/assemble.h"
#include "bricard/assemble/variant.h"
#include "bricard/solve/projection.h"

namespace bricard {
namespace {

constexpr int kMaxIterations = 100;
constexpr double kLargestMove = 0.5;  // of a coordinate at once: reference lengths, radians
constexpr double kToldFrom = 1e-6;    // moves and gaps below, in reference lengths and radians, are not worth a word
constexpr const char* kHolder = "fixed: ";

/// The masses as metric of all corrections.
NewtonForm gauss_newton_form(const System& system) {
  NewtonForm form;
  form.a = 1;
  form.scale = system.reference_mass;
  return form;
}

double norm(const VectorXd& g) { return g.size() ? g.lpNorm<Eigen::Infinity>() : 0; }

/// The largest part of dz, per reference length or radian.
double size_of(const System& system, const VectorXd& dz) {
  double size = 0;
  for (const Manifold::Block& b : system.manifold().blocks()) {
    const double unit = b.kind == Manifold::Kind::rotation ? 1 : system.reference_length;
    size = std::max(size, dz.segment(b.v, b.size).lpNorm<Eigen::Infinity>() / unit);
  }
  return size;
}

std::string failure_text(const System& system, const StartReport& report) {
  std::string text = fmt::format("the mechanism cannot be assembled from the given positions: after {} corrections {}.",
                                 report.iterations, gap_text(report.open));
  std::string fixed;
  for (const JointInfo& j : system.joints)
    if (j.name.starts_with(kHolder)) fixed += (fixed.empty() ? "" : ", ") + j.name.substr(std::string(kHolder).size());
  if (!fixed.empty()) text += " Bodies that may not move (fixed: true): " + fixed + ".";
  return text + " Move the bodies closer to where their joints meet, or check lengths and axes.";
}

void report_moves(const System& system, const State& wished, const State& s, StartReport& report) {
  VectorXd way(system.velocities());
  system.manifold().difference(wished.q, s.q, way);
  const double length = system.reference_length;
  for (const FrameNode& node : system.nodes()) {
    if (node.block < 0) continue;
    const VectorXd dv = s.v.segment(node.v, 6) - wished.v.segment(node.v, 6);
    const auto worth_a_word = [](double value, double unit) { return value > kToldFrom * unit ? value : 0; };
    const BodyMove move{node.name, worth_a_word(way.segment<3>(node.v).norm(), length),
                        worth_a_word(way.segment<3>(node.v + 3).norm(), 1), worth_a_word(dv.head<3>().norm(), length),
                        worth_a_word(dv.tail<3>().norm(), 1)};
    if (move.distance > report.largest_move) report.largest_move = move.distance, report.most_moved = node.name;
    if (move.distance + move.angle + move.velocity + move.angular_velocity > 0) report.moves.push_back(move);
  }
}

/// All but the rates from which equations of differential states are solved.
void forget_accelerations(const System& system, State& s) {
  const VectorXd given = s.a;
  s.a.setZero();
  for (const StateInfo& x : system.states)
    if (x.implicit) s.a[x.v] = given[x.v];
}

/// The equation of a state that does not depend on its rate where the solution was looked for; "" if there is none.
std::string unsolved_equation(const System& system, const State& wished, Kinematics& k) {
  system.update(wished, k);
  SparseTangent mass(system);
  mass.evaluate(k, 0, 0, 1);
  for (const StateInfo& x : system.states)
    if (x.implicit && mass.S().coeff(x.v, x.v) == 0)
      return fmt::format(
          "states.{0}.equation: cannot be solved for {0}' at the start: where {0}' = {1:.4g} it does not change with "
          "{0}'; give another 'start_rate'.",
          x.name, wished.a[x.v]);
  return "";
}

/// Velocities, accelerations and multipliers at assembled positions.
void complete_start(const System& system, SolverType solver, const State& wished, State& s, StartReport& report) {
  Kinematics k = system.make_kinematics();
  Residual r = system.make_residual();
  system.update(s, k);
  system.track_angles(k, VectorXd(s.angles), s.angles);  // on the turn of the wishes
  NewtonSystem newton(system, solver);
  newton.factorize(k, std::vector<Matrix3d>(system.nodes().size(), Matrix3d::Identity()), gauss_newton_form(system));
  const ConstraintRank rank = rank_at(system, s);
  report.redundant_constraints = system.multipliers() - system.rows_off(s) - rank.rank;
  report.degrees_of_freedom = system.motions_without_constraints() - rank.rank;
  report.weakest = rank.weakest;
  Projection projection(system, newton);
  projection.factorize(k);
  projection.velocities(s, k);
  report.velocity_change = norm(s.v - wished.v);
  projection.accelerations(s, k, r);
  if (!s.a.allFinite() || !s.lambda.allFinite()) {
    report.assembled = false;
    report.problem = unsolved_equation(system, wished, k);
    if (report.problem.empty())
      report.problem = "the accelerations at the start are not finite; check masses, inertias and force formulas.";
    return;
  }
  if (report.redundant_constraints > 0) report.problem = find_contradictions(system, s, true);
}

void finish_start(const System& system, SolverType solver, const State& wished, State& s, StartReport& report) {
  if (report.assembled) {
    complete_start(system, solver, wished, s, report);
  } else if (const std::string motions = find_contradictions(system, s, false); !motions.empty()) {
    report.problem = motions + "; " + report.problem;
  }
  report_moves(system, wished, s, report);
}

/// Axes at a right angle that should be parallel: the sine of their angle does not change with it, so that no correction
/// is seen. Turns a body of each such joint by a little, about an axis that is none of a drawing; false if there is none.
bool nudge(const System& system, State& s) {
  const Vector3d kTurn(0.011, 0.017, -0.013);  // rad; corrections of half a radian take over from there
  constexpr double kRight = 1e-3;              // from a right angle: farther off there is progress
  Kinematics k = system.make_kinematics();
  system.update(s, k);
  VectorXd turn = VectorXd::Zero(system.velocities());
  for (const JointInfo& j : system.joints) {
    const auto angle = held_angle(j, k);
    if (!angle || std::abs(*angle - std::numbers::pi / 2) > kRight) continue;
    const FrameNode &first = system.nodes()[system.body_of(j.markers[0].node)],
                    &second = system.nodes()[system.body_of(j.markers[1].node)];
    const FrameNode& turned = second.block >= 0 ? second : first;
    if (turned.block >= 0) turn.segment<3>(turned.v + 3) = kTurn;
  }
  if (turn.isZero()) return false;
  system.manifold().retract(s.q, turn, s.q);
  return true;
}

/// A part whose shapes move a thousand times less than the body where joints are closed.
ReducedPart stiffened(ReducedPart part, double weight) {
  constexpr double kMassOfShapes = 1e6;
  PartInertia& all = part.inertia;
  all.mass *= weight, all.first *= weight, all.second *= weight;
  all.shapes *= weight, all.points_shapes *= weight;
  for (Eigen::MatrixXd& m : all.shapes_shapes) m *= weight * kMassOfShapes;
  part.stiffening.reset();
  return part;
}

/// The model as the assembly of positions sees it: masses times weights, fixed bodies joined to ground.
Model weighted(const Model& model) {
  Model m = model;
  for (Body& b : m.bodies) {
    b.mass *= b.weight;
    b.inertia *= b.weight;
    if (b.part) b.part = std::make_shared<const ReducedPart>(stiffened(*b.part, b.weight));
    if (!b.fixed) continue;
    Joint holder;
    holder.name = kHolder + b.name;
    holder.type = JointType::fixed;
    holder.between = {Reference{"ground", {}}, Reference{b.name, {}}};
    holder.at = b.position;
    m.joints.push_back(holder);
  }
  return m;
}

}  // namespace

std::string gap_text(const std::vector<JointGap>& gaps) {
  std::string text;
  for (size_t i = 0; i < std::min<size_t>(gaps.size(), 5); ++i) {
    const JointGap& gap = gaps[i];
    text += fmt::format("{}{} is open by ", i ? ", " : "", gap.name);
    if (gap.distance > 0) text += fmt::format("{:.3g} m", gap.distance);
    if (gap.angle > 0)
      text += fmt::format("{}{:.3g}°", gap.distance > 0 ? " and " : "", gap.angle * 180 / std::numbers::pi);
  }
  if (gaps.size() > 5) text += fmt::format(" and {} more", gaps.size() - 5);
  return text;
}

// A row that does not touch positions is ℓ times the sine of an angle, that of a motion ℓ times the angle. Axes that
// point against each other close a joint, too.
std::vector<JointGap> find_gaps(const System& system, const State& s, double tolerance) {
  Kinematics k = system.make_kinematics();
  Residual r = system.make_residual();
  system.update(s, k);
  system.residual(k, r);
  SparseTangent tangent(system);
  tangent.evaluate(k, 0, 0, 0);
  std::vector<char> is_position(system.velocities(), true);
  for (const Manifold::Block& b : system.manifold().blocks())
    if (b.kind == Manifold::Kind::rotation) std::fill_n(is_position.begin() + b.v, b.size, false);
  const double length = system.reference_length;
  std::vector<JointGap> gaps;
  std::vector<char> named(system.multipliers(), false);
  const auto add = [&](const std::string& name, int first_row, int rows, bool sine, std::optional<double> held = {}) {
    std::fill_n(named.begin() + first_row, rows, true);
    double distance = 0, angle = 0;
    for (int row = first_row; row < first_row + rows; ++row) {
      bool turns = true;
      for (SparseRows::InnerIterator e(tangent.G(), row); e; ++e) turns = turns && !is_position[e.col()];
      (turns ? angle : distance) += r.constraint[row] * r.constraint[row];
    }
    distance = std::sqrt(distance);
    angle = std::sqrt(angle) / length;
    if (distance <= tolerance * length) distance = 0;
    if (angle <= tolerance) angle = 0;
    if (angle > 0 && sine) angle = held ? std::min(*held, std::numbers::pi - *held) : std::asin(std::min(1.0, angle));
    if (distance > 0 || angle > 0) gaps.push_back({name, distance, angle});
  };
  for (const JointInfo& j : system.joints) add("joint '" + j.name + "'", j.first_row, j.rows, true, held_angle(j, k));
  for (const MotionInfo& m : system.motions) add("motion '" + m.name + "'", m.first_row, m.rows, false);
  for (const EquationInfo& e : system.equations)
    add(e.text(), e.first_row, e.rows, e.kind == EquationInfo::Kind::plane);
  for (int row = 0; row < system.multipliers(); ++row)
    if (!named[row]) add("equation " + std::to_string(row), row, 1, false);
  const auto size = [&](const JointGap& gap) { return std::max(gap.distance, length * gap.angle); };
  std::stable_sort(gaps.begin(), gaps.end(), [&](const JointGap& a, const JointGap& b) { return size(a) > size(b); });
  return gaps;
}

double distance_between(const System& system, const State& from, const State& to) {
  VectorXd way(system.velocities());
  system.manifold().difference(from.q, to.q, way);
  if (way.isZero(0)) return 0;
  Kinematics k = system.make_kinematics();
  system.update(to, k);
  SparseTangent mass(system);
  mass.evaluate(k, 0, 0, 1);
  return std::sqrt(way.dot(mass.S() * way) / system.reference_mass);
}

// Gauss–Newton with the masses as weights:  min ½ dzᵀM dz  subject to  G dz = −g.
void assemble_positions(const System& system, SolverType solver, State& s, StartReport& report) {
  std::optional<NewtonSystem> newton;  // joints may be closed already
  const std::vector<Matrix3d> no_chart(system.nodes().size(), Matrix3d::Identity());
  Kinematics k = system.make_kinematics();
  Residual r = system.make_residual();
  NewtonForm form = gauss_newton_form(system);
  form.positions_only = true;
  VectorXd dz(system.velocities()), dlambda(system.multipliers());
  State trial = s;
  system.update(s, k);
  system.residual(k, r);
  double gap = norm(r.constraint);
  bool nudged = false;
  if (gap > kToldFrom * system.reference_length) report.guess = find_gaps(system, s, kToldFrom);
  for (; report.iterations < kMaxIterations && gap > kClosedJoint * system.reference_length; ++report.iterations) {
    if (!newton) newton.emplace(system, solver);
    newton->factorize(k, no_chart, form);
    Residual only_constraints = r;
    only_constraints.motion.setZero();
    newton->correction(only_constraints, dz, dlambda);
    // No coordinate moves by more than half the reference length or half a radian at once, so that the way of assembly
    // nearest to the guess is kept; then halve until the gap shrinks.
    double fraction = std::min(1.0, kLargestMove / std::max(1e-300, size_of(system, dz)));
    double new_gap = gap;
    for (int halving = 0; halving < 20; ++halving, fraction /= 2) {
      system.manifold().retract(s.q, fraction * dz, trial.q);
      system.update(trial, k);
      system.residual(k, r);
      new_gap = norm(r.constraint);
      if (new_gap < gap) break;
    }
    if (!(new_gap < gap)) {
      if (nudged || !nudge(system, s)) break;
      nudged = true;
      system.update(s, k);
      system.residual(k, r);
      gap = norm(r.constraint);
      continue;
    }
    s.q = trial.q;
    gap = new_gap;
  }
  report.assembled = gap <= kNearlyClosedJoint * system.reference_length;
  if (report.assembled) return;
  report.open = find_gaps(system, s, kNearlyClosedJoint);
  report.problem = failure_text(system, report);
}

StartReport consistent_start(const System& system, SolverType solver, State& s) {
  StartReport report;
  const State wished = s;
  forget_accelerations(system, s);
  s.lambda.setZero();
  assemble_positions(system, solver, s, report);
  finish_start(system, solver, wished, s, report);
  return report;
}

StartReport consistent_start(const Model& model, const System& system, SolverType solver, State& s) {
  const auto is_special = [](const Body& b) { return b.fixed || b.weight != 1 || b.part; };
  StartReport report;
  if (std::none_of(model.bodies.begin(), model.bodies.end(), is_special)) {
    report = consistent_start(system, solver, s);
  } else {
    const State wished = s;
    const System other = assemble_variant(weighted(model));
    State positions = other.make_state();
    positions.t = s.t;
    positions.q = s.q;
    assemble_positions(other, solver, positions, report);
    s.q = positions.q;
    forget_accelerations(system, s);
    s.lambda.setZero();
    finish_start(system, solver, wished, s, report);
  }
  if (model.align > 0) {
    const AlignedJoints all = find_alignment(model, kMostAligned);
    std::vector<AxisTurn> turns;  // of these, within the angle of the model
    if (!all.turns.empty()) turns = find_alignment(model, model.align).turns;
    report.aligned = alignment_remarks(turns);
    if (const std::string askew = find_askew_axes(model, all, turns, system, s, report.assembled); !askew.empty())
      report.problem = askew;
  }
  if (report.problem.empty()) report.problem = find_jumps(model);
  if (report.assembled) report.turned_round = joints_turned_round(system, s);
  return report;
}

}  // namespace bricard
