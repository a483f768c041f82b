//! Finding the launches of a program: the comment lines directly above each entry.

pub(super) mod entry;
mod findings;

pub use entry::EntryLaunches;
pub use findings::Findings;

use super::directive::NO_LAUNCH;
use super::directive::parse;
use super::error::LaunchError;
use super::{bind, certain};
use std::ops::Range;
use tile_analysis::batch::{self, Checked, Keep};
use tile_analysis::context::Options;
use tile_analysis::db::{self, File, Queries};
use tile_analysis::diagnostic::{Diagnostic, MAX_IN_FILE, Page, Severity};
use tile_analysis::lines::comment_lines_above;
use tile_analysis::lower::Lowered;
use tile_dialect::Mnemonic;

/// The page of mistakes in launch directives.
pub static PAGE: Page = page(Severity::Warning);

/// The same page for whoever wants to carry the launch out, who cannot: then a mistake is an error.
pub static OBSTACLE: Page = page(Severity::Error);

const fn page(severity: Severity) -> Page {
    Page {
        code: "L0101",
        name: "bad-launch",
        severity,
        text: "A launch directive, a comment line that starts with `//@` directly above an `entry`, cannot be carried out: it is \
written in another way than directives are, or it does not fit the entry's parameters. Every parameter gets one line: a \
pointer gets a buffer whose element type is the one it points to, a scalar gets a number. Other tools read directives as \
comments, so the program itself is valid.",
        wrong: "cuda_tile.module @m {\n  //@ launch \"one\"\n  //@   %q = f32[4] zeros\n  entry @k(%p: tile<ptr<f32>>) {\n  }\n}\n",
        right: "cuda_tile.module @m {\n  //@ launch \"one\"\n  //@   %p = f32[4] zeros\n  entry @k(%p: tile<ptr<f32>>) {\n  }\n}\n",
    }
}

/// Every entry of a file with its launches, in the order of the text.
pub fn find(db: &Queries, file: File) -> Vec<EntryLaunches> {
    let text = file.text(db);
    let items = db::layout(db, file).items.iter();
    items.filter_map(|&(start, item)| launches_of(text, start, db::lowered(db, item, file))).collect()
}

/// Every entry with its launches of a file that has been checked as a whole, in the order of the text. Entries that were
/// not kept are left out.
pub fn of(text: &str, checked: &Checked) -> Vec<EntryLaunches> {
    checked.items.iter().filter_map(|(start, lowered)| launches_of(text, *start, lowered.as_ref()?)).collect()
}

/// The launches above an item, if it is an entry.
fn launches_of(text: &str, start: u32, lowered: &Lowered) -> Option<EntryLaunches> {
    let name = &lowered.spans.name;
    (lowered.op == Mnemonic::Entry).then(|| EntryLaunches {
        entry: lowered.body.clone(),
        start,
        spans: lowered.spans.clone(),
        name: name.start + start..name.end + start,
        directives: parse(text, comment_lines_above(text, start as usize)),
        allowances: lowered.allowances.clone(),
    })
}

/// Whether directives stand above the item at `start`.
pub fn has_directives(text: &str, start: usize) -> bool {
    text[comment_lines_above(text, start)].contains("//@")
}

/// What is wrong with the launches of a file.
pub fn diagnostics(db: &Queries, file: File) -> Vec<Diagnostic> {
    Findings::default().of(db, file)
}

/// Checks a text once: the diagnostics of its program and of its launches, in the order of the text.
pub fn check(text: &str, options: Options) -> Vec<Diagnostic> {
    let checked = batch::check(text, options, |start| match has_directives(text, start) {
        true => Keep::Everything,
        false => Keep::Nothing,
    });
    let launches = diagnostics_of(text, &checked);
    let mut found = checked.diagnostics;
    found.extend(launches);
    Diagnostic::sort(&mut found);
    found
}

/// What is wrong with the launches of a file that has been checked as a whole. Items for which [`has_directives`]
/// holds must have been kept.
pub fn diagnostics_of(text: &str, checked: &Checked) -> Vec<Diagnostic> {
    let starts = checked.items.iter().map(|&(start, _)| start);
    mistakes(text, starts, of(text, checked))
}

fn mistakes(
    text: &str,
    starts: impl Iterator<Item = u32>,
    launches: impl IntoIterator<Item = EntryLaunches>,
) -> Vec<Diagnostic> {
    let mut found: Vec<Diagnostic> = launches.into_iter().flat_map(|launches| mistakes_in(text, &launches)).collect();
    let blocks: Vec<Range<usize>> = starts.map(|start| comment_lines_above(text, start as usize)).collect();
    add_strays(text, &mut found, &strays(text, 0..text.len(), &blocks));
    Diagnostic::sort(&mut found);
    found
}

/// What is wrong with the launches of one entry.
fn mistakes_in(text: &str, launches: &EntryLaunches) -> Vec<Diagnostic> {
    let mut found = certain::mistakes(text, launches);
    let EntryLaunches { entry, directives, .. } = launches;
    let misfits = directives.launches.iter().flat_map(|launch| {
        // What a line in error would give is not missing.
        let has_errors = directives.errors_in(launch).next().is_some();
        if has_errors { bind::wrong_arguments(entry, launch) } else { bind::misfits(entry, launch) }
    });
    found.extend(directives.errors.iter().cloned().chain(misfits).map(|error| diagnostic(&error)));
    found
}

