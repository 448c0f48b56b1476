// SPDX-License-Identifier: Apache-2.0
#include "bricard/analysis/verdict.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "bricard/model/integrator_kinds.h"

namespace bricard {
namespace {

// Limits, with their reasons and what good runs show: docs/theory/certificate.md
constexpr double kDoubtfulEnergy = 1e-2, kFailedEnergy = 0.1;  // parts of the energy turned over
constexpr double kEnergyPerTolerance = 1e3;                    // of a run with a tolerance
constexpr double kDriftPerTolerance = 1e3;                     // five times the errors that are promised
constexpr double kFree = 0.1;  // of the energy turned over goes through forces and motions at most in a free motion
constexpr double kRoundOffOfEnergy = 1e-7;  // energies below, of the largest T and |V|, are none
constexpr double kDoubtfulPosition = 1e-4, kFailedPosition = 1e-2;  // |g|/ℓ_r
constexpr double kDoubtfulVelocity = 1e-2, kFailedVelocity = 0.1;   // |ġ| over the largest velocity
constexpr double kStill = 1e-6;                                     // of ℓ_r in the whole run is no motion
constexpr double kDoubtfulResidual = 1e-5;
constexpr double kDoubtfulError = 0.2;                             // estimated error of positions over ℓ_r
constexpr double kDoubtfulTurn = 1, kDoubtfulTurnOfTolerance = 5;  // rad
constexpr double kManyHalvings = 0.1;                              // of all steps

/// One measure against its limits.
class Judge {
 public:
  Judge(const System& system, const RunSettings& settings, const RunMeasures& m, const RunReport& report)
      : system_(system), settings_(settings), m_(m), report_(report) {}

  std::vector<Doubt> doubts() {
    judge_energy();
    judge_constraints();
    judge_equations();
    judge_steps();
    return std::move(doubts_);
  }

 private:
  /// `text` as a doubt if the value, or what is left of it if it is no number, exceeds a limit.
  template <class Text>
  void add(double value, double doubtful, double failed, const Text& text) {
    if (value <= doubtful) return;
    doubts_.push_back({text(), !(value <= failed)});
  }

  /// What makes errors of the method smaller.
  std::string finer() const {
    if (settings_.rtol) return fmt::format("try rtol {:.1g}, or another integrator", 0.1 * *settings_.rtol);
    const std::string step = fmt::format("try a step of {:.2g} s", 0.25 * settings_.step);
    if (is_augmented(settings_.integrator)) return step + ", or another integrator";
    return step + (knows_its_error(settings_.integrator) ? ", or rtol 1e-6" : "");
  }

  /// Next to singular positions larger residuals are in order; but a run that is near one all the time is not excused.
  const Largest& apart_if_there_is(const Largest& apart, const Largest& all) const {
    return 2 * m_.looks_apart > m_.looks ? apart : all;
  }

  void judge_energy() {
    const double scale = m_.energy_scale(), limit = energy_limit(settings_), uncertainty = m_.work_uncertainty();
    add(m_.unexplained.value / scale, limit, kFailedEnergy, [&] {
      return fmt::format(
          "t = {:.6g} s: the energy is {:.2g} J off what forces and motions have done, {:.2g} % of the {:.3g} J turned "
          "over; {}",
          m_.defect.time, m_.defect.value, 100 * m_.defect.value / scale, scale, finer());
    });
    judge_drift(m_.unexplained.value / scale);
    add(uncertainty / scale, limit, HUGE_VAL, [&] {
      return fmt::format("the power of dampers, motions and forces changes faster than the steps: their work is known "
                         "to {:.2g} J only, "
                         "{:.2g} % of the energy turned over; {}",
                         uncertainty, 100 * uncertainty / scale, finer());
    });
  }

  // Energy that is lost or gained, a part p of what is turned over, changes the speeds by about p (½ p of T + V, of which
  // T is a half on the average), and the place at the end by p times the way. Dampers and drives bring a motion back.
  void judge_drift(double part) {
    if (!settings_.rtol || part > energy_limit(settings_) || m_.throughput > kFree * m_.turned_over()) return;
    const double drift = part * m_.speed * settings_.duration;
    add(drift / system_.reference_length, std::min(kDoubtfulError, kDriftPerTolerance * *settings_.rtol), HUGE_VAL,
        [&] {
          return fmt::format(
              "the energy is {:.2g} J off, {:.2g} % of what is turned over: bodies may be early or late by "
              "{:.2g} m at the end; {}",
              m_.defect.value, 100 * part, drift, finer());
        });
  }

