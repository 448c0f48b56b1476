// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>

#include "bricard/io/files.h"
#include "bricard/model/source.h"
#include "cli/commands.h"
#include "cli/model_folder.h"
#include "cli/terminal.h"
#include "papers/study.h"

namespace bricard::cli {
namespace {

struct ReproduceOptions {
  std::string name, html;
  bool json = false;
};

std::vector<std::string> known_names() {
  std::vector<std::string> names;
  for (const StudyEntry& entry : studies()) names.push_back(entry.name);
  names.push_back("all");
  return names;
}

[[noreturn]] void refuse(const std::string& name) {
  const std::vector<std::string> planned = planned_studies();
  if (std::find(planned.begin(), planned.end(), name) != planned.end())
    throw UsageError(fmt::format("the study '{}' is not part of this version", name));
  std::vector<std::string> all = known_names();
  all.insert(all.end(), planned.begin(), planned.end());
  const std::string near = did_you_mean(name, all);
  throw UsageError(
      fmt::format("unknown study '{}'{}", name, hint(name, near.empty() ? known_names() : all)));
}

/// All studies as one: the names of checks get that of their study in front.
Study reproduce_all(const StudyContext& context) {
  Study all;
  all.name = "all";
  all.description = "every study of this version";
  for (const StudyEntry& entry : studies()) {
    const Study study = entry.reproduce(context);
    all.text += fmt::format("{}: {}\n\n{}\n", study.name, study.description, study.text);
    for (Check check : study.checks) {
      check.name = study.name + ": " + check.name;
      all.checks.push_back(check);
    }
  }
  return all;
}

Study reproduce_study(const std::string& name) {
  const StudyContext context{model_folder()};
  if (name == "all") return reproduce_all(context);
  for (const StudyEntry& entry : studies())
    if (entry.name == name) return entry.reproduce(context);
  refuse(name);
}

long passed(const Study& study) {
  return std::count_if(study.checks.begin(), study.checks.end(),
                       [](const Check& check) { return check.pass; });
}

std::string json_text(const Study& study) {
  nlohmann::ordered_json json{{"study", study.name}, {"checks", nlohmann::ordered_json::array()}};
  for (const Check& check : study.checks)
    json["checks"].push_back({{"name", check.name},
                              {"value", check.value},
                              {"reference", check.reference},
                              {"tolerance", check.tolerance},
                              {"pass", check.pass}});
  return json.dump(2) + "\n";
}

std::string table_text(const Study& study) {
  size_t width = 5;
  for (const Check& check : study.checks) width = std::max(width, check.name.size());
  std::string text = fmt::format("{:<{}}  {:>16}  {:>16}  {:>10}\n", "check", width, "value",
                                 "reference", "tolerance");
  for (const Check& check : study.checks)
    text +=
        fmt::format("{:<{}}  {:>16.9g}  {:>16.9g}  {:>10.2g}  {}\n", check.name, width, check.value,
                    check.reference, check.tolerance, check.pass ? "pass" : "FAIL");
  return text;
}

std::string verdict_text(const Study& study) {
  return fmt::format("{} of {} pass", passed(study),
                     count(static_cast<long>(study.checks.size()), "check"));
}

std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text) out += c == '&' ? "&amp;" : c == '<' ? "&lt;" : std::string(1, c);
  return out;
}

std::string html_text(const Study& study) {
  std::string rows;
  for (const Check& check : study.checks)
    rows += fmt::format("<tr class={}><td>{}<td>{:.9g}<td>{:.9g}<td>{:.2g}<td>{}\n",
                        check.pass ? "good" : "bad", escaped(check.name), check.value,
                        check.reference, check.tolerance, check.pass ? "pass" : "FAIL");
  return fmt::format(R"(<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>bricard reproduce {0}</title>
<style>
  :root {{ color-scheme: light dark; }}
  body {{ font: 16px/1.5 system-ui, sans-serif; max-width: 62em; margin: 2em auto; }}
  table {{ border-collapse: collapse; font-variant-numeric: tabular-nums; }}
  th, td {{ padding: 0.2em 0.9em; text-align: right; border-bottom: 1px solid #8884; }}
  th:first-child, td:first-child {{ text-align: left; }}
  .good td:last-child {{ color: #1a8f4c; }}  .bad td:last-child {{ color: #d33; font-weight: 600; }}
  pre {{ overflow-x: auto; }}
</style>
<h1>{0}</h1><p>{1}</p><pre>{2}</pre>
<table><tr><th>check<th>value<th>reference<th>tolerance<th>verdict
{3}</table><p>{4}; Bricard {5}</p></html>
)",
                     escaped(study.name), escaped(study.description), escaped(study.text), rows,
                     verdict_text(study), BRICARD_VERSION);
}

int reproduce(const ReproduceOptions& o) {
  if (o.name.empty())
    throw UsageError(
        fmt::format("the name of a study is missing; there is {}", fmt::join(known_names(), ", ")));
  if (!o.html.empty()) io::check_writable(o.html);
  const Study study = reproduce_study(o.name);
  if (!o.html.empty()) io::write_file(o.html, html_text(study));
  if (o.json)
    print(json_text(study));
  else
    print(fmt::format("{}: {}\n\n{}{}{}{}\n", study.name, study.description, study.text,
                      study.text.empty() ? "" : "\n", table_text(study), verdict_text(study)));
  const bool all_pass = passed(study) == static_cast<long>(study.checks.size());
  return all_pass && !study.checks.empty() ? kGood : kNotFinished;  // no check proves nothing
}

}  // namespace

void add_reproduce_command(CLI::App& app, int& exit_code) {
  CLI::App* command =
      app.add_subcommand("reproduce", "Compute published results again and compare");
  const auto o = std::make_shared<ReproduceOptions>();
  std::string names;
  for (const StudyEntry& entry : studies())
    names += fmt::format("  {:<10} {}\n", entry.name, entry.description);
  command->add_option("NAME", o->name, "The study, or `all`")->type_name("");
  command->add_flag("--json", o->json, "Print the checks as JSON");
  command->add_option("--html", o->html, "Write a page with the checks")->type_name("FILE");
  command->footer("Studies:\n" + names + "  all        every study\n\n" +
                  "Exit code 0 only if all checks pass, else 1.\n\n" +
                  "Example:\n  bricard reproduce iftomm --html iftomm.html");
  command->callback([o, &exit_code] { exit_code = reproduce(*o); });
}

}  // namespace bricard::cli
