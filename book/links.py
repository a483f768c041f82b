"""Links between pages: to chapters of the book where there is one, to puzzles in the playground, else to the file in the
repository."""

import os.path
import re
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from markdown import replace_prose, replace_text

ROOT = Path(__file__).resolve().parent.parent
DOCS = "docs"
# The playground is published next to the book.
PLAYGROUND = "../playground/"
# The target of a link or an image, its title, and its text if that is the name of a page. Targets contain no spaces, unlike
# code such as `[x](a, b)`.
TARGET = re.compile(r'(?:\[([\w./-]+\.md))?\]\(([^()\s]+)((?: "[^"]*")?)\)')
CODE = re.compile(r"(?<!\[)`([A-Z]\d{4})`(?!\])")


class Location(NamedTuple):
    """Where a page of the repository is in the book, and its name in the sidebar."""

    path: str
    name: str


class BrokenLink(Exception):
    """A link to a file that does not exist."""


def repository() -> str:
    """The address of the repository, which a release sets in `Cargo.toml`."""
    found = re.search(r'^repository = "(.*)"$', (ROOT / "Cargo.toml").read_text(encoding="utf-8"), re.MULTILINE)
    assert found, "Cargo.toml states no repository"
    return found[1]


def rewrite(page: str, source: str, path: str, chapters: Mapping[str, Location]) -> str:
    """Rewrites the links of the page at `path` in the book, whose text is the file `source` of the repository.
    `chapters` are the chapters by their files in the repository. A link that is named after a page gets the name of its
    chapter."""

    def target(match: re.Match[str]) -> str:
        text, link, title = match.groups()
        if re.match(r"[a-z]+:|#", link):
            return match[0]
        file, hash_, anchor = link.partition("#")
        found = os.path.normpath(os.path.join(os.path.dirname(source), file))
        name = chapters[found].name if found in chapters else text
        return f"{f'[{name}' if text else ''}]({_location(found, source, path, chapters)}{hash_}{anchor}{title})"

    return replace_prose(page, lambda text: TARGET.sub(target, text))


def _location(file: str, source: str, path: str, chapters: Mapping[str, Location]) -> str:
    here = os.path.dirname(path)
    if file in chapters:
        return os.path.relpath(chapters[file].path, here)
    if file.startswith("..") or not (ROOT / file).exists():
        raise BrokenLink(f"{source}: a link leads to {file}, which does not exist")
    puzzle = re.fullmatch(r"learn/(\w+)\.tile", file)
    if puzzle:
        return f"{os.path.relpath(PLAYGROUND, here)}/#puzzle={puzzle[1]}"
    if file.startswith(f"{DOCS}/") and not file.endswith(".md"):
        return os.path.relpath(file.removeprefix(f"{DOCS}/"), here)
    kind = "tree" if (ROOT / file).is_dir() else "blob"
    return f"{repository()}/{kind}/HEAD/{file}"


def link_codes(page: str, root: str, codes: Mapping[str, str]) -> str:
    """Links the codes of diagnostics, such as `E0203`, outside of headings, to their pages."""

    def link(match: re.Match[str]) -> str:
        return f"[{match[0]}]({root}{codes[match[1]]})" if match[1] in codes else match[0]

    def of_line(line: str) -> str:
        return line if line.startswith("#") else CODE.sub(link, line)

    return replace_text(page, lambda text: "\n".join(map(of_line, text.split("\n"))))
