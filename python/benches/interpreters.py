"""Ten kernels on the CPU: cuTile on the engine of tile, Triton in its interpreter, and NumPy doing the same.

    pip install tile-ir cuda-tile torch triton
    python python/benches/interpreters.py

Prints the median time of each in milliseconds, of `--runs` interleaved runs after one that compiles. Every result is
compared with that of NumPy. With `--json`, prints an object with the times and the versions of the packages.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass
from importlib.metadata import version
from typing import Any

os.environ["TRITON_INTERPRET"] = "1"

import numpy as np
import tile_ir.cutile
import torch
import triton
import triton.language as tl

try:
    import cuda.tile as ct
except ImportError:
    raise SystemExit("skipped: cuTile Python is not installed (pip install cuda-tile)") from None

ConstInt = ct.Constant[int]

# Vector addition, GELU and sums of rows.


@ct.kernel
def ct_add(x, y, z, TILE: ConstInt):
    i = ct.bid(0)
    ct.store(z, index=(i,), tile=ct.load(x, index=(i,), shape=(TILE,)) + ct.load(y, index=(i,), shape=(TILE,)))


@triton.jit
def tl_add(x, y, z, n, TILE: tl.constexpr):
    i = tl.program_id(0) * TILE + tl.arange(0, TILE)
    mask = i < n
    tl.store(z + i, tl.load(x + i, mask=mask) + tl.load(y + i, mask=mask), mask=mask)


@ct.kernel
def ct_gelu(x, z, TILE: ConstInt):
    i = ct.bid(0)
    a = ct.load(x, index=(i,), shape=(TILE,))
    ct.store(z, index=(i,), tile=0.5 * a * (1.0 + ct.tanh(0.7978845608 * (a + 0.044715 * a * a * a))))


@triton.jit
def tl_gelu(x, z, n, TILE: tl.constexpr):
    i = tl.program_id(0) * TILE + tl.arange(0, TILE)
    mask = i < n
    a = tl.load(x + i, mask=mask)
    u = 0.7978845608 * (a + 0.044715 * a * a * a)
    tanh = 1.0 - 2.0 / (tl.exp(2.0 * u) + 1.0)
    tl.store(z + i, 0.5 * a * (1.0 + tanh), mask=mask)


@ct.kernel
def ct_row_sum(x, z, N: ConstInt):
    i = ct.bid(0)
    ct.store(z, index=(i,), tile=ct.sum(ct.load(x, index=(i, 0), shape=(1, N)), axis=1))


@triton.jit
def tl_row_sum(x, z, N: tl.constexpr):
    i = tl.program_id(0)
    tl.store(z + i, tl.sum(tl.load(x + i * N + tl.arange(0, N))))


# Softmax, layer norm, RMS norm and cumulative sums of rows.


@ct.kernel
def ct_softmax(x, z, N: ConstInt):
    i = ct.bid(0)
    a = ct.load(x, index=(i, 0), shape=(1, N))
    e = ct.exp(a - ct.max(a, axis=1, keepdims=True))
    ct.store(z, index=(i, 0), tile=e / ct.sum(e, axis=1, keepdims=True))


@triton.jit
def tl_softmax(x, z, N: tl.constexpr):
    i = tl.program_id(0) * N + tl.arange(0, N)
    a = tl.load(x + i)
    e = tl.exp(a - tl.max(a))
    tl.store(z + i, e / tl.sum(e))


@ct.kernel
def ct_layer_norm(x, z, N: ConstInt):
    i = ct.bid(0)
    a = ct.load(x, index=(i, 0), shape=(1, N))
    d = a - ct.sum(a, axis=1, keepdims=True) / N
    ct.store(z, index=(i, 0), tile=d * ct.rsqrt(ct.sum(d * d, axis=1, keepdims=True) / N + 1e-5))


@triton.jit
def tl_layer_norm(x, z, N: tl.constexpr):
    i = tl.program_id(0) * N + tl.arange(0, N)
    a = tl.load(x + i)
    d = a - tl.sum(a) / N
    tl.store(z + i, d / tl.sqrt(tl.sum(d * d) / N + 1e-5))


@ct.kernel
def ct_rms_norm(x, z, N: ConstInt):
    i = ct.bid(0)
    a = ct.load(x, index=(i, 0), shape=(1, N))
    ct.store(z, index=(i, 0), tile=a * ct.rsqrt(ct.sum(a * a, axis=1, keepdims=True) / N + 1e-5))


@triton.jit
def tl_rms_norm(x, z, N: tl.constexpr):
    i = tl.program_id(0) * N + tl.arange(0, N)
    a = tl.load(x + i)
    tl.store(z + i, a / tl.sqrt(tl.sum(a * a) / N + 1e-5))


@ct.kernel
def ct_cumsum(x, z, N: ConstInt):
    i = ct.bid(0)
    ct.store(z, index=(i, 0), tile=ct.cumsum(ct.load(x, index=(i, 0), shape=(1, N)), axis=1))


@triton.jit
def tl_cumsum(x, z, N: tl.constexpr):
    i = tl.program_id(0) * N + tl.arange(0, N)
    tl.store(z + i, tl.cumsum(tl.load(x + i), 0))


# Transposition, matrix multiplication and attention.


@ct.kernel
def ct_transpose(x, z, TILE: ConstInt):
    i, j = ct.bid(0), ct.bid(1)
    ct.store(z, index=(j, i), tile=ct.transpose(ct.load(x, index=(i, j), shape=(TILE, TILE))))


@triton.jit
def tl_transpose(x, z, N: tl.constexpr, TILE: tl.constexpr):
    i = tl.program_id(0) * TILE + tl.arange(0, TILE)
    j = tl.program_id(1) * TILE + tl.arange(0, TILE)
    tl.store(z + j[:, None] * N + i[None, :], tl.trans(tl.load(x + i[:, None] * N + j[None, :])))


@ct.kernel
def ct_matmul(x, y, z, TILE: ConstInt, K: ConstInt):
    i, j = ct.bid(0), ct.bid(1)
    total = ct.zeros((TILE, TILE), ct.float32)
    for k in range(K // TILE):
        a = ct.load(x, index=(i, k), shape=(TILE, TILE))
        b = ct.load(y, index=(k, j), shape=(TILE, TILE))
        total = ct.mma(a, b, total)
    ct.store(z, index=(i, j), tile=total)


@triton.jit
def tl_matmul(x, y, z, N: tl.constexpr, TILE: tl.constexpr):
    i = tl.program_id(0) * TILE + tl.arange(0, TILE)
    j = tl.program_id(1) * TILE + tl.arange(0, TILE)
    total = tl.zeros((TILE, TILE), tl.float32)
    for start in range(0, N, TILE):
        k = start + tl.arange(0, TILE)
        total += tl.dot(tl.load(x + i[:, None] * N + k[None, :]), tl.load(y + k[:, None] * N + j[None, :]))
    tl.store(z + i[:, None] * N + j[None, :], total)


@ct.kernel
def ct_attention(q, k, v, z, TILE: ConstInt, D: ConstInt, N: ConstInt, scale: ct.Constant[float]):
    i = ct.bid(0)
    query = ct.load(q, index=(i, 0), shape=(TILE, D))
    top = ct.full((TILE, 1), -1e30, ct.float32)
    total = ct.zeros((TILE, 1), ct.float32)
    out = ct.zeros((TILE, D), ct.float32)
    for j in range(N // TILE):
        key = ct.transpose(ct.load(k, index=(j, 0), shape=(TILE, D)))
        scores = ct.mma(query, key, ct.zeros((TILE, TILE), ct.float32)) * scale
        new_top = ct.maximum(top, ct.max(scores, axis=1, keepdims=True))
        weights = ct.exp(scores - new_top)
        decay = ct.exp(top - new_top)
        total = total * decay + ct.sum(weights, axis=1, keepdims=True)
        out = ct.mma(weights, ct.load(v, index=(j, 0), shape=(TILE, D)), out * decay)
        top = new_top
    ct.store(z, index=(i, 0), tile=out / total)


@triton.jit
def tl_attention(q, k, v, z, TILE: tl.constexpr, D: tl.constexpr, N: tl.constexpr, scale: tl.constexpr):
    i = tl.program_id(0) * TILE + tl.arange(0, TILE)
    d = tl.arange(0, D)
    query = tl.load(q + i[:, None] * D + d[None, :])
    top = tl.full((TILE,), -1e30, tl.float32)
    total = tl.zeros((TILE,), tl.float32)
    out = tl.zeros((TILE, D), tl.float32)
    for start in range(0, N, TILE):
        j = start + tl.arange(0, TILE)
        scores = tl.dot(query, tl.trans(tl.load(k + j[:, None] * D + d[None, :]))) * scale
        new_top = tl.maximum(top, tl.max(scores, 1))
        weights = tl.exp(scores - new_top[:, None])
        decay = tl.exp(top - new_top)
        total = total * decay + tl.sum(weights, 1)
        out = out * decay[:, None] + tl.dot(weights, tl.load(v + j[:, None] * D + d[None, :]))
        top = new_top
    tl.store(z + i[:, None] * D + d[None, :], out / total[:, None])


def np_softmax(x: np.ndarray) -> np.ndarray:
    e = np.exp(x - x.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


def np_layer_norm(x: np.ndarray) -> np.ndarray:
    d = x - x.mean(axis=1, keepdims=True)
    return d / np.sqrt((d * d).mean(axis=1, keepdims=True) + 1e-5)


def np_gelu(x: np.ndarray) -> np.ndarray:
    return 0.5 * x * (1.0 + np.tanh(0.7978845608 * (x + 0.044715 * x * x * x)))


@dataclass
class Case:
    """A kernel in three forms, which write `out` or return the result."""

    name: str
    out: np.ndarray
    cutile: Callable[[], Any]
    triton: Callable[[], Any]
    numpy: Callable[[], np.ndarray]


def cases(n: int) -> list[Case]:
    """The kernels, for matrices of n × n elements of f32."""
    random = np.random.default_rng(1)
    x, y = random.standard_normal((2, n, n)).astype(np.float32)
    q, k, v = random.standard_normal((3, n, 64)).astype(np.float32)
    tile, block, scale = 64, 1024, 1 / math.sqrt(64)
    flat, count = n * n, n * n // 1024

    def case(name, out, ct_kernel, ct_grid, ct_args, tl_kernel, tl_args, numpy) -> Case:
        tensors = [torch.from_numpy(value) if isinstance(value, np.ndarray) else value for value in tl_args(out)]
        return Case(
            name,
            out,
            lambda: ct.launch(0, ct_grid, ct_kernel, ct_args(out)),
            lambda: tl_kernel[ct_grid](*tensors),
            numpy,
        )

    def rows(name, ct_kernel, tl_kernel, numpy) -> Case:
        args = lambda out: (x, out, n)
        return case(name, np.zeros_like(x), ct_kernel, (n,), args, tl_kernel, args, numpy)

    x1, y1, grid = x.reshape(-1), y.reshape(-1), (n // tile, n // tile)
    return [
        case("vector addition", np.zeros_like(x1), ct_add, (count,), lambda z: (x1, y1, z, block),
             tl_add, lambda z: (x1, y1, z, flat, block), lambda: x1 + y1),
        case("GELU", np.zeros_like(x1), ct_gelu, (count,), lambda z: (x1, z, block),
             tl_gelu, lambda z: (x1, z, flat, block), lambda: np_gelu(x1)),
        case("row sums", np.zeros(n, np.float32), ct_row_sum, (n,), lambda z: (x, z, n),
             tl_row_sum, lambda z: (x, z, n), lambda: x.sum(axis=1)),
        rows("softmax", ct_softmax, tl_softmax, lambda: np_softmax(x)),
        rows("layer norm", ct_layer_norm, tl_layer_norm, lambda: np_layer_norm(x)),
        rows("RMS norm", ct_rms_norm, tl_rms_norm, lambda: x / np.sqrt((x * x).mean(axis=1, keepdims=True) + 1e-5)),
        rows("cumulative sums", ct_cumsum, tl_cumsum, lambda: np.cumsum(x, axis=1)),
        case("transposition", np.zeros_like(x), ct_transpose, grid, lambda z: (x, z, tile),
             tl_transpose, lambda z: (x, z, n, tile), lambda: np.ascontiguousarray(x.T)),
        case("matrix product", np.zeros_like(x), ct_matmul, grid, lambda z: (x, y, z, tile, n),
             tl_matmul, lambda z: (x, y, z, n, tile), lambda: x @ y),
        case("attention", np.zeros_like(q), ct_attention, (n // tile,), lambda z: (q, k, v, z, tile, 64, n, scale),
             tl_attention, lambda z: (q, k, v, z, tile, 64, n, scale), lambda: np_softmax(q @ k.T * scale) @ v),
    ]  # fmt: skip


def measured(case: Case, runs: int) -> list[float]:
    """The median times in milliseconds, after a run that compiles and whose result is checked."""
    expected = case.numpy()
    for form in (case.cutile, case.triton):
        case.out.fill(0)
        form()
        np.testing.assert_allclose(case.out, expected, rtol=2e-3, atol=2e-3, err_msg=case.name)
    forms = (case.cutile, case.triton, case.numpy)
    times: list[list[float]] = [[] for _ in forms]
    for _ in range(runs):
        for form, of_form in zip(forms, times):
            began = time.perf_counter()
            form()
            of_form.append((time.perf_counter() - began) * 1e3)
    return [statistics.median(of_form) for of_form in times]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--size", type=int, default=512, help="extent of the matrices, a multiple of 64")
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    with tile_ir.cutile.cpu():
        times = {case.name: measured(case, given.runs) for case in cases(given.size)}
    if given.json:
        kernels = {name: dict(zip(("tile", "triton", "numpy"), found)) for name, found in times.items()}
        versions = {"Triton": triton.__version__, "NumPy": np.__version__, "cuda-tile": version("cuda-tile")}
        print(json.dumps({"versions": versions, "kernels": kernels}, indent=2))
        return
    print(f"| {given.size} × {given.size} | tile, ms | Triton's interpreter, ms | ratio | NumPy, ms | ratio |")
    print("|---|---|---|---|---|---|")
    for name, (tile, interpreter, numpy) in times.items():
        ratios = f"{interpreter:.2f} | {interpreter / tile:.1f} | {numpy:.2f} | {numpy / tile:.2f}"
        print(f"| {name} | {tile:.2f} | {ratios} |")


if __name__ == "__main__":
    main()
