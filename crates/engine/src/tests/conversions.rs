use super::*;

#[test]
fn integers_widen_and_narrow() {
    check(&[
        (&["<i8: [-1, 1]> : tile<2xi8>"], "exti %0 signed : tile<2xi8> -> tile<2xi32>", "tile<2xi32>", "%d", "[-1, 1]"),
        (
            &["<i8: [-1, 1]> : tile<2xi8>"],
            "exti %0 unsigned : tile<2xi8> -> tile<2xi32>",
            "tile<2xi32>",
            "%d",
            "[255, 1]",
        ),
        (&["<i1: [1, 0]> : tile<2xi1>"], "exti %0 signed : tile<2xi1> -> tile<2xi32>", "tile<2xi32>", "%d", "[-1, 0]"),
        (&["<i1: [1, 0]> : tile<2xi1>"], "exti %0 unsigned : tile<2xi1> -> tile<2xi64>", "tile<2xi64>", "%d", "[1, 0]"),
        (&["<i32: [258, -1]> : tile<2xi32>"], "trunci %0 : tile<2xi32> -> tile<2xi8>", "tile<2xi8>", "%d", "[2, -1]"),
        (&["<i32: [2, 3]> : tile<2xi32>"], "trunci %0 : tile<2xi32> -> tile<2xi1>", "tile<2xi1>", "%d", "[0, 1]"),
        (&["<f32: 1.0> : tile<f32>"], "bitcast %0 : tile<f32> -> tile<i32>", "tile<i32>", "%x", "3f800000"),
        (&["<i16: 0x3C00> : tile<i16>"], "bitcast %0 : tile<i16> -> tile<f16>", "tile<f16>", "%g", "1"),
        (&["<i64: 0x4000000000000000> : tile<i64>"], "bitcast %0 : tile<i64> -> tile<f64>", "tile<f64>", "%g", "2"),
    ]);
}

#[test]
fn integers_become_floats() {
    check(&[
        (
            &["<i32: [16777217, -3]> : tile<2xi32>"],
            "itof %0 signed : tile<2xi32> -> tile<2xf32>",
            "tile<2xf32>",
            "%.0f",
            "[16777216, -3]",
        ),
        (&["<i8: -1> : tile<i8>"], "itof %0 unsigned : tile<i8> -> tile<f16>", "tile<f16>", "%g", "255"),
        (&["<i32: 70000> : tile<i32>"], "itof %0 signed : tile<i32> -> tile<f16>", "tile<f16>", "%g", "inf"),
        (&["<i1: 1> : tile<i1>"], "itof %0 signed : tile<i1> -> tile<f32>", "tile<f32>", "%g", "-1"),
        (
            &["<i64: 9007199254740993> : tile<i64>"],
            "itof %0 signed : tile<i64> -> tile<f64>",
            "tile<f64>",
            "%.0f",
            "9007199254740992",
        ),
        (
            &["<i64: -1> : tile<i64>"],
            "itof %0 unsigned : tile<i64> -> tile<f32>",
            "tile<f32>",
            "%.0f",
            "18446744073709551616",
        ),
        (&["<i32: 257> : tile<i32>"], "itof %0 signed : tile<i32> -> tile<bf16>", "tile<bf16>", "%g", "256"),
    ]);
}

#[test]
fn floats_become_integers() {
    let saturates = "<f32: [300.0, -300.0, 0x7FC00000, 0x7F800000]> : tile<4xf32>";
    check(&[
        (
            &["<f32: [2.9, -2.9]> : tile<2xf32>"],
            "ftoi %0 signed : tile<2xf32> -> tile<2xi32>",
            "tile<2xi32>",
            "%d",
            "[2, -2]",
        ),
        (&["<f16: 1000.0> : tile<f16>"], "ftoi %0 signed : tile<f16> -> tile<i16>", "tile<i16>", "%d", "1000"),
        (
            &["<f64: 4294967295.5> : tile<f64>"],
            "ftoi %0 unsigned : tile<f64> -> tile<i32>",
            "tile<i32>",
            "%u",
            "4294967295",
        ),
        (
            &[saturates],
            "ftoi %0 signed saturating : tile<4xf32> -> tile<4xi8>",
            "tile<4xi8>",
            "%d",
            "[127, -128, 0, 127]",
        ),
        (&[saturates], "ftoi %0 unsigned saturating : tile<4xf32> -> tile<4xi8>", "tile<4xi8>", "%d", "[-1, 0, 0, -1]"),
        (
            &["<f64: 1.0e30> : tile<f64>"],
            "ftoi %0 unsigned saturating : tile<f64> -> tile<i64>",
            "tile<i64>",
            "%u",
            "18446744073709551615",
        ),
    ]);
}

