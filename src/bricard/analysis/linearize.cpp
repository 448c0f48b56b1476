// SPDX-License-Identifier: Apache-2.0
#include "bricard/analysis/linearize.h"

#include <fmt/format.h>

#include <algorithm>

#include "bricard/assemble/assemble.h"

namespace bricard {
namespace {

std::string rate_unit(const std::string& unit) { return unit.empty() ? "1/s" : unit + "/s"; }

//     M̂ = u_Wᵀ M u_W,   C = −M̂ Ẇ_W,   K = −M̂ Ẇ_S                      [NegrutOrtiz2006, eqs. (29), (30)]
void add_mass_form(const LinearEquations& equations, const Sensitivities& y, Linearization& lin) {
  const int z0 = static_cast<int>(lin.positions.size());
  std::vector<int> with_mass;
  for (size_t i = 0; i < lin.velocities.size(); ++i)
    if (!lin.velocities[i].differential) with_mass.push_back(z0 + static_cast<int>(i));
  const MatrixXd u_W = y.v(Eigen::all, with_mass);
  lin.mass = u_W.transpose() * (equations.mass() * u_W);
  const MatrixXd W_rows = lin.A(with_mass, Eigen::all);
  lin.damping = -lin.mass * W_rows(Eigen::all, with_mass);
  lin.stiffness = -lin.mass * W_rows.leftCols(z0);
}

/// Numbers of signals; all if none is named.
std::vector<int> chosen_outputs(const Model& model, const std::vector<Reference>& wanted) {
  std::vector<int> chosen;
  if (wanted.empty())
    for (size_t i = 0; i < model.signals.size(); ++i) chosen.push_back(static_cast<int>(i));
  for (const Reference& r : wanted) {
    const auto named = [&](const Signal& s) { return s.name == r.name; };
    const auto found = std::find_if(model.signals.begin(), model.signals.end(), named);
    if (found == model.signals.end()) throw ModelError({{r.place, fmt::format("unknown signal '{}'", r.name)}});
    chosen.push_back(static_cast<int>(found - model.signals.begin()));
  }
  return chosen;
}

/// Numbers of inputs; all if none is named.
std::vector<int> chosen_inputs(const System& system, const std::vector<Reference>& wanted) {
  std::vector<int> chosen;
  for (size_t i = 0; i < system.inputs.size(); ++i)
    if (wanted.empty()) chosen.push_back(static_cast<int>(i));
  for (const Reference& r : wanted) {
    const auto named = [&](const InputInfo& input) { return input.name == r.name; };
    const auto found = std::find_if(system.inputs.begin(), system.inputs.end(), named);
    if (found == system.inputs.end()) throw ModelError({{r.place, fmt::format("unknown input '{}'", r.name)}});
    chosen.push_back(static_cast<int>(found - system.inputs.begin()));
  }
  return chosen;
}

/// What an output sees of a response.
struct OutputRow {
  std::shared_ptr<const MeasuredFormulas> formula;
  FormulaRow row;
  Eigen::RowVectorXd of(const Sensitivities& y) const {
    return row.q.transpose() * y.q + row.v.transpose() * y.v + row.a.transpose() * y.a +
           row.lambda.transpose() * y.lambda;
  }
};

// An input is a force −∂r/∂u on the right-hand side while all states stay as they are.
void add_inputs(const LinearEquations& equations, const System& system, const Kinematics& k,
                const std::vector<int>& inputs, const std::vector<OutputRow>& outputs, Linearization& lin) {
  const int count = static_cast<int>(inputs.size());
  MatrixXd forces(system.velocities(), count);
  Residual r = system.make_residual();
  for (int i = 0; i < count; ++i) {
    const InputInfo& input = system.inputs[inputs[i]];
    lin.inputs.push_back({input.name, input.unit});
    system.input_derivative(k, inputs[i], r);
    forces.col(i) = -r.motion.head(system.velocities());
    if (!r.constraint.isZero(0))
      throw ModelError(
          {{{},
            fmt::format("input '{}' stands in a velocity constraint: accelerations then depend on its rate, which "
                        "linear equations in the input itself do not have",
                        input.name)}});
  }
  const Sensitivities y = equations.respond(MatrixXd::Zero(lin.states(), count), &forces);
  lin.B = equations.rates(y);
  lin.D = MatrixXd::Zero(static_cast<int>(outputs.size()), count);
  for (size_t o = 0; o < outputs.size(); ++o)
    for (int i = 0; i < count; ++i)
      lin.D(static_cast<int>(o), i) = outputs[o].of(y)[i] + outputs[o].formula->input_derivatives(k, inputs[i])[0];
}

}  // namespace

std::vector<NamedQuantity> Linearization::state_names() const {
  std::vector<NamedQuantity> names;
  for (const LinearCoordinate& c : positions) names.push_back({c.name, c.unit});
  for (const LinearCoordinate& c : velocities)
    names.push_back(c.differential ? NamedQuantity{c.name, c.unit} : NamedQuantity{c.name + "'", rate_unit(c.unit)});
  return names;
}

LinearizeOptions linearize_options(const Model& model, const LinearizationSettings& settings, System& system) {
  return {bind_states(model, settings.states, system), find_marker(model, settings.reference)};
}

Linearization linearize(const LinearEquations& equations, const Model& model, const LinearizationSettings& settings,
                        const System& system, const State& s) {
  Linearization lin;
  lin.report = equations.report();
  lin.positions = equations.positions();
  lin.velocities = equations.velocities();
  if (!lin.report.problem.empty()) return lin;
  const int size = lin.states();
  const Sensitivities y = equations.respond(MatrixXd::Identity(size, size));
  lin.A = equations.rates(y);
  lin.shapes = y.q;
  add_mass_form(equations, y, lin);
  const std::vector<int> outputs = chosen_outputs(model, settings.outputs);
  Kinematics k = system.make_kinematics();
  system.update(s, k);
  std::vector<OutputRow> rows;
  lin.C.resize(static_cast<int>(outputs.size()), size);
  for (size_t i = 0; i < outputs.size(); ++i) {
    const Signal& signal = model.signals[outputs[i]];
    lin.outputs.push_back({signal.name, signal.unit});
    rows.push_back({system.signals[outputs[i]], formula_row(system, k, *system.signals[outputs[i]])});
    lin.C.row(static_cast<int>(i)) = rows.back().of(y);
  }
  add_inputs(equations, system, k, chosen_inputs(system, settings.inputs), rows, lin);
  return lin;
}

}  // namespace bricard