/// Directive lines in a part of a text that stand in none of these blocks, above an entry: nothing would ever carry them
/// out.
fn strays(text: &str, within: Range<usize>, blocks: &[Range<usize>]) -> Vec<LaunchError> {
    let part = &text[within.clone()];
    if !part.contains("//@") {
        return Vec::new();
    }
    // Both the blocks and the lines are in the order of the text.
    let in_block = |start: usize| {
        let next = blocks.partition_point(|block| block.end <= start);
        blocks.get(next).is_some_and(|block| block.contains(&start))
    };
    let is_line_start = |at: usize| at == 0 || text.as_bytes()[at - 1] == b'\n';
    let (mut found, mut at) = (Vec::new(), within.start);
    for line in part.split_inclusive('\n') {
        let begins = is_line_start(at);
        let start = at + (line.len() - line.trim_start().len());
        at += line.len();
        if begins && line.trim_start().starts_with("//@") && !in_block(start) {
            let error = LaunchError { range: start..start + line.trim().len(), message: String::new(), help: None };
            found.push(error);
            if found.len() == MAX_IN_FILE {
                break;
            }
        }
    }
    // One mistake for a run of lines is enough.
    found.dedup_by(|next, first| {
        is_comment(&text[first.range.end..next.range.start]).then(|| first.range.end = next.range.end).is_some()
    });
    for error in &mut found {
        error.range.end = error.range.start + text[error.range.start..].lines().next().map_or(0, str::len);
        error.message = "this launch directive is not directly above an entry, so it is never run".to_string();
        error.help =
            Some("directives must directly precede an `entry`: remove what is between, blank lines too".to_string());
    }
    found
}

/// Adds directives that are above no entry. Lines that a blank line cuts off from them are no mistakes of their own.
fn add_strays(text: &str, found: &mut Vec<Diagnostic>, strays: &[LaunchError]) {
    found.retain(|found| !is_cut_off(text, found, strays));
    found.extend(strays.iter().map(diagnostic));
}

/// Whether a text between two directives holds comments and blank lines only.
fn is_comment(between: &str) -> bool {
    between.lines().map(str::trim).all(|line| line.is_empty() || line.starts_with("//"))
}

/// Whether a line belongs to no launch because a blank line separates it from one that is reported itself.
fn is_cut_off(text: &str, found: &Diagnostic, strays: &[LaunchError]) -> bool {
    let start = found.range.start as usize;
    let before = strays.iter().rev().find(|stray| stray.range.end <= start);
    found.message == NO_LAUNCH && before.is_some_and(|stray| is_comment(&text[stray.range.end..start]))
}

/// A mistake in a directive as a diagnostic.
pub fn diagnostic(error: &LaunchError) -> Diagnostic {
    on_page(&PAGE, error)
}

/// A mistake that keeps a launch from being carried out.
pub fn obstacle(error: &LaunchError) -> Diagnostic {
    on_page(&OBSTACLE, error)
}

fn on_page(page: &'static Page, error: &LaunchError) -> Diagnostic {
    let found = Diagnostic::new(page, error.range.start as u32..error.range.end as u32, error.message.clone());
    match &error.help {
        Some(help) => found.note(help.clone()),
        None => found,
    }
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

    /// What is found in a program whose launches have these directives, code and message of each.
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
        let told = |found: &Diagnostic| format!("{} {} {}", found.page.code, found.message, found.notes.join(" "));
        diagnostics(&db, file).iter().map(told).collect()
    }

    #[test]
    fn a_grid_that_leaves_the_index_space_is_told_before_anything_runs() {
        let launch = |grid: u32| {
            format!("  //@ launch \"g\" grid=({grid}, 1, 1)\n  //@   %p = f32[64] zeros\n  //@   %n = 60\n")
        };
        assert_eq!(found(&launch(8)), [""; 0]);
        let nine = "L0005 `%x` gets to 8, but `%w` has 8 tiles along dimension 0, counted from 0 so it is in the launch \"g\", whose grid is (9, 1, 1)";
        assert_eq!(found(&launch(9)), [nine]);
        assert_eq!(found(&(launch(9) + &launch(10).replace("\"g\"", "\"h\""))), [nine], "once for a place");
        assert_eq!(found(&(launch(9) + "  //@ expect error R0501\n")), [""; 0], "it is meant to go wrong");
    }

    #[test]
    fn what_an_expectation_names_is_a_parameter() {
        let launch = "  //@ launch\n  //@   %p = f32[8] zeros\n  //@   %n = 8\n";
        assert_eq!(found(&format!("{launch}  //@ expect %p == %n * 0\n")), [""; 0]);
        let wrong = ["L0101 the entry `@k` has no parameter `%q` ", "L0101 the entry `@k` has no parameter `%m` "];
        let found = found(&format!("{launch}  //@ expect %q == %m + 1\n"));
        assert!(found.iter().zip(wrong).all(|(found, wrong)| found.starts_with(wrong)), "{found:?}");
        assert_eq!(found.len(), 2);
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
        // One mistake, at the address.
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
            &["L0101 `%p` is not a multicast pointer, but `multicast(%q)` names all replicas of `%q` write `%p = &%q`"],
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
    fn the_block_is_what_stands_directly_above() {
        let text = "// no\n\n// a\n  //@ launch\n  entry @k() {}";
        let block = comment_lines_above(text, text.find("entry").expect("it is there"));
        assert_eq!(&text[block], "// a\n  //@ launch\n");
    }
}
