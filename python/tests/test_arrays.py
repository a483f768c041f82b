"""Arrays of NumPy and of the standard library, and objects with the protocols for arrays."""

import array
import re

import numpy as np
import pytest
import sources
import tile_ir

#: Each element type, with its data types in NumPy.
DTYPES = [
    ("i1", np.bool_),
    ("i8", np.int8),
    ("i8", np.uint8),
    ("i16", np.int16),
    ("i16", np.uint16),
    ("i32", np.int32),
    ("i32", np.uint32),
    ("i64", np.int64),
    ("i64", np.uint64),
    ("f16", np.float16),
    ("tf32", np.float32),
    ("f32", np.float32),
    ("f64", np.float64),
]


@pytest.fixture(params=[False, True], ids=["in process", "isolated"])
def isolated(request: pytest.FixtureRequest) -> bool:
    return request.param


def copy(element: str, x, y, n: int, **options) -> None:
    """Copies `n` elements from `x` to `y`."""
    sources.copy(element)[-(-n // 4)](x, y, n, **options)


@pytest.mark.parametrize(("element", "dtype"), DTYPES)
@pytest.mark.parametrize("n", [4, 7, 64])
def test_every_data_type_is_used_in_place(element: str, dtype: type, n: int, isolated: bool):
    x, y = (np.arange(n) % 2).astype(dtype), np.zeros(n, dtype)
    copy(element, x, y, n, isolated=isolated)
    assert np.array_equal(x, y)


@pytest.mark.parametrize(("element", "dtype"), DTYPES)
def test_other_data_types_are_errors(element: str, dtype: type):
    kernel = sources.copy(element)
    for wrong in [np.float32, np.int32, np.bool_, np.complex64]:
        x = np.zeros(4, wrong)
        if x.itemsize == np.dtype(dtype).itemsize and x.dtype.kind in np.dtype(dtype).kind.replace("u", "ui"):
            continue
        with pytest.raises(
            TypeError, match=f"argument x of @copy, a tile<ptr<{element}>>: it takes an array of .*, not {x.dtype}"
        ):
            kernel[1](x, x, 4)


@pytest.mark.parametrize("dtype", [">f4", "S4", "O", "V4", "M8[s]", "f4,f4"])
def test_data_types_without_an_element_type_are_errors(dtype: str):
    x = np.zeros(4, dtype)
    with pytest.raises(TypeError, match="argument x of @copy, a tile<ptr<f32>>: "):
        sources.copy("f32")[1](x, np.zeros(4, np.float32), 4)


def test_the_order_of_bytes_is_named():
    with pytest.raises(TypeError, match="not in the byte order of this machine"):
        sources.copy("f32")[1](np.zeros(4, ">f4"), np.zeros(4, np.float32), 4)


@pytest.mark.parametrize("offset", range(9))
@pytest.mark.parametrize("n", [1, 4, 7])
@pytest.mark.parametrize("dtype", [np.int8, np.int16, np.float32, np.float64])
def test_arrays_begin_and_end_anywhere(offset: int, n: int, dtype: type, isolated: bool):
    element = {"int8": "i8", "int16": "i16", "float32": "f32", "float64": "f64"}[np.dtype(dtype).name]
    x, whole = np.arange(1, 33).astype(dtype), np.full(32, -1, dtype)
    copy(element, x[offset : offset + n], whole[offset : offset + n], n, isolated=isolated)
    expected = np.full(32, -1, dtype)
    expected[offset : offset + n] = x[offset : offset + n]
    assert np.array_equal(whole, expected)


def test_arrays_need_no_alignment(isolated: bool):
    x = np.zeros(64, np.uint8)[1:17].view(np.float32)
    y = np.zeros(4, np.float32)
    x[:] = [1, 2, 3, 4]
    copy("f32", x, y, 4, isolated=isolated)
    assert np.array_equal(x, y)


@pytest.mark.parametrize("shape", [(), (1,), (4,), (2, 2), (1, 4), (4, 1, 1), (0,), (2, 0, 3)])
def test_arrays_have_any_shape(shape: tuple[int, ...], isolated: bool):
    x, y = np.ones(shape, np.float32), np.zeros(shape, np.float32)
    kernel = sources.copy("f32")
    kernel[1](x, y, x.size, isolated=isolated) if x.size else kernel.graph(1, x, y, 0)
    assert np.array_equal(x, y)


def test_an_empty_array_has_no_elements(isolated: bool):
    empty = np.zeros(0, np.float32)
    with pytest.raises(tile_ir.Finding) as caught:
        copy("f32", empty, empty, 1, isolated=isolated)
    assert caught.value.code == "R0102"


NOT_CONTIGUOUS = {
    "every other element": lambda: np.zeros(8, np.float32)[::2],
    "reversed": lambda: np.zeros(4, np.float32)[::-1],
    "column-major": lambda: np.asfortranarray(np.zeros((2, 3), np.float32)),
    "transposed": lambda: np.zeros((2, 3), np.float32).T,
    "columns": lambda: np.zeros((4, 8), np.float32)[:, :4],
    "repeated": lambda: np.broadcast_to(np.float32(1), 4),
    "a field": lambda: np.zeros(4, "f4,f4")["f0"],
    "an odd stride": lambda: np.ndarray(4, np.float32, bytearray(32), strides=5),
}


@pytest.mark.parametrize("name", NOT_CONTIGUOUS)
def test_arrays_that_are_not_contiguous_are_errors(name: str):
    x = NOT_CONTIGUOUS[name]()
    with pytest.raises((TypeError, ValueError), match=r"argument y of @copy, a tile<ptr<f32>>: .*(stride|adjacent)"):
        copy("f32", np.zeros(x.size, np.float32), x, 4)


def test_the_layout_and_a_remedy_are_named():
    x = np.zeros((4, 8), np.float32)[:, :4]
    with pytest.raises(ValueError, match=re.escape("shape (4, 4) and strides (8, 1) in elements")) as caught:
        copy("f32", x, x, 4)
    assert "np.ascontiguousarray(x)" in str(caught.value)


def test_extents_of_1_have_any_stride():
    x = np.ones((4, 8), np.float32)[:1, :4]
    y = np.zeros((8, 4), np.float32)[:, :1][:1]
    copy("f32", x, np.zeros(4, np.float32), 4)
    copy("f32", x, y, 1)
    assert y[0, 0] == 1


def test_read_only_arrays_are_read(isolated: bool):
    x = np.arange(4, dtype=np.float32)
    x.flags.writeable = False
    y = np.zeros(4, np.float32)
    copy("f32", x, y, 4, isolated=isolated)
    copy("i8", b"abcd", memory := bytearray(4), 4, isolated=isolated)
    assert np.array_equal(x, y) and memory == b"abcd"
    with pytest.raises(tile_ir.Finding, match="the argument `%y` is a read-only array"):
        copy("i8", memory, b"abcd", 4, isolated=isolated)


def test_the_same_array_is_passed_twice(isolated: bool):
    x = np.arange(4, dtype=np.float32)
    copy("f32", x, x, 4, isolated=isolated)
    assert np.array_equal(x, range(4))
    with pytest.raises(tile_ir.Finding) as caught:
        sources.scale()[1](*[np.zeros(256, np.float32)] * 2, sanitize=True, isolated=isolated)
    assert caught.value.code == "R0106"


def test_overlapping_arrays_share_memory(isolated: bool):
    memory = np.arange(8, dtype=np.float32)
    copy("f32", memory[:4], memory[4:], 4, isolated=isolated)
    assert np.array_equal(memory, [0, 1, 2, 3] * 2)
    memory = np.arange(8, dtype=np.float32)
    sources.copy("f32")[1](memory[:4], memory[1:5], 4, isolated=isolated)
    assert np.array_equal(memory, [0, 0, 1, 2, 3, 5, 6, 7])
    with pytest.raises(tile_ir.Finding) as caught:
        sources.copy("f32")[2](memory[:8], memory[1:8], 7, sanitize=True, isolated=isolated)
    assert caught.value.code in ("R0106", "R0107")


@pytest.mark.parametrize("kind", ["array", "bytearray", "memoryview"])
def test_buffers_of_the_standard_library(kind: str, isolated: bool):
    if kind == "array":
        x, y, element = array.array("f", range(8)), array.array("f", [0] * 8), "f32"
    else:
        x, y, element = bytearray(range(8)), bytearray(8), "i8"
    if kind == "memoryview":
        x, y = memoryview(x), memoryview(y)
    copy(element, x, y, 8, isolated=isolated)
    assert bytes(x) == bytes(y)


def test_buffers_of_an_element_type_that_does_not_exist_are_errors():
    with pytest.raises(TypeError, match="argument x of @copy"):
        copy("i32", memoryview(b"abcd").cast("c"), np.zeros(4, np.int32), 4)


class Interface:
    """An object that has only `__array_interface__`."""

    def __init__(self, source: np.ndarray) -> None:
        self.source = source

    @property
    def __array_interface__(self) -> dict:
        return self.source.__array_interface__


class DLPack:
    """An object that has only DLPack."""

    def __init__(self, source: np.ndarray) -> None:
        self.source = source

    def __dlpack__(self, **options):
        return self.source.__dlpack__(**options)

    def __dlpack_device__(self):
        return self.source.__dlpack_device__()


@pytest.mark.parametrize("protocol", [Interface, DLPack])
def test_protocols_for_arrays(protocol: type, isolated: bool):
    x, y = np.arange(4, dtype=np.float32), np.zeros(4, np.float32)
    if protocol is DLPack and not np.from_dlpack(DLPack(y)).flags.writeable:
        pytest.skip("NumPy before 2.1 only reads arrays that it gets by DLPack")
    copy("f32", protocol(x), protocol(y), 4, isolated=isolated)
    assert np.array_equal(x, y)


class OldDLPack(DLPack):
    """An object with DLPack before its version 1.0, which does not state whether an array is read-only."""

    def __dlpack__(self, stream=None):
        return self.source.__dlpack__()


def test_arrays_of_an_older_dlpack_are_read_only():
    x, y = np.arange(4, dtype=np.float32), np.zeros(4, np.float32)
    copy("f32", OldDLPack(x), y, 4)
    assert np.array_equal(x, y)
    with pytest.raises(tile_ir.Finding, match="the argument `%y` is a read-only array"):
        copy("f32", x, OldDLPack(y), 4)


class OnGpu(DLPack):
    def __dlpack__(self, **options):
        raise BufferError("the array is on a GPU")

    def __dlpack_device__(self):
        return (2, 0)


def test_arrays_that_are_not_on_the_cpu_are_errors():
    x = np.zeros(4, np.float32)
    with pytest.raises(TypeError, match="argument x of @copy, a tile<ptr<f32>>: the array cannot be used: "):
        copy("f32", OnGpu(x), x, 4)


@pytest.mark.parametrize("value", [None, "text", [1.0, 2.0], 1.5, np.float32(1), object()])
def test_what_is_not_an_array_is_an_error(value):
    with pytest.raises(TypeError, match="argument x of @copy, a tile<ptr<f32>>: it takes an array, not "):
        copy("f32", value, np.zeros(4, np.float32), 4)
