# SPDX-License-Identifier: Apache-2.0
"""Models from files and from Python, and what is said about wrong ones."""
import numpy as np
import pytest

import bricard
from conftest import pendulum

FREE_FALL = """
parameters: {g: 9.81, height: 0}
gravity: [0, 0, -g]
bodies:
  stone: {mass: 2, inertia: [1, 1, 1], position: [0, 0, height]}
run: {duration: 1, step: 0.01}
"""


def test_a_model_file_runs_to_the_published_end(models):
    results = bricard.load(models / "pendulum.yaml").run()
    assert results.time[-1] == 10
    # IFToMM benchmark A01, by elliptic functions; the step of the file gives about 1e-4
    assert results["bob.x"][-1] == pytest.approx(-0.275087462576118, abs=1e-3)
    assert results["bob.y"][-1] == pytest.approx(-0.961419205099125, abs=1e-3)


def test_parameters_change_the_model(models):
    full, half = (bricard.load(models / "pendulum.yaml", length=length).run(duration=0.1) for length in (1, 0.5))
    assert np.linalg.norm(full.bodies["ball"].position[-1]) == pytest.approx(1)
    assert np.linalg.norm(half.bodies["ball"].position[-1]) == pytest.approx(0.5)


def test_free_fall_is_exact_and_units_are_understood():
    model = bricard.loads(FREE_FALL, height="250 cm")
    fall = model.run()
    assert fall["stone.position"][-1, 2] == pytest.approx(2.5 - 9.81 / 2, abs=1e-9)
    model.parameters.g = 1.62
    assert model.run().bodies["stone"].velocity[-1, 2] == pytest.approx(-1.62, abs=1e-9)


def test_a_model_built_in_python_is_the_same_as_its_text():
    model = pendulum()
    again = bricard.loads(model.text)
    np.testing.assert_array_equal(model.run()["hinge.angle"], again.run()["hinge.angle"])


def test_arrays_of_numpy_and_attributes_are_taken():
    model = bricard.Model(gravity=np.array([0, 0, -1.0]))
    model.bodies["stone"] = dict(mass=np.float64(2), inertia=np.ones(3))
    model.bodies.stone.position = np.arange(3)
    model.run.step = 0.01
    assert model.run(duration=1).bodies["stone"].position[-1] == pytest.approx([0, 1, 1.5], abs=1e-9)


def test_copies_are_independent():
    model = pendulum()
    other = model.copy()
    other.bodies.bar.mass = 5
    assert model.bodies.bar.mass == 1 and other.run(duration=0.01).finished


def test_a_wrong_model_says_all_that_is_wrong():
    model = pendulum()
    model.bodies.bar.mass = -1
    model.joints.hinge.axes = model.joints.hinge.pop("axis")
    with pytest.raises(bricard.ModelError) as caught:
        model.run()
    assert str(caught.value).splitlines() == [
        "bodies.bar.mass = -1: must be > 0",
        "joints.hinge: unknown key 'axes'; did you mean 'axis'?"]


def test_a_wrong_file_is_named_with_line_and_column(tmp_path):
    file = tmp_path / "wrong.yaml"
    file.write_text("bodies:\n  rod: {mass: 1, inertia: [1, 1, 1], positon: [0, 0, 0]}\n")
    with pytest.raises(bricard.ModelError) as caught:
        bricard.load(file)
    assert str(caught.value) == f"{file}:2:38: bodies.rod: unknown key 'positon'; did you mean 'position'?"
    assert caught.value.faults[0][:3] == (str(file), 2, 38)


@pytest.mark.parametrize("settings, message", [
    (dict(step=-1), "run.step = -1: must be > 0"),
    (dict(rho_infinity=2), "run.rho_infinity = 2: must be from 0 to 1"),
    (dict(stepp=1e-3), "run: unknown key 'stepp'; did you mean 'step'?")])
def test_run_settings_are_checked_like_those_of_a_file(settings, message):
    with pytest.raises(bricard.ModelError) as caught:
        pendulum().run(**settings)
    assert message in str(caught.value).splitlines()


def test_unknown_integrators_get_a_hint():
    with pytest.raises(bricard.ModelError, match="run.integrator: unknown word 'hhtt'; .*did you mean 'hht'"):
        pendulum().run(integrator="hhtt")


def test_unknown_parameters_sections_and_entries_are_refused(models):
    with pytest.raises(bricard.ModelError, match="no such parameter; did you mean 'length'"):
        bricard.load(models / "pendulum.yaml", lenght=2)
    with pytest.raises(bricard.ModelError, match="parameter 'length' set from outside: expected a number"):
        bricard.load(models / "pendulum.yaml", length=[1, 2])
    with pytest.raises(AttributeError, match="did you mean 'joints'"):
        bricard.Model().joint = {}
    with pytest.raises(AttributeError, match="did you mean 'bar'"):
        pendulum().bodies.baar
    with pytest.raises(AttributeError, match=r'\["values"\]'):
        pendulum().bodies.values = 3


def test_a_missing_file_is_an_oserror(tmp_path):
    with pytest.raises(OSError, match="nowhere.yaml"):
        bricard.load(tmp_path / "nowhere.yaml")


def test_check_counts_degrees_of_freedom():
    assert pendulum().check()["degrees_of_freedom"]["generic"] == 1
