//! Imports between modules have no cycles.

use tile_tests::modules::Modules;
use tile_tests::root;

/// The root file of each crate.
const CRATES: [&str; 23] = [
    "clock/src/lib.rs",
    "input/src/lib.rs",
    "config/src/lib.rs",
    "dialect/src/lib.rs",
    "syntax/src/lib.rs",
    "analysis/src/lib.rs",
    "files/src/lib.rs",
    "formatter/src/lib.rs",
    "launch/src/lib.rs",
    "dataflow/src/lib.rs",
    "engine/src/lib.rs",
    "runner/src/lib.rs",
    "bytecode/src/lib.rs",
    "diff/src/lib.rs",
    "optimizer/src/lib.rs",
    "tuner/src/lib.rs",
    "backend/src/lib.rs",
    "lsp/src/lib.rs",
    "dap/src/lib.rs",
    "commands/src/lib.rs",
    "cli/src/main.rs",
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
