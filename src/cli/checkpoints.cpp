// SPDX-License-Identifier: Apache-2.0
#include "cli/checkpoints.h"

#include <fmt/format.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "bricard/read/result_reader.h"
#include "bricard/write/files.h"
#include "cli/commands.h"
#include "cli/terminal.h"

namespace bricard::cli {
namespace {

namespace fs = std::filesystem;

std::string program_of(long process) {
  std::string name;
  std::getline(std::ifstream(fmt::format("/proc/{}/comm", process)), name);
  return name;
}

/// Whether the process that made a file run.h5.part-123 is this program and still at work.
bool is_written(const std::string& part) {
  const long process = std::atol(part.substr(part.rfind('-') + 1).c_str());
  return process > 0 && process != ::getpid() && ::kill(static_cast<pid_t>(process), 0) == 0 &&
         program_of(process) == program_of(::getpid());
}

bool same_channels(const std::vector<Channel>& a, const std::vector<Channel>& b) {
  const auto same = [](const Channel& x, const Channel& y) {
    return x.owner == y.owner && x.name == y.name && x.width() == y.width();
  };
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), same);
}

}  // namespace

Checkpoints::Checkpoints(io::ResultFile head, std::vector<double> at, std::string output)
    : head_(std::move(head)), at_(std::move(at)), output_(std::move(output)) {
  if (!output_.empty() && !io::is_device(output_)) path_ = output_ + ".checkpoint";
}

/// The checkpoint, if this run can go on from it.
io::Checkpoint Checkpoints::find() const {
  if (!are_kept())
    throw UsageError("--resume: needs the result file of the run that it goes on with; give it with --output");
  if (!fs::exists(path_))
    throw UsageError(fmt::format("--resume: there is no {}; a run leaves one where it is stopped, and once in a while "
                                 "(--checkpoint), but none when it is finished. Run it without --resume.",
                                 path_));
  io::Checkpoint checkpoint = io::read_checkpoint(path_);
  if (const std::string reason = checkpoint.why_not(head_, at_); !reason.empty())
    throw UsageError(fmt::format("--resume: {} is of another run: {}. Resume it as it was, or run it without --resume.",
                                 path_, reason));
  return checkpoint;
}

/// A killed run left its part file; one that was stopped gave it the name of the results.
std::string Checkpoints::rows_file(const io::Checkpoint& checkpoint) const {
  const fs::path folder = fs::weakly_canonical(output_).parent_path();
  const std::string part = (folder / checkpoint.part).string();
  if (!fs::exists(part)) return output_;
  if (is_written(part)) throw UsageError(fmt::format("--resume: the run still goes on, and writes to {}", part));
  return part;
}

std::string Checkpoints::resume(RunOutput& files) {
  io::Checkpoint checkpoint = find();
  const std::string from = rows_file(checkpoint);
  const io::ResultFile stored = io::read_result_file(from);
  files.open(checkpoint.start_energy);
  io::RowsDigest digest;
  const ChannelTable& table = stored.table;
  if (same_channels(table.channels, files.channels()) && table.time.size() >= checkpoint.written.rows) {
    std::vector<double> row;
    for (size_t i = 0; i < checkpoint.written.rows; ++i) {
      row.clear();
      for (size_t c = 0; c < table.channels.size(); ++c) {
        const auto width = static_cast<std::ptrdiff_t>(table.channels[c].width());
        const auto begin = table.values[c].begin() + static_cast<std::ptrdiff_t>(i) * width;
        row.insert(row.end(), begin, begin + width);
      }
      digest.add(table.time[i], row);
      files.add(table.time[i], row);
    }
  }
  if (digest != checkpoint.written)
    throw io::FileError(fmt::format("{}: does not have the samples that {} goes on from; run the model anew without "
                                    "--resume",
                                    from, path_));
  keep(files, checkpoint.memory);
  std::error_code ignored;
  if (from != output_ && !failed_) fs::remove(from, ignored);
  return std::move(checkpoint.memory);
}

void Checkpoints::keep(RunOutput& files, std::string memory) {
  if (!are_kept() || failed_) return;
  files.flush();
  io::Checkpoint checkpoint = io::Checkpoint::of(head_, at_);
  checkpoint.part = fs::path(files.part_name()).filename().string();
  checkpoint.written = files.written();
  checkpoint.start_energy = files.start_energy();
  checkpoint.memory = std::move(memory);
  try {
    io::write_checkpoint(std::move(checkpoint), path_);
  } catch (const io::FileError& error) {
    failed_ = true;
    say(fmt::format("bricard: {}; the run goes on without", error.what()));
  }
}

void Checkpoints::remove() const {
  std::error_code ignored;
  if (are_kept()) fs::remove(path_, ignored);
}

}  // namespace bricard::cli
