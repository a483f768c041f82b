//! Products whose factors are loaded repeatedly.

use super::shortcuts::alike;
use super::*;

/// Small integers, which every type of factor represents.
fn numbers(count: usize) -> Vec<f64> {
    (0..count).map(|index| (index * 7 % 5) as f64 - 2.0).collect()
}

/// A view of a matrix in tiles, as the value `%{name}_tiles` of the type `!{name}`: its definition and its type.
fn matrix(name: &str, element: &str, [rows, columns]: [usize; 2], [height, width]: [usize; 2]) -> (String, String) {
    let tensor = format!("tensor_view<{rows}x{columns}x{element}, strides=[{columns},1]>");
    let tiles = format!("partition_view<tile=({height}x{width}), {tensor}>");
    let code = format!(
        "%{name}_view = make_tensor_view %{name}, shape = [{rows}, {columns}], strides = [{columns}, 1] : {tensor}\n\
        %{name}_tiles = make_partition_view %{name}_view : {tiles}\n"
    );
    (code, tiles)
}

#[test]
fn blocks_share_factors() {
    for (factor, element, sum) in [
        ("f16", Element::F16, "f32"),
        ("bf16", Element::BF16, "f32"),
        ("f32", Element::F32, "f32"),
        ("f64", Element::F64, "f64"),
        ("f8E4M3FN", Element::F8E4M3FN, "f16"),
        ("i8", Element::I8, "i32"),
    ] {
        for [m, n, k] in [[16, 16, 16], [64, 4, 64], [8, 64, 32]] {
            let (size, of_sum) = ([2 * m, 2 * n], [m, n]);
            let (a, a_tiles) = matrix("a", factor, [2 * m, 2 * k], [m, k]);
            let (b, b_tiles) = matrix("b", factor, [2 * k, 2 * n], [k, n]);
            let (c, c_tiles) = matrix("c", sum, size, of_sum);
            let (op, zero) = if factor == "i8" { ("mmai", "0") } else { ("mmaf", "0.0") };
            let signs = if factor == "i8" { " signed unsigned" } else { "" };
            let body = format!(
                "{a}{b}{c}%x, %y, %z = get_tile_block_id : tile<i32>\n%from = constant <i32: 0> : tile<i32>\n\
                %one = constant <i32: 1> : tile<i32>\n%to = constant <i32: 2> : tile<i32>\n\
                %zeros = constant <{sum}: {zero}> : tile<{m}x{n}x{sum}>\n\
                %all = for %i in (%from to %to, step %one) : tile<i32> iter_values(%part = %zeros) -> (tile<{m}x{n}x{sum}>) {{\n\
                %left, %t = load_view_tko weak %a_tiles[%x, %i] : {a_tiles}, tile<i32> -> tile<{m}x{k}x{factor}>, token\n\
                %right, %u = load_view_tko weak %b_tiles[%i, %y] : {b_tiles}, tile<i32> -> tile<{k}x{n}x{factor}>, token\n\
                %next = {op} %left, %right, %part{signs} : tile<{m}x{k}x{factor}>, tile<{k}x{n}x{factor}>, tile<{m}x{n}x{sum}>\n\
                continue %next : tile<{m}x{n}x{sum}>\n}}\n\
                %w = store_view_tko weak %all, %c_tiles[%x, %y] : tile<{m}x{n}x{sum}>, {c_tiles}, tile<i32> -> token"
            );
            let parameters = format!("%c: tile<ptr<{sum}>>, %a: tile<ptr<{factor}>>, %b: tile<ptr<{factor}>>");
            let sums = match sum {
                "f16" => Element::F16,
                "f32" => Element::F32,
                "f64" => Element::F64,
                _ => Element::I32,
            };
            let buffers = [(sums, vec![0.0; 4 * m * n]), (element, numbers(4 * m * k)), (element, numbers(4 * k * n))];
            let found = alike(&parameters, &body, [2, 2, 1], &buffers).expect("no finding");
            assert!(found.iter().any(|&value| value != 0.0));
        }
    }
}