  void judge_constraints() {
    const double length = system_.reference_length, still = kStill * length / settings_.duration;
    add(m_.position.value / length, kDoubtfulPosition, kFailedPosition, [&] {
      return fmt::format("t = {:.6g} s: the joints are open by {:.2g} m; {}", m_.position.time, m_.position.value,
                         finer());
    });
    const Largest& velocity = apart_if_there_is(m_.velocity_apart, m_.velocity);
    add(velocity.value / std::max(m_.speed, still), kDoubtfulVelocity, kFailedVelocity, [&] {
      return fmt::format(
          "t = {:.6g} s: velocities violate the constraints by {:.2g} m/s, the largest being {:.2g} m/s; {}{}",
          velocity.time, velocity.value, m_.speed, finer(),
          settings_.projection == ProjectionMode::full || is_augmented(settings_.integrator) ? ""
                                                                                             : ", or projection: full");
    });
  }

  void judge_equations() {
    const auto text = [&](const char* what, const Largest& residual) {
      return fmt::format("t = {:.6g} s: accelerations and reactions satisfy {} to {:.2g} of its terms only",
                         residual.time, what, residual.value);
    };
    const Largest& motion = apart_if_there_is(m_.motion_apart, m_.motion);
    const Largest& acceleration = apart_if_there_is(m_.acceleration_apart, m_.acceleration);
    add(motion.value, kDoubtfulResidual, HUGE_VAL, [&] { return text("the equation of motion", motion); });
    add(acceleration.value, kDoubtfulResidual, HUGE_VAL, [&] { return text("that of the constraints", acceleration); });
  }

  void judge_steps() {
    add(m_.turn.value, settings_.rtol ? kDoubtfulTurnOfTolerance : kDoubtfulTurn, HUGE_VAL, [&] {
      return fmt::format("t = {:.6g} s: a body turns by {:.2g} rad in one step, which does not resolve its motion; {}",
                         m_.turn.time, m_.turn.value,
                         settings_.rtol ? fmt::format("try hmax {:.1g} s", 0.3 * report_.largest_step)
                                        : fmt::format("try a step of {:.1g} s", 0.2 * settings_.step / m_.turn.value));
    });
    if (settings_.rtol) return;
    add(m_.position_error, position_limit(system_), HUGE_VAL, [&] {
      return fmt::format("positions may be off by {:.1g} m at the end, the sum of what all steps are off by; {}",
                         m_.position_error, finer());
    });
    add(static_cast<double>(report_.halved_steps), kManyHalvings * static_cast<double>(std::max(report_.steps, 10L)),
        HUGE_VAL, [&] {
          return fmt::format("{} attempts of {} steps failed and were repeated with half the step; {}",
                             report_.halved_steps, report_.steps, finer());
        });
  }

  const System& system_;
  const RunSettings& settings_;
  const RunMeasures& m_;
  const RunReport& report_;
  std::vector<Doubt> doubts_;
};

}  // namespace

void RunMeasures::see_energy(double t, double kinetic, double potential, double work, double uncertainty) {
  most_kinetic = std::max(most_kinetic, kinetic);
  least_potential = std::min(least_potential, potential);
  most_potential = std::max(most_potential, potential);
  const double off = std::abs(kinetic + potential - start_energy - work);
  defect.see(off, t);
  unexplained.see(std::isfinite(off) ? std::max(0.0, off - uncertainty) : off, t);
}

double RunMeasures::energy_scale() const {
  return std::max({turned_over(), kRoundOffOfEnergy * std::abs(most_potential),
                   kRoundOffOfEnergy * std::abs(least_potential), std::numeric_limits<double>::min()});
}

double energy_limit(const RunSettings& settings) {
  return settings.rtol ? std::min(kDoubtfulEnergy, kEnergyPerTolerance * *settings.rtol) : kDoubtfulEnergy;
}

double position_limit(const System& system) { return kDoubtfulError * system.reference_length; }

std::vector<Doubt> find_doubts(const System& system, const RunSettings& settings, const RunMeasures& measures,
                               const RunReport& report) {
  return Judge(system, settings, measures, report).doubts();
}

}  // namespace bricard
