"""Kernels: the entries of a program, and their launches."""

from __future__ import annotations

import operator
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from . import _native
from ._arrays import Argument, argument
from ._dataflow import Access, Accesses, Graph
from ._isolated import is_isolated, launch_isolated
from ._report import Report

if TYPE_CHECKING:
    from ._program import Program


@dataclass(frozen=True)
class Parameter:
    """A parameter of a kernel."""

    #: The name, without `%`.
    name: str
    #: The type in Tile IR, such as `tile<ptr<f32>>`.
    type: str
    #: Whether it takes an array.
    is_pointer: bool
    #: The type of the number or of the elements of the array, such as `f32`.
    element: str


class Kernel:
    """An entry of a program. `kernel[grid](*arguments)` launches it."""

    def __init__(self, program: Program, native: _native.Program, entry: _native.Entry) -> None:
        self._program = program
        self._native = native
        #: The name, without `@`.
        self.name = entry.name
        self.parameters = tuple(
            Parameter(parameter.name, parameter.type, parameter.is_pointer, parameter.element)
            for parameter in entry.parameters
        )

    @property
    def program(self) -> Program:
        """The program that has this entry."""
        return self._program

    def __getitem__(self, grid: int | Sequence[int]) -> Launcher:
        """A launcher for a grid of up to three extents: the numbers of tile blocks along x, y and z."""
        return Launcher(self, grid)

    def run(
        self,
        grid: int | Sequence[int],
        *arguments: Any,
        sanitize: bool = False,
        schedule: int | None = None,
        timeout: float | None = None,
        threads: int | None = None,
        trace: str | Sequence[str] = (),
        block: int | Sequence[int] | None = None,
        profile: bool = False,
        isolated: bool | None = None,
    ) -> Report:
        """Launches the kernel and waits for it.

        For a pointer, pass an array of its element type: anything with the buffer protocol, `__array_interface__` or
        DLPack on the CPU. The kernel reads and writes it in place. For a number, pass a number.

        `sanitize` checks for undefined behavior, such as races and unspecified elements, and takes longer. `schedule`
        is a seed that selects another allowed order of tile blocks and memory accesses. `timeout` is a limit in
        seconds. `threads` is the number of threads, by default one for each core. `trace` are names of values, such as
        `"%a"`, which are recorded whenever they are computed, in `block` only if it is given. `profile` measures the
        time and bytes of each op.

        With `isolated`, a separate process runs the kernel on copies of the arrays, so that a crash of the engine is an
        exception. By default, the kernel runs in this process, in microseconds and without copies: the engine is
        memory-safe, checks every access of the kernel, and converts its own errors to exceptions. `isolate` changes
        the default.

        Raises `TypeError` or `ValueError` for an argument or option that does not fit, `ProgramError` if the program
        has errors, `Finding` for undefined behavior, a failed assertion or a launch that takes too long,
        `KeyboardInterrupt` when the user presses Ctrl-C, and `WorkerError` if the process of an isolated launch ends
        early. Arrays can then be partly written; those of an isolated launch are unchanged after the last two.
        """
        given = self._arguments(arguments)
        options = _native.Options(
            sanitize=sanitize,
            schedule=schedule,
            timeout=None if timeout is None else timedelta(seconds=timeout),
            threads=threads,
            trace=[trace] if isinstance(trace, str) else list(trace),
            block=None if block is None else extents(block, "block"),
            profile=profile,
        )
        # `arguments` keeps the memory of the arrays alive.
        return self._launch(extents(grid, "grid"), given, options, isolated)

    def _launch(
        self,
        grid: tuple[int, int, int],
        arguments: Sequence[Argument],
        options: _native.Options,
        isolated: bool | None = None,
    ) -> Report:
        output: list[str] = []

        def printed(text: str) -> None:
            output.append(text)
            sys.stdout.write(text)

        launch = launch_isolated if is_isolated(isolated) else _native.launch
        report = launch(self._native, self.name, grid, arguments, options, printed)
        return Report._of(self, report, "".join(output))

    def graph(self, grid: int | Sequence[int] | None = None, *arguments: Any) -> Graph:
        """The data flow between memory and tiles.

        With the grid and the arguments of a launch, whose arrays are not read, the graph has the launch's numbers of
        iterations, accesses and bytes. Raises `ProgramError` if the program has errors, and `TypeError` or `ValueError`
        for an argument that does not fit.
        """
        return Graph(self._native, self.name, *self._launched(grid, arguments))

    def accesses(self, grid: int | Sequence[int] | None = None, *arguments: Any) -> Accesses:
        """The loads, stores and atomic ops of the kernel, in the order of the text, each with its access map.

        With the grid and the arguments of a launch, whose arrays are not read, the descriptions have the launch's
        numbers. Raises the same exceptions as `graph`.
        """
        found = _native.accesses(self._native, self.name, *self._launched(grid, arguments))
        return Accesses(map(Access._of, found))

    def _launched(
        self, grid: int | Sequence[int] | None, arguments: tuple[Any, ...]
    ) -> tuple[tuple[int, int, int] | None, list[Argument]]:
        if grid is not None:
            return extents(grid, "grid"), self._arguments(arguments)
        self._program._raise_errors()
        return None, []

    def _arguments(self, arguments: tuple[Any, ...]) -> list[Argument]:
        self._program._raise_errors()
        if len(arguments) != len(self.parameters):
            names = ", ".join(parameter.name for parameter in self.parameters) or "none"
            raise TypeError(f"@{self.name} takes {len(self.parameters)} arguments ({names}), not {len(arguments)}")
        return [argument(self.name, parameter, value) for parameter, value in zip(self.parameters, arguments)]

    def __repr__(self) -> str:
        parameters = ", ".join(f"{parameter.name}: {parameter.type}" for parameter in self.parameters)
        return f"<tile_ir.Kernel @{self.name}({parameters})>"


class Launcher:
    """A kernel with a grid. Calling it launches the kernel."""

    def __init__(self, kernel: Kernel, grid: int | Sequence[int]) -> None:
        self.kernel = kernel
        self.grid = extents(grid, "grid")

    def __call__(
        self,
        *arguments: Any,
        sanitize: bool = False,
        schedule: int | None = None,
        timeout: float | None = None,
        threads: int | None = None,
        isolated: bool | None = None,
    ) -> None:
        """Launches the kernel and waits for it. `Kernel.run` describes the options, and returns a report."""
        self.kernel.run(
            self.grid,
            *arguments,
            sanitize=sanitize,
            schedule=schedule,
            timeout=timeout,
            threads=threads,
            isolated=isolated,
        )


def extents(given: int | Sequence[int], what: str) -> tuple[int, int, int]:
    """Three extents or coordinates from one to three numbers. Missing ones are 1 for a grid, 0 for a block."""
    numbers = tuple(given) if isinstance(given, Sequence) else (given,)
    if not 1 <= len(numbers) <= 3:
        raise ValueError(f"the {what} has {len(numbers)} numbers, but it must have one to three")
    least = 1 if what == "grid" else 0
    x, y, z = (operator.index(number) for number in numbers + (least,) * (3 - len(numbers)))
    if any(not least <= number < 1 << 32 for number in (x, y, z)):
        raise ValueError(f"the {what} {numbers} must consist of numbers from {least} to {(1 << 32) - 1}")
    return x, y, z
