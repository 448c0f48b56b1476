// SPDX-License-Identifier: Apache-2.0
#include "generators/judge.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>

#include "bricard/analysis/find_start.h"
#include "bricard/analysis/kinematics.h"
#include "bricard/analysis/simulate.h"
#include "bricard/assemble/assemble.h"
#include "bricard/read/model_reader.h"

namespace bricard::testing {
namespace {

// Bounds, relative: driven positions follow from the joints alone, to the tolerance of Newton's method (1e-8 of a
// step's motion); reactions from a linear system whose condition the families keep moderate. Positions with a
// tolerance: this many times rtol. Reactions that are not made consistent have the error of a formula of second order
// at 60 steps for a motion of some rad.
constexpr double kPosition = 1e-7, kReaction = 1e-6, kFormula = 1e-2, kRtol = 1e-7, kToleranceFactor = 100;
constexpr int kSamples = 6;  ///< of a run that are compared

/// What the program says at one time, in the axes of the mechanism.
struct Seen {
  double t = 0;
  std::vector<MovingFrame> bodies;
  std::vector<JointLoad> loads;
};

struct Run {
  std::vector<Seen> seen;
  double unit = 1;  ///< of torques, in the norm that the reactions have least
  std::string stopped;
};

/// The state of the program, with the frames of the witness: in the mechanism's axes at home.
Seen see(const Linkage& k, const Writing& w, const System& system, const State& s) {
  Kinematics kinematics = system.make_kinematics();
  std::vector<Wrench> wrenches(system.joints.size());
  system.update(s, kinematics);
  system.reactions(kinematics, wrenches);
  Seen seen{s.t, std::vector<MovingFrame>(k.bodies.size()), std::vector<JointLoad>(k.joints.size())};
  const Matrix3d back = w.R.transpose();
  for (size_t i = 0; i < w.body_order.size(); ++i) {
    const int b = w.body_order[i];
    const Frame& f = kinematics.frames[i + 1];
    const FrameNode& node = system.nodes()[i + 1];
    MovingFrame& m = seen.bodies[b];
    m.R = back * f.R * w.body_axes[b].transpose();
    m.w = back * f.R * f.w;
    m.alpha = back * f.R * s.a.segment<3>(node.v + 3);
    const Vector3d r = -m.R * k.bodies[b].centre;
    m.p = back * (f.p - w.p) + r;
    m.v = back * f.v + m.w.cross(r);
    m.a = back * s.a.segment<3>(node.v) + m.alpha.cross(r) + m.w.cross(m.w.cross(r));
  }
  for (size_t i = 0; i < w.joint_order.size(); ++i) {
    const int j = w.joint_order[i];
    const double sign = w.swapped[j] ? -1 : 1;
    seen.loads[j].force = sign * (back * wrenches[i].force);
    seen.loads[j].torque = sign * (back * wrenches[i].torque);
  }
  return seen;
}

Run run(const Linkage& k, const Writing& w, const std::string& text, bool kinematics) try {
  const Model model = io::read_model_text(text, "drawn.yaml");
  const System system = assemble(model);
  const StartState start = find_start(model, system, StartType::given);
  const Results results =
      kinematics ? solve_kinematics(system, start.state, model.run) : simulate(system, start.state, model.run);
  Run found;
  found.unit = system.reference_length;
  if (!results.report.finished) found.stopped = "stopped: " + results.report.stopped_because;
  const size_t count = results.samples.size(), each = std::max<size_t>(1, (count - 1) / kSamples);
  for (size_t i = 0; i < count; ++i)
    if (i % each == 0 || i + 1 == count) found.seen.push_back(see(k, w, system, results.samples[i].state));
  return found;
} catch (const std::exception& e) {
  return {{}, 1, std::string("refused: ") + e.what()};
}

double size_of(const std::vector<JointLoad>& loads, double length) {
  double size = 0;
  for (const JointLoad& l : loads) size = std::max({size, l.force.norm(), l.torque.norm() / length});
  return size;
}

double distance(const Linkage& k, const std::vector<MovingFrame>& a, const std::vector<MovingFrame>& b) {
  double far = 0;
  for (size_t i = 0; i < a.size(); ++i) {
    const Vector3d& centre = k.bodies[i].centre;
    far = std::max({far, (a[i].at(centre) - b[i].at(centre)).norm() / k.length, (a[i].R - b[i].R).norm()});
  }
  return far;
}

double difference(const Linkage& k, const std::vector<JointLoad>& a, const std::vector<JointLoad>& b) {
  double most = 0;
  for (size_t j = 0; j < a.size(); ++j)
    most = std::max({most, (a[j].force - b[j].force).norm(), (a[j].torque - b[j].torque).norm() / k.length});
  return most;
}

/// What is left of Newton's and Euler's equations of all bodies, with accelerations and reactions of the program.
double imbalance(const Linkage& k, const Seen& seen) {
  double left = 0;
  for (size_t b = 0; b < k.bodies.size(); ++b) {
    const MovingFrame& m = seen.bodies[b];
    const Matrix3d I = m.R * k.bodies[b].inertia * m.R.transpose();
    const Vector3d centre = m.at(k.bodies[b].centre);
    Vector3d force = -k.bodies[b].mass * (m.acceleration(k.bodies[b].centre) - k.gravity);
    Vector3d torque = -(I * m.alpha + m.w.cross(I * m.w));
    for (size_t j = 0; j < k.joints.size(); ++j) {
      const Linkage::Joint& joint = k.joints[j];
      if (joint.from != static_cast<int>(b) && joint.to != static_cast<int>(b)) continue;
      const double sign = joint.to == static_cast<int>(b) ? 1 : -1;
      const Vector3d place = joint.to < 0 ? joint.at : seen.bodies[joint.to].at(joint.at);
      force += sign * seen.loads[j].force;
      torque += sign * (seen.loads[j].torque + (place - centre).cross(seen.loads[j].force));
    }
    left = std::max({left, force.norm(), torque.norm() / k.length});
  }
  return left;
}

/// Compares one run with the witness at the times of its samples.
class Comparison {
 public:
  Comparison(const DrawnLinkage& drawn, const LoopWitness& witness, const std::string& label, bool plane, double bound,
             double unit, Judgement& to)
      : k_(drawn.linkage), witness_(witness), label_(label), plane_(plane), bound_(bound), unit_(unit), to_(to),
        u_(drawn.u), u1_(drawn.u1) {}

