"""Programs as HTML. Ops and types come from the tables of `tile`, everything else from the position of a word."""

import re
from dataclasses import dataclass, field
from html import escape

NAME = r"(?:[\w$.]|-(?!>))+"
TOKEN = re.compile(
    rf"""
      (?P<directive>//@.*)
    | (?P<comment>//.*)
    | (?P<string>"(?:[^"\\\n]|\\.)*"?)
    | (?P<value>%{NAME}(?:\#\d+)?)
    | (?P<symbol>@(?:{NAME}|"(?:[^"\\\n]|\\.)*"))
    | (?P<alias>[!#]\w[\w$.]*)
    | (?P<number>(?:(?:\d+|\?)x)+(?:\d+\b|\?)?|-?0x[0-9A-Fa-f]+|-?\d+(?:\.\d*)?(?:[eE][-+]?\d+)?)
    | (?P<word>[A-Za-z_][\w$]*(?:\.[A-Za-z_][\w$]*)*)
    """,
    re.VERBOSE,
)
# What precedes an op on its line.
STATEMENT = re.compile(r"(?:^|[={}])\s*$")
PREFIX = "cuda_tile."

# The classes of highlight.js, for which all themes of mdBook have colors.
CLASSES = {
    "directive": "literal",
    "comment": "comment",
    "string": "string",
    "symbol": "string",
    "alias": "built_in",
    "number": "number",
    "op": "title",
    "type": "built_in",
    "literal": "literal",
    "keyword": "keyword",
}


@dataclass
class Words:
    """The words of the language. `ops` maps the names of ops to their pages."""

    ops: dict[str, str] = field(default_factory=dict)
    types: set[str] = field(default_factory=set)


def classify(code: str, match: re.Match[str], words: Words) -> str:
    """The class of a token: a key of `CLASSES`, or `value`."""
    kind = match.lastgroup or ""
    if kind != "word":
        return kind
    name = match[0].removeprefix(PREFIX)
    line = code[code.rfind("\n", 0, match.start()) + 1 : match.start()]
    if name in words.ops and STATEMENT.search(line):
        return "op"
    if name in words.types:
        return "type"
    return "literal" if name in ("true", "false") else "keyword"


def html(code: str, words: Words, root: str) -> str:
    """The code with a `span` for each token, and a link to the page of each op. `root` leads to the book's folder."""
    parts, end = [], 0
    for match in TOKEN.finditer(code):
        kind = classify(code, match, words)
        shown = escape(match[0], quote=False)
        if kind in CLASSES:
            shown = f'<span class="hljs-{CLASSES[kind]}">{shown}</span>'
        if kind == "op":
            shown = f'<a href="{root}{words.ops[match[0].removeprefix(PREFIX)]}">{shown}</a>'
        parts += [escape(code[end : match.start()], quote=False), shown]
        end = match.end()
    return "".join([*parts, escape(code[end:], quote=False)])
