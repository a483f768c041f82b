use super::*;

const NUMBERS: &str = "%0 = constant <i32: 0> : tile<i32>\n%1 = constant <i32: 1> : tile<i32>\n\
    %2 = constant <i32: 2> : tile<i32>\n%3 = constant <i32: 3> : tile<i32>\n%10 = constant <i32: 10> : tile<i32>\n";

fn numbers(body: &str) -> String {
    printed(&format!("{NUMBERS}{body}"))
}

#[test]
fn for_counts_and_carries() {
    let sum = "%s, %p = for %i in (%1 to %10, step %3) : tile<i32> iter_values(%a = %0, %b = %1) -> (tile<i32>, tile<i32>) {\n\
        %c = addi %a, %i : tile<i32>\n%d = muli %b, %2 : tile<i32>\ncontinue %c, %d : tile<i32>, tile<i32>\n}\n\
        print_tko \"%d %d\", %s, %p : tile<i32>, tile<i32> -> token";
    // 1, 4, 7: the sum is 12 and 1 was doubled three times.
    assert_eq!(numbers(sum), "12 8");
    let none = "%s = for %i in (%10 to %1, step %1) : tile<i32> iter_values(%a = %3) -> (tile<i32>) {\n\
        continue %0 : tile<i32>\n}\nprint_tko \"%d\", %s : tile<i32> -> token";
    assert_eq!(numbers(none), "3");
}

#[test]
fn for_compares_signed_or_unsigned() {
    let body = |unsigned: &str| {
        format!(
            "%lo = constant <i8: 126> : tile<i8>\n%hi = constant <i8: -127> : tile<i8>\n%st = constant <i8: 1> : tile<i8>\n\
            for {unsigned} %i in (%lo to %hi, step %st) : tile<i8> {{\nprint_tko \"%d \", %i : tile<i8> -> token\n}}"
        )
    };
    assert_eq!(printed(&body("")), "");
    assert_eq!(printed(&body("unsigned")), "126 127 -128 ");
    // The last value before the bound is the largest: the loop ends and does not wrap around.
    let most = "%lo = constant <i8: 126> : tile<i8>\n%hi = constant <i8: 127> : tile<i8>\n%st = constant <i8: 100> : tile<i8>\n\
        for %i in (%lo to %hi, step %st) : tile<i8> {\nprint_tko \"%d\", %i : tile<i8> -> token\n}";
    assert_eq!(printed(most), "126");
}

#[test]
fn loops_break_and_continue_out_of_nested_branches() {
    // Counts the numbers below 10 that are not divisible by 3, and leaves when it sees 8.
    let body = "%eight = constant <i32: 8> : tile<i32>\n\
        %n = loop iter_values(%i = %0, %c = %0) : tile<i32>, tile<i32> -> tile<i32> {\n\
          %next = addi %i, %1 : tile<i32>\n\
          %m = remi %i, %3 signed : tile<i32>\n\
          %third = cmpi equal %m, %0, signed : tile<i32> -> tile<i1>\n\
          if %third {\n\
            continue %next, %c : tile<i32>, tile<i32>\n\
          } else {\n\
            %last = cmpi equal %i, %eight, signed : tile<i32> -> tile<i1>\n\
            if %last {\n break %c : tile<i32>\n }\n\
          }\n\
          %d = addi %c, %1 : tile<i32>\n\
          continue %next, %d : tile<i32>, tile<i32>\n\
        }\n\
        print_tko \"%d\", %n : tile<i32> -> token";
    // 1, 2, 4, 5, 7.
    assert_eq!(numbers(body), "5");
}

#[test]
fn return_leaves_everything() {
    let body = "loop {\nprint_tko \"a\" -> token\n%t = constant <i1: 1> : tile<i1>\nif %t {\n return\n }\n}\nprint_tko \"b\" -> token";
    assert_eq!(numbers(body), "a");
}

#[test]
fn if_yields_from_the_branch_that_runs() {
    for (condition, expected) in [("1", "2 1"), ("0", "1 2")] {
        let body = format!(
            "%c = constant <i1: {condition}> : tile<i1>\n%x, %y = if %c -> (tile<i32>, tile<i32>) {{\n\
            yield %2, %1 : tile<i32>, tile<i32>\n}} else {{\nyield %1, %2 : tile<i32>, tile<i32>\n}}\n\
            print_tko \"%d %d\", %x, %y : tile<i32>, tile<i32> -> token"
        );
        assert_eq!(numbers(&body), expected);
    }
    let only = "%c = constant <i1: 0> : tile<i1>\nif %c {\nprint_tko \"no\" -> token\n}\nprint_tko \"yes\" -> token";
    assert_eq!(printed(only), "yes");
}

