//! The rules of the language, as data: `cases/*.tile` contain programs with the expected diagnostics under each line.
//!
//! `// -----` lines separate the cases of a file. A case starts with `//!` lines, which describe it and set options:
//!
//! - `//! version 13.3`: the version to check against; defaults to the newest;
//! - `//! gpu sm_90`: the GPU that the program is for;
//! - `//! given %a: tile<4xf32>, …`: values that the statements can use;
//! - `//! preview`: the SIMT preview is allowed;
//! - `//! any names`: the op names of every version are accepted, as in `tile build`;
//! - `//! safe fixes`: `// fixed` is followed by the result of `tile check --fix`.
//!
//! Statements without a module are wrapped in an entry. A line such as `//   ^^^ E0301: message` expects that
//! diagnostic at the text above the carets. A missing diagnostic fails the test, and so does an unexpected one. A
//! `// fixed` line is followed by the program after the first fix of each diagnostic; that program must have no
//! diagnostics.
//!
//! `UPDATE_CASES=1 cargo test -p tile-analysis --test it cases` writes the actual diagnostics into the files; review
//! the diff.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tile_analysis::context::Options;
use tile_analysis::db::{Database, File, diagnostics};
use tile_analysis::diagnostic::{Applicability, Diagnostic, Edit};
use tile_analysis::fixes::fix_all;
use tile_dialect::{Gpu, Version};

const CUT: &str = "// -----";
const FIXED: &str = "// fixed";

#[test]
fn every_case_reports_the_expected_diagnostics() {
    let update = std::env::var_os("UPDATE_CASES").is_some();
    let mut failures = Vec::new();
    for path in files() {
        let text = std::fs::read_to_string(&path).expect("the case file is readable");
        let cases: Vec<&str> = text.split_inclusive('\n').collect();
        let cases = cases.split(|line| line.trim_end() == CUT).map(|lines| lines.concat());
        let cases: Vec<(String, String)> = cases.map(|case| (Case::read(&case).found(), case)).collect();
        for (found, case) in cases.iter().filter(|(found, case)| found != case) {
            failures.push(format!("{}:\n{case}\nbut found:\n{found}", path.display()));
        }
        if update {
            let found: Vec<String> = cases.into_iter().map(|(found, _)| found).collect();
            std::fs::write(&path, found.join(&format!("{CUT}\n"))).expect("the case file is writable");
        }
    }
    assert!(update || failures.is_empty(), "{} cases differ\n\n{}", failures.len(), failures.join("\n\n"));
}

#[test]
fn fixes_remove_their_diagnostics() {
    let mut failures = String::new();
    for path in files() {
        let text = std::fs::read_to_string(&path).expect("the case file is readable");
        for case in text.split(&format!("{CUT}\n")).map(Case::read).filter(|case| case.fixed && !case.safe) {
            let (before, body, after) = case.program();
            let program = [before.as_str(), &body, &after].concat();
            let fixed = first_fixes(&program, &case.check(&program));
            let left = case.check(&fixed);
            if !left.is_empty() {
                let left: Vec<String> =
                    left.iter().map(|found| format!("{}: {}", found.page.code, found.message)).collect();
                _ = writeln!(failures, "{}: after its fixes the program has {left:?}\n{fixed}", path.display());
            }
        }
    }
    assert!(failures.is_empty(), "{failures}");
}

fn files() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases");
    let mut files: Vec<PathBuf> =
        std::fs::read_dir(folder).expect("the folder of cases exists").flatten().map(|file| file.path()).collect();
    files.sort();
    files
}

/// A case without its expected diagnostics.
struct Case {
    /// The `//!` lines.
    head: String,
    /// The program's lines, without marks.
    body: String,
    version: Version,
    gpu: Option<Gpu>,
    given: Option<String>,
    /// Whether fixes are applied.
    fixed: bool,
    /// Whether only safe fixes are applied.
    safe: bool,
    /// Whether preview content is allowed.
    preview: bool,
    /// Whether the op names of every version are accepted.
    any_names: bool,
}

