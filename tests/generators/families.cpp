// SPDX-License-Identifier: Apache-2.0
#include "generators/families.h"

#include <stdexcept>

namespace bricard::testing {
namespace {

constexpr double kPi = std::numbers::pi;

/// Masses of one mechanism: alike, or up to a thousand times apart.
class Masses {
 public:
  explicit Masses(Draw& draw)
      : unit_(draw.log_uniform(0.03, 30)), spread_(draw.chance(0.3) ? 1.5 : std::sqrt(1000.0)) {}
  double next(Draw& draw) const { return unit_ * draw.log_uniform(1 / spread_, spread_); }

 private:
  double unit_, spread_;
};

double link_length(Draw& draw) { return draw.chance(0.2) ? draw.log_uniform(0.03, 0.2) : draw.uniform(0.3, 1); }

/// A bar between two places, its mass centre somewhere about the middle.
int add_bar(Linkage& k, Draw& draw, const Masses& masses, const Vector3d& a, const Vector3d& b) {
  const double size = std::max((b - a).norm(), 0.05);
  return k.add_body(draw, a + draw.uniform(0.2, 0.8) * (b - a) + draw.vector(0.2 * size), size, masses.next(draw));
}

// ---- planar linkages of revolutes and sliders: cranks on ground, then pairs of bars that close a loop each

/// A place in the plane, the hinge anywhere along its axis.
Vector3d lifted(const Eigen::Vector2d& p, Draw& draw) { return {p.x(), p.y(), draw.uniform(-0.2, 0.2)}; }

struct PlanarBuilder {
  Draw& draw;
  Linkage k;
  Masses masses;
  std::vector<Eigen::Vector2d> ends;  ///< a place on each body where another may be hinged

