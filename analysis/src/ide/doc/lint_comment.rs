//! The page of lint comments.

use tile_dialect::{Notes, Term};

/// `// tile: allow(…)`
pub(super) static ALLOW: Term = Term {
    name: "allow",
    also: &["// tile: allow", "tile: allow", "lint comment", "suppress", "noqa"],
    kind: "lint comment",
    doc: "Suppresses lints, named by code or by name, in the code it applies to.",
    notes: Notes {
        syntax: "// tile: allow(L0004) why\n// tile: allow(old-spelling, L0004)",
        rules: &[
            "After a statement, it applies to that line. On a separate line, it applies to the statement below and its regions; above an \
             entry, to the whole entry.",
            "Only lints can be allowed, not errors: codes that begin with `L` or `P`. `tile explain CODE` describes a lint.",
            "Text after the closing parenthesis is free-form.",
            "A comment that suppresses nothing is reported (L0010).",
            "`[lints]` in `tile.toml` sets the level of a lint for a whole project.",
        ],
        example: "
// tile: allow(old-spelling) part of a recorded dump
print \"done\\n\"
",
        see: &["comment"],
        ..Notes::NONE
    },
    since: None,
};
