// SPDX-License-Identifier: Apache-2.0
#include "bricard/read/flexible_completion.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <numbers>

#include "bricard/assemble/beam_checks.h"
#include "bricard/assemble/beam_line.h"
#include "bricard/check/model_checks.h"
#include "bricard/elements/modal_bodies.h"
#include "bricard/flex/beam_structure.h"
#include "bricard/flex/rods.h"
#include "bricard/flex/shape_choice.h"
#include "bricard/read/beam_completion.h"
#include "bricard/read/part_reader.h"
#include "bricard/write/files.h"

namespace bricard::io {
namespace {

constexpr int kUsualModes = 8, kUsualElements = 8;

/// What is wrong with one choice of shapes, or what it makes of a part.
class Chooser {
 public:
  Chooser(const ModeChoice& choice, std::string path, ReadLog& log)
      : choice_(choice), path_(std::move(path)), log_(log) {}

  bool is_faulty(const std::string& key) const { return log_.is_faulty(path_ + "." + key); }
  bool is_good() const { return good_; }

  void fault(const std::string& key, const std::string& what) {
    good_ = false;
    const std::string path = key.empty() ? path_ : path_ + "." + key;
    if (log_.is_faulty(path)) return;
    const Place* place = log_.place_of(path);
    log_.fault(place ? *place : choice_.place, path, what);
  }

  /// It was said elsewhere what is wrong.
  void spoil() { good_ = false; }

  void check_values() {
    for (const char* key : {"*", "file", "rod", "modes", "frequency", "damping", "stiffening", "frame"})
      good_ = good_ && !is_faulty(key);
    if (choice_.modes && *choice_.modes < 1) fault("modes", fmt::format("must be >= 1, found {}", *choice_.modes));
    if (choice_.frequency && !(*choice_.frequency > 0))
      fault("frequency", fmt::format("must be > 0 Hz, found {:.6g}", *choice_.frequency));
    if (!choice_.damping) return;
    for (const double ratio : choice_.damping->values)
      if (!(ratio >= 0)) fault("damping", fmt::format("must be >= 0, found {:.6g}", ratio));
    if (choice_.damping->values.empty()) fault("damping", "expected a ratio, or one for each shape");
  }

  /// How a structure is to be reduced.
  Reduction reduction(const std::vector<InterfaceNodes>& interfaces) {
    Reduction wanted;
    wanted.modes = choice_.modes.value_or(kUsualModes);
    wanted.max_frequency = 2 * std::numbers::pi * choice_.frequency.value_or(0);
    wanted.stiffening = choice_.stiffening.value_or(true);
    if (choice_.frame.empty()) return wanted;
    std::vector<std::string> names;
    for (const InterfaceNodes& at : interfaces) names.push_back(at.name);
    if (!std::count(names.begin(), names.end(), choice_.frame))
      fault("frame", fmt::format("unknown interface '{}'{}", choice_.frame, suggestion(choice_.frame, names, "known")));
    wanted.frame = {{choice_.frame, {0, 1, 2, 3, 4, 5}}};
    return wanted;
  }

  /// Shapes of a file that are wanted.
  ReducedPart chosen(const ReducedPart& part) {
    const int all = part.shapes();
    if (choice_.modes && *choice_.modes > all)
      fault("modes", fmt::format("the part has {} shapes; expected 1 to {}", all, all));
    std::vector<int> kept;
    for (int i = 0; i < std::min(all, choice_.modes.value_or(all)); ++i)
      if (!choice_.frequency || part.frequencies[static_cast<size_t>(i)] <= 2 * std::numbers::pi * *choice_.frequency)
        kept.push_back(i);
    if (kept.empty())
      fault("frequency", fmt::format("no shape of the part is below it: the lowest one has {:.4g} Hz",
                                     part.frequencies[0] / (2 * std::numbers::pi)));
    return with_shapes(part, kept, VectorXd::Ones(static_cast<Eigen::Index>(kept.size())));
  }

  /// With damping and stiffening as wanted; null if something is wrong.
  std::shared_ptr<const ReducedPart> finished(ReducedPart part) {
    if (!good_) return nullptr;
    if (part.shapes() == 0) fault("", "the part has no shapes; a body that does not deform has mass and inertia");
    else if (part.shapes() > kMaxShapes)
      fault("modes", fmt::format("{} shapes are more than a body may have, {}; take fewer", part.shapes(), kMaxShapes));
    if (!good_) return nullptr;
    part = with_lengths(part);
    if (choice_.damping) {
      const size_t count = choice_.damping->values.size();
      if (count != 1 && count != static_cast<size_t>(part.shapes()))
        fault("damping",
              fmt::format("{} numbers for {} shapes; give one for each, or one for all", count, part.shapes()));
      else part.damping = modal_damping(part, choice_.damping->values);
    }
    if (choice_.stiffening && *choice_.stiffening && !part.stiffening)
      fault("stiffening", "the part does not know how stresses change its stiffness; reduce it with stiffening, or "
                          "remove the key");
    if (choice_.stiffening && !*choice_.stiffening) {
      part.stiffening.reset();
      for (PartInterface& at : part.interfaces) at.shortening = {};
    }
    return good_ ? std::make_shared<const ReducedPart>(std::move(part)) : nullptr;
  }