  explicit PlanarBuilder(Draw& d, const std::string& name) : draw(d), masses(d) {
    k.family = name, k.planar = true, k.freedoms = 0;
  }
  static Vector3d flat(const Eigen::Vector2d& p) { return {p.x(), p.y(), 0}; }
  Eigen::Vector2d offset(double length) {
    const double turn = draw.uniform(0, 2 * kPi);
    return length * Eigen::Vector2d(std::cos(turn), std::sin(turn));
  }
  void hinge(int from, int to, const Eigen::Vector2d& at) {
    k.add_joint(JointType::revolute, from, to, lifted(at, draw), Vector3d::UnitZ());
  }
  int bar(const Eigen::Vector2d& a, const Eigen::Vector2d& b) {
    ends.push_back(b);
    return add_bar(k, draw, masses, flat(a), flat(b));
  }
  int crank(const Eigen::Vector2d& at) {
    const int body = bar(at, at + offset(link_length(draw)));
    hinge(-1, body, at);
    ++k.freedoms;
    return body;
  }
  /// Two bars from a place on one body to a place on another.
  void dyad(int first, const Eigen::Vector2d p, int second, const Eigen::Vector2d q) {
    const Eigen::Vector2d d = q - p, side(-d.y(), d.x());
    const Eigen::Vector2d tip = p + draw.uniform(0.1, 0.9) * d + draw.sign() * draw.uniform(0.4, 1.2) * side +
                                (d.norm() < 0.3 ? offset(0.5) : Eigen::Vector2d(0, 0));
    const int a = bar(p, tip), b = bar(q, tip);
    hinge(first, a, p), hinge(a, b, tip), hinge(b, second, q);
  }
  /// A bar from a place on a body to a block that slides on ground.
  void slider(int body, const Eigen::Vector2d p) {
    const Eigen::Vector2d q = p + offset(draw.uniform(0.5, 1.5));
    const double turn = std::atan2(q.y() - p.y(), q.x() - p.x()) + draw.uniform(-0.7, 0.7);
    const int rod = bar(p, q), block = k.add_body(draw, flat(q), 0.3, masses.next(draw));
    ends.push_back(q);
    hinge(body, rod, p), hinge(rod, block, q);
    k.add_joint(JointType::translational, -1, block, lifted(q, draw), {std::cos(turn), std::sin(turn), 0});
  }
  /// A place on a body: near the end that was kept for it, or elsewhere.
  Eigen::Vector2d place_on(int body) {
    return draw.chance(0.3) ? ends[body] : Eigen::Vector2d(ends[body] + offset(0.3));
  }
  Linkage done() {
    k.gravity = 9.81 * draw.direction();
    return k;
  }
};

Linkage four_bar(Draw& draw) {
  PlanarBuilder b(draw, "four-bar");
  const int crank = b.crank({0, 0});
  b.dyad(crank, b.ends[crank], -1, b.offset(draw.uniform(0.4, 1.2)));
  return b.done();
}

Linkage slider_crank(Draw& draw) {
  PlanarBuilder b(draw, "slider-crank");
  const int crank = b.crank({0, 0});
  b.slider(crank, b.ends[crank]);
  return b.done();
}

Linkage five_bar(Draw& draw) {
  PlanarBuilder b(draw, "five-bar");
  const int left = b.crank({0, 0}), right = b.crank(b.offset(draw.uniform(0.5, 1.2)));
  b.dyad(left, b.ends[left], right, b.ends[right]);
  return b.done();
}

/// Watt's and Stephenson's six-bars, and longer ones: a four-bar or a slider-crank with more pairs of bars.
Linkage many_loops(Draw& draw) {
  PlanarBuilder b(draw, "several loops");
  const int crank = b.crank({0, 0});
  b.dyad(crank, b.ends[crank], -1, b.offset(draw.uniform(0.4, 1.2)));
  for (int more = 1 + draw.below(3); more > 0; --more) {
    const int bodies = static_cast<int>(b.k.bodies.size()), first = draw.below(bodies);
    const int second = draw.chance(0.4) ? -1 : (first + 1 + draw.below(bodies - 1)) % bodies;
    if (draw.chance(0.2)) b.slider(first, b.place_on(first));
    else b.dyad(first, b.place_on(first), second, second < 0 ? b.offset(draw.uniform(0.4, 1.5)) : b.place_on(second));
  }
  return b.done();
}

/// Storeys of parallelograms, each a plate on two to five equal parallel bars: more than two are redundant in the plane
/// too.
Linkage parallelograms(Draw& draw) {
  PlanarBuilder b(draw, "parallelograms");
  int below = -1;
  Eigen::Vector2d base(0, 0);
  const int storeys = 1 + draw.below(3);
  for (int s = 0; s < storeys; ++s) {
    const Eigen::Vector2d along = b.offset(1),
                          bar = link_length(draw) * (Eigen::Rotation2Dd(draw.sign() * draw.uniform(0.5, 2.6)) * along);
    const int bars = 2 + draw.below(4);
    const double width = draw.uniform(0.4, 1.2);
    const int plate = static_cast<int>(b.k.bodies.size());
    b.bar(base + bar, base + bar + width * along);
    for (int i = 0; i < bars; ++i) {
      const Eigen::Vector2d foot = base + (i < 2 ? i : draw.uniform(0.2, 1.5)) * width * along;
      const int body = b.bar(foot, foot + bar);
      b.hinge(below, body, foot), b.hinge(body, plate, foot + bar);
    }
    ++b.k.freedoms;
    below = plate, base += bar;
  }
  return b.done();
}

// ---- spatial loops that move against the count of equations

/// Closes a ring of hinges with bars between neighbours, the first one being the ground.
Linkage ring(const std::string& name, Draw& draw, const std::vector<Vector3d>& places,
             const std::vector<Vector3d>& axes) {
  Linkage k;
  k.family = name;
  k.gravity = 9.81 * draw.direction();
  const Masses masses(draw);
  const int count = static_cast<int>(places.size());
  for (int i = 0; i + 1 < count; ++i) add_bar(k, draw, masses, places[i], places[i + 1]);
  for (int i = 0; i < count; ++i) k.add_joint(JointType::revolute, i - 1, i + 1 < count ? i : -1, places[i], axes[i]);
  return k;
}

// Lengths a, b and twists α, β in turn, sin α / a = sin β / b, and tan ½θ₁ tan ½θ₂ = sin ½(β + α) / sin ½(β − α)
// [Bennett1903]
Linkage bennett(Draw& draw) {
  const double alpha = draw.uniform(0.3, 1.3), beta = alpha + draw.sign() * draw.uniform(0.25, 0.8);
  const double a = draw.uniform(0.3, 1), b = a * std::sin(beta) / std::sin(alpha),
               theta = draw.sign() * draw.uniform(0.6, 2.4);
  const double second =
      2 * std::atan(std::sin((beta + alpha) / 2) / std::sin((beta - alpha) / 2) / std::tan(theta / 2));
  std::vector<Vector3d> places, axes;
  Eigen::Isometry3d T = Eigen::Isometry3d::Identity();
  for (int i = 0; i < 4; ++i) {  // θ₃ = −θ₁, θ₄ = −θ₂
    axes.emplace_back(T.linear().col(2));
    places.emplace_back(T.translation() + draw.uniform(-0.2, 0.2) * axes.back());
    T.rotate(Eigen::AngleAxisd((i < 2 ? 1 : -1) * (i % 2 == 0 ? theta : second), Vector3d::UnitZ()));
    T.translate((i % 2 == 0 ? a : b) * Vector3d::UnitX());
    T.rotate(Eigen::AngleAxisd(i % 2 == 0 ? alpha : beta, Vector3d::UnitX()));
  }
  return ring("Bennett", draw, places, axes);
}

/// Three lines anywhere and their images by half a turn about another line.
Linkage bricard_line_symmetric(Draw& draw) {
  const Matrix3d half_turn = Eigen::AngleAxisd(kPi, draw.direction()).toRotationMatrix();
  std::vector<Vector3d> places, axes;
  for (int i = 0; i < 3; ++i) places.push_back(draw.vector(0.6)), axes.push_back(draw.direction());
  for (int i = 0; i < 3; ++i) places.push_back(half_turn * places[i]), axes.push_back(half_turn * axes[i]);
  return ring("Bricard, line-symmetric", draw, places, axes);
}

/// Two lines in a plane, two anywhere and their mirror images.
Linkage bricard_plane_symmetric(Draw& draw) {
  const auto mirrored = [](const Vector3d& x) { return Vector3d(x.x(), -x.y(), x.z()); };
  const auto in_plane = [](const Vector3d& x) { return Vector3d(x.x(), 0, x.z()); };
  const Vector3d p1 = in_plane(draw.vector(0.6)), p4 = in_plane(draw.vector(0.6)), p2 = draw.vector(0.6),
                 p3 = draw.vector(0.6);
  const Vector3d e1 = in_plane(draw.direction()), e4 = in_plane(draw.direction()), e2 = draw.direction(),
                 e3 = draw.direction();
  return ring("Bricard, plane-symmetric", draw, {p1, p2, p3, p4, mirrored(p3), mirrored(p2)},
              {e1, e2, e3, e4, mirrored(e3), mirrored(e2)});
}

/// Three planes of symmetry through one line: lines 1, 3, 5 are turned images of each other, so are 2, 4, 6.
Linkage bricard_threefold(Draw& draw) {
  const Matrix3d third = Eigen::AngleAxisd(2 * kPi / 3, Vector3d::UnitZ()).toRotationMatrix();
  const Matrix3d sixth = Eigen::AngleAxisd(kPi / 3, Vector3d::UnitZ()).toRotationMatrix();
  Vector3d p1(draw.uniform(0.3, 1), 0, draw.uniform(-0.5, 0.5)), e1(draw.uniform(-1, 1), 0, draw.uniform(-1, 1));
  Vector3d p2 = sixth * Vector3d(draw.uniform(0.3, 1), 0, draw.uniform(-0.5, 0.5));
  Vector3d e2 = sixth * Vector3d(draw.uniform(-1, 1), 0, draw.uniform(-1, 1));
  std::vector<Vector3d> places, axes;
  for (int i = 0; i < 3; ++i) {
    places.push_back(p1), places.push_back(p2), axes.push_back(e1), axes.push_back(e2);
    p1 = third * p1, e1 = third * e1, p2 = third * p2, e2 = third * e2;
  }
  return ring("Bricard, threefold", draw, places, axes);
}

/// A plate that goes straight up and down on two or more folding pairs of bars with parallel hinges each.
Linkage sarrus(Draw& draw) {
  Linkage k;
  k.family = "Sarrus";
  k.gravity = 9.81 * draw.direction();
  const Masses masses(draw);
  const double height = draw.uniform(0.3, 1);
  const int plate = k.add_body(draw, Vector3d(0, 0, height) + draw.vector(0.2), 0.6, masses.next(draw)),
            legs = 2 + draw.below(3);
  double turn = 0;
  for (int i = 0; i < legs; ++i) {
    turn += draw.uniform(0.5, 1.2);
    const Vector3d out(std::cos(turn), std::sin(turn), 0), axis(-std::sin(turn), std::cos(turn), 0);
    const Vector3d foot = draw.uniform(0.2, 0.6) * out + draw.uniform(-0.2, 0.2) * axis;
    const Vector3d head = draw.uniform(0.2, 0.6) * out + Vector3d(0, 0, height);
    const Vector3d knee =
        (draw.chance(0.8) ? 1 : -1) * draw.uniform(0.5, 1.2) * out + Vector3d(0, 0, draw.uniform(0.2, 0.8) * height);
    const int lower = add_bar(k, draw, masses, foot, knee), upper = add_bar(k, draw, masses, knee, head);
    k.add_joint(JointType::revolute, -1, lower, foot, axis);
    k.add_joint(JointType::revolute, lower, upper, knee, axis);
    k.add_joint(JointType::revolute, upper, plate, head, axis);
  }
  return k;
}

// ---- mechanisms without redundant equations

/// One of the joints that a tree may have, and its freedoms.
std::pair<JointType, int> any_joint(Draw& draw) {
  const std::pair<JointType, int> types[] = {{JointType::revolute, 1},      {JointType::revolute, 1},
                                             {JointType::translational, 1}, {JointType::cylindrical, 2},
                                             {JointType::universal, 2},     {JointType::spherical, 3}};
  return types[draw.below(6)];
}

void add_any_joint(Linkage& k, Draw& draw, JointType type, int from, int to, const Vector3d& at) {
  k.add_joint(type, from, to, at, draw.direction());
  Linkage::Joint& joint = k.joints.back();
  joint.second_axis = Eigen::AngleAxisd(draw.uniform(0, 2 * kPi), joint.axis) * joint.axis.unitOrthogonal();
}

/// Bodies that hang on ground or on any earlier body.
Linkage tree(Draw& draw) {
  Linkage k;
  k.family = "open trees";
  k.gravity = 9.81 * draw.direction();
  k.freedoms = 0;
  const Masses masses(draw);
  std::vector<Vector3d> ends;
  const int count = 2 + draw.below(4);
  for (int b = 0; b < count; ++b) {
    const int from = b == 0 ? -1 : draw.below(b + 1) - 1;
    const Vector3d at = from < 0 ? draw.vector(0.5) : Vector3d(ends[from]),
                   end = at + draw.uniform(0.3, 1) * draw.direction();
    add_bar(k, draw, masses, at, end);
    ends.push_back(end);
    const auto [type, freedoms] = any_joint(draw);
    add_any_joint(k, draw, type, from, b, at);
    k.freedoms += freedoms;
  }
  return k;
}

/// One loop from ground to ground: RSSR, RSUR, RSCR, RSSP, RCCC, seven revolutes.
Linkage spatial_loop(Draw& draw) {
  using enum JointType;
  const std::vector<std::vector<JointType>> loops = {
      {revolute, spherical, spherical, revolute},        {revolute, spherical, universal, revolute},
      {revolute, spherical, cylindrical, revolute},      {revolute, spherical, spherical, translational},
      {revolute, cylindrical, cylindrical, cylindrical}, std::vector<JointType>(7, revolute)};
  const size_t which = draw.below(static_cast<int>(loops.size()));
  const std::vector<JointType>& types = loops[which];
  Linkage k;
  k.family = "spatial loops";
  k.gravity = 9.81 * draw.direction();
  k.freedoms = which == 0 || which == 3 ? 2 : 1;
  const Masses masses(draw);
  std::vector<Vector3d> places;
  for (size_t i = 0; i < types.size(); ++i) places.push_back(draw.vector(0.8));
  const int bodies = static_cast<int>(types.size()) - 1;
  for (int b = 0; b < bodies; ++b) add_bar(k, draw, masses, places[b], places[b + 1]);
  for (int j = 0; j <= bodies; ++j) add_any_joint(k, draw, types[j], j - 1, j < bodies ? j : -1, places[j]);
  return k;
}

/// A plate on three legs, each with two hinges and a ball joint.
Linkage platform(Draw& draw) {
  Linkage k;
  k.family = "platforms";
  k.gravity = 9.81 * draw.direction();
  k.freedoms = 3;
  const Masses masses(draw);
  const int plate = k.add_body(draw, Vector3d(0, 0, 1) + draw.vector(0.2), 0.8, masses.next(draw));
  for (int leg = 0; leg < 3; ++leg) {
    const double turn = 2 * kPi / 3 * leg + draw.uniform(-0.4, 0.4);
    const Vector3d out(std::cos(turn), std::sin(turn), 0), foot = draw.uniform(0.4, 0.8) * out;
    const Vector3d head = draw.uniform(0.3, 0.6) * out + Vector3d(0, 0, draw.uniform(0.8, 1.2));
    const Vector3d knee = draw.uniform(0.9, 1.3) * out + Vector3d(0, 0, draw.uniform(0.3, 0.7));
    const int lower = add_bar(k, draw, masses, foot, knee), upper = add_bar(k, draw, masses, knee, head);
    add_any_joint(k, draw, JointType::revolute, -1, lower, foot);
    add_any_joint(k, draw, JointType::revolute, lower, upper, knee);
    add_any_joint(k, draw, JointType::spherical, upper, plate, head);
  }
  return k;
}

}  // namespace

const std::vector<Family>& all_families() {
  static const std::vector<Family> families = {{"four-bar", true, four_bar},
                                               {"slider-crank", true, slider_crank},
                                               {"five-bar", true, five_bar},
                                               {"several loops", true, many_loops},
                                               {"parallelograms", true, parallelograms},
                                               {"Bennett", true, bennett},
                                               {"Sarrus", true, sarrus},
                                               {"Bricard, line-symmetric", true, bricard_line_symmetric},
                                               {"Bricard, plane-symmetric", true, bricard_plane_symmetric},
                                               {"Bricard, threefold", true, bricard_threefold},
                                               {"open trees", false, tree},
                                               {"spatial loops", false, spatial_loop},
                                               {"platforms", false, platform}};
  return families;
}

namespace {

constexpr double kWeakest = 5e-3;  ///< of LoopWitness::strength along the motion: away from singular positions
constexpr int kLooks = 60;         ///< positions along the motion that are looked at

/// Places for the drives: one joint for each freedom, on ground if there is only one, as in machines. Where balls and
/// the like take part, some freedoms stay free.
bool add_drives(Linkage& k, Draw& draw, bool all) {
  for (size_t j = 0; j < k.joints.size() && static_cast<int>(k.drives.size()) < k.freedoms; ++j) {
    const Linkage::Joint& joint = k.joints[j];
    const bool one = joint.type == JointType::revolute || joint.type == JointType::translational;
    const bool on_ground = joint.from < 0 || joint.to < 0;
    if (!one || (!on_ground && k.freedoms == 1)) continue;
    const double amplitude = draw.uniform(0.05, 0.4), rate = 0.5 * amplitude / k.duration;
    k.drives.push_back(
        {static_cast<int>(j), {draw.sign() * draw.uniform(0, rate), amplitude, draw.uniform(1, 4) / k.duration}});
    const LoopWitness witness(k);  // a joint that depends on those driven before is no place for a drive
    if (witness.coordinate_of(static_cast<int>(j)) < 0 ||
        witness.strength(0, VectorXd::Zero(witness.coordinates())) < kWeakest)
      k.drives.pop_back();
  }
  return all ? k.is_driven() : !k.drives.empty();
}

/// Whether the motion keeps away from singular positions and its bodies do not turn too far.
bool is_well_posed(const LoopWitness& witness, const DrawnLinkage& drawn) {
  const Linkage& k = drawn.linkage;
  VectorXd u = drawn.u, u1 = drawn.u1;
  double h = k.duration / kLooks;
  for (int i = 0; i <= kLooks; ++i) {
    const double t = k.duration * i / kLooks;
    if (i > 0 && k.is_driven()) {
      const VectorXd predicted = u + k.duration / kLooks * u1;
      u = predicted;
      if (!witness.close(t, u) || (u - predicted).lpNorm<Eigen::Infinity>() > 0.05)
        return false;  // or onto another branch
      u1 = witness.rates(t, u, u1);
    }
    if (i > 0 && !k.is_driven() && !witness.integrate(t - k.duration / kLooks, t, 1e-6, u, u1, h)) return false;
    if (witness.strength(t, u) < kWeakest || u.lpNorm<Eigen::Infinity>() > 12 ||
        u1.lpNorm<Eigen::Infinity>() * k.step > 0.2)
      return false;
  }
  return true;
}

}  // namespace

DrawnLinkage draw_linkage(const Family& family, unsigned seed, bool driven) {
  Draw draw(seed);
  for (int attempt = 0; attempt < 1000; ++attempt) {
    DrawnLinkage drawn{family.draw(draw), {}, {}};
    Linkage& k = drawn.linkage;
    k.step = draw.log_uniform(2e-4, 1e-2);
    k.duration = 60 * k.step;
    const LoopWitness loose(k);
    if (loose.strength(0, VectorXd::Zero(loose.coordinates())) < kWeakest) continue;
    if (driven && !add_drives(k, draw, family.redundant)) continue;
    const LoopWitness witness(k);  // its tree begins with the driven joints: other coordinates than before
    drawn.u = VectorXd::Zero(witness.coordinates());
    VectorXd wish(witness.coordinates());
    for (int i = 0; i < wish.size(); ++i)
      wish[i] = k.is_driven() ? 0 : draw.uniform(-1, 1) * std::min(0.5 / k.duration, 20.0);
    drawn.u1 = witness.rates(0, drawn.u, wish);
    if (is_well_posed(witness, drawn)) return drawn;
  }
  throw std::runtime_error("no mechanism found in 1000 attempts: family " + family.name + ", seed " +
                           std::to_string(seed));
}

}  // namespace bricard::testing
