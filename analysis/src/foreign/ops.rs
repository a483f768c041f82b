//! Ops and statements.

use super::Foreign;
use tile_dialect::{DIALECT_PREFIX, lookup};

/// A row for an op whose counterpart takes different operands, or that has none.
const fn row(names: &'static [&'static str], ops: &'static [&'static str], hint: &'static str) -> Foreign {
    Foreign { names, ops, is_rename: false, hint }
}

/// A row for an op that differs from its counterpart only in name.
const fn renamed(names: &'static [&'static str], ops: &'static [&'static str], hint: &'static str) -> Foreign {
    Foreign { names, ops, is_rename: true, hint }
}

/// Dialects and libraries whose prefixes are ignored: `tl.load`, `arith.addf`.
const NAMESPACES: [&str; 37] = [
    "affine",
    "arith",
    "bufferization",
    "cf",
    "cp",
    "ct",
    "cuda",
    "cupy",
    "cute",
    "cutile",
    "cutlass",
    "func",
    "gpu",
    "jax",
    "jnp",
    "lax",
    "linalg",
    "llvm",
    "math",
    "memref",
    "np",
    "numpy",
    "nvgpu",
    "nvvm",
    "pl",
    "scf",
    "shape",
    "spirv",
    "std",
    "tensor",
    "tl",
    "torch",
    "triton",
    "tt",
    "ttg",
    "vector",
    "wp",
];

