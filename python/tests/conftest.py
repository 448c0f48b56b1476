# SPDX-License-Identifier: Apache-2.0
import pathlib

import pytest

import bricard

ROOT = pathlib.Path(__file__).resolve().parents[2]


@pytest.fixture
def models():
    return ROOT / "models"


def pendulum(**run):
    """A bar of 1 kg and 1 m on a hinge, hanging from x: gravity turns it about y."""
    model = bricard.Model(name="bar")
    model.bodies["bar"] = dict(mass=1, inertia=[1e-3, 1 / 12, 1 / 12], position=[0.5, 0, 0])
    model.joints["hinge"] = dict(type="revolute", between=["ground", "bar"], at=[0, 0, 0], axis=[0, 1, 0])
    model.run = dict(duration=1, step=1e-3, **run)
    return model
