// SPDX-License-Identifier: Apache-2.0
#include "papers/beam_runs.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <stdexcept>

#include "bricard/analysis/consistent_start.h"
#include "bricard/analysis/simulate.h"
#include "bricard/assemble/assemble.h"
#include "bricard/results/channels.h"

namespace bricard::beam_study {
namespace {

constexpr double kNothing = std::numeric_limits<double>::quiet_NaN();

/// Of the regular samples. The frame of body i is its mass centre, node i + 1.
std::vector<Vector3d> centres(const Model& model, const System& system, const std::vector<Sample>& samples) {
  std::vector<Vector3d> all;
  Kinematics k = system.make_kinematics();
  for (const Sample& sample : samples) {
    if (sample.requested) continue;
    system.update(sample.state, k);
    Vector3d sum = Vector3d::Zero();
    double mass = 0;
    for (size_t i = 0; i < model.bodies.size(); ++i)
      sum += model.bodies[i].mass * k.frames[i + 1].p, mass += model.bodies[i].mass;
    all.push_back(sum / mass);
  }
  return all;
}

}  // namespace

std::string with(std::string text, const std::vector<std::pair<std::string, std::string>>& words) {
  for (const auto& [word, value] : words) {
    size_t at = text.find(word);
    if (at == std::string::npos) throw std::runtime_error(word + " is not in the model");
    for (; at != std::string::npos; at = text.find(word, at + value.size())) text.replace(at, word.size(), value);
  }
  return text;
}

Rest::Rest(Model m) : model(std::move(m)), system(assemble(model)), state(initial_wishes(model, system)) {
  consistent_start(model, system, model.run.solver, state);
  report = find_equilibrium(system, model.run.solver, state);
}

Rest::Rest(const std::string& text, const io::Overrides& parameters)
    : Rest(io::read_model_text(text, "study.yaml", parameters)) {}

Frame Rest::frame(const std::string& marker) const {
  const MarkerPose m = find_marker(model, {marker, {}});
  Kinematics k = system.make_kinematics();
  system.update(state, k);
  Frame frame = k.frames[m.node];
  frame.p += frame.R * m.r;
  frame.R = frame.R * m.R;
  return frame;
}

Vector3d Rest::position(const std::string& marker) const {
  return report.found ? frame(marker).p : Vector3d::Constant(kNothing);
}

Matrix3d Rest::axes(const std::string& marker) const {
  return report.found ? frame(marker).R : Matrix3d::Constant(kNothing);
}

double Trace::at(size_t signal, double time) const {
  for (size_t i = 0; i < t.size(); ++i)
    if (std::abs(t[i] - time) <= 1e-9 * (1 + time)) return values[signal][i];
  return kNothing;
}

Trace run(const Model& model, const std::vector<std::string>& signals) {
  const System system = assemble(model);
  State start = initial_wishes(model, system);
  Trace trace;
  trace.values.resize(signals.size());
  if (!consistent_start(model, system, model.run.solver, start).assembled) return trace;
  const Results results = simulate(system, start, model.run);
  trace.steps = results.report.steps;
  Channels channels(model, system, results.report.start_energy);
  const ChannelTable table = make_channel_table(channels, results.samples);
  trace.t = table.time;
  trace.centre = centres(model, system, results.samples);
  for (size_t i = 0; i < signals.size(); ++i) {
    for (size_t c = 0; c < table.channels.size(); ++c)
      if (table.channels[c].kind == Channel::Kind::signal && table.channels[c].name == signals[i])
        trace.values[i] = table.values[c];
    if (trace.values[i].empty()) throw std::runtime_error("no signal " + signals[i]);
  }
  return trace;
}

double largest_difference(const Trace& a, const Trace& b, size_t signal, double until) {
  double largest = b.t.size() < 2 ? kNothing : 0;
  for (size_t i = 0; i < b.t.size() && b.t[i] <= until; ++i) {
    const double difference = std::abs(a.at(signal, b.t[i]) - b.values[signal][i]);
    if (!(difference <= largest)) largest = difference;  // also what is not a number
    if (std::isnan(largest)) break;
  }
  return largest;
}

void add_comparison(Study& study, const std::string& name, const std::vector<Comparison>& rows,
                    const std::string& verdict) {
  ReportTable table{name, {"", "ours", "reference", "difference", "bound"}, {}, verdict};
  for (const Comparison& row : rows) {
    table.rows.push_back({row.what, fmt::format("{:.9g}", row.ours), fmt::format("{:.9g}", row.reference),
                          fmt::format("{:.1e}", row.ours - row.reference), fmt::format("{:.1e}", row.bound)});
    study.checks.push_back(compare(name + ": " + row.what, row.ours, row.reference, row.bound));
  }
  study.tables.push_back(std::move(table));
}

ReportCurve published(const std::string& name, const std::vector<double>& x, const std::vector<double>& y) {
  return {name, x, y, true};
}

ReportCurve computed(const std::string& name, const Trace& trace, size_t signal) {
  return {name, trace.t, trace.values[signal], false};
}

}  // namespace bricard::beam_study
