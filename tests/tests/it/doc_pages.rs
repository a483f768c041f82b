//! The pages of `tile doc` and their examples.

use std::process::Command;
use std::sync::Arc;
use tile_analysis::context::Options;
use tile_analysis::db::{Database, File, diagnostics};
use tile_analysis::ide::doc::{self, Topic};
use tile_dialect::{Group, Version};
use tile_launch::words::example_program;
use tile_tests::tile;

/// Topics other than ops, whose examples `op_examples.rs` checks.
fn terms() -> impl Iterator<Item = Topic> {
    tile_backend::topics().into_iter().filter(|topic| !matches!(topic, Topic::Op(_)))
}

/// The example of a topic as a program.
fn program(topic: &Topic) -> String {
    example_program(topic).unwrap_or_else(|| panic!("{} has no example with a launch", topic.key()))
}

#[test]
fn examples_have_no_diagnostics() {
    for topic in terms() {
        let program = program(&topic);
        let db = Database::default();
        let version = topic.since().unwrap_or(Version::NEWEST).max(needed(&topic));
        let preview = program.contains(tile_dialect::PREVIEW_PREFIX);
        let file = File::new(&db, Arc::from(program.as_str()), Options { version, preview, ..Options::default() });
        let found = diagnostics(&db, file).into_iter().chain(tile_launch::find::diagnostics(&db, file));
        let found: Vec<String> = found.map(|found| format!("{}: {}", found.page.code, found.message)).collect();
        assert_eq!(found, [""; 0], "{}:\n{program}", topic.key());
    }
}

/// The first version that supports everything the example uses, but at least the newest released one.
fn needed(topic: &Topic) -> Version {
    let example = topic.example();
    let used = tile_dialect::ops().iter().filter(|row| example.contains(row.name));
    used.map(|row| row.since).max().unwrap_or(Version::NEWEST).max(Version::NEWEST)
}

/// Differences other than whitespace are allowed: the formatter drops defaults, which an example about them spells out.
#[test]
fn examples_are_formatted() {
    let formatted = |program: &str| tile_fmt::format(program, &tile_fmt::Options::default());
    let letters = |text: &str| text.split_whitespace().collect::<String>();
    let is_other = |program: &String| {
        let formatted = formatted(program);
        formatted != *program && letters(&formatted) == letters(program)
    };
    let others = terms().map(|topic| program(&topic)).filter(is_other);
    let others: Vec<String> = others.map(|program| format!("{program}should be\n{}", formatted(&program))).collect();
    assert!(others.is_empty(), "{}", others.join("\n"));
}

#[test]
fn launches_meet_their_expectations() {
    let folder = tempfile::tempdir().expect("a temporary folder is created");
    let numbers = [0.0f32, 1.0, 2.0, 3.0].iter().flat_map(|number| number.to_le_bytes()).collect::<Vec<u8>>();
    std::fs::write(folder.path().join("x.npy"), npy(&numbers)).expect("the file is written");
    for topic in terms().filter(|topic| topic.since().is_none() && topic.example().contains("//@ launch")) {
        let name = format!("{}.tile", topic.key().replace(' ', "_"));
        std::fs::write(folder.path().join(name), program(&topic)).expect("the file is written");
    }
    let output = Command::new(tile()).arg("test").arg(folder.path()).output().expect("the program runs");
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success() && text.contains(" passed"), "{text}{}", String::from_utf8_lossy(&output.stderr));
}

/// A NumPy file of four `f32`.
fn npy(bytes: &[u8]) -> Vec<u8> {
    let header = format!("{:<117}\n", "{'descr': '<f4', 'fortran_order': False, 'shape': (4,), }");
    [b"\x93NUMPY\x01\x00", &(header.len() as u16).to_le_bytes()[..], header.as_bytes(), bytes].concat()
}

#[test]
fn references_lead_to_pages() {
    let all = tile_backend::topics();
    for topic in &all {
        for name in topic.see() {
            assert!(!doc::find(&all, name).is_empty(), "{} refers to `{name}`", topic.key());
        }
        assert_eq!(doc::find(&all, &topic.key()).len(), 1, "{}", topic.key());
    }
}

/// Snapshots of the list and of the pages of each group. Of the ops, one chapter is enough.
#[test]
fn pages_match_their_snapshots() {
    let all = tile_backend::topics();
    insta::assert_snapshot!("list", doc::list(&all));
    let mut groups: Vec<(String, Vec<&Topic>)> = Vec::new();
    for topic in all.iter().filter(|topic| !matches!(topic, Topic::Op(row) if row.group != Group::Bitwise)) {
        match groups.iter_mut().find(|(group, _)| *group == topic.group()) {
            Some((_, topics)) => topics.push(topic),
            None => groups.push((topic.group(), vec![topic])),
        }
    }
    for (group, topics) in groups {
        let pages: Vec<String> = topics.iter().map(|topic| topic.page()).collect();
        let name = group.to_lowercase().replace([' ', ':'], "_");
        insta::assert_snapshot!(name, pages.join("\n---\n\n"));
    }
}

#[test]
fn answers_suggest_similar_terms() {
    let all = tile_backend::topics();
    let queries = ["zero", "max", "add", "view", "f8", "relaxed", "matmul", "exp", "float32", "nothing like it", ""];
    let answers = queries.map(|query| match doc::answer(&all, query) {
        Ok(page) => format!("$ tile doc {query}\n{page}"),
        Err(why) => format!("$ tile doc {query}\nerror: {why}\n"),
    });
    insta::assert_snapshot!("answers", answers.join("\n"));
}
