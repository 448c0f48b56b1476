// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>
#include <array>
#include <cstring>
#include <map>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

// What a run carries from step to step, written to bytes and read back bit for bit. A class with such memory lists it once,
//     void archive(Archive& x) { x(a, h); }
// which writes or reads, as the archive does. Objects are read by one like those that wrote, made of the same model and settings.
namespace bricard {

/// Bytes that no archive of this shape has written.
struct ArchiveError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

class Archive {
 public:
  Archive() = default;                                                      ///< writes
  explicit Archive(std::string_view bytes) : reads_(true), rest_(bytes) {}  ///< reads

  bool reads() const { return reads_; }
  std::string take_bytes() { return std::move(bytes_); }
  /// After the last object has been read.
  void expect_end() const {
    if (!rest_.empty()) throw ArchiveError("has more in it than this program expects");
  }

  template <class... T>
  void operator()(T&... objects) {
    (item(objects), ...);
  }

  /// An object that is there or not; `make` makes it.
  template <class T, class Make>
  void maybe(std::unique_ptr<T>& object, const Make& make) {
    bool there = object != nullptr;
    item(there);
    if (reads_) object = there ? make() : nullptr;
    if (there) item(*object);
  }

 private:
  void raw(void* data, size_t size) {
    if (size == 0) return;
    if (!reads_) {
      bytes_.append(static_cast<const char*>(data), size);
      return;
    }
    if (size > rest_.size()) throw ArchiveError("has less in it than this program expects");
    std::memcpy(data, rest_.data(), size);
    rest_.remove_prefix(size);
  }

  /// How many elements follow, each of which takes a byte at least.
  size_t count(size_t n) {
    raw(&n, sizeof n);
    if (reads_ && n > rest_.size()) throw ArchiveError("has less in it than this program expects");
    return n;
  }

  template <class T>
  void item(T& x) {
    if constexpr (requires { x.archive(*this); }) {
      x.archive(*this);
    } else {
      static_assert(std::is_arithmetic_v<T> || std::is_enum_v<T>, "list its members in archive()");
      raw(&x, sizeof x);
    }
  }

  template <int rows>
  void item(Eigen::Matrix<double, rows, 1>& x) {
    const size_t n = count(static_cast<size_t>(x.size()));
    if (reads_) x.resize(static_cast<Eigen::Index>(n));
    raw(x.data(), n * sizeof(double));
  }

  void item(std::string& x) {
    const size_t n = count(x.size());
    if (reads_) x.resize(n);
    raw(x.data(), n);
  }

  template <class T>
  void item(std::vector<T>& x) {
    const size_t n = count(x.size());
    if (reads_) x.resize(n);
    for (T& element : x) item(element);
  }

  template <class T, size_t n>
  void item(std::array<T, n>& x) {
    for (T& element : x) item(element);
  }

  template <class A, class B>
  void item(std::pair<A, B>& x) {
    item(x.first);
    item(x.second);
  }

  template <class Key, class Value>
  void item(std::map<Key, Value>& x) {
    std::vector<std::pair<Key, Value>> entries(x.begin(), x.end());
    item(entries);
    if (reads_) x = {entries.begin(), entries.end()};
  }

  bool reads_ = false;
  std::string bytes_;
  std::string_view rest_;
};

}  // namespace bricard
