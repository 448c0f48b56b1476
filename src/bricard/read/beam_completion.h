// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bricard/check/read_log.h"
#include "bricard/model/framework.h"
#include "bricard/model/model.h"

namespace bricard::io {

/// The members of frameworks among the beams, from node to node.
void complete_frameworks(const std::vector<Framework>& frames, Model& model, ReadLog& log);

/// The joints between members whose nodes are among the bodies.
void join_members(const std::vector<Framework>& frames, Model& model);

/// Places of the ends of beams that are welded to markers, checks, and the nodes of good beams among the bodies. Bodies and
/// their markers are complete.
void complete_beams(Model& model, ReadLog& log);

}  // namespace bricard::io
