// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bricard/assemble/markers.h"
#include "bricard/elements/contacts.h"

// Contacts of the model become points that touch.                           theory: docs/theory/contact.md
namespace bricard {

/// Numbers the states of bristles, after all other states.
void add_contact_states(const Model& model, System& system);

/// The points of a contact: states of bristles and sides must still be given.
std::vector<Contacts::Item> contact_points(const Named& named, const System& system, const Contact& contact);

/// Gives the points their sides and the states numbered before.
void number_contact(std::vector<Contacts::Item>& points, System& system);

/// N/m at a hundredth of the radius, where the law is not linear.
double contact_stiffness(const Contact& contact);

/// Throws ModelError if a contact is deeper at the start than its shapes make sense.
void check_overlap(const Contact& contact, const std::vector<Contacts::Item>& points, const Kinematics& start,
                   double length);

}  // namespace bricard
