use super::*;

const ADD: &str = "(%x: tile<i32>, %acc: tile<i32>) {\n%s = addi %x, %acc : tile<i32>\nyield %s : tile<i32>\n}";

fn constant(text: &str) -> String {
    format!("%0 = constant {text}\n")
}

#[test]
fn sums_along_each_dimension() {
    let matrix = constant("<i32: [[1, 2, 3, 4], [5, 6, 7, 8]]> : tile<2x4xi32>");
    let reduce =
        |dim, ty| format!("{matrix}%r = reduce %0 dim={dim} identities=[0 : i32] : tile<2x4xi32> -> {ty}\n{ADD}");
    assert_eq!(shown(&reduce(0, "tile<4xi32>"), "tile<4xi32>", "%d"), "[6, 8, 10, 12]");
    assert_eq!(shown(&reduce(1, "tile<2xi32>"), "tile<2xi32>", "%d"), "[10, 26]");
    let line = "%0 = iota : tile<64xi32>\n".to_string();
    let line = format!("{line}%r = reduce %0 dim=0 identities=[0 : i32] : tile<64xi32> -> tile<i32>\n{ADD}");
    assert_eq!(shown(&line, "tile<i32>", "%d"), "2016");
    let splat = constant("<i32: 3> : tile<8xi32>");
    let splat = format!("{splat}%r = reduce %0 dim=0 identities=[0 : i32] : tile<8xi32> -> tile<i32>\n{ADD}");
    assert_eq!(shown(&splat, "tile<i32>", "%d"), "24");
}

#[test]
fn the_order_of_elements_is_kept() {
    // f(acc, x) = x makes the last element the result; f(acc, x) = acc keeps the identity.
    let body = "(%acc: tile<i32>, %x: tile<i32>) {\nyield %x : tile<i32>\n}";
    let code = format!(
        "%0 = iota : tile<8xi32>\n%r = reduce %0 dim=0 identities=[-1 : i32] : tile<8xi32> -> tile<i32>\n{body}"
    );
    assert_eq!(shown(&code, "tile<i32>", "%d"), "7");
    let body = "(%acc: tile<i32>, %x: tile<i32>) {\nyield %acc : tile<i32>\n}";
    let code = format!(
        "%0 = iota : tile<8xi32>\n%r = reduce %0 dim=0 identities=[-1 : i32] : tile<8xi32> -> tile<i32>\n{body}"
    );
    assert_eq!(shown(&code, "tile<i32>", "%d"), "-1");
}

#[test]
fn several_operands_reduce_together() {
    // The largest element and its index; of equal ones the later.
    let code = "%0 = constant <f32: [3.0, 9.0, -1.0, 9.0]> : tile<4xf32>\n%1 = iota : tile<4xi32>\n\
        %m, %r = reduce %0, %1 dim=0 identities=[0xFF800000 : f32, -1 : i32] : tile<4xf32>, tile<4xi32> -> tile<f32>, tile<i32>\n\
        (%best: tile<f32>, %x: tile<f32>, %at: tile<i32>, %i: tile<i32>) {\n\
        %c = cmpf greater_than_or_equal ordered %x, %best : tile<f32> -> tile<i1>\n\
        %v = select %c, %x, %best : tile<i1>, tile<f32>\n%j = select %c, %i, %at : tile<i1>, tile<i32>\n\
        yield %v, %j : tile<f32>, tile<i32>\n}\nprint_tko \"%g \", %m : tile<f32> -> token";
    assert_eq!(shown(code, "tile<i32>", "%d"), "9 3");
}

#[test]
fn scans_run_both_ways() {
    let matrix = constant("<i32: [[1, 2, 3, 4], [5, 6, 7, 8]]> : tile<2x4xi32>");
    for (dim, reverse, expected) in [
        (1, false, "[[1, 3, 6, 10], [5, 11, 18, 26]]"),
        (1, true, "[[10, 9, 7, 4], [26, 21, 15, 8]]"),
        (0, false, "[[1, 2, 3, 4], [6, 8, 10, 12]]"),
        (0, true, "[[6, 8, 10, 12], [5, 6, 7, 8]]"),
    ] {
        let code = format!(
            "{matrix}%r = scan %0 dim={dim} reverse={reverse} identities=[0 : i32] : tile<2x4xi32> -> tile<2x4xi32>\n{ADD}"
        );
        assert_eq!(shown(&code, "tile<2x4xi32>", "%d"), expected, "{dim} {reverse}");
    }
}

