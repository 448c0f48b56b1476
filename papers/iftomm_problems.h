// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

// The benchmark problems of the study `iftomm` and what is known about their solutions.
namespace bricard::iftomm {

/// A number that was published or computed by other means.
struct ReferenceValue {
  double time;
  std::string channel;  ///< a signal, or <body or joint>.<channel>.<column>
  double value;
};

/// Values whose errors are measured together: the largest one counts.
struct Quantity {
  std::string name, unit;  ///< without unit: relative errors
  double tolerance;        ///< of the error at the finest step
  bool show_order;         ///< whether it must fall with h²; not where other terms of the error are as
                           ///< large
  std::vector<ReferenceValue> values;
};

/// The acceptance criterion of the library: |T + V − E₀ − work| at every stored time.
struct EnergyLimit {
  double step;       ///< run with this step and otherwise as the model file says
  double tolerance;  ///< J
};

struct Problem {
  std::string name, model;  ///< model: file name
  double duration;
  std::vector<double> steps;  ///< from coarse to fine, all reference times are multiples
  std::vector<Quantity> quantities;
  std::optional<EnergyLimit> energy;
};

std::vector<Problem> problems();

}  // namespace bricard::iftomm
