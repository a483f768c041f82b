//! `--schedule`: programs that are right by luck fail in some order, and the others in none.

use std::collections::BTreeSet;
use std::process::Command;
use tile_tests::{examples, root, tile};

const LUCKY: &str = "tests/schedule/lucky.tile";

/// The entries of a program.
fn entries(path: &str) -> Vec<String> {
    let text = std::fs::read_to_string(root().join(path)).expect("the program is there");
    let names = text.lines().filter_map(|line| line.trim().strip_prefix("entry @")?.split('(').next());
    names.map(str::to_string).collect()
}

/// Whether a run of an entry does what is expected, and all that it says.
fn runs(path: &str, entry: &str, options: &[&str]) -> (bool, String) {
    let mut run = Command::new(tile());
    run.current_dir(root()).args(["run", path, "--entry", entry, "--timeout", "60"]).args(options);
    let output = run.output().expect("it runs");
    let said = String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    (output.status.success(), said)
}

#[test]
fn what_is_right_by_luck_fails_with_some_seed() {
    for entry in entries(LUCKY) {
        // Most have one block, or blocks too short for a second thread. On a busy machine a second thread may start all the
        // same, and the luck of one run is over.
        let lucky = (0..20).any(|_| runs(LUCKY, &entry, &[]).0);
        assert!(lucky, "@{entry} never does what is expected:\n{}", runs(LUCKY, &entry, &[]).1);
        let fails = |seed: u64| !runs(LUCKY, &entry, &["--schedule", &format!("seed={seed}")]).0;
        assert!((0..20).any(fails), "@{entry} fails with no seed");
    }
}

#[test]
fn a_seed_always_picks_the_same_order() {
    let all = || -> Vec<bool> {
        let seeds = (0..10).map(|seed| format!("seed={seed}"));
        seeds.map(|seed| runs(LUCKY, "loop", &["--schedule", &seed]).0).collect()
    };
    assert_eq!(all(), all());
}

/// The launches that fail among some files.
fn failing(paths: &[&str], seed: u64) -> BTreeSet<String> {
    let mut test = Command::new(tile());
    test.current_dir(root()).arg("test").args(paths).args(["--schedule", &format!("seed={seed}")]);
    let output = test.output().expect("it runs");
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(said.contains("ok "), "{said}{}", String::from_utf8_lossy(&output.stderr));
    said.lines().filter(|line| line.starts_with("FAIL")).map(str::to_string).collect()
}

#[test]
fn what_is_ordered_does_the_same_with_every_seed() {
    const ORDERED: &str = "tests/schedule/ordered.tile";
    for seed in 0..20 {
        assert_eq!(failing(&[ORDERED], seed), BTreeSet::new(), "seed {seed}");
        for entry in entries(ORDERED) {
            let (passed, said) = runs(ORDERED, &entry, &["--schedule", &format!("seed={seed}")]);
            assert!(passed, "@{entry} with seed {seed}:\n{said}");
        }
    }
}

#[test]
fn every_example_does_the_same_with_several_seeds() {
    for seed in 1..4 {
        assert_eq!(failing(&["examples"], seed), BTreeSet::new(), "seed {seed}");
    }
}

/// The launches of a program that have names: the entry and the name of each.
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
fn every_example_does_the_same_where_blocks_begin_shuffled() {
    // Sanitized, blocks that may wait for each other keep their order.
    let mut count = 0;
    for (path, text) in examples() {
        for (index, (entry, name)) in launches(&text).into_iter().enumerate() {
            let seed = format!("seed={index}");
            let (passed, said) = runs(&path, &entry, &["--launch", &name, "--schedule", &seed]);
            assert!(passed, "{path} @{entry} {name:?} with {seed}:\n{said}");
            count += 1;
        }
    }
    assert!(count > 50, "only {count} launches ran");
}

#[test]
fn findings_stay_where_they_are() {
    assert_eq!(failing(&["tests/sanitize"], 5), BTreeSet::new());
}

#[test]
fn a_schedule_is_a_seed() {
    for wrong in ["5", "seed=", "seed=-1", "seed=x", "order=1"] {
        for command in ["run", "test"] {
            let output = Command::new(tile()).current_dir(root()).args([command, LUCKY, "--schedule", wrong]).output();
            let output = output.expect("it runs");
            let said = String::from_utf8_lossy(&output.stderr);
            assert_eq!(output.status.code(), Some(2), "{command} {wrong}: {said}");
            assert!(said.contains("seed=N"), "{said}");
        }
    }
}