#[test]
fn functions_without_lanes_run_for_each_element() {
    let body = "(%x: tile<i32>, %acc: tile<i32>) {\n%y = reshape %x : tile<i32> -> tile<1xi32>\n\
        %z = reshape %y : tile<1xi32> -> tile<i32>\n%s = addi %z, %acc : tile<i32>\nyield %s : tile<i32>\n}";
    let code = format!(
        "%0 = constant <i32: [[1, 2], [3, 4]]> : tile<2x2xi32>\n\
        %r = scan %0 dim=0 reverse=true identities=[0 : i32] : tile<2x2xi32> -> tile<2x2xi32>\n{body}"
    );
    assert_eq!(shown(&code, "tile<2x2xi32>", "%d"), "[[4, 6], [3, 4]]");
    let code = format!(
        "%0 = iota : tile<8xi32>\n%r = reduce %0 dim=0 identities=[0 : i32] : tile<8xi32> -> tile<i32>\n{body}"
    );
    assert_eq!(shown(&code, "tile<i32>", "%d"), "28");
}

#[test]
fn captured_values_and_constants_apply_to_all_elements() {
    let code = "%0 = iota : tile<4xi32>\n%k = constant <i32: 10> : tile<i32>\n\
        %r = reduce %0 dim=0 identities=[0 : i32] : tile<4xi32> -> tile<i32>\n\
        (%x: tile<i32>, %acc: tile<i32>) {\n%s = maxi %x, %acc signed : tile<i32>\n%c = constant <i32: 2> : tile<i32>\n\
        %t = maxi %s, %c signed : tile<i32>\nyield %t : tile<i32>\n}\n\
        %q = addi %r, %k : tile<i32>\nprint_tko \"%d \", %q : tile<i32> -> token";
    assert_eq!(shown(code, "tile<i32>", "%d"), "13 3");
}

/// A region of a single op is reduced pairwise. With a second op, which has no effect here, it runs in rounds.
#[test]
fn pairwise_reductions_are_bit_identical() {
    let float = |index: i32| match index % 17 {
        3 => "0x7FC00000".to_string(),
        5 => "-0.0".to_string(),
        9 => "0.0".to_string(),
        _ => format!("{:?}", ((index * 7919) % 64) as f32 / 10.0 - 3.0),
    };
    let floats: Vec<String> = (0..64).map(float).collect();
    let whole: Vec<String> = (0..64).map(|index| (index * 7919 % 128 - 64).to_string()).collect();
    let (floats, whole) = (floats.join(", "), whole.join(", "));
    let float_ops = ["addf %x, %a", "addf %a, %x", "mulf %x, %a", "maxf %a, %x", "minf %a, %x"];
    let nan_ops = ["maxf %a, %x propagate_nan", "minf %a, %x propagate_nan"];
    let whole_ops = ["addi %x, %a", "andi %x, %a", "ori %x, %a", "maxi %x, %a signed", "mini %x, %a signed"];
    let unsigned_ops = ["maxi %x, %a unsigned", "mini %x, %a unsigned"];
    for op in float_ops.iter().chain(&nan_ops) {
        one_op(op, "f32", &floats, "1.5", |ty| format!("%r = bitcast %2 : {ty}xf32> -> {ty}xi32>"));
    }
    for op in whole_ops.iter().chain(&unsigned_ops) {
        one_op(op, "i32", &whole, "77", |ty| format!("%r = reshape %2 : {ty}xi32> -> {ty}xi32>"));
    }
}

fn one_op(op: &str, ty: &str, elements: &str, identity: &str, bits: impl Fn(&str) -> String) {
    for (dim, result) in [(0, "tile<8x4"), (1, "tile<2x4"), (2, "tile<2x8")] {
        let [one, two] = ["", "%nothing = constant <i1: true> : tile<i1>\n"].map(|more| {
            let code = format!(
                "%0 = constant <{ty}: [{elements}]> : tile<64x{ty}>\n\
                 %1 = reshape %0 : tile<64x{ty}> -> tile<2x8x4x{ty}>\n\
                 %2 = reduce %1 dim={dim} identities=[{identity} : {ty}] : tile<2x8x4x{ty}> -> {result}x{ty}>\n\
                 (%x: tile<{ty}>, %a: tile<{ty}>) {{\n{more}%s = {op} : tile<{ty}>\nyield %s : tile<{ty}>\n}}\n{}",
                bits(result)
            );
            shown(&code, &format!("{result}xi32>"), "%d")
        });
        assert_eq!(one, two, "{op} along {dim}");
    }
}
