//! Attributes given by an alias: `#unit = dense<1.0> : !cuda_tile.tile<8xf32>` at the top of the file, and `value =
//! #unit` in an op.

use super::Lowerer;
use crate::context::AttrAlias;
use crate::diagnostics as d;
use crate::read::attr::{AttrReader, Read};
use tile_syntax::{Node, Token, lex};

impl<'a> Lowerer<'a> {
    /// Reads the value of an attribute, resolving an alias. Errors specific to this op are reported at the use of the
    /// alias; an invalid alias is not read, since it was reported at its definition.
    pub(super) fn read_value<T>(
        &self,
        value: Node,
        read: impl FnOnce(&mut AttrReader<'_>) -> Read<T>,
    ) -> Read<Option<T>> {
        let tokens = self.tree.tokens_of(value);
        let Some(name) = self.alias_name(value) else {
            let (text, all) = (self.text, &self.tree.tokens);
            return read(&mut AttrReader { text, tokens: all, at: tokens.start, end: tokens.end }).map(Some);
        };
        let place = self.range(value);
        let Some(AttrAlias { text, is_sound }) = self.context.attr_aliases.get(name) else {
            let is_debug = self.context.debug.aliases.contains_key(name);
            return Err(Box::new(if is_debug {
                d::malformed_attribute(place, "an attribute of this op", &format!("#{name}"))
            } else {
                d::unknown_attr_alias(place, name)
            }));
        };
        if !is_sound {
            return Ok(None);
        }
        let tokens = lex(text);
        read(&mut AttrReader { text, tokens: &tokens, at: 0, end: tokens.len() }).map(Some).map_err(|mut wrong| {
            wrong.range = place;
            wrong.labels.clear();
            wrong.fixes.clear();
            Box::new(wrong.note(format!("`#{name}` stands for `{text}`")))
        })
    }

    /// The text of an attribute's value, or of what the alias in its place stands for.
    pub(super) fn value_text(&self, value: Node) -> &'a str {
        let aliased = self.alias_name(value).and_then(|name| self.context.attr_aliases.get(name));
        aliased.map_or(self.tree.text(value, self.text), |alias| &alias.text)
    }

    /// The name of the alias that a value is, without `#`. The names of attributes hold their dialect's.
    pub(super) fn alias_name(&self, value: Node) -> Option<&'a str> {
        let tokens = self.tree.tokens_of(value);
        let is_name = tokens.len() == 1 && self.tree.tokens.kind(tokens.start) == Token::AttrName;
        let name = is_name.then(|| self.tree.first_text(value, self.text).trim_start_matches('#'))?;
        (!name.contains('.')).then_some(name)
    }
}
