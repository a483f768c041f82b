"""Runs measurements.

`MEASUREMENTS` has a reader for each result: it turns the output of the command in the file of the result into figures.
"""

import datetime
import json
import os
import platform
import re
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

# The program as published.
PROGRAM = "target/dist/tile"
# The figures and the versions of other programs.
Read = tuple[dict[str, str], dict[str, str]]


@dataclass
class Measurement:
    """How the output of a command becomes figures.

    With `json`, the reader gets the parsed output of the command with `--json`, otherwise its text. `needs` names what
    is prepared first: the published program, and packages for Python.
    """

    read: Callable[[Any], Read]
    json: bool = True
    needs: list[str] = field(default_factory=list)


# Text of figures.


def quantity(value: float, unit: str) -> str:
    """A value with at least two significant digits."""
    digits = 0 if value >= 10 else 1 if value >= 1 else 2 if value >= 0.1 else 3
    return f"{value:.{digits}f} {unit}"


def milliseconds(value: float) -> str:
    return quantity(value, "ms") if value < 10 or value >= 100 else f"{value:.1f} ms"


def ratio(values: list[float]) -> str:
    """The median, the least and the greatest of some ratios."""
    middle, least, greatest = values
    return f"{middle:.2f} ({least:.2f} to {greatest:.2f})"


# Readers.


def read_commands(output: dict[str, dict[str, float]]) -> Read:
    figures = {}
    for name, found in output.items():
        figures[name] = quantity(found["ms"], "ms")
        if found["mb"]:
            figures[f"{name}.memory"] = quantity(found["mb"], "MB")
    return figures, {}


def read_latency(output: dict[str, dict[str, float]]) -> Read:
    figures = {}
    for lines, found in output.items():
        for name, value in found.items():
            unit = "MiB" if "memory" in name else "ms"
            figures[f"{name.replace(' ', '-')}.{lines}"] = quantity(value, unit)
    return figures, {}


def read_engine(output: dict[str, Any]) -> Read:
    figures = {}
    for name, found in output["benches"].items():
        figures[f"{name}.tile"] = milliseconds(found["tile"])
        if "other" in found:
            figures[f"{name}.other"] = milliseconds(found["other"])
            figures[f"{name}.ratio"] = ratio(found["ratio"])
    return figures, {"NumPy": output["numpy"]} if "numpy" in output else {}


def read_sanitizer(output: dict[str, Any]) -> Read:
    return {f"{name}.ratio": quantity(found["ratio"][0], "").strip() for name, found in output["benches"].items()}, {}


def read_divan(row: str) -> Callable[[str], Read]:
    """The rate in the row of a benchmark of divan, whose columns are the fastest, the slowest, the median and the mean."""

    def read(output: str) -> Read:
        lines = iter(output.splitlines())
        next(line for line in lines if re.match(rf"[│├╰─ ]*{re.escape(row)} ", line))
        for line in lines:
            rates = re.findall(r"([\d.]+) ([kMGT]?B/s)", line)
            if rates:
                value, unit = rates[2]
                return {"rate": quantity(float(value), unit)}, {}
        raise SystemExit(f"benchmarks: the output has no rate for `{row}`:\n{output}")

    return read


# The crates, modules and sections whose sizes the page lists.
SIZES = {
    "crates": ["tile_analysis", "tile_syntax", "tile_engine", "pulp", "tile_launch", "tile_backend", "tile_runner",
               "tile_dataflow", "tile_bytecode", "tile_commands", "clap_builder", "tile_lsp", "tower_lsp_server",
               "ls_types", "tokio", "futures_util", "salsa", "serde_json", "serde_core", "tile_dap", "tile_tune",
               "tile_diff", "tile_fmt", "the standard library"],
    "modules": ["tile_analysis::ide", "tile_engine::sanitize", "tile_backend::worker", "tile_backend::cuda"],
    "sections": ["unwinding", "texts and tables"],
}


