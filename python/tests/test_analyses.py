# SPDX-License-Identifier: Apache-2.0
"""static, kinematics and modes, as the commands of the same names."""
import json
import math
import os
import pathlib
import subprocess

import numpy as np
import pytest

import bricard
from conftest import pendulum
from test_linearize import oscillator

PROGRAM = pathlib.Path(os.environ.get("BRICARD_BUILD", "build")) / "bricard"


def test_a_bar_hangs_down_in_its_equilibrium():
    rest = pendulum().static()
    assert len(rest.time) == 1 and rest.bodies["bar"].position[0] == pytest.approx([0, 0, -0.5], abs=1e-9)
    assert any("stable" in remark for remark in rest.certificate["remarks"])
    assert rest.joints["hinge"].force[0] == pytest.approx([0, 0, 9.81], abs=1e-6)  # carries a bar of 1 kg


def test_a_sequence_of_equilibria_follows_the_load():
    model = oscillator()
    model.forces["drive"] = dict(type="force", on="cart", force=["10*t", 0, 0])
    rest = model.static(sequence=True, duration=1, output_step=0.25)
    np.testing.assert_allclose(rest["x"], 10 * rest.time / 50, atol=1e-9)


def test_a_driven_mechanism_has_the_reactions_of_the_program(models, tmp_path):
    driven = bricard.load(models / "four_bar.yaml").kinematics(duration=0.5, output_step=0.05)
    if not PROGRAM.exists():
        pytest.skip("no program to compare with")
    subprocess.run([PROGRAM.resolve(), "kinematics", models / "four_bar.yaml", "--duration", "0.5", "--output-step", "0.05", "-q",
                    "-o", tmp_path / "driven.h5"], check=True)
    command = bricard.read(tmp_path / "driven.h5")
    for name in driven.names:
        np.testing.assert_array_equal(driven[name], command[name])


def test_a_model_that_moves_by_itself_has_no_kinematics():
    with pytest.raises(bricard.ModelError, match="1 degree of freedom is left, so that hinge.angle can move"):
        pendulum().kinematics()


def test_the_mode_of_an_oscillator():
    modes = oscillator().modes(states=["dx(cart)"])
    assert len(modes) == 1 and modes.frequencies[0] == pytest.approx(5 / (2 * math.pi))  # sqrt(50/2) = 5 rad/s
    assert modes.dampings[0] == pytest.approx(3 / (2 * math.sqrt(50 * 2)))
    assert modes.eigenvalues[0].imag > 0
    np.testing.assert_allclose(abs(modes.displacement["cart"][0]), [1, 0, 0], atol=1e-9)
    np.testing.assert_allclose(modes.rotation["cart"][0], 0, atol=1e-9)
    assert oscillator().modes(undamped=True).dampings[0] == pytest.approx(0, abs=1e-9)


def test_modes_are_those_of_the_program(models, tmp_path):
    modes = bricard.load(models / "washing_machine.yaml").modes(point="static", count=6)
    modes.save(tmp_path / "modes.h5")
    assert bricard.read(tmp_path / "modes.h5").bodies["tub"].position.shape == (1, 3)
    assert "tub" in repr(modes)
    if PROGRAM.exists():
        said = subprocess.run([PROGRAM.resolve(), "modes", models / "washing_machine.yaml", "--point", "static", "--count", "6",
                               "--json", "-q"], check=True, capture_output=True, text=True)
        command = json.loads(said.stdout)["modes"]
        np.testing.assert_allclose(modes.frequencies, [m["frequency"] for m in command], rtol=1e-12)


def test_wrong_requests_are_refused():
    with pytest.raises(ValueError, match="count = -1: must be >= 0"):
        oscillator().modes(count=-1)
    with pytest.raises(ValueError, match="allowed: given, static, steady"):
        oscillator().modes(point="there")


@pytest.mark.parametrize("integrator", ["hht", "ali3", "ahnr"])
def test_steps_in_natural_coordinates_lead_to_what_a_run_gives(models, integrator):
    model = bricard.load(models / "double_pendulum.yaml")
    settings = {"coordinates": "natural", "integrator": integrator, "duration": 0.2, "step": 1e-3}
    whole = model.run(**settings)
    simulation = model.simulation(**settings)
    while simulation.step(7):
        pass
    driven = simulation.results()
    for joint in whole.joints:
        np.testing.assert_array_equal(driven.joints[joint].force[-1], whole.joints[joint].force[-1])
    for body in whole.bodies:
        np.testing.assert_array_equal(driven.bodies[body].position[-1], whole.bodies[body].position[-1])
        np.testing.assert_array_equal(simulation[f"{body}.position"], whole.bodies[body].position[-1])
