// SPDX-License-Identifier: Apache-2.0
#include "bricard/analysis/campbell.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "bricard/assemble/assemble.h"

namespace bricard {
namespace {

constexpr double kWhirls = 0.05;       // least sense of an orbit that is called whirl
constexpr double kFrequencyGap = 0.5;  // weight of the relative change of s against the likeness
constexpr double kSameMode = 0.2;      // least score with which a mode is followed
constexpr double kBoundary = 1e-10;    // of the way between two values: where the search for a boundary ends
constexpr double kPi = std::numbers::pi;

/// The direction about which the fastest body turns; 0 if none does.
Vector3d axis_of_rotation(const System& system, const State& s) {
  Vector3d fastest = Vector3d::Zero();
  for (const FrameNode& node : system.nodes()) {
    if (node.block < 0) continue;
    const Vector3d w = quaternion_at(s.q, node.q + 3) * Vector3d(s.v.segment<3>(node.v + 3));
    if (w.norm() > fastest.norm()) fastest = w;
  }
  return fastest.norm() > 1e-9 ? Vector3d(fastest.normalized()) : Vector3d::Zero();
}

std::string what_grows(const Model& model, const System& system, const State& s, const LinearEquations& equations,
                       const std::vector<Eigenmode>& modes) {
  const auto slower = [](const Eigenmode& a, const Eigenmode& b) { return a.s.real() < b.s.real(); };
  std::vector<Eigenmode> fastest{*std::max_element(modes.begin(), modes.end(), slower)};
  label_modes(model, system, s, equations, fastest);
  return fastest[0].label;
}

void add_modes(const CampbellPlan& plan, CampbellPoint& point, SparseRows& M) {
  const Model model = plan.model(point.value);
  System system = assemble(model);
  const LinearizeOptions options = linearize_options(model, plan.settings, system);
  const OperatingPoint at = find_operating_point(model, system, plan.point, plan.settings.reference, plan.time);
  point.problem = at.problem;
  if (!at.problem.empty()) return;
  LinearEquations equations(system, at.state, options);
  point.problem = equations.report().problem;
  if (!point.problem.empty()) return;
  EigenmodeResult found = find_eigenmodes(equations, system, {});
  if (found.modes.empty()) point.problem = found.problem;
  point.partial = found.iterative;
  point.verdict = judge_stability(found.modes);
  if (point.unstable()) point.growing = what_grows(model, system, at.state, equations, found.modes);
  M = equations.mass();
  const Vector3d axis = axis_of_rotation(system, at.state);
  int oscillating = 0, real = 0;
  for (Eigenmode& mode : found.modes) {
    if (mode.is_zero() || ++(mode.oscillates() ? oscillating : real) > plan.count) continue;
    const double sense = mode.oscillates() ? whirl_of(system, at.state, mode, M, axis) : 0;
    point.whirl.push_back(std::abs(sense) < kWhirls ? Whirl::none : sense > 0 ? Whirl::forward : Whirl::backward);
    point.modes.push_back(std::move(mode));
  }
}

/// A value at which the model makes no sense is one without operating point: the others are wanted all the same.
CampbellPoint modes_at(const CampbellPlan& plan, double value, SparseRows& M) {
  CampbellPoint point;
  point.value = value;
  try {
    add_modes(plan, point, M);
  } catch (const ModelError& error) {
    point.problem = error.what();
  }
  return point;
}

/// Continues each track with the mode that is most like its last one; modes that are left begin new tracks.
void extend_tracks(const std::vector<CampbellPoint>& points, const SparseRows& M,
                   std::vector<std::vector<int>>& tracks) {
  const size_t here = points.size() - 1;
  const CampbellPoint& point = points[here];
  struct Pair {
    double score;
    size_t track;
    int mode;
  };
  std::vector<Pair> pairs;
  for (size_t t = 0; t < tracks.size(); ++t) {
    const auto last = std::find_if(tracks[t].rbegin(), tracks[t].rend(), [](int m) { return m >= 0; });
    const Eigenmode& old = points[static_cast<size_t>(tracks[t].rend() - last) - 1].modes[*last];
    for (size_t m = 0; m < point.modes.size(); ++m) {
      const Eigenmode& mode = point.modes[m];
      const double gap = std::abs(mode.s - old.s) / (std::abs(mode.s) + std::abs(old.s));
      pairs.push_back({likeness(old.shape, mode.shape, M) - kFrequencyGap * gap, t, static_cast<int>(m)});
    }
  }
  std::stable_sort(pairs.begin(), pairs.end(), [](const Pair& a, const Pair& b) { return a.score > b.score; });
  for (auto& track : tracks) track.push_back(-1);
  std::vector<char> taken(point.modes.size(), false);
  for (const Pair& p : pairs)
    if (p.score > kSameMode && tracks[p.track][here] < 0 && !taken[p.mode])
      tracks[p.track][here] = p.mode, taken[p.mode] = true;
  for (size_t m = 0; m < taken.size(); ++m) {
    if (taken[m]) continue;
    tracks.emplace_back(here + 1, -1);
    tracks.back()[here] = static_cast<int>(m);
  }
}

const char* word_of(Whirl whirl) {
  switch (whirl) {
    case Whirl::forward: return " F";
    case Whirl::backward: return " B";
    case Whirl::none: return "";
  }
  return "";
}

/// Halves the way between a value with growing motions and one without.
double boundary_between(const CampbellPlan& plan, const CampbellPoint& a, const CampbellPoint& b) {
  double from = a.value, to = b.value;
  SparseRows M;
  while (std::abs(to - from) > kBoundary * std::abs(b.value - a.value)) {
    const double middle = 0.5 * (from + to);
    if (middle == from || middle == to || (plan.cancelled && plan.cancelled())) break;
    (modes_at(plan, middle, M).unstable() == a.unstable() ? from : to) = middle;
  }
  return 0.5 * (from + to);
}

std::vector<UnstableRange> unstable_ranges(const CampbellPlan& plan, const std::vector<CampbellPoint>& points) {
  std::vector<UnstableRange> ranges;
  for (size_t i = 0; i < points.size(); ++i) {
    const bool grew = i > 0 && points[i - 1].unstable(), grows = points[i].unstable();
    const bool known = i > 0 && points[i - 1].problem.empty() && points[i].problem.empty();
    if (grows && !grew) {
      const double value = known ? boundary_between(plan, points[i - 1], points[i]) : points[i].value;
      ranges.push_back({value, points[i].value, known, false});
    }
    if (grows) ranges.back().to = points[i].value;
    if (grew && !grows && known)
      ranges.back().to = boundary_between(plan, points[i - 1], points[i]), ranges.back().to_is_boundary = true;
  }
  return ranges;
}

/// Where a mode's frequency equals that of the rotation, by straight lines between the points.
std::vector<double> critical_values(const std::vector<double>& values, const std::vector<double>& frequencies) {
  std::vector<double> found;
  for (size_t i = 1; i < values.size(); ++i) {
    const double before = frequencies[i - 1] - values[i - 1] / (2 * kPi),
                 after = frequencies[i] - values[i] / (2 * kPi);
    if (before * after < 0) found.push_back(values[i - 1] + (values[i] - values[i - 1]) * before / (before - after));
  }
  return found;
}

}  // namespace

double likeness(const VectorXcd& a, const VectorXcd& b, const SparseRows& M) {
  const VectorXcd M_a = M * a, M_b = M * b;
  const double norms = a.dot(M_a).real() * b.dot(M_b).real();
  return norms > 0 ? std::norm(a.dot(M_b)) / norms : 0;
}

// An orbit Re(φ eⁱᵚᵗ) goes round `axis` with the area i/2 (φ* × φ)·axis per radian; turns of bodies alike.
double whirl_of(const System& system, const State& s, const Eigenmode& mode, const SparseRows& M,
                const Vector3d& axis) {
  double area = 0, size = 0;
  const auto add = [&](const Eigen::Vector3cd& phi, double weight) {
    const Eigen::Vector3cd across =
        phi - axis.cast<std::complex<double>>() * axis.cast<std::complex<double>>().dot(phi);
    const Vector3d re = across.real(), im = across.imag();
    area += weight * im.cross(re).dot(axis);  // −Im(φ* × φ)/2
    size += weight * 0.5 * phi.squaredNorm();
  };
  for (const FrameNode& node : system.nodes()) {
    if (node.block < 0) continue;
    const Matrix3d R = quaternion_at(s.q, node.q + 3).toRotationMatrix();
    double inertia = 0;
    for (int i = 0; i < 3; ++i) inertia += M.coeff(node.v + 3 + i, node.v + 3 + i) / 3;
    add(mode.shape.segment<3>(node.v), M.coeff(node.v, node.v));
    add(R.cast<std::complex<double>>() * mode.shape.segment<3>(node.v + 3), inertia);
  }
  return size > 0 ? area / size : 0;
}

Campbell find_campbell(const CampbellPlan& plan) {
  Campbell campbell;
  SparseRows M;
  for (const double value : plan.values) {
    campbell.interrupted = plan.cancelled && plan.cancelled();
    if (campbell.interrupted) break;
    campbell.points.push_back(modes_at(plan, value, M));
    extend_tracks(campbell.points, M, campbell.tracks);
  }
  campbell.unstable = unstable_ranges(plan, campbell.points);
  return campbell;
}

namespace {

/// Frequency and sense of a mode that oscillates, the real eigenvalue of another.
std::string cell_of(const Eigenmode& mode, Whirl whirl) {
  if (!mode.oscillates()) return fmt::format("s = {:.5g}", mode.s.real());
  return fmt::format("{:.6f}{}", mode.s.imag() / (2 * kPi), word_of(whirl));
}

std::string end_of(double value, bool is_boundary, const std::string& unit) {
  return fmt::format("{:.9g}{}{}", value, unit.empty() ? "" : " " + unit,
                     is_boundary ? "" : " (the end of the values)");
}

ReportTable stability_table(const CampbellPlan& plan, const Campbell& campbell, const std::string& axis) {
  ReportTable table{
      "Stability", {axis, "motions are", "largest real part [1/s]", "zero eigenvalues", "what grows"}, {}, ""};
  bool partial = false;
  for (const CampbellPoint& point : campbell.points) {
    if (!point.problem.empty()) continue;
    partial = partial || point.partial;
    table.rows.push_back({fmt::format("{:.6g}", point.value), name_of(point.verdict.stability),
                          fmt::format("{:.6g}", point.verdict.growth), std::to_string(point.verdict.zeros),
                          point.growing});
  }
  for (const UnstableRange& range : campbell.unstable)
    table.verdict += fmt::format("{}unstable from {} to {}", table.verdict.empty() ? "" : ", ",
                                 end_of(range.from, range.from_is_boundary, plan.unit),
                                 end_of(range.to, range.to_is_boundary, plan.unit));
  if (campbell.unstable.empty() && !table.rows.empty()) table.verdict = "nothing grows at any of these values";
  if (partial) table.verdict += "; only the slowest modes were looked at";
  return table;
}

ReportTable range_table(const Campbell& campbell, const CampbellPlan& plan) {
  const std::string unit = plan.unit.empty() ? "1" : plan.unit;
  ReportTable table{"Unstable ranges",
                    {fmt::format("from [{}]", unit), "is a boundary", fmt::format("to [{}]", unit), "is a boundary"},
                    {},
                    ""};
  for (const UnstableRange& r : campbell.unstable)
    table.rows.push_back({fmt::format("{:.10g}", r.from), r.from_is_boundary ? "yes" : "no",
                          fmt::format("{:.10g}", r.to), r.to_is_boundary ? "yes" : "no"});
  return table;
}

}  // namespace

Report campbell_report(const std::string& model, const CampbellPlan& plan, const Campbell& campbell) {
  Report report;
  report.name = model;
  report.description = "modes over " + plan.parameter;
  const bool speed = plan.unit == "rad/s" || plan.unit == "1/s";
  const std::string axis = fmt::format("{} [{}]", plan.parameter, plan.unit.empty() ? "1" : plan.unit);
  ReportPlot frequencies{"Frequencies", axis, "frequency [Hz]", false, false, {}, {}, ""};
  ReportPlot dampings{"Damping", axis, "damping ratio", false, false, {}, {}, ""};
  ReportPlot growths{"Growth", axis, "real part [1/s]", false, false, {}, {}, ""};
  ReportTable table{"Frequencies", {axis}, {}, ""};
  for (size_t t = 0; t < campbell.tracks.size(); ++t) {
    ReportCurve f{fmt::format("mode {}", t + 1), {}, {}, false}, d = f, g = f;
    for (size_t i = 0; i < campbell.points.size(); ++i)
      if (const int m = campbell.tracks[t][i]; m >= 0) {
        const Eigenmode& mode = campbell.points[i].modes[m];
        for (ReportCurve* curve : {&f, &d, &g}) curve->x.push_back(campbell.points[i].value);
        f.y.push_back(mode.s.imag() / (2 * kPi));
        d.y.push_back(mode.damping());
        g.y.push_back(mode.s.real());
      }
    for (const double critical : speed ? critical_values(f.x, f.y) : std::vector<double>{})
      table.verdict += fmt::format("{}mode {} meets the rotation at {:.5g} rad/s", table.verdict.empty() ? "" : ", ",
                                   t + 1, critical);
    frequencies.curves.push_back(f);
    dampings.curves.push_back(d);
    growths.curves.push_back(g);
    table.columns.push_back(fmt::format("mode {} [Hz]", t + 1));
  }
  if (speed && !plan.values.empty())
    frequencies.curves.push_back({"rotation",
                                  {plan.values.front(), plan.values.back()},
                                  {plan.values.front() / (2 * kPi), plan.values.back() / (2 * kPi)},
                                  false});
  for (size_t i = 0; i < campbell.points.size(); ++i) {
    const CampbellPoint& point = campbell.points[i];
    std::vector<std::string> row{fmt::format("{:.6g}", point.value)};
    for (const auto& track : campbell.tracks)
      row.push_back(track[i] < 0 ? "" : cell_of(point.modes[track[i]], point.whirl[track[i]]));
    table.rows.push_back(row);
    if (!point.problem.empty())
      report.text += fmt::format("{} = {:g}: no operating point: {}\n", plan.parameter, point.value, point.problem);
  }
  report.text +=
      "F: forward, B: backward whirl, in the axes of the linearization; s: real eigenvalue, 1/s, of a motion that does "
      "not oscillate.\n";
  report.tables = {table, stability_table(plan, campbell, axis)};
  if (!campbell.unstable.empty()) report.tables.push_back(range_table(campbell, plan));
  report.plots = {frequencies, dampings, growths};
  return report;
}

}  // namespace bricard
