// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <iterator>
#include <string_view>
#include <vector>

// One description per joint: words, coordinates, and which keys it takes. Reader, schema, checks, results and tests walk
// this table; its equations are a row in assemble/joint_table.cpp.           theory: docs/theory/joints.md
namespace bricard {

enum class JointType {
  fixed,
  revolute,
  translational,
  cylindrical,
  spherical,
  universal,
  distance,
  planar,
  constant_velocity,
  screw,
  point_on_curve,
  curve_on_curve,
  inline_,
  inplane,
  parallel,
  perpendicular,
  orientation,
  knife_edge,
  rolling,
  revolute_spherical
};

/// A coordinate of a joint, or of two markers, that motions, couplers and forces act on.
enum class JointCoordinate { automatic, angle, translation, x, y, z };

/// Where the markers of a joint are if `between` names bodies: at one place, `at`; anywhere, as only their directions
/// matter; or each at the origin of its body frame.
enum class JointPlacing { at_one_place, directions, two_points };

/// A key that not all joints have.
struct JointKey {
  const char* name = nullptr;
  const char* needed = nullptr;  ///< what it is, if it must be given
};

struct JointKind {
  JointType type;
  const char* word;
  std::array<const char*, 3> aliases;
  const char* leaves_free;
  std::array<const char*, 3> coordinates;  ///< as results and measures call them
  bool moved;                              ///< whether motions, couplers and forces can act on them
  JointPlacing placing;
  int axes;  ///< directions that must be given with a place: none, `axis`, or `second_axis` as well
  std::array<JointKey, 3> keys{};