#[test]
fn floats_change_their_format() {
    check(&[
        (
            &["<f32: [1.0, 0.333333333]> : tile<2xf32>"],
            "ftof %0 : tile<2xf32> -> tile<2xf16>",
            "tile<2xf16>",
            "%.8f",
            "[1.00000000, 0.33325195]",
        ),
        (&["<f64: 0.1> : tile<f64>"], "ftof %0 : tile<f64> -> tile<f32>", "tile<f32>", "%a", "0x1.99999ap-4"),
        (&["<f32: 1.0e10> : tile<f32>"], "ftof %0 : tile<f32> -> tile<f16>", "tile<f16>", "%g", "inf"),
        // Rounded once, not through f32 or f16.
        (
            &["<f64: 1.0625000000000002> : tile<f64>"],
            "ftof %0 : tile<f64> -> tile<f8E4M3FN>",
            "tile<f8E4M3FN>",
            "%g",
            "1.125",
        ),
        (&["<i32: 2305> : tile<i32>"], "itof %0 signed : tile<i32> -> tile<f8E5M2>", "tile<f8E5M2>", "%g", "2560"),
        (&["<f32: 1000.0> : tile<f32>"], "ftof %0 : tile<f32> -> tile<f8E4M3FN>", "tile<f8E4M3FN>", "%g", "448"),
        (&["<f32: 1.0e10> : tile<f32>"], "ftof %0 : tile<f32> -> tile<f8E5M2>", "tile<f8E5M2>", "%g", "57344"),
        (&["<f32: 3.1415926> : tile<f32>"], "ftof %0 : tile<f32> -> tile<tf32>", "tile<tf32>", "%a", "0x1.92p+1"),
        (&["<f16: 5.9604645e-08> : tile<f16>"], "ftof %0 : tile<f16> -> tile<f32>", "tile<f32>", "%a", "0x1p-24"),
        (&["<f32: 0x7FC00000> : tile<f32>"], "ftof %0 : tile<f32> -> tile<bf16>", "tile<bf16>", "%g", "nan"),
        (
            &["<f32: 3.0> : tile<f32>"],
            "ftof %0 rounding<zero> : tile<f32> -> tile<f8E8M0FNU>",
            "tile<f8E8M0FNU>",
            "%g",
            "2",
        ),
        (
            &["<f32: 3.0> : tile<f32>"],
            "ftof %0 rounding<positive_inf> : tile<f32> -> tile<f8E8M0FNU>",
            "tile<f8E8M0FNU>",
            "%g",
            "4",
        ),
    ]);
}

/// Results that the language leaves unspecified equal those of GPUs.
#[test]
fn unspecified_results_match_gpus() {
    let numbers = "<f32: [0.5, 0.0, -3.0, 0x7FC00000]> : tile<4xf32>";
    let large = "<f32: [200.0, -200.0, 40000.0, -1.0e9]> : tile<4xf32>";
    let nan = "<f32: [0x7FC00000, 0xFFC00001]> : tile<2xf32>";
    check(&[
        (&[numbers], "ftoi %0 signed : tile<4xf32> -> tile<4xi1>", "tile<4xi1>", "%i", "[1, 0, 1, 1]"),
        (&[large], "ftoi %0 signed : tile<4xf32> -> tile<4xi8>", "tile<4xi8>", "%i", "[-56, 56, -1, 0]"),
        (&[large], "ftoi %0 unsigned : tile<4xf32> -> tile<4xi8>", "tile<4xi8>", "%i", "[-56, 0, 64, 0]"),
        (&[large], "ftoi %0 signed : tile<4xf32> -> tile<4xi16>", "tile<4xi16>", "%i", "[200, -200, 32767, -32768]"),
    ]);
    for (element, integer, bits) in
        [("f16", "i16", "7fff"), ("bf16", "i16", "7fff"), ("f8E5M2", "i8", "7f"), ("f8E4M3FN", "i8", "7f")]
    {
        let body = format!(
            "%a = constant {nan}\n%b = ftof %a : tile<2xf32> -> tile<2x{element}>\n\
            %r = bitcast %b : tile<2x{element}> -> tile<2x{integer}>"
        );
        assert_eq!(shown(&body, &format!("tile<2x{integer}>"), "%x"), format!("[{bits}, {bits}]"), "{element}");
    }
    // NaN of f64 keeps its sign and the upper bits of its payload.
    let nan = "<f64: [0x7FF8000000000000, 0xFFF0100000000000, 0x7FFFFFFFFFFFFFFF, 0x7FF8000000000001]> : tile<4xf64>";
    for (element, bits) in [("f16", "[7e00, fe04, 7fff, 7e00]"), ("bf16", "[7fc0, ffc0, 7fff, 7fc0]")] {
        let body = format!(
            "%a = constant {nan}\n%b = ftof %a : tile<4xf64> -> tile<4x{element}>\n\
            %r = bitcast %b : tile<4x{element}> -> tile<4xi16>"
        );
        assert_eq!(shown(&body, "tile<4xi16>", "%hx"), bits, "{element}");
    }
    for (op, bits) in [("negf", "[7fff, 8000]"), ("absf", "[7fff, 0]")] {
        let body = format!(
            "%a = constant <f16: [0xFE12, 0.0]> : tile<2xf16>\n%b = {op} %a : tile<2xf16>\n\
            %r = bitcast %b : tile<2xf16> -> tile<2xi16>"
        );
        assert_eq!(shown(&body, "tile<2xi16>", "%hx"), bits, "{op}");
    }
}

