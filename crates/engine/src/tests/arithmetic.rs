use super::*;

#[test]
fn integers_wrap_and_respect_signedness() {
    check(&[
        (&["<i8: [127, -128, 3, 0]> : tile<4xi8>"], "addi %0, %0 : tile<4xi8>", "tile<4xi8>", "%d", "[-2, 0, 6, 0]"),
        (&["<i8: 127> : tile<i8>", "<i8: 2> : tile<i8>"], "muli %0, %1 : tile<i8>", "tile<i8>", "%d", "-2"),
        (&["<i16: 0> : tile<i16>", "<i16: 1> : tile<i16>"], "subi %0, %1 : tile<i16>", "tile<i16>", "%d", "-1"),
        (
            &["<i1: [0, 1]> : tile<2xi1>", "<i1: 1> : tile<2xi1>"],
            "addi %0, %1 : tile<2xi1>",
            "tile<2xi1>",
            "%d",
            "[1, 0]",
        ),
        (&["<i32: -2147483648> : tile<i32>"], "absi %0 : tile<i32>", "tile<i32>", "%u", "2147483648"),
        (&["<i32: [5, -5]> : tile<2xi32>"], "negi %0 : tile<2xi32>", "tile<2xi32>", "%d", "[-5, 5]"),
        (&["<i8: -1> : tile<i8>", "<i8: 1> : tile<i8>"], "maxi %0, %1 signed : tile<i8>", "tile<i8>", "%d", "1"),
        (&["<i8: -1> : tile<i8>", "<i8: 1> : tile<i8>"], "maxi %0, %1 unsigned : tile<i8>", "tile<i8>", "%d", "-1"),
        (&["<i1: 0> : tile<i1>", "<i1: 1> : tile<i1>"], "maxi %0, %1 signed : tile<i1>", "tile<i1>", "%d", "0"),
        (&["<i1: 0> : tile<i1>", "<i1: 1> : tile<i1>"], "mini %0, %1 unsigned : tile<i1>", "tile<i1>", "%d", "0"),
        (&["<i64: -1> : tile<i64>", "<i64: -1> : tile<i64>"], "mulhii %0, %1 : tile<i64>", "tile<i64>", "%d", "-2"),
        (&["<i8: -1> : tile<i8>", "<i8: 16> : tile<i8>"], "mulhii %0, %1 : tile<i8>", "tile<i8>", "%d", "15"),
    ]);
}

#[test]
fn bits_and_shifts() {
    check(&[
        (&["<i8: 12> : tile<i8>", "<i8: 10> : tile<i8>"], "andi %0, %1 : tile<i8>", "tile<i8>", "%d", "8"),
        (&["<i8: 12> : tile<i8>", "<i8: 10> : tile<i8>"], "ori %0, %1 : tile<i8>", "tile<i8>", "%d", "14"),
        (
            &["<i1: [0, 1]> : tile<2xi1>", "<i1: 1> : tile<2xi1>"],
            "xori %0, %1 : tile<2xi1>",
            "tile<2xi1>",
            "%d",
            "[1, 0]",
        ),
        (&["<i8: 3> : tile<i8>", "<i8: 7> : tile<i8>"], "shli %0, %1 : tile<i8>", "tile<i8>", "%d", "-128"),
        (&["<i8: -128> : tile<i8>", "<i8: 3> : tile<i8>"], "shri %0, %1 signed : tile<i8>", "tile<i8>", "%d", "-16"),
        (&["<i8: -128> : tile<i8>", "<i8: 3> : tile<i8>"], "shri %0, %1 unsigned : tile<i8>", "tile<i8>", "%d", "16"),
        (
            &["<i64: -1> : tile<i64>", "<i64: 63> : tile<i64>"],
            "shri %0, %1 unsigned : tile<i64>",
            "tile<i64>",
            "%d",
            "1",
        ),
    ]);
}

