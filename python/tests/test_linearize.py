# SPDX-License-Identifier: Apache-2.0
"""Small motions against closed forms."""
import math

import numpy as np
import pytest

import bricard


def test_a_double_pendulum_has_the_frequencies_of_the_textbook(models):
    small = bricard.load(models / "double_pendulum.yaml", L=0.5, width=1e-4).linearize(point="static")
    expected = [math.sqrt(9.81 / 0.5 * (3 + sign * 6 / math.sqrt(7))) for sign in (-1, 1)]
    np.testing.assert_allclose(small.eigenvalues.imag[[0, 2]].__abs__(), expected, rtol=1e-6)
    assert small.A.shape == (4, 4) and len(small.states) == 4
    np.testing.assert_allclose(small.mass, small.mass.T, atol=1e-12)


def oscillator():
    model = bricard.Model(gravity=[0, 0, 0])
    model.bodies["cart"] = dict(mass=2, inertia=[1, 1, 1])
    model.joints["rail"] = dict(type="translational", between=["ground", "cart"], at=[0, 0, 0], axis=[1, 0, 0])
    model.inputs["push"] = dict(value=0, unit="N")
    model.forces["spring"] = dict(type="joint-spring", joint="rail", stiffness=50, damping=3)
    model.forces["drive"] = dict(type="force", on="cart", force=["push", 0, 0])
    model.signals["x"] = "dx(cart)"
    model.run = dict(duration=20, step=5e-3)
    return model


def test_inputs_and_outputs_of_an_oscillator():
    small = oscillator().linearize(states=dict(s="dx(cart)"))
    assert small.states == ["s", "s'"] and small.inputs == ["push"] and small.outputs == ["x"]
    np.testing.assert_allclose(small.A, [[0, 1], [-25, -1.5]], atol=1e-9)
    np.testing.assert_allclose(small.B, [[0], [0.5]], atol=1e-9)
    np.testing.assert_allclose(small.C, [[1, 0]], atol=1e-9)
    np.testing.assert_allclose(small.D, [[0]], atol=1e-9)


def test_a_python_function_is_differentiated():
    model = oscillator()
    model.forces["spring"] = dict(type="motor", joint="rail", force=lambda x="dx(cart)", v="vx(cart)": -50 * x - 3 * v)
    small = model.linearize(states=["dx(cart)"])
    np.testing.assert_allclose(small.A, [[0, 1], [-25, -1.5]], atol=1e-6)


def test_an_input_is_driven_step_by_step():
    simulation = oscillator().simulation()
    assert simulation.inputs == ["push"]
    simulation["push"] = 10
    simulation.step()
    assert simulation["push"] == 10
    simulation.run_until(20)
    assert simulation["x"] == pytest.approx(10 / 50, abs=1e-6)
    with pytest.raises(KeyError, match="did you mean 'push'"):
        oscillator().simulation()["pusch"] = 1


def test_wrong_requests_are_refused():
    with pytest.raises(bricard.ModelError, match="linearization: unknown key 'statess'"):
        oscillator().linearize(statess=[])
    with pytest.raises(bricard.ModelError, match="linearization.outputs: unknown signal 'y'"):
        oscillator().linearize(outputs=["y"])
    with pytest.raises(ValueError, match="allowed: given, static, steady"):
        oscillator().linearize(point="there")
