// SPDX-License-Identifier: Apache-2.0
#include "bricard/elements/velocity_constraints.h"

#include <algorithm>
#include <cmath>
#include <random>
#include <set>

namespace bricard {
namespace {

using VelocityRow = VelocityConstraints::Item;
using Columns = std::vector<std::array<int, 3>>;
using Values = std::array<double, MeasuredFormulas::kMaxInputs>;

/// The inputs of the formula, in its order.
Values inputs_of(const Kinematics& k, const MeasuredFormulas& f) {
  Values x;
  for (size_t i = 0; i < f.inputs[0].size(); ++i) x[i] = f.measures[f.inputs[0][i]].value(k);
  return x;
}

/// ∂²f/∂xᵢ∂xⱼ by second derivatives along xᵢ, xⱼ and both.
double second_derivative(const Expression& f, double t, const Values& x, size_t i, size_t j) {
  std::array<TimeJet, MeasuredFormulas::kMaxInputs> line;
  const size_t n = f.inputs().size();
  const auto along = [&](bool first, bool second) {
    for (size_t c = 0; c < n; ++c) line[c] = {x[c], ((first && c == i) + (second && c == j)) * 1.0, 0};
    return f.jet({t, 0, 0}, line.data()).acceleration;
  };
  return 0.5 * (along(true, true) - along(true, false) - along(false, true));
}

/// ∂f/∂t, that of the inputs included.
double time_derivative(const Kinematics& k, const MeasuredFormulas& f, const Values& x) {
  std::array<TimeJet, MeasuredFormulas::kMaxInputs> line;
  for (size_t i = 0; i < f.inputs[0].size(); ++i) line[i] = {x[i], f.measures[f.inputs[0][i]].input_rate(k), 0};
  return f.formulas[0].jet({k.state->t, 1, 0}, line.data()).rate;
}

/// target += factor · source, whose columns belong to three frames.
template <class Target, class Source>
void add_row(Target&& target, const std::array<int, 3>& columns, double factor, const Source& source) {
  for (int m = 0; m < 3; ++m)
    if (columns[m] >= 0) target.template segment<6>(columns[m]) += factor * source.template segment<6>(6 * m);
}

/// y, H and ∂y/∂q; with K also  ∂(Hᵀ force)/∂q = force (Σᵢⱼ fᵢⱼ Jᵢᵀ ∂mⱼ/∂q + Σᵢ fᵢ ∂Jᵢᵀ/∂q),  H = Σᵢ fᵢ Jᵢ.
VelocityRows rows_of(const Kinematics& k, const VelocityRow& e, const Columns& columns) {
  const Expression& f = e.formula.formulas[0];
  const Values x = inputs_of(k, e.formula);
  Values by_input;
  VelocityRows rows;
  rows.positions = 0;
  const int n = 6 * static_cast<int>(e.place.nodes.size());
  rows.H.setZero(1, n);
  rows.Y.setZero(1, n);
  rows.value.resize(1);
  rows.value[0] = e.factor * f.gradient(k.state->t, x.data(), by_input.data());
  for (size_t i = 0; i < e.formula.inputs[0].size(); ++i) {
    const int m = e.formula.inputs[0][i];
    const VelocityForm form = e.formula.measures[m].velocity_form(k);
    add_row(rows.H.row(0), columns[m], e.factor * by_input[i], form.by_v.transpose());
    add_row(rows.Y.row(0), columns[m], e.factor * by_input[i], form.by_q.transpose());
  }
  return rows;
}

VelocityRows::Square stiffness_of(const Kinematics& k, const VelocityRow& e, const Columns& columns, double force) {
  const Expression& f = e.formula.formulas[0];
  const Values x = inputs_of(k, e.formula);
  Values by_input;
  f.gradient(k.state->t, x.data(), by_input.data());
  const int n = 6 * static_cast<int>(e.place.nodes.size());
  VelocityRows::Square K = VelocityRows::Square::Zero(n, n);
  for (size_t i = 0; i < e.formula.inputs[0].size(); ++i) {
    const int m = e.formula.inputs[0][i];
    if (!e.formula.measures[m].is_velocity()) continue;
    const VelocityForm form = e.formula.measures[m].velocity_form(k);
    Eigen::Matrix<double, 1, Eigen::Dynamic, Eigen::RowMajor, 1, 6 * kMaxVelocityNodes> by_q =
        Eigen::Matrix<double, 1, Eigen::Dynamic, Eigen::RowMajor, 1, 6 * kMaxVelocityNodes>::Zero(n);
    for (size_t j = 0; j < e.formula.inputs[0].size(); ++j) {
      const int other = e.formula.inputs[0][j];
      const double mixed = e.formula.measures[other].is_position() ? second_derivative(f, k.state->t, x, i, j) : 0;
      if (mixed != 0) add_row(by_q, columns[other], mixed, e.formula.measures[other].velocity_form(k).by_q.transpose());
    }
    for (int a = 0; a < 3; ++a) {
      if (columns[m][a] < 0) continue;
      for (int row = 0; row < 6; ++row) {
        auto target = K.row(columns[m][a] + row);
        target += e.factor * force * form.by_v[6 * a + row] * by_q;
        add_row(target, columns[m], e.factor * force * by_input[i], form.by_v_by_q.row(6 * a + row));
      }
    }
  }
  return K;
}

}  // namespace

VelocityConstraints::VelocityConstraints(const System& system, std::vector<VelocityRow> items)
    : items_(std::move(items)) {
  for (VelocityRow& e : items_) {
    Columns columns;
    for (const Measure& m : e.formula.measures) {
      std::array<int, 3> first{-1, -1, -1};
      const std::array<int, 3> blocks = m.frame_blocks();
      for (int i = 0; i < 3; ++i) {
        if (blocks[i] < 0) continue;
        const int node = m.markers()[i].node;
        const auto same = [&](const VelocityPlace::Node& n) { return n.node == node; };
        auto found = std::find_if(e.place.nodes.begin(), e.place.nodes.end(), same);
        if (found == e.place.nodes.end())
          found = e.place.nodes.insert(found, {node, system.v_of(node), system.block_of(node)});
        first[i] = 6 * static_cast<int>(found - e.place.nodes.begin());
      }
      columns.push_back(first);
    }
    columns_.push_back(columns);
  }
}

void VelocityConstraints::add_couplings(std::vector<Coupling>& couplings) const {
  for (const VelocityRow& e : items_) add_velocity_couplings(e.place, couplings);
}

void VelocityConstraints::add_residual(const Kinematics& k, Residual& r) const {
  for (size_t n = 0; n < items_.size(); ++n)
    add_velocity_residual(items_[n].place, rows_of(k, items_[n], columns_[n]), *k.state, r);
}

void VelocityConstraints::add_tangent(const Kinematics& k, Tangent& T) const {
  const Slot* slots = T.slots;
  for (size_t n = 0; n < items_.size(); ++n) {
    const VelocityRow& e = items_[n];
    const VelocityRows rows = rows_of(k, e, columns_[n]);
    const double force = velocity_forces(e.place, rows, *k.state, rate_of(T.w), penalty_of(T.w))[0];
    add_velocity_tangent(e.place, rows, stiffness_of(k, e, columns_[n], force), slots, T);
    slots += velocity_slots(e.place);
  }
}

void VelocityConstraints::add_constraint_rates(const Kinematics& k, VectorXd& rate, VectorXd& bias) const {
  for (size_t n = 0; n < items_.size(); ++n) {
    const VelocityRow& e = items_[n];
    const VelocityRows rows = rows_of(k, e, columns_[n]);
    rate[e.place.row] += rows.value[0];
    bias[e.place.row] += rows.Y.row(0).dot(velocities_of(e.place, k)) +
                         e.factor * time_derivative(k, e.formula, inputs_of(k, e.formula));
  }
}

//     ∂(Hᵀμ)/∂u = ℓ μ Σ fᵢᵤ Jᵢᵀ
void VelocityConstraints::add_input_derivative(const Kinematics& k, int input, Residual& r) const {
  for (size_t n = 0; n < items_.size(); ++n) {
    const VelocityRow& e = items_[n];
    const std::vector<int>& columns = e.formula.inputs[0];
    r.constraint[e.place.row] += e.factor * e.formula.input_derivatives(k, input)[0];
    const auto own =
        std::find_if(columns.begin(), columns.end(), [&](int m) { return e.formula.measures[m].input() == input; });
    if (own == columns.end()) continue;
    const Values x = inputs_of(k, e.formula);
    VelocityRows::Columns rows = VelocityRows::Columns::Zero(1, 6 * static_cast<Eigen::Index>(e.place.nodes.size()));
    for (size_t i = 0; i < columns.size(); ++i) {
      const Measure& m = e.formula.measures[columns[i]];
      if (!m.is_velocity()) continue;
      const double mixed =
          second_derivative(e.formula.formulas[0], k.state->t, x, i, static_cast<size_t>(own - columns.begin()));
      add_row(rows.row(0), columns_[n][columns[i]], e.factor * mixed, m.velocity_form(k).by_v.transpose());
    }
    for (size_t b = 0; b < e.place.nodes.size(); ++b)
      r.motion.segment<6>(e.place.nodes[b].v) +=
          k.state->lambda[e.place.row] * rows.block<1, 6>(0, 6 * static_cast<Eigen::Index>(b)).transpose();
  }
}

// −Hᵀμ does work if h₀ is not zero.
double VelocityConstraints::power(const Kinematics& k) const {
  double sum = 0;
  for (size_t n = 0; n < items_.size(); ++n) {
    const VelocityRows rows = rows_of(k, items_[n], columns_[n]);
    sum -= k.state->lambda[items_[n].place.row] * rows.H.row(0).dot(velocities_of(items_[n].place, k));
  }
  return sum;
}

void VelocityConstraints::list_signals(std::vector<ElementSignal>& signals) const {
  for (const VelocityRow& e : items_) signals.push_back(e.signal);
}

void VelocityConstraints::add_signals(const Kinematics& k, std::vector<double>& values) const {
  for (const VelocityRow& e : items_) values.push_back(-e.factor * k.state->lambda[e.place.row]);
}

VelocityConstraints::Seen VelocityConstraints::kind_of(MeasureQuantity quantity, int component) {
  using Q = MeasureQuantity;
  switch (quantity) {
    case Q::velocity:
    case Q::angular_velocity: return component == kMagnitude ? Seen::other : Seen::velocity;
    case Q::distance_rate:
    case Q::translation_rate: return Seen::velocity;
    case Q::position:
    case Q::angle:
    case Q::rotation_vector: return Seen::position;
    case Q::input: return Seen::input;
    default: return Seen::other;
  }
}

// Second derivatives along random velocities, at random places: none of them may be there.
std::string VelocityConstraints::fault_of(const Expression& f, const std::vector<Seen>& kinds) {
  for (size_t i = 0; i < kinds.size(); ++i) {
    if (kinds[i] != Seen::other) continue;
    const MeasureCall& call = f.inputs()[i];
    std::string text = call.function;
    for (size_t a = 0; a < call.arguments.size(); ++a) text += (a ? ", " : "(") + call.arguments[a];
    return "'" + text + (call.arguments.empty() ? "" : ")") +
           "' may not be used here; a condition on velocities is a formula in t, inputs, positions and components of "
           "velocities";
  }
  if (!std::count(kinds.begin(), kinds.end(), Seen::velocity))
    return "contains no velocity; a condition on positions is a joint, a coupler or a motion";
  std::mt19937 generator(1);
  std::uniform_real_distribution<double> uniform(-2, 2);
  for (int sample = 0; sample < 20; ++sample) {
    std::array<TimeJet, MeasuredFormulas::kMaxInputs> x;
    for (size_t i = 0; i < kinds.size(); ++i)
      x[i] = {uniform(generator), kinds[i] == Seen::velocity ? uniform(generator) : 0, 0};
    const TimeJet y = f.jet({uniform(generator), 0, 0}, x.data());
    if (std::abs(y.acceleration) > 1e-9 * (std::abs(y.rate) + std::abs(y.value))) return "must be linear in velocities";
  }
  return "";
}

std::string VelocityConstraints::fault_of(const MeasuredFormulas& measured) {
  std::vector<Seen> kinds;
  std::set<int> bodies;
  for (const int column : measured.inputs[0]) {
    const bool defined = column >= static_cast<int>(measured.measures.size());
    const Measure* m = defined ? nullptr : &measured.measures[column];
    kinds.push_back(!m                 ? Seen::other
                    : m->is_velocity() ? Seen::velocity
                    : m->is_position() ? Seen::position
                    : m->input() >= 0  ? Seen::input
                                       : Seen::other);
    if (m)
      for (const int block : m->frame_blocks()) bodies.insert(block);
  }
  bodies.erase(-1);
  if (bodies.size() > kMaxVelocityNodes) return "connects more than " + std::to_string(kMaxVelocityNodes) + " bodies";
  return fault_of(measured.formulas[0], kinds);
}

}  // namespace bricard