#[test]
fn division_uses_the_rounding_mode() {
    let a = "<i32: [7, -7, 7, -7]> : tile<4xi32>";
    let b = "<i32: [2, 2, -2, -2]> : tile<4xi32>";
    let ty = "tile<4xi32>";
    check(&[
        (&[a, b], "divi %0, %1 signed : tile<4xi32>", ty, "%d", "[3, -3, -3, 3]"),
        (&[a, b], "divi %0, %1 signed rounding<negative_inf> : tile<4xi32>", ty, "%d", "[3, -4, -4, 3]"),
        (&[a, b], "divi %0, %1 signed rounding<positive_inf> : tile<4xi32>", ty, "%d", "[4, -3, -3, 4]"),
        (&[a, b], "remi %0, %1 signed : tile<4xi32>", ty, "%d", "[1, -1, 1, -1]"),
        (&["<i8: -1> : tile<i8>", "<i8: 2> : tile<i8>"], "divi %0, %1 unsigned : tile<i8>", "tile<i8>", "%d", "127"),
        (
            &["<i8: -1> : tile<i8>", "<i8: 2> : tile<i8>"],
            "divi %0, %1 unsigned rounding<positive_inf> : tile<i8>",
            "tile<i8>",
            "%d",
            "-128",
        ),
        (&["<i8: -1> : tile<i8>", "<i8: 7> : tile<i8>"], "remi %0, %1 unsigned : tile<i8>", "tile<i8>", "%d", "3"),
        (&["<i8: -128> : tile<i8>", "<i8: -1> : tile<i8>"], "remi %0, %1 signed : tile<i8>", "tile<i8>", "%d", "0"),
        (
            &["<i64: -9223372036854775807> : tile<i64>", "<i64: 2> : tile<i64>"],
            "divi %0, %1 signed rounding<negative_inf> : tile<i64>",
            "tile<i64>",
            "%d",
            "-4611686018427387904",
        ),
    ]);
}

#[test]
fn comparisons() {
    let a = "<i8: [1, -1]> : tile<2xi8>";
    let b = "<i8: [1, 1]> : tile<2xi8>";
    let ty = "tile<2xi1>";
    for (predicate, sign, expected) in [
        ("equal", "signed", "[1, 0]"),
        ("not_equal", "signed", "[0, 1]"),
        ("less_than", "signed", "[0, 1]"),
        ("less_than", "unsigned", "[0, 0]"),
        ("less_than_or_equal", "signed", "[1, 1]"),
        ("greater_than", "unsigned", "[0, 1]"),
        ("greater_than_or_equal", "signed", "[1, 0]"),
    ] {
        let op = format!("cmpi {predicate} %0, %1, {sign} : tile<2xi8> -> tile<2xi1>");
        check(&[(&[a, b], &op, ty, "%d", expected)]);
    }
    // Of 1 and 2, 1 and 1, 1 and NaN, +0 and -0.
    let a = "<f32: [1.0, 1.0, 1.0, 0.0]> : tile<4xf32>";
    let b = "<f32: [2.0, 1.0, 0x7FC00000, -0.0]> : tile<4xf32>";
    for (predicate, ordered, unordered) in [
        ("equal", "[0, 1, 0, 1]", "[0, 1, 1, 1]"),
        ("not_equal", "[1, 0, 0, 0]", "[1, 0, 1, 0]"),
        ("less_than", "[1, 0, 0, 0]", "[1, 0, 1, 0]"),
        ("less_than_or_equal", "[1, 1, 0, 1]", "[1, 1, 1, 1]"),
        ("greater_than", "[0, 0, 0, 0]", "[0, 0, 1, 0]"),
        ("greater_than_or_equal", "[0, 1, 0, 1]", "[0, 1, 1, 1]"),
    ] {
        for (ordering, expected) in [("ordered", ordered), ("unordered", unordered)] {
            let op = format!("cmpf {predicate} {ordering} %0, %1 : tile<4xf32> -> tile<4xi1>");
            check(&[(&[a, b], &op, "tile<4xi1>", "%d", expected)]);
        }
    }
}

