"""Programs for the tests."""

import tile_ir

#: Scales 128 elements for each tile block.
SCALE = """\
!view = !cuda_tile.partition_view<tile=(128), tensor_view<256xf32, strides=[1]>>

cuda_tile.module @kernels {
  entry @scale(%x: tile<ptr<f32>>, %y: tile<ptr<f32>>) {
    %block, %by, %bz = get_tile_block_id : tile<i32>
    %tx = make_tensor_view %x, shape = [256], strides = [1] : tensor_view<256xf32, strides=[1]>
    %ty = make_tensor_view %y, shape = [256], strides = [1] : tensor_view<256xf32, strides=[1]>
    %vx = make_partition_view %tx : !view
    %vy = make_partition_view %ty : !view
    %a, %t = load_view_tko weak %vx[%block] : !view, tile<i32> -> tile<128xf32>, token
    %b = addf %a, %a : tile<128xf32>
    %u = store_view_tko weak %b, %vy[%block] : tile<128xf32>, !view, tile<i32> -> token
  }
}
"""

#: Copies `n` elements in tiles of 4. 4-bit elements are copied in whole tiles.
COPY = """\
!tensor = !cuda_tile.tensor_view<?xELEMENT, strides=[1]>
!view = !cuda_tile.partition_view<tile=(4), !tensor>

cuda_tile.module @kernels {
  entry @copy(%x: tile<ptr<ELEMENT>>, %y: tile<ptr<ELEMENT>>, %n: tile<i32>) {
    %i, %by, %bz = get_tile_block_id : tile<i32>
    %tx = make_tensor_view %x, shape = [%n], strides = [1] : tile<i32> -> !tensor
    %ty = make_tensor_view %y, shape = [%n], strides = [1] : tile<i32> -> !tensor
    %vx = make_partition_view %tx : !view
    %vy = make_partition_view %ty : !view
    %a, %t = load_view_tko weak %vx[%i] : !view, tile<i32> -> tile<4xELEMENT>, token
    %u = store_view_tko weak %a, %vy[%i] token = %t : tile<4xELEMENT>, !view, tile<i32> -> token
  }
}
"""

#: Stores a number.
NUMBER = """\
cuda_tile.module @kernels {
  entry @number(%p: tile<ptr<ELEMENT>>, %n: tile<ELEMENT>) {
    %u = store_ptr_tko weak %p, %n : tile<ptr<ELEMENT>>, tile<ELEMENT> -> token
  }
}
"""

#: Entries that print, fail, race and do not end.
OTHERS = """\
cuda_tile.module @kernels {
  entry @hello() {
    %x, %y, %z = get_tile_block_id : tile<i32>
    print_tko "block %i\\n", %x : tile<i32> -> token
  }

  entry @asserts(%limit: tile<i32>) {
    %i = iota : tile<4xi32>
    %limit_1 = reshape %limit : tile<i32> -> tile<1xi32>
    %limits = broadcast %limit_1 : tile<1xi32> -> tile<4xi32>
    %small = cmpi less_than %i, %limits, signed : tile<4xi32> -> tile<4xi1>
    assert %small, "too large" : tile<4xi1>
  }

  entry @races(%p: tile<ptr<i32>>) {
    %block, %by, %bz = get_tile_block_id : tile<i32>
    %u = store_ptr_tko weak %p, %block : tile<ptr<i32>>, tile<i32> -> token
  }

  entry @endless() {
    print_tko "started\\n" -> token
    %one = constant <i32: 1> : tile<i32>
    %r = loop iter_values(%i = %one) : tile<i32> -> tile<i32> {
      %next = addi %i, %one : tile<i32>
      continue %next : tile<i32>
    }
  }

  entry @counts(%p: tile<ptr<i32>>, %n: tile<i32>) {
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %sum = for %i in (%zero to %n, step %one) : tile<i32> iter_values(%s = %zero) -> (tile<i32>) {
      %next = addi %s, %i : tile<i32>
      continue %next : tile<i32>
    }
    %u = store_ptr_tko weak %p, %sum : tile<ptr<i32>>, tile<i32> -> token
  }

  entry @tiles() {
    %i = iota : tile<4xi16>
    %f = itof %i signed : tile<4xi16> -> tile<4xbf16>
    %c = constant <i1: true> : tile<2xi1>
    %wide = iota : tile<512xi32>
  }

  entry @divides(%n: tile<i32>) {
    %one = constant <i32: 1> : tile<i32>
    %r = divi %one, %n signed : tile<i32>
  }
}
"""


def scale() -> tile_ir.Kernel:
    return tile_ir.loads(SCALE, path="scale.tile")["scale"]


def copy(element: str) -> tile_ir.Kernel:
    return tile_ir.loads(COPY.replace("ELEMENT", element), path="copy.tile")["copy"]


def number(element: str) -> tile_ir.Kernel:
    return tile_ir.loads(NUMBER.replace("ELEMENT", element), path="number.tile")["number"]


def other(name: str) -> tile_ir.Kernel:
    return tile_ir.loads(OTHERS, path="others.tile")[name]
