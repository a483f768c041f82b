#!/usr/bin/env python3
"""Measures the latency of the language server.

    python3 lsp/benches/latency.py [--lines 1000,10000,100000] [--rounds 20] [--check] [--json] target/release/tile

Generates programs of the given sizes, with entries as large as those of real programs, and measures the time from writing a message
to receiving the response: for opening the file, a valid edit, an invalid edit, an edit right after a costly request, requests at one
position, requests about the whole file, and a request that an edit makes stale. Also measures the memory after all edits. With
`--check` the exit status is 1 if a figure exceeds its limit. With `--json` the table is a JSON object: the figures by the number of
lines.
"""
import argparse
import json
import os
import select
import statistics
import subprocess
import sys
import time

# Limits in milliseconds for files of up to this many lines. Memory is in MiB.
LIMITS = {
    "edit": {1_000: 1, 10_000: 1, 100_000: 5},
    "breaking edit": {1_000: 1, 10_000: 1, 100_000: 5},
    "hover": {100_000: 1},
    "definition": {100_000: 1},
    "completion": {100_000: 1},
    "signature help": {100_000: 1},
    "symbols": {10_000: 20},
    "colors": {10_000: 50},
    "colors of a screen": {100_000: 2},
    "a stale request": {100_000: 5},
    "memory after edits": {1_000: 12, 100_000: 96},
    "start": {100_000: 10},
}
URI = "file:///bench/program.tile"


