// SPDX-License-Identifier: Apache-2.0
#include "bricard/io/result_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "bricard/io/files.h"
#include "bricard/io/hdf5_file.h"

namespace bricard::io {
namespace {

std::vector<std::string> split(const std::string& text) {
  std::vector<std::string> parts;
  std::istringstream stream(text);
  for (std::string part; std::getline(stream, part, ',');) parts.push_back(part);
  return parts;
}

class Reader {
 public:
  explicit Reader(const std::string& path) : file_(hdf5::open_file(path)) {}

  ResultFile read() {
    ResultFile result;
    result.version = hdf5::read_attribute(file_, "bricard_version");
    result.model_file = hdf5::read_attribute(file_, "model_file");
    result.model_text = hdf5::read_attribute(file_, "model_text");
    result.model_sha256 = hdf5::read_attribute(file_, "model_sha256");
    result.certificate = hdf5::read_attribute(file_, "certificate");
    result.model = hdf5::read_text(file_, "model");
    result.table.time = hdf5::read_array(hdf5::open_dataset(file_, "time")).values;
    read_owners(Channel::Kind::body, "bodies", result.table);
    read_owners(Channel::Kind::joint, "joints", result.table);
    const auto signals = hdf5::open_group(file_, "signals");
    for (const std::string& name : hdf5::members(signals))
      read_channel({Channel::Kind::signal, "", name, "", {}}, signals, result.table);
    const auto top = hdf5::members(file_);
    if (std::find(top.begin(), top.end(), "modes") != top.end()) read_modes(result.modes);
    return result;
  }

 private:
  void read_owners(Channel::Kind kind, const char* folder, ChannelTable& table) {
    const auto owners = hdf5::open_group(file_, folder);
    for (const std::string& owner : hdf5::members(owners)) {
      const auto group = hdf5::open_group(owners, owner);
      for (const std::string& name : hdf5::members(group))
        read_channel({kind, owner, name, "", {}}, group, table);
    }
  }

  void read_channel(Channel channel, hid_t group, ChannelTable& table) {
    const auto dataset = hdf5::open_dataset(group, channel.name);
    hdf5::Array array = hdf5::read_array(dataset);
    if (array.dimensions.empty() || array.dimensions[0] != table.time.size())
      throw hdf5::Error(
          fmt::format("{} {} has not as many rows as time", channel.owner, channel.name));
    channel.frame = hdf5::read_attribute_or(dataset, "frame", "");
    const auto units = split(hdf5::read_attribute_or(dataset, "units", "1"));
    const auto names = split(hdf5::read_attribute_or(dataset, "columns", ""));
    channel.columns.resize(array.dimensions.size() > 1 ? array.dimensions[1] : 1);
    for (size_t i = 0; i < channel.columns.size(); ++i) {
      const std::string unit = units.empty() ? "1" : units[std::min(i, units.size() - 1)];
      channel.columns[i] = {i < names.size() ? names[i] : "", unit == "1" ? "" : unit};
    }
    table.channels.push_back(std::move(channel));
    table.values.push_back(std::move(array.values));
  }

  void read_modes(ModeTable& modes) {
    const auto group = hdf5::open_group(file_, "modes");
    modes.eigenvalues = hdf5::read_array(hdf5::open_dataset(group, "eigenvalues")).values;
    modes.frequencies = hdf5::read_array(hdf5::open_dataset(group, "frequencies")).values;
    modes.dampings = hdf5::read_array(hdf5::open_dataset(group, "dampings")).values;
    std::istringstream labels(hdf5::read_text(group, "labels"));
    for (std::string label; std::getline(labels, label);) modes.labels.push_back(label);
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
  if (errno || !std::ifstream(path))
    throw FileError(fmt::format("{}: cannot be read: {}", path, std::strerror(errno)));
  const hdf5::Silence silence;
  try {
    return Reader(path).read();
  } catch (const hdf5::Error& error) {
    throw FileError(fmt::format("{}: is not a result file of Bricard: {}", path, error.what()));
  }
}

}  // namespace bricard::io
