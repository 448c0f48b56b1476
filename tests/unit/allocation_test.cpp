// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "bricard/analysis/natural_run.h"
#include "bricard/analysis/simulate.h"
#include "bricard/integrate/integrator.h"
#include "bricard/model/integrator_kinds.h"
#include "bricard/read/model_reader.h"
#include "reference/mechanisms.h"

// A time step takes no memory from the system, and the same input gives the same bits. The
// allocation functions of the C library, on which operator new and Eigen rest, are counted by
// standing in front of them; a sanitizer that does the same leaves no room for this.
namespace {

constinit thread_local long allocations = 0;
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kCounted = false;
#else
constexpr bool kCounted = true;
#endif

}  // namespace

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
extern "C" {
void* __libc_malloc(size_t size);
void* __libc_calloc(size_t count, size_t size);
void* __libc_realloc(void* old, size_t size);
void* __libc_memalign(size_t alignment, size_t size);

void* malloc(size_t size) {
  ++allocations;
  return __libc_malloc(size);
}
void* calloc(size_t count, size_t size) {
  ++allocations;
  return __libc_calloc(count, size);
}
void* realloc(void* old, size_t size) {
  ++allocations;
  return __libc_realloc(old, size);
}
void* aligned_alloc(size_t alignment, size_t size) {
  ++allocations;
  return __libc_memalign(alignment, size);
}
int posix_memalign(void** place, size_t alignment, size_t size) {
  ++allocations;
  void* memory = __libc_memalign(alignment, size);
  if (!memory) return ENOMEM;
  *place = memory;
  return 0;
}
}
#endif

namespace bricard::testing {
namespace {

struct StepCase {
  std::string name;
  Model (*model)();
};

Model links() { return chain(10); }
Model four_bar() { return n_four_bar(2, 1e-4, 1.5707963267948966, -1); }

/// Forces and laws that see positions, velocities, accelerations, reactions and a table.
Model formulas() {
  return io::read_model_text(R"yaml(
tables: {curve: {x: [0, 1, 2, 3, 4], y: [0, 2, 3, 3, 5]}}
expressions: {pull: "akima(distance(b), curve)"}
bodies:
  a: {mass: 2, inertia: [0.1, 0.2, 0.2], position: [0.5, 0, 0]}
  b: {mass: 1, inertia: [0.1, 0.2, 0.2], position: [1.5, 0, 0], markers: {tip: {position: [0.5, 0, 0]}}}
joints:
  p: {type: revolute, between: [ground, a], at: [0, 0, 0], axis: [0, 1, 0]}
  q: {type: revolute, between: [a, b], at: [1, 0, 0], axis: [0, 1, 0]}
forces:
  hand: {type: force, on: b.tip, reaction: a, frame: a, force: [pull, 0, "-vz(b.tip, a, a)"], torque: [0, "-angle(q)", 0]}
  feel: {type: force, on: b, force: ["0.05*force_z(p)", 0, "-0.05*accz(a)"]}
  line: {type: spring-damper, between: [ground, b.tip], law: "3*(length - 2) + rate + 0.1*speed(a)"}
  turn: {type: torsion-spring, joint: p, law: "sin(angle) + 0.2*rate*distance(b.tip)"}
)yaml",
                             "formulas.yaml");
}

/// Beams of all degrees, hinged, welded and loaded; soft, so that explicit methods hold out as well.
Model soft_beams() {
  return io::read_model_text(R"yaml(
beams:
  two: {from: [0, 0, 0], to: [0.5, 0, 0], stiffness: [900, 800, 800, 3, 2, 4], mass_per_length: 0.4,
        inertia_per_length: [2e-2, 1e-2, 1e-2], elements: 2, degree: 1, damping: 1e-3, load: [0, 0.1*t, 0.2*s]}
  three: {from: [0.5, 0, 0], to: [1, 0, 0], stiffness: [900, 800, 800, 3, 2, 4], mass_per_length: 0.4,
          inertia_per_length: [2e-2, 1e-2, 1e-2], elements: 1, degree: 2}
  four: {from: three.end, to: [1.5, 0, 0.2], stiffness: [900, 800, 800, 3, 2, 4], mass_per_length: 0.4,
         inertia_per_length: [2e-2, 1e-2, 1e-2], elements: 1, damping: 1e-3, follower_load: [0, 0, 0.1]}
joints:
  p: {type: revolute, between: [ground, two.start], at: [0, 0, 0], axis: [0, 1, 0]}
  q: {type: revolute, between: [two.end, three.start], at: [0.5, 0, 0], axis: [0, 1, 0]}
)yaml",
                             "beams.yaml");
}

