// SPDX-License-Identifier: Apache-2.0
#include "bricard/elements/beams.h"

#include <algorithm>
#include <cmath>

namespace bricard {
namespace {

// ---- shape functions -------------------------------------------------------------------------------------------------

/// The node from which an element looks at the others: the first of two, the middle of three, the second of four.
template <int Nodes>
constexpr int kReference = Nodes == 2 ? 0 : 1;

/// Nᵢ and dNᵢ/dξ of the nodes other than the reference at Gauss' points, ξ from 0 to 1. A helix has the end of it in their
/// place, ψ itself.
template <int Nodes>
struct Shapes {
  std::array<std::array<double, Nodes - 1>, Nodes - 1> N{}, slope{};  // [point][node]
  std::array<double, Nodes - 1> weight{};

  Shapes() {
    const BeamRule rule(Nodes);
    for (int p = 0; p < Nodes - 1; ++p) {
      weight[p] = rule.point_weights[p];
      for (int i = 0, column = 0; i < Nodes; ++i) {
        if (i == kReference<Nodes>) continue;
        double value = 1, derivative = 0;
        for (int j = 0; j < Nodes; ++j) {
          if (j == i) continue;
          const double distance = rule.nodes[i] - rule.nodes[j], factor = (rule.points[p] - rule.nodes[j]) / distance;
          derivative = derivative * factor + value / distance;
          value *= factor;
        }
        N[p][column] = Nodes == 2 ? 1 : value;
        slope[p][column] = derivative;
        ++column;
      }
    }
  }
};

template <int Nodes>
const Shapes<Nodes>& shapes() {
  static const Shapes<Nodes> all;
  return all;
}

// ---- the element seen from its reference -------------------------------------------------------------------------------

template <int Nodes>
struct Relative {
  static constexpr int kOthers = Nodes - 1;
  const Frame* reference;
  std::array<const Frame*, kOthers> frame;
  std::array<int, kOthers> node;  // number in the element
  std::array<Vector3d, kOthers> d, psi;
  std::array<RotationMap, kOthers> inverse;  // T(ψ)⁻¹

  template <class FrameOf>
  explicit Relative(const FrameOf& frame_of) {
    reference = &frame_of(kReference<Nodes>);
    const Matrix3d Rt = reference->R.transpose();
    for (int i = 0, n = 0; n < Nodes; ++n) {
      if (n == kReference<Nodes>) continue;
      frame[i] = &frame_of(n);
      node[i] = n;
      d[i] = Rt * (frame[i]->p - reference->p);
      psi[i] = log_rotation(Quaterniond(Matrix3d(Rt * frame[i]->R)));
      inverse[i] = inverse_tangent_map(CosineSeries(0.25 * psi[i].squaredNorm()));
      ++i;
    }
  }

  //     ḋ = Rᵀ(v − v_r) + d × ω_r,    ψ̇ = T⁻¹ω − T⁻ᵀω_r
  Vector3d d_rate(int i) const {
    return reference->R.transpose() * (frame[i]->v - reference->v) + d[i].cross(reference->w);
  }
  Vector3d psi_rate(int i) const {
    return inverse[i].apply(psi[i], frame[i]->w) - inverse[i].transposed().apply(psi[i], reference->w);
  }
};

/// Strains at a point with their derivatives after d′, ψ and ψ′:
///     δΓ = F δd′ + G δψ,    δκ = D δψ + T δψ′
template <int Nodes>
struct PointStrain {
  Vector3d d_slope = Vector3d::Zero(), psi = Vector3d::Zero(), psi_slope = Vector3d::Zero();
  RotationMap stretch, bend;  // Γ = stretch d′, κ = bend ψ′
  std::array<double, Nodes - 1> N, slope;
  Vector6d strain;

  PointStrain(const Relative<Nodes>& x, int point, double length) {
    const Shapes<Nodes>& all = shapes<Nodes>();
    for (int i = 0; i < Nodes - 1; ++i) {
      N[i] = all.N[point][i], slope[i] = all.slope[point][i] / length;
      d_slope += slope[i] * x.d[i];
      psi += N[i] * x.psi[i];
      psi_slope += slope[i] * x.psi[i];
    }
    if constexpr (Nodes == 2) {
      stretch = x.inverse[0].transposed();
      bend = RotationMap{};
    } else {
      const CosineSeries series(psi.squaredNorm());
      stretch = exp_map(series).transposed();
      bend = tangent_map(series);
    }
    strain << stretch.apply(psi, d_slope), bend.apply(psi, psi_slope);
  }

