// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <random>

#include "bricard/flex/rods.h"
#include "bricard/read/part_reader.h"
#include "bricard/write/checksum.h"
#include "bricard/write/files.h"
#include "bricard/write/hdf5_file.h"
#include "bricard/write/part_writer.h"

// Files of reduced parts: what is written is read, and what is damaged is not.
namespace bricard::io {
namespace part_files_test {

namespace fs = std::filesystem;

ReducedPart some_part() {
  Rod rod;
  rod.name = "arm", rod.source = "a rod, ½ m";
  rod.corners = {{0, 0, 0}, {0.3, 0.4, 0}};
  rod.section = {1e6, 3e5, 3e5, 10, 20, 30, 2, Vector3d(3e-4, 1e-4, 2e-4).asDiagonal(), {}};
  rod.elements = 3;
  InterfaceNodes start{"start", {0}}, tip{"tip/é", {3}};
  tip.position = {0.3, 0.4, 0};
  tip.axes = exp_rotation({0.1, 0.2, 0.3}).toRotationMatrix();
  Reduction wanted;
  wanted.modes = 3, wanted.stiffening = true;
  ReducedPart part = reduce(rod_structure(rod), {start, tip}, wanted);
  part.interfaces[0].shortening = {};
  part.damping = 0.001 * part.stiffness;
  part.surface.triangles = {{0, 1, 2}, {2, 1, 3}};
  part.surface.stresses = Eigen::MatrixXf::Random(6 * part.surface.points.cols(), part.shapes());
  return part;
}

class PartFiles : public ::testing::Test {
 protected:
  PartFiles() {
    std::string name = (fs::temp_directory_path() / "bricard-part-XXXXXX").string();
    folder_ = mkdtemp(name.data());
  }
  ~PartFiles() override { fs::remove_all(folder_); }
  std::string path() const { return (folder_ / "arm.flex.h5").string(); }
  std::string reading() const {
    try {
      read_part(path());
    } catch (const FileError& error) {
      return error.what();
    }
    return "";
  }
  std::string reading(const std::string& bytes) const {
    std::ofstream(path(), std::ios::binary) << bytes;
    return reading();
  }
  /// Another file with the attributes of one, and its checksum.
  std::string with_attributes(const std::vector<std::pair<const char*, std::string>>& attributes) const {
    const auto file = hdf5::make_memory_file();
    for (const auto& [name, text] : attributes) hdf5::write_attribute(file, name, text);
    const std::string bytes = hdf5::bytes_of(file);
    return bytes + checksum_line(bytes);
  }
  fs::path folder_;
};

TEST_F(PartFiles, AreReadAsTheyWereWritten) {
  const ReducedPart part = some_part();
  write_part(part, path());
  const ReducedPart back = read_part(path());
  EXPECT_EQ(back.name, part.name);
  EXPECT_EQ(back.source, part.source);
  EXPECT_EQ(back.frequencies, part.frequencies);
  EXPECT_EQ(back.stiffness, part.stiffness);
  EXPECT_EQ(back.damping, part.damping);
  EXPECT_EQ(back.inertia.mass, part.inertia.mass);
  EXPECT_EQ(back.inertia.first, part.inertia.first);
  EXPECT_EQ(back.inertia.second, part.inertia.second);
  EXPECT_EQ(back.inertia.shapes, part.inertia.shapes);
  EXPECT_EQ(back.inertia.points_shapes, part.inertia.points_shapes);
  EXPECT_EQ(back.inertia.shapes_shapes, part.inertia.shapes_shapes);
  ASSERT_TRUE(back.stiffening);
  EXPECT_EQ(back.stiffening->X, part.stiffening->X);
  EXPECT_EQ(back.stiffening->Y, part.stiffening->Y);
  ASSERT_EQ(back.interfaces.size(), 2u);
  for (size_t i = 0; i < 2; ++i) {
    EXPECT_EQ(back.interfaces[i].name, part.interfaces[i].name);
    EXPECT_EQ(back.interfaces[i].position, part.interfaces[i].position);
    EXPECT_EQ(back.interfaces[i].axes, part.interfaces[i].axes);
    EXPECT_EQ(back.interfaces[i].translation, part.interfaces[i].translation);
    EXPECT_EQ(back.interfaces[i].rotation, part.interfaces[i].rotation);
    EXPECT_EQ(back.interfaces[i].shortening, part.interfaces[i].shortening);
  }
  EXPECT_EQ(back.surface.points, part.surface.points);
  EXPECT_EQ(back.surface.triangles, part.surface.triangles);
  EXPECT_EQ(back.surface.lines, part.surface.lines);
  EXPECT_EQ(back.surface.shapes, part.surface.shapes);
  EXPECT_EQ(back.surface.stresses, part.surface.stresses);
}

TEST_F(PartFiles, MayHaveNoShapes) {
  ReducedPart stone;
  stone.name = "stone";
  stone.inertia.mass = 2;
  stone.inertia.shapes.resize(3, 0), stone.inertia.points_shapes.resize(9, 0);
  write_part(stone, path());
  const ReducedPart back = read_part(path());
  EXPECT_EQ(back.shapes(), 0);
  EXPECT_EQ(back.inertia.mass, 2);
  EXPECT_FALSE(back.stiffening);
  EXPECT_EQ(back.damping.size(), 0);
}

TEST_F(PartFiles, ThatAreDamagedAreRefused) {
  write_part(some_part(), path());
  const std::string whole = read_file(path());
  std::mt19937 random(1);
  for (int i = 0; i < 100; ++i) {
    std::string bytes = whole;
    const size_t at = i % 2 ? random() % bytes.size() : bytes.size() - 1 - random() % 60;
    bytes[at] = static_cast<char>(bytes[at] ^ (1 << random() % 8));
    EXPECT_NE(reading(bytes), "") << at;
    EXPECT_NE(reading(whole.substr(0, random() % whole.size())), "");
  }
  EXPECT_NE(reading(whole.substr(0, whole.size() - 3)).find("damaged"), std::string::npos);
  EXPECT_EQ(reading(whole), "");
}

TEST_F(PartFiles, OfOthersAreRefusedInClearWords) {
  EXPECT_NE(reading().find("No such file"), std::string::npos);
  EXPECT_NE(reading("solid cube\n").find("is not a flexible part of Bricard"), std::string::npos);
  EXPECT_NE(reading(with_attributes({})).find("is not a flexible part of Bricard"), std::string::npos);
  EXPECT_NE(reading(with_attributes({{"bricard_version", "0.1.0"}})).find("results of a run"), std::string::npos);
  EXPECT_NE(reading(with_attributes({{"bricard_version", "7.0"}, {"part_layout", "99"}})).find("newer version 7.0"),
            std::string::npos);
  EXPECT_NE(reading(with_attributes({{"bricard_version", "0.1.0"}, {"part_layout", "1"}})).find("damaged"),
            std::string::npos);
}

TEST_F(PartFiles, ThatCannotBeWrittenLeaveWhatWasThere) {
  write_part(some_part(), path());
  const std::string before = read_file(path());
  EXPECT_THROW(write_part(some_part(), (folder_ / "nowhere" / "arm.flex.h5").string()), FileError);
  EXPECT_EQ(read_file(path()), before);
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_), fs::directory_iterator()), 1);
}

}  // namespace part_files_test
}  // namespace bricard::io
