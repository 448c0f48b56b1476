// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

#include "bricard/analysis/eigenmodes.h"
#include "bricard/analysis/operating_point.h"
#include "bricard/results/report.h"

// Modes over a parameter, as the speed of a rotor: each followed from value to value by the likeness of its shape; where
// motions grow, and between which values of the parameter.
//     MAC = |φᴴ M ψ|² / (φᴴMφ · ψᴴMψ)                                        theory: docs/theory/linearization.md
namespace bricard {

/// Which way round bodies go about the axis of rotation, seen from the axes of the linearization.
enum class Whirl { none, forward, backward };

struct CampbellPoint {
  double value = 0;
  std::string problem;           ///< why there are no modes
  std::vector<Eigenmode> modes;  ///< the slowest that oscillate and the slowest that do not, but for zero eigenvalues
  std::vector<Whirl> whirl;      ///< of each
  StabilityVerdict verdict;      ///< by all modes
  std::string growing;           ///< what the fastest growing mode moves
  bool partial = false;          ///< not all modes were looked for: there are too many
  bool unstable() const { return problem.empty() && verdict.stability == Stability::unstable; }
};

/// Between these values of the parameter motions grow. An end is a boundary of stability, found by halving, or the end of
/// the values.
struct UnstableRange {
  double from = 0, to = 0;
  bool from_is_boundary = false, to_is_boundary = false;
};

struct CampbellPlan {
  std::string parameter, unit;
  std::vector<double> values;
  int count = 12;  ///< modes at each value that oscillate, and as many that do not
  PointType point = PointType::given;
  std::optional<double> time;  ///< run until then first
  LinearizationSettings settings;
  std::function<Model(double value)> model;  ///< may throw ModelError: then there is no operating point
  std::function<bool()> cancelled;
};

struct Campbell {
  std::vector<CampbellPoint> points;
  std::vector<std::vector<int>> tracks;  ///< per mode that is followed: its number at each point, −1 where it is not
  std::vector<UnstableRange> unstable;
  bool interrupted = false;
};

Campbell find_campbell(const CampbellPlan& plan);

/// The sense of the orbits of all bodies about `axis`, weighted by masses: +1 all forward, −1 all backward, 0 to and
/// fro.
double whirl_of(const System& system, const State& s, const Eigenmode& mode, const SparseRows& M, const Vector3d& axis);

/// Modal assurance criterion: 1 if two shapes are the same motion, 0 if they have nothing in common.
double likeness(const VectorXcd& a, const VectorXcd& b, const SparseRows& M);

Report campbell_report(const std::string& model, const CampbellPlan& plan, const Campbell& campbell);

}  // namespace bricard
