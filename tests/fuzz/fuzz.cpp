// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "bricard/analysis/check_model.h"
#include "bricard/analysis/run_model.h"
#include "bricard/assemble/assemble.h"
#include "bricard/read/model_reader.h"
#include "bricard/report/check_json.h"
#include "bricard/report/page_writer.h"
#include "bricard/write/files.h"
#include "bricard/write/json_writer.h"
#include "bricard/write/result_writer.h"
#include "fuzz/mutation.h"

// Changed inputs through all that reads them:
//     bricard_fuzz formulas|models FIRST COUNT FILES…     seeds FIRST to FIRST + COUNT − 1
//     bricard_fuzz print formulas|models SEED FILES…      the input of one seed
// Good is a result, or one of the errors that a person can get (ModelError, ExpressionError, FileError). Anything else is a finding: a
// signal, a report of a sanitizer, another exception, no memory, 2 s without an end, a run that calls itself good and has numbers
// that are none. Inputs are run in a child process, which is made anew after each finding.
namespace bricard::fuzz {
namespace {

namespace fs = std::filesystem;

constexpr size_t kMostBodies = 40, kMostText = 200'000;
constexpr int kSteps = 4;
#ifdef __SANITIZE_ADDRESS__
constexpr int kSeconds = 20;
#else
constexpr int kSeconds = 10;
constexpr rlim_t kMostMemory = rlim_t{4} << 30;
#endif

struct Shared {
  std::uint64_t seed = 0;
  long refused = 0, accepted = 0, ran = 0, findings = 0;
  char what[400] = {};
};

struct Finding : std::runtime_error {
  using std::runtime_error::runtime_error;
};

void try_formula(const std::string& text, Shared& shared) {
  static const std::map<std::string, double> constants{{"a", 2}, {"b", -0.5}};
  ExpressionScope scope;
  scope.constants = &constants;
  scope.time = true;
  scope.variables = {"x", "k.y"};
  const Expression formula = Expression::parse(text, scope);
  ++shared.accepted;
  std::vector<double> inputs(formula.inputs().size(), 0.3), slopes(inputs.size());
  const std::vector<TimeJet> jets(inputs.size(), TimeJet{0.3, 1, 0});
  for (const double t : {0.0, 0.7, -1e9}) {
    const double value = formula.value(t, inputs.data()), again = formula.gradient(t, inputs.data(), slopes.data());
    const TimeJet jet = formula.jet({t, 1, 0}, jets.data());
    const auto differ = [&](double x) {  // by more than another order of operations explains
      return std::isfinite(value) ? !(std::abs(x - value) <= 1e-9 * (1 + std::abs(value))) : std::isfinite(x);
    };
    if (differ(again)) throw Finding(fmt::format("value {} and that of the gradient {}", value, again));
    if (differ(jet.value)) throw Finding(fmt::format("value {} and that of the jet {}", value, jet.value));
  }
}

void expect_finite(const Results& results) {
  if (results.report.verdict() != Verdict::good) return;
  for (const Sample& sample : results.samples)
    if (!sample.state.q.allFinite() || !sample.state.v.allFinite() || !std::isfinite(sample.kinetic + sample.potential))
      throw Finding("a good run with numbers that are none");
}

void try_model(const std::string& text, Shared& shared) {
  if (text.size() > kMostText) return;
  Model model = io::read_model_text(text, "fuzz.yaml");
  ++shared.accepted;
  if (model.bodies.size() > kMostBodies) return;
  io::check_json(model, check_model(model));
  const System system = assemble(model);
  const StartState start = start_of(model, system, Analysis::dynamics);
  SimulationHooks hooks;
  int steps = 0;
  hooks.cancelled = [&] { return ++steps >= kSteps; };
  model.run.duration = std::min(model.run.duration, kSteps * model.run.step);
  const Results results = run(model, system, start, Analysis::dynamics, hooks);
  ++shared.ran;
  expect_finite(results);
  io::page_json(io::make_result_file(model, system, results));
}

std::vector<std::string> read_corpus(bool formulas, const std::vector<std::string>& names) {
  std::vector<std::string> corpus;
  for (const std::string& name : names) {
    const std::string text = io::read_file(name);
    if (!formulas) {
      corpus.push_back(text);
      continue;
    }
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) corpus.push_back(line);
  }
  return corpus;
}

std::string input_of(bool formulas, std::uint64_t seed, const std::vector<std::string>& corpus) {
  Mutation mutation(seed);
  return formulas ? mutation.of_formula(corpus) : mutation.of_model(corpus);
}

void set_clock(int seconds) {
  const itimerval time{{0, 0}, {seconds, 0}};
  ::setitimer(ITIMER_VIRTUAL, &time, nullptr);
}

/// All seeds of `shared` to `end`; a finding ends the process with code 1.
void work(bool formulas, std::uint64_t end, const std::vector<std::string>& corpus, Shared& shared) {
#ifndef __SANITIZE_ADDRESS__
  const rlimit memory{kMostMemory, kMostMemory};
  ::setrlimit(RLIMIT_AS, &memory);
#endif
  for (; shared.seed < end; ++shared.seed) {
    const std::string text = input_of(formulas, shared.seed, corpus);
    set_clock(kSeconds);
    try {
      formulas ? try_formula(text, shared) : try_model(text, shared);
    } catch (const ModelError&) {
      ++shared.refused;
    } catch (const ExpressionError&) {
      ++shared.refused;
    } catch (const io::FileError&) {
      ++shared.refused;
    } catch (const std::exception& error) {
      std::snprintf(shared.what, sizeof shared.what, "%s", error.what());
      ::_exit(1);
    }
  }
  ::_exit(0);
}

std::string death(int status, const Shared& shared) {
  if (WIFEXITED(status) && WEXITSTATUS(status) == 1) return fmt::format("{}", shared.what);
  if (WIFSIGNALED(status) && WTERMSIG(status) == SIGVTALRM) return fmt::format("more than {} s", kSeconds);
  return WIFSIGNALED(status) ? fmt::format("signal {}", WTERMSIG(status))
                             : fmt::format("exit code {}", WEXITSTATUS(status));
}

int fuzz(bool formulas, std::uint64_t first, std::uint64_t count, const std::vector<std::string>& corpus) {
  void* memory = ::mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return 3;
  Shared& shared = *new (memory) Shared;
  for (shared.seed = first; shared.seed < first + count;) {
    const pid_t child = ::fork();
    if (child < 0) return 3;
    if (child == 0) work(formulas, first + count, corpus, shared);
    int status = 0;
    ::waitpid(child, &status, 0);
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0) break;
    ++shared.findings;
    fmt::print("seed {}: {}\n", shared.seed, death(status, shared));
    std::fflush(stdout);
    ++shared.seed;
  }
  fmt::print("{} inputs: {} refused, {} read, {} run, {} findings\n", count, shared.refused, shared.accepted,
             shared.ran, shared.findings);
  return shared.findings ? 1 : 0;
}

int main(std::vector<std::string> words) {
  const bool prints = !words.empty() && words[0] == "print";
  if (prints) words.erase(words.begin());
  const size_t files = prints ? 2 : 3;
  if (words.size() <= files || (words[0] != "formulas" && words[0] != "models")) {
    fmt::print(stderr, "bricard_fuzz formulas|models FIRST COUNT FILES…\n"
                       "bricard_fuzz print formulas|models SEED FILES…\n");
    return 2;
  }
  const bool formulas = words[0] == "formulas";
  const std::uint64_t first = std::stoull(words[1]);
  const auto corpus = read_corpus(formulas, {words.begin() + static_cast<std::ptrdiff_t>(files), words.end()});
  if (!prints) return fuzz(formulas, first, std::stoull(words[2]), corpus);
  fmt::print("{}", input_of(formulas, first, corpus));
  return 0;
}

}  // namespace
}  // namespace bricard::fuzz

int main(int argc, char** argv) { return bricard::fuzz::main({argv + 1, argv + argc}); }
