# SPDX-License-Identifier: Apache-2.0
"""Processor time per step: driven from Python one step at a time, against the loop in C++.

    PYTHONPATH=build/python python3 python/bench/step_overhead.py
"""
import pathlib
import time

import bricard

MODELS = pathlib.Path(__file__).resolve().parents[2] / "models"
STEPS, REPEATS = 5000, 7


def in_cpp(model):
    simulation = model.simulation(duration=STEPS * 1e-3, step=1e-3)
    begin = time.process_time()
    simulation.step(STEPS)
    return (time.process_time() - begin) / STEPS


def in_python(model, signal=None):
    simulation = model.simulation(duration=STEPS * 1e-3, step=1e-3)
    begin = time.process_time()
    while simulation.step():
        if signal:
            simulation[signal]
    return (time.process_time() - begin) / STEPS


def shortest(function, *arguments):
    return min(function(*arguments) for _ in range(REPEATS)) * 1e6


def measure(name, signal):
    """µs per step: in C++, from Python, from Python with a look at a signal."""
    model = bricard.load(MODELS / f"{name}.yaml")
    return shortest(in_cpp, model), shortest(in_python, model), shortest(in_python, model, signal)


if __name__ == "__main__":
    print(f"{'model':20}{'C++ loop':>12}{'step()':>12}{'ratio':>8}{'and a signal':>16}{'ratio':>8}")
    for name, signal in [("pendulum", "bob.x"), ("double_pendulum", "elbow.angle"), ("four_bar", "D.angle")]:
        cpp, stepped, read = measure(name, signal)
        print(f"{name:20}{cpp:9.2f} µs{stepped:9.2f} µs{stepped / cpp:8.2f}{read:13.2f} µs{read / cpp:8.2f}")
