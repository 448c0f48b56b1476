// SPDX-License-Identifier: Apache-2.0
#include "bricard/write/channel_rows.h"

#include <algorithm>
#include <map>
#include <numeric>

#include "bricard/write/channel_texts.h"

namespace bricard::io {
namespace {

bool same_columns(const Channel& a, const Channel& b) {
  const auto same = [](const Column& x, const Column& y) { return x.name == y.name && x.unit == y.unit; };
  return a.frame == b.frame && std::equal(a.columns.begin(), a.columns.end(), b.columns.begin(), b.columns.end(), same);
}

template <class Text>
std::vector<std::string> texts_of(const std::vector<Channel>& channels, const std::vector<size_t>& at, Text text) {
  std::vector<std::string> texts;
  for (const size_t c : at) texts.push_back(text(channels[c]));
  return texts;
}

constexpr const char* kOwners = ".owners";

void write_texts_of(const Channel& channel, hid_t dataset) {
  hdf5::write_attribute(dataset, "units", unit_text(channel.columns));
  hdf5::write_attribute(dataset, "columns", name_text(channel.columns));
  if (!channel.frame.empty()) hdf5::write_attribute(dataset, "frame", channel.frame);
}

/// Owners of channels of one kind, in order.
std::vector<std::string> owners_of(const std::vector<Channel>& channels, Channel::Kind kind) {
  std::vector<std::string> owners;
  for (const Channel& channel : channels)
    if (channel.kind == kind && (owners.empty() || owners.back() != channel.owner)) owners.push_back(channel.owner);
  return owners;
}

}  // namespace

ChannelRows::ChannelRows(hid_t file, const std::vector<Channel>& channels, size_t expected)
    : expected_(std::max<size_t>(expected, 1)) {
  size_t column = 0;
  for (const Channel& channel : channels) first_.push_back(column), column += channel.width();
  row_bytes_ = (column + 1) * sizeof(double);
  Sheet time;
  make_dataset(time, file, "time", {});
  hdf5::write_attribute(time.dataset[0], "units", "s");
  sheets_.push_back(std::move(time));
  for (const auto& [kind, folder] :
       {std::pair{Channel::Kind::body, "bodies"}, std::pair{Channel::Kind::joint, "joints"},
        std::pair{Channel::Kind::signal, "signals"}}) {
    const auto group = hdf5::make_group(file, folder);
    std::vector<std::string> names;  // of quantities, in order
    std::map<std::string, std::vector<size_t>> of_name;
    std::vector<size_t> all;
    for (size_t c = 0; c < channels.size(); ++c) {
      if (channels[c].kind != kind) continue;
      all.push_back(c);
      if (kind == Channel::Kind::signal) continue;
      std::vector<size_t>& list = of_name[channels[c].name];
      if (list.empty()) names.push_back(channels[c].name);
      list.push_back(c);
    }
    if (kind == Channel::Kind::signal) {
      add_signals(group, channels, all);
      continue;
    }
    const std::vector<std::string> owners = owners_of(channels, kind);
    hdf5::write_texts(group, "names", owners);
    for (const std::string& name : names) add_sheet(group, channels, of_name[name], owners.size());
  }
  add_beams(file, channels);
}

void ChannelRows::add_beams(hid_t file, const std::vector<Channel>& channels) {
  const std::vector<std::string> owners = owners_of(channels, Channel::Kind::beam);
  if (owners.empty()) return;
  const auto beams = hdf5::make_group(file, "beams");
  for (const std::string& owner : owners) {
    const auto group = hdf5::make_group(beams, owner);
    for (size_t c = 0; c < channels.size(); ++c) {
      const Channel& channel = channels[c];
      if (channel.kind != Channel::Kind::beam || channel.owner != owner) continue;
      if (hdf5::members(group).empty()) {
        const auto s = hdf5::write_array(group, "s", {channel.stations.size()}, channel.stations.data());
        hdf5::write_attribute(s, "units", "m");
      }
      Sheet sheet;
      sheet.parts.push_back({first_[c], channel.width()});
      make_dataset(sheet, group, channel.name, {channel.stations.size(), channel.columns.size()});
      write_texts_of(channel, sheet.dataset[0]);
      sheets_.push_back(std::move(sheet));
    }
  }
}

void ChannelRows::make_dataset(Sheet& sheet, hid_t group, const std::string& name, const std::vector<hsize_t>& row) {
  const hsize_t width = std::accumulate(row.begin(), row.end(), hsize_t{1}, std::multiplies<>());
  if (width > 0) sheet.dataset.push_back(hdf5::make_rows(group, name, row, expected_));
}

void ChannelRows::add_sheet(hid_t group, const std::vector<Channel>& channels, const std::vector<size_t>& at,
                            size_t owners) {
  const Channel& first = channels[at[0]];
  const auto is_like_first = [&](size_t c) { return same_columns(channels[c], first); };
  const bool uniform =
      at.size() == owners && !first.columns.empty() && std::all_of(at.begin(), at.end(), is_like_first);
  Sheet sheet;
  hsize_t width = 0;
  for (const size_t c : at)
    sheet.parts.push_back({first_[c], channels[c].columns.size()}), width += channels[c].columns.size();
  if (uniform) {
    make_dataset(sheet, group, first.name, {at.size(), first.columns.size()});
    write_texts_of(first, sheet.dataset[0]);
  } else {
    make_dataset(sheet, group, first.name, {width});
    if (width > 0 && !first.frame.empty()) hdf5::write_attribute(sheet.dataset[0], "frame", first.frame);
    const auto write = [&](const char* what, auto text) {
      hdf5::write_texts(group, first.name + what, texts_of(channels, at, text));
    };
    write(kOwners, [](const Channel& c) { return c.owner; });
    write(".columns", [](const Channel& c) { return name_text(c.columns); });
    write(".units", [](const Channel& c) { return units_text(c.columns); });
  }
  sheets_.push_back(std::move(sheet));
}

void ChannelRows::add_signals(hid_t group, const std::vector<Channel>& channels, const std::vector<size_t>& at) {
  Sheet sheet;
  for (const size_t c : at) sheet.parts.push_back({first_[c], 1});
  make_dataset(sheet, group, "values", {at.size()});
  hdf5::write_texts(group, "names", texts_of(channels, at, [](const Channel& c) { return c.name; }));
  hdf5::write_texts(group, "units", texts_of(channels, at, [](const Channel& c) { return unit_text(c.columns); }));
  hdf5::write_texts(group, "frames", texts_of(channels, at, [](const Channel& c) { return c.frame; }));
  sheets_.push_back(std::move(sheet));
}

void ChannelRows::add(double t, const std::vector<double>& row) {
  sheets_[0].pending.push_back(t);
  for (size_t i = 1; i < sheets_.size(); ++i)
    for (const Part& part : sheets_[i].parts) {
      const auto begin = row.begin() + static_cast<std::ptrdiff_t>(part.first);
      sheets_[i].pending.insert(sheets_[i].pending.end(), begin, begin + static_cast<std::ptrdiff_t>(part.count));
    }
  ++pending_;
}

void ChannelRows::flush() {
  if (pending_ == 0) return;
  for (size_t i = sheets_.size(); i-- > 0;) {  // time at last: what it has, all have
    Sheet& sheet = sheets_[i];
    for (const hdf5::Handle& dataset : sheet.dataset) hdf5::add_rows(dataset, in_file_, pending_, sheet.pending.data());
    sheet.pending.clear();
  }
  in_file_ += pending_;
  pending_ = 0;
}

size_t ChannelRows::growth() const {
  size_t bytes = 0;
  for (const Sheet& sheet : sheets_)
    for (const hdf5::Handle& dataset : sheet.dataset) bytes += hdf5::growth(dataset, in_file_, pending_);
  return bytes;
}

void ChannelRows::abandon() {
  for (Sheet& sheet : sheets_)
    for (hdf5::Handle& dataset : sheet.dataset) dataset.abandon();
}

namespace {

/// A channel and its place in an array.
struct StoredChannel {
  Channel channel;
  size_t array, first;
};

class RowsReader {
 public:
  explicit RowsReader(hid_t file) : file_(file) {
    table_.time = hdf5::read_array(hdf5::open_dataset(file, "time")).values;
  }

