"""The CPU engine's figures and NumPy's side by side, in milliseconds.

`python3 engine/benches/compare.py` (it needs NumPy) runs engine.rs and numpy.py in turns, three times each, so that both
meet the same machine, and prints the lowest of three medians: other work on the machine only makes them larger. Names
after the command choose among the benches.
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
    # As the program starts its worker.
    settings = {"GLIBC_TUNABLES": "glibc.malloc.hugetlb=1", **os.environ}
    printed = subprocess.run(command, cwd=HERE, env=settings, check=True, capture_output=True, text=True).stdout
    rows = [re.split(r"\s{2,}|│", line.strip("├╰─ ")) for line in printed.splitlines() if line.startswith(("├", "╰"))]
    found = {}
    for row in rows:
        name, _, _, median, *_ = [cell.strip() for cell in row if cell.strip()]
        value, unit = median.split()
        found[name] = float(value) * UNITS[unit]
    return found


def numpy():
    """The medians of numpy.py."""
    command = [sys.executable, HERE / "numpy.py"]
    printed = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    rows = [line.split() for line in printed.splitlines()]
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
