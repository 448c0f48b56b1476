// SPDX-License-Identifier: Apache-2.0
#include "bricard/check/read_log.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <tuple>

#include "bricard/model/fields.h"

namespace bricard::io {
namespace {

// The part of a message that repetitions share: its first clause without numbers.
std::string gist(const std::string& what) {
  std::string text;
  for (const char c : what.substr(0, what.find(';')))
    if (!(c >= '0' && c <= '9') && c != '.' && c != '-' && c != '+') text += c;
  return text;
}

/// `bodies.rod` and `shapes[0].size`, of a path.
std::pair<std::string_view, std::string_view> parts_of(std::string_view path) {
  const size_t section = path.find('.');
  const size_t end = section == std::string_view::npos ? section : path.find('.', section + 1);
  if (end == std::string_view::npos) return {path, {}};
  return {path.substr(0, end), path.substr(end + 1)};
}

}  // namespace

void ReadLog::fault(const Place& place, const std::string& path, const std::string& what, const std::string& value) {
  const std::string where = place.line > 0 ? fmt::format("{}:{}:{}", place.file, place.line, place.column) : path;
  const auto [known, is_new] = alike_.try_emplace(where + ":" + gist(what), findings_.size());
  if (is_new) findings_.push_back({place, path, value, what});
  else ++findings_[known->second].more;
}

/// What was said of an element; null if nothing was.
ReadLog::RecordsOf* ReadLog::records_of(std::string_view element) const {
  if (last_.second && last_.first == element) return last_.second;
  const auto found = records_.find(element);
  if (found == records_.end()) return nullptr;
  last_.first = element, last_.second = &found->second;
  return last_.second;
}

/// Null: nothing was said of it.
const ReadLog::Record* ReadLog::find(std::string_view path) const {
  const auto [element, rest] = parts_of(path);
  const RecordsOf* records = records_of(element);
  if (!records) return nullptr;
  const auto found = records->find(rest);
  return found != records->end() ? &found->second : nullptr;
}

void ReadLog::record(const std::string& path, const Place& place, bool good) {
  const auto [element, rest] = parts_of(path);
  RecordsOf* records = records_of(element);
  if (!records) records = &records_.try_emplace(std::pmr::string(element, memory_.get())).first->second;
  records->insert_or_assign(std::pmr::string(rest, memory_.get()), Record{&*places_.insert(place).first, good});
}

const Place* ReadLog::place_of(const std::string& path) const {
  const Record* record = find(path);
  return record && record->good ? record->place : nullptr;
}

bool ReadLog::is_faulty(const std::string& path) const {
  const Record* record = find(path);
  return record && !record->good;
}

void ReadLog::throw_faults(const std::vector<SourceFile>& files) const {
  if (findings_.empty()) return;
  std::vector<Fault> faults;
  for (const Finding& f : findings_) {
    const std::string path = f.value.empty() ? f.path : f.path + " = " + f.value;
    faults.push_back({f.place, path.empty() ? f.what : path + ": " + f.what});
    if (f.more > 0) faults.back().message += fmt::format(" (and {} more like it)", f.more);
  }
  const auto order = [&](const Fault& fault) {
    const auto same = [&](const SourceFile& file) { return file.path == fault.place.file; };
    const auto file = std::find_if(files.begin(), files.end(), same);
    return std::tuple{file - files.begin(), fault.place.line, fault.place.column};
  };
  std::stable_sort(faults.begin(), faults.end(), [&](const Fault& a, const Fault& b) { return order(a) < order(b); });
  throw ModelError(std::move(faults));
}

std::string fault_of_number(double value) {
  if (!std::isfinite(value)) return "must be a finite number";
  return std::abs(value) > kLargestNumber ? "is too large to compute with; is a unit wrong?" : "";
}

std::string suggestion(const std::string& word, const std::vector<std::string>& candidates,
                       const std::string& otherwise) {
  // Every single letter is near to every other one.
  const std::string near = word.size() > 1 ? did_you_mean(word, candidates) : "";
  if (!near.empty()) return fmt::format("; did you mean '{}'?", near);
  if (candidates.empty()) return "";
  constexpr size_t kMost = 14;  // a longer list is not read
  const size_t shown = std::min(candidates.size(), kMost);
  const auto end = candidates.begin() + static_cast<std::ptrdiff_t>(shown);
  return fmt::format("; {}: {}{}", otherwise, fmt::join(candidates.begin(), end, ", "),
                     candidates.size() > kMost ? ", ..." : "");
}

std::string alternatives(const std::vector<std::string>& words) {
  std::string list = words[0];
  for (size_t i = 1; i < words.size(); ++i) list += (i + 1 < words.size() ? ", " : " or ") + words[i];
  return list;
}

}  // namespace bricard::io
