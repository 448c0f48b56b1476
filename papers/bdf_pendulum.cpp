// SPDX-License-Identifier: Apache-2.0
#include "papers/bdf_pendulum.h"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <limits>

#include "papers/conditioning.h"

namespace bricard::bdf_pendulum {
namespace {

using Eigen::Vector2d;
using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, 5, 5>;
using Vector = Eigen::Matrix<double, Eigen::Dynamic, 1, 0, 5, 1>;

constexpr int kMostIterations = 50, kWatched = 12;
const Vector2d kGravity(0, -1);

struct Point {
  Vector2d u, v;
  double lambda;
};

/// α₀, α₁, α₂ of eq. (2).
using Coefficients = std::array<double, 3>;
constexpr Coefficients kOneStep{1, -1, 0}, kTwoSteps{1.5, -2, 0.5};

/// Where the fields lie among the unknowns.
struct Layout {
  bool two_fields;
  int size() const { return two_fields ? 3 : 5; }
  int at(Variable f) const { return f == u ? 0 : f == v ? 2 : size() - 1; }
  int length(Variable f) const { return f == lambda ? 1 : f == v && two_fields ? 0 : 2; }
};

Vector powers(const Layout& layout, const std::array<int, 3>& exponents, double h) {
  Vector d(layout.size());
  for (const Variable f : {u, v, lambda})
    d.segment(layout.at(f), layout.length(f)).setConstant(std::pow(h, exponents[f]));
  return d;
}

// h times the residuals of eq. (1), with u' and v' replaced by eq. (2); two fields: v and v' of eqs. (34), (35).
//     φ = (uᵀu − 1)/2,   G = u
Vector residual(const Layout& layout, const Coefficients& c, double h, const Point& x,
                const std::array<Point, 2>& past) {
  const Vector2d du = c[0] * x.u + c[1] * past[0].u + c[2] * past[1].u;
  const Vector2d dv = c[0] * x.v + c[1] * past[0].v + c[2] * past[1].v;
  Vector b(layout.size());
  if (!layout.two_fields) b.head<2>() = du - h * x.v;
  b.segment<2>(layout.two_fields ? 0 : 2) = dv - h * (kGravity + x.u * x.lambda);
  b[layout.size() - 1] = h * 0.5 * (x.u.squaredNorm() - 1);
  return b;
}

// Eq. (4) or (37) with  X = −λ I,  Y = 0.
Matrix matrix(const Layout& layout, double alpha, double h, const Point& x) {
  const int last = layout.size() - 1;
  const Eigen::Matrix2d I = Eigen::Matrix2d::Identity();
  Matrix A = Matrix::Zero(last + 1, last + 1);
  if (layout.two_fields) {
    A.topLeftCorner<2, 2>() = (alpha * alpha / h - h * x.lambda) * I;
  } else {
    A.topLeftCorner<2, 2>() = alpha * I;
    A.block<2, 2>(0, 2) = -h * I;
    A.block<2, 2>(2, 0) = -h * x.lambda * I;
    A.block<2, 2>(2, 2) = alpha * I;
  }
  A.block<2, 1>(last - 2, last) = -h * x.u;
  A.block<1, 2>(last, 0) = h * x.u.transpose();
  return A;
}

class Stepper {
 public:
  Stepper(const Preconditioner& p, double h, const Point& start)
      : layout_{p.two_fields}, h_(h), left_(powers(layout_, p.left, h)),
        right_(powers(layout_, p.right, h)), past_{start, start}, x_(layout_.size()), z_(layout_.size()) {}

  void step(Run& run) {
    begin();
    double before = std::numeric_limits<double>::infinity();
    Vector decreasing = Vector::Zero(layout_.size());
    for (int j = 0; j < kMostIterations; ++j) {
      const double now = correct();
      run.most_iterations = std::max(run.most_iterations, j + 1);
      if (!(now < before)) break;  // eq. (33)
      before = now;
      decreasing = z_;
    }
    run.correction = std::max(run.correction, before);
    for (const Variable f : {u, v, lambda})
      for (int i = 0; i < layout_.length(f); ++i)
        run.by_field[f] = std::max(run.by_field[f], std::abs(decreasing[layout_.at(f) + i]));
    past_ = {point(), past_[0]};
    coefficients_ = kTwoSteps;
  }

  /// The next step, iterated on without a test; its corrections.
  std::vector<double> watch() {
    begin();
    std::vector<double> norms;
    for (int j = 0; j < kWatched; ++j) norms.push_back(correct());
    return norms;
  }

  const Point& now() const { return past_[0]; }
  const Matrix& last_matrix() const { return A_; }  ///< A, not scaled

 private:
  void begin() {  // from where the last step ended
    x_.segment<2>(0) = past_[0].u;
    if (!layout_.two_fields) x_.segment<2>(2) = past_[0].v;
    x_[layout_.size() - 1] = past_[0].lambda;
    x_ = x_.cwiseQuotient(right_);
  }

  Point point() const {
    const Vector y = x_.cwiseProduct(right_);
    const Coefficients& c = coefficients_;
    Point p{y.head<2>(), {}, y[layout_.size() - 1]};
    p.v = layout_.two_fields ? Vector2d((c[0] * p.u + c[1] * past_[0].u + c[2] * past_[1].u) / h_)
                             : Vector2d(y.segment<2>(2));
    return p;
  }

  double correct() {
    const Point p = point();
    A_ = matrix(layout_, coefficients_[0], h_, p);
    const Vector b = left_.cwiseProduct(residual(layout_, coefficients_, h_, p, past_));
    z_ = -Matrix(left_.asDiagonal() * A_ * right_.asDiagonal()).partialPivLu().solve(b);
    x_ += z_;
    return z_.norm();
  }

