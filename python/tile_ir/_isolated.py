"""Launches in separate processes."""

from __future__ import annotations

import atexit
import ctypes
import operator
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, ClassVar, NamedTuple

from . import _native, _worker
from ._arrays import Argument
from ._diagnostics import WorkerError

#: The time in seconds that a worker has after the time limit of a launch, which it enforces itself.
GRACE = 2.0

_is_default = False


def isolate(enabled: bool = True) -> None:
    """Sets whether launches run in a separate process if they do not state `isolated` themselves.

    Initially they run in this process.
    """
    global _is_default
    _is_default = enabled


def is_isolated(stated: bool | None) -> bool:
    """Whether a launch with this option runs in a separate process."""
    return _is_default if stated is None else stated


def launch_isolated(
    program: _native.Program,
    entry: str,
    grid: tuple[int, int, int],
    arguments: Sequence[Argument],
    options: _native.Options,
    print: Callable[[str], object],
) -> dict[str, Any]:
    """Runs a launch as `_native.launch` does, but in a separate process."""
    memory = Memory(arguments)
    request = {
        "text": program.text,
        "path": program.path,
        "entry": entry,
        "grid": grid,
        "arguments": [memory.described(argument) for argument in arguments],
        "options": described_options(options),
        "writable": memory.writable,
    }
    worker = Worker.take()
    try:
        limit = None if options.timeout is None else options.timeout.total_seconds() + GRACE
        answer, parts = worker.launch(request, memory.contents(), entry, limit, print)
    except BaseException:
        # Its state is unknown: it can still be running, or have sent a part of a message.
        worker.kill()
        raise
    worker.recycle()
    if "raised" in answer:
        raise _exception(answer["raised"], answer["message"])
    memory.write(parts)
    report: dict[str, Any] = answer["report"]
    for traced in report["trace"]:
        if traced["contents"] is not None:
            traced["contents"] = bytes(parts[traced["contents"]])
    return report


def described_options(options: _native.Options) -> dict[str, Any]:
    """The settings of a launch for a message."""
    names = ("sanitize", "schedule", "threads", "trace", "block", "profile")
    described = {name: getattr(options, name) for name in names}
    # In seconds.
    described["timeout"] = None if options.timeout is None else options.timeout.total_seconds()
    return described


def _exception(name: str, message: str) -> Exception:
    kinds = (TypeError, ValueError, MemoryError, RuntimeError)
    kind = next((kind for kind in kinds if kind.__name__ == name), RuntimeError)
    return kind(message)


class Region(NamedTuple):
    """Memory of arrays that overlap."""

    address: int
    size: int
    is_writable: bool


class Memory:
    """The memory of the arrays of a launch."""

    def __init__(self, arguments: Sequence[Argument]) -> None:
        arrays = [array for argument in arguments for array in _arrays(argument)]
        extents = sorted({(address, size, is_writable) for _, _, address, size, is_writable in map(_fields, arrays)})
        self.regions: list[Region] = []
        for address, size, is_writable in extents:
            last = self.regions[-1] if self.regions else None
            if last is None or address >= last.address + last.size:
                self.regions.append(Region(address, size, is_writable))
            else:
                end = max(last.address + last.size, address + size)
                self.regions[-1] = Region(last.address, end - last.address, last.is_writable or is_writable)
        #: The regions that the kernel can write, by number.
        self.writable = [number for number, region in enumerate(self.regions) if region.is_writable]

    def described(self, argument: Any) -> Any:
        """An argument for a message."""
        if isinstance(argument, _native.Array):
            name, element, address, size, is_writable = argument.fields()
            region = self._region(address, size)
            return {"array": [name, element, region, address - self.regions[region].address, size, is_writable]}
        if isinstance(argument, _native.Words):
            return {"name": argument.name, "words": [self.described(word) for word in argument.words]}
        return number(argument)

    def contents(self) -> list[Any]:
        """The contents of the regions, without a copy."""
        return [_view(region) for region in self.regions]

    def write(self, contents: list[bytearray]) -> None:
        """Writes the results of a kernel."""
        for region, content in zip((self.regions[number] for number in self.writable), contents):
            _view(region)[:] = content

    def _region(self, address: int, size: int) -> int:
        def is_inside(region: Region) -> bool:
            return region.address <= address and address + size <= region.address + region.size

        return next(number for number, region in enumerate(self.regions) if is_inside(region))


