# SPDX-License-Identifier: Apache-2.0
"""Dynamics of mechanisms: load or build a model, run it, look at what comes out.

    import bricard
    model = bricard.load("models/pendulum.yaml", length=0.5)
    results = model.run(duration=2)
    results.plot("hinge.angle")

Names of sections, elements, keys and signals are those of model files (docs/model_file.md).
"""
from ._core import FileError, ModelError, RunError, Simulation
from ._core import version as __version__
from .linearization import Linearization, Modes
from .model import Model, Section, load, loads
from .results import Results, read
from . import simulation as _simulation  # adds to Simulation

__all__ = ["FileError", "Linearization", "Model", "ModelError", "Modes", "Results", "RunError", "Section", "Simulation",
           "load", "loads", "read"]
