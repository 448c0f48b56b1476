# SPDX-License-Identifier: Apache-2.0
"""Models as trees of sections with the names of model files, handed to the reader of model files."""
import copy
import difflib
import inspect
import json
import os
import re

from . import _core
from .linearization import Linearization, Modes
from .text import yaml_text

_SECTIONS = json.loads(_core.schema())["properties"]
_MANY = 64  # most arguments of a function in a formula


class Section(dict):
    """A part of a model: a dict whose entries are attributes, too.

        model.bodies["rod"] = dict(mass=1, inertia=[1, 1, 1])
        model.bodies.rod.mass = 2
    """

    def __init__(self, *args, **entries):
        super().__init__()
        self.update(*args, **entries)

    def __setitem__(self, key, value):
        super().__setitem__(key, _converted(value))

    def update(self, *args, **entries):
        for key, value in dict(*args, **entries).items():
            self[key] = value

    def setdefault(self, key, value=None):
        if key not in self:
            self[key] = value
        return self[key]

    def __getattr__(self, key):
        try:
            return self[key]
        except KeyError:
            raise AttributeError(f"no entry '{key}'{_hint(key, self)}") from None

    def __setattr__(self, key, value):
        if hasattr(dict, key):
            raise AttributeError(f"'{key}' is a method of dict; write [\"{key}\"] for the entry")
        self[key] = value

    def __delattr__(self, key):
        del self[key]

    def __deepcopy__(self, memo):
        return type(self)({key: copy.deepcopy(value, memo) for key, value in self.items()})


class RunSection(Section):
    """The section `run` of a model; to call it runs the model with further settings."""

    def __call__(self, **settings):
        return dict.__getattribute__(self, "_model")._run(settings)


def _converted(value):
    """Dicts as sections, arrays as lists; everything else as it is."""
    if isinstance(value, dict):
        return value if isinstance(value, Section) else Section(value)
    if hasattr(value, "tolist"):  # numpy
        return value.tolist()
    if isinstance(value, (list, tuple)):
        return [_converted(item) for item in value]
    return value


def _hint(word, known):
    near = difflib.get_close_matches(word, list(known), 1)
    return f"; did you mean '{near[0]}'?" if near else ""


class Model:
    """A model: its sections are attributes, with the names and contents of model files.

        model = bricard.Model(name="swing")
        model.bodies["bar"] = dict(mass=1, inertia=[1e-3, 0.1, 0.1], position=[0.5, 0, 0])
        model.joints["hinge"] = dict(type="revolute", between=["ground", "bar"], at=[0, 0, 0], axis=[0, 1, 0])
        results = model.run(duration=2, step=1e-3)

    A Python function may stand for a formula wherever measures may be used. Its parameters are names that
    are known there (t; length and rate of a spring's law), or have formulas as defaults:

        def pd(t, a="angle(hinge)", w="angle_rate(hinge)"): return -20*a - 3*w
        model.forces["motor"] = dict(type="motor", joint="hinge", force=pd)

    `functions` are callables that formulas call by name: model.functions["f"] = ..., force="2*f(t)".
    """

    def __init__(self, **sections):
        self._start({}, None, None)
        for name, value in sections.items():
            setattr(self, name, value)

    def _start(self, tree, path, text):
        set_ = super().__setattr__
        set_("functions", {})
        set_("_path", path)
        set_("_text", text)  # of the file, if there is one
        set_("_tree", {})
        for name, value in tree.items():
            self._put(name, value)
        set_("_original", copy.deepcopy(self._tree))
        set_("_built", (None, None))

    def _put(self, name, value):
        value = _converted(value)
        if name == "run" and isinstance(value, dict):
            value = RunSection(value)
            object.__setattr__(value, "_model", self)
        self._tree[name] = value

    def __getattr__(self, name):
        if name.startswith("_"):
            raise AttributeError(name)
        if name not in self._tree:
            if name not in _SECTIONS:
                raise AttributeError(f"a model has no section '{name}'{_hint(name, _SECTIONS)}")
            if not any(form.get("type") == "object" for form in _SECTIONS[name].get("anyOf", [])):
                return None  # a text or a list, not given
            self._put(name, {})
        return self._tree[name]

    def __setattr__(self, name, value):
        if name == "functions":
            return super().__setattr__(name, dict(value))
        if name not in _SECTIONS:
            raise AttributeError(f"a model has no section '{name}'{_hint(name, _SECTIONS)}")
        self._put(name, value)

    def __dir__(self):
        return [*super().__dir__(), *_SECTIONS]

    def __repr__(self):
        counts = [f"{len(self._tree[s])} {s}" for s in ("bodies", "joints", "forces") if self._tree.get(s)]
        return f"<bricard.Model {self._tree.get('name', '')!r}: {', '.join(counts) or 'empty'}>"

    def copy(self):
        """An independent copy, with the same functions."""
        made = type(self).__new__(type(self))
        made._start(copy.deepcopy(self._tree), self._path, self._text)
        super(Model, made).__setattr__("_original", copy.deepcopy(self._original))
        made.functions.update(self.functions)
        return made

    @property
    def text(self):
        """The model as the text of a model file. Python functions appear by their names."""
        return self._source()[0]

    def save(self, path):
        """Writes a model file; a model with Python functions cannot be read from it."""
        with open(path, "w", encoding="utf-8") as file:
            file.write(self.text)

    def check(self):
        """Reads the model and reports on degrees of freedom and redundant constraints, as `bricard check --json`."""
        return json.loads(self._build().check())

    def simulation(self, **settings):
        """A run step by step. Keywords are run settings, in the place of those of the section `run`."""
        return self._build().simulation(yaml_text(settings))

    def linearize(self, point="given", time=None, **settings):
        """The equations of small motions, x' = A x + B u, y = C x + D u, as a Linearization.

        About the start of the model (given), the equilibrium near it (static) or a steady motion; with `time` the
        model first runs until then. Keywords are those of the section `linearization`: states, reference, inputs,
        outputs.
        """
        return Linearization(**self._with_states(settings)._build().linearize(point, time))

    def modes(self, point="given", time=None, count=0, undamped=False, shift=0, **settings):
        """Frequencies, damping and shapes of small motions, as Modes; the options are those of `bricard modes`.

        `count` is how many, the slowest first (0: all), `undamped` leaves stiffness and mass alone, `shift` in 1/s
        iterates for the eigenvalues nearest to this number. Point, time and the other keywords as for linearize.
        """
        return Modes(**self._with_states(settings)._build().modes(point, time, count, undamped, shift))

    def static(self, sequence=False, **settings):
        """The equilibrium near the start, as Results with one sample, or with `sequence` at all output times.

        Whether it is stable is said in certificate["remarks"]. Keywords are run settings.
        """
        return self._build().static(yaml_text(settings), sequence)

    def kinematics(self, **settings):
        """Positions to reactions of a model whose motion is prescribed entirely, as Results. Keywords are run settings."""
        return self._build().kinematics(yaml_text(settings))

    def _with_states(self, settings):
        """The model with entries of the section `linearization`."""
        if not settings:
            return self
        model = self.copy()
        model.linearization.update(settings)
        return model

    def _run(self, settings):
        return self._build().run(yaml_text(settings))

    # -- to the reader -------------------------------------------------------------------------------

    def _source(self):
        """Text, parameters from outside, functions by name, and whether the text is the file's own."""
        others = {k: v for k, v in self._tree.items() if k != "parameters" and v != {}}
        original = {k: v for k, v in self._original.items() if k != "parameters" and v != {}}
        new, old = self._tree.get("parameters") or {}, self._original.get("parameters") or {}
        if self._text is not None and others == original and old.keys() <= new.keys():
            changed = {k: v for k, v in new.items() if k not in old or old[k] != v}
            return self._text, changed, _named(self.functions), True
        functions = _named(self.functions)
        tree = {k: _without_callables(v, (k,), functions) for k, v in self._tree.items() if v != {}}
        return yaml_text(tree), {}, functions, False

    def _build(self):
        source = self._source()
        if self._built[0] != source:
            text, parameters, functions, is_file = source
            built = _core.ReadModel(text, self._path or "model", parameters, functions, is_file)
            super().__setattr__("_built", (source, built))
        return self._built[1]


