"""Generates a program for several tile sizes, checks each, and measures how many ops it runs."""

import numpy as np
import tile_ir

N = 10_000

TEXT = """\
!tensor = !cuda_tile.tensor_view<?xf32, strides=[1]>
!view = !cuda_tile.partition_view<tile=({size}), !tensor>

cuda_tile.module @kernels {{
  entry @add(%x: tile<ptr<f32>>, %y: tile<ptr<f32>>, %z: tile<ptr<f32>>, %n: tile<i32>) {{
    %i, %by, %bz = get_tile_block_id : tile<i32>
    %tx = make_tensor_view %x, shape = [%n], strides = [1] : tile<i32> -> !tensor
    %ty = make_tensor_view %y, shape = [%n], strides = [1] : tile<i32> -> !tensor
    %tz = make_tensor_view %z, shape = [%n], strides = [1] : tile<i32> -> !tensor
    %vx = make_partition_view %tx : !view
    %vy = make_partition_view %ty : !view
    %vz = make_partition_view %tz : !view
    %a, %ta = load_view_tko weak %vx[%i] : !view, tile<i32> -> tile<{size}xf32>, token
    %b, %tb = load_view_tko weak %vy[%i] : !view, tile<i32> -> tile<{size}xf32>, token
    %c = addf %a, %b : tile<{size}xf32>
    %u = store_view_tko weak %c, %vz[%i] : tile<{size}xf32>, !view, tile<i32> -> token
  }}
}}
"""

x, y = np.random.default_rng(seed=1).random((2, N), np.float32)
for size in (64, 100, 256, 1024):
    program = tile_ir.loads(TEXT.format(size=size), path=f"add_{size}.tile")
    if program.has_errors:
        print(f"tiles of {size}: {program.check()[0].message}")
        continue
    z = np.zeros_like(x)
    report = program["add"].run(-(-N // size), x, y, z, N)
    assert np.array_equal(z, x + y)
    size_in_bytes = len(program.to_bytecode())
    print(f"tiles of {size}: {report.blocks} tile blocks, {report.ops} ops, {size_in_bytes} bytes of bytecode")
