// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <optional>

#include "bricard/analysis/consistent_start.h"
#include "bricard/analysis/statics.h"
#include "bricard/assemble/assemble.h"
#include "bricard/read/model_reader.h"
#include "bricard/results/channels.h"

namespace bricard::testing {

/// A model in its equilibrium.
struct AtRest {
  Model model;
  System system;
  State state;
  /// Where loads have no potential, nothing is expected of the stability.
  explicit AtRest(const Model& m, std::optional<Stability> expected = Stability::stable)
      : model(m), system(assemble(model)), state(initial_wishes(model, system)) {
    EXPECT_TRUE(consistent_start(model, system, SolverType::automatic, state).assembled);
    const StaticReport report = find_equilibrium(system, SolverType::automatic, state);
    EXPECT_TRUE(report.found) << report.problem;
    if (expected) {
      EXPECT_EQ(report.stability, *expected) << report.text();
    }
  }
  explicit AtRest(const std::string& text, std::optional<Stability> expected = Stability::stable)
      : AtRest(io::read_model_text(text, "test.yaml"), expected) {}

  Vector3d at(const std::string& marker) const {
    const MarkerPose m = find_marker(model, {marker, {}});
    Kinematics k = system.make_kinematics();
    system.update(state, k);
    return k.frames[m.node].p + k.frames[m.node].R * m.r;
  }

  /// One sample of a channel: of a signal its name, of others `owner.name`.
  struct Values {
    Channel channel;
    std::vector<double> numbers;
    double operator()(size_t station, size_t column) const {
      return numbers[station * channel.columns.size() + column];
    }
    size_t stations() const { return channel.stations.size(); }
    double s(size_t station) const { return channel.stations[station]; }
  };
  Values values(const std::string& name) const {
    Channels channels(model, system, 0);
    Sample sample;
    sample.state = state;
    auto value = channels.evaluate(sample).begin();
    for (const Channel& c : channels.list()) {
      const auto end = value + static_cast<std::ptrdiff_t>(c.width());
      if ((c.owner.empty() ? c.name : c.owner + "." + c.name) == name) return {c, {value, end}};
      value = end;
    }
    ADD_FAILURE() << "no channel " << name;
    return {};
  }
  double signal(const std::string& name) const { return values(name).numbers.at(0); }
};

}  // namespace bricard::testing
