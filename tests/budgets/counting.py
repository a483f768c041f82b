"""Runs programs below valgrind with `count.c`, and reads what they cost."""

from __future__ import annotations

import os
import select
import subprocess
import time
from pathlib import Path
from typing import ClassVar

FOLDER = Path(__file__).parent

Costs = dict[str, int]
# The longest time for a scenario, in seconds.
LIMIT = 400.0


class Failed(Exception):
    """A scenario that could not be measured."""


def compile_library(target: Path) -> None:
    """Compiles `count.c`."""
    command = ["cc", "-O2", "-Wall", "-Werror", "-fPIC", "-shared", "-pthread", "-o", target, FOLDER / "count.c"]
    subprocess.run(command, check=True)


def schedule(core: int) -> None:
    """Pins this thread, and the processes that it starts, to a core. With this policy, a thread that is woken does not
    run before the one that wakes it waits, so that threads run in about the same order each time."""
    os.sched_setaffinity(0, {core})
    os.sched_setscheduler(0, os.SCHED_BATCH, os.sched_param(0))


class Process:
    """A running program whose costs are counted."""

    # Those that have not been closed.
    running: ClassVar[set[Process]] = set()

    def __init__(self, base: Path, number: int, command: list[str], settings: dict[str, str] | None = None,
                 stdin: int | Path = subprocess.DEVNULL, stdout: int = subprocess.DEVNULL) -> None:
        """Starts a program in the folder `base`. `number` names its folder of marks. The environment contains only
        `settings` and what is the same everywhere, and the lengths of all paths are the same in each run, because the
        costs depend on them a little."""
        self.marks = base / f"marks-{number:03}"
        self.marks.mkdir()
        for pipe in ("requests", "answers"):
            os.mkfifo(self.marks / pipe)
        (self.marks / "errors").touch()
        environment = {
            "HOME": str(base / "home"),
            "LC_ALL": "C.UTF-8",
            "LD_PRELOAD": str(base / "count.so"),
            "PATH": "/usr/bin:/bin",
            "TILE_MARKS": str(self.marks),
            "TZ": "UTC",
            **(settings or {}),
        }
        valgrind = ["valgrind", "--quiet", "--tool=cachegrind", "--cache-sim=no", "--run-libc-freeres=no",
                    f"--cachegrind-out-file={self.marks}/counts-%p", f"--log-file={self.marks}/log-%p"]
        given = open(base / stdin, "rb") if isinstance(stdin, Path) else stdin
        with open(self.marks / "errors", "wb") as errors:
            self.process = subprocess.Popen(valgrind + command, stdin=given, stdout=stdout, stderr=errors, cwd=base,
                                            env=environment, bufsize=0)
        if not isinstance(given, int):
            given.close()
        self.began, self.is_late = time.monotonic(), False
        Process.running.add(self)
        # For reading and writing, so that opening them does not wait.
        self.requests, self.answers = (os.open(self.marks / pipe, os.O_RDWR) for pipe in ("requests", "answers"))

    def mark(self, name: str) -> None:
        """Records the costs since the last mark under this name. The program must be idle."""
        os.write(self.requests, f"{name}\n".encode())
        while not select.select([self.answers], [], [], 1)[0]:
            self.check()
        os.read(self.answers, 1)

    def check(self) -> None:
        """Fails if the program has ended."""
        if self.process.poll() is not None:
            raise Failed(f"not finished after {LIMIT:.0f} s" if self.is_late else f"the program has ended: {self.errors()}")

    @staticmethod
    def kill_late() -> None:
        """Ends programs that take too long."""
        for process in list(Process.running):
            if time.monotonic() > process.began + LIMIT:
                process.is_late = True
                process.process.kill()

    def is_idle(self) -> bool:
        """Whether all threads of the program wait."""

        def state() -> list[tuple[str, str]]:
            threads = []
            for thread in os.listdir(f"/proc/{self.process.pid}/task"):
                folder = f"/proc/{self.process.pid}/task/{thread}"
                try:
                    status = Path(folder, "stat").read_text().rpartition(")")[2].split()[0]
                    threads.append((status, Path(folder, "schedstat").read_text()))
                except OSError:
                    threads.append(("ended", ""))
            return threads

        before = state()
        if any(status != "S" for status, _ in before):
            return False
        time.sleep(0.004)
        return state() == before

    def errors(self) -> str:
        return (self.marks / "errors").read_text(errors="replace").strip()[-1000:]

    def wait(self, status: int = 0) -> None:
        """Waits for the end of the program. Fails if its exit status is another one."""
        ended = self.process.wait()
        if self.is_late:
            self.check()
        if ended != status:
            raise Failed(f"exit status {ended} instead of {status}: {self.errors()}")

    def close(self) -> None:
        """Ends the program."""
        Process.running.discard(self)
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        for file in (self.requests, self.answers):
            os.close(file)

    def costs(self) -> list[tuple[str, Costs]]:
        """Returns the names of the marks and the costs before each. The last is the end, without a name, unless the
        program was killed."""
        found, before = [], 0
        for line in (self.marks / "marks").read_text().splitlines():
            process, requested, peak, in_use, name = line.split(" ", 4)
            counts = (self.marks / f"counts-{process}").read_text()
            instructions = int(counts.rpartition("summary: ")[2])
            found.append((name, {
                "instructions": instructions - before,
                "bytes_allocated": int(requested),
                "peak_bytes": int(peak),
                "bytes_in_use": int(in_use),
            }))
            before = instructions
        return found
