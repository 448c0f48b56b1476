// SPDX-License-Identifier: Apache-2.0
#include "cli/certificate_text.h"

#include <fmt/format.h>

#include <algorithm>

#include "cli/check_text.h"
#include "cli/terminal.h"

namespace bricard::cli {
namespace {

std::string steps_text(const RunReport& r) {
  std::string text = fmt::format("{}, {} ({:.2f} per step)", count(r.steps, "step"), count(r.iterations, "iteration"),
                                 static_cast<double>(r.iterations) / static_cast<double>(std::max(r.steps, 1L)));
  if (r.halved_steps) text += fmt::format(", {} tried again with half the step", r.halved_steps);
  if (r.largest_step > 0)
    text += fmt::format(", {} rejected, {:.2g} to {:.2g} s\n  {:<12} {}", r.rejected_steps, r.smallest_step,
                        r.largest_step, "ruled by", r.ruling_error);
  if (r.position_error > 0) text += fmt::format(", estimated error of positions {:.1g} m", r.position_error);
  if (r.singular_steps) text += fmt::format(", {} near a singular position", r.singular_steps);
  return text;
}

std::string solver_text(const RunReport& r) {
  std::string text = fmt::format("{}: {}, {}", r.solver, count(r.linear.factorizations, "factorization"),
                                 count(r.linear.solves, "solution"));
  text += r.linear.fallbacks ? ", " + count(r.linear.fallbacks, "fallback") + " to pivoting" : ", no fallback";
  if (r.linear.refinements) text += ", " + count(r.linear.refinements, "refinement");
  return text;
}

std::string seconds_text(double seconds) {
  if (seconds < 1e-3) return fmt::format("{:.0f} µs", 1e6 * seconds);
  if (seconds < 1) return fmt::format("{:.3g} ms", 1e3 * seconds);
  return fmt::format("{:.4g} s", seconds);
}

/// The phases in the order in which they happen, those unknown here after them.
std::string time_text(const RunReport& r) {
  std::vector<std::string> phases{"read", "assemble", "start", "prepare", "stepping", "watch", "output", "write"};
  for (const auto& [phase, seconds] : r.seconds)
    if (std::find(phases.begin(), phases.end(), phase) == phases.end()) phases.push_back(phase);
  double total = 0;
  std::string parts;
  for (const std::string& phase : phases) {
    const auto found = r.seconds.find(phase);
    if (found == r.seconds.end()) continue;
    total += found->second;
    parts += fmt::format("{}{} {}", parts.empty() ? "" : ", ", phase, seconds_text(found->second));
  }
  return fmt::format("{}: {}", seconds_text(total), parts);
}

/// Samples are counted in the place of time, and nothing does work from one to the next.
bool is_path(const RunReport& r) { return r.integrator == "path"; }

std::string energy_text(const RunReport& r) {
  if (is_path(r)) return fmt::format("start {:.6g} J -> end {:.6g} J", r.start_energy, r.end_energy);
  std::string text =
      fmt::format("start {:.6g} J + work {:.6g} J -> end {:.6g} J, largest defect {:.2g} J of {:.3g} J turned over",
                  r.start_energy, r.work, r.end_energy, r.max_energy_defect, r.energy_turned_over);
  if (r.work_uncertainty > 0) text += fmt::format(" (work known to {:.1g} J)", r.work_uncertainty);
  return text;
}

std::string end_text(const RunReport& r) {
  if (!r.finished) return "stopped: " + r.stopped_because;
  return is_path(r) ? fmt::format("reached with sample {:.0f}", r.end_time)
                    : fmt::format("reached t = {:.6g} s", r.end_time);
}

/// good; or what is wrong, a line for each reason.
std::string verdict_text(const RunReport& r) {
  std::string text = r.verdict() == Verdict::good ? "good" : r.verdict() == Verdict::doubtful ? "DOUBTFUL" : "FAILED";
  const char* before = ": ";
  for (const Doubt& doubt : r.doubts) {
    text += before + doubt.text;
    before = "\n               ";
  }
  return text;
}

constexpr size_t kShownEvents = 12;

std::string events_text(const RunReport& r) {
  std::string text;
  for (size_t i = 0; i < r.events.size() && i < kShownEvents; ++i)
    text += fmt::format("  event        t = {:.9g} s: {} {}\n", r.events[i].t, r.events[i].source, r.events[i].what);
  if (r.events.size() > kShownEvents)
    text += fmt::format("               and {} more, the last one at t = {:.9g} s\n", r.events.size() - kShownEvents,
                        r.events.back().t);
  return text;
}

}  // namespace

std::string certificate_text(const RunReport& r) {
  std::string remarks = moves_text(r.start_moves);
  for (const std::string& remark : r.remarks) remarks += fmt::format("  found        {}\n", remark);
  remarks += events_text(r);
  return fmt::format("  verdict      {}\n", verdict_text(r)) + remarks +
         fmt::format("  end          {}\n"
                     "  {:<12} {}\n"
                     "  solver       {}\n"
                     "  constraints  position {:.2g} m, velocity {:.2g} m/s (largest violations)\n"
                     "  equations    motion {:.2g}, acceleration {:.2g} of their terms (largest residuals)\n"
                     "  energy       {}\n"
                     "  time         {}",
                     end_text(r), r.integrator, steps_text(r), solver_text(r), r.max_position_violation,
                     r.max_velocity_violation, r.motion_residual, r.acceleration_residual, energy_text(r),
                     time_text(r));
}

}  // namespace bricard::cli
