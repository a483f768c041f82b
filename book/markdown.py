"""Markdown in parts: fenced code, code spans and the text around them."""

import re
from collections.abc import Callable, Iterator

FENCE = re.compile(r"^( *)```([^\n`]*)\n(.*?)^\1```[ ]*$", re.MULTILINE | re.DOTALL)
CODE_SPAN = re.compile(r"(`+)(?!`).*?(?<!`)\1(?!`)", re.DOTALL)


class Fence:
    """A block of fenced code. `words` are the words of its info string: `tile,fails` has two."""

    def __init__(self, match: re.Match[str]):
        self.text = match[0]
        self.words = [word for word in re.split(r"[\s,]+", match[2]) if word]
        indent = len(match[1])
        self.code = "".join(line[indent:] if line.strip() else line for line in match[3].splitlines(keepends=True))
        self.line = match.string.count("\n", 0, match.start()) + 1

    @property
    def language(self) -> str:
        return self.words[0] if self.words else ""


def fences(page: str) -> Iterator[Fence]:
    """The fenced code of a page."""
    return map(Fence, FENCE.finditer(page))


def replace_fences(page: str, new: Callable[[Fence], str]) -> str:
    """Replaces each block of fenced code."""
    return FENCE.sub(lambda match: new(Fence(match)), page)


def replace_text(page: str, new: Callable[[str], str]) -> str:
    """Replaces the text outside of fenced code."""
    return _outside(FENCE, page, new)


def replace_prose(page: str, new: Callable[[str], str]) -> str:
    """Replaces the text outside of fenced code and of code spans."""
    return replace_text(page, lambda text: _outside(CODE_SPAN, text, new))


def _outside(pattern: re.Pattern[str], text: str, new: Callable[[str], str]) -> str:
    parts, end = [], 0
    for match in pattern.finditer(text):
        parts += [new(text[end : match.start()]), match[0]]
        end = match.end()
    return "".join([*parts, new(text[end:])])
