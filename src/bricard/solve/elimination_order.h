// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "bricard/system/system.h"

namespace bricard {

/// Order of elimination of the unknown blocks that needs no pivoting: bodies with the joint that hangs them on
/// what was reached before, by approximate minimum degree; joints that close loops after all others.
std::vector<int> elimination_order(const std::vector<UnknownBlock>& blocks, const std::vector<Coupling>& couplings);

/// Neighbours of each block, without itself and without duplicates, sorted.
std::vector<std::vector<int>> block_graph(int blocks, const std::vector<Coupling>& couplings);

}  // namespace bricard
