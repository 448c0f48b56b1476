// SPDX-License-Identifier: Apache-2.0
#include "cli/model_folder.h"

#include <cstdlib>

namespace bricard::cli {

namespace fs = std::filesystem;

fs::path model_folder() {
  if (const char* given = std::getenv("BRICARD_MODELS"); given && *given) return given;
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  if (!error) {
    const fs::path prefix = program.parent_path().parent_path();
    for (const char* place : {"models", "share/bricard/models"})
      if (fs::is_directory(prefix / place, error)) return prefix / place;
  }
  return fs::path(BRICARD_SOURCE_DIR) / "models";
}

}  // namespace bricard::cli
