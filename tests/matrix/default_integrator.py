#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Which method should be the default: verdict and cost of three candidates on every model in models/, at the step that
`check` suggests (that of the file if it suggests none).

    tests/matrix/default_integrator.py                 # a table for docs/reliability.md, some minutes
"""
import argparse
import json
import pathlib
import subprocess
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
CANDIDATES = [("hht", ["--integrator", "hht"]),
              ("hht, projection: full", ["--integrator", "hht", "--projection", "full"]),
              ("hht-si2", ["--integrator", "hht-si2"])]
REPETITIONS = 3  # the shortest time counts: other work on the machine makes none shorter


def command(program, *arguments):
    done = subprocess.run([program, *map(str, arguments)], capture_output=True, text=True)
    return json.loads(done.stdout) if done.stdout.startswith("{") else None


def run(program, model, step, arguments, folder):
    """The certificate of the quickest of some runs; None if it is refused."""
    best = None
    for _ in range(REPETITIONS):
        done = command(program, "run", model, *arguments, *(["--step", step] if step else []), "--json", "-q",
                       "-o", folder / "run.h5")
        if not done:
            return None
        c = done["certificate"]
        if not best or c["seconds"]["stepping"] < best["seconds"]["stepping"]:
            best = c
    return best


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--program", default=ROOT / "build" / "bricard")
    p.add_argument("models", nargs="*", type=pathlib.Path, default=sorted((ROOT / "models").glob("*.yaml")))
    options = p.parse_args()
    print("| model | step, s | " + " | ".join(f"{name}: verdict, steps, ms" for name, _ in CANDIDATES) + " |")
    print("|---" * (2 + len(CANDIDATES)) + "|")
    verdicts = [{"good": 0, "doubtful": 0, "failed": 0, "refused": 0} for _ in CANDIDATES]
    ratios = [[] for _ in CANDIDATES]
    with tempfile.TemporaryDirectory() as folder:
        for model in options.models:
            check = command(options.program, "check", model, "--json")
            step = check["time_scales"]["suggested_step"] if check else 0
            cells, times = [], []
            for i, (_, arguments) in enumerate(CANDIDATES):
                c = run(options.program, model, step, arguments, pathlib.Path(folder))
                verdicts[i][c["verdict"] if c else "refused"] += 1
                times.append(c["seconds"]["stepping"] if c and c["finished"] else None)
                cells.append(f"{c['verdict']}, {c['steps']}, {1e3 * c['seconds']['stepping']:.3g}" if c else "refused")
            for i, t in enumerate(times):
                if t and times[0]:
                    ratios[i].append(t / times[0])
            print(f"| {model.stem} | {step or 'file'} | " + " | ".join(cells) + " |", flush=True)
    for (name, _), v, r in zip(CANDIDATES, verdicts, ratios):
        r.sort()
        print(f"{name}: {v}; time per hht: median {r[len(r) // 2]:.2f}, from {r[0]:.2f} to {r[-1]:.2f}" if r else name)


if __name__ == "__main__":
    main()