  void add(const Seen& seen) {
    const bool driven = k_.is_driven();
    if (driven) follow(seen.t);
    else witness_.fit(seen.bodies, u_, u1_);  // the integrator's error is not what is looked at here
    const VectorXd u2 = witness_.accelerations(seen.t, u_, u1_);
    const std::vector<MovingFrame> bodies = witness_.frames(u_, u1_, u2);
    const std::vector<JointLoad> loads = witness_.loads(bodies, unit_);
    const double size = size_of(loads, k_.length);
    to_.note(label_ + (driven ? "position" : "loops"), distance(k_, seen.bodies, bodies), kPosition);
    for (size_t j = 0; j < loads.size(); ++j) compare(loads[j], seen.loads[j], size);
    for (const Linkage::Drive& drive : k_.drives)
      compare_drive(drive.joint, bodies, loads[drive.joint], seen.loads[drive.joint]);
    if (plane_) return;
    to_.note(label_ + "least norm", difference(k_, seen.loads, loads) / size, bound_);
    to_.note(label_ + "balance", imbalance(k_, seen) / size, bound_);
  }
  ~Comparison() {
    if (drive_size_ > 0) to_.note(label_ + "drive", drive_error_ / drive_size_, bound_);
  }

 private:
  void follow(double t) {
    for (const double step = (t - t_) / 20; t_ < t - 0.5 * step;) {
      t_ = std::min(t_ + step, t);
      u_ += step * u1_;
      if (!witness_.close(t_, u_)) throw std::runtime_error("the witness lost its way");
      u1_ = witness_.rates(t_, u_, u1_);
    }
    t_ = t;
    if (!witness_.close(t, u_)) throw std::runtime_error("the witness lost its way");
    u1_ = witness_.rates(t, u_, u1_);
  }
  void compare(const JointLoad& told, const JointLoad& seen, double size) {
    for (const Vector3d& d : told.told_forces)
      if (!plane_ || std::abs(d.z()) < 1e-12) note(d.dot(told.force - seen.force) / size);
    for (const Vector3d& d : told.told_torques)
      if (!plane_ || std::abs(d.z()) > 0.5) note(d.dot(told.torque - seen.torque) / k_.length / size);
  }
  void note(double error) { to_.note(label_ + "reactions", std::abs(error), bound_); }
  /// The drive's own share, relative to the largest of the run.
  void compare_drive(int j, const std::vector<MovingFrame>& bodies, const JointLoad& told, const JointLoad& seen) {
    const Linkage::Joint& joint = k_.joints[j];
    const Vector3d axis = joint.from < 0 ? joint.axis : Vector3d(bodies[joint.from].R * joint.axis);
    const bool turns = joint.type == JointType::revolute;
    const double torque = axis.dot(turns ? told.torque : told.force);
    drive_size_ = std::max(drive_size_, std::abs(torque));
    drive_error_ = std::max(drive_error_, std::abs(torque - axis.dot(turns ? seen.torque : seen.force)));
  }

