// SPDX-License-Identifier: Apache-2.0
#include "bricard/integrate/error_norm.h"

#include <gtest/gtest.h>

namespace bricard::testing {
namespace error_norm_test {

/// A body, a block of three modal coordinates or the like, and two states.
System mixed_system() {
  System system;
  system.reference_length = 2;
  system.add_frame("body");
  system.add_vector_block(3);
  StateInfo flow{"flow", ""}, heat{"heat", ""};
  heat.scale = 10;
  system.add_states({flow, heat});
  return system;
}

RunSettings with_tolerance(double rtol) {
  RunSettings settings;
  settings.rtol = rtol;
  settings.atol = 0;
  return settings;
}

TEST(ErrorNorm, SeesEveryUnknownWhateverTheSizeOfItsBlock) {
  const System system = mixed_system();
  const ErrorNorm norm(system, with_tolerance(1e-3));
  for (int i = 0; i < system.velocities(); ++i) {
    const VectorXd error = 1e-3 * VectorXd::Unit(system.velocities(), i);
    EXPECT_GT(norm(error, 2, 2).ratio, 0.05) << "unknown " << i;
  }
}

TEST(ErrorNorm, TellsLengthsAnglesAndStatesApart) {
  const System system = mixed_system();
  const ErrorNorm norm(system, with_tolerance(1e-3));
  const auto at = [&](int i) { return norm(1e-3 * VectorXd::Unit(system.velocities(), i), 2, 2); };
  EXPECT_DOUBLE_EQ(at(0).ratio, 0.5);  // over the reference length
  EXPECT_EQ(at(0).node, 1);
  EXPECT_DOUBLE_EQ(at(4).ratio, 1);
  EXPECT_TRUE(at(4).rotation);
  EXPECT_DOUBLE_EQ(at(7).ratio, 0.5);
  EXPECT_EQ(at(7).node, -1);
  EXPECT_DOUBLE_EQ(at(9).ratio, 1);
  EXPECT_DOUBLE_EQ(at(10).ratio, 0.1);
  EXPECT_EQ(at(10).node, -3);
}

}  // namespace error_norm_test
}  // namespace bricard::testing
