#!/usr/bin/env python3
"""Pretends to be `tile` and records the first messages of an editor:

    RECORD=vscode.json TILE=target/release/tile record.py lsp

The tests of the editors (run by `.ci/editors`) accept a script that runs this command as the program under test. The messages up to
the editor's first command or its shutdown are written as a JSON list, without anything that is specific to the machine: the folder
becomes `/test`, other files keep only their names, and the process ID is null. A server may be started several times; the first
trusted one that opens a document is recorded.
"""
import json
import os
import re
import subprocess
import sys
import threading

END = ("workspace/executeCommand", "shutdown", "exit")
MAX_MESSAGES = 60


def message(stream):
    """Returns the next message, as raw bytes and parsed."""
    head = b""
    while not head.endswith(b"\r\n\r\n"):
        byte = stream.read(1)
        if not byte:
            return None
        head += byte
    length = next(int(line.split(b":")[1]) for line in head.split(b"\r\n") if line.lower().startswith(b"content-length"))
    body = stream.read(length)
    return head + body, json.loads(body)


def cleaned(messages):
    params = messages[0]["params"]
    params["processId"] = None
    folders = [folder["uri"] for folder in params.get("workspaceFolders") or []]
    opened = next(each["params"]["textDocument"]["uri"] for each in messages if each.get("method") == "textDocument/didOpen")
    named = [*folders, params.get("rootUri"), params.get("rootPath"), os.path.dirname(opened)]
    root = next(name for name in named if name).removeprefix("file://").rstrip("/")
    text = json.dumps(messages, ensure_ascii=False).replace(root, "/test")
    return json.loads(re.sub(r'"/(?:tmp|home|root|Users)/[^"]*?([^/"]*)"', r'"/elsewhere/\1"', text))


def write(messages):
    options = messages[0]["params"].get("initializationOptions") or {}
    opens = any(each.get("method") == "textDocument/didOpen" for each in messages)
    if opens and options.get("trusted", True) and not os.path.exists(os.environ["RECORD"]):
        with open(os.environ["RECORD"], "w", encoding="utf-8") as file:
            json.dump(cleaned(messages), file, ensure_ascii=False, indent=1)
            file.write("\n")


def main():
    program = os.environ["TILE"]
    if sys.argv[1:2] != ["lsp"]:
        os.execv(program, [program, *sys.argv[1:]])
    server = subprocess.Popen([program, *sys.argv[1:]], stdin=subprocess.PIPE)
    seen, is_done = [], False

    def forward():
        nonlocal is_done
        while (next_one := message(sys.stdin.buffer)) is not None:
            raw, data = next_one
            if not is_done and (data.get("method") in END or len(seen) == MAX_MESSAGES):
                is_done = True
                write(seen)
            elif not is_done:
                seen.append(data)
            server.stdin.write(raw)
            server.stdin.flush()
        server.stdin.close()

    threading.Thread(target=forward, daemon=True).start()
    sys.exit(server.wait())


if __name__ == "__main__":
    main()
