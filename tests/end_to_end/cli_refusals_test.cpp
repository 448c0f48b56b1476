// SPDX-License-Identifier: Apache-2.0
#include "end_to_end/program.h"

// Arguments, files and methods that the program refuses, and in which words.
namespace bricard {
namespace cli_refusals_test {

TEST_F(Program, RefusesWrongArguments) {
  expect_refused("rnu throw.yaml", 2, "unknown command 'rnu'; did you mean 'run'?");
  expect_refused("run", 2, "MODEL is required");
  expect_refused("run throw.yaml --durations 2", 2, "did you mean '--duration'?");
  expect_refused("run throw.yaml --step -1", 2, "--step = -1: must be > 0");
  expect_refused("run throw.yaml --step 2", 2, "--step = 2: must be <= the duration");
  expect_refused("run throw.yaml --alpha -1/2", 2, "--alpha = -0.5: must be from -1/3 to 0");
  expect_refused("run throw.yaml --rho-infinity 0.5", 2,
                 "--rho-infinity: the integrator 'hht', which the program chooses here, does not use this, only "
                 "'generalized-alpha' does; 'hht' uses alpha, rtol, "
                 "projection, tolerance, max_iterations, scaling, augmentation and singular_refinement");
  expect_refused(
      "run throw.yaml --beta 0.3 --gamma 0.6", 2,
      "--gamma: the integrator 'hht', which the program chooses here, does not use this, only 'newmark' does");
  expect_refused("run throw.yaml --integrator hhtt", 2, "did you mean 'hht'?");
  expect_refused("run throw.yaml --solver klv", 2, "did you mean 'klu'?");
  expect_refused("run throw.yaml --scaling ful", 2, "--scaling = ful: unknown; did you mean 'full'?");
  expect_refused("run throw.yaml --scaling unit --integrator rk4", 2,
                 "--scaling: the integrator 'rk4' does not use this, all but 'rk4', 'dopri'");
  expect_refused("run throw.yaml --augmentation -1", 2, "--augmentation = -1: must be >= 0");
  expect_refused("run throw.yaml --reference-length 0", 2, "--reference-length = 0: must be > 0");
  expect_refused("run throw.yaml --set sped=1", 2, "did you mean 'speed'?");
  expect_refused("run throw.yaml --set speed", 2, "expected name=value");
  expect_refused("run throw.yaml --json --at 2", 2, "--at = 2: must be from 0 to the duration");
  expect_refused("run throw.yaml -o throw.yaml", 2, "is a file of the model");
  expect_refused("reproduce iftom", 2, "did you mean 'iftomm'?");
}

TEST_F(Program, RefusesTolerancesThatCannotBeKept) {
  expect_refused("run throw.yaml --rtol 0", 2, "--rtol = 0: must be from 1e-13 to 0.1");
  expect_refused("run throw.yaml --rtol 1e-4 --hmin 0.5 --hmax 0.1", 2, "--hmin = 0.5: must be <= hmax, which is 0.1");
  expect_refused("run throw.yaml --rtol 1e-4 --hmin 0.1", 2, "--hmin = 0.1: must be <= hmax, which is 0.05");
  expect_refused("run throw.yaml --hmax 0.1", 2, "--hmax: has a meaning only with rtol");
  expect_refused("run throw.yaml --integrator bdf --order 0", 2, "--order = 0: must be from 1 to 5");
  expect_refused("run throw.yaml --integrator hht-add --b 1/2", 2, "--b = 0.5: must not be 1/2");
  expect_refused("run throw.yaml --integrator raday --rtol 1e-4", 2, "did you mean 'radau'?");
  for (const std::string method : {"midpoint", "rk4", "energy-decaying"})
    expect_refused("run throw.yaml --rtol 1e-4 --integrator " + method, 2,
                   "'" + method + "' runs with fixed steps only");
}

/// What the file says and what the command says must go together, whichever of them is given last.
TEST_F(Program, RefusesArgumentsThatContradictTheToleranceOfTheFile) {
  write("throw.yaml",
        std::string(kThrow).replace(std::string(kThrow).find("step: 0.01"), 10, "step: 0.01, rtol: 1e-4, hmin: 0.01"));
  expect_refused("run throw.yaml --integrator rk4", 2, "--integrator = rk4: 'rk4' runs with fixed steps only");
  expect_refused("run throw.yaml --hmax 1e-3", 2, "--hmax = 0.001: must be >= hmin, which is 0.01");
}

TEST_F(Program, NamesFilesThatCannotBeReadOrWritten) {
  expect_refused("run missing.yaml", 3, "missing.yaml: cannot be read");
  expect_refused("run throw.yaml -o missing/t.h5", 3, "missing/t.h5: cannot be written");
  expect_refused("run throw.yaml --csv .", 3, "is the name of a folder");
  expect_refused("view throw.yaml", 3, "throw.yaml: is not a result file");
  EXPECT_EQ(run("run throw.yaml --json 2>.err >/dev/full; exit $?").code, 3);
}

TEST_F(Program, SaysWhereAModelIsWrong) {
  write("throw.yaml", "bodies:\n  stone: {mass: -1, inertia: [1, 1, 1]}\n");
  expect_refused("run throw.yaml", 2, "throw.yaml:2:17: bodies.stone.mass = -1: must be > 0");
}

TEST_F(Program, SaysWhichForceAMethodCannotTake) {
  write("pendulum.yaml",
        std::string(kPendulum) +
            "forces:\n  brake: {type: force, on: rod, force: [\"-0.1 kg*acceleration_x(rod)\", 0, 0]}\n");
  EXPECT_EQ(run("run pendulum.yaml --integrator hht-si2 --json").code, 0);
  for (const char* method : {"hht-add", "energy-decaying"})
    expect_refused(
        std::string("run pendulum.yaml --integrator ") + method, 2,
        std::string(".yaml:8:3) depends on accelerations or reactions, which '") + method + "' cannot take; use ");
}

}  // namespace cli_refusals_test
}  // namespace bricard
