// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace bricard::testing {

/// What carries the stator of the rotor of study 003, as a section of a model file.
constexpr const char* kRotorMount = R"(
forces:
  mount:
    type: bushing
    between: [ground, stator]
    at: [0, 0, 0]
    stiffness: [1000, 1000, 1000]
    damping: [1, 1, 1]
    rotational_stiffness: [1e4, 1e4, 1e5]
    rotational_damping: [10, 10, 100]
)";

}  // namespace bricard::testing
