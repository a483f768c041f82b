"""Finds a race with the sanitizer, and shows its effects with different schedules."""

import numpy as np
import tile_ir

# All tile blocks write the same element: the last one decides, or the largest one.
TEXT = """\
cuda_tile.module @kernels {
  entry @last(%result: tile<ptr<i32>>) {
    %block, %by, %bz = get_tile_block_id : tile<i32>
    %stored = store_ptr_tko weak %result, %block : tile<ptr<i32>>, tile<i32> -> token
  }

  entry @largest(%result: tile<ptr<i32>>) {
    %block, %by, %bz = get_tile_block_id : tile<i32>
    %old, %done = atomic_rmw_tko relaxed device %result, max, %block
        : tile<ptr<i32>>, tile<i32>
        -> tile<i32>, token
  }
}
"""
BLOCKS = 8

program = tile_ir.loads(TEXT, path="blocks.tile")
for name, kernel in program.items():
    result = np.zeros(1, np.int32)
    try:
        kernel[BLOCKS](result, sanitize=True)
    except tile_ir.Finding as finding:
        print(f"@{name}: {finding}\n")
    else:
        print(f"@{name}: no race")

    # Without the sanitizer, each seed selects another order of the tile blocks.
    results = set()
    for seed in range(100):
        result[0] = 0
        kernel[BLOCKS](result, schedule=seed)
        results.add(int(result[0]))
    print(f"@{name}: results of 100 schedules: {sorted(results)}\n")
