// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "bricard/analysis/statics.h"
#include "bricard/read/model_reader.h"
#include "papers/study.h"

// Models with beams at rest and in motion, and their numbers next to those of others: what the parts of the study `beams` and of
// section 9 of the study 000 share.
namespace bricard::beam_study {

/// `text` with each `word` of the pairs replaced by what follows it; every one must be there.
std::string with(std::string text, const std::vector<std::pair<std::string, std::string>>& words);

/// A model in the equilibrium that the program finds.
struct Rest {
  Model model;
  System system;
  State state;
  StaticReport report;

  explicit Rest(Model m);
  explicit Rest(const std::string& text, const io::Overrides& parameters = {});
  /// Not numbers if no equilibrium was found.
  Vector3d position(const std::string& marker) const;
  Matrix3d axes(const std::string& marker) const;

 private:
  Frame frame(const std::string& marker) const;
};

/// Signals over time.
struct Trace {
  std::vector<double> t;
  std::vector<std::vector<double>> values;  ///< of each signal that was asked for
  std::vector<Vector3d> centre;             ///< centre of mass of all bodies
  long steps = 0;

  /// At one of the output times; not a number if the run did not come so far.
  double at(size_t signal, double time) const;
};

/// A run from the start of the model with its settings.
Trace run(const Model& model, const std::vector<std::string>& signals);

/// The largest |a − b| of one signal over the output times of b that a has too; not a number if one of them ended early.
double largest_difference(const Trace& a, const Trace& b, size_t signal, double until = 1e300);

/// One number next to that of somebody else.
struct Comparison {
  std::string what;
  double ours, reference, bound;
};

/// A table with a check for each row.
void add_comparison(Study& study, const std::string& name, const std::vector<Comparison>& rows,
                    const std::string& verdict);

/// Published numbers as points of a plot.
ReportCurve published(const std::string& name, const std::vector<double>& x, const std::vector<double>& y);
ReportCurve computed(const std::string& name, const Trace& trace, size_t signal);

}  // namespace bricard::beam_study