def program(lines):
    """A program of about this many lines: entries with loads, a loop, arithmetic and a store."""
    view = "tensor_view<?x?xf32, strides=[?,1]>"
    entry = [
        "  // Sums the elements of a row, NUMBER times.",
        "  entry @sum_NUMBER(%in: tile<ptr<f32>>, %out: tile<ptr<f32>>, %rows: tile<i32>, %stride: tile<i32>) {",
        "    %x, %y, %z = get_tile_block_id : tile<i32>",
        "    %zero = constant <f32: 0.0> : tile<64x64xf32>",
        "    %first = constant <i32: 0> : tile<i32>",
        "    %one = constant <i32: 1> : tile<i32>",
        f"    %v = make_tensor_view %in, shape = [%rows, %stride], strides = [%stride, 1] : tile<i32> -> {view}",
        f"    %p = make_partition_view %v : partition_view<tile=(64x64), {view}>",
        "    %sum = for %i in (%first to %rows, step %one) : tile<i32> iter_values(%acc = %zero) -> (tile<64x64xf32>) {",
        f"      %t, %k = load_view_tko weak %p[%x, %i] : partition_view<tile=(64x64), {view}>, tile<i32> "
        "-> tile<64x64xf32>, token",
        "      %next = addf %acc, %t : tile<64x64xf32>",
        "      continue %next : tile<64x64xf32>",
        "    }",
        *["    %a%d = addf %sum, %sum : tile<64x64xf32>".replace("%d", str(n)) for n in range(4)],
        f"    %w = make_tensor_view %out, shape = [%rows, %stride], strides = [%stride, 1] : tile<i32> -> {view}",
        f"    %q = make_partition_view %w : partition_view<tile=(64x64), {view}>",
        f"    %done = store_view_tko weak %a3, %q[%x, %y] : tile<64x64xf32>, "
        f"partition_view<tile=(64x64), {view}>, tile<i32> -> token",
        "  }",
        "",
    ]
    count = max(1, lines // len(entry))
    out = ["cuda_tile.module @bench {"]
    for number in range(count):
        out += [line.replace("NUMBER", str(number)) for line in entry]
    return "\n".join(out) + "\n}\n"


class Server:
    def __init__(self, command):
        begun = time.perf_counter()
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0)
        self.input, self.output = self.process.stdin.fileno(), self.process.stdout.fileno()
        os.set_blocking(self.input, False)
        self.pending, self.number = bytearray(), 0
        document = {
            "documentSymbol": {"hierarchicalDocumentSymbolSupport": True},
            "publishDiagnostics": {"relatedInformation": True},
        }
        response = self.request("initialize", {"capabilities": {"textDocument": document}})[0]
        self.started = time.perf_counter() - begun
        self.capabilities = response["result"]["capabilities"]
        self.notify("initialized", {})

    def send(self, message):
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        rest = memoryview(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
        begun = time.perf_counter()
        while rest:
            readable, writable, _ = select.select([self.output], [self.input], [])
            if readable:
                self.pending += os.read(self.output, 1 << 20)
            if writable:
                rest = rest[os.write(self.input, rest[: 1 << 20]):]
        return begun

    def receive(self):
        while True:
            end = self.pending.find(b"\r\n\r\n")
            if end >= 0:
                length = int(self.pending[:end].split(b"Content-Length: ")[1].split(b"\r\n")[0])
                if len(self.pending) >= end + 4 + length:
                    now = time.perf_counter()
                    message = json.loads(bytes(self.pending[end + 4:end + 4 + length]))
                    del self.pending[:end + 4 + length]
                    return message, now
            part = os.read(self.output, 1 << 20)
            if not part:
                sys.exit("the server has ended")
            self.pending += part

    def until(self, matches):
        while True:
            message, now = self.receive()
            if "method" in message and "id" in message:
                self.send({"id": message["id"], "result": None})
            elif matches(message):
                return message, now

    def notify(self, method, params):
        return self.send({"method": method, "params": params})

    def ask(self, method, params):
        self.number += 1
        return self.number, self.send({"id": self.number, "method": method, "params": params})

    def answer(self, number):
        return self.until(lambda message: message.get("id") == number)

    def request(self, method, params):
        number, begun = self.ask(method, params)
        message, now = self.answer(number)
        return message, now - begun

    def checked(self, version, begun):
        def matches(message):
            params = message.get("params", {})
            return message.get("method") == "textDocument/publishDiagnostics" and params.get("version") == version

        return self.until(matches)[1] - begun

    def edit(self, version, line, start, end, text):
        place = {"start": {"line": line, "character": start}, "end": {"line": line, "character": end}}
        return self.notify("textDocument/didChange", {
            "textDocument": {"uri": URI, "version": version},
            "contentChanges": [{"range": place, "text": text}],
        })

    def memory(self):
        with open(f"/proc/{self.process.pid}/status") as status:
            return next(int(line.split()[1]) for line in status if line.startswith("VmRSS")) / 1024

    def leave(self):
        self.request("shutdown", None)
        self.notify("exit", None)
        self.process.stdin.close()
        return self.process.wait(20)


def opened(command, text):
    server = Server(command)
    document = {"uri": URI, "languageId": "tile", "version": 1, "text": text}
    return server, server.checked(1, server.notify("textDocument/didOpen", {"textDocument": document}))


def measure(command, lines, rounds):
    """Returns the figures for a file: milliseconds, and MiB for memory."""
    text = program(lines)
    all_lines = text.split("\n")
    figures = {}
    opens = [opened(command, text) for _ in range(3)]
    figures["start"] = statistics.median(server.started for server, _ in opens)
    figures["open"] = statistics.median(seconds for _, seconds in opens)
    for server, _ in opens[1:]:
        server.leave()
    server = opens[0][0]
    middle = next(n for n in range(len(all_lines) // 2, len(all_lines)) if "%a1 = addf" in all_lines[n])
    line = all_lines[middle]
    version = 1

    def edits(column, typed):
        nonlocal version
        seconds = []
        for number in range(rounds):
            version += 1
            change = (column, column, typed) if number % 2 == 0 else (column, column + len(typed), "")
            seconds.append(server.checked(version, server.edit(version, middle, *change)))
        return statistics.median(seconds)

    figures["edit"] = edits(len(line), " ")
    figures["breaking edit"] = edits(line.index("addf") + 2, "x")
    figures["memory after edits"] = server.memory() / 1000
    document = {"textDocument": {"uri": URI}}
    place = {**document, "position": {"line": middle, "character": line.index("%sum") + 2}}
    screen = {"start": {"line": middle - 30, "character": 0}, "end": {"line": middle + 30, "character": 0}}
    for name, method, provider, params in [
        ("hover", "hover", "hoverProvider", place),
        ("definition", "definition", "definitionProvider", place),
        ("completion", "completion", "completionProvider", place),
        ("signature help", "signatureHelp", "signatureHelpProvider", place),
        ("symbols", "documentSymbol", "documentSymbolProvider", document),
        ("colors", "semanticTokens/full", "semanticTokensProvider", document),
        ("colors of a screen", "semanticTokens/range", "semanticTokensProvider", {**document, "range": screen}),
    ]:
        if server.capabilities.get(provider):
            count = rounds if "position" in params or "range" in params else max(3, rounds // 4)
            seconds = [server.request(f"textDocument/{method}", params)[1] for _ in range(count)]
            figures[name] = statistics.median(seconds)
    stale, following = [], []
    for number in range(max(4, rounds // 2)):
        version += 1
        request, _ = server.ask("textDocument/formatting", {**document, "options": {"tabSize": 2, "insertSpaces": True}})
        time.sleep(0.002)
        change = (len(line), len(line), " ") if number % 2 == 0 else (len(line), len(line) + 1, "")
        begun = server.edit(version, middle, *change)
        seen = {}

        def both_seen(message):
            if message.get("id") == request:
                seen["answer"] = time.perf_counter()
            elif message.get("params", {}).get("version") == version:
                seen["checked"] = time.perf_counter()
            return len(seen) == 2

        server.until(both_seen)
        stale.append(seen["answer"] - begun)
        following.append(seen["checked"] - begun)
    figures["an edit after a request"] = statistics.median(following)
    figures["a stale request"] = max(0, statistics.median(stale))
    server.leave()
    return {name: 1000 * value for name, value in figures.items()}


def limit(name, lines):
    """Returns the limit of a figure for a file of this many lines, if it has one."""
    return next((most for size, most in LIMITS.get(name, {}).items() if lines <= size), None)


def is_over(table, name, lines):
    value, most = table[lines].get(name), limit(name, lines)
    return value is not None and most is not None and value > most


def show(table):
    print(f"{'ms':26}" + "".join(f"{lines:>10}" for lines in table))
    for name in max(table.values(), key=len):
        row = ""
        for lines, figures in table.items():
            value = figures.get(name)
            row += f"{'' if value is None else f'{value:.2f}':>9}" + ("!" if is_over(table, name, lines) else " ")
        print(f"{name + (' (MiB)' if 'memory' in name else ''):26}{row}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--lines", default="1000,10000,100000")
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("tile")
    arguments = parser.parse_args()
    sizes = [int(lines) for lines in arguments.lines.split(",")]
    table = {lines: measure([arguments.tile, "lsp"], lines, arguments.rounds) for lines in sizes}
    missed = [f"{name} at {lines} lines: {table[lines][name]:.2f}, limit {limit(name, lines)}"
              for lines in sizes for name in table[lines] if is_over(table, name, lines)]
    if arguments.json:
        print(json.dumps(table, indent=2))
    else:
        show(table)
    if arguments.check and missed:
        sys.exit("\n".join(missed))


if __name__ == "__main__":
    main()
