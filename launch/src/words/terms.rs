//! Parts of launches that no single word stands for.

use tile_dialect::{Notes, Term};

const TERM: Term = Term { name: "", also: &[], kind: "launch term", doc: "", notes: Notes::NONE, since: None };

pub(super) static ROWS: &[Term] = &[
    Term {
        name: "argument",
        also: &["parameter", "buffer", "%name", "arg", "--arg", "initial value"],
        doc: "What a parameter of the entry gets in a launch: a scalar gets a number, a pointer a buffer.",
        notes: Notes {
            syntax: "//@   %n = 1024\n//@   %x = f32[16, 64] zeros\n//@   %x = f32[16, 64] strides=[80, 1] uniform(-1, 1, seed=1)\n\
                     //@   %x = f32[2, 2] [[1, 2], [3, 4]]",
            rules: &[
                "Every parameter of the entry gets exactly one line.",
                "A number is `-3`, `0.5`, `1e-3`, `inf`, `nan` or `true`.",
                "A buffer has the element type that the pointer points to, a shape in brackets, and what it holds at first: `zeros`, `ones`, \
                 `fill`, `iota`, `uniform`, `normal`, `npy` or a list.",
                "A pointer may get the address of another argument's buffer instead: `&%x`. A buffer that an address names need not be a parameter.",
                "`tile run --arg '%n=1024'` takes what follows the `=`.",
            ],
            example: "
//@ launch
//@   %x = f32[2, 2] [[1, 2], [3, 4]]
//@   %n = 2
//@ expect %x == [[1, 2], [3, 4]]
",
            see: &["launch", "zeros", "uniform", "npy", "strides", "replicas", "address", "ptr"],
            ..Notes::NONE
        },
        ..TERM
    },
    Term {
        name: "address",
        also: &["addresses", "&", "&%a", "alias", "list of arrays", "pointer list"],
        doc: "Where a buffer of the launch lies in memory: for a pointer, an `i64`, or the elements of an `i64` buffer, with which kernels take lists of arrays.",
        notes: Notes {
            syntax: "//@   %y = &%x\n//@   %y = &%x[2] + 64\n//@   %list = i64[2, 2] [[&%a, 100], [&%b, 60]]\n//@   %all = multicast(%x)",
            rules: &[
                "`&%x` is the address of the first element, `&%x[2]` that of row 2, or of replica 2 if the buffer has replicas. `+ 64` adds elements.",
                "Two pointers to one buffer: one parameter gets the buffer, the other one its address.",
                "A kernel turns an `i64` into a pointer with `int_to_ptr`. On a GPU the addresses are those of its memory.",
                "A buffer that an address names need not be a parameter; expectations and `--save` name it like one.",
                "Buffers may hold addresses of each other, or of themselves. An address has no address.",
            ],
            example: "
//@ launch
//@   %a = f32[4] iota
//@   %b = f32[2] ones
//@   %list = i64[2, 2] [[&%a, 4], [&%b + 1, 1]]
//@ expect %a == arange(4)
//@ expect %list == %list
",
            see: &["argument", "replicas", "int_to_ptr", "npy"],
            ..Notes::NONE
        },
        ..TERM
    },
    Term {
        name: "formula",
        also: &["formulas", "expression", "~=", "==", "@", ".T", "**"],
        doc: "What a buffer is expected to hold, in a small part of NumPy's notation. Arguments are as they were before the run.",
        notes: Notes {
            syntax: "//@ expect %c ~= 2 * %a @ %b.T - 1\n//@ expect %c == where(%a > 0, %a, 0)\n//@ expect %c ~= %a[0:4, ::2, -1]",
            rules: &[
                "`+ - * / **` work element by element, `@` multiplies matrices, `.T` transposes; `< <= > >= == !=` give 0 and 1.",
                "Slices are NumPy's: `%x[0:4, ::2, -1]`, `%x[..., None]`. Shapes stretch as in NumPy.",
                "Numbers are `f64`. As long as all are whole, `+ - * @`, sums and comparisons stay whole.",
                "With `==` the result is rounded to the element type of the buffer before it is compared.",
            ],
            example: "
//@ launch
//@   %a = f32[2, 2] [[1, 2], [3, 4]]
//@   %c = f32[2, 2] [[5, 11], [11, 25]]
//@ expect %c ~= %a @ %a.T
",
            see: &["expect", "rtol", "sum", "where", "softmax", "arange", "cast", "transpose"],
            ..Notes::NONE
        },
        ..TERM
    },
    Term {
        name: "save",
        also: &["--save"],
        doc: "`tile run --save '%y=y.npy'` writes a buffer to a NumPy file after the run. No directive does this.",
        notes: Notes {
            syntax: "tile run kernel.tile --save '%y=y.npy'",
            rules: &["Element types that NumPy lacks are stored as raw bits (see `npy`)."],
            example: "
//@ launch
//@   %y = f32[4] iota
",
            see: &["npy", "launch"],
            ..Notes::NONE
        },
        ..TERM
    },
];
