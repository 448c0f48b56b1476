// SPDX-License-Identifier: Apache-2.0
#include <pybind11/numpy.h>
#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include <filesystem>

#include "bricard/analysis/check_model.h"
#include "bricard/read/result_reader.h"
#include "bricard/report/check_json.h"
#include "bricard/report/page_writer.h"
#include "bricard/write/csv_writer.h"
#include "bricard/write/files.h"
#include "bricard/write/result_writer.h"
#include "bricard/write/schema_writer.h"
#include "linearize_model.h"
#include "run.h"

// The compiled part of the package `bricard`; what users see of it is in python/bricard.
namespace bricard::python {
namespace {

namespace fs = std::filesystem;

/// A view of numbers that belong to `owner`; read-only, as others see them too.
py::array view(const std::vector<double>& values, std::vector<py::ssize_t> shape, const py::object& owner) {
  py::array_t<double> array(std::move(shape), values.data(), owner);
  py::detail::array_proxy(array.ptr())->flags &= ~py::detail::npy_api::NPY_ARRAY_WRITEABLE_;
  return array;
}

py::array channel_array(const std::shared_ptr<ResultData>& data, size_t c) {
  const ChannelTable& table = data->file.table;
  std::vector<py::ssize_t> shape{static_cast<py::ssize_t>(table.time.size())};
  if (!table.channels.at(c).stations.empty())
    shape.push_back(static_cast<py::ssize_t>(table.channels[c].stations.size()));
  if (table.channels[c].kind != Channel::Kind::signal)
    shape.push_back(static_cast<py::ssize_t>(table.channels[c].columns.size()));
  return view(table.values[c], shape, py::cast(data));
}

/// (name, owner, kind, columns, units, frame, stations) of each channel.
py::list channel_list(const ResultData& data) {
  py::list list;
  for (const Channel& channel : data.file.table.channels) {
    py::list columns, units;
    for (const Column& column : channel.columns) columns.append(column.name), units.append(column.unit);
    const char* kind = channel.kind == Channel::Kind::body    ? "body"
                       : channel.kind == Channel::Kind::joint ? "joint"
                       : channel.kind == Channel::Kind::beam  ? "beam"
                                                              : "signal";
    list.append(py::make_tuple(channel.name, channel.owner, kind, columns, units, channel.frame, channel.stations));
  }
  return list;
}

std::shared_ptr<ResultData> read_results(const std::string& path) {
  return std::make_shared<ResultData>(ResultData{io::read_result_file(path)});
}

void translate(std::exception_ptr thrown) {
  try {
    if (thrown) std::rethrow_exception(thrown);
  } catch (const ModelError& error) {
    py::list faults;
    for (const Fault& fault : error.faults())
      faults.append(py::make_tuple(fault.place.file, fault.place.line, fault.place.column, fault.message));
    const py::object type = py::module_::import("bricard._core").attr("ModelError"), made = type(error.what());
    py::setattr(made, "faults", faults);
    PyErr_SetObject(type.ptr(), made.ptr());
  } catch (const io::FileError& error) {
    PyErr_SetString(py::object(py::module_::import("bricard._core").attr("FileError")).ptr(), error.what());
  }
}

void add_exceptions(py::module_& module) {
  const auto add = [&](const char* name, PyObject* base, const char* help) {
    const std::string full = std::string("bricard.") + name;
    module.attr(name) = py::reinterpret_steal<py::object>(PyErr_NewExceptionWithDoc(full.c_str(), help, base, nullptr));
  };
  add("ModelError", PyExc_ValueError,
      "The model is wrong. The message lists every fault, one per line; `faults` has them as tuples (file, line, "
      "column, message), file and line empty if the model is not from a file.");
  add("FileError", PyExc_OSError, "A file cannot be read or written.");
  add("RunError", PyExc_RuntimeError,
      "A run stopped before its end. The message says when and why; `results` has everything up to there.");
  py::register_exception_translator(&translate);
}

void add_results(py::module_& module) {
  py::class_<ResultData, std::shared_ptr<ResultData>>(module, "Results", py::dynamic_attr())
      .def_property_readonly(
          "time",
          [](const std::shared_ptr<ResultData>& data) {
            const std::vector<double>& time = data->file.table.time;
            return view(time, {static_cast<py::ssize_t>(time.size())}, py::cast(data));
          },
          "Times of the samples in s, a read-only array.")
      .def_property_readonly(
          "model_text", [](const ResultData& data) { return data.file.model_text; }, "The model file that was run.")
      .def("_channels", &channel_list)
      .def("_array", &channel_array)
      .def("_certificate", [](const ResultData& data) { return data.file.certificate; })
      .def("_model", [](const ResultData& data) { return data.file.model; })
      .def(
          "save", [](const ResultData& data, const fs::path& path) { io::write_result_file(data.file, path.string()); },
          py::arg("path"), "Writes an HDF5 file, as `bricard run -o` does.")
      .def(
          "save_csv",
          [](const ResultData& data, const fs::path& path) { io::write_csv(data.file.table, path.string()); },
          py::arg("path"), "Writes a table with all channels.")
      .def("_write_page", [](const ResultData& data, const std::string& path) { io::write_page(data.file, path); });
}

void add_simulation(py::module_& module) {
  py::class_<StepwiseRun, std::shared_ptr<StepwiseRun>>(module, "Simulation",
                                                        "A run step by step; made by Model.simulation().")
      .def("step", &StepwiseRun::step, py::arg("n") = 1,
           "Makes n steps, less at the end of the run. Returns whether there are more.")
      .def("run_until", &StepwiseRun::run_until, py::arg("time"),
           "Steps until this time, in s, is reached or passed. Returns whether there are more steps.")
      .def_property_readonly("time", &StepwiseRun::time, "The present time in s.")
      .def_property_readonly("is_over", &StepwiseRun::is_over, "Whether the end of the run is reached.")
      .def_property_readonly("names", &StepwiseRun::names, "What can be asked for.")
      .def_property_readonly("inputs", &StepwiseRun::inputs, "Names of the model's inputs.")
      .def("__setitem__", &StepwiseRun::set_input, py::arg("input"), py::arg("value"),
           "Drives an input of the model, until it is set again.")
      .def("_value", &StepwiseRun::value)
      .def("results", &StepwiseRun::results, "What was computed so far; the run may go on.");
}

}  // namespace

PYBIND11_MODULE(_core, module) {
  module.doc() = "The compiled part of bricard.";
  add_exceptions(module);
  py::class_<ReadModel, std::shared_ptr<ReadModel>>(module, "ReadModel")
      .def(py::init<const std::string&, const std::string&, const py::dict&, const py::dict&, bool>())
      .def_property_readonly("name", [](const ReadModel& read) { return read.model.name; })
      .def("parameters",
           [](const ReadModel& read) {
             py::dict all;
             for (const Parameter& p : read.model.parameters) all[py::str(p.name)] = p.value;
             return all;
           })
      .def("check", [](const ReadModel& read) { return io::check_json(read.model, check_model(read.model)); })
      .def("run", [](const std::shared_ptr<ReadModel>& read,
                     const std::string& settings) { return run(read, settings, Analysis::dynamics); })
      .def("kinematics", [](const std::shared_ptr<ReadModel>& read,
                            const std::string& settings) { return run(read, settings, Analysis::kinematics); })
      .def("static",
           [](const std::shared_ptr<ReadModel>& read, const std::string& settings, bool sequence) {
             return run(read, settings, sequence ? Analysis::equilibria : Analysis::equilibrium);
           })
      .def("linearize", &linearize_model)
      .def("modes", &modes_of_model)
      .def("simulation", [](const std::shared_ptr<ReadModel>& read, const std::string& settings) {
        return std::make_shared<StepwiseRun>(read, settings);
      });
  add_results(module);
  add_simulation(module);
  module.def("parse_yaml", &parse_yaml);
  module.def("read_file", [](const std::string& path) { return io::read_file(path); });
  module.def("read_results", &read_results);
  module.def("schema", &io::model_schema);
  module.attr("has_viewer") = io::has_viewer();
  module.attr("version") = BRICARD_VERSION;
}

}  // namespace bricard::python
