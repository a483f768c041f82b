//! Finds the launches of a program: the comment lines directly above each entry.

pub(super) mod entry;
mod findings;
mod forward;
mod mistakes;
mod page;

pub use entry::EntryLaunches;
pub use findings::Findings;
pub use forward::ForwardEntry;
pub use page::{PAGE, PROBLEM, diagnostic, launch_problem};

use crate::directive::SIGN;
use crate::error::LaunchError;
use forward::has_forward;
use mistakes::{errors_in, launches_of, mistakes_in, strays};
use std::ops::Range;
use tile_analysis::batch::{self, Checked, Keep};
use tile_analysis::context::Options;
use tile_analysis::db::{self, File, Queries};
use tile_analysis::diagnostic::{Diagnostic, Located};
use tile_analysis::lines::comment_lines_above;

/// Every entry of a file with its launches, in source order.
pub fn find(db: &Queries, file: File) -> Vec<EntryLaunches> {
    let text = file.text(db);
    let items = db::layout(db, file).items.iter();
    let forward = |name: &str| ForwardEntry::of(db, file, name);
    items.filter_map(|&(start, item)| launches_of(text, start, db::lowered(db, item, file), &forward)).collect()
}

/// The entry with an offset in its text, with its launches.
pub fn at(db: &Queries, file: File, offset: u32) -> Option<EntryLaunches> {
    let items = &db::layout(db, file).items;
    let next = items.partition_point(|(start, _)| *start <= offset);
    let &(start, item) = items.get(next.checked_sub(1)?)?;
    launches_of(file.text(db), start, db::lowered(db, item, file), &|name| ForwardEntry::of(db, file, name))
}

/// The entry with an offset in its text or in the directives above it, with its launches.
pub fn near(db: &Queries, file: File, offset: u32) -> Option<EntryLaunches> {
    let (text, items) = (file.text(db), &db::layout(db, file).items);
    let next = items.iter().find(|(start, _)| *start > offset).map(|(start, _)| *start);
    let above = next.filter(|&start| comment_lines_above(text, start as usize).contains(&(offset as usize)));
    at(db, file, above.unwrap_or(offset)).or_else(|| at(db, file, next?))
}

/// Every entry of a completely checked file with its launches, in source order. Entries that were not kept are skipped.
pub fn of(text: &str, checked: &Checked) -> Vec<EntryLaunches> {
    let items = || checked.items.iter().filter_map(|(start, lowered)| Some((*start, lowered.as_ref()?)));
    let forward = |name: &str| ForwardEntry::find(items(), name);
    items().filter_map(|(start, lowered)| launches_of(text, start, lowered, &forward)).collect()
}

/// How much of the item at an offset of a text [`diagnostics_of`] needs: everything of items below directives, and of
/// entries that `forward` lines name. Entries are also kept for similar names if a name is unknown.
pub fn needed(text: &str) -> impl Fn(usize) -> Keep + Sync {
    let has_forward = has_forward(text);
    move |start| {
        let is_needed = has_forward || text[comment_lines_above(text, start)].contains(SIGN);
        if is_needed { Keep::Everything } else { Keep::Nothing }
    }
}

/// The errors in the launches of a file.
pub fn diagnostics(db: &Queries, file: File) -> Vec<Diagnostic> {
    Located::all_in_file(&Findings::default().of(db, file, &mut |_| true))
}

/// Checks a text once: the diagnostics of its program and of its launches, in source order.
pub fn check(text: &str, options: Options) -> Vec<Diagnostic> {
    let checked = batch::check(text, options, needed(text));
    let launches = diagnostics_of(text, &checked);
    let mut found = checked.diagnostics;
    found.extend(launches);
    Diagnostic::sort(&mut found);
    found
}

/// The errors in the launches of a completely checked file, of which [`needed`] items must have been kept.
pub fn diagnostics_of(text: &str, checked: &Checked) -> Vec<Diagnostic> {
    let strays = strays_of(text, checked);
    let mut found: Vec<Diagnostic> =
        of(text, checked).iter().flat_map(|launches| mistakes_in(text, launches)).collect();
    found.extend(strays.iter().map(diagnostic));
    Diagnostic::sort(&mut found);
    found
}

