// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include "bricard/analysis/simulate.h"
#include "bricard/read/model_reader.h"
#include "bricard/results/channels.h"
#include "reference/mechanisms.h"

namespace bricard::testing {

/// A model that was run.
struct Simulated {
  Model model;
  Started started;
  Results results;
  explicit Simulated(const Model& m)
      : model(m), started(start(m)), results(simulate(started.system, started.state, m.run)) {}
  explicit Simulated(const std::string& text) : Simulated(io::read_model_text(text, "test.yaml")) {}
  const State& end() const { return results.samples.back().state; }
  /// A signal over the samples.
  std::vector<double> signal(const std::string& name) const {
    Channels channels(model, started.system, results.report.start_energy);
    const ChannelTable table = make_channel_table(channels, results.samples);
    for (size_t c = 0; c < table.channels.size(); ++c)
      if (table.channels[c].kind == Channel::Kind::signal && table.channels[c].name == name) return table.values[c];
    ADD_FAILURE() << "no signal " << name;
    return {};
  }
};

}  // namespace bricard::testing