def read_size(output: dict[str, Any]) -> Read:
    figures = {"program": f"{output['program'] / 1e6:.1f} MB"}
    for part, names in SIZES.items():
        for name in names:
            figure = f"{part}.{name.replace('::', '.').replace(' ', '-')}"
            figures[figure] = f"{round(output[part][name] / 1000)} kB"
    return figures, {}


def read_launches(output: dict[str, float]) -> Read:
    return {f"blocks.{blocks}": quantity(value, "µs") for blocks, value in output.items()}, {}


def read_interpreters(output: dict[str, Any]) -> Read:
    figures = {}
    for name, found in output["kernels"].items():
        name = name.lower().replace(" ", "-")
        figures[f"{name}.tile"] = quantity(found["tile"], "ms")
        for other in ("triton", "numpy"):
            figures[f"{name}.{other}"] = quantity(found[other], "ms")
            figures[f"{name}.{other}-ratio"] = quantity(found[other] / found["tile"], "").strip()
    return figures, output["versions"]


def read_playground(output: str) -> Read:
    names = {"first load, compressed": "first-load", "ready": "ready", "keystroke to diagnostics in 1,000 lines": "keystroke",
             "gemm_square of size 256": "product"}
    found = re.findall(r"^(.*?): ([\d.]+) (MB|s|ms)\b", output, re.MULTILINE)
    return {names[name]: quantity(float(value), unit) for name, value, unit in found if name in names}, {}


def read_editor_run(output: dict[str, dict[str, float]]) -> Read:
    warm = output["warm"]
    figures = {"first-text": warm["first text"], "own-share": warm["own share"]}
    return {name: quantity(value, "ms") for name, value in figures.items()}, {}


# What a user would take instead of each kernel.
RIVALS = {"gemm_f16": "cuBLAS", "gemm_fp8": "cuBLAS", "attention": "SDPA", "causal": "SDPA", "softmax": "torch.softmax",
          "layer_norm": "layer_norm", "rms_norm": "rms_norm", "transpose": "t().contiguous()", "saxpy": "torch.add",
          "copy": "copy_"}


def read_kernels(output: list[dict[str, Any]]) -> Read:
    figures = {}
    for found in output:
        name = found["kernel"]
        scale = 1e12 if found["unit"] == "FLOP/s" else 1e9
        unit = "TFLOP/s" if found["unit"] == "FLOP/s" else "GB/s"
        figures[f"{name}.tile"] = f"{found['rate']['tile'] / scale:.0f} {unit}"
        rival = RIVALS[name]
        figures[f"{name}.rival"] = f"{found['rate'][rival] / scale:.0f} {unit}"
        figures[f"{name}.ratio"] = f"{found['seconds']['tile'] / found['seconds'][rival]:.2f}"
    return figures, {}


MEASUREMENTS = {
    "check": Measurement(read_commands, needs=["program"]),
    "build": Measurement(read_commands, needs=["program"]),
    "run": Measurement(read_commands, needs=["program"]),
    "size": Measurement(read_size, needs=["symbols"]),
    "parse": Measurement(read_divan("parsing"), json=False),
    "format": Measurement(read_divan("10000"), json=False),
    "encode": Measurement(read_divan("false"), json=False),
    "lsp": Measurement(read_latency, needs=["program"]),
    "engine": Measurement(read_engine, needs=["numpy"]),
    "sanitizer": Measurement(read_sanitizer),
    "python-launches": Measurement(read_launches, needs=["numpy", "package"]),
    "interpreters": Measurement(read_interpreters, needs=["numpy", "package", "frameworks"]),
    "playground": Measurement(read_playground, json=False),
    "editor-gpu": Measurement(read_editor_run, needs=["program"]),
    "kernels": Measurement(read_kernels, needs=["program"]),
}
# The same commands on another machine, or on a busy one.
MEASUREMENTS |= {"engine-avx512": MEASUREMENTS["engine"], "engine-busy": MEASUREMENTS["engine"]}
GROUPS = {
    "all-cpu": ["check", "build", "run", "size", "parse", "format", "encode", "lsp", "engine", "sanitizer", "python-launches"],
    "all-gpu": ["kernels", "editor-gpu"],
}