/// The errors in the directives alone, which prevent a launch from being run.
pub fn problems_of(text: &str, checked: &Checked) -> Vec<Diagnostic> {
    let strays = strays_of(text, checked);
    let launches = of(text, checked);
    let errors = launches.iter().flat_map(|launches| errors_in(text, launches));
    let mut found: Vec<Diagnostic> = errors.chain(strays).map(|error| launch_problem(&error)).collect();
    Diagnostic::sort(&mut found);
    found
}

fn strays_of(text: &str, checked: &Checked) -> Vec<LaunchError> {
    let starts = checked.items.iter().map(|&(start, _)| start as usize);
    let blocks: Vec<Range<usize>> = starts.map(|start| comment_lines_above(text, start)).collect();
    strays(text, 0..text.len(), &blocks)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;

    #[test]
    fn a_directive_above_no_entry_is_reported_once() {
        let db = db::Database::default();
        let text = "cuda_tile.module @m {\n  //@ launch\n  //@ expect print \"x\"\n\n  entry @k() {}\n}\n";
        let file = File::new(&db, Arc::from(text), tile_analysis::context::Options::default());
        let found = diagnostics(&db, file);
        assert_eq!(found.len(), 1, "{found:?}");
        assert_eq!(&text[found[0].range.start as usize..found[0].range.end as usize], "//@ launch");
    }

    /// The diagnostics of a program whose launches have these directives: code and message of each.
    fn found(directives: &str) -> Vec<String> {
        let view = "tensor_view<?xf32, strides=[1]>";
        let text = format!(
            "cuda_tile.module @m {{\n{directives}  entry @k(%p: tile<ptr<f32>>, %n: tile<i32>) {{
    %x, %y, %z = get_tile_block_id : tile<i32>
    %v = make_tensor_view %p, shape = [%n], strides = [1] : tile<i32> -> {view}
    %w = make_partition_view %v : partition_view<tile=(8), {view}>
    %a, %t = load_view_tko weak %w[%x] : partition_view<tile=(8), {view}>, tile<i32> -> tile<8xf32>, token
  }}\n}}\n"
        );
        let db = db::Database::default();
        let file = File::new(&db, Arc::from(text.as_str()), tile_analysis::context::Options::default());
        let reported = |found: &Diagnostic| format!("{} {} {}", found.page.code, found.message, found.notes.join(" "));
        diagnostics(&db, file).iter().map(reported).collect()
    }

    #[test]
    fn a_grid_that_exceeds_the_index_space_is_reported_without_a_run() {
        let launch = |grid: u32| {
            format!("  //@ launch \"g\" grid=({grid}, 1, 1)\n  //@   %p = f32[64] zeros\n  //@   %n = 60\n")
        };
        assert_eq!(found(&launch(8)), [""; 0]);
        let nine = "L0005 `%x` reaches 8, but `%w` has 8 tiles along dimension 0, counted from 0 in the launch \"g\", whose grid is (9, 1, 1)";
        assert_eq!(found(&launch(9)), [nine]);
        assert_eq!(found(&(launch(9) + &launch(10).replace("\"g\"", "\"h\""))), [nine], "once for each place");
        assert_eq!(found(&(launch(9) + "  //@ expect error R0501\n")), [""; 0], "the launch expects an error");
    }

    #[test]
    fn a_grid_of_the_forward_kernel_is_checked_without_a_run() {
        let view = "tensor_view<8xf32, strides=[1]>";
        let text = |grid: u32| {
            format!(
                "cuda_tile.module @m {{
  entry @f(%p: tile<ptr<f32>>) {{
    %x, %y, %z = get_tile_block_id : tile<i32>
    %v = make_tensor_view %p, shape = [8], strides = [1] : {view}
    %w = make_partition_view %v : partition_view<tile=(4), {view}>
    %a, %t = load_view_tko weak %w[%x] : partition_view<tile=(4), {view}>, tile<i32> -> tile<4xf32>, token
  }}
  //@ launch\n  //@   %p = f32[8] zeros\n  //@ forward @f grid={grid}
  entry @k(%p: tile<ptr<f32>>) {{
  }}\n}}\n"
            )
        };
        assert_eq!(check(&text(2), Options::default()), []);
        let (text, found) = (text(3), check(&text(3), Options::default()));
        assert_eq!(found.len(), 1, "{found:?}");
        assert_eq!(&text[found[0].range.start as usize..found[0].range.end as usize], "@f");
        assert_eq!(found[0].message, "`%x` reaches 2, but `%w` has 2 tiles along dimension 0, counted from 0");
        assert_eq!(found[0].notes, ["in the forward kernel `@f`, whose grid is (3, 1, 1)"]);
    }

    #[test]
    fn names_in_expectations_must_be_parameters() {
        let launch = "  //@ launch\n  //@   %p = f32[8] zeros\n  //@   %n = 8\n";
        assert_eq!(found(&format!("{launch}  //@ expect %p == %n * 0\n")), [""; 0]);
        let wrong = ["L0101 the entry `@k` has no parameter `%q` ", "L0101 the entry `@k` has no parameter `%m` "];
        let found = found(&format!("{launch}  //@ expect %q == %m + 1\n"));
        assert!(found.iter().zip(wrong).all(|(found, wrong)| found.starts_with(wrong)), "{found:?}");
        assert_eq!(found.len(), 2);
    }

    #[test]
    fn a_left_side_refers_to_a_buffer() {
        let launch = "  //@ launch\n  //@   %p = f32[8] zeros\n  //@   %n = 8\n";
        assert_eq!(found(&format!("{launch}  //@ expect sum(%p) / %n == 0\n")), [""; 0]);
        let number = "L0101 `%n` is a number, which a run cannot change name an argument that has a buffer";
        assert_eq!(found(&format!("{launch}  //@ expect %n == 8\n")), [number]);
        let none = found(&format!("{launch}  //@ expect %n * 2 == %p\n"));
        assert!(none[0].starts_with("L0101 `%n * 2` refers to no buffer, so a run cannot change it "), "{none:?}");
        assert_eq!(none.len(), 1);
        assert_eq!(found(&format!("{launch}  //@ expect sum(%m) == 8\n")).len(), 1, "reported for its name");
    }

    #[test]
    fn addresses_fit_their_parameters() {
        let found = |directives: &str| found(&format!("  //@ launch\n  //@   %n = 8\n{directives}"));
        let is = |directives: &str, expected: &[&str]| {
            let found = found(directives);
            assert!(
                found.len() == expected.len()
                    && found.iter().zip(expected).all(|(found, start)| found.starts_with(start)),
                "{directives}\n{found:?}"
            );
        };
        is("  //@   %p = &%q\n  //@   %q = f32[8] zeros\n  //@ expect %q == 0\n", &[]);
        is("  //@   %p = &%q\n", &["L0101 this launch has no buffer `%q` add a line such as"]);
        // Reported once, at the address.
        is(
            "  //@   %p = &%buffr\n  //@   %buffer = f32[8] zeros\n",
            &["L0101 this launch has no buffer `%buffr` did you mean"],
        );
        is(
            "  //@   %p = &%q\n  //@   %q = f16[8] zeros\n",
            &["L0101 `%p` points to `f32`, but `%q` holds `f16` address a"],
        );
        is(
            "  //@   %p = multicast(%q)\n  //@   %q = f32[8] replicas=2 zeros\n",
            &[
                "L0101 `%p` is not a multicast pointer, but `multicast(%q)` refers to all replicas of `%q` write `%p = &%q`",
            ],
        );
        is(
            "  //@   %p = f32[8] zeros\n  //@   %q = f32[8] zeros\n",
            &["L0101 the entry `@k` has no parameter `%q` its parameters are `%p`, `%n`"],
        );
        is(
            "  //@   %p = &%q\n  //@   %q = f32[8] zeros\n  //@ expect %p == 0\n",
            &["L0101 `%p` is the address `&%q`, not a buffer name the buffer, `%q`"],
        );
        is("  //@   %p = &%p\n", &["L0101 `%p` is an address itself, not a buffer"]);
        let list = "  //@   %p = &%q\n  //@   %q = f32[8] zeros\n  //@   %l = i64[2] [&%l, &%none]\n";
        is(list, &["L0101 this launch has no buffer `%none`"]);
    }

    #[test]
    fn a_buffer_of_another_element_type_keeps_its_shape_and_contents() {
        let help = |spec: &str| {
            let found = found(&format!("  //@ launch\n  //@   %n = 8\n  //@   %p = {spec}\n"));
            let (message, help) = found[0].split_once(" write ").expect("the message has a help");
            assert!(message.starts_with("L0101 `%p` points to `f32`, but its buffer holds `"), "{message}");
            help.to_string()
        };
        assert_eq!(help("i32[4] zeros"), "`%p = f32[4] zeros`");
        assert_eq!(
            help("f16[2, 8] strides=[16, 1] uniform(0, 1, seed=3)"),
            "`%p = f32[2, 8] strides=[16, 1] uniform(0, 1, seed=3)`"
        );
        assert_eq!(help("i64[2] [1, 2]"), "`%p = f32[2] [1, 2]`");
        assert_eq!(help("i64[2] [&%p, 2]"), "`%p = f32[2] zeros`");
        let list = vec!["0.125"; 64].join(", ");
        assert_eq!(help(&format!("f64[64] [{list}]")), "`%p = f32[64] …`");
    }

    #[test]
    fn a_number_that_is_an_address_is_an_i64() {
        let found = found("  //@ launch\n  //@   %p = f32[8] zeros\n  //@   %n = &%p\n");
        assert_eq!(found, ["L0101 `%n` is a `tile<i32>`, and an address is an `i64` or a pointer write `%n = 1`"]);
    }

    /// The errors in the directives of `@backward`, below `@forward(%x, %y, %n)`: the text and the message of each.
    fn errors(directives: &[&str]) -> Vec<(String, String)> {
        let lines: String = directives.iter().map(|line| format!("  //@ {line}\n")).collect();
        let pointer = "tile<ptr<f32>>";
        let text = format!(
            "cuda_tile.module @m {{\n  entry @forward(%x: {pointer}, %y: {pointer}, %n: tile<i32>) {{\n  }}\n{lines}  \
             entry @backward(%x: {pointer}, %dx: {pointer}) {{\n  }}\n}}\n"
        );
        let db = db::Database::default();
        let file = File::new(&db, Arc::from(text.as_str()), Options::default());
        let found = diagnostics(&db, file);
        assert_eq!(found, check(&text, Options::default()), "the batch check agrees");
        let reported = |found: Diagnostic| {
            let help = found.notes.first().map_or(String::new(), |note| format!(" ({note})"));
            (text[found.range.start as usize..found.range.end as usize].to_string(), found.message + &help)
        };
        found.into_iter().map(reported).collect()
    }

    const ARGUMENTS: [&str; 5] =
        ["launch", "  %x = f32[8] iota", "  %dx = f32[8] zeros", "  %y = f32[1] zeros", "  %n = 1"];

    /// The only error if these directives follow [`ARGUMENTS`].
    #[track_caller]
    fn error(directives: &[&str]) -> (String, String) {
        let mut found = errors(&[&ARGUMENTS, directives].concat());
        assert_eq!(found.len(), 1, "{found:?}");
        found.remove(0)
    }

    #[test]
    fn a_launch_has_the_arguments_of_its_forward_kernel() {
        let forward = ["forward @forward grid=(2, 1, 1)", "expect grad(%y, %x) ~= %dx", "expect %y == 0"];
        assert_eq!(errors(&[&ARGUMENTS[..], &forward].concat()), []);
        let (place, message) = error(&["forward @foward"]);
        assert_eq!((&place[..], &message[..]), ("@foward", "unknown entry `@foward` (did you mean `@forward`?)"));
        let missing = errors(&[&ARGUMENTS[..4], &forward].concat());
        let message =
            "this launch has no argument for the parameter `%n` of `@forward` (add a line such as `//@   %n = 1`)";
        assert_eq!(missing, [("@forward".to_string(), message.to_string())]);
        let wrong = errors(&[
            "launch",
            "  %x = f32[8] iota",
            "  %dx = f32[8] zeros",
            "  %y = i32[1] zeros",
            "  %n = 1",
            forward[0],
        ]);
        assert_eq!(wrong.len(), 1, "{wrong:?}");
        assert!(
            wrong[0]
                .1
                .starts_with("`%y` points to `f32`, but its buffer holds `i32` (in the forward kernel `@forward`)")
        );
        let (_, message) = error(&["  %z = 1", "forward @forward"]);
        assert!(message.starts_with("the entry `@backward` has no parameter `%z`"), "{message}");
        let unused = errors(&ARGUMENTS);
        assert_eq!(unused.len(), 2, "without `forward`, the launch cannot have its arguments: {unused:?}");
    }

    #[test]
    fn a_gradient_is_that_of_float_buffers_of_the_forward_kernel() {
        let error = |gradient: &str| error(&["forward @forward", &format!("expect {gradient} ~= %dx")]);
        let (place, message) = error("grad(%loss, %x)");
        let add = "this launch has no argument `%loss` (add a line such as `//@   %loss = f32[1] zeros`)";
        assert_eq!((&place[..], &message[..]), ("%loss", add));
        assert_eq!(error("grad(%yy, %x)").1, "this launch has no argument `%yy` (did you mean `%y`?)");
        assert_eq!(error("grad(%y, %n)").1, "`%n` is a number, not a buffer (the operands of `grad` are buffers)");
        assert_eq!(
            error("grad(%x, %x)").1,
            "`%x` cannot be differentiated by itself (the second buffer is an input of the forward kernel)"
        );
        let (place, message) = error("grad(%y, %dx)");
        assert_eq!(place, "%dx");
        assert!(message.starts_with("the forward kernel `@forward` has no parameter `%dx`"), "{message}");
        let (place, message) = error("grad(%x, %y)");
        let several = "`%x` has shape [8], but only one element can be differentiated (weight the elements: `grad(%x, %y, %dy)` \
                       is the gradient of `sum(%x * %dy)`)";
        assert_eq!((&place[..], &message[..]), ("%x", several));
        assert!(error("grad(%y, %x, %dx)").1.starts_with("`%dx` has shape [8], but `%y` has shape [1]"));
    }

    #[test]
    fn operands_of_gradients_have_a_type_and_size_for_finite_differences() {
        let errors = |x: &str, y: &str| {
            let text = format!(
                "cuda_tile.module @m {{\n  //@ launch\n  //@   %x = {x} zeros\n  //@   %y = {y} zeros\n  //@ expect grad(%y, %x) ~= 1\n  \
                 entry @k(%x: tile<ptr<{}>>, %y: tile<ptr<{}>>) {{\n  }}\n}}\n",
                x.split('[').next().unwrap_or(""),
                y.split('[').next().unwrap_or("")
            );
            check(&text, Options::default()).into_iter().map(|found| found.message).collect::<Vec<_>>()
        };
        assert_eq!(errors("f32[64, 64]", "f64[1, 1]"), [""; 0]);
        assert_eq!(errors("f32[]", "bf16[]"), [""; 0]);
        assert_eq!(errors("i32[1]", "f32[1]"), ["the element type of `%x` is `i32`, an integer type"]);
        assert_eq!(
            errors("f32[1]", "f8E5M2[1]"),
            ["the element type of `%y` is `f8E5M2`, too coarse for finite differences"]
        );
        let large = "`%x` has shape [64, 65], but a gradient can have at most 4096 elements";
        assert_eq!(errors("f32[64, 65]", "f32[1]"), [large]);
        assert_eq!(errors("f32[4294967296, 4294967296, 2]", "f32[1]").len(), 1);
        assert_eq!(errors("f32[1]", "f32[0]"), ["`%y` has shape [0], but only one element can be differentiated"]);
    }

    #[test]
    fn the_block_is_the_comment_lines_directly_above() {
        let text = "// no\n\n// a\n  //@ launch\n  entry @k() {}";
        let block = comment_lines_above(text, text.find("entry").expect("it is there"));
        assert_eq!(&text[block], "// a\n  //@ launch\n");
    }
}
