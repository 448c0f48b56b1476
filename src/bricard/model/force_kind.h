// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

namespace bricard {

/// What a kind of force is called.
struct ForceKind {
  const char* word;    ///< `type` in the model file
  const char* called;  ///< in messages: a torsion spring needs …
  /// Keys of which one at least must be given; none if the required ones are enough.
  std::array<const char*, 6> effective{};
  const char* section = "forces";  ///< of the model file. A section of its own has one kind of force only
};

}  // namespace bricard
