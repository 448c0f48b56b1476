// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "reference/simulated.h"

// The work in the certificate has the order of the method.
namespace bricard::testing {
namespace work_order_test {

/// A rotor of 0.5 kg m² in a hinge with a damper of 0.8 N m s/rad: ω = ω₀ exp(−c t/J).
Simulated damped_rotor(const std::string& run) {
  return Simulated(fmt::format(R"(
gravity: [0, 0, 0]
bodies: {{rotor: {{mass: 1, inertia: [0.5, 0.5, 0.5], angular_velocity: [0, 0, 2]}}}}
joints: {{hinge: {{type: revolute, between: [ground, rotor], at: [0, 0, 0], axis: [0, 0, 1]}}}}
forces: {{oil: {{type: joint-spring, joint: hinge, stiffness: 0, damping: 0.8}}}}
run: {{duration: 1, {}}}
)",
                               run));
}
const double kWorkOfDamper = -0.5 * 0.5 * 4 * (1 - std::exp(-2 * 0.8 / 0.5));

/// A rod on a hinge that is driven by 0.7 sin² 2t: what the drive does is what the rod has at the end more than at the start.
Simulated driven_rod(const std::string& run) {
  return Simulated(fmt::format(R"(
gravity: [0, -9.81, 0]
bodies: {{rod: {{mass: 2, inertia: [0.1, 0.1, 0.1], position: [0.5, 0, 0]}}}}
joints: {{hinge: {{type: revolute, between: [ground, rod], at: [0, 0, 0], axis: [0, 0, 1]}}}}
motions: {{drive: {{joint: hinge, displacement: 0.7*sin(2*t)^2}}}}
run: {{duration: 1, {}}}
)",
                               run));
}
const double kRateOfDrive = 1.4 * std::sin(4.0);
const double kWorkOfDrive =
    0.5 * (0.1 + 2 * 0.25) * kRateOfDrive * kRateOfDrive + 2 * 9.81 * 0.5 * std::sin(0.7 * std::pow(std::sin(2.0), 2));

struct MethodOrder {
  std::string method;
  double order, h;
};

TEST(WorkOrder, OfADamperIsThatOfTheMethod) {
  for (const MethodOrder& m : {MethodOrder{"integrator: hht", 2, 0.01},
                               {"integrator: bdf, order: 2", 2, 0.01},
                               {"integrator: bdf, order: 3", 3, 0.01},
                               {"integrator: bdf, order: 4", 4, 0.02}}) {
    const auto error = [&](double h) {
      return std::abs(damped_rotor(fmt::format("step: {}, {}", h, m.method)).results.report.work - kWorkOfDamper);
    };
    const double coarse = error(m.h), fine = error(0.5 * m.h);
    EXPECT_NEAR(std::log2(coarse / fine), m.order, 0.5) << m.method << ": " << coarse << " " << fine;
  }
}

// Methods of high order look into their steps until the work is known to a hundredth of what would make a run doubtful.
TEST(WorkOrder, OfLongStepsIsKnownAsWellAsTheCertificateSays) {
  for (const char* method : {"integrator: radau, step: 0.1", "integrator: radau, step: 0.02",
                             "integrator: rk4, step: 0.05", "integrator: rk4, step: 0.01",
                             "integrator: radau, step: 1e-3, rtol: 1e-5", "integrator: radau, step: 1e-3, rtol: 1e-7",
                             "integrator: dopri, step: 1e-3, rtol: 1e-6", "integrator: bdf, step: 1e-3, rtol: 1e-6"}) {
    SCOPED_TRACE(method);
    for (const auto& [run, exact] :
         {std::pair{damped_rotor(method), kWorkOfDamper}, {driven_rod(method), kWorkOfDrive}}) {
      const RunReport& report = run.results.report;
      EXPECT_LT(std::abs(report.work - exact),
                2e-5 * report.energy_turned_over);  // bdf's own error, ten times its tolerance
      EXPECT_LT(report.work_uncertainty, 1e-3 * report.energy_turned_over);
      EXPECT_EQ(report.verdict(), Verdict::good);
    }
  }
}

}  // namespace work_order_test
}  // namespace bricard::testing
