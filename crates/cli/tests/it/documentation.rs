//! `tile doc` and `tile explain` as JSON.

use crate::harness::Folder;
use serde_json::Value;

/// The array that a command prints.
fn array(folder: &Folder, arguments: &[&str]) -> Vec<Value> {
    let output = folder.tile(arguments);
    assert_eq!((output.status, output.err.as_str()), (Some(0), ""), "{arguments:?}");
    serde_json::from_str(&output.out).unwrap_or_else(|error| panic!("{arguments:?}: {error}\n{}", output.out))
}

fn texts<'a>(all: &'a [Value], key: &str) -> Vec<&'a str> {
    all.iter().map(|one| one[key].as_str().unwrap_or_else(|| panic!("{one} has no {key}"))).collect()
}

#[test]
fn all_topics_are_exported_in_the_order_of_the_list() {
    let folder = Folder::with_bytes(&[]);
    let all = array(&folder, &["doc", "--output-format=json"]);
    let list = folder.tile(&["doc"]).out;
    let listed: Vec<&str> = list.lines().filter_map(|line| line.strip_prefix("- `")?.split('`').next()).collect();
    assert_eq!(texts(&all, "name"), listed);
    assert!(all.iter().all(|one| one["program"].as_str().is_none_or(|program| program.contains("cuda_tile.module"))));
}

#[test]
fn a_term_is_exported_with_all_its_meanings() {
    let folder = Folder::with_bytes(&[]);
    let all = array(&folder, &["doc", "--output-format=json", "addf"]);
    assert_eq!(texts(&all, "kind"), ["op", "atomic mode"]);
    assert_eq!((all[0]["since"].as_str(), all[0]["group"].as_str()), (Some("13.1"), Some("Ops: floating point")));
    let one = array(&folder, &["doc", "--output-format=json", "atomic", "mode", "addf"]);
    assert_eq!(one, &all[1..]);
    let page = folder.tile(&["doc", "atomic", "mode", "addf"]).out;
    assert_eq!(one[0]["page"], page);
    // Directives get an entry with their parameters.
    let softmax = array(&folder, &["doc", "--output-format=json", "formula", "function", "softmax"]);
    let program = softmax[0]["program"].as_str().expect("it has an example");
    assert!(program.contains("//@ launch") && program.contains("tile<ptr<f32>>"), "{program}");
    assert!(softmax[0]["since"].is_null(), "launches are an extension of `tile`");
}

#[test]
fn all_diagnostics_are_exported() {
    let folder = Folder::with_bytes(&[]);
    let all = array(&folder, &["explain", "--output-format=json"]);
    let list = folder.tile(&["explain"]).out;
    assert_eq!(texts(&all, "code"), list.lines().filter_map(|line| line.split(' ').next()).collect::<Vec<_>>());
    let one = array(&folder, &["explain", "--output-format=json", "power-of-two"]);
    assert_eq!(one[0]["page"], folder.tile(&["explain", "E0203"]).out);
    assert!(all.contains(&one[0]) && one.len() == 1);
}
