// SPDX-License-Identifier: Apache-2.0
#include "bricard/assemble/natural.h"

#include <cmath>
#include <complex>

#include "bricard/assemble/assemble.h"
#include "bricard/assemble/control.h"
#include "bricard/assemble/natural_sharing.h"
#include "bricard/elements/dot_products.h"
#include "bricard/elements/natural_frames.h"
#include "bricard/system/assertion.h"

namespace bricard {
namespace {

using Complex = std::complex<double>;
using Axes = Eigen::Matrix<double, 3, Eigen::Dynamic>;

/// The two axes of a plane, so that its normal is their cross product; all three in space.
Axes axes_of(Plane plane) {
  if (plane == Plane::none) return Matrix3d::Identity();
  const Vector3d n = normal_of(plane);
  Axes axes(3, 2);
  axes << Vector3d(n.z(), n.x(), n.y()), Vector3d(n.y(), n.z(), n.x());
  return axes;
}

Complex as_complex(const Eigen::Vector2d& x) { return {x.x(), x.y()}; }
Eigen::Vector2d as_vector(const Complex& z) { return {z.real(), z.imag()}; }
Eigen::Matrix2d as_matrix(const Complex& z) {
  return z.real() * Eigen::Matrix2d::Identity() + z.imag() * quarter_turn();
}

/// A body with its own variables: p(r) = Σ_k c_k(r) x_k for its points r.
template <int d>
struct Columns;

/// In the plane, with complex numbers and the body turned as the model file has it:  c₁ = (r − r₀)/w,  c₀ = 1 − c₁.
template <>
struct Columns<2> {
  Eigen::Matrix<double, 2, 3> flat;  ///< from body axes to the plane
  Complex r0, w;

  Columns(const FrameTable& frames, const Sharing& sharing, int node, const Axes& axes)
      : flat(axes.transpose() * frames[node].start.R) {
    const std::vector<int>& columns = sharing.columns[node];
    r0 = as_complex(flat * sharing.local(columns[0], node));
    w = as_complex(flat * sharing.local(columns[1], node)) - r0;
  }
  Complex direction(const Vector3d& u, int k) const { return (k == 0 ? -1.0 : 1.0) * as_complex(flat * u) / w; }
  Complex point(const Vector3d& r, int k) const {
    const Complex c = (as_complex(flat * r) - r0) / w;
    return k == 0 ? 1.0 - c : c;
  }
};

/// In space: c = A (1, r), the body's variables being a point and three that give directions.
template <>
struct Columns<3> {
  Eigen::Matrix4d A;

  Columns(const FrameTable&, const Sharing& sharing, int node, const Axes&) {
    const std::vector<int>& columns = sharing.columns[node];
    const Vector3d r0 = sharing.local(columns[0], node);
    Matrix3d D;
    for (int i = 0; i < 3; ++i) {
      const Vector3d x = sharing.local(columns[i + 1], node);
      D.col(i) = sharing.variables[columns[i + 1]].is_vector ? x : Vector3d(x - r0);
    }
    A.setZero();
    A.bottomRightCorner<3, 3>() = D.inverse();
    A.bottomLeftCorner<3, 1>() = -A.bottomRightCorner<3, 3>() * r0;
    A(0, 0) = 1;
    for (int i = 1; i < 4; ++i)
      if (!sharing.variables[columns[i]].is_vector) A.row(0) -= A.row(i);
  }
  double direction(const Vector3d& u, int k) const { return A.row(k).tail<3>().dot(u); }
  double point(const Vector3d& r, int k) const { return A(k, 0) + direction(r, k); }
};

Matrix3d as_matrix(double c) { return c * Matrix3d::Identity(); }

template <int d>
class Builder {
 public:
  Builder(const Model& model, const System& bodies, const State& start)
      : model_(model), named_(model), bodies_(bodies), start_(start), kinematics_(bodies.make_kinematics()) {
    bodies.update(start_, kinematics_);
    sharing_ = share_variables(named_, kinematics_, bodies.reference_length);
    made_.axes = axes_of(model.plane);
  }

