"""Tile IR from Python: check, format, encode and run programs, on the CPU and without a GPU.

>>> import numpy as np, tile_ir
>>> program = tile_ir.load("saxpy.tile")
>>> x, y = np.random.rand(2, 10_000).astype(np.float32)
>>> program["saxpy"][10, 1, 1](x, y, 0.5, 10_000)

`load`, `loads` and `from_bytecode` return a `Program`, whose entries are `Kernel` objects. A launch changes arrays in
place. Undefined behavior raises `Finding`.
"""

from ._dataflow import Access, Accesses, Graph
from ._diagnostics import (
    Diagnostic,
    Diagnostics,
    Edit,
    Finding,
    Fix,
    Label,
    Place,
    ProgramError,
    TileError,
    WorkerError,
    explain,
)
from ._isolated import isolate
from ._kernel import Kernel, Launcher, Parameter
from ._native import __version__
from ._program import Program, format, from_bytecode, load, loads
from ._report import OpCost, Report, Traced

__all__ = [
    "Access",
    "Accesses",
    "Diagnostic",
    "Diagnostics",
    "Edit",
    "Finding",
    "Fix",
    "Graph",
    "Kernel",
    "Label",
    "Launcher",
    "OpCost",
    "Parameter",
    "Place",
    "Program",
    "ProgramError",
    "Report",
    "TileError",
    "Traced",
    "WorkerError",
    "__version__",
    "explain",
    "format",
    "from_bytecode",
    "isolate",
    "load",
    "loads",
]
