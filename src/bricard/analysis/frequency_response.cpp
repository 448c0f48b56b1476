// SPDX-License-Identifier: Apache-2.0
#include "bricard/analysis/frequency_response.h"

#include <fmt/format.h>

#include <Eigen/Eigenvalues>
#include <cmath>
#include <numbers>

namespace bricard {
namespace {

using Complex = std::complex<double>;
constexpr double kPi = std::numbers::pi;

/// X with (iω − H) X = B for an upper Hessenberg H: one elimination per row, with exchange of neighbours.
MatrixXcd solve_hessenberg(const MatrixXd& H, Complex shift, MatrixXcd X) {
  const Eigen::Index n = H.rows();
  MatrixXcd U = -H.cast<Complex>();
  U.diagonal().array() += shift;
  for (Eigen::Index i = 0; i + 1 < n; ++i) {
    if (std::abs(U(i + 1, i)) > std::abs(U(i, i))) {
      U.row(i).tail(n - i).swap(U.row(i + 1).tail(n - i));
      X.row(i).swap(X.row(i + 1));
    }
    const Complex factor = U(i + 1, i) / U(i, i);
    U.row(i + 1).tail(n - i) -= factor * U.row(i).tail(n - i);
    X.row(i + 1) -= factor * X.row(i);
  }
  U.triangularView<Eigen::Upper>().solveInPlace(X);
  return X;
}

}  // namespace

std::vector<double> phases_of(const FrequencyResponse& response, size_t output, size_t input) {
  std::vector<double> phases;
  for (const MatrixXcd& H : response.H) {
    double phase = std::arg(H(output, input)) * 180 / kPi;
    if (!phases.empty()) phase += 360 * std::round((phases.back() - phase) / 360);
    phases.push_back(phase);
  }
  return phases;
}

std::string response_unit(const NamedQuantity& output, const NamedQuantity& input) {
  const std::string above = output.unit.empty() ? "1" : output.unit;
  if (input.unit.empty()) return above;
  const bool simple = input.unit.find_first_of("*/^ ") == std::string::npos;
  return fmt::format(fmt::runtime(simple ? "{}/{}" : "{}/({})"), above, input.unit);
}

FrequencyResponse find_frequency_response(const Linearization& lin, const std::vector<double>& frequencies) {
  FrequencyResponse response;
  response.frequencies = frequencies;
  MatrixXd H(0, 0), Q(0, 0);
  if (lin.states() > 1) {
    const Eigen::HessenbergDecomposition<MatrixXd> hessenberg(lin.A);
    H = hessenberg.matrixH();
    Q = hessenberg.matrixQ();
  } else {
    H = lin.A, Q = MatrixXd::Identity(lin.states(), lin.states());
  }
  const MatrixXcd B = (Q.transpose() * lin.B).cast<Complex>();
  const MatrixXcd C = (lin.C * Q).cast<Complex>();
  for (const double f : frequencies) {
    const MatrixXcd X = lin.states() ? solve_hessenberg(H, Complex(0, 2 * kPi * f), B) : B;
    response.H.push_back(C * X + lin.D.cast<Complex>());
  }
  return response;
}

std::vector<double> logarithmic(double first, double last, int count) {
  std::vector<double> values;
  for (int i = 0; i < count; ++i) values.push_back(first * std::pow(last / first, count > 1 ? i / (count - 1.0) : 0));
  return values;
}

Report frequency_report(const std::string& model, const Linearization& lin, const FrequencyResponse& response) {
  Report report;
  report.name = model;
  report.description = "frequency response";
  for (size_t i = 0; i < lin.inputs.size(); ++i)
    for (size_t o = 0; o < lin.outputs.size(); ++o) {
      const std::string title = fmt::format("{} from {}", lin.outputs[o].name, lin.inputs[i].name);
      ReportCurve magnitude{"magnitude", response.frequencies, {}, false};
      ReportCurve phase{"phase", response.frequencies, phases_of(response, o, i), false};
      for (const MatrixXcd& H : response.H) magnitude.y.push_back(std::abs(H(o, i)));
      const std::string unit = response_unit(lin.outputs[o], lin.inputs[i]);
      report.plots.push_back(
          {title, "frequency [Hz]", fmt::format("magnitude [{}]", unit), true, true, {magnitude}, {}, ""});
      report.plots.push_back({title, "frequency [Hz]", "phase [deg]", true, false, {phase}, {}, ""});
      ReportTable table{title, {"frequency [Hz]", "magnitude", "phase [deg]"}, {}, ""};
      for (size_t k = 0; k < response.frequencies.size(); ++k)
        table.rows.push_back({fmt::format("{:.6g}", response.frequencies[k]), fmt::format("{:.6g}", magnitude.y[k]),
                              fmt::format("{:.2f}", phase.y[k])});
      report.tables.push_back(table);
    }
  return report;
}

std::string frequency_csv(const Linearization& lin, const FrequencyResponse& response) {
  std::string text = "frequency [Hz]";
  std::vector<std::vector<double>> phases;
  for (size_t i = 0; i < lin.inputs.size(); ++i)
    for (size_t o = 0; o < lin.outputs.size(); ++o) {
      text += fmt::format(",{0}/{1} magnitude,{0}/{1} phase [deg]", lin.outputs[o].name, lin.inputs[i].name);
      phases.push_back(phases_of(response, o, i));
    }
  text += '\n';
  for (size_t k = 0; k < response.frequencies.size(); ++k) {
    text += fmt::format("{}", response.frequencies[k]);
    for (size_t i = 0; i < lin.inputs.size(); ++i)
      for (size_t o = 0; o < lin.outputs.size(); ++o)
        text += fmt::format(",{},{}", std::abs(response.H[k](o, i)), phases[i * lin.outputs.size() + o][k]);
    text += '\n';
  }
  return text;
}

}  // namespace bricard