  NaturalSystem make() {
    number_variables();
    for (size_t j = 0; j < sharing_.rows.size(); ++j) take_rows(static_cast<int>(j));
    for (JointRows& rows : sharing_.rows) leave_special(rows);
    refuse_reactions();
    System& system = made_.system;
    add_between_frames(model_, sharing_.rows, system);  // its multipliers come first
    if (system.batches().empty() && system.events.empty()) system.leave_followers_out();
    system.reference_mass = bodies_.reference_mass, system.reference_length = bodies_.reference_length;
    system.reference_stiffness = bodies_.reference_stiffness, system.reference_damping = bodies_.reference_damping;
    for (const int node : named_.frames.bodies()) add_body(node);
    for (const auto& [joint, count, first] : joint_blocks_) {
      const int block = system.add_multipliers(count);
      for (int i = 0; i < count; ++i) {
        joint_rows_[first + i].multipliers = block, joint_rows_[first + i].offset = i;
        joint_rows_[first + i].row = system.row_of(block) + i;
      }
      if (system.joints[joint].rows == 0)
        system.joints[joint].first_row = system.row_of(block), system.joints[joint].rows = count;
    }
    system.add(std::make_unique<NaturalFrames<d>>(std::move(frames_)));
    system.add(std::make_unique<NaturalMasses<d>>(masses_));
    if (!products_.empty()) system.add(std::make_unique<DotProducts<d, 3>>(products_));
    if (!joint_rows_.empty()) system.add(std::make_unique<DotProducts<d, 8>>(joint_rows_));
    if (!ties_.empty()) system.add(std::make_unique<NaturalTies<d>>(std::move(ties_)));
    made_.variables = std::move(sharing_.variables);
    return std::move(made_);
  }

 private:
  static constexpr int kColumns = NaturalMasses<d>::kColumns;

  /// Shared joints have no multipliers from which a reaction could be told: couplings that do not act are of formulas that
  /// see one.
  void refuse_reactions() const {
    std::vector<Coupling> couplings;
    for (const auto& batch : bodies_.batches()) batch->add_couplings(couplings);
    for (const Coupling& c : couplings)
      if (!c.acts)
        throw ModelError(
            {{{},
              "run.coordinates: a formula depends on the reaction of " + bodies_.row_name(bodies_.row_of(c.b)) +
                  ", which natural coordinates cannot take; use 'bodies'"}});
  }

  void number_variables() {
    for (NaturalPoint& x : sharing_.variables) {
      for (const BodyFixed& m : x.members)
        if (m.node == 0) x.place.fixed.head<d>() = made_.axes.transpose() * m.local, x.place.v = -2;
      if (x.place.v == -2) continue;
      x.place.block = made_.system.add_vector_block(d);
      x.place.v = made_.system.velocities() - d;
    }
    for (const int node : named_.frames.bodies()) {
      const int follower = made_.system.add_follower(named_.frames[node].name);
      BRICARD_ASSERT(follower == node);
    }
    add_inputs_and_states(model_, made_.system);
    for (NaturalPoint& x : sharing_.variables) x.place.row = x.place.is_fixed() ? made_.system.velocities() : x.place.v;
  }

  std::array<NaturalVariable, kColumns> variables_of(int node) const {
    std::array<NaturalVariable, kColumns> at;
    for (int k = 0; k < kColumns; ++k) at[k] = sharing_.variables[sharing_.columns[node][k]].place;
    return at;
  }

  void add_body(int node) {
    const Columns<d> c(named_.frames, sharing_, node, made_.axes);
    add_mass(node, c);
    add_frame(node, c);
    add_products(node);
    for (const int v : sharing_.tied[node]) add_tie(node, v, c);
  }

  //     M_kl = ∫ c_k* c_l dm,   with ∫ r dm = 0 and ∫ r rᵀ dm = ½ tr(J) 1 − J from the mass centre
  void add_mass(int node, const Columns<d>& c) {
    const FrameRow& b = named_.frames[node];
    typename NaturalMasses<d>::Item item;
    item.at = variables_of(node);
    if constexpr (d == 2) {
      const Vector3d n = named_.frames[node].start.R.transpose() * normal_of(model_.plane);
      const Complex first = -b.mass * c.r0 / c.w;  // ∫ c₁ dm
      const double second = (n.dot(b.inertia * n) + b.mass * std::norm(c.r0)) / std::norm(c.w);
      const Complex mixed = first - second;
      item.m << b.mass - 2 * first.real() + second, mixed.real(), mixed.real(), second;
      item.n << 0, mixed.imag(), -mixed.imag(), 0;
      const Complex g = as_complex(made_.axes.transpose() * model_.gravity);
      item.weight = {as_vector(std::conj(b.mass - first) * g), as_vector(std::conj(first) * g)};
      item.potential = -b.mass * height(node) * normal_of(model_.plane).dot(model_.gravity);
    } else {
      Eigen::Matrix4d Z = Eigen::Matrix4d::Zero();
      Z(0, 0) = b.mass;
      Z.bottomRightCorner<3, 3>() = 0.5 * b.inertia.trace() * Matrix3d::Identity() - b.inertia;
      item.m = c.A * Z * c.A.transpose();
      item.n.setZero();
      for (int k = 0; k < 4; ++k) item.weight[k] = b.mass * c.A(k, 0) * model_.gravity;
    }
    masses_.push_back(item);
  }

  double height(int node) const { return normal_of(model_.plane).dot(kinematics_.frames[node].p); }

