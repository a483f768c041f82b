#!/usr/bin/env python3
"""Counts what the programs cost, and compares the counts with those in `values.json`.

    tests/budgets/run.py PROGRAM [--only PATTERN] [--accept REASON [PATTERN…]]

`.ci/budgets` builds the programs and calls this. README.md describes the table.
"""

from __future__ import annotations

import argparse
import fnmatch
import os
import platform
import queue
import shutil
import subprocess
import sys
import tempfile
import threading
import time
import traceback
from pathlib import Path

import counting
import scenarios
import table
from scenarios import Programs, Rows, Scenario

VALUES = Path(__file__).parent / "values.json"


def output(*command: str) -> str:
    try:
        return subprocess.run(command, check=True, capture_output=True, text=True, cwd=scenarios.ROOT).stdout.strip()
    except (OSError, subprocess.CalledProcessError) as error:
        return f"unknown ({error})"


def machine(python: Path | None) -> dict[str, str]:
    """What the counts depend on."""
    found = {
        "rustc": output("rustc", "--version"),
        "valgrind": output("valgrind", "--version"),
        "libc": os.confstr("CS_GNU_LIBC_VERSION") or "unknown",
        # Valgrind announces AVX2 to programs, but not AVX-512, if the processor has it.
        "processor": platform.machine() + (" with AVX2" if " avx2 " in Path("/proc/cpuinfo").read_text() else ""),
    }
    if python:
        found["python"] = output(str(python), "-c", "import sys; print('%d.%d' % sys.version_info[:2])")
    return found


def measure(base: Path, wanted: list[Scenario], jobs: int, is_verbose: bool) -> tuple[Rows, list[str], set[str]]:
    """Runs the scenarios, one on each core, the longest first. Returns the rows, what failed, and the scenarios that
    failed."""
    todo: queue.SimpleQueue[tuple[int, Scenario]] = queue.SimpleQueue()
    for numbered in sorted(enumerate(wanted), key=lambda item: -item[1].weight):
        todo.put(numbered)
    rows: Rows = {}
    failures: list[str] = []
    failed: set[str] = set()

    def work(core: int) -> None:
        counting.schedule(core)
        while True:
            try:
                number, scenario = todo.get_nowait()
            except queue.Empty:
                return
            began = time.monotonic()
            try:
                rows.update(scenario.run(base, number))
            except (counting.Failed, OSError, subprocess.SubprocessError) as error:
                failures.append(f"{scenario.name}: {error}")
                failed.add(scenario.name)
            except Exception:
                failures.append(f"{scenario.name}: {traceback.format_exc()}")
                failed.add(scenario.name)
            if is_verbose:
                print(f"{time.monotonic() - began:6.1f} s  {scenario.name}", flush=True)

    cores = sorted(os.sched_getaffinity(0))
    threads = [threading.Thread(target=work, args=(cores[job % len(cores)],)) for job in range(jobs or len(cores))]
    for thread in threads:
        thread.start()
    for thread in threads:
        while thread.is_alive():
            thread.join(1)
            counting.Process.kill_late()
    return rows, failures, failed


