// SPDX-License-Identifier: Apache-2.0
#include "bricard/write/hdf5_file.h"

#include <algorithm>
#include <functional>
#include <numeric>

namespace bricard::io::hdf5 {
namespace {

constexpr hsize_t kChunkBytes = 1 << 20;
constexpr size_t kMemoryStep = 1 << 20;
// Of what a writer may just be writing. The library waits 2ⁿ ns after attempt n: 17 ms in all, while its usual 100 never
// end where the end of a file is cut off.
constexpr unsigned kReadAttempts = 24;

void check(herr_t result, const std::string& what) {
  if (result < 0) throw Error(what);
}

hsize_t product(const std::vector<hsize_t>& dimensions) {
  return std::accumulate(dimensions.begin(), dimensions.end(), hsize_t{1}, std::multiplies<>());
}

Handle make_properties(hid_t kind) { return {H5Pcreate(kind), H5Pclose, "property list"}; }

Handle make_text_type() {
  Handle type(H5Tcopy(H5T_C_S1), H5Tclose, "text type");
  check(H5Tset_size(type, H5T_VARIABLE), "text type");
  check(H5Tset_cset(type, H5T_CSET_UTF8), "text type");
  return type;
}

Handle make_scalar_space() { return {H5Screate(H5S_SCALAR), H5Sclose, "scalar space"}; }

/// Reads one text of variable length by `read(type, place)`.
template <class Read>
std::string take_text(const Handle& stored_type, const std::string& name, Read read) {
  if (H5Tis_variable_str(stored_type) <= 0) throw Error(name + " is not a text");
  char* text = nullptr;
  check(read(make_text_type(), &text), name + " cannot be read");
  const std::string copy = text ? text : "";
  H5free_memory(text);
  return copy;
}

}  // namespace

Handle::Handle(hid_t id, Close close, const std::string& what) : id_(id), close_(close) {
  if (id < 0) throw Error(what);
}

Silence::Silence() {
  H5Eget_auto2(H5E_DEFAULT, &print_, &data_);
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
}
Silence::~Silence() { H5Eset_auto2(H5E_DEFAULT, print_, data_); }

Handle make_memory_file() {
  const Handle access = make_properties(H5P_FILE_ACCESS);
  check(H5Pset_fapl_core(access, kMemoryStep, false), "memory file");
  const Handle creation = make_properties(H5P_FILE_CREATE);
  check(H5Pset_link_creation_order(creation, H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED), "memory file");
  // The library looks for a file of this name first and would open it for writing; none can have this one.
  return {H5Fcreate("/dev/null/memory", H5F_ACC_TRUNC, creation, access), H5Fclose, "memory file"};
}

std::string bytes_of(const Handle& memory_file) {
  check(H5Fflush(memory_file, H5F_SCOPE_GLOBAL), "out of memory");
  const ssize_t size = H5Fget_file_image(memory_file, nullptr, 0);
  if (size < 0) throw Error("out of memory");
  std::string bytes(static_cast<size_t>(size), '\0');
  if (H5Fget_file_image(memory_file, bytes.data(), bytes.size()) < 0) throw Error("out of memory");
  return bytes;
}

void leave_files_at_exit() { H5dont_atexit(); }

// Single writer, multiple readers: the library orders what it writes such that the file is whole at all times.
Handle make_disk_file(const std::string& path) {
  const Handle access = make_properties(H5P_FILE_ACCESS);
  check(H5Pset_libver_bounds(access, H5F_LIBVER_LATEST, H5F_LIBVER_LATEST), path);
  const Handle creation = make_properties(H5P_FILE_CREATE);
  check(H5Pset_link_creation_order(creation, H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED), path);
  return {H5Fcreate(path.c_str(), H5F_ACC_TRUNC, creation, access), H5Fclose, path};
}

void begin_rows(const Handle& disk_file) { check(H5Fstart_swmr_write(disk_file), "a file that others may read"); }

void flush(const Handle& file) { check(H5Fflush(file, H5F_SCOPE_LOCAL), "what was computed cannot be written"); }

Handle reopen_file(const std::string& path) {
  return {H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT), H5Fclose, path};
}

/// Also one whose writer was killed, or still writes.
Handle open_file(const std::string& path) {
  const hid_t closed = H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
  if (closed >= 0) return {closed, H5Fclose, path};
  const Handle access = make_properties(H5P_FILE_ACCESS);
  check(H5Pset_metadata_read_attempts(access, kReadAttempts), path);
  return {H5Fopen(path.c_str(), H5F_ACC_RDONLY | H5F_ACC_SWMR_READ, access), H5Fclose, "not an HDF5 file"};
}

Handle make_group(hid_t parent, const std::string& name) {
  const Handle creation = make_properties(H5P_GROUP_CREATE);
  check(H5Pset_link_creation_order(creation, H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED), name);
  return {H5Gcreate2(parent, name.c_str(), H5P_DEFAULT, creation, H5P_DEFAULT), H5Gclose, name};
}

