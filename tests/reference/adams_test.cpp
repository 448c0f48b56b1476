// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <sstream>

#include "bricard/analysis/consistent_start.h"
#include "bricard/analysis/simulate.h"
#include "bricard/assemble/assemble.h"
#include "bricard/read/model_reader.h"
#include "bricard/results/channels.h"

// models/adams/ against the results of MSC ADAMS that Project Chrono publishes (data/chrono_adams).
// The tolerances are the accuracy of the files: six digits printed, and where the exact motion is
// known, how far they are from it. The step is so small that our own error is well below.
namespace bricard {
namespace adams_test {

constexpr double kStep = 1e-4;
constexpr double kZero = 1e-6;  // of a reaction that is none, next to forces up to 30 N: tolerance of Newton's method

using Rows = std::vector<std::vector<double>>;  // time and components

Rows read_rows(const std::string& name) {
  std::ifstream file(std::string(BRICARD_REFERENCE_DIR) + "/chrono_adams/" + name);
  Rows rows;
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line);
    std::vector<double> row;
    for (double number; words >> number;) row.push_back(number);
    if (!row.empty()) rows.push_back(row);  // else a comment or the headings
  }
  return rows;
}

ChannelTable run(const std::string& name) {
  Model model = io::read_model(std::string(BRICARD_SOURCE_DIR) + "/models/adams/" + name + ".yaml");
  model.run.step = kStep;
  const System system = assemble(model);
  State start = initial_wishes(model, system);
  EXPECT_TRUE(consistent_start(system, model.run.solver, start).assembled);
  const Results results = simulate(system, start, model.run);
  EXPECT_TRUE(results.report.finished) << results.report.stopped_because;
  Channels channels(model, system, results.report.start_energy);
  return make_channel_table(channels, results.samples);
}

/// A channel as rows of time and components.
Rows rows_of(const ChannelTable& table, const std::string& owner, const std::string& name) {
  Rows rows;
  for (size_t c = 0; c < table.channels.size(); ++c) {
    if (table.channels[c].owner != owner || table.channels[c].name != name) continue;
    const size_t width = table.channels[c].columns.size();
    for (size_t i = 0; i < table.time.size(); ++i) {
      rows.push_back({table.time[i]});
      rows[i].insert(rows[i].end(), &table.values[c][i * width], &table.values[c][i * width] + width);
    }
  }
  return rows;
}

/// Largest difference of a component at any time; `sign` −1 turns a force on the body into that on
/// the ground.
double difference(const Rows& ours, const Rows& theirs, double sign = 1) {
  if (ours.size() != 501 || theirs.size() != 501) return INFINITY;
  double largest = 0;
  for (size_t i = 0; i < ours.size(); ++i) {
    largest = std::max(largest, std::abs(ours[i][0] - theirs[i][0]));
    for (size_t n = 1; n < ours[i].size(); ++n)
      largest = std::max(largest, std::abs(sign * ours[i][n] - theirs[i].at(n)));
  }
  return largest;
}

/// q and −q are the same orientation: the sign nearer to the other's is taken.
Rows align(Rows quaternions, const Rows& others) {
  for (size_t i = 0; i < std::min(quaternions.size(), others.size()); ++i) {
    double product = 0;
    for (size_t n = 1; n <= 4; ++n) product += quaternions[i][n] * others[i].at(n);
    for (size_t n = 1; n <= 4 && product < 0; ++n) quaternions[i][n] *= -1;
  }
  return quaternions;
}

struct Tolerances {
  double position, velocity, acceleration, quaternion, angular_velocity, angular_acceleration;
};

void expect_motion(const ChannelTable& table, const std::string& name, const Tolerances& t) {
  const auto off = [&](const char* channel, const char* ending) {
    return difference(rows_of(table, "pendulum", channel), read_rows(name + "_ADAMS_" + ending + ".txt"));
  };
  EXPECT_LE(off("position", "Pos"), t.position);
  EXPECT_LE(off("velocity", "Vel"), t.velocity);
  EXPECT_LE(off("acceleration", "Acc"), t.acceleration);
  EXPECT_LE(off("angular_velocity", "Avel"), t.angular_velocity);
  EXPECT_LE(off("angular_acceleration", "Aacc"), t.angular_acceleration);
  const Rows theirs = read_rows(name + "_ADAMS_Quat.txt");
  EXPECT_LE(difference(align(rows_of(table, "pendulum", "quaternion_wxyz"), theirs), theirs), t.quaternion);
}

