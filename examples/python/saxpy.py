"""Launches saxpy.tile on arrays of NumPy, and compares the result with NumPy's."""

from pathlib import Path

import numpy as np
import tile_ir

M, N, ALPHA = 300, 700, -0.5

kernel = tile_ir.load(Path(__file__).parents[1] / "saxpy.tile")["saxpy"]
print(kernel)

random = np.random.default_rng(seed=1)
x = random.uniform(-1, 1, (M, N)).astype(np.float32)
y = random.uniform(-1, 1, (M, N)).astype(np.float32)
expected = np.float32(ALPHA) * x + y

# One tile block for each tile of 128x256 elements. The kernel changes `y` in place.
kernel[-(-M // 128), -(-N // 256)](x, y, ALPHA, M, N)
np.testing.assert_allclose(y, expected, rtol=1e-5, atol=1e-6)
print(f"{M}x{N} elements are as expected")
