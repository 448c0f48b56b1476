// SPDX-License-Identifier: Apache-2.0
#include "reference/cantilever.h"

#include "bricard/solve/newton_system.h"

namespace bricard::testing {
namespace {

class DeadLoad final : public ElementBatch {
 public:
  DeadLoad(int node, int v, int block, const EndLoad& load) : node_(node), v_(v), block_(block), load_(load) {}
  const char* kind() const override { return "dead load"; }
  void add_couplings(std::vector<Coupling>& couplings) const override { couplings.push_back({block_, block_}); }
  void add_residual(const Kinematics& k, Residual& r) const override {
    r.motion.segment<3>(v_) -= k.state->t * load_.force;
    r.motion.segment<3>(v_ + 3) -= k.state->t * k.frames[node_].R.transpose() * load_.moment;
  }
  void add_tangent(const Kinematics& k, Tangent& T) const override {
    const Matrix3d turn = skew(k.frames[node_].R.transpose() * load_.moment);
    T.add_diagonal(T.slots[0], 3, 3, Matrix3d(-T.w.q * k.state->t * turn));
  }

 private:
  int node_, v_, block_;
  EndLoad load_;
};

}  // namespace

BeamLine straight_line(double length, const Matrix6d& stiffness, const Matrix6d& mass) {
  BeamLine line;
  line.length = length;
  line.pose = [](double s) { return Pose{{s, 0, 0}, Matrix3d::Identity()}; };
  line.stiffness = [stiffness](double) { return stiffness; };
  line.mass = [mass](double) { return mass; };
  return line;
}

Matrix6d diagonal(double EA, double GAy, double GAz, double GJ, double EIy, double EIz) {
  Vector6d C;
  C << EA, GAy, GAz, GJ, EIy, EIz;
  return C.asDiagonal();
}

Cantilever::Cantilever(const BeamLine& line, const BeamMesh& mesh, const EndLoad& load, const Vector3d& gravity) {
  const std::vector<double> places = mesh.nodes();
  nodes.push_back(0);
  for (size_t i = 1; i < places.size(); ++i) nodes.push_back(system.add_frame("n" + std::to_string(i)));
  BeamParts parts;
  add_beam(line, mesh, nodes, system, parts);
  add_batches(parts, system);
  system.add(std::make_unique<RigidBodies>(beam_masses(line, mesh, nodes, system), gravity));
  system.add(std::make_unique<DeadLoad>(nodes.back(), end().v, end().block, load));
  state = system.make_state();
  for (size_t i = 1; i < places.size(); ++i) {
    const Pose pose = line.pose(places[i]);
    const FrameNode& node = system.nodes()[nodes[i]];
    state.q.segment<3>(node.q) = pose.p;
    store_quaternion(state.q, node.q + 3, Quaterniond(pose.R));
  }
}

Kinematics Cantilever::kinematics() const {
  Kinematics k = system.make_kinematics();
  system.update(state, k);
  return k;
}

int Cantilever::solve(int load_steps) {
  NewtonSystem newton(system, SolverType::sparse_lu);
  const std::vector<Matrix3d> chart(system.nodes().size(), Matrix3d::Identity());
  const NewtonForm statics{1, 1, 0, 0, 1, 0, {0, false}};
  Kinematics k = system.make_kinematics();
  Residual r = system.make_residual();
  VectorXd dz = VectorXd::Zero(system.velocities()), dlambda;
  int corrections = 0;
  for (int load = 1; load <= load_steps; ++load) {
    state.t = static_cast<double>(load) / load_steps;
    double last = 1e300;
    for (int iteration = 0;; ++iteration, ++corrections) {
      system.update(state, k);
      system.residual(k, r);
      newton.factorize(k, chart, statics);
      newton.correction(r, dz, dlambda);
      const double size = dz.lpNorm<Eigen::Infinity>();
      if (!(size < 1e6) || iteration > 60) return -1;
      system.manifold().retract(state.q, dz, state.q);
      if (size < 1e-9 && (size < 1e-14 || size > 0.1 * last)) break;
      last = size;
    }
  }
  return corrections;
}

}  // namespace bricard::testing
