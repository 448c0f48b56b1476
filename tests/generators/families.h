// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "generators/loop_witness.h"

// Families of linkages from which mechanisms are drawn.
namespace bricard::testing {

/// Whether all joints but drives keep a position of their own, and at what a family is looked at.
struct Family {
  std::string name;
  bool redundant;  ///< has equations that are redundant in every position
  Linkage (*draw)(Draw& draw);
};
const std::vector<Family>& all_families();

/// A drawn linkage with its motion, which stays away from singular positions.
struct DrawnLinkage {
  Linkage linkage;
  VectorXd u, u1;  ///< coordinates of the witness at the start
};
/// The mechanism of a family and seed, driven or free.
DrawnLinkage draw_linkage(const Family& family, unsigned seed, bool driven);

}  // namespace bricard::testing
