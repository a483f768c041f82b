"""A stand-in for NVIDIA's driver, so that cuTile can inspect arguments on a machine without a GPU.

cuTile's extension calls the driver when it derives the signature of a kernel from its arguments. The stand-in answers
questions about the device, and fails everything else with an error that says why.
"""

from __future__ import annotations

import ctypes
import importlib.util
import sys
from types import ModuleType
from typing import Any

#: The module that finds the driver for cuTile's extension, and its attribute with the address of a pointer to
#: `cuGetProcAddress_v2`.
MODULE = "cuda.tile._load_libcuda"
ATTRIBUTE = "cuGetProcAddress_v2_ptrptr"

#: Results of the driver: `CUDA_SUCCESS`, `CUDA_ERROR_INVALID_VALUE`, `CUDA_ERROR_NOT_SUPPORTED`.
SUCCESS, INVALID_VALUE, NOT_SUPPORTED = 0, 1, 801

#: The version of CUDA that the stand-in reports.
VERSION = 13_040

#: Attributes of a device, by their numbers in `CUdevice_attribute`: the greatest grid, and the compute capability.
GRID = {5: (1 << 31) - 1, 6: 65_535, 7: 65_535}
MAJOR, MINOR = 75, 76

_int_p = ctypes.POINTER(ctypes.c_int)
_void_pp = ctypes.POINTER(ctypes.c_void_p)

#: Functions with any arguments, all of which it leaves alone.
_PLAIN = ctypes.CFUNCTYPE(ctypes.c_int)


class Driver:
    """The stand-in. It must live as long as the process, because cuTile keeps pointers to its functions."""

    def __init__(self, capability: tuple[int, int]) -> None:
        self.capability = capability
        self._error = ctypes.c_char_p(b"not supported by tile_ir.cutile, which runs kernels on the CPU")
        self._functions = self._callbacks()
        prototype = ctypes.CFUNCTYPE(
            ctypes.c_int, ctypes.c_char_p, _void_pp, ctypes.c_int, ctypes.c_uint64, ctypes.c_void_p
        )
        self._get = prototype(self._get_proc_address)
        self._pointer = ctypes.cast(self._get, ctypes.c_void_p)

    def module(self) -> ModuleType:
        """The module that cuTile's extension imports to find the driver."""
        module = ModuleType(MODULE)
        setattr(module, ATTRIBUTE, ctypes.addressof(self._pointer))
        return module

    def _callbacks(self) -> dict[str, Any]:
        function, c_int = ctypes.CFUNCTYPE, ctypes.c_int
        return {
            "cuInit": function(c_int, ctypes.c_uint)(lambda _: SUCCESS),
            "cuDriverGetVersion": function(c_int, _int_p)(lambda version: _store(version, VERSION)),
            "cuDeviceGetCount": function(c_int, _int_p)(lambda count: _store(count, 1)),
            "cuDeviceGet": function(c_int, _int_p, c_int)(self._device),
            "cuCtxGetDevice": function(c_int, _int_p)(lambda device: _store(device, 0)),
            "cuDeviceGetAttribute": function(c_int, _int_p, c_int, c_int)(self._attribute),
            "cuGetErrorString": function(c_int, c_int, _void_pp)(self._error_string),
            "cuPointerGetAttribute": function(c_int, ctypes.c_void_p, c_int, ctypes.c_uint64)(lambda *_: INVALID_VALUE),
            "": _PLAIN(lambda: NOT_SUPPORTED),
        }

    def _get_proc_address(self, name: bytes, result: ctypes._Pointer[ctypes.c_void_p], *_: int) -> int:
        function = self._functions.get(name.decode()) or self._functions[""]
        result[0] = ctypes.cast(function, ctypes.c_void_p)
        return SUCCESS

    def _device(self, device: ctypes._Pointer[ctypes.c_int], number: int) -> int:
        return _store(device, 0) if number == 0 else INVALID_VALUE

    def _attribute(self, value: ctypes._Pointer[ctypes.c_int], attribute: int, _: int) -> int:
        known = {MAJOR: self.capability[0], MINOR: self.capability[1], **GRID}
        return _store(value, known[attribute]) if attribute in known else NOT_SUPPORTED

    def _error_string(self, _: int, text: ctypes._Pointer[ctypes.c_void_p]) -> int:
        text[0] = ctypes.cast(self._error, ctypes.c_void_p)
        return SUCCESS


def _store(place: ctypes._Pointer[ctypes.c_int], value: int) -> int:
    place[0] = value
    return SUCCESS


_driver: Driver | None = None


def install(capability: tuple[int, int]) -> Driver | None:
    """Makes cuTile use the stand-in, unless it has already loaded the real driver, which serves as well.

    Raises `RuntimeError` if this version of cuTile finds the driver in another way.
    """
    global _driver
    if _driver is not None:
        _driver.capability = capability
        return _driver
    loaded = sys.modules.get(MODULE)
    if loaded is not None:
        return None
    check()
    _driver = Driver(capability)
    sys.modules[MODULE] = _driver.module()
    return _driver


def check() -> None:
    """Checks that cuTile finds the driver as expected, without loading it."""
    spec = importlib.util.find_spec(MODULE)
    loader: Any = spec.loader if spec is not None else None
    source = loader.get_source(MODULE) if hasattr(loader, "get_source") else None
    if source is None or ATTRIBUTE not in source:
        raise RuntimeError(
            f"this version of cuda-tile does not find the driver by {MODULE}.{ATTRIBUTE}; "
            "install the newest version of tile-ir, or an older one of cuda-tile"
        )
