// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <random>

#include "bricard/analysis/check_model.h"
#include "bricard/analysis/simulate.h"
#include "bricard/assemble/assemble.h"
#include "reference/mechanisms.h"

// Planar mechanisms of spatial joints, anywhere in space, with axes that are askew by what files leave of their digits.
// The witness is the same mechanism with exact axes.
namespace bricard::testing {
namespace alignment_test {

class Generator {
 public:
  explicit Generator(unsigned seed) : random_(seed) {}

  double uniform(double a, double b) { return std::uniform_real_distribution<double>(a, b)(random_); }
  int below(int n) { return std::uniform_int_distribution<int>(0, n - 1)(random_); }
  Vector3d direction() {
    std::normal_distribution<double> normal;
    return Vector3d(normal(random_), normal(random_), normal(random_)).normalized();
  }

  /// Four-bar, parallelogram, slider-crank, or a four-bar that carries a second loop.
  Model mechanism() {
    model_ = {};
    model_.run.duration = 0.05, model_.run.step = 1e-3;
    const int kind = below(4);
    const Vector3d A(0, 0, 0), B = point({0, 0.4, 0}), D(uniform(1, 1.4), uniform(-0.1, 0.1), 0);
    const Vector3d C = kind == 1 ? Vector3d(B + D - A) : point({1.2, 0.9, 0});
    bar("crank", A, B);
    bar("coupler", B, C);
    hinge("A", "ground", "crank", A);
    hinge("B", "crank", "coupler", B);
    if (kind == 2) {
      block("slider", C);
      hinge("C", "coupler", "slider", C);
      joint("P", JointType::translational, "ground", "slider", C, {std::cos(0.3), std::sin(0.3), 0});
    } else {
      bar("rocker", D, C);
      hinge("C", "coupler", "rocker", C);
      hinge("D", "ground", "rocker", D);
    }
    if (kind == 3) {
      const Vector3d E = 0.5 * (B + C), F = point({0.3, 1.5, 0}), G = point({-0.6, 1.2, 0});
      bar("rod", E, F);
      bar("lever", F, G);
      hinge("E", "coupler", "rod", E);
      hinge("F", "rod", "lever", F);
      hinge("G", "ground", "lever", G);
    }
    place_in_space();
    return model_;
  }

  /// Turns the axis of a joint by an angle, out of the parallel (of a slide: out of the plane).
  void make_askew(Joint& joint, double angle) {
    const Vector3d normal = *model_.joints[0].axis;
    const Vector3d about = joint.type == JointType::translational ? Vector3d(joint.axis->cross(normal))
                                                                  : Vector3d(joint.axis->cross(direction()));
    joint.axis = exp_rotation(angle * about.normalized()) * *joint.axis;
  }

 private:
  Vector3d point(const Vector3d& near) { return near + Vector3d(uniform(-0.15, 0.15), uniform(-0.15, 0.15), 0); }
  void bar(const std::string& name, const Vector3d& from, const Vector3d& to) {
    Body b = rod(name, from, to, 0.01);
    b.mass = std::pow(10, uniform(-3, 3));
    b.inertia *= b.mass;
    model_.bodies.push_back(b);
  }
  void block(const std::string& name, const Vector3d& at) {
    Body b;
    b.name = name, b.mass = std::pow(10, uniform(-3, 3)), b.inertia = 0.01 * b.mass * Matrix3d::Identity(),
    b.position = at;
    model_.bodies.push_back(b);
  }
  void joint(const std::string& name, JointType type, const std::string& a, const std::string& b, const Vector3d& at,
             const Vector3d& axis) {
    model_.joints.push_back(testing::joint(type, name, a, b, at, axis));
  }
  void hinge(const std::string& name, const std::string& a, const std::string& b, const Vector3d& at) {
    joint(name, JointType::revolute, a, b, at, Vector3d::UnitZ());
  }
  void place_in_space() {
    const Quaterniond R = exp_rotation(uniform(0, 3) * direction());
    const Vector3d p = 2 * direction();
    model_.gravity = 9.81 * (R * direction());
    for (Body& b : model_.bodies) b.position = p + R * b.position, b.orientation = R * b.orientation;
    for (Joint& j : model_.joints) j.at = p + R * *j.at, j.axis = R * *j.axis;
  }

