# SPDX-License-Identifier: Apache-2.0
"""Equations of small motions as arrays with names, and their modes."""
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


class Modes(SimpleNamespace):
    """Free small motions x = Re(shape exp(s t)), the slowest first.

    eigenvalues s in 1/s, frequencies |s|/2π in Hz, dampings −Re s/|s| are arrays; labels say who moves; displacement
    and rotation have for each body the complex shapes, a row per mode, in ground axes; `about` says where.
    `view()` animates them, `save("modes.h5")` writes what `bricard modes -o` does.
    """

    def __len__(self):
        return len(self.frequencies)

    def view(self, path=None):
        """Writes the page that animates the modes. Without a path it goes to a temporary file and is opened."""
        return self.results.view(path)

    def save(self, path):
        """Writes an HDF5 file, as `bricard modes -o` does."""
        self.results.save(path)

    def _repr_html_(self):
        return self.results._repr_html_()

    def __repr__(self):
        rows = [f"{k + 1:5} {f:14.6g} {d:10.4g}  {label}"
                for k, (f, d, label) in enumerate(zip(self.frequencies, self.dampings, self.labels))]
        return "\n".join([f"<bricard.Modes about {self.about}>", " mode frequency [Hz]    damping", *rows])
