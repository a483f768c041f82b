"""The process of isolated launches, and its messages.

It is a script that imports nothing but the native module and the standard library, so that it starts in milliseconds.
A message is a header in JSON, preceded by its length, and followed by binary parts whose lengths the header states.
"""

from __future__ import annotations

import ctypes
import importlib.util
import json
import os
import queue
import signal
import struct
import sys
import threading
from datetime import timedelta
from typing import TYPE_CHECKING, Any, BinaryIO

if TYPE_CHECKING:
    from types import ModuleType

    from . import _native

#: The number of programs that a worker keeps.
MAX_PROGRAMS = 64

_LENGTH = struct.Struct("<Q")


def send(stream: BinaryIO, message: dict[str, Any], parts: list[Any]) -> None:
    """Sends a message with binary parts."""
    header = json.dumps({**message, "parts": [len(part) for part in parts]}).encode()
    stream.write(_LENGTH.pack(len(header)) + header)
    stream.writelines(parts)
    stream.flush()


def receive(stream: BinaryIO) -> tuple[dict[str, Any], list[bytearray]]:
    """Receives a message. Raises `EOFError` at the end of the stream."""
    (length,) = _LENGTH.unpack(_read(stream, _LENGTH.size))
    message = json.loads(_read(stream, length))
    return message, [_read(stream, length) for length in message.pop("parts")]


def _read(stream: BinaryIO, length: int) -> bytearray:
    content = bytearray(length)
    view, filled = memoryview(content), 0
    while filled < length:
        count = stream.readinto(view[filled:])  # type: ignore[attr-defined]
        if not count:
            raise EOFError
        filled += count
    return content


class Server:
    """Runs launches, and sends their output and reports."""

    def __init__(self, native: ModuleType, output: BinaryIO) -> None:
        self.native = native
        self.output = output
        self.programs: dict[tuple[str, str], _native.Program] = {}

    def handle(self, message: dict[str, Any], memory: list[bytearray]) -> None:
        """Answers a request for a launch."""
        try:
            report, parts = self.launch(message, memory), self.written(message, memory)
        except (TypeError, ValueError, RuntimeError, MemoryError) as error:
            return send(self.output, {"raised": type(error).__name__, "message": str(error)}, [])
        for traced in report["trace"]:
            if traced["contents"] is not None:
                parts.append(traced["contents"])
                traced["contents"] = len(parts) - 1
        send(self.output, {"report": report}, parts)

    def launch(self, message: dict[str, Any], memory: list[bytearray]) -> dict[str, Any]:
        """Runs a launch on the memory of its arrays."""
        starts = [ctypes.addressof(ctypes.c_char.from_buffer(part)) if part else 0 for part in memory]

        def array(name: str, element: str, region: int, offset: int, size: int, is_writable: bool) -> Any:
            return self.native.Array(name, element, starts[region] + offset, size, is_writable)

        def argument(given: Any) -> Any:
            if not isinstance(given, dict):
                return given
            if "array" in given:
                return array(*given["array"])
            return self.native.Words(given["name"], [argument(word) for word in given["words"]])

        arguments = [argument(given) for given in message["arguments"]]
        options = message["options"]
        if options["timeout"] is not None:
            options["timeout"] = timedelta(seconds=options["timeout"])
        program = self.program(message["text"], message["path"])
        report: dict[str, Any] = self.native.launch(
            program, message["entry"], tuple(message["grid"]), arguments, self.native.Options(**options), self.printed
        )
        return report

    def program(self, text: str, path: str) -> Any:
        """The program with a text. The caller has checked it, also against its version."""
        program = self.programs.pop((text, path), None)
        if program is None:
            program = self.native.Program(text, path, None, True)
        # The program that was used last is the last one.
        self.programs[text, path] = program
        if len(self.programs) > MAX_PROGRAMS:
            del self.programs[next(iter(self.programs))]
        return program

    def written(self, message: dict[str, Any], memory: list[bytearray]) -> list[Any]:
        """The memory that the kernel can have written."""
        return [memory[region] for region in message["writable"]]

    def printed(self, text: str) -> None:
        """Sends printed text."""
        send(self.output, {"printed": text}, [])


def serve(path: str) -> None:
    """Runs launches until standard input ends. `path` is the file of the native module."""
    if sys.platform != "win32":
        # The terminal sends Ctrl-C to both processes; the caller ends this one.
        signal.signal(signal.SIGINT, signal.SIG_IGN)
    output = os.fdopen(os.dup(1), "wb")
    # Nothing else may write to it.
    os.dup2(2, 1)
    native = _load(path)
    native.enter_sandbox()
    requests: queue.SimpleQueue[tuple[dict[str, Any], list[bytearray]]] = queue.SimpleQueue()
    threading.Thread(target=_receive_all, args=(sys.stdin.buffer, requests), daemon=True).start()
    server = Server(native, output)
    while True:
        server.handle(*requests.get())


def _receive_all(stream: BinaryIO, requests: queue.SimpleQueue[tuple[dict[str, Any], list[bytearray]]]) -> None:
    try:
        while True:
            requests.put(receive(stream))
    finally:
        # The caller is gone. A running kernel must end, too.
        os._exit(0)


def _load(path: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location("tile_ir._native", path)
    assert spec is not None and spec.loader is not None
    native = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(native)
    return native


if __name__ == "__main__":
    serve(sys.argv[1])
