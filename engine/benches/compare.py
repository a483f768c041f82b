"""Compares the CPU engine with NumPy in one run.

`python3 engine/benches/compare.py [NAME...]` (requires NumPy) runs each benchmark of engine.rs and the same work of
numpy.py in turn, so that other load on the machine affects both. It prints the machine and the date, and for each
benchmark the medians in milliseconds and the ratio of NumPy's time to the engine's: the median over all turns, and in
parentheses the least and the greatest.
"""

import json
import os
import platform
import re
import subprocess
import sys
from datetime import date
from pathlib import Path
from statistics import median

HERE = Path(__file__).resolve().parent
UNITS = {"ns": 1e-6, "µs": 1e-3, "ms": 1, "s": 1e3}
TURNS = 5
# The same setting as `tile` uses for its worker process.
SETTINGS = {"GLIBC_TUNABLES": "glibc.malloc.hugetlb=1", **os.environ}


def output(*command):
    run = subprocess.run(command, cwd=HERE, env=SETTINGS, capture_output=True, text=True)
    if run.returncode:
        sys.exit(run.stderr)
    return run.stdout


def build():
    """Builds engine.rs and returns the program."""
    command = ["cargo", "bench", "--quiet", "--package", "tile-engine", "--bench", "engine", "--no-run"]
    messages = map(json.loads, output(*command, "--message-format=json").splitlines())
    return next(m["executable"] for m in messages if m.get("executable") and m["target"]["name"] == "engine")


def engine(program, name):
    """The median of a benchmark of engine.rs."""
    lines = output(program, "--bench", "--exact", f"engine::{name}", "--max-time", "1").splitlines()
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


def compare(program, name, has_numpy):
    ours, theirs = [], []
    for _ in range(TURNS):
        ours.append(engine(program, name))
        if has_numpy:
            theirs.append(float(numpy(name)[1]))
    line = f"{name:<28} {median(ours):9.2f}"
    if theirs:
        ratios = sorted(their / our for our, their in zip(ours, theirs))
        line += f" {median(theirs):9.2f}   {median(ratios):5.2f} ({ratios[0]:.2f} to {ratios[-1]:.2f})"
    print(line, flush=True)


program = build()
listed = re.findall(r"^[├╰]─ (\w+)", output(program, "--list"), re.MULTILINE)
known = numpy("--list")
print(f"{machine()}, {date.today()}")
print(f"{'':<28} {'tile':>9} {'NumPy':>9}   NumPy / tile")
for name in listed:
    if not sys.argv[1:] or any(part in name for part in sys.argv[1:]):
        compare(program, name, name in known)
