use super::super::{LaunchError, Value, parse_spec};
use super::*;
use proptest::prelude::*;
use std::io;

const MAX_ELEMENTS: usize = 1 << 20;

fn no_files(_: &str) -> io::Result<Vec<u8>> {
    Err(io::Error::other("there are no files here"))
}

fn args(specs: &[(&str, &str)]) -> Vec<(String, Value)> {
    let value = |spec: &str| parse_spec(spec).unwrap().value(1 << 24, &no_files).unwrap();
    specs.iter().map(|(name, spec)| (name.to_string(), value(spec))).collect()
}

fn standard_args() -> Vec<(String, Value)> {
    args(&[
        ("a", "f32[2, 3] [[1, 2, 3], [4, 5, 6]]"),
        ("b", "f64[3] [10, 20, 30]"),
        ("i", "i32[4] [1, -2, 3, 2147483647]"),
        ("n", "7"),
        ("x", "0.5"),
        ("e", "f32[0, 3] zeros"),
        ("a.T", "f32[1] [99]"),
    ])
}

fn evaluate(text: &str) -> Result<Array, LaunchError> {
    let args = standard_args();
    let names: Vec<String> = args.iter().map(|(name, _)| name.clone()).filter(|name| name != "a.T").collect();
    let scope = Scope { args: &args, files: &no_files, max_elements: MAX_ELEMENTS };
    parse_expr(text, &names)?.eval(&scope)
}

/// Shape and numbers.
fn value(text: &str) -> (Vec<usize>, Vec<f64>) {
    let array = evaluate(text).unwrap_or_else(|error| panic!("{text}: {error}"));
    (array.shape().to_vec(), array.into_data().into_real())
}

fn numbers(text: &str) -> Vec<f64> {
    value(text).1
}

fn number(text: &str) -> f64 {
    let (shape, values) = value(text);
    assert_eq!(shape, [], "{text}");
    values[0]
}

/// A formula can have a node for each byte.
#[test]
fn nodes_are_small() {
    assert!(size_of::<super::Node>() <= 40);
}

/// The text in the range of an error, and its message.
fn error(text: &str) -> (String, String) {
    let error = evaluate(text).unwrap_err();
    (text[error.range].to_string(), error.message)
}

#[test]
fn operator_precedence_matches_python() {
    for (text, expected) in [
        ("1 + 2 * 3", 7.0),
        ("(1 + 2) * 3", 9.0),
        ("2 - 3 - 4", -5.0),
        ("2 ** 3 ** 2", 512.0),
        ("-2 ** 2", -4.0),
        ("2 ** -1", 0.5),
        ("7 / 2", 3.5),
        ("- - 3", 3.0),
        ("1 < 2", 1.0),
        ("1 + 1 == 2", 1.0),
        ("nan == nan", 0.0),
        ("nan != nan", 1.0),
        ("%n*2-1", 13.0),
        ("%x", 0.5),
        ("1e3 + 0x10", 1016.0),
        ("maximum(2, 3) - minimum(2.5, 3)", 0.5),
    ] {
        assert_eq!(number(text), expected, "{text}");
    }
    assert_eq!(numbers("%a.T[0]"), [1.0, 4.0], "the parser does not know the argument a.T");
}

#[test]
fn shapes_are_broadcast() {
    assert_eq!(value("%a + %b"), (vec![2, 3], vec![11.0, 22.0, 33.0, 14.0, 25.0, 36.0]));
    assert_eq!(value("%b[:, None] * %b").0, [3, 3]);
    assert_eq!(numbers("2 * %b"), [20.0, 40.0, 60.0]);
    assert_eq!(value("where(%a > 3, %a, -1)").1, [-1.0, -1.0, -1.0, 4.0, 5.0, 6.0]);
    let (place, message) = error("1 + (%a + %i)");
    assert_eq!(place, "(%a + %i)");
    assert_eq!(message, "the shapes [2, 3] and [4] cannot be broadcast together");
}

