//! The examples: they are valid, meet their expectations, and fixes turn the old spelling into the new one.

use std::process::Command;
use std::sync::Arc;
use tile_analysis::context::Options;
use tile_analysis::db::{Database, File, diagnostics};
use tile_analysis::diagnostic::{Diagnostic, Severity};
use tile_tests::{examples, root, tile};

fn check(text: &str) -> Vec<Diagnostic> {
    let db = Database::default();
    let file = File::new(&db, Arc::from(text), Options::default());
    let mut found = diagnostics(&db, file);
    found.extend(tile_launch::find::diagnostics(&db, file));
    found
}

#[test]
fn every_example_checks_clean() {
    for (name, text) in examples() {
        let found = check(&text);
        let is_quoted = name.contains("chapter");
        let allowed = |found: &Diagnostic| is_quoted && found.severity != Severity::Error;
        assert!(found.iter().all(allowed), "{name}: {found:#?}");
    }
}

#[test]
fn every_example_meets_its_expectations() {
    let output =
        Command::new(tile()).current_dir(root()).args(["test", "examples"]).output().expect("the command runs");
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{text}\n{}", String::from_utf8_lossy(&output.stderr));
    for (name, _) in examples() {
        let name = name.replace('/', std::path::MAIN_SEPARATOR_STR);
        assert!(text.contains(&format!("ok   {name}")), "{name} has no launch\n{text}");
    }
}

/// The text with the first fix of every diagnostic applied.
fn fixed(text: &str) -> String {
    let mut edits: Vec<_> =
        check(text).into_iter().filter_map(|found| found.fixes.into_iter().next()).flat_map(|fix| fix.edits).collect();
    edits.sort_by_key(|edit| std::cmp::Reverse(edit.range.start));
    let mut fixed = text.to_string();
    for edit in edits {
        fixed.replace_range(edit.range.start as usize..edit.range.end as usize, &edit.content);
    }
    fixed
}

/// Runs a program and returns its output.
fn printed(text: &str) -> String {
    let folder = tempfile::tempdir().expect("a temporary folder is created");
    let path = folder.path().join("program.tile");
    std::fs::write(&path, text).expect("the file is written");
    let output = Command::new(tile()).arg("run").arg(&path).output().expect("the command runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout).into_owned()
}

#[test]
fn fixes_modernize_the_chapters_programs() {
    for (name, text) in examples().into_iter().filter(|(name, _)| name.contains("chapter")) {
        assert!(!check(&text).is_empty(), "{name} has no diagnostics");
        let new = fixed(&text);
        assert_eq!(check(&new), [], "{name}\n{new}");
        assert_eq!(printed(&text), printed(&new), "{name}");
    }
}
