// SPDX-License-Identifier: Apache-2.0
#include "bricard/assemble/forces.h"

#include <fmt/format.h>

#include "bricard/assemble/assemble.h"
#include "bricard/assemble/contacts.h"
#include "bricard/assemble/coordinates.h"
#include "bricard/elements/applied_forces.h"
#include "bricard/elements/fields.h"
#include "bricard/elements/joint_forces.h"
#include "bricard/elements/one_sided.h"
#include "bricard/elements/spring_dampers.h"
#include "bricard/elements/torsion_springs.h"

// Each kind of force has two functions here: `add` makes its element, `ResistanceOf` says how stiff it is. A kind without
// them does not compile.
namespace bricard {
namespace {

/// Elements of one kind, with the numbers of what switches them, −1 if nothing does.
template <class Batch>
struct Collected {
  std::vector<typename Batch::Item> items;
  std::vector<int> switches;
};

void set_bushing(const Bushing& bushing, Fields::Item& item) {
  item.stiffness.diagonal() << bushing.stiffness, bushing.rotational_stiffness;
  item.damping.diagonal() << bushing.damping, bushing.rotational_damping;
  item.preload << bushing.force, bushing.torque;
}

// The stiffness of one end of a beam with shear, the other end clamped, x along the beam:
//     Φ_y = 12 E I_zz a_y/(G A L²),  Φ_z = 12 E I_yy a_z/(G A L²)
void set_beam(const BeamForce& beam, double L, Fields::Item& item) {
  const double E = beam.youngs_modulus, GA = beam.shear_modulus * beam.area;
  const double phi_y = 12 * E * beam.Izz * beam.asy / (GA * L * L), phi_z = 12 * E * beam.Iyy * beam.asz / (GA * L * L);
  const double about_z = E * beam.Izz / (1 + phi_y), about_y = E * beam.Iyy / (1 + phi_z);
  Matrix6d& K = item.stiffness;
  K(0, 0) = E * beam.area / L;
  K(1, 1) = 12 * about_z / (L * L * L);
  K(1, 5) = K(5, 1) = -6 * about_z / (L * L);
  K(2, 2) = 12 * about_y / (L * L * L);
  K(2, 4) = K(4, 2) = 6 * about_y / (L * L);
  K(3, 3) = beam.shear_modulus * beam.Ixx / L;
  K(4, 4) = (4 + phi_z) * about_y / L;
  K(5, 5) = (4 + phi_y) * about_z / L;
  item.damping = beam.damping_ratio * K;
  item.free_position[0] = L;
}

double beam_length(const BeamForce& beam, const Named& named) {
  return beam.length.value_or(
      named.frames.start_distance(named.marker(beam.between[0]), named.marker(beam.between[1])));
}

/// Whether it minds how its markers are turned.
bool uses_rotation(const Fields::Item& e) {
  const auto in_rotation = [](const Matrix6d& A) {
    return !A.bottomRows<3>().isZero(0) || !A.rightCols<3>().isZero(0);
  };
  return in_rotation(e.stiffness) || in_rotation(e.damping) || !e.preload.tail<3>().isZero(0);
}

class ForceMaker {
 public:
  ForceMaker(const Named& named, const SwitchTable& switches, System& system, FormulaBinder& binder)
      : named_(named), switches_(switches), system_(system), binder_(binder) {}

  void add(const SpringDamper& s) {
    const MarkerPose i = named_.marker(s.between[0]), j = named_.marker(s.between[1]);
    const double length = named_.frames.start_distance(i, j);
    const double free_length = s.free_length.value_or(length);
    SpringDampers::Item& item = new_item(springs_, s.name);
    item = {two_point_place(system_, i, j), s.stiffness, s.damping, free_length, s.preload};
    if (s.law) item.law = bind_law(s.law->formula, "length", s.place, s.name);
    if (s.acts == SpringAction::both) return;
    item.direction = s.acts == SpringAction::pull ? 1 : -1;
    item.side = system_.add_discrete(one_sided::kByPosition);
    item.owner = "spring-damper '" + s.name + "'";
  }

  void add(const TorsionSpring& s) {
    const Coordinate c = joint_coordinate(system_, named_.joint(s.joint), JointCoordinate::angle);
    TorsionSprings::Item& item = new_item(torsion_springs_, s.name);
    item = {c.i.node,     c.j.node,     c.v_a,         c.v_b,       c.block_a, c.block_b,   c.i.R.col(0),
            c.i.R.col(1), c.j.R.col(0), c.angle_index, s.stiffness, s.damping, s.free_angle};
    if (s.law) item.law = bind_law(s.law->formula, "angle", s.place, s.name);
  }

