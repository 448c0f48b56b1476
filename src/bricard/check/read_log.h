// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <memory_resource>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "bricard/math/expression.h"
#include "bricard/model/source.h"

namespace bricard::io {

/// What was said in a model, where each value stood in its file, if it came from one, and what is wrong with it.
/// A path names a value: `bodies.rod.mass`, `joints.hinge.between[1]`.
class ReadLog {
 public:
  /// Says `path: what` at a place. A fault that differs from an earlier one at the same place only
  /// in numbers comes from a repeat block and is counted, not listed.
  /// Of a value that is to be shown: `path = value: what`.
  void fault(const Place& place, const std::string& path, const std::string& what, const std::string& value = "");

  void record(const std::string& path, const Place& place, bool good);

  /// Where a value stood that was read without fault; nullptr if it is absent or faulty.
  const Place* place_of(const std::string& path) const;
  bool is_faulty(const std::string& path) const;

  /// A measure in a formula, to be looked up when all elements are known.
  struct MeasureNote {
    Place place;
    std::string path;
    MeasureCall call;
  };
  void note_measure(MeasureNote note) { measures_.push_back(std::move(note)); }
  const std::vector<MeasureNote>& measures() const { return measures_; }

  /// A fault by the path of its value.
  struct Finding {
    Place place;
    std::string path, value, what;
    int more = 0;  ///< further ones alike
  };
  const std::vector<Finding>& findings() const { return findings_; }

  /// Throws ModelError with all faults, if any, in the order of the files and their lines.
  void throw_faults(const std::vector<SourceFile>& files) const;

 private:
  struct Record {
    const Place* place;
    bool good;
  };
  struct Earlier {
    bool operator()(const Place& a, const Place& b) const {
      return std::tie(a.line, a.column, a.file) < std::tie(b.line, b.column, b.file);
    }
  };
  struct Hash {
    using is_transparent = void;
    size_t operator()(std::string_view text) const { return std::hash<std::string_view>()(text); }
  };
  using RecordsOf = std::pmr::map<std::pmr::string, Record, std::less<>>;
  RecordsOf* records_of(std::string_view element) const;
  const Record* find(std::string_view path) const;

  std::vector<Finding> findings_;
  std::vector<MeasureNote> measures_;
  std::map<std::string, size_t> alike_;
  // Repetitions have many values at one place. Paths are many small texts that all go at once.
  std::set<Place, Earlier> places_;
  std::unique_ptr<std::pmr::monotonic_buffer_resource> memory_ =
      std::make_unique<std::pmr::monotonic_buffer_resource>();
  // By element, `bodies.rod`, and the rest of the path within it: who asks for one value of an element asks for others.
  mutable std::pmr::unordered_map<std::pmr::string, RecordsOf, Hash, std::equal_to<>> records_{memory_.get()};
  mutable std::pair<std::string, RecordsOf*> last_{"", nullptr};  ///< element that was asked for
};

/// Why no model has this number; "" if one may.
std::string fault_of_number(double value);

/// `; did you mean 'mass'?`, or if nothing is near `; <otherwise>: a, b, c`.
std::string suggestion(const std::string& word, const std::vector<std::string>& candidates,
                       const std::string& otherwise);

/// `a`, `a or b`, `a, b or c`
std::string alternatives(const std::vector<std::string>& words);

}  // namespace bricard::io
