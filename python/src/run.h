// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pybind11/numpy.h>

#include <memory>
#include <string>
#include <unordered_map>

#include "bricard/analysis/run_model.h"
#include "bricard/analysis/simulation.h"
#include "bricard/write/result_file.h"
#include "read_model.h"

namespace bricard::python {

/// An analysis to its end; raises what a Python function raised, or RunError, with the results so far.
py::object run(const std::shared_ptr<ReadModel>& read, const std::string& settings, Analysis analysis);

/// What came out of a run.
struct ResultData {
  io::ResultFile file;
};

/// Where the values of a channel are in a row of all channels.
struct ChannelPlace {
  size_t channel, offset, size;
};
using ChannelPlaces = std::unordered_map<std::string, ChannelPlace>;

/// By name: signals as they are called, vectors as owner.name.
ChannelPlaces find_channels(const std::vector<Channel>& channels);

/// A run that Python drives.
class StepwiseRun {
 public:
  StepwiseRun(std::shared_ptr<ReadModel> read, const std::string& settings);

  /// Up to n steps; false if the end is reached. Raises as `run` does.
  bool step(long n);
  /// Steps until `time` is reached or passed.
  bool run_until(double time);
  double time() const { return simulation_.state().t; }
  bool is_over() const { return simulation_.is_over(); }
  /// A number, or an array of the values of a vector; None if there is no such channel.
  py::object value(const std::string& name);
  std::vector<std::string> names() const;
  /// Names of the inputs.
  std::vector<std::string> inputs() const;
  void set_input(const std::string& name, double value);
  std::shared_ptr<ResultData> results();

 private:
  void raise_trouble();
  std::shared_ptr<ResultData> complete(Results results);
  const std::vector<double>& row();

  std::shared_ptr<ReadModel> read_;
  Model model_;
  System system_;
  StartState start_;
  Simulation simulation_;
  std::unique_ptr<Channels> channels_;
  ChannelPlaces places_;
  const std::vector<double>* row_ = nullptr;  ///< null after a step
};

}  // namespace bricard::python
