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
  std::vector<double> eigenvalues;             ///< modes × (real, imaginary), 1/s
  std::vector<double> frequencies, dampings;   ///< |s|/2π in Hz, −Re s/|s|
  std::vector<std::string> labels;
  std::vector<Body> bodies;
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
  ModeTable modes;           ///< empty but for `bricard modes`
};

}  // namespace bricard::io