  void add(const AppliedForce& f) {
    const MarkerPose m = named_.marker(f.on);
    const MarkerPose axes = f.frame.name == "body" ? m : named_.marker(f.frame);
    AppliedForces::Item& item = new_item(applied_, f.name);
    item.on = body_of(m.node);
    item.r = m.r;
    item.axes = body_of(axes.node);
    item.R_axes = axes.R;
    if (!f.reaction.name.empty()) item.reaction = body_of(named_.marker(f.reaction).node);
    item.components = binder_.bind_force({f.force[0], f.force[1], f.force[2], f.torque[0], f.torque[1], f.torque[2]},
                                         {}, f.place, "forces." + f.name);
    system_.laws[f.name] = std::make_shared<const MeasuredFormulas>(item.components);
    item.name = f.name;
  }

  void add(const JointSpring& s) {
    JointForces::Item& item = new_joint_force(s);
    item.stiffness = s.stiffness, item.damping = s.damping, item.free_position = s.free_position;
    item.preload = s.preload;
  }

  void add(const JointStop& s) {
    JointForces::Item& item = new_joint_force(s);
    if (s.lower) item.lower = *s.lower;
    if (s.upper) item.upper = *s.upper;
    item.stop_stiffness = s.stiffness, item.stop_damping = s.damping, item.stop_depth = s.depth;
    item.sides = system_.add_discrete(one_sided::kByPosition);  // of its lower limit, and
    system_.add_discrete(one_sided::kByPosition);               // of its upper one
    item.owner = "joint-stop '" + s.name + "'";
  }

  void add(const Motor& m) {
    system_.laws[m.name] = std::make_shared<const MeasuredFormulas>(
        binder_.bind_force({m.force.formula}, {}, m.place, "forces." + m.name));
    new_joint_force(m).motor = system_.laws[m.name];
  }

  void add(const Bushing& b) { set_bushing(b, new_field(b, b.at)); }

  void add(const FieldForce& f) {
    Fields::Item& item = new_field(f, f.at);
    item.stiffness = f.stiffness, item.damping = f.damping;
    item.free_position = f.free_position, item.preload = f.preload;
  }

  void add(const BeamForce& b) {
    const double length = beam_length(b, named_);
    if (!(length > 0))
      throw ModelError(
          {{b.place, "forces." + b.name + ": the two ends coincide at the start; give the beam's length"}});
    set_beam(b, length, new_field(b, {}));
  }

  void add(const Contact& c) {
    const int number = switches_.find(SwitchedKind::force, c.name);
    if (number >= 0 && c.has_bristles())
      throw ModelError(
          {{c.place, fmt::format("contacts.{}: its friction has states, so that it cannot be switched; use "
                                 "slip_speed in the place of bristle_stiffness",
                                 c.name)}});
    std::vector<Contacts::Item> points = contact_points(named_, system_, c);
    number_contact(points, system_);
    if (c.law) {
      auto law = std::make_shared<const MeasuredFormulas>(
          binder_.bind_force({c.law->formula}, {"depth", "rate"}, c.place, "contacts." + c.name));
      if (!law->measures.empty())
        throw ModelError(
            {{c.place, fmt::format("contacts.{}.law: may use depth, rate and t, but no measures or states", c.name)}});
      for (Contacts::Item& e : points) e.law = law;
    }
    if (start_.frames.empty()) start_ = wished_frames(named_.model, system_, start_state_);
    check_overlap(c, points, start_, system_.reference_length);
    for (Contacts::Item& e : points) {
      e.contact = contacts_made_;
      new_item(contacts_, c.name) = std::move(e);
    }
    ++contacts_made_;
  }

  /// Puts all of them into the system.
  void finish() {
    for (const Fields::Item& e : fields_.items)
      if (uses_rotation(e)) system_.rotations.push_back({e.i, e.j, "forces." + e.name});
    add_batch(springs_), add_batch(torsion_springs_), add_batch(applied_), add_batch(joint_forces_);
    add_batch(fields_), add_batch(contacts_);
  }

 private:
  template <class Batch>
  typename Batch::Item& new_item(Collected<Batch>& collected, const std::string& name) {
    collected.switches.push_back(switches_.find(SwitchedKind::force, name));
    return collected.items.emplace_back();
  }

