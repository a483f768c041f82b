//! Checks that optimizations do not change results, by comparing them with those of observed runs.

use super::*;
use std::fmt::Write;

/// Runs a program whose parameters are pointers to buffers with and without optimizations, and returns the contents of
/// the first buffer, or the finding.
pub(crate) fn alike(
    parameters: &str,
    body: &str,
    grid: [u32; 3],
    buffers: &[(Element, Vec<f64>)],
) -> Result<Vec<f64>, String> {
    let run = |observed: bool| {
        let mut bench = Bench::new(parameters, body).grid(grid);
        bench.options.watch.profile = observed;
        for (element, values) in buffers {
            bench = bench.buffer(*element, values);
        }
        let outcome = bench.try_run().map_err(|finding| {
            format!("{}: {} at {:?} in {:?}", finding.page.name, finding.message, finding.op, finding.block)
        });
        let contents: Vec<Vec<f64>> = (0..buffers.len()).map(|index| bench.values(index)).collect();
        (outcome, contents, bench.printed())
    };
    let (optimized, unoptimized) = (run(false), run(true));
    assert_eq!(optimized.0, unoptimized.0, "{body}");
    // The effects of later blocks are unspecified if a run stops.
    if optimized.0.is_ok() {
        assert_eq!(optimized, unoptimized, "{body}");
    }
    optimized.0.map(|_| optimized.1.into_iter().next().unwrap_or_default())
}

#[test]
fn invariant_ops_fail_only_where_they_are_reached() {
    let body = |block: u32| {
        format!(
            "%x, %y, %z = get_tile_block_id : tile<i32>\n%zero = constant <i32: 0> : tile<i32>\n\
            %at = constant <i32: {block}> : tile<i32>\n%is = cmpi equal %x, %at, signed : tile<i32> -> tile<i1>\n\
            if %is {{\n%q = divi %at, %zero signed : tile<i32>\n}}"
        )
    };
    assert_eq!(alike("", &body(7), [4, 1, 1], &[]), Ok(vec![]));
    let found = alike("", &body(2), [4, 1, 1], &[]);
    assert!(found.as_ref().is_err_and(|found| found.starts_with("division-by-zero") && found.ends_with("[2, 0, 0]")));
}

#[test]
fn invariant_values_are_the_same_in_each_block() {
    // The sum could overwrite %f, and the product %g, which a branch and a loop read.
    let body = "%x, %y, %z = get_tile_block_id : tile<i32>\n%i = iota : tile<64xi32>\n\
        %f = itof %i signed : tile<64xi32> -> tile<64xf32>\n\
        %two = constant <f32: 2.0> : tile<64xf32>\n%g = mulf %f, %two : tile<64xf32>\n\
        %xf = itof %x signed : tile<i32> -> tile<f32>\n%x1 = reshape %xf : tile<f32> -> tile<1xf32>\n\
        %xs = broadcast %x1 : tile<1xf32> -> tile<64xf32>\n%s = addf %f, %xs : tile<64xf32>\n\
        %one = constant <i32: 1> : tile<i32>\n%three = constant <i32: 3> : tile<i32>\n\
        %is = cmpi equal %x, %one, signed : tile<i32> -> tile<i1>\n\
        %b = if %is -> (tile<64xf32>) {\n%t = addf %g, %s : tile<64xf32>\nyield %t : tile<64xf32>\n\
        } else {\nyield %g : tile<64xf32>\n}\n\
        %l = for %k in (%one to %three, step %one) : tile<i32> iter_values(%a = %b) -> (tile<64xf32>) {\n\
        %h = addf %a, %g : tile<64xf32>\ncontinue %h : tile<64xf32>\n}\n\
        %v = make_tensor_view %o, shape = [4, 64], strides = [64, 1] : tensor_view<4x64xf32, strides=[64,1]>\n\
        %p = make_partition_view %v : partition_view<tile=(1x64), tensor_view<4x64xf32, strides=[64,1]>>\n\
        %c = constant <i32: 0> : tile<i32>\n%r = reshape %l : tile<64xf32> -> tile<1x64xf32>\n\
        %w = store_view_tko weak %r, %p[%x, %c] : tile<1x64xf32>, partition_view<tile=(1x64), tensor_view<4x64xf32, strides=[64,1]>>, tile<i32> -> token";
    let found = alike("%o: tile<ptr<f32>>", body, [4, 1, 1], &[(Element::F32, vec![0.0; 256])]);
    let expected = |block: usize, lane: f64| 6.0 * lane + if block == 1 { lane + 1.0 } else { 0.0 };
    assert_eq!(found, Ok((0..256).map(|index| expected(index / 64, (index % 64) as f64)).collect()));
}

