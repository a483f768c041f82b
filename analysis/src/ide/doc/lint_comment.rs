//! The page of comments that allow lints.

use tile_dialect::{Notes, Term};

/// `// tile: allow(…)`
pub(super) static ALLOW: Term = Term {
    name: "allow",
    also: &["// tile: allow", "tile: allow", "lint comment", "suppress", "noqa"],
    kind: "lint comment",
    doc: "A comment that allows lints, by code or by name: they are not reported where it applies.",
    notes: Notes {
        syntax: "// tile: allow(L0004) why\n// tile: allow(old-spelling, L0004)",
        rules: &[
            "After a statement it applies to its line. On a line of its own it applies to the statement below, with its regions; above an \
             entry, to the entry.",
            "Only lints can be allowed: their codes begin with `L` or `P`. `tile explain CODE` describes one.",
            "What follows the parenthesis is for people.",
            "A comment that allows nothing is itself reported (L0010).",
            "`[lints]` in `tile.toml` sets the level of a lint for a whole project.",
        ],
        example: "
// tile: allow(old-spelling) kept as the dump has it
print \"done\\n\"
",
        see: &["comment"],
        ..Notes::NONE
    },
    since: None,
};
