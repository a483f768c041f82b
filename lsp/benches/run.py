#!/usr/bin/env python3
"""Measures the time from a run command in an editor to the printed text.

    python3 lsp/benches/run.py [--target cuda] [--rounds 50] [--check] [--json] target/release/tile [examples/hello_world.tile]

Opens a program in one server and runs its first launch repeatedly: the first run starts a worker, opens the GPU and compiles, the
others reuse all that. Reports, for the first run and for the median of the others, the milliseconds from the command to the first
printed text and to the response, the share of the compiler and the driver (on the CPU: the engine), and the rest, which is tile's own
share. With `--check` the exit status is 1 if a warm run exceeds a limit. With `--json` the table is a JSON object.
"""
import argparse
import json
import pathlib
import statistics
import sys
import time

from latency import Server, URI

# Limits of a warm run in milliseconds: to the first text, and tile's own share of that.
LIMITS = {"first text": 30, "own share": 5}


def run(server, entry, target):
    """Runs the entry once. Returns the seconds by phase."""
    command = {"command": "tile.run", "arguments": [{"uri": URI, "entry": entry, "sanitize": False, "target": target}]}
    request, begun = server.ask("workspace/executeCommand", command)
    seen = {}

    def is_response(message):
        if message.get("method") == "tile/runOutput" and message["params"]["stream"] == "stdout":
            seen.setdefault("first text", time.perf_counter() - begun)
        return message.get("id") == request

    message, now = server.until(is_response)
    if "error" in message or not message["result"].get("passed"):
        sys.exit(json.dumps(message.get("error") or message["result"], indent=2))
    seen["answer"] = now - begun
    seen["compiler and GPU" if target.startswith("cuda") else "engine"] = waited = message["result"]["waited"]
    if "first text" in seen:
        seen["own share"] = seen["first text"] - waited
    return seen


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--target", default="cpu")
    parser.add_argument("--rounds", type=int, default=50)
    parser.add_argument("--entry", help="the entry to run [default: the first of the file]")
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("tile")
    parser.add_argument("program", nargs="?", default=pathlib.Path(__file__).parents[2] / "examples/hello_world.tile")
    arguments = parser.parse_args()
    text = pathlib.Path(arguments.program).read_text()
    entry = arguments.entry or text.split("entry @", 1)[1].split("(", 1)[0].strip()
    server = Server([arguments.tile, "lsp"])
    server.checked(1, server.notify("textDocument/didOpen", {
        "textDocument": {"uri": URI, "languageId": "tile", "version": 1, "text": text}}))
    first = run(server, entry, arguments.target)
    warm = [run(server, entry, arguments.target) for _ in range(arguments.rounds)]
    server.leave()
    median = {name: statistics.median(one[name] for one in warm) for name in warm[0]}
    worst = {name: max(one[name] for one in warm) for name in warm[0]}
    table = {column: {name: 1000 * phases[name] for name in median}
             for column, phases in [("first run", first), ("warm", median), ("slowest", worst)]}
    if arguments.json:
        print(json.dumps(table, indent=2))
    else:
        print(f"{'ms':20}{'first run':>12}{'warm':>10}{'slowest':>10}")
        for name in median:
            print(f"{name:20}{table['first run'][name]:12.2f}{table['warm'][name]:10.2f}{table['slowest'][name]:10.2f}")
    missed = [f"{name}: {1000 * median[name]:.2f}, limit {most}" for name, most in LIMITS.items()
              if 1000 * median.get(name, 0) > most]
    if arguments.check and missed:
        sys.exit("\n".join(missed))


if __name__ == "__main__":
    main()
