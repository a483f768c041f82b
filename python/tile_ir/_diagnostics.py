"""Diagnostics of programs, and the exceptions of this package."""

from __future__ import annotations

import json
import linecache
from dataclasses import dataclass, field
from typing import Any

from . import _native
from ._html import diagnostics_html


@dataclass(frozen=True)
class Place:
    """A position in a file. Lines and columns count from 1, columns in Unicode characters."""

    path: str
    line: int
    column: int
    #: The calls that led to this position, the innermost first, if the compiler inlined functions.
    callers: tuple[Place, ...] = ()

    def __str__(self) -> str:
        return f"{self.path}:{self.line}:{self.column}"

    @staticmethod
    def _of(found: dict[str, Any]) -> Place:
        callers = tuple(Place._of(caller) for caller in found["callers"])
        return Place(found["path"], found["line"], found["column"], callers)


@dataclass(frozen=True)
class Label:
    """A message at a range of the program's text."""

    message: str
    start: Place
    end: Place


@dataclass(frozen=True)
class Edit:
    """A replacement of the text from `start` to `end`."""

    start: Place
    end: Place
    content: str


@dataclass(frozen=True)
class Fix:
    """A change that fixes a diagnostic."""

    title: str
    #: Whether `tile check --fix` applies it: it follows from the text, and is not a guess.
    is_safe: bool
    edits: tuple[Edit, ...]


@dataclass(frozen=True)
class Diagnostic:
    """A diagnostic of a program. `str()` shows the source lines, as `tile check` does."""

    #: The stable code, such as `E0203`, and the short name, such as `type-mismatch`.
    code: str
    name: str
    #: `error`, `warning`, `info` or `hint`.
    severity: str
    message: str
    start: Place
    end: Place
    labels: tuple[Label, ...] = ()
    notes: tuple[str, ...] = ()
    fixes: tuple[Fix, ...] = ()
    rendered: str = field(default="", repr=False, compare=False)

    def __str__(self) -> str:
        return self.rendered

    def _repr_html_(self) -> str:
        return diagnostics_html([self])

    def explain(self) -> str:
        """The page of the diagnostic, in Markdown."""
        return explain(self.code)

    @staticmethod
    def _of(text: str) -> Diagnostic:
        found = json.loads(text)

        def place(position: dict[str, int]) -> Place:
            return Place(found["filename"], position["row"], position["column"])

        def ends(part: dict[str, Any]) -> tuple[Place, Place]:
            return place(part["location"]), place(part["end_location"])

        def fix(part: dict[str, Any]) -> Fix:
            edits = tuple(Edit(*ends(edit), edit["content"]) for edit in part["edits"])
            return Fix(part["title"], part["applicability"] == "safe", edits)

        return Diagnostic(
            found["code"],
            found["name"],
            found["severity"],
            found["message"],
            *ends(found),
            labels=tuple(Label(label["message"], *ends(label)) for label in found["labels"]),
            notes=tuple(found["notes"]),
            fixes=tuple(map(fix, found["fixes"])),
            rendered=found["rendered"],
        )


class Diagnostics(list[Diagnostic]):
    """A list of diagnostics. `str()` and notebooks show them with their source lines."""

    def __str__(self) -> str:
        return "\n\n".join(map(str, self))

    def _repr_html_(self) -> str:
        return diagnostics_html(self) if self else "no diagnostics"


class TileError(Exception):
    """The base of the exceptions of this package."""


class ProgramError(TileError):
    """A program that has errors, or that a version of bytecode cannot express."""

    def __init__(self, path: str, diagnostics: tuple[Diagnostic, ...]) -> None:
        super().__init__(path, diagnostics)
        #: The path of the program, and the errors.
        self.path = path
        self.diagnostics = diagnostics

    def __str__(self) -> str:
        return "\n\n".join(["the program has errors", *map(str, self.diagnostics)])


class WorkerError(TileError):
    """The process of an isolated launch could not be started, or ended before the launch did."""


class Finding(TileError):
    """A violation of the language that stopped a launch, such as an index outside of a buffer, or a race.

    `str()` shows the source lines.
    """

    def __init__(
        self,
        code: str,
        name: str,
        message: str,
        place: Place,
        block: tuple[int, int, int],
        notes: tuple[str, ...],
        others: tuple[tuple[Place, str], ...],
        texts: dict[str, str],
    ) -> None:
        super().__init__(code, message, place)
        #: The stable code, such as `R0107`, and the short name, such as `race`.
        self.code = code
        self.name = name
        self.message = message
        #: Where it happened.
        self.place = place
        #: The tile block in which it happened.
        self.block = block
        self.notes = notes
        #: Related ops, each with a message, such as the other access of a race.
        self.others = others
        self._texts = texts

    def __reduce__(self) -> tuple[type[Finding], tuple[object, ...]]:
        fields = (self.code, self.name, self.message, self.place, self.block, self.notes, self.others, self._texts)
        return type(self), fields

    def __str__(self) -> str:
        return rendered(self.code, self.message, self.place, self.others, self._all_notes(), self._texts)

    def explain(self) -> str:
        """The page of the finding, in Markdown."""
        return explain(self.code)

    def _all_notes(self) -> list[str]:
        notes = list(self.notes)
        notes += [f"called from {caller}" for caller in self.place.callers]
        notes.append("in tile block ({}, {}, {})".format(*self.block))
        return notes

    @staticmethod
    def _of(text: str, texts: dict[str, str]) -> Finding:
        found = json.loads(text)
        x, y, z = found["block"]
        return Finding(
            found["code"],
            found["name"],
            found["message"],
            Place._of(found["place"]),
            (x, y, z),
            tuple(found["notes"]),
            tuple((Place._of(other["place"]), other["message"]) for other in found["others"]),
            texts,
        )


def rendered(
    code: str,
    message: str,
    place: Place,
    others: tuple[tuple[Place, str], ...],
    notes: list[str],
    texts: dict[str, str],
) -> str:
    """A message with source lines. `texts` are the texts of programs; those of other files are looked up."""
    text = texts.get(place.path)
    if text is None:
        text = "".join(linecache.getlines(place.path))
    labels = [((other.line, other.column), text) for other, text in others if other.path == place.path]
    notes = [f"{other}: {text}" for other, text in others if other.path != place.path] + notes
    shown = _native.render(code, message, place.path, text, (place.line, place.column), labels, notes)
    if shown is not None:
        return shown
    # The source is not available.
    head = f"{place}: error[{code}]: {message}"
    return "\n".join([head, *(f"  {other}: {text}" for other, text in others), *(f"  = {note}" for note in notes)])


def explain(code: str) -> str:
    """The page of a diagnostic or finding, by its code or name, in Markdown. Raises `KeyError` for others."""
    page = _native.explain(code)
    if page is None:
        raise KeyError(f"no diagnostic has the code or name {code!r}")
    return page