impl Case {
    fn read(text: &str) -> Case {
        let text_before = text.split_once(&format!("{FIXED}\n")).map_or(text, |(before, _)| before);
        let lines = || text_before.split_inclusive('\n');
        let option = |name: &str| {
            let mut options = lines().filter_map(|line| line.strip_prefix("//! ")?.strip_prefix(name));
            options.next().map(|value| value.trim().to_string())
        };
        let version = option("version ").map(|name| Version::from_name(&name).expect("a known version"));
        Case {
            head: lines().filter(|line| line.starts_with("//!")).collect(),
            body: lines().filter(|line| !line.starts_with("//!") && !is_mark(line)).collect(),
            version: version.unwrap_or(Version::NEWEST),
            gpu: option("gpu ").map(|name| Gpu::parse(&name).expect("a known GPU")),
            given: option("given "),
            fixed: text_before.len() != text.len(),
            preview: lines().any(|line| line.trim_end() == "//! preview"),
            any_names: lines().any(|line| line.trim_end() == "//! any names"),
            safe: lines().any(|line| line.trim_end() == "//! safe fixes"),
        }
    }

    /// Returns the program in three parts: the text before the case's own text, that text, and the text after it.
    fn program(&self) -> (String, String, String) {
        let (before, after) = match &self.given {
            Some(given) => (format!("cuda_tile.module @m {{ testing$func @f({given}) {{\n"), "return }\n}\n"),
            None if self.body.contains("module") || self.body.contains("entry") => (String::new(), ""),
            None => ("cuda_tile.module @m { entry @k() {\n".to_string(), "return }\n}\n"),
        };
        (before, self.body.clone(), after.to_string())
    }

    fn check(&self, program: &str) -> Vec<Diagnostic> {
        let db = Database::default();
        let (version, gpu, preview, upstream_tests) = (self.version, self.gpu, self.preview, self.given.is_some());
        let any_names = self.any_names;
        let options = Options { version, gpu, preview, upstream_tests, any_names, ..Options::default() };
        diagnostics(&db, File::new(&db, Arc::from(program), options))
    }

    /// Returns the program after all safe fixes.
    fn safely_fixed(&self, program: &str, found: &[Diagnostic]) -> String {
        let fixed = fix_all(program, found, Applicability::Safe, |text| self.check(text));
        fixed.map_or_else(|| program.to_string(), |fixed| fixed.text)
    }

    /// Returns the case with the diagnostics that are actually reported.
    fn found(&self) -> String {
        let (before, body, after) = self.program();
        let program = [before.as_str(), &body, &after].concat();
        let found = self.check(&program);
        let mut out = self.head.clone();
        let mut start = before.len();
        for line in body.split_inclusive('\n') {
            out.push_str(line);
            let end = start + line.len();
            let here = found.iter().filter(|found| (start..end).contains(&(found.range.start as usize)));
            here.for_each(|found| out.push_str(&mark(line, found, start)));
            start = end;
        }
        // Diagnostics after the last line belong to the text that closes the program.
        let outside = |found: &&Diagnostic| !(before.len()..start).contains(&(found.range.start as usize));
        for found in found.iter().filter(outside) {
            _ = writeln!(out, "// ^ {}: {}", found.page.code, found.message);
        }
        if self.fixed {
            let fixed = if self.safe { self.safely_fixed(&program, &found) } else { first_fixes(&program, &found) };
            let body = fixed.strip_prefix(before.as_str()).unwrap_or(&fixed);
            let body = body.strip_suffix(after.as_str()).unwrap_or(body);
            _ = write!(out, "{FIXED}\n{body}");
        }
        out
    }
}

/// Returns the line of carets under a line of the program.
fn mark(line: &str, found: &Diagnostic, start: usize) -> String {
    let line_end = line.trim_end().len();
    let from = (found.range.start as usize - start).min(line_end);
    let to = (found.range.end as usize - start).min(line_end).max(from + 1);
    let column = line[..from].chars().count();
    let width = line.get(from..to).map_or(1, |text| text.chars().count());
    // Before the third column `//` leaves no space for carets.
    let (blanks, width) = if column < 2 { (0, (width + column).saturating_sub(2).max(1)) } else { (column - 2, width) };
    format!("//{}{} {}: {}\n", " ".repeat(blanks), "^".repeat(width), found.page.code, found.message)
}

fn is_mark(line: &str) -> bool {
    let carets = line.strip_prefix("//").map(str::trim_start);
    carets.is_some_and(|rest| rest.starts_with('^'))
}

/// Returns the program after the first fix of each diagnostic.
fn first_fixes(program: &str, found: &[Diagnostic]) -> String {
    let mut edits: Vec<&Edit> =
        found.iter().filter_map(|found| found.fixes.first()).flat_map(|fix| &fix.edits).collect();
    edits.sort_by_key(|edit| (edit.range.start, edit.range.end));
    edits.dedup();
    let mut out = program.to_string();
    for edit in edits.into_iter().rev() {
        out.replace_range(edit.range.start as usize..edit.range.end as usize, &edit.content);
    }
    out
}
