// SPDX-License-Identifier: Apache-2.0
#include "tangent/mass_cloud.h"

namespace bricard::testing {
namespace {

using Eigen::MatrixXd;

class Random {
 public:
  explicit Random(unsigned seed) : generator_(seed) {}
  double operator()() { return uniform_(generator_); }
  MatrixXd matrix(Eigen::Index rows, Eigen::Index columns) {
    return MatrixXd::NullaryExpr(rows, columns, [&](Eigen::Index, Eigen::Index) { return (*this)(); });
  }
  MatrixXd symmetric(Eigen::Index n) {
    const MatrixXd m = matrix(n, n);
    return m + m.transpose();
  }

 private:
  std::mt19937 generator_;
  std::uniform_real_distribution<double> uniform_{-1, 1};
};

}  // namespace

MassCloud random_cloud(int shapes, bool shortens, unsigned seed) {
  Random random(seed);
  MassCloud cloud;
  for (int i = 0; i < 7; ++i) {
    MassCloud::Point p{0.3 + 0.1 * random(), random.matrix(3, 1), 0.4 * random.matrix(3, shapes), {}};
    for (MatrixXd& chi : p.chi)
      if (shortens) chi = 0.1 * random.symmetric(shapes);
    cloud.points.push_back(p);
  }
  const MatrixXd root = random.matrix(shapes, shapes), rate = random.matrix(shapes, shapes);
  cloud.stiffness = 20 * root * root.transpose() + 10 * MatrixXd::Identity(shapes, shapes);
  cloud.damping = 0.2 * rate * rate.transpose();
  return cloud;
}

ReducedPart part_of(const MassCloud& cloud, unsigned seed) {
  const int r = cloud.shapes();
  ReducedPart part;
  PartInertia& all = part.inertia;
  all.shapes.setZero(3, r);
  all.points_shapes.setZero(9, r);
  for (MatrixXd& m : all.shapes_shapes) m.setZero(r, r);
  if (cloud.shortens()) {
    part.stiffening.emplace();
    for (MatrixXd& m : part.stiffening->X) m.setZero(r, r);
    for (MatrixXd& m : part.stiffening->Y) m.setZero(r, r);
  }
  for (const MassCloud::Point& p : cloud.points) {
    all.mass += p.mass;
    all.first += p.mass * p.x;
    all.second += p.mass * p.x * p.x.transpose();
    all.shapes += p.mass * p.phi;
    size_t pair = 0;
    for (int a = 0; a < 3; ++a) {
      for (int b = 0; b < 3; ++b) all.points_shapes.row(3 * a + b) += p.mass * p.x[a] * p.phi.row(b);
      for (int b = a; b < 3; ++b) all.shapes_shapes[pair++] += p.mass * p.phi.row(a).transpose() * p.phi.row(b);
      if (!cloud.shortens()) continue;
      const MatrixXd& chi = p.chi[static_cast<size_t>(a)];
      for (int b = 0; b < 3; ++b) part.stiffening->X[static_cast<size_t>(3 * a + b)] += p.mass * p.x[b] * chi;
      part.stiffening->Y[static_cast<size_t>(a)] += p.mass * chi;
    }
  }
  part.stiffness = cloud.stiffness;
  part.damping = cloud.damping;
  part.frequencies.assign(static_cast<size_t>(r), 1);
  Random random(seed);
  for (const int i : {0, 1}) {
    const MassCloud::Point& p = cloud.points[static_cast<size_t>(i)];
    const Vector3d turn = random.matrix(3, 1);
    part.interfaces.push_back({i == 0 ? "start" : "end", p.x, exp_rotation(turn).toRotationMatrix(), p.phi,
                               0.3 * random.matrix(3, r), p.chi});
  }
  return part;
}

}  // namespace bricard::testing
