"""The chapters that `tile` exports: ops, types, keywords, concepts, launches and diagnostics."""

import json
import re
import subprocess
from dataclasses import dataclass, field
from typing import Any

from highlight import Words

# A topic or a diagnostic, as `tile` exports it.
Exported = dict[str, Any]

# The groups of topics on each page, except for ops, each of whose groups has its own page.
PAGES = {
    "All types": ["Types", "Element types", "View parameters", "Padding value", "Pointer attribute"],
    "Keywords and attributes": [
        "Rounding mode",
        "Signedness",
        "Overflow behavior",
        "Comparison predicate",
        "Comparison ordering",
        "Atomic mode",
        "Reduction",
        "Memory ordering",
        "Memory scope",
        "Visibility",
        "Assume predicate",
        "Attributes",
        "Optimization hints",
        "Architectures",
    ],
    "Concepts": ["Concepts", "Preview terms", "Lint comments"],
    "Launch directives": [
        "Launch directives",
        "Buffer contents",
        "Address functions",
        "Expectations",
        "Tolerances",
        "Formula functions",
        "Function options",
        "Launch terms",
    ],
}
OPS = "Ops: "

# The kinds of diagnostics, by the first letter of their code.
FAMILIES = {
    "E": ("Errors", "The program is invalid."),
    "L": ("Lints", "The program is valid, but probably wrong or harder to read than necessary."),
    "P": ("Performance hints", "The program is valid, but probably slow on a GPU."),
    "R": ("Findings of runs", "The kernel did something wrong while it ran."),
}


@dataclass
class Page:
    """A chapter: its name in the sidebar, its path in the book and its text. `programs` maps the code of its examples
    to the complete programs that the playground opens."""

    name: str
    path: str
    content: str
    programs: dict[str, str] = field(default_factory=dict)
    pages: list["Page"] = field(default_factory=list)


