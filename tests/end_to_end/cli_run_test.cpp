// SPDX-License-Identifier: Apache-2.0
#include <signal.h>

#include <chrono>
#include <thread>

#include "bricard/read/result_reader.h"
#include "bricard/report/page_writer.h"
#include "bricard/write/result_writer.h"
#include "end_to_end/program.h"

// Runs: what they print and write, and what is left of those that end early.
namespace bricard {
namespace cli_run_test {

TEST_F(Program, PrintsOneJsonObjectWithFixedNames) {
  const Outcome outcome = run("run pendulum.yaml --json");
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const json printed = json::parse(outcome.out);
  EXPECT_EQ(keys(printed), (Names{"certificate", "final"}));
  const json& final = printed["final"];
  EXPECT_EQ(keys(final), (Names{"time", "bodies", "joints", "signals"}));
  EXPECT_EQ(keys(final["bodies"]), (Names{"rod"}));
  EXPECT_EQ(keys(final["bodies"]["rod"]), (Names{"position", "quaternion_wxyz", "velocity", "angular_velocity",
                                                 "acceleration", "angular_acceleration"}));
  EXPECT_EQ(final["bodies"]["rod"]["quaternion_wxyz"].size(), 4u);
  EXPECT_EQ(keys(final["joints"]["hinge"]), (Names{"coordinates", "force", "torque"}));
  EXPECT_EQ(final["joints"]["hinge"]["coordinates"][0], final["signals"]["hinge.angle"]);
  EXPECT_EQ(final["time"], 1.0);
  EXPECT_TRUE(printed["certificate"]["finished"]);
  EXPECT_EQ(printed["certificate"]["steps"], 100);
  EXPECT_EQ(files(), Names{});  // with --json no file unless it is asked for
}

TEST_F(Program, GivesTheValuesAtTheTimesAskedForInTheirOrder) {
  const Outcome outcome = run("run throw.yaml --json --at 0.75,0.123,0,1 --set speed=3");
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const json samples = json::parse(outcome.out)["samples"];
  const std::vector<double> times{0.75, 0.123, 0, 1};
  ASSERT_EQ(samples.size(), times.size());
  for (size_t i = 0; i < times.size(); ++i) {
    const double t = times[i], round_off = 1e-9;
    const json& stone = samples[i]["bodies"]["stone"];
    EXPECT_NEAR(samples[i]["time"], t, round_off);
    EXPECT_NEAR(stone["position"][0], 3 * t, round_off);
    EXPECT_NEAR(stone["position"][2], -0.5 * 9.81 * t * t, round_off);
    EXPECT_NEAR(stone["velocity"][2], -9.81 * t, round_off);
  }
}

TEST_F(Program, GivesTheSameBitsForTheSameInput) {
  const std::string words = "run pendulum.yaml --json -q";
  const json first = json::parse(run(words).out), second = json::parse(run(words).out);
  EXPECT_EQ(first["final"], second["final"]);
}

TEST_F(Program, WritesTheResultFileOfAModelInTheCurrentFolder) {
  const Outcome outcome = run("run pendulum.yaml");
  EXPECT_EQ(outcome.code, 0);
  EXPECT_EQ(outcome.out, "");
  EXPECT_NE(outcome.err.find("largest defect"), std::string::npos) << outcome.err;
  EXPECT_EQ(files(), Names{"pendulum.h5"});
  EXPECT_EQ(io::read_result_file(path("pendulum.h5")).table.time.size(), 101u);
}

TEST_F(Program, SaysFirstWhatARunIsWorth) {
  EXPECT_NE(run("run pendulum.yaml").err.find("freedom\n  verdict      good\n"), std::string::npos);
  const json good = json::parse(run("run pendulum.yaml --json -q").out)["certificate"];
  EXPECT_EQ(good["verdict"], "good");
  EXPECT_EQ(good["doubts"], json::array());
  EXPECT_LT(good["acceleration_residual"], 1e-9);

  write("rotor.yaml",
        "gravity: [0, 0, 0]\nbodies: {rotor: {mass: 1, inertia: [1, 1, 2], angular_velocity: [0, 0, 3770]}}\n"
        "run: {duration: 0.1, step: 1e-3}\n");
  const Outcome rotor = run("run rotor.yaml -o rotor.h5 --json");
  EXPECT_EQ(rotor.code, 0);
  EXPECT_NE(rotor.err.find("freedom\n  verdict      DOUBTFUL: t = "), std::string::npos) << rotor.err;
  const json doubtful = json::parse(rotor.out)["certificate"];
  EXPECT_EQ(doubtful["verdict"], "doubtful");
  ASSERT_EQ(doubtful["doubts"].size(), 1u);
  EXPECT_NE(doubtful["doubts"][0].get<std::string>().find("turns by 3.8 rad in one step"), std::string::npos);
  EXPECT_EQ(json::parse(io::read_result_file(path("rotor.h5")).certificate)["verdict"], "doubtful");
  EXPECT_NE(run("run rotor.yaml -q --csv r.csv").err.find("bricard: rotor.yaml: doubtful: t = "), std::string::npos);
}

TEST_F(Program, FailsARunThatReachesItsEndWithGarbage) {
  write("stop.yaml",
        kPendulum +
            std::string("forces: {stop: {type: joint-stop, joint: hinge, lower: -0.5, upper: 0.5, stiffness: 1e7}}\n"));
  const Outcome outcome = run("run stop.yaml --json --step 1e-3 --duration 3");
  EXPECT_EQ(outcome.code, 1);
  EXPECT_NE(outcome.err.find("  verdict      FAILED: "), std::string::npos) << outcome.err;
  const json certificate = json::parse(outcome.out)["certificate"];
  EXPECT_TRUE(certificate["finished"]);
  EXPECT_EQ(certificate["verdict"], "failed");
  EXPECT_FALSE(certificate["doubts"].empty());
}

TEST_F(Program, WritesWhatIsAskedForAndNothingElse) {
  const Outcome outcome = run("run throw.yaml -q --csv t.csv --duration 0.5 --output-step 0.25");
  EXPECT_EQ(outcome.code, 0);
  EXPECT_EQ(outcome.err, "");
  EXPECT_EQ(files(), Names{"t.csv"});
  const std::string text = read("t.csv");
  EXPECT_EQ(text.substr(0, 32), "time [s],stone.position.x [m],st");
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 4);
}

TEST_F(Program, MakesAPageFromAResultFile) {
  ASSERT_EQ(run("run pendulum.yaml -q -o p.h5").code, 0);
  const Outcome outcome = run("view p.h5 -o p.html");
  if (!io::has_viewer()) {
    EXPECT_EQ(outcome.code, 3);
    EXPECT_NE(outcome.err.find("without its viewer"), std::string::npos);
    return;
  }
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_NE(read("p.html").find("\"name\":\"pendulum\",\"deflated\":\""), std::string::npos);
}

TEST_F(Program, RunsWithATolerance) {
  const Outcome outcome = run("run pendulum.yaml --rtol 1e-6 --integrator bdf --hmax 0.02 --json");
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_NE(outcome.err.find("ruled by"), std::string::npos) << outcome.err;
  const json certificate = json::parse(outcome.out)["certificate"];
  EXPECT_GE(certificate["steps"], 50);
  EXPECT_LE(certificate["largest_step"], 0.02);
  EXPECT_NE(certificate["ruling_error"].get<std::string>().find("of body 'rod'"), std::string::npos);
}

TEST_F(Program, KeepsTheResultsOfARunWhoseStepsBecomeTooSmall) {
  const Outcome outcome = run("run pendulum.yaml --integrator hht --rtol 1e-8 --hmin 5e-3");
  EXPECT_EQ(outcome.code, 1);
  EXPECT_NE(outcome.err.find("below hmin = 0.005 s; the position of body 'rod' rules"), std::string::npos)
      << outcome.err;
  EXPECT_NE(outcome.err.find("  verdict      FAILED"), std::string::npos) << outcome.err;
  EXPECT_EQ(json::parse(io::read_result_file(path("pendulum.h5")).certificate)["verdict"], "failed");
  EXPECT_GE(io::read_result_file(path("pendulum.h5")).table.time.size(), 1u);
}

TEST_F(Program, TakesUnitsInArguments) {
  write("length.yaml", "parameters: {L: 25 mm}\n"
                       "bodies: {stone: {mass: 1, inertia: [1, 1, 1], position: [L, 0, 0]}}\n"
                       "run: {duration: 1, step: 0.01}\ngravity: [0, 0, 0]\n");
  const json result = json::parse(run("run length.yaml --set 'L=1 in' --step '2 ms' --json --quiet").out);
  EXPECT_EQ(result["final"]["bodies"]["stone"]["position"][0], 0.0254);
  EXPECT_EQ(result["certificate"]["steps"], 500);
  EXPECT_EQ(run("run length.yaml --set L=3").err,
            "parameter 'L' set from outside: is a plain number where a length is expected; give a unit, as '3 m'\n");
  EXPECT_EQ(run("run length.yaml --step '2 mm'").err, "bricard: --step = 2 mm: is a length where a time is expected\n");
  EXPECT_EQ(run("run length.yaml --set 'L=2 mmm'").err,
            "bricard: --set L = 2 mmm: expected a number: unknown unit 'mmm'; did you mean 'mm'?\n");
}

TEST_F(Program, PrintsTheSchemaOfModelFiles) {
  const Outcome printed = run("schema");
  EXPECT_EQ(printed.code, 0);
  EXPECT_EQ(run("schema -o model.schema.json").code, 0);
  EXPECT_EQ(read("model.schema.json"), printed.out);
  const json schema = json::parse(printed.out);
  EXPECT_EQ(schema["$schema"], "http://json-schema.org/draft-07/schema#");
  EXPECT_EQ(schema["definitions"]["point_mass"]["required"], json({"mass", "at"}));
}

TEST_F(Program, KeepsAnEarlierFileWhenTheDiskIsFull) {
  write("t.h5", "old");
  const Outcome outcome = run("run throw.yaml -o t.h5", "trap '' XFSZ && ulimit -f 8 && ");
  EXPECT_EQ(outcome.code, 3) << outcome.err;
  EXPECT_NE(outcome.err.find("t.h5: cannot be written: File too large"), std::string::npos) << outcome.err;
  EXPECT_EQ(read("t.h5"), "old");
  EXPECT_EQ(files(), Names{"t.h5"});
}

TEST_F(Program, KeepsTheResultsOfARunThatDoesNotReachItsEnd) {
  std::string model = kPendulum;
  model += "motions:\n  drive: {joint: hinge, displacement: sqrt(0.5 - t)}\n";  // no value later
  write("pendulum.yaml", model);
  const Outcome outcome = run("run pendulum.yaml");
  EXPECT_EQ(outcome.code, 1);
  EXPECT_NE(outcome.err.find("stopped: t = 0."), std::string::npos) << outcome.err;
  const std::vector<double> time = io::read_result_file(path("pendulum.h5")).table.time;
  EXPECT_GT(time.back(), 0.4);
  EXPECT_LE(time.back(), 0.5);
}

/// Runs a model without end, but for the alarm, sends a signal once `begun` says so, and waits; the status of its end.
template <class Begun>
int stopped_by(int sent, const fs::path& folder, const Begun& begun) {
  const pid_t child = fork();
  if (child == 0) {
    signal(sent, SIG_DFL);
    alarm(60);
    if (chdir(folder.c_str()) != 0 || !freopen(".err", "w", stderr)) _exit(99);
    execl(BRICARD_EXECUTABLE, "bricard", "run", "pendulum.yaml", "--duration", "1e6", "--output-step", "0.01", nullptr);
    _exit(99);
  }
  using namespace std::chrono_literals;
  for (int i = 0; i < 600 && !begun(child); ++i) std::this_thread::sleep_for(50ms);
  std::this_thread::sleep_for(100ms);
  kill(child, sent);  // as `timeout` does: to the process, then to its group, which are one to it
  std::this_thread::sleep_for(1ms);
  kill(child, sent);
  int status = 0;
  waitpid(child, &status, 0);
  return status;
}

TEST_F(Program, KeepsTheResultsOfAnInterruptedRun) {
  for (const int sent : {SIGINT, SIGHUP}) {
    SCOPED_TRACE(sent);
    const int status = stopped_by(sent, folder_, [&](pid_t) {
      return fs::exists(path(".err")) && read(".err").find("1 body") != std::string::npos;
    });
    ASSERT_TRUE(WIFEXITED(status));
    EXPECT_EQ(WEXITSTATUS(status), 128 + sent);
    const io::ResultFile file = io::read_result_file(path("pendulum.h5"));
    EXPECT_GT(file.table.time.size(), 1u);
    EXPECT_NE(json::parse(file.certificate)["stopped_because"].dump().find("interrupted"), std::string::npos);
    EXPECT_EQ(files(), (Names{"pendulum.h5", "pendulum.h5.checkpoint"}));  // from which it can go on
    for (const char* name : {"pendulum.h5", "pendulum.h5.checkpoint", ".err"}) fs::remove(path(name));
  }
}

TEST_F(Program, LeavesWhatAKilledRunHasWrittenInAFileThatOpens) {
  std::string part;
  const int status = stopped_by(SIGKILL, folder_, [&](pid_t child) {
    part = path("pendulum.h5.part-" + std::to_string(child));
    return fs::exists(part) && fs::file_size(part) > (2 << 20);  // several times as much as is kept back
  });
  EXPECT_TRUE(WIFSIGNALED(status));
  const io::ResultFile file = io::read_result_file(part);
  ASSERT_GT(file.table.time.size(), 100u);
  for (size_t i = 0; i < file.table.time.size(); ++i) ASSERT_NEAR(file.table.time[i], 0.01 * i, 1e-9 * i);
  for (size_t c = 0; c < file.table.channels.size(); ++c)
    ASSERT_EQ(file.table.values[c].size(), file.table.time.size() * file.table.channels[c].columns.size());
  EXPECT_NE(file.certificate.find("was killed"), std::string::npos);
}

TEST_F(Program, FinishesWithoutAStderr) {
  write(".out", ""), write(".err", "");  // nothing is said
  EXPECT_EQ(run("run throw.yaml -o a.h5 2>&- #").code, 0);
  EXPECT_EQ(run("run throw.yaml -o b.h5 2>/dev/full #").code, 0);
  EXPECT_EQ(io::read_result_file(path("a.h5")).table.values, io::read_result_file(path("b.h5")).table.values);
}

TEST_F(Program, SaysHowLargeResultsWillBeBeforeItRuns) {
  const Outcome large = run_until("grep -q samples .err", "run throw.yaml --step 1e-7 --output-step 1e-9 -o large.h5");
  EXPECT_NE(large.err.find("results will take"), std::string::npos) << large.err;
  EXPECT_NE(large.err.find("1e+09 samples"), std::string::npos) << large.err;
}

TEST_F(Program, VerifiesAResultFileByRunningItAgain) {
  ASSERT_EQ(run("run throw.yaml --set speed=3 --step 0.02 --rtol 1e-5 --integrator radau -o run.h5").code, 0);
  write("throw.yaml", "the file is another one now");
  const Outcome same = run("verify run.h5");
  EXPECT_EQ(same.code, 0) << same.err;
  EXPECT_EQ(same.out, "run.h5: identical, 1001 samples\n");
  io::ResultFile file = io::read_result_file(path("run.h5"));
  file.table.values[0][300] *= 1 + 1e-15;  // x of the 100th sample
  io::write_result_file(file, path("run.h5"));
  const Outcome changed = run("verify run.h5");
  EXPECT_EQ(changed.code, 1);
  EXPECT_NE(changed.out.find("stone.position is 0."), std::string::npos) << changed.out;
  EXPECT_NE(changed.out.find("at t = 0.1 s"), std::string::npos) << changed.out;
}

TEST_F(Program, FindsItselfInGoodHealth) {
  const Outcome outcome = run("doctor");
  EXPECT_EQ(outcome.code, 0) << outcome.out;
  EXPECT_NE(outcome.out.find("self-test  good"), std::string::npos) << outcome.out;
}

TEST_F(Program, DocumentsItsExitCodesAndGivesExamples) {
  const Outcome help = run("--help");
  EXPECT_EQ(help.code, 0);
  EXPECT_NE(help.out.find("130  interrupted"), std::string::npos);
  for (const char* command : {"run", "kinematics", "static", "check", "compare", "view", "reproduce", "doctor"})
    EXPECT_NE(run(std::string(command) + " --help").out.find("Example"), std::string::npos);
}

}  // namespace cli_run_test
}  // namespace bricard
