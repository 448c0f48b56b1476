# SPDX-License-Identifier: Apache-2.0
"""Events of a model and what became of them."""
import math

import bricard


def drop():
    model = bricard.Model(name="drop")
    model.bodies["ball"] = dict(mass=1, inertia=[1, 1, 1], position=[0, 0, 1])
    return model


def test_event_ends_the_run():
    model = drop()
    model.events["floor"] = dict(when="z(ball)", direction="falling", stop=True)
    model.events["middle"] = dict(when="z(ball) - 0.5")
    results = model.run(duration=2, step=1e-3)
    assert results.finished
    assert [event["source"] for event in results.events] == ["event 'middle'", "event 'floor'"]
    assert abs(results.events[0]["time"] - math.sqrt(1 / 9.81)) < 1e-9
    assert abs(results.time[-1] - math.sqrt(2 / 9.81)) < 1e-9


def test_runs_without_events_have_none():
    assert drop().run(duration=0.1, step=1e-2).events == []
