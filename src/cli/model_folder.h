// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

namespace bricard::cli {

/// The folder of the model files that come with the program: $BRICARD_MODELS, else ../models or
/// ../share/bricard/models beside the program's own folder, else that of the sources.
std::filesystem::path model_folder();

}  // namespace bricard::cli
