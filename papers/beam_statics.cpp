// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "papers/beam_runs.h"
#include "papers/beam_study.h"
#include "papers/rod_shooting.h"

// Beams at rest: the program's equilibria next to closed forms, published values and the rod's boundary value problem solved by
// shooting, which shares no equation with the elements.
namespace bricard::beam_study {
namespace {

using rod_shooting::ClampedRod;
using rod_shooting::RodEnd;
using rod_shooting::shoot;
using Matrix6d = Eigen::Matrix<double, 6, 6>;

constexpr double kPi = std::numbers::pi;
constexpr double kDegree = kPi / 180;
constexpr int kShootingSteps = 300;  // Runge–Kutta: twice as many change nothing within 1e-11 of the length

/// C⁻¹ of a section without couplings.
std::function<Matrix6d(double)> flexibility(const std::array<double, 6>& stiffness) {
  Matrix6d F = Matrix6d::Zero();
  for (int i = 0; i < 6; ++i) F(i, i) = 1 / stiffness[static_cast<size_t>(i)];
  return [F](double) { return F; };
}

/// Straight and untwisted.
Vector6d straight(double) { return Vector6d::Unit(0); }

Quantity in(const char* unit, double value) { return {value, parse_unit(unit)->dimension}; }

// ---- Princeton beam -----------------------------------------------------------------------------------------------

struct TipLoad {
  double P, degrees;
};

struct Tip {
  Vector3d u;
  double phi;  ///< of the section's y axis, seen along the unstrained beam
};

Tip tip_of(const Vector3d& p, const Matrix3d& R) {
  return {p - Vector3d(0.508, 0, 0), std::abs(std::atan2(R(2, 1), R(1, 1)))};
}

/// [Dowell and Traybar]: aluminium, 508 mm × 12.377 mm × 3.2024 mm, y is the stiff direction.
Tip princeton_by_shooting(const TipLoad& load) {
  const ClampedRod rod{0.508, straight, flexibility({2.84191e6, 9.03881e5, 6.40131e5, 3.10338, 2.42873, 36.2794}),
                       load.P * Vector3d(0, -std::cos(load.degrees * kDegree), std::sin(load.degrees * kDegree))};
  const RodEnd end = shoot(rod, kShootingSteps, 4);
  return tip_of(end.p, end.R);
}

/// The same problem solved by shooting in another program, printed to nine decimals and five.
struct Printed {
  TipLoad load;
  double u1, u2, u3, phi;
};
constexpr Printed kPrinted[] = {
    {{4.448, 0}, -0.000033914, -0.005359539, 0, 0},
    {{4.448, 30}, -0.001916840, -0.004751073, 0.039949986, 0.38224},
    {{4.448, 45}, -0.003746981, -0.003965165, 0.056056005, 0.43597},
    {{4.448, 60}, -0.005527198, -0.002862209, 0.068130100, 0.37304},
    {{4.448, 90}, -0.007260121, 0, 0.078082977, 0},
    {{8.896, 0}, -0.000135580, -0.010715402, 0, 0},
    {{8.896, 15}, -0.002240890, -0.010625769, 0.042125846, 0.90583},
    {{8.896, 30}, -0.007661003, -0.010147256, 0.079457223, 1.51147},
    {{8.896, 45}, -0.014389659, -0.008888886, 0.109043083, 1.66505},
    {{8.896, 60}, -0.020473650, -0.006654390, 0.129925260, 1.38087},
    {{8.896, 75}, -0.024584443, -0.003568908, 0.142216289, 0.77395},
    {{8.896, 90}, -0.026024803, 0, 0.146261896, 0},
    {{13.345, 0}, -0.000304810, -0.016065129, 0, 0},
    {{13.345, 15}, -0.005298505, -0.016502907, 0.064497284, 2.09374},
    {{13.345, 30}, -0.017163826, -0.016778054, 0.117903922, 3.32924},
    {{13.345, 45}, -0.030361783, -0.015342348, 0.156589872, 3.48473},
    {{13.345, 60}, -0.041207236, -0.011716496, 0.181923440, 2.77663},
    {{13.345, 75}, -0.048075566, -0.006328484, 0.196127059, 1.51871},
    {{13.345, 90}, -0.050406670, 0, 0.200695293, 0},
};

/// ANSYS, beam elements, as quoted by Obrezkov et al. 2022 for β = 0, 15, … 90.
const std::vector<double> kAngles{0, 15, 30, 45, 60, 75, 90};
const std::vector<double> kAnsysDown[] = {
    {.01071417630, .01061328706, .01011169630, .008837226265, .006604665004, .003538889001, 0},
    {.01606423724, .01645825752, .01665873206, .01518618440, .01157837500, .006248967384, 0}};
const std::vector<double> kAnsysAside[] = {
    {0, .04208232124, .07939482948, .108987937, .129887616, .142194370, .146245978},
    {0, .06435812858, .117735994, .156467239, .181861627, .196097131, .200677707}};

void study_princeton(const StudyContext& context, Study& study) {
  constexpr double kSixDigits = 5e-7;
  const std::string path = (context.models / "princeton_beam.yaml").string();
  ReportTable table{
      "Princeton beam: 8 cubic elements, 21 loads at the end (princeton_beam.yaml)",
      {"P [N]", "β [deg]", "u1 [m]", "u2 [m]", "u3 [m]", "φ [deg]", "|u − shooting| / |u|", "φ − shooting, of 3.5°"},
      {},
      ""};
  ReportPlot down{"Princeton beam: displacement of the end along the stiff direction", "β [deg]", "−u2 [m]"};
  ReportPlot aside{"Princeton beam: displacement of the end along the soft direction", "β [deg]", "u3 [m]"};
  ReportPlot twist{"Princeton beam: twist of the end", "β [deg]", "φ [deg]"};
  double worst_u = 0, worst_phi = 0;
  const double full_twist = princeton_by_shooting({13.345, 45}).phi;
  for (const double P : {4.448, 8.896, 13.345}) {
    const std::string name = fmt::format("{} N", P);
    for (ReportPlot* plot : {&down, &aside, &twist}) plot->curves.push_back({name, {}, {}, false});
    for (const double degrees : kAngles) {
      const Rest rest(io::read_model(path, {{"load", in("N", P)}, {"angle", in("rad", degrees * kDegree)}}));
      const Tip ours = tip_of(rest.position("strip.end"), rest.axes("strip.end")),
                exact = princeton_by_shooting({P, degrees});
      const double u = (ours.u - exact.u).norm() / exact.u.norm(), phi = (ours.phi - exact.phi) / full_twist;
      table.rows.push_back({fmt::format("{}", P), fmt::format("{}", degrees), fmt::format("{:.9f}", ours.u.x()),
                            fmt::format("{:.9f}", ours.u.y()), fmt::format("{:.9f}", ours.u.z()),
                            fmt::format("{:.6f}", ours.phi / kDegree), fmt::format("{:.1e}", u),
                            fmt::format("{:.1e}", phi)});
      const std::string label = fmt::format("Princeton beam, {} N at {}°: ", P, degrees);
      study.checks.push_back(compare(label + "displacement against shooting, relative", u, 0, kSixDigits));
      study.checks.push_back(compare(label + "twist against shooting, of the largest", phi, 0, kSixDigits));
      for (const auto& [plot, y] :
           {std::pair{&down, -ours.u.y()}, std::pair{&aside, ours.u.z()}, std::pair{&twist, ours.phi / kDegree}})
        plot->curves.back().x.push_back(degrees), plot->curves.back().y.push_back(y);
    }
  }
  for (const Printed& p : kPrinted) {
    const Tip exact = princeton_by_shooting(p.load);
    worst_u = std::max(worst_u, (exact.u - Vector3d(p.u1, p.u2, p.u3)).lpNorm<Eigen::Infinity>());
    worst_phi = std::max(worst_phi, std::abs(exact.phi / kDegree - p.phi));
  }
  // half of the last digit that is printed, and round-off
  study.checks.push_back(
      compare("Princeton beam: shooting against that of another program, 19 loads, largest component [m]", worst_u, 0,
              0.5e-9 + 1e-10));
  study.checks.push_back(compare("Princeton beam: the same, twist [deg]", worst_phi, 0, 0.5e-5 + 1e-8));
  table.verdict =
      "Six digits are asked for, 5e-7 of the displacement and of the largest twist. The reference is the boundary "
      "value "
      "problem of the rod solved by shooting, which agrees with that of another program in all digits printed there.";
  for (const size_t i : {0, 1}) {
    const std::string name = i == 0 ? "8.896 N" : "13.345 N";
    down.curves.push_back(published(name, kAngles, kAnsysDown[i]));
    aside.curves.push_back(published(name, kAngles, kAnsysAside[i]));
  }
  down.verdict = aside.verdict =
      "Points: beam elements of ANSYS, which has the section from its sides and is 0.1 to 1 % apart.";
  twist.verdict = "No published digits are known.";
  study.tables.push_back(std::move(table));
  study.plots.insert(study.plots.end(), {std::move(down), std::move(aside), std::move(twist)});
}

// ---- single cases -------------------------------------------------------------------------------------------------

const char* const kCantilever = R"yaml(
gravity: [0, 0, 0]
ground: {markers: {wall: {}}}
beams:
  rod:
    from: ground.wall
    to: [LENGTH, 0, 0]
    stiffness: STIFFNESS
    mass_per_length: 1
    inertia_per_length: [1, 1, 1]
    elements: ELEMENTS
    degree: DEGREE
    LINE
forces:
  load: {type: force, on: rod.end, LOAD}
)yaml";

struct Case {
  double length;
  std::array<double, 6> stiffness;
  int elements;
  std::string load, line = "damping: 0", more = "";
  int degree = 3;
};

Rest at_rest(const Case& c) {
  const auto number = [](double x) { return fmt::format("{:.17g}", x); };
  std::string stiffness;
  for (const double x : c.stiffness) stiffness += (stiffness.empty() ? "[" : ", ") + number(x);
  return Rest(with(kCantilever, {{"LENGTH", number(c.length)},
                                 {"STIFFNESS", stiffness + "]"},
                                 {"ELEMENTS", std::to_string(c.elements)},
                                 {"DEGREE", std::to_string(c.degree)},
                                 {"LINE", c.line},
                                 {"LOAD", c.load}}) +
              c.more);
}

/// [Wang et al. 2017]; 12 digits of it by shooting and by a program with one element of high degree.
void study_twisted_beam(Study& study) {
  const Rest rest = at_rest({10,
                             {25e9, 8.2604167e9, 8.2604167e9, 0.141872656e9, 0.520833e9, 0.130208333e9},
                             16,
                             "force: [0, 0, 4e6]",
                             "twist: pi/2"});
  const Vector3d u = rest.position("rod.end") - Vector3d(10, 0, 0);
  add_comparison(study, "Twisted beam: 16 cubic elements, 4 MN across the end",
                 {{"u1 [m]", u.x(), -1.141525999540, 1e-8},
                  {"|u2| [m]", std::abs(u.y()), 1.718053346465, 1e-8},
                  {"u3 [m]", u.z(), 3.593213240272, 1e-8}},
                 "Eight decimals are asked for. The sign of u2 is that of the twist.");
}

void study_roll_up(Study& study) {
  const double L = 10, EI = 100;
  std::vector<Comparison> rows;
  ReportPlot plot{"Roll-up: a moment λ 2π EI/L at the end of a straight beam", "x [m]", "y [m]"};
  for (const int degree : {1, 2, 3})
    for (const double lambda : {0.5, 1.0}) {
      const Rest rest = at_rest({L,
                                 {1e4, 5e3, 5e3, 100, EI, EI},
                                 6,
                                 fmt::format("torque: [0, 0, {:.17g}]", lambda * 2 * kPi * EI / L),
                                 "damping: 0",
                                 "plane: xy\n",
                                 degree});
      const Vector3d p = rest.position("rod.end");
      const std::string name = fmt::format("{}-node elements, λ = {}: ", degree + 1, lambda);
      const Vector3d exact(0, lambda == 1 ? 0 : 2 * L / kPi, 0);
      // nodes are on the circle to round-off only if the interpolation contains it, or by symmetry when it closes
      const bool is_exact = degree == 1 || lambda == 1;
      const double of_half[] = {0, 6e-4, 3e-7};
      rows.push_back({name + "x of the end [m]", p.x(), exact.x(), is_exact ? 1e-9 : of_half[degree - 1]});
      rows.push_back({name + "y of the end [m]", p.y(), exact.y(), is_exact ? 1e-9 : of_half[degree - 1]});
      if (degree != 3) continue;
      ReportCurve curve{fmt::format("λ = {}", lambda), {}, {}, false};
      for (int i = 0; i <= 18; ++i) {
        const Vector3d node = i == 0 ? Vector3d::Zero() : rest.position("rod_" + std::to_string(i));
        curve.x.push_back(node.x()), curve.y.push_back(node.y());
      }
      plot.curves.push_back(std::move(curve));
    }
  plot.verdict = "Nodes of six cubic elements.";
  add_comparison(
      study, "Roll-up: 6 elements, L = 10 m", rows,
      "Exact: the end comes back to the clamp, by symmetry with every kind of element, and half a turn takes it to "
      "2 L/π, which two-node elements meet as they are arcs. With three and four nodes the error of half a turn is "
      "that of the formula, bounded by the values of a unit test in proportion to the length.");
  study.plots.push_back(std::move(plot));
}

void study_elastica(Study& study) {
  const double table[][4] = {
      {1, .056433236283, .301720773800, .461351949712},  {2, .160641720825, .493457480397, .781749831557},
      {3, .254420184564, .603253441130, .986016946711},  {5, .387628360724, .713791523612, 1.215368117612},
      {7, .472927428386, .767369099740, 1.334959857472}, {10, .554995597754, .810609024880, 1.430285538804}};
  constexpr double kStiff = 1e8;  // EA and GA
  std::vector<Comparison> rows;
  ReportPlot plot{"Elastica: a dead force α EI/L² across the end", "α [1]", "[L], [rad]"};
  ReportCurve ours[3], theirs[3];
  for (const auto& [alpha, u, w, angle] : table) {
    const Rest rest = at_rest({1,
                               {kStiff, kStiff, kStiff, 1, 1, 1},
                               12,
                               fmt::format("force: [0, {}, 0]", alpha),
                               "damping: 0",
                               "plane: xy\n"});
    const Vector3d p = rest.position("rod.end");
    const Matrix3d R = rest.axes("rod.end");
    // stretch and shear are at most α/EA over the length, twice that with both
    const double bound = 2 * alpha / kStiff + 1e-9;
    const double numbers[][2] = {{1 - p.x(), u}, {p.y(), w}, {std::atan2(R(1, 0), R(0, 0)), angle}};
    const char* const names[] = {"u/L", "w/L", "angle of the end"};
    for (const size_t i : {0, 1, 2}) {
      rows.push_back({fmt::format("α = {}: {}", alpha, names[i]), numbers[i][0], numbers[i][1], bound});
      ours[i].name = theirs[i].name = names[i], theirs[i].published = true;
      ours[i].x.push_back(alpha), theirs[i].x.push_back(alpha);
      ours[i].y.push_back(numbers[i][0]), theirs[i].y.push_back(numbers[i][1]);
    }
  }
  plot.curves.assign(std::begin(ours), std::end(ours));
  plot.curves.insert(plot.curves.end(), std::begin(theirs), std::end(theirs));
  plot.verdict = "Points: elliptic integrals.";
  add_comparison(study, "Elastica: 12 cubic elements", rows,
                 "The elastica neither stretches nor shears; the beam has EA = GA = 1e8 EI/L², which is the bound.");
  study.plots.push_back(std::move(plot));
}

/// [Nachbagauer et al. 2011], in more digits by shooting.
void study_thick_cantilever(Study& study) {
  const double L = 2, h = 0.5, w = 0.1, E = 2.07e11, nu = 0.3, A = w * h;
  const double GA = 10 * (1 + nu) / (12 + 11 * nu) * E / (2 * (1 + nu)) * A, EI = E * w * h * h * h / 12;
  std::vector<Comparison> rows;
  for (const auto& [F, x, y, x_digits] : {std::array{62500.0, 1.888491640585e-7, 8.099032539769e-4, 1e-7},
                                          std::array{6.25e7, 0.1509711442393, 0.7105685978536, 1e-9}}) {
    const Vector3d p =
        at_rest({L, {E * A, GA, GA, EI, EI, EI}, 8, fmt::format("force: [0, {}, 0]", F)}).position("rod.end");
    // 1 − x is a difference: round-off of L takes digits of a small u
    rows.push_back({fmt::format("F = {:g} N: −u1 [m]", F), L - p.x(), x, x_digits * x + 1e-14});
    rows.push_back({fmt::format("F = {:g} N: u2 [m]", F), p.y(), y, 1e-8 * y});
  }
  add_comparison(
      study, "Thick cantilever: 8 cubic elements", rows,
      "The paper's own values with 256 and 1024 elements are 1.88847418e-7, 8.09900305e-4 and 0.15097103, 0.71056837; "
      "the reference is the boundary value problem by shooting.");
}

/// [Nachbagauer et al. 2013], in more digits by shooting.
void study_two_moments(Study& study) {
  const double h = 0.2, w = 0.4, E = 2.07e11, G = E / 2.6, Iy = h * w * w * w / 12, Iz = w * h * h * h / 12;
  const Vector3d u =
      at_rest({2,
               {E * h * w, 0.8331 * G * h * w, 0.7961 * G * h * w, 0.5768 * G * (Iy + Iz), E * Iy, E * Iz},
               4,
               "torque: [0.5e6, 2e6, 0]"})
          .position("rod.end") -
      Vector3d(2, 0, 0);
  add_comparison(study, "Bending and torsion: 4 cubic elements, two moments at the end",
                 {{"u1 [m]", u.x(), -1.094379855791e-4, 2e-9},
                  {"u2 [m]", u.y(), -1.864364561637e-4, 2e-9},
                  {"u3 [m]", u.z(), -1.811740274379e-2, 2e-9}},
                 "ANSYS with 40 elements: 1.0939e-4, 1.8646e-4, 1.8117e-2. The bound is the "
                 "correction at which the program calls an equilibrium found, 1e-9 of the length of 2 m.");
}

// ---- 45° bend -----------------------------------------------------------------------------------------------------

const char* const kBend = R"yaml(
gravity: [0, 0, 0]
ground: {markers: {wall: {}}}
beams:
  bend:
    from: ground.wall
    curve: [100*sin(pi/4*s), 100*(1 - cos(pi/4*s)), 0]
    stiffness: [1e7, 0.5e7, 0.5e7, 1e7/12, 1e7/12, 1e7/12]
    mass_per_length: 1
    inertia_per_length: [1, 1, 1]
    elements: ELEMENTS
    degree: DEGREE
forces:
  load: {type: force, on: bend.end, force: [0, 0, LOAD]}
)yaml";