#[test]
fn functions() {
    for (text, expected) in [
        ("exp(0)", 1.0),
        ("exp2(3)", 8.0),
        ("log(exp(1))", 1.0),
        ("log2(8)", 3.0),
        ("sqrt(16)", 4.0),
        ("rsqrt(4)", 0.5),
        ("tanh(0) + sin(0) + tan(0) + sinh(0)", 0.0),
        ("cos(0) * cosh(0)", 1.0),
        ("abs(-3)", 3.0),
        ("abs(-3.5)", 3.5),
        ("floor(-1.5)", -2.0),
        ("ceil(1.2)", 2.0),
    ] {
        assert_eq!(number(text), expected, "{text}");
    }
}

#[test]
fn reductions() {
    assert_eq!(number("sum(%a)"), 21.0);
    assert_eq!(value("sum(%a, axis=1)"), (vec![2], vec![6.0, 15.0]));
    assert_eq!(value("sum(%a, 0)"), (vec![3], vec![5.0, 7.0, 9.0]));
    assert_eq!(value("max(%a, axis=-1, keepdims=true)"), (vec![2, 1], vec![3.0, 6.0]));
    assert_eq!(value("min(%a, axis=(0, 1), keepdims=True)"), (vec![1, 1], vec![1.0]));
    assert_eq!(number("mean(%a)"), 3.5);
    assert_eq!(value("sum(%e, axis=0)"), (vec![3], vec![0.0; 3]));
    assert!(number("max(where(%b > 15, nan, %b))").is_nan());
    assert_eq!(value("cumsum(%a, axis=1)"), (vec![2, 3], vec![1.0, 3.0, 6.0, 4.0, 9.0, 15.0]));
    assert_eq!(numbers("cumsum(%a)"), [1.0, 2.0, 3.0, 5.0, 7.0, 9.0]);
    assert_eq!(error("max(%e)").1, "`max` needs at least one element, but the shape is [0, 3]");
    assert_eq!(error("sum(%a, axis=2)").1, "axis 2 does not exist in 2 dimensions");
    assert_eq!(error("sum(%a, axis=(0, -2))").1, "axis -2 is named twice");
    let rows = numbers("sum(softmax(%a * 1000, axis=1), axis=1)");
    assert_eq!(rows, [1.0, 1.0], "large exponents do not overflow");
    assert_eq!(value("softmax(%e)").0, [0, 3]);
}

#[test]
fn sorting() {
    assert_eq!(numbers("sort(%i)"), [-2.0, 1.0, 3.0, 2147483647.0]);
    assert_eq!(numbers("argsort(-%i)"), [3.0, 2.0, 0.0, 1.0]);
    assert_eq!(value("sort(-%a)"), (vec![2, 3], vec![-3.0, -2.0, -1.0, -6.0, -5.0, -4.0]));
    assert_eq!(value("sort(-%a, axis=0)"), (vec![2, 3], vec![-4.0, -5.0, -6.0, -1.0, -2.0, -3.0]));
    assert_eq!(value("argsort(-%a, 0)"), (vec![2, 3], vec![1.0, 1.0, 1.0, 0.0, 0.0, 0.0]));
    assert_eq!(numbers("argsort([2, 1, 2, 1, 1])"), [1.0, 3.0, 4.0, 0.0, 2.0], "equal elements keep their order");
    assert_eq!(numbers("argsort([nan, 1, inf, nan, -inf])"), [4.0, 1.0, 2.0, 0.0, 3.0]);
    assert!(numbers("sort([nan, 1.5])")[1].is_nan());
    assert_eq!(value("sort(%e)").0, [0, 3]);
    assert_eq!(value("argsort(%e, axis=0)").0, [0, 3]);
    assert_eq!(error("sort(1)").1, "axis -1 does not exist in 0 dimensions");
    assert_eq!(error("argsort(%a, axis=2)").1, "axis 2 does not exist in 2 dimensions");
}

