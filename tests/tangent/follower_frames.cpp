// SPDX-License-Identifier: Apache-2.0
#include "tangent/follower_frames.h"

#include "bricard/elements/natural_frames.h"
#include "bricard/elements/rigid_bodies.h"

namespace bricard::testing {
namespace {

// A flexible body's interface: its frame B and modal coordinates η that move it and turn it about an axis n,
//     p = p_B + R_B (r + Φ η),   R = R_B Exp(n cᵀη)
class ModalFrames final : public FollowerBatch {
 public:
  struct Item {
    int node, body, q;  ///< q: where η starts
    int v;
    Vector3d r;
    Matrix3d Phi;
    Vector3d n, c;
  };
  ModalFrames(std::vector<Item> items, std::vector<Follower> followers)
      : items_(std::move(items)), followers_(std::move(followers)) {}

  const char* kind() const override { return "modal interface"; }
  const std::vector<Follower>& followers() const override { return followers_; }
  bool has_bias() const override { return true; }

  void update(const State& s, std::vector<Frame>& frames) const override {
    for (const Item& e : items_) {
      const Frame& B = frames[e.body];
      const Vector3d eta = s.q.segment<3>(e.q), rate = s.v.segment<3>(e.v);
      const Matrix3d E = turn(e, eta);
      Frame& f = frames[e.node];
      f.p = B.p + B.R * (e.r + e.Phi * eta);
      f.R = B.R * E;
      f.v = B.v + B.R * (B.w.cross(e.r + e.Phi * eta) + e.Phi * rate);
      f.w = E.transpose() * B.w + e.n * e.c.dot(rate);
    }
  }

  void jacobian(const Kinematics& k, int i, Eigen::Ref<Matrix6Xd> J) const override {
    const Item& e = items_[i];
    const Vector3d eta = k.state->q.segment<3>(e.q);
    const Matrix3d& R = k.frames[e.body].R;
    J.topRows<3>() << Matrix3d::Identity(), -R * skew(e.r + e.Phi * eta), R * e.Phi;
    J.bottomRows<3>() << Matrix3d::Zero(), turn(e, eta).transpose(), e.n * e.c.transpose();
  }

  void gradient(const Kinematics& k, int i, const Eigen::Ref<const VectorXd>& x,
                Eigen::Ref<Matrix6Xd> V) const override {
    const Item& e = items_[i];
    const Vector3d eta = k.state->q.segment<3>(e.q), turning = x.segment<3>(3), modes = x.segment<3>(6);
    const Matrix3d& R = k.frames[e.body].R;
    const Vector3d velocity = turning.cross(e.r + e.Phi * eta) + e.Phi * modes;
    V.topRows<3>() << Matrix3d::Zero(), -R * skew(velocity), R * skew(turning) * e.Phi;
    V.bottomRows<3>() << Matrix3d::Zero(), Matrix3d::Zero(),
        -e.n.cross(turn(e, eta).transpose() * turning) * e.c.transpose();
  }

  //     J̇ v = (R (ω × (ω × s) + 2 ω × ṡ),  −n × (Eᵀω) φ̇)
  void bias_gradient(const Kinematics& k, int i, Eigen::Ref<Matrix6Xd> Q) const override {
    const Item& e = items_[i];
    const Vector3d eta = k.state->q.segment<3>(e.q), rate = k.state->v.segment<3>(e.v);
    const Frame& B = k.frames[e.body];
    const Vector3d u = B.w.cross(B.w.cross(e.r + e.Phi * eta)) + 2 * B.w.cross(e.Phi * rate);
    const Vector3d seen = turn(e, eta).transpose() * B.w;
    Q.topRows<3>() << Matrix3d::Zero(), -B.R * skew(u), B.R * skew(B.w) * skew(B.w) * e.Phi;
    Q.bottomRows<3>() << Matrix3d::Zero(), Matrix3d::Zero(),
        e.c.dot(rate) * e.n.cross(e.n.cross(seen)) * e.c.transpose();
  }

 private:
  static Matrix3d turn(const Item& e, const Vector3d& eta) {
    return exp_rotation(e.n * e.c.dot(eta)).toRotationMatrix();
  }
  std::vector<Item> items_;
  std::vector<Follower> followers_;
};

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
  Matrix3d Phi, Psi;
  Phi << 0.3, -0.1, 0.2, 0.1, 0.4, -0.2, -0.3, 0.2, 0.1;
  Psi << -0.2, 0.3, 0.1, 0.2, 0.1, 0.3, 0.1, -0.1, 0.4;
  std::vector<ModalFrames::Item> items{
      {1, 3, q, v, {0.4, -0.2, 0.3}, Phi, Vector3d(1, 2, -1).normalized(), {0.3, -0.5, 0.2}},
      {2, 4, q, v, {-0.3, 0.5, 0.1}, Psi, Vector3d(-1, 1, 3).normalized(), {0.2, 0.4, -0.3}}};
  std::vector<Follower> followers{{1, {s.nodes()[3].block, modes}}, {2, {s.nodes()[4].block, modes}}};
  s.add(std::make_unique<ModalFrames>(std::move(items), std::move(followers)));
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
