// SPDX-License-Identifier: Apache-2.0
#include "bricard/read/part_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "bricard/write/checksum.h"
#include "bricard/write/files.h"
#include "bricard/write/hdf5_file.h"
#include "bricard/write/part_writer.h"

namespace bricard::io {
namespace {

using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using Sizes = std::vector<hsize_t>;

/// An array that has the size it must have, and numbers only.
std::vector<double> values_of(hid_t group, const char* name, const Sizes& wanted) {
  hdf5::Array array = hdf5::read_array(hdf5::open_dataset(group, name));
  if (array.dimensions != wanted)
    throw hdf5::Error(fmt::format("{} is an array of {}, not of {}", name, fmt::join(array.dimensions, " x "),
                                  fmt::join(wanted, " x ")));
  for (const double x : array.values)
    if (!std::isfinite(x)) throw hdf5::Error(fmt::format("{} has a value that is no number", name));
  return std::move(array.values);
}

/// An array whose first dimension is what it is.
std::vector<double> rows_of(hid_t group, const char* name, hsize_t width) {
  const Sizes size = hdf5::dimensions(hdf5::open_dataset(group, name));
  return values_of(group, name, {size.empty() ? 0 : size[0], width});
}

Eigen::MatrixXd matrix_of(hid_t group, const char* name, hsize_t rows, hsize_t columns) {
  const std::vector<double> values = values_of(group, name, {rows, columns});
  return Eigen::Map<const RowMajor>(values.data(), static_cast<int>(rows), static_cast<int>(columns));
}

std::vector<Eigen::MatrixXd> matrices_of(hid_t group, const char* name, hsize_t count, hsize_t rows, hsize_t columns) {
  const std::vector<double> values = values_of(group, name, {count, rows, columns});
  std::vector<Eigen::MatrixXd> list;
  for (hsize_t i = 0; i < count; ++i)
    list.push_back(Eigen::Map<const RowMajor>(values.data() + i * rows * columns, static_cast<int>(rows),
                                              static_cast<int>(columns)));
  return list;
}

bool has(hid_t group, const char* name) {
  const auto names = hdf5::members(group);
  return std::find(names.begin(), names.end(), name) != names.end();
}

void expect_symmetric(const Eigen::MatrixXd& A, const char* name) {
  if (A.size() > 0 && (A - A.transpose()).cwiseAbs().maxCoeff() > 1e-9 * A.cwiseAbs().maxCoeff())
    throw hdf5::Error(fmt::format("{} is not symmetric", name));
}

PartInertia inertia_of(hid_t file, hsize_t r) {
  const auto group = hdf5::open_group(file, "inertia");
  PartInertia inertia;
  inertia.mass = values_of(group, "mass", {1})[0];
  if (!(inertia.mass > 0)) throw hdf5::Error("mass is not above zero");
  inertia.first = Eigen::Map<const Vector3d>(values_of(group, "first", {3}).data());
  inertia.second = matrix_of(group, "second", 3, 3);
  inertia.shapes = matrix_of(group, "shapes", 3, r);
  inertia.points_shapes = matrix_of(group, "points_shapes", 9, r);
  const auto products = matrices_of(group, "shapes_shapes", 6, r, r);
  std::copy(products.begin(), products.end(), inertia.shapes_shapes.begin());
  return inertia;
}

std::vector<PartInterface> interfaces_of(hid_t file, hsize_t r) {
  const auto group = hdf5::open_group(file, "interfaces");
  const std::vector<std::string> names = hdf5::read_texts(group, "names");
  const hsize_t n = names.size();
  const auto positions = matrices_of(group, "position", n, 1, 3), axes = matrices_of(group, "axes", n, 3, 3);
  const auto translations = matrices_of(group, "translation", n, 3, r),
             rotations = matrices_of(group, "rotation", n, 3, r);
  std::vector<PartInterface> interfaces;
  for (hsize_t i = 0; i < n; ++i)
    interfaces.push_back({names[i], positions[i].transpose(), axes[i], translations[i], rotations[i], {}});
  const auto shortening = hdf5::open_group(group, "shortening");
  for (hsize_t i = 0; i < n; ++i)
    if (const std::string number = std::to_string(i); has(shortening, number.c_str())) {
      const auto chi = matrices_of(shortening, number.c_str(), 3, r, r);
      std::copy(chi.begin(), chi.end(), interfaces[i].shortening.begin());
    }
  return interfaces;
}

template <size_t N>
std::vector<std::array<int, N>> index_rows_of(hid_t group, const char* name, hsize_t points) {
  const std::vector<double> values = rows_of(group, name, N);
  std::vector<std::array<int, N>> list(values.size() / N);
  for (size_t i = 0; i < values.size(); ++i) {
    if (values[i] < 0 || values[i] >= static_cast<double>(points))
      throw hdf5::Error(fmt::format("{} name points that are not there", name));
    list[i / N][i % N] = static_cast<int>(values[i]);
  }
  return list;
}

PartSurface surface_of(hid_t file, hsize_t r) {
  const auto group = hdf5::open_group(file, "surface");
  PartSurface surface;
  const std::vector<double> points = rows_of(group, "points", 3);
  const hsize_t n = points.size() / 3;
  surface.points = Eigen::Map<const Eigen::Matrix3Xd>(points.data(), 3, static_cast<int>(n));
  surface.triangles = index_rows_of<3>(group, "triangles", n);
  surface.lines = index_rows_of<2>(group, "lines", n);
  surface.shapes = matrix_of(group, "shapes", 3 * n, r).cast<float>();
  if (has(group, "stresses")) surface.stresses = matrix_of(group, "stresses", 6 * n, r).cast<float>();
  return surface;
}

ReducedPart part_of(hid_t file) {
  ReducedPart part;
  part.name = hdf5::read_attribute(file, "name");
  part.source = hdf5::read_attribute(file, "source");
  const Sizes count = hdf5::dimensions(hdf5::open_dataset(file, "frequencies"));
  const hsize_t r = count.empty() ? 0 : count[0];
  part.frequencies = values_of(file, "frequencies", {r});
  part.stiffness = matrix_of(file, "stiffness", r, r);
  expect_symmetric(part.stiffness, "stiffness");
  if (has(file, "damping")) part.damping = matrix_of(file, "damping", r, r);
  part.inertia = inertia_of(file, r);
  if (has(file, "stiffening")) {
    const auto group = hdf5::open_group(file, "stiffening");
    PartStiffening& stiffening = part.stiffening.emplace();
    const auto X = matrices_of(group, "X", 9, r, r), Y = matrices_of(group, "Y", 3, r, r);
    std::copy(X.begin(), X.end(), stiffening.X.begin());
    std::copy(Y.begin(), Y.end(), stiffening.Y.begin());
  }
  part.interfaces = interfaces_of(file, r);
  part.surface = surface_of(file, r);
  return part;
}

/// What is wrong with the file as a whole; "" if it is a part that this program knows.
std::string fault_of_head(hid_t file) {
  const std::string layout = hdf5::read_attribute_or(file, "part_layout", "");
  const std::string version = hdf5::read_attribute_or(file, "bricard_version", "");
  if (layout.empty() && !version.empty())
    return "holds results of a run, not a flexible part; parts are written by bricard flex reduce";
  if (layout.empty()) return "is not a flexible part of Bricard; parts are written by bricard flex reduce";
  if (std::atoi(layout.c_str()) > kPartLayout)
    return fmt::format("was written by the newer version {} of Bricard, whose parts this version {} cannot read",
                       version, BRICARD_VERSION);
  return "";
}

}  // namespace

ReducedPart read_part(const std::string& path) {
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored)) throw FileError(path + ": cannot be read: it is a folder");
  const std::string bytes = read_file(path);
  const hdf5::Silence silence;
  constexpr const char* kForeign = "is not a flexible part of Bricard; parts are written by bricard flex reduce";
  if (bytes.compare(0, 8, "\x89HDF\r\n\x1a\n", 8) != 0) throw FileError(fmt::format("{}: {}", path, kForeign));
  if (const std::string fault = fault_of_checksum(path); !fault.empty()) throw FileError(path + ": " + fault);
  try {
    const auto file = hdf5::open_file(path);
    if (const std::string fault = fault_of_head(file); !fault.empty()) throw FileError(path + ": " + fault);
    const size_t end = bytes.size() - std::min(bytes.size(), checksum_line("").size());
    if (bytes.substr(end) != checksum_line(std::string_view(bytes).substr(0, end)))
      throw FileError(path + ": is damaged: its end is missing");
    return part_of(file);
  } catch (const hdf5::Error& error) {
    throw FileError(fmt::format("{}: is damaged, or is not a flexible part of Bricard: {}", path, error.what()));
  }
}

}  // namespace bricard::io
