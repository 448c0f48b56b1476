// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "bricard/model/integrator_kinds.h"
#include "bricard/solve/newton_system.h"
#include "bricard/system/system.h"

// The interface of all time-stepping methods. All scratch memory lives in the integrator; a step allocates nothing.
namespace bricard {

enum class StepStatus {
  accepted,
  not_converged,
  not_finite,
  diverged,
  contradiction,  ///< the constraints cannot be satisfied together
};

struct StepReport {
  StepStatus status = StepStatus::accepted;
  int iterations = 0;
  double correction = 0;              ///< last Newton correction, as a length
  bool singular = false;              ///< accepted next to a singular position, where Newton's method is slow
  std::optional<double> weakest_row;  ///< how independent the constraint rows are: 1 fully, 0 not; if the method knows
  double position_violation = 0;      ///< largest |g| seen at the accepted positions, if it was evaluated
  double velocity_violation = 0;      ///< largest |ġ| at the end of the accepted step, if it was measured
};

/// What the last attempted step is off by. It does not hold for longer than that step.
struct LocalError {
  const VectorXd* positions = nullptr;  ///< error of the increment δ in one step; null: the method does not know
  int order = 0;                        ///< the error at the end of a run falls like hᵖ
  int power = 0;                        ///< that of one step, as estimated, like this power of h
  double factor = 0;                    ///< by which the method wishes to change the step; 0: no wish of its own
  bool near_singular = false;  ///< a constraint row is weak: a part of the estimate may be noise, whatever the step
};

/// A step is a function of the state where it begins, of its length and of what the accepted steps before it left behind,
/// the memory: an attempt that is not accepted leaves nothing in it.
class Integrator {
 public:
  virtual ~Integrator() = default;
  /// Forgets the past; the next step begins at s, which must be consistent.
  void start(const State& s) {
    tried_ = false;
    begin(s);
    save();
  }
  /// Tries a step of h from s.
  StepReport attempt(double h, const State& s) {
    tried_ ? restore() : save();
    tried_ = true;
    return try_step(h, s);
  }
  /// Of the attempted step.
  virtual LocalError local_error() { return {}; }
  /// Takes over the attempted step: s becomes its end, unless the report then says that it cannot be.
  void accept(State& s, StepReport& report) {
    take_step(s, report);
    tried_ = report.status != StepStatus::accepted;
  }
  /// The last accepted step was not taken: the next one begins where it began.
  void take_back() { restore(); }

  /// Advances s by h. If it is not accepted, s is untouched.
  StepReport step(double h, State& s) {
    StepReport report = attempt(h, s);
    if (report.status == StepStatus::accepted) accept(s, report);
    return report;
  }

  virtual SolverCounts counts() const = 0;
  virtual std::size_t bytes() const = 0;
  virtual const char* solver_name() const = 0;

  /// The memory as it is now, and back to it.
  virtual void save() = 0;
  virtual void restore() = 0;
  /// The memory after an accepted step, and what solvers found out where the run began, for a method that was started already.
  virtual void archive(Archive& x) = 0;

 protected:
  virtual void begin(const State& s) = 0;
  virtual StepReport try_step(double h, const State& s) = 0;
  virtual void take_step(State& s, StepReport& report) = 0;

 private:
  bool tried_ = false;  ///< since the memory was saved
};

/// Why a method cannot run a system, naming what is in its way; "" if it can.
std::string why_not(const System& system, const RunSettings& settings);

std::unique_ptr<Integrator> make_integrator(const System& system, const RunSettings& settings,
                                            const Tolerances& tolerances = {});

}  // namespace bricard
