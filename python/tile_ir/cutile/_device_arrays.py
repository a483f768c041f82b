"""Arrays of the CPU in the form of arrays on a device, from which cuTile derives signatures.

cuTile accepts arrays on a CUDA device only, by DLPack. A `DeviceArray` describes the memory of an array on the CPU in
that form. cuTile reads its data type, address, shape and strides, and never the elements.
"""

from __future__ import annotations

import ctypes
from functools import cache
from typing import Any

from .._arrays import Memory, memory

#: The type code of DLPack and the number of bits for each data type that cuTile has.
TYPES = {
    "bool": (6, 8),
    "int8": (0, 8),
    "int16": (0, 16),
    "int32": (0, 32),
    "int64": (0, 64),
    "uint8": (1, 8),
    "uint16": (1, 16),
    "uint32": (1, 32),
    "uint64": (1, 64),
    "float16": (2, 16),
    "float32": (2, 32),
    "float64": (2, 64),
    "bfloat16": (4, 16),
    "float8_e4m3fn": (10, 8),
    "float8_e5m2": (12, 8),
    "float8_e8m0fnu": (14, 8),
}

#: `kDLCUDA`.
CUDA = 2


class _Tensor(ctypes.Structure):
    """`DLTensor`, followed by the rest of `DLManagedTensor`."""

    _fields_ = [
        ("data", ctypes.c_void_p),
        ("device_type", ctypes.c_int32),
        ("device_id", ctypes.c_int32),
        ("ndim", ctypes.c_int32),
        ("code", ctypes.c_uint8),
        ("bits", ctypes.c_uint8),
        ("lanes", ctypes.c_uint16),
        ("shape", ctypes.POINTER(ctypes.c_int64)),
        ("strides", ctypes.POINTER(ctypes.c_int64)),
        ("byte_offset", ctypes.c_uint64),
        ("manager_ctx", ctypes.c_void_p),
        ("deleter", ctypes.c_void_p),
    ]


#: Nothing is deleted: a `DeviceArray` owns its description.
_deleter = ctypes.CFUNCTYPE(None, ctypes.c_void_p)(lambda _: None)


_new_capsule = ctypes.pythonapi.PyCapsule_New
_new_capsule.restype = ctypes.py_object
_new_capsule.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]


class DeviceArray:
    """The memory of an array of the CPU, as if it were on a device."""

    def __init__(self, name: str, memory: Memory) -> None:
        #: The argument, such as `x` or `xs[2]`.
        self.name = name
        self.memory = memory
        if memory.dtype not in TYPES:
            raise TypeError(f"argument {name}: cuTile has no arrays of {memory.dtype}")

    def __dlpack__(self, **_: Any) -> Any:
        memory = self.memory
        numbers = ctypes.c_int64 * max(len(memory.shape), 1)
        code, bits = TYPES[memory.dtype]
        self._tensor = _Tensor(
            data=memory.address,
            device_type=CUDA,
            ndim=len(memory.shape),
            code=code,
            bits=bits,
            lanes=1,
            shape=numbers(*memory.shape),
            strides=numbers(*memory.strides),
            deleter=ctypes.cast(_deleter, ctypes.c_void_p),
        )
        return _new_capsule(ctypes.addressof(self._tensor), b"dltensor", None)

    def __dlpack_device__(self) -> tuple[int, int]:
        return CUDA, 0


@cache
def _class(name: str) -> type[DeviceArray]:
    """A class with this name, because cuTile's messages name the class of an argument."""
    return type(name, (DeviceArray,), {})


def device_array(name: str, array: Any) -> DeviceArray:
    """Describes an array of the CPU, the argument `name`."""
    return _class(type(array).__name__)(name, memory(array))
