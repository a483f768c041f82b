//! The functions of formulas, and their options.

use super::word::{Word, WordContext, word};
use tile_dialect::Notes;

/// A launch in which `%y` equals a formula of `%x`.
macro_rules! launch {
    ($x:literal, $y:literal, $formula:literal) => {
        concat!("//@ launch\n//@   %x = ", $x, "\n//@   %y = ", $y, "\n//@ expect %y ~= ", $formula)
    };
}

const fn function(
    name: &'static str,
    snippet: &'static str,
    syntax: &'static str,
    doc: &'static str,
    rules: &'static [&'static str],
    example: &'static str,
    see: &'static [&'static str],
) -> Word {
    word(WordContext::Formula, name, snippet, doc, Notes { syntax, rules, example, see, ..Notes::NONE })
}

/// An element-wise function.
const fn each(
    name: &'static str,
    snippet: &'static str,
    syntax: &'static str,
    doc: &'static str,
    example: &'static str,
) -> Word {
    function(
        name,
        snippet,
        syntax,
        doc,
        &["Results are `f64` until they are compared."],
        example,
        &["formula", "expect"],
    )
}

/// A function that removes dimensions.
const fn reduction(
    name: &'static str,
    snippet: &'static str,
    syntax: &'static str,
    doc: &'static str,
    example: &'static str,
) -> Word {
    function(
        name,
        snippet,
        syntax,
        doc,
        &[
            "`axis=` names one axis or several, counted from 0, or from the last with -1; `keepdims=true` keeps them with extent 1.",
        ],
        example,
        &["formula", "axis", "keepdims"],
    )
}