  void add_frame(int node, const Columns<d>& c) {
    NaturalFrame<d> f;
    f.node = node;
    f.at = variables_of(node);
    f.c.setZero();
    for (int k = 0; k < kColumns; ++k) {
      f.C[k].template topRows<3>() = made_.axes * as_matrix(c.point(Vector3d::Zero(), k));
      for (int j = 0; j < 3; ++j)
        f.C[k].template middleRows<3>(3 + 3 * j) = made_.axes * as_matrix(c.direction(Vector3d::Unit(j), k));
    }
    if constexpr (d == 2) {
      const Vector3d n = normal_of(model_.plane);
      const Matrix3d R = named_.frames[node].start.R;
      f.c.template head<3>() = height(node) * n;
      for (int j = 0; j < 3; ++j) f.c.template segment<3>(3 + 3 * j) = n.dot(R.col(j)) * n;
    }
    frames_.push_back(f);
  }

  /// Lengths of directions and angles between them, as lengths; those between fixed variables are left out.
  void add_products(int node) {
    const std::vector<int>& columns = sharing_.columns[node];
    std::vector<typename DotProducts<d, 3>::Item> rows;
    for (int i = 1; i < kColumns; ++i)
      for (int j = i; j < kColumns; ++j) {
        typename DotProducts<d, 3>::Item row;
        const Vector3d d_i = add_direction(node, columns[0], columns[i], row.i);
        const Vector3d d_j = add_direction(node, columns[0], columns[j], row.j);
        if (row.i.count + row.j.count == 0) continue;
        row.c = d_i.dot(d_j);
        row.scale = (i == j ? 0.5 : 1.0) * row_scale(columns[i], d_i) * row_scale(columns[j], d_j);
        row.offset = static_cast<int>(rows.size());
        rows.push_back(row);
      }
    if (rows.empty()) return;
    const int multipliers = made_.system.add_multipliers(static_cast<int>(rows.size()));
    made_.system.equations.push_back({EquationInfo::Kind::rigid, named_.frames[node].name, "shape",
                                      made_.system.row_of(multipliers), static_cast<int>(rows.size())});
    for (auto& row : rows) {
      row.multipliers = multipliers;
      row.row = made_.system.row_of(multipliers) + row.offset;
      products_.push_back(row);
    }
  }

  /// So that a row is a length whatever it is made of.
  double row_scale(int variable, const Vector3d& direction) const {
    return std::sqrt(sharing_.variables[variable].is_vector ? bodies_.reference_length : 1 / direction.norm());
  }

  /// Adds x, or x − x₀ if it is a point; returns the direction in the body (in the plane: flat).
  Vector3d add_direction(int node, int first, int variable, NaturalSum<d, 3>& sum) const {
    Vector3d direction = sharing_.local(variable, node);
    sum.add(sharing_.variables[variable].place, 1);
    if (!sharing_.variables[variable].is_vector) {
      sum.add(sharing_.variables[first].place, -1);
      direction -= sharing_.local(first, node);
    }
    if (d == 3) return direction;
    return made_.axes * (made_.axes.transpose() * named_.frames[node].start.R * direction);
  }

  /// A point or a direction of a body, or of ground, as a sum of variables.
  void add_local(const MarkerPose& m, const Vector3d& local, bool is_point, double factor,
                 NaturalSum<d, 8>& sum) const {
    if (m.node == 0) {
      sum.constant += factor * (made_.axes.transpose() * local);
      return;
    }
    const Columns<d> c(named_.frames, sharing_, m.node, made_.axes);
    for (int k = 0; k < kColumns; ++k) {
      const Complex weight = is_point ? c.point(local, k) : c.direction(local, k);
      sum.add(sharing_.variables[sharing_.columns[m.node][k]].place, factor * weight.real(), factor * weight.imag());
    }
  }

  /// Rows that are products of directions: slides a·(p_j − p_i), angles a·b, distances.
  void take_rows(int joint) {
    const JointRows& rows = sharing_.rows[joint];
    const MarkerPose &i = rows.markers[0], &j = rows.markers[1];
    const size_t before = joint_rows_.size();
    const auto add = [&](const NaturalSum<d, 8>& first, const NaturalSum<d, 8>& second, double c, double scale) {
      if (first.count + second.count > 0) joint_rows_.push_back({first, second, c, scale, 0, 0, 0});
    };
    NaturalSum<d, 8> between;
    add_local(j, j.r, true, 1, between);
    add_local(i, i.r, true, -1, between);
    for (const int axis : rows.primitives.slides) {
      NaturalSum<d, 8> along;
      add_local(i, i.R.col(axis), false, 1, along);
      add(along, between, 0, 1);
    }
    for (const AxisPair& pair : rows.primitives.axes) {
      NaturalSum<d, 8> a, b;
      add_local(i, i.R.col(pair.of_first), false, 1, a);
      add_local(j, j.R.col(pair.of_second), false, 1, b);
      add(a, b, 0, bodies_.reference_length);
    }
    if (joint_rows_.size() > before)
      joint_blocks_.push_back({joint, static_cast<int>(joint_rows_.size() - before), before});
  }

