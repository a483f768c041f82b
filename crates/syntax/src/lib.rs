//! Lexer, parser and syntax tree of Tile IR text.
//!
//! Invariants:
//! - never fails: every text yields a tree, and the errors are stored next to it;
//! - loses nothing: tokens, comments and the whitespace between them reproduce the text;
//! - knows how ops are written (from the forms in the op table) but not what they mean: it has no types, rules or
//!   scopes;
//! - never overflows the stack: nesting is limited, and exceeding the limit is an error.

pub mod annotation;
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
