// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <random>
#include <string>
#include <vector>

#include "tangent/follower_frames.h"

// Systems with one kind of element each between randomly placed bodies, for tests that run over all elements and all kinds of
// frames.
namespace bricard::testing {

struct ElementCase {
  std::string name;
  std::function<void(System&)> add;  ///< adds one or two elements of a kind between nodes 0, 1, 2
  FrameKind frames = FrameKind::own;
};

/// Every kind of element there is, on frames of every kind. A new element gets one row here.
std::vector<ElementCase> all_element_cases();

/// Springs between modal interfaces and the frames they follow themselves.
void add_springs_to_followed_frames(System& s);

/// Two bodies and the elements of the case.
System make_system(const ElementCase& element);

/// A state with every number random; constraints are not satisfied, which is what a tangent test wants.
State random_state(const System& system, FrameKind frames, unsigned seed);

}  // namespace bricard::testing
