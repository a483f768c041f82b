//! Imports between modules have no cycles.

use tile_tests::modules::Modules;
use tile_tests::root;

/// The root file of each crate.
const CRATES: [&str; 23] = [
    "crates/clock/src/lib.rs",
    "crates/input/src/lib.rs",
    "crates/config/src/lib.rs",
    "crates/dialect/src/lib.rs",
    "crates/syntax/src/lib.rs",
    "analysis/src/lib.rs",
    "crates/files/src/lib.rs",
    "formatter/src/lib.rs",
    "crates/launch/src/lib.rs",
    "crates/dataflow/src/lib.rs",
    "crates/engine/src/lib.rs",
    "crates/runner/src/lib.rs",
    "crates/bytecode/src/lib.rs",
    "crates/diff/src/lib.rs",
    "crates/optimizer/src/lib.rs",
    "crates/tuner/src/lib.rs",
    "crates/backend/src/lib.rs",
    "lsp/src/lib.rs",
    "crates/dap/src/lib.rs",
    "crates/commands/src/lib.rs",
    "crates/cli/src/main.rs",
    "playground/src/lib.rs",
    "python/src/lib.rs",
];

#[test]
fn imports_have_no_cycles() {
    let mut found = Vec::new();
    for file in CRATES {
        let cycles = Modules::read(&root().join(file)).cycles();
        found.extend(cycles.into_iter().map(|imports| format!("{file}\n  {}", imports.join("\n  "))));
    }
    assert!(found.is_empty(), "{} import cycles\n{}", found.len(), found.join("\n"));
}
