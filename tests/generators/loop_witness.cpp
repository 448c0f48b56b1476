// SPDX-License-Identifier: Apache-2.0
#include "generators/loop_witness.h"

#include <Eigen/Dense>

namespace bricard::testing {

using Eigen::MatrixXd;

namespace {

Matrix3d turn_about(const Vector3d& axis, double angle) { return Eigen::AngleAxisd(angle, axis).toRotationMatrix(); }

/// Two directions across e.
std::array<Vector3d, 2> across(const Vector3d& e) {
  const Vector3d n = e.unitOrthogonal();
  return {n, e.cross(n)};
}

}  // namespace

LoopWitness::LoopWitness(const Linkage& linkage)
    : linkage_(linkage), free_(linkage.freedoms - static_cast<int>(linkage.drives.size())),
      first_piece_(linkage.joints.size(), -1), last_piece_(linkage.bodies.size(), -1) {
  // Driven joints first, so that they are part of the tree; the others in their order, as soon as one side is reached.
  std::vector<bool> used(linkage.joints.size()), reached(linkage.bodies.size());
  const auto is_reached = [&](int body) { return body < 0 || reached[body]; };
  const auto take = [&](size_t j) {
    const Linkage::Joint& joint = linkage.joints[j];
    if (used[j] || is_reached(joint.from) == is_reached(joint.to)) return false;
    const bool forward = is_reached(joint.from);
    add_pieces(static_cast<int>(j), forward);
    used[j] = reached[forward ? joint.to : joint.from] = true;
    return true;
  };
  for (bool found = true; found;) {
    found = false;
    for (const Linkage::Drive& drive : linkage.drives) found = take(drive.joint) || found;
    for (size_t j = 0; j < linkage.joints.size() && !found; ++j) found = take(j);
  }
  for (size_t j = 0; j < linkage.joints.size(); ++j)
    if (!used[j]) add_rows(linkage.joints[j]);
}

const VectorXd& LoopWitness::own(const VectorXd& u) const {
  if (u.size() != coordinates()) throw std::logic_error("these are not the coordinates of the witness");
  return u;
}

void LoopWitness::add_pieces(int j, bool forward) {
  const Linkage::Joint& joint = linkage_.joints[j];
  const int before = forward ? joint.from : joint.to, body = forward ? joint.to : joint.from;
  const double sign = forward ? 1 : -1;
  int parent = before < 0 ? -1 : last_piece_[before];
  first_piece_[j] = coordinates();
  const auto add = [&](bool turns, const Vector3d& axis) {
    pieces_.push_back({turns, body, parent, sign * axis, joint.at});
    parent = coordinates() - 1;
  };
  const auto [n1, n2] = across(joint.axis);
  switch (joint.type) {
    case JointType::revolute: add(true, joint.axis); break;
    case JointType::translational: add(false, joint.axis); break;
    case JointType::cylindrical: add(false, joint.axis), add(true, joint.axis); break;
    case JointType::universal:
      add(true, forward ? joint.axis : joint.second_axis), add(true, forward ? joint.second_axis : joint.axis);
      break;
    case JointType::spherical:
      middle_turns_.push_back(coordinates() + 1);
      add(true, joint.axis), add(true, n1), add(true, n2);
      break;
    default: throw std::logic_error("the witness does not know this joint");
  }
  last_piece_[body] = parent;
}

void LoopWitness::add_rows(const Linkage::Joint& joint) {
  const auto [n1, n2] = across(joint.axis);
  const Vector3d &e = joint.axis, &f = joint.second_axis;
  const auto point = [&](const Vector3d& d) { rows_.push_back({false, joint.from, joint.to, d, joint.at, 0}); };
  const auto angle = [&](const Vector3d& d, const Vector3d& g) {
    rows_.push_back({true, joint.from, joint.to, d, g, d.dot(g)});
  };
  point(n1), point(n2);
  switch (joint.type) {
    case JointType::revolute: point(e), angle(n1, e), angle(n2, e); break;
    case JointType::translational: angle(n1, e), angle(n2, e), angle(n1, n2); break;
    case JointType::cylindrical: angle(n1, e), angle(n2, e); break;
    case JointType::universal: point(e), angle(e, f); break;
    case JointType::spherical: point(e); break;
    default: throw std::logic_error("the witness does not know this joint");
  }
}

// A turn about e through o, which moves with the frame before:  ω′ = ω + u̇ e,  α′ = α + ü e + ω × u̇ e
LoopWitness::Moving LoopWitness::move(const VectorXd& u, const VectorXd& u1, const VectorXd& u2) const {
  own(u), own(u1), own(u2);
  Moving m;
  for (int k = 0; k < coordinates(); ++k) {
    const Piece& piece = pieces_[k];
    const MovingFrame before = piece.parent < 0 ? MovingFrame{} : m.pieces[piece.parent];
    const Vector3d e = before.R * piece.axis, o = before.at(piece.at);
    MovingFrame f = before;
    if (piece.turns) {
      f.alpha += u2[k] * e + before.w.cross(u1[k] * e);
      f.w += u1[k] * e;
      f.R = before.R * turn_about(piece.axis, u[k]);
      const Vector3d r = -f.R * piece.at;  // from o to the new p
      f.p = o + r;
      f.v = before.velocity(piece.at) + f.w.cross(r);
      f.a = before.acceleration(piece.at) + f.alpha.cross(r) + f.w.cross(f.w.cross(r));
    } else {
      const Vector3d r = u[k] * e;
      f.p += r;
      f.v += f.w.cross(r) + u1[k] * e;
      f.a += f.alpha.cross(r) + f.w.cross(f.w.cross(r)) + 2 * f.w.cross(u1[k] * e) + u2[k] * e;
    }
    m.pieces.push_back(f);
    m.axes.push_back(e);
    m.places.push_back(o);
  }
  return m;
}

std::vector<MovingFrame> LoopWitness::frames(const VectorXd& u, const VectorXd& u1, const VectorXd& u2) const {
  const Moving m = move(u, u1, u2);
  std::vector<MovingFrame> all;
  for (size_t b = 0; b < linkage_.bodies.size(); ++b) all.push_back(frame(m, static_cast<int>(b)));
  return all;
}

void LoopWitness::partials(const Moving& m, int body, const Vector3d& point, MatrixXd& V, MatrixXd& W) const {
  V.setZero(3, coordinates());
  W.setZero(3, coordinates());
  for (int k = body < 0 ? -1 : last_piece_[body]; k >= 0; k = pieces_[k].parent) {
    if (pieces_[k].turns) {
      W.col(k) = m.axes[k];
      V.col(k) = m.axes[k].cross(point - m.places[k]);
    } else {
      V.col(k) = m.axes[k];
    }
  }
}

// point row  c = d·r, r = x_to − x_from:  ċ = d·ṙ + (ω × d)·r;      angle row  c = d·e − cosine:  ċ = (ω_from −
// ω_to)·(d × e)
MatrixXd LoopWitness::jacobian(const Moving& m) const {
  MatrixXd J(rows_.size() + linkage_.drives.size(), coordinates()), V1, W1, V2, W2;
  int i = 0;
  for (const Row& row : rows_) {
    const MovingFrame f = frame(m, row.from), g = frame(m, row.to);
    const Vector3d d = f.R * row.d, x1 = row.angle ? f.p : f.at(row.e), x2 = row.angle ? g.p : g.at(row.e);
    partials(m, row.from, x1, V1, W1);
    partials(m, row.to, x2, V2, W2);
    if (row.angle) J.row(i++) = d.cross(g.R * row.e).transpose() * (W1 - W2);
    else J.row(i++) = d.transpose() * (V2 - V1) + d.cross(x2 - x1).transpose() * W1;
  }
  for (const Linkage::Drive& drive : linkage_.drives)
    J.row(i++) = VectorXd::Unit(coordinates(), first_piece_[drive.joint]);
  return J;
}

VectorXd LoopWitness::closure(double t, const Moving& m, const VectorXd& u) const {
  VectorXd c(rows_.size() + linkage_.drives.size());
  int i = 0;
  for (const Row& row : rows_) {
    const MovingFrame f = frame(m, row.from), g = frame(m, row.to);
    const Vector3d d = f.R * row.d;
    c[i++] = row.angle ? d.dot(g.R * row.e) - row.offset : d.dot(g.at(row.e) - f.at(row.e));
  }
  for (const Linkage::Drive& drive : linkage_.drives) c[i++] = u[first_piece_[drive.joint]] - drive.law.value(t);
  return c;
}

// c̈ at ü = 0:  point row  d·r̈ + 2 ḋ·ṙ + d̈·r,      angle row  d̈·e + 2 ḋ·ė + d·ë
VectorXd LoopWitness::closure_bias(double t, const Moving& m) const {
  VectorXd c(rows_.size() + linkage_.drives.size());
  const auto change = [](const MovingFrame& f, const Vector3d& x) -> Vector3d { return f.w.cross(x); };
  const auto change2 = [](const MovingFrame& f, const Vector3d& x) -> Vector3d {
    return f.alpha.cross(x) + f.w.cross(f.w.cross(x));
  };
  int i = 0;
  for (const Row& row : rows_) {
    const MovingFrame f = frame(m, row.from), g = frame(m, row.to);
    const Vector3d d = f.R * row.d, e = g.R * row.e;
    if (row.angle) c[i++] = change2(f, d).dot(e) + 2 * change(f, d).dot(change(g, e)) + d.dot(change2(g, e));
    else
      c[i++] = d.dot(g.acceleration(row.e) - f.acceleration(row.e)) +
               2 * change(f, d).dot(g.velocity(row.e) - f.velocity(row.e)) +
               change2(f, d).dot(g.at(row.e) - f.at(row.e));
  }
  for (const Linkage::Drive& drive : linkage_.drives) c[i++] = -drive.law.acceleration(t);
  return c;
}

/// The last columns of Q of Jᵀ P = Q R; the first ones span what J sees.
MatrixXd LoopWitness::free_directions(const MatrixXd& J) const {
  if (free_ == 0) return MatrixXd(coordinates(), 0);
  if (J.rows() == 0) return MatrixXd::Identity(coordinates(), coordinates());
  const MatrixXd Q = Eigen::ColPivHouseholderQR<MatrixXd>(J.transpose()).householderQ() *
                     MatrixXd::Identity(coordinates(), coordinates());
  return Q.rightCols(free_);
}

namespace {

/// Least squares of J x = b, Nᵀx = 0.
VectorXd solve(const MatrixXd& J, const MatrixXd& N, const VectorXd& b) {
  MatrixXd A(J.rows() + N.cols(), J.cols());
  A << J, N.transpose();
  VectorXd right(A.rows());
  right << b, VectorXd::Zero(N.cols());
  return A.colPivHouseholderQr().solve(right);
}

}  // namespace

bool LoopWitness::close(double t, VectorXd& u) const {
  const VectorXd zero = VectorXd::Zero(coordinates());
  double before = 0;
  for (int i = 0; i < 20; ++i) {
    const Moving m = move(u, zero, zero);
    const MatrixXd J = jacobian(m);
    if (J.rows() == 0) return true;
    const VectorXd du = solve(J, free_directions(J), -closure(t, m, u));
    const double size = du.lpNorm<Eigen::Infinity>();
    if (!(size < 1)) return false;
    u += du;
    if (size < 1e-13 || (size < 1e-11 && size > 0.1 * before))
      return closure(t, move(u, zero, zero), u).lpNorm<Eigen::Infinity>() < 1e-10 * std::max(1.0, linkage_.length);
    before = size;
  }
  return false;
}

VectorXd LoopWitness::rates(double t, const VectorXd& u, const VectorXd& wish) const {
  const VectorXd zero = VectorXd::Zero(coordinates());
  const MatrixXd J = jacobian(move(u, zero, zero)), N = free_directions(J);
  VectorXd right = VectorXd::Zero(J.rows());
  for (size_t i = 0; i < linkage_.drives.size(); ++i) right[rows_.size() + i] = linkage_.drives[i].law.rate(t);
  return (J.rows() ? solve(J, N, right) : zero) + N * (N.transpose() * wish);
}

// Nᵀ(M N y) = −Nᵀ(M ü_p + h),   ü = ü_p + N y;   M ü + h = Σ Vᵀ m (a − g) + Wᵀ (I α + ω × I ω)
VectorXd LoopWitness::accelerations(double t, const VectorXd& u, const VectorXd& u1) const {
  const int n = coordinates();
  const Moving m = move(u, u1, VectorXd::Zero(n));
  const MatrixXd J = jacobian(m), N = free_directions(J);
  const VectorXd particular = J.rows() ? solve(J, N, -closure_bias(t, m)) : VectorXd::Zero(n);
  if (free_ == 0) return particular;
  MatrixXd M = MatrixXd::Zero(n, n), V, W;
  VectorXd h = VectorXd::Zero(n);
  for (size_t b = 0; b < linkage_.bodies.size(); ++b) {
    const Linkage::Body& body = linkage_.bodies[b];
    const MovingFrame f = frame(m, static_cast<int>(b));
    const Matrix3d I = f.R * body.inertia * f.R.transpose();
    partials(m, static_cast<int>(b), f.at(body.centre), V, W);
    M += body.mass * V.transpose() * V + W.transpose() * I * W;
    h += V.transpose() * (body.mass * (f.acceleration(body.centre) - linkage_.gravity)) +
         W.transpose() * (I * f.alpha + f.w.cross(I * f.w));
  }
  return particular - N * (N.transpose() * M * N).ldlt().solve(N.transpose() * (M * particular + h));
}

// The pair of Dormand and Prince of orders 5 and 4; after each step the loops are closed again.
bool LoopWitness::integrate(double t, double to, double tolerance, VectorXd& u, VectorXd& u1, double& h) const {
  static const double a[6][6] = {{1.0 / 5},
                                 {3.0 / 40, 9.0 / 40},
                                 {44.0 / 45, -56.0 / 15, 32.0 / 9},
                                 {19372.0 / 6561, -25360.0 / 2187, 64448.0 / 6561, -212.0 / 729},
                                 {9017.0 / 3168, -355.0 / 33, 46732.0 / 5247, 49.0 / 176, -5103.0 / 18656},
                                 {35.0 / 384, 0, 500.0 / 1113, 125.0 / 192, -2187.0 / 6784, 11.0 / 84}};
  static const double e[7] = {71.0 / 57600, 0, -71.0 / 16695, 71.0 / 1920, -17253.0 / 339200, 22.0 / 525, -1.0 / 40};
  const int n = coordinates();
  static const double c[6] = {1.0 / 5, 3.0 / 10, 4.0 / 5, 8.0 / 9, 1, 1};
  const auto slope = [&](double time, const VectorXd& x) {
    VectorXd s(2 * n);
    s << x.tail(n), accelerations(time, x.head(n), x.tail(n));
    return s;
  };
  VectorXd y(2 * n);
  y << own(u), own(u1);
  while (t < to) {
    const double step = std::min(h, to - t);
    VectorXd k[7] = {slope(t, y)}, next;
    for (int i = 0; i < 6; ++i) {
      next = y;
      for (int j = 0; j <= i; ++j) next += step * a[i][j] * k[j];
      k[i + 1] = slope(t + c[i] * step, next);
    }
    VectorXd off = VectorXd::Zero(2 * n);
    for (int i = 0; i < 7; ++i) off += step * e[i] * k[i];
    const double error =
        off.cwiseQuotient((next.cwiseAbs().array() + 1).matrix()).lpNorm<Eigen::Infinity>() / tolerance;
    if (!(error < 1e12) || step < 1e-9) return false;
    if (error <= 1) {
      t += step;
      u = next.head(n);
      if (!close(t, u)) return false;
      y << u, rates(t, u, next.tail(n));
    }
    if (error > 1 || step == h)
      h = step * std::clamp(0.9 * std::pow(error, -0.2), 0.2, 4.0);  // not after a cut at the end
  }
  u1 = y.tail(n);
  return true;
}

double LoopWitness::strength(double, const VectorXd& u) const {
  const VectorXd zero = VectorXd::Zero(coordinates());
  for (const int k : middle_turns_)
    if (std::cos(u[k]) < 0.3) return 0;
  MatrixXd J = jacobian(move(u, zero, zero));
  if (J.rows() == 0) return 1;
  for (size_t i = 0; i < rows_.size(); ++i)
    if (!rows_[i].angle) J.row(i) /= linkage_.length;
  const VectorXd s = Eigen::JacobiSVD<MatrixXd>(J).singularValues();
  const int rank = coordinates() - free_;
  if (rank > s.size() || (rank < s.size() && s[rank] > 1e-7 * s[0])) return 0;  // it cannot move as it should
  return rank == 0 ? 1 : s[rank - 1] / s[0];
}

void LoopWitness::fit(const std::vector<MovingFrame>& bodies, VectorXd& u, VectorXd& u1) const {
  const int n = coordinates(), rows = 6 * static_cast<int>(bodies.size());
  const VectorXd zero = VectorXd::Zero(n);
  MatrixXd A(rows, n), V, W;
  VectorXd off(rows), rates(rows);
  for (int i = 0; i < 6; ++i) {
    const Moving m = move(u, zero, zero);
    for (size_t b = 0; b < bodies.size(); ++b) {
      const MovingFrame f = frame(m, static_cast<int>(b));
      const Vector3d centre = linkage_.bodies[b].centre;
      partials(m, static_cast<int>(b), f.at(centre), V, W);
      const Eigen::AngleAxisd turn(bodies[b].R * f.R.transpose());
      A.middleRows<3>(6 * b) = V;
      A.middleRows<3>(6 * b + 3) = linkage_.length * W;
      off.segment<3>(6 * b) = bodies[b].at(centre) - f.at(centre);
      off.segment<3>(6 * b + 3) = linkage_.length * turn.angle() * turn.axis();
      rates.segment<3>(6 * b) = bodies[b].velocity(centre);
      rates.segment<3>(6 * b + 3) = linkage_.length * bodies[b].w;
    }
    const Eigen::ColPivHouseholderQR<MatrixXd> qr(A);
    u += qr.solve(off);
    u1 = qr.solve(rates);
  }
}

// Unknowns: the components that each joint can carry, torques over the unit. Six equations for each body. A component
// is told by them if its unit vector lies in the space that the rows span.
std::vector<JointLoad> LoopWitness::loads(const std::vector<MovingFrame>& bodies, double unit) const {
  struct Component {
    int joint;
    bool torque;
    Vector3d direction;
  };
  std::vector<Component> components;
  for (size_t j = 0; j < linkage_.joints.size(); ++j) {
    const Linkage::Joint& joint = linkage_.joints[j];
    const Matrix3d R = joint.from < 0 ? Matrix3d::Identity() : bodies[joint.from].R;
    const Matrix3d R2 = joint.to < 0 ? Matrix3d::Identity() : bodies[joint.to].R;
    const auto [n1, n2] = across(joint.axis);
    const bool slides = joint.type == JointType::translational || joint.type == JointType::cylindrical;
    const bool driven = std::any_of(linkage_.drives.begin(), linkage_.drives.end(),
                                    [&](const auto& d) { return d.joint == static_cast<int>(j); });
    const auto add = [&](bool torque, const Vector3d& d) { components.push_back({static_cast<int>(j), torque, d}); };
    add(false, R * n1), add(false, R * n2);
    if (!slides || driven) add(false, R * joint.axis);
    if (joint.type == JointType::universal) add(true, (R * joint.axis).cross(R2 * joint.second_axis).normalized());
    if (joint.type == JointType::universal || joint.type == JointType::spherical) continue;
    add(true, R * n1), add(true, R * n2);
    if (joint.type == JointType::translational || (joint.type == JointType::revolute && driven))
      add(true, R * joint.axis);
  }
  MatrixXd A = MatrixXd::Zero(6 * bodies.size(), components.size());
  VectorXd needed(6 * bodies.size());
  for (size_t c = 0; c < components.size(); ++c) {
    const auto& [j, torque, d] = components[c];
    const Linkage::Joint& joint = linkage_.joints[j];
    const Vector3d place = joint.to < 0 ? joint.at : bodies[joint.to].at(joint.at);
    for (const int body : {joint.from, joint.to}) {
      if (body < 0) continue;
      const double sign = body == joint.to ? 1 : -1;
      const Vector3d lever = place - bodies[body].at(linkage_.bodies[body].centre);
      if (!torque) A.block<3, 1>(6 * body, c) = sign * d;
      A.block<3, 1>(6 * body + 3, c) = sign * (torque ? d : Vector3d(lever.cross(d) / unit));
    }
  }
  for (size_t b = 0; b < bodies.size(); ++b) {
    const Linkage::Body& body = linkage_.bodies[b];
    const Matrix3d I = bodies[b].R * body.inertia * bodies[b].R.transpose();
    needed.segment<3>(6 * b) = body.mass * (bodies[b].acceleration(body.centre) - linkage_.gravity);
    needed.segment<3>(6 * b + 3) = (I * bodies[b].alpha + bodies[b].w.cross(I * bodies[b].w)) / unit;
  }
  Eigen::CompleteOrthogonalDecomposition<MatrixXd> cod(A.rows(), A.cols());
  cod.setThreshold(1e-9);
  const VectorXd x = cod.compute(A).solve(needed);
  const MatrixXd Q =
      Eigen::ColPivHouseholderQR<MatrixXd>(A.transpose()).householderQ() * MatrixXd::Identity(A.cols(), A.cols());
  std::vector<JointLoad> all(linkage_.joints.size(), {Vector3d::Zero(), Vector3d::Zero(), {}, {}});
  for (size_t c = 0; c < components.size(); ++c) {
    const auto& [j, torque, d] = components[c];
    (torque ? all[j].torque : all[j].force) += (torque ? unit : 1) * x[c] * d;
    if (Q.row(c).tail(A.cols() - cod.rank()).norm() < 1e-7)
      (torque ? all[j].told_torques : all[j].told_forces).push_back(d);
  }
  return all;
}

}  // namespace bricard::testing