Handle open_group(hid_t parent, const std::string& name) {
  return {H5Gopen2(parent, name.c_str(), H5P_DEFAULT), H5Gclose, "there is no group " + name};
}

std::vector<std::string> members(hid_t group) {
  std::vector<std::string> names;
  const auto add = [](hid_t, const char* name, const H5L_info_t*, void* list) -> herr_t {
    static_cast<std::vector<std::string>*>(list)->push_back(name);
    return 0;
  };
  for (const H5_index_t order : {H5_INDEX_CRT_ORDER, H5_INDEX_NAME}) {  // else by name
    names.clear();
    if (H5Literate(group, order, H5_ITER_INC, nullptr, add, &names) >= 0) return names;
  }
  throw Error("a group cannot be listed");
}

void write_attribute(hid_t object, const char* name, const std::string& text) {
  const Handle type = make_text_type(), space = make_scalar_space();
  const Handle attribute(H5Acreate2(object, name, type, space, H5P_DEFAULT, H5P_DEFAULT), H5Aclose, name);
  const char* start = text.c_str();
  check(H5Awrite(attribute, type, &start), name);
}

void replace_attribute(hid_t object, const char* name, const std::string& text) {
  check(H5Adelete(object, name), name);
  write_attribute(object, name, text);
}

std::string read_attribute(hid_t object, const char* name) {
  const Handle attribute(H5Aopen(object, name, H5P_DEFAULT), H5Aclose, std::string("there is no attribute ") + name);
  const Handle stored(H5Aget_type(attribute), H5Tclose, name);
  return take_text(stored, name, [&](hid_t type, void* text) { return H5Aread(attribute, type, text); });
}

std::string read_attribute_or(hid_t object, const char* name, const std::string& otherwise) {
  return H5Aexists(object, name) > 0 ? read_attribute(object, name) : otherwise;
}