/// Two soft rods in a few shapes, one of which stresses stiffen, and a ball in contact with its floor.
Model soft_rods() {
  return io::read_model_text(R"yaml(
gravity: [0, 0, -0.5]
bodies:
  first: {flexible: {rod: {from: [0, 0, 0], to: [1, 0, 0], section: {type: rectangle, width: 0.05, height: 0.05},
          youngs_modulus: 2e6, poissons_ratio: 0.4, density: 1000}, modes: 6, damping: 0.02}}
  second: {position: [1, 0, 0], flexible: {rod: {from: [0, 0, 0], to: [0.5, 0, 0.2], section: {type: tube, radius: 0.03, thickness: 0.01},
          youngs_modulus: 2e6, poissons_ratio: 0.4, density: 1000}, modes: 5, stiffening: false}}
  ball: {mass: 0.1, inertia: [1e-4, 1e-4, 1e-4], position: [0, 1, 0.048]}
joints:
  pin: {type: revolute, between: [ground, first.start], at: [0, 0, 0], axis: [0, 1, 0]}
  wrist: {type: spherical, between: [first.end, second.start], at: [1, 0, 0]}
contacts:
  floor: {type: sphere-on-plane, between: [ball, ground], radius: 0.05, stiffness: 100, friction_coefficient: 0.2, slip_speed: 0.1}
)yaml",
                             "rods.yaml");
}

void PrintTo(const StepCase& c, std::ostream* out) { *out << c.name; }

class StepTest : public ::testing::TestWithParam<StepCase> {
 protected:
  template <class Check>
  void for_all_settings(const std::vector<SolverType>& solvers, const Check& check) {
    for (const SolverType solver : solvers)
      for (const ProjectionMode projection : {ProjectionMode::none, ProjectionMode::full, RunSettings{}.projection}) {
        SCOPED_TRACE(::testing::Message()
                     << "solver " << static_cast<int>(solver) << ", projection " << static_cast<int>(projection));
        RunSettings settings;
        settings.solver = solver;
        settings.projection = projection;
        check(settings);
      }
  }
};

constexpr SolverType kOwnSolvers[] = {SolverType::automatic, SolverType::dense, SolverType::skyline,
                                      SolverType::sparse_ldlt, SolverType::sparse_lu};

TEST(AllocationCount, SeesNewAndEigen) {
  if (!kCounted) GTEST_SKIP() << "the sanitizer owns malloc";
  const long before = allocations;
  const auto number = std::make_unique<int>(3);
  const long after_new = allocations;
  const VectorXd vector = VectorXd::Ones(100);
  EXPECT_EQ(after_new, before + 1) << *number;
  EXPECT_EQ(allocations, after_new + 1) << vector[0];
}

/// 300 steps of 5 ms take the four-bar through two singular positions.
TEST_P(StepTest, AllocatesNothingAfterTheFirst) {
  if (!kCounted) GTEST_SKIP() << "the sanitizer owns malloc";
  const Started model = start(GetParam().model());
  for_all_settings({std::begin(kOwnSolvers), std::end(kOwnSolvers)}, [&](const RunSettings& settings) {
    const std::unique_ptr<Integrator> integrator = make_integrator(model.system, settings);
    State s = model.state;
    integrator->start(s);
    integrator->step(5e-3, s);
    const long before = allocations;
    int accepted = 0;
    for (int i = 0; i < 300; ++i) accepted += integrator->step(5e-3, s).status == StepStatus::accepted;
    EXPECT_EQ(allocations, before);
    EXPECT_EQ(accepted, 300);
  });
}

