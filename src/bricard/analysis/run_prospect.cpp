// SPDX-License-Identifier: Apache-2.0
#include "bricard/analysis/run_prospect.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace bricard {
namespace {

constexpr double kDigits = 1000;       // the last digit of a position is this many times what the tolerance allows
constexpr double kBeyond = 1e4;        // of the model's size: ten kilometres from a machine of a metre
constexpr double kShortened = 1e-3;    // of the largest step: exponential growth by 1e9 with a method of order two
constexpr double kSameTime = 1.05;     // growth of the times per doubling that is none; √2 if a speed grows with time
constexpr double kTooManySteps = 1e9;  // an hour for the smallest model

double farthest_of(const System& system, const State& s) {
  double farthest = 0;
  for (const FrameNode& node : system.nodes())
    if (node.block >= 0) farthest = std::max(farthest, s.q.segment<3>(node.q).norm());
  return farthest;
}

}  // namespace

RunProspect::RunProspect(const System& system, const RunSettings& settings, const State& start)
    : system_(system), farthest_(kDigits / std::numeric_limits<double>::epsilon() *
                                 (settings.rtol.value_or(0) * system.reference_length + settings.atol)),
      beyond_(kBeyond * std::max(system.reference_length, farthest_of(system, start))) {
  times_.fill(start.t);
}

/// "body 'rod' is 5e13 m away …" if one is.
std::string RunProspect::far_away(const State& s, double farthest, const char* why) const {
  for (const FrameNode& node : system_.nodes())
    if (node.block >= 0 && !(s.q.segment<3>(node.q).lpNorm<Eigen::Infinity>() < farthest))
      return fmt::format(
          "t = {:.6g} s: the motion runs away: body '{}' is {:.1e} m from the origin, {}. Look for a force that grows "
          "with the motion.",
          s.t, node.name, s.q.segment<3>(node.q).norm(), why);
  return "";
}

// With the times t₀ … t₃ at n, n/2, n/4, n/8 steps: if each doubling brought the same time Δ = t₀ − t₁ or less, it takes
// n 2^((t_end − t)/Δ) steps to the end.
std::string RunProspect::trouble(long steps, double h, const State& s, double end) {
  largest_step_ = std::max(largest_step_, h);
  if (const std::string lost = far_away(s, farthest_, "where its position has no digits left for the tolerance");
      !lost.empty())
    return lost;
  if (steps < 1024 || (steps & (steps - 1)) != 0) return "";
  std::rotate(times_.begin(), times_.end() - 1, times_.end());
  times_[0] = s.t;
  const double last = times_[0] - times_[1], before = times_[1] - times_[2], first = times_[2] - times_[3];
  const bool recedes = last <= kSameTime * before && before <= kSameTime * first;
  if (!recedes || std::log2(kTooManySteps / static_cast<double>(steps)) * last > end - s.t) return "";
  if (const std::string gone = far_away(s, beyond_, "and the steps become shorter as fast as they are made");
      !gone.empty())
    return gone;
  if (h > kShortened * largest_step_) return "";
  return fmt::format("t = {:.6g} s: the motion runs away: the last {} steps came no farther in time than the {} before "
                     "them, and are {:.0e} s short. Look "
                     "for a force that grows with the motion, or take a larger rtol.",
                     s.t, steps / 2, steps / 4, h);
}

}  // namespace bricard
