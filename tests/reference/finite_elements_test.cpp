// SPDX-License-Identifier: Apache-2.0
#include "bricard/read/finite_elements.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <memory>
#include <numbers>

#include "bricard/flex/attached.h"
#include "bricard/flex/interfaces.h"
#include "bricard/flex/part_checks.h"
#include "bricard/flex/part_integrals.h"
#include "bricard/flex/reduction.h"
#include "bricard/flex/sparse_cholesky.h"
#include "bricard/write/files.h"
#include "reference/calculix.h"

namespace bricard {
namespace finite_elements_test {

using Eigen::MatrixXd;
using io::ElementPart;
using io::TemporaryFolder;

/// A steel bar of 0.3 × 0.03 × 0.02 m with a hole, of tetrahedra.
class SteelPart : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    folder_ = new TemporaryFolder;
    BoxMesh mesh;
    mesh.more = "Cylinder(2) = {0.2, 0.015, -0.01, 0, 0, 0.04, 0.008};\nBooleanDifference(3) = {Volume{1}; "
                "Delete;}{Volume{2}; Delete;};\n"
                "Physical Volume(\"solid\") = {3};\n"
                "Physical Surface(\"left\") = Surface In BoundingBox{-1e-3, -1, -1, 1e-3, 1, 1};\n"
                "Physical Surface(\"right\") = Surface In BoundingBox{0.299, -1, -1, 0.301, 1, 1};\n";
    std::string geometry = box(mesh);
    for (const std::string line : {"Physical Volume(\"solid\") = {1};\n", "Physical Surface(\"left\") = {1};\n",
                                   "Physical Surface(\"right\") = {2};\n"})
      geometry.erase(geometry.find(line), line.size());
    ASSERT_TRUE(mesh_with_gmsh(*folder_, geometry));
    deck_ = new std::string(steel_deck(io::read_file(folder_->file("part.inp"))));
    io::write_file(folder_->file("steel.inp"), *deck_);
    part_ = new ElementPart(io::read_calculix_part(folder_->file("steel.inp"), {}));
  }
  void SetUp() override { ASSERT_NE(part_, nullptr); }
  static void TearDownTestSuite() {
    delete part_;
    delete deck_;
    delete folder_;
  }

  static InterfaceNodes interface_at(const std::string& set,
                                     InterfaceNodes::Spider spider = InterfaceNodes::Spider::rigid) {
    return make_interface(part_->structure, set, part_->sets.at(set), spider, set);
  }
  static std::vector<double> frequencies_of(const std::string& more) {
    return calculix_eigenvalues(run_calculix(*folder_, *deck_ + more));
  }

  static TemporaryFolder* folder_;
  static std::string* deck_;
  static ElementPart* part_;
};
TemporaryFolder* SteelPart::folder_ = nullptr;
std::string* SteelPart::deck_ = nullptr;
ElementPart* SteelPart::part_ = nullptr;

Reduction with_modes(int modes, Reduction::Kind kind = Reduction::Kind::craig_bampton) {
  Reduction wanted;
  wanted.kind = kind;
  wanted.modes = modes;
  return wanted;
}

void expect_frequencies(const std::vector<double>& squares, std::size_t first, const VectorXd& frequencies, int count,
                        double tolerance) {
  ASSERT_GE(squares.size(), first + count);
  ASSERT_GE(frequencies.size(), count);
  double worst = 0;
  for (int i = 0; i < count; ++i) {
    const double expected = std::sqrt(squares[first + i]);
    EXPECT_NEAR(frequencies[i], expected, tolerance * expected) << "mode " << i + 1;
    worst = std::max(worst, std::abs(frequencies[i] / expected - 1));
  }
  ::testing::Test::RecordProperty("worst", fmt::format("{:.2e}", worst));
  fmt::print("    {} frequencies, the first {:.6g} rad/s: within {:.1e} of CalculiX\n", count, frequencies[0], worst);
}

VectorXd to_vector(const std::vector<double>& values) {
  return Eigen::Map<const VectorXd>(values.data(), values.size());
}