 private:
  const ModeChoice& choice_;
  std::string path_;
  ReadLog& log_;
  bool good_ = true;
};

/// The rod as a beam, whose words and checks it shares.
FlexibleBeam beam_of(const FlexibleRod& rod, const std::string& name) {
  FlexibleBeam beam;
  beam.name = name;
  beam.place = rod.place;
  beam.from.position = rod.from, beam.to.position = rod.to;
  beam.z_axis = rod.z_axis;
  beam.section = rod.section;
  beam.material = rod.material;
  beam.youngs_modulus = rod.youngs_modulus, beam.poissons_ratio = rod.poissons_ratio, beam.density = rod.density;
  beam.elements = rod.elements.value_or(kUsualElements);
  beam.markers = rod.markers;
  return beam;
}

/// Corners are the ends and the markers between them; interfaces have the axes of the section.
std::pair<Structure, std::vector<InterfaceNodes>> structure_of(const FlexibleBeam& beam, RodTheory theory) {
  const BeamLine line = beam_line(beam);
  const Pose start = line.pose(0);
  std::vector<std::pair<double, std::string>> places{{0, "start"}, {1, "end"}};
  for (const BeamMarker& m : beam.markers) places.emplace_back(m.s, m.name);
  std::sort(places.begin(), places.end());
  Rod rod;
  rod.name = beam.name;
  rod.source = "a rod";
  rod.z_axis = start.R.col(2);
  rod.section = RodSection::from(line.stiffness(0), line.mass(0));
  rod.theory = theory == RodTheory::timoshenko ? Rod::Theory::timoshenko : Rod::Theory::euler_bernoulli;
  rod.elements = *beam.elements;
  std::vector<InterfaceNodes> interfaces;
  for (const auto& [s, name] : places) {
    const Vector3d at = beam.from.position + s * (beam.to.position - beam.from.position);
    if (rod.corners.empty() || (at - rod.corners.back()).norm() > 1e-9 * line.length) rod.corners.push_back(at);
    interfaces.push_back({name,
                          {rod.node(static_cast<int>(rod.corners.size()) - 1)},
                          InterfaceNodes::Spider::rigid,
                          rod.corners.back(),
                          start.R});
  }
  return {rod_structure(rod), interfaces};
}

//     inertia about the mass centre:  ∫ x² 1 − x xᵀ dm − m (c² 1 − c cᵀ)
void take_part(const std::shared_ptr<const ReducedPart>& part, Body& body) {
  const PartInertia& all = part->inertia;
  const Vector3d c = all.first / all.mass;
  const Matrix3d central = all.second - all.mass * c * c.transpose();
  body.part = part;
  body.mass = all.mass;
  body.mass_center = {};
  body.mass_center.position = c;
  body.inertia = central.trace() * Matrix3d::Identity() - central;
  std::vector<Marker> markers;
  for (size_t i = 0; i < part->interfaces.size(); ++i) {
    const PartInterface& at = part->interfaces[i];
    Marker marker{at.name, body.place, at.position, Quaterniond(at.axes)};
    marker.interface = static_cast<int>(i);
    markers.push_back(marker);
  }
  body.markers.insert(body.markers.begin(), markers.begin(), markers.end());
}

class FlexibleCompletion {
 public:
  FlexibleCompletion(Model& model, ReadLog& log) : model_(model), log_(log) {}

  void complete(Body& body) {
    const FlexibleBody& flexible = *body.flexible;
    const std::string owner = "bodies." + body.name, path = owner + ".flexible";
    Chooser chooser(flexible, path, log_);
    chooser.check_values();
    refuse_mass(body, owner);
    check_model(model_, chooser);
    const bool file = !flexible.file.empty(), rod = flexible.rod.has_value();
    if (file && rod) chooser.fault("rod", "a file is given as well; remove one of both");
    if (!file && !rod && chooser.is_good())
      chooser.fault("", "give either file, a part that `bricard flex reduce` wrote, or rod");
    if (!chooser.is_good()) return;
    const auto part = chooser.finished(file ? from_file(flexible, chooser) : from_rod(body, chooser));
    if (!part) return;
    for (const Marker& m : body.markers)
      for (const PartInterface& at : part->interfaces)
        if (m.name == at.name)
          return log_.fault(m.place, owner + ".markers." + m.name,
                            "the part has an interface of this name; choose another one");
    take_part(part, body);
    check_inertia(body, owner, log_);
  }

