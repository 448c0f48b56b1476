// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "bricard/model/model.h"

// Small models with one force or one joint of each kind, for tests that walk the kinds there are.
namespace bricard::testing {

using Keys = std::vector<std::pair<std::string, std::string>>;

/// Good values of a kind of force. Throws for a kind that has no sample yet.
Keys sample_force(const std::string& word);

/// The same with all kinds of values where one set cannot have all keys; that of sample_force comes first.
std::vector<Keys> samples_of_force(const std::string& word);

/// Two bodies on a hinge and a slide, with the force `f`.
std::string model_with_force(const std::string& word, const Keys& keys);

/// Two bodies with the joint `j` between them: its keys are those that its description asks for.
std::string model_with_joint(const JointKind& kind);

}  // namespace bricard::testing
