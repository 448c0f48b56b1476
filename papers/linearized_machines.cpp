// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "bricard/analysis/eigenmodes.h"
#include "bricard/analysis/simulate.h"
#include "papers/dense_matrices.h"
#include "papers/linearization.h"
#include "papers/reduced_equations.h"

// Machines of the size of those in the paper, with data of our own: their linear equations against differences of the
// reduced nonlinear equations and against differences of nonlinear motions.               [NegrutOrtiz2006]
namespace bricard {
namespace {

using Complex = std::complex<double>;
constexpr double kDisturbance = 1e-3;  // m or rad, of the reduced equations
constexpr double kSmallMotion = 2e-5;  // of states, for the motions
constexpr int kSteps = 40;             // of a motion that lasts a radian of the fastest mode

/// Φ(T) = ∂x(T)/∂x(0) by central differences of motions of the nonlinear model, which the integrator of highest order
/// finds.
MatrixXd differences_of_motions(const LinearCase& c, const ReducedEquations& reduced, double duration) {
  RunSettings run = c.read.model.run;
  run.integrator = IntegratorType::radau;
  run.rtol.reset();
  run.tolerance = 1e-12;
  run.duration = duration;
  run.output_step = duration;
  run.step = duration / kSteps;
  const auto end_of = [&](const VectorXd& x) {
    const Results results = simulate(*c.system, reduced.disturbed(x), run);
    if (!results.report.finished) throw std::runtime_error(results.report.stopped_because);
    return reduced.coordinates(results.samples.back().state);
  };
  const int size = c.equations->size();
  MatrixXd Phi(size, size);
  for (int j = 0; j < size; ++j) {
    const VectorXd small = kSmallMotion * VectorXd::Unit(size, j);
    Phi.col(j) = (end_of(small) - end_of(-small)) / (2 * kSmallMotion);
  }
  return Phi;
}

Complex nearest(const VectorXcd& all, const Complex& s) {
  return *std::min_element(all.begin(), all.end(),
                           [&](const Complex& a, const Complex& b) { return std::abs(a - s) < std::abs(b - s); });
}

/// Eigenvalues side by side; the largest relative difference.
double add_table(const std::string& title, const MatrixXd& A, const MatrixXd& differences, const std::string& verdict,
                 Study& study) {
  const auto exact = eigenpairs_of(A), numeric = eigenpairs_of(differences);
  std::vector<Complex> sorted(exact->values.begin(), exact->values.end());
  std::erase_if(sorted, [](const Complex& s) { return s.imag() < 0; });
  std::sort(sorted.begin(), sorted.end(), [](const Complex& a, const Complex& b) { return std::abs(a) < std::abs(b); });
  ReportTable table{title + ": eigenvalues in Hz",
                    {"undamped", "damping ratio", "real", "imaginary", "by differences of the reduced equations"},
                    {},
                    verdict};
  double worst = 0;
  for (const Complex& s : sorted) {
    const Complex near = nearest(numeric->values, s);
    worst = std::max(worst, std::abs(near - s) / std::abs(s));
    table.rows.push_back(
        {fmt::format("{:.4e}", std::abs(s) / (2 * std::numbers::pi)), fmt::format("{:.4e}", -s.real() / std::abs(s)),
         fmt::format("{:.4e}", s.real() / (2 * std::numbers::pi)),
         fmt::format("{:.4e}", s.imag() / (2 * std::numbers::pi)),
         fmt::format("{:.4e}, {:.4e}", near.real() / (2 * std::numbers::pi), near.imag() / (2 * std::numbers::pi))});
  }
  study.tables.push_back(table);
  return worst;
}

double relative(const MatrixXd& found, const MatrixXd& expected) {
  return (found - expected).cwiseAbs().maxCoeff() / expected.cwiseAbs().maxCoeff();
}

void add_machine(const StudyContext& context, const std::string& file, const std::string& title, int freedom,
                 const std::string& verdict, Study& study) {
  const LinearCase machine = linear_case(context, file, {}, PointType::equilibrium, "ground");
  const int size = machine.equations->size();
  const MatrixXd A = machine.equations->rates(machine.equations->respond(MatrixXd::Identity(size, size)));
  const ReducedEquations reduced(*machine.system, machine.point.state, *machine.options, *machine.equations);
  const MatrixXd differences = reduced.matrix(kDisturbance);
  const auto check = [&](const std::string& what, double value, double expected, double tolerance) {
    study.checks.push_back(compare(title + ": " + what, value, expected, tolerance));
  };
  check("degrees of freedom", static_cast<double>(machine.equations->positions().size()), freedom, 0);
  const double worst = add_table(title, A, differences, verdict, study);
  check("matrix against differences of the reduced equations, largest relative error", relative(A, differences), 0,
        1e-6);
  check("eigenvalues against differences of the reduced equations, largest relative error", worst, 0, 1e-5);
  const double duration = 1 / eigenpairs_of(A)->values.cwiseAbs().maxCoeff();
  const MatrixXd Phi = differences_of_motions(machine, reduced, duration), linear = dense::exponential(A * duration);
  check("exp(A T) against differences of nonlinear motions, largest relative error", relative(linear, Phi), 0, 1e-6);
}

}  // namespace

void add_machines(const StudyContext& context, Study& study) {
  add_machine(context, "washing_machine", "washing machine", 10,
              "Topology of the paper (10 degrees of freedom), data of our own: its table 4 has other numbers.", study);
  add_machine(context, "all_terrain_vehicle", "all-terrain vehicle", 22,
              "Of the size of the paper's vehicle, but with a rigid frame and data of our own.", study);
}

}  // namespace bricard
