"""Programs."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from pathlib import Path

from . import _native
from ._dataflow import Graph
from ._diagnostics import Diagnostic, Diagnostics, ProgramError
from ._html import program_html
from ._kernel import Kernel

#: How bytecode begins.
_MAGIC = b"\x7fTileIR\x00"


class Program(Mapping[str, Kernel]):
    """A program: a mapping from the names of its entries to kernels.

    A program with errors can be created, so that `check` can report them; a launch of it raises `ProgramError`.
    """

    def __init__(self, native: _native.Program) -> None:
        self._native = native
        self._kernels = {entry.name: Kernel(self, native, entry) for entry in native.entries}

    @property
    def text(self) -> str:
        """The text. That of bytecode is its disassembly."""
        return self._native.text

    @property
    def path(self) -> str:
        """The path in messages."""
        return self._native.path

    @property
    def has_errors(self) -> bool:
        """Whether `check` reports errors."""
        return self._native.has_errors

    def check(self) -> Diagnostics:
        """The errors, warnings and hints of the program and its launches, in the order of the text."""
        return Diagnostics(map(Diagnostic._of, self._native.diagnostics()))

    def format(self) -> str:
        """The formatted text, as `tile-fmt` writes it."""
        return format(self.text)

    def to_bytecode(self, version: str | None = None, *, debug_info: bool = True) -> bytes:
        """Bytecode for NVIDIA's compiler.

        `version` is a version of bytecode such as `"13.2"`, by default the newest. With `debug_info`, ops have their
        positions in the text. Raises `ProgramError` if the program has errors, or parts that the version cannot express.
        """
        self._raise_errors()
        try:
            return self._native.encode(version, debug_info)
        except _native.Unsupported as error:
            raise ProgramError(self.path, tuple(Diagnostic._of(found) for found in error.args[0])) from None

    def graph(self, entry: str | None = None) -> Graph:
        """The data flow of an entry, by default the first. `Kernel.graph` shows that of a launch.

        Raises `KeyError` if there is no such entry, and `ProgramError` if the program has errors.
        """
        if entry is None:
            entry = next(iter(self), None)
        if entry is None:
            raise KeyError(f"{self.path} has no entry")
        return self[entry].graph()

    def __getitem__(self, name: str) -> Kernel:
        kernel = self._kernels.get(name.removeprefix("@"))
        if kernel is None:
            known = ", ".join(f"@{name}" for name in self._kernels) or "none"
            raise KeyError(f"{self.path} has no entry @{name.removeprefix('@')}; its entries: {known}")
        return kernel

    def __iter__(self) -> Iterator[str]:
        return iter(self._kernels)

    def __len__(self) -> int:
        return len(self._kernels)

    def __repr__(self) -> str:
        return f"<tile_ir.Program {self.path!r}: {', '.join('@' + name for name in self)}>"

    def _repr_html_(self) -> str:
        return program_html(self)

    def _raise_errors(self) -> None:
        if self.has_errors:
            raise ProgramError(self.path, tuple(found for found in self.check() if found.severity == "error"))


def load(path: str | os.PathLike[str], *, version: str | None = None, preview: bool = False) -> Program:
    """Reads a program from a file of text or bytecode.

    `version` is the version of Tile IR to check text against, such as `"13.2"`, by default the newest. `preview` allows
    preview features. Raises `OSError` if the file cannot be read, and `ValueError` if it is neither text in UTF-8 nor
    valid bytecode.
    """
    content = Path(path).read_bytes()
    if content.startswith(_MAGIC):
        return from_bytecode(content, path=os.fspath(path), preview=preview)
    return loads(content.decode("utf-8-sig"), path=os.fspath(path), version=version, preview=preview)


def loads(text: str, *, path: str = "program.tile", version: str | None = None, preview: bool = False) -> Program:
    """Creates a program from its text. `path` is its name in messages; the rest is as for `load`."""
    return Program(_native.Program(text, path, version, preview))


def from_bytecode(bytecode: bytes, *, path: str = "program.tileirbc", preview: bool = False) -> Program:
    """Decodes a program from bytecode. Raises `ValueError`, with the offset of the byte that is wrong.

    Findings are reported where its debug information says, such as in the Python file that it was compiled from.
    """
    return Program(_native.Program.decode(bytes(bytecode), path, preview))


def format(text: str) -> str:
    """Formats the text of a program, as `tile-fmt` does."""
    return _native.format(text)
