// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "bricard/elements/measured_formulas.h"
#include "bricard/results/results.h"
#include "bricard/system/system.h"

// Watches root functions of elements and of the model's events.             theory: docs/theory/events.md
namespace bricard {

/// A place in a step where a root function passes through zero, as far as the interpolated step tells.
struct RootPlace {
  int root = 0;
  bool rising = true;
  double t = 0;
  double low = 0, high = 0;  ///< times at which it has not passed yet, and has
  double slope = 0;          ///< of the function there, per time
  std::vector<int> others;   ///< roots that pass at the same time
};

class EventWatch {
 public:
  using Dense = std::function<State(double)>;

  explicit EventWatch(const System& system);
  bool is_empty() const { return value_.size() == 0; }

  /// Finds out on which side all functions are where a run begins, and tells the elements. One that is zero is looked at
  /// `ahead` later. Returns the events that happen at once.
  std::vector<int> start(State& s, double ahead);

  /// The first event in a step after the time `from`, if there is one. Of long steps the inside is looked at, too.
  std::optional<RootPlace> first(const State& before, const State& after, double from, const Dense& dense,
                                 bool is_long);
  double value(int root, const State& s);
  /// The step in which `first` found nothing ended at s: functions whose changes of sign are no events may have changed it.
  void settle(const State& s);

  /// Whether an event does more than being written down.
  bool acts(int root) const;
  /// Lets one root pass: the element or the event changes s. What happened goes to `records`; whether anything did.
  bool pass(int root, State& s, std::vector<EventRecord>& records);
  /// After s was changed and made consistent: roots that now are on another side, which are events at the same time.
  std::vector<int> changed(const State& s, double ahead, const std::vector<int>& passed);

  /// The event that ends the run, if one that passed does; "" if not.
  const std::string& ended_by() const { return ended_by_; }
  void archive(Archive& x) { x(value_, scale_, side_, ended_by_); }

 private:
  struct Source {
    const ElementBatch* batch = nullptr;  ///< null: an event of the model
    int number = 0;                       ///< of the root in its batch, or of the event
    std::string owner;
  };
  void evaluate(const State& s, VectorXd& values);
  void evaluate_ahead(const State& s, double ahead, VectorXd& values);
  bool counts(int root, bool rising, const State& s) const;
  double side_of(int root, double value) const;
  std::string act(const EventInfo& event, State& s);
  std::optional<RootPlace> scan(int root, const State& before, const Dense& dense, const std::vector<double>& times,
                                const Eigen::MatrixXd& values);
  void refine(RootPlace& place, const Dense& dense);

  const System& system_;
  std::vector<const ElementBatch*> batches_;  ///< those with roots
  std::vector<Source> sources_;
  Kinematics kinematics_;
  VectorXd value_, ahead_, scale_;  ///< scale_: the largest value seen
  std::vector<int> side_;           ///< −1, 1, or 0 if not known
  std::string ended_by_;
};

}  // namespace bricard