  const Linkage& k_;
  const LoopWitness& witness_;
  std::string label_;
  bool plane_;
  double bound_, unit_;
  Judgement& to_;
  VectorXd u_, u1_;
  double t_ = 0, drive_size_ = 0, drive_error_ = 0;
};

/// All reactions of two writings of the same mechanism, redundant ones included. Positions of free ones differ by the error
/// of the integration; what their reactions are there is compared with the witness.
void compare_writings(const Linkage& k, const Run& a, const Run& b, Judgement& to) {
  to.note("invariance", std::abs(a.unit - b.unit) / k.length, kReaction);
  for (size_t i = 0; k.is_driven() && i < std::min(a.seen.size(), b.seen.size()); ++i)
    to.note("invariance", difference(k, a.seen[i].loads, b.seen[i].loads) / size_of(a.seen[i].loads, k.length),
            kReaction);
}

/// The end of a free motion with a tolerance, by one of the methods that have one.
void compare_motion(const DrawnLinkage& drawn, const LoopWitness& witness, const Writing& w,
                    const std::vector<BodyRates>& start, unsigned seed, Judgement& to) {
  const char* methods[] = {"hht", "radau", "dopri", "bdf", "hht-si2"};
  const Linkage& k = drawn.linkage;
  const std::string method = methods[seed % 5];
  const double rtol = method == "hht" || method == "hht-si2" ? 100 * kRtol : kRtol;
  const std::string text =
      model_text(k, w, start, fmt::format("duration: {:.17g}, integrator: {}, rtol: {}", k.duration, method, rtol));
  const Run found = run(k, w, text, false);
  if (!found.stopped.empty()) {
    if (to.stopped.empty()) to.stopped = method + ": " + found.stopped, to.model = text;
    return;
  }
  VectorXd u = drawn.u, u1 = drawn.u1;
  double h = k.duration / 20;
  if (!witness.integrate(0, k.duration, 1e-10, u, u1, h)) throw std::runtime_error("the witness lost its way");
  const bool was_good = to.good();
  to.note("motion by " + method, distance(k, found.seen.back().bodies, witness.frames(u, u1, u1)),
          kToleranceFactor * rtol);
  if (was_good && !to.good()) to.model = text;
}

std::vector<BodyRates> start_of(const LoopWitness& witness, const DrawnLinkage& drawn) {
  std::vector<BodyRates> start;
  const std::vector<MovingFrame> bodies = witness.frames(drawn.u, drawn.u1, VectorXd::Zero(witness.coordinates()));
  for (size_t b = 0; b < bodies.size(); ++b)
    start.push_back({bodies[b].velocity(drawn.linkage.bodies[b].centre), bodies[b].w});
  return start;
}

}  // namespace

bool Judgement::good() const {
  return stopped.empty() && std::all_of(errors.begin(), errors.end(), [](const auto& e) { return e.second <= 1; });
}

void Judgement::note(const std::string& what, double error, double bound) {
  double& worst = errors[what];
  worst = std::isfinite(error) ? std::max(worst, error / bound) : 1e300;
}

namespace {

/// All runs of one mechanism.
class Judge {
 public:
  Judge(const Family& family, unsigned seed, Judgement& to)
      : family_(family), seed_(seed), drawn_(draw_linkage(family, seed, seed % 2 == 0)), witness_(drawn_.linkage),
        to_(to), start_(start_of(witness_, drawn_)) {}

