// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "bricard/system/system.h"

namespace bricard {

/// Order of elimination of the unknown blocks that needs no pivoting: from the tips of the mechanism to ground, each
/// body followed by the joint that hangs it on the one before; a joint that closes a loop after all bodies of the loop. (The other way
/// round, from ground outwards, a joint's pivot is the small difference of what its inner body could do alone and what
/// the body's own joint leaves it.) Where the mechanism does not say, approximate minimum degree decides.
std::vector<int> elimination_order(const std::vector<UnknownBlock>& blocks, const std::vector<Coupling>& couplings);

/// Neighbours of each block, without itself and without duplicates, sorted.
std::vector<std::vector<int>> block_graph(int blocks, const std::vector<Coupling>& couplings);

}  // namespace bricard
