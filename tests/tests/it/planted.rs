//! The sanitizer's figures: correct kernels of `sanitize/planted/` without a finding, and the same kernels with one
//! planted bug each, which has the expected finding at the expected op.
//!
//! A bug is a comment `//~ CODE at NAME: OLD => NEW`: the first `OLD` after it is replaced, and the finding with that
//! code is at the op whose line begins with `NAME`. If `CODE` is `missed`, the sanitizer does not find the bug; its
//! documentation says why.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use tile_tests::{root, tile};

/// A kernel with a planted bug.
struct Planted {
    /// The group of kernels: the stem of its file.
    group: String,
    /// The bug, for messages.
    bug: String,
    /// The program: a module with this entry only.
    text: String,
    code: String,
    /// The line of the finding, counted from 1.
    line: usize,
}

/// The entries of a program: the text before the first one, and each with its launch directives.
fn entries(text: &str) -> (String, Vec<String>) {
    let lines: Vec<&str> = text.lines().collect();
    let ends: Vec<usize> = (0..lines.len()).filter(|&index| lines[index] == "  }").collect();
    let header = lines.iter().position(|line| line.starts_with("cuda_tile.module")).expect("there is a module");
    let starts = std::iter::once(header + 1).chain(ends.iter().map(|end| end + 1));
    let entries = starts.zip(&ends).map(|(start, &end)| lines[start..=end].join("\n")).collect();
    (lines[..=header].join("\n"), entries)
}

/// The number of launches of a program.
fn launches(text: &str) -> usize {
    text.lines().filter(|line| line.trim_start().starts_with("//@ launch")).count()
}

/// The bugs of an entry.
fn planted(group: &str, header: &str, entry: &str) -> Vec<Planted> {
    let mut found = Vec::new();
    for (start, line) in entry.match_indices("//~ ").map(|(start, _)| (start, entry[start..].lines().next().unwrap())) {
        let parse = || {
            let (code, rest) = line.strip_prefix("//~ ")?.split_once(" at ")?;
            let (name, rest) = rest.split_once(": ")?;
            let (old, new) = rest.split_once(" =>")?;
            Some((code, name, old, new.strip_prefix(' ').unwrap_or(new)))
        };
        let (code, name, old, new) = parse().unwrap_or_else(|| panic!("{group}: {line}"));
        let (before, after) = entry.split_at(start + line.len());
        let after = without_bugs(after);
        assert!(after.contains(old), "{group}: nothing to replace for {line}");
        let text = format!("{header}\n{}\n{}\n}}\n", without_bugs(before), after.replacen(old, new, 1));
        let begins = |line: &str| {
            let rest = line.trim_start().strip_prefix(name);
            rest.is_some_and(|rest| rest.starts_with([' ', ',', ':']))
        };
        let line_number = text.lines().position(begins).unwrap_or_else(|| panic!("{group}: no line of {name}: {line}"));
        let (group, bug, code) = (group.to_string(), line.to_string(), code.to_string());
        found.push(Planted { group, bug, text, code, line: line_number + 1 });
    }
    found
}

fn without_bugs(text: &str) -> String {
    text.lines().filter(|line| !line.trim_start().starts_with("//~ ")).collect::<Vec<_>>().join("\n")
}

fn files() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("sanitize/planted");
    let entries = std::fs::read_dir(folder).expect("the folder exists");
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.expect("the folder is readable").path()).collect();
    paths.sort();
    paths
}

/// The programs in a folder of tests, without those in its folders. Another test checks what they find.
fn programs(folder: &str) -> Vec<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    let entries = std::fs::read_dir(folder).expect("the folder exists");
    let paths = entries.map(|entry| entry.expect("the folder is readable").path());
    let paths = paths.filter(|path| path.extension().is_some_and(|end| end == "tile"));
    paths.map(|path| std::fs::read_to_string(path).expect("the file is readable")).collect()
}

fn examples() -> Vec<String> {
    tile_tests::examples().into_iter().map(|(_, text)| text).collect()
}

/// Runs the launches of a program and returns the report and whether all passed.
fn run(path: &Path) -> (String, bool) {
    let output = Command::new(tile()).arg("test").arg(path).output().expect("the program runs");
    let report = String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    (report, output.status.success())
}

/// The code and the line of the first finding in a report.
fn finding(report: &str) -> Option<(&str, usize)> {
    let (_, rest) = report.split_once("error[")?;
    let (code, rest) = rest.split_once(']')?;
    let location = rest.lines().nth(1)?;
    Some((code, location.rsplit(':').nth(1)?.parse().ok()?))
}

#[test]
fn planted_bugs_are_found_and_correct_kernels_pass() {
    let folder = tempfile::tempdir().expect("a temporary folder is created");
    let (mut figures, mut problems): (BTreeMap<String, [usize; 4]>, String) = Default::default();
    for path in files() {
        let text = std::fs::read_to_string(&path).expect("the file is readable");
        let group = path.file_stem().expect("a file has a name").to_string_lossy().into_owned();
        let row = figures.entry(group.clone()).or_default();
        let (header, entries) = entries(&text);
        let (report, _) = run(&path);
        row[2] += launches(&text);
        row[3] += report.matches("FAIL ").count();
        if row[3] > 0 {
            writeln!(problems, "{report}").expect("text is writable");
        }
        for planted in entries.iter().flat_map(|entry| planted(&group, &header, entry)) {
            let copy = folder.path().join("program.tile");
            std::fs::write(&copy, &planted.text).expect("the file is written");
            let (report, passed) = run(&copy);
            row[0] += 1;
            match finding(&report).filter(|_| !passed) {
                Some((code, line)) if code == planted.code && line == planted.line => row[1] += 1,
                None if planted.code == "missed" => {}
                found => {
                    let Planted { group, bug, line, .. } = planted;
                    writeln!(problems, "{group}: {bug}: expected line {line}, found {found:?}\n{report}")
                        .expect("text is writable");
                }
            }
        }
    }
    for (group, files) in [("launches", programs("sanitize")), ("examples", examples())] {
        let row = figures.entry(group.to_string()).or_default();
        for text in files {
            let planted = text.matches("//@ expect error R").count();
            let correct = launches(&text) - planted;
            row.iter_mut().zip([planted, planted, correct]).for_each(|(total, count)| *total += count);
        }
    }
    let mut table = "group            planted  found  correct  false alarms\n".to_string();
    let mut total = [0; 4];
    for (group, row) in &figures {
        total.iter_mut().zip(row).for_each(|(total, count)| *total += count);
        writeln!(table, "{group:<16} {:>7} {:>6} {:>8} {:>13}", row[0], row[1], row[2], row[3])
            .expect("text is writable");
    }
    writeln!(table, "{:<16} {:>7} {:>6} {:>8} {:>13}", "total", total[0], total[1], total[2], total[3])
        .expect("text is writable");
    assert!(problems.is_empty(), "{problems}\n{table}");
    let kept = root().join("tests/sanitizer.txt");
    if std::env::var_os("INSTA_UPDATE").is_some_and(|update| update == "always") {
        std::fs::write(&kept, &table).expect("the file is written");
    }
    assert_eq!(std::fs::read_to_string(kept).unwrap_or_default(), table, "run with INSTA_UPDATE=always to update");
}