TEST_F(SteelPart, HasTheFreeFrequenciesOfCalculix) {
  const ReducedPart part = reduce(part_->structure, {}, with_modes(14, Reduction::Kind::free));
  expect_frequencies(frequencies_of("*STEP\n*FREQUENCY\n20\n*END STEP\n"), 6, to_vector(part.frequencies), 14, 1e-5);
}

TEST_F(SteelPart, HasTheFrequenciesOfCalculixWhereItsInterfacesAreHeld) {
  StructureModes modes;
  const ReducedPart part =
      reduce(part_->structure, {interface_at("LEFT"), interface_at("RIGHT")}, with_modes(12), {}, modes);
  const std::vector<double> clamped =
      frequencies_of("*BOUNDARY\nleft,1,3\nright,1,3\n*STEP\n*FREQUENCY\n12\n*END STEP\n");
  expect_frequencies(clamped, 0, modes.held, 12, 1e-5);
  expect_frequencies(clamped, 0, held_modes(part, {0, 1}).frequencies, 12, 1e-5);
}

/// Free, and held at one interface, modes of the part are combinations of those it was reduced to: within 0.1 % with 60 of them.
TEST_F(SteelPart, HasTheFrequenciesOfCalculixWithRigidEnds) {
  const ReducedPart part = reduce(part_->structure, {interface_at("LEFT"), interface_at("RIGHT")}, with_modes(60));
  std::string rigid = "*NODE\n";
  const std::vector<std::string> names = {"left", "right"};
  for (int i = 0; i < 2; ++i) {
    const Vector3d p = part.interfaces[i].position;
    for (const int id : {90001, 90003}) rigid += fmt::format("{},{:.12e},{:.12e},{:.12e}\n", id + i, p[0], p[1], p[2]);
  }
  for (int i = 0; i < 2; ++i)
    rigid += fmt::format("*RIGID BODY,NSET={},REF NODE={},ROT NODE={}\n", names[i], 90001 + i, 90003 + i);
  const std::string step = "*STEP\n*FREQUENCY\n18\n*END STEP\n";
  expect_frequencies(frequencies_of(rigid + step), 6, to_vector(part.frequencies), 10, 1e-3);
  const std::string held = "*BOUNDARY\n90001,1,3\n90003,1,3\n";
  expect_frequencies(frequencies_of(rigid + held + step), 0, held_modes(part, {0}).frequencies, 10, 1e-3);
  const VectorXd full = free_frequencies(part_->structure, {interface_at("LEFT"), interface_at("RIGHT")}, 10, {});
  for (int i = 0; i < 10; ++i) EXPECT_NEAR(part.frequencies[i] / full[i], 1, 1e-3);
}

TEST_F(SteelPart, KeepsMassAndInertiaOfTheMatrices) {
  const ReducedPart part = reduce(part_->structure, {interface_at("LEFT")}, with_modes(5));
  const MassSummary reduced = mass_summary(part), full = mass_summary(part_->structure);
  EXPECT_NEAR(reduced.mass, full.mass, 1e-9 * full.mass);
  EXPECT_LT((reduced.center - full.center).norm(), 1e-9 * 0.3);
  EXPECT_LT((reduced.inertia - full.inertia).norm(), 1e-9 * full.inertia.norm());
  // the bar less its hole, whose mesh has chords for arcs
  EXPECT_NEAR(full.mass, 7850 * (0.3 * 0.03 * 0.02 - std::numbers::pi * 0.008 * 0.008 * 0.02), 2e-3 * full.mass);
  EXPECT_LT(momentum_of_shapes(part), 1e-9);
  fmt::print("    mass {:.1e}, inertia {:.1e} beside the matrices\n", std::abs(reduced.mass / full.mass - 1),
             (reduced.inertia - full.inertia).norm() / full.inertia.norm());
}

TEST_F(SteelPart, IsNotStrainedByMotionsOfTheWholePart) {
  const Structure& structure = part_->structure;
  EXPECT_LT(strain_of_motion(structure), 1e-10);
  // stress E × turn would be that of a strain of the size of the turn
  const MatrixXd stress = structure.surface_stress * rigid_motions(structure);
  EXPECT_LT(stress.cwiseAbs().maxCoeff(), 1e-10 * 2.1e11);
  fmt::print("    forces {:.1e} of their parts, stress {:.1e} E\n", strain_of_motion(structure),
             stress.cwiseAbs().maxCoeff() / 2.1e11);
}