  std::mt19937 random_;
  Model model_;
};

struct Ran {
  StartReport start;
  Results results;
};

Ran run(const Model& model) {
  Ran ran;
  const System system = assemble(model);
  State s = initial_wishes(model, system);
  ran.start = consistent_start(model, system, SolverType::automatic, s);
  if (ran.start.problem.empty()) ran.results = simulate(system, s, model.run);
  return ran;
}

double largest_reaction(const Results& results) {
  double largest = 0;
  for (const Sample& sample : results.samples)
    largest = std::max(largest, sample.state.lambda.lpNorm<Eigen::Infinity>());
  return largest;
}

double distance(const Results& a, const Results& b) {
  return (a.samples.back().state.q - b.samples.back().state.q).lpNorm<Eigen::Infinity>();
}

TEST(Alignment, AxesAskewByLessThanTheSettingRunAsThoughTheyWereParallel) {
  Generator generator(1);
  for (int i = 0; i < 60; ++i) {
    const Model exact = generator.mechanism();
    Model askew = exact;
    const double angle = std::pow(10, generator.uniform(-12, -6.05));
    for (int n = 1 + generator.below(2); n > 0; --n)
      generator.make_askew(askew.joints[generator.below(static_cast<int>(askew.joints.size()))], angle);
    SCOPED_TRACE(fmt::format("mechanism {}, {} rad", i, angle));
    const Ran wanted = run(exact), found = run(askew);
    ASSERT_EQ(found.start.problem, "");
    EXPECT_EQ(found.start.degrees_of_freedom, wanted.start.degrees_of_freedom);
    EXPECT_EQ(found.start.redundant_constraints, wanted.start.redundant_constraints);
    EXPECT_EQ(check_model(askew).degrees_of_freedom, wanted.start.degrees_of_freedom);
    ASSERT_EQ(found.results.report.stopped_because, wanted.results.report.stopped_because);
    EXPECT_LT(distance(found.results, wanted.results), 100 * angle + 1e-9);  // a tilt of the plane, and motion in it
    EXPECT_LT(largest_reaction(found.results), 1.01 * largest_reaction(wanted.results) + 1e-6);
  }
}

TEST(Alignment, AxesAskewByMoreAreRefusedByNameInTheWordsOfCheck) {
  Generator generator(2);
  for (int i = 0; i < 60; ++i) {
    Model askew = generator.mechanism();
    Joint& culprit = askew.joints[generator.below(static_cast<int>(askew.joints.size()))];
    const double angle = std::pow(10, generator.uniform(-5.95, -2.05));
    generator.make_askew(culprit, angle);
    SCOPED_TRACE(fmt::format("mechanism {}, joint {}, {} rad", i, culprit.name, angle));
    const Ran refused = run(askew);
    EXPECT_NE(
        refused.start.problem.find(fmt::format("the axis of joint '{}' is askew by {:.3g} rad", culprit.name, angle)),
        std::string::npos)
        << refused.start.problem;
    const CheckReport check = check_model(askew);
    ASSERT_FALSE(check.problems.empty());
    EXPECT_EQ(check.problems[0], refused.start.problem);
    askew.align = 1.1 * angle;  // the remedy
    EXPECT_EQ(run(askew).start.problem, "");
  }
}

// Two axes of one body that are each within the setting of what was meant, and of each other not.
TEST(Alignment, AxesThatAreAlignedOnSomeBodiesOnlyAreRefused) {
  Generator generator(6);
  for (int i = 0; i < 20; ++i) {
    Model askew = generator.mechanism();
    const Vector3d about = askew.joints[0].axis->unitOrthogonal();
    askew.joints[1].axis = exp_rotation(0.7e-6 * about) * *askew.joints[1].axis;
    askew.joints[2].axis = exp_rotation(-0.7e-6 * about) * *askew.joints[2].axis;
    const std::string problem = run(askew).start.problem;
    EXPECT_NE(problem.find("the axis of joint 'C' is askew"), std::string::npos) << problem;
    EXPECT_NE(problem.find("`align: 1.5e-06 rad`"), std::string::npos) << problem;
    askew.align = 1.5e-6;
    EXPECT_EQ(run(askew).start.problem, "");
  }
}

TEST(Alignment, TurnsTheAxisThatIsAskewAndNoOther) {
  Generator generator(3);
  for (int i = 0; i < 60; ++i) {
    Model askew = generator.mechanism();
    Joint& culprit = askew.joints[generator.below(static_cast<int>(askew.joints.size()))];
    generator.make_askew(culprit, 1e-7);
    const std::vector<AxisTurn> turns = find_alignment(askew, askew.align).turns;
    ASSERT_EQ(turns.size(), 2u) << i;  // on both bodies
    for (const AxisTurn& turn : turns) {
      EXPECT_EQ(turn.joint, culprit.name) << i;
      EXPECT_NEAR(turn.angle, 1e-7, 1e-12) << i;
    }
  }
}

TEST(Alignment, LeavesAMechanismWithExactAxesAlone) {
  Generator generator(4);
  for (int i = 0; i < 60; ++i) EXPECT_TRUE(find_alignment(generator.mechanism(), 1e-6).turns.empty()) << i;
}

/// The same mechanism with a marker of its own at each end of each joint, rounded.
Model rounded_markers(const Model& model, double rounding, Generator& generator) {
  Model rounded = model;
  const System system = assemble(model);
  for (size_t j = 0; j < model.joints.size(); ++j) {
    rounded.joints[j].at.reset(), rounded.joints[j].axis.reset();
    for (int e = 0; e < 2; ++e) {
      const MarkerPose& m = system.joints[j].markers[e];  // mass centres are the origins of the body frames
      const Marker marker{"at_" + model.joints[j].name,
                          {},
                          m.r + rounding * generator.direction(),
                          exp_rotation(rounding * generator.direction()) * Quaterniond(m.R)};
      (m.node == 0 ? rounded.ground.markers : rounded.bodies[m.node - 1].markers).push_back(marker);
      rounded.joints[j].between[e].name += "." + marker.name;
    }
  }
  return rounded;
}

TEST(Alignment, ClosesLoopsWhoseMarkersAreRounded) {
  Generator generator(5);
  for (int i = 0; i < 40; ++i) {
    const Model exact = generator.mechanism();
    const Ran wanted = run(exact), found = run(rounded_markers(exact, 1e-7, generator));
    SCOPED_TRACE(i);
    ASSERT_EQ(found.start.problem, "");
    EXPECT_EQ(found.start.degrees_of_freedom, 1);
    EXPECT_EQ(found.start.redundant_constraints, wanted.start.redundant_constraints);
    ASSERT_TRUE(found.results.report.finished) << found.results.report.stopped_because;
    EXPECT_LT(distance(found.results, wanted.results), 1e-4);
    EXPECT_LT(largest_reaction(found.results), 1.01 * largest_reaction(wanted.results) + 1e-6);
  }
}

}  // namespace alignment_test
}  // namespace bricard::testing
