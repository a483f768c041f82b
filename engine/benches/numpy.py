"""Runs the computations of engine.rs with NumPy and prints medians in milliseconds; compare.py compares the two.

NumPy's matrix products use all cores unless OPENBLAS_NUM_THREADS says otherwise; its other functions use one. Its
products of f16 are slow, so products of f32 are measured instead.
"""

import sys
from statistics import median
from time import perf_counter

# Otherwise `import numpy` would import this file.
sys.path = sys.path[1:]
import numpy as np

N = 1 << 24


def floats(*shape):
    count = int(np.prod(shape))
    return (np.arange(count) * 7919 % 65536 / 32768 - 1).astype(np.float32).reshape(shape)


def bench(name, work, repeats=15):
    times = []
    for _ in range(repeats):
        start = perf_counter()
        work()
        times.append(perf_counter() - start)
    print(f"{name:<28} {1000 * median(times):8.2f} ms")


def softmax(x):
    e = np.exp(x - x.max(axis=1, keepdims=True))
    return e / e.sum(axis=1, keepdims=True)


def layernorm(x, weight, bias):
    centered = x - x.mean(axis=1, keepdims=True)
    variance = (centered * centered).mean(axis=1, keepdims=True)
    return centered / np.sqrt(variance + np.float32(1e-5)) * weight + bias


a, b = floats(1024, 1024), floats(1024, 1024)
bench("gemm_1024", lambda: a @ b)
bench("gemm_1024_of_halves", lambda: a @ b)
x, y = floats(N), floats(N)
out = np.empty_like(x)
bench("vector_add_16m", lambda: np.add(x, y, out=out))
# The usual way to write it, which allocates a new array each time.
bench("vector_add_16m_new", lambda: x + y)
bench("vector_add_16m_by_128", lambda: np.add(x, y, out=out))
bench("saxpy_16m", lambda: 2.5 * x + y)
x, y = floats(4096, 4096), floats(4096, 4096)
bench("saxpy_16m_in_two_dimensions", lambda: 2.5 * x + y)
bench("softmax_4096", lambda: softmax(x))
weight, bias = floats(4096), floats(4096)
bench("layernorm_4096", lambda: layernorm(x, weight, bias))