  template <class Force>
  JointForces::Item& new_joint_force(const Force& f) {
    JointForces::Item& item = new_item(joint_forces_, f.name);
    item.coordinate = joint_coordinate(system_, named_.joint(f.joint), f.coordinate);
    item.signal = force_signal(f.name, item.coordinate);
    return item;
  }

  template <class Force>
  Fields::Item& new_field(const Force& f, const std::optional<Vector3d>& at) {
    std::array<MarkerPose, 2> m;
    for (int n = 0; n < 2; ++n)
      m[n] = at ? named_.frames.marker_at(named_.node(f.between[n]), {*at, Matrix3d::Identity()})
                : named_.marker(f.between[n]);
    const int a = m[0].node, b = m[1].node;
    Fields::Item& item = new_item(fields_, f.name);
    item = {m[0],
            m[1],
            system_.v_of(a),
            system_.v_of(b),
            system_.block_of(a),
            system_.block_of(b),
            Matrix6d::Zero(),
            Matrix6d::Zero(),
            Vector6d::Zero(),
            Vector6d::Zero(),
            f.name};
    return item;
  }

  /// A law in a variable of its spring and the rate of it; results show its value.
  std::shared_ptr<const MeasuredFormulas> bind_law(const Expression& law, const std::string& variable,
                                                   const Place& place, const std::string& name) {
    auto bound = std::make_shared<const MeasuredFormulas>(
        binder_.bind_force({law}, {variable, "rate"}, place, "forces." + name));
    system_.laws[name] = bound;
    return bound;
  }

  AppliedForces::Body body_of(int node) const { return {node, system_.v_of(node), system_.block_of(node)}; }

  template <class Batch>
  void add_batch(Collected<Batch>& collected) {
    add_switched<Batch>(system_, std::move(collected.items), collected.switches);
  }

  const Named& named_;
  const SwitchTable& switches_;
  System& system_;
  FormulaBinder& binder_;
  Collected<SpringDampers> springs_;
  Collected<TorsionSprings> torsion_springs_;
  Collected<AppliedForces> applied_;
  Collected<JointForces> joint_forces_;
  Collected<Fields> fields_;
  Collected<Contacts> contacts_;
  int contacts_made_ = 0;
  Kinematics start_;  // made for the first contact
  State start_state_;
};

struct ResistanceOf {
  const Named& named;
  const System& system;
  double length;  ///< ℓ_r

  Resistance operator()(const SpringDamper& f) const { return {f.stiffness, f.damping}; }
  Resistance operator()(const TorsionSpring& f) const { return turning({f.stiffness, f.damping}); }
  Resistance operator()(const AppliedForce&) const { return {}; }  // formulas are not known before they are evaluated
  Resistance operator()(const Motor&) const { return {}; }
  Resistance operator()(const JointSpring& f) const { return in_joint(f, {f.stiffness, f.damping}); }
  Resistance operator()(const JointStop& f) const { return in_joint(f, {f.stiffness, f.damping}); }
  Resistance operator()(const Contact& f) const { return {contact_stiffness(f), 0}; }
  Resistance operator()(const Bushing& f) const { return {f.stiffness.mean(), f.damping.mean()}; }
  Resistance operator()(const FieldForce& f) const { return matrices(f.stiffness, f.damping); }
  Resistance operator()(const BeamForce& f) const {
    Fields::Item item{};
    set_beam(f, beam_length(f, named), item);
    return matrices(item.stiffness, item.damping);
  }

 private:
  Resistance turning(const Resistance& r) const {
    return {r.stiffness / (length * length), r.damping / (length * length)};
  }
  template <class Force>
  Resistance in_joint(const Force& f, const Resistance& r) const {
    return joint_coordinate(system, named.joint(f.joint), f.coordinate).turns() ? turning(r) : r;
  }
  static Resistance matrices(const Matrix6d& K, const Matrix6d& C) {
    return {K.diagonal().head<3>().mean(), C.diagonal().head<3>().mean()};
  }
};

}  // namespace

Resistance total_resistance(const Named& named, const System& system, double length) {
  const ResistanceOf of{named, system, length};
  Resistance sum;
  for_each_force(named.model, [&](const auto& force) {
    const Resistance r = of(force);
    sum.stiffness += r.stiffness, sum.damping += r.damping;
  });
  return sum;
}

void add_forces(const Named& named, const SwitchTable& switches, System& system, FormulaBinder& binder) {
  ForceMaker maker(named, switches, system, binder);
  for_each_force(named.model, [&](const auto& force) { maker.add(force); });
  maker.finish();
}

}  // namespace bricard
