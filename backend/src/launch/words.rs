//! The words of launch directives, with what they mean: for hovers and completions.

/// A word of launch directives.
#[derive(Debug)]
pub struct Word {
    /// The word.
    pub name: &'static str,
    /// Where it stands.
    pub place: Place,
    /// What is written for it, with places to fill in as snippets of editors have them.
    pub snippet: &'static str,
    /// What it means, in Markdown.
    pub doc: &'static str,
}

/// Where a word of a directive stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Place {
    /// At the beginning of a line.
    Line,
    /// Behind `launch`.
    Launch,
    /// Behind the element and shape of a buffer.
    Init,
    /// Behind `expect`.
    Expect,
    /// In a formula.
    Formula,
    /// Behind a formula.
    Tolerance,
}

const fn word(name: &'static str, place: Place, snippet: &'static str, doc: &'static str) -> Word {
    Word { name, place, snippet, doc }
}

const fn function(name: &'static str, snippet: &'static str, doc: &'static str) -> Word {
    word(name, Place::Formula, snippet, doc)
}

/// Every word.
pub static WORDS: &[Word] = &[
    word(
        "launch",
        Place::Line,
        "launch grid=(${1:1}, ${2:1}, ${3:1})",
        "Begins a launch: a run of the entry below. A name in quotes tells it from others; `grid=(x, y, z)` says how many tile blocks run. \
         The lines below, up to the next `launch`, belong to it.\n\n```tile\n//@ launch \"small\" grid=(8, 1, 1)\n```",
    ),
    word(
        "expect",
        Place::Line,
        "expect ${1:%c} ~= $0",
        "What the run must bring about. `%c ~= formula` compares an output within a tolerance, `%c == formula` exactly, `print \"…\"` all that \
         was printed, `error CODE` a finding of the sanitizer.\n\n```tile\n//@ expect %c ~= %a + %b\n```",
    ),
    word(
        "grid",
        Place::Launch,
        "grid=(${1:1}, ${2:1}, ${3:1})",
        "How many tile blocks run along x, y and z. Without it one block runs.",
    ),
    word("zeros", Place::Init, "zeros", "The buffer holds 0 everywhere."),
    word("ones", Place::Init, "ones", "The buffer holds 1 everywhere."),
    word("fill", Place::Init, "fill(${1:0})", "`fill(x)`: the buffer holds x everywhere."),
    word("iota", Place::Init, "iota", "The buffer holds 0, 1, 2, … in row-major order; integers wrap, floats round."),
    word(
        "uniform",
        Place::Init,
        "uniform(${1:-1}, ${2:1}, seed=${3:1})",
        "`uniform(low, high, seed=n)`: evenly distributed, low included and high not; whole numbers for integers. The seed chooses the sequence, \
         which is the same on every machine.",
    ),
    word(
        "normal",
        Place::Init,
        "normal(${1:0}, ${2:1}, seed=${3:1})",
        "`normal(mean, deviation, seed=n)`: normally distributed, for floats.",
    ),
    word(
        "npy",
        Place::Init,
        "npy(\"${1:data.npy}\")",
        "`npy(\"file.npy\")`: what a NumPy file beside the program holds. It is read when the kernel is run, not before.",
    ),
    word(
        "strides",
        Place::Init,
        "strides=[${1:1}] ",
        "`strides=[…]`: steps between neighbours along each dimension, in elements. Without it the buffer is row-major.",
    ),
    word(
        "print",
        Place::Expect,
        "print \"$1\\\\n\"",
        "`expect print \"…\"`: all that the run printed, tile blocks in the order of the grid.",
    ),
    word(
        "error",
        Place::Expect,
        "error ${1:R0107}",
        "`expect error CODE`: the run must end with this finding, such as `R0107`. What the sanitizer finds is looked for too.",
    ),
    word("rtol", Place::Tolerance, "rtol=${1:1e-3}", "The relative tolerance; it defaults from the element type."),
    word("atol", Place::Tolerance, "atol=${1:1e-5}", "The absolute tolerance; it defaults from the element type."),
    function("sum", "sum($1)", "`sum(x, axis=n)`: the sum along an axis, or of everything."),
    function("max", "max($1)", "`max(x, axis=n)`: the greatest along an axis, or of everything."),
    function("min", "min($1)", "`min(x, axis=n)`: the least along an axis, or of everything."),
    function("mean", "mean($1)", "`mean(x, axis=n)`: the mean along an axis, or of everything."),
    function("exp", "exp($1)", "`exp(x)`: e to the power of each element."),
    function("exp2", "exp2($1)", "`exp2(x)`: 2 to the power of each element."),
    function("log", "log($1)", "`log(x)`: the natural logarithm of each element."),
    function("log2", "log2($1)", "`log2(x)`: the logarithm to base 2 of each element."),
    function("sqrt", "sqrt($1)", "`sqrt(x)`: the square root of each element."),
    function("rsqrt", "rsqrt($1)", "`rsqrt(x)`: one over the square root of each element."),
    function("tanh", "tanh($1)", "`tanh(x)`: the hyperbolic tangent of each element."),
    function("sin", "sin($1)", "`sin(x)`: the sine of each element."),
    function("cos", "cos($1)", "`cos(x)`: the cosine of each element."),
    function("tan", "tan($1)", "`tan(x)`: the tangent of each element."),
    function("sinh", "sinh($1)", "`sinh(x)`: the hyperbolic sine of each element."),
    function("cosh", "cosh($1)", "`cosh(x)`: the hyperbolic cosine of each element."),
    function("abs", "abs($1)", "`abs(x)`: each element without its sign."),
    function("floor", "floor($1)", "`floor(x)`: each element rounded down."),
    function("ceil", "ceil($1)", "`ceil(x)`: each element rounded up."),
    function("maximum", "maximum($1, $2)", "`maximum(x, y)`: the greater of two, element by element."),
    function("minimum", "minimum($1, $2)", "`minimum(x, y)`: the lesser of two, element by element."),
    function("where", "where($1, $2, $3)", "`where(c, x, y)`: x where c holds, else y."),
    function(
        "transpose",
        "transpose($1)",
        "`transpose(x)`: the dimensions in the opposite order, or in one that is given.",
    ),
    function(
        "reshape",
        "reshape($1, [$2])",
        "`reshape(x, [m, n])`: the same elements in another shape; one extent may be -1.",
    ),
    function("cast", "cast($1, ${2:f16})", "`cast(x, f16)`: each element rounded to another element type."),
    function("softmax", "softmax($1)", "`softmax(x, axis=n)`: exp(x) over its sum along an axis."),
    function("cumsum", "cumsum($1)", "`cumsum(x, axis=n)`: sums of all elements up to each along an axis."),
    function("arange", "arange($1)", "`arange(n)`: 0, 1, 2, … up to n, which is left out."),
];

/// What a word means at any of its places.
pub fn word_at(name: &str, line: &str) -> Option<&'static Word> {
    let found: Vec<&Word> = WORDS.iter().filter(|word| word.name == name).collect();
    let in_formula = line.trim_start().starts_with("expect");
    let fits = |word: &&&Word| (word.place == Place::Formula) == in_formula;
    found.iter().find(fits).or(found.first()).copied()
}
