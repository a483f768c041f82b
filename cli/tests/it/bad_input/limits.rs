//! How much is shown of a file with many errors, and the cost of garbage.

use crate::harness::Folder;
use serde_json::Value;

/// A program with this many errors, each on a separate line, followed by a warning.
fn wrong(errors: usize) -> Folder {
    let lines: String = (0..errors).map(|index| format!("    %v{index} = addf %x, %q{index} : tile<f32>\n")).collect();
    let warned = "    print \"old\" -> token\n";
    Folder::of(&format!("cuda_tile.module @m {{\n  entry @k(%x: tile<f32>) {{\n{lines}{warned}  }}\n}}\n"))
}

#[test]
fn errors_are_shown_up_to_a_limit() {
    let place = wrong(123);
    let check = |arguments: &[&str]| place.tile(&[&["check", "a.tile"], arguments].concat());
    let shown = |text: &str| text.matches("error[").count();
    let more = "\n… and 23 more errors and 1 more warning in a.tile; --max-errors 0 shows all\n";

    let said = check(&[]);
    assert_eq!((said.status, shown(&said.out), said.err.as_str()), (Some(1), 100, ""));
    assert!(said.out.ends_with(&format!("{more}123 errors, 1 warning in 1 file\n")), "{}", said.out);
    let said = check(&["--output-format=concise"]);
    assert!(shown(&said.out) == 100 && said.out.ends_with(more), "{}", said.out);
    let said = check(&["--max-errors=0"]);
    assert!(shown(&said.out) == 123 && said.out.ends_with("\n123 errors, 1 warning in 1 file\n"), "{}", said.out);
    let said = check(&["--max-errors=123"]);
    assert!(shown(&said.out) == 123 && !said.out.contains(" more error"), "{}", said.out);
    let said = check(&["--max-errors=122"]);
    let one = "… and 1 more error and 1 more warning in a.tile; --max-errors 0 shows all\n";
    assert!(shown(&said.out) == 122 && said.out.contains(one), "{}", said.out);
}

#[test]
fn formats_for_programs_show_all_unless_less_is_asked_for() {
    let place = wrong(123);
    let check =
        |format: &str, most: &[&str]| place.tile(&[&["check", "a.tile", "--output-format", format], most].concat());
    let count = |format: &str, out: &str| match format {
        "json" => serde_json::from_str::<Vec<Value>>(out).expect("JSON").len(),
        "sarif" => {
            let log: Value = serde_json::from_str(out).expect("JSON");
            log["runs"][0]["results"].as_array().map_or(0, Vec::len)
        }
        _ => out.lines().count(),
    };
    for format in ["json", "json-lines", "github", "sarif"] {
        let said = check(format, &[]);
        assert_eq!((said.status, count(format, &said.out), said.err.as_str()), (Some(1), 124, ""), "{format}");
        let said = check(format, &["--max-errors=3"]);
        assert_eq!((said.status, count(format, &said.out)), (Some(1), 3), "{format}");
        assert_eq!(said.err, "… and 120 more errors and 1 more warning in a.tile; --max-errors 0 shows all\n");
    }
}

#[test]
fn other_commands_have_the_limit_too() {
    let place = wrong(123);
    let shown = |text: &str| text.matches("error[").count();
    for command in ["run", "build"] {
        let said = place.tile(&[command, "a.tile"]);
        assert_eq!((said.status, shown(&said.err)), (Some(1), 100), "{command}");
        assert!(said.err.contains("\n… and 23 more errors"), "{command}: {}", said.err);
        let said = place.tile(&[command, "a.tile", "--max-errors=2"]);
        assert!(shown(&said.err) == 2 && said.err.contains("\n… and 121 more errors"), "{command}: {}", said.err);
    }
    let said = place.tile(&["test", "a.tile", "--max-errors=2"]);
    assert!(shown(&said.out) == 2 && said.out.contains("\n… and 121 more errors"), "{}", said.out);
}

#[test]
fn statistics_count_everything() {
    let said = wrong(123).tile(&["check", "--statistics", "a.tile"]);
    assert!(said.out.contains("123  E0101") && !said.out.contains("more error"), "{}", said.out);
}

/// None of these takes quadratic time, or prints more than the first errors.
#[test]
fn garbage_of_one_line_is_read_once() {
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
    for (before, behind) in [("", ""), ("cuda_tile.module @m { entry @k() { ", "}}")] {
        for unit in units {
            let text = format!("{before}{}{behind}", unit.repeat(300_000 / unit.len()));
            let said = Folder::of(&text).tile(&["check", "--output-format=concise", "a.tile"]);
            assert!(matches!(said.status, Some(0 | 1)), "{before}{unit}: {:?} {}", said.status, said.err);
            // The first lines, and the one with the number of others.
            assert!(said.out.lines().count() <= 1000, "{before}{unit}: {}", said.out.lines().count());
        }
    }
}

#[test]
fn an_entry_with_too_many_errors_is_given_up() {
    let said = wrong(12_000).tile(&["check", "--output-format=json-lines", "a.tile"]);
    let last = said.out.lines().last().expect("lines");
    let last: Value = serde_json::from_str(last).expect("JSON");
    assert_eq!(said.out.lines().count(), 10_001);
    assert_eq!(last["notes"][0], "there are too many errors here: what follows is not checked", "{last}");
}