/// The counterparts of ops and statements.
const ROWS: &[Foreign] = &[
    row(
        &["affine.apply", "affine.max", "affine.min"],
        &["muli", "addi"],
        "Tile IR has no affine maps; compute the number with `muli` and `addi`",
    ),
    row(&["arith.constant", "tl.constexpr"], &["constant"], "write `%c = constant <i32: 0> : tile<i32>`"),
    row(&["arith.cmpf"], &["cmpf"], "write `%c = cmpf less_than ordered %a, %b : tile<8xf32> -> tile<8xi1>`"),
    row(&["arith.cmpi"], &["cmpi"], "write `%c = cmpi less_than %a, %b, signed : tile<8xi32> -> tile<8xi1>`"),
    row(
        &["linalg.generic", "linalg.map"],
        &[],
        "ops operate on whole tiles, without a surrounding loop or region: write `%c = addf %a, %b : tile<8xf32>`",
    ),
    row(&["memref.global", "llvm.mlir.global"], &["global"], "write `global @name <f32: 1.0> : tile<4xf32>`"),
    renamed(&["abs", "absolute", "fabs", "fabsf"], &["absf", "absi"], "`absf` is for floats, `absi` for integers"),
    renamed(&["add", "fadd", "iadd"], &["addf", "addi"], "`addf` is for floats, `addi` for integers"),
    row(
        &["addptr", "gep", "getelementptr", "get_element_ptr", "advance"],
        &["offset"],
        "write `%q = offset %p, %n : tile<ptr<f32>>, tile<i32> -> tile<ptr<f32>>`; offsets count elements, not bytes",
    ),
    row(
        &["alloc", "malloc", "new", "__shared__", "shared"],
        &["alloca"],
        "tiles need no memory of their own: compute with tile values; `alloca num_elem = 256, alignment = 4 : tile<ptr<f32>>` \
         allocates scratch memory",
    ),
    renamed(&["and", "bitwise_and", "logical_and"], &["andi"], "`andi` is for integers, including `tile<…xi1>`"),
    row(
        &["arange", "make_range", "range", "linspace", "step", "create_mask"],
        &["iota"],
        "write `%i = iota : tile<128xi32>`, which counts from 0; add a start with `addi`",
    ),
    row(
        &["argmax", "argmin"],
        &["reduce"],
        "reduce two operands at once, the values and an `iota`: see examples/argmax.tile",
    ),
    row(
        &["astype", "cast", "convert", "convert_element_type", "to", "static_cast", "reinterpret_cast", "type_as"],
        &["itof", "ftoi", "ftof", "exti", "trunci"],
        "the op depends on the element types: `itof` and `ftoi` between integers and floats, `ftof` between floats, `exti` \
         and `trunci` between integers, as in `%y = itof %x signed : tile<i32> -> tile<f32>`",
    ),
    row(
        &["multimem.ld_reduce", "multimem_ld_reduce", "multimem_load", "multimem_load_reduce"],
        &["multimem_load_reduce_view_tko"],
        "multimem ops access views: write `%x, %t = multimem_load_reduce_view_tko weak %view[%i] : …`",
    ),
    row(
        &["multimem.red", "multimem_red", "multimem_reduce"],
        &["multimem_reduce_view_tko"],
        "multimem ops access views: write `%t = multimem_reduce_view_tko relaxed sys %view, %x[%i] : …`",
    ),
    row(
        &["multimem.st", "multimem_st", "multimem_store"],
        &["multimem_store_view_tko"],
        "multimem ops access views: write `%t = multimem_store_view_tko weak %view, %x[%i] : …`",
    ),
    renamed(&["atan2f"], &["atan2"], "the precision follows from the element type"),
    row(
        &[
            "atomicadd",
            "atomic_add",
            "atomicmax",
            "atomic_max",
            "atomicmin",
            "atomic_min",
            "atomicexch",
            "atomic_xchg",
            "atomicrmw",
            "atomic_rmw",
            "atomicsub",
            "atomicand",
            "atomic_and",
            "atomicor",
            "atomic_or",
        ],
        &["atomic_rmw_tko"],
        "write `%old, %t = atomic_rmw_tko relaxed device %p, add, %x : tile<ptr<i32>>, tile<i32> -> tile<i32>, token`; the \
         mode for floats is `addf`",
    ),
    row(
        &["atomiccas", "atomic_cas", "cmpxchg"],
        &["atomic_cas_tko"],
        "write `%old, %t = atomic_cas_tko relaxed device %p, %expected, %new : tile<ptr<i32>>, tile<i32> -> tile<i32>, token`",
    ),
    row(
        &["auto", "const", "let", "var", "val", "constexpr"],
        &[],
        "values are defined without a keyword: write `%x = …`",
    ),
    row(
        &[
            "barrier",
            "syncthreads",
            "__syncthreads",
            "__syncwarp",
            "debug_barrier",
            "sync",
            "threadfence",
            "__threadfence",
        ],
        &[],
        "a tile block has a single thread of control and needs no barrier; tokens order memory accesses: pass the token of one \
         access to the next with `token=%t`",
    ),
    row(
        &["bid", "block_id", "blockidx", "cta_id", "get_program_id", "program_id"],
        &["get_tile_block_id"],
        "write `%x, %y, %z = get_tile_block_id : tile<i32>`, which returns all three coordinates",
    ),
    row(
        &["block_dim", "blockdim", "lane_id", "laneid", "thread_id", "threadidx", "warp_id", "warpsize"],
        &[],
        "a tile block has no threads: ops operate on whole tiles; `%i = iota : tile<128xi32>` numbers the elements of a tile",
    ),
    row(
        &["br", "cond_br", "goto", "switch"],
        &["if", "for", "loop"],
        "Tile IR has no jumps; control flow is `if`, `for` and `loop` with their regions",
    ),
    row(
        &["broadcast_to", "broadcast_in_dim", "expand", "tile_to"],
        &["broadcast"],
        "write `%b = broadcast %a : tile<1x8xf32> -> tile<4x8xf32>`; `reshape` adds dimensions of extent 1 first",
    ),
    row(
        &["call", "func_call", "invoke"],
        &[],
        "an entry can only call functions of a tile library, with `preview$call` (SIMT preview); inline the body of any other \
         function",
    ),
    row(
        &["cdiv", "ceil_div", "ceildiv", "ceildivsi", "ceildivui"],
        &["divi"],
        "write `%q = divi %a, %b signed rounding<positive_inf> : tile<i32>`",
    ),
    renamed(&["ceilf"], &["ceil"], "the precision follows from the element type"),
    row(&["clamp", "clip"], &["maxf", "minf"], "write `%y = maxf %x, %low : T`, then `%z = minf %y, %high : T`"),
    row(
        &[
            "compare",
            "cmp",
            "equal",
            "eq",
            "fcmp",
            "greater",
            "greater_equal",
            "gt",
            "icmp",
            "less",
            "less_equal",
            "lt",
            "not_equal",
        ],
        &["cmpi", "cmpf"],
        "write `%c = cmpi less_than %a, %b, signed : tile<8xi32> -> tile<8xi1>`, or `cmpf less_than ordered %a, %b` for floats",
    ),
    renamed(
        &["concat", "concatenate", "hstack", "join", "stack", "vstack"],
        &["cat"],
        "write `%c = cat %a, %b dim = 0 : tile<8xf32>, tile<8xf32> -> tile<16xf32>`",
    ),
    renamed(&["cosf"], &["cos"], "the precision follows from the element type"),
    row(
        &["cumsum", "cumprod", "associative_scan", "inclusive_scan", "prefix_sum"],
        &["scan"],
        "`scan` takes `dim`, `reverse` and `identities` and combines two elements in its region: see examples/prefix_sum.tile",
    ),
    row(
        &["device_print", "fprintf", "printf", "println", "puts"],
        &["print_tko"],
        "write `print_tko \"n = %i\\n\", %n : tile<i32> -> token`",
    ),
    row(
        &["div", "divide", "true_divide", "truediv"],
        &["divf", "divi"],
        "write `divf %a, %b` for floats, or `divi %a, %b signed` for integers",
    ),
    row(
        &["divsi", "sdiv", "divui", "udiv", "idiv"],
        &["divi"],
        "write `%q = divi %a, %b signed : tile<i32>`, or `unsigned`",
    ),
    row(
        &["dot", "bmm", "contract", "dot_general", "einsum", "gemm", "matmul", "mm", "mma", "wgmma", "wmma"],
        &["mmaf", "mmai"],
        "write `%d = mmaf %a, %b, %acc : tile<16x16xf16>, tile<16x16xf16>, tile<16x16xf32>`, which adds the product to \
         `%acc`; `mmai` is for integers",
    ),
    row(&["elif"], &["if"], "write `else { if %c { … } }`"),
    renamed(
        &["entry_point", "func", "func.func", "function", "fn", "gpu.func", "kernel", "llvm.func", "def", "tt.func"],
        &["entry"],
        "write `entry @name(%p: tile<ptr<f32>>, %n: tile<i32>) { … }`",
    ),
    renamed(&["exp2f"], &["exp2"], "the precision follows from the element type"),
    row(
        &["expand_dims", "collapse_shape", "expand_shape", "flatten", "ravel", "shape_cast", "squeeze", "unsqueeze"],
        &["reshape"],
        "write `%b = reshape %a : tile<8xf32> -> tile<8x1xf32>`",
    ),
    renamed(&["expf", "__expf"], &["exp"], "the precision follows from the element type"),
    renamed(&["extf", "fpext", "fptrunc", "truncf"], &["ftof"], "write `%y = ftof %x : tile<f32> -> tile<f16>`"),
    row(
        &["extsi", "extui", "sext", "zext"],
        &["exti"],
        "write `%y = exti %x signed : tile<i32> -> tile<i64>`; `unsigned` fills with zeros",
    ),
    renamed(&["fdiv", "__fdividef"], &["divf"], "`divf` is for floats"),
    row(
        &[
            "float", "bool", "char", "double", "float2", "float4", "half", "int", "int32_t", "int64_t", "long",
            "short", "size_t", "uint32_t", "uint64_t", "unsigned",
        ],
        &[],
        "values are defined without a type before the name: write `%x = constant <i32: 0> : tile<i32>`",
    ),
    row(
        &["floordiv", "floor_divide", "floordivsi"],
        &["divi"],
        "write `%q = divi %a, %b signed rounding<negative_inf> : tile<i32>`",
    ),
    renamed(&["floorf"], &["floor"], "the precision follows from the element type"),
    renamed(&["fmaf", "ffma", "mad", "fmad"], &["fma"], "`fma` is for floats; for integers, write `muli`, then `addi`"),
    renamed(
        &["fmax", "fmaxf", "maximumf", "maxnumf"],
        &["maxf"],
        "`maxf` is for floats; with `propagate_nan`, a NaN wins",
    ),
    renamed(
        &["fmin", "fminf", "minimumf", "minnumf"],
        &["minf"],
        "`minf` is for floats; with `propagate_nan`, a NaN wins",
    ),
    row(
        &["fptosi", "fptoui", "__float2int_rn", "__float2int_rz"],
        &["ftoi"],
        "write `%n = ftoi %x signed : tile<f32> -> tile<i32>`",
    ),
    row(
        &["full", "empty", "fill", "full_like", "ones", "ones_like", "zeros", "zeros_like"],
        &["constant"],
        "write `%z = constant <f32: 0.0> : tile<64x64xf32>`",
    ),
    row(
        &["griddim", "grid_dim", "get_num_programs", "num_blocks", "num_programs"],
        &["get_num_tile_blocks"],
        "write `%x, %y, %z = get_num_tile_blocks : tile<i32>`, which returns all three extents of the grid",
    ),
    row(
        &["import", "from", "include", "template", "using", "namespace"],
        &[],
        "a file contains only `cuda_tile.module @name { … }`; there are no imports, includes or templates",
    ),
    row(
        &["index_cast", "index_castui"],
        &["exti", "trunci"],
        "there is no `index` type: use `tile<i32>` or `tile<i64>` throughout, and `exti` or `trunci` between them",
    ),
    row(
        &["load", "gather", "ld", "tensor_load", "transfer_read", "descriptor_load"],
        &["load_ptr_tko", "load_view_tko"],
        "write `%x, %t = load_ptr_tko weak %p : tile<ptr<f32>> -> tile<f32>, token`; `load_view_tko` loads a tile of a view",
    ),
    renamed(&["log2f"], &["log2"], "the precision follows from the element type"),
    renamed(&["logf", "__logf"], &["log"], "the precision follows from the element type"),
    row(
        &["max", "maximum", "amax"],
        &["maxf", "maxi", "reduce"],
        "`maxf %a, %b` and `maxi %a, %b signed` return the larger of two values; `reduce` finds the largest element of a tile",
    ),
    row(&["maxsi", "maxui", "smax", "umax"], &["maxi"], "write `%m = maxi %a, %b signed : tile<i32>`, or `unsigned`"),
    row(
        &["mean", "all", "any", "average", "norm", "prod", "product", "reduce_max", "reduce_sum", "std"],
        &["reduce"],
        "`reduce` takes `dim` and `identities` and combines two elements in its region: see examples/softmax.tile",
    ),
    row(
        &["memcpy", "async_copy", "copy", "cudamemcpy", "dma_start"],
        &["load_view_tko", "store_view_tko"],
        "load a tile and store it: memory cannot be copied directly",
    ),
    row(
        &["min", "minimum", "amin"],
        &["minf", "mini", "reduce"],
        "`minf %a, %b` and `mini %a, %b signed` return the smaller of two values; `reduce` finds the smallest element of a tile",
    ),
    row(&["minsi", "minui", "smin", "umin"], &["mini"], "write `%m = mini %a, %b signed : tile<i32>`, or `unsigned`"),
    row(
        &["mod", "fmod", "modulo", "rem", "remainder"],
        &["remf", "remi"],
        "write `remi %a, %b signed` for integers, or `remf %a, %b` for floats",
    ),
    row(&["gpu.module"], &["module"], "write `cuda_tile.module @name { … }`"),
    renamed(&["mul", "fmul", "imul", "multiply"], &["mulf", "muli"], "`mulf` is for floats, `muli` for integers"),
    row(
        &["multiple_of", "assume_alignment", "max_contiguous"],
        &["assume"],
        "write `%m = assume div_by<16>, %n : tile<i32>` and use `%m` from then on",
    ),
    renamed(&["neg", "fneg", "negative"], &["negf", "negi"], "`negf` is for floats, `negi` for integers"),
    row(
        &["not", "bitwise_not", "invert", "logical_not"],
        &["xori"],
        "write `%y = xori %x, %ones : T`, where all bits of `%ones` are set",
    ),
    row(
        &["num_tiles", "index_space"],
        &["get_index_space_shape"],
        "write `%k:2 = get_index_space_shape %view : V -> tile<i32>`, with one result for each dimension",
    ),
    renamed(&["or", "bitwise_or", "logical_or"], &["ori"], "`ori` is for integers, including `tile<…xi1>`"),
    row(
        &["permute_dims", "swapaxes", "t", "trans", "transpose"],
        &["permute"],
        "write `%b = permute %a [1, 0] : tile<8x16xf32> -> tile<16x8xf32>`",
    ),
    renamed(&["power", "powf", "__powf"], &["fpowf"], "`fpowf` is for floats"),
    row(
        &["public", "private", "extern", "export", "inline", "static"],
        &[],
        "entries and globals do not need such a keyword: write `entry @name(%p: tile<ptr<f32>>) { … }`",
    ),
    row(
        &["__global__", "__device__", "__host__", "__kernel", "void"],
        &["entry"],
        "write `entry @name(%p: tile<ptr<f32>>, %n: tile<i32>) { … }`; a module contains only entries and globals, no other functions",
    ),
    row(
        &["rand", "randint", "randn", "random", "uniform", "normal"],
        &[],
        "Tile IR has no random numbers; compute them with integer ops, as examples/dropout.tile does",
    ),
    renamed(&["rsqrtf", "__frsqrt_rn"], &["rsqrt"], "the precision follows from the element type"),
    row(
        &["scf.for", "affine.for", "affine.parallel", "scf.forall", "scf.parallel"],
        &["for"],
        "write `for %i in (%first to %end, step %step) : tile<i32> { … }`; carried values go into \
         `iter_values(%acc = %init) -> (tile<f32>)`, and `continue` passes them on",
    ),
    renamed(&["scf.if", "affine.if"], &["if"], "write `if %c { … } else { … }`"),
    row(&["scf.while", "while", "do"], &["loop"], "write `loop { … }` with `if %done { break }` in it"),
    row(
        &["scf.yield", "affine.yield", "linalg.yield", "scf.condition"],
        &["continue", "yield", "break"],
        "`continue` ends a `for` or `loop` iteration, `yield` an `if`, `reduce` or `scan`, and `break` leaves a `loop`",
    ),
    renamed(&["select_op", "where"], &["select"], "write `%d = select %c, %a, %b : tile<8xi1>, tile<8xf32>`"),
    row(
        &["shape", "dim", "len", "size"],
        &["get_tensor_shape"],
        "write `%n:2 = get_tensor_shape %view : V -> tile<i32>`, with one result for each dimension",
    ),
    renamed(&["shl", "left_shift", "shift_left"], &["shli"], "`shli` takes two integers"),
    row(
        &["shr", "ashr", "lshr", "right_shift", "shift_right", "shrsi", "shrui"],
        &["shri"],
        "write `%b = shri %a, %n signed : tile<i32>`; `unsigned` fills with zeros",
    ),
    row(
        &["sigmoid", "gelu", "relu", "silu", "softmax"],
        &[],
        "compute it with `exp`, `maxf`, `divf` and similar ops: see examples/softmax.tile",
    ),
    renamed(&["sinf"], &["sin"], "the precision follows from the element type"),
    row(&["sitofp", "uitofp", "__int2float_rn"], &["itof"], "write `%x = itof %n signed : tile<i32> -> tile<f32>`"),
    row(&["remsi", "remui", "srem", "urem"], &["remi"], "write `%r = remi %a, %b signed : tile<i32>`, or `unsigned`"),
    row(&["sort", "argsort"], &[], "Tile IR has no sort; examples/top_k.tile shows how to find the largest elements"),
    row(
        &["splat"],
        &["reshape", "broadcast"],
        "write `%a = reshape %x : tile<f32> -> tile<1xf32>`, then `%b = broadcast %a : tile<1xf32> -> tile<128xf32>`",
    ),
    renamed(&["sqrtf", "__fsqrt_rn"], &["sqrt"], "the precision follows from the element type"),
    row(
        &["store", "scatter", "st", "tensor_store", "transfer_write", "descriptor_store"],
        &["store_ptr_tko", "store_view_tko"],
        "write `%t = store_ptr_tko weak %p, %x : tile<ptr<f32>>, tile<f32> -> token`; `store_view_tko` stores a tile of a view",
    ),
    renamed(&["sub", "fsub", "isub", "subtract"], &["subf", "subi"], "`subf` is for floats, `subi` for integers"),
    row(
        &["sum", "add_reduce"],
        &["reduce"],
        "write `%s = reduce %a dim=0 identities=[0.0 : f32] : tile<8xf32> -> tile<f32> (%acc: tile<f32>, %x: tile<f32>) \
         { %y = addf %acc, %x : tile<f32> yield %y : tile<f32> }`",
    ),
    renamed(&["tanhf", "__tanhf"], &["tanh"], "the precision follows from the element type"),
    renamed(&["trunc"], &["trunci"], "`trunci` is for integers; `ftof` narrows floats"),
    renamed(&["xor", "bitwise_xor", "logical_xor"], &["xori"], "`xori` is for integers, including `tile<…xi1>`"),
];

