# SPDX-License-Identifier: Apache-2.0
"""Time per step: driven from Python, one step at a time, against a run in C++.

    PYTHONPATH=build/python python3 python/bench/step_overhead.py
"""
import pathlib
import statistics
import time

import bricard

MODELS = pathlib.Path(__file__).resolve().parents[2] / "models"
STEPS, REPEATS = 5000, 7


def in_cpp(model):
    seconds = model.run(duration=STEPS * 1e-3, step=1e-3).certificate["seconds"]
    return (seconds["stepping"] + seconds["output"]) / STEPS


def in_python(model, signal=None):
    simulation = model.simulation(duration=STEPS * 1e-3, step=1e-3)
    begin = time.perf_counter()
    while simulation.step():
        if signal:
            simulation[signal]
    return (time.perf_counter() - begin) / STEPS


def median(function, *arguments):
    return statistics.median(function(*arguments) for _ in range(REPEATS)) * 1e6


print(f"{'model':20}{'C++ run':>12}{'step()':>12}{'ratio':>8}{'and a signal':>16}{'ratio':>8}")
for name, signal in [("pendulum", "bob.x"), ("double_pendulum", "elbow.angle"), ("four_bar", "D.angle")]:
    model = bricard.load(MODELS / f"{name}.yaml")
    cpp, stepped, read = median(in_cpp, model), median(in_python, model), median(in_python, model, signal)
    print(f"{name:20}{cpp:9.2f} µs{stepped:9.2f} µs{stepped / cpp:8.2f}{read:13.2f} µs{read / cpp:8.2f}")
