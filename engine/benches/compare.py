"""Compares the CPU engine with NumPy; times are in milliseconds.

`python3 engine/benches/compare.py [NAME...]` (requires NumPy) runs engine.rs and numpy.py alternately, three times
each, and prints the lowest of the three medians, because other load on the machine can only increase them. With names,
only the matching benchmarks of engine.rs run.
"""

import os
import re
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
UNITS = {"ns": 1e-6, "µs": 1e-3, "ms": 1, "s": 1e3}
TURNS = 3


def engine(names):
    """The medians of engine.rs."""
    command = ["cargo", "bench", "--quiet", "--package", "tile-engine", "--bench", "engine", "--", *names]
    # The same setting as `tile` uses for its worker process.
    settings = {"GLIBC_TUNABLES": "glibc.malloc.hugetlb=1", **os.environ}
    output = subprocess.run(command, cwd=HERE, env=settings, check=True, capture_output=True, text=True).stdout
    rows = [re.split(r"\s{2,}|│", line.strip("├╰─ ")) for line in output.splitlines() if line.startswith(("├", "╰"))]
    found = {}
    for row in rows:
        name, _, _, median, *_ = [cell.strip() for cell in row if cell.strip()]
        value, unit = median.split()
        found[name] = float(value) * UNITS[unit]
    return found


def numpy():
    """The medians of numpy.py."""
    command = [sys.executable, HERE / "numpy.py"]
    output = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    rows = [line.split() for line in output.splitlines()]
    return {name: float(value) for name, value, _ in rows}


def lowest(turns, name):
    return min(turn[name] for turn in turns if name in turn)


names = sys.argv[1:]
turns = [(engine(names), numpy()) for _ in range(TURNS)]
ours, theirs = zip(*turns)
print(f"{'':<28} {'tile':>10} {'NumPy':>10} {'NumPy / tile':>13}")
for name in ours[0]:
    mine = lowest(ours, name)
    line = f"{name:<28} {mine:7.2f} ms"
    if name in theirs[0]:
        other = lowest(theirs, name)
        line += f" {other:7.2f} ms {other / mine:13.2f}"
    print(line)
for name in theirs[0].keys() - ours[0].keys():
    print(f"{name:<28} {'':>10} {lowest(theirs, name):7.2f} ms")
