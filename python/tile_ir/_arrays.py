"""Arrays and numbers as arguments.

An array is anything with the buffer protocol, `__array_interface__` or DLPack on the CPU: NumPy arrays, also of the
narrow types of `ml_dtypes`, PyTorch tensors and JAX arrays. Its memory is used in place.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import numpy as np

from . import _native

if TYPE_CHECKING:
    from ._kernel import Parameter

#: What a native launch takes for a parameter.
Argument: TypeAlias = "_native.Array | _native.Words | int | float | bool"

#: The names of the data types of NumPy, `ml_dtypes` and PyTorch that hold each element type.
DTYPES = {
    "i1": ("bool",),
    "i4": ("int4", "uint4"),
    "i8": ("int8", "uint8"),
    "i16": ("int16", "uint16"),
    "i32": ("int32", "uint32"),
    "i64": ("int64", "uint64"),
    "f16": ("float16",),
    "bf16": ("bfloat16",),
    "tf32": ("float32",),
    "f32": ("float32",),
    "f64": ("float64",),
    "f8E4M3FN": ("float8_e4m3fn",),
    "f8E5M2": ("float8_e5m2",),
    "f8E8M0FNU": ("float8_e8m0fnu",),
    "f4E2M1FN": ("float4_e2m1fn",),
}


class Memory(NamedTuple):
    """The memory of an array."""

    #: The name of its data type in NumPy.
    dtype: str
    #: The address of its first element.
    address: int
    #: The size of an element in bytes.
    itemsize: int
    shape: tuple[int, ...]
    #: The distance between elements along each dimension, in elements.
    strides: tuple[int, ...]
    is_writable: bool

    @property
    def is_contiguous(self) -> bool:
        """Whether the elements are adjacent, in row-major order."""
        expected = 1
        for extent, stride in zip(reversed(self.shape), reversed(self.strides)):
            if extent != 1 and stride != expected:
                return 0 in self.shape
            expected *= extent
        return True

    @property
    def extent(self) -> tuple[int, int]:
        """The address of the first byte, and the number of bytes to the end of the last element."""
        if 0 in self.shape:
            return self.address, 0
        ends = [(extent - 1) * stride for extent, stride in zip(self.shape, self.strides)]
        low, high = sum(min(end, 0) for end in ends), sum(max(end, 0) for end in ends)
        return self.address + low * self.itemsize, (high - low + 1) * self.itemsize


def is_array(value: Any) -> bool:
    """Whether a value has memory, and is not a number."""
    if isinstance(value, np.generic):
        return False
    if is_tensor(value):
        return True
    if any(hasattr(value, name) for name in ("__array_interface__", "__dlpack__")):
        return True
    try:
        memoryview(value).release()
    except TypeError:
        return False
    return True


def is_tensor(value: Any) -> bool:
    """Whether a value is a tensor of PyTorch, which is not imported for this."""
    return any(base.__module__ == "torch" and base.__name__ == "Tensor" for base in type(value).__mro__)


def memory(value: Any) -> Memory:
    """The memory of an array. Raises `TypeError` if it is not on the CPU, or not in memory."""
    if is_tensor(value):
        return tensor_memory(value)
    if isinstance(value, np.ndarray) or hasattr(value, "__array_interface__"):
        array = np.asarray(value)
    elif hasattr(value, "__dlpack__"):
        # Frameworks with data types that NumPy lacks have `__array__`, which copies only if it must.
        array = np.asarray(value) if hasattr(value, "__array__") else np.from_dlpack(value)
    else:
        array = np.asarray(memoryview(value))
    strides = [stride // max(array.itemsize, 1) for stride in array.strides]
    if any(stride % max(array.itemsize, 1) for stride in array.strides):
        raise TypeError("its strides are not multiples of the size of an element")
    if not array.dtype.isnative:
        raise TypeError(f"its elements are {array.dtype!r}, which are not in the byte order of this machine")
    address, _ = array.__array_interface__["data"]
    return Memory(array.dtype.name, address, array.itemsize, array.shape, tuple(strides), array.flags.writeable)


def tensor_memory(tensor: Any) -> Memory:
    """The memory of a tensor of PyTorch."""
    if tensor.device.type != "cpu":
        raise TypeError(f"it is on the device {str(tensor.device)!r}, but must be on the CPU: pass `tensor.cpu()`")
    if str(tensor.layout) != "torch.strided":
        raise TypeError(f"it has the layout {tensor.layout}, but must be dense")
    if tensor.is_neg():
        raise TypeError("its elements are the negatives of those in memory: pass `tensor.resolve_neg()`")
    dtype = str(tensor.dtype).removeprefix("torch.").replace("float4_e2m1fn_x2", "uint8")
    return Memory(dtype, tensor.data_ptr(), tensor.element_size(), tuple(tensor.shape), tuple(tensor.stride()), True)


def argument(kernel: str, parameter: Parameter, value: Any) -> Argument:
    """What the native launch takes for a parameter."""
    if not is_array(value):
        if parameter.is_pointer:
            raise TypeError(_message(kernel, parameter, f"it takes an array, not {value!r}"))
        number: Argument = value.item() if isinstance(value, np.generic) else value
        return number
    if not parameter.is_pointer:
        raise TypeError(_message(kernel, parameter, "it takes a number, not an array"))
    try:
        found = memory(value)
    except (TypeError, ValueError, BufferError, RuntimeError) as error:
        raise TypeError(_message(kernel, parameter, f"the array cannot be used: {error}")) from error
    dtypes = DTYPES.get(parameter.element, ())
    if found.dtype not in dtypes:
        wanted = " or ".join(dtypes) or f"elements of {parameter.element}, which no array has"
        raise TypeError(_message(kernel, parameter, f"it takes an array of {wanted}, not {found.dtype}"))
    if not found.is_contiguous:
        layout = f"shape {found.shape} and strides {found.strides} in elements"
        advice = "pass a contiguous array: np.ascontiguousarray(x), or tensor.contiguous()"
        raise ValueError(
            _message(kernel, parameter, f"the array has {layout}, so its elements are not adjacent; {advice}")
        )
    address, size = found.extent
    return _native.Array(f"%{parameter.name}", parameter.element, address, size, found.is_writable)


def _message(kernel: str, parameter: Parameter, what: str) -> str:
    return f"argument {parameter.name} of @{kernel}, a {parameter.type}: {what}"
