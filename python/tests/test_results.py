# SPDX-License-Identifier: Apache-2.0
"""Arrays, plots, files and pages."""
import gc

import matplotlib.pyplot as plt
import numpy as np
import pytest

import bricard
from bricard import _core
from conftest import pendulum


def test_arrays_are_views_that_outlive_the_results():
    results = pendulum().run()
    angle, again = results["hinge.angle"], results["hinge.angle"]
    assert np.shares_memory(angle, again) and not angle.flags.owndata and not angle.flags.writeable
    assert results.bodies["bar"].position.shape == (len(results.time), 3)
    assert np.shares_memory(results.bodies["bar"].position, results["bar.position"])
    last = angle[-1]
    del results, again
    gc.collect()
    np.ones(100_000)
    assert angle[-1] == last


def test_beams_have_arrays_along_them(tmp_path):
    model = bricard.Model(gravity=[0, 0, 0])
    model.ground = dict(markers=dict(wall={}))
    model.beams["arm"] = {"from": "ground.wall", "to": [1, 0, 0], "material": "steel", "elements": 2, "degree": 2,
                          "section": dict(type="circle", radius=0.01)}
    model.forces["pull"] = dict(type="force", on="arm.end", force=[100, 0, 0])
    results = model.run(duration=1e-4, step=1e-5)
    arm = results.beams["arm"]
    assert arm.s.shape == (6,) and arm.s[0] == 0 and arm.s[-1] == 1
    assert arm.moment.shape == (len(results.time), 6, 3) and arm.normal_stress.shape[2] == 4
    assert results.unit("arm.normal_stress") == ["N/m^2"] * 4
    np.testing.assert_array_equal(results["arm.force"], arm.force)
    # of a bar alone: stress is force over area everywhere
    np.testing.assert_allclose(arm.normal_stress[..., 0], arm.force[..., 0] / (np.pi * 1e-4), rtol=1e-12)
    results.save(tmp_path / "run.h5")
    np.testing.assert_array_equal(bricard.read(tmp_path / "run.h5").beams["arm"].strain, arm.strain)
    assert len(results.plot("arm.moment", ax=plt.figure().gca()).lines) == 18
    run = model.simulation(step=1e-5)
    assert run["arm.moment"].shape == (6, 3)


def test_unknown_names_get_a_hint():
    results = pendulum().run(duration=0.01)
    with pytest.raises(KeyError, match="did you mean 'hinge.angle'"):
        results["hinge.angel"]
    assert "hinge.angle" in results and "hinge.angel" not in results


def test_files_give_back_what_was_saved(tmp_path):
    results = pendulum().run()
    results.save(tmp_path / "run.h5")
    results.save_csv(tmp_path / "run.csv")
    again = bricard.read(tmp_path / "run.h5")
    np.testing.assert_array_equal(again["bar.velocity"], results["bar.velocity"])
    assert again.finished and again.certificate["steps"] == 1000
    assert (tmp_path / "run.csv").read_text().startswith("time [s],")


def test_results_say_first_what_they_are_worth():
    results = pendulum().run()
    assert results.verdict == "good" and results.doubts == []
    assert repr(results).startswith("<bricard.Results: good; reached")
    rotor = bricard.Model(gravity=[0, 0, 0], bodies={"rotor": dict(mass=1, inertia=[1, 1, 2], angular_velocity=[0, 0, 3770])})
    results = rotor.run(duration=0.1, step=1e-3)
    assert results.verdict == "doubtful" and len(results.doubts) == 1
    assert repr(results).startswith("<bricard.Results: DOUBTFUL: t = ") and "rad in one step" in repr(results)


def test_a_run_that_ends_with_garbage_is_an_error():
    stop = pendulum()
    stop.forces["stop"] = {"type": "joint-stop", "joint": "hinge", "lower": -0.5, "upper": 0.5, "stiffness": 1e7}
    with pytest.raises(bricard.RunError, match="energy|velocities|joints") as caught:
        stop.run(duration=3, step=1e-3)
    assert caught.value.results.verdict == "failed" and caught.value.results.finished
    assert repr(caught.value.results).startswith("<bricard.Results: FAILED: ")


def test_plots_have_names_and_units():
    results = pendulum().run()
    figure, ax = plt.subplots()
    assert results.plot("hinge.angle", ax=ax) is ax
    assert ax.get_ylabel() == "hinge.angle [rad]" and ax.get_xlabel() == "t [s]"
    np.testing.assert_array_equal(ax.lines[0].get_ydata(), results["hinge.angle"])
    figure, ax = plt.subplots()
    results.plot("bar.position", "hinge.angle", ax=ax)
    labels = [line.get_label() for line in ax.lines]
    assert labels == ["bar.position.x [m]", "bar.position.y [m]", "bar.position.z [m]", "hinge.angle [rad]"]


def test_pages_are_written_or_the_want_of_a_viewer_is_said(tmp_path):
    results = pendulum().run(duration=0.1)
    if _core.has_viewer:
        results.view(tmp_path / "page.html")
        assert "<html" in (tmp_path / "page.html").read_text(encoding="utf-8").lower()
        assert results._repr_html_().startswith("<iframe srcdoc=")
    else:
        with pytest.raises(bricard.FileError, match="without its viewer"):
            results.view(tmp_path / "page.html")
        assert "reached t = 0.1 s" in results._repr_html_()


def test_a_run_that_fails_keeps_what_it_has():
    model = pendulum()
    model.forces["motor"] = dict(type="motor", joint="hinge", force="sqrt(0.5 - t)")
    with pytest.raises(bricard.RunError, match="not finite") as caught:
        model.run()
    results = caught.value.results
    assert not results.finished and results.message == str(caught.value)
    assert results.time[-1] == pytest.approx(0.5)