#[test]
fn carried_values_can_change_places() {
    let body = "%a, %b = for %i in (%0 to %3, step %1) : tile<i32> iter_values(%x = %1, %y = %2) -> (tile<i32>, tile<i32>) {\n\
        continue %y, %x : tile<i32>, tile<i32>\n}\nprint_tko \"%d %d\", %a, %b : tile<i32>, tile<i32> -> token";
    assert_eq!(numbers(body), "2 1");
    let same = "%a, %b = for %i in (%0 to %3, step %1) : tile<i32> iter_values(%x = %1, %y = %2) -> (tile<i32>, tile<i32>) {\n\
        %z = addi %x, %y : tile<i32>\ncontinue %z, %z : tile<i32>, tile<i32>\n}\n\
        print_tko \"%d %d\", %a, %b : tile<i32>, tile<i32> -> token";
    assert_eq!(numbers(same), "12 12");
}

#[test]
fn steps_must_be_positive() {
    let body = |step: &str| {
        format!("{NUMBERS}%st = constant <i32: {step}> : tile<i32>\nfor %i in (%0 to %3, step %st) : tile<i32> {{\n}}")
    };
    assert_eq!(Bench::new("", &body("0")).finding().1, "the step of this loop is 0; it must be positive");
    assert_eq!(Bench::new("", &body("-2")).finding().0, "step-not-positive");
}

#[test]
fn endless_loops_are_stopped() {
    assert_eq!(Bench::new("", "loop {\n}").finding().1, "the run did not end within 1000000 ops");
    let mut bench = Bench::new("", "loop {\n}");
    bench.options.max_ops = None;
    let cancel = bench.options.cancel.clone();
    let stopper = std::thread::spawn(move || {
        std::thread::sleep(std::time::Duration::from_millis(20));
        cancel.store(true, std::sync::atomic::Ordering::Relaxed);
    });
    let (name, message) = bench.finding();
    stopper.join().unwrap();
    assert_eq!((name, &*message), ("did-not-finish", "the run was canceled before its end"));
}

#[test]
fn blocks_run_in_the_order_of_the_grid() {
    let body = "%x, %y, %z = get_tile_block_id : tile<i32>\n%a, %b, %c = get_num_tile_blocks : tile<i32>\n\
        print_tko \"%d%d%d/%d%d%d \", %x, %y, %z, %a, %b, %c : tile<i32>, tile<i32>, tile<i32>, tile<i32>, tile<i32>, tile<i32> -> token";
    let bench = Bench::new("", body).grid([2, 1, 2]).run();
    assert_eq!(bench.printed(), "000/212 100/212 001/212 101/212 ");
}

#[test]
fn assumptions_are_checked() {
    let assume = |predicate: &str, constant: &str, ty: &str| {
        Bench::new("", &format!("%v = constant {constant} : {ty}\n%r = assume {predicate}, %v : {ty}")).sanitize()
    };
    for (predicate, constant, ty) in [
        ("div_by<16>", "<i32: [16, 0, -32, 48]>", "tile<4xi32>"),
        ("div_by<4, every 2 along 0>", "<i32: [4, 5, 8, 9]>", "tile<4xi32>"),
        ("same_elements<[2]>", "<i32: [4, 4, 8, 8]>", "tile<4xi32>"),
        ("same_elements<[1, 2]>", "<i32: [[4, 4], [8, 8]]>", "tile<2x2xi32>"),
        ("bounded<-1, ?>", "<i32: [-1, 7]>", "tile<2xi32>"),
        ("bounded<?, 7>", "<i32: [-1, 7]>", "tile<2xi32>"),
    ] {
        assume(predicate, constant, ty).run();
    }
    for (predicate, constant, ty, message) in [
        ("div_by<16>", "<i32: [16, 8]>", "tile<2xi32>", "8 at element [1] of the tile is not divisible by 16"),
        (
            "div_by<4, every 2 along 0>",
            "<i32: [4, 5, 8, 8]>",
            "tile<4xi32>",
            "8 at element [3] of the tile should be 9: groups of 2 along dimension 0 count up",
        ),
        (
            "same_elements<[2]>",
            "<i32: [4, 4, 8, 9]>",
            "tile<4xi32>",
            "9 at element [3] of the tile should be 8: groups of [2] have equal elements",
        ),
        ("bounded<0, 7>", "<i32: -1>", "tile<i32>", "-1 is not between 0 and 7"),
        ("bounded<?, 7>", "<i8: 8>", "tile<i8>", "8 is not at most 7"),
    ] {
        assert_eq!(assume(predicate, constant, ty).finding(), ("broken-assumption", message.to_string()));
        let mut trusting = assume(predicate, constant, ty);
        trusting.options.sanitize = false;
        trusting.run();
    }
    let assert = "%c = constant <i1: [[1, 1], [0, 1]]> : tile<2x2xi1>\nassert %c, \"all true\" : tile<2x2xi1>";
    let message = "assertion failed at element [1, 0] of the tile: all true".to_string();
    assert_eq!(Bench::new("", assert).finding(), ("assertion-failed", message));
}

