//! No two modules import each other in a circle.

use tile_tests::modules::Modules;
use tile_tests::root;

/// The root file of each crate.
const CRATES: [&str; 13] = [
    "input/src/lib.rs",
    "config/src/lib.rs",
    "dialect/src/lib.rs",
    "syntax/src/lib.rs",
    "analysis/src/lib.rs",
    "files/src/lib.rs",
    "formatter/src/lib.rs",
    "launch/src/lib.rs",
    "engine/src/lib.rs",
    "backend/src/lib.rs",
    "lsp/src/lib.rs",
    "dap/src/lib.rs",
    "cli/src/main.rs",
];

#[test]
fn modules_import_each_other_in_no_circle() {
    let mut found = Vec::new();
    for file in CRATES {
        let cycles = Modules::read(&root().join(file)).cycles();
        found.extend(cycles.into_iter().map(|ties| format!("{file}\n  {}", ties.join("\n  "))));
    }
    assert!(found.is_empty(), "{} circles of imports\n{}", found.len(), found.join("\n"));
}
