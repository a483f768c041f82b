//! Access maps as text: one line for each access of the program, or why it has no map.

use crate::program::{Entry, entries};
use std::fmt::Write;
use tile_dataflow::accesses;
use tile_dataflow::symbolic::Names;

fn maps(entry: &Entry) -> String {
    let names = entry.names();
    let mut out = String::new();
    for access in accesses(&entry.body) {
        let _ = write!(out, "{}: ", names.body.op(access.op).op.row().name);
        match access.map() {
            Ok(map) => {
                let coordinates: Vec<String> = map.coordinates.iter().map(|&symbol| names.name(symbol)).collect();
                let row = |row: &tile_dataflow::map::Row| {
                    let texts = |polys: &[_]| {
                        polys.iter().map(|poly: &tile_dataflow::symbolic::Poly| poly.text(&names)).collect::<Vec<_>>()
                    };
                    let [factors, lanes] = [&row.factors, &row.lanes].map(|polys| texts(polys).join(", "));
                    format!("[{factors}] + {} (tile {lanes})", row.offset.text(&names))
                };
                let rows: Vec<String> = map.rows.iter().map(row).collect();
                let _ = writeln!(out, "({}) -> {}", coordinates.join(", "), rows.join("; "));
            }
            Err(why) => {
                let _ = writeln!(out, "not affine: {}", why.reason(&names));
            }
        }
    }
    out
}

/// The access maps of an entry with these lines, whose parameters are the pointer `%p` and the numbers `%n` and `%m`.
fn maps_of(lines: &str) -> String {
    let text = format!(
        "cuda_tile.module @m {{ entry @k(%p: tile<ptr<f32>>, %n: tile<i32>, %m: tile<i32>) {{
           %x, %y, %z = get_tile_block_id : tile<i32>
           {lines}
         }} }}"
    );
    maps(&entries(&text)[0])
}

