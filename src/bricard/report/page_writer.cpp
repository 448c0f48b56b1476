// SPDX-License-Identifier: Apache-2.0
#include "bricard/report/page_writer.h"

#include <zlib.h>

#include <algorithm>
#include <map>

#include "bricard/write/base64.h"
#include "bricard/write/files.h"
#include "bricard/write/json_text.h"

extern const char bricard_viewer_template[];  // see cmake/viewer_template.cpp.in
extern const unsigned long bricard_viewer_template_size;

namespace bricard::io {
namespace {

constexpr std::string_view kPlace = "/*BRICARD_DATA*/";

std::string_view embedded_page() { return {bricard_viewer_template, bricard_viewer_template_size}; }

Json parse(const std::string& text) {
  Json json = Json::parse(text, nullptr, false);
  return json.is_object() ? json : Json::object();
}

Json member(const Json& json, const char* key, const Json& otherwise) {
  const auto found = json.find(key);
  return found == json.end() ? otherwise : *found;
}

/// Every n-th row, and the last one.
std::vector<size_t> chosen_rows(size_t rows, size_t most) {
  const size_t step = std::max<size_t>(1, (rows + most - 1) / std::max<size_t>(most, 1));
  std::vector<size_t> chosen;
  for (size_t row = 0; row < rows; row += step) chosen.push_back(row);
  if (!chosen.empty() && chosen.back() + 1 != rows) chosen.push_back(rows - 1);
  return chosen;
}

std::string packed(const std::vector<double>& values, size_t width, const std::vector<size_t>& rows) {
  std::vector<double> kept;
  kept.reserve(rows.size() * width);
  for (const size_t row : rows) kept.insert(kept.end(), &values[row * width], &values[row * width] + width);
  return base64_differences(kept, width);
}

// What a page may hold: more would make it slow to open. Motion is drawn, so it needs fewer rows than the signals.
constexpr size_t kMostNumbers = 6'000'000, kLeastRows = 200, kMostMotionRows = 4000, kMostSignalRows = 20'000;

size_t most_rows(size_t width, size_t most) {
  return std::clamp(kMostNumbers / std::max<size_t>(width, 1), kLeastRows, most);
}

std::string deflated(const std::string& text) {
  uLongf size = compressBound(text.size());
  std::string bytes(size, '\0');
  const int failed = compress2(reinterpret_cast<Bytef*>(bytes.data()), &size,
                               reinterpret_cast<const Bytef*>(text.data()), text.size(), Z_BEST_COMPRESSION);
  if (failed) throw FileError("the page's data cannot be compressed");
  bytes.resize(size);
  return bytes;
}

/// Poses of the bodies and reactions of the joints, put into their entries.
void add_motion(const ChannelTable& table, const std::vector<size_t>& rows, Json& page) {
  std::map<std::pair<Channel::Kind, std::string>, Json*> owners;
  for (Json& body : page["bodies"]) owners[{Channel::Kind::body, body.value("name", "")}] = &body;
  for (Json& joint : page["joints"]) owners[{Channel::Kind::joint, joint.value("name", "")}] = &joint;
  for (size_t c = 0; c < table.channels.size(); ++c) {
    const Channel& channel = table.channels[c];
    const auto owner = owners.find({channel.kind, channel.owner});
    const bool shown = channel.kind == Channel::Kind::body
                           ? channel.name == "position" || channel.name == "quaternion_wxyz"
                           : channel.name == "force" || channel.name == "torque";
    if (owner != owners.end() && shown)
      (*owner->second)[channel.name] = packed(table.values[c], channel.columns.size(), rows);
  }
}

/// How the shapes of flexible bodies move.
void add_shapes(const ChannelTable& table, const std::vector<size_t>& rows, Json& page) {
  for (Json& surface : page["surfaces"])
    for (size_t c = 0; c < table.channels.size(); ++c)
      if (const Channel& channel = table.channels[c];
          channel.name == "modal_coordinates" && channel.owner == surface.value("body", ""))
        surface["modal_coordinates"] = packed(table.values[c], channel.columns.size(), rows);
}

bool is_drawn_along(const Channel& channel) {
  return channel.kind == Channel::Kind::beam && channel.name != "position" && channel.name != "quaternion_wxyz";
}

/// What beams can be coloured by, put into their entries. Where they are, their nodes tell, which are bodies.
void add_beams(const ChannelTable& table, const std::vector<size_t>& rows, Json& page) {
  std::map<std::string, Json*> owners;
  for (Json& beam : page["beams"]) owners[beam.value("name", "")] = &beam;
  for (size_t c = 0; c < table.channels.size(); ++c) {
    const Channel& channel = table.channels[c];
    const auto owner = owners.find(channel.owner);
    if (!is_drawn_along(channel) || owner == owners.end()) continue;
    Json columns = Json::array();
    for (const Column& column : channel.columns) columns.push_back(column.name);
    (*owner->second)["stations"] = channel.stations;
    (*owner->second)["quantities"].push_back({{"name", channel.name},
                                              {"unit", channel.columns[0].unit},
                                              {"columns", std::move(columns)},
                                              {"values", packed(table.values[c], channel.width(), rows)}});
  }
}

Json signals_json(const ChannelTable& table, const std::vector<size_t>& rows) {
  Json signals = Json::array();
  for (size_t c = 0; c < table.channels.size(); ++c)
    if (table.channels[c].kind == Channel::Kind::signal)
      signals.push_back({{"name", table.channels[c].name},
                         {"unit", table.channels[c].columns[0].unit},
                         {"values", packed(table.values[c], 1, rows)}});
  return signals;
}

/// Per mode and body: real parts of displacement and rotation, then the imaginary ones.
Json modes_json(const ModeTable& modes, const Json& bodies) {
  Json list = Json::array();
  for (size_t m = 0; m < modes.frequencies.size(); ++m) {
    std::vector<double> shape;
    for (const Json& entry : bodies) {
      const auto body = std::find_if(modes.bodies.begin(), modes.bodies.end(),
                                     [&](const ModeTable::Body& b) { return b.name == entry.value("name", ""); });
      for (const size_t part : {0, 1})
        for (const auto values : {&ModeTable::Body::displacement, &ModeTable::Body::rotation})
          for (size_t axis = 0; axis < 3; ++axis)
            shape.push_back(body == modes.bodies.end() ? 0 : ((*body).*values)[6 * m + 2 * axis + part]);
    }
    list.push_back({{"name", modes.labels[m]},
                    {"frequency", modes.frequencies[m]},
                    {"damping", modes.dampings[m]},
                    {"shape", base64_floats(shape)}});
  }
  return Json{{"list", std::move(list)}};
}

std::vector<double> row_of(const std::vector<double>& table, size_t row, size_t width) {
  return {table.begin() + static_cast<long>(row * width), table.begin() + static_cast<long>((row + 1) * width)};
}

Json campbell_json(const CampbellTable& campbell) {
  const size_t count = campbell.values.size();
  Json branches = Json::array();
  for (size_t m = 0; m < campbell.labels.size(); ++m)
    branches.push_back({{"name", campbell.labels[m]},
                        {"frequency", base64_floats(row_of(campbell.frequencies, m, count))},
                        {"damping", base64_floats(row_of(campbell.dampings, m, count))}});
  Json json{{"parameter", campbell.parameter},
            {"unit", campbell.unit},
            {"values", base64_floats(campbell.values)},
            {"branches", std::move(branches)}};
  if (campbell.is_speed) json["orders"] = {1};  // the line on which a mode meets the rotation
  return json;
}

Json responses_json(const ResponseTable& responses) {
  const size_t count = responses.frequencies.size();
  Json list = Json::array();
  for (size_t p = 0; p < responses.names.size(); ++p)
    list.push_back({{"name", responses.names[p]},
                    {"unit", responses.units[p]},
                    {"frequency", base64_floats(responses.frequencies)},
                    {"magnitude", base64_floats(row_of(responses.magnitudes, p, count))},
                    {"phase", base64_floats(row_of(responses.phases, p, count))}});
  return list;
}

}  // namespace

std::string page_json(const ResultFile& file) {
  const Json model = parse(file.model);
  const ChannelTable& table = file.table;
  Json page{{"name", member(model, "name", "")},
            {"version", file.version},
            {"description", member(model, "description", "")},
            {"gravity", member(model, "gravity", {0, 0, 0})},
            {"bodies", member(model, "bodies", Json::array())},
            {"ground", member(model, "ground", Json::object())},
            {"certificate", parse(file.certificate)}};
  for (const char* key : {"joints", "springs", "forces", "points", "beams", "surfaces"})
    page[key] = member(model, key, Json::array());
  const size_t signals = std::count_if(table.channels.begin(), table.channels.end(),
                                       [](const Channel& c) { return c.kind == Channel::Kind::signal; });
  size_t moving = 7 * page["bodies"].size() + 6 * page["joints"].size();
  for (const Channel& channel : table.channels) moving += is_drawn_along(channel) ? channel.width() : 0;
  const auto rows = chosen_rows(table.time.size(), most_rows(moving, kMostMotionRows));
  const auto signal_rows = chosen_rows(table.time.size(), most_rows(signals, kMostSignalRows));
  page["time"] = packed(table.time, 1, rows);
  if (signal_rows.size() != rows.size()) page["signal_time"] = packed(table.time, 1, signal_rows);
  add_motion(table, rows, page);
  add_beams(table, rows, page);
  add_shapes(table, rows, page);
  page["signals"] = signals_json(table, signal_rows);
  if (!file.modes.frequencies.empty()) page["modes"] = modes_json(file.modes, page["bodies"]);
  if (!file.campbell.labels.empty()) page["campbell"] = campbell_json(file.campbell);
  if (!file.responses.names.empty()) page["responses"] = responses_json(file.responses);
  return text_of(page);
}

std::string page_text(std::string_view page, const std::string& json) {
  const size_t at = page.find(kPlace);
  if (at == std::string_view::npos) throw FileError("the viewer's page has no place for data");
  std::string text(page.substr(0, at));
  text.reserve(page.size() + json.size());
  for (const char c : json) {  // no name in the model may end the script: < stands in texts only
    if (c == '<') text += "\\u003c";
    else text += c;
  }
  text += page.substr(at + kPlace.size());
  return text;
}

std::string packed_page_json(const ResultFile& file) {
  return text_of(
      Json{{"name", member(parse(file.model), "name", "")}, {"deflated", base64(deflated(page_json(file)))}});
}

bool has_viewer() { return !embedded_page().empty(); }

void write_page(const ResultFile& file, const std::string& path) {
  if (!has_viewer()) throw FileError(path + ": this program was built without its viewer (BRICARD_VIEWER=OFF)");
  write_file(path, page_text(embedded_page(), packed_page_json(file)));
}

}  // namespace bricard::io