def _arrays(argument: Argument) -> list[_native.Array]:
    if isinstance(argument, _native.Array):
        return [argument]
    if isinstance(argument, _native.Words):
        return [word for word in argument.words if isinstance(word, _native.Array)]
    return []


def _fields(array: _native.Array) -> tuple[str, str, int, int, bool]:
    return array.fields()


def _view(region: Region) -> memoryview:
    if region.size == 0:
        return memoryview(bytearray())
    return memoryview((ctypes.c_ubyte * region.size).from_address(region.address)).cast("B")


def number(value: Any) -> int | float | str:
    """A number for a message. Something else becomes text, which the native launch rejects."""
    if isinstance(value, (bool, int, float)):
        return value
    if hasattr(value, "__index__"):
        return operator.index(value)
    return float(value) if hasattr(value, "__float__") else str(value)


class Worker:
    """A process that runs launches, one at a time."""

    #: Workers without a launch.
    idle: ClassVar[list[Worker]] = []
    #: Workers with a launch.
    busy: ClassVar[set[Worker]] = set()
    lock = threading.Lock()

    def __init__(self) -> None:
        # `-I` and `-S` keep the environment, the user's site and further packages away.
        command = [sys.executable, "-I", "-S", _worker.__file__, _native.__file__]
        flags = getattr(subprocess, "CREATE_NO_WINDOW", 0)
        try:
            self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, creationflags=flags)
        except (OSError, ValueError) as error:
            raise WorkerError(f"cannot start the worker process {sys.executable!r}: {error}") from error

    @classmethod
    def take(cls) -> Worker:
        """An idle worker, or a new one."""
        with cls.lock:
            while cls.idle:
                worker = cls.idle.pop()
                if worker.process.poll() is None:
                    cls.busy.add(worker)
                    return worker
        worker = cls()
        with cls.lock:
            cls.busy.add(worker)
        return worker

    def recycle(self) -> None:
        """Keeps the worker for other launches."""
        with self.lock:
            self.busy.discard(self)
            self.idle.append(self)

    def kill(self) -> None:
        """Ends the worker."""
        with self.lock:
            self.busy.discard(self)
        self.process.kill()
        self.process.wait()
        for stream in (self.process.stdin, self.process.stdout):
            try:
                stream.close()  # type: ignore[union-attr]
            except OSError:
                # What was not sent is lost.
                pass

    def launch(
        self,
        request: dict[str, Any],
        memory: list[Any],
        entry: str,
        limit: float | None,
        print: Callable[[str], object],
    ) -> tuple[dict[str, Any], list[bytearray]]:
        """Sends a launch, prints its output, and returns its answer. Kills the worker after `limit` seconds."""
        timer = None if limit is None else threading.Timer(limit, self.process.kill)
        if timer is not None:
            timer.daemon = True
            timer.start()
        try:
            with self._reporting_its_end(entry):
                _worker.send(self.process.stdin, request, memory)  # type: ignore[arg-type]
            while True:
                with self._reporting_its_end(entry):
                    answer, parts = _worker.receive(self.process.stdout)  # type: ignore[arg-type]
                if "printed" not in answer:
                    return answer, parts
                print(answer["printed"])
        finally:
            if timer is not None:
                timer.cancel()

    @contextmanager
    def _reporting_its_end(self, entry: str) -> Iterator[None]:
        try:
            yield
        except (EOFError, OSError) as error:
            raise WorkerError(f"the worker process ended while running `@{entry}`: {self._status()}") from error

    def _status(self) -> str:
        """How the process ended."""
        try:
            status = self.process.wait(GRACE)
        except subprocess.TimeoutExpired:
            return "it closed its output"
        if status >= 0:
            return f"exit status {status}"
        try:
            name = signal.Signals(-status).name
        except ValueError:
            name = "unknown"
        hint = "; the machine may have run out of memory, or the process was killed" if name == "SIGKILL" else ""
        return f"signal {-status} ({name}){hint}"


def _end() -> None:
    for worker in [*Worker.idle, *Worker.busy]:
        worker.kill()
    Worker.idle.clear()


def _forget() -> None:
    """After a fork, the workers belong to the parent."""
    Worker.idle, Worker.busy, Worker.lock = [], set(), threading.Lock()


atexit.register(_end)
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget)
