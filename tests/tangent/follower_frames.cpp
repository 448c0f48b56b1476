// SPDX-License-Identifier: Apache-2.0
#include "tangent/follower_frames.h"

#include "bricard/elements/modal_interfaces.h"
#include "bricard/elements/natural_frames.h"
#include "bricard/elements/rigid_bodies.h"
#include "tangent/mass_cloud.h"

namespace bricard::testing {
namespace {

/// m η̈ + k η for one block.
class Modes final : public ElementBatch {
 public:
  Modes(int block, int q, int v) : block_(block), q_(q), v_(v) {}
  const char* kind() const override { return "modes"; }
  void add_couplings(std::vector<Coupling>& couplings) const override { couplings.push_back({block_, block_}); }
  void add_residual(const Kinematics& k, Residual& r) const override {
    r.motion.segment<3>(v_) += kMass * k.state->a.segment<3>(v_) + kStiffness * k.state->q.segment<3>(q_);
  }
  void add_tangent(const Kinematics&, Tangent& T) const override {
    T.add_diagonal(T.slots[0], 0, 0, Matrix3d((T.w.a * kMass + T.w.q * kStiffness) * Matrix3d::Identity()));
  }
  double kinetic_energy(const Kinematics& k) const override {
    return 0.5 * kMass * k.state->v.segment<3>(v_).squaredNorm();
  }
  double potential_energy(const Kinematics& k) const override {
    return 0.5 * kStiffness * k.state->q.segment<3>(q_).squaredNorm();
  }

