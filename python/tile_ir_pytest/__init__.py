"""The plugin of pytest: `pytest --cutile-cpu` runs cuTile's kernels on the CPU.

A package of its own, so that other runs of pytest do not import `tile_ir`.
"""

from __future__ import annotations

import contextlib

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("cutile", "cuTile Python on the CPU")
    group.addoption("--cutile-cpu", action="store_true", help="run cuTile's kernels on the CPU, without a GPU")
    group.addoption("--cutile-sanitize", action="store_true", help="with --cutile-cpu: check for undefined behavior")
    group.addoption("--cutile-timeout", type=float, metavar="SECONDS", help="with --cutile-cpu: time limit of a launch")
    group.addoption("--cutile-gpu", default="sm_100", metavar="GPU", help="GPU whose limits are checked [sm_100]")


#: What `--cutile-cpu` has activated.
_active = contextlib.ExitStack()


# Before the conftest files of the tests, which may import cuTile and ask for the GPU.
@pytest.hookimpl(tryfirst=True)
def pytest_load_initial_conftests(early_config: pytest.Config) -> None:
    options = early_config.known_args_namespace
    if not options.cutile_cpu:
        return
    from tile_ir.cutile import cpu

    # Workers of pytest-xdist and processes that tests start do the same.
    settings = cpu(
        sanitize=options.cutile_sanitize,
        timeout=options.cutile_timeout,
        gpu=options.cutile_gpu,
        subprocesses=True,
    )
    try:
        _active.enter_context(settings)
    except (ImportError, RuntimeError, ValueError) as error:
        raise pytest.UsageError(f"--cutile-cpu: {error}") from error


def pytest_unconfigure() -> None:
    _active.close()