#[test]
fn cholesky_factors() {
    assert_eq!(value("cholesky([[4, 2], [2, 5]])"), (vec![2, 2], vec![2.0, 0.0, 1.0, 2.0]));
    assert_eq!(numbers("cholesky([[4, 99], [2, 5]])"), [2.0, 0.0, 1.0, 2.0], "the upper triangle is not read");
    let batch = value("cholesky([[[4, 2], [2, 5]], [[1, 0], [0, 9]]])");
    assert_eq!(batch, (vec![2, 2, 2], vec![2.0, 0.0, 1.0, 2.0, 1.0, 0.0, 0.0, 3.0]));
    let product = numbers("cholesky(%a.T @ %a + 3 * (arange(3)[:, None] == arange(3)))");
    let [a, b, c] = [&product[..3], &product[3..6], &product[6..]];
    assert!((a[0] * b[0] - 22.0).abs() < 1e-12 && (b[0] * c[0] + b[1] * c[1] - 36.0).abs() < 1e-12);
    assert_eq!(value("cholesky(reshape(%e, [0, 0]))").0, [0, 0]);
    assert_eq!(error("cholesky(%a)").1, "`cholesky` needs a square matrix, but the shape is [2, 3]");
    assert_eq!(error("cholesky(%b)").1, "`cholesky` needs a matrix, but the shape is [3]");
    let indefinite = "the matrix is not positive definite: its leading 2 x 2 minor is not positive";
    assert_eq!(error("cholesky([[1, 2], [2, 1]])").1, indefinite);
    assert!(error("cholesky([[nan]])").1.contains("1 x 1 minor"));
}

#[test]
fn slices_match_python() {
    for (text, expected) in [
        ("arange(6)[1:4]", vec![1.0, 2.0, 3.0]),
        ("arange(6)[::2]", vec![0.0, 2.0, 4.0]),
        ("arange(6)[::-1]", vec![5.0, 4.0, 3.0, 2.0, 1.0, 0.0]),
        ("arange(6)[4:1:-2]", vec![4.0, 2.0]),
        ("arange(6)[-2:]", vec![4.0, 5.0]),
        ("arange(6)[10:20]", vec![]),
        ("arange(6)[-100:2]", vec![0.0, 1.0]),
        ("arange(6)[3:-9223372036854775808:-9223372036854775808]", vec![3.0]),
        ("%a[-1]", vec![4.0, 5.0, 6.0]),
        ("%a[:, 1]", vec![2.0, 5.0]),
        ("%a[..., 0]", vec![1.0, 4.0]),
        ("%a[1, ...][None]", vec![4.0, 5.0, 6.0]),
        ("%e[:, 2]", vec![]),
    ] {
        assert_eq!(numbers(text), expected, "{text}");
    }
    assert_eq!(number("%a[0, 2]"), 3.0);
    assert_eq!(value("%a[None, :, newaxis, ::2]").0, [1, 2, 1, 2]);
    assert_eq!(error("%a[0, 3]"), ("%a[0, 3]".into(), "index 3 is outside the extent 3 of [2, 3]".into()));
    assert_eq!(error("%a[0, 0, 0]").1, "3 indices are too many for the shape [2, 3]");
    assert_eq!(error("%a[::0]").1, "the step of a slice cannot be 0");
    assert_eq!(error("%a[..., ...]").1, "`...` can occur only once");
}

#[test]
fn transposing_and_reshaping() {
    assert_eq!(value("%a.T"), (vec![3, 2], vec![1.0, 4.0, 2.0, 5.0, 3.0, 6.0]));
    assert_eq!(value("transpose(%a)"), value("transpose(%a, (1, 0))"));
    assert_eq!(value("reshape(%a, [3, -1])").0, [3, 2]);
    assert_eq!(value("reshape(arange(8), (2, 2, 2)).T[0, 1]").1, [2.0, 6.0]);
    assert_eq!(value("transpose(reshape(arange(24), [2, 3, 4]), axes=[1, -1, 0])").0, [3, 4, 2]);
    assert_eq!(error("reshape(%a, [4])").1, "cannot reshape [2, 3] with 6 elements to [4]");
    assert_eq!(error("transpose(%a, (0, 0))").1, "the axes [0, 0] do not name each of the 2 dimensions of [2, 3] once");
    for bad in ["reshape(%e, [0, -1])", "reshape(%e, [0, 4611686018427387904, 4611686018427387904])"] {
        assert!(evaluate(bad).is_err(), "{bad}");
    }
}

