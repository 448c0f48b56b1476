// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <vector>

#include "bricard/model/model.h"

// What a check says of a beam as a whole: its nodes are bodies, which no reader has named.
namespace bricard {

struct BeamSummary {
  std::string name;
  int elements = 0, nodes = 0, degree = 0;
  double shortest = 0, longest = 0;    ///< element, from end to end, m
  double turn = 0;                     ///< by which the unstrained line turns within an element, at most, rad
  double thickness = 0;                ///< longest element in radii of gyration of its section
  double wave_speed = 0;               ///< of the fastest wave along the beam, m/s
  double wave_time = 0;                ///< which it needs from node to node, at least, s
  std::vector<std::string> free = {};  ///< ends at which there is neither a joint nor a spring
};

class BeamNames {
 public:
  explicit BeamNames(const Model& model);

  const std::vector<BeamSummary>& beams() const { return beams_; }
  bool has(const std::string& node) const { return beam_of_.count(node) > 0; }
  int nodes() const { return static_cast<int>(beam_of_.size()); }
  /// A list of names in which each beam stands once, as beam 'rod', in the place of its nodes.
  std::vector<std::string> folded(const std::vector<std::string>& names) const;

 private:
  std::vector<BeamSummary> beams_;
  std::map<std::string, std::string> beam_of_;  ///< by name of a node
};

}  // namespace bricard
