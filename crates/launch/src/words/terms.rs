//! Terms of launches that are not words of directives.

use tile_dialect::{Notes, Term};

const TERM: Term = Term { name: "", also: &[], kind: "launch term", doc: "", notes: Notes::NONE, since: None };

pub(super) static ROWS: &[Term] = &[
    Term {
        name: "argument",
        also: &["parameter", "buffer", "%name", "arg", "--arg", "initial value"],
        doc: "The value of a parameter in a launch: a number for a scalar, a buffer for a pointer.",
        notes: Notes {
            syntax: "//@   %n = 1024\n//@   %x = f32[16, 64] zeros\n//@   %x = f32[16, 64] strides=[80, 1] uniform(-1, 1, seed=1)\n\
                     //@   %x = f32[2, 2] [[1, 2], [3, 4]]",
            rules: &[
                "Every parameter of the entry gets exactly one line, and so does every further parameter of the kernel that `forward` names.",
                "A number is `-3`, `0.5`, `1e-3`, `inf`, `nan` or `true`.",
                "A buffer has the element type that the pointer points to, a shape in brackets, and initial contents: `zeros`, `ones`, \
                 `fill`, `iota`, `uniform`, `normal`, `npy` or a list.",
                "A pointer can also get the address of another argument's buffer: `&%x`. That buffer need not be a parameter.",
                "`tile run --arg '%n=1024'` overrides it.",
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
        doc: "The address of a buffer of the launch, for a pointer, an `i64`, or the elements of an `i64` buffer; this is how kernels take lists of arrays.",
        notes: Notes {
            syntax: "//@   %y = &%x\n//@   %y = &%x[2] + 64\n//@   %list = i64[2, 2] [[&%a, 100], [&%b, 60]]\n//@   %all = multicast(%x)",
            rules: &[
                "`&%x` is the address of the first element, `&%x[2]` that of row 2, or of replica 2 if the buffer has replicas. `+ 64` adds elements.",
                "Two pointers to one buffer: one parameter gets the buffer, the other one its address.",
                "A kernel turns an `i64` into a pointer with `int_to_ptr`. On a GPU the addresses are those of its memory.",
                "A buffer that an address refers to need not be a parameter; expectations and `--save` can use it anyway.",
                "Buffers can contain addresses of each other, or of themselves. The address of an address argument cannot be taken.",
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
        doc: "A value in an expectation, in a subset of NumPy's notation. On the left of `~=` or `==`, buffers are as they are after the run; on the right, arguments are as they were before it.",
        notes: Notes {
            syntax: "//@ expect %c ~= 2 * %a @ %b.T - 1\n//@ expect %c == where(%a > 0, %a, 0)\n//@ expect %c ~= %a[0:4, ::2, -1]\n\
                     //@ expect mean(%c) ~= 0.5 atol=0.02",
            rules: &[
                "`+ - * / **` work element by element, `@` multiplies matrices, `.T` transposes; `< <= > >= == !=` return 0 or 1.",
                "Slices are NumPy's: `%x[0:4, ::2, -1]`, `%x[..., None]`. Shapes are broadcast as in NumPy.",
                "Numbers are `f64`. If all operands are whole numbers, so are the results of `+ - * @`, sums and comparisons.",
                "With `==`, the right side is rounded to the element type of the buffer on the left. If the left side is a formula, neither side is rounded.",
                "The default tolerance of a formula on the left is that of the least precise element type of its buffers.",
            ],
            example: "
//@ launch
//@   %a = f32[2, 2] [[1, 2], [3, 4]]
//@   %c = f32[2, 2] [[5, 11], [11, 25]]
//@ expect %c ~= %a @ %a.T
",
            see: &["expect", "rtol", "sum", "where", "softmax", "sort", "arange", "cast", "transpose", "cholesky"],
            ..Notes::NONE
        },
        ..TERM
    },
    Term {
        name: "save",
        also: &["--save"],
        doc: "`tile run --save '%y=y.npy'` writes a buffer to a NumPy file after the run. There is no directive for this.",
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
