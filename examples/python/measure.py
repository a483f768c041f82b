"""Traces values of softmax.tile, measures its ops, and describes its accesses to memory."""

from pathlib import Path

import numpy as np
import tile_ir

M, N = 18, 50

kernel = tile_ir.load(Path(__file__).parents[1] / "softmax.tile")["softmax"]
x = np.random.default_rng(seed=1).uniform(100, 200, (M, N)).astype(np.float32)
y = np.zeros_like(x)
grid = -(-M // 8)

# What the first tile block computes.
report = kernel.run(grid, x, y, M, N, trace=["%largest", "%sum"], block=0)
for traced in report.trace:
    print(f"{traced.name}, line {traced.place.line}: {traced.value}")
largest = report.trace[0].value
assert largest is not None and np.array_equal(largest, x[:8].max(axis=1))

# What each op costs in all tile blocks together.
report = kernel.run(grid, x, y, M, N, profile=True)
print(f"\n{report.blocks} tile blocks, {report.ops} ops\n{report.table()}")

# Which elements it accesses.
for access in kernel.accesses(grid, x, y, M, N):
    print(f"\n{access}")
