"""Compares the CPU engine with NumPy, or sanitized runs with plain ones, in one run.

    python3 crates/engine/benches/compare.py [--sanitizer] [--turns 5] [--json] [NAME...]

Runs each benchmark of engine.rs and the same work of numpy.py (requires NumPy), or the same benchmark with the sanitizer,
in turn, so that other load on the machine affects both. Prints the machine and the date, and for each benchmark the medians
in milliseconds and the ratio of the other time to the engine's: the median over all turns, and in parentheses the least and
the greatest. With `--json`, prints an object with these figures.
"""

import argparse
import json
import os
import platform
import re
import subprocess
import sys
from datetime import date
from importlib.metadata import version
from pathlib import Path
from statistics import median

HERE = Path(__file__).resolve().parent
UNITS = {"ns": 1e-6, "µs": 1e-3, "ms": 1, "s": 1e3}
# The same setting as `tile` uses for its worker process.
SETTINGS = {"GLIBC_TUNABLES": "glibc.malloc.hugetlb=1", **os.environ}


def output(*command, **settings):
    run = subprocess.run(command, cwd=HERE, env=SETTINGS | settings, capture_output=True, text=True)
    if run.returncode:
        sys.exit(run.stderr)
    return run.stdout


def build():
    """Builds engine.rs and returns the program."""
    command = ["cargo", "bench", "--quiet", "--package", "tile-engine", "--bench", "engine", "--no-run"]
    messages = map(json.loads, output(*command, "--message-format=json").splitlines())
    return next(m["executable"] for m in messages if m.get("executable") and m["target"]["name"] == "engine")


def engine(program, name, **settings):
    """The median of a benchmark of engine.rs."""
    lines = output(program, "--bench", "--exact", f"engine::{name}", "--max-time", "1", **settings).splitlines()
    row = next(line for line in lines if name in line)
    value, unit = row.split("│")[2].split()
    return float(value) * UNITS[unit]


def numpy(*arguments):
    """What numpy.py prints."""
    return output(sys.executable, HERE / "numpy.py", *arguments).split()


def machine():
    try:
        info = Path("/proc/cpuinfo").read_text()
    except OSError:
        info = ""
    model = re.search(r"model name\s*: (.*)", info)
    vectors = next((name for flag, name in [("avx512f", "AVX-512"), ("avx2", "AVX2")] if flag in info), None)
    names = [model[1] if model else platform.processor() or platform.machine(), vectors, f"{os.cpu_count()} cores"]
    return ", ".join(name for name in names if name)


def compare(ours, theirs, turns):
    """The medians of a benchmark and of the other work, if there is any, and the median, least and greatest ratio."""
    times = [(ours(), theirs and theirs()) for _ in range(turns)]
    found = {"tile": median(our for our, _ in times)}
    if theirs:
        ratios = sorted(their / our for our, their in times)
        found |= {"other": median(their for _, their in times), "ratio": [median(ratios), ratios[0], ratios[-1]]}
    return found


def row(name, found):
    line = f"{name:<28} {found['tile']:9.2f}"
    if "ratio" in found:
        middle, least, greatest = found["ratio"]
        line += f" {found['other']:9.2f}   {middle:5.2f} ({least:.2f} to {greatest:.2f})"
    return line


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="NAME", help="parts of the names of benchmarks to run")
    parser.add_argument("--sanitizer", action="store_true", help="compare with sanitized runs instead of NumPy")
    parser.add_argument("--turns", type=int, default=5)
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    program = build()
    listed = re.findall(r"^[├╰]─ (\w+)", output(program, "--list"), re.MULTILINE)
    known = [] if arguments.sanitizer else numpy("--list")
    other = "sanitized" if arguments.sanitizer else "NumPy"
    benches = {}
    if not arguments.json:
        print(f"{machine()}, {date.today()}")
        print(f"{'':<28} {'tile':>9} {other:>9}   {other} / tile")
    for name in listed:
        if arguments.names and not any(part in name for part in arguments.names):
            continue
        theirs = None
        if arguments.sanitizer:
            theirs = lambda: engine(program, name, TILE_SANITIZE="1")
        elif name in known:
            theirs = lambda: float(numpy(name)[1])
        benches[name] = compare(lambda: engine(program, name), theirs, arguments.turns)
        if not arguments.json:
            print(row(name, benches[name]), flush=True)
    if arguments.json:
        versions = {} if arguments.sanitizer else {"numpy": version("numpy")}
        print(json.dumps({**versions, "benches": benches}, indent=2))


if __name__ == "__main__":
    main()