def _named(functions):
    return {name: (function, *_arguments(function)) for name, function in functions.items()}


def _parameters(function):
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):  # some functions written in C
        return None
    return list(parameters)


def _arguments(function):
    """Least and most number of arguments."""
    parameters = _parameters(function)
    if parameters is None or any(p.kind == p.VAR_POSITIONAL for p in parameters):
        return 0, _MANY
    positional = [p for p in parameters if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
    return sum(p.default is p.empty for p in positional), len(positional)


def _call_of(function):
    """`(t, angle(hinge))`: what a function in the place of a formula is called with."""
    arguments = []
    for p in _parameters(function) or []:
        if p.kind not in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD):
            break
        if p.default is not p.empty and not isinstance(p.default, str):
            break
        arguments.append(p.name if p.default is p.empty else p.default)
    return f"({', '.join(arguments)})"


def _without_callables(value, path, functions):
    """The tree with each callable replaced by a formula that calls it, under a name that is added to `functions`."""
    if isinstance(value, dict):
        return {k: _without_callables(v, (*path, k), functions) for k, v in value.items()}
    if isinstance(value, list):
        return [_without_callables(v, (*path, str(i)), functions) for i, v in enumerate(value)]
    if not callable(value):
        return value
    name = getattr(value, "__name__", "")
    if not re.fullmatch(r"[A-Za-z]\w*", name) or not name.isascii():
        name = re.sub(r"[^A-Za-z0-9_]", "_", "_".join(path))
    base, number = name, 2
    while name in functions and functions[name][0] is not value:
        name, number = f"{base}_{number}", number + 1
    functions[name] = (value, *_arguments(value))
    return name + _call_of(value)


def _loaded(text, path, parameters):
    tree = _core.parse_yaml(text)
    model = Model.__new__(Model)
    model._start(tree if isinstance(tree, dict) else {}, path, text)
    if parameters:
        model.parameters.update(parameters)
    model._build()
    return model


def load(path, **parameters):
    """Reads and checks a model file; keywords set its parameters: load("pendulum.yaml", length=0.5)."""
    return _loaded(_core.read_file(os.fspath(path)), os.fspath(path), parameters)


def loads(text, **parameters):
    """The same for a text."""
    return _loaded(text, "model", parameters)
