// SPDX-License-Identifier: Apache-2.0
#include "bricard/write/part_writer.h"

#include "bricard/write/checksum.h"
#include "bricard/write/files.h"
#include "bricard/write/hdf5_file.h"

namespace bricard::io {
namespace {

using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using RowMajorFloats = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

void write_matrix(hid_t group, const char* name, const Eigen::MatrixXd& A) {
  const RowMajor rows = A;
  hdf5::write_array(group, name, {static_cast<hsize_t>(A.rows()), static_cast<hsize_t>(A.cols())}, rows.data());
}

/// Matrices of the same size, one after the other.
template <class Matrices, class Take>
void write_matrices(hid_t group, const char* name, const Matrices& list, hsize_t rows, hsize_t columns,
                    const Take& take) {
  std::vector<double> values;
  for (const auto& entry : list) {
    const RowMajor A = take(entry);
    values.insert(values.end(), A.data(), A.data() + A.size());
  }
  hdf5::write_array(group, name, {static_cast<hsize_t>(list.size()), rows, columns}, values.data());
}

constexpr auto as_it_is = [](const Eigen::MatrixXd& A) -> const Eigen::MatrixXd& { return A; };

void write_inertia(const PartInertia& inertia, hsize_t r, hid_t file) {
  const auto group = hdf5::make_group(file, "inertia");
  hdf5::write_array(group, "mass", {1}, &inertia.mass);
  hdf5::write_array(group, "first", {3}, inertia.first.data());
  write_matrix(group, "second", inertia.second);
  write_matrix(group, "shapes", inertia.shapes);
  write_matrix(group, "points_shapes", inertia.points_shapes);
  write_matrices(group, "shapes_shapes", inertia.shapes_shapes, r, r, as_it_is);
}

void write_interfaces(const std::vector<PartInterface>& interfaces, hsize_t r, hid_t file) {
  const auto group = hdf5::make_group(file, "interfaces");
  std::vector<std::string> names;
  for (const PartInterface& interface : interfaces) names.push_back(interface.name);
  hdf5::write_texts(group, "names", names);
  write_matrices(group, "position", interfaces, 1, 3, [](const PartInterface& i) { return i.position.transpose(); });
  write_matrices(group, "axes", interfaces, 3, 3, [](const PartInterface& i) { return i.axes; });
  write_matrices(group, "translation", interfaces, 3, r, [](const PartInterface& i) { return i.translation; });
  write_matrices(group, "rotation", interfaces, 3, r, [](const PartInterface& i) { return i.rotation; });
  const auto shortening = hdf5::make_group(group, "shortening");  // of those that have some, by their numbers
  for (size_t i = 0; i < interfaces.size(); ++i)
    if (interfaces[i].shortening[0].size() > 0)
      write_matrices(shortening, std::to_string(i).c_str(), interfaces[i].shortening, r, r, as_it_is);
}

template <size_t N>
void write_index_rows(hid_t group, const char* name, const std::vector<std::array<int, N>>& list) {
  hdf5::write_integers(group, name, {static_cast<hsize_t>(list.size()), N},
                       list.empty() ? nullptr : list.front().data());
}

void write_shape_rows(hid_t group, const char* name, const Eigen::MatrixXf& A) {
  const RowMajorFloats rows = A;
  hdf5::write_floats(group, name, {static_cast<hsize_t>(A.rows()), static_cast<hsize_t>(A.cols())}, rows.data());
}

void write_surface(const PartSurface& surface, hid_t file) {
  const auto group = hdf5::make_group(file, "surface");
  write_matrix(group, "points", surface.points.transpose());
  write_index_rows(group, "triangles", surface.triangles);
  write_index_rows(group, "lines", surface.lines);
  write_shape_rows(group, "shapes", surface.shapes);
  if (surface.stresses.size() > 0) write_shape_rows(group, "stresses", surface.stresses);
}

std::string bytes_of_part(const ReducedPart& part) {
  const hdf5::Silence silence;
  const auto file = hdf5::make_memory_file();
  const auto r = static_cast<hsize_t>(part.shapes());
  hdf5::write_attribute(file, "part_layout", std::to_string(kPartLayout));
  hdf5::write_attribute(file, "bricard_version", BRICARD_VERSION);
  hdf5::write_attribute(file, "name", part.name);
  hdf5::write_attribute(file, "source", part.source);
  hdf5::write_attribute(hdf5::write_array(file, "frequencies", {part.frequencies.size()}, part.frequencies.data()),
                        "units", "rad/s");
  write_matrix(file, "stiffness", part.stiffness);
  if (part.damping.size() > 0) write_matrix(file, "damping", part.damping);
  write_inertia(part.inertia, r, file);
  if (part.stiffening) {
    const auto group = hdf5::make_group(file, "stiffening");
    write_matrices(group, "X", part.stiffening->X, r, r, as_it_is);
    write_matrices(group, "Y", part.stiffening->Y, r, r, as_it_is);
  }
  write_interfaces(part.interfaces, r, file);
  write_surface(part.surface, file);
  return hdf5::bytes_of(file);
}

}  // namespace

void write_part(const ReducedPart& part, const std::string& path) {
  std::string bytes;
  try {
    bytes = bytes_of_part(part);
  } catch (const hdf5::Error& error) {
    throw FileError(path + ": cannot be made: " + error.what());
  }
  write_file(path, bytes += checksum_line(bytes));
}

}  // namespace bricard::io
