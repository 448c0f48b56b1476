// SPDX-License-Identifier: Apache-2.0
#include "bricard/read/model_files.h"

#include <fmt/format.h>
#include <yaml-cpp/depthguard.h>
#include <yaml-cpp/eventhandler.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <optional>
#include <set>
#include <sstream>

#include "bricard/read/cursor.h"

namespace bricard::io {
namespace {

namespace fs = std::filesystem;

constexpr std::uintmax_t kLargestFile = 200'000'000;  // bytes: 10 000 bodies written one by one take 2 MB

struct FileText {
  std::string text;
  std::string trouble;  ///< why there is no text
};

FileText read_text(const std::string& path) {
  std::error_code ignored;
  const fs::file_status status = fs::status(path, ignored);
  if (fs::is_directory(status)) return {"", "is a directory; expected a model file"};
  if (fs::exists(status) && !fs::is_regular_file(status)) return {"", "is not a file that ends; expected a model file"};
  if (fs::is_regular_file(status) && fs::file_size(path, ignored) > kLargestFile)
    return {"", fmt::format("is larger than {} MB; expected a model file", kLargestFile / 1000000)};
  errno = 0;
  std::ifstream stream(path, std::ios::binary);
  std::ostringstream text;
  if (stream) text << stream.rdbuf();
  if (!stream) {
    const std::string reason = errno ? std::strerror(errno) : "unknown reason";
    return {"", "cannot be read: " + reason};
  }
  return {text.str(), ""};
}

// One name for a file however its path is written.
std::string identity(const std::string& path) {
  std::error_code error;
  const fs::path canonical = fs::weakly_canonical(path, error);
  return error ? path : canonical.string();
}

// Notes where documents start and builds nothing.
class DocumentStarts final : public YAML::EventHandler {
 public:
  YAML::Mark last;
  void OnDocumentStart(const YAML::Mark& mark) override { last = mark; }
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark&, YAML::anchor_t) override {}
  void OnAlias(const YAML::Mark&, YAML::anchor_t) override {}
  void OnScalar(const YAML::Mark&, const std::string&, YAML::anchor_t, const std::string&) override {}
  void OnSequenceStart(const YAML::Mark&, const std::string&, YAML::anchor_t, YAML::EmitterStyle::value) override {}
  void OnSequenceEnd() override {}
  void OnMapStart(const YAML::Mark&, const std::string&, YAML::anchor_t, YAML::EmitterStyle::value) override {}
  void OnMapEnd() override {}
};

// Where something follows the first document, which YAML::Load would ignore. (YAML::LoadAll does
// not end on texts like ", 1]}".)
std::optional<YAML::Mark> second_document(const std::string& text) {
  std::istringstream stream(text);
  YAML::Parser parser(stream);
  DocumentStarts starts;
  if (!parser.HandleNextDocument(starts) || !parser.HandleNextDocument(starts)) return {};
  return starts.last;
}

// The usual cause of an otherwise puzzling message.
bool is_indented_by_tab(const std::string& text, int line) {
  std::istringstream lines(text);
  std::string current;
  for (int i = 0; i <= line && std::getline(lines, current);) ++i;
  const size_t tab = current.find('\t');
  return tab != std::string::npos && tab < current.find_first_not_of(" \t");
}

class Loader {
 public:
  Loader(ModelFiles& files, ReadLog& log) : files_(files), log_(log) {}

  void load(const std::string& path, const std::string& text) {
    seen_.insert(identity(path));
    chain_.push_back(path);
    const size_t source = files_.sources.size();
    files_.sources.push_back({path, text});
    const YAML::Node root = parse(path, text);
    if (root.IsMap()) {
      // The vector of sources grows below: the scope needs a file that stays where it is.
      const SourceFile file{path, text};
      load_includes(root, file);
      files_.documents.push_back({source, root});
    }
    chain_.pop_back();
  }

 private:
  YAML::Node parse(const std::string& path, const std::string& text) {
    const auto fault = [&](const YAML::Mark& mark, const std::string& what) {
      log_.fault({path, std::max(mark.line, 0) + 1, std::max(mark.column, 0) + 1}, "", what);
      return YAML::Node();
    };
    const YAML::Mark start;
    if (text.find('\0') != std::string::npos) return fault(start, "this is not a text file");
    try {
      if (const auto mark = second_document(text))
        return fault(*mark, text.find("---", static_cast<size_t>(mark->pos)) == static_cast<size_t>(mark->pos)
                                ? "a second document after '---'; a model file has one"
                                : "not valid YAML: unexpected text");
      const YAML::Node root = YAML::Load(text);
      if (root.IsNull()) return fault(start, "the file is empty; expected a model with the keys bodies, joints, ...");
      if (!root.IsMap())
        return fault(root.Mark(),
                     fmt::format("expected a map with the keys bodies, joints, ..., found {}", describe(root)));
      return root;
    } catch (const YAML::DeepRecursion& error) {
      return fault(error.mark, "not valid YAML: nested too deeply");
    } catch (const YAML::Exception& error) {
      const bool tab = is_indented_by_tab(text, error.mark.line);
      return fault(error.mark, "not valid YAML: " + error.msg + (tab ? "; indent with spaces, not with tabs" : ""));
    }
  }

  void load_includes(const YAML::Node& root, const SourceFile& file) {
    const Scope scope{&file, {}, {}};
    const auto include = peek(root_cursor(root, scope, log_), "include");
    if (!include) return;
    if (include->node.IsScalar()) return load_include(*include);
    if (const auto items = items_of(*include, "a file name or a list of file names"))
      for (const Cursor& item : *items) load_include(item);
  }

  void load_include(const Cursor& at) {
    const auto name = raw_text_of(at, "a file name");
    if (!name) return;
    const std::string path = (fs::path(chain_.back()).parent_path() / *name).string();
    std::string chain = fmt::format("{}", fmt::join(chain_, " -> "));
    for (const std::string& open : chain_)
      if (identity(open) == identity(path))
        return at.fault(fmt::format("'{}' includes itself: {} -> {}", *name, chain, path));
    if (seen_.count(identity(path))) return;  // shared by two files: once is enough
    const FileText file = read_text(path);
    if (!file.trouble.empty()) return at.fault(fmt::format("{} {}; included by {}", path, file.trouble, chain));
    load(path, file.text);
  }

  ModelFiles& files_;
  ReadLog& log_;
  std::vector<std::string> chain_;  ///< the files being read, each included by the one before
  std::set<std::string> seen_;
};

}  // namespace

ModelFiles load_model_files(const std::string& path, ReadLog& log) {
  const FileText file = read_text(path);
  if (file.trouble.empty()) return load_model_text(file.text, path, log);
  log.fault({}, path, file.trouble);
  return {};
}

ModelFiles load_model_text(const std::string& text, const std::string& path, ReadLog& log) {
  ModelFiles files;
  Loader(files, log).load(path, text);
  return files;
}

}  // namespace bricard::io