#[test]
fn text_is_printed() {
    assert_eq!(printed("print_tko \"100%% \\22hi\\22\\0A\" -> token"), "100% \"hi\"\n");
    let bare = "%a = constant <i32: -3> : tile<i32>\n%b = constant <f32: 0.5> : tile<f32>\n\
        print_tko \"<%, %> from\", %a, %b : tile<i32>, tile<f32> -> token";
    assert_eq!(printed(bare), "<-3, 0.500000> from");
    let tile = "%a = constant <f16: [[1.0, 2.5], [-3.0, 4.0]]> : tile<2x2xf16>\nprint_tko \"%5.1f\", %a : tile<2x2xf16> -> token";
    assert_eq!(printed(tile), "[[  1.0,   2.5], [ -3.0,   4.0]]");
    // A narrow integer is sign-extended, as in C.
    assert_eq!(shown("%r = constant <i8: -1> : tile<2xi8>", "tile<2xi8>", "%x"), "[ffffffff, ffffffff]");
    assert_eq!(shown("%r = constant <i16: -2> : tile<i16>", "tile<i16>", "%u"), "4294967294");
    assert_eq!(shown("%r = constant <i1: true> : tile<i1>", "tile<i1>", "%u"), "1");
}

#[test]
fn masked_elements_break_no_assumption() {
    let load = |mask: &str, padding: &str| {
        let ty = if padding.is_empty() { "" } else { ", tile<4xi32>" };
        format!(
            "%i = iota : tile<4xi32>\n%z = constant <i32: 0> : tile<4xi32>\n\
            %p1 = reshape %p : tile<ptr<i32>> -> tile<1xptr<i32>>\n\
            %p4 = broadcast %p1 : tile<1xptr<i32>> -> tile<4xptr<i32>>\n\
            %q = offset %p4, %i : tile<4xptr<i32>>, tile<4xi32> -> tile<4xptr<i32>>\n\
            %m = constant <i1: {mask}> : tile<4xi1>\n\
            %x, %t = load_ptr_tko weak %q, %m{padding} : tile<4xptr<i32>>, tile<4xi1>{ty} -> tile<4xi32>, token\n"
        )
    };
    let bench = |body: String| {
        let bench = Bench::new("%p: tile<ptr<i32>>", &body).buffer(Element::I32, &[4.0, 4.0, 8.0, 9.0]);
        bench.sanitize()
    };
    let assumptions = "%a = assume bounded<0, 9>, %y : tile<4xi32>\n%b = assume same_elements<[2]>, %y : tile<4xi32>";
    let same = "%y = reshape %x : tile<4xi32> -> tile<4xi32>\n";
    bench(load("[1, 1, 1, 0]", "") + same + assumptions).run();
    let by_loop = "%c0 = constant <i32: 0> : tile<i32>\n%c1 = constant <i32: 1> : tile<i32>\n\
        %y = for %k in (%c0 to %c1, step %c1) : tile<i32> iter_values(%s = %z) -> (tile<4xi32>) {\n\
        %w = addi %s, %x : tile<4xi32>\ncontinue %w : tile<4xi32>\n}\n";
    bench(load("[1, 1, 1, 0]", "") + by_loop + assumptions).run();
    // With a padding value all elements are specified.
    let (page, message) = bench(load("[1, 1, 1, 0]", ", %z") + same + assumptions).finding();
    assert_eq!((page, message.contains("equal elements")), ("broken-assumption", true), "{message}");
}