#[test]
fn affine_integers_wrap_around() {
    for element in ["i8", "i16", "i32", "i64"] {
        for (factor, summand) in [(1, 0), (1, 100), (-1, 3), (3, -128), (127, 127), (0, 5), (-128, 1)] {
            let mut body = format!(
                "%i = iota : tile<256x{element}>\n%f = constant <{element}: {factor}> : tile<256x{element}>\n\
                %s = constant <{element}: {summand}> : tile<256x{element}>\n\
                %x, %y, %z = get_tile_block_id : tile<i32>\n%m = muli %i, %f : tile<256x{element}>\n\
                %a = addi %s, %m : tile<256x{element}>\n%d = subi %s, %a : tile<256x{element}>\n\
                %q = subi %a, %i : tile<256x{element}>\n%n = addi %d, %i : tile<256x{element}>\n"
            );
            if element != "i64" {
                for (name, sign) in [("sa", "signed"), ("ua", "unsigned")] {
                    let to = "tile<256xi64>";
                    writeln!(body, "%{name} = exti %a {sign} : tile<256x{element}> -> {to}").unwrap();
                    writeln!(body, "%{name}2 = addi %{name}, %{name} : {to}").unwrap();
                    writeln!(body, "print_tko \"%d\\n\", %{name}2 : {to} -> token").unwrap();
                }
            }
            for value in ["a", "d", "q", "n", "i", "m"] {
                writeln!(body, "print_tko \"%d\\n\", %{value} : tile<256x{element}> -> token").unwrap();
            }
            for (number, predicate) in
                ["equal", "not_equal", "less_than", "less_than_or_equal", "greater_than", "greater_than_or_equal"]
                    .into_iter()
                    .enumerate()
            {
                for sign in ["signed", "unsigned"] {
                    for (left, right) in [("a", "s"), ("s", "a"), ("i", "n"), ("d", "q"), ("i", "i")] {
                        let name = format!("{number}{sign}{left}{right}");
                        let ty = format!("tile<256x{element}> -> tile<256xi1>");
                        writeln!(body, "%c{name} = cmpi {predicate} %{left}, %{right}, {sign} : {ty}").unwrap();
                        writeln!(body, "print_tko \"%d\\n\", %c{name} : tile<256xi1> -> token").unwrap();
                    }
                }
            }
            assert_eq!(alike("", &body, [1; 3], &[]), Ok(vec![]));
        }
    }
}

/// Offsets from a pointer; those that are loaded are in bounds.
#[test]
fn affine_pointers() {
    for (element, factor, summand) in [
        ("i32", 1, 0),
        ("i32", 1, 40),
        ("i32", 2, 3),
        ("i32", -1, 127),
        ("i8", 1, 0),
        ("i8", 2, 0),
        ("i64", 1, 1),
        ("i32", 0, 9),
    ] {
        for first in [0, 60, 200] {
            let body = format!(
                "%i = iota : tile<128x{element}>\n%f = constant <{element}: {factor}> : tile<128x{element}>\n\
                %s = constant <{element}: {summand}> : tile<128x{element}>\n%first = constant <i32: {first}> : tile<i32>\n\
                %m = muli %i, %f : tile<128x{element}>\n%a = addi %m, %s : tile<128x{element}>\n\
                %p = offset %from, %first : tile<ptr<f32>>, tile<i32> -> tile<ptr<f32>>\n\
                %p1 = reshape %p : tile<ptr<f32>> -> tile<1xptr<f32>>\n\
                %ps = broadcast %p1 : tile<1xptr<f32>> -> tile<128xptr<f32>>\n\
                %at = offset %ps, %a : tile<128xptr<f32>>, tile<128x{element}> -> tile<128xptr<f32>>\n\
                %v, %t = load_ptr_tko weak %at : tile<128xptr<f32>> -> tile<128xf32>, token\n\
                %o1 = reshape %to : tile<ptr<f32>> -> tile<1xptr<f32>>\n\
                %os = broadcast %o1 : tile<1xptr<f32>> -> tile<128xptr<f32>>\n\
                %i32s = iota : tile<128xi32>\n\
                %into = offset %os, %i32s : tile<128xptr<f32>>, tile<128xi32> -> tile<128xptr<f32>>\n\
                %u = store_ptr_tko weak %into, %v : tile<128xptr<f32>>, tile<128xf32> -> token"
            );
            let from: Vec<f64> = (0..300).map(|index| f64::from(index) + 0.5).collect();
            let buffers = [(Element::F32, vec![0.0; 128]), (Element::F32, from)];
            let found = alike("%to: tile<ptr<f32>>, %from: tile<ptr<f32>>", &body, [1; 3], &buffers);
            if element == "i32" && factor == 1 && first + summand + 128 <= 300 {
                let expected = |lane: i32| f64::from(first + summand + lane) + 0.5;
                assert_eq!(found, Ok((0..128).map(expected).collect()));
            }
        }
    }
}

