// SPDX-License-Identifier: Apache-2.0
#include "cli/run_output.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "bricard/write/json_writer.h"

namespace bricard::cli {
namespace {

constexpr double kMuch = 1e9;              // bytes
constexpr double kMostExpected = 1 << 20;  // rows that decide how the file is laid out

std::string size_of(double bytes) {
  return bytes < 1e12 ? fmt::format("{:.3g} GB", bytes / 1e9) : fmt::format("{:.3g} TB", bytes / 1e12);
}

}  // namespace

RunOutput::RunOutput(const Model& model, const System& system, std::string results, std::string csv, double expected)
    : model_(model), system_(system), results_(std::move(results)), csv_(std::move(csv)), expected_(expected) {}

std::string RunOutput::size_text() const {
  if (results_.empty() && csv_.empty()) return "";
  size_t columns = 1;
  if (expected_ * 8.0 * static_cast<double>(system_.unknowns()) > 0.01 * kMuch) {  // else it cannot be much
    const Channels channels(model_, system_, 0);
    for (const Channel& channel : channels.list()) columns += channel.width();
  }
  const double bytes = 8.0 * expected_ * static_cast<double>(columns);
  if (bytes < kMuch) return "";
  std::error_code failed;
  const std::filesystem::path folder = std::filesystem::path(results_.empty() ? csv_ : results_).parent_path();
  const std::filesystem::space_info space = std::filesystem::space(folder.empty() ? "." : folder, failed);
  const double left = failed ? HUGE_VAL : static_cast<double>(space.available);
  return fmt::format("  results will take {}{}: {:.3g} samples of {} numbers; a larger output_step makes them fewer",
                     size_of(bytes), bytes > left ? fmt::format(", and there are {} left", size_of(left)) : "",
                     expected_, columns);
}

void RunOutput::open(double start_energy) {
  start_energy_ = start_energy;
  channels_ = std::make_unique<Channels>(model_, system_, start_energy);
  const auto rows = static_cast<size_t>(std::min(expected_, kMostExpected));
  if (!results_.empty())
    stream_ = std::make_unique<io::ResultStream>(io::make_head(model_, system_), channels_->list(), rows, results_);
  if (!csv_.empty()) table_ = std::make_unique<io::CsvStream>(channels_->list(), csv_);
}

void RunOutput::add(const Sample& sample) {
  if (results_.empty() && csv_.empty()) return;
  if (!channels_) open(sample.kinetic + sample.potential);
  add(sample.state.t, channels_->evaluate(sample));
}

void RunOutput::add(double t, const std::vector<double>& row) {
  written_.add(t, row);
  if (stream_) stream_->add(t, row);
  if (table_) table_->add(t, row);
}

void RunOutput::finish(const RunReport& report) {
  if (stream_) stream_->finish(io::certificate_json(report));
  if (table_) table_->finish();
}

}  // namespace bricard::cli
