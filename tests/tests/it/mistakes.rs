//! Snapshots of the diagnostics for typical mistakes.
//!
//! Each program in `mistakes/` contains one mistake, in the folder of the language or tool that its author is used to.
//! The `.snap` file next to it contains the output of `tile check` and the effect of each fix. After changing a
//! message, run
//!
//! ```sh
//! INSTA_UPDATE=always cargo test -p tile-tests --test it mistakes
//! ```
//!
//! and read the diff as the author of the mistake would: does the message point at the cause, in that author's terms,
//! and is its suggestion right, if it makes one?

use codespan_reporting::term::termcolor::NoColor;
use std::fmt::Write;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use tile_analysis::context::Options;
use tile_analysis::diagnostic::{Applicability, Diagnostic, Fix, Severity};
use tile_analysis::fixes;
use tile_analysis::lines::Lines;
use tile_analysis::render::{self, Source};
use tile_launch::find;
use tile_tests::root;

/// Minimum size of the corpus.
const MIN_PROGRAMS: usize = 250;

/// The folder whose programs are checked with the SIMT preview.
const PREVIEW: &str = "preview";

#[test]
fn triton() {
    check("triton");
}

#[test]
fn cutile() {
    check("cutile");
}

#[test]
fn mlir() {
    check("mlir");
}

#[test]
fn cuda() {
    check("cuda");
}

#[test]
fn numpy() {
    check("numpy");
}

#[test]
fn typos() {
    check("typos");
}

#[test]
fn multicast() {
    check("multicast");
}

/// Programs that are checked with the SIMT preview enabled.
#[test]
fn preview() {
    check(PREVIEW);
}

#[test]
fn every_program_has_a_snapshot_and_vice_versa() {
    let folders = files(&corpus());
    let of = |extension| folders.iter().flat_map(move |folder| with_extension(folder, extension));
    let alone = |path: &PathBuf, other| !path.with_extension(other).exists();
    let alone: Vec<PathBuf> =
        of("tile").filter(|path| alone(path, "snap")).chain(of("snap").filter(|path| alone(path, "tile"))).collect();
    assert!(alone.is_empty(), "a program without a snapshot, or a snapshot without a program: {alone:#?}");
    assert!(of("tile").count() >= MIN_PROGRAMS, "the corpus has become too small");
}

/// Compares the output for each program of a folder with its snapshot; reports all that differ in one failure.
fn check(folder: &str) {
    let folder = corpus().join(folder);
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path(&folder);
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    let differs = |program: &PathBuf| {
        let name = program.file_stem().expect("a program has a name").to_string_lossy().into_owned();
        let output = output(program);
        let compare = || settings.bind(|| insta::assert_snapshot!(name, output));
        catch_unwind(AssertUnwindSafe(compare)).is_err()
    };
    let different: Vec<PathBuf> = with_extension(&folder, "tile").filter(differs).collect();
    assert!(different.is_empty(), "the output differs from the snapshot: {different:#?}");
}

fn corpus() -> PathBuf {
    root().join("tests/mistakes").canonicalize().expect("the corpus exists")
}

/// The entries of a folder, sorted.
fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).expect("the folder is readable");
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.expect("the folder is readable").path()).collect();
    paths.sort();
    paths
}

fn with_extension(folder: &Path, extension: &'static str) -> impl Iterator<Item = PathBuf> {
    files(folder).into_iter().filter(move |path| path.extension().is_some_and(|it| it == extension))
}

/// The output of `tile check` for a program, and the effect of each fix.
fn output(program: &Path) -> String {
    let text = std::fs::read_to_string(program).expect("the program is readable");
    let name = program.file_name().expect("a program has a name").to_string_lossy();
    let lines = Lines::new(&text);
    let source = Source { name: &name, text: &text, lines: &lines };
    let preview = program.parent().is_some_and(|folder| folder.ends_with(PREVIEW));
    let found = find::check(&text, Options { preview, ..Options::default() });
    let mut shown = NoColor::new(Vec::new());
    // Only editors show hints.
    for found in found.iter().filter(|found| found.severity != Severity::Hint) {
        render::full(&mut shown, &source, found).expect("writing to memory succeeds");
    }
    let mut output = String::from_utf8(shown.into_inner()).expect("diagnostics are UTF-8");
    for found in &found {
        found.fixes.iter().for_each(|fix| output += &effect(&text, found, fix));
    }
    if output.is_empty() {
        output += "nothing found\n";
    }
    output.lines().map(str::trim_end).collect::<Vec<_>>().join("\n")
}

/// A fix: its title, whether `tile check --fix` applies it, and the lines that it changes.
fn effect(text: &str, found: &Diagnostic, fix: &Fix) -> String {
    let is_safe = fixes::chosen(&found.fixes, Applicability::Safe) == Some(fix);
    let how = if is_safe { "applied by --fix" } else { "only offered" };
    let mut edits = fix.edits.clone();
    edits.sort_by_key(|edit| edit.range.start);
    let fixed = fixes::apply(text, &edits);
    let mut effect = format!("{}: {} ({how})\n", found.page.code, fix.title);
    let (before, after) = changed_lines(text, &fixed);
    before.iter().for_each(|line| _ = writeln!(effect, "- {line}"));
    after.iter().for_each(|line| _ = writeln!(effect, "+ {line}"));
    effect
}

/// The lines of two texts without their common prefix and suffix.
fn changed_lines<'t>(before: &'t str, after: &'t str) -> (Vec<&'t str>, Vec<&'t str>) {
    let (before, after): (Vec<&str>, Vec<&str>) = (before.lines().collect(), after.lines().collect());
    let shorter = before.len().min(after.len());
    let start = before.iter().zip(&after).take_while(|(a, b)| a == b).count();
    let ends = before.iter().rev().zip(after.iter().rev()).take_while(|(a, b)| a == b).count();
    let end = ends.min(shorter - start);
    (before[start..before.len() - end].to_vec(), after[start..after.len() - end].to_vec())
}