pub(super) static WORDS: &[Word] = &[
    reduction(
        "sum",
        "sum($1)",
        "sum(%x)\nsum(%x, axis=1)",
        "The sum of all elements, or along an axis.",
        launch!("f32[2, 2] [[1, 2], [3, 4]]", "f32[2] [3, 7]", "sum(%x, axis=1)"),
    ),
    reduction(
        "max",
        "max($1)",
        "max(%x)\nmax(%x, axis=1)",
        "The maximum of all elements, or along an axis.",
        launch!("f32[2, 2] [[1, 2], [3, 4]]", "f32[2] [2, 4]", "max(%x, axis=1)"),
    ),
    reduction(
        "min",
        "min($1)",
        "min(%x)\nmin(%x, axis=1)",
        "The minimum of all elements, or along an axis.",
        launch!("f32[2, 2] [[1, 2], [3, 4]]", "f32[2] [1, 3]", "min(%x, axis=1)"),
    ),
    reduction(
        "mean",
        "mean($1)",
        "mean(%x)\nmean(%x, axis=1)",
        "The mean of all elements, or along an axis.",
        launch!("f32[2, 2] [[1, 2], [3, 4]]", "f32[2] [1.5, 3.5]", "mean(%x, axis=1)"),
    ),
    each(
        "exp",
        "exp($1)",
        "exp(%x)",
        "e to the power of each element.",
        launch!("f32[2] [0, 1]", "f32[2] [1, 2.7182817]", "exp(%x)"),
    ),
    each(
        "exp2",
        "exp2($1)",
        "exp2(%x)",
        "2 to the power of each element.",
        launch!("f32[2] [0, 3]", "f32[2] [1, 8]", "exp2(%x)"),
    ),
    each(
        "log",
        "log($1)",
        "log(%x)",
        "The natural logarithm of each element.",
        launch!("f32[2] [1, 2.7182817]", "f32[2] [0, 1]", "log(%x)"),
    ),
    each(
        "log2",
        "log2($1)",
        "log2(%x)",
        "The logarithm to base 2 of each element.",
        launch!("f32[2] [1, 8]", "f32[2] [0, 3]", "log2(%x)"),
    ),
    each(
        "sqrt",
        "sqrt($1)",
        "sqrt(%x)",
        "The square root of each element.",
        launch!("f32[2] [4, 9]", "f32[2] [2, 3]", "sqrt(%x)"),
    ),
    each(
        "rsqrt",
        "rsqrt($1)",
        "rsqrt(%x)",
        "One over the square root of each element.",
        launch!("f32[2] [4, 16]", "f32[2] [0.5, 0.25]", "rsqrt(%x)"),
    ),
    each(
        "tanh",
        "tanh($1)",
        "tanh(%x)",
        "The hyperbolic tangent of each element.",
        launch!("f32[2] [0, 100]", "f32[2] [0, 1]", "tanh(%x)"),
    ),
    each(
        "sin",
        "sin($1)",
        "sin(%x)",
        "The sine of each element, in radians.",
        launch!("f32[1] [0]", "f32[1] [0]", "sin(%x)"),
    ),
    each(
        "cos",
        "cos($1)",
        "cos(%x)",
        "The cosine of each element, in radians.",
        launch!("f32[1] [0]", "f32[1] [1]", "cos(%x)"),
    ),
    each(
        "tan",
        "tan($1)",
        "tan(%x)",
        "The tangent of each element, in radians.",
        launch!("f32[1] [0]", "f32[1] [0]", "tan(%x)"),
    ),
    each(
        "sinh",
        "sinh($1)",
        "sinh(%x)",
        "The hyperbolic sine of each element.",
        launch!("f32[1] [0]", "f32[1] [0]", "sinh(%x)"),
    ),
    each(
        "cosh",
        "cosh($1)",
        "cosh(%x)",
        "The hyperbolic cosine of each element.",
        launch!("f32[1] [0]", "f32[1] [1]", "cosh(%x)"),
    ),
    each(
        "abs",
        "abs($1)",
        "abs(%x)",
        "The absolute value of each element.",
        launch!("f32[2] [-1, 2]", "f32[2] [1, 2]", "abs(%x)"),
    ),
    each(
        "floor",
        "floor($1)",
        "floor(%x)",
        "Each element rounded down.",
        launch!("f32[2] [1.5, -1.5]", "f32[2] [1, -2]", "floor(%x)"),
    ),
    each(
        "ceil",
        "ceil($1)",
        "ceil(%x)",
        "Each element rounded up.",
        launch!("f32[2] [1.5, -1.5]", "f32[2] [2, -1]", "ceil(%x)"),
    ),
    function(
        "maximum",
        "maximum($1, $2)",
        "maximum(%x, %y)",
        "The element-wise maximum of two arrays.",
        &["Shapes are broadcast as in NumPy. `maximum(%x, 0)` is a ReLU."],
        launch!("f32[2] [-1, 2]", "f32[2] [0, 2]", "maximum(%x, 0)"),
        &["minimum", "formula", "where"],
    ),
    function(
        "minimum",
        "minimum($1, $2)",
        "minimum(%x, %y)",
        "The element-wise minimum of two arrays.",
        &["Shapes are broadcast as in NumPy."],
        launch!("f32[2] [-1, 2]", "f32[2] [-1, 0]", "minimum(%x, 0)"),
        &["maximum", "formula", "where"],
    ),
    function(
        "where",
        "where($1, $2, $3)",
        "where(%x > 0, %x, 0)",
        "The second argument where the first is not 0, else the third.",
        &["A condition holds where it is not 0; comparisons return 0 or 1.", "Shapes are broadcast as in NumPy."],
        launch!("f32[2] [-1, 2]", "f32[2] [0, 2]", "where(%x > 0, %x, 0)"),
        &["formula", "maximum", "select"],
    ),
    function(
        "transpose",
        "transpose($1)",
        "transpose(%x)\ntranspose(%x, (1, 0))\n%x.T",
        "The dimensions in reverse order, or in the given order.",
        &["`%x.T` is the same as `transpose(%x)`."],
        launch!("f32[1, 2] [[1, 2]]", "f32[2, 1] [[1], [2]]", "transpose(%x)"),
        &["reshape", "formula", "permute"],
    ),
    function(
        "reshape",
        "reshape($1, [$2])",
        "reshape(%x, [4, -1])",
        "The same elements in another shape.",
        &["One extent can be -1: it follows from the others."],
        launch!("f32[4] iota", "f32[2, 2] [[0, 1], [2, 3]]", "reshape(%x, [2, -1])"),
        &["transpose", "formula"],
    ),
    function(
        "cast",
        "cast($1, ${2:f16})",
        "cast(%x, f16)",
        "Each element rounded to another element type.",
        &["The result can be used in further computations."],
        launch!("f32[1] [1.0001]", "f32[1] [1]", "cast(%x, f16)"),
        &["formula", "ftof"],
    ),
    function(
        "softmax",
        "softmax($1)",
        "softmax(%x)\nsoftmax(%x, axis=0)",
        "`exp(x)` over its sum along an axis.",
        &["The default is the last axis."],
        launch!("f32[2] [1, 1]", "f32[2] [0.5, 0.5]", "softmax(%x)"),
        &["formula", "axis", "exp"],
    ),
    function(
        "cumsum",
        "cumsum($1)",
        "cumsum(%x)\ncumsum(%x, axis=1)",
        "The running sum along an axis.",
        &["The default is the first axis."],
        launch!("f32[3] [1, 2, 3]", "f32[3] [1, 3, 6]", "cumsum(%x)"),
        &["formula", "axis", "scan"],
    ),
    function(
        "sort",
        "sort($1)",
        "sort(%x)\nsort(%x, axis=0)",
        "The elements in ascending order along an axis.",
        &["The default is the last axis.", "NaN follows all numbers."],
        launch!("f32[4] [3, 1, 2, 1]", "f32[4] [1, 1, 2, 3]", "sort(%x)"),
        &["argsort", "formula", "axis"],
    ),
    function(
        "argsort",
        "argsort($1)",
        "argsort(%x)\nargsort(%x, axis=0)",
        "The indices that sort the elements along an axis: the index of the smallest element first.",
        &["The default is the last axis.", "Equal elements keep their order. NaN follows all numbers."],
        launch!("f32[4] [3, 1, 2, 1]", "i32[4] [1, 3, 2, 0]", "argsort(%x)"),
        &["sort", "formula", "axis"],
    ),
    function(
        "cholesky",
        "cholesky($1)",
        "cholesky(%a)",
        "The lower triangular matrix `L` with `L @ L.T` equal to a symmetric, positive definite matrix.",
        &[
            "Only the lower triangle of the matrix is read. A matrix that is not positive definite is an error.",
            "The last two dimensions are the matrix; any others are a batch.",
        ],
        launch!("f32[2, 2] [[4, 2], [2, 5]]", "f32[2, 2] [[2, 0], [1, 2]]", "cholesky(%x)"),
        &["formula", "transpose"],
    ),
    function(
        "arange",
        "arange($1)",
        "arange(8)",
        "The numbers from 0 up to, but not including, the argument.",
        &["The argument must be a literal."],
        launch!("f32[4] zeros", "f32[4] iota", "arange(4)"),
        &["formula", "iota"],
    ),
    function(
        "npy",
        "npy(\"${1:want.npy}\")",
        "npy(\"want.npy\")\nnpy(\"want.npy\", bf16)",
        "The numbers in a NumPy file in the folder of the program.",
        &["Pass the element type if the file contains raw bits of a type that NumPy lacks."],
        launch!("f32[4] zeros", "f32[4] iota", "npy(\"x.npy\")"),
        &["formula", "save"],
    ),
    word(
        WordContext::Option,
        "axis",
        "axis=${1:0}",
        "The axis or axes along which a function of a formula operates.",
        Notes {
            syntax: "sum(%x, axis=1)\nsum(%x, axis=(0, 1))",
            rules: &["Axes count from 0; -1 is the last one."],
            example: launch!("f32[2, 2] [[1, 2], [3, 4]]", "f32[2] [4, 6]", "sum(%x, axis=0)"),
            see: &["keepdims", "sum", "formula"],
            ..Notes::NONE
        },
    ),
    word(
        WordContext::Option,
        "keepdims",
        "keepdims=true",
        "Whether a reduction keeps the reduced axes with extent 1.",
        Notes {
            syntax: "sum(%x, axis=1, keepdims=true)",
            rules: &["Without it, they are removed."],
            example: launch!("f32[2, 2] [[1, 2], [3, 4]]", "f32[2, 1] [[3], [7]]", "sum(%x, axis=1, keepdims=true)"),
            see: &["axis", "sum", "formula"],
            ..Notes::NONE
        },
    ),
    word(
        WordContext::Option,
        "seed",
        "seed=${1:1}",
        "Selects the sequence of random numbers.",
        Notes {
            syntax: "uniform(-1, 1, seed=1)",
            rules: &["A seed gives the same numbers on every machine.", "Without it, the seed is 0."],
            example: "//@ launch\n//@   %x = f32[8] normal(0, 1, seed=3)\n//@ expect %x == %x",
            see: &["uniform", "normal"],
            ..Notes::NONE
        },
    ),
];
