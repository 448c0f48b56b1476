# SPDX-License-Identifier: Apache-2.0
"""Equations of small motions as arrays with names."""
from types import SimpleNamespace

import numpy as np


class Linearization(SimpleNamespace):
    """x' = A x + B u, y = C x + D u, and mass W' + damping W + stiffness S = F u with x = (S, W).

    A, B, C, D, mass, damping, stiffness are arrays; states, inputs, outputs their names, states_units … their units;
    `about` says where, `remarks` what else is to be known.
    """

    @property
    def eigenvalues(self):
        """Of A, in 1/s, the slowest first."""
        values = np.linalg.eigvals(self.A).astype(complex)
        return values[np.argsort(abs(values), kind="stable")]

    def __repr__(self):
        return (f"<bricard.Linearization about {self.about}: states {', '.join(self.states)}; "
                f"inputs {', '.join(self.inputs) or 'none'}; outputs {', '.join(self.outputs) or 'none'}>")
