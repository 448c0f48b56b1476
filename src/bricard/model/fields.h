// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tuple>

// Each model struct lists its fields once; reader, schema, manual and Python binding walk the list.
namespace bricard {

/// The largest number of a model, SI: products of seven are finite (1e280), and no machine has one of them: the universe
/// weighs 1e53 kg, the sun 2e30 kg. Numbers that must be positive are at least its inverse.
inline constexpr double kLargestNumber = 1e40;

enum class Presence { optional, required };

/// What a number, or each of several, must be.
enum class Range { any, positive, not_negative, not_zero };

template <class Struct, class T>
struct Field {
  T Struct::*member;
  const char* name;  ///< the key in the model file
  const char* unit;  ///< SI unit, "" if none
  const char* help;  ///< one sentence
  Presence presence;
  Range range;
};

template <class Struct, class T>
constexpr Field<Struct, T> field(T Struct::*member, const char* name, const char* unit, const char* help,
                                 Range range = Range::any) {
  return {member, name, unit, help, Presence::optional, range};
}

template <class Struct, class T>
constexpr Field<Struct, T> required(T Struct::*member, const char* name, const char* unit, const char* help,
                                    Range range = Range::any) {
  return {member, name, unit, help, Presence::required, range};
}

}  // namespace bricard
