//! tree-sitter grammar of Tile IR, and its queries.
//!
//! Invariants: knows no op name, no type's meaning and no other crate of the workspace. A new op needs no change here.
//!
//! ```
//! let mut parser = tree_sitter::Parser::new();
//! parser.set_language(&tree_sitter_tile::LANGUAGE.into()).expect("the grammar loads");
//! let tree = parser.parse("%c = addf %a, %b : tile<4xf32>", None).expect("no time limit is set");
//! let op = tree.root_node().named_child(0).expect("one op");
//! assert_eq!(op.kind(), "op");
//! assert_eq!(op.child_by_field_name("name").expect("a name").byte_range(), 5..9);
//! ```

use tree_sitter_language::LanguageFn;

/// The generated parser's one entry point. This module holds all unsafe code of the crate.
#[allow(unsafe_code, reason = "the parser is generated C")]
mod generated {
    use super::LanguageFn;

    unsafe extern "C" {
        fn tree_sitter_tile() -> *const ();
    }

    // SAFETY: `src/parser.c` defines this function with this signature, and it returns a constant `TSLanguage`.
    pub(super) const LANGUAGE: LanguageFn = unsafe { LanguageFn::from_raw(tree_sitter_tile) };
}

/// The grammar, for `tree_sitter::Parser::set_language`.
pub const LANGUAGE: LanguageFn = generated::LANGUAGE;

/// The kinds of nodes and what they hold, as JSON.
pub const NODE_TYPES: &str = include_str!("../../src/node-types.json");

/// What to colour: capture names are those Neovim and Helix share.
pub const HIGHLIGHTS_QUERY: &str = include_str!("../../queries/highlights.scm");

/// What can fold.
pub const FOLDS_QUERY: &str = include_str!("../../queries/folds.scm");

/// What indents: captures of Neovim and of Helix side by side.
pub const INDENTS_QUERY: &str = include_str!("../../queries/indents.scm");

/// Scopes, definitions and references of SSA values.
pub const LOCALS_QUERY: &str = include_str!("../../queries/locals.scm");

/// What can be selected: captures of Neovim and of Helix side by side.
pub const TEXTOBJECTS_QUERY: &str = include_str!("../../queries/textobjects.scm");
