// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "bricard/model/joint_elements.h"

// What happens on the way of a run.                                         theory: docs/theory/events.md
namespace bricard {

/// Which way a formula passes through zero.
enum class Crossing { both, rising, falling };

/// An input gets a new value.
struct InputSetting {
  std::string input;
  Place place;
  std::string path;
  MeasuredFormula value;
};

/// When a formula passes through zero, the run is stopped, inputs get new values, forces, joints and motions are switched on
/// and off, or the time is written down.
struct Event {
  std::string name;
  Place place;
  MeasuredFormula when;
  Crossing direction = Crossing::both;
  bool once = false, stop = false;
  std::vector<InputSetting> set;
  std::vector<Reference> activate, deactivate;
  static constexpr auto fields() {
    return std::tuple{
        required(&Event::when, "when", "any", "formula in t, measures and names; it happens where this passes zero"),
        field(&Event::direction, "direction", "", "rising, falling or both, which is meant if absent"),
        field(&Event::once, "once", "", "true: only the first time"),
        field(&Event::stop, "stop", "", "true: the run ends here"),
        field(&Event::set, "set", "", "new values of inputs: {name: formula}"),
        field(&Event::activate, "activate", "", "names of forces, joints and motions that are switched on"),
        field(&Event::deactivate, "deactivate", "", "names of forces, joints and motions that are switched off")};
  }
};

/// A section of the model whose elements can be switched.
enum class SwitchedKind { force, joint, motion };
const char* name_of(SwitchedKind kind);

/// The elements that a name in `activate`, `deactivate` or `inactive` may mean: latch, or joints.latch where more than one
/// section has it.
struct SwitchedName {
  SwitchedKind kind;
  std::string name;
};
struct Model;
std::vector<SwitchedName> switched_elements(const Model& model, const std::string& name);

}  // namespace bricard
