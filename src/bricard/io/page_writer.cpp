// SPDX-License-Identifier: Apache-2.0
#include "bricard/io/page_writer.h"

#include <map>

#include "bricard/io/base64.h"
#include "bricard/io/files.h"
#include "bricard/io/json_text.h"

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

}  // namespace

std::string page_json(const ResultFile& file) {
  const Json model = parse(file.model);
  const ChannelTable& table = file.table;
  Json page{{"name", member(model, "name", "")},
            {"version", file.version},
            {"description", member(model, "description", "")},
            {"gravity", member(model, "gravity", {0, 0, 0})},
            {"time", base64_floats(table.time)},
            {"bodies", member(model, "bodies", Json::array())}};
  std::map<std::string, Json*> bodies;
  for (Json& body : page["bodies"]) bodies[body.value("name", "")] = &body;
  Json signals = Json::array();
  for (size_t c = 0; c < table.channels.size(); ++c) {
    const Channel& channel = table.channels[c];
    const bool is_pose = channel.name == "position" || channel.name == "quaternion_wxyz";
    if (channel.kind == Channel::Kind::signal) {
      signals.push_back({{"name", channel.name},
                         {"unit", channel.columns[0].unit},
                         {"values", base64_floats(table.values[c])}});
    } else if (channel.kind == Channel::Kind::body && is_pose && bodies.count(channel.owner)) {
      (*bodies[channel.owner])[channel.name] = base64_floats(table.values[c]);
    }
  }
  page["ground"] = member(model, "ground", Json::object());
  for (const char* key : {"joints", "springs", "points"})
    page[key] = member(model, key, Json::array());
  page["signals"] = std::move(signals);
  page["certificate"] = parse(file.certificate);
  return text_of(page);
}

std::string page_text(std::string_view page, const std::string& json) {
  const size_t at = page.find(kPlace);
  if (at == std::string_view::npos) throw FileError("the viewer's page has no place for data");
  std::string text(page.substr(0, at));
  text.reserve(page.size() + json.size());
  for (const char c : json) {  // no name in the model may end the script: < stands in texts only
    if (c == '<')
      text += "\\u003c";
    else
      text += c;
  }
  text += page.substr(at + kPlace.size());
  return text;
}

bool has_viewer() { return !embedded_page().empty(); }

void write_page(const ResultFile& file, const std::string& path) {
  if (!has_viewer())
    throw FileError(path + ": this program was built without its viewer (BRICARD_VIEWER=OFF)");
  write_file(path, page_text(embedded_page(), page_json(file)));
}

}  // namespace bricard::io
