// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bricard/assemble/formula_binding.h"
#include "bricard/assemble/markers.h"

// Inputs, differential equations, variables, controllers and velocity constraints.   theory: docs/theory/states.md
namespace bricard {

/// Numbers inputs and differential states; no multipliers may be in the system yet.
void add_inputs_and_states(const Model& model, System& system);

/// Says what variables and outputs of controllers stand for. Before any formula is bound.
void define_names(const Model& model, FormulaBinder& binder);

/// The equations of the states, and the variables and outputs that results show. All joints must be in the system already.
void add_differential_equations(const Model& model, System& system, FormulaBinder& binder);

/// Numbers the rows of the velocity constraints.
void add_velocity_rows(const Model& model, System& system);
void add_velocity_constraints(const Model& model, System& system, FormulaBinder& binder);

/// The names of the outputs of a block.
std::vector<std::string> output_names(const StateSpace& block);

}  // namespace bricard