  /// What is left for elements on frames.
  static void leave_special(JointRows& rows) {
    rows.primitives.slides.clear();
    rows.primitives.axes.clear();
  }

  void add_tie(int node, int variable, const Columns<d>& c) {
    const NaturalPoint& x = sharing_.variables[variable];
    typename NaturalTies<d>::Item tie;
    tie.count = kColumns + 1;
    tie.at[kColumns] = x.place;
    const double scale = x.is_vector ? bodies_.reference_length : 1;
    tie.c[kColumns] = scale;
    bool moves = !x.place.is_fixed();
    const auto at = variables_of(node);
    for (int k = 0; k < kColumns; ++k) {
      const Vector3d& local = sharing_.local(variable, node);
      const Complex weight = x.is_vector ? c.direction(local, k) : c.point(local, k);
      tie.at[k] = at[k];
      tie.c[k] = -scale * weight.real();
      tie.e[k] = -scale * weight.imag();
      moves = moves || !at[k].is_fixed();
    }
    if (!moves) return;
    tie.multipliers = made_.system.add_multipliers(d);
    tie.row = made_.system.row_of(tie.multipliers);
    ties_.push_back(tie);
  }

  const Model& model_;
  Named named_;
  const System& bodies_;
  const State& start_;
  Kinematics kinematics_;
  Sharing sharing_;
  NaturalSystem made_;
  std::vector<typename NaturalMasses<d>::Item> masses_;
  std::vector<typename DotProducts<d, 3>::Item> products_;
  std::vector<typename DotProducts<d, 8>::Item> joint_rows_;
  struct JointBlock {
    int joint, count;
    size_t first;
  };
  std::vector<JointBlock> joint_blocks_;  // which of joint_rows_ belong to one joint
  std::vector<typename NaturalTies<d>::Item> ties_;
  std::vector<NaturalFrame<d>> frames_;
};

}  // namespace

NaturalSystem assemble_natural(const Model& model, const System& bodies, const State& start) {
  if (model.plane == Plane::none) return Builder<3>(model, bodies, start).make();
  return Builder<2>(model, bodies, start).make();
}

namespace {

/// Differential states, which both systems have in the same order.
void copy_states(const System& from, const State& s, const System& to, State& out) {
  for (size_t i = 0; i < from.states.size(); ++i) {
    out.v[to.states[i].v] = s.v[from.states[i].v];
    out.a[to.states[i].v] = s.a[from.states[i].v];
  }
}

}  // namespace

State NaturalSystem::from_bodies(const System& bodies, const State& s) const {
  State natural = system.make_state();
  natural.t = s.t;
  carry_over(s, natural);
  Kinematics k = bodies.make_kinematics();
  bodies.update(s, k);
  const int d = static_cast<int>(axes.cols());
  for (const NaturalPoint& x : variables) {
    if (x.place.is_fixed()) continue;
    const BodyFixed& m = x.members[0];
    const Frame& f = k.frames[m.node];
    const FrameNode& node = bodies.nodes()[m.node];
    const double with_origin = x.is_vector ? 0 : 1;
    const Vector3d spin = f.w.cross(m.local), turning = s.a.segment<3>(node.v + 3);
    natural.q.segment(x.place.v, d) = axes.transpose() * (with_origin * f.p + f.R * m.local);
    natural.v.segment(x.place.v, d) = axes.transpose() * (with_origin * f.v + f.R * spin);
    natural.a.segment(x.place.v, d) =
        axes.transpose() * (with_origin * s.a.segment<3>(node.v) + f.R * (turning.cross(m.local) + f.w.cross(spin)));
  }
  copy_states(bodies, s, system, natural);
  return natural;
}

State NaturalSystem::to_bodies(const System& bodies, const State& natural) const {
  State s = bodies.make_state();
  s.t = natural.t;
  carry_over(natural, s);
  Kinematics k = system.make_kinematics();
  system.update(natural, k);
  system.complete(natural, k);
  for (size_t n = 1; n < bodies.nodes().size(); ++n) {
    const FrameNode& node = bodies.nodes()[n];
    s.q.segment<3>(node.q) = k.frames[n].p;
    store_quaternion(s.q, node.q + 3, Quaterniond(k.frames[n].R).normalized());
    s.v.segment<3>(node.v) = k.frames[n].v;
    s.v.segment<3>(node.v + 3) = k.frames[n].w;
    s.a.segment<6>(node.v) = k.acceleration(system.v_of(static_cast<int>(n)));
  }
  copy_states(system, natural, bodies, s);
  return s;
}

}  // namespace bricard
