//! The tree-sitter grammar of Tile IR, and its queries.
//!
//! Invariants: contains no op names and no meanings of types, and depends on no other crate of the workspace. New ops
//! need no change here.
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

/// The entry point of the generated parser. All unsafe code of the crate is in this module.
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

/// The kinds of nodes and their children, as JSON.
pub const NODE_TYPES: &str = include_str!("../../src/node-types.json");

/// The highlighting query, with capture names that Neovim and Helix share.
pub const HIGHLIGHTS_QUERY: &str = include_str!("../../queries/highlights.scm");

/// The folding query.
pub const FOLDS_QUERY: &str = include_str!("../../queries/folds.scm");

/// The indentation query, with captures for Neovim and for Helix.
pub const INDENTS_QUERY: &str = include_str!("../../queries/indents.scm");

/// The query for scopes, definitions and references of SSA values.
pub const LOCALS_QUERY: &str = include_str!("../../queries/locals.scm");

/// The text object query, with captures for Neovim and for Helix.
pub const TEXTOBJECTS_QUERY: &str = include_str!("../../queries/textobjects.scm");