void write_text(hid_t parent, const std::string& name, const std::string& text) {
  const Handle type = make_text_type(), space = make_scalar_space();
  const Handle dataset(H5Dcreate2(parent, name.c_str(), type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Dclose,
                       name);
  const char* start = text.c_str();
  check(H5Dwrite(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, &start), name);
}

std::string read_text(hid_t parent, const std::string& name) {
  const Handle dataset = open_dataset(parent, name);
  const Handle stored(H5Dget_type(dataset), H5Tclose, name);
  return take_text(stored, name,
                   [&](hid_t type, void* text) { return H5Dread(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, text); });
}

// Texts of equal length, filled up with zeros: one piece of memory, which other programs can read, too.
void write_texts(hid_t parent, const std::string& name, const std::vector<std::string>& texts) {
  size_t longest = 1;
  for (const std::string& text : texts) longest = std::max(longest, text.size());
  std::string all(longest * texts.size(), '\0');
  for (size_t i = 0; i < texts.size(); ++i) std::copy(texts[i].begin(), texts[i].end(), all.begin() + i * longest);
  const Handle type(H5Tcopy(H5T_C_S1), H5Tclose, name);
  check(H5Tset_size(type, longest), name);
  check(H5Tset_strpad(type, H5T_STR_NULLPAD), name);
  check(H5Tset_cset(type, H5T_CSET_UTF8), name);
  const hsize_t count = texts.size();
  const Handle space(H5Screate_simple(1, &count, nullptr), H5Sclose, name);
  const Handle creation = make_properties(H5P_DATASET_CREATE);
  check(H5Pset_obj_track_times(creation, false), name);
  const Handle dataset(H5Dcreate2(parent, name.c_str(), type, space, H5P_DEFAULT, creation, H5P_DEFAULT), H5Dclose,
                       name);
  if (count > 0) check(H5Dwrite(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, all.data()), name);
}

std::vector<std::string> read_texts(hid_t parent, const std::string& name) {
  const Handle dataset = open_dataset(parent, name);
  const Handle type(H5Dget_type(dataset), H5Tclose, name);
  const std::vector<hsize_t> size = dimensions(dataset);
  if (H5Tget_class(type) != H5T_STRING || H5Tis_variable_str(type) > 0 || size.size() != 1)
    throw Error(name + " is not a list of texts");
  const size_t longest = H5Tget_size(type);
  std::string all(longest * size[0], '\0');
  if (!all.empty()) check(H5Dread(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, all.data()), name);
  std::vector<std::string> texts;
  for (hsize_t i = 0; i < size[0]; ++i) {
    const std::string text = all.substr(i * longest, longest);
    texts.push_back(text.substr(0, text.find('\0')));
  }
  return texts;
}

namespace {

Handle write_values(hid_t parent, const std::string& name, const std::vector<hsize_t>& dimensions, hid_t stored,
                    hid_t given, const void* values) {
  const Handle creation = make_properties(H5P_DATASET_CREATE);
  check(H5Pset_obj_track_times(creation, false), name);  // the same run gives the same bytes
  const auto rank = static_cast<int>(dimensions.size());
  const Handle space(H5Screate_simple(rank, dimensions.data(), nullptr), H5Sclose, name);
  Handle dataset(H5Dcreate2(parent, name.c_str(), stored, space, H5P_DEFAULT, creation, H5P_DEFAULT), H5Dclose, name);
  if (product(dimensions) > 0) check(H5Dwrite(dataset, given, H5S_ALL, H5S_ALL, H5P_DEFAULT, values), name);
  return dataset;
}

}  // namespace

Handle write_array(hid_t parent, const std::string& name, const std::vector<hsize_t>& dimensions,
                   const double* values) {
  return write_values(parent, name, dimensions, H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, values);
}

Handle write_floats(hid_t parent, const std::string& name, const std::vector<hsize_t>& dimensions,
                    const float* values) {
  return write_values(parent, name, dimensions, H5T_IEEE_F32LE, H5T_NATIVE_FLOAT, values);
}

Handle write_integers(hid_t parent, const std::string& name, const std::vector<hsize_t>& dimensions,
                      const int* values) {
  return write_values(parent, name, dimensions, H5T_STD_I32LE, H5T_NATIVE_INT, values);
}

Handle make_rows(hid_t parent, const std::string& name, const std::vector<hsize_t>& row, size_t expected) {
  const auto rank = static_cast<int>(row.size()) + 1;
  std::vector<hsize_t> size{0}, most{H5S_UNLIMITED},
      chunk{std::clamp<hsize_t>(kChunkBytes / (product(row) * sizeof(double)), 1, expected)};
  for (std::vector<hsize_t>* list : {&size, &most, &chunk}) list->insert(list->end(), row.begin(), row.end());
  const Handle creation = make_properties(H5P_DATASET_CREATE);
  check(H5Pset_obj_track_times(creation, false), name);  // the same run gives the same bytes
  check(H5Pset_chunk(creation, rank, chunk.data()), name);
  const Handle space(H5Screate_simple(rank, size.data(), most.data()), H5Sclose, name);
  return {H5Dcreate2(parent, name.c_str(), H5T_IEEE_F64LE, space, H5P_DEFAULT, creation, H5P_DEFAULT), H5Dclose, name};
}

// Rows are stored in chunks, each with all of its bytes.
size_t growth(const Handle& dataset, size_t rows, size_t more) {
  std::vector<hsize_t> chunk = dimensions(dataset);
  const Handle creation(H5Dget_create_plist(dataset), H5Pclose, "chunks");
  if (H5Pget_chunk(creation, static_cast<int>(chunk.size()), chunk.data()) < 0) throw Error("chunks");
  const auto chunks = [&](size_t count) { return (count + chunk[0] - 1) / chunk[0]; };
  return (chunks(rows + more) - chunks(rows)) * product(chunk) * sizeof(double);
}

void add_rows(const Handle& dataset, size_t first, size_t count, const double* values) {
  const std::string what = "rows cannot be added";
  std::vector<hsize_t> size = dimensions(dataset), begin(size.size(), 0);
  size[0] = first + count;
  check(H5Dset_extent(dataset, size.data()), what);
  begin[0] = first;
  size[0] = count;
  const Handle place(H5Dget_space(dataset), H5Sclose, what);
  check(H5Sselect_hyperslab(place, H5S_SELECT_SET, begin.data(), nullptr, size.data(), nullptr), what);
  const Handle rows(H5Screate_simple(static_cast<int>(size.size()), size.data(), nullptr), H5Sclose, what);
  check(H5Dwrite(dataset, H5T_NATIVE_DOUBLE, rows, place, H5P_DEFAULT, values), what);
}

std::vector<hsize_t> dimensions(const Handle& dataset) {
  const std::string what = "an array cannot be read";
  const Handle space(H5Dget_space(dataset), H5Sclose, what);
  const int rank = H5Sget_simple_extent_ndims(space);
  if (rank < 0) throw Error(what);
  std::vector<hsize_t> size(static_cast<size_t>(rank));
  check(H5Sget_simple_extent_dims(space, size.data(), nullptr), what);
  return size;
}

Handle open_dataset(hid_t parent, const std::string& name) {
  return {H5Dopen2(parent, name.c_str(), H5P_DEFAULT), H5Dclose, "there is no dataset " + name};
}

Array read_array(const Handle& dataset) {
  const std::string what = "an array cannot be read";
  Array array{dimensions(dataset), {}};
  array.values.resize(product(array.dimensions));
  if (!array.values.empty())
    check(H5Dread(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, array.values.data()), what);
  return array;
}

}  // namespace bricard::io::hdf5
