"""Generates programs of a given size. The same arguments always give the same text."""

from __future__ import annotations

from pathlib import Path

FOLDER = Path(__file__).parent
HEAD = "cuda_tile.module @bench {\n"


def entries(template: str) -> list[str]:
    """Returns the entries of `source.tile` or `printed.tile`, each with the comments above it."""
    body = (FOLDER / template).read_text().partition(HEAD)[2].rstrip().removesuffix("}")
    return [entry + "\n  }\n" for entry in body.split("\n  }\n") if entry.strip()]


def repeated(template: str, lines: int) -> str:
    """Returns a program of at most this many lines with numbered copies of a template's entries."""
    parts, length, number = [HEAD], 2, 0
    while True:
        for entry in entries(template):
            length += entry.count("\n")
            if length > lines:
                return "".join(parts) + "}\n"
            parts.append(entry.replace("NUMBER", str(number)))
        number += 1


def source(lines: int) -> str:
    """Returns a program as people write them."""
    return repeated("source.tile", lines)


def printed(lines: int) -> str:
    """Returns a program as NVIDIA's printer writes them: many small entries, long lines, and unused results."""
    return repeated("printed.tile", lines)


def flood(lines: int) -> str:
    """Returns a program with a finding in almost every line: one entry in which no result is used, and small entries,
    each with a few lints and an error."""
    small = """
  entry @finding_NUMBER(%x: tile<f32>, %n: tile<i32>) {
    %a = pow %x, %x : tile<f32>
    %b = addi %n, %n : tile<i32>
    %c = muli %b, %missing : tile<i32>
    print_tko "%i", %x : tile<f32> -> token
    return
  }
"""
    count = lines // 40
    unused = lines - count * small.count("\n") - 6
    parts = [HEAD, "  entry @unused(%n: tile<f32>) {\n    %v0 = addf %n, %n : tile<f32>\n"]
    parts += [f"    %v{number + 1} = addf %v{number}, %n : tile<f32>\n" for number in range(unused)]
    parts += ["    return\n  }\n"]
    parts += [small.replace("NUMBER", str(number)) for number in range(count)]
    return "".join(parts) + "}\n"


def changed(text: str) -> str:
    """Returns a program whose meaning differs from `text` in a few entries."""
    lines = text.split("\n")
    for number in range(0, len(lines), 997):
        place = next((later for later in range(number, len(lines)) if "= addf" in lines[later]), None)
        if place is not None:
            lines[place] = lines[place].replace("= addf", "= mulf")
    return "\n".join(lines)


# The kinds of text, as the names of rows call them.
KINDS = {"source": source, "printed": printed, "flood": flood}
