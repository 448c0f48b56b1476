// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

#include "bricard/analysis/run_model.h"
#include "bricard/assemble/assemble.h"
#include "bricard/read/model_reader.h"
#include "generators/samples.h"

// A model that a program builds is refused in the words that its file would be refused with.
namespace bricard::testing {
namespace built_models_test {

using Messages = std::vector<std::string>;

Messages messages_of(const std::function<void()>& refused) {
  Messages found;
  try {
    refused();
  } catch (const ModelError& error) {
    for (const Fault& fault : error.faults()) found.push_back(fault.message);
  }
  std::sort(found.begin(), found.end());  // those of a file come by their lines
  return found;
}

Messages of_file(const std::string& text) {
  return messages_of([&] { io::read_model_text(text, "test.yaml"); });
}

/// As if it had never been in a file.
Model built(const std::string& text) {
  Model model = io::read_model_text(text, "test.yaml");
  model.sources.clear();
  return model;
}

Messages of_built(const Model& model) {
  return messages_of([&] { start_of(model, assemble(model), Analysis::dynamics); });
}

void set(double& value, double bad) { value = bad; }
void set(JointNumber& value, double bad) { value = bad; }
void set(Vector3d& value, double bad) { value.setConstant(bad); }
template <class T>
requires std::is_convertible_v<double, T>
void set(std::optional<T>& value, double bad) { value = bad; }

template <class Force>
void expect_ranges() {
  const std::string word = Force::kind.word;
  const auto expect = [&]<class T>(const Field<Force, T>& field) {
    if constexpr (requires(T value) { set(value, 0); }) {
      if (field.range == Range::any) return;
      for (const double bad : {0.0, -2.0}) {
        if (bad == 0 && field.range != Range::positive) continue;
        SCOPED_TRACE(word + "." + field.name);
        Keys good;
        for (const Keys& sample : samples_of_force(word))
          for (const auto& [key, value] : sample)
            if (good.empty() && key == field.name) good = sample;
        Keys keys = good;
        const std::string number = bad == 0 ? "0" : "-2";
        bool there = false;
        for (auto& [key, value] : keys)
          if (key == field.name)
            there = true, value = value[0] == '[' ? "[" + number + ", " + number + ", " + number + "]" : number;
        EXPECT_TRUE(there);
        Model model = built(model_with_force(word, good));
        for_each_force(model, [&]<class Other>(Other& f) {
          if constexpr (std::is_same_v<Other, Force>) set(f.*field.member, bad);
        });
        const Messages expected = of_file(model_with_force(word, keys));
        EXPECT_EQ(expected.size(), 1);
        EXPECT_EQ(of_built(model), expected);
      }
    }
  };
  std::apply([&](const auto&... field) { (expect(field), ...); }, Force::fields());
}

TEST(BuiltModels, EveryRangeOfEveryForceIsChecked) {
  for_each_force_list(ForceLists{}, []<class Force>(const std::vector<Force>&) { expect_ranges<Force>(); });
}

TEST(BuiltModels, GoodOnesPass) {
  for (const std::string& word : force_words())
    EXPECT_EQ(messages_of([&] { assemble(built(model_with_force(word, sample_force(word)))); }), Messages{}) << word;
  for (const JointKind& kind : kJointKinds)
    EXPECT_EQ(messages_of([&] { assemble(built(model_with_joint(kind))); }), Messages{}) << kind.word;
}

// Each joint without each key that it needs.
TEST(BuiltModels, EveryNeededKeyOfEveryJointIsMissed) {
  for (const JointKind& kind : kJointKinds) {
    const std::string text = model_with_joint(kind);
    const auto expect_missed = [&](const std::string& key, const std::function<void(Joint&)>& remove) {
      SCOPED_TRACE(std::string(kind.word) + "." + key);
      const size_t begin = text.find(", " + key + ": ");
      ASSERT_NE(begin, std::string::npos);
      const size_t value = begin + 4 + key.size();
      const size_t end = text[value] == '[' ? text.find(']', value) + 1 : text.find_first_of(",}", value);
      const Messages expected = of_file(text.substr(0, begin) + text.substr(end));
      Model model = built(text);
      remove(model.joints[0]);
      EXPECT_EQ(expected.size(), 1);
      EXPECT_EQ(of_built(model), expected);
    };
    if (kind.placing == JointPlacing::at_one_place) expect_missed("at", [](Joint& j) { j.at.reset(); });
    if (kind.axes > 0) expect_missed("axis", [](Joint& j) { j.axis.reset(); });
    if (kind.axes > 1) expect_missed("second_axis", [](Joint& j) { j.second_axis.reset(); });
    for (const JointKey& key : kind.keys)
      if (key.needed)
        expect_missed(key.name, [&](Joint& j) {
          const std::string name = key.name;
          if (name == "pitch") j.pitch.reset();
          else if (name == "curve") j.curve.reset();
          else if (name == "second_curve") j.second_curve.reset();
          else if (name == "radius") j.radius.reset();
          else ADD_FAILURE() << "how is this key removed?";
        });
  }
}

struct Mistake {
  std::string good, bad;  ///< in the text
  std::function<void(Model&)> make;
};

void expect_words_of_files(const std::string& text, const std::vector<Mistake>& mistakes) {
  for (const Mistake& mistake : mistakes) {
    SCOPED_TRACE(mistake.bad);
    std::string wrong = text;
    wrong.replace(wrong.find(mistake.good), mistake.good.size(), mistake.bad);
    Model model = built(text);
    mistake.make(model);
    const Messages expected = of_file(wrong);
    EXPECT_FALSE(expected.empty());
    EXPECT_EQ(of_built(model), expected);
  }
}

TEST(BuiltModels, GetTheWordsOfFiles) {
  const std::string text = R"(
bodies:
  a: {mass: 2, inertia: [1, 1, 1], markers: {m: {position: [1, 0, 0]}}, shapes: {type: sphere, radius: 0.1}}
joints: {h: {type: revolute, between: [ground, a], at: [0, 0, 1], axis: [0, 1, 0]}}
motions: {drive: {joint: h, displacement: 2*t}}
forces:
  push: {type: force, on: a.m, force: [1, 0, 0]}
  pull: {type: spring-damper, between: [ground, a.m], stiffness: 10}
points: {tip: a.m}
signals: {far: distance(a.m)}
run: {duration: 2, step: 0.01}
)";
  const std::vector<Mistake> mistakes{
      {"mass: 2", "mass: -2", [](Model& m) { m.bodies[0].mass = -2; }},
      {"mass: 2", "mass: 0", [](Model& m) { m.bodies[0].mass = 0; }},
      {"[1, 1, 1]", "[1, 1, -1]", [](Model& m) { m.bodies[0].inertia(2, 2) = -1; }},
      {"[1, 1, 1]", "[1, 1, 3]", [](Model& m) { m.bodies[0].inertia(2, 2) = 3; }},
      {"radius: 0.1", "radius: -1", [](Model& m) { m.bodies[0].shapes[0].radius = -1; }},
      {"radius: 0.1", "radius: 0.1, length: 2", [](Model& m) { m.bodies[0].shapes[0].length = 2; }},
      {"[0, 1, 0]", "[0, 0, 0]", [](Model& m) { m.joints[0].axis = Vector3d::Zero(); }},
      {"[ground, a],", "[ground, b],", [](Model& m) { m.joints[0].between[1].name = "b"; }},
      {"[ground, a],", "[a, a],", [](Model& m) { m.joints[0].between[0].name = "a"; }},
      {"axis: [0, 1, 0]", "axis: [0, 1, 0], pitch: 1", [](Model& m) { m.joints[0].pitch = 1; }},
      {"type: revolute", "type: spherical", [](Model& m) { m.joints[0].type = JointType::spherical; }},
      {"joint: h", "joint: k", [](Model& m) { m.motions[0].joint.name = "k"; }},
      {"displacement: 2*t", "displacement: 2*t, velocity: 1",
       [](Model& m) { m.motions[0].velocity = Expression(1.0); }},
      {"on: a.m", "on: a.n", [](Model& m) { m.forces[0].on.name = "a.n"; }},
      {"on: a.m", "on: ground", [](Model& m) { m.forces[0].on.name = "ground"; }},
      {", stiffness: 10", "", [](Model& m) { m.springs[0].stiffness = 0; }},
      {"[ground, a.m]", "[a, a.m]", [](Model& m) { m.springs[0].between[0].name = "a"; }},
      {"tip: a.m", "tip: c.m", [](Model& m) { m.points[0].marker.name = "c.m"; }},
      {"run:", "align: 0.5\nrun:", [](Model& m) { m.align = 0.5; }},
      {"run:", "plane: xy\nrun:", [](Model& m) { m.plane = Plane::xy; }},
      {"run:", "inactive: [nothing]\nrun:",
       [](Model& m) {
         m.inactive = {{"nothing", {}}};
       }},
      {"step: 0.01", "step: -0.01", [](Model& m) { m.run.step = -0.01; }},
      {"step: 0.01", "step: 3", [](Model& m) { m.run.step = 3; }},
      {"step: 0.01", "step: 0.01, rtol: 2", [](Model& m) { m.run.rtol = 2; }},
      {"step: 0.01", "step: 0.01, rho_infinity: 0.5", [](Model& m) { m.run.rho_infinity = 0.5; }},
  };
  expect_words_of_files(text, mistakes);
}

TEST(BuiltModels, ControlGetsTheWordsOfFiles) {
  const std::string text = R"(
bodies: {a: {mass: 2, inertia: [1, 1, 1]}}
joints: {h: {type: revolute, between: [ground, a], at: [0, 0, 1], axis: [0, 1, 0]}}
states:
  x: {rate: 1 - x}
  y: {equation: y' + y, start_rate: 1, scale: 2}
controllers:
  f: {type: transfer-function, input: t, numerator: [1], denominator: [1, 1]}
  s: {type: state-space, inputs: [t], A: [[-1]], B: [[1]], C: [[1]]}
  p: {type: pid, input: t, proportional: 1, derivative: 1, filter: 0.1, limits: [-1, 1]}
run: {duration: 2, step: 0.01}
)";
  const auto rate = [](Model& m) -> DifferentialEquation& { return m.states[0]; };
  const auto equation = [](Model& m) -> DifferentialEquation& { return m.states[1]; };
  const std::vector<Mistake> mistakes{
      {"{rate: 1 - x}", "{start: 1}", [=](Model& m) { rate(m).rate.reset(), rate(m).start = 1; }},
      {"{rate: 1 - x}", "{rate: 1 - x, start_rate: 3}", [=](Model& m) { rate(m).start_rate = 3; }},
      {"equation: y' + y", "equation: 1 - x", [=](Model& m) { equation(m).equation = rate(m).rate; }},
      {"scale: 2", "scale: -2", [=](Model& m) { equation(m).scale = -2; }},
      {"numerator: [1]", "numerator: [0]", [](Model& m) { m.transfer_functions[0].numerator = {0}; }},
      {"numerator: [1]", "numerator: [1, 1, 1]",
       [](Model& m) {
         m.transfer_functions[0].numerator = {1, 1, 1};
       }},
      {"denominator: [1, 1]", "denominator: []", [](Model& m) { m.transfer_functions[0].denominator = {}; }},
      {"A: [[-1]]", "A: [[-1, 0]]",
       [](Model& m) {
         m.state_spaces[0].A = {{-1, 0}};
       }},
      {"B: [[1]]", "B: [[1], [1]]",
       [](Model& m) {
         m.state_spaces[0].B = {{1}, {1}};
       }},
      {"C: [[1]]", "C: [[1], [1]]",
       [](Model& m) {
         m.state_spaces[0].C = {{1}, {1}};
       }},
      {"C: [[1]]", "C: [[1]], start: [1, 2]",
       [](Model& m) {
         m.state_spaces[0].start = {1, 2};
       }},
      {"proportional: 1, derivative: 1, filter: 0.1, ", "",
       [](Model& m) { m.pids[0].proportional = m.pids[0].derivative = 0, m.pids[0].filter.reset(); }},
      {"filter: 0.1", "filter: -0.1", [](Model& m) { m.pids[0].filter = -0.1; }},
      {"filter: 0.1, ", "", [](Model& m) { m.pids[0].filter.reset(); }},
      {"derivative: 1", "derivative: 0", [](Model& m) { m.pids[0].derivative = 0; }},
      {"limits: [-1, 1]", "limits: [1, -1]",
       [](Model& m) {
         m.pids[0].limits = {1, -1};
       }},
  };
  expect_words_of_files(text, mistakes);
}

TEST(BuiltModels, HaveNamesThatDiffer) {
  Model model = built(model_with_force("motor", sample_force("motor")));
  model.bodies[1].name = "a";
  model.joints[0].name = "slide.1";
  const Messages found = of_built(model);
  EXPECT_NE(std::find(found.begin(), found.end(), "bodies.a: this name is taken"), found.end());
  EXPECT_NE(std::find(found.begin(), found.end(), "joints.slide.1: a name must not contain . or /"), found.end());
}

}  // namespace built_models_test
}  // namespace bricard::testing
