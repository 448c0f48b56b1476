# SPDX-License-Identifier: Apache-2.0
"""What Simulation has besides its compiled part."""
from ._core import Simulation
from .results import unknown_name


def __getitem__(self, name):
    """The present value of a signal ("hinge.angle"), or of a vector ("rod.position") as an array."""
    value = self._value(name)
    if value is None:
        raise unknown_name(name, self.names)
    return value


def __repr__(self):
    return f"<bricard.Simulation at t = {self.time:g} s{', over' if self.is_over else ''}>"


Simulation.__getitem__ = __getitem__
Simulation.signal = __getitem__
Simulation.__repr__ = __repr__
