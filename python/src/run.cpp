// SPDX-License-Identifier: Apache-2.0
#include "run.h"

#include <fmt/format.h>
#include <pybind11/stl.h>

#include <algorithm>

#include "bricard/assemble/assemble.h"
#include "bricard/write/result_writer.h"

namespace bricard::python {
namespace {

/// Raises the exception of a Python function, with the results as its attribute.
[[noreturn]] void raise(py::error_already_set error, const py::object& results) {
  py::setattr(error.value(), "results", results);
  throw error;
}

[[noreturn]] void raise_run_error(const std::string& message, const py::object& results) {
  const py::object error = py::module_::import("bricard._core").attr("RunError")(message);
  py::setattr(error, "results", results);
  PyErr_SetObject(reinterpret_cast<PyObject*>(Py_TYPE(error.ptr())), error.ptr());
  throw py::error_already_set();
}

/// Says in the certificate what Python had to do with the end of the run.
void explain(RunReport& report, const std::optional<py::error_already_set>& error, const Trouble& trouble) {
  std::string& why = report.stopped_because;
  if (why.empty()) return;
  if (error && !error->matches(PyExc_KeyboardInterrupt)) {
    const std::string what = error->what();
    why = fmt::format("t = {:.6g} s: a Python function raised {}", report.end_time, what.substr(0, what.find('\n')));
  } else if (!error && !trouble.not_finite.empty()) {
    why += fmt::format(" The function '{}' returned a number that is not finite.", trouble.not_finite);
  }
}

std::shared_ptr<ResultData> make_data(const Model& model, const System& system, const Results& results) {
  return std::make_shared<ResultData>(ResultData{io::make_result_file(model, system, results)});
}

/// Raises if the run was not finished, or is worth nothing.
void judge(const RunReport& report, std::optional<py::error_already_set> error, const py::object& results) {
  if (error) raise(std::move(*error), results);
  if (!report.stopped_because.empty()) raise_run_error(report.stopped_because, results);
  for (const Doubt& doubt : report.doubts)
    if (doubt.fatal) raise_run_error(doubt.text, results);
}

/// What a Python function raised comes before what its values led to.
StartState start_in_python(const ReadModel& read, const Model& model, const System& system, Analysis analysis) {
  try {
    StartState start = start_of(model, system, analysis);
    if (auto error = read.trouble->take()) throw std::move(*error);
    return start;
  } catch (const ModelError&) {
    if (auto error = read.trouble->take()) throw std::move(*error);
    throw;
  }
}

}  // namespace

py::object run(const std::shared_ptr<ReadModel>& read, const std::string& settings, Analysis analysis) {
  Trouble& trouble = *read->trouble;
  trouble.clear();
  const Model model = read->with(settings);
  const System system = assemble(model);
  const StartState start = start_in_python(*read, model, system, analysis);
  Results results;
  {
    const py::gil_scoped_release unlock;
    SimulationHooks hooks;
    hooks.cancelled = [&] { return trouble.interrupted(); };
    results = bricard::run(model, system, start, analysis, hooks);
  }
  std::optional<py::error_already_set> error = trouble.take();
  explain(results.report, error, trouble);
  const py::object made = py::cast(make_data(model, system, results));
  std::optional<py::error_already_set> later = trouble.take();  // of a function in a signal
  judge(results.report, error ? std::move(error) : std::move(later), made);
  return made;
}

ChannelPlaces find_channels(const std::vector<Channel>& channels) {
  ChannelPlaces places;
  size_t offset = 0;
  for (size_t c = 0; c < channels.size(); ++c) {
    const Channel& channel = channels[c];
    const bool is_signal = channel.kind == Channel::Kind::signal;
    const ChannelPlace place{c, offset, channel.width()};
    if (is_signal) places[channel.name] = place;
    else places.emplace(channel.owner + "." + channel.name, place);
    offset += channel.width();
  }
  return places;
}

StepwiseRun::StepwiseRun(std::shared_ptr<ReadModel> read, const std::string& settings)
    : read_(std::move(read)), model_(read_->with(settings)), system_(assemble(model_)),
      start_(start_in_python(*read_, model_, system_, Analysis::dynamics)),
      simulation_(model_, system_, start_.state, model_.run) {
  const Sample first = simulation_.sample();
  channels_ = std::make_unique<Channels>(model_, system_, first.kinetic + first.potential);
  places_ = find_channels(channels_->list());
}

void StepwiseRun::raise_trouble() {
  if (simulation_.report().stopped_because.empty() && !read_->trouble->raised()) return;
  std::optional<py::error_already_set> error = read_->trouble->take();
  Results results = simulation_.results();
  explain(results.report, error, *read_->trouble);
  const py::object made = py::cast(complete(results));
  judge(results.report, std::move(error), made);
}

bool StepwiseRun::step(long n) {
  row_ = nullptr;
  for (long i = 0; i < n && simulation_.step() && !read_->trouble->interrupted(); ++i) {
  }
  raise_trouble();
  return !simulation_.is_over();
}

bool StepwiseRun::run_until(double time) {
  row_ = nullptr;
  const double rest = 1e-9 * model_.run.step;
  while (simulation_.state().t < time - rest && simulation_.step() && !read_->trouble->interrupted()) {
  }
  raise_trouble();
  return !simulation_.is_over();
}

const std::vector<double>& StepwiseRun::row() {
  if (row_) return *row_;
  const std::vector<double>& row = channels_->evaluate(simulation_.sample());
  if (auto error = read_->trouble->take()) throw std::move(*error);
  row_ = &row;
  return row;
}

py::object StepwiseRun::value(const std::string& name) {
  const auto found = places_.find(name);
  if (found == places_.end()) return py::none();
  const double* values = row().data() + found->second.offset;
  const Channel& channel = channels_->list()[found->second.channel];
  if (channel.kind == Channel::Kind::signal) return py::float_(*values);
  if (!channel.stations.empty()) return py::array_t<double>({channel.stations.size(), channel.columns.size()}, values);
  return py::array_t<double>(static_cast<py::ssize_t>(found->second.size), values);
}

std::vector<std::string> StepwiseRun::names() const {
  std::vector<std::string> names;
  for (const auto& [name, place] : places_) names.push_back(name);
  std::sort(names.begin(), names.end());
  return names;
}

std::vector<std::string> StepwiseRun::inputs() const {
  std::vector<std::string> names;
  for (const InputInfo& input : system_.inputs) names.push_back(input.name);
  return names;
}

void StepwiseRun::set_input(const std::string& name, double value) {
  for (size_t i = 0; i < system_.inputs.size(); ++i) {
    if (system_.inputs[i].name != name) continue;
    simulation_.set_input(static_cast<int>(i), value);
    row_ = nullptr;
    return;
  }
  const std::string near = did_you_mean(name, inputs());
  const std::string hint = near.empty() ? "" : "; did you mean '" + near + "'?";
  throw py::key_error(fmt::format("the model has no input '{}'{}", name, hint));
}

std::shared_ptr<ResultData> StepwiseRun::complete(Results results) {
  add_start(start_, results.report);
  std::shared_ptr<ResultData> data = make_data(model_, system_, results);
  read_->trouble->clear();
  return data;
}

std::shared_ptr<ResultData> StepwiseRun::results() { return complete(simulation_.results()); }

}  // namespace bricard::python
