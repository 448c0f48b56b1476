// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <signal.h>

#include <cmath>
#include <sstream>

#include "bricard/flex/part_checks.h"
#include "bricard/read/finite_elements.h"
#include "bricard/read/part_reader.h"
#include "end_to_end/program.h"
#include "reference/calculix.h"

// `bricard flex reduce` and `inspect` of a steel bar that gmsh meshes and CalculiX makes matrices of.
namespace bricard {
namespace flex_cli_test {

/// A mesh as gmsh writes it: millimetres, no material.
std::string mesh_in_millimetres() {
  static const std::string text = [] {
    const io::TemporaryFolder folder;
    BoxMesh mesh;
    mesh.size = "300, 30, 20";
    mesh.step = 20;
    EXPECT_TRUE(mesh_with_gmsh(folder, box(mesh)));
    return io::read_file(folder.file("part.inp"));
  }();
  return text;
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return at == std::string::npos ? text : text.replace(at, from.size(), to);
}

const std::string kBothEnds = " --interface base=nodeset:left --interface tip=rbe3:right@300,15,10";

class Flex : public Program {
 protected:
  void expect_wrong(const std::string& arguments, int code, const std::string& words) const {
    SCOPED_TRACE(arguments);
    const std::set<std::string> before = files();
    const Outcome outcome = run("flex reduce " + arguments);
    EXPECT_EQ(outcome.code, code) << outcome.err;
    EXPECT_NE(outcome.err.find(words), std::string::npos) << outcome.err;
    EXPECT_EQ(outcome.out, "");
    EXPECT_EQ(files(), before);
  }
};

TEST_F(Flex, ReducesAMeshOfGmshAndShowsThePart) {
  write("bar.inp", mesh_in_millimetres());
  const Outcome reduced = run("flex reduce bar.inp --material steel --units mm --modes 8 -o bar.flex.h5" + kBothEnds);
  ASSERT_EQ(reduced.code, 0) << reduced.err;
  EXPECT_NE(reduced.out.find("4 of 4 checks pass"), std::string::npos) << reduced.out;
  EXPECT_NE(reduced.err.find("left aside: "), std::string::npos) << reduced.err;
  const ReducedPart part = io::read_part(path("bar.flex.h5"));
  EXPECT_EQ(part.shapes(), 12 + 8 - 6);
  EXPECT_NEAR(part.inertia.mass, 7850 * 0.3 * 0.03 * 0.02, 1e-9);
  ASSERT_EQ(part.interfaces.size(), 2u);
  EXPECT_LT((part.interfaces[1].position - Vector3d(0.3, 0.015, 0.01)).norm(), 1e-12);
  // bending of a slender bar across its 20 mm: 22.373 √(EI/m) / L², less 2 % for shear and rotary inertia
  const double slender = 22.373 * std::sqrt(2.1e11 * 0.02 * 0.02 / 12 / 7850) / (0.3 * 0.3);
  EXPECT_NEAR(part.frequencies[0], 0.985 * slender, 0.015 * slender);
  const Outcome shown = run("flex inspect bar.flex.h5 -o bar.html");
  ASSERT_EQ(shown.code, 0) << shown.err;
  EXPECT_NE(shown.out.find("Interfaces held"), std::string::npos);
  const std::string page = read("bar.html");
  EXPECT_NE(page.find("part-data"), std::string::npos);
  EXPECT_NE(page.find("script-src"), std::string::npos);            // else browsers would not draw it
  EXPECT_EQ(page.find("http://"), page.find("http://www.w3.org"));  // names of SVG, no address
}

TEST_F(Flex, ChoosesModesByFrequencyAndByEffectiveMass) {
  write("bar.inp", mesh_in_millimetres());
  const std::string begin =
      "flex reduce bar.inp --material steel --units mm -q --compare 0 --interface base=nodeset:left ";
  ASSERT_EQ(run(begin + "--modes 30 -o all.flex.h5").code, 0);
  ASSERT_EQ(run(begin + "--modes 30 --frequency 3000 -o low.flex.h5").code, 0);
  ASSERT_EQ(run(begin + "--modes 30 --effective-mass 0.8 -o heavy.flex.h5").code, 0);
  const ReducedPart all = io::read_part(path("all.flex.h5")), low = io::read_part(path("low.flex.h5"));
  const ReducedPart heavy = io::read_part(path("heavy.flex.h5"));
  const HeldModes held = held_modes(all, {0}), of_heavy = held_modes(heavy, {0});
  EXPECT_EQ(low.shapes(), (held.frequencies.array() < 3000 * 2 * M_PI).count());
  EXPECT_LT(heavy.shapes(), all.shapes());
  EXPECT_GE(of_heavy.effective.leftCols<3>().colwise().sum().minCoeff(), 0.8);
  const Eigen::Index fewer = of_heavy.effective.rows() - 1;
  EXPECT_LT(of_heavy.effective.topLeftCorner(fewer, 3).colwise().sum().minCoeff(), 0.8);
}

TEST_F(Flex, TakesMatricesWithATableOfNodes) {
  write("bar.inp",
        replaced(steel_deck(mesh_in_millimetres()), "2.1e11, 0.3\n*DENSITY\n7850", "2.1e5, 0.3\n*DENSITY\n7.85e-9"));
  io::MeshOptions options;
  options.units = io::file_units("mm");
  const io::ElementPart part = io::read_calculix_part(path("bar.inp"), options);
  const auto matrix = [](const SparseMatrix& A) {
    std::string text = fmt::format("%%MatrixMarket matrix coordinate real symmetric\n% lower triangle\n{0} {0} ",
                                   A.rows()),
                lines;
    int count = 0;
    for (int j = 0; j < A.outerSize(); ++j)
      for (SparseMatrix::InnerIterator entry(A, j); entry; ++entry)
        if (entry.row() >= j) lines += fmt::format("{} {} {:.17g}\n", entry.row() + 1, j + 1, entry.value()), ++count;
    return text + fmt::format("{}\n", count) + lines;
  };
  std::string nodes = "node, x, y, z, sets\n";
  std::vector<std::string> sets(part.numbers.size());
  for (const auto& [name, indices] : part.sets)
    for (const int i : indices) sets[i] += " " + name;
  for (std::size_t i = 0; i < part.numbers.size(); ++i)
    nodes += fmt::format("{}, {:.17g}, {:.17g}, {:.17g},{}\n", part.numbers[i], part.structure.nodes(0, i),
                         part.structure.nodes(1, i), part.structure.nodes(2, i), sets[i]);
  write("K.mtx", matrix(part.structure.stiffness));
  write("M.mtx", matrix(mass_matrix(part.structure)));
  write("nodes.csv", nodes);
  const std::string ends = " -q --modes 5 --interface base=nodeset:left --interface tip=nodeset:right ";
  ASSERT_EQ(run("flex reduce bar.inp --units mm -o mesh.flex.h5" + ends).code, 0);
  const Outcome outcome = run("flex reduce K.mtx --mass M.mtx --nodes nodes.csv -o matrices.flex.h5" + ends);
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const ReducedPart mesh = io::read_part(path("mesh.flex.h5")), matrices = io::read_part(path("matrices.flex.h5"));
  ASSERT_EQ(mesh.shapes(), matrices.shapes());
  for (int i = 0; i < mesh.shapes(); ++i) EXPECT_NEAR(matrices.frequencies[i] / mesh.frequencies[i], 1, 1e-8);
  // and what is wrong with them
  fs::remove(path("mesh.flex.h5")), fs::remove(path("matrices.flex.h5"));
  const std::string K = read("K.mtx"), M = read("M.mtx");
  write("wrong.mtx", replaced(replaced(K, "symmetric", "general"), "lower", "only the lower"));
  expect_wrong("wrong.mtx --mass M.mtx --nodes nodes.csv", 2, "the matrix is not symmetric: entries (2, 1) and (1, 2)");
  write("wrong.mtx", K.substr(0, K.size() / 2));
  expect_wrong("wrong.mtx --mass M.mtx --nodes nodes.csv", 2, "wrong.mtx:");
  write("wrong.mtx", "1 2 3\n");
  expect_wrong("wrong.mtx --mass M.mtx --nodes nodes.csv", 2, "this is no Matrix Market file");
  expect_wrong("K.mtx --mass K.mtx --nodes nodes.csv", 2, "does not treat x, y and z alike");
  expect_wrong("K.mtx --nodes nodes.csv", 2, "--mass and --nodes: give both");
  write("few.csv", nodes.substr(0, nodes.size() / 2));
  expect_wrong("K.mtx --mass M.mtx --nodes few.csv", 2, "few.csv");
  SparseMatrix grounded = part.structure.stiffness;
  grounded.coeffRef(0, 0) *= 1.5;
  write("wrong.mtx", matrix(grounded));
  expect_wrong("wrong.mtx --mass M.mtx --nodes nodes.csv", 2, "motions of the whole part are resisted");
}

TEST_F(Flex, SaysWhatIsWrongWithAPart) {
  const std::string mesh = mesh_in_millimetres(), steel = steel_deck(mesh);
  write("bar.inp", mesh);
  expect_wrong("bar.inp", 2, "has no material: add a *SOLID SECTION");
  expect_wrong("bar.inp --material stel", 2, "did you mean 'steel'?");
  expect_wrong("bar.inp --material steel", 2, "say --units mm");
  expect_wrong("bar.inp --material steel --units feet", 2, "units 'feet': must be m");
  const std::string good = "bar.inp --material steel --units mm ";
  expect_wrong(good + "--interface tip=nodeset:rigt", 2, "there is no set of nodes 'rigt'; did you mean 'RIGHT'?");
  expect_wrong(good + "--interface tip=nodset:right", 2, "unknown kind 'nodset'; did you mean 'nodeset'?");
  expect_wrong(good + "--interface tip=rbe3:right@1,2", 2, "behind the @ must be x,y,z");
  expect_wrong(good + "--interface tip", 2, "must be NAME=nodeset:SET");
  expect_wrong(good + "--interface a=nodeset:left --interface a=nodeset:right", 2, "there is another interface 'a'");
  expect_wrong(good + "--interface a=nodeset:left --interface b=nodeset:left", 2,
               "interfaces 'a' and 'b' share a node");
  expect_wrong(good + "-o bar.inp", 2, "is what the part is read from");
  expect_wrong(good + "-o nowhere/bar.flex.h5", 3, "nowhere");
  write("bar.inp",
        steel + "*NSET, NSET=EDGE\n1, 2\n*NSET, NSET=EMPTY\n999999\n*NSET, NSET=LINE\n1, 2, 9\n");  // along one edge
  expect_wrong("bar.inp --units mm --interface a=nodeset:EMPTY", 2, "node set 'EMPTY' has no nodes of the part");
  expect_wrong("bar.inp --units mm --interface a=nodeset:EDGE", 2,
               "has 2 nodes; three that are not on one line are needed");
  expect_wrong("bar.inp --units mm --interface a=nodeset:LINE", 2, "are on one line");
  write("bar.inp", replaced(steel, "*DENSITY\n7850\n", ""));
  expect_wrong("bar.inp", 2, "has no *DENSITY: without mass there is no motion");
  write("bar.inp", replaced(steel, "7850", "7.85e-9"));
  expect_wrong("bar.inp", 2, "if lengths are in millimetres and masses in tonnes, say --units mm");
  write("bar.inp", replaced(steel, "C3D10", "S6"));
  expect_wrong("bar.inp", 2, "type S6 is not read; solids are C3D4");
  write("bar.inp", replaced(steel, "*MATERIAL", "*TIE, NAME=T\na, b\n*MATERIAL"));
  expect_wrong("bar.inp", 2, "*TIE: this is not read, and may change stiffness or mass");
  write("bar.msh", "$MeshFormat\n4.1 0 8\n");
  expect_wrong("bar.msh", 2, "gmsh's own format; write it with `gmsh part.geo -3 -format inp");
  write("bar.step", "ISO-10303-21;\n");
  expect_wrong("bar.step", 2, "STEP file");
  expect_wrong("none.inp", 3, "none.inp");
}

TEST_F(Flex, ShowsWhatCalculixSays) {
  // the first element turned inside out
  std::string deck = steel_deck(mesh_in_millimetres());
  std::size_t at = deck.find("*ELEMENT");
  at = deck.find('\n', at) + 1;
  const std::size_t end = deck.find('\n', at);
  std::vector<std::string> words;
  std::istringstream line(deck.substr(at, end - at));
  for (std::string word; std::getline(line, word, ',');) words.push_back(word);
  ASSERT_EQ(words.size(), 11u);
  std::swap(words[1], words[2]), std::swap(words[6], words[7]), std::swap(words[8], words[9]);
  write("bar.inp", deck.replace(at, end - at, fmt::format("{}", fmt::join(words, ","))));
  expect_wrong("bar.inp --units mm", 2, "CalculiX stopped with an error:");
  expect_wrong("bar.inp --units mm", 2, "jacobian");
  const Outcome missing = run("flex reduce bar.inp --units mm", "env PATH= ");
  EXPECT_EQ(missing.code, 2);
  EXPECT_NE(missing.err.find("CalculiX (ccx) was not found: install the package calculix-ccx"), std::string::npos)
      << missing.err;
  EXPECT_EQ(files(), std::set<std::string>{"bar.inp"});
}

/// A program in the place of CalculiX that would take minutes.
TEST_F(Flex, IsStoppedWithCalculixByCtrlC) {
  write("bar.inp", mesh_in_millimetres());
  fs::create_directory(path("bin")), fs::create_directory(path("tmp"));
  write("bin/ccx", "#!/bin/sh\necho $$ > " + path("number") + "\nexec sleep 300\n");
  fs::permissions(path("bin/ccx"), fs::perms::owner_all);
  const Outcome outcome =
      run("flex reduce bar.inp --material steel --units mm",
          "env PATH=" + path("bin") + ":$PATH TMPDIR=" + path("tmp") + " timeout --preserve-status -s INT 1 ");
  EXPECT_EQ(outcome.code, 130) << outcome.err;
  EXPECT_NE(outcome.err.find("stopped; nothing was written"), std::string::npos) << outcome.err;
  EXPECT_TRUE(fs::is_empty(path("tmp")));
  EXPECT_EQ(files(), (std::set<std::string>{"bar.inp", "bin", "number", "tmp"}));
  EXPECT_NE(kill(std::stoi(read("number")), 0), 0);  // it is gone
}

}  // namespace flex_cli_test
}  // namespace bricard