#[test]
fn lists_are_arrays() {
    assert_eq!(value("[[1, -2, 3], [4, 5, 6,]] + %b"), (vec![2, 3], vec![11.0, 18.0, 33.0, 14.0, 25.0, 36.0]));
    assert_eq!(numbers("[10, 0.5, -inf][::-1]"), [f64::NEG_INFINITY, 0.5, 10.0]);
    assert_eq!(evaluate("[0xffffffffffffffff]").unwrap().into_data(), Data::Whole(vec![-1]));
    assert_eq!(value("[]").0, [0]);
    assert_eq!(value("[[], []]").0, [2, 0]);
    let ragged = "the entries of the list have different shapes".to_string();
    assert_eq!(error("1 + [[1, 2], [3]]"), ("[[1, 2], [3]".into(), ragged.clone()));
    assert_eq!(error("[1, [2]]"), ("[1, [2]".into(), ragged));
    assert_eq!(error("[%a]").1, "expected a number, found `%a`");
    assert!(evaluate("[1").is_err() && evaluate("[1 2]").is_err() && evaluate("[,]").is_err());
    assert_eq!(error(&"[".repeat(100_000)).1, "the formula is nested too deeply");
}

#[test]
fn casts_round() {
    assert_eq!(number("cast(0.1, f16)"), 0.0999755859375);
    assert_eq!(number("cast(1000, f8E4M3FN)"), 448.0);
    assert_eq!(number("cast(1e6, f8E5M2)"), 57344.0);
    assert_eq!(number("cast(-inf, f8E5M2)"), f64::NEG_INFINITY);
    assert_eq!(number("cast(inf, f8E4M3FN)"), 448.0);
    assert_eq!(number("cast(-1.9, i8)"), -1.0);
    assert_eq!(number("cast(300, i8)"), 44.0);
    assert_eq!(error("cast(1, float32)"), ("float32".into(), "unknown element type `float32`".into()));
}

#[test]
fn whole_numbers_stay_exact() {
    let whole = |text: &str| evaluate(text).unwrap().into_data();
    assert_eq!(whole("9007199254740993 + 0"), Data::Whole(vec![9007199254740993]));
    assert_eq!(whole("%i[3] * %i[3] * 5"), Data::Whole(vec![2147483647i64.wrapping_mul(2147483647).wrapping_mul(5)]));
    assert_eq!(whole("cast(%i * 3, i32)[3]"), Data::Whole(vec![2147483645]));
    assert_eq!(whole("sum(%i)"), Data::Whole(vec![2147483649]));
    assert_eq!(whole("%i @ %i"), Data::Whole(vec![14 + 2147483647 * 2147483647]));
    assert_eq!(whole("18446744073709551615"), Data::Whole(vec![-1]));
    assert_eq!(whole("3 ** 5"), Data::Whole(vec![243]));
    assert_eq!(whole("%i / 1"), Data::Real(vec![1.0, -2.0, 3.0, 2147483647.0]));
    assert_eq!(whole("-%n"), Data::Whole(vec![-7]));
}

#[test]
fn matrices() {
    assert_eq!(value("%a @ %a.T"), (vec![2, 2], vec![14.0, 32.0, 32.0, 77.0]));
    assert_eq!(value("%a @ %b"), (vec![2], vec![140.0, 320.0]));
    assert_eq!(value("%b @ %a.T"), (vec![2], vec![140.0, 320.0]));
    assert_eq!(value("%b @ %b"), (vec![], vec![1400.0]));
    assert_eq!(value("reshape(arange(12), [2, 2, 3]) @ %b").0, [2, 2]);
    assert_eq!(value("%b @ reshape(arange(12), [2, 3, 2])").0, [2, 2]);
    assert_eq!(value("%e @ %a.T").0, [0, 2]);
    assert_eq!(value("%e.T @ %e"), (vec![3, 3], vec![0.0; 9]));
    let (place, message) = error("2 * (%a @ %a)");
    assert_eq!((&place[..], &message[..]), ("(%a @ %a)", "cannot multiply [2, 3] @ [2, 3]: 3 columns against 2 rows"));
    assert_eq!(error("%a @ 2").1, "cannot multiply [2, 3] @ []: a number is not a matrix; use `*`");
}

