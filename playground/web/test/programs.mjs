// Programs for the tests.

const VIEW = "partition_view<tile=(128), tensor_view<256xf32, strides=[1]>>";

/** Doubles a vector. `store` is the index of the stored tile: with `%by`, both tile blocks store the same one. */
export const scale = (store = "%block", op = "addf") => `cuda_tile.module @kernels {
  //@ launch grid=(2, 1, 1)
  //@   %x = f32[256] iota
  //@   %y = f32[256] zeros
  //@ expect %y == 2 * %x
  entry @scale(%x: tile<ptr<f32>>, %y: tile<ptr<f32>>) {
    %block, %by, %bz = get_tile_block_id : tile<i32>
    %tx = make_tensor_view %x, shape = [256], strides = [1] : tensor_view<256xf32, strides=[1]>
    %ty = make_tensor_view %y, shape = [256], strides = [1] : tensor_view<256xf32, strides=[1]>
    %vx = make_partition_view %tx : ${VIEW}
    %vy = make_partition_view %ty : ${VIEW}
    %a, %t = load_view_tko weak %vx[%block] : ${VIEW}, tile<i32> -> tile<128xf32>, token
    %b = ${op} %a, %a : tile<128xf32>
    %u = store_view_tko weak %b, %vy[${store}] : tile<128xf32>, ${VIEW}, tile<i32> -> token
    return
  }
}
`;

export const endless = `cuda_tile.module @m {
  //@ launch
  entry @forever() {
    %one = constant <i32: 1> : tile<i32>
    loop iter_values(%count = %one) : tile<i32> {
      print_tko "again\\n" -> token
      %next = addi %count, %one : tile<i32>
      continue %next : tile<i32>
    }
    return
  }
}
`;

/** A program with this many lines, whose entries are small. */
export function long(lines) {
    const entry = (number) => `  entry @kernel_${number}(%a: tile<ptr<f32>>, %n: tile<i32>) {
    %x, %y, %z = get_tile_block_id : tile<i32>
    %v = make_tensor_view %a, shape = [%n, 64], strides = [64, 1] : tile<i32> -> tensor_view<?x64xf32, strides=[64,1]>
    %w = make_partition_view %v : partition_view<tile=(64x64), tensor_view<?x64xf32, strides=[64,1]>>
    %b, %t = load_view_tko weak %w[%x, %y] : partition_view<tile=(64x64), tensor_view<?x64xf32, strides=[64,1]>>, tile<i32> -> tile<64x64xf32>, token
    %one = constant <f32: ${number}.0> : tile<64x64xf32>
    %sum = addf %b, %one : tile<64x64xf32>
    return
  }
`;
    const entries = Array.from({ length: Math.floor(lines / 9) }, (_, number) => entry(number));
    return `cuda_tile.module @long {\n${entries.join("")}}\n`;
}
