// SPDX-License-Identifier: Apache-2.0
#include "bricard/write/result_writer.h"

#include <fmt/format.h>

#include <cerrno>
#include <chrono>
#include <cstring>

#include "bricard/write/channel_rows.h"
#include "bricard/write/checksum.h"
#include "bricard/write/files.h"
#include "bricard/write/hdf5_file.h"
#include "bricard/write/json_writer.h"
#include "bricard/write/sha256.h"

namespace bricard::io {
namespace {

// Samples of a stream that are not yet in the file: so many bytes, and so long, at most.
constexpr size_t kMostPending = 4 << 20;
constexpr std::chrono::seconds kLongestPending{1};
constexpr size_t kRoomBesides = 1 << 16;  // for what the library puts around rows and texts

void write_head(const ResultFile& head, hid_t file) {
  hdf5::write_attribute(file, "bricard_version", head.version);
  hdf5::write_attribute(file, "layout", kLayout);
  hdf5::write_attribute(file, "model_file", head.model_file);
  hdf5::write_attribute(file, "model_sha256", head.model_sha256);
  hdf5::write_attribute(file, "model_text", head.model_text);
  hdf5::write_text(file, "model", head.model);
}

void write_table(const ChannelTable& table, hid_t file) {
  ChannelRows rows(file, table.channels, table.time.size());
  std::vector<double> row;
  for (size_t i = 0; i < table.time.size(); ++i) {
    row.clear();
    for (size_t c = 0; c < table.channels.size(); ++c) {
      const size_t width = table.channels[c].width();
      const double* begin = table.values[c].data() + i * width;
      row.insert(row.end(), begin, begin + width);
    }
    rows.add(table.time[i], row);
  }
  rows.flush();
}

void write_lines(hid_t group, const char* name, const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += line + "\n";
  hdf5::write_text(group, name, text);
}

void write_modes(const ModeTable& modes, hid_t file) {
  const hsize_t count = modes.frequencies.size();
  const auto group = hdf5::make_group(file, "modes");
  write_lines(group, "labels", modes.labels);
  hdf5::write_attribute(hdf5::write_array(group, "eigenvalues", {count, 2}, modes.eigenvalues.data()), "units", "1/s");
  hdf5::write_attribute(hdf5::write_array(group, "frequencies", {count}, modes.frequencies.data()), "units", "Hz");
  hdf5::write_attribute(hdf5::write_array(group, "dampings", {count}, modes.dampings.data()), "units", "1");
  const auto bodies = hdf5::make_group(group, "bodies");
  for (const ModeTable::Body& body : modes.bodies) {
    const auto of_body = hdf5::make_group(bodies, body.name);
    for (const auto& [name, unit, values] :
         {std::tuple{"displacement", "m", &body.displacement}, std::tuple{"rotation", "rad", &body.rotation}}) {
      const auto dataset = hdf5::write_array(of_body, name, {count, 3, 2}, values->data());
      hdf5::write_attribute(dataset, "units", unit);
      hdf5::write_attribute(dataset, "frame", "ground");
    }
  }
}

void write_campbell(const CampbellTable& campbell, hid_t file) {
  const hsize_t modes = campbell.labels.size(), count = campbell.values.size();
  const auto group = hdf5::make_group(file, "campbell");
  write_lines(group, "labels", campbell.labels);
  const auto values = hdf5::write_array(group, "values", {count}, campbell.values.data());
  hdf5::write_attribute(values, "parameter", campbell.parameter);
  hdf5::write_attribute(values, "units", campbell.unit.empty() ? "1" : campbell.unit);
  hdf5::write_attribute(values, "is_speed", campbell.is_speed ? "yes" : "no");
  hdf5::write_attribute(hdf5::write_array(group, "frequencies", {modes, count}, campbell.frequencies.data()), "units",
                        "Hz");
  hdf5::write_attribute(hdf5::write_array(group, "dampings", {modes, count}, campbell.dampings.data()), "units", "1");
}

void write_responses(const ResponseTable& responses, hid_t file) {
  const hsize_t pairs = responses.names.size(), count = responses.frequencies.size();
  const auto group = hdf5::make_group(file, "responses");
  write_lines(group, "names", responses.names);
  write_lines(group, "units", responses.units);
  hdf5::write_attribute(hdf5::write_array(group, "frequencies", {count}, responses.frequencies.data()), "units", "Hz");
  hdf5::write_array(group, "magnitudes", {pairs, count}, responses.magnitudes.data());
  hdf5::write_attribute(hdf5::write_array(group, "phases", {pairs, count}, responses.phases.data()), "units", "deg");
}

std::string bytes_of(const ResultFile& result) {
  const hdf5::Silence silence;
  const auto file = hdf5::make_memory_file();
  write_head(result, file);
  hdf5::write_attribute(file, "certificate", result.certificate);
  write_table(result.table, file);
  if (!result.modes.frequencies.empty()) write_modes(result.modes, file);
  if (!result.campbell.labels.empty()) write_campbell(result.campbell, file);
  if (!result.responses.names.empty()) write_responses(result.responses, file);
  return hdf5::bytes_of(file);
}

}  // namespace

ResultFile make_head(const Model& model, const System& system) {
  ResultFile file;
  file.version = BRICARD_VERSION;
  std::string all;
  for (const SourceFile& source : model.sources) all += source.text;
  if (!model.sources.empty()) {
    file.model_file = model.sources[0].path;
    file.model_text = model.sources[0].text;
  }
  file.model_sha256 = sha256(all);
  file.model = model_json(model, system);
  return file;
}

ResultFile make_result_file(const Model& model, const System& system, const Results& results) {
  ResultFile file = make_head(model, system);
  file.certificate = certificate_json(results.report);
  Channels channels(model, system, results.report.start_energy);
  file.table = make_channel_table(channels, results.samples);
  return file;
}

void write_result_file(const ResultFile& file, const std::string& path) {
  std::string bytes;
  try {
    bytes = bytes_of(file);
  } catch (const hdf5::Error& error) {
    throw FileError(path + ": cannot be made: " + error.what());
  }
  write_file(path, bytes += checksum_line(bytes));
}

struct ResultStream::File {
  std::string path;
  std::unique_ptr<PartFile> part;  ///< null: the path is a device, and the file is kept in memory
  std::unique_ptr<hdf5::Handle> file;
  std::unique_ptr<ChannelRows> rows;
  std::chrono::steady_clock::time_point flushed = std::chrono::steady_clock::now();
  bool broken = false;
  size_t rows_on_disk = 0;