#[test]
fn floats_round_to_nearest_even() {
    check(&[
        // 2^24 + 1 lies between two f32; the even one wins.
        (
            &["<f32: 16777216.0> : tile<f32>", "<f32: 1.0> : tile<f32>"],
            "addf %0, %1 : tile<f32>",
            "tile<f32>",
            "%.0f",
            "16777216",
        ),
        (
            &["<f32: 16777218.0> : tile<f32>", "<f32: 1.0> : tile<f32>"],
            "addf %0, %1 : tile<f32>",
            "tile<f32>",
            "%.0f",
            "16777220",
        ),
        (
            &["<f16: 2048.0> : tile<f16>", "<f16: 1.0> : tile<f16>"],
            "addf %0, %1 : tile<f16>",
            "tile<f16>",
            "%.0f",
            "2048",
        ),
        (
            &["<f16: 2050.0> : tile<f16>", "<f16: 1.0> : tile<f16>"],
            "addf %0, %1 : tile<f16>",
            "tile<f16>",
            "%.0f",
            "2052",
        ),
        (
            &["<bf16: 256.0> : tile<bf16>", "<bf16: 1.0> : tile<bf16>"],
            "addf %0, %1 : tile<bf16>",
            "tile<bf16>",
            "%.0f",
            "256",
        ),
        (
            &["<f16: 65504.0> : tile<f16>", "<f16: 16.0> : tile<f16>"],
            "addf %0, %1 : tile<f16>",
            "tile<f16>",
            "%f",
            "inf",
        ),
        (
            &["<f64: 0.1> : tile<f64>", "<f64: 0.2> : tile<f64>"],
            "addf %0, %1 : tile<f64>",
            "tile<f64>",
            "%.17f",
            "0.30000000000000004",
        ),
        (
            &["<f32: 1.0> : tile<f32>", "<f32: 3.0> : tile<f32>"],
            "divf %0, %1 : tile<f32>",
            "tile<f32>",
            "%a",
            "0x1.555556p-2",
        ),
        (&["<f32: 2.0> : tile<f32>"], "sqrt %0 : tile<f32>", "tile<f32>", "%a", "0x1.6a09e6p+0"),
        (
            &["<f32: -5.5> : tile<f32>", "<f32: 2.0> : tile<f32>"],
            "remf %0, %1 : tile<f32>",
            "tile<f32>",
            "%f",
            "-1.500000",
        ),
        (&["<f32: -5.5> : tile<f32>", "<f32: 0.0> : tile<f32>"], "remf %0, %1 : tile<f32>", "tile<f32>", "%f", "nan"),
        (&["<f32: [-0.0, 1.5]> : tile<2xf32>"], "negf %0 : tile<2xf32>", "tile<2xf32>", "%g", "[0, -1.5]"),
        (&["<f16: [-0.0, -1.5]> : tile<2xf16>"], "absf %0 : tile<2xf16>", "tile<2xf16>", "%g", "[0, 1.5]"),
        (&["<bf16: [-1.5, 1.5]> : tile<2xbf16>"], "ceil %0 : tile<2xbf16>", "tile<2xbf16>", "%g", "[-1, 2]"),
        (&["<f64: [-1.5, 1.5]> : tile<2xf64>"], "floor %0 : tile<2xf64>", "tile<2xf64>", "%g", "[-2, 1]"),
    ]);
}