/// Displacements under forces while some nodes are held.
class HeldStructure {
 public:
  HeldStructure(const Structure& structure, const std::vector<int>& held) {
    std::vector<bool> fixed(structure.unknowns(), false);
    for (const int node : held)
      for (int a = 0; a < 3; ++a) fixed[3 * node + a] = true;
    for (int i = 0; i < structure.unknowns(); ++i)
      if (!fixed[i]) free_.push_back(i);
    const SparseMatrix K = part_of(structure.stiffness, free_, free_);
    factor_ = std::make_unique<SparseCholesky>(K);
    EXPECT_TRUE(factor_->factorize(K).regular());
  }
  VectorXd under(const VectorXd& force) const {
    VectorXd u = VectorXd::Zero(force.size());
    u(free_) = factor_->solve(force(free_)).col(0);
    return u;
  }

 private:
  std::vector<int> free_;
  std::unique_ptr<SparseCholesky> factor_;
};

int node_near(const Structure& structure, const Vector3d& place) {
  Eigen::Index best = 0;
  (structure.nodes.colwise() - place).colwise().norm().minCoeff(&best);
  return static_cast<int>(best);
}

TEST_F(SteelPart, HasTheStressesOfCalculix) {
  const Structure& structure = part_->structure;
  const int corner = node_near(structure, {0.3, 0, 0});
  VectorXd force = VectorXd::Zero(structure.unknowns());
  force.segment<3>(3 * corner) = Vector3d(300, 100, -200);
  const VectorXd u = HeldStructure(structure, part_->sets.at("LEFT")).under(force),
                 stress = structure.surface_stress * u;
  const int number = part_->numbers[corner];
  run_calculix(
      *folder_,
      *deck_ + fmt::format("*BOUNDARY\nleft,1,3\n*STEP\n*STATIC\n*CLOAD\n{0},1,300\n{0},2,100\n{0},3,-200\n*NODE FILE\n"
                           "U\n*EL FILE\nS\n*END STEP\n",
                           number));
  std::map<int, int> index;
  for (std::size_t i = 0; i < part_->numbers.size(); ++i) index[part_->numbers[i]] = static_cast<int>(i);
  for (const auto& row : calculix_results(*folder_, "DISP", 3))
    for (int a = 0; a < 3; ++a)
      EXPECT_NEAR(u[3 * index.at(static_cast<int>(row[0])) + a], row[1 + a], 1e-5 * u.cwiseAbs().maxCoeff());
  int compared = 0;
  const double largest = stress.cwiseAbs().maxCoeff();
  std::map<int, int> surface;  // place of nodes on it
  for (int k = 0; k < structure.surface_displacement.outerSize(); ++k)
    for (SparseMatrix::InnerIterator entry(structure.surface_displacement, k); entry; ++entry)
      surface[k / 3] = static_cast<int>(entry.row() / 3);
  for (const auto& row : calculix_results(*folder_, "STRESS", 6)) {
    const auto place = surface.find(index.at(static_cast<int>(row[0])));
    if (place == surface.end()) continue;
    ++compared;
    for (int a = 0; a < 6; ++a) ASSERT_NEAR(stress[6 * place->second + a], row[1 + a], 1e-4 * largest);
  }
  EXPECT_EQ(compared, structure.surface_points.cols());
  fmt::print("    stresses at {} nodes, the largest {:.3g} MPa\n", compared, largest / 1e6);
}

