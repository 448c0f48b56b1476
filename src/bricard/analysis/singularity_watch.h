// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "bricard/solve/newton_system.h"

// Notices singular positions that a run passes: instants at which constraints become dependent and the mechanism could go
// on in more than one way.                                              theory: docs/theory/singular_positions.md
namespace bricard {

struct SingularPosition {
  double time = 0;
  int extra_freedoms = 0;   ///< degrees of freedom more than usual; not counted at the start
  bool branch_kept = true;  ///< velocities went on as before
  double impulse = 0;       ///< largest change of a momentum that no force explains, N s
  bool at_start = false;

  void archive(Archive& x) { x(time, extra_freedoms, branch_kept, impulse, at_start); }
  /// t = 0.714 s: singular position with 2 extra degrees of freedom; passed, branch kept; impulse 0.02 N s
  std::string text() const;
};

class SingularityWatch {
 public:
  explicit SingularityWatch(const System& system);

  /// After each accepted step. `weakest_row`: how independent the constraint rows are, as the method found out (1 fully,
  /// 0 not at all); if it did not, the watch looks itself.
  void after_step(const State& before, const State& after, std::optional<double> weakest_row);
  /// Whether a singular position is near.
  bool is_near() const { return !window_.empty(); }
  /// Other constraints hold from now on.
  void restart() {
    finish();
    geometry_.reset();
    window_.clear();
    strength_.clear();
    quiet_ = 0;
  }
  /// At the end of a run.
  void finish();

  const std::vector<SingularPosition>& positions() const { return positions_; }
  /// The first few in words, and how many more.
  std::vector<std::string> remarks() const;
  void archive(Archive& x) {
    x.maybe(geometry_, [&] { return std::make_unique<ConstraintGeometry>(system_); });
    x(window_, strength_, quiet_, given_up_, positions_);
  }

 private:
  const ConstraintGeometry& geometry_at(const State& s);
  double motion_of(const State& before, const State& after) const;
  double momentum_jump(const State& before, const State& after, double& relative);
  void judge();

  const System& system_;
  std::unique_ptr<ConstraintGeometry> geometry_;  // from the first time that it is needed
  Kinematics kinematics_;
  Residual residual_;
  std::vector<State> window_;     // states while a singular position is near, with one before and one after
  std::vector<double> strength_;  // their weakest rows
  VectorXd lengths_;
  double quiet_ = 0;       // motion until which no singular position can be near
  bool given_up_ = false;  // this system is weak for other reasons
  std::vector<SingularPosition> positions_;
};

}  // namespace bricard
