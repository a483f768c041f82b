"""cuTile Python on the CPU, without a GPU.

cuTile's own compiler makes the bytecode of a kernel, which needs no GPU, and the CPU engine runs it, on arrays of NumPy
or PyTorch in the place of arrays on a GPU. Scripts do not change:

    python -m tile_ir.cutile --sanitize script.py

or in a program and in tests:

    with tile_ir.cutile.cpu(sanitize=True):
        ct.launch(torch.cuda.current_stream(), grid, kernel, (x, y))

    pytest --cutile-cpu

Findings, printed values, traces and profiles refer to lines of the Python file.
"""

from __future__ import annotations

import atexit
import contextlib
import functools
import importlib
import importlib.util
import os
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from . import _driver, _subprocesses
from ._imports import when_imported
from ._launch import described
from ._launch import launch as _launch
from ._patches import Patches, unsupported
from ._settings import Settings
from ._tune import exhaustive_search

if TYPE_CHECKING:
    from .._report import Report

__all__ = ["cpu"]


@contextlib.contextmanager
def cpu(
    *,
    sanitize: bool = False,
    schedule: int | None = None,
    timeout: float | None = None,
    threads: int | None = None,
    trace: Sequence[str | int] = (),
    profile: bool = False,
    gpu: str = "sm_100",
    on_report: Callable[[Report], None] | None = None,
    subprocesses: bool = False,
) -> Iterator[None]:
    """Runs the kernels of cuTile on the CPU within a `with` statement.

    `cuda.tile.launch` runs kernels on the CPU engine, and has ended when it returns. Tuning takes the first valid
    configuration. The device `cuda` of PyTorch is the CPU, and its streams and events have no effect; `import cupy`
    gives a stand-in based on NumPy if CuPy is not installed.

    `sanitize`, `schedule`, `timeout`, `threads` and `profile` are those of `tile_ir.Kernel.run`. `trace` are lines whose
    values are recorded: numbers of lines in the file of the kernel, or `"path.py:12"`. `gpu` is the GPU whose limits cuTile's compiler checks. `on_report` is called with the report of each launch. With `subprocesses`,
    the same holds in Python processes that the program starts.

    Raises `ImportError` if cuTile is not installed, and `RuntimeError` if its version is not supported. Launches raise
    what `cuda.tile.launch` raises for wrong arguments, and `tile_ir.Finding` for undefined behavior.
    """
    settings = Settings(sanitize, schedule, timeout, threads, profile, tuple(trace), gpu, on_report)
    require_cutile()
    _driver.install(settings.capability)
    with contextlib.ExitStack() as active:
        _activate(active, settings)
        if subprocesses:
            _set_environment(active, _subprocesses.environment(settings))
        yield


def require_cutile() -> None:
    """Raises `ImportError` if cuTile is not installed."""
    try:
        found = importlib.util.find_spec("cuda.tile")
    except ModuleNotFoundError:
        found = None
    if found is None:
        raise ImportError("cuTile Python is not installed: run `pip install cuda-tile`")


def _activate(active: contextlib.ExitStack, settings: Settings) -> None:
    """Replaces functions until `active` is closed."""
    patches = Patches()
    active.callback(patches.undo)
    _replace_launches(patches, settings)
    if importlib.util.find_spec("cupy") is None:
        from ._cupy import CuPy

        module = CuPy()
        patches.module("cupy", module)
        patches.module("cupy.cuda", module.cuda)

    def with_torch() -> None:
        from . import _torch

        active.enter_context(_torch.activate(patches, settings))

    # Scripts without PyTorch do not wait for its import.
    active.callback(when_imported("torch", with_torch))

    def with_jax() -> None:
        patches.replace(importlib.import_module("cuda.tile.jax"), "cutile_call", unsupported("launches from JAX"))

    active.callback(when_imported("cuda.tile.jax", with_jax))


def _replace_launches(patches: Patches, settings: Settings) -> None:
    # While `cuda.tile` is being imported, it is not yet an attribute of `cuda`.
    tile, tune = importlib.import_module("cuda.tile"), importlib.import_module("cuda.tile.tune")
    KernelSignature = importlib.import_module("cuda.tile.compilation").KernelSignature

    def launch(stream: Any, grid: Any, kernel: Any, kernel_args: Any, /, **options: Any) -> None:
        """Runs a kernel on the CPU."""
        # Launches run one after another, so dependent launches need no overlap.
        unknown = options.keys() - {"programmatic_dependent_launch"}
        if unknown:
            raise TypeError(f"launch() got an unexpected keyword argument {sorted(unknown)[0]!r}")
        report = _launch(settings, stream, grid, kernel, kernel_args)
        if settings.on_report is not None:
            settings.on_report(report)

    original = KernelSignature.from_kernel_args

    @functools.wraps(original)
    def from_kernel_args(kernel: Any, kernel_args: Sequence[Any], *args: Any, **options: Any) -> Any:
        return original(kernel, described(kernel, tuple(kernel_args)), *args, **options)

    patches.replace_everywhere(tile, "launch", launch)
    patches.replace(KernelSignature, "from_kernel_args", staticmethod(from_kernel_args))
    search = functools.partial(exhaustive_search, settings)
    patches.replace_everywhere(tune, "exhaustive_search", search)


def _set_environment(active: contextlib.ExitStack, variables: dict[str, str]) -> None:
    for name, value in variables.items():
        before = os.environ.get(name)
        os.environ[name] = value
        if before is None:
            active.callback(os.environ.pop, name, None)
        else:
            active.callback(os.environ.__setitem__, name, before)


def _inherit() -> None:
    """Activates the settings of the parent process when cuTile is imported."""
    settings = _subprocesses.inherited()
    if settings is None:
        return
    active = contextlib.ExitStack()
    atexit.register(active.close)

    def activate() -> None:
        _driver.install(settings.capability)
        _activate(active, settings)

    when_imported("cuda.tile", activate)
