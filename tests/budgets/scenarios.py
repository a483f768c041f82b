"""The scenarios: what is run, and the rows of the table that come out of it."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import inputs
from counting import Costs, Failed, Process
from server import DOCUMENT, Server

ROOT = Path(__file__).resolve().parents[2]
SIZES = {"1k": 1_000, "10k": 10_000, "100k": 100_000}
# The phases of a session that have rows.
PHASES = {"open", "valid edit", "broken edit", "hover", "completion", "symbols", "tokens", "hints"}
Rows = dict[str, Costs]


@dataclass
class Programs:
    """The programs to measure. Scenarios of those that are missing are skipped."""

    tile: Path
    kernels: Path | None = None
    playground: Path | None = None
    python: Path | None = None
    module: Path | None = None


@dataclass
class Scenario:
    """Something to run, which results in one or more rows."""

    name: str
    run: Callable[[Path, int], Rows]
    # Files to generate first, as kind and size.
    inputs: list[tuple[str, str]] = field(default_factory=list)
    # About how long it takes, in seconds.
    weight: float = 2
    # Why it cannot run here.
    skipped: str | None = None


def text_of(kind: str, size: str) -> str:
    return inputs.KINDS[kind](SIZES[size])


def prepare(base: Path, scenarios: list[Scenario]) -> None:
    """Generates the inputs."""
    for kind, size in sorted({wanted for scenario in scenarios for wanted in scenario.inputs}):
        text = text_of(kind, size)
        (base / f"{kind}-{size}.tile").write_text(text)
        if kind != "flood":
            (base / f"{kind}-{size}-changed.tile").write_text(inputs.changed(text))
            file = f"{kind}-{size}"
            subprocess.run(["./tile", "build", f"{file}.tile", "-o", f"{file}.tilebc"], cwd=base, check=True)


def only(costs: Costs, *metrics: str) -> Costs:
    return {metric: costs[metric] for metric in metrics}


def commands() -> list[Scenario]:
    """Runs of the commands, each a process of its own."""
    # The arguments, and the seconds for 100,000 lines.
    table: dict[str, tuple[list[str], float]] = {
        "check": (["check", "FILE.tile"], 7),
        "build": (["build", "FILE.tile", "-o", "NUMBER.out"], 8),
        "dis": (["dis", "FILE.tilebc"], 50),
        "fmt": (["fmt", "-"], 12),
        "opt": (["opt", "FILE.tile"], 35),
        "diff": (["diff", "FILE.tile", "FILE-changed.tile"], 45),
    }
    wanted = [(command, "source", size) for command in table for size in SIZES]
    wanted += [(command, "printed", "10k") for command in table]
    wanted += [("check", "printed", "100k"), ("check", "flood", "100k")]

    def scenario(command: str, kind: str, size: str) -> Scenario:
        name = f"{command}, {kind}, {size}"
        arguments, seconds = table[command]

        def run(base: Path, number: int) -> Rows:
            file = f"{kind}-{size}"
            filled = [part.replace("FILE", file).replace("NUMBER", f"{number:03}") for part in arguments]
            stdin: int | Path = Path(f"{file}.tile") if command == "fmt" else subprocess.DEVNULL
            process = Process(base, number, ["./tile", *filled], stdin=stdin)
            process.wait(1 if kind == "flood" else 0)
            process.close()
            return {name: only(process.costs()[-1][1], "instructions", "bytes_allocated", "peak_bytes")}

        return Scenario(name, run, [(kind, size)], 1.5 + seconds * SIZES[size] / SIZES["100k"])

    return [scenario(*row) for row in wanted] + [Scenario("start of the program", started)]


def started(base: Path, number: int) -> Rows:
    process = Process(base, number, ["./tile", "--version"])
    process.wait()
    process.close()
    return {"start of the program": only(process.costs()[-1][1], "instructions", "bytes_allocated", "peak_bytes")}


def session(kind: str, size: str) -> Scenario:
    """A session of the language server."""
    is_long = size == "100k" or kind == "flood"

    def run(base: Path, number: int) -> Rows:
        server = Server(base, number)
        phases: list[tuple[str, int]] = []

        def phase(name: str, repetitions: int, work: Callable[[], object]) -> None:
            for _ in range(repetitions):
                work()
                phases.append((name, server.mark(name)))

        phase("", 1, server.start)
        text = (base / f"{kind}-{size}.tile").read_text()
        phase("open", 1, lambda: server.open(text))
        middle = next(n for n in range(len(server.lines) // 2, len(server.lines)) if " = addf" in server.lines[n])
        line = server.lines[middle]
        first, second = line.partition(" = addf ")[2].partition(" : ")[0].split(", ")
        other = line.replace(f"{first}, {second.split()[0]}", f"{first}, {first}")
        assert other != line, "the operands differ, so that the edit is one"

        def edits(new: str) -> None:
            server.edit(middle, new)
            server.edit(middle, line)

        for name, new in (("valid edit", other), ("broken edit", line.replace(" addf ", " adf "))):
            phase("", 1, lambda: edits(new))
            phase(name, 3 if is_long else 5, lambda: edits(new))
        place = {**DOCUMENT, "position": {"line": middle, "character": line.index(first) + 1}}
        screen = {"start": {"line": middle - 30, "character": 0}, "end": {"line": middle + 30, "character": 0}}
        for name, method, params, repetitions in [
            ("hover", "hover", place, 15),
            ("completion", "completion", place, 15),
            # The first answer of several megabytes costs up to a fifth more, depending on the memory that is free.
            ("symbols", "documentSymbol", DOCUMENT, 5),
            ("tokens", "semanticTokens/full", DOCUMENT, 1 if is_long else 5),
            ("hints", "inlayHint", {**DOCUMENT, "range": screen}, 15),
        ]:
            phase(name, repetitions, lambda: server.request(f"textDocument/{method}", params))
        server.process.close()
        return server_rows(phases, server.process.costs(), f", {kind}, {size}")

    return Scenario(f"server, {kind}, {size}", run, [(kind, size)], 4 + SIZES[size] / 8_000 + (8 if kind == "flood" else 0))


def server_rows(phases: list[tuple[str, int]], costs: list[tuple[str, Costs]], suffix: str) -> Rows:
    """Returns the rows of a session: the median costs of the repetitions of each phase. `phases` contains their names
    and the bytes sent by the server. The costs of an edit are half of those of two, one of which undoes the other."""
    found: dict[str, list[Costs]] = {}
    for (name, sent), (_, counted) in zip(phases, costs, strict=True):
        found.setdefault(name, []).append({**counted, "bytes_sent": sent})
    rows = {}
    for name, all_costs in found.items():
        if name:
            row = {metric: sorted(costs[metric] for costs in all_costs)[len(all_costs) // 2]
                   // (2 if name.endswith(" edit") else 1)
                   for metric in ("instructions", "bytes_allocated", "bytes_sent")}
            if name in ("start of the server", "open", "broken edit"):
                # Also the memory that remains.
                row["bytes_in_use"] = all_costs[-1]["bytes_in_use"]
            rows[name + suffix] = row
    return rows


def server_start(base: Path, number: int) -> Rows:
    server = Server(base, number)
    server.start()
    phases = [("start of the server", server.mark("start of the server"))]
    server.process.close()
    return server_rows(phases, server.process.costs(), "")


def engine(program: Path | None, sanitize: bool) -> Scenario:
    """The kernels of `crates/engine/benches`."""
    suffix = ", sanitized" if sanitize else ""

    def run(base: Path, number: int) -> Rows:
        process = Process(base, number, ["./kernels", str(ROOT / "crates/engine/benches"), *(["--sanitize"] if sanitize else [])])
        process.wait()
        process.close()
        return {
            f"launch of {name}{suffix}": only(costs, "instructions", "bytes_allocated", "peak_bytes")
            for name, costs in process.costs()
            if name
        }

    reason = None if program else "count-kernels is not built"
    return Scenario(f"engine{suffix}", run, weight=10, skipped=reason)


def playground(program: Path | None) -> Scenario:
    def run(base: Path, number: int) -> Rows:
        process = Process(base, number, ["./playground"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        stdin, stdout = process.process.stdin, process.process.stdout
        assert stdin and stdout
        text = text_of("source", "1k")
        position = text.index("%lane")

        def answer(**request: object) -> int:
            stdin.write(json.dumps(request).encode() + b"\n")
            # The pipe is not buffered, and an answer can be longer than what one read returns.
            line = b""
            while not line.endswith(b"\n"):
                part = stdout.read(1 << 20)
                if not part:
                    process.process.wait()
                    process.check()
                line += part
            if b'{"error"' in line[:20]:
                raise Failed(f"the answer to {request['method']} is {line[:300]!r}")
            return len(line)

        sent = {}
        answer(method="open", text=text)
        answer(method="diagnostics")
        process.mark("")
        for name, request in {
            "diagnostics": {"method": "edit", "changes": [[position, position, " "]]},
            "hover": {"method": "hover", "at": position + 2},
            "run": {"method": "run", "entry": "add_0", "launch": 0, "sanitize": True},
        }.items():
            sent[name] = answer(**request)
            if name == "diagnostics":
                sent[name] = answer(method="diagnostics")
            while not process.is_idle():
                process.check()
            process.mark(name)
        process.close()
        return {
            f"playground: {name}": {**only(costs, "instructions", "bytes_allocated"), "bytes_sent": sent[name]}
            for name, costs in process.costs()
            if name
        }

    return Scenario("playground", run, skipped=None if program else "count-playground is not built")


LAUNCH = """
import os, sys
sys.path.insert(0, "module")
import numpy as np, tile_ir
folder = os.environ["TILE_MARKS"]
def mark(name):
    with open(folder + "/requests", "w") as pipe:
        pipe.write(name + "\\n")
    with open(folder + "/answers") as pipe:
        pipe.read(1)
