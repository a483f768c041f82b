//! Limits on the output for a file with many errors, and on the time for garbage.

use crate::harness::Folder;
use serde_json::Value;

/// A program with this many errors, each on its own line, followed by a warning.
fn wrong(errors: usize) -> Folder {
    let lines: String = (0..errors).map(|index| format!("    %v{index} = addf %x, %q{index} : tile<f32>\n")).collect();
    let warned = "    print \"old\" -> token\n";
    Folder::of(&format!("cuda_tile.module @m {{\n  entry @k(%x: tile<f32>) {{\n{lines}{warned}  }}\n}}\n"))
}

#[test]
fn errors_are_shown_up_to_a_limit() {
    let folder = wrong(123);
    let check = |arguments: &[&str]| folder.tile(&[&["check", "a.tile"], arguments].concat());
    let shown = |text: &str| text.matches("error[").count();
    let more = "\n… and 23 more errors and 1 more warning in a.tile; --max-errors 0 shows all\n";

    let output = check(&[]);
    assert_eq!((output.status, shown(&output.out), output.err.as_str()), (Some(1), 100, ""));
    assert!(output.out.ends_with(&format!("{more}123 errors, 1 warning in 1 file\n")), "{}", output.out);
    let output = check(&["--output-format=concise"]);
    assert!(shown(&output.out) == 100 && output.out.ends_with(more), "{}", output.out);
    let output = check(&["--max-errors=0"]);
    assert!(shown(&output.out) == 123 && output.out.ends_with("\n123 errors, 1 warning in 1 file\n"), "{}", output.out);
    let output = check(&["--max-errors=123"]);
    assert!(shown(&output.out) == 123 && !output.out.contains(" more error"), "{}", output.out);
    let output = check(&["--max-errors=122"]);
    let one = "… and 1 more error and 1 more warning in a.tile; --max-errors 0 shows all\n";
    assert!(shown(&output.out) == 122 && output.out.contains(one), "{}", output.out);
}

#[test]
fn machine_readable_formats_have_no_limit_by_default() {
    let folder = wrong(123);
    let check =
        |format: &str, most: &[&str]| folder.tile(&[&["check", "a.tile", "--output-format", format], most].concat());
    let count = |format: &str, out: &str| match format {
        "json" => serde_json::from_str::<Vec<Value>>(out).expect("JSON").len(),
        "sarif" => {
            let log: Value = serde_json::from_str(out).expect("JSON");
            log["runs"][0]["results"].as_array().map_or(0, Vec::len)
        }
        _ => out.lines().count(),
    };
    for format in ["json", "json-lines", "github", "sarif"] {
        let output = check(format, &[]);
        assert_eq!((output.status, count(format, &output.out), output.err.as_str()), (Some(1), 124, ""), "{format}");
        let output = check(format, &["--max-errors=3"]);
        assert_eq!((output.status, count(format, &output.out)), (Some(1), 3), "{format}");
        assert_eq!(output.err, "… and 120 more errors and 1 more warning in a.tile; --max-errors 0 shows all\n");
    }
}

#[test]
fn other_commands_have_the_limit_too() {
    let folder = wrong(123);
    let shown = |text: &str| text.matches("error[").count();
    for command in ["run", "build"] {
        let output = folder.tile(&[command, "a.tile"]);
        assert_eq!((output.status, shown(&output.err)), (Some(1), 100), "{command}");
        assert!(output.err.contains("\n… and 23 more errors"), "{command}: {}", output.err);
        let output = folder.tile(&[command, "a.tile", "--max-errors=2"]);
        assert!(shown(&output.err) == 2 && output.err.contains("\n… and 121 more errors"), "{command}: {}", output.err);
    }
    let output = folder.tile(&["test", "a.tile", "--max-errors=2"]);
    assert!(shown(&output.out) == 2 && output.out.contains("\n… and 121 more errors"), "{}", output.out);
}

/// A program with this many warnings of one lint.
fn warned(warnings: usize) -> Folder {
    let lines: String = (0..warnings).map(|index| format!("    print \"{index}\" -> token\n")).collect();
    Folder::of(&format!("cuda_tile.module @m {{\n  entry @k() {{\n{lines}  }}\n}}\n"))
}

#[test]
fn a_hundred_findings_of_a_lint_are_shown() {
    let folder = warned(1234);
    let check = |arguments: &[&str]| folder.tile(&[&["check", "a.tile"], arguments].concat());
    let shown = |text: &str| text.matches("warning[").count();
    let more = "… and 1,134 more findings of L0001 (old-spelling) in a.tile; --max-errors 0 shows all\n";
    for format in ["full", "concise"] {
        let output = check(&["--output-format", format]);
        assert_eq!((output.status, shown(&output.out), output.err.as_str()), (Some(0), 100, ""), "{format}");
        assert!(output.out.contains(more), "{}", output.out);
        let output = check(&["--output-format", format, "--max-errors=0"]);
        assert_eq!((shown(&output.out), output.out.contains("more finding")), (1234, false), "{format}");
    }
    let output = check(&["--output-format=json-lines", "--max-errors=3"]);
    assert_eq!((output.out.lines().count(), output.err.as_str()), (1234, ""), "programs see everything");
    assert!(check(&["--statistics"]).out.contains("1234  L0001"));
    check(&["--fix"]);
    assert_eq!(check(&["--output-format=concise"]).out, "", "all are fixed");
}

#[test]
fn statistics_count_everything() {
    let output = wrong(123).tile(&["check", "--statistics", "a.tile"]);
    assert!(output.out.contains("123  E0101") && !output.out.contains("more error"), "{}", output.out);
}

/// None of these inputs takes quadratic time, or prints more than the first errors.
#[test]
fn garbage_takes_linear_time() {
    let units = [
        "x ",
        "{",
        "}x",
        "%a ",
        "%a, ",
        "%a:2, ",
        "%a = ",
        "\"",
        "\"\\n",
        "\"x\"(",
        "entry ",
        "entry\n",
        "entry @a() { } ",
        "entry @a() { x } ",
        "<",
        "^a:",
        "!a = b ",
        "!a = !b ",
        "constant i32: ",
        "module @m attributes {",
        "é x",
        "#a = ",
        "/* ",
        "addi %x 1 ",
        "mask=%m ",
    ];
    for (before, after) in [("", ""), ("cuda_tile.module @m { entry @k() { ", "}}")] {
        for unit in units {
            let text = format!("{before}{}{after}", unit.repeat(300_000 / unit.len()));
            let output = Folder::of(&text).tile(&["check", "--output-format=concise", "a.tile"]);
            assert!(matches!(output.status, Some(0 | 1)), "{before}{unit}: {:?} {}", output.status, output.err);
            // The first errors, and the line with the number of the others.
            assert!(output.out.lines().count() <= 1000, "{before}{unit}: {}", output.out.lines().count());
        }
    }
}

#[test]
fn checking_stops_after_too_many_errors() {
    let output = wrong(12_000).tile(&["check", "--output-format=json-lines", "a.tile"]);
    let last = output.out.lines().last().expect("lines");
    let last: Value = serde_json::from_str(last).expect("JSON");
    assert_eq!(output.out.lines().count(), 10_001);
    assert_eq!(last["notes"][0], "too many errors: the rest is not checked", "{last}");
}
