// SPDX-License-Identifier: Apache-2.0
#include "papers/iftomm_problems.h"

// IFToMM library: https://www.iftomm-multibody.org/benchmark, Laboratorio de Ingeniería Mecánica,
// Universidade da Coruña. Where the library has curves only, the numbers below were computed for
// this project from the equations of the few degrees of freedom that the problems really have, by
// other methods and in higher precision than this program's, until two step sizes agreed in all
// digits given.
namespace bricard::iftomm {
namespace {

using Values = std::vector<ReferenceValue>;

/// Appends one row of a table: several channels at one time.
void add(Values& values, double time, const std::vector<std::string>& channels, const std::vector<double>& numbers) {
  for (size_t i = 0; i < channels.size(); ++i) values.push_back({time, channels[i], numbers[i]});
}

// A01. Reference: the angle equation by extrapolation in long double, agrees with the six digits of
// the library's own data file. Energy limit: that of Exudyn's pendulumIftommBenchmark.py; the step
// is free.
Problem pendulum() {
  const std::vector<std::string> bob{"bob.x", "bob.y"};
  Values path;
  add(path, 1, bob, {0.986291751131875, -0.165010853125541});
  add(path, 2, bob, {-0.793566195343322, -0.608483930443792});
  add(path, 3, bob, {0.176651789922838, -0.984273409737893});
  add(path, 5, bob, {-0.942305435043757, -0.334754338414000});
  add(path, 7, bob, {-0.998618779175480, -0.052540782998299});
  add(path, 10, bob, {-0.275087462576118, -0.961419205099125});
  return {"A01 pendulum",         "pendulum.yaml", 10, {8e-4, 4e-4, 2e-4}, {{"position", "m", 1e-5, true, path}},
          EnergyLimit{5e-4, 5e-5}};
}

// A02, N = 2. Reference: θ'' = −(3.5/3) g cos θ, the law of the parallelogram branch, in long
// double. Energy limit: F. González et al., Behaviour of augmented Lagrangian algorithms in the
// simulation of multibody systems with singular configurations, who accept 0.1 J. A mechanism with
// the same law but without loops (a bar and a mass at its end) has the same errors to three digits:
// beside h² they contain a large h³ that grows with time (numerical damping, and the slow passage
// over the top), so that at 10 s and h = 0.5 ms the order still looks like 2.3. It is checked up to
// 5 s.
Problem double_four_bar() {
  const std::vector<std::string> top{"B0.x", "B0.y"};
  const std::vector<std::string> speed{"first.velocity.x", "first.velocity.y"};  // this bar only translates, with B0
  Values path, end, velocity;
  add(path, 1, top, {-0.195020301949435, -0.980799205662174});
  add(path, 2, top, {0.057815795768012, 0.998327267863455});
  add(path, 4, top, {0.117616102376812, 0.993059138451325});
  add(path, 5, top, {-0.811310461005122, -0.584615545348956});
  add(end, 8, top, {0.251055914628320, 0.967972586249289});
  add(end, 10, top, {0.328458111540842, 0.944518538178592});
  add(velocity, 1, speed, {-6.676678036881, 1.327578325160});
  add(velocity, 2, speed, {1.017260136620, -0.058912248713});
  add(velocity, 4, speed, {1.069039265029, -0.126615049167});
  add(velocity, 5, speed, {-3.569117397193, 4.953105171313});
  return {"A02 double four-bar",
          "double_four_bar.yaml",
          10,
          {5e-4, 2.5e-4},
          {{"position to 5 s", "m", 1e-5, true, path},
           {"velocity to 5 s", "m/s", 1e-4, true, velocity},
           {"position to 10 s", "m", 1e-5, false, end}},
          EnergyLimit{8e-3, 0.1}};
}

// A03, with the start of the CWI test set (Mazzia, Magherini: Test Set for IVP Solvers, problem
// "andrews"). Reference: quadruple precision, two step sizes agree to 20 digits; the published
// values have a phase error of 1e-12 s, so that both agree to nine digits. Six digits in all seven
// angles are asked for.
Problem andrews() {
  const double end = 0.03;
  const Values angles{{end, "O.angle", 15.810771195153707},   {end, "F.angle", -15.756371058411839},
                      {end, "B.angle", 0.040822240119645805}, {end, "G.angle", -0.53473011634207959},
                      {end, "A5.angle", 0.52440996587995407}, {end, "H.angle", 0.53473011634207959},
                      {end, "A7.angle", 1.0480807410419379}};
  const Values speeds{{end, "K1.angular_velocity.z", 1139.9203022591061},
                      {end, "K2.angular_velocity.z", 1139.9203022591061 - 1424.3792951775401},
                      {end, "K3.angular_velocity.z", 11.032911910618594},
                      {end, "K5.angular_velocity.z", 0.57356991482950245},
                      {end, "K7.angular_velocity.z", 0.32317914924913087}};
  const Values multipliers{{end, "E3.force.x", 199.17534810453863}, {end, "E3.force.y", -29.755309974971763},
                           {end, "E4.force.x", 23.066543611622151}, {end, "E4.force.y", 31.452725275771137},
                           {end, "E6.force.x", 22.642494786394379}, {end, "E6.force.y", 11.617392352611256}};
  return {"A03 Andrews",
          "andrews.yaml",
          end,
          {4e-6, 2e-6, 1e-6},
          {{"seven angles", "", 5e-7, true, angles},
           {"angular velocities", "", 1e-4, true, speeds},
           {"reaction forces", "", 1e-4, true, multipliers}},
          {}};
}

// A04. Reference: the one degree of freedom along the constraint curve, in quadruple precision. The
// energy limit of 1e-3 J is the customary one.
Problem bricard() {
  const std::vector<std::string> point{"P3.x", "P3.y", "P3.z"};
  Values path;
  add(path, 0.5, point, {0.7747178080392334, -0.9798150476556690, -0.1999061589534427});
  add(path, 1, point, {0.2744813192646230, -0.8867079387346720, -0.4623300026873760});
  add(path, 1, {"P4.x", "P4.y", "P4.z"}, {0.5105014611872197, -1.6491675993948063, 0.1401231145531858});
  add(path, 1.5, point, {-0.2790175754210936, -0.8873613788327525, -0.4610745963030672});
  add(path, 2, point, {-0.7781353730332909, -0.9803526834432566, -0.1972526706171706});
  add(path, 3, point, {-0.7712813589686100, -0.9792693298398003, -0.2025625326537671});
  add(path, 5, point, {0.9999327423021171, -0.9999999977383532, -0.0000672554360840});
  add(path, 8, point, {-0.7643526022336557, -0.9781537944096711, -0.2078825497293194});
  add(path, 10, point, {0.9997309873038353, -0.9999999638258173, -0.0002689765122493});
  return {"A04 Bricard",
          "bricard.yaml",
          10,
          {5e-3, 2.5e-3, 1.25e-3},
          {{"position", "m", 1e-5, true, path},
           {"kinetic energy", "", 1e-5, true, {{1, "energy.kinetic", 4.1455439080373149}}}},
          EnergyLimit{5e-3, 1e-3}};
}

// A05. Reference: two degrees of freedom and the conserved angular momentum, Runge-Kutta in long
// double with 25 µs.
Problem governor() {
  Values height, speed;
  const std::vector<std::vector<double>> rows{
      {0.5, 0.743249424786, 5.103415421972}, {1, 0.501420922380, 6.271125741877}, {2, 0.505909294297, 6.236223614436},
      {3, 0.513246078340, 6.180672706286},   {5, 0.535563103722, 6.022496499758}, {7.5, 0.677192963691, 5.310176428203},
      {10, 0.619622917061, 5.548203622655}};
  for (const std::vector<double>& row : rows) {
    height.push_back({row[0], "slider.z", row[1]});
    speed.push_back({row[0], "shaft.angular_velocity.z", row[2]});
  }
  return {"A05 flyball governor",
          "flyball_governor.yaml",
          10,
          {2e-3, 1e-3, 5e-4},
          {{"height of the slider", "m", 2e-5, true, height}, {"speed of the shaft", "rad/s", 2e-4, true, speed}},
          {}};
}

// O. Brüls, A. Cardona, M. Arnold, Mechanism and Machine Theory 48 (2012). Reference: Euler's
// equations in long double; the quaternion agrees with the five digits of Exudyn's and MATLAB's
// Runge-Kutta solutions.
Problem heavy_top() {
  const std::vector<std::string> centre{"centre.x", "centre.y", "centre.z"};
  Values path, orientation;
  add(path, 0.5, centre, {-0.7024682970566, -0.0211651847019, -0.7114002576517});
  add(path, 1, centre, {0.1733439640984, 0.6400885920706, -0.7484907911336});
  add(path, 1.5, centre, {-0.9681657156382, 0.2503060621326, -0.0014220838511});
  add(path, 2, centre, {-0.1504168227456, -0.7241655916369, -0.6730222695604});
  add(orientation, 0.2,
      {"top.quaternion_wxyz.w", "top.quaternion_wxyz.x", "top.quaternion_wxyz.y", "top.quaternion_wxyz.z"},
      {-0.70827915297, 0.43878108813, 0.54572839615, 0.08939975282});
  return {"heavy top",
          "heavy_top.yaml",
          2,
          {2.5e-4, 1.25e-4, 6.25e-5},
          {{"position", "m", 1e-4, true, path}, {"quaternion at 0.2 s", "-", 1e-4, true, orientation}},
          {}};
}

}  // namespace

std::vector<Problem> problems() {
  return {pendulum(), double_four_bar(), andrews(), bricard(), governor(), heavy_top()};
}

}  // namespace bricard::iftomm
