// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <yaml-cpp/yaml.h>

#include <string>
#include <vector>

#include "bricard/check/read_log.h"
#include "bricard/model/source.h"

namespace bricard::io {

/// A model file and all files it includes, as YAML.
struct ModelFiles {
  struct Document {
    size_t source;  ///< index into sources
    YAML::Node root;
  };
  std::vector<SourceFile> sources;  ///< the main file first
  std::vector<Document> documents;  ///< in reading order: a file after those it includes
};

/// Reads a file from disk and what it includes, each file once. Faults go to the log.
ModelFiles load_model_files(const std::string& path, ReadLog& log);

/// The same for a main file whose text is at hand; `path` says where its includes are looked for.
ModelFiles load_model_text(const std::string& text, const std::string& path, ReadLog& log);

}  // namespace bricard::io
