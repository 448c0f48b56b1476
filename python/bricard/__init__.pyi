# SPDX-License-Identifier: Apache-2.0
from os import PathLike
from types import SimpleNamespace
from typing import Any, Callable, Iterator, Union

import numpy as np
from numpy.typing import NDArray

_Path = Union[str, PathLike[str]]
_Number = Union[float, str]  # a text is a formula, as in "25 mm"
_Array = NDArray[np.float64]

__version__: str

class ModelError(ValueError):
    faults: list[tuple[str, int, int, str]]

class FileError(OSError): ...

class RunError(RuntimeError):
    results: Results

class Section(dict[str, Any]):
    def __getattr__(self, key: str) -> Any: ...
    def __setattr__(self, key: str, value: Any) -> None: ...

class RunSection(Section):
    def __call__(
        self,
        *,
        duration: _Number = ...,
        step: _Number = ...,
        output_step: _Number = ...,
        integrator: str = ...,
        rtol: _Number = ...,
        start: str = ...,
        **settings: Any,
    ) -> Results: ...

class Model:
    functions: dict[str, Callable[..., float]]
    name: str
    description: str
    gravity: Any
    plane: Any
    include: Any
    repeat: Any
    units: Section
    parameters: Section
    tables: Section
    expressions: Section
    ground: Section
    materials: Section
    bodies: Section
    beams: Section
    frames: Section
    joints: Section
    curves: Section
    couplers: Section
    motions: Section
    forces: Section
    points: Section
    signals: Section
    inputs: Section
    states: Section
    variables: Section
    controllers: Section
    velocity_constraints: Section
    events: Section
    inactive: list[str]
    linearization: Section
    run: RunSection
    def __init__(self, **sections: Any) -> None: ...
    def __getattr__(self, name: str) -> Any: ...
    def copy(self) -> Model: ...
    @property
    def text(self) -> str: ...
    def save(self, path: _Path) -> None: ...
    def check(self) -> dict[str, Any]: ...
    def simulation(self, **settings: Any) -> Simulation: ...
    def linearize(self, point: str = "given", time: float | None = None, **settings: Any) -> Linearization: ...
    def modes(
        self,
        point: str = "given",
        time: float | None = None,
        count: int = 0,
        undamped: bool = False,
        shift: float = 0,
        **settings: Any,
    ) -> Modes: ...
    def static(self, sequence: bool = False, **settings: Any) -> Results: ...
    def kinematics(self, **settings: Any) -> Results: ...

class Linearization:
    A: _Array
    B: _Array
    C: _Array
    D: _Array
    mass: _Array
    damping: _Array
    stiffness: _Array
    states: list[str]
    states_units: list[str]
    inputs: list[str]
    inputs_units: list[str]
    outputs: list[str]
    outputs_units: list[str]
    about: str
    remarks: list[str]
    @property
    def eigenvalues(self) -> NDArray[np.complex128]: ...

class Modes:
    eigenvalues: NDArray[np.complex128]
    frequencies: _Array
    dampings: _Array
    labels: list[str]
    displacement: dict[str, NDArray[np.complex128]]
    rotation: dict[str, NDArray[np.complex128]]
    about: str
    results: Results
    def __len__(self) -> int: ...
    def view(self, path: _Path | None = None) -> None: ...
    def save(self, path: _Path) -> None: ...

class Simulation:
    @property
    def time(self) -> float: ...
    @property
    def is_over(self) -> bool: ...
    @property
    def names(self) -> list[str]: ...
    @property
    def inputs(self) -> list[str]: ...
    def step(self, n: int = 1) -> bool: ...
    def run_until(self, time: float) -> bool: ...
    def signal(self, name: str) -> Any: ...
    def __getitem__(self, name: str) -> Any: ...
    def __setitem__(self, input: str, value: float) -> None: ...
    def results(self) -> Results: ...

class Results:
    @property
    def time(self) -> _Array: ...
    @property
    def names(self) -> list[str]: ...
    @property
    def bodies(self) -> dict[str, SimpleNamespace]: ...
    @property
    def joints(self) -> dict[str, SimpleNamespace]: ...
    @property
    def beams(self) -> dict[str, SimpleNamespace]: ...
    @property
    def certificate(self) -> dict[str, Any]: ...
    @property
    def finished(self) -> bool: ...
    @property
    def message(self) -> str: ...
    @property
    def verdict(self) -> str: ...
    @property
    def doubts(self) -> list[str]: ...
    @property
    def events(self) -> list[dict[str, Any]]: ...
    @property
    def model_text(self) -> str: ...
    def __getitem__(self, name: str) -> _Array: ...
    def __contains__(self, name: object) -> bool: ...
    def __iter__(self) -> Iterator[str]: ...
    def __len__(self) -> int: ...
    def unit(self, name: str) -> Union[str, list[str]]: ...
    def plot(self, *names: str, ax: Any = None, **options: Any) -> Any: ...
    def view(self, path: _Path | None = None) -> None: ...
    def save(self, path: _Path) -> None: ...
    def save_csv(self, path: _Path) -> None: ...

def load(path: _Path, **parameters: _Number) -> Model: ...
def loads(text: str, **parameters: _Number) -> Model: ...
def read(path: _Path) -> Results: ...
