"""The native part of the package. Private: its interface changes with the package."""

from collections.abc import Callable, Sequence
from datetime import timedelta
from typing import Any, final

from ._arrays import Argument

__all__ = [
    "Array",
    "Entry",
    "Options",
    "Parameter",
    "Program",
    "Unsupported",
    "Words",
    "__version__",
    "accesses",
    "enter_sandbox",
    "explain",
    "format",
    "graph",
    "highlight",
    "launch",
    "render",
]

__version__: str

class Unsupported(ValueError): ...

@final
class Parameter:
    name: str
    type: str
    is_pointer: bool
    element: str

@final
class Entry:
    name: str
    parameters: list[Parameter]

@final
class Program:
    def __new__(cls, text: str, path: str, version: str | None = None, preview: bool = False) -> Program: ...
    @staticmethod
    def decode(bytecode: bytes, path: str, preview: bool = False, first_column: int = 1) -> Program: ...
    @property
    def text(self) -> str: ...
    @property
    def path(self) -> str: ...
    @property
    def entries(self) -> list[Entry]: ...
    @property
    def has_errors(self) -> bool: ...
    def values_on_line(self, entry: str, path: str, line: int) -> list[str]: ...
    def diagnostics(self) -> list[str]: ...
    def encode(self, version: str | None = None, debug_info: bool = True) -> bytes: ...

@final
class Array:
    def __new__(cls, name: str, element: str, address: int, bytes: int, is_writable: bool) -> Array: ...
    def fields(self) -> tuple[str, str, int, int, bool]: ...

@final
class Words:
    @property
    def name(self) -> str: ...
    @property
    def words(self) -> list[int | Array]: ...
    def __new__(cls, name: str, words: Sequence[int | Array]) -> Words: ...

@final
class Options:
    def __new__(
        cls,
        *,
        sanitize: bool = False,
        schedule: int | None = None,
        timeout: timedelta | None = None,
        threads: int | None = None,
        trace: Sequence[str] = ...,
        block: tuple[int, int, int] | None = None,
        profile: bool = False,
    ) -> Options: ...
    @property
    def sanitize(self) -> bool: ...
    @property
    def schedule(self) -> int | None: ...
    @property
    def timeout(self) -> timedelta | None: ...
    @property
    def threads(self) -> int | None: ...
    @property
    def trace(self) -> list[str]: ...
    @property
    def block(self) -> tuple[int, int, int] | None: ...
    @property
    def profile(self) -> bool: ...

def launch(
    program: Program,
    entry: str,
    grid: tuple[int, int, int],
    arguments: Sequence[Argument],
    options: Options,
    print: Callable[[str], object],
) -> dict[str, Any]: ...
def graph(
    program: Program,
    entry: str,
    format: str,
    grid: tuple[int, int, int] | None = None,
    arguments: Sequence[Argument] = ...,
) -> str: ...
def accesses(
    program: Program,
    entry: str,
    grid: tuple[int, int, int] | None = None,
    arguments: Sequence[Argument] = ...,
) -> list[str]: ...
def render(
    code: str,
    message: str,
    path: str,
    text: str,
    position: tuple[int, int],
    labels: Sequence[tuple[tuple[int, int], str]],
    notes: Sequence[str],
) -> str | None: ...
def highlight(text: str) -> str: ...
def format(text: str) -> str: ...
def explain(code: str) -> str | None: ...
def enter_sandbox() -> str: ...
