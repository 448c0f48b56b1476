// SPDX-License-Identifier: Apache-2.0
#include "cli/check_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "cli/terminal.h"

namespace bricard::cli {
namespace {

constexpr size_t kMost = 10;  // lines of a kind
constexpr double kDegrees = 180 / std::numbers::pi;

std::string list(const std::vector<std::string>& names, size_t most = 12) {
  if (names.size() <= most) return fmt::format("{}", fmt::join(names, ", "));
  return fmt::format("{} and {} more", fmt::join(names.begin(), names.begin() + most, ", "), names.size() - most);
}

std::string more(size_t total) { return total > kMost ? fmt::format("    and {} more\n", total - kMost) : ""; }

/// `couplers a, b`; "" if there are none
std::string labelled(const char* what, const std::vector<std::string>& names) {
  return names.empty() ? "" : fmt::format("{} {}", what, list(names));
}

/// The parts that are not empty, with `and` between them.
std::string joined(const std::vector<std::string>& parts) {
  std::string text;
  for (const std::string& part : parts)
    if (!part.empty()) text += (text.empty() ? "" : " and ") + part;
  return text;
}

std::string freedom_text(const CheckReport& r) {
  std::string text = fmt::format("  freedom      {} of freedom by rank; {} by Grübler's count{} ({} velocities − {} "
                                 "equations)\n",
                                 count(r.degrees_of_freedom, "degree"), r.gruebler,
                                 r.plane.empty() ? "" : " in the plane", r.velocities, r.equations);
  if (r.is_singular())
    text +=
        fmt::format("               the start is singular: beside it there {} only {}\n",
                    r.generic_degrees_of_freedom == 1 ? "is" : "are", count(r.generic_degrees_of_freedom, "degree"));
  else if (r.weakest < 1e-6)
    text += fmt::format("               a singular position is near: the weakest equation has {:.1g} of its "
                        "strength\n",
                        r.weakest);
  if (!r.undriven.empty()) text += fmt::format("               still free to move: {}\n", list(r.undriven));
  if (!r.immovable.empty() && !r.is_locked())
    text += fmt::format("               cannot move: {}\n", list(r.immovable));
  return text;
}

std::string dependencies_text(const Dependencies& d, const std::string& where, bool assembled) {
  std::string text;
  if (!d.joints.empty()) text += fmt::format("  redundant    {}{}\n", count(d.joint_equations(), "equation"), where);
  for (size_t i = 0; i < std::min(d.joints.size(), kMost); ++i) {
    const Redundancy& r = d.joints[i];
    text += r.is_coupler ? fmt::format("    {} {}: {}\n", r.type, r.joint, list(r.directions))
                         : fmt::format("    joint {}{}: {}\n", r.joint,
                                       r.type.empty() ? "" : fmt::format(" ({})", r.type), list(r.directions));
    if (!r.depends_on.empty() || !r.depends_on_couplers.empty())
      text += fmt::format("      given already by {}\n",
                          joined({list(r.depends_on), labelled("couplers", r.depends_on_couplers)}));
    else text += "      its own equations depend on each other\n";
  }
  text += more(d.joints.size());
  if (!d.motions.empty())
    text += fmt::format("  over-driven  {}{}\n", count(static_cast<long>(d.motions.size()), "motion"), where);
  for (const OverDrive& over : d.motions) {
    text += fmt::format("    motion {} depends on {}", over.motion,
                        joined({labelled("motions", over.motions), labelled("couplers", over.couplers),
                                labelled("joints", over.joints)}));
    if (over.gap > 1e-9 && !assembled) text += fmt::format("; they differ by about {:.3g} m\n", over.gap);
    else
      text += over.contradiction > 1e-9 ? fmt::format("; they differ by {:.3g} m/s\n", over.contradiction)
                                        : "; they agree at the start\n";
  }
  return text;
}

std::string beams_text(const std::vector<BeamSummary>& beams) {
  std::string text;
  for (size_t i = 0; i < std::min(beams.size(), kMost); ++i) {
    const BeamSummary& b = beams[i];
    const std::string size = b.longest > 1.001 * b.shortest ? fmt::format("{:.3g} to {:.3g}", b.shortest, b.longest)
                                                            : fmt::format("{:.3g}", b.shortest);
    text += fmt::format("  {:<12} {}: {} of degree {}, {} m long, {}\n", i ? "" : "beams", b.name,
                        count(b.elements, "element"), b.degree, size, count(b.nodes, "node"));
    text += fmt::format(
        "  {:<12}   {}fastest wave {:.4g} m/s, {:.2g} s from node to node{}\n", "",
        b.turn > 0 ? fmt::format("up to {:.3g} deg of its curve in an element; ", b.turn * 57.29577951) : "",
        b.wave_speed, b.wave_time, b.free.empty() ? "" : fmt::format("; free at its {}", fmt::join(b.free, " and ")));
  }
  return text + more(beams.size());
}

std::string graph_text(const CheckReport& r) {
  std::string text = fmt::format("  loops        {}\n", r.loops.size());
  for (size_t i = 0; i < std::min(r.loops.size(), kMost); ++i)
    text += fmt::format("    {} (joints {})\n", list(r.loops[i].bodies), list(r.loops[i].joints));
  text += more(r.loops.size());
  for (size_t i = 0; i < std::min(r.loose.size(), kMost); ++i)
    text += fmt::format("  {:<12} {}\n", i ? "" : "not held", list(r.loose[i].bodies));
  return text;
}

std::string places_text(const CheckReport& r) {
  const auto vector = [](const Vector3d& v) {
    const auto shown = [](double x) { return std::abs(x) < 1e-12 ? 0 : x; };
    return fmt::format("[{:.4g}, {:.4g}, {:.4g}]", shown(v.x()), shown(v.y()), shown(v.z()));
  };
  std::string text;
  if (!r.places.empty()) text = "  joints       where their markers are on both bodies, in body frames\n";
  for (size_t i = 0; i < std::min(r.places.size(), kMost); ++i) {
    text += fmt::format("    {}", r.places[i].joint);
    for (const JointPlaces::End& end : r.places[i].ends)
      text += fmt::format("  {} {} z {}", end.body, vector(end.position), vector(end.axis));
    text += "\n";
  }
  return text + more(r.places.size());
}

std::string start_text(const CheckReport& r) {
  const StartReport& start = r.start;
  if (start.guess.empty() && start.moves.empty()) return "  start        as given\n";
  std::string text;
  if (!start.guess.empty()) {
    const std::string open =
        count(static_cast<long>(start.guess.size()), "joint") + (start.guess.size() == 1 ? " is" : " are");
    text += fmt::format("  start        as given {} open, {} in {}\n", open, start.assembled ? "closed" : "not closed",
                        count(start.iterations, "correction"));
    for (size_t i = 0; i < std::min(start.guess.size(), kMost); ++i)
      text += fmt::format("    {} by {:.3g} m, {:.3g}°\n", start.guess[i].name, start.guess[i].distance,
                          start.guess[i].angle * kDegrees);
    text += more(start.guess.size());
  }
  return text + moves_text(start.moves);
}

std::string aligned_text(const std::vector<std::string>& aligned) {
  std::string text;
  for (size_t i = 0; i < aligned.size(); ++i) text += fmt::format("  {:<12} {}\n", i ? "" : "aligned", aligned[i]);
  return text;
}

std::string flexible_text(const std::vector<FlexibleSummary>& bodies) {
  constexpr double kHertz = 1 / (2 * std::numbers::pi);
  std::string text;
  for (const FlexibleSummary& f : bodies)
    text += fmt::format("  {:<12} {}: {:.4g} kg, {}, {:.4g} to {:.4g} Hz{}{}; interfaces {}\n",
                        text.empty() ? "flexible" : "", f.name, f.mass, count(f.shapes, "shape"), f.lowest * kHertz,
                        f.highest * kHertz, f.stiffens ? ", stiffened by stresses" : "",
                        f.damped ? "" : ", without damping", fmt::join(f.interfaces, ", "));
  return text;
}

std::string scales_text(const TimeScales& s) {
  std::string text;
  const auto period = [](double frequency) { return 2 * std::numbers::pi / frequency; };
  const auto add = [&](const std::string& line) {
    text += fmt::format("  {:<12} {}\n", text.empty() ? "time scales" : "", line);
  };
  if (s.fastest > 0)
    add(fmt::format("fastest oscillation {:.4g} rad/s, period {:.3g} s{}", s.fastest, period(s.fastest),
                    s.of_mesh ? ", of single elements or shapes: no step need follow it" : ""));
  if (s.slowest > 0 && s.slowest < 0.999 * s.fastest)
    add(fmt::format("slowest oscillation {:.4g} rad/s, period {:.3g} s", s.slowest, period(s.slowest)));
  if (s.fastest_growth > 0 && !s.moving)
    add(fmt::format("unstable: small motions grow e-fold in {:.3g} s", 1 / s.fastest_growth));
  if (s.fastest_growth > 0 && s.moving)
    add(fmt::format("standing still here it would be unstable, growing e-fold in {:.3g} s; whether its spin holds "
                    "it up is not looked at",
                    1 / s.fastest_growth));
  if (s.turning > 0) add(fmt::format("fastest turning {:.4g} rad/s", s.turning));
  if (s.suggested_step > 0) {
    add(fmt::format("suggested step {:.0e} s{}", s.suggested_step,
                    s.doubt.empty() && s.followed > 0
                        ? fmt::format(", good for the first {:.3g} s that were tried", s.followed)
                        : ""));
    if (!s.doubt.empty()) add("a run with it is not good: " + s.doubt);
  }
  return text;
}

}  // namespace

std::string moves_text(const std::vector<BodyMove>& moves) {
  std::string text;
  for (size_t i = 0; i < std::min(moves.size(), kMost); ++i) {
    const BodyMove& m = moves[i];
    std::vector<std::string> parts;
    if (m.distance > 0 || m.angle > 0)
      parts.push_back(fmt::format("by {:.3g} m, {:.3g}°", m.distance, m.angle * kDegrees));
    if (m.velocity > 0 || m.angular_velocity > 0)
      parts.push_back(fmt::format("velocity by {:.3g} m/s, {:.3g} rad/s", m.velocity, m.angular_velocity));
    text += fmt::format("  {:<12} {} {}\n", i ? "" : "changed", m.body, fmt::join(parts, "; "));
  }
  return text + more(moves.size());
}

std::string check_text(const Model& model, const CheckReport& r) {
  std::string text = fmt::format(
      "{}: {}{}, {}, {}\n", model.name, r.plane.empty() ? "" : fmt::format("planar model ({}), ", r.plane),
      count(r.bodies, "body") + (r.beams.empty() ? "" : ", " + count(static_cast<long>(r.beams.size()), "beam")),
      count(r.joints, "joint"), count(r.motions, "motion"));
  text += beams_text(r.beams) + flexible_text(r.flexible);
  text += freedom_text(r);
  text += dependencies_text(r.always, r.generic_known ? ", in every position" : "", r.start.assembled);
  if (r.is_singular()) text += dependencies_text(r.at_start, ", at the start", true);
  text += graph_text(r) + places_text(r) + aligned_text(r.start.aligned) + start_text(r) + scales_text(r.scales);
  for (size_t i = 0; i < r.suggestions.size(); ++i)
    text += fmt::format("  {:<12} {}\n", i ? "" : "suggestions", r.suggestions[i]);
  for (size_t i = 0; i < r.problems.size(); ++i)
    text += fmt::format("  {:<12} {}\n", i ? "" : "problems", r.problems[i]);
  return text + fmt::format("  verdict      {}\n", r.can_run() ? "can run" : "cannot run");
}

}  // namespace bricard::cli
