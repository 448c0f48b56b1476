// SPDX-License-Identifier: Apache-2.0
#include "bricard/write/mat_writer.h"

#include <matio.h>

#include <filesystem>
#include <memory>

#include "bricard/write/files.h"

namespace bricard::io {
namespace {

using MatVariable = std::unique_ptr<matvar_t, decltype(&Mat_VarFree)>;
using File = std::unique_ptr<mat_t, decltype(&Mat_Close)>;

// libmatio copies the data but takes it as not constant.
MatVariable matrix_variable(const std::string& name, const Eigen::MatrixXd& M) {
  size_t dimensions[] = {static_cast<size_t>(M.rows()), static_cast<size_t>(M.cols())};
  return {Mat_VarCreate(name.c_str(), MAT_C_DOUBLE, MAT_T_DOUBLE, 2, dimensions, const_cast<double*>(M.data()), 0),
          Mat_VarFree};
}

MatVariable text_variable(const std::string& name, const std::vector<std::string>& texts) {
  size_t dimensions[] = {texts.size(), 1};
  MatVariable cell(Mat_VarCreate(name.c_str(), MAT_C_CELL, MAT_T_CELL, 2, dimensions, nullptr, 0), Mat_VarFree);
  for (size_t i = 0; cell && i < texts.size(); ++i) {
    size_t length[] = {texts[i].empty() ? size_t{0} : size_t{1}, texts[i].size()};
    Mat_VarSetCell(cell.get(), static_cast<int>(i),
                   Mat_VarCreate(nullptr, MAT_C_CHAR, MAT_T_UTF8, 2, length, const_cast<char*>(texts[i].data()),
                                 0));  // now the cell's
  }
  return cell;
}

}  // namespace

// Written beside `path` and then given its name, as all files are.
void write_mat(const ArrayArchive& archive, const std::string& path) {
  const std::string part = path + ".part";
  bool good = true;
  {
    const File file(Mat_CreateVer(part.c_str(), "MATLAB 5.0 MAT-file, written by bricard", MAT_FT_MAT5), Mat_Close);
    good = file != nullptr;
    const auto write = [&](const MatVariable& variable) {
      good = good && variable && Mat_VarWrite(file.get(), variable.get(), MAT_COMPRESSION_NONE) == 0;
    };
    for (const auto& [name, matrix] : archive.matrices) write(matrix_variable(name, matrix));
    for (const auto& [name, texts] : archive.texts) write(text_variable(name, texts));
  }
  std::error_code error;
  if (good) std::filesystem::rename(part, path, error);
  if (good && !error) return;
  std::filesystem::remove(part, error);
  throw FileError(path + ": cannot be written");
}

}  // namespace bricard::io
