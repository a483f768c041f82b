"""Data flow graphs, and accesses to memory."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from . import _native
from ._arrays import Argument
from ._diagnostics import Place


class Graph:
    """The data flow of a kernel between memory and tiles. `str()` is its text; a notebook shows the image."""

    def __init__(
        self,
        program: _native.Program,
        entry: str,
        grid: tuple[int, int, int] | None,
        arguments: Sequence[Argument],
    ) -> None:
        self._entry = entry
        self._inputs = (program, entry, grid, arguments)

    @cached_property
    def svg(self) -> str:
        """The image. Raises `ValueError` if the graph is too large for one."""
        return self._in("svg")

    @cached_property
    def dot(self) -> str:
        """The input of Graphviz."""
        return self._in("dot")

    @cached_property
    def json(self) -> Any:
        """The nodes, edges and access maps, as `tile graph --json` prints them."""
        return json.loads(self._in("json"))

    def __str__(self) -> str:
        return self._in("text").rstrip("\n")

    def __repr__(self) -> str:
        return f"<tile_ir.Graph of @{self._entry}>"

    def _repr_svg_(self) -> str | None:
        try:
            return self.svg
        except ValueError:
            # The notebook shows the text instead.
            return None

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        printer.text(str(self))

    def _in(self, format: str) -> str:
        program, entry, grid, arguments = self._inputs
        return _native.graph(program, entry, format, grid, arguments)


@dataclass(frozen=True)
class Access:
    """An access to memory. A notebook shows its description."""

    place: Place
    #: The name of the op, such as `load_view_tko`.
    op: str
    #: `read`, `write` or `update`, which does both atomically.
    direction: str
    #: The memory: the name of a parameter, such as `%x`, or of a global; a description if it is not known.
    memory: str
    #: The type of the elements.
    element: str
    #: The shape of the tile that is read or written.
    tile: tuple[int, ...]
    #: The coordinates of an element in the view or the memory, one formula for each dimension; `None` if they are
    #: unknown. `e0` is the element's position along the first dimension of the tile.
    coordinates: tuple[str, ...] | None
    #: The access map in words and a table, in Markdown.
    description: str

    def __str__(self) -> str:
        return f"{self.place}: {self.op}\n\n{self.description}"

    def _repr_markdown_(self) -> str:
        return f"`{self.op}`, line {self.place.line}: {self.description}"

    @staticmethod
    def _of(text: str) -> Access:
        found = json.loads(text)
        coordinates = found["coordinates"]
        return Access(
            Place._of(found["place"]),
            found["op"],
            found["direction"],
            found["memory"],
            found["element"],
            tuple(found["tile"]),
            None if coordinates is None else tuple(coordinates),
            found["description"],
        )


class Accesses(list[Access]):
    """A list of accesses. `str()` describes them; a notebook shows the descriptions."""

    def __str__(self) -> str:
        return "\n\n".join(map(str, self))

    def _repr_markdown_(self) -> str:
        return "\n\n".join(access._repr_markdown_() for access in self)
