#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Where the time of `bricard run` goes: a table of its phases for ten models.

    phases.py <bricard> [<repetitions>]

Each run is repeated and the fastest one is shown, as other programs only add time. Parts are of everything from reading the
model on; "recorded" is output and write over stepping, and "watch" that for singular positions over the whole run.
"""
import pathlib
import re
import subprocess
import sys
import tempfile

MODELS = pathlib.Path(__file__).resolve().parent.parent / "models"
RUNS = [
    ("double_four_bar", ""),
    ("double_four_bar", "--integrator bdf --rtol 1e-4"),
    ("double_four_bar", "--integrator ali3"),
    ("flyball_governor", ""),
    ("flyball_governor", "--integrator bdf --rtol 1e-4"),
    ("jansen_walker", ""),
    ("jansen_walker", "--integrator radau --rtol 1e-4"),
    ("bricard", "--integrator bdf --rtol 1e-4"),
    ("andrews", ""),
    ("andrews", "--integrator radau --rtol 1e-6"),
    ("slider_crank_004", "--integrator bdf --rtol 1e-6"),
    ("stewart_platform", ""),
    ("v_twin_engine", ""),
    ("excavator", ""),
    ("chain", "--set N=100 --duration 1"),
]
PHASES = ["read", "assemble", "start", "prepare", "stepping", "watch", "output", "write"]
UNITS = {"µs": 1e-3, "ms": 1, "s": 1e3}


def phases(program, model, options, folder):
    """Milliseconds by phase."""
    command = [program, "run", str(MODELS / f"{model}.yaml"), *options.split(), "-o", str(pathlib.Path(folder) / "run.h5")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    line = next((x for x in done.stderr.splitlines() if x.startswith("  time ")), None)
    if line is None:
        raise SystemExit(f"{' '.join(command)}:\n{done.stderr}")
    return {name: float(value) * UNITS[unit] for name, value, unit in re.findall(r"(\w+) ([\d.e+-]+) (µs|ms|s)\b", line)}


def main(program, repetitions):
    print("| model | " + " | ".join(PHASES) + " | ms | stepping | watch | recorded |")
    print("|---" * (len(PHASES) + 5) + "|")
    with tempfile.TemporaryDirectory() as folder:
        for model, options in RUNS:
            runs = [phases(program, model, options, folder) for _ in range(repetitions)]
            best = {name: min(run.get(name, 0) for run in runs) for name in PHASES}
            total = sum(best.values())
            recorded = (best["output"] + best["write"]) / best["stepping"]
            print(f"| {model} {options} | " + " | ".join(f"{best[name]:.3g}" for name in PHASES)
                  + f" | {total:.3g} | {best['stepping'] / total:.0%} | {best['watch'] / total:.1%} | {recorded:.0%} |")


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 5)
