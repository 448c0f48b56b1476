// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "bricard/check/checker.h"
#include "bricard/check/model_checks.h"

namespace bricard::io {
namespace {

bool uses(const Expression& formula, const std::string& name) {
  return std::any_of(formula.inputs().begin(), formula.inputs().end(),
                     [&](const MeasureCall& call) { return call.arguments.empty() && call.function == name; });
}

class ControlChecker : Checker {
 public:
  using Checker::Checker;

  void check(const DifferentialEquation& e) {
    const std::string path = "states." + e.name;
    const bool faulty = log_.is_faulty(path) || log_.is_faulty(path + ".rate") || log_.is_faulty(path + ".equation");
    if (e.rate.has_value() == e.equation.has_value() && !faulty)
      log_.fault(
          e.place, path,
          fmt::format("expected either 'rate', {0}' as a formula, or 'equation', a formula with {0}' that is zero",
                      e.name));
    if (e.equation && !uses(e.equation->formula, e.name + "'"))
      refuse(path, "equation",
             fmt::format("does not contain {0}', so that it cannot be solved for it; an equation without rates "
                         "belongs to 'variables'",
                         e.name));
    if (!e.equation) refuse(path, "start_rate", "has no meaning for a state with 'rate'");
    if (e.scale) require_range(Range::positive, path + ".scale", e.scale->value);
  }

  void check(const Pid& pid) {
    const std::string path = "controllers." + pid.name;
    if (pid.proportional == 0 && pid.integral == 0 && pid.derivative == 0)
      log_.fault(pid.place, path, "has no effect; give proportional or integral or derivative");
    if (pid.derivative != 0) need(path, pid.place, "filter", "time constant of the filter of the derivative, in s");
    else refuse(path, "filter", "has no meaning without 'derivative'");
    if (pid.filter && !(*pid.filter > 0)) refuse(path, "filter", fmt::format("is {}; must be > 0", *pid.filter));
    if (pid.limits && !((*pid.limits)[0] < (*pid.limits)[1]))
      refuse(path, "limits",
             fmt::format("the lowest output {} must be < the highest {}", (*pid.limits)[0], (*pid.limits)[1]));
  }

  void check(const TransferFunction& f) {
    const std::string path = "controllers." + f.name;
    const auto degree = [](const Numbers& p) {  // -1 if all are 0
      return p.end() - std::find_if(p.begin(), p.end(), [](double c) { return c != 0; }) - 1;
    };
    const auto top = degree(f.numerator), bottom = degree(f.denominator);
    for (const auto& [key, highest] : {std::pair{"denominator", bottom}, {"numerator", top}})
      if (highest < 0) return refuse(path, key, "must have a coefficient that is not 0");
    if (top > bottom)
      refuse(path, "numerator",
             fmt::format("is of degree {}, the denominator of degree {}; its degree must not be larger, or the output "
                         "would contain rates of the input",
                         top, bottom));
    if (bottom > kMostBlockStates)
      refuse(path, "denominator", fmt::format("is of degree {}; at most {} is possible", bottom, kMostBlockStates));
  }

  void check(const StateSpace& f) {
    const std::string path = "controllers." + f.name;
    const size_t n = f.A.size(), m = f.inputs.size(), p = f.C.size();
    if (m == 0 || m > size_t{kMostBlockInputs})
      return refuse(path, "inputs", fmt::format("expected 1 to {} formulas, found {}", kMostBlockInputs, m));
    if (n == 0 || n > size_t{kMostBlockStates})
      return refuse(path, "A", fmt::format("expected 1 to {} rows, found {}", kMostBlockStates, n));
    if (p == 0) return refuse(path, "C", "expected one row for each output");
    check_shape(path, "A", f.A, n, n, "states by states");
    check_shape(path, "B", f.B, n, m, "states by inputs");
    check_shape(path, "C", f.C, p, n, "outputs by states");
    if (!f.D.empty()) check_shape(path, "D", f.D, p, m, "outputs by inputs");
    if (!f.start.empty() && f.start.size() != n)
      refuse(path, "start", fmt::format("has {} numbers, expected {}, one for each state", f.start.size(), n));
    if (p > 1) need(path, f.place, "outputs", fmt::format("C has {} rows; name as many outputs", p));
    if (!f.outputs.empty() && f.outputs.size() != p)
      refuse(path, "outputs", fmt::format("has {} names, but C has {} rows", f.outputs.size(), p));
  }

 private:
  void check_shape(const std::string& path, const char* key, const std::vector<Numbers>& M, size_t rows, size_t columns,
                   const char* why) {
    if (M.size() != rows) return refuse(path, key, fmt::format("has {} rows, expected {}: {}", M.size(), rows, why));
    for (size_t i = 0; i < M.size(); ++i)
      if (M[i].size() != columns)
        return refuse(path, key,
                      fmt::format("row {} has {} numbers, expected {}: {}", i + 1, M[i].size(), columns, why));
  }
};

}  // namespace

void check_control(const Model& model, ReadLog& log) {
  ControlChecker checker(model, log);
  for (const DifferentialEquation& e : model.states) checker.check(e);
  for (const TransferFunction& f : model.transfer_functions) checker.check(f);
  for (const StateSpace& f : model.state_spaces) checker.check(f);
  for (const Pid& f : model.pids) checker.check(f);
}

}  // namespace bricard::io
