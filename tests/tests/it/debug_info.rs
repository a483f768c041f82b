//! Debug information: explicit locations, and the locations of ops without one.

use std::sync::Arc;
use tile_analysis::context::Options;
use tile_analysis::db::{self, Database, File};
use tile_analysis::debug_info::debug_info;
use tile_analysis::program::Program;
use tile_tests::shape::shape;

const HEAD: &str = r#"#file = #cuda_tile.di_file<"k.py" in "/src">
#unit = #cuda_tile.di_compile_unit<file = #file>
#k = #cuda_tile.di_subprogram<file = #file, line = 1, name = "kernel", linkageName = "k", compileUnit = #unit, scopeLine = 2>
#f = #cuda_tile.di_subprogram<file = #file, line = 9, name = "f", linkageName = "f", compileUnit = #unit>
#block = #cuda_tile.di_lexical_block<scope = #k, file = #file, line = 3, column = 4>
#at = #cuda_tile.di_loc<loc("k.py":5:6) in #k>
"#;

/// The locations of a program's entry and of its ops.
fn locations(entry: &str, below: &str) -> Vec<String> {
    let text = format!("{HEAD}cuda_tile.module @m {{\n{entry}\n}}\n{below}");
    let db = Database::default();
    let file = File::new(&db, Arc::from(text.as_str()), Options::default());
    assert_eq!(db::diagnostics(&db, file), [], "{text}");
    let (module, debug) = (Program::of(&db, file).module(), debug_info(&db, file, "a/b.tile"));
    let shape = shape(&module, Some(&debug));
    let lines = shape.lines().filter_map(|line| Some(line.split_once(" at ")?.1.trim_end_matches(" ()").to_string()));
    lines.collect()
}

const KERNEL: &str = "kernel k /src/k.py:1 2 unit /src/k.py";

#[test]
fn explicit_locations_are_kept() {
    let cases: [(&str, String); 7] = [
        ("loc(#at)", format!("k.py:5:6 in {KERNEL}")),
        ("loc(#cuda_tile.di_loc<loc(\"o.py\":7:8) in #block>)", format!("o.py:7:8 in block /src/k.py:3:4 in {KERNEL}")),
        ("loc(unknown)", "unknown".to_string()),
        ("loc(\"k.py\":1:2)", "unknown".to_string()),
        ("loc(#below)", format!("(x.py:1:2 in f f /src/k.py:9 0 unit /src/k.py called at k.py:5:6 in {KERNEL})")),
        ("loc(\"name\"(#at))", format!("k.py:5:6 in {KERNEL}")),
        ("loc(fused<\"why\">[loc(\"k.py\":1:2), #at])", format!("k.py:5:6 in {KERNEL}")),
    ];
    let below =
        "#place = loc(\"x.py\":1:2)\n#inner = #cuda_tile.di_loc<#place in #f>\n#below = loc(callsite(#inner at #at))\n";
    for (location, expected) in cases {
        let entry =
            format!("entry @k() {{\n %a = iota : tile<2xi32> {location}\n %b = iota : tile<2xi32>\n}} loc(#at)");
        let found = locations(&entry, below);
        let at = format!("k.py:5:6 in {KERNEL}");
        assert_eq!(found, [at, expected, "unknown".to_string()], "{location}");
    }
}

#[test]
fn an_entry_without_a_scope_gets_a_default_one() {
    let entry = "entry @k() {\n %a = iota : tile<2xi32>\n  %b = iota : tile<2xi32> loc(\"k.py\":1:2)\n %c = iota : tile<2xi32> loc(unknown)\n}";
    let scope = "k k a/b.tile:8 8 unit a/b.tile";
    let expected = [
        format!("a/b.tile:8:7 in {scope}"),
        format!("a/b.tile:9:7 in {scope}"),
        format!("k.py:1:2 in {scope}"),
        "unknown".to_string(),
    ];
    assert_eq!(locations(entry, ""), expected);
    assert_eq!(locations("entry @k() {\n %a = iota : tile<2xi32>\n} loc(unknown)", ""), ["unknown", "unknown"]);
}

#[test]
fn errors_in_locations_are_reported() {
    let cases = [
        ("loc(#nothing)", "unknown attribute alias `#nothing`", "#nothing"),
        ("loc(#circle)", "the alias `#circle` is defined in terms of itself", "loc(#circle)"),
        ("loc(#unit)", "expected a location, found `#unit`", "#unit"),
        ("loc(callsite(#at))", "expected `at`, found `)`", ")"),
        ("loc(\"k.py\":1:99999999999)", "99999999999", "99999999999"),
        ("loc(#cuda_tile.di_loc<#at in #k>)", "expected a position in a file, found `#at`", "#at"),
        ("loc(#cuda_tile.di_file<\"a\" on \"b\">)", "expected `in`, found `on`", "on"),
    ];
    for (location, message, place) in cases {
        let circle = "#circle = loc(#circle2)\n#circle2 = loc(#circle)\n";
        let circle = if location.contains("circle") { circle } else { "" };
        let text =
            format!("{HEAD}{circle}cuda_tile.module @m {{\nentry @k() {{\n return {location}\n}} loc(#at)\n}}\n");
        let db = Database::default();
        let file = File::new(&db, Arc::from(text.as_str()), Options::default());
        let found = db::diagnostics(&db, file);
        // In a cycle, one location is always used above its definition, which is a second error.
        let [.., found] = &found[..] else { panic!("{location}: nothing is reported") };
        let expected = if circle.is_empty() { 1 } else { 2 };
        assert_eq!(db::diagnostics(&db, file).len(), expected, "{location}: {found:?}");
        assert!(found.message.contains(message), "{location}: {}", found.message);
        assert!(text[found.range.start as usize..].starts_with(place), "{location}: {found:?}");
    }
}

/// Long chains, deep nesting and shared parts of locations take neither exponential time nor much stack.
#[test]
fn large_locations() {
    let mut chain = String::from("#l0 = loc(\"k.py\":1:1)\n");
    let mut doubled = String::from("#d0 = loc(\"k.py\":1:1)\n");
    let mut renamed = String::from("#r0 = loc(\"k.py\":1:1)\n");
    for number in 1..20_000 {
        chain += &format!("#l{number} = loc(\"n\"(#l{}))\n", number - 1);
        renamed += &format!("#r{number} = #r{}\n", number - 1);
    }
    for number in 1..64 {
        doubled += &format!("#d{number} = loc(fused[#d{0}, #d{0}])\n", number - 1);
    }
    let deep = format!("{}unknown{}", "callsite(".repeat(5_000), " at unknown)".repeat(5_000));
    for location in ["#l19999", "#d63", "#r19999", &deep] {
        let text = format!(
            "{chain}{doubled}{renamed}cuda_tile.module @m {{\nentry @k() {{\n return loc({location})\n}} loc({location})\n}}\n"
        );
        let db = Database::default();
        let file = File::new(&db, Arc::from(text.as_str()), Options::default());
        let errors = db::diagnostics(&db, file).len();
        assert_eq!(errors > 0, location == deep, "only the deeply nested location is an error");
        let bytes =
            tile_backend::bytecode::of_program(&Program::of(&db, file), Some("a.tile"), tile_dialect::Version::NEWEST);
        assert!(bytes.is_ok(), "{bytes:?}");
    }
}