#[test]
fn directed_rounding_and_flushing() {
    let one = "<f32: 1.0> : tile<f32>";
    let tiny = "<f32: 1.0e-30> : tile<f32>";
    let least = "<f32: 0x00000001> : tile<f32>";
    let normal = "<f32: 0x00800000> : tile<f32>";
    check(&[
        (&[one, tiny], "addf %0, %1 rounding<positive_inf> : tile<f32>", "tile<f32>", "%a", "0x1.000002p+0"),
        (&[one, tiny], "addf %0, %1 rounding<zero> : tile<f32>", "tile<f32>", "%a", "0x1p+0"),
        (&[one, tiny], "subf %0, %1 rounding<negative_inf> : tile<f32>", "tile<f32>", "%a", "0x1.fffffep-1"),
        (&[one, one], "subf %0, %1 rounding<negative_inf> : tile<f32>", "tile<f32>", "%g", "-0"),
        (&[tiny, tiny], "mulf %0, %1 rounding<positive_inf> : tile<f32>", "tile<f32>", "%a", "0x1p-149"),
        (
            &["<f16: 1.0> : tile<f16>", "<f16: 3.0> : tile<f16>"],
            "divf %0, %1 rounding<zero> : tile<f16>",
            "tile<f16>",
            "%a",
            "0x1.554p-2",
        ),
        (
            &["<f16: 1.0> : tile<f16>", "<f16: 3.0> : tile<f16>"],
            "divf %0, %1 rounding<positive_inf> : tile<f16>",
            "tile<f16>",
            "%a",
            "0x1.558p-2",
        ),
        (
            &["<f64: 2.0> : tile<f64>"],
            "sqrt %0 rounding<positive_inf> : tile<f64>",
            "tile<f64>",
            "%a",
            "0x1.6a09e667f3bcdp+0",
        ),
        (&["<f64: 2.0> : tile<f64>"], "sqrt %0 rounding<zero> : tile<f64>", "tile<f64>", "%a", "0x1.6a09e667f3bccp+0"),
        (&[least, one], "mulf %0, %1 : tile<f32>", "tile<f32>", "%a", "0x1p-149"),
        (&[least, one], "mulf %0, %1 flush_to_zero : tile<f32>", "tile<f32>", "%a", "0x0p+0"),
        (&[normal, "<f32: -0.5> : tile<f32>"], "mulf %0, %1 flush_to_zero : tile<f32>", "tile<f32>", "%g", "-0"),
        (&[least, least], "maxf %0, %1 flush_to_zero : tile<f32>", "tile<f32>", "%a", "0x0p+0"),
        (&[one, one, tiny], "fma %0, %1, %2 rounding<positive_inf> : tile<f32>", "tile<f32>", "%a", "0x1.000002p+0"),
        // 4097^2 = 16785409 needs 25 bits; the sum is exact only if the product was.
        (
            &["<f32: 4097.0> : tile<f32>", "<f32: -16785408.0> : tile<f32>"],
            "fma %0, %0, %1 : tile<f32>",
            "tile<f32>",
            "%g",
            "1",
        ),
        // 3 * 683 = 2049 lies between two f16; the addend decides, although f32 cannot represent the sum.
        (
            &["<f16: 3.0> : tile<f16>", "<f16: 683.0> : tile<f16>", "<f16: 5.9604645e-08> : tile<f16>"],
            "fma %0, %1, %2 : tile<f16>",
            "tile<f16>",
            "%g",
            "2050",
        ),
    ]);
}

#[test]
fn extrema_and_nan() {
    let a = "<f32: [1.0, 0x7FC00000, -0.0, 0.0]> : tile<4xf32>";
    let b = "<f32: [0x7FC00000, 0x7FC00000, 0.0, -0.0]> : tile<4xf32>";
    let ty = "tile<4xf32>";
    check(&[
        (&[a, b], "maxf %0, %1 : tile<4xf32>", ty, "%g", "[1, nan, 0, 0]"),
        (&[a, b], "minf %0, %1 : tile<4xf32>", ty, "%g", "[1, nan, -0, -0]"),
        (&[b, a], "minf %0, %1 : tile<4xf32>", ty, "%g", "[1, nan, -0, -0]"),
        (&[a, b], "maxf %0, %1 propagate_nan : tile<4xf32>", ty, "%g", "[nan, nan, 0, 0]"),
        (
            &["<f16: [2.0, -1.0]> : tile<2xf16>", "<f16: 0.5> : tile<2xf16>"],
            "minf %0, %1 : tile<2xf16>",
            "tile<2xf16>",
            "%g",
            "[0.5, -1]",
        ),
    ]);
}

