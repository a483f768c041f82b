"""Figures in other pages.

A page quotes a figure as a link to the benchmarks whose title is the name of the figure:

    [0.41 ms](benchmarks.md#language-server "lsp.edit.10000")

Any other quantity in a page is an error, unless `allowed.json` lists it with a reason: a limit, a setting or the output
of a command is not a measurement. A quantity is a number with a unit of time, size or rate, or a comparison such as
`twice as fast` or `5 % slower`, in prose; and a number in a column of a table whose heading contains such a unit or a
word such as `ratio`. Fenced code, code spans and the targets of links are skipped.
"""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from page import figure
from results import Result

QUOTE = re.compile(r'\[([^\[\]]*)\]\(([^()\s]*benchmarks\.md(?:#[\w-]*)?) "([^"]*)"\)')

SKIPPED = [
    re.compile(r"^( *)(```|~~~).*?^\1\2[ ]*$", re.MULTILINE | re.DOTALL),
    re.compile(r"<!--.*?-->", re.DOTALL),
    re.compile(r"\{\{[^{}]*\}\}"),
    re.compile(r"(`+)(?!`)(?:(?!\n\n).)*?(?<!`)\1(?!`)", re.DOTALL),
    QUOTE,
    re.compile(r'(?<=\])\([^()\s]*(?: "[^"]*")?\)'),
    re.compile(r"<[^<>\s]+>"),
]

WORDS = (
    "one|two|three|four|five|six|seven|eight|nine|ten|twelve|fifteen|twenty|thirty|forty|fifty|sixty|hundred|half an?"
)
NUMBER = rf"(?:(?<![\w.])\d[\d,.]*(?:e-?\d+)?[ -]?|\b(?:{WORDS})[ -])"
TIME = r"ns|µs|us|ms|s|sec|min|h|(?:(?:nano|micro|milli)?second|minute|hour)s?"
SIZE = r"[kKMGT]i?B"
RATE = r"[kKMGT]?i?B/s|[KMGTP]?FLOPS|[KMGTP]?FLOP/s|(?:\w+ )?(?:per|a|each) second"
COMPARED = r"faster|slower|longer|shorter|larger|smaller|quicker|higher|lower"
COMPARISON = rf"(?:{COMPARED}|as (?:long|fast|slow|large|much|big|small)|of (?:the|its) (?:time|size|speed))"
FRACTION = "half|third|quarter|fifth|sixth|seventh|eighth|ninth|tenth"
QUANTITIES = [
    rf"{NUMBER}(?:{RATE}|{SIZE}|{TIME})(?![\w/])",
    rf"{NUMBER}(?:%|percent|times|x|×) (?:more |less )?{COMPARISON}\b",
    rf"{NUMBER}times (?:the|its|that)\b",
    rf"\btwice {COMPARISON}\b",
    rf"\b(?:(?:an?|less than|more than) )?(?:{FRACTION}) {COMPARISON}\b",
]
# In a paragraph, a space can be the end of a line.
QUANTITY = re.compile("|".join(QUANTITIES).replace("[ -]", r"(?:-|\s+)").replace(" ", r"\s+"), re.IGNORECASE)
HEADING = re.compile(
    rf"(?:^|[ ,(])(?:{SIZE}|{RATE}|ns|µs|us|ms|s|seconds)(?:$|[),])"
    r"|\b(?:ratio|slowdown|speedup|gain|times? as|times? (?:faster|slower))\b|^time$",
    re.IGNORECASE,
)
CELL = re.compile(r"^[~<>≈]?\d")


@dataclass
class Allowed:
    """Quantities of a page that are not measurements: some texts, or all of a section."""

    page: str
    reason: str
    quantities: list[str] = field(default_factory=list)
    section: str | None = None
    unused: set[str] = field(init=False)

    def __post_init__(self) -> None:
        self.unused = set(self._listed)

    @property
    def _listed(self) -> list[str]:
        return [self.section] if self.section else self.quantities

    def permits(self, quantity: "Quantity") -> bool:
        """Whether the entry lists the quantity, which is then no longer unused."""
        text = quantity.section if self.section else quantity.text
        self.unused.discard(text)
        return text in self._listed


@dataclass
class Quantity:
    """A quantity in a page: its position, its text with single spaces, and the heading of its section."""

    start: int
    text: str
    section: str


def load_allowed(path: Path) -> list[Allowed]:
    return [Allowed(**row) for row in json.loads(path.read_text(encoding="utf-8"))]


def update(text: str, results: Mapping[str, Result]) -> str:
    """The page with the current figures in its quotes."""
    return QUOTE.sub(lambda match: f'[{figure(match[3], results)}]({match[2]} "{match[3]}")', text)


def quantities(page: str) -> Iterator[Quantity]:
    """The quantities of a page that are not quotes."""
    prose = page
    for pattern in SKIPPED:
        prose = pattern.sub(_blank, prose)
    headings = [(match.start(), match[1]) for match in re.finditer(r"^#+ (.*)$", _without_fences(page), re.MULTILINE)]
    found = {match.start(): match[0] for match in QUANTITY.finditer(prose)}
    for start, cell in _cells(prose):
        # A cell with a unit has been found already.
        if not any(start <= other < start + len(cell) for other in found):
            found[start] = cell
    for start, text in sorted(found.items()):
        section = next((heading for at, heading in reversed(headings) if at <= start), "")
        yield Quantity(start, " ".join(text.split()), section)


def errors(name: str, page: str, allowed: list[Allowed]) -> Iterator[str]:
    """Messages about the stray quantities of a page."""
    entries = [entry for entry in allowed if entry.page == name]
    for quantity in quantities(page):
        if not any([entry.permits(quantity) for entry in entries]):
            line = page.count("\n", 0, quantity.start) + 1
            yield f"{name}:{line}: `{quantity.text}` is neither a quoted figure nor in .ci/figures/allowed.json"


def _blank(match: re.Match[str]) -> str:
    """Spaces instead of a text, so that positions stay the same. Code counts as a word, not as a space."""
    return "".join(character if character == "\n" else "_" for character in match[0])


def _without_fences(page: str) -> str:
    return SKIPPED[0].sub(_blank, page)


def _cells(prose: str) -> Iterator[tuple[int, str]]:
    """The numbers in columns of tables whose headings name a unit or a ratio, with their positions."""
    marked: list[int] | None = None
    start, before = 0, ""
    for line in prose.splitlines(keepends=True):
        if not line.startswith("|"):
            marked = None
        elif re.match(r"\|[\s:|-]+$", line):
            marked = [number for number, cell in enumerate(before.split("|")) if HEADING.search(cell.strip())]
        elif marked:
            at = start
            for number, cell in enumerate(line.split("|")):
                if number in marked and CELL.match(cell.strip()):
                    yield at + len(cell) - len(cell.lstrip()), cell.strip()
                at += len(cell) + 1
        start, before = start + len(line), line
