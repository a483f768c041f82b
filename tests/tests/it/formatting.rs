//! Formatting does not change the meaning: the bytecode, or the errors, are the same before and after.
//!
//! `TILE_CORPUS` names a folder of further programs, such as disassembled kernels. `TILE_CORPUS_SAMPLE` limits their
//! number; the sample is spread evenly over the folder.

use fastrand::Rng;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use tile_analysis::batch::{self, Keep};
use tile_analysis::context::Options;
use tile_analysis::diagnostic::Severity;
use tile_backend::bytecode;
use tile_dialect::Version;
use tile_fmt::format;
use tile_syntax::lex;
use tile_tests::programs;

/// The bytecode of a program, or the codes of its errors.
#[derive(PartialEq, Eq)]
enum Meaning {
    Bytecode(Vec<u8>),
    Errors(Vec<&'static str>),
}

fn meaning(text: &str) -> Meaning {
    let checked = batch::check(text, Options::default(), |_| Keep::Program);
    let errors = checked.diagnostics.iter().filter(|found| found.severity == Severity::Error);
    let mut codes: Vec<&str> = errors.map(|found| found.page.code).collect();
    if codes.is_empty() {
        return match bytecode::of_program(&checked.program(text), None, Version::NEWEST) {
            Ok(bytes) => Meaning::Bytecode(bytes),
            // Valid, but bytecode cannot represent it.
            Err(unsupported) => Meaning::Errors(unsupported.iter().map(|_| "unsupported").collect()),
        };
    }
    codes.sort_unstable();
    Meaning::Errors(codes)
}

/// Describes how formatting changes the meaning of a program; `None` if it does not.
fn changed(text: &str) -> Option<String> {
    let options = tile_fmt::Options::default();
    let formatted = format(text, &options);
    if format(&formatted, &options) != formatted {
        return Some("formatting is not idempotent".to_string());
    }
    match (meaning(text), meaning(&formatted)) {
        (before, after) if before == after => None,
        (Meaning::Errors(before), Meaning::Errors(after)) => Some(format!("{before:?} became {after:?}")),
        (Meaning::Errors(before), _) => Some(format!("{before:?} are gone")),
        (_, Meaning::Errors(after)) => Some(format!("{after:?} are new")),
        _ => Some("the bytecode differs".to_string()),
    }
}

fn check(programs: impl IntoIterator<Item = (String, String)>) {
    let wrong = programs.into_iter().filter_map(|(name, text)| Some(format!("{name}: {}", changed(&text)?)));
    let wrong: Vec<String> = wrong.collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn valid_programs_keep_their_meaning() {
    check(tile_tests::examples().into_iter().chain(programs::every_op()));
    check(tile_analysis::diagnostics::PAGES.iter().map(|page| (page.code.to_string(), page.right.to_string())));
}

#[test]
fn invalid_programs_keep_their_errors() {
    check(tile_analysis::diagnostics::PAGES.iter().map(|page| (page.code.to_string(), page.wrong.to_string())));
}

#[test]
fn upstream_programs_keep_their_meaning() {
    check(programs::upstream_chunks());
}

/// NVIDIA's programs with one mistake each, if `../shared` contains them.
#[test]
fn upstream_mutants_keep_their_errors() {
    let path = tile_tests::root().join("../shared/conformance/mutants.jsonl");
    let Ok(lines) = std::fs::read_to_string(&path) else {
        return tile_tests::skipped(format_args!(
            "no {}, which contains mutants of NVIDIA's programs and is not part of the project",
            path.display()
        ));
    };
    check(lines.lines().map(|line| {
        let mutant: serde_json::Value = serde_json::from_str(line).expect("the line is valid JSON");
        let word = |key: &str| mutant[key].as_str().expect("a mutant has an id and a text").to_string();
        (word("id"), word("text"))
    }));
}

/// Approximate number of tokens of each program to remove, one at a time.
const LOST: usize = 20;

#[test]
fn programs_without_a_token_keep_their_errors() {
    let lacking = |(name, text): (String, String)| {
        let tokens = lex(&text);
        let step = tokens.len().div_ceil(LOST).max(1);
        let lost = (0..tokens.len()).step_by(step).map(|at| {
            let rest = [&text[..tokens.start(at) as usize], &text[tokens.end(at) as usize..]].concat();
            (format!("{name} without token {at}"), rest)
        });
        lost.collect::<Vec<_>>()
    };
    check(tile_tests::examples().into_iter().chain(programs::every_op()).flat_map(lacking));
}

/// Number of mutants of each program, with several random edits each. `TILE_BROKEN_TEXTS` overrides it.
const BROKEN: u64 = 12;

/// Texts as they occur while typing, or after a failed merge.
#[test]
fn broken_texts_keep_their_errors() {
    let count = std::env::var("TILE_BROKEN_TEXTS").ok().and_then(|count| count.parse().ok()).unwrap_or(BROKEN);
    let broken = |(name, text): (String, String)| {
        let words = words(&text);
        (0..count).map(move |seed| (format!("{name} with the edits of seed {seed}"), edited(&words, seed)))
    };
    check(tile_tests::examples().into_iter().chain(programs::every_op()).flat_map(broken));
}

/// The tokens of a text, and the text between them.
fn words(text: &str) -> Vec<String> {
    let tokens = lex(text);
    let ends = (0..tokens.len()).flat_map(|at| [tokens.start(at), tokens.end(at)]);
    let mut cuts: Vec<usize> = ends.map(|at| at as usize).chain([0, text.len()]).collect();
    cuts.sort_unstable();
    cuts.dedup();
    cuts.windows(2).map(|cut| text[cut[0]..cut[1]].to_string()).collect()
}

/// A text with a few words removed, doubled, swapped or replaced, or with its end cut off.
fn edited(words: &[String], seed: u64) -> String {
    let mut random = Rng::with_seed(seed ^ words.len() as u64);
    let mut below = |end: usize| random.usize(..end);
    const OTHERS: [&str; 16] =
        ["{", "}", "(", ")", "<", ">", "\"", ":", ",", "=", "->", "\n", " ", "// x\n", "%a", "entry @e() {"];
    let mut words = words.to_vec();
    for _ in 0..1 + below(4) {
        let (at, other) = (below(words.len()), below(words.len()));
        match below(6) {
            0 | 1 => words[at].clear(),
            2 => words[at] = words[at].repeat(2),
            3 => words.swap(at, other),
            4 => words[at] = OTHERS[below(OTHERS.len())].to_string(),
            _ => words.truncate(at.max(1)),
        }
    }
    words.concat()
}

#[test]
fn corpus_keeps_its_meaning() {
    let Some(folder) = std::env::var_os("TILE_CORPUS") else { return };
    let mut files = Vec::new();
    collect(Path::new(&folder), &mut files);
    files.sort();
    let sample = std::env::var("TILE_CORPUS_SAMPLE").ok().and_then(|count| count.parse().ok());
    let step = (files.len() / sample.unwrap_or(files.len()).max(1)).max(1);
    let files: Vec<PathBuf> = files.into_iter().step_by(step).collect();
    assert!(!files.is_empty(), "no programs in {}", Path::new(&folder).display());
    let (next, wrong) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    let work = || {
        while let Some(path) = files.get(next.fetch_add(1, Ordering::Relaxed)) {
            let text = std::fs::read_to_string(path).expect("the program is readable");
            if let Some(difference) = changed(&text) {
                wrong.lock().expect("no thread panicked").push(format!("{}: {difference}", path.display()));
            }
        }
    };
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| (0..cores).for_each(|_| _ = scope.spawn(work)));
    let wrong = wrong.into_inner().expect("no thread panicked");
    assert!(wrong.is_empty(), "{} of {}\n{}", wrong.len(), files.len(), wrong.join("\n"));
}

fn collect(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            collect(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "mlir" || extension == "tile") {
            found.push(path);
        }
    }
}