/// A mask that is true everywhere, nowhere, or ends within the tile; the memory ends at 300 elements.
#[test]
fn fused_ops_through_pointers() {
    for limit in [-1, 0, 100, 128, 200, 256, 300, 301] {
        let body = format!(
            "%x, %y, %z = get_tile_block_id : tile<i32>\n%size = constant <i32: 128> : tile<i32>\n\
            %b = muli %x, %size : tile<i32>\n%b1 = reshape %b : tile<i32> -> tile<1xi32>\n\
            %bs = broadcast %b1 : tile<1xi32> -> tile<128xi32>\n%i = iota : tile<128xi32>\n\
            %at = addi %bs, %i : tile<128xi32>\n%n = constant <i32: {limit}> : tile<128xi32>\n\
            %in = cmpi less_than %at, %n, signed : tile<128xi32> -> tile<128xi1>\n\
            %p1 = reshape %p : tile<ptr<f32>> -> tile<1xptr<f32>>\n\
            %ps = broadcast %p1 : tile<1xptr<f32>> -> tile<128xptr<f32>>\n\
            %pp = offset %ps, %at : tile<128xptr<f32>>, tile<128xi32> -> tile<128xptr<f32>>\n\
            %q1 = reshape %q : tile<ptr<f32>> -> tile<1xptr<f32>>\n\
            %qs = broadcast %q1 : tile<1xptr<f32>> -> tile<128xptr<f32>>\n\
            %qq = offset %qs, %at : tile<128xptr<f32>>, tile<128xi32> -> tile<128xptr<f32>>\n\
            %pad = constant <f32: 0.0> : tile<128xf32>\n%half = constant <f32: 0.5> : tile<128xf32>\n\
            %v, %t = load_ptr_tko weak %pp, %in, %pad : tile<128xptr<f32>>, tile<128xi1>, tile<128xf32> -> tile<128xf32>, token\n\
            %w, %u = load_ptr_tko weak %qq, %in, %pad : tile<128xptr<f32>>, tile<128xi1>, tile<128xf32> -> tile<128xf32>, token\n\
            %d = subf %v, %half : tile<128xf32>\n%m = mulf %d, %w : tile<128xf32>\n%e = divf %m, %v : tile<128xf32>\n\
            %r = fma %e, %d, %w : tile<128xf32>\n\
            %s = store_ptr_tko weak %pp, %r, %in : tile<128xptr<f32>>, tile<128xf32>, tile<128xi1> -> token"
        );
        let p: Vec<f64> = (0..300).map(|index| f64::from(index) + 1.0).collect();
        let q: Vec<f64> = (0..300).map(|index| f64::from(index % 7)).collect();
        let buffers = [(Element::F32, p.clone()), (Element::F32, q.clone())];
        let found = alike("%p: tile<ptr<f32>>, %q: tile<ptr<f32>>", &body, [3, 1, 1], &buffers);
        let value = |index: usize| {
            let (v, w) = (p[index] as f32, q[index] as f32);
            let d = v - 0.5;
            f64::from((d * w / v).mul_add(d, w))
        };
        let expected = (0..300).map(|index| if (index as i32) < limit { value(index) } else { p[index] }).collect();
        match limit {
            301 => assert!(found.is_err_and(|found| found.starts_with("pointer-outside-allocation"))),
            _ => assert_eq!(found, Ok(expected), "{limit}"),
        }
    }
}

/// One buffer that is loaded and stored with an offset, which must not affect strips.
#[test]
fn fused_loads_that_overlap_the_store() {
    for (from, to) in [(0, 0), (0, 1), (1, 0), (0, 700), (700, 0), (3, 4)] {
        let view = "tensor_view<1100xf32, strides=[1]>";
        let tiles = format!("partition_view<tile=(1024), {view}>");
        let body = format!(
            "%c = constant <i32: 0> : tile<i32>\n%from = constant <i32: {from}> : tile<i32>\n\
            %to = constant <i32: {to}> : tile<i32>\n\
            %a = offset %p, %from : tile<ptr<f32>>, tile<i32> -> tile<ptr<f32>>\n\
            %b = offset %p, %to : tile<ptr<f32>>, tile<i32> -> tile<ptr<f32>>\n\
            %va = make_tensor_view %a, shape = [1100], strides = [1] : {view}\n\
            %vb = make_tensor_view %b, shape = [1100], strides = [1] : {view}\n\
            %pa = make_partition_view %va : {tiles}\n%pb = make_partition_view %vb : {tiles}\n\
            %v, %t = load_view_tko weak %pa[%c] : {tiles}, tile<i32> -> tile<1024xf32>, token\n\
            %w, %u = load_view_tko weak %pb[%c] : {tiles}, tile<i32> -> tile<1024xf32>, token\n\
            %r = addf %v, %w : tile<1024xf32>\n\
            %s = store_view_tko weak %r, %pb[%c] token = %u : tile<1024xf32>, {tiles}, tile<i32> -> token"
        );
        let p: Vec<f64> = (0..2000).map(|index| f64::from(index % 101)).collect();
        let mut expected = p.clone();
        (0..1024).for_each(|index| expected[to + index] = p[from + index] + p[to + index]);
        assert_eq!(alike("%p: tile<ptr<f32>>", &body, [1; 3], &[(Element::F32, p)]), Ok(expected));
    }
}

