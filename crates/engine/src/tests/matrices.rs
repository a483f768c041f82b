use super::*;

/// `a * b + c` of 2x2 matrices: 1 2 / 3 4 by 5 6 / 7 8 plus 1.
fn product(factor: &str, sum: &str) -> String {
    let code = format!(
        "%a = constant <{factor}: [[1.0, 2.0], [3.0, 4.0]]> : tile<2x2x{factor}>\n\
        %b = constant <{factor}: [[5.0, 6.0], [7.0, 8.0]]> : tile<2x2x{factor}>\n\
        %c = constant <{sum}: 1.0> : tile<2x2x{sum}>\n\
        %r = mmaf %a, %b, %c : tile<2x2x{factor}>, tile<2x2x{factor}>, tile<2x2x{sum}>"
    );
    shown(&code, &format!("tile<2x2x{sum}>"), "%g")
}

#[test]
fn every_type_of_factor() {
    for (factor, sum) in [
        ("f16", "f16"),
        ("f16", "f32"),
        ("bf16", "f32"),
        ("f32", "f32"),
        ("f64", "f64"),
        ("tf32", "f32"),
        ("f8E4M3FN", "f32"),
        ("f8E5M2", "f16"),
    ] {
        assert_eq!(product(factor, sum), "[[20, 23], [44, 51]]", "{factor} {sum}");
    }
}

#[test]
fn batches_are_separate() {
    let code = "%a = constant <f32: [[[1.0, 2.0]], [[3.0, 4.0]]]> : tile<2x1x2xf32>\n\
        %b = constant <f32: [[[1.0], [1.0]], [[2.0], [10.0]]]> : tile<2x2x1xf32>\n\
        %c = constant <f32: [[[0.0]], [[100.0]]]> : tile<2x1x1xf32>\n\
        %r = mmaf %a, %b, %c : tile<2x1x2xf32>, tile<2x2x1xf32>, tile<2x1x1xf32>";
    assert_eq!(shown(code, "tile<2x1x1xf32>", "%g"), "[[[3]], [[146]]]");
}

#[test]
fn integers_respect_signedness_and_wrap() {
    for (signs, expected) in
        [("signed signed", "[[0]]"), ("unsigned signed", "[[-256]]"), ("unsigned unsigned", "[[65280]]")]
    {
        let code = format!(
            "%a = constant <i8: [[-1, 1]]> : tile<1x2xi8>\n%b = constant <i8: [[-1], [-1]]> : tile<2x1xi8>\n\
            %c = constant <i32: 0> : tile<1x1xi32>\n\
            %r = mmai %a, %b, %c {signs} : tile<1x2xi8>, tile<2x1xi8>, tile<1x1xi32>"
        );
        assert_eq!(shown(&code, "tile<1x1xi32>", "%d"), expected, "{signs}");
    }
    let wraps = "%a = constant <i8: 127> : tile<1x1xi8>\n%c = constant <i32: 2147483647> : tile<1x1xi32>\n\
        %r = mmai %a, %a, %c signed signed : tile<1x1xi8>, tile<1x1xi8>, tile<1x1xi32>";
    assert_eq!(shown(wraps, "tile<1x1xi32>", "%d"), "[[-2147467520]]");
}

#[test]
fn f16_products_are_summed_in_f32() {
    // 2048 + 1 + 1 is 2050 unless each sum is rounded to f16.
    let code = "%a = constant <f16: [[2048.0, 1.0, 1.0, 0.0]]> : tile<1x4xf16>\n\
        %b = constant <f16: 1.0> : tile<4x1xf16>\n%c = constant <f16: 0.0> : tile<1x1xf16>\n\
        %r = mmaf %a, %b, %c : tile<1x4xf16>, tile<4x1xf16>, tile<1x1xf16>";
    assert_eq!(shown(code, "tile<1x1xf16>", "%g"), "[[2050]]");
}

#[test]
fn each_block_has_its_scale() {
    // 64 ones by 64 ones in two blocks of 32, scaled by 2 * 1 and 4 * 8.
    let code = "%a = constant <f8E4M3FN: 1.0> : tile<1x64xf8E4M3FN>\n%b = constant <f8E4M3FN: 1.0> : tile<64x1xf8E4M3FN>\n\
        %c = constant <f32: 5.0> : tile<1x1xf32>\n\
        %s = constant <f8E8M0FNU: [[0x80, 0x81]]> : tile<1x2xf8E8M0FNU>\n\
        %t = constant <f8E8M0FNU: [[0x7F], [0x82]]> : tile<2x1xf8E8M0FNU>\n\
        %r = mmaf_scaled %a, %b, %c, %s, %t : tile<1x64xf8E4M3FN>, tile<64x1xf8E4M3FN>, tile<1x1xf32>, tile<1x2xf8E8M0FNU>, tile<2x1xf8E8M0FNU>";
    assert_eq!(shown(code, "tile<1x1xf32>", "%g"), "[[1093]]");
}
