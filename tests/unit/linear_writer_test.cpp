// SPDX-License-Identifier: Apache-2.0
#include "bricard/write/linear_writer.h"

#include <gtest/gtest.h>
#include <matio.h>
#include <unistd.h>

#include <cstring>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <sstream>

#include "bricard/write/files.h"
#include "bricard/write/npz_writer.h"

// What other programs find in the files; archives are taken apart by their published layouts.
namespace bricard {
namespace linear_writer_test {

namespace fs = std::filesystem;

Linearization example() {
  Linearization lin;
  lin.positions = {{"angle, of the arm", "rad", 0, -1, false}};
  lin.velocities = {{"angle, of the arm", "rad", 0, -1, false}, {"x", "V", -1, 6, true}};
  lin.inputs = {{"u", "N"}};
  lin.outputs = {{"y", "m"}, {"ψ", ""}};
  lin.A = MatrixXd(3, 3);
  lin.A << 0, 1, 0, -2.5, -0.1, 3, 0, 1.0 / 3, -4;
  lin.B = Eigen::Vector3d(0, 7, 1e-300);
  lin.C = MatrixXd::Ones(2, 3);
  lin.D = MatrixXd::Zero(2, 1);
  lin.mass = lin.damping = MatrixXd::Constant(1, 1, 2);
  lin.stiffness = MatrixXd::Constant(1, 1, 5);
  return lin;
}

class LinearFiles : public ::testing::Test {
 protected:
  LinearFiles() {
    std::string name = (fs::temp_directory_path() / "bricard-XXXXXX").string();
    folder_ = mkdtemp(name.data());
  }
  ~LinearFiles() override { fs::remove_all(folder_); }
  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  fs::path folder_;
};

TEST_F(LinearFiles, MatlabFindsMatricesAndNames) {
  const Linearization lin = example();
  io::write_linearization(lin, "start", path("m.mat"));
  mat_t* file = Mat_Open(path("m.mat").c_str(), MAT_ACC_RDONLY);
  ASSERT_TRUE(file);
  EXPECT_EQ(Mat_GetVersion(file), MAT_FT_MAT5);
  matvar_t* A = Mat_VarRead(file, "A");
  ASSERT_TRUE(A);
  ASSERT_EQ(A->dims[0], 3u);
  ASSERT_EQ(A->dims[1], 3u);
  EXPECT_EQ(Eigen::Map<const MatrixXd>(static_cast<const double*>(A->data), 3, 3), lin.A);
  Mat_VarFree(A);
  matvar_t* states = Mat_VarRead(file, "states");
  ASSERT_TRUE(states);
  ASSERT_EQ(states->class_type, MAT_C_CELL);
  ASSERT_EQ(states->dims[0], 3u);
  const matvar_t* second = Mat_VarGetCell(states, 1);
  EXPECT_EQ(std::string(static_cast<const char*>(second->data), second->nbytes), "angle, of the arm'");
  Mat_VarFree(states);
  Mat_Close(file);
}

/// One member of a zip archive without compression, found by the central directory.
std::string member(const std::string& zip, const std::string& name) {
  const auto number = [&](size_t at, int bytes) {
    size_t value = 0;
    for (int i = bytes; i-- > 0;) value = (value << 8) | static_cast<unsigned char>(zip[at + static_cast<size_t>(i)]);
    return value;
  };
  const size_t end = zip.rfind("PK\x05\x06");
  size_t at = number(end + 16, 4);
  for (size_t i = 0; i < number(end + 10, 2); ++i) {
    const size_t length = number(at + 28, 2);
    if (zip.substr(at + 46, length) == name) {
      const size_t local = number(at + 42, 4), size = number(at + 24, 4);
      return zip.substr(local + 30 + number(local + 26, 2) + number(local + 28, 2), size);
    }
    at += 46 + length + number(at + 30, 2) + number(at + 32, 2);
  }
  return "";
}

TEST_F(LinearFiles, NumpyFindsMatricesAndNames) {
  const Linearization lin = example();
  io::write_linearization(lin, "start", path("m.npz"));
  const std::string zip = io::read_file(path("m.npz"));
  const std::string A = member(zip, "A.npy");
  ASSERT_EQ(A.substr(0, 8), std::string("\x93NUMPY\x01\x00", 8));
  const size_t header = 10 + static_cast<unsigned char>(A[8]) + 256u * static_cast<unsigned char>(A[9]);
  EXPECT_EQ(header % 64, 0u);
  EXPECT_NE(A.find("'descr': '<f8', 'fortran_order': True, 'shape': (3, 3)"), std::string::npos);
  MatrixXd read(3, 3);
  ASSERT_EQ(A.size(), header + sizeof(double) * 9);
  std::memcpy(read.data(), A.data() + header, sizeof(double) * 9);
  EXPECT_EQ(read, lin.A);
  const std::string outputs = member(zip, "outputs.npy");
  EXPECT_NE(outputs.find("'<U1'"), std::string::npos);
  uint32_t psi = 0;
  std::memcpy(&psi, outputs.data() + outputs.size() - 4, 4);
  EXPECT_EQ(psi, 0x3C8u);
}

TEST_F(LinearFiles, MatrixMarketAndCsvHaveAFilePerMatrix) {
  const Linearization lin = example();
  const auto files = io::write_linearization(lin, "start", path("m.mtx"));
  EXPECT_EQ(files.size(), 7u);
  std::istringstream market(io::read_file(path("m_A.mtx")));
  std::string banner;
  std::getline(market, banner);
  EXPECT_EQ(banner, "%%MatrixMarket matrix coordinate real general");
  int rows = 0, columns = 0, entries = 0, i = 0, j = 0;
  market >> rows >> columns >> entries;
  MatrixXd A = MatrixXd::Zero(rows, columns);
  for (double value; market >> i >> j >> value; --entries) A(i - 1, j - 1) = value;
  EXPECT_EQ(entries, 0);
  EXPECT_EQ(A, lin.A);
  io::write_linearization(lin, "start", path("m.csv"));
  const std::string csv = io::read_file(path("m_B.csv"));
  EXPECT_EQ(csv, ",u\n\"angle, of the arm\",0\n\"angle, of the arm'\",7\nx,1e-300\n");
}

TEST_F(LinearFiles, JsonHasUnits) {
  const auto json = nlohmann::json::parse(io::linearization_json(example(), "start"));
  EXPECT_EQ(json["states"][1]["unit"], "rad/s");
  EXPECT_EQ(json["states"][2]["name"], "x");
  EXPECT_EQ(json["states"][2]["unit"], "V");
  EXPECT_EQ(json["A"][1][0], -2.5);
  EXPECT_EQ(json["report"]["operating_point"], "start");
}

}  // namespace linear_writer_test
}  // namespace bricard
