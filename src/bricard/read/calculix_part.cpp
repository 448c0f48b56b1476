// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <Eigen/SparseCholesky>
#include <algorithm>
#include <charconv>
#include <fstream>
#include <sstream>
#include <unordered_map>

#include "bricard/read/external_program.h"
#include "bricard/read/finite_elements.h"
#include "bricard/write/files.h"

namespace bricard::io {
namespace {

[[noreturn]] void refuse_part(const std::string& what) { throw ModelError({Fault{{}, what}}); }

/// The mesh alone, with a step that only stores K and M. Numbers have the 20 characters that CalculiX reads.
std::string storage_deck(const SolidMesh& mesh) {
  std::string text = "*NODE\n";
  for (Eigen::Index i = 0; i < mesh.nodes.cols(); ++i)
    text += fmt::format("{},{:.12e},{:.12e},{:.12e}\n", mesh.numbers[i], mesh.nodes(0, i), mesh.nodes(1, i),
                        mesh.nodes(2, i));
  std::map<std::pair<int, std::string_view>, std::vector<const SolidElement*>> groups;
  for (const SolidElement& element : mesh.elements) groups[{element.material, element.kind->name}].push_back(&element);
  for (const auto& [key, elements] : groups) {
    text += fmt::format("*ELEMENT,TYPE={},ELSET=E{}\n", key.second, key.first);
    for (const SolidElement* element : elements) {
      text += std::to_string(element->number);
      for (std::size_t i = 0; i < element->nodes.size(); ++i)  // up to 16 numbers in a line
        text += fmt::format("{}{}", i == 10 ? ",\n" : ",", mesh.numbers[element->nodes[i]]);
      text += '\n';
    }
  }
  std::map<int, bool> used;
  for (const auto& [key, elements] : groups) used[key.first] = true;
  for (const auto& [i, yes] : used) {
    const SolidMaterial& material = mesh.materials[i];
    text += fmt::format("*MATERIAL,NAME=M{0}\n*ELASTIC\n{1:.12e},{2:.12e}\n*DENSITY\n{3:.12e}\n*SOLID "
                        "SECTION,ELSET=E{0},MATERIAL=M{0}\n",
                        i, material.youngs_modulus, material.poisson, material.density);
  }
  return text + "*STEP\n*FREQUENCY,SOLVER=MATRIXSTORAGE\n1\n*END STEP\n";
}

/// What the program says of its error, else the end of what it says.
std::string complaint(const std::string& output) {
  std::istringstream lines(output);
  std::vector<std::string> said, all;
  int rest = 0;
  for (std::string line; std::getline(lines, line);) {
    const std::size_t begin = line.find_first_not_of(" \t\r");
    if (begin == std::string::npos) {
      rest = 0;
      continue;
    }
    all.push_back(line.substr(begin));
    if (all.back().find("*ERROR") != std::string::npos) rest = 4;
    if (rest-- > 0 && said.size() < 8) said.push_back(all.back());
  }
  if (said.empty())
    said.assign(all.end() - std::min<std::ptrdiff_t>(3, static_cast<std::ptrdiff_t>(all.size())), all.end());
  std::string text;
  for (const std::string& line : said) text += "\n    " + line;
  return text;
}

/// Unknown of each row of the stored matrices: 3 node + direction. Unknowns inside of elements, with strains of their own, come last.
std::vector<int> unknowns_of_rows(const std::string& path, const SolidMesh& mesh) {
  std::unordered_map<int, int> place;
  for (std::size_t i = 0; i < mesh.numbers.size(); ++i) place[mesh.numbers[i]] = static_cast<int>(i);
  const auto has_own = [](const SolidElement& element) { return element.kind->own_strains; };
  const bool may_have_others = std::any_of(mesh.elements.begin(), mesh.elements.end(), has_own);
  std::ifstream file(path);
  std::vector<int> unknowns;
  int node = 0, direction = 0, known = 0, others = static_cast<int>(3 * mesh.nodes.cols());
  for (char dot = 0; file >> node >> dot >> direction;) {
    const auto found = place.find(node);
    if (dot != '.' || direction < 1 || direction > 3 || (found == place.end() && !may_have_others))
      refuse_part(
          fmt::format("CalculiX has an unknown {}.{} that is no displacement of a node of the mesh", node, direction));
    unknowns.push_back(found == place.end() ? others++ : 3 * found->second + direction - 1);
    known += found != place.end();
  }
  if (known != 3 * mesh.nodes.cols())
    refuse_part(
        fmt::format("CalculiX has {} unknowns for {} nodes, and must have three for each", known, mesh.nodes.cols()));
  return unknowns;
}

/// What is left of K where the last unknowns have no forces:  K_uu − K_ui K_ii⁻¹ K_iu.
SparseMatrix without_last(const SparseMatrix& K, Eigen::Index kept, const std::string& deck) {
  if (K.rows() == kept) return K;
  const Eigen::Index others = K.rows() - kept;
  const SparseMatrix K_ii = K.block(kept, kept, others, others), K_iu = K.block(kept, 0, others, kept);
  const Eigen::SimplicialLLT<SparseMatrix> factor(K_ii);
  if (factor.info() != Eigen::Success)
    refuse_part(fmt::format("{}: strains inside of elements have no stiffness", deck));
  const SparseMatrix inside = factor.solve(K_iu);
  return (K.topLeftCorner(kept, kept) - SparseMatrix(K_iu.transpose() * inside)).pruned();
}

/// One triangle, as lines of row, column and value.
SparseMatrix stored_matrix(const std::string& path, const std::vector<int>& unknowns) {
  const std::string text = read_file(path);
  const char *at = text.data(), *const end = at + text.size();
  const auto n = static_cast<int>(unknowns.size());
  std::vector<Eigen::Triplet<double>> entries;
  entries.reserve(text.size() / 24);
  const auto next = [&](auto& value) {
    while (at < end && (*at == ' ' || *at == '\n' || *at == '\r')) ++at;
    const auto result = std::from_chars(at, end, value);
    at = result.ptr;
    return result.ec == std::errc();
  };
  for (int row = 0, column = 0; next(row);) {
    double value = 0;
    if (!next(column) || !next(value) || row < 1 || column < 1 || row > n || column > n)
      refuse_part(fmt::format("what CalculiX wrote in {} is not a matrix of {} unknowns",
                              std::filesystem::path(path).filename().string(), n));
    const auto [i, j] = std::minmax(unknowns[row - 1], unknowns[column - 1]);
    entries.emplace_back(i, j, value);
  }
  SparseMatrix triangle(n, n);
  triangle.setFromTriplets(entries.begin(), entries.end());
  return SparseMatrix(triangle.selfadjointView<Eigen::Upper>());
}

}  // namespace

ElementPart read_calculix_part(const std::string& deck, const MeshOptions& options, const WorkWatch& watch) {
  MeshFile file = read_calculix_deck(deck, options);
  ElementPart part;
  Structure& structure = part.structure;
  structure.name = std::filesystem::path(deck).stem().string();
  structure.source =
      fmt::format("{}: {} solid elements, {} nodes; K and M by CalculiX",
                  std::filesystem::path(deck).filename().string(), file.mesh.elements.size(), file.mesh.nodes.cols());
  structure.nodes = file.mesh.nodes;
  {
    const TemporaryFolder folder;
    write_file(folder.file("part.inp"), storage_deck(file.mesh));
    const ProgramOutcome outcome = run_program({"ccx", "-i", "part"}, folder, watch, "CalculiX");
    if (!outcome.found) refuse_part("CalculiX (ccx) was not found: install the package calculix-ccx");
    const bool complete = std::filesystem::exists(folder.file("part.sti")) &&
                          std::filesystem::exists(folder.file("part.mas")) &&
                          std::filesystem::exists(folder.file("part.dof"));
    if (outcome.code != 0 || !complete || outcome.output.find("*ERROR") != std::string::npos)
      refuse_part(fmt::format("{}: CalculiX stopped with an error:{}", deck, complaint(outcome.output)));
    const std::vector<int> unknowns = unknowns_of_rows(folder.file("part.dof"), file.mesh);
    watch.at("matrices", 0);
    structure.stiffness =
        without_last(stored_matrix(folder.file("part.sti"), unknowns), 3 * structure.nodes.cols(), deck);
    watch.at("matrices", 0.5);
    const SparseMatrix M = stored_matrix(folder.file("part.mas"), unknowns);
    set_mass(M.topLeftCorner(3 * structure.nodes.cols(), 3 * structure.nodes.cols()), deck, structure);
  }
  check_stiffness(structure, deck);
  if (const double mass = structure.weights.sum(); !options.units && mass > 1e6)
    refuse_part(fmt::format(
        "{}: the part has a mass of {:.3g} kg and is {:.3g} m long; if its lengths are millimetres, say --units mm; if "
        "it is right, say --units m",
        deck, mass, (structure.nodes.rowwise().maxCoeff() - structure.nodes.rowwise().minCoeff()).maxCoeff()));
  add_surface(file.mesh, structure);
  part.numbers = std::move(file.mesh.numbers);
  part.sets = std::move(file.mesh.node_sets);
  part.remarks = std::move(file.remarks);
  return part;
}

}  // namespace bricard::io
