// SPDX-License-Identifier: Apache-2.0
#include "bricard/assemble/control.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "bricard/assemble/assemble.h"
#include "bricard/elements/differential_states.h"
#include "bricard/elements/velocity_constraints.h"

namespace bricard {
namespace {

using Eigen::MatrixXd;

constexpr double kNoReset =
    1;  // s: time constant with which the integral of a PID without proportional part leaves its limits

/// ẋ = A x + B u with inputs u by formulas, and outputs by formulas in names of states and of inputs.
struct Block {
  std::string name, path;
  Place place;
  MatrixXd A, B;
  std::vector<Expression> rates;  ///< u
  Numbers start;
  std::vector<std::string> states;                              ///< their names
  std::vector<std::pair<std::string, Expression>> definitions;  ///< inputs and outputs by name
  std::vector<std::string> outputs;
};

/// A formula written in placeholders, with numbers by name; the placeholders then get the names that they stand for.
Expression formula_in(const std::string& text, const std::map<std::string, double>& numbers,
                      const std::map<std::string, std::string>& placeholders) {
  ExpressionScope scope;
  scope.constants = &numbers;
  for (const auto& [name, meaning] : placeholders) scope.variables.push_back(name);
  return Expression::parse(text, scope).renamed(placeholders);
}

/// Σ cᵢ nameᵢ
Expression sum_of(const std::vector<std::pair<double, std::string>>& terms) {
  std::string text = "0";
  std::map<std::string, std::string> names;
  for (size_t i = 0; i < terms.size(); ++i) {
    if (terms[i].first == 0) continue;
    names[fmt::format("n{}", i)] = terms[i].second;
    text += fmt::format("+({:.17g})*n{}", terms[i].first, i);
  }
  return formula_in(text, {}, names);
}

Expression name_alone(const std::string& name) { return sum_of({{1, name}}); }

MatrixXd matrix_of(const std::vector<Numbers>& rows, size_t columns) {
  MatrixXd M = MatrixXd::Zero(static_cast<Eigen::Index>(rows.size()), static_cast<Eigen::Index>(columns));
  for (size_t i = 0; i < rows.size(); ++i)
    for (size_t j = 0; j < columns; ++j) M(i, j) = rows[i][j];
  return M;
}

void add_linear_outputs(const MatrixXd& C, const MatrixXd& D, const std::vector<std::string>& inputs,
                        const std::vector<std::string>& outputs, Block& block) {
  for (Eigen::Index i = 0; i < C.rows(); ++i) {
    std::vector<std::pair<double, std::string>> terms;
    for (Eigen::Index j = 0; j < C.cols(); ++j) terms.emplace_back(C(i, j), block.states[j]);
    for (Eigen::Index j = 0; j < D.cols(); ++j) terms.emplace_back(D(i, j), inputs[j]);
    block.definitions.emplace_back(outputs[i], sum_of(terms));
    block.outputs.push_back(outputs[i]);
  }
}

Numbers without_leading_zeros(Numbers p) {
  p.erase(p.begin(), std::find_if(p.begin(), p.end(), [](double c) { return c != 0; }));
  return p;
}

// Controller form: x₁ … xₙ with ẋᵢ = xᵢ₊₁, ẋₙ = u − (a₀ x₁ + … + aₙ₋₁ xₙ),  y = Σ (bᵢ − d aᵢ) xᵢ₊₁ + d u,  aₙ = 1
Block make_block(const TransferFunction& f) {
  Numbers a = without_leading_zeros(f.denominator), b = without_leading_zeros(f.numerator);
  const int n = static_cast<int>(a.size()) - 1;
  b.insert(b.begin(), a.size() - b.size(), 0.0);
  const double lead = a[0];
  for (double& c : a) c /= lead;
  for (double& c : b) c /= lead;
  Block block{f.name, "controllers." + f.name, f.place, MatrixXd::Zero(n, n), MatrixXd::Zero(n, 1), {}, {}, {}, {}, {}};
  MatrixXd C(1, n);
  for (int i = 0; i < n; ++i) {
    block.states.push_back(fmt::format("{}.x{}", f.name, i + 1));
    if (i + 1 < n) block.A(i, i + 1) = 1;
    block.A(n - 1, i) = -a[n - i];
    C(0, i) = b[n - i] - b[0] * a[n - i];
  }
  if (n > 0) block.B(n - 1, 0) = 1;
  const std::string input = f.name + ".input";
  block.definitions.emplace_back(input, f.input.formula);
  block.rates = {name_alone(input)};
  add_linear_outputs(C, MatrixXd::Constant(1, 1, b[0]), {input}, {f.name}, block);
  return block;
}

Block make_block(const StateSpace& f) {
  const size_t n = f.A.size(), m = f.inputs.size();
  Block block{f.name, "controllers." + f.name, f.place, matrix_of(f.A, n), matrix_of(f.B, m), {}, f.start, {}, {}, {}};
  for (size_t i = 0; i < n; ++i) block.states.push_back(fmt::format("{}.x{}", f.name, i + 1));
  std::vector<std::string> inputs;
  for (size_t i = 0; i < m; ++i) {
    inputs.push_back(m == 1 ? f.name + ".input" : fmt::format("{}.input{}", f.name, i + 1));
    block.definitions.emplace_back(inputs.back(), f.inputs[i].formula);
    block.rates.push_back(name_alone(inputs.back()));
  }
  const MatrixXd C = matrix_of(f.C, n),
                 D = f.D.empty() ? MatrixXd::Zero(C.rows(), static_cast<Eigen::Index>(m)) : matrix_of(f.D, m);
  add_linear_outputs(C, D, inputs, output_names(f), block);
  return block;
}

//     y* = k_p e + k_i x_i + k_d (e − x_d)/T,   y = y* within the limits,   ẋ_i = e + (y − y*)/(k_i T_t),   ẋ_d = (e − x_d)/T
// T_t = k_p/k_i: the integral waits while the output is held at a limit, and leaves it without delay.
Block make_block(const Pid& f) {
  Block block{f.name, "controllers." + f.name, f.place, {}, {}, {}, {}, {}, {}, {}};
  const std::string input = f.name + ".input", free = f.name + ".unlimited", integral = f.name + ".integral",
                    filter = f.name + ".filter";
  std::map<std::string, double> numbers{
      {"p", f.proportional}, {"i", f.integral}, {"d", f.derivative}, {"T", f.filter.value_or(1)}};
  const std::map<std::string, std::string> names{
      {"err", input}, {"xi", integral}, {"xd", filter}, {"free", free}, {"out", f.name}};
  std::string text = "p*err";
  block.definitions.emplace_back(input, f.input.formula);
  if (f.integral != 0) {
    text += "+i*xi";
    block.states.push_back(integral);
    const double reset = f.proportional != 0 ? std::abs(f.proportional) : kNoReset * std::abs(f.integral);
    numbers["b"] = (f.integral > 0 ? 1 : -1) / reset;
    block.rates.push_back(f.limits ? formula_in("err+b*(out-free)", numbers, names) : name_alone(input));
  }
  if (f.derivative != 0) {
    text += "+d*(err-xd)/T";
    block.states.push_back(filter);
    block.rates.push_back(formula_in("(err-xd)/T", numbers, names));
  }
  block.definitions.emplace_back(f.limits ? free : f.name, formula_in(text, numbers, names));
  if (f.limits) {
    numbers["lowest"] = (*f.limits)[0], numbers["highest"] = (*f.limits)[1];
    block.definitions.emplace_back(f.name, formula_in("min(max(free,lowest),highest)", numbers, names));
  }
  const auto n = static_cast<Eigen::Index>(block.states.size());
  block.A = MatrixXd::Zero(n, n);
  block.B = MatrixXd::Identity(n, n);
  block.outputs = {f.name};
  return block;
}

std::vector<Block> make_blocks(const Model& model) {
  std::vector<Block> blocks;
  for (const TransferFunction& f : model.transfer_functions) blocks.push_back(make_block(f));
  for (const StateSpace& f : model.state_spaces) blocks.push_back(make_block(f));
  for (const Pid& f : model.pids) blocks.push_back(make_block(f));
  return blocks;
}

/// Loops must have a solution at the start.
void check_loops(const Model& model, const System& system) {
  State wishes;
  const Kinematics k = wished_frames(model, system, wishes);
  for (const NamedValue& w : system.variables) {
    if (std::isfinite(w.value->values(k)[0])) continue;
    for (const Variable& v : model.variables)
      if (v.name == w.name)
        throw ModelError(
            {{v.place,
              fmt::format("variables.{}: no solution of {} = {} was found at the start, looking from {:.4g} on; give "
                          "another 'guess'",
                          v.name, v.name, v.value.formula.text(), v.guess.value)}});
  }
}

}  // namespace

static_assert(kMostBlockInputs <= MeasuredFormulas::kMaxFormulas);

std::vector<std::string> output_names(const StateSpace& block) {
  return block.outputs.empty() ? std::vector<std::string>{block.name} : block.outputs;
}

void add_inputs_and_states(const Model& model, System& system) {
  for (const Input& u : model.inputs) system.inputs.push_back({u.name, u.unit, u.value});
  for (const DifferentialEquation& e : model.states) {
    StateInfo info{e.name, e.unit};
    info.start = e.start, info.start_rate = e.start_rate, info.implicit = e.equation.has_value();
    info.scale = e.scale ? e.scale->value : e.start.value != 0 ? std::abs(e.start.value) : 1;
    system.add_states({info});
  }
  for (const Block& block : make_blocks(model)) {
    std::vector<StateInfo> infos;
    for (size_t i = 0; i < block.states.size(); ++i) {
      StateInfo& info = infos.emplace_back(StateInfo{block.states[i], ""});
      info.start = i < block.start.size() ? block.start[i] : 0;
      info.scale = info.start != 0 ? std::abs(info.start) : 1;
    }
    if (!infos.empty()) system.add_states(infos);
  }
}

void define_names(const Model& model, FormulaBinder& binder) {
  for (const Variable& v : model.variables)
    binder.define(v.name, {v.value.formula, v.guess, v.place, "variables." + v.name});
  for (const Block& block : make_blocks(model))
    for (const auto& [name, formula] : block.definitions) binder.define(name, {formula, 0, block.place, block.path});
}

void add_differential_equations(const Model& model, System& system, FormulaBinder& binder) {
  std::vector<DifferentialStates::Item> items;
  size_t next = 0;
  const auto add_item = [&](MatrixXd A, MatrixXd B, bool implicit, MeasuredFormulas u) {
    DifferentialStates::Item& e = items.emplace_back();
    e.block = system.states[next].block, e.v = system.states[next].v;
    e.A = std::move(A), e.B = std::move(B), e.implicit = implicit, e.u = std::move(u);
    for (int i = 0; i < e.size(); ++i, ++next)
      e.signals.push_back({system.states[next].name, system.states[next].unit});
  };
  for (const DifferentialEquation& e : model.states) {
    const Expression& formula = e.equation ? e.equation->formula : e.rate->formula;
    const auto bound = binder.bind_force({formula}, {}, e.place, "states." + e.name);
    system.laws["states." + e.name] = std::make_shared<const MeasuredFormulas>(bound);
    add_item(MatrixXd::Zero(1, 1), MatrixXd::Ones(1, e.equation ? 0 : 1), e.equation.has_value(), bound);
  }
  const auto show = [&](const std::string& name, const std::string& unit, const Place& place, const std::string& path) {
    system.variables.push_back(
        {name, unit, std::make_shared<const MeasuredFormulas>(binder.bind({name_alone(name)}, {}, place, path))});
  };
  for (const Input& u : model.inputs) show(u.name, u.unit, u.place, "inputs." + u.name);
  for (const Variable& v : model.variables) show(v.name, v.unit, v.place, "variables." + v.name);
  for (const Block& block : make_blocks(model)) {
    if (!block.states.empty())
      add_item(block.A, block.B, false, binder.bind_force(block.rates, {}, block.place, block.path));
    for (const std::string& output : block.outputs) show(output, "", block.place, block.path);
  }
  if (!items.empty()) system.add(std::make_unique<DifferentialStates>(std::move(items)));
  if (!model.variables.empty()) check_loops(model, system);
}

void add_velocity_rows(const Model& model, System& system) {
  for (const VelocityConstraint& c : model.velocity_constraints) {
    const int row = system.row_of(system.add_multipliers(1));
    system.add_velocity_row(row);
    system.equations.push_back({EquationInfo::Kind::velocity, c.name, "velocity constraint", row, 1});
  }
}

void add_velocity_constraints(const Model& model, System& system, FormulaBinder& binder) {
  std::vector<VelocityConstraints::Item> items;
  for (const VelocityConstraint& c : model.velocity_constraints) {
    const std::string path = "velocity_constraints." + c.name;
    VelocityConstraints::Item& e = items.emplace_back();
    const auto own = [&](const EquationInfo& i) { return i.kind == EquationInfo::Kind::velocity && i.name == c.name; };
    e.place.row = std::find_if(system.equations.begin(), system.equations.end(), own)->first_row;
    for (size_t b = 0; b < system.blocks().size(); ++b)
      if (system.blocks()[b].multiplier && system.row_of(static_cast<int>(b)) == e.place.row)
        e.place.multipliers = static_cast<int>(b);
    e.formula = binder.bind({c.formula.formula}, {}, c.place, path);
    if (const std::string fault = VelocityConstraints::fault_of(e.formula); !fault.empty())
      throw ModelError({{c.place, path + ": " + fault}});
    const Dimension& d = c.formula.formula.dimension();
    const bool turns = d.power[Dimension::length] == 0 && d.power[Dimension::time] == -1;
    e.factor = turns ? system.reference_length : 1;
    e.signal = {c.name + (turns ? ".torque" : ".force"), turns ? "N*m" : "N"};
  }
  if (!items.empty()) system.add(std::make_unique<VelocityConstraints>(system, std::move(items)));
}

}  // namespace bricard
