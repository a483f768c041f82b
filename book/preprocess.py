"""The preprocessor of mdBook, which reads the book as JSON and writes it back with all chapters in their final form.

- Draft chapters of `docs/SUMMARY.md` get the pages that `tile` exports, or a file outside of `docs/`.
- Links to files of the repository become links to chapters, or to the repository.
- Programs are highlighted, and open in the playground.

`TILE` names the program, by default `tile`.
"""

import json
import os
import sys
from collections.abc import Iterator
from typing import Any

from links import DOCS, ROOT, BrokenLink, Location, link_codes, rewrite
from markdown import Fence, replace_fences
from reference import Page, Reference
from snippet import is_program, rendered

# Chapters from files outside of `docs/`.
FILES = {
    "Twenty puzzles": "learn/README.md",
    "Editors": "editors/README.md",
    "Compiler Explorer": "editors/compiler-explorer/README.md",
    "Security": "SECURITY.md",
    "Changelog": "CHANGELOG.md",
}

# A chapter in the JSON of mdBook.
Chapter = dict[str, Any]


def main() -> None:
    _, book = json.load(sys.stdin)
    reference = Reference(os.environ.get("TILE", "tile"))
    exported = dict(_fill(book["items"], reference.pages))
    written = (chapter for chapter in _chapters(book["items"]) if chapter["source_path"])
    chapters = {f"{DOCS}/{one['source_path']}": Location(one["path"], one["name"]) for one in written}
    chapters |= {source: Location(_path(name), name) for name, source in FILES.items()}
    for chapter in _chapters(book["items"]):
        _finish(chapter, reference, exported, chapters)
    json.dump(book, sys.stdout)


def _fill(items: list[Any], pages: dict[str, Page]) -> Iterator[tuple[str, Page]]:
    """Fills draft chapters. Returns the exported pages by their paths in the book."""
    for chapter in _chapters(items):
        name = chapter["name"]
        if chapter["path"] is None and name in FILES:
            chapter["content"] = (ROOT / FILES[name]).read_text(encoding="utf-8")
            chapter["path"] = _path(name)
        elif chapter["path"] is None:
            if name not in pages:
                raise SystemExit(f"book: `tile` exports no pages for the draft chapter `{name}`")
            yield from _insert(chapter, pages[name])


def _insert(chapter: Chapter, page: Page) -> Iterator[tuple[str, Page]]:
    chapter["content"], chapter["path"] = page.content, page.path
    yield page.path, page
    for number, below in enumerate(page.pages, 1):
        new = chapter | {"name": below.name, "number": [*(chapter["number"] or []), number], "sub_items": []}
        new["parent_names"] = [*chapter["parent_names"], chapter["name"]]
        chapter["sub_items"].append({"Chapter": new})
        yield from _insert(new, below)


def _finish(chapter: Chapter, reference: Reference, exported: dict[str, Page], chapters: dict[str, Location]) -> None:
    """Rewrites the links and the programs of a chapter."""
    path = chapter["path"]
    root = "../" * path.count("/")
    page = exported.get(path)
    source = FILES.get(chapter["name"]) or f"{DOCS}/{chapter['source_path']}"
    content = chapter["content"] if page else rewrite(chapter["content"], source, path, chapters)

    def program(fence: Fence) -> str | None:
        if page:
            return page.programs.get(fence.code)
        return fence.code if is_program(fence) else None

    def code(fence: Fence) -> str:
        is_tile = fence.language == "tile"
        return rendered(fence.code, program(fence), reference.words, root) if is_tile else fence.text

    chapter["content"] = replace_fences(link_codes(content, root, reference.codes), code)


def _chapters(items: list[Any]) -> Iterator[Chapter]:
    """All chapters, also those below others."""
    for item in items:
        if isinstance(item, dict) and "Chapter" in item:
            yield item["Chapter"]
            yield from _chapters(item["Chapter"]["sub_items"])


def _path(name: str) -> str:
    """The path of a chapter from such a file."""
    return f"{name.lower().replace(' ', '-')}.md"


if __name__ == "__main__":
    if sys.argv[1:2] == ["supports"]:
        sys.exit(0 if sys.argv[2] == "html" else 1)
    try:
        main()
    except BrokenLink as error:
        sys.exit(f"book: {error}")
