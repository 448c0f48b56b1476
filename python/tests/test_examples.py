# SPDX-License-Identifier: Apache-2.0
"""The programs of the manual and of python/examples, as they stand."""
import math
import pathlib
import re
import runpy

import numpy as np
import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]


def blocks(name):
    return re.findall(r"^```python\n(.*?)^```$", (ROOT / name).read_text(encoding="utf-8"), re.M | re.S)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    (tmp_path / "models").symlink_to(ROOT / "models")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("name", ["README.md", "docs/python.md"])
def test_the_programs_of_the_manual_run(name, folder):
    programs = blocks(name)
    assert programs
    names = {}
    for program in programs:  # one after the other, as they are read
        exec(compile(program, name, "exec"), names)


def test_the_first_program_is_short_and_makes_a_picture(folder, capsys):
    first = blocks("README.md")[0]
    assert len(first.splitlines()) <= 20
    exec(first, {})
    assert (folder / "angles.png").read_bytes().startswith(b"\x89PNG")
    assert "Hz" in capsys.readouterr().out


def test_the_controller_swings_the_bar_up(folder):
    done = runpy.run_path(str(ROOT / "python/examples/swing_up.py"))
    results = done["results"]
    held = results.time > 9
    from_top = [math.remainder(a - math.pi, 2 * math.pi) for a in results["hinge.angle"][held]]
    assert np.abs(from_top).max() < 1e-3
    assert np.abs(results["torque"]).max() <= done["LIMIT"] < done["WEIGHT"]
    swings = np.sign(results["hinge.angle"])[results.time > 0.1]
    assert (np.diff(swings[: np.argmax(np.abs(results["hinge.angle"]) > 3)]) != 0).sum() >= 2  # it had to swing
    # the energy of the top, all of it from the motor
    assert results["energy.total"][-1] - results["energy.total"][0] == pytest.approx(2 * done["WEIGHT"], rel=1e-3)
    assert results.certificate["energy"]["max_defect"] < 1e-2


def test_the_study_finds_the_dead_centres(folder):
    done = runpy.run_path(str(ROOT / "python/examples/parameter_study.py"))
    base, coupler, rocker = 1.0, 0.9, 0.7

    def angle_at_d(from_a_to_c):
        return math.acos((base**2 + rocker**2 - from_a_to_c**2) / (2 * base * rocker))
    for crank, swing in zip(done["cranks"], done["swings"]):
        expected = angle_at_d(coupler + crank) - angle_at_d(coupler - crank)
        assert swing == pytest.approx(expected, rel=1e-4)  # samples do not hit the dead centres
    assert (folder / "parameter_study.png").exists()