  Layout layout_;
  double h_;
  Vector left_, right_;
  std::array<Point, 2> past_;
  Coefficients coefficients_ = kOneStep;
  Vector x_, z_;  // scaled unknowns and their correction
  Matrix A_;
};

/// θ'' = −cos θ from rest, by the classical Runge–Kutta method at a step where it is exact to round-off.
Point exact_at(double t, double angle) {
  const int steps = 1000;
  const double h = t / steps;
  double speed = 0;
  for (int i = 0; i < steps; ++i) {
    const double v1 = speed, a1 = -std::cos(angle);
    const double v2 = speed + h / 2 * a1, a2 = -std::cos(angle + h / 2 * v1);
    const double v3 = speed + h / 2 * a2, a3 = -std::cos(angle + h / 2 * v2);
    const double v4 = speed + h * a3, a4 = -std::cos(angle + h * v3);
    angle += h / 6 * (v1 + 2 * v2 + 2 * v3 + v4);
    speed += h / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
  }
  const Vector2d along(std::cos(angle), std::sin(angle)), across(-along.y(), along.x());
  return {along, speed * across, std::sin(angle) - speed * speed};
}

/// The preconditioner that makes the matrix independent of h.
Preconditioner best(bool two_fields) { return two_fields ? two_field_both() : three_field_both_29(); }

/// κ of D_L A D_R, from the matrix that does not depend on h.
double exact_condition(const Preconditioner& p, const Matrix& A, double h) {
  const Layout layout{p.two_fields};
  const Preconditioner b = best(p.two_fields);
  const Vector left = powers(layout, b.left, h), right = powers(layout, b.right, h);
  const Eigen::MatrixXd good = left.asDiagonal() * A * right.asDiagonal();
  return conditioning::condition_number(powers(layout, p.left, h).cwiseQuotient(left), good,
                                        powers(layout, p.right, h).cwiseQuotient(right));
}

}  // namespace

Preconditioner three_field_none() { return {"none", false, {0, 0, 0}, {0, 0, 0}}; }
Preconditioner three_field_left() { return {"left", false, {0, 0, -1}, {0, 0, 0}}; }
Preconditioner three_field_both_24() { return {"left+right (24)", false, {0, 1, -1}, {0, 0, -2}}; }
Preconditioner three_field_both_29() { return {"left+right (29)", false, {0, 1, -1}, {0, -1, -2}}; }
Preconditioner two_field_none() { return {"none", true, {0, 0, 0}, {0, 0, 0}}; }
Preconditioner two_field_left() { return {"left", true, {0, 0, -1}, {0, 0, 0}}; }
Preconditioner two_field_both() { return {"left+right (49)", true, {1, 0, -1}, {0, 0, -2}}; }

Run integrate(const Preconditioner& p, double h, double end, double angle) {
  Run run;
  Stepper stepper(p, h, exact_at(0, angle));
  const long steps = std::lround(end / h);
  for (long n = 0; n < steps; ++n) stepper.step(run);
  const Point reached = stepper.now(), exact = exact_at(end, angle);
  run.error = {(reached.u - exact.u).norm(), (reached.v - exact.v).norm(), std::abs(reached.lambda - exact.lambda)};
  const Layout layout{p.two_fields};
  const Matrix A = stepper.last_matrix();
  run.condition = exact_condition(p, A, h);
  run.condition_by_svd = conditioning::condition_number(powers(layout, p.left, h).asDiagonal() * A *
                                                        powers(layout, p.right, h).asDiagonal());
  return run;
}

std::vector<double> saturation(const Preconditioner& p, double h, int steps, double angle) {
  Stepper stepper(p, h, exact_at(0, angle));
  std::vector<double> highest;
  Run ignored;
  for (int n = 0; n < steps; ++n) {
    const std::vector<double> norms = stepper.watch();
    if (highest.empty() || norms.back() > highest.back()) highest = norms;
    stepper.step(ignored);
  }
  return highest;
}

// At u = (1, 0) the two directions separate; with α₀ = 3/2 the matrix of the first one is, with powers of h as given,
//     three fields:  [α₀ −h 0; 0 α₀ −h; h 0 0],  det = h³        two fields:  [α₀²/h −h; h 0],  det = h²
// For three fields and none, σ₁ = σ₂ = α₀ and σ₃ = h³/α₀²; left: (h 0 0) → (1 0 0), so that σ₁ = √(α₀² + 1),
// det = h²; (24): rows (α₀ −h 0), (0 α₀h −1), (1 0 0): σ₁ = √(α₀² + 1), σ₂ = 1, det = h. Two fields: σ₁ = α₀²/h.
Limit limit_of(const Preconditioner& p) {
  const double a = kTwoSteps[0], square = a * a;
  const std::array<int, 3> without{0, 0, 0};
  if (p.left == without) return p.two_fields ? Limit{square * square, 4} : Limit{a * square, 3};
  if (p.right == without) return p.two_fields ? Limit{square * square, 3} : Limit{(square + 1) * a, 2};
  if (!p.two_fields && p.right[v] == 0) return {square + 1, 1};
  Eigen::MatrixXd A;
  if (p.two_fields) A = Eigen::Matrix2d{{square, -1}, {1, 0}};
  else A = Eigen::Matrix3d{{a, -1, 0}, {0, a, -1}, {1, 0, 0}};
  return {conditioning::condition_number(A), 0};
}

}  // namespace bricard::bdf_pendulum
