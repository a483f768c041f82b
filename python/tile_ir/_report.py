"""Reports of launches."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from ._diagnostics import Finding, Place
from ._html import report_html, table

if TYPE_CHECKING:
    from ._kernel import Kernel

#: The data type of NumPy for the elements of each type that it has. `ml_dtypes` has the others.
NUMPY = {
    "i1": "?",
    "i4": "i1",
    "i8": "i1",
    "i16": "i2",
    "i32": "i4",
    "i64": "i8",
    "f16": "f2",
    "tf32": "f4",
    "f32": "f4",
    "f64": "f8",
}

#: The names in `ml_dtypes` of the other types.
NARROW = {
    "bf16": "bfloat16",
    "f8E4M3FN": "float8_e4m3fn",
    "f8E5M2": "float8_e5m2",
    "f8E8M0FNU": "float8_e8m0fnu",
    "f4E2M1FN": "float4_e2m1fn",
}


@dataclass(frozen=True)
class OpCost:
    """What an op cost in all tile blocks together."""

    #: The name, such as `load_view_tko`.
    op: str
    place: Place
    #: How often it ran.
    runs: int
    #: The time without the ops in its regions, in seconds.
    seconds: float
    #: The number of bytes read from memory, and written to memory.
    read: int
    written: int


@dataclass(frozen=True)
class Traced:
    """A value when it was computed."""

    #: The name, with `%`, and its type.
    name: str
    type: str
    #: Where it is defined.
    place: Place
    #: The tile block, and the iterations of the enclosing loops, outermost first, counted from 0.
    block: tuple[int, int, int]
    iterations: tuple[int, ...]
    #: The elements as text.
    text: str
    #: The elements; `None` for views and tokens. Pointers are addresses. Without `ml_dtypes`, narrow floats are their
    #: bits.
    value: np.ndarray | None = field(compare=False)

    def __str__(self) -> str:
        iterations = f", iteration {'/'.join(map(str, self.iterations))}" if self.iterations else ""
        return f"{self.name} at {self.place} in block {self.block}{iterations}: {self.type} {self.text}"

    @staticmethod
    def _of(found: dict[str, Any]) -> Traced:
        contents = found["contents"]
        value = None if contents is None else np.frombuffer(contents, dtype(found["element"])).reshape(found["shape"])
        x, y, z = found["block"]
        place = Place._of(json.loads(found["place"]))
        iterations = tuple(found["iterations"])
        return Traced(found["name"], found["type"], place, (x, y, z), iterations, found["text"], value)


@dataclass(frozen=True)
class Report:
    """What a launch did. A notebook shows it as a table."""

    #: The name of the kernel.
    kernel: str
    #: The printed text.
    output: str
    #: The time that the kernel ran, in seconds.
    seconds: float
    #: The number of tile blocks, and of ops in all of them.
    blocks: int
    ops: int
    #: The traced values, in the order of the grid.
    trace: tuple[Traced, ...]
    #: The cost of each op in the order of the text, if it was measured.
    profile: tuple[OpCost, ...]

    def table(self) -> str:
        """The profile as text, most expensive op first."""
        return table(self)

    def _repr_html_(self) -> str:
        return report_html(self)

    @staticmethod
    def _of(kernel: Kernel, found: dict[str, Any], output: str) -> Report:
        if found["finding"] is not None:
            raise Finding._of(found["finding"], {kernel.program.path: kernel.program.text})
        profile = tuple(
            OpCost(cost["op"], Place._of(cost["place"]), cost["runs"], cost["seconds"], cost["read"], cost["written"])
            for cost in json.loads(found["profile"])
        )
        trace = tuple(Traced._of(traced) for traced in found["trace"])
        return Report(kernel.name, output, found["seconds"], found["blocks"], found["ops"], trace, profile)


def dtype(element: str) -> np.dtype[Any]:
    """The data type of NumPy for an element type."""
    if element in NUMPY:
        return np.dtype(NUMPY[element])
    try:
        import ml_dtypes  # type: ignore[import-not-found, unused-ignore]
    except ImportError:
        return np.dtype("u2" if element == "bf16" else "u1")
    narrow: np.dtype[Any] = np.dtype(getattr(ml_dtypes, NARROW[element]))
    return narrow
