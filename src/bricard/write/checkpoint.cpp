// SPDX-License-Identifier: Apache-2.0
#include "bricard/write/checkpoint.h"

#include <fmt/format.h>

#include <bit>
#include <nlohmann/json.hpp>

#include "bricard/write/files.h"
#include "bricard/write/sha256.h"

namespace bricard::io {
namespace {

constexpr std::string_view kCheckpointTitle = "bricard checkpoint 1\n";
constexpr size_t kDigestLength = 64;

std::string part_of_model(const ResultFile& head, const char* key) {
  return nlohmann::json::parse(head.model).at(key).dump();
}

/// "step is 0.001, and was 0.002", of the first that differs; "" if none does.
std::string first_difference(const std::string& now, const std::string& before) {
  const auto is = nlohmann::json::parse(now), was = nlohmann::json::parse(before);
  const auto text = [](const nlohmann::json& object, const std::string& key) {
    const auto found = object.find(key);
    return found == object.end() || found->is_null() ? std::string("not given") : found->dump();
  };
  for (const auto& object : {is, was})
    for (const auto& [key, value] : object.items())
      if (text(is, key) != text(was, key))
        return fmt::format("{} is {}, and was {}", key, text(is, key), text(was, key));
  return "";
}

}  // namespace

// The hash of Fowler, Noll and Vo, word by word.
void RowsDigest::add(double t, const std::vector<double>& row) {
  const auto mix = [&](double x) {
    digest = (digest ^ std::bit_cast<std::uint64_t>(x)) * 1099511628211u;
    digest ^= digest >> 32;  // else high bits would never reach low ones
  };
  mix(t);
  for (const double x : row) mix(x);
  ++rows;
}

Checkpoint Checkpoint::of(const ResultFile& head, const std::vector<double>& at) {
  Checkpoint checkpoint;
  checkpoint.version = head.version;
  checkpoint.model_sha256 = head.model_sha256;
  checkpoint.parameters = part_of_model(head, "parameters");
  checkpoint.settings = part_of_model(head, "run");
  checkpoint.at = at;
  return checkpoint;
}

std::string Checkpoint::why_not(const ResultFile& head, const std::vector<double>& at_now) const {
  if (version != head.version) return fmt::format("it is of version {}, and this is {}", version, head.version);
  if (model_sha256 != head.model_sha256) return "the model file, or one that it includes, has been changed since";
  if (const std::string what = first_difference(part_of_model(head, "parameters"), parameters); !what.empty())
    return "parameter " + what;
  if (const std::string what = first_difference(part_of_model(head, "run"), settings); !what.empty())
    return "run." + what;
  return at != at_now ? "the times of --at were others" : "";
}

void Checkpoint::archive(Archive& x) {
  x(version, model_sha256, parameters, settings, at, part, written, start_energy, memory);
}

void write_checkpoint(Checkpoint checkpoint, const std::string& path) {
  Archive x;
  x(checkpoint);
  const std::string bytes = x.take_bytes();
  PartFile file(path);
  file.write(kCheckpointTitle);
  file.write(sha256(bytes) + "\n");
  file.write(bytes);
  file.sync();
  file.keep();
}

Checkpoint read_checkpoint(const std::string& path) {
  const std::string text = read_file(path);
  std::string_view rest = text;
  if (!rest.starts_with(kCheckpointTitle)) throw FileError(path + ": is not a checkpoint of this program");
  rest.remove_prefix(kCheckpointTitle.size());
  const std::string_view digest = rest.substr(0, kDigestLength);
  rest.remove_prefix(std::min(rest.size(), kDigestLength + 1));
  if (sha256(rest) != digest) throw FileError(path + ": is damaged; run the model anew without --resume");
  Checkpoint checkpoint;
  try {
    Archive x(rest);
    x(checkpoint);
    x.expect_end();
  } catch (const ArchiveError& error) {
    throw FileError(fmt::format("{}: {}", path, error.what()));
  }
  return checkpoint;
}

}  // namespace bricard::io
