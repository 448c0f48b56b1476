// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "bricard/results/channels.h"

namespace bricard::io {

/// Free small motions about the one stored state: of each mode m and body b the pose moves as
///     p + Re(displacement eˢᵗ),   Exp(Re(rotation eˢᵗ)) R,   ground axes
struct ModeTable {
  struct Body {
    std::string name;
    std::vector<double> displacement, rotation;  ///< modes × 3 × (real, imaginary)
  };
  std::vector<double> eigenvalues;            ///< modes × (real, imaginary), 1/s
  std::vector<double> frequencies, dampings;  ///< |s|/2π in Hz, −Re s/|s|
  std::vector<std::string> labels;
  std::vector<Body> bodies;
};

/// Oscillating modes over a parameter: one row per mode that is followed, NaN where it is not found.
struct CampbellTable {
  std::string parameter, unit;
  std::vector<double> values;
  std::vector<std::string> labels;
  std::vector<double> frequencies, dampings;  ///< modes × values, Im s/2π in Hz, −Re s/|s|
  bool is_speed = false;                      ///< the parameter is a speed of rotation in rad/s
};

/// Steady oscillation of outputs per input: one row per pair.
struct ResponseTable {
  std::vector<double> frequencies;  ///< Hz
  std::vector<std::string> names, units;
  std::vector<double> magnitudes, phases;  ///< pairs × frequencies, phases in degrees
};

/// All that a result file holds: enough to show, plot and repeat the run.
struct ResultFile {
  std::string version;       ///< of the program that made it
  std::string model_file;    ///< path of the main model file
  std::string model_text;    ///< its text
  std::string model_sha256;  ///< of the main file followed by those it includes
  std::string model;         ///< JSON: what a viewer draws, parameters, run settings
  std::string certificate;   ///< JSON: the run certificate
  ChannelTable table;
  ModeTable modes;          ///< empty but for `bricard modes` and `campbell`
  CampbellTable campbell;   ///< empty but for `bricard campbell`
  ResponseTable responses;  ///< empty but for `bricard frequency`
};

}  // namespace bricard::io
