"""A client of the language server that waits until the server is idle."""

from __future__ import annotations

import fcntl
import json
import os
import select
import subprocess
from pathlib import Path
from typing import Any

from counting import Failed, Process

URI = "file:///bench/program.tile"
DOCUMENT = {"textDocument": {"uri": URI}}
# What common editors announce.
CAPABILITIES = {
    "textDocument": {
        "completion": {"completionItem": {"snippetSupport": True, "documentationFormat": ["markdown"]}},
        "documentSymbol": {"hierarchicalDocumentSymbolSupport": True},
        "hover": {"contentFormat": ["markdown", "plaintext"]},
        "publishDiagnostics": {"relatedInformation": True, "versionSupport": True, "tagSupport": {"valueSet": [1, 2]}},
    }
}


class Server:
    """A language server whose costs are counted."""

    def __init__(self, base: Path, number: int) -> None:
        self.process = Process(base, number, ["./tile", "lsp"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        assert self.process.process.stdin and self.process.process.stdout
        self.input, self.output = self.process.process.stdin.fileno(), self.process.process.stdout.fileno()
        # So that the server reads a message at once, however busy the machine is.
        fcntl.fcntl(self.input, fcntl.F_SETPIPE_SZ, 1 << 20)
        os.set_blocking(self.output, False)
        os.set_blocking(self.input, False)
        self.pending, self.received, self.number, self.version = bytearray(), 0, 0, 0
        self.lines: list[str] = []

    def drain(self) -> bool:
        """Reads what the server has written. Returns whether there was anything."""
        try:
            part = os.read(self.output, 1 << 20)
        except BlockingIOError:
            return False
        if not part:
            self.process.process.wait()
            self.process.check()
        self.pending += part
        self.received += len(part)
        return True

    def send(self, message: dict[str, Any]) -> None:
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        rest = memoryview(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
        while rest:
            select.select([self.output], [self.input], [])
            self.drain()
            try:
                rest = rest[os.write(self.input, rest):]
            except BlockingIOError:
                pass

    def messages(self) -> list[dict[str, Any]]:
        """Takes the complete messages."""
        found = []
        while (end := self.pending.find(b"\r\n\r\n")) >= 0:
            length = int(self.pending[:end].split(b"Content-Length: ")[1].split(b"\r\n")[0])
            if len(self.pending) < end + 4 + length:
                break
            found.append(json.loads(bytes(self.pending[end + 4:end + 4 + length])))
            del self.pending[:end + 4 + length]
        return found

    def settle(self) -> list[dict[str, Any]]:
        """Waits until the server is idle, and returns the messages that it has sent."""
        found: list[dict[str, Any]] = []
        while True:
            ready = select.select([self.output], [], [], 0.002)[0]
            if ready:
                self.drain()
            elif self.process.is_idle() and not select.select([self.output], [], [], 0)[0]:
                found += self.messages()
                asked = [message for message in found if "method" in message and "id" in message]
                if not asked:
                    return found
                found = [message for message in found if message not in asked]
                for message in asked:
                    self.send({"id": message["id"], "result": None})
            else:
                self.process.check()

    def request(self, method: str, params: Any) -> Any:
        self.number += 1
        self.send({"id": self.number, "method": method, "params": params})
        for message in self.settle():
            if message.get("id") == self.number:
                if message.get("result") is None:
                    raise Failed(f"the answer to {method} is {json.dumps(message)[:300]}")
                return message["result"]
        raise Failed(f"no answer to {method}")

    def start(self) -> None:
        self.request("initialize", {"capabilities": CAPABILITIES})
        self.send({"method": "initialized", "params": {}})
        self.settle()

    def diagnostics(self) -> list[dict[str, Any]]:
        """Waits for the diagnostics of the present version."""
        for message in reversed(self.settle()):
            params = message.get("params") or {}
            if message.get("method") == "textDocument/publishDiagnostics" and params.get("version") == self.version:
                return list(params["diagnostics"])
        raise Failed(f"no diagnostics for version {self.version}")

    def open(self, text: str) -> list[dict[str, Any]]:
        self.version, self.lines = 1, text.split("\n")
        document = {"uri": URI, "languageId": "tile", "version": 1, "text": text}
        self.send({"method": "textDocument/didOpen", "params": {"textDocument": document}})
        return self.diagnostics()

    def edit(self, line: int, new: str) -> list[dict[str, Any]]:
        """Changes a line. Like an editor, sends only the part that differs."""
        old, self.lines[line] = self.lines[line], new
        start = len(os.path.commonprefix([old, new]))
        tail = min(len(os.path.commonprefix([old[::-1], new[::-1]])), len(old) - start, len(new) - start)
        place = {"start": {"line": line, "character": start}, "end": {"line": line, "character": len(old) - tail}}
        self.version += 1
        self.send({"method": "textDocument/didChange", "params": {
            "textDocument": {"uri": URI, "version": self.version},
            "contentChanges": [{"range": place, "text": new[start:len(new) - tail]}],
        }})
        return self.diagnostics()

    def mark(self, name: str) -> int:
        """Ends a phase. Returns how many bytes the server has sent in it."""
        self.process.mark(name)
        received, self.received = self.received, 0
        return received
