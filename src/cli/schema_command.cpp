// SPDX-License-Identifier: Apache-2.0
#include <memory>

#include "bricard/write/files.h"
#include "bricard/write/schema_writer.h"
#include "cli/commands.h"
#include "cli/terminal.h"

namespace bricard::cli {
namespace {

constexpr const char* kSchemaFooter =
    "An editor that knows the schema completes keys and marks what is wrong while you type. With\n"
    "the YAML extension of VS Code one line in the model file is enough:\n"
    "  # yaml-language-server: $schema=bricard.schema.json\n\n"
    "Example:\n"
    "  bricard schema -o bricard.schema.json";

}  // namespace

void add_schema_command(Program& app, int& exit_code) {
  Command* command = app.add_subcommand("schema", "Print the form of model files as JSON Schema (draft 07)");
  const auto output = std::make_shared<std::string>();
  command->add_option("-o,--output", *output, "Write it to a file instead")->type_name("FILE");
  command->footer(kSchemaFooter);
  command->callback([output, &exit_code] {
    if (output->empty()) print(io::model_schema());
    else io::write_file(*output, io::model_schema());
    exit_code = kGood;
  });
}

}  // namespace bricard::cli