/// Rows that are distant, adjacent, or overlapping, and tiles that reach beyond the tensor.
#[test]
fn fused_rows() {
    for (stride, tile) in [
        (600, "4x128"),
        (128, "4x128"),
        (100, "4x128"),
        (1, "4x128"),
        (600, "16x256"),
        (700, "2x512"),
        (9, "128x8"),
        (1, "32x128"),
        (100, "32x128"),
    ] {
        let view = format!("tensor_view<40x512xf32, strides=[{stride},1]>");
        let tiles = format!("partition_view<tile=({tile}), {view}>");
        let body = format!(
            "%x, %y, %z = get_tile_block_id : tile<i32>\n%f = constant <f32: 3.0> : tile<{tile}xf32>\n\
            %vp = make_tensor_view %p, shape = [40, 512], strides = [{stride}, 1] : {view}\n\
            %vq = make_tensor_view %q, shape = [40, 512], strides = [{stride}, 1] : {view}\n\
            %tp = make_partition_view %vp : {tiles}\n%tq = make_partition_view %vq : {tiles}\n\
            %v, %t = load_view_tko weak %tp[%x, %y] : {tiles}, tile<i32> -> tile<{tile}xf32>, token\n\
            %w, %u = load_view_tko weak %tq[%x, %y] : {tiles}, tile<i32> -> tile<{tile}xf32>, token\n\
            %r = fma %f, %v, %w : tile<{tile}xf32>\n\
            %s = store_view_tko weak %r, %tp[%x, %y] token = %t : tile<{tile}xf32>, {tiles}, tile<i32> -> token"
        );
        let (rows, columns) = tile.split_once('x').unwrap();
        let [rows, columns]: [u32; 2] = [rows.parse().unwrap(), columns.parse().unwrap()];
        // Overlapping rows would be a race between concurrent blocks.
        let grid = if stride < 512 { [1; 3] } else { [40u32.div_ceil(rows), 512 / columns, 1] };
        let count = 39 * stride + 512;
        let p: Vec<f64> = (0..count).map(|index| f64::from(index % 103)).collect();
        let q: Vec<f64> = (0..count).map(|index| f64::from(index % 11)).collect();
        let buffers = [(Element::F32, p.clone()), (Element::F32, q.clone())];
        let found = alike("%p: tile<ptr<f32>>, %q: tile<ptr<f32>>", &body, grid, &buffers);
        if stride >= 512 {
            let inside = |index: i32| index % stride < 512;
            let value = |index: i32| {
                let (v, w) = (p[index as usize], q[index as usize]);
                if inside(index) { 3.0 * v + w } else { v }
            };
            assert_eq!(found, Ok((0..count).map(value).collect()), "{stride} {tile}");
        }
    }
}

#[test]
fn values_with_other_readers_are_not_fused() {
    let view = "tensor_view<256xf32, strides=[1]>";
    let tiles = format!("partition_view<tile=(128), {view}>");
    let body = format!(
        "%x, %y, %z = get_tile_block_id : tile<i32>\n\
        %vp = make_tensor_view %p, shape = [256], strides = [1] : {view}\n%tp = make_partition_view %vp : {tiles}\n\
        %v, %t = load_view_tko weak %tp[%x] : {tiles}, tile<i32> -> tile<128xf32>, token\n\
        %r = addf %v, %v : tile<128xf32>\n\
        %s = store_view_tko weak %r, %tp[%x] token = %t : tile<128xf32>, {tiles}, tile<i32> -> token\n\
        %again = addf %v, %r : tile<128xf32>\n\
        %e = store_view_tko weak %again, %tp[%x] token = %s : tile<128xf32>, {tiles}, tile<i32> -> token"
    );
    let p: Vec<f64> = (0..256).map(f64::from).collect();
    let found = alike("%p: tile<ptr<f32>>", &body, [2, 1, 1], &[(Element::F32, p.clone())]);
    assert_eq!(found, Ok(p.iter().map(|value| 3.0 * value).collect()));
}