/// With fixed steps, and as with a tolerance, where errors are estimated and some attempts are thrown away. Formulas with
/// a past are warm after seven steps.
TEST_P(StepTest, AllocatesNothingWithAnyIntegrator) {
  if (!kCounted) GTEST_SKIP() << "the sanitizer owns malloc";
  const Started model = start(GetParam().model());
  for (const IntegratorKind& kind : integrator_kinds())
    for (const bool with_tolerance : {false, true}) {
      SCOPED_TRACE(::testing::Message() << kind.word << (with_tolerance ? " with a tolerance" : ""));
      if (kind.hamiltonian || (with_tolerance && !kind.uses("rtol"))) continue;
      RunSettings settings;
      settings.integrator = kind.type;
      if (with_tolerance) settings.rtol = 1e-4;
      if (kind.type == IntegratorType::energy_decaying && !model.system.flexible.empty()) {
        EXPECT_NE(why_not(model.system, settings), "");
        continue;
      }
      const std::unique_ptr<Integrator> integrator = make_integrator(model.system, settings);
      State s = model.state;
      integrator->start(s);
      for (int i = 0; i < 7; ++i) integrator->step(1e-3, s);
      const long before = allocations;
      for (int i = 0; i < 40; ++i) {
        if (with_tolerance) {
          integrator->attempt(2e-3, s);
          integrator->local_error();
        }
        integrator->step(1e-3, s);
      }
      EXPECT_EQ(allocations, before);
    }
}

/// Also past the singular positions of the four-bar, in the plane and in space.
TEST(NaturalCoordinates, AllocateNothingInAStep) {
  if (!kCounted) GTEST_SKIP() << "the sanitizer owns malloc";
  for (const Plane plane : {Plane::none, Plane::xy}) {
    Model model = four_bar();
    model.plane = plane;
    const Started bodies = start(model);
    const NaturalSystem natural = assemble_natural(model, bodies.system, bodies.state);
    const State beginning = natural_start(natural, bodies.system, bodies.state, SolverType::automatic);
    for (const IntegratorKind& kind : integrator_kinds()) {
      SCOPED_TRACE(::testing::Message() << kind.word << (plane == Plane::none ? " in space" : " in the plane"));
      RunSettings settings;
      settings.integrator = kind.type;
      settings.coordinates = Coordinates::natural;
      const std::unique_ptr<Integrator> integrator = make_integrator(natural.system, settings);
      State s = beginning;
      long before = 0;
      for (int time = 0; time < 2;
           ++time) {  // what is made when it is first needed, as a solver to fall back on, is there then
        s = beginning;
        integrator->start(s);
        integrator->step(2e-3, s);
        before = allocations;
        for (int i = 0; i < 400; ++i) integrator->step(2e-3, s);
      }
      EXPECT_EQ(allocations, before);
    }
  }
}

State run(const Model& model, const RunSettings& settings) {
  const Started started = start(model);
  const std::unique_ptr<Integrator> integrator = make_integrator(started.system, settings);
  State s = started.state;
  integrator->start(s);
  for (int i = 0; i < 300; ++i) integrator->step(5e-3, s);
  return s;
}

bool same_bits(const VectorXd& a, const VectorXd& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), sizeof(double) * a.size()) == 0;
}

TEST_P(StepTest, SameInputGivesTheSameBits) {
  std::vector<SolverType> all(std::begin(kOwnSolvers), std::end(kOwnSolvers));
  all.push_back(SolverType::klu);
  for_all_settings(all, [&](const RunSettings& settings) {
    const State once = run(GetParam().model(), settings), again = run(GetParam().model(), settings);
    EXPECT_TRUE(once.q.allFinite());
    EXPECT_TRUE(same_bits(once.q, again.q));
    EXPECT_TRUE(same_bits(once.v, again.v));
    EXPECT_TRUE(same_bits(once.a, again.a));
    EXPECT_TRUE(same_bits(once.lambda, again.lambda));
  });
}

INSTANTIATE_TEST_SUITE_P(Models, StepTest,
                         ::testing::Values(StepCase{"Chain", links}, StepCase{"DoubleFourBar", four_bar},
                                           StepCase{"EveryElement", every_element}, StepCase{"Formulas", formulas},
                                           StepCase{"EveryCoordinate", every_coordinate}, StepCase{"Beams", soft_beams},
                                           StepCase{"Rods", soft_rods}),
                         [](const auto& i) { return i.param.name; });

}  // namespace
}  // namespace bricard::testing
