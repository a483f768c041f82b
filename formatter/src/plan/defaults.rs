//! Attributes that state the default: `rounding<nearest_even>`, `overflow<none>`, `public`.

use super::line::Style;
use super::marks::mark;
use super::planner::{Op, Planner};
use crate::options::Defaults;
use tile_dialect::{AttrKind, Presence};
use tile_syntax::{Node, Token};

impl Planner<'_> {
    /// Drops an attribute of the custom form that states its default. It is kept if there is a comment in it or next to
    /// it, because the comment is probably about it.
    pub(super) fn drop_default(&mut self, node: Node, op: Op) {
        if self.defaults == Defaults::Keep || !op.is_custom || op.style != Style::Plain || !self.is_default(node, op) {
            return;
        }
        let tokens = self.tree.tokens_of(node);
        let around = self.tree.tokens.end(tokens.start.saturating_sub(1))..self.tree.tokens.start(tokens.end);
        let comments = self.tree.tokens.comments();
        let next = comments.partition_point(|comment| comment.0 < around.start);
        if comments.get(next).is_none_or(|comment| comment.0 >= around.end) {
            tokens.for_each(|token| self.mark(token, mark::DROP));
            self.drops_any = true;
        }
    }

    fn is_default(&self, node: Node, op: Op) -> bool {
        let attr = op.row.and_then(|row| row.row().attrs.get(self.tree.slot(node) as usize));
        let Some((AttrKind::Enum { of, wrapper, .. }, Presence::Default(value))) =
            attr.map(|attr| (attr.kind, attr.presence))
        else {
            return false;
        };
        let tokens = self.tree.tokens_of(node);
        let is = |token: usize, word: &str| self.kind(token) == Token::Name && self.token_text(token) == word;
        let (first, keyword) = (tokens.start, of.keyword(value));
        match tokens.len() {
            1 => wrapper.is_empty() && is(first, keyword),
            4 => {
                let brackets = [self.kind(first + 1), self.kind(first + 3)];
                is(first, wrapper) && is(first + 2, keyword) && brackets == [Token::Less, Token::Greater]
            }
            _ => false,
        }
    }
}
