//! The pages of the diagnostics: the wrong program of each page has the diagnostic, the right one has none.

use std::process::Command;
use std::sync::Arc;
use tile_analysis::context::Options;
use tile_analysis::db::{Database, File, diagnostics};
use tile_analysis::diagnostic::Page;
use tile_analysis::diagnostics::accesses;
use tile_analysis::program::Program;
use tile_dialect::{Gpu, Version};
use tile_tests::tile;

fn codes(text: &str) -> Vec<&'static str> {
    codes_with(Options::default(), text)
}

fn codes_with(options: Options, text: &str) -> Vec<&'static str> {
    let db = Database::default();
    let file = File::new(&db, Arc::from(text), options);
    let front = diagnostics(&db, file).into_iter().map(|found| found.page.code);
    let launches = tile_launch::find::diagnostics(&db, file).into_iter().map(|found| found.page.code);
    front.chain(launches).collect()
}

/// Diagnostics that occur only before 13.5.
const OF_13_4: [&str; 3] = ["E0801", "L0012", "L0013"];

#[test]
fn the_wrong_program_of_a_page_has_its_diagnostic() {
    // Those about accesses are hints about valid programs, see `access_lints.rs`.
    let of_program = tile_analysis::diagnostics::PAGES.iter().copied().filter(|page| !accesses::PAGES.contains(page));
    for page in of_program.chain([&tile_launch::find::PAGE]) {
        // Some diagnostics need an older version: about newer features, or about rules of 13.5 as warnings.
        let version = if OF_13_4.contains(&page.code) { Version::V13_4 } else { Version::NEWEST };
        let preview = page.name == "preview-rule";
        // Only this diagnostic needs a GPU.
        let gpu = (page.code == "E0804").then_some(Gpu::Sm90);
        let found = codes_with(Options { version, preview, gpu, ..Options::default() }, page.wrong);
        assert!(found.contains(&page.code), "{}: found {found:?} in\n{}", page.code, page.wrong);
        let found = codes_with(Options { preview, gpu, ..Options::default() }, page.right);
        assert_eq!(found, [""; 0], "{}: in the right program\n{}", page.code, page.right);
    }
}

#[test]
fn the_wrong_program_of_the_bytecode_page_is_rejected() {
    let page = &tile_backend::bytecode::PAGE;
    let refused = |text: &str| {
        let db = Database::default();
        let file = File::new(&db, Arc::from(text), Options::default());
        assert_eq!(diagnostics(&db, file), []);
        let found =
            tile_backend::bytecode::of_program(&Program::of(&db, file), None, Version::V13_1).err().unwrap_or_default();
        found.into_iter().map(|found| found.page.code).collect::<Vec<_>>()
    };
    assert_eq!((refused(page.wrong), refused(page.right)), (vec![page.code], vec![]));
}

/// Runs a program with the sanitizer and a timeout; returns the exit status and the text of both outputs.
fn run(program: &str, seconds: &str) -> (Option<i32>, String) {
    let folder = tempfile::tempdir().expect("a temporary folder is created");
    let path = folder.path().join("program.tile");
    std::fs::write(&path, program).expect("the file is written");
    let output = Command::new(tile()).arg("run").arg("--sanitize").args(["--timeout", seconds]).arg(&path).output();
    let output = output.expect("the program runs");
    let text = [output.stdout, output.stderr].concat();
    (output.status.code(), String::from_utf8_lossy(&text).into_owned())
}

#[test]
fn a_launch_can_expect_every_finding() {
    let codes: Vec<&str> = tile_engine::findings::PAGES.iter().map(|page| page.code).collect();
    assert_eq!(tile_launch::expect::FINDINGS.to_vec(), codes);
}

#[test]
fn a_run_reports_the_finding_of_a_wrong_program() {
    for page in tile_engine::findings::PAGES.iter().copied().filter(|page| !is_of_the_engine(page)) {
        for program in [page.wrong, page.right] {
            let errors = codes(program).iter().any(|code| code.starts_with('E'));
            assert!(!errors, "{}: the program is valid, but has {:?}\n{program}", page.code, codes(program));
        }
        // R0402 is about endless programs, which run into the timeout.
        let seconds = if page.code == "R0402" { "5" } else { "60" };
        let (status, text) = run(page.wrong, seconds);
        assert!(status == Some(1) && text.contains(page.code), "{}: {status:?}\n{}\n{text}", page.code, page.wrong);
        let (status, text) = run(page.right, "60");
        assert_eq!(status, Some(0), "{}: the right program runs\n{}\n{text}", page.code, page.right);
    }
}

/// Findings that a valid launch of a valid program cannot have: they guard the engine's API.
fn is_of_the_engine(page: &Page) -> bool {
    matches!(page.name, "argument-mismatch" | "not-supported")
}

#[test]
fn codes_are_unique_and_sorted() {
    let pages: Vec<&Page> = tile_analysis::diagnostics::PAGES.iter().copied().chain(tile_backend::pages()).collect();
    let mut codes: Vec<&str> = pages.iter().map(|page| page.code).collect();
    let all = codes.len();
    codes.sort_unstable();
    codes.dedup();
    assert_eq!(codes.len(), all);
}

#[test]
fn pages_say_what_why_and_how() {
    let topics = tile_backend::topics();
    let is_known = |term: &&str| {
        tile_backend::all_pages().any(|page| page.code == *term)
            || topics.iter().any(|topic| topic.name() == *term || topic.key() == *term)
    };
    for page in tile_backend::all_pages() {
        let code = page.code;
        let sentences = page.text.matches(". ").count() + page.text.matches(".\n").count() + 1;
        assert!(sentences > 1, "{code}: the text needs more than one sentence:\n{}", page.text);
        assert!(page.fix.ends_with(['.', '`', ')', '|']), "{code}: how is it fixed?\n{}", page.fix);
        assert!(!page.see.is_empty() && !page.see.contains(&code), "{code}: what is related to it? {:?}", page.see);
        let unknown: Vec<_> = page.see.iter().filter(|term| !is_known(term)).collect();
        assert!(unknown.is_empty(), "{code}: neither a code nor a term of `tile doc`: {unknown:?}");
        let is_long = |line: &&str| !line.starts_with('|') && line.chars().count() > 100;
        assert_eq!([page.text, page.fix].into_iter().flat_map(str::lines).find(is_long), None, "{code}: too long");
    }
}
