//! Lexer, parser and syntax tree of Tile IR text.
//!
//! Invariants:
//! - never fails: every text gives a tree, and what is wrong with it stands beside the tree;
//! - loses nothing: tokens, comments and the blanks between them give the text back;
//! - knows how ops are written (it reads the table's forms), but not what they mean: no types, no rules, no scopes;
//! - no input overflows the stack: nesting is capped with an error.

mod cut;
mod lexer;
mod parser;
mod search;
mod split;
mod token;
mod tree;
pub mod visible;

pub use cut::{Cut, Piece, PieceKind, Recut, split};
pub use lexer::lex;
pub use parser::{MAX_DEPTH, parse_item, parse_outline};
pub use search::line_breaks;
pub use token::{Token, Tokens};
pub use tree::{Children, ErrorKind, Expected, MAX_ERRORS, NO_SLOT, Node, NodeKind, SyntaxError, Tree};