  /// Closing a file that cannot be written would mark it as whole, and nobody could read what it has.
  ~File() {
    const hdf5::Silence silence;
    if (broken && rows) rows->abandon();
    if (broken && file) file->abandon();
  }

  /// Calls a part of HDF5, whose failures are those of the disk.
  template <class Work>
  void attempt(const Work& work) {
    const hdf5::Silence silence;
    errno = 0;
    try {
      work();
    } catch (const hdf5::Error& error) {
      broken = true;
      throw FileError(
          fmt::format("{}: cannot be written: {}", path, errno ? std::strerror(errno) : std::string(error.what())));
    }
  }
  // The library writes the number of rows even if it could not write all rows: a disk without room is to be noticed before.
  void flush() {
    const size_t bytes = part ? rows->growth() : 0;
    if (bytes > 0) part->expect_room(bytes + kRoomBesides);
    rows->flush();
    if (part) hdf5::flush(*file);
    rows_on_disk = rows->rows_in_file();
    flushed = std::chrono::steady_clock::now();
  }
};

ResultStream::ResultStream(const ResultFile& head, const std::vector<Channel>& channels, size_t expected,
                           const std::string& path)
    : file_(std::make_unique<File>()) {
  hdf5::leave_files_at_exit();
  File& f = *file_;
  f.path = path;
  if (!is_device(path)) f.part = std::make_unique<PartFile>(path);
  f.attempt([&] {
    f.file = std::make_unique<hdf5::Handle>(f.part ? hdf5::make_disk_file(f.part->name()) : hdf5::make_memory_file());
    write_head(head, *f.file);
    RunReport killed;
    killed.stopped_because = "this is a part of a run that still goes on, or was killed";
    hdf5::write_attribute(*f.file, "certificate", certificate_json(killed));
    f.rows = std::make_unique<ChannelRows>(*f.file, channels, expected);
    if (f.part) hdf5::begin_rows(*f.file);
  });
}

ResultStream::~ResultStream() {
  if (file_->part && file_->rows_on_disk > 0) file_->part->leave();
}

void ResultStream::add(double t, const std::vector<double>& row) {
  File& f = *file_;
  if (f.broken) return;
  f.rows->add(t, row);
  if (f.rows->pending_bytes() < kMostPending && std::chrono::steady_clock::now() - f.flushed < kLongestPending) return;
  f.attempt([&] { f.flush(); });
}

void ResultStream::flush() {
  file_->attempt([&] { file_->flush(); });
  if (file_->part) file_->part->sync();
}

std::string ResultStream::part_name() const { return file_->part ? file_->part->name() : ""; }

void ResultStream::finish(const std::string& certificate) {
  File& f = *file_;
  f.attempt([&] {
    f.flush();
    f.rows.reset();
    if (f.part) {
      f.file.reset();  // what is not rows can be written only after that, and a disk full then would spoil it all
      f.part->expect_room(certificate.size() + kRoomBesides);
      f.file = std::make_unique<hdf5::Handle>(hdf5::reopen_file(f.part->name()));
    }
    hdf5::replace_attribute(*f.file, "certificate", certificate);
    hdf5::flush(*f.file);
    if (!f.part) {
      const std::string bytes = hdf5::bytes_of(*f.file);
      return write_file(f.path, bytes + checksum_line(bytes));
    }
    f.file.reset();
  });
  if (!f.part) return;
  add_checksum(f.part->name());
  f.part->keep();
}

std::string hdf5_version() {
  unsigned major = 0, minor = 0, release = 0;
  H5get_libversion(&major, &minor, &release);
  return fmt::format("{}.{}.{}", major, minor, release);
}

}  // namespace bricard::io