  ChannelTable read() {
    read_owners(Channel::Kind::body, "bodies");
    read_owners(Channel::Kind::joint, "joints");
    read_beams();
    read_signals();
    return std::move(table_);
  }

 private:
  /// Rows of a run that was killed may be in one array and not yet in others: as many as times count.
  size_t take_array(hid_t group, const std::string& name, size_t width) {
    hdf5::Array array{{table_.time.size(), 0}, {}};
    if (width > 0) array = hdf5::read_array(hdf5::open_dataset(group, name));
    const hsize_t columns = array.dimensions[0] ? array.values.size() / array.dimensions[0] : width;
    if (array.dimensions[0] < table_.time.size() || columns != width)
      throw hdf5::Error(name + " has not as many rows as time, or not as many columns as names");
    arrays_.push_back(std::move(array.values));
    widths_.push_back(width);
    return arrays_.size() - 1;
  }

  void take_channel(const StoredChannel& stored) {
    const std::vector<double>& values = arrays_[stored.array];
    const size_t count = stored.channel.width();
    std::vector<double> own;
    own.reserve(count * table_.time.size());
    for (size_t row = 0; row < table_.time.size(); ++row) {
      const double* begin = values.data() + row * widths_[stored.array] + stored.first;
      own.insert(own.end(), begin, begin + count);
    }
    table_.channels.push_back(stored.channel);
    table_.values.push_back(std::move(own));
  }