void expect_reactions(const ChannelTable& table, const std::string& joint, const std::string& name, double force,
                      double torque) {
  EXPECT_LE(difference(rows_of(table, joint, "force"), read_rows(name + "_ADAMS_Rforce.txt"), -1), force);
  EXPECT_LE(difference(rows_of(table, joint, "torque"), read_rows(name + "_ADAMS_Rtorque.txt"), -1), torque);
}

// ADAMS is 5e-6 m and 6e-4 N away from the exact motion of this plane pendulum.
constexpr Tolerances kPlanePendulum{1e-5, 1e-5, 1e-3, 2e-6, 1e-5, 1e-3};

// With spherical and universal joints ADAMS loses 8 mJ in the same motion and is up to 8.4e-4 m
// away from it. The force on such a pendulum changes by 3 m g/l = 15 N per metre of its way.
constexpr Tolerances kLooseFile{1e-3, 3e-3, 1.5e-2, 3e-4, 1.5e-3, 3e-3};
constexpr double kLooseForce = 1.5e-2;

TEST(Adams, RevoluteJointCase01) {
  const ChannelTable table = run("revolute");
  expect_motion(table, "Revolute_Case01", kPlanePendulum);
  expect_reactions(table, "hinge", "Revolute_Case01", 1e-3, kZero);
}

TEST(Adams, SphericalJointCase01) {
  const ChannelTable table = run("spherical");
  expect_motion(table, "Spherical_Case01", kLooseFile);
  expect_reactions(table, "ball", "Spherical_Case01", kLooseForce, kZero);
}

TEST(Adams, SphericalJointMovesAsTheRevoluteOfTheMoreAccurateFile) {
  const ChannelTable table = run("spherical");
  const auto off = [&](const char* owner, const char* channel, const std::string& ending, double sign) {
    return difference(rows_of(table, owner, channel), read_rows("Revolute_Case01_ADAMS_" + ending + ".txt"), sign);
  };
  EXPECT_LE(off("pendulum", "position", "Pos", 1), kPlanePendulum.position);
  EXPECT_LE(off("pendulum", "velocity", "Vel", 1), kPlanePendulum.velocity);
  EXPECT_LE(off("ball", "force", "Rforce", -1), 1e-3);
}

TEST(Adams, UniversalJointCase01) {
  const ChannelTable table = run("universal");
  expect_motion(table, "Universal_Case01", kLooseFile);
  expect_reactions(table, "cross", "Universal_Case01", kLooseForce, kZero);
}

// 122.583 m after 5 s: half a unit of the sixth digit is 5e-4 m.
TEST(Adams, PrismaticJointCase01) {
  const ChannelTable table = run("prismatic");
  expect_motion(table, "Prismatic_Case01", {5e-4, 1e-4, 1e-5, kZero, kZero, kZero});
  expect_reactions(table, "guide", "Prismatic_Case01", kZero, kZero);
}

TEST(Adams, TranslationalSpringCase01) {
  const ChannelTable table = run("transpring");
  expect_motion(table, "TranSpring_Case01", {1e-5, 1e-5, 1e-5, kZero, kZero, kZero});
  const Rows pull = rows_of(table, "", "spring.force"), body = rows_of(table, "pendulum", "position");
  Rows on_ground;  // the spring pulls the ground towards the body, which stays below
  for (size_t i = 0; i < pull.size(); ++i) {
    EXPECT_LE(body[i][3], 0);
    on_ground.push_back({pull[i][0], 0, 0, -pull[i][1]});
  }
  EXPECT_LE(difference(on_ground, read_rows("TranSpring_Case01_ADAMS_Rforce.txt")), 1e-4);
}

}  // namespace adams_test
}  // namespace bricard
