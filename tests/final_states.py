# SPDX-License-Identifier: Apache-2.0
"""Final states of all models, to compare two builds of the program.

    final_states.py run <bricard> <folder> [<option of bricard run> ...]   one CSV file per run
    final_states.py compare <folder before> <folder after>            largest difference per model

All files of models/ are run with their own settings, changed by options (--duration 0.3), and again in natural coordinates
where these are accepted. A difference is that of a channel at the end of the run, relative to the largest value that any
channel of its kind (position, velocity, reaction force, …) has in the run, or to 1e-3 in SI units: some models stay at rest
for a while. Channels that only the second has are not compared, those that it lost are named. Violations of constraints are
left out: they are round-off, or the tolerance of an iteration.
"""
import csv
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent


def run(program, folder, options):
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    for model in sorted((ROOT / "models").glob("*.yaml")):
        for coordinates in ["bodies", "natural"]:
            out = folder / f"{model.stem}.{coordinates}.csv"
            arguments = [program, "run", str(model), "--quiet", "--csv", str(out), *options]
            if coordinates == "natural":
                arguments += ["--coordinates", "natural"]
            try:
                done = subprocess.run(arguments, capture_output=True, text=True, timeout=300, check=False)
            except subprocess.TimeoutExpired:
                print(f"{out.stem}: longer than 300 s")
                continue
            if done.returncode:
                message = done.stderr.strip().splitlines()
                out.with_suffix(".txt").write_text(f"{done.returncode}: {message[-1] if message else ''}\n")


def table(file):
    """Columns by name, each as a list of numbers over time."""
    with open(file, newline="", encoding="utf-8") as lines:
        rows = [row for row in csv.reader(lines) if row and not row[0].startswith("#")]
    names = rows[0]
    values = [[float(x) for x in row] for row in rows[1:] if len(row) == len(names)]
    return {name: [row[i] for row in values] for i, name in enumerate(names)}


def kind(name):
    """The unit, and of vectors the quantity; the owner does not matter."""
    words, unit = name.rsplit(" ", 1)
    parts = words.split(".")
    return unit if len(parts) < 3 else f"{parts[-2]} {unit}"


def difference(before, after):
    """Largest relative difference at the end, and its channel."""
    a, b = table(before), table(after)
    if not set(a) <= set(b):
        return float("inf"), "channels lost: " + ", ".join(sorted(set(a) - set(b))[:3])
    shown = {name: values for name, values in a.items() if not name.startswith("constraint.")}
    largest = {}
    for name, values in shown.items():
        largest[kind(name)] = max([largest.get(kind(name), 1e-3)] + [abs(x) for x in values if x == x])
    worst = (0.0, "")
    for name, values in shown.items():
        size, change = largest[kind(name)], abs(values[-1] - b[name][-1])
        if not change / size <= worst[0]:
            worst = (change / size, name)
    return worst


def compare(before, after):
    before, after = pathlib.Path(before), pathlib.Path(after)
    names = sorted({f.stem for f in before.glob("*")} | {f.stem for f in after.glob("*")})
    for name in names:
        told = [(folder / f"{name}.txt") for folder in (before, after)]
        files = [(folder / f"{name}.csv") for folder in (before, after)]
        if all(f.exists() for f in files):
            size, channel = difference(*files)
            print(f"{name:50} {size:10.2e}  {channel}")
        else:
            texts = [t.read_text().strip()[:60] if t.exists() else "runs" if f.exists() else "not run"
                     for t, f in zip(told, files)]
            print(f"{name:50} {texts[0]} | {texts[1]}")


if __name__ == "__main__":
    if len(sys.argv) >= 4 and sys.argv[1] == "run":
        run(sys.argv[2], sys.argv[3], sys.argv[4:])
    elif len(sys.argv) == 4 and sys.argv[1] == "compare":
        compare(sys.argv[2], sys.argv[3])
    else:
        sys.exit(__doc__)