  constexpr bool takes(std::string_view key) const {
    for (const JointKey& k : keys)
      if (k.name && key == k.name) return true;
    return false;
  }
};

/// How many coordinates say where the second marker is, if the first one is known; 0 if it takes more than coordinates.
constexpr int placing_coordinates(JointType type) {
  switch (type) {
    case JointType::revolute:
    case JointType::translational:
    case JointType::screw: return 1;  // a screw's way follows from its angle
    case JointType::cylindrical:
    case JointType::universal: return 2;
    case JointType::spherical:
    case JointType::planar: return 3;
    default: return 0;
  }
}

/// In the order of JointType.
inline constexpr JointKind kJointKinds[] = {
    {JointType::fixed, "fixed", {"weld"}, "nothing", {}, false, JointPlacing::at_one_place, 0},
    {JointType::revolute,
     "revolute",
     {"hinge", "continuous"},
     "turn about z",
     {"angle"},
     true,
     JointPlacing::at_one_place,
     1,
     {{{"rotor_inertia"}, {"gear_ratio"}}}},
    {JointType::translational,
     "translational",
     {"prismatic", "slider"},
     "motion along z",
     {"translation"},
     true,
     JointPlacing::at_one_place,
     1,
     {{{"rotor_inertia"}, {"gear_ratio"}}}},
    {JointType::cylindrical,
     "cylindrical",
     {},
     "turn about z, motion along z",
     {"angle", "translation"},
     true,
     JointPlacing::at_one_place,
     1,
     {{{"rotor_inertia"}, {"gear_ratio"}}}},
    {JointType::spherical,
     "spherical",
     {"ball", "point", "atpoint"},
     "all turns",
     {"rotation_x", "rotation_y", "rotation_z"},
     false,
     JointPlacing::at_one_place,
     0},
    {JointType::universal,
     "universal",
     {"hooke"},
     "turns about z of the first and x of the second marker",
     {"first_angle", "second_angle"},
     false,
     JointPlacing::at_one_place,
     2},
    {JointType::distance,
     "distance",
     {"rod", "spherical-spherical", "universal-spherical"},
     "all but the distance of two points",
     {"distance"},
     false,
     JointPlacing::two_points,
     0,
     {{{"length"}}}},
    {JointType::planar,
     "planar",
     {},
     "motion along x and y, turn about z",
     {"x", "y", "angle"},
     true,
     JointPlacing::at_one_place,
     1},
    {JointType::constant_velocity,
     "constant-velocity",
     {"convel"},
     "bending of two shafts, the z axes, which turn alike",
     {"bend"},
     false,
     JointPlacing::at_one_place,
     1},
    {JointType::screw,
     "screw",
     {},
     "turn about z with motion along z by the pitch",
     {"angle", "translation"},
     true,
     JointPlacing::at_one_place,
     1,
     {{{"pitch", "way per turn, in m, < 0 for a left-hand thread"}, {"rotor_inertia"}, {"gear_ratio"}}}},
    {JointType::point_on_curve,
     "point-on-curve",
     {"point-curve"},
     "the point j moves along the curve of i, all turns",
     {},
     false,
     JointPlacing::two_points,
     0,
     {{{"curve", "name of a curve in the section 'curves'"}, {"radius"}, {"hold_in_plane"}}}},
    {JointType::curve_on_curve,
     "curve-on-curve",
     {"curve-curve", "cam"},
     "all but the gap between two curves in one plane",
     {},
     false,
     JointPlacing::two_points,
     0,
     {{{"curve", "name of a curve in the section 'curves'"},
       {"second_curve", "name of a curve in the section 'curves'"}}}},
    {JointType::inline_,
     "inline",
     {},
     "motion along z, all turns",
     {"translation"},
     true,
     JointPlacing::at_one_place,
     1},
    {JointType::inplane,
     "inplane",
     {},
     "motion along x and y, all turns",
     {"x", "y"},
     false,
     JointPlacing::at_one_place,
     1},
    {JointType::parallel,
     "parallel",
     {"parallel-axes"},
     "all motions, turn about z",
     {"angle"},
     false,
     JointPlacing::directions,
     1},
    {JointType::perpendicular,
     "perpendicular",
     {},
     "all motions, turns that keep z ⟂ z",
     {},
     false,
     JointPlacing::directions,
     2},
    {JointType::orientation, "orientation", {}, "all motions, no turn", {}, false, JointPlacing::directions, 0},
    {JointType::knife_edge,
     "knife-edge",
     {"blade"},
     "all but velocities along z of the second marker, across the blade",
     {},
     false,
     JointPlacing::at_one_place,
     1},
    {JointType::rolling,
     "rolling",
     {"wheel"},
     "rolling without slip of a wheel on a plane",
     {},
     false,
     JointPlacing::two_points,
     0,
     {{{"radius", "of the wheel, in m"}, {"tube_radius"}}}},
    {JointType::revolute_spherical,
     "revolute-spherical",
     {},
     "all but the circle about z of the first marker, on which the second point is: a link without mass",
     {},
     false,
     JointPlacing::two_points,
     0,
     {{{"length"}}}},
};

constexpr const JointKind& kind_of(JointType type) { return kJointKinds[static_cast<int>(type)]; }

static_assert([] {
  for (size_t i = 0; i < std::size(kJointKinds); ++i)
    if (kJointKinds[i].type != static_cast<JointType>(i)) return false;
  return std::size(kJointKinds) == static_cast<size_t>(JointType::revolute_spherical) + 1;
}());

/// `fixed, revolute, … or rolling`
inline constexpr auto kJointWords = [] {
  std::array<char, 500> text{};  // zeros at its end
  size_t n = 0;
  const auto add = [&](const char* word) {
    while (*word) text[n++] = *word++;
  };
  for (size_t i = 0; i < std::size(kJointKinds); ++i) {
    if (i > 0) add(i + 1 < std::size(kJointKinds) ? ", " : " or ");
    add(kJointKinds[i].word);
  }
  return text;
}();

inline const char* name_of(JointType type) { return kind_of(type).word; }
const char* name_of(JointCoordinate coordinate);

/// The coordinates of a joint that motions, couplers and forces can act on.
std::vector<JointCoordinate> coordinates_of(JointType type);

}  // namespace bricard