#[test]
fn errors_have_a_range_and_a_hint() {
    let help = |text: &str| evaluate(text).unwrap_err().help.unwrap_or_default();
    assert_eq!(error("%a + %c"), ("%c".into(), "this launch has no argument `%c`".into()));
    assert_eq!(help("meann(%a)"), "did you mean `mean`?");
    assert_eq!(help("a + 1"), "did you mean `%a`?");
    assert_eq!(help("matmul(%a, %b)"), "write `a @ b`");
    assert_eq!(help("sum(%a, axes=1)"), "did you mean `axis`?");
    assert_eq!(help("1 < 2 < 3"), "put one of them in parentheses");
    assert_eq!(error("1 +").1, "expected a number, an argument such as `%a`, or a function, but the line ends here");
    assert_eq!(error("1 2"), ("2".into(), "unexpected `2`".into()));
    assert_eq!(error("npy(\"x.npy\")").1, "cannot read `x.npy`: there are no files here");
    assert_eq!(error("arange(1048577)").1, "an array of [1048577] has more than 1048576 elements");
    assert_eq!(
        error("arange(1048576)[:, None] + arange(2)").1,
        "an array of [1048576, 2] has more than 1048576 elements"
    );
    assert_eq!(error(&"(".repeat(100_000)).1, "the formula is nested too deeply");
    assert!(evaluate(&"-".repeat(100_000)).is_err() && evaluate(&"1**".repeat(100_000)).is_err());
}

#[test]
fn a_long_formula_needs_no_deep_stack() {
    assert_eq!(number(&format!("1{}", " + 1".repeat(100_000))), 100_001.0);
    assert_eq!(value(&format!("%a{}", ".T".repeat(100_001))).0, [3, 2]);
}

#[test]
fn files_are_read_through_the_resolver() {
    let stored = super::super::npy::write(match &args(&[("b", "bf16[2] [1, 2]")])[0].1 {
        Value::Buffer(buffer) => buffer,
        other => panic!("{other:?}"),
    });
    let files = move |_: &str| Ok(stored.clone().unwrap());
    let scope = Scope { args: &[], files: &files, max_elements: MAX_ELEMENTS };
    let read = |text: &str| parse_expr(text, &[]).unwrap().eval(&scope).unwrap().into_data();
    assert_eq!(read("npy(\"b.npy\", bf16)"), Data::Real(vec![1.0, 2.0]));
    assert_eq!(read("npy(\"b.npy\")"), Data::Whole(vec![0x3F80, 0x4000]));
    assert_eq!(parse_expr("npy(\"b.npy\") + 1", &[]).unwrap().files().collect::<Vec<_>>(), ["b.npy"]);
}

#[test]
fn a_formula_survives_serialization_and_printing() {
    for text in [
        "softmax(%a @ %b.T / sqrt(64.0), axis=-1)[0:4, ::2, -1, None, ...]",
        "[[1, -2.5], [3, 4]] + 1",
        "cast(npy(\"a\\n\"), bf16) ** -2",
    ] {
        let expr = parse_expr(text, &[]).unwrap();
        assert_eq!(expr.to_string(), text);
        assert_eq!(expr.range(), 0..text.len());
        let bytes = postcard::to_stdvec(&expr).unwrap();
        assert_eq!(postcard::from_bytes::<Expr>(&bytes).unwrap(), expr);
    }
}

fn shapes() -> impl Strategy<Value = Vec<usize>> {
    prop::collection::vec(1usize..5, 0..4)
}

fn filled(shape: &[usize], offset: f64) -> Array {
    let count: usize = shape.iter().product();
    Array::new(shape.to_vec(), Data::Real((0..count).map(|index| index as f64 * 0.5 + offset).collect())).unwrap()
}

fn reals(array: &Array) -> Vec<f64> {
    array.data().clone().into_real()
}

/// The position of the element that `index` selects after broadcasting an array of this shape.
fn broadcast_position(shape: &[usize], index: &[usize]) -> usize {
    let own = &index[index.len() - shape.len()..];
    shape.iter().zip(own).fold(0, |place, (extent, index)| place * extent + if *extent == 1 { 0 } else { *index })
}