#[test]
fn functions() {
    // The digits are from tables of the functions.
    for (op, x, expected) in [
        ("exp", "1.0", "2.718282"),
        ("exp2", "-2.0", "0.250000"),
        ("log", "10.0", "2.302585"),
        ("log2", "8.0", "3.000000"),
        ("sin", "1.0", "0.841471"),
        ("cos", "1.0", "0.540302"),
        ("tan", "1.0", "1.557408"),
        ("sinh", "1.0", "1.175201"),
        ("cosh", "1.0", "1.543081"),
        ("tanh", "0.5", "0.462117"),
        ("rsqrt", "16.0", "0.250000"),
        ("log", "-1.0", "nan"),
        ("log", "0.0", "-inf"),
    ] {
        for element in ["f32", "f64"] {
            let constant = format!("<{element}: {x}> : tile<{element}>");
            let (op, ty) = (format!("{op} %0 : tile<{element}>"), format!("tile<{element}>"));
            check(&[(&[&constant], &op, &ty, "%f", expected)]);
        }
    }
    check(&[
        (&["<f16: 1.0> : tile<f16>"], "exp %0 : tile<f16>", "tile<f16>", "%.8f", "2.71875000"),
        (&["<bf16: 1.0> : tile<bf16>"], "exp %0 : tile<bf16>", "tile<bf16>", "%.8f", "2.71875000"),
        (&["<f32: -2.0> : tile<f32>", "<f32: 3.0> : tile<f32>"], "fpowf %0, %1 : tile<f32>", "tile<f32>", "%g", "-8"),
        (&["<f32: -2.0> : tile<f32>", "<f32: 0.5> : tile<f32>"], "fpowf %0, %1 : tile<f32>", "tile<f32>", "%g", "nan"),
        (
            &["<f32: [-2.0, 2.0]> : tile<2xf32>", "<i8: [3, -1]> : tile<2xi8>"],
            "fpowi %0, %1 : tile<2xf32>, tile<2xi8>",
            "tile<2xf32>",
            "%g",
            "[-8, 0.5]",
        ),
        (
            &["<f32: 1.0> : tile<f32>", "<f32: -1.0> : tile<f32>"],
            "atan2 %0, %1 : tile<f32>",
            "tile<f32>",
            "%f",
            "2.356194",
        ),
    ]);
}

#[test]
fn undefined_arithmetic_is_found() {
    let found = |constants: [&str; 2], op: &str| {
        let [a, b] = constants;
        let body = format!("%a = constant {a}\n%b = constant {b}\n%r = {op}");
        Bench::new("", &body).sanitize().finding()
    };
    let ones = "<i32: [1, 1]> : tile<2xi32>";
    let zero = found([ones, "<i32: [1, 0]> : tile<2xi32>"], "remi %a, %b unsigned : tile<2xi32>");
    assert_eq!(zero, ("division-by-zero", "1 is divided by 0 at element [1] of the tile".to_string()));
    let least = found(["<i8: -128> : tile<i8>", "<i8: -1> : tile<i8>"], "divi %a, %b signed : tile<i8>");
    assert_eq!(least.0, "division-overflow");
    let byte = ["<i8: 127> : tile<i8>", "<i8: 1> : tile<i8>"];
    let wraps = found(byte, "addi %a, %b overflow<no_signed_wrap> : tile<i8>");
    assert_eq!(wraps.1, "the result 128 does not fit in 8 bits, contrary to `no_signed_wrap`");
    let wraps =
        found(["<i8: 1> : tile<i8>", "<i8: 2> : tile<i8>"], "subi %a, %b overflow<no_unsigned_wrap> : tile<i8>");
    assert_eq!(wraps.1, "the result -1 does not fit in 8 bits, contrary to `no_unsigned_wrap`");
    let far = found(["<i8: 1> : tile<i8>", "<i8: 8> : tile<i8>"], "shli %a, %b : tile<i8>");
    assert_eq!(far.0, "shift-too-far");
    let float =
        found(["<f32: 300.0> : tile<f32>", "<f32: 1.0> : tile<f32>"], "ftoi %a unsigned : tile<f32> -> tile<i8>");
    assert_eq!(float, ("float-to-int-range", "300 is not between 0 and 255, the range of i8 here".to_string()));
    // Correct programs have no findings, and without the sanitizer there are none at all.
    let fits = "%a = constant <i8: 100> : tile<i8>\n%b = addi %a, %a overflow<no_unsigned_wrap> : tile<i8>";
    Bench::new("", fits).sanitize().run();
    Bench::new("", "%a = constant <i8: 100> : tile<i8>\n%b = addi %a, %a overflow<no_wrap> : tile<i8>").run();
}
