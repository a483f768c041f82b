"""The time of launches of small kernels in this process: the median of 1,000, in microseconds.

With `--json`, prints an object: the times by the number of tile blocks.
"""

from __future__ import annotations

import json
import statistics
import sys
import time

import numpy as np
import tile_ir

VIEW = "partition_view<tile=(128), tensor_view<?xf32, strides=[1]>>"

PROGRAM = f"""
cuda_tile.module @m {{
  entry @double(%p: tile<ptr<f32>>, %n: tile<i32>) {{
    %i, %j, %k = get_tile_block_id : tile<i32>
    %v = make_tensor_view %p, shape = [%n], strides = [1] : tile<i32> -> tensor_view<?xf32, strides=[1]>
    %w = make_partition_view %v : {VIEW}
    %x, %t = load_view_tko weak %w[%i] : {VIEW}, tile<i32> -> tile<128xf32>, token
    %y = addf %x, %x : tile<128xf32>
    %u = store_view_tko weak %y, %w[%i] token = %t : tile<128xf32>, {VIEW}, tile<i32> -> token
  }}
}}
"""


def main() -> None:
    array = np.zeros(1280, np.float32)
    double = tile_ir.loads(PROGRAM)["double"]
    medians = {}
    for blocks in (1, 2, 10):
        launch, times = double[blocks], []
        for _ in range(1000):
            began = time.perf_counter()
            launch(array, array.size)
            times.append(time.perf_counter() - began)
        medians[blocks] = statistics.median(times) * 1e6
    if "--json" in sys.argv[1:]:
        print(json.dumps(medians))
        return
    for blocks, median in medians.items():
        print(f"{blocks:3} blocks: {median:.0f} µs")


if __name__ == "__main__":
    main()