/// K u = −λ K_g u by the power method, with the stresses of a force at a corner.
TEST_F(SteelPart, BucklesUnderTheLoadOfCalculix) {
  const Structure& structure = part_->structure;
  const int corner = node_near(structure, {0.3, 0, 0});
  VectorXd force = VectorXd::Zero(structure.unknowns());
  force[3 * corner] = -1000;
  const HeldStructure held(structure, part_->sets.at("LEFT"));
  const SparseMatrix K_g = structure.geometric_stiffness(held.under(force));
  VectorXd u = VectorXd::Random(structure.unknowns());
  double factor = 0;
  for (int i = 0; i < 60; ++i) {
    u = held.under(-(K_g * u));
    factor = 1 / u.norm();
    u *= factor;
  }
  const std::vector<double> expected = calculix_eigenvalues(run_calculix(
      *folder_, *deck_ + fmt::format("*BOUNDARY\nleft,1,3\n*STEP\n*BUCKLE\n2\n*CLOAD\n{},1,-1000\n*END STEP\n",
                                     part_->numbers[corner])));
  ASSERT_GE(expected.size(), 1u);
  EXPECT_NEAR(factor, expected[0], 1e-4 * expected[0]);
  fmt::print("    buckles under {:.6g} kN, {:.6g} by CalculiX\n", factor, expected[0]);
}

/// A force on an average goes to its nodes in equal shares, and its motion is the mean of theirs: statics of the reduced part are
/// exact at its interfaces.
TEST_F(SteelPart, MovesAsTheMeanOfAnAveragedInterface) {
  const Structure& structure = part_->structure;
  const InterfaceNodes tip = interface_at("RIGHT", InterfaceNodes::Spider::average);
  Reduction held_left = with_modes(4);
  held_left.frame = {{"LEFT", {0, 1, 2, 3, 4, 5}}};
  const ReducedPart part = reduce(structure, {interface_at("LEFT"), tip}, held_left);
  const Vector3d F(500, -200, 300);
  const VectorXd eta = part.stiffness.ldlt().solve(part.interfaces[1].translation.transpose() * F);
  VectorXd force = VectorXd::Zero(structure.unknowns());
  for (const int node : tip.nodes) force.segment<3>(3 * node) = F / tip.nodes.size();
  const VectorXd u = HeldStructure(structure, part_->sets.at("LEFT")).under(force);
  Vector3d mean = Vector3d::Zero();
  for (const int node : tip.nodes) mean += u.segment<3>(3 * node) / tip.nodes.size();
  EXPECT_LT((part.interfaces[1].translation * eta - mean).norm(), 1e-7 * mean.norm());
  const ReducedPart rigid = reduce(structure, {interface_at("LEFT"), interface_at("RIGHT")}, held_left);
  const VectorXd stiff = rigid.stiffness.ldlt().solve(rigid.interfaces[1].translation.transpose() * F);
  EXPECT_LT(F.dot(rigid.interfaces[1].translation * stiff), F.dot(mean));  // constraints make it stiffer
  EXPECT_NEAR(F.dot(rigid.interfaces[1].translation * stiff), F.dot(mean), 0.02 * F.dot(mean));
}

struct KindOfMesh {
  const char* name;
  BoxMesh mesh;
};

class SolidKinds : public ::testing::TestWithParam<KindOfMesh> {};

