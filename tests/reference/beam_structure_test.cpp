// SPDX-License-Identifier: Apache-2.0
#include "bricard/flex/beam_structure.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "bricard/analysis/eigenmodes.h"
#include "bricard/analysis/operating_point.h"
#include "bricard/assemble/assemble.h"
#include "bricard/flex/part_integrals.h"
#include "bricard/read/model_reader.h"

// Reduced beams against the beams themselves, and against closed forms.
namespace bricard {
namespace beam_structure_test {

/// Curved, twisted, tapered, with mass centres as they come, held by a weld.
std::string arm(int degree) {
  return R"(
gravity: [0, 0, 0]
ground: {markers: {root: {position: [0.2, 0.1, -0.3]}}}
beams:
  arm:
    from: ground.root
    to: [1.3, 0.5, 0.1]
    points: [[0.7, 0.45, -0.2]]
    twist: 40 deg
    sections: [{s: 0, type: rectangle, width: 40 mm, height: 20 mm}, {s: 1, type: rectangle, width: 20 mm, height: 15 mm}]
    material: steel
    elements: 6
    markers: {middle: 0.5}
    degree: )" +
         std::to_string(degree) + "\n";
}

std::vector<double> frequencies_of(const Model& model, int count) {
  System system = assemble(model);
  const LinearizeOptions options = linearize_options(model, {}, system);
  const OperatingPoint at = find_operating_point(model, system, PointType::given, {});
  EXPECT_EQ(at.problem, "");
  LinearEquations equations(system, at.state, options);
  EigenmodeOptions wanted;
  wanted.count = count;
  std::vector<double> w;
  for (const Eigenmode& mode : find_eigenmodes(equations, system, wanted).modes)
    if (mode.s.imag() > 0) w.push_back(mode.s.imag());
  std::sort(w.begin(), w.end());
  return w;
}

TEST(BeamStructure, HasTheFrequenciesOfTheBeam) {
  for (const int degree : {1, 2, 3}) {
    const Model model = io::read_model_text(arm(degree), "arm.yaml");
    const FlexibleBeam& beam = model.flexible_beams[0];
    const Structure s = beam_structure(beam);
    Reduction wanted;
    wanted.modes = 10;
    wanted.frame = {{"start", {0, 1, 2, 3, 4, 5}}};
    const ReducedPart held = reduce(s, {beam_interfaces(beam)[0]}, wanted);
    ASSERT_EQ(held.shapes(), 10);
    const std::vector<double> of_beam = frequencies_of(model, 12);
    ASSERT_GE(of_beam.size(), 6u);
    for (size_t i = 0; i < 6; ++i) EXPECT_NEAR(held.frequencies[i], of_beam[i], 1e-6 * of_beam[i]) << degree << i;

    // With all interfaces, which need 18 shapes less the six motions of the whole: the normal modes are others.
    const ReducedPart all = reduce(s, beam_interfaces(beam), wanted);
    ASSERT_EQ(all.shapes(), 10 + 12);
    for (size_t i = 0; i < 4; ++i) EXPECT_NEAR(all.frequencies[i], of_beam[i], 1e-3 * of_beam[i]) << degree << i;
  }
}

TEST(BeamStructure, HasMassAndMotionsOfTheWhole) {
  const Model model = io::read_model_text(arm(3), "arm.yaml");
  const Structure s = beam_structure(model.flexible_beams[0]);
  double mass = 0;
  Vector3d first = Vector3d::Zero();
  for (const Body& node : model.bodies)
    mass += node.mass, first += node.mass * (node.position - model.flexible_beams[0].from.position);
  const PartInertia inertia = part_inertia(s, Eigen::MatrixXd(s.unknowns(), 0));
  EXPECT_NEAR(inertia.mass, mass, 1e-12 * mass);
  EXPECT_LT((inertia.first - first).norm(), 1e-12 * first.norm());
  const Eigen::MatrixXd R = rigid_motions(s);
  EXPECT_LT((s.stiffness * R).norm(), 1e-11 * Eigen::MatrixXd(s.stiffness).norm() * R.norm());
}

FlexibleBeam strip(double EI_y, double EI_z, double GJ, double GA) {
  FlexibleBeam beam;
  beam.name = "strip";
  beam.to.position = {1, 0, 0};
  beam.stiffness.emplace() << 10 * GA, GA, GA, GJ, EI_y, EI_z;
  beam.mass_per_length = 1;
  beam.inertia_per_length = 1e-7 * Matrix3d::Identity();
  beam.elements = 12;
  return beam;
}

// A deep cantilever turns over sideways under a force at its tip, P = 4.0126 √(EI GJ)/L² [HodgesPeters1975]: the moment in it
// couples bending and twist. What it gives under P, EI GJ/EI_y² of it, is left out there.
TEST(BeamStructure, KnowsWhatMomentsDoToItsStiffness) {
  const FlexibleBeam beam = strip(1e5, 1, 0.8, 1e8);
  const Structure s = beam_structure(beam);
  const int n = s.unknowns() - 6;
  VectorXd f = VectorXd::Zero(n);
  f[n - 4] = 1;
  const Eigen::MatrixXd K = Eigen::MatrixXd(s.stiffness).bottomRightCorner(n, n);
  VectorXd u = VectorXd::Zero(s.unknowns());
  u.tail(n) = K.ldlt().solve(f);
  const Eigen::MatrixXd K_g = Eigen::MatrixXd(s.geometric_stiffness(u)).bottomRightCorner(n, n);
  const Eigen::GeneralizedSelfAdjointEigenSolver<Eigen::MatrixXd> loads(K_g, K);
  const double load = -1 / loads.eigenvalues()[0];
  EXPECT_NEAR(load, 4.0126 * std::sqrt(0.8), 3e-4 * load);
  EXPECT_NEAR(1 / loads.eigenvalues()[n - 1], load, 1e-6 * load);  // up as well as down
}

// Ω = 4 in units of EI/mL⁴ = 1: across the plane of rotation 5.5850 [WrightSmithThresherWang1982].
TEST(BeamStructure, StiffensInRotation) {
  const FlexibleBeam beam = strip(1, 1, 1, 1e6);
  Reduction wanted;
  wanted.modes = 8, wanted.stiffening = true;
  wanted.frame = {{"start", {0, 1, 2, 3, 4, 5}}};
  const ReducedPart part = reduce(beam_structure(beam), {beam_interfaces(beam)[0]}, wanted);
  const auto& s = part.inertia.shapes_shapes;
  const Eigen::MatrixXd K = part.stiffness - 16 * (part.stiffening->X[0] + part.stiffening->X[4]) - 16 * (s[0] + s[3]);
  const VectorXd w = Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(K).eigenvalues().cwiseSqrt();
  EXPECT_NEAR(w[1], 5.5850, 1e-3);
  EXPECT_NEAR(w[0], std::sqrt(5.5850 * 5.5850 - 16), 1e-3);
}

}  // namespace beam_structure_test
}  // namespace bricard
