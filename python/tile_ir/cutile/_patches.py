"""Replacing functions of other packages, and putting them back."""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import ModuleType
from typing import Any


class Patches:
    """Replaced attributes, in the order of their replacement."""

    def __init__(self) -> None:
        self._undo: list[Callable[[], None]] = []

    def replace(self, owner: Any, name: str, value: Any) -> None:
        """Replaces an attribute that `owner` has. Raises `RuntimeError` if it has none."""
        if not hasattr(owner, name):
            version = getattr(owner, "__version__", "")
            what = getattr(owner, "__name__", repr(owner))
            raise RuntimeError(f"{what} {version} has no `{name}`, which tile_ir.cutile replaces".replace("  ", " "))
        self.set(owner, name, value)

    def set(self, owner: Any, name: str, value: Any) -> None:
        """Sets an attribute, which `owner` need not have."""
        own = vars(owner)
        before = own.get(name, _ABSENT)
        setattr(owner, name, value)

        def undo() -> None:
            if before is _ABSENT:
                delattr(owner, name)
            else:
                setattr(owner, name, before)

        self._undo.append(undo)

    def replace_everywhere(self, owner: ModuleType, name: str, value: Any) -> None:
        """Replaces a function, also in modules that have imported it by name."""
        before = getattr(owner, name, _ABSENT)
        self.replace(owner, name, value)
        for module in list(sys.modules.values()):
            if not isinstance(module, ModuleType) or module is owner:
                continue
            for other, found in list(vars(module).items()):
                if found is before:
                    self.set(module, other, value)

    def module(self, name: str, module: ModuleType) -> None:
        """Makes `import name` return a module."""
        before = sys.modules.get(name)
        sys.modules[name] = module

        def undo() -> None:
            if before is None:
                sys.modules.pop(name, None)
            else:
                sys.modules[name] = before

        self._undo.append(undo)

    def undo(self) -> None:
        """Puts everything back, the last replacement first."""
        while self._undo:
            self._undo.pop()()


_ABSENT = object()


def unsupported(what: str) -> type:
    """A class, or a function, that raises `NotImplementedError` when it is called."""

    class Unsupported:
        def __init__(self, *_: Any, **__: Any) -> None:
            raise NotImplementedError(f"tile_ir.cutile, which runs kernels on the CPU, does not emulate {what}")

    return Unsupported
