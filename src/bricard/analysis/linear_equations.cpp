// SPDX-License-Identifier: Apache-2.0
#include "bricard/analysis/linear_equations.h"

#include <fmt/format.h>

#include <Eigen/KLUSupport>
#include <algorithm>
#include <cmath>
#include <set>

namespace bricard {
namespace {

constexpr double kAtRest = 1e-9;      // of velocities and accelerations, per reference length and s or s²
constexpr double kConsistent = 1e-6;  // of equations that were left out
constexpr int kBlock = 64;            // right-hand sides at once
constexpr double kCertain = 10;       // standard deviations: what is larger than so many is not round-off
constexpr const char* kAxes[] = {"x", "y", "z", "rx", "ry", "rz"};

using Triplets = std::vector<Eigen::Triplet<double>>;

void add(const SparseRows& part, int row, int column, double factor, Triplets& entries) {
  for (int i = 0; i < part.rows(); ++i)
    for (SparseRows::InnerIterator e(part, i); e; ++e)
      if (e.value() != 0) entries.emplace_back(row + i, column + static_cast<int>(e.col()), factor * e.value());
}

RowLevels chosen(const RowLevels& all, const std::vector<int>& rows) {
  return {chosen_rows(all.position_q, rows),     chosen_rows(all.velocity_v, rows),
          chosen_rows(all.velocity_q, rows),     chosen_rows(all.acceleration_a, rows),
          chosen_rows(all.acceleration_v, rows), chosen_rows(all.acceleration_q, rows)};
}

/// Whether a formula has to be followed even while nothing moves.
bool uses_time(const std::vector<UserState>& states) {
  return std::any_of(states.begin(), states.end(),
                     [](const UserState& s) { return s.formula->formulas[0].uses_time(); });
}

}  // namespace

// Columns are ordered by COLAMD: the table is far from symmetric, for which AMD fills in more and more.
struct LinearEquations::Factor {
  Eigen::KLU<Eigen::SparseMatrix<double>> lu;
  Factor() { lu.kluCommon().ordering = 1; }
};

LinearEquations::~LinearEquations() = default;

FormulaRow formula_row(const System& system, const Kinematics& k, const MeasuredFormulas& formula) {
  const std::vector<Matrix3d> chart(system.nodes().size(), Matrix3d::Identity());
  const int n = system.velocities();
  Weights of_q, of_v, of_a;
  of_q.q = 1;
  of_v.v = of_v.x = 1;
  of_a.a = of_a.x_rate = of_a.constraint = 1;
  const VectorXd by_a = formula.row(system, k, of_a, chart.data());
  return {formula.row(system, k, of_q, chart.data()).head(n), formula.row(system, k, of_v, chart.data()).head(n),
          by_a.head(n), by_a.tail(system.multipliers())};
}

LinearEquations::LinearEquations(const System& system, const State& s, const LinearizeOptions& options)
    : system_(system), s_(s), options_(options) {
  Kinematics k = system.make_kinematics();
  system.update(s, k);
  SparseTangent tangent(system);
  tangent.evaluate(k, 0, 0, 1);
  parts_.M = tangent.S();
  tangent.evaluate(k, 0, 1, 0);
  parts_.C = tangent.S();
  tangent.evaluate(k, 1, 0, 0);
  parts_.K = tangent.S();
  const SparseRows P = tangent.reactions();

  for (const Manifold::Block& b : system.manifold().blocks())
    for (int i = 0; b.kind == Manifold::Kind::state && i < b.size; ++i) excluded_.push_back(b.v + i);
  const MotionCurve curve(system, s);
  const auto follow = [&](double row_q) {
    return curve.follow(
        [&](const Kinematics& there) {
          tangent.evaluate(there, 0, 0, 0, 1, row_q);
          return tangent.G();
        },
        !system.velocity_rows().empty());
  };
  const MovingRows constraints = follow(0);  // G, and H of velocity rows
  choose(constraints.value);
  const size_t n = system.velocities();
  if (position_rows_.size() + excluded_.size() + positions_.size() != n ||
      velocity_rows_.size() + velocities_.size() != n) {
    report_.problem =
        "the joints' equations hold within round-off only, so that it cannot be told which coordinates are "
        "free: look for lengths or axes of very different sizes, and leave out reference_length";
    return;
  }
  RowLevels all = curve.levels(constraints);
  if (!system.velocity_rows().empty()) {
    const MovingRows with_positions = follow(1);  // H + ∂y/∂q
    const MovingRows y_q{with_positions.value - constraints.value, with_positions.rate - constraints.rate, {}};
    curve.replace_velocity_rows(constraints, y_q, all);
  }
  parts_.at_positions = chosen(all, position_rows_);
  parts_.at_velocities = chosen(all, velocity_rows_);
  parts_.P = chosen_rows(P, velocity_rows_);
  parts_.S = state_levels(curve, positions_);
  parts_.W = state_levels(curve, velocities_);
  const VectorXd u = usual_sizes();
  const auto matrix = [&](const SparseRows& rows) { return round_off_of(rows, u); };
  const auto of_rows = [&](const RowLevels& l) { return curve.errors_of(l, u, !system.velocity_rows().empty()); };
  const auto of_states = [&](const RowLevels& l) { return curve.errors_of(l, u, uses_time(options_.states)); };
  errors_ = {matrix(parts_.M),
             matrix(parts_.C),
             matrix(parts_.K),
             matrix(parts_.P),
             of_rows(parts_.at_positions),
             of_rows(parts_.at_velocities),
             of_states(parts_.S),
             of_states(parts_.W),
             0};
  factor_ = std::make_unique<Factor>();
  factor_->lu.compute(table(Form::plain, 0));
  if (factor_->lu.info() != Eigen::Success)
    report_.problem = "the accelerations do not follow from the forces: check that everything that can move has mass";
  else add_remarks(curve, all);
}

/// By which columns of velocities are compared: a length, a radian, and what states of the model usually are.
VectorXd LinearEquations::usual_sizes() const {
  VectorXd sizes = VectorXd::Constant(system_.velocities(), system_.reference_length);
  for (const Manifold::Block& b : system_.manifold().blocks())
    if (b.kind == Manifold::Kind::rotation) sizes.segment(b.v, b.size).setOnes();
  for (const StateInfo& x : system_.states) sizes[x.v] = x.scale;
  return sizes;
}

VectorXd LinearEquations::state_sizes() const {
  const VectorXd of_column = usual_sizes();
  VectorXd sizes(size());
  for (int i = 0; i < size(); ++i) {
    const int z0 = static_cast<int>(positions_.size());
    const LinearCoordinate& c = i < z0 ? positions_[i] : velocities_[i - z0];
    sizes[i] = c.column >= 0 ? of_column[c.column] : c.unit == "m" ? system_.reference_length : 1;
  }
  return sizes;
}

/// User states are functions of positions: one that sees more cannot be a coordinate.
SparseRows LinearEquations::user_rows(const Kinematics& k) const {
  Triplets entries;
  for (size_t u = 0; u < options_.states.size(); ++u) {
    const FormulaRow row = formula_row(system_, k, *options_.states[u].formula);
    for (int j = 0; j < row.q.size(); ++j)
      if (row.q[j] != 0) entries.emplace_back(static_cast<int>(u), j, row.q[j]);
  }
  SparseRows rows(static_cast<int>(options_.states.size()), system_.velocities());
  rows.setFromTriplets(entries.begin(), entries.end());
  return rows;
}

// A body's deviation from its undisturbed motion, in the axes R of the reference marker as they move undisturbed:
//     Rᵀ δp,   Rᵀ R_B δθ
SparseRows LinearEquations::state_rows(const Kinematics& k, const std::vector<LinearCoordinate>& states) const {
  const Matrix3d R = k.frames[options_.reference.node].R * options_.reference.R;
  std::vector<int> node_of(system_.velocities(), -1);
  for (size_t n = 1; n < system_.nodes().size(); ++n)
    if (system_.nodes()[n].block >= 0) std::fill_n(node_of.begin() + system_.nodes()[n].v, 6, static_cast<int>(n));
  const SparseRows users = user_rows(k);
  Triplets entries;
  for (size_t i = 0; i < states.size(); ++i) {
    const int row = static_cast<int>(i), column = states[i].column;
    if (states[i].user >= 0) {
      for (SparseRows::InnerIterator e(users, states[i].user); e; ++e) entries.emplace_back(row, e.col(), e.value());
    } else if (const int node = node_of[column]; node >= 0) {
      const int v = system_.nodes()[node].v, axis = column - v;
      const Vector3d along =
          axis < 3 ? Vector3d(R.col(axis)) : Vector3d(k.frames[node].R.transpose() * R.col(axis - 3));
      for (int j = 0; j < 3; ++j) entries.emplace_back(row, v + (axis < 3 ? 0 : 3) + j, along[j]);
    } else {
      entries.emplace_back(row, column, 1);
    }
  }
  SparseRows rows(static_cast<int>(states.size()), system_.velocities());
  rows.setFromTriplets(entries.begin(), entries.end());
  return rows;
}

RowLevels LinearEquations::state_levels(const MotionCurve& curve, const std::vector<LinearCoordinate>& states) const {
  return curve.levels(
      curve.follow([&](const Kinematics& k) { return state_rows(k, states); }, uses_time(options_.states)));
}

/// Columns in the axes of the reference marker: δq = D η, J D is what the choice is made from.
void LinearEquations::choose(const SparseRows& constraints) {
  Kinematics k = system_.make_kinematics();
  system_.update(s_, k);
  std::vector<LinearCoordinate> all(system_.velocities());
  for (int c = 0; c < system_.velocities(); ++c) all[c].column = c;
  const SparseRows D = state_rows(k, all).transpose();  // orthogonal
  const SparseRows of_velocities = constraints * D, users = user_rows(k) * D;
  SparseRows of_positions = of_velocities;
  std::vector<char> on_velocities(system_.multipliers(), false);
  for (const int row : system_.velocity_rows()) on_velocities[row] = true;
  of_positions.prune([&](int row, int, double) { return !on_velocities[row]; });
  std::vector<std::string> names;
  for (const UserState& u : options_.states) names.push_back(u.name);
  const LevelChoice at_positions = choose_states(system_, of_positions, users, names, excluded_);
  const bool same = excluded_.empty() && system_.velocity_rows().empty();
  const LevelChoice at_velocities = same ? at_positions : choose_states(system_, of_velocities, users, names, {});
  position_rows_ = at_positions.constraints;
  velocity_rows_ = at_velocities.constraints;
  report_.dropped = at_positions.dropped;
  for (const DroppedState& d : at_velocities.dropped)
    if (std::none_of(report_.dropped.begin(), report_.dropped.end(),
                     [&](const DroppedState& o) { return o.name == d.name; }))
      report_.dropped.push_back({d.name + "'", d.reason});
  std::set<std::string> owners;
  for (const int row : at_velocities.redundant) owners.insert(system_.row_name(row));
  report_.redundant.assign(owners.begin(), owners.end());
  name_states(at_positions, at_velocities);
}

void LinearEquations::name_states(const LevelChoice& at_positions, const LevelChoice& at_velocities) {
  std::vector<LinearCoordinate> all(system_.velocities());
  for (int c = 0; c < system_.velocities(); ++c) all[c] = {fmt::format("coordinate[{}]", c), "", -1, c, false};
  for (const FrameNode& node : system_.nodes())
    for (int axis = 0; node.block >= 0 && axis < 6; ++axis)
      all[node.v + axis] = {node.name + "." + kAxes[axis], axis < 3 ? "m" : "rad", -1, node.v + axis, false};
  for (const FlexibleInfo& body : system_.flexible)
    for (int i = 0; i < body.shapes; ++i)
      all[body.v + i] = {fmt::format("{}.mode{}", body.name, i + 1), "m", -1, body.v + i, false};
  for (const StateInfo& x : system_.states) all[x.v] = {x.name, x.unit, -1, x.v, true};
  const auto list = [&](const LevelChoice& choice) {
    std::vector<LinearCoordinate> states;
    for (const int u : choice.users) states.push_back({options_.states[u].name, options_.states[u].unit, u, -1, false});
    for (const int c : choice.columns) states.push_back(all[c]);
    return states;
  };
  positions_ = list(at_positions);
  velocities_ = list(at_velocities);
  if (!options_.states.empty())
    for (const int c : at_positions.columns) report_.added.push_back(all[c].name);
}

// Unknowns δa, δλ, δv, δq; below the equations of motion the constraints with the states at the level of velocities,
// then at that of positions.
Eigen::SparseMatrix<double> LinearEquations::table(Form form, double sigma) const { return table(parts_, form, sigma); }

Eigen::SparseMatrix<double> LinearEquations::table(const Parts& parts, Form form, double sigma) const {
  const int n = system_.velocities(), m = static_cast<int>(velocity_rows_.size());
  const int z1 = static_cast<int>(velocities_.size());
  const int of_lambda = n, of_v = n + m, of_q = 2 * n + m, size = 3 * n + m;
  Triplets entries;
  const auto add_accelerations = [&](const RowLevels& rows, int row) {
    add(rows.acceleration_a, row, 0, 1, entries);
    add(rows.acceleration_v, row, of_v, 1, entries);
    add(rows.acceleration_q, row, of_q, 1, entries);
  };
  const auto add_velocities = [&](const RowLevels& rows, int row, double factor) {
    add(rows.velocity_v, row, of_v, factor, entries);
    add(rows.velocity_q, row, of_q, factor, entries);
  };
  add(parts.M, 0, 0, 1, entries);
  add(parts.P.transpose(), 0, of_lambda, 1, entries);
  add(parts.C, 0, of_v, 1, entries);
  add(parts.K, 0, of_q, 1, entries);
  int row = n;
  add_accelerations(parts.at_velocities, row);
  row += m;
  add_velocities(parts.at_velocities, row, 1);
  row += m;
  add_velocities(parts.W, row, form == Form::shifted ? -sigma : 1);
  if (form == Form::shifted) add_accelerations(parts.W, row);
  row += z1;
  add(parts.at_positions.position_q, row, of_q, 1, entries);
  row += static_cast<int>(position_rows_.size());
  for (const int column : excluded_) entries.emplace_back(row++, of_q + column, parts.held);
  add(parts.S.position_q, row, of_q, form == Form::plain ? 1 : -sigma, entries);
  if (form == Form::shifted) add_velocities(parts.S, row, 1);
  if (form == Form::undamped) add_accelerations(parts.W, row);
  Eigen::SparseMatrix<double> A(size, size);
  A.setFromTriplets(entries.begin(), entries.end());
  return A;
}

Sensitivities LinearEquations::respond(const MatrixXd& x, const MatrixXd* forces) const {
  const int n = system_.velocities(), m = static_cast<int>(velocity_rows_.size());
  const int z0 = static_cast<int>(positions_.size()), z1 = static_cast<int>(velocities_.size());
  const Eigen::Index columns = x.cols();
  Sensitivities y{MatrixXd(n, columns), MatrixXd::Zero(system_.multipliers(), columns), MatrixXd(n, columns),
                  MatrixXd(n, columns)};
  for (Eigen::Index first = 0; first < columns; first += kBlock) {
    const Eigen::Index count = std::min<Eigen::Index>(kBlock, columns - first);
    MatrixXd rhs = MatrixXd::Zero(3 * n + m, count);
    if (forces) rhs.topRows(n) = forces->middleCols(first, count);
    rhs.middleRows(n + 2 * m, z1) = x.middleCols(first, count).bottomRows(z1);
    rhs.bottomRows(z0) = x.middleCols(first, count).topRows(z0);
    const MatrixXd solved = factor_->lu.solve(rhs);
    y.a.middleCols(first, count) = solved.topRows(n);
    y.v.middleCols(first, count) = solved.middleRows(n + m, n);
    y.q.middleCols(first, count) = solved.bottomRows(n);
    for (int i = 0; i < m; ++i) y.lambda.block(velocity_rows_[i], first, 1, count) = solved.row(n + i);
  }
  return y;
}

MatrixXd LinearEquations::rates(const Sensitivities& y) const {
  MatrixXd x(size(), y.q.cols());
  x << parts_.S.velocity_v * y.v + parts_.S.velocity_q * y.q,
      parts_.W.acceleration_a * y.a + parts_.W.acceleration_v * y.v + parts_.W.acceleration_q * y.q;
  return x;
}

// With T y = R and ẋ = c y:  δẋ = δc y − (c T⁻¹) δT y, a sum of independent errors, whose squares add up.
MatrixXd LinearEquations::rate_errors(const Sensitivities& y) const {
  const int n = system_.velocities(), m = static_cast<int>(velocity_rows_.size()), size_of_table = 3 * n + m;
  const int z0 = static_cast<int>(positions_.size()), z1 = static_cast<int>(velocities_.size());
  const auto rows_of = [&](const Parts& parts) {
    Triplets entries;
    add(parts.S.velocity_v, 0, n + m, 1, entries);
    add(parts.S.velocity_q, 0, 2 * n + m, 1, entries);
    add(parts.W.acceleration_a, z0, 0, 1, entries);
    add(parts.W.acceleration_v, z0, n + m, 1, entries);
    add(parts.W.acceleration_q, z0, 2 * n + m, 1, entries);
    SparseRows rows(z0 + z1, size_of_table);
    rows.setFromTriplets(entries.begin(), entries.end());
    return rows;
  };
  Factor adjoint;
  adjoint.lu.compute(Eigen::SparseMatrix<double>(table(Form::plain, 0).transpose()));
  MatrixXd sizes(size_of_table, y.q.cols());
  sizes << y.a, y.lambda(velocity_rows_, Eigen::all), y.v, y.q;
  sizes = sizes.cwiseAbs2().eval();
  const Eigen::SparseMatrix<double> of_table = table(errors_, Form::plain, 0).cwiseAbs2();
  const SparseRows of_rows = rows_of(errors_).cwiseAbs2();
  const MatrixXd weights = adjoint.lu.solve(MatrixXd(rows_of(parts_).transpose()));
  const MatrixXd squares = of_rows * sizes + weights.cwiseAbs2().transpose() * (of_table * sizes);
  return kCertain * squares.cwiseSqrt();
}

bool LinearEquations::factorize_shifted(double sigma) {
  shifted_ = std::make_unique<Factor>();
  shifted_->lu.compute(table(Form::shifted, sigma));
  return shifted_->lu.info() == Eigen::Success;
}

VectorXd LinearEquations::solve_shifted(const VectorXd& x) const {
  const int n = system_.velocities(), m = static_cast<int>(velocity_rows_.size()), size_of_table = 3 * n + m;
  const int z0 = static_cast<int>(positions_.size()), z1 = static_cast<int>(velocities_.size());
  VectorXd rhs = VectorXd::Zero(size_of_table);
  rhs.segment(n + 2 * m, z1) = x.tail(z1);
  rhs.tail(z0) = x.head(z0);
  const VectorXd solved = shifted_->lu.solve(rhs);
  VectorXd y(z0 + z1);
  const auto v = solved.segment(n + m, n);
  const auto q = solved.tail(n);
  y << parts_.S.position_q * q, parts_.W.velocity_v * v + parts_.W.velocity_q * q;
  return y;
}

bool LinearEquations::second_order() const {
  const auto is_rate = [&](const LinearCoordinate& c) { return !c.differential; };
  return positions_.size() == velocities_.size() && std::all_of(velocities_.begin(), velocities_.end(), is_rate);
}

bool LinearEquations::factorize_undamped(double sigma) {
  undamped_ = std::make_unique<Factor>();
  undamped_->lu.compute(table(Form::undamped, sigma));
  return undamped_->lu.info() == Eigen::Success;
}

VectorXd LinearEquations::solve_undamped(const VectorXd& x) const {
  const int n = system_.velocities(), m = static_cast<int>(velocity_rows_.size());
  VectorXd rhs = VectorXd::Zero(3 * n + m);
  rhs.tail(x.size()) = x;
  const VectorXd solved = undamped_->lu.solve(rhs);
  return parts_.S.position_q * solved.tail(n);
}

// Equations that were left out must hold by themselves also for what moves; where they do not, the constraints lose
// rank at this position only.
void LinearEquations::add_remarks(const MotionCurve& curve, const RowLevels& all) {
  const double length = system_.reference_length;
  double speed = 0, acceleration = 0;
  for (const FrameNode& node : system_.nodes()) {
    if (node.block < 0) continue;
    speed = std::max({speed, s_.v.segment<3>(node.v).norm() / length, s_.v.segment<3>(node.v + 3).norm()});
    acceleration =
        std::max({acceleration, s_.a.segment<3>(node.v).norm() / length, s_.a.segment<3>(node.v + 3).norm()});
  }
  if (speed > kAtRest && !curve.stands_still()) report_.remarks.push_back("linearized about a motion, not about rest");
  else if (acceleration > kAtRest)
    report_.remarks.push_back(
        fmt::format("the state is no equilibrium: accelerations of up to {:.3g} reference lengths or "
                    "radians per s² are taken as they are",
                    acceleration));
  if (size() == 0 || parts_.at_velocities.velocity_v.rows() == all.velocity_v.rows()) return;
  const VectorXd x = VectorXd::LinSpaced(size(), 0, size() - 1).array().sin();
  const Sensitivities y = respond(x);
  const VectorXd left = all.acceleration_a * y.a + all.acceleration_v * y.v + all.acceleration_q * y.q;
  const double scale = y.a.norm() + all.acceleration_v.norm() * y.v.norm() + all.acceleration_q.norm() * y.q.norm();
  std::set<std::string> owners;
  for (int i = 0; i < left.size(); ++i)
    if (std::abs(left[i]) > kConsistent * scale) owners.insert(system_.row_name(i));
  if (!owners.empty())
    report_.remarks.push_back(
        fmt::format("singular position: {} constrain more beside it than here, so that the linear "
                    "equations hold for motions through this position only",
                    fmt::join(owners, ", ")));
}

}  // namespace bricard
