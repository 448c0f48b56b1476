// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <numbers>
#include <set>

#include "bricard/check/read_log.h"
#include "bricard/flex/interfaces.h"
#include "bricard/flex/part_checks.h"
#include "bricard/flex/reduction.h"
#include "bricard/read/finite_elements.h"
#include "bricard/read/part_reader.h"
#include "bricard/report/part_page.h"
#include "bricard/report/report_writer.h"
#include "bricard/write/files.h"
#include "bricard/write/part_writer.h"
#include "cli/commands.h"
#include "cli/terminal.h"

namespace bricard::cli {
namespace {

constexpr double kHertz = 2 * std::numbers::pi;

struct ReduceCommand {
  std::string part, mass, nodes, material, units, output;
  std::vector<std::string> interfaces;
  int modes = 20, compared = 10;
  double frequency = 0, effective_mass = 0;
  bool free = false, stiffening = false, quiet = false;
};

/// `0.3,0.015,0.01`, in the units of the file
Vector3d parse_place(const std::string& text, const std::string& place, double unit) {
  Vector3d x;
  char rest = 0;
  if (std::sscanf(place.c_str(), "%lf,%lf,%lf%c", &x[0], &x[1], &x[2], &rest) != 3 || !x.allFinite())
    throw UsageError(fmt::format("--interface {}: behind the @ must be x,y,z in the units of the file", text));
  return unit * x;
}

/// `tip=nodeset:TIP` or `tip=rbe3:TIP`, perhaps with its place: `tip=rbe3:TIP@x,y,z`
InterfaceNodes parse_interface(const std::string& text, const io::ElementPart& part, double unit) {
  const std::size_t equals = text.find('='), colon = text.find(':', equals == std::string::npos ? 0 : equals);
  if (equals == std::string::npos || equals == 0 || colon == std::string::npos)
    throw UsageError(fmt::format("--interface {}: must be NAME=nodeset:SET, rigid, or NAME=rbe3:SET, a mean", text));
  const std::size_t at = text.find('@', colon);
  const std::string name = text.substr(0, equals), kind = text.substr(equals + 1, colon - equals - 1),
                    set = text.substr(colon + 1, at == std::string::npos ? at : at - colon - 1);
  const auto is_word = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; };
  if (!std::all_of(name.begin(), name.end(), is_word))
    throw UsageError(
        fmt::format("--interface {}: the name must be of letters, digits and _; it becomes a marker", text));
  const std::vector<std::string> kinds = {"nodeset", "rbe2", "rbe3"};
  if (std::find(kinds.begin(), kinds.end(), kind) == kinds.end())
    throw UsageError(fmt::format("--interface {}: unknown kind '{}'{}", text, kind, hint(kind, kinds)));
  std::string wanted = set;
  std::transform(wanted.begin(), wanted.end(), wanted.begin(),
                 [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  const auto found = part.sets.find(wanted);
  if (found == part.sets.end()) {
    std::vector<std::string> names;
    for (const auto& [known, nodes] : part.sets) names.push_back(known);
    throw UsageError(fmt::format("--interface {}: there is no set of nodes '{}'{}", text, set,
                                 names.empty() ? "; the file has none" : hint(wanted, names)));
  }
  const auto spider = kind == "rbe3" ? InterfaceNodes::Spider::average : InterfaceNodes::Spider::rigid;
  InterfaceNodes interface =
      make_interface(part.structure, name, found->second, spider, fmt::format("node set '{}'", set));
  if (at != std::string::npos) interface.position = parse_place(text, text.substr(at + 1), unit);
  return interface;
}

io::ElementPart read_part_source(const ReduceCommand& o, const WorkWatch& watch) {
  io::MeshOptions options;
  if (!o.units.empty()) options.units = io::file_units(o.units);
  if (o.mass.empty() != o.nodes.empty())
    throw UsageError("--mass and --nodes: give both of them, for a stiffness matrix");
  if (!o.mass.empty()) {
    if (!o.material.empty()) throw UsageError("--material: matrices have their own");
    return io::read_matrix_part(o.part, o.mass, o.nodes, options.units.value_or(io::FileUnits{}), watch);
  }
  if (!o.material.empty()) {
    std::vector<std::string> names;
    for (const Material& material : materials())
      if (material.youngs_modulus > 0) names.push_back(material.name);
    const auto found = std::find(names.begin(), names.end(), o.material);
    if (found == names.end())
      throw UsageError(fmt::format("--material = {}: unknown{}", o.material, hint(o.material, names)));
    for (const Material& material : materials())
      if (material.name == o.material) options.material = material;
  }
  return io::read_calculix_part(o.part, options, watch);
}

void check_numbers(const ReduceCommand& o) {
  if (o.modes < 0 || o.modes > 1000) throw UsageError(fmt::format("--modes = {}: must be 0 to 1000", o.modes));
  if (o.compared < 0 || o.compared > 1000)
    throw UsageError(fmt::format("--compare = {}: must be 0 to 1000", o.compared));
  if (!(o.frequency >= 0)) throw UsageError(fmt::format("--frequency = {:g}: must be > 0", o.frequency));
  if (!(o.effective_mass >= 0 && o.effective_mass < 1))
    throw UsageError(
        fmt::format("--effective-mass = {:g}: must be a share of the mass, from 0 to 1", o.effective_mass));
  if (o.free && o.effective_mass > 0)
    throw UsageError("--effective-mass: is of modes with interfaces held; not with --free");
}

std::string hertz(double frequency) { return fmt::format("{:.6g}", frequency / kHertz); }
std::string percent(double share) { return fmt::format("{:.2f}", 100 * share); }

ReportTable mass_table(MassSummary part) {
  for (double& entry : part.inertia.reshaped())  // round-off
    if (std::abs(entry) < 1e-12 * part.inertia.trace()) entry = 0;
  const auto row = [](const std::string& name, const Vector3d& v) {
    return std::vector<std::string>{name, fmt::format("{:.6g}", v[0]), fmt::format("{:.6g}", v[1]),
                                    fmt::format("{:.6g}", v[2])};
  };
  return {fmt::format("Mass {:.6g} kg", part.mass),
          {"", "x", "y", "z"},
          {row("mass centre [m]", part.center), row("inertia x [kg m²]", part.inertia.row(0)),
           row("inertia y", part.inertia.row(1)), row("inertia z", part.inertia.row(2))},
          "The inertia is about the mass centre."};
}

/// Rows of frequencies of the reduced part, beside those of the whole structure as far as they are known.
ReportTable free_table(const ReducedPart& part, const VectorXd& full) {
  ReportTable table{"Frequencies of the free part", {"mode", "reduced [Hz]"}, {}, ""};
  if (full.size() > 0) table.columns.insert(table.columns.end(), {"all unknowns [Hz]", "difference [%]"});
  for (int i = 0; i < part.shapes(); ++i) {
    table.rows.push_back({std::to_string(i + 1), hertz(part.frequencies[i])});
    if (full.size() == 0) continue;
    const bool known = i < full.size();
    table.rows.back().push_back(known ? hertz(full[i]) : "");
    table.rows.back().push_back(known ? fmt::format("{:.2g}", 100 * (part.frequencies[i] / full[i] - 1)) : "");
  }
  if (full.size() > 0 && !part.interfaces.empty())
    table.verdict =
        "The highest belong to shapes that interfaces need for exact statics; more modes bring the others nearer.";
  return table;
}

ReportTable held_table(const VectorXd& frequencies, const Eigen::Matrix<double, Eigen::Dynamic, 6>& effective,
                       Eigen::Index count) {
  ReportTable table{"Interfaces held: frequencies and effective masses",
                    {"mode", "frequency [Hz]", "x [%]", "y [%]", "z [%]", "about x [%]", "about y [%]", "about z [%]"},
                    {},
                    ""};
  Eigen::Matrix<double, 1, 6> sum = Eigen::Matrix<double, 1, 6>::Zero();
  for (Eigen::Index i = 0; i < std::min(count, frequencies.size()); ++i) {
    table.rows.push_back({std::to_string(i + 1), hertz(frequencies[i])});
    for (int a = 0; a < 6; ++a) table.rows.back().push_back(percent(effective(i, a)));
    sum += effective.row(i);
  }
  table.rows.push_back({"sum", ""});
  for (int a = 0; a < 6; ++a) table.rows.back().push_back(percent(sum[a]));
  table.verdict = "Shares of the mass, and of the inertia about the mass centre. What is missing moves with the "
                  "interfaces or in higher modes.";
  return table;
}

Report part_report(const ReducedPart& part) {
  Report report;
  report.name = part.name;
  report.description = part.source;
  report.tables.push_back(mass_table(mass_summary(part)));
  ReportTable interfaces{"Interfaces", {"name", "x [m]", "y [m]", "z [m]"}, {}, ""};
  for (const PartInterface& interface : part.interfaces)
    interfaces.rows.push_back({interface.name, fmt::format("{:.6g}", interface.position[0]),
                               fmt::format("{:.6g}", interface.position[1]),
                               fmt::format("{:.6g}", interface.position[2])});
  if (!part.interfaces.empty()) report.tables.push_back(interfaces);
  return report;
}

/// Where --modes ends before what else was asked for.
void say_what_is_missing(const ReduceCommand& o, const StructureModes& modes) {
  if (modes.kept == 0 || modes.kept < modes.held.size()) return;
  const double share = modes.effective.leftCols<3>().colwise().sum().minCoeff();
  if (o.effective_mass > share)
    say(fmt::format("  {} move {:.0f} % of the mass in one direction, less than was asked for: give more --modes",
                    count(modes.kept, "mode"), 100 * share));
  if (kHertz * o.frequency > modes.held[modes.held.size() - 1])
    say(fmt::format("  {} end at {} Hz: there are more up to {:g} Hz; give more --modes", count(modes.kept, "mode"),
                    hertz(modes.held[modes.held.size() - 1]), o.frequency));
}

int reduce_part(const ReduceCommand& o) {
  check_numbers(o);
  const InterruptNote note;
  ProgressLine line(!o.quiet);
  std::string at;
  WorkWatch watch;
  watch.cancelled = [] { return InterruptNote::signal() != 0; };
  watch.progress = [&](const std::string& name, double share) {
    if (name != at) line.begin(at = name);
    line.show({share, 1, 1, 1});
  };
  const std::string output = o.output.empty() ? std::filesystem::path(o.part).stem().string() + ".flex.h5" : o.output;
  for (const std::string& input : {o.part, o.mass, o.nodes})
    if (std::error_code ignored; std::filesystem::equivalent(output, input, ignored))
      throw UsageError(fmt::format("{}: is what the part is read from; give the result another name", output));
  io::check_writable(output);
  const Stopwatch clock;
  const io::ElementPart part = read_part_source(o, watch);
  const double reading = clock.seconds();
  std::vector<InterfaceNodes> interfaces;
  std::set<std::string> names;
  for (const std::string& text : o.interfaces) {
    interfaces.push_back(parse_interface(text, part, o.units.empty() ? 1 : io::file_units(o.units).length));
    if (!names.insert(interfaces.back().name).second)
      throw UsageError(fmt::format("--interface {}: there is another interface '{}'", text, interfaces.back().name));
  }
  if (o.stiffening && !part.structure.geometric_stiffness)
    throw UsageError("--stiffening: is not known of matrices, nor of elements with strains of their own (C3D8I)");
  Reduction wanted;
  wanted.kind = o.free || interfaces.empty() ? Reduction::Kind::free : Reduction::Kind::craig_bampton;
  wanted.modes = o.modes;
  wanted.max_frequency = kHertz * o.frequency;
  wanted.stiffening = o.stiffening;
  StructureModes modes;
  const ReducedPart reduced = reduce(part.structure, interfaces, wanted, {o.effective_mass, watch}, modes);
  const VectorXd full =
      o.compared > 0 ? free_frequencies(part.structure, interfaces, std::min(o.compared, reduced.shapes()), watch)
                     : VectorXd();
  line.clear();
  io::write_part(reduced, output);

  Report report = part_report(reduced);
  report.tables.push_back(free_table(reduced, full));
  if (modes.held.size() > 0) report.tables.push_back(held_table(modes.held, modes.effective, modes.kept));
  const MassSummary of_part = mass_summary(reduced), of_matrices = mass_summary(part.structure);
  report.checks.push_back(
      bricard::compare("mass beside that of the matrices", of_part.mass / of_matrices.mass, 1, 1e-9));
  report.checks.push_back(bricard::compare("inertia beside that of the matrices",
                                           (of_part.inertia - of_matrices.inertia).norm() / of_matrices.inertia.norm(),
                                           0, 1e-9));
  report.checks.push_back(
      bricard::compare("strain of motions of the whole part", strain_of_motion(part.structure), 0, 1e-10));
  report.checks.push_back(bricard::compare("momentum of the shapes", momentum_of_shapes(reduced), 0, 1e-8));
  if (!o.quiet) {
    for (const std::string& remark : part.remarks) say("  " + remark);
    say_what_is_missing(o, modes);
    say(fmt::format("  {} unknowns to {} shapes; {:.1f} s, {:.1f} s of it for K and M", part.structure.unknowns(),
                    reduced.shapes(), clock.seconds(), reading));
    say(fmt::format("  written: {}", output));
  }
  print(io::report_text(report));
  return passed(report) == static_cast<long>(report.checks.size()) ? kGood : kNotFinished;
}

struct InspectCommand {
  std::string part, output;
};

int inspect_part(const InspectCommand& o) {
  if (std::error_code ignored; !o.output.empty() && std::filesystem::equivalent(o.output, o.part, ignored))
    throw UsageError(fmt::format("{}: is the part; give the page another name", o.output));
  const ReducedPart part = io::read_part(o.part);
  Report report = part_report(part);
  report.text =
      fmt::format("{}; {}; {}.", count(part.shapes(), "shape"),
                  part.stiffening ? "stresses change its stiffness (stiffening)" : "without stiffening",
                  part.surface.stresses.size() > 0 ? "stresses on its surface are known" : "without stresses");
  report.tables.push_back(free_table(part, {}));
  std::vector<int> all;
  for (std::size_t i = 0; i < part.interfaces.size(); ++i) all.push_back(static_cast<int>(i));
  if (!all.empty()) {
    const HeldModes held = held_modes(part, all);
    report.tables.push_back(held_table(held.frequencies, held.effective, held.frequencies.size()));
  }
  print(io::report_text(report));
  if (o.output.empty()) return kGood;
  io::write_file(o.output, io::part_page(part, report));
  say(fmt::format("page: {}", o.output));
  return kGood;
}

constexpr const char* kReduceFooter =
    "PART is a mesh of solid elements for CalculiX or Abaqus, as gmsh writes it (gmsh part.geo -3 -format inp); "
    "CalculiX (ccx)\n"
    "makes its stiffness and mass matrices. Or PART is a stiffness matrix in the Matrix Market format, with --mass and "
    "--nodes;\n"
    "a line of nodes is number, x, y, z and names of sets. Each interface becomes a marker that joints and forces act "
    "on.\n\n"
    "Examples:\n"
    "  bricard flex reduce arm.inp --material steel --units mm --interface base=nodeset:BASE --interface tip=rbe3:TIP "
    "-o arm.flex.h5\n"
    "  bricard flex reduce K.mtx --mass M.mtx --nodes nodes.csv --interface tip=nodeset:TIP --modes 10\n"
    "  bricard flex inspect arm.flex.h5 -o arm.html";

void add_reduce(Command& flex, int& exit_code) {
  const auto o = std::make_shared<ReduceCommand>();
  Command* command =
      flex.add_subcommand("reduce", "A part of finite elements to a few shapes, with which it moves in mechanisms");
  command->add_option("PART", o->part, "A mesh (.inp), or a stiffness matrix (.mtx)")->required()->type_name("");
  command
      ->add_option("--interface", o->interfaces,
                   "NAME=nodeset:SET: these nodes move as a rigid body; NAME=rbe3:SET: the mean of their motion; "
                   "behind it @x,y,z "
                   "if the marker shall not be at the mean of the nodes")
      ->type_name("TEXT")
      ->allow_extra_args(false);
  command->add_option("--modes", o->modes, "Besides the shapes that the interfaces need")
      ->type_name("N")
      ->capture_default_str();
  command->add_option("--frequency", o->frequency, "Only modes up to this frequency")->type_name("HZ");
  command
      ->add_option("--effective-mass", o->effective_mass, "Only as many modes as move this share of the mass, as 0.95")
      ->type_name("SHARE");
  command->add_flag("--free", o->free, "Modes of the free part instead of those with interfaces held");
  command->add_flag("--stiffening", o->stiffening,
                    "What stresses under accelerations do to the stiffness, for fast rotation");
  command->add_option("--material", o->material, "Of elements that have none in the file, as steel")->type_name("NAME");
  command->add_option("--units", o->units, "Of the file: m (m, kg, s), mm (mm, t, s) or in (in, lbf*s^2/in, s)")
      ->type_name("NAME");
  command->add_option("--mass", o->mass, "Mass matrix, if PART is a stiffness matrix")->type_name("FILE");
  command->add_option("--nodes", o->nodes, "Table of nodes, if PART is a stiffness matrix")->type_name("FILE");
  command->add_option("--compare", o->compared, "How many frequencies are compared with those of all unknowns")
      ->type_name("N")
      ->capture_default_str();
  command->add_option("-o,--output", o->output, "The reduced part; by default PART's name with .flex.h5")
      ->type_name("FILE");
  command->add_flag("-q,--quiet", o->quiet, "No remarks, no progress line");
  command->footer(kReduceFooter);
  command->callback([o, &exit_code] {
    try {
      exit_code = reduce_part(*o);
    } catch (const WorkStopped&) {
      say("bricard: stopped; nothing was written");
      exit_code = 128 + InterruptNote::signal();
    }
  });
}

}  // namespace

void add_flex_command(Program& app, int& exit_code) {
  Command* flex = app.add_subcommand("flex", "Flexible parts from finite elements: reduce, inspect");
  flex->require_subcommand();
  add_reduce(*flex, exit_code);
  const auto o = std::make_shared<InspectCommand>();
  Command* inspect =
      flex->add_subcommand("inspect", "What is in a reduced part: mass, frequencies, effective masses, shapes");
  inspect->add_option("PART", o->part, "A part of `bricard flex reduce`")->required()->type_name("");
  inspect->add_option("-o,--output", o->output, "A page with the shapes, moving")->type_name("FILE");
  inspect->footer("Example:\n  bricard flex inspect arm.flex.h5 -o arm.html");
  inspect->callback([o, &exit_code] { exit_code = inspect_part(*o); });
}

}  // namespace bricard::cli
