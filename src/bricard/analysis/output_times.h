// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "bricard/math/archive.h"
#include "bricard/model/run_settings.h"

// The times at which a run is stored, one after the other: start + i·interval, the end, and those asked for by the user.
namespace bricard {

class OutputTimes {
 public:
  struct Time {
    double t;
    bool requested;
  };
  /// `at`: in any order; those that are not after the start are left out.
  OutputTimes(const RunSettings& settings, double start, std::vector<double> at);

  bool is_over() const { return regular_ > count_ && asked_ >= at_.size(); }
  /// Not if it is over.
  Time next() const;
  void pass();
  double end() const { return end_; }
  void archive(Archive& x) { x(regular_, asked_); }

  static constexpr int kUsualSamples = 1000;
  /// Of regular samples, that of the start included.
  static double count(const RunSettings& settings);
  /// Between regular samples.
  static double interval(const RunSettings& settings);

 private:
  double regular_time() const {
    return regular_ > of_grid_ ? end_ : start_ + static_cast<double>(regular_) * interval_;
  }

  double start_, end_, interval_;
  long of_grid_, count_;  ///< regular times after the start: on the grid, and with one at the end
  long regular_ = 1;      ///< the next one
  std::vector<double> at_;
  size_t asked_ = 0;
};

}  // namespace bricard
