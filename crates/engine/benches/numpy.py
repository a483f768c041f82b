"""Runs the computations of engine.rs with NumPy; compare.py compares the two.

`numpy.py NAME...` prints the median of each named benchmark in milliseconds, and `numpy.py --list` all names.

NumPy's matrix products use all cores unless OPENBLAS_NUM_THREADS says otherwise; its other functions use one. Its
products of f16 and of integers are slow, so products of f32 are measured instead: they are exact for this many
products of `i8`.
"""

import sys
from statistics import median
from time import perf_counter

# Otherwise `import numpy` would import this file.
sys.path = sys.path[1:]
import numpy as np

N = 1 << 24
# A benchmark runs for this many seconds, and at least this often.
SECONDS, LEAST = 1, 5


def floats(*shape):
    count = int(np.prod(shape))
    return (np.arange(count) * 7919 % 65536 / 32768 - 1).astype(np.float32).reshape(shape)


def integers(count, end):
    return np.arange(count) * 7919 % end


def softmax(x):
    e = np.exp(x - x.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


def layernorm(x, weight, bias):
    centered = x - x.mean(axis=1, keepdims=True)
    variance = (centered * centered).mean(axis=1, keepdims=True)
    return centered / np.sqrt(variance + np.float32(1e-5)) * weight + bias


def layernorm_backward(dy, x, gamma, mean, rstd):
    normal = (x - mean) * rstd
    g = dy * gamma
    dx = (g - g.mean(axis=1, keepdims=True) - normal * (g * normal).mean(axis=1, keepdims=True)) * rstd
    return dx, (dy * normal).sum(axis=0), dy.sum(axis=0)


def attention(q, k, v):
    return softmax(q @ k.transpose(0, 2, 1) * np.float32(32**-0.5)) @ v


def int8_product(a, b, rows, columns):
    return (a.astype(np.float32) @ b.astype(np.float32) * rows * columns).astype(np.float16)


def product():
    a, b = floats(1024, 1024), floats(1024, 1024)
    return lambda: a @ b


def product_of_bytes():
    a, b = ((integers(N // 16, 255) - 127).astype(np.int8).reshape(1024, 1024) for _ in range(2))
    rows, columns = (np.full(shape, 1 / 128, np.float32) for shape in [(1024, 1), 1024])
    return lambda: int8_product(a, b, rows, columns)


def vector_add():
    x, y, out = floats(N), floats(N), np.empty(N, np.float32)
    return lambda: np.add(x, y, out=out)


def saxpy(*shape):
    x, y = floats(*shape), floats(*shape)
    return lambda: 2.5 * x + y


def rows(function, *operands):
    x = floats(4096, 4096)
    return lambda: function(x, *operands)


def four_heads():
    q, k, v = (floats(4, 1024, 32) for _ in range(3))
    return lambda: attention(q, k, v)


def narrow_layernorm_backward():
    dy, x = floats(N // 64, 64), floats(N // 64, 64)
    gamma, mean, rstd = floats(64), floats(N // 64, 1), floats(N // 64, 1)
    return lambda: layernorm_backward(dy, x, gamma, mean, rstd)


def histogram():
    x = integers(N // 16, 16).astype(np.int32)
    return lambda: np.bincount(x, minlength=16)


def transpose():
    x = floats(2048, 2048)
    return lambda: np.ascontiguousarray(x.T)


# The functions that prepare the operands and return the work.
BENCHES = {
    "attention_1024": four_heads,
    "gemm_1024": product,
    "gemm_1024_of_bytes": product_of_bytes,
    "gemm_1024_of_halves": product,
    "histogram_1m": histogram,
    "layernorm_4096": lambda: rows(layernorm, floats(4096), floats(4096)),
    "layernorm_backward_64": narrow_layernorm_backward,
    "saxpy_16m": lambda: saxpy(N),
    "saxpy_16m_in_two_dimensions": lambda: saxpy(4096, 4096),
    "softmax_4096": lambda: rows(softmax),
    "transpose_2048": transpose,
    "vector_add_16m": vector_add,
    "vector_add_16m_by_1024": vector_add,
    "vector_add_16m_by_128": vector_add,
}


def measure(work):
    """The median time of some work in milliseconds."""
    work()
    times, begin = [], perf_counter()
    while len(times) < LEAST or perf_counter() - begin < SECONDS:
        start = perf_counter()
        work()
        times.append(perf_counter() - start)
    return 1000 * median(times)


if sys.argv[1:] == ["--list"]:
    print("\n".join(BENCHES))
else:
    for name in sys.argv[1:]:
        print(name, measure(BENCHES[name]()))