 private:
  static constexpr double kMass = 1.3, kStiffness = 4;
  int block_, q_, v_;
};

void add_modal_frames(System& s) {
  s.add_follower("first");
  s.add_follower("second");
  s.add_frame("first body");
  s.add_frame("second body");
  const int modes = s.add_vector_block(3), q = s.q_of(modes), v = s.blocks()[modes].first;
  const ReducedPart part = part_of(random_cloud(3, true, 3));
  std::vector<ModalInterfaces::Item> items;
  for (const int node : {1, 2})
    items.emplace_back(node, node + 2, s.nodes()[node + 2].block, modes, q, v, part.interfaces[node - 1]);
  s.add(std::make_unique<ModalInterfaces>(std::move(items)));
}

// A natural body: a point at r₀ and three vectors that are no unit vectors and not across each other. The point of the second
// one is fixed in space.
const Vector3d kPointOfBody[]{{0.2, -0.3, 0.1}, {-0.1, 0.4, 0.2}}, kFixed{0.5, -0.7, 0.3};
Matrix3d vectors_of(int body) {
  Matrix3d D;
  if (body == 0) D << 1, 0.2, -0.1, 0.3, 0.9, 0.2, -0.2, 0.1, 1.2;
  else D << 0.8, -0.3, 0.2, 0.1, 1.1, -0.2, 0.3, 0.2, 0.9;
  return D;
}
bool has_point(int body) { return body == 0; }
/// Where the unknowns of a body start; all are vectors, so that q and v are numbered alike.
int first_of(int body) { return body == 0 ? 0 : 12; }
int vector_of(int body, int i) { return first_of(body) + (has_point(body) ? 3 : 0) + 3 * i; }

std::array<NaturalVariable, 4> variables_of(int body) {
  std::array<NaturalVariable, 4> at;
  int next = first_of(body);
  for (int i = 0; i < 4; ++i) {
    if (i == 0 && !has_point(body)) {
      at[i].fixed = kFixed;
      continue;
    }
    at[i].block = next / 3, at[i].v = at[i].row = next;
    next += 3;
  }
  return at;
}

void add_natural_frames(System& s) {
  for (int i = 0; i < 7; ++i) s.add_vector_block(3);
  s.add_follower("first");
  s.add_follower("second");
  std::vector<NaturalFrame<3>> frames(2);
  for (int body = 0; body < 2; ++body) {
    NaturalFrame<3>& f = frames[body];
    const Matrix3d inverse = vectors_of(body).inverse();
    f.node = body + 1;
    f.at = variables_of(body);
    f.c.setZero();
    for (auto& C : f.C) C.setZero();
    f.C[0].topRows<3>().setIdentity();
    for (int i = 0; i < 3; ++i) {
      f.C[i + 1].topRows<3>() = -(inverse * kPointOfBody[body])[i] * Matrix3d::Identity();
      for (int j = 0; j < 3; ++j) f.C[i + 1].middleRows<3>(3 + 3 * j) = inverse(i, j) * Matrix3d::Identity();
    }
  }
  s.add(std::make_unique<NaturalFrames<3>>(std::move(frames)));
}

}  // namespace

const char* name_of(FrameKind kind) {
  return kind == FrameKind::own ? "" : kind == FrameKind::natural ? "OnNaturalBodies" : "OnModalInterfaces";
}

void add_frames(System& s, FrameKind kind) {
  if (kind == FrameKind::natural) return add_natural_frames(s);
  if (kind == FrameKind::modal) return add_modal_frames(s);
  s.add_frame("first");
  s.add_frame("second");
}

void add_followed_masses(System& s, FrameKind kind) {
  if (kind == FrameKind::modal) {
    std::vector<RigidBodies::Item> items;
    for (const int node : {3, 4})
      items.push_back({node, s.v_of(node), s.block_of(node), 1.5, Vector3d(1, 2, 1.5).asDiagonal()});
    s.add(std::make_unique<RigidBodies>(items, Vector3d(0, 0.5, -9.81)));
    const int modes = s.followers()[0].parts[1].block;
    s.add(std::make_unique<Modes>(modes, s.q_of(modes), s.blocks()[modes].first));
  } else if (kind == FrameKind::natural) {
    std::vector<NaturalMasses<3>::Item> items(2);
    for (int body = 0; body < 2; ++body) {
      items[body].at = variables_of(body);
      items[body].m = Eigen::Matrix4d::Constant(0.2) + Eigen::Matrix4d(Eigen::Vector4d(1, 2, 3, 4).asDiagonal());
      items[body].n.setZero();
      for (int i = 0; i < 4; ++i) items[body].weight[i] = Vector3d(0.1, -9.81, 1) * (1 + i);
    }
    s.add(std::make_unique<NaturalMasses<3>>(items));
  }
}

std::vector<Direction> directions(const System& system, const State& s, FrameKind kind) {
  std::vector<Direction> all;
  const int n = system.unknowns(), v = system.velocities();
  const auto add = [&](const VectorXd& x, const std::function<VectorXd(double)>& q) { all.push_back({x, q}); };
  const auto along = [&](int i) {
    const VectorXd x = VectorXd::Unit(n, i);
    add(x, [&system, q = s.q, dz = VectorXd(x.head(v))](double length) {
      VectorXd out = q;
      system.manifold().retract(q, length * dz, out);
      return out;
    });
  };
  const int of_bodies = kind == FrameKind::natural ? 21 : 0;
  for (int i = of_bodies; i < n; ++i) along(i);
  if (kind != FrameKind::natural) return all;
  for (int body = 0; body < 2; ++body)
    for (int axis = 0; axis < 3; ++axis) {
      const Vector3d e = Vector3d::Unit(axis);
      if (has_point(body)) along(first_of(body) + axis);
      VectorXd x = VectorXd::Zero(n);
      for (int i = 0; i < 3; ++i) {
        const int at = vector_of(body, i);
        x.segment<3>(at) = e.cross(s.q.segment<3>(at));
      }
      add(x, [q = s.q, body, e](double angle) {
        VectorXd out = q;
        for (int i = 0; i < 3; ++i)
          out.segment<3>(vector_of(body, i)) = exp_rotation(angle * e) * Vector3d(q.segment<3>(vector_of(body, i)));
        return out;
      });
    }
  return all;
}

//     x = p + R r,   ẋ = v + R (ω × r),   ẍ = a + R (α × r + ω × (ω × r));  the random numbers that are there are p, v, a, ω, α
void make_rigid(const System&, FrameKind kind, State& s) {
  if (kind != FrameKind::natural) return;
  for (int body = 0; body < 2; ++body) {
    const int first = vector_of(body, 0);
    const Matrix3d R = exp_rotation(Vector3d(s.q.segment<3>(first))).toRotationMatrix(), D = vectors_of(body);
    const Vector3d w = s.v.segment<3>(first), alpha = s.a.segment<3>(first);
    for (int i = 0; i < 3; ++i) {
      const int at = vector_of(body, i);
      const Vector3d d = D.col(i);
      s.q.segment<3>(at) = R * d;
      s.v.segment<3>(at) = R * w.cross(d);
      s.a.segment<3>(at) = R * (alpha.cross(d) + w.cross(w.cross(d)));
    }
  }
}

}  // namespace bricard::testing
