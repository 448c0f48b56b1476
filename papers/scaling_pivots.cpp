// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cmath>
#include <functional>

#include "bricard/solve/newton_system.h"
#include "bricard/solve/skyline_solver.h"
#include "papers/root_spring_pendulum.h"
#include "papers/scaling_study.h"

// Section 7 of [Bauchau2009]: a good condition number does not help a factorization without pivoting; the augmented
// term does. Eqs. (35) and (36), in five decimal digits and in the program's skyline solver.
namespace bricard::scaling_study {
namespace {

using namespace root_spring;

// ---- eq. (35) with five decimal digits ----------------------------------------------------------------------------

/// Keeps five significant digits of x.
using Rounding = std::function<double(double)>;

double five_digits(double x, double (*integer)(double)) {
  if (x == 0) return 0;
  const double unit = std::pow(10.0, std::floor(std::log10(std::abs(x)) + 1e-12) - 4);
  // a number that five digits hold must not lose one to its binary form
  const double digits = x / unit;
  return integer(digits + std::copysign(1e-6, digits)) * unit;
}
double chopped(double x) { return five_digits(x, std::trunc); }
double rounded(double x) { return five_digits(x, std::round); }

/// J x = b of eq. (35) by LDLᵀ without pivoting; the augmented term adds ρ GᵀG to J and ρ Gᵀb₃ to b, G = (0 1).
Vector3d without_pivoting(double h, double rho, const Rounding& f) {
  const double j22 = f(f(h * h) + rho), b1 = 1, b2 = f(1 + rho), b3 = 1;
  const double l = f(1 / j22), d3 = f(0 - f(l * 1));
  const double y3 = f(b3 - f(l * b2)), x3 = f(y3 / d3);
  return {b1, f(f(b2 / j22) - f(l * x3)), x3};
}

/// With full pivoting the entry 1 of row 2 comes first, then that of row 3.
Vector3d with_pivoting(double h, const Rounding& f) {
  const double x2 = 1;
  return {1, x2, f(1 - f(f(h * h) * x2))};
}

void study_five_digits(Study& study) {
  const double h = 1e-3;
  ReportTable table{"Eq. (35), h = 0.001, five significant digits",
                    {"method", "arithmetic", "x₁", "x₂", "x₃", "paper x₂", "paper x₃"},
                    {},
                    ""};
  const auto add = [&](const char* method, const char* arithmetic, const Vector3d& x, const char* paper2,
                       const char* paper3) {
    table.rows.push_back({method, arithmetic, fmt::format("{:.6g}", x[0]), fmt::format("{:.6g}", x[1]),
                          fmt::format("{:.6g}", x[2]), paper2, paper3});
  };
  add("exact", "", {1, 1, 1 - h * h}, "1", "0.999999");
  add("full pivoting", "chopped", with_pivoting(h, chopped), "1", "0.99999");
  add("no pivoting", "chopped", without_pivoting(h, 0, chopped), "10", "0.99999");
  add("no pivoting", "rounded", without_pivoting(h, 0, rounded), "–", "–");
  add("no pivoting, ρ = 1", "chopped", without_pivoting(h, 1, chopped), "–", "–");
  add("no pivoting, ρ = 1", "rounded", without_pivoting(h, 1, rounded), "–", "–");
  table.verdict =
      "The printed digits come out with chopped arithmetic; with rounding x₂ is 0, just as wrong. With the augmented "
      "term the same elimination gives x₂ = 1, right to five digits, in both.";
  study.tables.push_back(std::move(table));
  const Vector3d bad = without_pivoting(h, 0, chopped), good = with_pivoting(h, chopped);
  study.checks.push_back(compare("eq. (35), chopped, no pivoting: x₂ (paper: 10)", bad[1], 10, 1e-6));
  study.checks.push_back(compare("eq. (35), chopped, no pivoting: x₃ (paper: 0.99999)", bad[2], 0.99999, 1e-9));
  study.checks.push_back(compare("eq. (35), chopped, full pivoting: x₃ (paper: 0.99999)", good[2], 0.99999, 1e-9));
  for (const auto& f : {Rounding(chopped), Rounding(rounded)})
    study.checks.push_back(
        compare("eq. (35), five digits, no pivoting, ρ = 1: x₂", without_pivoting(h, 1, f)[1], 1, 1e-4));
}

// ---- the skyline solver of the program ----------------------------------------------------------------------------

struct Factored {
  VectorXd pivots;
  bool healthy;
  double error;  ///< largest of some solutions
};

/// A symmetric matrix with `multipliers` rows at its end, eliminated in the order of its rows.
Factored factorize(const Eigen::MatrixXd& A, int multipliers) {
  const int n = static_cast<int>(A.rows()) - multipliers;
  const std::vector<UnknownBlock> blocks{{0, n, false}, {n, multipliers, true}};
  const std::vector<Coupling> couplings{{0, 0}, {1, 0}, {1, 1}};
  SkylineSolver solver(blocks, couplings, {0, 1});
  solver.clear();
  Tangent T;
  T.lower = solver.lower();
  T.add_diagonal(solver.slot(0, 0), 0, 0, A.topLeftCorner(n, n).eval());
  T.add_diagonal(solver.slot(1, 1), 0, 0, A.bottomRightCorner(multipliers, multipliers).eval());
  T.add_symmetric(solver.slot(1, 0), 0, 0, A.bottomLeftCorner(multipliers, n).eval());
  const FactorReport report = solver.factorize();
  double error = 0;
  for (int i = 1; i <= 20; ++i) {  // solutions whose products are not exact
    VectorXd exact(A.rows()), x;
    for (int j = 0; j < exact.size(); ++j) exact[j] = std::cos(i + 0.7 * j);
    x = A * exact;
    solver.solve(x);
    error = std::max(error, (x - exact).lpNorm<Eigen::Infinity>());
  }
  return {solver.pivots(), report.healthy, error};
}

Eigen::MatrixXd matrix_35(double h, double rho) { return Eigen::Matrix3d{{1, 0, 0}, {0, h * h + rho, 1}, {0, 1, 0}}; }

/// Eq. (31) at rest by the program, m = ℓ = s = 1 (ρ = 0: eq. (36), which leaves out h² k).
struct AtRest {
  Pendulum p;
  System system;
  State s;
  NewtonForm form;
  RunSettings settings;
  AtRest(double stiffness, double h, double rho)
      : p{1, stiffness}, system(make_system(p, root_spring::Reference::norms)), s(exact_state(system, p, 0, 0)) {
    settings.solver = SolverType::skyline;
    settings.scaling = Scaling::unit;
    settings.augmentation = rho;
    form = NewtonSystem(system, settings).step_form(h, 1, 0, 2 / (h * h));
    form.regularization = {0, false};
  }
  Eigen::MatrixXd matrix() const {
    Kinematics k = system.make_kinematics();
    system.update(s, k);
    return NewtonSystem(system, settings).dense_matrix(k, {Matrix3d::Identity()}, form);
  }
  /// How often NewtonSystem had to repeat the factorization with pivoting.
  long fallbacks() const {
    NewtonSystem newton(system, settings);
    Kinematics k = system.make_kinematics();
    system.update(s, k);
    newton.factorize(k, {Matrix3d::Identity()}, form);
    return newton.counts().fallbacks;
  }
};

std::string text(const VectorXd& pivots) {
  std::string list;
  for (const double d : pivots)
    list += (list.empty() ? "" : ", ") + (std::isfinite(d) ? fmt::format("{:.4g}", d) : std::string("–"));
  return list;
}

void study_rest(Study& study) {
  ReportTable table{"Eq. (36): pivots of the skyline solver, problem II at rest",
                    {"ρ", "pivots", "factorization", "repeated with pivoting"},
                    {},
                    ""};
  const VectorXd expected = (VectorXd(5) << 3, 6, 2.0 / 3, -2.0 / 3, -1).finished();
  for (const double rho : {0.0, 1.0}) {
    const AtRest rest(0, 1e-3, rho);
    const Factored factored = factorize(rest.matrix(), 2);
    table.rows.push_back({fmt::format("{:g}", rho), text(factored.pivots), factored.healthy ? "good" : "broken",
                          fmt::format("{}", rest.fallbacks())});
    const std::string name = fmt::format("eq. (36), skyline solver, ρ = {:g}: ", rho);
    study.checks.push_back(
        compare(name + (rho ? "succeeds" : "fails (0: it says so itself)"), factored.healthy, rho, 0));
    study.checks.push_back(compare(name + "times that the program falls back on pivoting",
                                   static_cast<double>(rest.fallbacks()), rho ? 0 : 1, 0));
    if (rho)
      study.checks.push_back(compare(name + "pivots 3, 6, 2/3, -2/3, -1, largest difference",
                                     (factored.pivots - expected).lpNorm<Eigen::Infinity>(), 0, 1e-14));
    else study.checks.push_back(compare(name + "third pivot", factored.pivots[2], 0, 0));
  }
  table.verdict =
      "As the paper says: without the augmented term the third pivot is zero at the first step, with it the "
      "factorization succeeds. The program sees the broken factorization, and repeats it with pivoting, so that it "
      "does not depend on ρ.";
  study.tables.push_back(std::move(table));
}

// Errors of known solutions. Without the augmented term digits are lost as 1/h².
void study_digits(Study& study) {
  ReportTable table{"Error of solutions without pivoting (skyline solver, double precision)",
                    {"h [s]", "eq. (35), ρ = 0", "eq. (35), ρ = 1", "problem II, ρ = 0", "problem II, ρ = 1"},
                    {},
                    ""};
  std::vector<double> steps, without, with;
  double worst = 0;
  for (const double h : {1e-1, 1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7}) {
    const double a = factorize(matrix_35(h, 0), 1).error, b = factorize(matrix_35(h, 1), 1).error;
    const double c = factorize(AtRest(10, h, 0).matrix(), 2).error, d = factorize(AtRest(10, h, 1).matrix(), 2).error;
    table.rows.push_back({fmt::format("{:g}", h), fmt::format("{:.1e}", a), fmt::format("{:.1e}", b),
                          fmt::format("{:.1e}", c), fmt::format("{:.1e}", d)});
    steps.push_back(h), without.push_back(a), with.push_back(b);
    worst = std::max({worst, b, d});
  }
  table.verdict =
      "Condition numbers are 1 and about 10 at every step, yet without the augmented term a factorization without "
      "pivoting loses digits as 1/h². With it nothing is lost.";
  study.tables.push_back(std::move(table));
  study.plots.push_back({study.tables.back().title,
                         "time step h [s]",
                         "error of the solution [1]",
                         true,
                         true,
                         {{"ρ = 0", steps, without, false}, {"ρ = 1", steps, with, false}},
                         {-2},
                         "The augmented term replaces pivoting."});
  study.checks.push_back(
      compare("eqs. (35) and (31), skyline solver, ρ = 1: largest error, h = 0.1 to 1e-7", worst, 0, 1e-14));
  study.checks.push_back(
      compare("eq. (35), skyline solver, ρ = 0, h = 1e-7: digits lost, log10 of error·h²/ε (theory: of order 1)",
              std::log10(without.back() * 1e-14 / 2.2e-16), 0, 1.5));
}

}  // namespace

void study_pivots(Study& study) {
  study_five_digits(study);
  study_rest(study);
  study_digits(study);
}

}  // namespace bricard::scaling_study