#[test]
fn packed_bytes() {
    check(&[
        (
            &["<i16: [1, -2]> : tile<2xi16>"],
            "pack %0 : tile<2xi16> -> tile<4xi8>",
            "tile<4xi8>",
            "%d",
            "[1, 0, -2, -1]",
        ),
        (
            &["<i8: [1, 0, -2, -1]> : tile<4xi8>"],
            "unpack %0 : tile<4xi8> -> tile<2xi16>",
            "tile<2xi16>",
            "%d",
            "[1, -2]",
        ),
        (
            &["<i1: [1, 0, 1, 0, 0, 0, 0, 1]> : tile<8xi1>"],
            "pack %0 : tile<8xi1> -> tile<1xi8>",
            "tile<1xi8>",
            "%d",
            "[-123]",
        ),
        (
            &["<i8: [5]> : tile<1xi8>"],
            "unpack %0 : tile<1xi8> -> tile<8xi1>",
            "tile<8xi1>",
            "%d",
            "[1, 0, 1, 0, 0, 0, 0, 0]",
        ),
        (
            &["<f32: 1.0> : tile<1xf32>"],
            "pack %0 : tile<1xf32> -> tile<4xi8>",
            "tile<4xi8>",
            "%x",
            "[0, 0, ffffff80, 3f]",
        ),
        // The low four bits come first: 2 is 1.0 and 6 is 4.0 in f4E2M1FN.
        (
            &["<i8: [0x62]> : tile<1xi8>"],
            "unpack %0 : tile<1xi8> -> tile<2xf4E2M1FN>",
            "tile<2xf4E2M1FN>",
            "%g",
            "[1, 4]",
        ),
    ]);
    let nibbles = "%a = constant <i8: [0x7F]> : tile<1xi8>\n%b = unpack %a : tile<1xi8> -> tile<2xi4>\n\
        %r = exti %b signed : tile<2xi4> -> tile<2xi32>";
    assert_eq!(shown(nibbles, "tile<2xi32>", "%d"), "[-1, 7]");
    let narrow = "%a = constant <i1: [1, 0]> : tile<2xi1>\n%b = exti %a signed : tile<2xi1> -> tile<2xi4>\n\
        %r = pack %b : tile<2xi4> -> tile<1xi8>";
    assert_eq!(shown(narrow, "tile<1xi8>", "%x"), "[f]");
    let back = "%a = constant <i8: [-1, 23]> : tile<2xi8>\n%b = trunci %a : tile<2xi8> -> tile<2xi4>\n\
        %r = pack %b : tile<2xi4> -> tile<1xi8>";
    assert_eq!(shown(back, "tile<1xi8>", "%x"), "[7f]");
}

#[test]
fn pointers_are_addresses() {
    let body = "%n = ptr_to_int %p : tile<ptr<f32>> -> tile<i64>\n%eight = constant <i64: 8> : tile<i64>\n\
        %m = addi %n, %eight : tile<i64>\n%q = int_to_ptr %m : tile<i64> -> tile<ptr<f32>>\n\
        %r = ptr_to_ptr %q : tile<ptr<f32>> -> tile<ptr<i32>>\n\
        %x, %t = load_ptr_tko weak %r : tile<ptr<i32>> -> tile<i32>, token\n\
        print_tko \"%x\", %x : tile<i32> -> token";
    let bench = Bench::new("%p: tile<ptr<f32>>", body).buffer(Element::F32, &[1.0, 2.0, 3.0]).run();
    assert_eq!(bench.printed(), "40400000");
}