kernel = tile_ir.load("source-1k.tile")["add_0"][8]
a, b = np.arange(1024, dtype=np.float32), np.ones(1024, np.float32)
c = np.zeros(1024, np.float32)
for _ in range(2):
    kernel(a, b, c, 1024)
mark("")
for _ in range(10):
    kernel(a, b, c, 1024)
mark("launch")
assert (c == a + b).all()
"""


def python(programs: Programs) -> Scenario:
    def run(base: Path, number: int) -> Rows:
        (base / "launch.py").write_text(LAUNCH)
        settings = {"PYTHONHASHSEED": "0", "PYTHONDONTWRITEBYTECODE": "1", "OPENBLAS_NUM_THREADS": "1"}
        process = Process(base, number, [str(programs.python), "launch.py"], settings)
        process.wait()
        process.close()
        costs = dict(process.costs())["launch"]
        return {"launch from Python": {
            metric: count // 10 for metric, count in only(costs, "instructions", "bytes_allocated").items()
        }}

    reason = None
    if not programs.module:
        reason = "the Python module is not built"
    elif not programs.python:
        reason = "there is no Python with NumPy"
    return Scenario("launch from Python", run, [("source", "1k")], 15, reason)


def repository(base: Path, number: int) -> Rows:
    """What git knows, and the size of the program."""
    del number
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, check=True, capture_output=True, text=True).stdout
    files = [name for name in listed.split("\0") if name and (ROOT / name).is_file()]
    lines = sum((ROOT / name).read_bytes().count(b"\n") for name in files if name.endswith(".rs"))
    return {
        "size of the program": {"bytes": (base / "tile").stat().st_size},
        "repository: tracked files": {"files": len(files)},
        "repository: folders at the top": {"folders": len({name.split("/")[0] for name in files if "/" in name})},
        "repository: lines of Rust": {"lines": lines},
    }


def all_scenarios(programs: Programs) -> list[Scenario]:
    sessions = [session("source", size) for size in SIZES]
    sessions += [session("printed", size) for size in SIZES] + [session("flood", "100k")]
    return [
        *commands(),
        Scenario("start of the server", server_start),
        *sessions,
        engine(programs.kernels, False),
        engine(programs.kernels, True),
        playground(programs.playground),
        python(programs),
        Scenario("repository", repository, weight=0),
    ]
