//! Finds the launches of a program: the comment lines directly above each entry.

pub(super) mod entry;
mod findings;
mod mistakes;
mod page;

pub use entry::EntryLaunches;
pub use findings::Findings;
pub use page::{PAGE, PROBLEM, diagnostic, launch_problem};

use crate::error::LaunchError;
use mistakes::{errors_in, launches_of, mistakes_in, strays};
use std::ops::Range;
use tile_analysis::batch::{self, Checked, Keep};
use tile_analysis::context::Options;
use tile_analysis::db::{self, File, Queries};
use tile_analysis::diagnostic::Diagnostic;
use tile_analysis::lines::comment_lines_above;

/// Every entry of a file with its launches, in source order.
pub fn find(db: &Queries, file: File) -> Vec<EntryLaunches> {
    let text = file.text(db);
    let items = db::layout(db, file).items.iter();
    items.filter_map(|&(start, item)| launches_of(text, start, db::lowered(db, item, file))).collect()
}

/// The entry with an offset in its text, with its launches.
pub fn at(db: &Queries, file: File, offset: u32) -> Option<EntryLaunches> {
    let items = &db::layout(db, file).items;
    let next = items.partition_point(|(start, _)| *start <= offset);
    let &(start, item) = items.get(next.checked_sub(1)?)?;
    launches_of(file.text(db), start, db::lowered(db, item, file))
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
    checked.items.iter().filter_map(|(start, lowered)| launches_of(text, *start, lowered.as_ref()?)).collect()
}

/// Whether there are directives above the item at `start`.
pub fn has_directives(text: &str, start: usize) -> bool {
    text[comment_lines_above(text, start)].contains("//@")
}

/// The errors in the launches of a file.
pub fn diagnostics(db: &Queries, file: File) -> Vec<Diagnostic> {
    Findings::default().of(db, file)
}

/// Checks a text once: the diagnostics of its program and of its launches, in source order.
pub fn check(text: &str, options: Options) -> Vec<Diagnostic> {
    let checked =
        batch::check(text, options, |start| if has_directives(text, start) { Keep::Everything } else { Keep::Nothing });
    let launches = diagnostics_of(text, &checked);
    let mut found = checked.diagnostics;
    found.extend(launches);
    Diagnostic::sort(&mut found);
    found
}

/// The errors in the launches of a completely checked file. Items for which [`has_directives`] holds must have been
/// kept.
pub fn diagnostics_of(text: &str, checked: &Checked) -> Vec<Diagnostic> {
    let strays = strays_of(text, checked);
    let mut found: Vec<Diagnostic> =
        of(text, checked).iter().flat_map(|launches| mistakes_in(text, launches, &strays)).collect();
    found.extend(strays.iter().map(diagnostic));
    Diagnostic::sort(&mut found);
    found
}

/// The errors in the directives alone, which prevent a launch from being run.
pub fn problems_of(text: &str, checked: &Checked) -> Vec<Diagnostic> {
    let strays = strays_of(text, checked);
    let launches = of(text, checked);
    let errors = launches.iter().flat_map(|launches| errors_in(text, launches, &strays));
    let mut found: Vec<Diagnostic> = errors.chain(strays.clone()).map(|error| launch_problem(&error)).collect();
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
    fn a_number_that_is_an_address_is_an_i64() {
        let found = found("  //@ launch\n  //@   %p = f32[8] zeros\n  //@   %n = &%p\n");
        assert_eq!(found, ["L0101 `%n` is a `tile<i32>`, and an address is an `i64` or a pointer write `%n = 1`"]);
    }

    #[test]
    fn the_block_is_the_comment_lines_directly_above() {
        let text = "// no\n\n// a\n  //@ launch\n  entry @k() {}";
        let block = comment_lines_above(text, text.find("entry").expect("it is there"));
        assert_eq!(&text[block], "// a\n  //@ launch\n");
    }
}