  // Redundant constraints are projected by default, so that reactions are consistent; elsewhere this is asked for, and
  // the default, whose reactions carry the error of its formula, is looked at besides.
  void run_all() {
    const Linkage& k = drawn_.linkage;
    Draw draw(seed_ + 0x9e3779b9u);
    const Writing first = random_writing(k, draw), second = random_writing(k, draw);
    const std::string projected = family_.redundant ? "" : ", projection: full";
    const Run one = look("", first, projected), other = look("", second, projected);
    compare_writings(k, one, other, to_);
    if (!family_.redundant) look("default: ", first, "");
    if (k.is_driven()) look("kinematics: ", first, "", true);
    if (k.planar) look("plane: ", flat(), ", projection: full");
    if (!k.is_driven()) compare_motion(drawn_, witness_, second, start_, seed_, to_);
  }

 private:
  Writing flat() const {
    Writing w = plain_writing(drawn_.linkage);
    w.plane = true;
    return w;
  }
  Run look(const std::string& label, const Writing& w, const std::string& settings, bool kinematics = false) {
    const Linkage& k = drawn_.linkage;
    const std::string text =
        model_text(k, w, start_, fmt::format("duration: {:.17g}, step: {:.17g}{}", k.duration, k.step, settings));
    const bool was_good = to_.good();
    Run found = run(k, w, text, kinematics);
    if (!found.stopped.empty() && to_.stopped.empty()) to_.stopped = label + found.stopped;
    {
      Comparison comparison(drawn_, witness_, label, w.plane, label == "default: " ? kFormula : kReaction, found.unit,
                            to_);
      for (const Seen& seen : found.seen) comparison.add(seen);
    }
    if (to_.model.empty() || (was_good && !to_.good())) to_.model = text;
    return found;
  }

  const Family& family_;
  unsigned seed_;
  DrawnLinkage drawn_;
  LoopWitness witness_;
  Judgement& to_;
  std::vector<BodyRates> start_;
};

}  // namespace

Judgement judge(const Family& family, unsigned seed) {
  Judgement result;
  try {
    Judge(family, seed, result).run_all();
  } catch (const std::exception& e) {
    result.stopped = e.what();
  }
  return result;
}

void Tally::add(unsigned seed, const Judgement& judgement) {
  ++count_;
  good_ += judgement.good();
  said_ += !judgement.said.empty();
  if (!judgement.said.empty() && said_ <= 3) failures_.push_back(fmt::format("seed {}: {}", seed, judgement.said));
  std::string why = judgement.stopped;
  for (const auto& [what, error] : judgement.errors) {
    double& worst = worst_[what];
    worst = std::max(worst, error);
    if (error <= 1) continue;
    ++above_[what];
    why += fmt::format("{}{} {:.2g}", why.empty() ? "" : ", ", what, error);
  }
  if (!judgement.good()) failures_.push_back(fmt::format("seed {}: {}", seed, why));
  if (judgement.good() && judgement.said.empty()) return;
  if (const char* folder = std::getenv("BRICARD_DUMP"))
    std::ofstream(fmt::format("{}/{}-{}.yaml", folder, family_, seed)) << "# " << why << judgement.said << "\n"
                                                                       << judgement.model;
}

std::string Tally::text() const {
  std::string out = fmt::format("| {} | {} | {} |", family_, count_, good_ - said_);
  if (said_ > 0) out += fmt::format(" {} ended without an answer;", said_);
  for (const auto& [what, worst] : worst_)
    out += fmt::format(" {} {:.2g}{};", what, worst,
                       above_.contains(what) ? fmt::format(" ({} above)", above_.at(what)) : "");
  out += " |\n";
  std::vector<std::string> failures = failures_;  // those with most against them first
  const auto faults = [](const std::string& f) { return std::count(f.begin(), f.end(), ','); };
  std::stable_sort(failures.begin(), failures.end(),
                   [&](const auto& a, const auto& b) { return faults(a) > faults(b); });
  const size_t shown = std::getenv("BRICARD_ALL_FAILURES") ? failures_.size() : std::min<size_t>(failures_.size(), 8);
  for (size_t i = 0; i < shown; ++i) out += "    " + failures[i] + "\n";
  if (shown < failures_.size())
    out += fmt::format("    and {} more (BRICARD_ALL_FAILURES=1 shows them)\n", failures_.size() - shown);
  return out;
}

int wanted_count(int usual, int full) {
  const char* wish = std::getenv("BRICARD_GENERATORS");
  if (!wish) return usual;
  return std::string(wish) == "full" ? full : std::atoi(wish);
}

}  // namespace bricard::testing
