// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <tuple>

#include "bricard/analysis/run_model.h"
#include "bricard/assemble/assemble.h"
#include "bricard/math/units.h"
#include "bricard/model/enum_names.h"
#include "bricard/read/model_reader.h"
#include "bricard/read/result_reader.h"
#include "bricard/write/files.h"
#include "bricard/write/result_writer.h"
#include "cli/commands.h"
#include "cli/terminal.h"

namespace bricard::cli {
namespace {

using StoredJson = nlohmann::json;

void take(const StoredJson& json, double& out) { out = json.get<double>(); }
void take(const StoredJson& json, int& out) { out = json.get<int>(); }
template <class T>
void take(const StoredJson& json, std::optional<T>& out) {
  if (json.is_null()) out.reset();
  else out = json.get<T>();
}
template <class Enum>
requires std::is_enum_v<Enum>
void take(const StoredJson& json, Enum& out) {
  for (const io::EnumName<Enum>& entry : io::enum_names(Enum{}))
    if (entry.name == json.get<std::string>()) out = entry.value;
}

/// The model as it was run: its text, with the parameters and run settings that the file has.
Model stored_model(const io::ResultFile& file, const std::string& path) {
  const StoredJson json = StoredJson::parse(file.model);
  io::Overrides parameters;
  for (const auto& [name, value] : json.at("parameters").items()) {
    const auto unit = parse_unit(json.at("parameter_units").at(name).get<std::string>());
    parameters.emplace_back(name, Quantity{value.get<double>(), unit ? unit->dimension : Dimension{}});
  }
  Model model = io::read_model_text(file.model_text, file.model_file, parameters);
  const auto set = [&](const auto& field) {
    if (json.at("run").contains(field.name)) take(json.at("run").at(field.name), model.run.*field.member);
  };
  std::apply([&](const auto&... field) { (set(field), ...); }, RunSettings::fields());
  for (const StoredJson& stored : json.at("included_files"))
    for (const SourceFile& source : model.sources)
      if (source.path == stored.at("path") && source.text != stored.at("text"))
        throw UsageError(fmt::format("{}: {} is not what it was when the run was made", path, source.path));
  return model;
}

struct Difference {
  double relative = 0;  ///< to the largest value of its kind
  std::string text;
};

std::string kind_of(const Channel& channel) {
  return channel.kind == Channel::Kind::signal ? "signals in " + channel.columns[0].unit : channel.name;
}

/// The largest one of all samples that both have.
Difference difference_of(const ChannelTable& stored, const ChannelTable& now) {
  std::map<std::string, double> largest;
  for (size_t c = 0; c < stored.channels.size(); ++c)
    for (const double value : stored.values[c])
      if (std::isfinite(value))
        largest[kind_of(stored.channels[c])] = std::max(largest[kind_of(stored.channels[c])], std::abs(value));
  Difference found;
  for (size_t c = 0; c < stored.channels.size(); ++c) {
    const Channel& channel = stored.channels[c];
    const size_t width = channel.width(), count = std::min(stored.values[c].size(), now.values[c].size());
    for (size_t i = 0; i < count; ++i) {
      const double a = stored.values[c][i], b = now.values[c][i];
      if (a == b || (std::isnan(a) && std::isnan(b))) continue;
      const double part = std::abs(a - b) / std::max(largest[kind_of(channel)], 1e-300);
      if (part <= found.relative) continue;
      found.relative = std::isnan(part) ? HUGE_VAL : part;
      found.text = fmt::format("{}{}{} is {} in the file and {} now, at t = {:.6g} s", channel.owner,
                               channel.owner.empty() ? "" : ".", channel.name, a, b, stored.time[i / width]);
    }
  }
  return found;
}

/// The channels of the file among those of a run now, which may have more; none if one is missing.
std::optional<ChannelTable> chosen(const ChannelTable& now, const ChannelTable& stored) {
  const auto key = [](const Channel& x) { return std::tuple{x.kind, x.owner, x.name, x.width()}; };
  std::map<std::tuple<Channel::Kind, std::string, std::string, size_t>, size_t> known;
  for (size_t c = 0; c < now.channels.size(); ++c) known[key(now.channels[c])] = c;
  ChannelTable table{now.time, {}, {}};
  for (const Channel& channel : stored.channels) {
    const auto found = known.find(key(channel));
    if (found == known.end()) return {};
    table.channels.push_back(channel);
    table.values.push_back(now.values[found->second]);
  }
  return table;
}

/// The same; texts that are no JSON of ours are damaged.
Model verified_model(const io::ResultFile& stored, const std::string& path) {
  try {
    const std::string analysis = StoredJson::parse(stored.certificate).value("integrator", "");
    if (analysis == "static" || analysis == "kinematics" || stored.model_text.empty())
      throw UsageError(fmt::format("{}: only what `bricard run` made of a model file can be verified", path));
    return stored_model(stored, path);
  } catch (const StoredJson::exception& error) {
    throw io::FileError(fmt::format("{}: is damaged: {}", path, error.what()));
  }
}

int verify(const std::string& path) {
  const io::ResultFile stored = io::read_result_file(path);
  const Model model = verified_model(stored, path);
  const System system = assemble(model);
  const InterruptNote note;
  ProgressLine line(true);
  const SimulationHooks hooks{
      {}, [] { return InterruptNote::signal() != 0; }, [&](const Progress& progress) { line.show(progress); }};
  const Results results = run(model, system, start_of(model, system, Analysis::dynamics), Analysis::dynamics, hooks);
  line.clear();
  if (InterruptNote::signal()) return 128 + InterruptNote::signal();
  const auto chosen_now = chosen(io::make_result_file(model, system, results).table, stored.table);
  const std::string other =
      stored.version == BRICARD_VERSION ? "" : fmt::format(" (made by version {})", stored.version);
  if (!chosen_now) {
    print(fmt::format("{}: differs: the run has other channels now{}\n", path, other));
    return kNotFinished;
  }
  const ChannelTable& now = *chosen_now;
  const size_t samples = std::min(stored.table.time.size(), now.time.size());
  const bool same_times = std::equal(
      stored.table.time.begin(), stored.table.time.begin() + static_cast<std::ptrdiff_t>(samples), now.time.begin());
  const Difference difference = difference_of(stored.table, now);
  const std::string part = stored.table.time.size() < now.time.size() ? fmt::format(" of {}", now.time.size()) : "";
  if (!same_times || stored.table.time.size() > now.time.size()) {
    print(fmt::format("{}: differs: samples are at other times now{}\n", path, other));
    return kNotFinished;
  }
  if (difference.text.empty()) {
    print(fmt::format("{}: identical, {}{}{}\n", path, count(static_cast<long>(samples), "sample"), part, other));
    return kGood;
  }
  print(fmt::format("{}: differs by up to {:.2g} of the largest value of its kind{}: {}\n", path, difference.relative,
                    other, difference.text));
  return kNotFinished;
}

}  // namespace

void add_verify_command(Program& app, int& exit_code) {
  const auto path = std::make_shared<std::string>();
  Command* command = app.add_subcommand("verify", "Run the model in a result file again and compare");
  command->add_option("FILE", *path, "A result file of `bricard run`, or the part of a killed one")
      ->required()
      ->type_name("");
  command->footer(
      "The model, its parameters and run settings are those of the file. Exit code 0: all samples are the same to\n"
      "the last bit; 1: they differ, by round-off if another build or processor made the file.\n\n"
      "Example:\n  bricard verify pendulum.h5");
  command->callback([path, &exit_code] { exit_code = verify(*path); });
}

}  // namespace bricard::cli
