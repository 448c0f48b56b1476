// SPDX-License-Identifier: Apache-2.0
#include "bricard/write/linear_writer.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <limits>
#include <numbers>

#include "bricard/assemble/markers.h"
#include "bricard/write/csv_writer.h"
#include "bricard/write/files.h"
#include "bricard/write/json_text.h"
#include "bricard/write/mat_writer.h"
#include "bricard/write/npz_writer.h"
#include "bricard/write/result_writer.h"

namespace bricard::io {
namespace {

namespace fs = std::filesystem;

/// A matrix with the names of its rows and columns.
struct NamedMatrix {
  const char* name;
  const MatrixXd* values;
  std::vector<std::string> rows, columns;
};

std::vector<std::string> names_of(const std::vector<NamedQuantity>& quantities) {
  std::vector<std::string> names;
  for (const NamedQuantity& q : quantities) names.push_back(q.name);
  return names;
}

std::vector<NamedMatrix> matrices_of(const Linearization& lin) {
  const std::vector<std::string> states = names_of(lin.state_names()), inputs = names_of(lin.inputs),
                                 outputs = names_of(lin.outputs);
  std::vector<std::string> positions, masses;
  for (const LinearCoordinate& c : lin.positions) positions.push_back(c.name);
  for (int i = 0; i < lin.mass.rows(); ++i) masses.push_back(lin.velocities[i].name);
  return {{"A", &lin.A, states, states},
          {"B", &lin.B, states, inputs},
          {"C", &lin.C, outputs, states},
          {"D", &lin.D, outputs, inputs},
          {"mass", &lin.mass, masses, masses},
          {"damping", &lin.damping, masses, masses},
          {"stiffness", &lin.stiffness, masses, positions}};
}

Json to_json(const MatrixXd& M) {
  Json rows = Json::array();
  for (int i = 0; i < M.rows(); ++i) {
    Json row = Json::array();
    for (int j = 0; j < M.cols(); ++j) row.push_back(M(i, j));
    rows.push_back(std::move(row));
  }
  return rows;
}

Json to_json(const std::vector<NamedQuantity>& quantities) {
  Json json = Json::array();
  for (const NamedQuantity& q : quantities) json.push_back({{"name", q.name}, {"unit", q.unit}});
  return json;
}

Json to_json(const LinearizeReport& report, const std::string& point) {
  Json json{{"operating_point", point},
            {"dropped_states", Json::array()},
            {"added_states", report.added},
            {"redundant", report.redundant},
            {"remarks", report.remarks}};
  for (const DroppedState& d : report.dropped)
    json["dropped_states"].push_back({{"name", d.name}, {"reason", d.reason}});
  return json;
}

std::string csv_of(const NamedMatrix& matrix) {
  std::string text;
  for (const std::string& column : matrix.columns) text += "," + csv_field(column);
  text += '\n';
  for (int i = 0; i < matrix.values->rows(); ++i) {
    text += csv_field(matrix.rows[i]);
    for (int j = 0; j < matrix.values->cols(); ++j) text += fmt::format(",{}", (*matrix.values)(i, j));
    text += '\n';
  }
  return text;
}

std::string matrix_market_of(const NamedMatrix& matrix) {
  const MatrixXd& M = *matrix.values;
  std::string text = fmt::format("%%MatrixMarket matrix coordinate real general\n{} {} {}\n", M.rows(), M.cols(),
                                 (M.array() != 0).count());
  for (int j = 0; j < M.cols(); ++j)
    for (int i = 0; i < M.rows(); ++i)
      if (M(i, j) != 0) text += fmt::format("{} {} {}\n", i + 1, j + 1, M(i, j));
  return text;
}

std::string file_of(const std::string& path, const char* matrix) {
  const fs::path p(path);
  return (p.parent_path() / fmt::format("{}_{}{}", p.stem().string(), matrix, p.extension().string())).string();
}

/// "mode 3", and which way round it goes where that is the same at all values.
std::string track_label(const Campbell& campbell, size_t track) {
  bool forward = false, backward = false;
  for (size_t i = 0; i < campbell.points.size(); ++i)
    if (const int m = campbell.tracks[track][i]; m >= 0) {
      forward = forward || campbell.points[i].whirl[m] == Whirl::forward;
      backward = backward || campbell.points[i].whirl[m] == Whirl::backward;
    }
  return fmt::format("mode {}{}", track + 1, forward == backward ? "" : forward ? ", forward" : ", backward");
}

}  // namespace

const std::vector<std::string>& linear_formats() {
  static const std::vector<std::string> formats{".json", ".mat", ".npz", ".csv", ".mtx"};
  return formats;
}

std::vector<std::string> files_of(const std::string& path) {
  const std::string ending = fs::path(path).extension().string();
  if (ending != ".csv" && ending != ".mtx") return {path};
  std::vector<std::string> files;
  for (const NamedMatrix& matrix : matrices_of({})) files.push_back(file_of(path, matrix.name));
  return files;
}

std::vector<std::string> write_linearization(const Linearization& lin, const std::string& point,
                                             const std::string& path) {
  const std::string ending = fs::path(path).extension().string();
  const std::vector<NamedMatrix> matrices = matrices_of(lin);
  if (ending == ".json") {
    write_file(path, linearization_json(lin, point) + "\n");
    return {path};
  }
  if (ending == ".mat" || ending == ".npz") {
    ArrayArchive archive;
    for (const NamedMatrix& matrix : matrices) archive.matrices.emplace_back(matrix.name, *matrix.values);
    for (const auto& [name, quantities] :
         {std::pair{"states", lin.state_names()}, std::pair{"inputs", lin.inputs}, std::pair{"outputs", lin.outputs}}) {
      archive.texts.emplace_back(name, names_of(quantities));
      std::vector<std::string> units;
      for (const NamedQuantity& q : quantities) units.push_back(q.unit);
      archive.texts.emplace_back(std::string(name) + "_units", units);
    }
    if (ending == ".mat") write_mat(archive, path);
    else write_file(path, npz_bytes(archive));
    return {path};
  }
  for (const NamedMatrix& matrix : matrices)
    write_file(file_of(path, matrix.name), ending == ".csv" ? csv_of(matrix) : matrix_market_of(matrix));
  return files_of(path);
}

std::string linearization_json(const Linearization& lin, const std::string& point) {
  Json json{{"report", to_json(lin.report, point)},
            {"states", to_json(lin.state_names())},
            {"inputs", to_json(lin.inputs)},
            {"outputs", to_json(lin.outputs)}};
  for (const NamedMatrix& matrix : matrices_of(lin)) json[matrix.name] = to_json(*matrix.values);
  return text_of(json, 1);
}

std::string modes_json(const EigenmodeResult& result, const Model& model, const System& system, const State& s,
                       const LinearizeReport& report, const std::string& point) {
  Json modes = Json::array();
  const ModeTable table = mode_table(result.modes, model, system, s);
  for (size_t m = 0; m < result.modes.size(); ++m) {
    const Eigenmode& mode = result.modes[m];
    Json one{{"real", mode.s.real()},     {"imaginary", mode.s.imag()}, {"frequency", mode.frequency()},
             {"damping", mode.damping()}, {"label", mode.label},        {"kinetic", Json::object()},
             {"strain", Json::object()},  {"bodies", Json::object()},   {"error", mode.error},
             {"residual", mode.residual}, {"doubtful", mode.doubtful()}};
    for (const EnergyShare& share : mode.kinetic) one["kinetic"][share.name] = share.share;
    for (const EnergyShare& share : mode.strain) one["strain"][share.name] = share.share;
    for (const ModeTable::Body& body : table.bodies) {
      const auto part = [&](const std::vector<double>& all) {
        Json list = Json::array();
        for (size_t i = 0; i < 3; ++i) list.push_back({all[6 * m + 2 * i], all[6 * m + 2 * i + 1]});
        return list;
      };
      one["bodies"][body.name] = {{"displacement", part(body.displacement)}, {"rotation", part(body.rotation)}};
    }
    modes.push_back(std::move(one));
  }
  const StabilityVerdict verdict = judge_stability(result.modes);
  Json json{
      {"report", to_json(report, point)},
      {"iterative", result.iterative},
      {"stability",
       {{"verdict", name_of(verdict.stability)}, {"growth", verdict.growth}, {"zero_eigenvalues", verdict.zeros}}},
      {"modes", modes}};
  if (!result.problem.empty()) json["problem"] = result.problem;
  return text_of(json, 1);
}

std::string modes_csv(const std::vector<Eigenmode>& modes) {
  std::string text = "real [1/s],imaginary [1/s],frequency [Hz],damping [1],label\n";
  for (const Eigenmode& mode : modes)
    text += fmt::format("{},{},{},{},{}\n", mode.s.real(), mode.s.imag(), mode.frequency(), mode.damping(),
                        csv_field(mode.label));
  return text;
}

// Nodes are mass centres; the origin of the body frame is at −R c from there and moves by δp − ψ × R c.
ModeTable mode_table(const std::vector<Eigenmode>& modes, const Model& model, const System& system, const State& s) {
  ModeTable table;
  for (const Eigenmode& mode : modes) {
    table.eigenvalues.insert(table.eigenvalues.end(), {mode.s.real(), mode.s.imag()});
    table.frequencies.push_back(mode.frequency());
    table.dampings.push_back(mode.damping());
    table.labels.push_back(mode.label);
  }
  const Named named(model);
  const FrameTable& frames = named.frames;
  for (const int b : frames.bodies()) {
    const FrameNode& node = system.nodes()[b];
    ModeTable::Body body{frames[b].name, {}, {}};
    const Matrix3d R = quaternion_at(s.q, node.q + 3).toRotationMatrix();
    const auto add = [](const Eigen::Vector3cd& x, std::vector<double>& out) {
      for (const std::complex<double>& c : x) out.insert(out.end(), {c.real(), c.imag()});
    };
    const Vector3d center = R * -frames[b].origin;
    for (const Eigenmode& mode : modes) {
      const Eigen::Vector3cd turn = R.cast<std::complex<double>>() * mode.shape.segment<3>(node.v + 3);
      add(mode.shape.segment<3>(node.v) + skew(center).cast<std::complex<double>>() * turn, body.displacement);
      add(turn, body.rotation);
    }
    table.bodies.push_back(std::move(body));
  }
  return table;
}

CampbellTable campbell_table(const CampbellPlan& plan, const Campbell& campbell) {
  CampbellTable table;
  table.parameter = plan.parameter;
  table.unit = plan.unit;
  table.is_speed = plan.unit == "rad/s" || plan.unit == "1/s";
  for (const CampbellPoint& point : campbell.points) table.values.push_back(point.value);
  constexpr double kNothing = std::numeric_limits<double>::quiet_NaN();
  for (size_t t = 0; t < campbell.tracks.size(); ++t) {
    table.labels.push_back(track_label(campbell, t));
    for (size_t i = 0; i < campbell.points.size(); ++i) {
      const int m = campbell.tracks[t][i];
      table.frequencies.push_back(m < 0 ? kNothing : campbell.points[i].modes[m].s.imag() / (2 * std::numbers::pi));
      table.dampings.push_back(m < 0 ? kNothing : campbell.points[i].modes[m].damping());
    }
  }
  return table;
}

ResponseTable response_table(const Linearization& linearization, const FrequencyResponse& response) {
  ResponseTable table;
  table.frequencies = response.frequencies;
  for (size_t i = 0; i < linearization.inputs.size(); ++i)
    for (size_t o = 0; o < linearization.outputs.size(); ++o) {
      table.names.push_back(fmt::format("{} from {}", linearization.outputs[o].name, linearization.inputs[i].name));
      table.units.push_back(response_unit(linearization.outputs[o], linearization.inputs[i]));
      for (const MatrixXcd& H : response.H) table.magnitudes.push_back(std::abs(H(o, i)));
      const std::vector<double> phases = phases_of(response, o, i);
      table.phases.insert(table.phases.end(), phases.begin(), phases.end());
    }
  return table;
}

ResultFile state_file(const Model& model, const System& system, const State& s, const std::string& analysis) {
  Results results;
  Sample sample;
  sample.state = s;
  results.samples.push_back(sample);
  results.report.finished = true;
  results.report.end_time = s.t;
  results.report.integrator = analysis;
  return make_result_file(model, system, results);
}

}  // namespace bricard::io