/// Squares a matrix of 16x16 twice, in place.
#[test]
fn written_factors_are_loaded_again() {
    let (view, tiles) = matrix("a", "f32", [16, 16], [16, 16]);
    let body = format!(
        "{view}%from = constant <i32: 0> : tile<i32>\n%one = constant <i32: 1> : tile<i32>\n\
        %to = constant <i32: 2> : tile<i32>\n%zeros = constant <f32: 0.0> : tile<16x16xf32>\n%first = make_token : token\n\
        %last = for %i in (%from to %to, step %one) : tile<i32> iter_values(%before = %first) -> (token) {{\n\
        %left, %t = load_view_tko weak %a_tiles[%from, %from] token = %before : {tiles}, tile<i32> -> tile<16x16xf32>, token\n\
        %right, %u = load_view_tko weak %a_tiles[%from, %from] token = %before : {tiles}, tile<i32> -> tile<16x16xf32>, token\n\
        %square = mmaf %left, %right, %zeros : tile<16x16xf32>, tile<16x16xf32>, tile<16x16xf32>\n\
        %loaded = join_tokens %t, %u : token\n\
        %after = store_view_tko weak %square, %a_tiles[%from, %from] token = %loaded : tile<16x16xf32>, {tiles}, tile<i32> -> token\n\
        continue %after : token\n}}"
    );
    // Twice the unit matrix: its fourth power is 16 times the unit matrix.
    let diagonal =
        |value: f64| -> Vec<f64> { (0..256).map(|index| if index % 17 == 0 { value } else { 0.0 }).collect() };
    let found = alike("%a: tile<ptr<f32>>", &body, [1; 3], &[(Element::F32, diagonal(2.0))]);
    assert_eq!(found, Ok(diagonal(16.0)));
}

/// An op loads elements that begin at the same address but have other strides.
#[test]
fn strides_distinguish_factors() {
    let tensor = "tensor_view<16x16xf32, strides=[?,1]>";
    let tiles = format!("partition_view<tile=(16x16), {tensor}>");
    let body = format!(
        "%x, %y, %z = get_tile_block_id : tile<i32>\n%zero = constant <i32: 0> : tile<i32>\n\
        %one = constant <i32: 1> : tile<i32>\n%width = constant <i32: 16> : tile<i32>\n\
        %more = addi %x, %one : tile<i32>\n%stride = muli %more, %width : tile<i32>\n\
        %v = make_tensor_view %a, shape = [16, 16], strides = [%stride, 1] : tile<i32> -> {tensor}\n\
        %p = make_partition_view %v : {tiles}\n%zeros = constant <f32: 0.0> : tile<16x16xf32>\n\
        %f, %t = load_view_tko weak %p[%zero, %zero] : {tiles}, tile<i32> -> tile<16x16xf32>, token\n\
        %s = mmaf %f, %f, %zeros : tile<16x16xf32>, tile<16x16xf32>, tile<16x16xf32>\n\
        %cv = make_tensor_view %c, shape = [32, 16], strides = [16, 1] : tensor_view<32x16xf32, strides=[16,1]>\n\
        %cp = make_partition_view %cv : partition_view<tile=(16x16), tensor_view<32x16xf32, strides=[16,1]>>\n\
        %w = store_view_tko weak %s, %cp[%x, %zero] : tile<16x16xf32>, partition_view<tile=(16x16), tensor_view<32x16xf32, strides=[16,1]>>, tile<i32> -> token"
    );
    let buffers = [(Element::F32, vec![0.0; 512]), (Element::F32, numbers(512))];
    let found = alike("%c: tile<ptr<f32>>, %a: tile<ptr<f32>>", &body, [2, 1, 1], &buffers).expect("no finding");
    assert_ne!(found[..256], found[256..]);
}
