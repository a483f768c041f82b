"""Arrays of `ml_dtypes`, PyTorch and JAX, each if it is installed."""

import numpy as np
import pytest
import sources
import tile_ir


def imported(name: str):
    return pytest.importorskip(name, reason=f"{name} is not installed")


def copy(element: str, x, y, n: int, **options) -> None:
    sources.copy(element)[-(-n // 4)](x, y, n, **options)


NARROW = {
    "bf16": "bfloat16",
    "f8E4M3FN": "float8_e4m3fn",
    "f8E5M2": "float8_e5m2",
    "f8E8M0FNU": "float8_e8m0fnu",
    "f4E2M1FN": "float4_e2m1fn",
}


@pytest.mark.parametrize("element", NARROW)
@pytest.mark.parametrize("isolated", [False, True])
def test_narrow_types_of_ml_dtypes(element: str, isolated: bool):
    dtype = getattr(imported("ml_dtypes"), NARROW[element])
    x, y = np.array([0.5, 1, 2, 4] * 2).astype(dtype), np.ones(8, np.float32).astype(dtype)
    copy(element, x, y, 8, isolated=isolated)
    assert np.array_equal(x.astype(np.float32), y.astype(np.float32))


def test_traces_have_the_types_of_ml_dtypes():
    dtype = imported("ml_dtypes").bfloat16
    (traced,) = sources.other("tiles").run(1, trace="%f").trace
    assert traced.value.dtype == dtype and np.array_equal(traced.value.astype(np.float32), range(4))


TENSORS = {
    "i1": "bool",
    "i8": "uint8",
    "i16": "int16",
    "i32": "int32",
    "i64": "int64",
    "f16": "float16",
    "bf16": "bfloat16",
    "f32": "float32",
    "tf32": "float32",
    "f64": "float64",
    "f8E4M3FN": "float8_e4m3fn",
    "f8E5M2": "float8_e5m2",
    "f8E8M0FNU": "float8_e8m0fnu",
}


@pytest.mark.parametrize("element", TENSORS)
@pytest.mark.parametrize("isolated", [False, True])
def test_tensors_of_pytorch(element: str, isolated: bool):
    torch = imported("torch")
    dtype = getattr(torch, TENSORS[element])
    x, y = torch.tensor([1, 2, 4, 0.5] * 2).to(dtype), torch.ones(8).to(dtype)
    copy(element, x, y, 8, isolated=isolated)
    assert torch.equal(x.to(torch.float64), y.to(torch.float64))


def test_a_tensor_that_requires_a_gradient_is_changed_in_place():
    torch = imported("torch")
    x, y = torch.arange(4.0), torch.zeros(4, requires_grad=True)
    copy("f32", x, y, 4)
    assert torch.equal(x, y.detach()) and y.requires_grad


def test_views_and_parameters_of_pytorch_are_used_in_place():
    torch = imported("torch")
    x, y = torch.nn.Parameter(torch.arange(8.0)), torch.zeros(2, 8)
    copy("f32", x[1:5], y[1, 3:7], 4)
    assert torch.equal(y.flatten()[11:15], x[1:5].detach()) and y.sum() == 10


def test_tensors_that_cannot_be_used_are_errors():
    torch = imported("torch")
    y, negated = torch.zeros(4), torch._neg_view(torch.ones(4))
    for x, message in [
        (torch.zeros(4, device="meta"), r"it is on the device 'meta', but must be on the CPU: pass `tensor.cpu\(\)`"),
        (torch.zeros(4).to_sparse(), "layout"),
        (torch.zeros(8)[::2], r"strides \(2,\)"),
        (torch.zeros(4, dtype=torch.float64), "it takes an array of float32, not float64"),
        (negated, r"pass `tensor.resolve_neg\(\)`"),
        (torch.zeros(4, dtype=torch.complex64), "it takes an array of float32, not complex64"),
    ]:
        with pytest.raises((TypeError, ValueError), match=f"argument x of @copy, a tile<ptr<f32>>: .*{message}"):
            copy("f32", x, y, 4)


@pytest.mark.parametrize("element", ["i32", "f32", "bf16", "f8E4M3FN"])
def test_arrays_of_jax_are_read(element: str):
    jax = imported("jax")
    dtype = {"i32": "int32", "f32": "float32", "bf16": "bfloat16", "f8E4M3FN": "float8_e4m3fn"}[element]
    x = jax.numpy.array([1, 2, 4, 8], dtype)
    y = np.zeros(4, x.dtype)
    copy(element, x, y, 4)
    assert np.array_equal(np.asarray(x, np.float32), y.astype(np.float32))


def test_arrays_of_jax_cannot_be_written():
    jax = imported("jax")
    x = jax.numpy.zeros(4)
    with pytest.raises(tile_ir.Finding, match="the argument `%y` is a read-only array"):
        copy("f32", np.ones(4, np.float32), x, 4)
    assert not np.asarray(x).any()
