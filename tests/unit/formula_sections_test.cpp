// SPDX-License-Identifier: Apache-2.0
#include "bricard/read/formula_sections.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "bricard/read/model_reader.h"

// The sections tables, expressions and signals of model files.
namespace bricard {
namespace formula_sections_test {

namespace fs = std::filesystem;

constexpr const char* kBody = "bodies: {ball: {mass: 2*heavy, inertia: [1, 1, 1], markers: {m: {}}}}\n";

TEST(FormulaSections, ReadsExpressionsInTheOrderTheyNeedEachOther) {
  const Model model = io::read_model_text(std::string(kBody) + R"yaml(
parameters: {k: 3}
expressions:
  late: 2*early + t
  early: k^2
  heavy: early/9
forces: {f: {type: force, on: ball, force: [late, early, 0]}}
)yaml",
                                          "test.yaml");
  EXPECT_EQ(model.bodies[0].mass, 2);
  EXPECT_EQ(model.forces[0].force[0](0.5), 18.5);
  EXPECT_TRUE(model.forces[0].force[1].is_constant());
  ASSERT_EQ(model.expressions.size(), 3u);
  EXPECT_EQ(model.expressions[0].name, "late");
}

TEST(FormulaSections, ReadsTablesInEveryForm) {
  const fs::path folder = fs::path(::testing::TempDir()) / "bricard_tables";
  fs::create_directories(folder / "data");
  std::ofstream(folder / "data" / "road.csv") << "x; y\n# comment\n\n0; 1\n 1.5,+2e0\n3\t5\r\n4 -1\n";
  std::ofstream(folder / "part.yaml") << "tables: {road: {file: data/road.csv}}\nexpressions: {heavy: 1}\n";
  std::ofstream(folder / "main.yaml") << "include: part.yaml\n"
                                      << kBody << R"yaml(
parameters: {k: 3}
tables:
  a: {x: [0, 1, k], y: [0, -1, 2]}
  b: {points: [[0, 0], [1, 1], [2, k], [4, 0]]}
signals:
  on_road: akima(1.5, road)
  on_a: {value: "cubic(k, a)", unit: "mm"}
)yaml";
  const Model model = io::read_model((folder / "main.yaml").string());
  fs::remove_all(folder);
  ASSERT_EQ(model.tables.size(), 3u);
  EXPECT_EQ(model.tables[0].name, "road");
  EXPECT_EQ(model.tables[0].table.x, (std::vector<double>{0, 1.5, 3, 4}));
  EXPECT_EQ(model.tables[0].table.y, (std::vector<double>{1, 2, 5, -1}));
  EXPECT_EQ(model.tables[2].table.y, (std::vector<double>{0, 1, 3, 0}));
  ASSERT_EQ(model.signals.size(), 2u);
  EXPECT_EQ(model.signals[0].value(0), 2);
  EXPECT_EQ(model.signals[1].value(0), 2);
  EXPECT_EQ(model.signals[1].unit, "mm");
}

TEST(FormulaSections, RepeatsSignalsAndMeasures) {
  const Model model = io::read_model_text(R"yaml(
expressions: {heavy: 1}
repeat:
  for: {i: 3}
  bodies: {"b{i}": {mass: 1, inertia: [1, 1, 1]}}
  signals: {"s{i}": "i*x(b{i})"}
)yaml",
                                          "test.yaml");
  ASSERT_EQ(model.signals.size(), 3u);
  ASSERT_EQ(model.signals[2].value.inputs().size(), 1u);
  EXPECT_EQ(model.signals[2].value.inputs()[0].arguments[0], "b3");
  const double x = 2;
  EXPECT_EQ(model.signals[2].value.value(0, &x), 6);
}

TEST(FormulaSections, ATableStandsForALaw) {
  const Model model = io::read_model_text(std::string(kBody) + R"yaml(
expressions: {heavy: 1}
tables: {rubber: {points: [[0, 0], [1, 1], [2, 3], [4, 0]]}}
forces: {s: {type: spring-damper, between: [ground, ball], law: rubber}}
)yaml",
                                          "test.yaml");
  const Expression& law = model.springs[0].law->formula;
  ASSERT_EQ(law.inputs().size(), 1u);
  EXPECT_EQ(law.inputs()[0].function, "length");
  const double length = 2;
  EXPECT_EQ(law.value(0, &length), 3);
}

}  // namespace formula_sections_test
}  // namespace bricard