  //     stretch and bend are functions of ψ: their rates take ψ̇
  Vector6d rate(const Relative<Nodes>& x) const {
    Vector3d of_d = Vector3d::Zero(), of_psi = Vector3d::Zero(), of_slope = Vector3d::Zero();
    for (int i = 0; i < Nodes - 1; ++i) {
      const Vector3d psi_rate = x.psi_rate(i);
      of_d += slope[i] * x.d_rate(i), of_psi += N[i] * psi_rate, of_slope += slope[i] * psi_rate;
    }
    Vector6d result;
    result << stretch.apply(psi, of_d) + stretch.derivative(psi, d_slope) * of_psi,
        bend.apply(psi, of_slope) + bend.derivative(psi, psi_slope) * of_psi;
    return result;
  }

  using Row = Eigen::Matrix<double, 6, 6 * (Nodes - 1)>;

  /// B: δε after (d, ψ) of each node.
  Row derivative() const {
    const Matrix3d F = stretch.matrix(psi), G = stretch.derivative(psi, d_slope);
    const Matrix3d T = bend.matrix(psi), D = bend.derivative(psi, psi_slope);
    Row B;
    for (int i = 0; i < Nodes - 1; ++i) {
      B.template block<3, 3>(0, 6 * i) = slope[i] * F;
      B.template block<3, 3>(0, 6 * i + 3) = N[i] * G;
      B.template block<3, 3>(3, 6 * i).setZero();
      B.template block<3, 3>(3, 6 * i + 3) = N[i] * D + slope[i] * T;
    }
    return B;
  }

  /// ∂(B ẏ)/∂y at fixed ẏ, line by line from the second derivatives of the strains.
  Row derivative_of_rate(const Relative<Nodes>& x) const {
    Vector3d of_d = Vector3d::Zero(), of_psi = Vector3d::Zero(), of_slope = Vector3d::Zero();
    for (int i = 0; i < Nodes - 1; ++i) {
      const Vector3d psi_rate = x.psi_rate(i);
      of_d += slope[i] * x.d_rate(i), of_psi += N[i] * psi_rate, of_slope += slope[i] * psi_rate;
    }
    Matrix3d by_d, stretch_by_psi, by_slope, bend_by_psi;
    for (int line = 0; line < 3; ++line) {
      const Vector3d e = Vector3d::Unit(line);
      by_d.row(line) = (stretch.transposed().derivative(psi, e) * of_psi).transpose();
      by_slope.row(line) = (bend.transposed().derivative(psi, e) * of_psi).transpose();
      stretch_by_psi.row(line) = (stretch.hessian(psi, e, d_slope) * of_psi).transpose();
      bend_by_psi.row(line) = (bend.hessian(psi, e, psi_slope) * of_psi).transpose();
    }
    stretch_by_psi += stretch.derivative(psi, of_d);
    bend_by_psi += bend.derivative(psi, of_slope);
    Row D;
    for (int i = 0; i < Nodes - 1; ++i) {
      D.template block<3, 3>(0, 6 * i) = slope[i] * by_d;
      D.template block<3, 3>(0, 6 * i + 3) = N[i] * stretch_by_psi;
      D.template block<3, 3>(3, 6 * i).setZero();
      D.template block<3, 3>(3, 6 * i + 3) = N[i] * bend_by_psi + slope[i] * by_slope;
    }
    return D;
  }

