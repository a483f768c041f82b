//! The puzzles of the course: each has a goal, two hints and a solution with the same launches. The solution passes all
//! of them; the puzzle has no errors, but fails at least one.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::Command;
use tile_analysis::batch::{self, Keep};
use tile_analysis::context::Options;
use tile_analysis::diagnostic::{Diagnostic, Severity};
use tile_tests::{root, tile};

/// How many puzzles the course promises.
const COUNT: usize = 20;

/// A puzzle and its solution.
struct Puzzle {
    /// Its number, from 1.
    number: usize,
    /// The name of both files, such as `01_print.tile`.
    name: String,
    text: String,
    solution: String,
}

impl Puzzle {
    /// The title, between the number and the goal.
    fn title(&self) -> &str {
        let first = self.text.lines().next().unwrap_or_default();
        first.strip_prefix(&format!("// Puzzle {}: ", self.number)).unwrap_or_else(|| panic!("{}: {first}", self.name))
    }
}

fn folder() -> PathBuf {
    root().join("learn")
}

/// The names of the programs in a folder, in order.
fn names(folder: PathBuf) -> Vec<String> {
    let entries = std::fs::read_dir(folder).expect("the folder exists").map(|entry| entry.expect("it is readable"));
    let names = entries.map(|entry| entry.file_name().to_string_lossy().into_owned());
    let mut names: Vec<String> = names.filter(|name| name.ends_with(".tile")).collect();
    names.sort();
    names
}

fn puzzles() -> Vec<Puzzle> {
    let names = names(folder());
    assert_eq!(names, self::names(folder().join("solutions")));
    assert_eq!(names.len(), COUNT);
    let read = |path: PathBuf| std::fs::read_to_string(path).expect("the file is readable");
    let one = |(index, name): (usize, String)| {
        let (text, solution) = (read(folder().join(&name)), read(folder().join("solutions").join(&name)));
        Puzzle { number: index + 1, name, text, solution }
    };
    names.into_iter().enumerate().map(one).collect()
}

/// The lines of a text that directives consist of.
fn directives(text: &str) -> Vec<&str> {
    text.lines().map(str::trim).filter(|line| line.starts_with("//@")).collect()
}

/// The comment at the start of a text, before the first blank line.
fn head(text: &str) -> &str {
    text.split("\n\n").next().unwrap_or_default()
}

/// The comment at the end of a text.
fn tail(text: &str) -> &str {
    text.rsplit("\n\n").next().unwrap_or_default()
}

#[test]
fn every_puzzle_has_a_goal_two_hints_and_a_solution() {
    for puzzle in puzzles() {
        let Puzzle { number, name, text, solution } = &puzzle;
        let title = puzzle.title();
        assert_eq!(*name, format!("{number:02}_{}.tile", title.to_lowercase().replace(' ', "_")));
        assert!(head(text).lines().count() > 2, "{name} has no goal");
        let hints: Vec<&str> = tail(text).split("\n//\n").collect();
        assert_eq!(hints.len(), 2, "{name}");
        for (hint, number) in hints.into_iter().zip(1..) {
            assert!(hint.starts_with(&format!("// Hint {number}: ")), "{name}: {hint}");
            assert!(hint.lines().all(|line| line.starts_with("// ")), "{name}: {hint}");
        }
        let heading = format!("// Solution of puzzle {number}: {title}\n//\n// ");
        assert!(solution.starts_with(&heading), "{name}: the solution does not start with {heading:?}");
        assert!(!directives(text).is_empty(), "{name} has no launch");
        assert_eq!(directives(text), directives(solution), "{name}");
    }
}

#[test]
fn the_table_lists_every_puzzle_in_order() {
    let readme = std::fs::read_to_string(folder().join("README.md")).expect("the file is readable");
    let rows: Vec<&str> = readme.lines().filter_map(|line| line.rsplit_once(" | ")?.0.strip_prefix("| ")).collect();
    let rows: Vec<&str> = rows.into_iter().filter(|row| row.contains("](")).collect();
    let expected = puzzles();
    let expected = expected.iter().map(|puzzle| format!("{} | [{}]({})", puzzle.number, puzzle.title(), puzzle.name));
    assert_eq!(rows, expected.collect::<Vec<String>>());
}

/// The diagnostics of a program, without its launches.
fn check(text: &str) -> Vec<Diagnostic> {
    batch::check(text, Options::default(), |_| Keep::Nothing).diagnostics
}

#[test]
fn the_programs_are_formatted_and_have_no_errors() {
    for Puzzle { name, text, solution, .. } in puzzles() {
        for text in [&text, &solution] {
            assert_eq!(tile_fmt::format(text, &tile_fmt::Options::default()), *text, "{name}");
        }
        assert!(check(&text).iter().all(|found| found.severity != Severity::Error), "{name}");
        assert_eq!(check(&solution), [], "{name}");
    }
}

/// Runs all launches of the course, and returns whether they pass: for each file, by line.
fn results() -> BTreeMap<String, BTreeMap<u64, bool>> {
    let mut command = Command::new(tile());
    command.current_dir(folder()).args(["test", "--output-format", "json-lines", "."]);
    let output = command.output().expect("the command runs");
    let mut found = BTreeMap::<String, BTreeMap<u64, bool>>::new();
    for line in String::from_utf8_lossy(&output.stdout).lines() {
        let event: serde_json::Value = serde_json::from_str(line).expect("each line is JSON");
        match (event["event"].as_str(), event["file"].as_str(), event["row"].as_u64(), event["passed"].as_bool()) {
            (Some("launch"), Some(file), Some(row), Some(passed)) => {
                let name = file.replace('\\', "/").trim_start_matches("./").to_string();
                found.entry(name).or_default().insert(row, passed);
            }
            (Some("done"), ..) => {}
            _ => panic!("{line}"),
        }
    }
    found
}

#[test]
fn solutions_pass_and_puzzles_do_not() {
    let results = results();
    for Puzzle { name, text, .. } in puzzles() {
        let launches = directives(&text).into_iter().filter(|line| line.starts_with("//@ launch")).count();
        let [unsolved, solved] = [&name, &format!("solutions/{name}")].map(|name| &results[name]);
        assert_eq!((unsolved.len(), solved.len()), (launches, launches), "{name}");
        assert!(solved.values().all(|passed| *passed), "{name}: {solved:?}");
        assert!(!unsolved.values().all(|passed| *passed), "{name} passes without being solved");
    }
}