/// Volume and mass of a box are exact, so are stresses of a displacement that is linear in x, for all elements.
TEST_P(SolidKinds, AreExactWhereTheyHaveToBe) {
  const TemporaryFolder folder;
  ASSERT_TRUE(mesh_with_gmsh(folder, box(GetParam().mesh)));
  std::string deck = steel_deck(io::read_file(folder.file("part.inp")));
  ASSERT_NE(deck.find("type="), std::string::npos);
  const std::string wanted = GetParam().name, type = deck.substr(deck.find("type=") + 5);
  if (const std::string reduced = type.substr(0, type.find(',')); reduced + "R" == wanted || reduced + "I" == wanted)
    deck.replace(deck.find("type=") + 5, reduced.size(), wanted);
  ASSERT_NE(deck.find("type=" + wanted + ","), std::string::npos) << type.substr(0, 8);
  io::write_file(folder.file("part.inp"), deck);
  const ElementPart part = io::read_calculix_part(folder.file("part.inp"), {});
  const Structure& structure = part.structure;
  const MassSummary mass = mass_summary(structure);
  EXPECT_NEAR(mass.mass, 7850 * 0.06 * 0.03 * 0.02, 1e-9 * mass.mass);
  EXPECT_LT((mass.center - Vector3d(0.03, 0.015, 0.01)).norm(), 1e-10);
  EXPECT_LT(strain_of_motion(structure), 1e-10);
  Matrix3d gradient;
  gradient << 1, 2, -3, 0.5, -2, 1, 4, 1, 0.3;
  gradient *= 1e-4;
  VectorXd u(structure.unknowns());
  for (int i = 0; i < structure.nodes.cols(); ++i) u.segment<3>(3 * i) = gradient * structure.nodes.col(i);
  const Matrix3d strain = (gradient + gradient.transpose()) / 2;
  const double G = 2.1e11 / 2.6, lambda = 2 * G * 0.3 / 0.4;
  const Matrix3d sigma = 2 * G * strain + lambda * strain.trace() * Matrix3d::Identity();
  const Eigen::Matrix<double, 6, 1> expected(sigma(0, 0), sigma(1, 1), sigma(2, 2), sigma(0, 1), sigma(1, 2),
                                             sigma(2, 0));
  const bool stresses_known = structure.surface_stress.size() > 0;
  EXPECT_EQ(stresses_known, wanted != "C3D8I");
  const VectorXd stress = stresses_known ? VectorXd(structure.surface_stress * u) : VectorXd();
  for (int i = 0; i < stress.size() / 6; ++i)
    ASSERT_LT((stress.segment<6>(6 * i) - expected).norm(), 1e-9 * expected.norm());
  // energy of that strain, by the matrix of CalculiX
  EXPECT_NEAR(u.dot(structure.stiffness * u), (sigma.cwiseProduct(strain)).sum() * 0.06 * 0.03 * 0.02,
              1e-8 * u.dot(structure.stiffness * u));
  double volume = 0;  // of what is inside of the surface, by the divergence of x
  for (const auto& t : structure.triangles)
    volume += structure.surface_points.col(t[0]).dot(
                  structure.surface_points.col(t[1]).cross(structure.surface_points.col(t[2]))) /
              6;
  EXPECT_NEAR(volume, 0.06 * 0.03 * 0.02, 1e-12);
}

INSTANTIATE_TEST_SUITE_P(
    All, SolidKinds,
    ::testing::Values(
        KindOfMesh{"C3D4", {"0.06, 0.03, 0.02", 0.01, 1}}, KindOfMesh{"C3D10", {"0.06, 0.03, 0.02", 0.015, 2}},
        KindOfMesh{
            "C3D8",
            {"0.06, 0.03, 0.02", 0.01, 1,
             "Transfinite Curve{:} = 4;\nTransfinite Surface{:};\nRecombine Surface{:};\nTransfinite Volume{1};\n"}},
        KindOfMesh{
            "C3D8I",
            {"0.06, 0.03, 0.02", 0.01, 1,
             "Transfinite Curve{:} = 4;\nTransfinite Surface{:};\nRecombine Surface{:};\nTransfinite Volume{1};\n"}},
        KindOfMesh{
            "C3D20",
            {"0.06, 0.03, 0.02", 0.01, 2,
             "Transfinite Curve{:} = 4;\nTransfinite Surface{:};\nRecombine Surface{:};\nTransfinite Volume{1};\n"}},
        KindOfMesh{
            "C3D20R",
            {"0.06, 0.03, 0.02", 0.01, 2,
             "Transfinite Curve{:} = 4;\nTransfinite Surface{:};\nRecombine Surface{:};\nTransfinite Volume{1};\n"}},
        KindOfMesh{
            "C3D6",
            {"0.06, 0.03, 0.02", 0.01, 1,
             "Transfinite Curve{:} = 4;\nTransfinite Surface{:};\nRecombine Surface{3:6};\nTransfinite Volume{1};\n"}},
        KindOfMesh{
            "C3D15",
            {"0.06, 0.03, 0.02", 0.01, 2,
             "Transfinite Curve{:} = 4;\nTransfinite Surface{:};\nRecombine Surface{3:6};\nTransfinite Volume{1};\n"}}),
    [](const auto& test) { return test.param.name; });

}  // namespace finite_elements_test
}  // namespace bricard