def matches(name: str, patterns: list[str]) -> bool:
    return any(fnmatch.fnmatch(name, pattern) or pattern in name for pattern in patterns)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tile", type=Path, metavar="PROGRAM", help="the program `tile`")
    parser.add_argument("--kernels", type=Path, help="the program `count-kernels`")
    parser.add_argument("--playground", type=Path, help="the program `count-playground`")
    parser.add_argument("--module", type=Path, help="the native module of the Python package")
    parser.add_argument("--python", type=Path, help="a Python with NumPy")
    parser.add_argument("--only", action="append", default=[], metavar="PATTERN", help="run only these scenarios")
    parser.add_argument("--list", action="store_true", help="list the scenarios")
    parser.add_argument("--jobs", type=int, default=0, help="how many to run at once [default: one for each core]")
    parser.add_argument("--values", type=Path, default=VALUES, help="the table [default: values.json]")
    parser.add_argument("--accept", nargs="+", metavar=("REASON", "PATTERN"),
                        help="write the new costs of rows outside of their limits, or of these rows")
    parser.add_argument("--verbose", action="store_true", help="print how long each scenario took")
    arguments = parser.parse_args()

    programs = Programs(arguments.tile, arguments.kernels, arguments.playground, arguments.python, arguments.module)
    every = scenarios.all_scenarios(programs)
    wanted = [scenario for scenario in every if not arguments.only or matches(scenario.name, arguments.only)]
    if arguments.list:
        print("\n".join(scenario.name for scenario in wanted))
        return 0
    kept, here = table.Table.read(arguments.values), machine(arguments.python)
    differences = [f"{key} was {kept.machine[key]}, and is {here[key]}"
                   for key in kept.machine if key in here and key != "python" and kept.machine[key] != here[key]]
    if differences and not arguments.accept:
        print(f"skipped: budgets, because they were recorded elsewhere: {'; '.join(differences)}. To record them again:\n"
              "    .ci/budgets --accept \"the new version\"")
        return 0
    if differences and arguments.only:
        sys.exit("the whole table must be recorded again, without --only: " + "; ".join(differences))
    if kept.machine.get("python", here.get("python")) != here.get("python") and not arguments.accept:
        for scenario in wanted:
            if scenario.name == "launch from Python" and not scenario.skipped:
                scenario.skipped = f"it was recorded with Python {kept.machine['python']}, and this is {here['python']}"

    began = time.monotonic()
    base = Path(tempfile.mkdtemp(prefix="tile-budgets-"))
    try:
        (base / "home").mkdir()
        for name in ("tile", "kernels", "playground"):
            if program := getattr(arguments, name):
                shutil.copy(program, base / name)
        if arguments.module:
            package = scenarios.ROOT / "python/tile_ir"
            shutil.copytree(package, base / "module/tile_ir", ignore=shutil.ignore_patterns("__pycache__", "*.so"))
            shutil.copy(arguments.module, base / "module/tile_ir/_native.abi3.so")
        counting.compile_library(base / "count.so")
        for scenario in wanted:
            if scenario.skipped:
                print(f"skipped: {scenario.name}, because {scenario.skipped}")
        running = [scenario for scenario in wanted if not scenario.skipped]
        scenarios.prepare(base, running)
        found, failures, failed = measure(base, running, arguments.jobs, arguments.verbose)
    finally:
        shutil.rmtree(base, ignore_errors=True)
    seconds = time.monotonic() - began

    measured = {scenario.name for scenario in running} - failed
    expected = {row for row in kept.rows if scenario_of(row) in measured} | (
        {row for row in kept.rows if scenario_of(row) not in {scenario.name for scenario in every}}
        if not arguments.only else set()
    )
    result = table.compare(kept.rows, found, expected)
    if arguments.accept:
        reason, *patterns = arguments.accept
        rows = {row for row in set(found) | expected if matches(row, patterns)} if patterns else result.changed
        if differences:
            rows = set(found) | set(kept.rows)
        for line in failures:
            print(f"failed: {line}")
        for line in result.failures + result.remarks:
            if line.rpartition(": ")[0] in rows or any(line.startswith(f"{row}: ") for row in rows):
                print(f"accepted: {line}")
        table.accept(kept, found, rows, reason, {**kept.machine, **here})
        kept.write(arguments.values)
        return 1 if failures else 0
    for line in result.remarks:
        print(f"cheaper: {line}")
    if result.remarks:
        print("To lower these values: .ci/budgets --accept \"why\"")
    for line in failures + result.failures:
        print(f"over budget: {line}" if line in result.failures else f"failed: {line}")
    if result.failures:
        print(f"A cost may exceed its value in tests/budgets/values.json by {table.LIMIT} %. If it has to:\n"
              "    .ci/budgets --accept \"why\" [ROW…]")
    print(f"{len(found)} rows of {len(running)} scenarios in {seconds:.0f} s")
    return 1 if failures or result.failures else 0


def scenario_of(row: str) -> str:
    """Returns the name of the scenario that a row comes from."""
    if row.startswith("launch of "):
        return "engine, sanitized" if row.endswith(", sanitized") else "engine"
    if row.startswith("playground: "):
        return "playground"
    if row.startswith("repository: ") or row == "size of the program":
        return "repository"
    phase, _, rest = row.partition(", ")
    return f"server, {rest}" if phase in scenarios.PHASES else row


if __name__ == "__main__":
    sys.exit(main())