  static void check_model(const Model& model, Chooser& chooser) {
    if (model.plane != Plane::none)
      chooser.fault("",
                    "planar models have no flexible bodies, which bend out of the plane; remove 'plane' and join the "
                    "bodies as in space");
    if (model.run.coordinates == Coordinates::natural)
      chooser.fault("", "natural coordinates cannot take flexible bodies; use run.coordinates: bodies");
  }

 private:
  void refuse_mass(const Body& body, const std::string& owner) {
    const auto refuse = [&](const std::string& key) {
      if (const Place* place = log_.place_of(owner + "." + key))
        log_.fault(*place, owner + "." + key, "the flexible part gives this; remove the key");
    };
    for (const char* key : {"mass", "inertia", "inertia_about", "mass_center", "point_masses"}) refuse(key);
    for (size_t i = 0; i < body.shapes.size(); ++i)
      for (const char* key : {"density", "mass"}) refuse(fmt::format("shapes[{}].{}", i, key));
    for (const Marker& m : body.markers)
      if (!log_.place_of(owner + ".markers." + m.name + ".relative_to"))
        log_.fault(m.place, owner + ".markers." + m.name,
                   "the body is flexible: say on which of its interfaces the marker sits, as relative_to: end");
  }

  ReducedPart from_file(const FlexibleBody& flexible, Chooser& chooser) {
    if (!flexible.frame.empty())
      chooser.fault("frame", "the file tells where the frame of its part is; remove the key");
    const std::filesystem::path folder = std::filesystem::path(flexible.place.file).parent_path();
    try {
      return chooser.chosen(read_part((folder / flexible.file).string()));
    } catch (const std::runtime_error& error) {
      chooser.fault("file", error.what());
    }
    return {};
  }

  ReducedPart from_rod(const Body& body, Chooser& chooser) {
    const std::string path = "bodies." + body.name + ".flexible.rod";
    FlexibleBeam beam = beam_of(*body.flexible->rod, body.name);
    take_material(model_.materials, beam);
    const auto is_faulty = [&](const auto&... field) { return (log_.is_faulty(path + "." + field.name) || ...); };
    if (log_.is_faulty(path + ".*") || std::apply(is_faulty, FlexibleRod::fields()) ||
        !check_beam(beam, model_.materials, log_, path)) {
      chooser.spoil();
      return {};
    }
    if (beam.section->varies())
      chooser.fault("rod.section",
                    "a rod has the same section everywhere; take a beam with 'reduce' for one that changes");
    if (!chooser.is_good()) return {};
    const auto [structure, interfaces] = structure_of(beam, body.flexible->rod->theory);
    const Reduction wanted = chooser.reduction(interfaces);
    return chooser.is_good() ? reduce(structure, interfaces, wanted) : ReducedPart{};
  }

  Model& model_;
  ReadLog& log_;
};

}  // namespace

void complete_flexible(Model& model, ReadLog& log) {
  FlexibleCompletion completion(model, log);
  for (Body& body : model.bodies)
    if (body.flexible) completion.complete(body);
}

bool reduce_beam(const FlexibleBeam& beam, Model& model, ReadLog& log) {
  const std::string path = "beams." + beam.name;
  Chooser chooser(*beam.reduce, path + ".reduce", log);
  chooser.check_values();
  FlexibleCompletion::check_model(model, chooser);
  for (const char* key : {"load", "follower_load"})
    if (const Place* place = log.place_of(path + "." + key)) {
      log.fault(*place, path + "." + key, "a reduced beam takes forces at its markers only; remove this or 'reduce'");
      return false;
    }
  if (!chooser.is_good()) return false;
  const std::vector<InterfaceNodes> interfaces = beam_interfaces(beam);
  const Reduction wanted = chooser.reduction(interfaces);
  if (!chooser.is_good()) return false;
  const Structure structure = beam_structure(beam);
  ReducedPart made = reduce(structure, interfaces, wanted);
  if (beam.damping > 0 && !beam.reduce->damping) made.damping = beam.damping * made.stiffness;
  const auto part = chooser.finished(std::move(made));
  if (!part) return false;
  Body body;
  body.name = beam.name;
  body.place = beam.place;
  body.position = beam.from.position;
  body.velocity = beam.velocity, body.angular_velocity = beam.angular_velocity;
  take_part(part, body);
  model.bodies.push_back(body);
  for (const auto& [end, which] : {std::pair{&beam.from, "start"}, std::pair{&beam.to, "end"}}) {
    if (end->marker.name.empty()) continue;
    Joint joint;
    joint.name = beam.name + "_" + which;
    joint.place = beam.place;
    joint.between = {Reference{end->body, end->marker.place}, Reference{beam.name + "." + which, beam.place}};
    joint.at = end->position;
    model.joints.push_back(joint);
  }
  return true;
}

}  // namespace bricard::io
