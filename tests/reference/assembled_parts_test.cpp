// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <sstream>

#include "bricard/analysis/eigenmodes.h"
#include "bricard/analysis/operating_point.h"
#include "bricard/assemble/assemble.h"
#include "bricard/flex/interfaces.h"
#include "bricard/read/finite_elements.h"
#include "bricard/read/model_reader.h"
#include "bricard/write/files.h"
#include "bricard/write/part_writer.h"
#include "reference/calculix.h"

// A mechanism of two parts of finite elements, its hinge locked, against one mesh of both by CalculiX.
namespace bricard {
namespace assembled_parts_test {

/// An arm along x, and a second one that stands on its end.
constexpr const char* kTwoArms = R"(SetFactory("OpenCASCADE");
Box(1) = {0, 0, 0, 0.3, 0.03, 0.02};
Box(2) = {0.3, 0, 0, 0.025, 0.03, 0.25};
BooleanFragments{ Volume{1}; Delete; }{ Volume{2}; Delete; }
Mesh.MeshSizeMax = 0.014; Mesh.ElementOrder = 2; Mesh.SecondOrderIncomplete = 1; Mesh.SaveGroupsOfNodes = 1;
Physical Volume("arms") = {1, 2};
Physical Surface("base") = Surface In BoundingBox{-1e-3, -1, -1, 1e-3, 1, 1};
Physical Surface("elbow") = Surface In BoundingBox{0.299, -1, -1, 0.301, 1, 0.021};
)";

const Vector3d kBase(0, 0.015, 0.01), kElbow(0.3, 0.015, 0.01);

/// The second arm has axes of its own: x = p + R x'.
Matrix3d turn() { return Quaterniond(Eigen::AngleAxisd(0.7, Vector3d(1, -2, 0.5).normalized())).toRotationMatrix(); }
const Vector3d kPlace(0.2, -0.1, 0.3);

/// Nodes, node sets, and the elements of one volume, or of all; nodes in other axes for the second.
std::string arm_deck(const std::string& mesh, const std::string& volume) {
  std::istringstream lines(mesh);
  std::string deck;
  bool keep = false, nodes = false;
  for (std::string line; std::getline(lines, line);) {
    if (line.front() == '*') {
      nodes = line.rfind("*NODE", 0) == 0;
      const bool solid = line.find("C3D10") != std::string::npos && line.find(volume) != std::string::npos;
      keep = nodes || solid || line.rfind("*NSET", 0) == 0;
      if (solid) line = "*ELEMENT, TYPE=C3D10, ELSET=ALL";
    } else if (nodes && volume == "Volume2") {
      int number = 0;
      Vector3d x;
      EXPECT_EQ(std::sscanf(line.c_str(), "%d, %lf, %lf, %lf", &number, &x[0], &x[1], &x[2]), 4);
      x = turn().transpose() * (x - kPlace);
      line = fmt::format("{}, {:.15g}, {:.15g}, {:.15g}", number, x[0], x[1], x[2]);
    }
    if (keep) deck += line + "\n";
  }
  return deck + kSteel;
}

/// Writes a part with interfaces at known places, whose axes are those of ground in the mechanism.
void write_arm(const io::TemporaryFolder& folder, const std::string& mesh, const std::string& volume,
               const std::string& name, const std::vector<std::pair<std::string, Vector3d>>& interfaces,
               const Matrix3d& R, const Vector3d& p) {
  io::write_file(folder.file(name + ".inp"), arm_deck(mesh, volume));
  const io::ElementPart part = io::read_calculix_part(folder.file(name + ".inp"), {});
  std::vector<InterfaceNodes> places;
  for (const auto& [set, place] : interfaces) {
    places.push_back(make_interface(part.structure, set, part.sets.at(set), InterfaceNodes::Spider::rigid, set));
    places.back().position = R.transpose() * (place - p);
    places.back().axes = R.transpose();
  }
  Reduction wanted;
  wanted.modes = 30;
  io::write_part(reduce(part.structure, places, wanted), folder.file(name + ".flex.h5"));
}

std::string model_text(const io::TemporaryFolder& folder) {
  const Quaterniond q(turn());
  return fmt::format(R"(
gravity: [0, 0, 0]
ground: {{markers: {{wall: {{position: [{}, {}, {}]}}}}}}
bodies:
  first: {{flexible: {{file: {}}}, position: [0, 0, 0]}}
  second:
    flexible: {{file: {}}}
    position: [{}, {}, {}]
    orientation: [{:.16g}, {:.16g}, {:.16g}, {:.16g}]
joints:
  wall: {{type: fixed, between: [ground.wall, first.BASE]}}
  hinge: {{type: revolute, between: [first.ELBOW, second.ELBOW]}}
motions:
  lock: {{joint: hinge, displacement: 0}}
)",
                     kBase[0], kBase[1], kBase[2], folder.file("first.flex.h5"), folder.file("second.flex.h5"),
                     kPlace[0], kPlace[1], kPlace[2], q.w(), q.x(), q.y(), q.z());
}

TEST(AssembledParts, HaveTheFrequenciesOfOneMesh) {
  const io::TemporaryFolder folder;
  ASSERT_TRUE(mesh_with_gmsh(folder, kTwoArms));
  const std::string mesh = io::read_file(folder.file("part.inp"));
  write_arm(folder, mesh, "Volume1", "first", {{"BASE", kBase}, {"ELBOW", kElbow}}, Matrix3d::Identity(),
            Vector3d::Zero());
  write_arm(folder, mesh, "Volume2", "second", {{"ELBOW", kElbow}}, turn(), kPlace);
  const Model model = io::read_model_text(model_text(folder), folder.file("arms.yaml"));
  System system = assemble(model);
  const LinearizeOptions options = linearize_options(model, {}, system);
  const OperatingPoint at = find_operating_point(model, system, PointType::given, {});
  ASSERT_EQ(at.problem, "");
  LinearEquations equations(system, at.state, options);
  EigenmodeOptions wanted;
  wanted.count = 12;
  std::vector<double> found;
  for (const Eigenmode& mode : find_eigenmodes(equations, system, wanted).modes)
    if (mode.s.imag() > 0) found.push_back(std::abs(mode.s));
  std::sort(found.begin(), found.end());

  const std::string rigid = fmt::format(
      "*NODE\n900001,{0},{1},{2}\n900002,{0},{1},{2}\n*RIGID BODY,NSET=elbow,REF NODE=900001,ROT NODE=900002\n"
      "*BOUNDARY\nbase,1,3\n*STEP\n*FREQUENCY\n8\n*END STEP\n",
      kElbow[0], kElbow[1], kElbow[2]);
  const std::vector<double> squares = calculix_eigenvalues(run_calculix(folder, arm_deck(mesh, "Volume") + rigid));
  ASSERT_GE(squares.size(), 6u);
  ASSERT_GE(found.size(), 6u);
  double worst = 0;
  for (std::size_t i = 0; i < 6; ++i) {
    const double expected = std::sqrt(squares[i]);
    EXPECT_NEAR(found[i], expected, 5e-3 * expected) << "mode " << i + 1;
    worst = std::max(worst, std::abs(found[i] / expected - 1));
  }
  fmt::print("    six frequencies of two parts on a locked hinge, the first {:.5g} Hz: within {:.1e} of one mesh\n",
             found[0] / (2 * M_PI), worst);
}

}  // namespace assembled_parts_test
}  // namespace bricard
