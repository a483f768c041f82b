//! `docs/versions.md` is up to date, and newer tools reject what the lints about them predict.

use tile_analysis::context::Options;
use tile_analysis::diagnostics::PAGES;
use tile_analysis::ide::doc;
use tile_backend::bytecode;
use tile_dialect::Version;
use tile_tests::{programs, tools};

const HEAD: &str = "# Versions of Tile IR

The features of each supported version of the language. `tile doc versions` prints the same tables.

This file is generated from the rows in `crates/dialect/` by `UPDATE_DOCS=1 cargo test -p tile-tests --test it versions`.

";

#[test]
fn the_document_is_up_to_date() {
    let path = tile_tests::root().join("docs/versions.md");
    let expected = HEAD.to_string() + &doc::versions();
    if std::env::var_os("UPDATE_DOCS").is_some() {
        std::fs::write(&path, &expected).expect("the file is writable");
    }
    let found = std::fs::read_to_string(&path).expect("the file exists");
    let place = found.lines().zip(expected.lines()).position(|(found, expected)| found != expected);
    let changed = place.map(|line| format!("line {}: {:?}", line + 1, expected.lines().nth(line)));
    assert!(found == expected, "docs/versions.md is out of date at {changed:?}; run this test with UPDATE_DOCS=1");
}

#[test]
fn known_changes_are_in_the_tables() {
    let tables = doc::versions();
    for line in [
        "| `print_tko` | `print` | ✓ | ✓ | ✓ | ✓ |",
        "| `multimem_store_view_tko` |  |  |  |  | ✓ |",
        "| `atomic_red_view_tko` `inbounds` |  |  |  |  | ✓ |",
        "| `strided_view` |  |  | ✓ | ✓ | ✓ |",
        "| reduction `umax` |  |  |  |  | ✓ |",
        "| visibility `private` |  |  | ✓ | ✓ | ✓ |",
        "| pointer attribute `none` |  |  |  | ✓ | ✓ |",
        "| pointer attribute `multicast` |  |  |  |  | ✓ |",
        "| `num_worker_warps_per_cta` | 4 or 8 | 4 or 8 | 4 or 8 | 4 or 8 | a power of two from 1 to 32 |",
        "| `sm_107` |  |  |  | ✓ | ✓ |",
    ] {
        assert!(tables.lines().any(|found| found == line), "{line} is missing from\n{tables}");
    }
}

/// Rules that NVIDIA's tools apply since 13.5 to bytecode of every version.
const SINCE_13_5: [&str; 4] = ["E0212", "E0535", "E0612", "L0012"];

#[test]
fn newer_tools_reject_older_bytecode() {
    let Some(tool) = tools::find("tileirdisasm") else { return };
    let encoded = |text: &str, version| {
        let options = Options { version, ..Options::default() };
        let program = programs::lower(text, "program", options).unwrap_or_else(|errors| panic!("{errors:?}\n{text}"));
        bytecode::encode(&program.module, None, version).expect("the program can be encoded")
    };
    let empty = encoded("cuda_tile.module @m {\n  entry @k() {\n  }\n}\n", Version::V13_5);
    let has_rules = tools::disassemble(&tool, &empty).is_ok();
    for page in PAGES.iter().filter(|page| SINCE_13_5.contains(&page.code)) {
        let read = tools::disassemble(&tool, &encoded(page.wrong, Version::V13_4));
        assert_eq!(read.is_err(), has_rules, "{}: {read:?}", page.code);
        assert!(tools::disassemble(&tool, &encoded(page.right, Version::V13_4)).is_ok(), "{}", page.code);
    }
}
