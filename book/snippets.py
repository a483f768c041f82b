"""snippets.py TILE: checks and runs the programs in the hand-written pages of the book.

The tests of `tile` cover those of the exported pages. Complete programs that are not marked as ```tile are an error.
"""

import re
import subprocess
import sys
import tempfile
from pathlib import Path

from links import DOCS, ROOT
from markdown import fences
from preprocess import FILES

PROGRAM = re.compile(r"^\s*(cuda_tile\.)?module @", re.MULTILINE)


def pages() -> list[Path]:
    """The hand-written pages."""
    return [*sorted((ROOT / DOCS).glob("*.md")), *(ROOT / file for file in FILES.values())]


def write(folder: Path) -> tuple[dict[str, list[str]], list[str]]:
    """Writes the programs to a folder. Returns their names by what they need or do, and what is wrong with blocks."""
    programs: dict[str, list[str]] = {"passes": [], "fails": [], "preview": []}
    problems = []
    for page in pages():
        for fence in fences(page.read_text(encoding="utf-8")):
            if fence.language == "" and PROGRAM.search(fence.code):
                place = f"{page.relative_to(ROOT)}:{fence.line}"
                problems.append(f"{place}: a program in a block without a language; mark it as `tile`")
            if fence.language == "tile" and "fragment" not in fence.words:
                name = f"{page.stem}-{fence.line}.tile"
                kind = next((word for word in fence.words if word in programs), "passes")
                programs[kind].append(name)
                (folder / name).write_text(fence.code, encoding="utf-8")
    return programs, problems


def run(folder: Path, *command: str) -> tuple[int, str]:
    ended = subprocess.run(command, cwd=folder, check=False, capture_output=True, encoding="utf-8")
    return ended.returncode, ended.stdout + ended.stderr


def main() -> None:
    tile = str(Path(sys.argv[1]).resolve())
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        programs, problems = write(folder)
        checks = [
            (["check", "--output-format=concise"], programs["passes"]),
            (["fmt", "--check"], programs["passes"]),
            (["test"], programs["passes"]),
            (["check", "--output-format=concise", "--preview=simt"], programs["preview"]),
        ]
        for command, names in checks:
            status, output = run(folder, tile, *command, *names)
            if status:
                problems.append(f"tile {command[0]}:\n{output}")
        for name in programs["fails"]:
            if run(folder, tile, "test", name)[0] == 0:
                problems.append(f"{name}: marked as failing, but it passes")
    if problems:
        sys.exit("book: " + "\n".join(problems))
    print("programs in pages: " + ", ".join(f"{len(names)} {kind}" for kind, names in programs.items()))


if __name__ == "__main__":
    main()
