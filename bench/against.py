#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Times of this state of the program over those of another one, as ratios in one run.

    bench/against.py COMMIT [chain double_four_bar] [--only REGEX] [--rounds 9]

Programs of bench/ are built from both states (in build/against/), run in turn, and the fastest times are compared. On a machine
that others use, both meet the same disturbances; `chrt -f 50` in front keeps most of them away.
"""
import argparse
import json
import pathlib
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[1]
COLUMN = "us per step"
MICROSECONDS = {"ns": 1e-3, "us": 1, "ms": 1e3, "s": 1e6}


def build(folder, commit, programs):
    """Paths of the programs, built from a commit, or from the files as they are."""
    source = ROOT
    if commit:
        source = folder / "source"
        if not source.exists():
            subprocess.run(["git", "clone", "--quiet", "--shared", ROOT, source], check=True)
        subprocess.run(["git", "-C", source, "checkout", "--quiet", commit], check=True)
    out = folder / "build"
    options = ["-DCMAKE_BUILD_TYPE=Release", "-DBRICARD_BENCH=ON", "-DBRICARD_TESTS=OFF", "-DBRICARD_VIEWER=OFF"]
    subprocess.run(["cmake", "-S", source, "-B", out, "-G", "Ninja", *options], check=True, stdout=subprocess.DEVNULL)
    targets = ["bench_" + name for name in programs]
    subprocess.run(["cmake", "--build", out, "--target", *targets, "--", "--quiet"], check=True)
    return [out / "bench" / name for name in programs]


def times(program, only):
    """Microseconds by name: of Google Benchmark's programs processor time, of others the table's column."""
    arguments = [program, "--benchmark_format=json", f"--benchmark_filter={only}"]
    text = subprocess.run(arguments, capture_output=True, text=True, check=True).stdout
    if text.startswith("{"):
        return {run["name"]: run["cpu_time"] * MICROSECONDS[run["time_unit"]] for run in json.loads(text)["benchmarks"]}
    titles, *lines = text.splitlines()
    end = titles.index(COLUMN) + len(COLUMN)
    # names may have spaces: they end where the second column's numbers begin
    return {" ".join(line[: titles.index("]") + 1].split()): float(line[:end].split()[-1]) for line in lines}


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("commit")
    p.add_argument("programs", nargs="*", default=["chain", "double_four_bar"])
    p.add_argument("--only", default=".*", help="regular expression of benchmarks, default all")
    p.add_argument("--rounds", type=int, default=9)
    o = p.parse_args()
    folder = ROOT / "build" / "against"
    before = build(folder / o.commit, o.commit, o.programs)
    after = build(folder / "now", None, o.programs)
    for old, new in zip(before, after):
        fastest = [{}, {}]
        for _ in range(o.rounds):
            for kept, program in zip(fastest, (old, new)):
                for line, time in times(program, o.only).items():
                    kept[line] = min(time, kept.get(line, time))
        print(f"\n{old.name:<40}{'before, us':>12}{'now, us':>12}{'ratio':>8}")
        for line, time in fastest[0].items():
            if line in fastest[1]:
                print(f"{line:<40}{time:>12.2f}{fastest[1][line]:>12.2f}{fastest[1][line] / time:>8.2f}")


if __name__ == "__main__":
    main()
