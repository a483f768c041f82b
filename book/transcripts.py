"""transcripts.py TILE [--update]: runs the commands in the ```console blocks of the book, and compares their output.

A line `$ tile …` is a command, and the lines that follow are its output, without the times of runs. The commands run in
a folder with the programs of the page that have a name: ```tile,name=add.tile. `--update` writes the actual output to
the pages.
"""

import re
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

from links import ROOT
from markdown import Fence, fences, replace_fences
from snippets import pages

TIME = re.compile(r"\(\d[\d.]*(?:ns|µs|ms|s)\)")


def transcript(block: Fence, folder: Path, tile: str) -> str:
    """A block with the actual output of its commands."""
    lines = [line for line in block.code.splitlines() if line.startswith("$ ")]
    return "".join(f"{line}\n{output(line.removeprefix('$ '), folder, tile)}" for line in lines)


def output(command: str, folder: Path, tile: str) -> str:
    program, *arguments = shlex.split(command)
    if program != "tile":
        raise SystemExit(f"book: a console block runs `{program}` instead of `tile`")
    ended = subprocess.run(
        [tile, *arguments], cwd=folder, check=False, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding="utf-8"
    )
    return TIME.sub("(…)", ended.stdout)


def rerun(page: str, tile: str) -> str:
    """A page whose console blocks have the actual output."""
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        for fence in fences(page):
            for word in fence.words:
                if word.startswith("name="):
                    (folder / word.removeprefix("name=")).write_text(fence.code, encoding="utf-8")

        def new(fence: Fence) -> str:
            is_console = fence.language == "console"
            return f"```console\n{transcript(fence, folder, tile)}```" if is_console else fence.text

        return replace_fences(page, new)


def main() -> None:
    tile, update = str(Path(sys.argv[1]).resolve()), "--update" in sys.argv
    count, outdated = 0, []
    for path in pages():
        page = path.read_text(encoding="utf-8")
        new = rerun(page, tile)
        count += sum(fence.language == "console" for fence in fences(page))
        if new != page and update:
            path.write_text(new, encoding="utf-8")
        elif new != page:
            place = next(n for n, (old, line) in enumerate(zip(page.splitlines(), new.splitlines()), 1) if old != line)
            outdated.append(f"{path.relative_to(ROOT)}:{place}: expected {new.splitlines()[place - 1]!r}")
    if outdated:
        sys.exit("book: output that has changed; `.ci/book --update` writes it:\n" + "\n".join(outdated))
    print(f"{count} transcripts are up to date")


if __name__ == "__main__":
    main()
