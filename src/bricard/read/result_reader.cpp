// SPDX-License-Identifier: Apache-2.0
#include "bricard/read/result_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "bricard/write/channel_rows.h"
#include "bricard/write/channel_texts.h"
#include "bricard/write/checksum.h"
#include "bricard/write/files.h"
#include "bricard/write/hdf5_file.h"

namespace bricard::io {
namespace {

class Reader {
 public:
  explicit Reader(const std::string& path) : file_(hdf5::open_file(path)) {}

  ResultFile read() {
    ResultFile result;
    result.version = hdf5::read_attribute(file_, "bricard_version");
    result.model_file = hdf5::read_attribute(file_, "model_file");
    const bool is_old = hdf5::read_attribute_or(file_, "layout", "").empty();
    result.model_text = hdf5::read_attribute(file_, "model_text");
    result.model_sha256 = hdf5::read_attribute(file_, "model_sha256");
    result.certificate = hdf5::read_attribute(file_, "certificate");
    result.model = hdf5::read_text(file_, "model");
    if (is_old) read_old_table(result.table);
    else result.table = read_channel_rows(file_);
    const auto top = hdf5::members(file_);
    const auto has = [&](const char* name) { return std::find(top.begin(), top.end(), name) != top.end(); };
    if (has("modes")) read_modes(result.modes);
    if (has("campbell")) read_campbell(result.campbell);
    if (has("responses")) read_responses(result.responses);
    return result;
  }

 private:
  /// Of version 0.1: an array for each channel, in a group for each body and joint.
  void read_old_table(ChannelTable& table) {
    table.time = hdf5::read_array(hdf5::open_dataset(file_, "time")).values;
    read_owners(Channel::Kind::body, "bodies", table);
    read_owners(Channel::Kind::joint, "joints", table);
    const auto signals = hdf5::open_group(file_, "signals");
    for (const std::string& name : hdf5::members(signals))
      read_channel({Channel::Kind::signal, "", name, "", {}}, signals, table);
  }

  void read_owners(Channel::Kind kind, const char* folder, ChannelTable& table) {
    const auto owners = hdf5::open_group(file_, folder);
    for (const std::string& owner : hdf5::members(owners)) {
      const auto group = hdf5::open_group(owners, owner);
      for (const std::string& name : hdf5::members(group)) read_channel({kind, owner, name, "", {}}, group, table);
    }
  }

  void read_channel(Channel channel, hid_t group, ChannelTable& table) {
    const auto dataset = hdf5::open_dataset(group, channel.name);
    hdf5::Array array = hdf5::read_array(dataset);
    if (array.dimensions.empty() || array.dimensions[0] != table.time.size())
      throw hdf5::Error(fmt::format("{} {} has not as many rows as time", channel.owner, channel.name));
    channel.frame = hdf5::read_attribute_or(dataset, "frame", "");
    channel.columns =
        columns_of(hdf5::read_attribute_or(dataset, "columns", ""), hdf5::read_attribute_or(dataset, "units", "1"));
    channel.columns.resize(array.dimensions.size() > 1 ? array.dimensions[1] : 1);
    table.channels.push_back(std::move(channel));
    table.values.push_back(std::move(array.values));
  }

  static std::vector<double> read_numbers(hid_t group, const char* name) {
    return hdf5::read_array(hdf5::open_dataset(group, name)).values;
  }

  static std::vector<std::string> read_lines(hid_t group, const char* name) {
    std::vector<std::string> lines;
    std::istringstream text(hdf5::read_text(group, name));
    for (std::string line; std::getline(text, line);) lines.push_back(line);
    return lines;
  }

  void read_campbell(CampbellTable& campbell) {
    const auto group = hdf5::open_group(file_, "campbell");
    const auto values = hdf5::open_dataset(group, "values");
    campbell.values = hdf5::read_array(values).values;
    campbell.parameter = hdf5::read_attribute(values, "parameter");
    const std::string unit = hdf5::read_attribute_or(values, "units", "1");
    campbell.unit = unit == "1" ? "" : unit;
    campbell.is_speed = hdf5::read_attribute_or(values, "is_speed", "no") == "yes";
    campbell.labels = read_lines(group, "labels");
    campbell.frequencies = read_numbers(group, "frequencies");
    campbell.dampings = read_numbers(group, "dampings");
    const size_t size = campbell.labels.size() * campbell.values.size();
    if (campbell.frequencies.size() != size || campbell.dampings.size() != size)
      throw hdf5::Error("the Campbell diagram has not a frequency and a damping per mode and value");
  }

  void read_responses(ResponseTable& responses) {
    const auto group = hdf5::open_group(file_, "responses");
    responses.frequencies = read_numbers(group, "frequencies");
    responses.names = read_lines(group, "names");
    responses.units = read_lines(group, "units");
    responses.magnitudes = read_numbers(group, "magnitudes");
    responses.phases = read_numbers(group, "phases");
    const size_t pairs = responses.names.size(), size = pairs * responses.frequencies.size();
    if (responses.units.size() != pairs || responses.magnitudes.size() != size || responses.phases.size() != size)
      throw hdf5::Error("the responses have not a magnitude and a phase per name and frequency");
  }

  void read_modes(ModeTable& modes) {
    const auto group = hdf5::open_group(file_, "modes");
    modes.eigenvalues = hdf5::read_array(hdf5::open_dataset(group, "eigenvalues")).values;
    modes.frequencies = hdf5::read_array(hdf5::open_dataset(group, "frequencies")).values;
    modes.dampings = hdf5::read_array(hdf5::open_dataset(group, "dampings")).values;
    modes.labels = read_lines(group, "labels");
    const size_t count = modes.frequencies.size();
    const auto bodies = hdf5::open_group(group, "bodies");
    for (const std::string& name : hdf5::members(bodies)) {
      const auto body = hdf5::open_group(bodies, name);
      modes.bodies.push_back({name, hdf5::read_array(hdf5::open_dataset(body, "displacement")).values,
                              hdf5::read_array(hdf5::open_dataset(body, "rotation")).values});
      if (modes.bodies.back().displacement.size() != 6 * count || modes.bodies.back().rotation.size() != 6 * count)
        throw hdf5::Error("the modes of " + name + " are not as many as the frequencies");
    }
    if (modes.dampings.size() != count || modes.labels.size() != count || modes.eigenvalues.size() != 2 * count)
      throw hdf5::Error("the modes have not as many dampings, labels and eigenvalues as frequencies");
  }

  hdf5::Handle file_;
};

}  // namespace

ResultFile read_result_file(const std::string& path) {
  std::error_code ignored;
  errno = std::filesystem::is_directory(path, ignored) ? EISDIR : 0;
  if (errno || !std::ifstream(path)) throw FileError(fmt::format("{}: cannot be read: {}", path, std::strerror(errno)));
  if (const std::string fault = fault_of_checksum(path); !fault.empty()) throw FileError(path + ": " + fault);
  const hdf5::Silence silence;
  try {
    return Reader(path).read();
  } catch (const hdf5::Error& error) {
    throw FileError(fmt::format("{}: is not a result file of Bricard: {}", path, error.what()));
  }
}

}  // namespace bricard::io