class Reference:
    """All exported chapters. `pages` maps the names of draft chapters in `SUMMARY.md` to them."""

    def __init__(self, tile: str):
        self.topics = _export(tile, "doc")
        self.diagnostics = _export(tile, "explain")
        self.codes = {one["code"]: f"reference/diagnostics/{one['code']}.html" for one in self.diagnostics}
        self.places = {_key(topic): self._place(topic) for topic in self.topics}
        # The page of a name: that of the op, if several topics share it.
        self.names = {topic["name"]: self.places[_key(topic)] for topic in reversed(self.topics)}
        ops = [topic for topic in self.topics if topic["kind"] == "op"]
        places = {name: self.names[topic["name"]] for topic in ops for name in [topic["name"], *topic["also"]]}
        types = {topic["name"] for topic in self.topics if topic["group"] in ("Types", "Element types")}
        self.words = Words(places, types)
        self.pages = {
            "Ops": self._ops(ops),
            **{name: self._terms(name, groups) for name, groups in PAGES.items()},
            "Diagnostics": self._diagnostics(),
        }

    def _place(self, topic: Exported) -> str:
        """The address of a topic in the book."""
        group = topic["group"]
        if group.startswith(OPS):
            return f"reference/ops/{_slug(group.removeprefix(OPS))}.html#{_anchor(topic)}"
        for name, groups in PAGES.items():
            if group in groups:
                return f"reference/{_slug(name)}.html#{_anchor(topic)}"
        raise SystemExit(f"book: the group `{group}` of `tile doc` is on no page; add it to book/reference.py")

    def _ops(self, ops: list[Exported]) -> Page:
        groups: dict[str, list[Exported]] = {}
        for topic in ops:
            groups.setdefault(topic["group"].removeprefix(OPS), []).append(topic)
        text = "# Ops\n\nAll ops, by subject. `tile doc OP` prints the same pages.\n"
        pages = []
        for group, topics in groups.items():
            title = group[0].upper() + group[1:]
            rows = [
                f"| [`{it['name']}`]({self._from_reference(it)}) | {_cell(it['summary'])} | {it['since']} |"
                for it in topics
            ]
            text += f"\n## {title}\n\n| op | | since |\n|---|---|---|\n" + "\n".join(rows) + "\n"
            body = "".join(self._topic(topic, 2) for topic in topics)
            page = Page(title, f"reference/ops/{_slug(group)}.md", f"# Ops: {group}\n{body}", _programs(topics))
            pages.append(page)
        return Page("Ops", "reference/ops.md", text, pages=pages)

    def _from_reference(self, topic: Exported) -> str:
        return self.places[_key(topic)].removeprefix("reference/")

    def _terms(self, name: str, groups: list[str]) -> Page:
        text = f"# {name}\n"
        shown = []
        for group in groups:
            topics = [topic for topic in self.topics if topic["group"] == group]
            heading, level = ("", 2) if group == name else (f"\n## {group}\n", 3)
            text += heading + "".join(self._topic(topic, level) for topic in topics)
            shown += topics
        return Page(name, f"reference/{_slug(name)}.md", text, _programs(shown))

    def _topic(self, topic: Exported, level: int) -> str:
        root = "../../" if topic["kind"] == "op" else "../"
        # The heading replaces the first line of the page, which states the name and the kind.
        page = re.sub(r"\A\*\*`.*\n", "", topic["page"])
        # Without a separator, Markdown joins the values of a keyword and the rules that follow them.
        page = re.sub(r"^(- .*\n)\n(?=- )", r"\1\n<!-- -->\n\n", page, flags=re.MULTILINE)
        return f"\n{'#' * level} `{topic['name']}` {{#{_anchor(topic)}}}\n\n{self._with_links(page, root).strip()}\n"

    def _with_links(self, page: str, root: str) -> str:
        """A page whose line `See also` has links."""

        def link(match: re.Match[str]) -> str:
            place = self.codes.get(match[1]) or self.names.get(match[1])
            return f"[{match[0]}]({root}{place})" if place else match[0]

        return re.sub(r"^See also: .*$", lambda line: re.sub("`([^`]+)`", link, line[0]), page, flags=re.MULTILINE)

    def _diagnostics(self) -> Page:
        families = [self._family(letter, title, about) for letter, (title, about) in FAMILIES.items()]
        if len(self.diagnostics) != sum(len(family.pages) for family in families):
            raise SystemExit("book: a code has a new first letter; add it to book/reference.py")
        text = "# Diagnostics\n\nEach diagnostic has a page with a wrong and a right program. `tile explain CODE` prints it.\n"
        for family, (_, about) in zip(families, FAMILIES.values(), strict=True):
            text += f"\n- [{family.name}]({family.path.removeprefix('reference/')}): {len(family.pages)} pages. {about}"
        return Page("Diagnostics", "reference/diagnostics.md", f"{text}\n", pages=families)

    def _family(self, letter: str, title: str, about: str) -> Page:
        found = [one for one in self.diagnostics if one["code"].startswith(letter)]
        rows = [
            f"| [`{it['code']}`](diagnostics/{it['code']}.md) | {it['name']} | {_cell(_first(it['text']))} |"
            for it in found
        ]
        text = f"# {title}\n\n{about}\n\n| code | name | |\n|---|---|---|\n" + "\n".join(rows) + "\n"
        pages = [self._diagnostic(one) for one in found]
        return Page(title, f"reference/{_slug(title)}.md", text, pages=pages)

    def _diagnostic(self, one: Exported) -> Page:
        code, name = one["code"], one["name"]
        page = self._with_links(one["page"], "../../")
        programs = {one["wrong"]: one["wrong"], one["right"]: one["right"]}
        return Page(f"{code}: {name}", f"reference/diagnostics/{code}.md", page, programs)


def _export(tile: str, command: str) -> list[Exported]:
    ended = subprocess.run([tile, command, "--output-format=json"], check=True, capture_output=True, encoding="utf-8")
    exported: list[Exported] = json.loads(ended.stdout)
    return exported


def _programs(topics: list[Exported]) -> dict[str, str]:
    return {topic["example"]: topic["program"] for topic in topics if topic["program"]}


def _key(topic: Exported) -> str:
    return f"{topic['kind']} {topic['name']}"


def _anchor(topic: Exported) -> str:
    """Other topics can share the name of an op, but not its page."""
    return _slug(topic["name"] if topic["kind"] == "op" else _key(topic))


def _slug(text: str) -> str:
    return re.sub(r"[^\w]+", "-", text.lower()).strip("-")


def _first(text: str) -> str:
    """The first sentence of a text."""
    return re.split(r"(?<=\.)\s", text, maxsplit=1)[0].replace("\n", " ")


def _cell(text: str) -> str:
    return text.replace("|", "\\|")
