//! Machine-readable output: JSON, rows and columns.

use crate::harness::{CommandOutput, Folder, entry};
use serde_json::{Value, json};

/// The JSON of every line.
fn lines(output: &CommandOutput) -> Vec<Value> {
    output.out.lines().map(|line| serde_json::from_str(line).unwrap_or_else(|why| panic!("{why}: {line}"))).collect()
}

/// Asserts that a diagnostic has the documented fields and valid positions.
fn assert_documented(diagnostic: &Value) {
    let fields: Vec<&String> = diagnostic.as_object().expect("an object").keys().collect();
    let mut documented =
        ["filename", "code", "severity", "message", "location", "end_location", "labels", "notes", "fixes"];
    documented.sort_unstable();
    assert_eq!(fields, documented.iter().collect::<Vec<_>>());
    for location in [&diagnostic["location"], &diagnostic["end_location"]] {
        assert!(location["row"].as_u64() >= Some(1) && location["column"].as_u64() >= Some(1), "{diagnostic}");
    }
    for label in diagnostic["labels"].as_array().expect("a list") {
        assert!(label["message"].is_string() && label["location"]["row"].is_u64(), "{label}");
    }
    assert!(matches!(diagnostic["severity"].as_str(), Some("error" | "warning" | "info" | "hint")));
}

/// A misspelled launch in row 2, a wrong type in row 4, and an unknown value in row 5.
fn wrong() -> Folder {
    let body = ["%a = addi %x, %x : tile<i33>", "%b = addi %x, %nope : tile<i32>"];
    Folder::of(&entry(&["lunch"], "%x: tile<i32>", &body))
}

#[test]
fn diagnostics_are_one_json_object_a_line() {
    let output = wrong().tile(&["check", "--output-format=json-lines", "a.tile"]);
    assert_eq!((output.status, output.err.as_str()), (Some(1), ""));
    let found = lines(&output);
    found.iter().for_each(assert_documented);
    let at = |code: &str, row: u64| found.iter().any(|one| one["code"] == code && one["location"]["row"] == row);
    assert!(at("L0101", 2) && at("E0101", 5), "{}", output.out);
    let missing = found.iter().find(|one| one["code"] == "E0101").expect("the error is reported");
    assert_eq!(missing["location"], json!({"row": 5, "column": 19}));
    assert_eq!(missing["end_location"], json!({"row": 5, "column": 24}));
    assert_eq!((&missing["filename"], &missing["severity"]), (&json!("a.tile"), &json!("error")));
}

#[test]
fn diagnostics_are_one_json_list() {
    let folder = wrong();
    let of_lines = lines(&folder.tile(&["check", "--output-format=json-lines", "a.tile"]));
    let output = folder.tile(&["check", "--output-format=json", "a.tile"]);
    assert_eq!(serde_json::from_str::<Vec<Value>>(&output.out).expect("a list"), of_lines);
    // Even if no file can be read.
    let output = folder.tile(&["check", "--output-format=json", "no.tile"]);
    output.is(2, "[]\n", "error: file `no.tile` not found\n");
}

#[test]
fn a_run_is_one_json_object_a_line() {
    let body = [
        "print_tko \"é\\n\" -> token",
        "%i = constant <i64: 0> : tile<i64>",
        "%q = int_to_ptr %i : tile<i64> -> tile<ptr<f32>>",
        "%x, %t = load_ptr_tko weak %q : tile<ptr<f32>> -> tile<f32>, token",
    ];
    let output = Folder::of(&entry(&["launch"], "", &body)).tile(&["run", "--output-format=json-lines", "a.tile"]);
    assert_eq!((output.status, output.err.as_str()), (Some(1), ""));
    let [print, finding, done] = &lines(&output)[..] else { panic!("{}", output.out) };
    assert_eq!(*print, json!({"event": "print", "row": 4, "block": [0, 0, 0], "text": "é\n"}));
    assert_eq!((&finding["event"], &finding["diagnostic"]["code"]), (&json!("finding"), &json!("R0101")));
    assert_documented(&finding["diagnostic"]);
    assert_eq!((&done["event"], &done["passed"]), (&json!("done"), &json!(false)));
    assert!(done["blocks"].is_u64() && done["seconds"].is_f64(), "{done}");
}

#[test]
fn a_run_that_cannot_start_reports_json() {
    let folder = Folder::of(&entry(&["launch"], "%n: tile<i32>", &[]));
    for (folder, code) in [(wrong(), "E0101"), (folder, "L0101")] {
        let output = folder.tile(&["run", "--output-format=json-lines", "a.tile"]);
        assert_eq!((output.status, output.err.as_str()), (Some(1), ""));
        let events = lines(&output);
        let (done, findings) = events.split_last().expect("there are events");
        findings.iter().for_each(|finding| assert_documented(&finding["diagnostic"]));
        assert!(findings.iter().any(|finding| finding["diagnostic"]["code"] == code), "{}", output.out);
        assert_eq!((&done["event"], &done["passed"]), (&json!("done"), &json!(false)));
    }
}

/// The rows and columns of diagnostics, from the concise format.
fn places(text: &str) -> Vec<String> {
    let output = Folder::of(text).tile(&["check", "--output-format=concise", "a.tile"]);
    assert_eq!(output.err, "");
    let position = |line: &str| line.split(": ").next().unwrap_or("").trim_start_matches("a.tile:").to_string();
    output.out.lines().map(position).collect()
}

#[test]
fn columns_count_characters() {
    // Characters of two, three and four bytes, and a letter of two characters.
    let body = "print_tko \"é✓𝄞e\u{301} %d\", %nope : tile<i32> -> token";
    let text = entry(&[], "", &[body]);
    assert_eq!(places(&text), ["3:27"]);
    let output = Folder::of(&text).tile(&["check", "--output-format=json-lines", "a.tile"]);
    assert_eq!(lines(&output)[0]["end_location"], json!({"row": 3, "column": 32}));
    let output = Folder::of(&text).tile(&["check", "a.tile"]);
    assert!(output.out.contains("┌─ a.tile:3:27\n"), "{}", output.out);
    assert_eq!(places(&entry(&[], "", &["\t%x = addi %nope, %gone : tile<i32>"])), ["3:16", "3:23"]);
}

#[test]
fn rows_do_not_depend_on_line_endings() {
    let text = entry(
        &[],
        "%a: tile<i32>",
        &["// é", "", "%x = addi %a, %nope : tile<i32>", "%y = addi %gone, %a : tile<i32>"],
    );
    let expected = ["5:19", "6:15"];
    assert_eq!(places(&text), expected);
    assert_eq!(places(&text.replace('\n', "\r\n")), expected);
    assert_eq!(places(text.trim_end()), expected);
    let shown = Folder::of(&text.replace('\n', "\r\n")).tile(&["check", "a.tile"]).out;
    assert_eq!(shown, Folder::of(&text).tile(&["check", "a.tile"]).out);
}

#[test]
fn rows_of_a_split_file_count_from_its_start() {
    let one = entry(&[], "", &["%x = addi %nope, %gone : tile<i32>"]);
    let folder = Folder::of(&format!("{one}// -----\r\n{one}// -----\n"));
    let output = folder.tile(&["check", "--split-input-file", "--output-format=concise", "a.tile"]);
    let rows: Vec<&str> = output.out.lines().map(|line| line.split(':').nth(1).unwrap_or("")).collect();
    assert_eq!(rows, ["3", "3", "9", "9"], "{}", output.out);
}
