# SPDX-License-Identifier: Apache-2.0
"""Step by step, and Python functions in formulas."""
import math
import signal
import threading

import numpy as np
import pytest

import bricard
from conftest import pendulum


def test_steps_give_what_a_run_gives():
    results = pendulum().run()
    simulation = pendulum().simulation()
    angles = [simulation["hinge.angle"]]
    while simulation.step():
        angles.append(simulation.signal("hinge.angle"))
    angles.append(simulation["hinge.angle"])
    np.testing.assert_array_equal(angles, results["hinge.angle"])
    np.testing.assert_array_equal(simulation.results()["bar.velocity"], results["bar.velocity"])
    assert simulation.is_over and simulation.time == 1 and not simulation.step()
    assert simulation["bar.position"] == pytest.approx(results["bar.position"][-1])


def test_results_can_be_looked_at_while_it_runs():
    simulation = pendulum().simulation()
    assert simulation.run_until(0.25) and simulation.time == pytest.approx(0.25)
    early = simulation.results()
    assert len(early.time) == 251 and not early.finished
    simulation.run_until(2)
    assert len(simulation.results().time) == 1001 and simulation.results().finished


def test_unknown_signals_get_a_hint():
    with pytest.raises(KeyError, match="did you mean 'hinge.angle'"):
        pendulum().simulation()["hinge.angl"]


def test_a_function_is_the_same_as_a_formula():
    formula, function, named = pendulum(), pendulum(), pendulum()
    formula.forces["motor"] = dict(type="motor", joint="hinge", force="-3*angle(hinge) - 0.2*angle_rate(hinge)^3")

    def law(t, a="angle(hinge)", w="angle_rate(hinge)"):
        return -3 * a - 0.2 * w**3
    function.forces["motor"] = dict(type="motor", joint="hinge", force=law)
    named.functions["law"] = law
    named.forces["motor"] = dict(type="motor", joint="hinge", force="law(t, angle(hinge), angle_rate(hinge))")
    expected = formula.run()["hinge.angle"]
    # the same equations; Newton's method ends at other digits within its tolerance
    for model in (function, named):
        np.testing.assert_allclose(model.run()["hinge.angle"], expected, atol=1e-9)


def test_a_stiff_function_needs_no_more_steps_of_newtons_method_than_the_formula():
    spring = dict(type="spring-damper", between=["ground", "stone"])
    model = bricard.Model(gravity=[0, 0, 0])
    model.bodies["stone"] = dict(mass=1, inertia=[1, 1, 1], position=[1.01, 0, 0])
    model.run = dict(duration=0.1, step=1e-3)
    model.forces["spring"] = dict(spring, free_length=1, law="1e6*(length - 1) + 20*rate")
    formula = model.run()
    model.forces["spring"] = dict(spring, free_length=1, law=lambda length, rate: 1e6 * (length - 1) + 20 * rate)
    function = model.run()
    np.testing.assert_allclose(function["stone.position"], formula["stone.position"], atol=1e-10)
    # some iterations end at the tolerance, on one side or the other
    assert function.certificate["iterations"] <= 1.05 * formula.certificate["iterations"]


def test_functions_work_with_a_tolerance_and_in_signals():
    model = pendulum()
    model.signals["double"] = lambda a="angle(hinge)": 2 * a
    for settings in (dict(integrator="radau", rtol=1e-6), dict(integrator="rk4")):
        results = model.run(**settings)
        np.testing.assert_allclose(results["double"], 2 * results["hinge.angle"], rtol=1e-12)


def test_an_exception_stops_the_run_and_comes_back_with_the_results():
    def law(t):
        if t > 0.5:
            raise ZeroDivisionError("no torque after half a second")
        return 0.1
    model = pendulum()
    model.forces["motor"] = dict(type="motor", joint="hinge", force=law)
    with pytest.raises(ZeroDivisionError, match="no torque") as caught:
        model.run()
    results = caught.value.results
    assert results.time[-1] == pytest.approx(0.5, abs=1e-3) and not results.finished
    assert "ZeroDivisionError: no torque after half a second" in results.message
    simulation = model.simulation()
    with pytest.raises(ZeroDivisionError) as caught:
        simulation.step(1000)
    assert caught.value.results.time[-1] == pytest.approx(0.5, abs=1e-3)


def test_what_is_no_number_is_said():
    model = pendulum()
    model.forces["motor"] = dict(type="motor", joint="hinge", force=lambda t: "much")
    with pytest.raises(TypeError, match="'forces_motor_force' returned 'much' where a number is expected"):
        model.run()
    model.forces.motor.force = lambda t: math.nan if t > 0.1 else 0
    with pytest.raises(bricard.RunError, match="'forces_motor_force' returned a number that is not finite"):
        model.run()


@pytest.mark.parametrize("function, message", [
    (lambda angel: 0, "unknown name 'angel'"),
    (lambda t, length: 0, "unknown name 'length'")])
def test_parameters_of_functions_must_mean_something(function, message):
    model = pendulum()
    model.forces["motor"] = dict(type="motor", joint="hinge", force=function)
    with pytest.raises(bricard.ModelError, match=f"forces.motor.force: {message}"):
        model.run()


def test_calls_of_functions_are_checked():
    model = pendulum()
    model.functions["f"] = lambda x: x
    model.forces["motor"] = dict(type="motor", joint="hinge", force="f(t, 2)")
    with pytest.raises(bricard.ModelError, match="the function 'f' takes 1 argument, found 2"):
        model.run()
    model.forces.motor.force = "g(t)"
    with pytest.raises(bricard.ModelError, match="unknown function 'g'"):
        model.run()
    model.functions["sin"] = math.sin
    with pytest.raises(bricard.ModelError, match="function 'sin': formulas have a function of this name already"):
        model.run()


def test_prescribed_motions_take_no_functions():
    model = pendulum()
    model.motions["drive"] = dict(joint="hinge", displacement=lambda t: t)
    with pytest.raises(bricard.ModelError, match="unknown function"):
        model.run()


def test_a_sampled_controller_holds_the_bar():
    torque = 0.0
    model = pendulum()
    model.forces["motor"] = dict(type="motor", joint="hinge", force=lambda t: torque)
    simulation = model.simulation(duration=3)
    rate, before, more = 0.0, simulation["hinge.angle"], True
    while more:
        more = simulation.step(5)
        angle = simulation["hinge.angle"]
        rate, before = (angle - before) / 5e-3, angle
        torque = -60 * angle - 10 * rate
    # at rest the torque carries the weight: 60 φ = −m g l/2 cos φ, where a turn about y lowers the bar
    expected = 0.0
    for _ in range(50):
        expected = 9.81 / 2 * math.cos(expected) / 60
    assert simulation["hinge.angle"] == pytest.approx(expected, abs=1e-4)


def test_ctrl_c_stops_a_run_and_keeps_what_it_has():
    timer = threading.Timer(0.3, lambda: signal.raise_signal(signal.SIGINT))
    timer.start()
    with pytest.raises(KeyboardInterrupt) as caught:
        pendulum().run(duration=1000, step=1e-4)
    assert caught.value.results.time[-1] < 1000
    assert "interrupted" in caught.value.results.message
