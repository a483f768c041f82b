"""Tuning on the CPU: the first valid configuration wins, because times on the CPU say nothing about a GPU."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Sequence
from typing import Any

from ._launch import launch
from ._settings import Settings


def exhaustive_search(
    settings: Settings,
    search_space: Sequence[Any],
    stream: Any,
    grid_fn: Callable[[Any], tuple[int, ...]],
    kernel: Any,
    args_fn: Callable[[Any], tuple[Any, ...]],
    hints_fn: Callable[[Any], dict[str, Any]] | None = None,
    **_: Any,
) -> Any:
    """The result of `cuda.tile.tune.exhaustive_search` after the first configuration that runs."""
    tile, tune = importlib.import_module("cuda.tile"), importlib.import_module("cuda.tile.tune")
    if not search_space:
        raise ValueError("Search space is empty.")
    failures: list[tuple[Any, type[BaseException], str]] = []
    for config in search_space:
        base = kernel if isinstance(kernel, tile.kernel) else kernel(config)
        hinted = base.replace_hints(**(hints_fn(config) if hints_fn is not None else {}))
        try:
            report = launch(settings, stream, grid_fn(config), hinted, args_fn(config))
        except Exception as error:
            failures.append((config, type(error), str(error)))
            continue
        best = tune.Measurement(config=config, mean_us=report.seconds * 1e6, num_samples=1, error_margin_us=0.0)
        return tune.TuningResult(best=best, successes=[best], failures=failures)
    raise ValueError(f"No valid config found in search space of {len(search_space)}: {failures[0][2]}")