proptest! {
    #[test]
    fn arbitrary_text_does_not_panic(text in "\\PC{0,40}", names in prop::collection::vec("[a-z.-]{1,3}", 0..3)) {
        let _ = parse_expr(&text, &names);
    }

    #[test]
    fn arbitrary_formula_tokens_do_not_panic(
        tokens in prop::collection::vec(
            prop::sample::select(vec![
                "%a", "%b", "%i", "%n", "%e", "1", "2.5", "-1", "+", "-", "*", "/", "@", "**", "<", "==", "(", ")", "[",
                "]", ",", ":", "...", "None", ".T", "sum(", "max(", "axis=", "where(", "reshape(", "transpose(", "cast(",
                "f16", "softmax(", "cumsum(", "sort(", "argsort(", "cholesky(", "arange(", "9223372036854775807", "keepdims=true", "exp(", "%a[", "nan",
            ]),
            0..14,
        )
    ) {
        let text = tokens.join(" ");
        if let Err(error) = evaluate(&text) {
            prop_assert!(text.get(error.range.clone()).is_some(), "{text}: {error:?}");
        }
    }

    #[test]
    fn broadcasting_agrees_with_loops(left in shapes(), right in shapes()) {
        let (a, b) = (filled(&left, 1.0), filled(&right, 100.0));
        let Ok(sum) = elementwise::binary(Binary::Subtract, a.clone(), b.clone(), MAX_ELEMENTS) else {
            let pairs = left.iter().rev().zip(right.iter().rev());
            prop_assert!(pairs.into_iter().any(|(l, r)| l != r && *l != 1 && *r != 1));
            return Ok(());
        };
        let got = reals(&sum);
        for (place, value) in got.iter().enumerate() {
            let index = super::super::shape::unravel(place, sum.shape());
            let expected = reals(&a)[broadcast_position(&left, &index)] - reals(&b)[broadcast_position(&right, &index)];
            prop_assert_eq!(*value, expected);
        }
    }

    #[test]
    fn multiplication_agrees_with_loops(rows in 1usize..7, shared in 0usize..140, columns in 1usize..7) {
        let (a, b) = (filled(&[rows, shared], 1.0), filled(&[shared, columns], -2.0));
        let product = reals(&matmul::matmul(a.clone(), b.clone(), MAX_ELEMENTS).unwrap());
        let (a, b) = (reals(&a), reals(&b));
        for row in 0..rows {
            for column in 0..columns {
                let expected: f64 = (0..shared).map(|k| a[row * shared + k] * b[k * columns + column]).sum();
                prop_assert!((product[row * columns + column] - expected).abs() <= 1e-9 * expected.abs());
            }
        }
    }

    #[test]
    fn sums_agree_with_loops(x in 1usize..5, y in 1usize..5, z in 1usize..200, axis in 0i64..3, keep: bool) {
        let array = filled(&[x, y, z], 0.25);
        let got = reduce::reduce(Reduction::Sum, array.clone(), Some(&[axis]), keep, MAX_ELEMENTS).unwrap();
        let mut shape = vec![x, y, z];
        let mut expected = vec![0.0; x * y * z / shape[axis as usize]];
        shape[axis as usize] = 1;
        for (place, value) in reals(&array).iter().enumerate() {
            let index = super::super::shape::unravel(place, &[x, y, z]);
            expected[broadcast_position(&shape, &index)] += value;
        }
        if !keep {
            shape.remove(axis as usize);
        }
        prop_assert_eq!(got.shape(), &shape[..]);
        for (got, expected) in reals(&got).iter().zip(&expected) {
            prop_assert!((got - expected).abs() <= 1e-9 * expected.abs());
        }
    }

    #[test]
    fn slices_agree_with_loops(
        extent in 0i64..9,
        start in prop::option::of(-12i64..12),
        stop in prop::option::of(-12i64..12),
        step in prop::sample::select(vec![-3i64, -2, -1, 1, 2, 3]),
    ) {
        let array = filled(&[extent as usize], 0.0);
        let got = reals(&index::slice(array.clone(), &[SliceEntry::Span { start, stop, step }]).unwrap());
        // Python's rule, index by index.
        let wrap = |index: i64| if index < 0 { index + extent } else { index };
        let (low, high) = if step > 0 { (0, extent) } else { (-1, extent - 1) };
        let first = start.map_or(if step > 0 { low } else { high }, |index| wrap(index).clamp(low, high));
        let end = stop.map_or(if step > 0 { high } else { low }, |index| wrap(index).clamp(low, high));
        let mut expected = vec![];
        let mut index = first;
        while if step > 0 { index < end } else { index > end } {
            expected.push(reals(&array)[index as usize]);
            index += step;
        }
        prop_assert_eq!(got, expected);
    }
}