# Preparation.


class Environment:
    """Builds what measurements need, once."""

    def __init__(self, root: Path, program: str | None):
        self.root = root
        self.given = program
        self.done: set[str] = set()
        cache = Path(os.environ.get("TILE_PYTHON_CACHE") or Path.home() / ".cache/tile-python")
        self.folder = cache / "benchmarks"
        self.python = self.folder / "bin/python3"
        self.variables = dict(os.environ)

    def prepare(self, need: str) -> None:
        if need not in self.done:
            getattr(self, f"_{need}")()
            self.done.add(need)

    def command(self, command: str) -> str:
        """The command with the program of `--tile`."""
        return command.replace(PROGRAM, self.given) if self.given else command

    def run(self, *command: str | Path) -> None:
        subprocess.run(command, cwd=self.root, env=self.variables, check=True)

    def _program(self) -> None:
        if not self.given:
            self.run("cargo", "build", "--quiet", "--locked", "--profile", "dist", "--package", "tile")

    def _symbols(self) -> None:
        """The published program with its symbols."""
        self.run("cargo", "build", "--quiet", "--locked", "--profile", "dist", "--package", "tile", "--config",
                 'profile.dist.strip="none"', "--target-dir", "target/size")

    def _numpy(self) -> None:
        self._packages("numpy")

    def _package(self) -> None:
        self._packages("--force-reinstall", "--no-deps", "--config-settings", "build-args=--profile release", ".")

    def _frameworks(self) -> None:
        self._packages("cuda-tile", "torch", "triton")

    def _packages(self, *arguments: str) -> None:
        """Installs packages in an environment whose interpreter is then the first `python3` on the path."""
        if not self.python.exists():
            self.run(sys.executable, "-m", "venv", self.folder)
        self.variables["PATH"] = f"{self.python.parent}{os.pathsep}{os.environ['PATH']}"
        self.run(self.python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *arguments)


# Measuring.


def machine() -> str:
    """The processor, the number of cores, and the GPU of this machine."""
    try:
        info = Path("/proc/cpuinfo").read_text(encoding="utf-8")
    except OSError:
        info = ""
    model = re.search(r"model name\s*: (.*)", info)
    vectors = next((name for flag, name in [("avx512f", "AVX-512"), ("avx2", "AVX2")] if flag in info), None)
    names = [model[1] if model else platform.processor() or platform.machine(), vectors, f"{os.cpu_count()} cores", _gpu()]
    return ", ".join(name for name in names if name)


def _gpu() -> str | None:
    query = ["nvidia-smi", "--query-gpu=name,driver_version", "--format=csv,noheader"]
    try:
        found = subprocess.run(query, capture_output=True, text=True, check=True).stdout.splitlines()
    except (OSError, subprocess.CalledProcessError):
        return None
    name, _, driver = found[0].partition(", ") if found else ("", "", "")
    return f"{name} with driver {driver}" if name else None


def measure(name: str, command: str, environment: Environment) -> dict[str, Any]:
    """Runs the command of a result. Returns the date, the machine, the versions and the figures."""
    measurement = MEASUREMENTS[name]
    for need in measurement.needs:
        environment.prepare(need)
    command = environment.command(command) + (" --json" if measurement.json else "")
    done = subprocess.run(["bash", "-c", command], cwd=environment.root, env=environment.variables, stdout=subprocess.PIPE,
                          text=True)
    # Some commands fail if a figure misses its limit, but print it.
    if done.returncode and not done.stdout:
        raise SystemExit(f"benchmarks: `{command}` fails")
    figures, versions = measurement.read(json.loads(done.stdout) if measurement.json else done.stdout)
    return {"date": datetime.datetime.now(datetime.timezone.utc).date().isoformat(), "machine": machine(),
            "versions": versions, "figures": figures}
