"""`python -m tile_ir.cutile`: runs a script with cuTile's kernels on the CPU."""

from __future__ import annotations

import argparse
import runpy
import sys
from pathlib import Path

from .. import TileError
from . import cpu, require_cutile


def main(arguments: list[str] | None = None) -> int:
    """Runs the command. The exit status is 1 after a finding, otherwise that of the script."""
    parser = argparse.ArgumentParser(
        prog="python -m tile_ir.cutile", description="Run a script with cuTile's kernels on the CPU, without a GPU."
    )
    parser.add_argument("--sanitize", action="store_true", help="check for undefined behavior, such as races")
    parser.add_argument("--schedule", type=int, metavar="SEED", help="run tile blocks in another allowed order")
    parser.add_argument("--timeout", type=float, metavar="SECONDS", help="time limit for each launch")
    parser.add_argument("--threads", type=int, help="number of threads [default: one for each core]")
    parser.add_argument("--profile", action="store_true", help="print a table of the costs of each launch")
    parser.add_argument("--gpu", default="sm_100", help="GPU whose limits are checked [default: sm_100]")
    parser.add_argument("-m", dest="module", action="store_true", help="the script is the name of a module")
    parser.add_argument("script", help="script to run")
    parser.add_argument("arguments", nargs=argparse.REMAINDER, help="arguments of the script")
    given = parser.parse_args(arguments)
    try:
        require_cutile()
    except ImportError as error:
        parser.exit(2, f"error: {error}\n")
    if not given.module and not Path(given.script).is_file():
        parser.exit(2, f"error: file `{given.script}` not found\n")
    options = {name: getattr(given, name) for name in ("sanitize", "schedule", "timeout", "threads", "profile", "gpu")}
    sys.argv = [given.script, *given.arguments]
    with cpu(**options, on_report=print_profile if given.profile else None, subprocesses=True):
        try:
            run(given.script, given.module)
        except TileError as error:
            sys.stdout.flush()
            print(error, file=sys.stderr)
            return 1
    return 0


def run(script: str, is_module: bool) -> None:
    """Runs a script or a module as `__main__`."""
    if is_module:
        runpy.run_module(script, run_name="__main__", alter_sys=True)
    else:
        # The folder of the script comes first, as for `python SCRIPT`.
        sys.path.insert(0, str(Path(script).resolve().parent))
        runpy.run_path(script, run_name="__main__")


def print_profile(report: object) -> None:
    """Prints the table of a report."""
    print(f"{report.table()}\n", file=sys.stderr)  # type: ignore[attr-defined]


if __name__ == "__main__":
    sys.exit(main())
