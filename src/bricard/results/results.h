// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <vector>

#include "bricard/solve/newton_system.h"
#include "bricard/system/system.h"

// What came out of a run: states at the requested times and the certificate.
namespace bricard {

struct Sample {
  State state;
  double kinetic = 0, potential = 0;
  double work = 0;                ///< done since the start by motions, dampers and applied forces
  double position_violation = 0;  ///< largest |g|
  double velocity_violation =
      0;  ///< largest |ġ| at the end of the step, before velocities of the sample were made consistent
  bool requested = false;  ///< asked for by name (--at), not part of the regular output

  void archive(Archive& x) { x(state, kinetic, potential, work, position_violation, velocity_violation, requested); }
};

/// How the start differs from what was wished for one body.
struct BodyMove {
  std::string body;
  double distance = 0, angle = 0;             ///< of the mass centre, m; turn, rad
  double velocity = 0, angular_velocity = 0;  ///< m/s, rad/s
};

/// What a run is worth: every measure is within its limits; one is not, so that the results need a look; they are useless.
enum class Verdict { good, doubtful, failed };
const char* name_of(Verdict verdict);

/// A reason to distrust a run: what was measured and when, and what to try.
struct Doubt {
  std::string text;
  bool fatal = false;
};

/// Something that happened on the way: an event of the model, or an element that switched.
struct EventRecord {
  double t = 0;
  std::string source;  ///< event 'release', joint-stop 'bumper'
  std::string what;    ///< switches off motion 'drive'; touches its upper limit
  double energy = 0;   ///< by which it changed that of the system, J

  void archive(Archive& x) { x(t, source, what, energy); }
};

/// The run certificate: what was done and how well the equations are satisfied.
struct RunReport {
  bool finished = false;
  std::string stopped_because;  ///< plain words, empty if finished
  double end_time = 0;
  std::string integrator, solver;
  long steps = 0, iterations = 0, halved_steps = 0, singular_steps = 0;
  long rejected_steps = 0;                     ///< whose error was too large
  double smallest_step = 0, largest_step = 0;  ///< of a run with a tolerance
  std::string ruling_error;  ///< what ruled its steps, as "rotation of body 'rod' (61 % of the steps)"
  SolverCounts linear;
  double max_position_violation = 0, max_velocity_violation = 0;
  double start_energy = 0, end_energy = 0, work = 0;
  double max_energy_defect = 0;      ///< largest |T + V − E₀ − work| that was seen
  double work_uncertainty = 0;       ///< what the integral of the power may be off by
  double energy_turned_over = 0;     ///< what the defect is judged by: docs/results.md
  double motion_residual = 0;        ///< largest |M a + Gᵀλ − f| at the samples, as a part of its terms
  double acceleration_residual = 0;  ///< the same of g̈
  double largest_turn = 0;           ///< of a body in one step, rad
  double position_error = 0;  ///< of fixed steps, estimated: the sum of what all steps are off by, m, angles times ℓ_r
  std::map<std::string, double> seconds;  ///< wall time by phase
  int degrees_of_freedom = 0;             ///< velocities minus independent constraints at the start
  int redundant_constraints = 0;
  std::vector<std::string> remarks;   ///< what the analysis has to say, as "stable"
  std::vector<BodyMove> start_moves;  ///< what had to be changed of the wished start
  std::vector<Doubt> doubts;
  std::vector<EventRecord> events;  ///< in the order of time
  bool running = false;             ///< not finished only because it was looked at on its way
  Verdict verdict() const;
};

struct Results {
  std::vector<Sample> samples;
  RunReport report;
};

/// The state at t between two neighbouring steps, of fifth degree in positions, linear in a, λ and angles. With the bump of
/// the step it is of sixth degree.
State interpolate(const System& system, const State& before, const State& after, double t, const VectorXd& bump = {});

/// What the increment of a step is off the integral of its velocities,
///     δ − h/2 (δ̇₀ + δ̇₁) − h²/12 (δ̈₀ − δ̈₁),      which the exact motion leaves of fifth order
VectorXd increment_defect(const System& system, const State& before, const State& after);

/// The term that makes the interpolation's acceleration that of `middle`, a consistent state in the middle of the step.
VectorXd interpolation_bump(const System& system, const State& before, const State& after, const State& middle);

}  // namespace bricard