/// The counterpart of an op of another language, by its name with or without a namespace. An op that has the same name
/// in Tile IR is its own counterpart.
pub fn op(name: &str) -> Option<Foreign> {
    let lower = name.strip_prefix(DIALECT_PREFIX).unwrap_or(name).to_lowercase();
    // `threadIdx.x`
    let without_axis = [".x", ".y", ".z"].iter().find_map(|axis| lower.strip_suffix(axis)).unwrap_or(&lower);
    let find = |name: &str| ROWS.iter().find(|row| row.names.contains(&name)).copied();
    find(without_axis).or_else(|| {
        let (namespace, rest) = without_axis.split_once('.')?;
        let bare = rest.rsplit('.').next().filter(|_| NAMESPACES.contains(&namespace))?;
        find(bare).or_else(|| same_name(bare))
    })
}

/// The counterpart of an op that differs only in its prefix: `arith.addf`, `math.exp`, `scf.if`.
fn same_name(bare: &str) -> Option<Foreign> {
    let row = lookup(bare)?.row;
    let ops = std::slice::from_ref(&row.name);
    Some(Foreign { names: ops, ops, is_rename: true, hint: "the only prefix of ops is `cuda_tile.`" })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_name_occurs_twice() {
        let mut names: Vec<&str> = ROWS.iter().flat_map(|row| row.names).copied().collect();
        names.sort_unstable();
        let all = names.len();
        names.dedup();
        assert_eq!(names.len(), all);
        assert!(NAMESPACES.is_sorted());
    }

    #[test]
    fn counterparts_are_ops_and_foreign_names_are_not() {
        for row in ROWS {
            for name in row.ops {
                assert!(lookup(name).is_some(), "`{name}` is not an op");
            }
            for name in row.names {
                assert!(lookup(name).is_none(), "`{name}` is an op");
                assert_eq!(name.to_lowercase(), *name);
            }
            assert!(!row.is_rename || (1..=2).contains(&row.ops.len()), "{:?}", row.names);
        }
    }

    #[test]
    fn namespaces_and_axes_are_ignored() {
        let ops = |name| op(name).map(|row| row.ops);
        assert_eq!(ops("tl.load"), Some(&["load_ptr_tko", "load_view_tko"][..]));
        assert_eq!(ops("blockIdx.x"), Some(&["get_tile_block_id"][..]));
        assert_eq!(ops("arith.addf"), Some(&["addf"][..]));
        assert_eq!(ops("triton.language.exp"), Some(&["exp"][..]));
        assert_eq!(ops("mine.load"), None);
        assert_eq!(ops("iotta"), None);
    }
}
