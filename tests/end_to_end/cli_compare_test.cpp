// SPDX-License-Identifier: Apache-2.0
#include <signal.h>

#include <regex>

#include "end_to_end/program.h"

// Comparisons of integrators.
namespace bricard {
namespace cli_compare_test {

TEST_F(Program, ComparesIntegratorsAndSteps) {
  const Outcome outcome = run("compare pendulum.yaml --integrators hht,newmark:gamma=0.6:beta=0.3025 "
                              "--steps '1 ms,0.004,2e-3' --quantity hinge.angle --json -o c.html");
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const json report = json::parse(outcome.out);
  const auto plot = [&](const std::string& y) {
    for (const json& p : report["plots"])
      if (p["y"] == "relative error of " + y && p["x"] == "step [s]") return p;
    return json();
  };
  for (const char* title : {"positions", "velocities", "reactions", "hinge.angle"}) {
    const json curves = plot(title)["curves"];
    ASSERT_EQ(curves.size(), 2u) << title;
    EXPECT_EQ(curves[0]["x"], json({0.004, 0.002, 0.001}));
    EXPECT_NEAR(curves[0]["slope"], 2, 0.05) << title;
    EXPECT_EQ(curves[1]["name"], "newmark:gamma=0.6:beta=0.3025");
    EXPECT_NEAR(curves[1]["slope"], 1, 0.1) << title;
  }
  EXPECT_NE(report["text"].dump().find("Reference: "), std::string::npos);
  EXPECT_NE(read("c.html").find("<title>compare pendulum"), std::string::npos);

  // Radau's method with a reference of another kind: order 5.
  const json radau = json::parse(run("compare pendulum.yaml --integrators radau --steps 0.04,0.02 --reference "
                                     "richardson:2e-4 --json")
                                     .out);
  EXPECT_NE(radau["text"].dump().find("(Richardson)"), std::string::npos);
  EXPECT_NEAR(radau["plots"][1]["curves"][0]["slope"], 5, 0.4) << radau.dump(2);
  EXPECT_EQ(files(), Names{"c.html"});
}

TEST_F(Program, ComparesAllIntegratorsAtTheStepOfTheModelIfNothingElseIsSaid) {
  const Outcome outcome = run("compare pendulum.yaml --duration 0.2");
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  for (const char* line : {"\nhht +0.01 +20 ", "\nnewmark +0.04 +5 ", "\ngeneralized-alpha +0.02 +10 ", " slope\n"})
    EXPECT_TRUE(std::regex_search(outcome.out, std::regex(line))) << line << outcome.out;
  for (const std::string refused : {"ah-euler", "ah", "ahnr"})  // in the coordinates of bodies
    EXPECT_TRUE(
        std::regex_search(outcome.out, std::regex("\n" + refused + " +0.01 +'" + refused + "' needs a constant")))
        << outcome.out;
}

TEST_F(Program, WritesThePageOfAnInterruptedComparison) {
  const Outcome outcome = run_until(kListens, "compare pendulum.yaml --duration 1e6 -o c.html");
  EXPECT_EQ(outcome.code, 128 + SIGTERM) << outcome.err;
  EXPECT_NE(outcome.out.find(" runs reached their end. Interrupted"), std::string::npos) << outcome.out;
  EXPECT_NE(read("c.html").find("Interrupted"), std::string::npos);
}

TEST_F(Program, RefusesComparisonsThatMakeNoSense) {
  const std::string compare = "compare pendulum.yaml ";
  expect_refused("compare missing.yaml", 3, "missing.yaml: cannot be read");
  expect_refused(compare + "--integrators hht,newmrk", 2,
                 "--integrators = newmrk: unknown integrator; did you mean 'newmark'?");
  expect_refused(compare + "--integrators hht,hht", 2, "--integrators: hht is given twice");
  expect_refused(compare + "--integrators hht:alpha=-1", 2, "--alpha = -1: must be from -1/3 to 0");
  expect_refused(compare + "--integrators hht:alfa=-0.1", 2, "unknown run setting; did you mean 'alpha'?");
  expect_refused(compare + "--integrators hht:rtol=1e-5", 2, "rtol is not a setting of one integrator");
  expect_refused(compare + "--integrators hht:0.1", 2, "expected integrator:setting=value");
  expect_refused(compare + "--steps 0.01,0", 2, "--steps = 0: must be > 0 and at most the duration, which is 1 s");
  expect_refused(compare + "--steps 0.01,2", 2, "--steps = 2: must be > 0 and at most the duration");
  expect_refused(compare + "--steps 0.01,1e-2", 2, "--steps: 0.01 is given twice");
  expect_refused(compare + "--steps '1 mm'", 2, "is a length where a time is expected");
  expect_refused(compare + "--reference hht", 2, "--reference = hht: expected METHOD:STEP");
  expect_refused(compare + "--reference hht:0.02", 2, "its step must be smaller than all of --steps");
  expect_refused(compare + "--quantity hinge.angel", 2, "no such quantity; did you mean 'hinge.angle'?");
  expect_refused(compare + "-o pendulum.yaml", 2, "is a file of the model");
  expect_refused(compare + "-o missing/page.html", 3, "missing/page.html: cannot be written");
}

}  // namespace cli_compare_test
}  // namespace bricard