Vector3d bend_end(int elements, int degree, double load) {
  return Rest(with(kBend, {{"ELEMENTS", std::to_string(elements)},
                           {"DEGREE", std::to_string(degree)},
                           {"LOAD", fmt::format("{}", load)}}))
      .position("bend.end");
}

ClampedRod bend_rod(double load) {
  return {100 * kPi / 4,
          [](double) {
            Vector6d e;
            e << 1, 0, 0, 0, 0, 0.01;
            return e;
          },
          flexibility({1e7, 0.5e7, 0.5e7, 1e7 / 12, 1e7 / 12, 1e7 / 12}),
          {0, 0, load}};
}

void study_bend(Study& study) {
  const Vector3d unstrained(100 * std::sin(kPi / 4), 100 * (1 - std::cos(kPi / 4)), 0);
  std::vector<Comparison> rows;
  for (const double load : {300.0, 450.0, 600.0}) {
    const Vector3d ours = bend_end(8, 3, load) - unstrained,
                   exact = shoot(bend_rod(load), kShootingSteps, 3).p - unstrained;
    for (const int i : {0, 1, 2}) rows.push_back({fmt::format("{} N: u{} [m]", load, i + 1), ours[i], exact[i], 1e-5});
    if (load == 600) {
      const double literature[] = {-23.48, -13.50, 53.37};
      for (const int i : {0, 1, 2})
        rows.push_back({fmt::format("600 N: u{} [m], Simo and Vu-Quoc 1986", i + 1), ours[i], literature[i], 0.2});
    }
  }
  add_comparison(study, "45° bend: 8 cubic elements", rows,
                 "Reference: shooting; 1e-5 m is 1e-7 of the arc's radius. The literature used 8 linear elements; the "
                 "bound is twice "
                 "the largest difference to Bathe and Bolourchi 1979, who have −23.5, −13.4, 53.4 m.");

  const Vector3d exact = shoot(bend_rod(600), kShootingSteps, 3).p;
  ReportPlot plot{"45° bend: error of the end at 600 N", "elements", "error [m]", true, true, {}, {-2, -4, -6}};
  for (const int degree : {1, 2, 3}) {
    ReportCurve curve{fmt::format("{} nodes", degree + 1), {}, {}, false};
    for (const int elements : {2, 4, 8, 16, 32}) {
      if (elements > (degree == 3 ? 8 : 32)) continue;  // beyond, what equilibria leave is seen
      curve.x.push_back(elements), curve.y.push_back((bend_end(elements, degree, 600) - exact).norm());
    }
    // two nodes are exact in linear theory, and the rest of their error falls faster here than it has to
    const size_t last = curve.y.size() - 1;
    if (degree > 1)
      study.checks.push_back(compare(fmt::format("45° bend, {}-node elements: order between {} and {} elements",
                                                 degree + 1, curve.x[last - 1], curve.x[last]),
                                     std::log2(curve.y[last - 1] / curve.y[last]), 2 * degree, 0.3));
    plot.curves.push_back(std::move(curve));
  }
  plot.verdict = "Orders 4 and 6 with three and four nodes, twice the degree of the interpolation, as collocation at "
                 "Gauss' points "
                 "has. Two nodes must have 2 and have more here, because one element is exact in linear theory.";
  study.plots.push_back(std::move(plot));
}

}  // namespace

void study_statics(const StudyContext& context, Study& study) {
  study_princeton(context, study);
  study_twisted_beam(study);
  study_roll_up(study);
  study_elastica(study);
  study_thick_cantilever(study);
  study_two_moments(study);
  study_bend(study);
}

}  // namespace bricard::beam_study
