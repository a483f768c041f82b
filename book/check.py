"""check.py FOLDER: checks the pages of the built book: every link leads to a file, and every anchor to an element.

Links to other sites are not followed. The preprocessor has checked those to the repository.
"""

import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

from snippet import PLAYGROUND

# Their links are relative to the address of the site.
SKIPPED = {"404.html"}


class Parsed(HTMLParser):
    """The anchors of a page, and what it refers to, with line numbers."""

    def __init__(self, text: str):
        super().__init__()
        self.anchors: set[str] = set()
        self.links: list[tuple[int, str]] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if name == "id" and value:
                if value in self.anchors:
                    self.links.append((self.getpos()[0], f"#two elements with the id {value}"))
                self.anchors.add(value)
            elif name in ("href", "src") and value:
                self.links.append((self.getpos()[0], value))


def broken(folder: Path) -> list[str]:
    """The links that lead nowhere, as messages."""
    pages = {path: Parsed(path.read_text(encoding="utf-8")) for path in sorted(folder.rglob("*.html"))}
    found = []
    for path, page in pages.items():
        if path.name in SKIPPED:
            continue
        for line, link in page.links:
            parts = urlsplit(link)
            if parts.scheme or parts.netloc:
                continue
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            if target == (folder / PLAYGROUND).resolve():
                continue
            if target.is_dir():
                target /= "index.html"
            is_anchor = not parts.fragment or target not in pages or unquote(parts.fragment) in pages[target].anchors
            if not target.exists() or not is_anchor:
                found.append(f"{path.relative_to(folder)}:{line}: {link}")
    return found


def main() -> None:
    folder = Path(sys.argv[1]).resolve()
    found = broken(folder)
    if found:
        sys.exit("book: links that lead nowhere:\n" + "\n".join(found))
    print(f"all links of {len(list(folder.rglob('*.html')))} pages lead somewhere")


if __name__ == "__main__":
    main()
