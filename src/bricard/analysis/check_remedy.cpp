// SPDX-License-Identifier: Apache-2.0
#include "bricard/analysis/check_remedy.h"

#include <algorithm>
#include <set>

#include "bricard/assemble/assemble.h"
#include "bricard/assemble/joint_table.h"

namespace bricard {
namespace {

constexpr long kMostRows = 60000;  // equations that all trials together may have: a fraction of a second

/// What the joints of a model leave free at s.
struct Count {
  int degrees_of_freedom, equations, redundant;
};

Count count_at(const Model& model, const State& s) {
  const System system = assemble(model);
  State same = system.make_state();
  same.t = s.t;
  same.q = s.q;
  const int rank = rank_at(system, same).rank;
  return {system.motions_without_constraints() - rank, system.multipliers(), system.multipliers() - rank};
}

/// Joints that may be replaced, those named redundant first.
std::vector<size_t> candidates(const Model& model, const Dependencies& dependencies) {
  std::set<std::string> busy;
  for (const Motion& m : model.motions) busy.insert(m.joint.name);
  for_each_force(model, [&]<class Force>(const Force& f) {
    if constexpr (InJoint<Force>) busy.insert(f.joint.name);
  });
  for (const Coupler& c : model.couplers)
    for (const Reference& joint : c.joints) busy.insert(joint.name);
  std::vector<size_t> found;
  std::set<std::string> seen;
  const auto add = [&](const std::string& name) {
    if (busy.count(name) || !seen.insert(name).second) return;
    for (size_t j = 0; j < model.joints.size(); ++j)
      if (model.joints[j].name == name) found.push_back(j);
  };
  for (const Redundancy& r : dependencies.joints) add(r.joint);
  for (const Redundancy& r : dependencies.joints)
    for (auto name = r.depends_on.rbegin(); name != r.depends_on.rend(); ++name) add(*name);
  return found;
}

// None for rods, screws and curves: what they do is not a matter of freedoms alone.
std::vector<JointType> freer_types(JointType type) {
  std::vector<JointType> types;  // those with the fewest equations first
  for (const JointType other : {JointType::spherical, JointType::cylindrical, JointType::universal, JointType::revolute,
                                JointType::translational})
    if (primitives_of(type).special == JointPrimitives::Special::none &&
        primitives_of(other).rows() < primitives_of(type).rows())
      types.push_back(other);
  return types;
}

}  // namespace

// Since degrees of freedom stay, every equation that goes was redundant. One pass is enough: a
// change that would free something now would do so all the more after further changes.
std::vector<Remedy> find_remedies(const Model& model, const State& s, const Dependencies& dependencies) {
  if (model.plane != Plane::none) return {};  // nothing but a pin does what a pin does
  Model changed = model;
  Count now = count_at(changed, s);
  const int of_motions = static_cast<int>(dependencies.motions.size());
  Remedy remedy;
  long rows = 0;
  for (const size_t j : candidates(model, dependencies)) {
    const JointType before = changed.joints[j].type;
    for (const JointType type : freer_types(before)) {
      if (now.redundant <= of_motions || (rows += now.equations) > kMostRows) break;
      changed.joints[j].type = type;
      const Count trial = count_at(changed, s);
      if (trial.degrees_of_freedom == now.degrees_of_freedom) {
        remedy.changes.push_back({changed.joints[j].name, name_of(before), name_of(type)});
        now = trial;
        break;
      }
      changed.joints[j].type = before;
    }
  }
  remedy.redundant_left = now.redundant - of_motions;
  if (remedy.changes.empty()) return {};
  return {remedy};
}

}  // namespace bricard
