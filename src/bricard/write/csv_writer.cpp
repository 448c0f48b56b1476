// SPDX-License-Identifier: Apache-2.0
#include "bricard/write/csv_writer.h"

#include <fmt/format.h>

#include <iterator>

#include "bricard/write/files.h"

namespace bricard::io {

std::string csv_field(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string inside;
  for (const char c : text) inside += c == '"' ? "\"\"" : std::string(1, c);
  return '"' + inside + '"';
}

namespace {

constexpr size_t kMostText = 64 << 10;  // of a stream that is not yet in the file

bool is_shown(const Channel& channel) { return channel.kind != Channel::Kind::joint || channel.name != "coordinates"; }

/// `station`: of a beam.
std::string title(const Channel& channel, const Column& column, size_t station) {
  std::string name = channel.name;
  if (!channel.owner.empty()) name = channel.owner + "." + name;
  if (!column.name.empty()) name += "." + column.name;
  if (!channel.stations.empty()) name += fmt::format(" at {:.6g} m", channel.stations[station]);
  return csv_field(fmt::format("{} [{}]", name, column.unit.empty() ? "1" : column.unit));
}

std::string first_line(const std::vector<Channel>& channels) {
  std::string text = "time [s]";
  for (const Channel& channel : channels)
    if (is_shown(channel))
      for (size_t i = 0; i < channel.width(); ++i)
        text += "," + title(channel, channel.columns[i % channel.columns.size()], i / channel.columns.size());
  return text + '\n';
}

}  // namespace

std::string csv_text(const ChannelTable& table) {
  std::string text = first_line(table.channels);
  for (size_t row = 0; row < table.time.size(); ++row) {
    fmt::format_to(std::back_inserter(text), "{}", table.time[row]);
    for (size_t c = 0; c < table.channels.size(); ++c) {
      if (!is_shown(table.channels[c])) continue;
      const size_t width = table.channels[c].width();
      for (size_t i = 0; i < width; ++i)
        fmt::format_to(std::back_inserter(text), ",{}", table.values[c][row * width + i]);
    }
    text += '\n';
  }
  return text;
}

void write_csv(const ChannelTable& table, const std::string& path) { write_file(path, csv_text(table)); }

CsvStream::CsvStream(const std::vector<Channel>& channels, const std::string& path)
    : path_(path), text_(first_line(channels)), part_(is_device(path) ? nullptr : std::make_unique<PartFile>(path)) {
  for (const Channel& channel : channels) shown_.insert(shown_.end(), channel.width(), is_shown(channel));
}

CsvStream::~CsvStream() = default;

void CsvStream::add(double t, const std::vector<double>& row) {
  fmt::format_to(std::back_inserter(text_), "{}", t);
  for (size_t i = 0; i < row.size(); ++i)
    if (shown_[i]) fmt::format_to(std::back_inserter(text_), ",{}", row[i]);
  text_ += '\n';
  if (!part_ || text_.size() < kMostText) return;
  part_->write(text_);
  text_.clear();
}

void CsvStream::finish() {
  if (!part_) return write_file(path_, text_);
  part_->write(text_);
  part_->keep();
}

}  // namespace bricard::io
