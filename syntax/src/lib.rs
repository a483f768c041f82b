//! Lexer, parser and syntax tree of Tile IR text.
//!
//! Invariants:
//! - never fails: every text produces a tree and a list of syntax errors;
//! - is lossless: tokens, comments and the whitespace between them reproduce the text;
//! - knows the syntax of ops (it reads the table's forms) but not their meaning: no types, rules or scopes;
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
