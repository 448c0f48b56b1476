// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "bricard/analysis/eigenmodes.h"
#include "bricard/assemble/assemble.h"
#include "bricard/assemble/beam_line.h"
#include "bricard/assemble/variant.h"

// Who moves and who is strained in a mode: shares of φᴴMφ by bodies and of φᴴKφ by forces.
namespace bricard {
namespace {

constexpr double kWorthAWord = 0.01;  // of an energy
constexpr double kInLabel = 0.1;
constexpr size_t kMaxForces = 300;  // beyond, only kinetic energies: each force is assembled alone
constexpr double kRigid = 1e-12;    // of φᴴMφ ω² against the largest stiffness

using Complex = std::complex<double>;

struct ForceStiffness {
  std::string name;
  SparseRows K;
};

/// The model without anything that is strained.
Model without_forces(const Model& model) {
  Model bare = model;
  bare.sources.clear();
  bare.signals.clear();
  bare.flexible_beams.clear();
  bare.gravity.setZero();
  for (Body& body : bare.bodies) {
    if (!body.part) continue;
    ReducedPart soft = *body.part;
    soft.stiffness.setZero();
    body.part = std::make_shared<const ReducedPart>(std::move(soft));
  }
  for_each_force_list(bare, [](auto& list) { list.clear(); });
  return bare;
}

SparseRows stiffness_of(const Model& model, const State& s) {
  const System system = assemble_variant(model);
  State at = system.make_state();
  at.t = s.t;
  at.q = s.q;
  Kinematics k = system.make_kinematics();
  system.update(at, k);
  system.track_angles(k, VectorXd(initial_wishes(model, system).angles), at.angles);
  SparseTangent tangent(system);
  tangent.evaluate(k, 1, 0, 0);
  return tangent.S();
}

std::vector<ForceStiffness> stiffness_of_forces(const Model& model, const State& s) {
  std::vector<ForceStiffness> found;
  size_t count = model.flexible_beams.size();
  for_each_force_list(model, [&](const auto& list) { count += list.size(); });
  if (count > kMaxForces) return found;
  Model one = without_forces(model);
  const auto add_kind = [&](const auto kind) {
    for (const auto& force : model.*kind) {
      one.*kind = {force};
      found.push_back({force.name, stiffness_of(one, s)});
    }
    (one.*kind).clear();
  };
  std::apply([&](const auto... kind) { (add_kind(kind), ...); }, Model::force_lists());
  add_kind(&Model::flexible_beams);
  return found;
}

double energy(const VectorXcd& phi, const SparseRows& K) {
  const VectorXcd K_phi = K * phi;
  return phi.dot(K_phi).real();
}

void sort_shares(std::vector<EnergyShare>& shares) {
  std::erase_if(shares, [](const EnergyShare& s) { return !(std::abs(s.share) >= kWorthAWord); });
  std::stable_sort(shares.begin(), shares.end(),
                   [](const EnergyShare& a, const EnergyShare& b) { return std::abs(a.share) > std::abs(b.share); });
}

/// A body, perhaps with shapes, or a beam with all its nodes.
struct Mover {
  std::string name;
  std::vector<const FrameNode*> nodes;
  const FlexibleInfo* flexible = nullptr;
};

std::vector<Mover> movers_of(const Model& model, const System& system) {
  std::map<std::string, const std::string*> beam_of;  // by the name of a node
  for (const FlexibleBeam& beam : model.flexible_beams) {
    const size_t nodes = beam_mesh(beam, beam_line(beam).length).nodes().size();
    for (size_t i = 0; i < nodes; ++i) beam_of[beam.node_name(i)] = &beam.name;
  }
  std::vector<Mover> movers;
  for (const FrameNode& node : system.nodes()) {
    if (node.block < 0) continue;
    const auto beam = beam_of.find(node.name);
    const std::string& name = beam == beam_of.end() ? node.name : *beam->second;
    if (movers.empty() || movers.back().name != name) movers.push_back({name, {}});
    movers.back().nodes.push_back(&node);
    for (const FlexibleInfo& body : system.flexible)
      if (node.block == system.nodes()[body.node].block) movers.back().flexible = &body;
  }
  return movers;
}

/// The axis of ground along or about which it moves most, by its share of the kinetic energy.
std::string way_of(const State& s, const Mover& mover, const VectorXcd& phi, const VectorXcd& moving) {
  double along = 0, about = 0;
  Vector3d moved = Vector3d::Zero(), turned = Vector3d::Zero();
  for (const FrameNode* node : mover.nodes) {
    along += phi.segment<3>(node->v).dot(moving.segment<3>(node->v)).real();
    about += phi.segment<3>(node->v + 3).dot(moving.segment<3>(node->v + 3)).real();
    const Eigen::Vector3cd turn =
        quaternion_at(s.q, node->q + 3).toRotationMatrix().cast<Complex>() * phi.segment<3>(node->v + 3);
    moved += phi.segment<3>(node->v).cwiseAbs2();
    turned += turn.cwiseAbs2();
  }
  Eigen::Index axis = 0;
  if (const FlexibleInfo* own = mover.flexible) {
    const auto shapes = phi.segment(own->v, own->shapes);
    if (shapes.dot(moving.segment(own->v, own->shapes)).real() > along + about) {
      shapes.cwiseAbs2().maxCoeff(&axis);
      return fmt::format("deforms in mode {}", axis + 1);
    }
  }
  (about > along ? turned : moved).maxCoeff(&axis);
  return fmt::format("{} {}", about > along ? "turns about" : "moves along", "xyz"[axis]);
}

std::string label_of(const std::vector<Mover>& movers, const State& s, const Eigenmode& mode, const VectorXcd& moving) {
  std::string text;
  for (const EnergyShare& share : mode.kinetic) {
    if (share.share < kInLabel && !text.empty()) break;
    const auto mover = std::find_if(movers.begin(), movers.end(), [&](const Mover& m) { return m.name == share.name; });
    text += fmt::format("{}{} {} {:.0f} %", text.empty() ? "" : ", ", share.name, way_of(s, *mover, mode.shape, moving),
                        100 * share.share);
  }
  std::string forces;
  for (const EnergyShare& share : mode.strain)
    if (std::abs(share.share) >= kInLabel)
      forces += fmt::format("{}{} {:.0f} %", forces.empty() ? "; strains " : ", ", share.name, 100 * share.share);
  return text + forces;
}

}  // namespace

void label_modes(const Model& model, const System& system, const State& s, const LinearEquations& equations,
                 std::vector<Eigenmode>& modes) {
  const std::vector<ForceStiffness> forces = stiffness_of_forces(model, s);
  const std::vector<Mover> movers = movers_of(model, system);
  const SparseRows &M = equations.mass(), &K = equations.stiffness();
  std::map<std::string, const Eigen::MatrixXd*> stiffness;  // of flexible bodies
  for (const Body& body : model.bodies)
    if (body.part) stiffness[body.name] = &body.part->stiffness;
  double stiffest = 0;
  for (const Eigenmode& mode : modes) stiffest = std::max(stiffest, std::norm(mode.s));
  for (Eigenmode& mode : modes) {
    const VectorXcd moving = M * mode.shape;
    const double total = mode.shape.dot(moving).real();
    for (const Mover& mover : movers) {
      if (!(total > 0)) break;
      mode.kinetic.push_back({mover.name, 0});
      for (const FrameNode* node : mover.nodes)
        mode.kinetic.back().share += mode.shape.segment(node->v, 6).dot(moving.segment(node->v, 6)).real() / total;
      if (const FlexibleInfo* own = mover.flexible)
        mode.kinetic.back().share +=
            mode.shape.segment(own->v, own->shapes).dot(moving.segment(own->v, own->shapes)).real() / total;
    }
    sort_shares(mode.kinetic);
    if (std::norm(mode.s) > kRigid * stiffest) {
      double sum = 0, rest = energy(mode.shape, K);
      for (const ForceStiffness& f : forces) {
        mode.strain.push_back({f.name, energy(mode.shape, f.K)});
        rest -= mode.strain.back().share;
      }
      for (const FlexibleInfo& own : system.flexible) {
        const VectorXcd eta = mode.shape.segment(own.v, own.shapes);
        mode.strain.push_back({own.name, eta.dot(stiffness.at(own.name)->cast<Complex>() * eta).real()});
        rest -= mode.strain.back().share;
      }
      mode.strain.push_back({"weight and joint forces", rest});
      for (const EnergyShare& share : mode.strain) sum += std::abs(share.share);
      for (EnergyShare& share : mode.strain) share.share /= sum > 0 ? sum : 1;
      sort_shares(mode.strain);
    }
    mode.label = label_of(movers, s, mode, moving);
  }
}

}  // namespace bricard
