// SPDX-License-Identifier: Apache-2.0
#include "bricard/write/result_writer.h"

#include <fmt/format.h>

#include "bricard/write/files.h"
#include "bricard/write/hdf5_file.h"
#include "bricard/write/json_writer.h"
#include "bricard/write/sha256.h"

namespace bricard::io {
namespace {

/// One entry if all columns agree, else one per column.
std::string unit_text(const std::vector<Column>& columns) {
  const auto text = [](const std::string& unit) { return unit.empty() ? "1" : unit; };
  std::string all;
  bool same = true;
  for (const Column& column : columns) {
    if (!all.empty()) all += ',';
    all += text(column.unit);
    same = same && column.unit == columns[0].unit;
  }
  return same && !columns.empty() ? text(columns[0].unit) : all;
}

std::string name_text(const std::vector<Column>& columns) {
  std::string all;
  for (const Column& column : columns) all += (all.empty() ? "" : ",") + column.name;
  return all;
}

void write_channel(const Channel& channel, const std::vector<double>& values, size_t rows, hid_t group) {
  std::vector<hsize_t> dimensions{rows};
  if (channel.kind != Channel::Kind::signal) dimensions.push_back(channel.columns.size());
  const auto dataset = hdf5::write_array(group, channel.name, dimensions, values.data());
  hdf5::write_attribute(dataset, "units", unit_text(channel.columns));
  if (!channel.frame.empty()) hdf5::write_attribute(dataset, "frame", channel.frame);
  if (channel.kind != Channel::Kind::signal) hdf5::write_attribute(dataset, "columns", name_text(channel.columns));
}

void write_table(const ChannelTable& table, hid_t file) {
  const size_t rows = table.time.size();
  const auto time = hdf5::write_array(file, "time", {rows}, table.time.data());
  hdf5::write_attribute(time, "units", "s");
  const auto bodies = hdf5::make_group(file, "bodies");
  const auto joints = hdf5::make_group(file, "joints");
  const auto signals = hdf5::make_group(file, "signals");
  for (size_t c = 0; c < table.channels.size();) {
    const Channel& first = table.channels[c];
    if (first.kind == Channel::Kind::signal) {
      write_channel(first, table.values[c++], rows, signals);
      continue;
    }
    const hid_t parent = first.kind == Channel::Kind::body ? bodies : joints;
    const auto group = hdf5::make_group(parent, first.owner);
    const auto is_same = [&](const Channel& other) { return other.kind == first.kind && other.owner == first.owner; };
    for (; c < table.channels.size() && is_same(table.channels[c]); ++c)
      write_channel(table.channels[c], table.values[c], rows, group);
  }
}

void write_lines(hid_t group, const char* name, const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += line + "\n";
  hdf5::write_text(group, name, text);
}

void write_modes(const ModeTable& modes, hid_t file) {
  const hsize_t count = modes.frequencies.size();
  const auto group = hdf5::make_group(file, "modes");
  write_lines(group, "labels", modes.labels);
  hdf5::write_attribute(hdf5::write_array(group, "eigenvalues", {count, 2}, modes.eigenvalues.data()), "units", "1/s");
  hdf5::write_attribute(hdf5::write_array(group, "frequencies", {count}, modes.frequencies.data()), "units", "Hz");
  hdf5::write_attribute(hdf5::write_array(group, "dampings", {count}, modes.dampings.data()), "units", "1");
  const auto bodies = hdf5::make_group(group, "bodies");
  for (const ModeTable::Body& body : modes.bodies) {
    const auto of_body = hdf5::make_group(bodies, body.name);
    for (const auto& [name, unit, values] :
         {std::tuple{"displacement", "m", &body.displacement}, std::tuple{"rotation", "rad", &body.rotation}}) {
      const auto dataset = hdf5::write_array(of_body, name, {count, 3, 2}, values->data());
      hdf5::write_attribute(dataset, "units", unit);
      hdf5::write_attribute(dataset, "frame", "ground");
    }
  }
}

void write_campbell(const CampbellTable& campbell, hid_t file) {
  const hsize_t modes = campbell.labels.size(), count = campbell.values.size();
  const auto group = hdf5::make_group(file, "campbell");
  write_lines(group, "labels", campbell.labels);
  const auto values = hdf5::write_array(group, "values", {count}, campbell.values.data());
  hdf5::write_attribute(values, "parameter", campbell.parameter);
  hdf5::write_attribute(values, "units", campbell.unit.empty() ? "1" : campbell.unit);
  hdf5::write_attribute(values, "is_speed", campbell.is_speed ? "yes" : "no");
  hdf5::write_attribute(hdf5::write_array(group, "frequencies", {modes, count}, campbell.frequencies.data()), "units",
                        "Hz");
  hdf5::write_attribute(hdf5::write_array(group, "dampings", {modes, count}, campbell.dampings.data()), "units", "1");
}

void write_responses(const ResponseTable& responses, hid_t file) {
  const hsize_t pairs = responses.names.size(), count = responses.frequencies.size();
  const auto group = hdf5::make_group(file, "responses");
  write_lines(group, "names", responses.names);
  write_lines(group, "units", responses.units);
  hdf5::write_attribute(hdf5::write_array(group, "frequencies", {count}, responses.frequencies.data()), "units", "Hz");
  hdf5::write_array(group, "magnitudes", {pairs, count}, responses.magnitudes.data());
  hdf5::write_attribute(hdf5::write_array(group, "phases", {pairs, count}, responses.phases.data()), "units", "deg");
}

std::string bytes_of(const ResultFile& result) {
  const hdf5::Silence silence;
  const auto file = hdf5::make_memory_file();
  hdf5::write_attribute(file, "bricard_version", result.version);
  hdf5::write_attribute(file, "model_file", result.model_file);
  hdf5::write_attribute(file, "model_text", result.model_text);
  hdf5::write_attribute(file, "model_sha256", result.model_sha256);
  hdf5::write_attribute(file, "certificate", result.certificate);
  hdf5::write_text(file, "model", result.model);
  write_table(result.table, file);
  if (!result.modes.frequencies.empty()) write_modes(result.modes, file);
  if (!result.campbell.labels.empty()) write_campbell(result.campbell, file);
  if (!result.responses.names.empty()) write_responses(result.responses, file);
  return hdf5::bytes_of(file);
}

}  // namespace

ResultFile make_result_file(const Model& model, const System& system, const Results& results) {
  ResultFile file;
  file.version = BRICARD_VERSION;
  std::string all;
  for (const SourceFile& source : model.sources) all += source.text;
  if (!model.sources.empty()) {
    file.model_file = model.sources[0].path;
    file.model_text = model.sources[0].text;
  }
  file.model_sha256 = sha256(all);
  file.model = model_json(model, system);
  file.certificate = certificate_json(results.report);
  Channels channels(model, system, results.report.start_energy);
  file.table = make_channel_table(channels, results.samples);
  return file;
}

void write_result_file(const ResultFile& file, const std::string& path) {
  std::string bytes;
  try {
    bytes = bytes_of(file);
  } catch (const hdf5::Error& error) {
    throw FileError(path + ": cannot be made: " + error.what());
  }
  write_file(path, bytes);
}

std::string hdf5_version() {
  unsigned major = 0, minor = 0, release = 0;
  H5get_libversion(&major, &minor, &release);
  return fmt::format("{}.{}.{}", major, minor, release);
}

}  // namespace bricard::io