  void read_owners(Channel::Kind kind, const char* folder) {
    const auto group = hdf5::open_group(file_, folder);
    const std::vector<std::string> owners = hdf5::read_texts(group, "names");
    std::map<std::string, std::vector<StoredChannel>> of_owner;
    for (const std::string& member : hdf5::members(group)) {
      if (const size_t dot = member.rfind(kOwners);
          dot != std::string::npos && dot + std::string(kOwners).size() == member.size())
        read_sheet(kind, group, member.substr(0, dot), of_owner);
      else if (member != "names" && member.find('.') == std::string::npos)
        read_uniform(kind, group, member, owners, of_owner);
    }
    for (const std::string& owner : owners)
      for (const StoredChannel& stored : of_owner[owner]) take_channel(stored);
    arrays_.clear();
    widths_.clear();
  }

  void read_uniform(Channel::Kind kind, hid_t group, const std::string& name, const std::vector<std::string>& owners,
                    std::map<std::string, std::vector<StoredChannel>>& of_owner) {
    const auto dataset = hdf5::open_dataset(group, name);
    if (hdf5::dimensions(dataset).size() != 3) return;  // that of a sheet
    Channel channel{kind, "", name, hdf5::read_attribute_or(dataset, "frame", ""),
                    columns_of(hdf5::read_attribute(dataset, "columns"), hdf5::read_attribute(dataset, "units"))};
    const size_t width = channel.columns.size(), array = take_array(group, name, width * owners.size());
    for (size_t i = 0; i < owners.size(); ++i) {
      channel.owner = owners[i];
      of_owner[owners[i]].push_back({channel, array, i * width});
    }
  }

  void read_sheet(Channel::Kind kind, hid_t group, const std::string& name,
                  std::map<std::string, std::vector<StoredChannel>>& of_owner) {
    const auto owners = hdf5::read_texts(group, name + kOwners), columns = hdf5::read_texts(group, name + ".columns"),
               units = hdf5::read_texts(group, name + ".units");
    if (columns.size() != owners.size() || units.size() != owners.size())
      throw hdf5::Error(name + " has not columns and units for each of its owners");
    std::vector<Channel> channels;
    size_t width = 0;
    for (size_t i = 0; i < owners.size(); ++i) {
      channels.push_back({kind, owners[i], name, "", columns_of(columns[i], units[i])});
      width += channels.back().columns.size();
    }
    const size_t array = take_array(group, name, width);
    const std::string frame = width > 0 ? hdf5::read_attribute_or(hdf5::open_dataset(group, name), "frame", "") : "";
    size_t first = 0;
    for (Channel& channel : channels) {
      channel.frame = frame;
      of_owner[channel.owner].push_back({channel, array, first});
      first += channel.columns.size();
    }
  }

  void read_beams() {
    const auto top = hdf5::members(file_);
    if (std::find(top.begin(), top.end(), "beams") == top.end()) return;
    const auto beams = hdf5::open_group(file_, "beams");
    for (const std::string& owner : hdf5::members(beams)) {
      const auto group = hdf5::open_group(beams, owner);
      const std::vector<double> stations = hdf5::read_array(hdf5::open_dataset(group, "s")).values;
      for (const std::string& name : hdf5::members(group)) {
        if (name == "s") continue;
        const auto dataset = hdf5::open_dataset(group, name);
        const Channel channel{
            Channel::Kind::beam,
            owner,
            name,
            hdf5::read_attribute_or(dataset, "frame", ""),
            columns_of(hdf5::read_attribute(dataset, "columns"), hdf5::read_attribute(dataset, "units")),
            stations};
        take_channel({channel, take_array(group, name, channel.width()), 0});
      }
      arrays_.clear();
      widths_.clear();
    }
  }

  void read_signals() {
    const auto group = hdf5::open_group(file_, "signals");
    const auto names = hdf5::read_texts(group, "names"), units = hdf5::read_texts(group, "units"),
               frames = hdf5::read_texts(group, "frames");
    if (units.size() != names.size() || frames.size() != names.size())
      throw hdf5::Error("the signals have not a unit and a frame each");
    const size_t array = take_array(group, "values", names.size());
    for (size_t i = 0; i < names.size(); ++i)
      take_channel(
          {{Channel::Kind::signal, "", names[i], frames[i], {{"", units[i] == "1" ? "" : units[i]}}}, array, i});
  }

  hid_t file_;
  ChannelTable table_;
  std::vector<std::vector<double>> arrays_;
  std::vector<size_t> widths_;
};

}  // namespace

ChannelTable read_channel_rows(hid_t file) { return RowsReader(file).read(); }

}  // namespace bricard::io
