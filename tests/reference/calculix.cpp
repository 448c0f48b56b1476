// SPDX-License-Identifier: Apache-2.0
#include "reference/calculix.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <sstream>

#include "bricard/write/files.h"

namespace bricard {

bool mesh_with_gmsh(const io::TemporaryFolder& folder, const std::string& geometry, const std::string& name) {
  io::write_file(folder.file(name + ".geo"), geometry);
  const io::ProgramOutcome outcome =
      io::run_program({"gmsh", "-3", "-format", "inp", "-o", name + ".inp", name + ".geo"}, folder, {}, "gmsh");
  EXPECT_EQ(outcome.code, 0) << outcome.output;
  return outcome.code == 0;
}

std::string box(const BoxMesh& mesh) {
  return fmt::format(
      "SetFactory(\"OpenCASCADE\");\n"
      "Box(1) = {{0, 0, 0, {}}};\n"
      "Mesh.MeshSizeMax = {};\nMesh.ElementOrder = {};\nMesh.SecondOrderIncomplete = 1;\nMesh.SaveGroupsOfNodes = 1;\n"
      "Physical Volume(\"solid\") = {{1}};\nPhysical Surface(\"left\") = {{1}};\nPhysical Surface(\"right\") = "
      "{{2}};\n{}",
      mesh.size, mesh.step, mesh.order, mesh.more);
}

std::string steel_deck(const std::string& mesh) {
  std::istringstream lines(mesh);
  std::string deck;
  bool keep = false;
  for (std::string line; std::getline(lines, line);) {
    if (!line.empty() && line.front() == '*') {
      const std::size_t type = line.find("type=C3D");
      keep = line.rfind("*NODE", 0) == 0 || line.rfind("*NSET", 0) == 0 || type != std::string::npos;
      if (type != std::string::npos) line = line.substr(0, line.find(',', type)) + ", ELSET=ALL";
    }
    if (keep) deck += line + "\n";
  }
  return deck + kSteel;
}

std::string run_calculix(const io::TemporaryFolder& folder, const std::string& deck, const std::string& name) {
  io::write_file(folder.file(name + ".inp"), deck);
  const io::ProgramOutcome outcome = io::run_program({"ccx", "-i", name}, folder, {}, "ccx");
  EXPECT_EQ(outcome.code, 0) << outcome.output;
  EXPECT_EQ(outcome.output.find("*ERROR"), std::string::npos) << outcome.output;
  return io::read_file(folder.file(name + ".dat"));
}

std::vector<double> calculix_eigenvalues(const std::string& dat) {
  std::istringstream lines(dat);
  std::vector<double> values;
  bool table = false;
  for (std::string line; std::getline(lines, line);) {
    if (line.find("E I G E N V A L U E   O U T P U T") != std::string::npos ||
        line.find("B U C K L I N G") != std::string::npos)
      table = true;
    else if (line.find("P A R T I C I P A T I O N") != std::string::npos) break;
    std::istringstream words(line);
    int mode = 0;
    double value = 0;
    if (table && words >> mode >> value) values.push_back(value);
  }
  return values;
}

std::vector<std::vector<double>> calculix_results(const io::TemporaryFolder& folder, const std::string& block,
                                                  int values, const std::string& name) {
  std::istringstream lines(io::read_file(folder.file(name + ".frd")));
  std::vector<std::vector<double>> rows;
  bool inside = false;
  for (std::string line; std::getline(lines, line);) {
    if (line.rfind(" -4", 0) == 0) inside = line.find(block) != std::string::npos;
    if (!inside || line.rfind(" -1", 0) != 0) continue;
    std::vector<double> row{std::stod(line.substr(3, 10))};  // columns have fixed widths
    for (int i = 0; i < values; ++i) row.push_back(std::stod(line.substr(13 + 12 * i, 12)));
    rows.push_back(row);
  }
  return rows;
}

}  // namespace bricard
