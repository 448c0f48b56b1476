// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "bricard/model/source.h"
#include "bricard/report/report_writer.h"
#include "bricard/write/files.h"
#include "cli/commands.h"
#include "cli/model_folder.h"
#include "cli/terminal.h"
#include "papers/study.h"

namespace bricard::cli {
namespace {

struct ReproduceOptions {
  std::string name, html;
  bool json = false, quick = false;
};

std::vector<std::string> known_names() {
  std::vector<std::string> names;
  for (const StudyEntry& entry : studies()) names.push_back(entry.name);
  names.push_back("all");
  return names;
}

[[noreturn]] void refuse(const std::string& name) {
  throw UsageError(fmt::format("unknown study '{}'{}", name, hint(name, known_names())));
}

/// Appends parts of a study, the study's name in front of their own.
template <class Part>
void append(std::vector<Part>& all, const std::vector<Part>& parts, std::string Part::*name, const Study& study) {
  for (Part part : parts) {
    part.*name = study.name + ": " + part.*name;
    all.push_back(std::move(part));
  }
}

/// All studies as one.
Study reproduce_all(const StudyContext& context) {
  Study all;
  all.name = "all";
  all.description = "every study of this version";
  for (const StudyEntry& entry : studies()) {
    const Study study = entry.reproduce(context);
    all.text += fmt::format("{}: {}\n\n{}\n", study.name, study.description, study.text);
    append(all.checks, study.checks, &Check::name, study);
    append(all.tables, study.tables, &ReportTable::title, study);
    append(all.plots, study.plots, &ReportPlot::title, study);
    append(all.maps, study.maps, &ReportMap::title, study);
  }
  return all;
}

Study reproduce_study(const std::string& name, bool quick) {
  const StudyContext context{model_folder(), quick};
  if (name == "all") return reproduce_all(context);
  for (const StudyEntry& entry : studies())
    if (entry.name == name) return entry.reproduce(context);
  refuse(name);
}

int reproduce(const ReproduceOptions& o) {
  if (o.name.empty())
    throw UsageError(fmt::format("the name of a study is missing; there is {}", fmt::join(known_names(), ", ")));
  if (!o.html.empty()) io::check_writable(o.html);
  const Study study = reproduce_study(o.name, o.quick);
  if (!o.html.empty()) io::write_file(o.html, io::report_page(study));
  print(o.json ? io::report_json(study) : io::report_text(study));
  const bool all_pass = passed(study) == static_cast<long>(study.checks.size());
  return all_pass && !study.checks.empty() ? kGood : kNotFinished;  // no check proves nothing
}

}  // namespace

void add_reproduce_command(Program& app, int& exit_code) {
  Command* command = app.add_subcommand("reproduce", "Compute published results again and compare");
  const auto o = std::make_shared<ReproduceOptions>();
  std::string names;
  for (const StudyEntry& entry : studies()) names += fmt::format("  {:<10} {}\n", entry.name, entry.description);
  command->add_option("NAME", o->name, "The study, or `all`")->type_name("");
  command->add_flag("--json", o->json, "Print all numbers as JSON");
  command->add_flag("--quick", o->quick, "Leave out what takes longest in the studies 000, 003 and beams");
  command->add_option("-o,--html", o->html, "Write a page with tables, plots and checks")->type_name("FILE");
  command->footer("Studies:\n" + names + "  all        every study\n\n" +
                  "Exit code 0 only if all checks pass, else 1.\n\n" +
                  "Example:\n  bricard reproduce iftomm --html iftomm.html");
  command->callback([o, &exit_code] { exit_code = reproduce(*o); });
}

}  // namespace bricard::cli
