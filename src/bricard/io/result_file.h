// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "bricard/results/channels.h"

namespace bricard::io {

/// All that a result file holds: enough to show, plot and repeat the run.
struct ResultFile {
  std::string version;       ///< of the program that made it
  std::string model_file;    ///< path of the main model file
  std::string model_text;    ///< its text
  std::string model_sha256;  ///< of the main file followed by those it includes
  std::string model;         ///< JSON: what a viewer draws, parameters, run settings
  std::string certificate;   ///< JSON: the run certificate
  ChannelTable table;
};

}  // namespace bricard::io
