#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Every model by every integrator, at the step that `check` suggests and with three tolerances, against a witness.

    tests/matrix/matrix.py                                  all of it, some hours on two cores
    tests/matrix/matrix.py --small                          what `make test` runs
    tests/matrix/matrix.py --models pendulum,bricard --integrators hht,radau
    tests/matrix/matrix.py --table docs/reliability.md      writes the table between the marks of that page

A run that is taken for good (exit code 0, and certificate.verdict "good" where there is one) and is farther from the witness
than its tolerance allows is WRONG; one WRONG makes the exit code 1. docs/reliability.md says what is compared with what.
"""
import argparse
import concurrent.futures
import json
import math
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import threading
import time
from dataclasses import dataclass, field

SOURCE = pathlib.Path(__file__).resolve().parents[2]

FIXED_STEP_ONLY = ["midpoint", "rk4", "energy-decaying", "penalty-euler", "al-euler", "ah-euler", "penalty", "al", "ah", "alnr",
                   "ahnr", "ali3"]
WITH_TOLERANCE = ["hht", "newmark", "generalized-alpha", "nstiff", "bdf", "radau", "radau-1", "nstiff-si2", "hht-add", "hht-si2",
                  "dopri"]
INTEGRATORS = WITH_TOLERANCE + FIXED_STEP_ONLY
NATURAL_ONLY = ["ah-euler", "ah", "ahnr"]
TOLERANCES = [1e-3, 1e-5, 1e-7]
SMALL_MODELS = ["pendulum", "four_bar", "slider_crank_004", "bricard", "heavy_top", "rolling_disc", "knife_edge_sled"]
SMALL_INTEGRATORS = ["hht", "generalized-alpha", "bdf", "radau", "hht-si2", "dopri", "midpoint", "energy-decaying", "ali3"]

# Global errors grow from the local ones that a tolerance rules: by the number of steps, and by what the motion itself does
# with errors. The latter is measured: a change of gravity (or of masses) by NUDGE moves the end by `growth` times that, relative to
# the motion.
# Angles are relative to the turns made: what spins for long may be late by its tolerance in each turn.
# Horizons are short enough that it does not exceed AMPLIFICATION; methods may be FACTOR times growth times their tolerance off.
NUDGE, AMPLIFICATION, FACTOR = 1e-6, 30, 200
# A suggested step is meant for errors of about 1 % in a period: after 40 steps, two of the fastest periods, a tenth of the
# motion; over the whole horizon a tenth of the energy that is turned over.
STEPS_LOOKED_AT, FIXED_STEP_ERROR, ENERGY_ERROR = 40, 0.1, 0.1
LOOKS = 12  # times at which two witnesses are compared, each two thirds of the one after it


@dataclass
class Outcome:
    code: int                      # exit code; -1: out of time
    data: dict = field(default_factory=dict)
    message: str = ""
    seconds: float = 0.0

    @property
    def verdict(self):
        if self.code != 0:
            return "failed"
        return self.data["certificate"].get("verdict", "good")


def run(program, model, options, limit):
    """One run of the program, its JSON read; `limit` is in seconds of processor time, so that other loads do not count."""
    command = ["sh", "-c", 'ulimit -t "$0" && exec "$@"', str(math.ceil(limit)), program, "run", str(model), "--json", "-q", *options]
    began = time.monotonic()
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=20 * limit)
    except subprocess.TimeoutExpired:
        return Outcome(-1, message=f"longer than {20 * limit:g} s", seconds=20 * limit)
    seconds = time.monotonic() - began
    if -done.returncode in (signal.SIGXCPU, signal.SIGKILL):
        return Outcome(-1, message=f"more than {limit:g} s of processor time", seconds=seconds)
    try:
        data = json.loads(done.stdout) if done.stdout.strip() else {}
    except json.JSONDecodeError:
        data = {}
    code = done.returncode if done.returncode >= 0 and (data or done.returncode) else 1
    return Outcome(code, data, done.stderr.strip().split("\n")[-1], seconds)


def states(outcome):
    """What is stored, by time."""
    found = {s["time"]: s for s in outcome.data.get("samples", []) if s}
    if "final" in outcome.data and outcome.code == 0:
        found[outcome.data["final"]["time"]] = outcome.data["final"]
    return found


def state_at(outcome, t):
    found = states(outcome)
    near = min(found, key=lambda x: abs(x - t), default=None)
    return found[near] if near is not None and abs(near - t) <= 1e-9 * max(t, 1e-3) else None


def distance(a, b, length, turns=None):
    """Largest difference of positions per length and of orientations in rad, divided by the turns of that body."""
    worst = 0.0
    for name, x in a["bodies"].items():
        y = b["bodies"][name]
        values = x["position"] + y["position"] + x["quaternion_wxyz"] + y["quaternion_wxyz"]
        if any(v is None or not math.isfinite(v) for v in values):
            return math.inf
        worst = max(worst, math.dist(x["position"], y["position"]) / length)
        p, q = x["quaternion_wxyz"], y["quaternion_wxyz"]
        chord = min(math.dist(p, q), math.dist(p, [-v for v in q]))
        worst = max(worst, 4 * math.asin(min(1.0, chord / 2)) / (turns[name] if turns else 1))
    return worst


def total_energy(state):
    return state["signals"]["energy.total"]


@dataclass
class Witness:
    horizon: float = 0.0
    fixed_horizon: float = 0.0
    outcome: Outcome = None
    name: str = ""
    disagreement: float = math.inf
    growth: float = 1.0      # of small errors until the horizon
    length: float = 1.0
    amplitude: float = 1.0   # of the motion until fixed_horizon, as `distance` counts
    turned_over: float = 0.0  # energy: largest kinetic or change of the total one
    turns: dict = field(default_factory=dict)  # of each body until the horizon, at least one
    step: float = 0.0
    why: str = ""


WITNESSES = [  # label, options; the first two that agree are taken
    ("radau 1e-10", ["--integrator", "radau", "--rtol", "1e-10"]),
    ("dopri 1e-10", ["--integrator", "dopri", "--rtol", "1e-10"]),
    ("natural radau 1e-10", ["--integrator", "radau", "--rtol", "1e-10", "--coordinates", "natural"]),
    ("natural dopri 1e-10", ["--integrator", "dopri", "--rtol", "1e-10", "--coordinates", "natural"]),
    ("bdf 1e-10", ["--integrator", "bdf", "--rtol", "1e-10"]),
    ("hht-si2 1e-9", ["--integrator", "hht-si2", "--rtol", "1e-9"]),
]


class Matrix:
    def __init__(self, options):
        self.o = options
        self.rows = json.loads(options.rows.read_text()) if options.rows and options.rows.exists() else []
        self.lock = threading.Lock()
        self.done = self.total = 0

    # -- what a model is compared with

    def times(self, duration):
        return sorted({duration * (2 / 3) ** i for i in range(LOOKS)})

    def suggested_step(self, model):
        done = subprocess.run([self.o.program, "check", str(model), "--json"], capture_output=True, text=True, timeout=120)
        try:
            return json.loads(done.stdout)["time_scales"]["suggested_step"]
        except (json.JSONDecodeError, KeyError):
            return 0.0

    def usual_settings(self, model):
        """Duration and mean step of a run as the model file has it."""
        usual = run(self.o.program, model, [], self.o.witness_limit)
        certificate = usual.data.get("certificate", {})
        end = certificate.get("end_time") or 1.0
        return end, end / max(1, certificate.get("steps", 1000))

    def start_of(self, model):
        """The state after next to no time, whatever its verdict; None if the model does not start."""
        probe = run(self.o.program, model, ["--duration", "1e-9", "--step", "1e-9", "--integrator", "hht"], self.o.limit)
        return probe.data.get("final")

    def witness(self, model):
        w = Witness()
        duration, step = self.usual_settings(model)
        w.step = self.suggested_step(model) or step
        start = self.start_of(model)
        if start is None:
            w.why = "does not start"
            return w
        while duration > 0 and not self.find_pair(w, model, duration, start):
            duration /= 8
            if duration < 20 * w.step:
                w.why = w.why or "no two witnesses agree"
                break
        return w

    def nudged(self, model, options):
        """A run with slightly more gravity, or slightly heavier bodies if there is none."""
        with tempfile.TemporaryDirectory() as folder:
            copy = nudged_copy(model, pathlib.Path(folder))
            return run(self.o.program, copy, options, self.o.witness_limit)

    def find_pair(self, w, model, duration, start):
        """The longest time over which two different witnesses agree and errors do not grow much; true if there is one."""
        times = self.times(duration)
        at = ["--duration", repr(duration), "--at", ",".join(map(repr, times[:-1]))]
        reports = []
        for label, options in WITNESSES:
            outcome = run(self.o.program, model, options + at, self.o.witness_limit)
            if outcome.code == 2 or not states(outcome):
                continue
            moved = [distance_moved(s, start) for s in states(outcome).values()]
            w.length = max([size_of(start)] + [m for m in moved if math.isfinite(m)])
            for other_label, other in reports:
                pairs = [(t, state_at(outcome, t), state_at(other, t)) for t in times if t > w.horizon]
                agreed = [(t, distance(a, b, w.length)) for t, a, b in pairs if a and b and distance(a, b, w.length) < 1e-7]
                nudged = self.nudged(model, dict(WITNESSES)[other_label] + at) if agreed else None
                for t, apart in reversed(agreed):
                    c = state_at(nudged, t) if nudged else None
                    growth = distance(c, state_at(other, t), w.length) / NUDGE if c else 1.0
                    if growth > AMPLIFICATION:
                        continue
                    w.horizon, w.disagreement, w.name = t, apart, f"{other_label} and {label}"
                    w.growth = max(1.0, growth)
                    break
            reports.append((label, outcome))
            if w.horizon >= 0.6 * duration:
                break
        if not w.horizon:
            return False
        self.complete(w, model, start)
        return True

    def complete(self, w, model, start):
        """The witness once more, at the times that are looked at."""
        label = w.name.split(" and ")[0]
        options = dict(WITNESSES)[label]
        w.fixed_horizon = min(w.horizon, STEPS_LOOKED_AT * w.step)
        within = [w.fixed_horizon * i / 10 for i in range(1, 11)] + [w.horizon * i / 10 for i in range(1, 10)]
        w.outcome = run(self.o.program, model, options + ["--duration", repr(w.horizon), "--at", ",".join(repr(t) for t in sorted(set(within)))],
                        self.o.witness_limit)
        seen = states(w.outcome)
        w.amplitude = max([distance(s, start, w.length) for t, s in seen.items() if t <= 1.000001 * w.fixed_horizon], default=0)
        speeds = {name: [math.hypot(*s["bodies"][name]["angular_velocity"]) for s in seen.values()] for name in start["bodies"]}
        w.turns = {name: max(1, sum(v) / len(v) * w.horizon / (2 * math.pi)) for name, v in speeds.items()}
        w.turned_over = max([s["signals"]["energy.kinetic"] for s in seen.values()] +
                            [abs(total_energy(s) - total_energy(start)) for s in seen.values()], default=0)

    # -- runs

    def options_of(self, integrator, tolerance, w):
        options = ["--integrator", integrator, "--duration", repr(w.horizon)]
        if integrator in NATURAL_ONLY:
            options += ["--coordinates", "natural"]
        if tolerance is None:
            return options + ["--step", repr(min(w.step, w.horizon)), "--at", repr(w.fixed_horizon)]
        return options + ["--rtol", repr(tolerance)]

    def judge(self, model, integrator, tolerance, w):
        outcome = run(self.o.program, model, self.options_of(integrator, tolerance, w), self.o.limit)
        row = {"model": model.stem, "integrator": integrator, "setting": "step" if tolerance is None else f"{tolerance:.0e}",
               "seconds": outcome.seconds, "verdict": outcome.verdict, "error": None, "note": outcome.message}
        if outcome.code == -1:
            row["class"] = "slow"
        elif outcome.code == 2:
            row["class"] = "refused"
        elif outcome.code != 0:
            row["class"] = "failed"
        else:
            row["error"], row["note"] = self.error(outcome, tolerance, w)
            within = row["error"] <= 1
            row["class"] = "good" if within else "WRONG"
            if outcome.verdict != "good":
                row["class"] = outcome.verdict  # what it is worth stands in `error`
        return row

    def error(self, outcome, tolerance, w):
        """Relative to what is allowed, and in words."""
        end, exact = state_at(outcome, w.horizon), state_at(w.outcome, w.horizon)
        if end is None:
            return math.inf, "no final state"
        if tolerance is not None:
            off = distance(end, exact, w.length, w.turns)
            return off / (FACTOR * w.growth * tolerance + 2 * w.disagreement), f"off by {off:.2g}, {off / tolerance:.2g} times the tolerance"
        early, there = state_at(outcome, w.fixed_horizon), state_at(w.outcome, w.fixed_horizon)
        off = distance(early, there, w.length) if early else math.inf
        reached = total_energy(end)
        energy = abs(reached - total_energy(exact)) if reached is not None and math.isfinite(reached) else math.inf
        allowed = FIXED_STEP_ERROR * w.amplitude + 1e-3, ENERGY_ERROR * w.turned_over + 1e-6 * abs(total_energy(exact))
        return (max(off / allowed[0], energy / max(allowed[1], 1e-12)),
                f"off by {off:.2g} of {w.amplitude:.2g}, energy by {energy:.2g} J of {w.turned_over:.2g}")

    def one_model(self, model):
        w = self.witness(model)
        note = (f"{w.name} agree to {w.disagreement:.1e} until {w.horizon:.4g} s; errors grow {w.growth:.2g}-fold; step {w.step:.3g} s"
                if w.horizon else w.why)
        rows = [{"model": model.stem, "integrator": "", "setting": "", "class": "witness" if w.horizon else "no witness", "error": None,
                 "seconds": 0, "verdict": "", "note": note}]
        for integrator in self.o.integrators if w.horizon else []:
            for tolerance in self.o.settings:
                if tolerance is not None and integrator in FIXED_STEP_ONLY:
                    continue
                rows.append(self.judge(model, integrator, tolerance, w))
                self.progress(model)
        with self.lock:
            self.rows += rows
            if self.o.rows:
                self.o.rows.write_text(json.dumps(self.rows, indent=1))

    def progress(self, model):
        self.done += 1
        if sys.stderr.isatty():
            wrong = sum(r["class"] == "WRONG" for r in self.rows)
            print(f"\r{self.done} of {self.total} runs, {wrong} WRONG; {model.stem:30}", end="", file=sys.stderr, flush=True)

    def all_models(self):
        per_model = sum(1 for i in self.o.integrators for t in self.o.settings if t is None or i in WITH_TOLERANCE)
        known = {r["model"] for r in self.rows}
        models = [m for m in self.o.models if m.stem not in known]
        self.total = per_model * len(models)
        with concurrent.futures.ThreadPoolExecutor(self.o.jobs) as pool:
            for finished in concurrent.futures.as_completed([pool.submit(self.one_model, m) for m in models]):
                finished.result()
        if sys.stderr.isatty():
            print(file=sys.stderr)


def nudged_copy(model, folder, included=False):
    """A copy of the model, and of what it includes, with gravity or, if there is none, masses changed by NUDGE; its path."""
    text = model.read_text()
    found = re.search(r"^gravity: *\[(.*?)\]", text, re.M)
    include = re.search(r"^include: *(\S+)", text, re.M)
    if found and any(v.strip() not in ("0", "0.0") for v in found.group(1).split(",")):
        line = ", ".join(f"({v.strip()})*(1 + {NUDGE})" for v in found.group(1).split(","))
        text = text[:found.start(1)] + line + text[found.end(1):]
    elif found or included:
        text = re.sub(r"\bmass: *([^,}\n#]*[^,}\n#\s])", rf"mass: (\1)*(1 + {NUDGE})", text)
    elif not include:
        text += f"\ngravity: [0, 0, -9.81*(1 + {NUDGE})]\n"
    if include:
        other = nudged_copy(model.parent / include.group(1), folder, True)
        text = text.replace(include.group(0), f"include: {other.name}")
    copy = folder / model.name
    copy.write_text(text)
    return copy


def distance_moved(state, start):
    return max(math.dist(b["position"], start["bodies"][name]["position"]) for name, b in state["bodies"].items())


def size_of(state):
    """The largest distance of two bodies or of a body from the origin; at least 1 mm."""
    places = [b["position"] for b in state["bodies"].values()] + [[0, 0, 0]]
    return max(1e-3, max(math.dist(p, q) for p in places for q in places))


CLASSES = ["good", "doubtful", "failed", "slow", "refused", "WRONG"]


def table(rows):
    """Markdown: counts by integrator and setting, then all that is WRONG and the worst of what is good."""
    runs = [r for r in rows if r["integrator"]]
    settings = [s for s in ["step", "1e-03", "1e-05", "1e-07"] if any(r["setting"] == s for r in runs)]
    lines = ["| integrator | " + " | ".join("suggested step" if s == "step" else f"rtol {float(s):.0e}" for s in settings) + " | worst that is good |",
             "|---|" + "---|" * (len(settings) + 1)]
    for integrator in INTEGRATORS:
        mine = [r for r in runs if r["integrator"] == integrator]
        if not mine:
            continue
        cells = []
        for s in settings:
            counts = [(c, sum(r["class"] == c for r in mine if r["setting"] == s)) for c in CLASSES]
            cells.append(", ".join(f"**{n} {c}**" if c == "WRONG" else f"{n} {c}" for c, n in counts if n) or "–")
        good = [r["error"] for r in mine if r["class"] == "good"]
        lines.append(f"| {integrator} | " + " | ".join(cells) + f" | {max(good):.2g} |" if good else f"| {integrator} | " + " | ".join(cells) + " | – |")
    wrong = [r for r in runs if r["class"] == "WRONG"]
    lines += ["", f"{len(runs)} runs of {len({r['model'] for r in runs})} models: " +
              ", ".join(f"{sum(r['class'] == c for r in runs)} {c}" for c in CLASSES) + ".", ""]
    if wrong:
        lines += ["| WRONG | integrator | setting | by how many times the bound | |", "|---|---|---|---|---|"]
        lines += [f"| {r['model']} | {r['integrator']} | {r['setting']} | {r['error']:.3g} | {r['note']} |"
                  for r in sorted(wrong, key=lambda r: -r["error"])]
    lines += ["", "| model | witness |", "|---|---|"]
    lines += [f"| {r['model']} | {r['note']} |" for r in sorted(rows, key=lambda r: r["model"]) if not r["integrator"]]
    return "\n".join(lines) + "\n"


BEGIN, END = "<!-- matrix: written by tests/matrix/matrix.py -->", "<!-- end of matrix -->"


def write_table(page, text):
    before, _, rest = page.read_text().partition(BEGIN)
    _, _, after = rest.partition(END)
    page.write_text(before + BEGIN + "\n" + text + END + after)


def parse_arguments():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--program", default=str(SOURCE / "build" / "bricard"))
    p.add_argument("--models", help="names, separated by commas; default all")
    p.add_argument("--integrators", help="names, separated by commas; default all")
    p.add_argument("--settings", default="step,1e-3,1e-5,1e-7", help="step and tolerances; default %(default)s")
    p.add_argument("--small", action="store_true", help="seven quick models, nine integrators, suggested step and rtol 1e-5")
    p.add_argument("--jobs", type=int, default=2)
    p.add_argument("--limit", type=float, default=10, help="seconds of processor time per run")
    p.add_argument("--witness-limit", type=float, default=20)
    p.add_argument("--table", type=pathlib.Path, help="page whose table is to be written")
    p.add_argument("--rows", type=pathlib.Path, help="file that keeps all rows as JSON; models in it are not run again")
    o = p.parse_args()
    names = o.models.split(",") if o.models else SMALL_MODELS if o.small else None
    files = sorted((SOURCE / "models").glob("*.yaml")) + sorted((SOURCE / "models").glob("adams/*.yaml"))
    o.models = [f for f in files if names is None or f.stem in names]
    o.integrators = o.integrators.split(",") if o.integrators else SMALL_INTEGRATORS if o.small else INTEGRATORS
    settings = "step,1e-5" if o.small else o.settings
    if o.small:
        o.limit, o.witness_limit = 1, 2
    o.settings = [None if s == "step" else float(s) for s in settings.split(",")]
    return o


def main():
    options = parse_arguments()
    matrix = Matrix(options)
    matrix.all_models()
    text = table(matrix.rows)
    print(text)
    if options.table:
        write_table(options.table, text)
    return 1 if any(r["class"] == "WRONG" for r in matrix.rows) else 0


if __name__ == "__main__":
    sys.exit(main())
