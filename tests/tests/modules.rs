//! No two modules import each other in a circle.

use tile_tests::modules::Modules;
use tile_tests::root;

const CRATES: [(&str, &str); 10] = [
    ("input", "lib"),
    ("config", "lib"),
    ("dialect", "lib"),
    ("syntax", "lib"),
    ("analysis", "lib"),
    ("formatter", "lib"),
    ("backend", "lib"),
    ("lsp", "lib"),
    ("dap", "lib"),
    ("cli", "main"),
];

#[test]
fn modules_import_each_other_in_no_circle() {
    let mut found = Vec::new();
    for (name, file) in CRATES {
        let modules = Modules::read(&root().join(name).join(format!("src/{file}.rs")));
        found.extend(modules.cycles().into_iter().map(|ties| format!("in `{name}`:\n  {}", ties.join("\n  "))));
    }
    assert!(found.is_empty(), "{} circles of imports\n{}", found.len(), found.join("\n"));
}
