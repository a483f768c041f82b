//! The sanitizer's memory use in long runs. In tests it cleans up after few accesses.

use super::*;

/// An entry that reads `%p` before a loop, accesses other memory in the loop very often, and writes `%p` after it with
/// a token.
fn long(token: &str) -> Bench {
    let body = format!(
        "%x, %first = load_ptr_tko weak %p : tile<ptr<i32>> -> tile<i32>, token\n\
        %y, %second = load_ptr_tko weak %p : tile<ptr<i32>> -> tile<i32>, token\n\
        %both = join_tokens %first, %second : token\n\
        %zero = constant <i32: 0> : tile<i32>\n%one = constant <i32: 1> : tile<i32>\n\
        %many = constant <i32: 1000> : tile<i32>\n%seven = constant <i32: 7> : tile<i32>\n\
        for %k in (%zero to %many, step %one) : tile<i32> {{\n\
            %n = andi %k, %seven : tile<i32>\n\
            %q = offset %r, %n : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>\n\
            %a, %t = load_ptr_tko weak %q : tile<ptr<i32>> -> tile<i32>, token\n\
            %b, %u = load_ptr_tko weak %q token = %t : tile<ptr<i32>> -> tile<i32>, token\n\
        }}\n\
        %end = store_ptr_tko weak %p, %one token = %{token} : tile<ptr<i32>>, tile<i32> -> token"
    );
    let bench = Bench::new("%p: tile<ptr<i32>>, %r: tile<ptr<i32>>", &body).sanitize();
    bench.buffer(Element::I32, &[0.0]).buffer(Element::I32, &[0.0; 8])
}

#[test]
fn early_accesses_are_not_forgotten() {
    long("both").run();
    for token in ["first", "second"] {
        let (name, message) = long(token).finding();
        assert_eq!(name, "unordered-accesses", "{message}");
    }
}

#[test]
fn one_of_many_blocks_is_not_forgotten() {
    // Every block adds to a counter, weakly in block 70 and atomically elsewhere.
    let body = |weak: &str| {
        format!(
            "%b, %by, %bz = get_tile_block_id : tile<i32>\n%one = constant <i32: 1> : tile<i32>\n\
            %n = constant <i32: {weak}> : tile<i32>\n%c = cmpi equal %b, %n, signed : tile<i32> -> tile<i1>\n\
            if %c {{\n%x, %t = load_ptr_tko weak %p : tile<ptr<i32>> -> tile<i32>, token\n}} else {{\n\
            %x, %t = atomic_rmw_tko relaxed device %p, add, %one : tile<ptr<i32>>, tile<i32> -> tile<i32>, token\n}}"
        )
    };
    let run = |weak: &str| {
        Bench::new("%p: tile<ptr<i32>>", &body(weak)).sanitize().grid([200, 1, 1]).buffer(Element::I32, &[0.0])
    };
    assert_eq!(run("1000").run().values(0), [200.0]);
    for weak in ["0", "1", "70", "199"] {
        assert_eq!(run(weak).finding().0, "race", "block {weak}");
    }
}

#[test]
fn an_undefined_element_is_reported_with_its_operands() {
    // The loop shifts by 31 to 35 bits, and the printed value is from the last iteration but one.
    let body = "%zero = constant <i32: 0> : tile<i32>\n%one = constant <i32: 1> : tile<i32>\n\
        %five = constant <i32: 5> : tile<i32>\n%from = constant <i32: 31> : tile<i32>\n\
        %a, %b = for %k in (%zero to %five, step %one) : tile<i32> iter_values(%last = %zero, %before = %zero)\n\
            -> (tile<i32>, tile<i32>) {\n\
          %by = addi %from, %k : tile<i32>\n%x = shli %one, %by : tile<i32>\n\
          continue %x, %last : tile<i32>, tile<i32>\n}\n\
        print_tko \"%i\", %b : tile<i32> -> token";
    let finding = Bench::new("", body).sanitize().try_run().unwrap_err();
    assert_eq!(finding.message, "a 32-bit number is shifted by 34");
    assert_eq!(finding.others.len(), 1);
}
