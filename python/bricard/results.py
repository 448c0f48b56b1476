# SPDX-License-Identifier: Apache-2.0
"""Results of runs: arrays by name, plots, pages."""
import difflib
import html
import json
import os
import pathlib
import tempfile
import webbrowser
from types import SimpleNamespace

import numpy as np

from . import _core
from ._core import Results


def read(path):
    """Reads a result file that `bricard run` or Results.save wrote."""
    return _core.read_results(os.fspath(path))


def unknown_name(name, known):
    near = difflib.get_close_matches(name, known, 3)
    hint = f"did you mean {' or '.join(map(repr, near))}?" if near else "see names"
    return KeyError(f"no signal or vector '{name}'; {hint}")


def _index(self):
    """Channels by the names that users ask for; signals first."""
    found = self.__dict__.get("_by_name")
    if found is None:
        found = {}
        for number, (name, owner, kind, columns, units, frame, stations) in enumerate(self._channels()):
            entry = SimpleNamespace(number=number, kind=kind, owner=owner, name=name, columns=columns, units=units,
                                    stations=stations)
            if kind == "signal":
                found[name] = entry
            else:
                found.setdefault(f"{owner}.{name}", entry)
        self._by_name = found
    return found


def _entry(self, name):
    try:
        return _index(self)[name]
    except KeyError:
        raise unknown_name(name, list(_index(self))) from None


def _owners(self, kind):
    made = {}
    for name, entry in _index(self).items():
        if entry.kind == kind:
            made.setdefault(entry.owner, {})[entry.name] = self[name]
    return {owner: SimpleNamespace(**arrays) for owner, arrays in made.items()}


def _certificate(self):
    return json.loads(self._certificate())


class _Methods:
    """Taken over by Results below."""

    def __getitem__(self, name):
        """An array over time: of a signal ("hinge.angle") n values, of a vector ("rod.position") n rows. Read-only: it
        is the memory of the results themselves."""
        return self._array(_entry(self, name).number)

    def __contains__(self, name):
        return name in _index(self)

    def __iter__(self):
        return iter(_index(self))

    def __len__(self):
        return len(_index(self))

    @property
    def names(self):
        """All names of signals and vectors."""
        return list(_index(self))

    @property
    def bodies(self):
        """By name, each with position, quaternion_wxyz, velocity, angular_velocity, … (n rows)."""
        return _owners(self, "body")

    @property
    def joints(self):
        """By name, each with coordinates, force and torque (n rows)."""
        return _owners(self, "joint")

    @property
    def beams(self):
        """By name, each with s (lengths along the beam, m) and position, quaternion_wxyz, strain, curvature, force, moment,
        normal_stress, … (n × stations × columns)."""
        made = _owners(self, "beam")
        for entry in _index(self).values():
            if entry.kind == "beam":
                made[entry.owner].s = np.array(entry.stations)
        return made

    @property
    def certificate(self):
        """What was done and how well the equations are satisfied, as a dict."""
        return _certificate(self)

    @property
    def finished(self):
        """Whether the run reached its end."""
        return _certificate(self)["finished"]

    @property
    def message(self):
        """Why the run stopped, in plain words; '' if it did not."""
        return _certificate(self).get("stopped_because", "")

    @property
    def verdict(self):
        """What the run is worth: "good", "doubtful" or "failed"; the reasons are in doubts."""
        return _certificate(self).get("verdict", "good")

    @property
    def doubts(self):
        """Why the results are not to be trusted, in plain words; [] if they are."""
        return _certificate(self).get("doubts", [])

    @property
    def events(self):
        """What happened on the way: dicts with time, source, what and energy_change, in the order of time."""
        return _certificate(self).get("events", [])

    def unit(self, name):
        """The unit of a signal, or the units of a vector's columns."""
        entry = _entry(self, name)
        return entry.units[0] if entry.kind == "signal" else list(entry.units)

    def plot(self, *names, ax=None, **options):
        """Plots signals and vectors over time with matplotlib; returns the axes. Options go to Axes.plot."""
        import matplotlib.pyplot as plt

        if not names:
            raise TypeError("plot needs the name of at least one signal; see names")
        entries = [_entry(self, name) for name in names]
        ax = ax or plt.gca()
        lines = [(name, " at ".join(filter(None, (column, place))), unit) for name, e in zip(names, entries)
                 for place in ([f"{s:g} m" for s in e.stations] or [""]) for column, unit in zip(e.columns, e.units)]
        units = {unit for _, _, unit in lines}
        labels = [".".join(filter(None, (name, column))) + (f" [{unit}]" if unit and len(units) > 1 else "")
                  for name, column, unit in lines]
        for name in names:
            values = self[name].reshape(len(self.time), -1)
            for column in values.T:
                ax.plot(self.time, column, **{"label": labels.pop(0), **options})
        ax.set_xlabel("t [s]")
        unit = units.pop() if len(units) == 1 else ""
        ax.set_ylabel((lines[0][0] if len(lines) == 1 else "") + (f" [{unit}]" if unit else ""))
        if len(ax.lines) > 1:
            ax.legend()
        return ax

    def view(self, path=None):
        """Writes the page with animation and plots. Without a path it goes to a temporary file and is opened."""
        if path is not None:
            return self._write_page(os.fspath(path))
        file = pathlib.Path(tempfile.mkdtemp(prefix="bricard-")) / "run.html"
        self._write_page(str(file))
        webbrowser.open(file.as_uri())

    def _repr_html_(self):
        if not _core.has_viewer:
            return f"<pre>{html.escape(repr(self))}</pre>"
        with tempfile.TemporaryDirectory(prefix="bricard-") as folder:
            file = pathlib.Path(folder) / "run.html"
            self._write_page(str(file))
            page = file.read_text(encoding="utf-8")
        return f'<iframe srcdoc="{html.escape(page)}" style="width: 100%; height: 640px; border: 0"></iframe>'

    def __repr__(self):
        c = _certificate(self)
        end = f"reached t = {c['end_time']:g} s" if c["finished"] else c["stopped_because"]
        verdict = self.verdict if self.verdict == "good" else self.verdict.upper()
        doubts = "".join(f": {doubt}" for doubt in self.doubts if doubt != end)
        return (f"<bricard.Results: {verdict}{doubts}; {end}; {len(self.time)} samples of {len(_index(self))} signals and vectors; "
                f"{c['integrator']}, {c['steps']} steps, constraints within {c['max_position_violation']:.2g} m, "
                f"energy within {c['energy']['max_defect']:.2g} J>")


for _name, _value in list(vars(_Methods).items()):
    if _name not in ("__dict__", "__weakref__", "__doc__", "__module__"):
        setattr(Results, _name, _value)
Results.__doc__ = """What came out of a run.

    results["hinge.angle"], results.bodies["rod"].position, results.time    arrays, without copies
    results.plot("hinge.angle"); results.view(); results.save("run.h5")
    """
