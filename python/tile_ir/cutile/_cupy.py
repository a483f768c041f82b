"""A stand-in for CuPy, whose arrays are those of NumPy."""

from __future__ import annotations

from types import ModuleType
from typing import Any

import numpy as np

from ._torch import Event, Stream


class Array(np.ndarray):
    """An array of NumPy with the methods that CuPy adds."""

    def get(self, *_: Any, **__: Any) -> np.ndarray:
        """A copy as a plain array of NumPy."""
        return np.array(self)

    def set(self, values: Any, *_: Any) -> None:
        """Copies elements."""
        self[...] = values

    @property
    def device(self) -> int:  # type: ignore[override]
        """The device."""
        return 0


def asnumpy(array: Any, *_: Any, **__: Any) -> np.ndarray:
    """A plain array of NumPy."""
    return np.array(array)


class CuPy(ModuleType):
    """The module `cupy`: functions of NumPy, whose results are `Array`s."""

    ndarray = Array
    asnumpy = staticmethod(asnumpy)
    __version__ = "0.0+tile_ir"

    def __init__(self) -> None:
        super().__init__("cupy")
        self.cuda = _cuda()
        self.random = _Functions("cupy.random", np.random)
        self.linalg = _Functions("cupy.linalg", np.linalg)
        self.testing = np.testing

    def __getattr__(self, name: str) -> Any:
        return wrapped(getattr(np, name))


class _Functions(ModuleType):
    """A module whose functions return `Array`s."""

    def __init__(self, name: str, module: Any) -> None:
        super().__init__(name)
        self._module = module

    def __getattr__(self, name: str) -> Any:
        return wrapped(getattr(self._module, name))


class _Methods:
    """An object whose methods return `Array`s, such as a random generator."""

    def __init__(self, wrapped: Any) -> None:
        self._wrapped = wrapped

    def __getattr__(self, name: str) -> Any:
        return wrapped(getattr(self._wrapped, name))


def wrapped(value: Any) -> Any:
    """A function of NumPy that returns `Array`s; anything else as it is."""
    if not callable(value) or isinstance(value, type):
        return value

    def function(*args: Any, **kwargs: Any) -> Any:
        result = value(*args, **kwargs)
        if isinstance(result, np.random.Generator):
            return _Methods(result)
        return result.view(Array) if isinstance(result, np.ndarray) else result

    function.__name__ = getattr(value, "__name__", "function")
    return function


def _cuda() -> ModuleType:
    module = ModuleType("cupy.cuda")
    stream = CuPyStream()
    members = {
        "Stream": CuPyStream,
        "Event": Event,
        "get_current_stream": lambda *_: stream,
        "Device": lambda *_: _Device(),
        "runtime": ModuleType("cupy.cuda.runtime"),
    }
    vars(module).update(members)
    vars(module.runtime).update({"deviceSynchronize": lambda: None, "getDeviceCount": lambda: 1})
    return module


class CuPyStream(Stream):
    """A stream of CuPy."""

    #: The pointer to the default stream.
    ptr = 0


CuPyStream.null = CuPyStream()  # type: ignore[attr-defined]


class _Device:
    """The only device."""

    id = 0

    def synchronize(self) -> None:
        """Returns."""

    def use(self) -> None:
        """Returns."""

    def __enter__(self) -> _Device:
        return self

    def __exit__(self, *_: Any) -> None:
        pass
