// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "bricard/model/model.h"

// The words of model files for each enumeration. The first name of a value is its own; further ones
// are aliases.
namespace bricard::io {

template <class Enum>
struct EnumName {
  const char* name;
  Enum value;
};

/// What the key `type` of the section `controllers` selects.
enum class ControllerType { transfer_function, state_space, pid };

inline constexpr EnumName<ShapeType> kShapeTypes[] = {
    {"box", ShapeType::box},       {"cylinder", ShapeType::cylinder}, {"tube", ShapeType::tube},
    {"sphere", ShapeType::sphere}, {"cone", ShapeType::cone},         {"rod", ShapeType::rod},
    {"plate", ShapeType::box},     {"disc", ShapeType::cylinder},     {"disk", ShapeType::cylinder}};

inline constexpr EnumName<RodTheory> kRodTheories[] = {{"timoshenko", RodTheory::timoshenko},
                                                       {"euler-bernoulli", RodTheory::euler_bernoulli}};

inline constexpr EnumName<JointCoordinate> kJointCoordinates[] = {{"angle", JointCoordinate::angle},
                                                                  {"translation", JointCoordinate::translation},
                                                                  {"x", JointCoordinate::x},
                                                                  {"y", JointCoordinate::y},
                                                                  {"z", JointCoordinate::z}};

inline constexpr EnumName<CouplerType> kCouplerTypes[] = {
    {"gear", CouplerType::gear}, {"rack-and-pinion", CouplerType::rack_and_pinion}, {"coupler", CouplerType::coupler}};

inline constexpr EnumName<ControllerType> kControllerTypes[] = {
    {"transfer-function", ControllerType::transfer_function},
    {"state-space", ControllerType::state_space},
    {"pid", ControllerType::pid}};

inline constexpr EnumName<ProjectionMode> kProjections[] = {{"automatic", ProjectionMode::automatic},
                                                            {"auto", ProjectionMode::automatic},
                                                            {"none", ProjectionMode::none},
                                                            {"full", ProjectionMode::full}};

inline constexpr EnumName<SolverType> kSolverTypes[] = {
    {"automatic", SolverType::automatic},     {"dense", SolverType::dense},         {"skyline", SolverType::skyline},
    {"sparse-ldlt", SolverType::sparse_ldlt}, {"sparse-lu", SolverType::sparse_lu}, {"klu", SolverType::klu}};

inline constexpr EnumName<Scaling> kScalings[] = {
    {"full", Scaling::full}, {"unit", Scaling::unit}, {"none", Scaling::none}};

inline constexpr EnumName<Coordinates> kCoordinates[] = {{"bodies", Coordinates::bodies},
                                                         {"natural", Coordinates::natural}};

inline constexpr EnumName<StartType> kStartTypes[] = {
    {"given", StartType::given}, {"static", StartType::equilibrium}, {"equilibrium", StartType::equilibrium}};

inline constexpr EnumName<Plane> kPlanes[] = {
    {"xy", Plane::xy}, {"yz", Plane::yz}, {"zx", Plane::zx}, {"xz", Plane::zx}};

inline constexpr EnumName<SpringAction> kSpringActions[] = {
    {"both", SpringAction::both}, {"pull", SpringAction::pull}, {"push", SpringAction::push}};

inline constexpr EnumName<SectionType> kSectionTypes[] = {
    {"rectangle", SectionType::rectangle}, {"circle", SectionType::circle},
    {"tube", SectionType::tube},           {"box", SectionType::box},
    {"I", SectionType::i_section},         {"i", SectionType::i_section},
    {"general", SectionType::general}};

inline constexpr EnumName<Crossing> kCrossings[] = {
    {"both", Crossing::both}, {"rising", Crossing::rising}, {"falling", Crossing::falling}};

std::span<const EnumName<ContactType>> enum_names(ContactType);
inline std::span<const EnumName<SectionType>> enum_names(SectionType) { return kSectionTypes; }
inline std::span<const EnumName<SpringAction>> enum_names(SpringAction) { return kSpringActions; }
inline std::span<const EnumName<Crossing>> enum_names(Crossing) { return kCrossings; }
inline std::span<const EnumName<Plane>> enum_names(Plane) { return kPlanes; }
inline std::span<const EnumName<StartType>> enum_names(StartType) { return kStartTypes; }
inline std::span<const EnumName<Coordinates>> enum_names(Coordinates) { return kCoordinates; }
std::span<const EnumName<JointType>> enum_names(JointType);
inline std::span<const EnumName<RodTheory>> enum_names(RodTheory) { return kRodTheories; }
inline std::span<const EnumName<ShapeType>> enum_names(ShapeType) { return kShapeTypes; }
inline std::span<const EnumName<JointCoordinate>> enum_names(JointCoordinate) { return kJointCoordinates; }
inline std::span<const EnumName<CouplerType>> enum_names(CouplerType) { return kCouplerTypes; }
inline std::span<const EnumName<ControllerType>> enum_names(ControllerType) { return kControllerTypes; }
std::span<const EnumName<IntegratorType>> enum_names(IntegratorType);
inline std::span<const EnumName<ProjectionMode>> enum_names(ProjectionMode) { return kProjections; }
inline std::span<const EnumName<Scaling>> enum_names(Scaling) { return kScalings; }
inline std::span<const EnumName<SolverType>> enum_names(SolverType) { return kSolverTypes; }

}  // namespace bricard::io