#[test]
fn a_pointer_that_a_loop_advances() {
    let maps = maps_of(
        "%zero = constant <i32: 0> : tile<i32>
         %one = constant <i32: 1> : tile<i32>
         %last = for %i in (%zero to %n, step %one) : tile<i32> iter_values(%at = %p) -> (tile<ptr<f32>>) {
           %v, %t = load_ptr_tko weak %at : tile<ptr<f32>> -> tile<f32>, token
           %next = offset %at, %m : tile<ptr<f32>>, tile<i32> -> tile<ptr<f32>>
           continue %next : tile<ptr<f32>>
         }
         %v, %t = load_ptr_tko weak %last : tile<ptr<f32>> -> tile<f32>, token",
    );
    insta::assert_snapshot!(maps, @r"
    load_ptr_tko: (%i) -> [%m] + 0 (tile )
    load_ptr_tko: () -> [] + %m * max(%n, 0) (tile )
    ");
}

#[test]
fn a_step_other_than_one() {
    let maps = maps_of(
        "%zero = constant <i32: 0> : tile<i32>
         %four = constant <i32: 4> : tile<i32>
         %sum = for %i in (%zero to %n, step %four) : tile<i32> iter_values(%at = %x) -> (tile<i32>) {
           %q = offset %p, %at : tile<ptr<f32>>, tile<i32> -> tile<ptr<f32>>
           %v, %t = load_ptr_tko weak %q : tile<ptr<f32>> -> tile<f32>, token
           %next = addi %at, %four : tile<i32>
           continue %next : tile<i32>
         }",
    );
    insta::assert_snapshot!(maps, @"load_ptr_tko: (%x, iteration(%i)) -> [1, 4] + 0 (tile )");
}

#[test]
fn rearranged_pointers() {
    let maps = maps_of(
        "%flat = iota : tile<128xi32>
         %square = reshape %flat : tile<128xi32> -> tile<8x16xi32>
         %turned = permute %square [1, 0] : tile<8x16xi32> -> tile<16x8xi32>
         %p1 = reshape %p : tile<ptr<f32>> -> tile<1x1xptr<f32>>
         %ps = broadcast %p1 : tile<1x1xptr<f32>> -> tile<16x8xptr<f32>>
         %q = offset %ps, %turned : tile<16x8xptr<f32>>, tile<16x8xi32> -> tile<16x8xptr<f32>>
         %v, %t = load_ptr_tko weak %q : tile<16x8xptr<f32>> -> tile<16x8xf32>, token",
    );
    insta::assert_snapshot!(maps, @"load_ptr_tko: () -> [] + 0 (tile 1, 16)");
}

#[test]
fn reasons_why_there_is_no_map() {
    let maps = maps_of(
        "%two = constant <i32: 2> : tile<i32>
         %half = divi %x, %two signed : tile<i32>
         %a = offset %p, %half : tile<ptr<f32>>, tile<i32> -> tile<ptr<f32>>
         %v, %t = load_ptr_tko weak %a : tile<ptr<f32>> -> tile<f32>, token
         %area = muli %x, %y : tile<i32>
         %b = offset %p, %area : tile<ptr<f32>>, tile<i32> -> tile<ptr<f32>>
         %w, %u = load_ptr_tko weak %b : tile<ptr<f32>> -> tile<f32>, token
         %index = ftoi %v signed : tile<f32> -> tile<i32>
         %c = offset %p, %index : tile<ptr<f32>>, tile<i32> -> tile<ptr<f32>>
         %r, %s = load_ptr_tko weak %c : tile<ptr<f32>> -> tile<f32>, token",
    );
    insta::assert_snapshot!(maps, @r"
    load_ptr_tko: not affine: `⌊%x / 2⌋` is not linear
    load_ptr_tko: not affine: `%x * %y` is not linear
    load_ptr_tko: not affine: `%index` is the result of `ftoi`
    ");
}

#[test]
fn an_early_continue_hides_the_step() {
    let maps = maps_of(
        "%one = constant <i32: 1> : tile<i32>
         %two = constant <i32: 2> : tile<i32>
         %end = loop iter_values(%at = %n) : tile<i32> -> tile<i32> {
           %q = offset %p, %at : tile<ptr<f32>>, tile<i32> -> tile<ptr<f32>>
           %v, %t = load_ptr_tko weak %q : tile<ptr<f32>> -> tile<f32>, token
           %next = addi %at, %one : tile<i32>
           %far = addi %at, %two : tile<i32>
           %c = cmpi less_than %at, %m, signed : tile<i32> -> tile<i1>
           if %c {
             continue %far : tile<i32>
           }
           continue %next : tile<i32>
         }",
    );
    insta::assert_snapshot!(maps, @"load_ptr_tko: not affine: `%at` changes irregularly in a loop");
}

/// Determining the carried values of a loop interprets its body twice, so deep nesting must not be followed.
#[test]
fn deeply_nested_loops_are_analyzed_once() {
    let depth = 40;
    let mut lines = String::from("%zero = constant <i32: 0> : tile<i32>\n%one = constant <i32: 1> : tile<i32>\n");
    for level in 0..depth {
        lines += &format!("%r{level} = for %i{level} in (%zero to %n, step %one) : tile<i32> ");
        lines += &format!("iter_values(%s{level} = %m) -> (tile<i32>) {{\n");
    }
    lines += "%v, %t = load_ptr_tko weak %p : tile<ptr<f32>> -> tile<f32>, token\n";
    for level in (0..depth).rev() {
        lines += &format!("continue %s{level} : tile<i32> }}\n");
    }
    insta::assert_snapshot!(maps_of(&lines), @"load_ptr_tko: () -> [] + 0 (tile )");
}

/// The map of a load at an index that these steps compute one after another from `%v`, each with the result `%w`.
fn map_after(steps: usize, start: &str, step: &str) -> String {
    let lines: Vec<String> = (0..steps)
        .map(|number| {
            let previous = if number == 0 { start.to_string() } else { format!("%w{}", number - 1) };
            step.replace("%v", &previous).replace("%u", &format!("%u{number}")).replace("%w", &format!("%w{number}"))
        })
        .collect();
    let last = steps - 1;
    maps_of(&format!(
        "%five = constant <i32: 5> : tile<i32>
         {}
         %at = offset %p, %w{last} : tile<ptr<f32>>, tile<i32> -> tile<ptr<f32>>
         %f, %t = load_ptr_tko weak %at : tile<ptr<f32>> -> tile<f32>, token",
        lines.join("\n")
    ))
}

#[test]
fn values_that_are_used_several_times_do_not_double_the_work() {
    // Without a bound, the expression of each index has 2^100 parts.
    let steps = [
        "%u = shli %v, %five : tile<i32> %w = xori %v, %u : tile<i32>",
        "%w = muli %v, %v : tile<i32>",
        "%u = negi %v : tile<i32> %w = maxi %v, %u signed : tile<i32>",
        "%u = cmpi less_than %v, %y, signed : tile<i32> -> tile<i1> %w = select %u, %v, %y : tile<i1>, tile<i32>",
        "%u = remi %v, %y signed : tile<i32> %w = addi %v, %u : tile<i32>",
    ];
    for step in steps {
        let map = map_after(100, "%n", step);
        assert!(map.starts_with("load_ptr_tko: not affine: `%w"), "{step}: {map}");
    }
}
