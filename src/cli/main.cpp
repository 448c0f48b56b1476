// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <signal.h>

#include <new>

#include "bricard/model/source.h"
#include "bricard/write/files.h"
#include "cli/commands.h"
#include "cli/terminal.h"

namespace bricard::cli {
namespace {

constexpr const char* kProgramFooter =
    "`bricard COMMAND --help` tells more about a command.\n\n"
    "Exit codes:\n"
    "  0    good\n"
    "  1    the analysis did not reach its end (results are kept), or a check failed\n"
    "  2    the model or an argument is wrong\n"
    "  3    a file could not be read or written\n"
    "  4    an error in Bricard itself\n"
    "  130  interrupted by Ctrl-C (results are kept); 129 by SIGHUP, 143 by SIGTERM\n\n"
    "Example:\n"
    "  bricard run models/pendulum.yaml && bricard view pendulum.h5 --open";

int run_program(int argc, char** argv) {
  Program app("bricard", "Dynamics of mechanisms", "bricard " BRICARD_VERSION " (" BRICARD_BUILD ")", kProgramFooter);
  int exit_code = kGood;
  add_run_command(app, exit_code);
  add_kinematics_command(app, exit_code);
  add_static_command(app, exit_code);
  add_check_command(app, exit_code);
  add_linearize_command(app, exit_code);
  add_modes_command(app, exit_code);
  add_campbell_command(app, exit_code);
  add_frequency_command(app, exit_code);
  add_flex_command(app, exit_code);
  add_compare_command(app, exit_code);
  add_view_command(app, exit_code);
  add_reproduce_command(app, exit_code);
  add_verify_command(app, exit_code);
  add_doctor_command(app, exit_code);
  add_schema_command(app, exit_code);
  return app.run(argc, argv) ? exit_code : kBadInput;
}

}  // namespace
}  // namespace bricard::cli

int main(int argc, char** argv) {
  namespace cli = bricard::cli;
  cli::open_standard_files();
  ::signal(SIGXFSZ, SIG_IGN);  // a file that may not grow any more is an error like a full disk
  try {
    return cli::run_program(argc, argv);
  } catch (const bricard::ModelError& error) {
    cli::say(error.what());
    return cli::kBadInput;
  } catch (const cli::UsageError& error) {
    cli::say(fmt::format("bricard: {}", error.what()));
    return cli::kBadInput;
  } catch (const bricard::io::FileError& error) {
    cli::say(fmt::format("bricard: {}", error.what()));
    return cli::kFileError;
  } catch (const std::bad_alloc&) {
    cli::say("bricard: out of memory");
    return cli::kInternalError;
  } catch (const std::exception& error) {
    cli::say(fmt::format("bricard: internal error, please report it: {}", error.what()));
    return cli::kInternalError;
  }
}
