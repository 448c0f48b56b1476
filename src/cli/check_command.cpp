// SPDX-License-Identifier: Apache-2.0
#include <memory>

#include "bricard/analysis/check_model.h"
#include "bricard/read/model_reader.h"
#include "bricard/report/check_json.h"
#include "bricard/write/files.h"
#include "cli/check_text.h"
#include "cli/commands.h"
#include "cli/run_overrides.h"
#include "cli/terminal.h"

namespace bricard::cli {
namespace {

struct CheckOptions {
  std::string model;
  bool json = false;
  std::vector<std::string> parameters;
};

int check(const CheckOptions& o) {
  const Model model = io::read_model_text(io::read_file(o.model), o.model, parse_parameters(o.parameters));
  const CheckReport report = check_model(model);
  print(o.json ? io::check_json(model, report) + "\n" : check_text(model, report));
  return report.can_run() ? kGood : kNotFinished;
}

constexpr const char* kCheckFooter =
    "Exit codes:\n"
    "  0  the model can run\n"
    "  1  it cannot: its joints do not close, its motions contradict each other or jump, axes are\n"
    "     askew by a hair, or nothing can move\n"
    "  2  the model file or an argument is wrong\n"
    "  3  a file could not be read\n\n"
    "Example:\n"
    "  bricard check models/four_bar.yaml";

}  // namespace

void add_check_command(Program& app, int& exit_code) {
  Command* command = app.add_subcommand(
      "check", "Say what a model is: degrees of freedom, redundant joints, loops, start, time scales");
  const auto o = std::make_shared<CheckOptions>();
  command->add_option("MODEL", o->model, "The model file (YAML)")->required()->type_name("");
  command->add_flag("--json", o->json, "Print the report as JSON");
  command->add_option("--set", o->parameters, "Set a parameter of the model; may be repeated")
      ->type_name("NAME=VALUE")
      ->allow_extra_args(false);
  command->footer(kCheckFooter);
  command->callback([o, &exit_code] { exit_code = check(*o); });
}

}  // namespace bricard::cli
