"""Launches of cuTile's kernels on the CPU engine."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from datetime import timedelta
from typing import Any

from .. import _native
from .._arrays import DTYPES, is_array
from .._diagnostics import Finding
from .._kernel import Kernel, extents
from .._report import Report
from ._compile import compile, signature
from ._device_arrays import DeviceArray, device_array
from ._settings import Settings

#: The greatest extent of a grid, as in cuTile.
MAX_EXTENT = (1 << 24) - 1

#: A note about two accesses of a tile block without order, which cuTile would order if they were to one array.
ALIASES = "cuTile assumes that the arrays of a launch do not share memory"

#: The element type in Tile IR for each data type.
ELEMENTS = {dtype: element for element, dtypes in reversed(DTYPES.items()) for dtype in dtypes if element != "tf32"}


def launch(settings: Settings, stream: Any, grid: Any, kernel: Any, arguments: Any) -> Report:
    """Runs a kernel of cuTile. The parameters are those of `cuda.tile.launch`; the stream is only checked."""
    if stream is None:
        raise TypeError("Stream is required, got None")
    checked = checked_grid(grid)
    if not isinstance(arguments, tuple):
        raise TypeError(f"Kernel arguments must be a tuple, not {type(arguments).__name__}")
    values = described(kernel, arguments)
    found = signature(kernel, values)
    program = compile(kernel, found, settings.gpu)
    program._raise_errors()
    [entry] = program.values()
    passed = [value for pair in zip(found.parameters, values) for value in flattened(*pair)]
    options = _native.Options(
        sanitize=settings.sanitize,
        schedule=settings.schedule,
        timeout=None if settings.timeout is None else timedelta(seconds=settings.timeout),
        threads=settings.threads,
        trace=traced_values(entry, kernel, settings.trace),
        profile=settings.profile,
    )
    try:
        # `arguments` keeps the memory of the arrays alive.
        return entry._launch(checked, passed, options)
    except Finding as finding:
        adapt(finding)
        raise
    finally:
        # Like the text that kernels print on a GPU, it is not kept in a buffer of Python.
        sys.stdout.flush()


def traced_values(entry: Kernel, kernel: Any, lines: Sequence[str | int]) -> list[str]:
    """The names of the values that are computed on lines: `12` in the kernel's file, or `path.py:12`."""
    own = kernel._pyfunc.__code__.co_filename if hasattr(kernel, "_pyfunc") else ""
    names: list[str] = []
    for place in lines:
        path, _, line = f"{place}".rpartition(":")
        names += entry._native.values_on_line(entry.name, path or own, int(line))
    return names


def adapt(finding: Finding) -> None:
    """Prints the message of a failed assertion, as a GPU does, and describes missing order in the terms of cuTile."""
    if finding.name == "assertion-failed":
        print(finding.message)
    if finding.name == "unordered-accesses":
        # Tokens are not visible in cuTile.
        finding.notes = (*(note for note in finding.notes if "token" not in note), ALIASES)


def checked_grid(grid: Any) -> tuple[int, int, int]:
    """The grid as three extents."""
    if not isinstance(grid, tuple):
        raise TypeError("Grid must be a tuple")
    for dimension, extent in enumerate(grid):
        if isinstance(extent, int) and extent > MAX_EXTENT:
            raise ValueError(
                f"Grid[{dimension}] exceeds 24-bit limit: max={MAX_EXTENT}, got={extent}. "
                "Use multiple kernel launches for larger workloads."
            )
    # Missing extents are 1, as in cuTile.
    return extents(grid or (1,), "grid")


def parameter_names(kernel: Any, count: int) -> list[str]:
    """The names of a kernel's parameters, for messages."""
    import inspect

    try:
        names = list(inspect.signature(kernel._pyfunc).parameters)
    except (AttributeError, TypeError, ValueError):
        names = []
    return names[:count] + [f"argument {number}" for number in range(len(names), count)]


def described(kernel: Any, arguments: tuple[Any, ...]) -> tuple[Any, ...]:
    """The arguments of a launch, in which `DeviceArray`s replace arrays."""
    names = parameter_names(kernel, len(arguments))
    return tuple(described_argument(name, value) for name, value in zip(names, arguments))


def described_argument(name: str, value: Any) -> Any:
    """An argument in which `DeviceArray`s replace arrays."""
    if isinstance(value, list):
        return [described_argument(f"{name}[{index}]", item) for index, item in enumerate(value)]
    if type(value) is tuple:
        return tuple(described_argument(f"{name}[{index}]", item) for index, item in enumerate(value))
    if isinstance(value, DeviceArray):
        return value
    if is_array(value):
        try:
            return device_array(name, value)
        except (ValueError, BufferError, RuntimeError) as error:
            raise TypeError(f"argument {name}: the array cannot be used: {error}") from error
    return value


def flattened(constraint: Any, value: Any) -> Iterator[Any]:
    """The arguments of the entry for an argument of the kernel, by cuTile's calling convention."""
    kind = type(constraint).__name__
    if kind == "ConstantConstraint":
        return
    if kind == "ScalarConstraint":
        yield value
    elif kind == "ArrayConstraint":
        yield native_array(value)
        yield from value.memory.shape
        yield from value.memory.strides
    elif kind == "ListConstraint":
        yield _native.Words(f"{parent(value)}", [word for item in value for word in words(item)])
        yield len(value)
    elif kind == "TupleConstraint":
        for pair in zip(constraint.items, value):
            yield from flattened(*pair)
    else:
        raise NotImplementedError(f"a parameter with a {kind} cannot be passed to a kernel on the CPU")


def words(item: DeviceArray) -> Iterator[Any]:
    """The words of an array in a list: its pointer, shape and strides."""
    yield native_array(item)
    yield from item.memory.shape
    yield from item.memory.strides


def parent(items: Sequence[DeviceArray]) -> str:
    """The name of a list."""
    return items[0].name.rpartition("[")[0]


def native_array(value: DeviceArray) -> _native.Array:
    """The memory of an array for the engine."""
    address, size = value.memory.extent
    return _native.Array(value.name, ELEMENTS[value.memory.dtype], address, size, value.memory.is_writable)
