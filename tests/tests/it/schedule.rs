//! `--schedule`: programs that work only by luck fail with some seed, and correct programs with none.

use std::collections::BTreeSet;
use std::process::Command;
use tile_tests::{examples, root, tile};

const LUCKY: &str = "tests/schedule/lucky.tile";

/// The entries of a program.
fn entries(path: &str) -> Vec<String> {
    let text = std::fs::read_to_string(root().join(path)).expect("the program exists");
    let names = text.lines().filter_map(|line| line.trim().strip_prefix("entry @")?.split('(').next());
    names.map(str::to_string).collect()
}

/// Runs an entry; returns whether it succeeds, and its output.
fn runs(path: &str, entry: &str, options: &[&str]) -> (bool, String) {
    let mut run = Command::new(tile());
    run.current_dir(root()).args(["run", path, "--entry", entry, "--timeout", "60"]).args(options);
    let output = run.output().expect("the command runs");
    let report = String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    (output.status.success(), report)
}

#[test]
fn lucky_programs_fail_with_some_seed() {
    for entry in entries(LUCKY) {
        // Most have one block, or blocks too short for a second thread. On a busy machine a second thread can start
        // anyway and break a run, so try several times.
        let lucky = (0..20).any(|_| runs(LUCKY, &entry, &[]).0);
        assert!(lucky, "@{entry} never meets its expectations:\n{}", runs(LUCKY, &entry, &[]).1);
        let fails = |seed: u64| !runs(LUCKY, &entry, &["--schedule", &format!("seed={seed}")]).0;
        assert!((0..20).any(fails), "@{entry} does not fail with any seed");
    }
}

#[test]
fn sanitized_blocks_that_do_not_wait_are_shuffled() {
    let fails = |seed: u64| !runs(LUCKY, "numbers", &["--sanitize", "--schedule", &format!("seed={seed}")]).0;
    assert!(runs(LUCKY, "numbers", &["--sanitize"]).0);
    assert!((0..20).any(fails));
}

#[test]
fn a_seed_determines_the_order() {
    let all = || -> Vec<bool> {
        let seeds = (0..10).map(|seed| format!("seed={seed}"));
        seeds.map(|seed| runs(LUCKY, "loop", &["--schedule", &seed]).0).collect()
    };
    assert_eq!(all(), all());
}

/// The launches that fail among some files.
fn failing(paths: &[&str], seed: u64) -> BTreeSet<String> {
    let mut test = Command::new(tile());
    test.current_dir(root()).arg("test").args(paths).args(["--schedule", &format!("seed={seed}"), "--timeout", "600"]);
    let output = test.output().expect("the command runs");
    let report = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(report.contains("ok "), "{report}{}", String::from_utf8_lossy(&output.stderr));
    report.lines().filter(|line| line.starts_with("FAIL")).map(str::to_string).collect()
}

#[test]
fn ordered_programs_pass_with_every_seed() {
    const ORDERED: &str = "tests/schedule/ordered.tile";
    for seed in 0..20 {
        assert_eq!(failing(&[ORDERED], seed), BTreeSet::new(), "seed {seed}");
        for entry in entries(ORDERED) {
            let (passed, report) = runs(ORDERED, &entry, &["--schedule", &format!("seed={seed}")]);
            assert!(passed, "@{entry} with seed {seed}:\n{report}");
        }
    }
}

#[test]
fn examples_pass_with_several_seeds() {
    for seed in 1..3 {
        assert_eq!(failing(&["examples"], seed), BTreeSet::new(), "seed {seed}");
    }
}

/// The named launches of a program: entry and name.
fn launches(text: &str) -> Vec<(String, String)> {
    let (mut names, mut found) = (Vec::new(), Vec::new());
    for line in text.lines().map(str::trim) {
        if let Some(rest) = line.strip_prefix("//@ launch \"") {
            names.extend(rest.split('"').next().map(str::to_string));
        } else if let Some(entry) = line.strip_prefix("entry @").and_then(|rest| rest.split('(').next()) {
            found.extend(names.drain(..).map(|name| (entry.to_string(), name)));
        }
    }
    found
}

#[test]
fn examples_pass_with_shuffled_blocks() {
    // Without the sanitizer, because with it blocks that can wait for each other keep their order.
    let mut count = 0;
    for (path, text) in examples() {
        for (index, (entry, name)) in launches(&text).into_iter().enumerate() {
            let seed = format!("seed={index}");
            let (passed, report) = runs(&path, &entry, &["--launch", &name, "--schedule", &seed]);
            assert!(passed, "{path} @{entry} {name:?} with {seed}:\n{report}");
            count += 1;
        }
    }
    assert!(count > 50, "only {count} launches ran");
}

#[test]
fn findings_do_not_depend_on_the_seed() {
    assert_eq!(failing(&["tests/sanitize"], 5), BTreeSet::new());
}

#[test]
fn invalid_schedules_are_rejected() {
    for wrong in ["5", "seed=", "seed=-1", "seed=x", "order=1"] {
        for command in ["run", "test"] {
            let output = Command::new(tile()).current_dir(root()).args([command, LUCKY, "--schedule", wrong]).output();
            let output = output.expect("the command runs");
            let report = String::from_utf8_lossy(&output.stderr);
            assert_eq!(output.status.code(), Some(2), "{command} {wrong}: {report}");
            assert!(report.contains("seed=N"), "{report}");
        }
    }
}