  /// w σ·∂²ε/∂y², added to H.
  template <class Hessian>
  void add_geometric(double w, const Vector6d& force, Hessian& H) const {
    const Vector3d n = w * force.template head<3>(), m = w * force.template tail<3>();
    const Matrix3d with_d = stretch.transposed().derivative(psi, n);
    Matrix3d of_psi = stretch.hessian(psi, n, d_slope), with_slope;
    if constexpr (Nodes > 2) {
      of_psi += bend.hessian(psi, m, psi_slope);
      with_slope = bend.transposed().derivative(psi, m);
    }
    for (int i = 0; i < Nodes - 1; ++i)
      for (int j = 0; j < Nodes - 1; ++j) {
        const Matrix3d mixed = slope[i] * N[j] * with_d;
        H.template block<3, 3>(6 * i, 6 * j + 3) += mixed;
        H.template block<3, 3>(6 * j + 3, 6 * i) += mixed.transpose();
        H.template block<3, 3>(6 * i + 3, 6 * j + 3) += N[i] * N[j] * of_psi;
        if constexpr (Nodes > 2)
          H.template block<3, 3>(6 * i + 3, 6 * j + 3) +=
              slope[i] * N[j] * with_slope + N[i] * slope[j] * with_slope.transpose();
      }
  }
};

/// Forces on (d, ψ) of the nodes other than the reference, wᵀ Bᵀσ summed over the points.
template <int Nodes>
using RelativeForce = Eigen::Matrix<double, 6 * (Nodes - 1), 1>;

template <int Nodes>
Vector6d force_at(const typename Beams<Nodes>::Item& e, int point, const PointStrain<Nodes>& s,
                  const Relative<Nodes>& x) {
  Vector6d strain = s.strain - e.points[point].unstrained;
  if (e.damping > 0) strain += e.damping * s.rate(x);
  return e.points[point].stiffness * strain;
}

template <int Nodes>
RelativeForce<Nodes> relative_force(const typename Beams<Nodes>::Item& e, const Relative<Nodes>& x) {
  RelativeForce<Nodes> g = RelativeForce<Nodes>::Zero();
  for (int p = 0; p < Nodes - 1; ++p) {
    const PointStrain<Nodes> s(x, p, e.length);
    const Vector6d f = shapes<Nodes>().weight[p] * e.length * force_at<Nodes>(e, p, s, x);
    const Vector3d n = f.template head<3>(), m = f.template tail<3>();
    const Vector3d on_d = s.stretch.transposed().apply(s.psi, n), on_slope = s.bend.transposed().apply(s.psi, m);
    Vector3d on_psi = s.stretch.derivative(s.psi, s.d_slope).transpose() * n;
    if constexpr (Nodes > 2) on_psi += s.bend.derivative(s.psi, s.psi_slope).transpose() * m;
    for (int i = 0; i < Nodes - 1; ++i) {
      g.template segment<3>(6 * i) += s.slope[i] * on_d;
      g.template segment<3>(6 * i + 3) += s.N[i] * on_psi + s.slope[i] * on_slope;
    }
  }
  return g;
}

// ---- from relative coordinates to those of the nodes ---------------------------------------------------------------------

template <int Nodes>
using ToNodes = Eigen::Matrix<double, 6 * (Nodes - 1), 6 * Nodes>;

/// Y:  δd = Rᵀ(δr − δr_r) + d̃ δθ_r,    δψ = T⁻¹δθ − T⁻ᵀδθ_r
template <int Nodes>
ToNodes<Nodes> to_nodes(const Relative<Nodes>& x) {
  constexpr int reference = 6 * kReference<Nodes>;
  const Matrix3d Rt = x.reference->R.transpose();
  ToNodes<Nodes> Y = ToNodes<Nodes>::Zero();
  for (int i = 0; i < Nodes - 1; ++i) {
    const int own = 6 * x.node[i];
    const Matrix3d inverse = x.inverse[i].matrix(x.psi[i]);
    Y.template block<3, 3>(6 * i, own) = Rt;
    Y.template block<3, 3>(6 * i + 3, own + 3) = inverse;
    Y.template block<3, 3>(6 * i, reference) = -Rt;
    Y.template block<3, 3>(6 * i, reference + 3) = skew(x.d[i]);
    Y.template block<3, 3>(6 * i + 3, reference + 3) = -inverse.transpose();
  }
  return Y;
}

/// ∂(Y v)/∂q at fixed velocities:
///     δḋ = (Rᵀ(v − v_r))~ δθ_r − ω̃_r δd,    δψ̇ = (∂(T⁻¹ω)/∂ψ − ∂(T⁻ᵀω_r)/∂ψ) δψ
template <int Nodes>
ToNodes<Nodes> derivative_of_rates(const Relative<Nodes>& x, const ToNodes<Nodes>& Y) {
  constexpr int reference = 6 * kReference<Nodes>;
  const Frame& r = *x.reference;
  ToNodes<Nodes> V;
  for (int i = 0; i < Nodes - 1; ++i) {
    V.template middleRows<3>(6 * i) = -skew(r.w) * Y.template middleRows<3>(6 * i);
    V.template block<3, 3>(6 * i, reference + 3) += skew(r.R.transpose() * (x.frame[i]->v - r.v));
    const Matrix3d of_psi =
        x.inverse[i].derivative(x.psi[i], x.frame[i]->w) - x.inverse[i].transposed().derivative(x.psi[i], r.w);
    V.template middleRows<3>(6 * i + 3) = of_psi * Y.template middleRows<3>(6 * i + 3);
  }
  return V;
}

/// ∂(Yᵀg)/∂q at fixed g.
template <int Nodes, class Matrix>
void add_turning(const Relative<Nodes>& x, const RelativeForce<Nodes>& g, const ToNodes<Nodes>& Y, Matrix& K) {
  constexpr int reference = 6 * kReference<Nodes>;
  const Matrix3d& R = x.reference->R;
  for (int i = 0; i < Nodes - 1; ++i) {
    const int own = 6 * x.node[i];
    const Vector3d n = g.template segment<3>(6 * i), m = g.template segment<3>(6 * i + 3);
    const Matrix3d turned = R * skew(n);  // δ(R n) = −R ñ δθ_r
    K.template block<3, 3>(own, reference + 3) -= turned;
    K.template block<3, 3>(reference, reference + 3) += turned;
    K.template block<3, 3>(reference + 3, own) -= turned.transpose();  // δ(n × d) = ñ δd
    K.template block<3, 3>(reference + 3, reference) += turned.transpose();
    K.template block<3, 3>(reference + 3, reference + 3) += skew(n) * skew(x.d[i]);
    const auto rows = Y.template middleRows<3>(6 * i + 3);
    const Matrix3d on_own = x.inverse[i].transposed().derivative(x.psi[i], m);  // δ(T⁻ᵀm)
    const Matrix3d on_reference = -x.inverse[i].derivative(x.psi[i], m);        // δ(−T⁻¹m)
    for (const int column : {own + 3, reference + 3}) {
      const Matrix3d of_angle = rows.template middleCols<3>(column);
      K.template block<3, 3>(own + 3, column) += on_own * of_angle;
      K.template block<3, 3>(reference + 3, column) += on_reference * of_angle;
    }
  }
}

template <int Nodes>
Relative<Nodes> relative(const Kinematics& k, const typename Beams<Nodes>::Item& e) {
  return Relative<Nodes>([&](int n) -> const Frame& { return k.frames[e.node[n]]; });
}

}  // namespace

// ---- the batch ---------------------------------------------------------------------------------------------------------

BeamRule::BeamRule(int n) {
  if (n == 2) {
    nodes = {0, 1}, node_weights = {0.5, 0.5};
    points = {0.5}, point_weights = {1};
  } else if (n == 3) {
    nodes = {0, 0.5, 1}, node_weights = {1.0 / 6, 4.0 / 6, 1.0 / 6};
    const double a = 0.5 / std::sqrt(3.0);
    points = {0.5 - a, 0.5 + a}, point_weights = {0.5, 0.5};
  } else {
    const double a = 0.5 / std::sqrt(5.0), b = 0.5 * std::sqrt(0.6);
    nodes = {0, 0.5 - a, 0.5 + a, 1}, node_weights = {1.0 / 12, 5.0 / 12, 5.0 / 12, 1.0 / 12};
    points = {0.5 - b, 0.5, 0.5 + b}, point_weights = {5.0 / 18, 8.0 / 18, 5.0 / 18};
  }
}

template <int Nodes>
void Beams<Nodes>::add_couplings(std::vector<Coupling>& couplings) const {
  for (const Item& e : items_)
    for (int i = 0; i < Nodes; ++i)
      for (int j = 0; j <= i; ++j) couplings.push_back({e.block[i], e.block[j]});
}

template <int Nodes>
void Beams<Nodes>::add_residual(const Kinematics& k, Residual& r) const {
  for (const Item& e : items_) {
    const Relative<Nodes> x = relative<Nodes>(k, e);
    const RelativeForce<Nodes> g = relative_force<Nodes>(e, x);
    Vector3d force = Vector3d::Zero(), torque = Vector3d::Zero();  // on the reference
    for (int i = 0; i < Nodes - 1; ++i) {
      const Vector3d n = g.template segment<3>(6 * i), m = g.template segment<3>(6 * i + 3);
      const Vector3d in_space = x.reference->R * n;
      r.motion.template segment<3>(e.v[x.node[i]]) += in_space;
      r.motion.template segment<3>(e.v[x.node[i]] + 3) += x.inverse[i].transposed().apply(x.psi[i], m);
      force -= in_space;
      torque += n.cross(x.d[i]) - x.inverse[i].apply(x.psi[i], m);
    }
    r.motion.template segment<3>(e.v[kReference<Nodes>]) += force;
    r.motion.template segment<3>(e.v[kReference<Nodes>] + 3) += torque;
  }
}

//     r = Yᵀ g,   g = Σ w Bᵀσ,      ∂r/∂q = Yᵀ (Σ w Bᵀ ∂σ/∂y + w σ·∂²ε/∂y²) Y + ∂(Yᵀg)/∂q
//     σ̇ part:  ∂σ/∂q = C (B + τ ∂(B ẏ)/∂y) Y + τ C B ∂(Y v)/∂q,     ∂σ/∂v = τ C B Y
template <int Nodes>
void Beams<Nodes>::add_tangent(const Kinematics& k, Tangent& T) const {
  using Matrix = Eigen::Matrix<double, 6 * Nodes, 6 * Nodes>;
  using Hessian = Eigen::Matrix<double, 6 * (Nodes - 1), 6 * (Nodes - 1)>;
  const Slot* slot = T.slots;
  for (const Item& e : items_) {
    const Relative<Nodes> x = relative<Nodes>(k, e);
    const ToNodes<Nodes> Y = to_nodes<Nodes>(x);
    Matrix K;
    if (T.w.q != 0) {
      Hessian H = Hessian::Zero();
      RelativeForce<Nodes> g = RelativeForce<Nodes>::Zero();
      for (int p = 0; p < kPoints; ++p) {
        const PointStrain<Nodes> s(x, p, e.length);
        const double w = shapes<Nodes>().weight[p] * e.length;
        const Vector6d force = force_at<Nodes>(e, p, s, x);
        const auto B = s.derivative();
        g.noalias() += B.transpose() * (w * force);
        H.noalias() += B.transpose() * (w * e.points[p].stiffness * B).eval();
        if (e.damping > 0)
          H.noalias() += B.transpose() * (w * e.damping * e.points[p].stiffness * s.derivative_of_rate(x)).eval();
        s.add_geometric(w, force, H);
      }
      K.noalias() = Y.transpose() * (T.w.q * H * Y).eval();
      Matrix turning = Matrix::Zero();
      add_turning<Nodes>(x, g, Y, turning);
      K += T.w.q * turning;
    } else {
      K.setZero();
    }
    if (e.damping > 0) {
      Hessian D = Hessian::Zero();
      for (int p = 0; p < kPoints; ++p) {
        const auto B = PointStrain<Nodes>(x, p, e.length).derivative();
        D += B.transpose() * (shapes<Nodes>().weight[p] * e.length * e.damping * e.points[p].stiffness * B).eval();
      }
      ToNodes<Nodes> rates = T.w.q * derivative_of_rates<Nodes>(x, Y);
      ToNodes<Nodes> in_chart = Y;
      for (int i = 0; i < Nodes; ++i)
        in_chart.template middleCols<3>(6 * i + 3) = (Y.template middleCols<3>(6 * i + 3) * T.chart[e.node[i]]).eval();
      rates += T.w.v * in_chart;
      K += Y.transpose() * (D * rates).eval();
    }
    for (int i = 0; i < Nodes; ++i)
      for (int j = 0; j <= i; ++j, ++slot) {
        if (i == j) T.add_diagonal(*slot, 0, 0, K.template block<6, 6>(6 * i, 6 * i));
        else
          T.add_pair(*slot, 0, 0, Matrix6d(K.template block<6, 6>(6 * i, 6 * j)),
                     Matrix6d(K.template block<6, 6>(6 * j, 6 * i).transpose()));
      }
  }
}

template <int Nodes>
double Beams<Nodes>::potential_energy(const Kinematics& k) const {
  double sum = 0;
  for (const Item& e : items_) {
    const Relative<Nodes> x = relative<Nodes>(k, e);
    for (int p = 0; p < kPoints; ++p) {
      const Vector6d strain = PointStrain<Nodes>(x, p, e.length).strain - e.points[p].unstrained;
      sum += 0.5 * shapes<Nodes>().weight[p] * e.length * strain.dot(e.points[p].stiffness * strain);
    }
  }
  return sum;
}

template <int Nodes>
bool Beams<Nodes>::has_power() const {
  return std::any_of(items_.begin(), items_.end(), [](const Item& e) { return e.damping > 0; });
}

template <int Nodes>
double Beams<Nodes>::power(const Kinematics& k) const {
  double sum = 0;
  for (const Item& e : items_) {
    if (!(e.damping > 0)) continue;
    const Relative<Nodes> x = relative<Nodes>(k, e);
    for (int p = 0; p < kPoints; ++p) {
      const Vector6d rate = PointStrain<Nodes>(x, p, e.length).rate(x);
      sum -= shapes<Nodes>().weight[p] * e.length * e.damping * rate.dot(e.points[p].stiffness * rate);
    }
  }
  return sum;
}

// N and M in the axes of the section, mean over the element: where they change evenly, those of its middle.
template <int Nodes>
void Beams<Nodes>::list_signals(std::vector<ElementSignal>& signals) const {
  for (const std::string& name : names_) {
    for (const char* axis : {"x", "y", "z"}) signals.push_back({name + ".force_" + axis, "N"});
    for (const char* axis : {"x", "y", "z"}) signals.push_back({name + ".moment_" + axis, "N*m"});
  }
}

template <int Nodes>
void Beams<Nodes>::add_signals(const Kinematics& k, std::vector<double>& values) const {
  for (size_t i = 0; i < names_.size(); ++i) {
    Vector6d mean = Vector6d::Zero();
    for (int p = 0; p < kPoints; ++p) mean += shapes<Nodes>().weight[p] * section(k, static_cast<int>(i), p).force;
    values.insert(values.end(), mean.data(), mean.data() + 6);
  }
}

template <int Nodes>
Vector6d Beams<Nodes>::strain(const Item& e, int point, const std::array<Frame, Nodes>& frames) {
  const Relative<Nodes> x([&](int n) -> const Frame& { return frames[n]; });
  return PointStrain<Nodes>(x, point, e.length).strain;
}

template <int Nodes>
typename Beams<Nodes>::Section Beams<Nodes>::section(const Kinematics& k, int item, int point) const {
  const Item& e = items_[item];
  const Relative<Nodes> x = relative<Nodes>(k, e);
  const PointStrain<Nodes> s(x, point, e.length);
  return {s.strain - e.points[point].unstrained, force_at<Nodes>(e, point, s, x)};
}

//     two nodes:            r = r_r + R_r x T(xψ)ᵀ Γ L,  R = R_r Exp(xψ),   Γ L = T(ψ)⁻ᵀ d
//     three and four nodes: r = r_r + R_r d(x),          R = R_r Exp(ψ(x))
template <int Nodes>
Frame Beams<Nodes>::section_frame(const Kinematics& k, int item, double x) const {
  const Relative<Nodes> seen = relative<Nodes>(k, items_[item]);
  Vector3d d = Vector3d::Zero(), psi = Vector3d::Zero();
  if constexpr (Nodes == 2) {
    psi = x * seen.psi[0];
    const Vector3d stretch = seen.inverse[0].transposed().apply(seen.psi[0], seen.d[0]);
    d = x * tangent_map(CosineSeries(psi.squaredNorm())).transposed().apply(psi, stretch);
  } else {
    const BeamRule rule(Nodes);
    for (int i = 0; i < Nodes - 1; ++i) {
      double N = 1;
      for (int j = 0; j < Nodes; ++j)
        if (j != seen.node[i]) N *= (x - rule.nodes[j]) / (rule.nodes[seen.node[i]] - rule.nodes[j]);
      d += N * seen.d[i], psi += N * seen.psi[i];
    }
  }
  Frame frame;
  frame.p = seen.reference->p + seen.reference->R * d;
  frame.R = seen.reference->R * exp_map(CosineSeries(psi.squaredNorm())).matrix(psi);
  return frame;
}

template class Beams<2>;
template class Beams<3>;
template class Beams<4>;

}  // namespace bricard
