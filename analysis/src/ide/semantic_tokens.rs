//! Semantic tokens for syntax highlighting.
//!
//! A word is classified by the innermost syntax node with a role, and a value by its definition. Only the requested
//! range and the entries that overlap it are analyzed.

pub(super) mod kind;

pub use kind::{Highlight, Kind, modifier};

use super::directive;
use crate::db::{self, File};
use crate::ir::Body;
use crate::lower::Lowered;
use rustc_hash::FxHashSet;
use std::ops::Range;
use tile_dialect::{DIALECT_PREFIX, Element, Group, Mnemonic, Named, TYPE_NAMES, Version};
use tile_syntax::{NO_SLOT, Node, NodeKind, Token, Tree};

/// Receives the classified words.
type Emit<'t> = dyn FnMut(Highlight) + 't;

/// Emits the words of the entry that starts at an offset.
type ItemEmitter<'t> = dyn FnMut(u32, &mut Emit<'_>) + 't;

/// Emits the words of a file that touch a byte range, in source order.
pub fn tokens(db: &dyn salsa::Database, file: File, range: Range<u32>, emit: &mut Emit<'_>) {
    let items = &db::layout(db, file).items;
    let outline = db::file_outline(db, file);
    let constants: FxHashSet<&str> =
        outline.globals.iter().filter(|(global, _)| global.constant).map(|(global, _)| &*global.name).collect();
    let version = file.options(db).version;
    let mut item_at = |start: u32, emit: &mut Emit<'_>| {
        let Ok(index) = items.binary_search_by_key(&start, |(start, _)| *start) else { return };
        let (start, item) = items[index];
        let inside = range.start.saturating_sub(start)..range.end.saturating_sub(start);
        let lowered = db::lowered(db, item, file);
        let painter = Painter {
            text: item.text(db),
            tree: db::syntax(db, item),
            base: start,
            lowered: Some(lowered),
            version,
            constants: &constants,
        };
        painter.paint(inside, &mut |_, _| {}, emit);
    };
    let painter =
        Painter { text: file.text(db), tree: &outline.tree, base: 0, lowered: None, version, constants: &constants };
    painter.paint(range.clone(), &mut item_at, emit);
}

/// The syntactic role of a token.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Role {
    /// Part of its op's syntax.
    Form,
    OpName,
    Result,
    Use,
    BlockArg,
    Param,
    Attr,
    Type,
    Alias,
    Error,
}

/// The number of nodes to visit before a range, because they can extend into it. Nodes with a role are small.
const LOOKBEHIND: u32 = 64;

struct Painter<'a> {
    text: &'a str,
    tree: &'a Tree,
    base: u32,
    lowered: Option<&'a Lowered>,
    version: Version,
    /// The names of constant globals.
    constants: &'a FxHashSet<&'a str>,
}

impl Painter<'_> {
    /// Emits the words of a tree in a range of its text. Calls `item` for each entry in the outline.
    fn paint(&self, range: Range<u32>, item: &mut ItemEmitter<'_>, emit: &mut Emit<'_>) {
        let tokens = &self.tree.tokens;
        let Range { start: first, end: last } = self.tokens_in(&range);
        let (roles, ops) = self.roles(first..last);
        let mut ops = ops.into_iter().peekable();
        let kinds = self.lowered.map(|lowered| ValueKinds::new(&lowered.body));
        let mut uses = Uses::new(self.lowered, tokens.start(first));
        let comments = tokens.comments();
        let mut comment = comments.partition_point(|&(_, end)| end <= range.start);
        for token in first..last {
            let start = tokens.start(token);
            while comment < comments.len() && comments[comment].0 < start {
                self.comment(comments[comment], emit);
                comment += 1;
            }
            if tokens.kind(token) == Token::Item {
                item(start, emit);
                continue;
            }
            let role = roles[token - first];
            match tokens.kind(token) {
                Token::Value => {
                    let (kind, modifiers) = self.value(role, &mut uses, kinds.as_ref(), start);
                    self.emit(start..tokens.end(token), kind, modifiers, emit);
                }
                Token::Name => {
                    while ops.next_if(|(at, _)| *at < token).is_some() {}
                    let slot = ops.next_if(|(at, _)| *at == token).map_or(NO_SLOT, |(_, slot)| slot);
                    self.name(token, role, slot, emit);
                }
                Token::Extents => self.extents(token, emit),
                Token::Symbol => self.symbol(token, emit),
                Token::TypeName => self.type_name(token, role, emit),
                Token::AttrName if role == Role::Use => {
                    self.emit(start..tokens.end(token), Kind::Number, 0, emit);
                }
                Token::AttrName => self.alias(token, role, emit),
                Token::Label => self.emit(start..tokens.end(token), Kind::Label, 0, emit),
                Token::Integer | Token::Float => self.emit(start..tokens.end(token), Kind::Number, 0, emit),
                Token::String | Token::OpenString => {
                    let kind = if role == Role::OpName { self.op_kind(token, NO_SLOT).0 } else { Some(Kind::Text) };
                    self.emit(start..tokens.end(token), kind.unwrap_or(Kind::Text), 0, emit);
                }
                _ => {}
            }
        }
        for &found in comments[comment..].iter().take_while(|(start, _)| *start < range.end) {
            self.comment(found, emit);
        }
    }

    /// The tokens that touch a range. The range is usually the whole text, which needs no search.
    fn tokens_in(&self, range: &Range<u32>) -> Range<usize> {
        let tokens = &self.tree.tokens;
        let first = if range.start == 0 { 0 } else { tokens.at(range.start) };
        if range.end as usize >= self.text.len() {
            return first..tokens.len();
        }
        let end = tokens.at(range.end.saturating_sub(1));
        let touches = end < tokens.len() && tokens.start(end) < range.end;
        first..(end + usize::from(touches)).max(first)
    }

    fn emit(&self, range: Range<u32>, kind: Kind, modifiers: u8, emit: &mut Emit<'_>) {
        emit(Highlight { range: range.start + self.base..range.end + self.base, kind, modifiers });
    }

    /// The role of each token, and the slots of the ops with names among the tokens.
    fn roles(&self, tokens: Range<usize>) -> (Vec<Role>, Vec<(usize, u8)>) {
        let tree = self.tree;
        let mut roles = vec![Role::Form; tokens.len()];
        let (mut ops, mut slot) = (Vec::new(), NO_SLOT);
        let count = tree.len() as u32;
        let from = first_node(tree, tokens.start).saturating_sub(LOOKBEHIND);
        for node in (from..count).map(Node) {
            let covered = tree.tokens_of(node);
            if covered.start >= tokens.end {
                break;
            }
            let kind = tree.kind(node);
            match kind {
                NodeKind::Op => slot = tree.slot(node),
                NodeKind::OpName => ops.push((covered.start, slot)),
                _ => {}
            }
            let Some(role) = role(kind) else { continue };
            let (start, end) = (covered.start.max(tokens.start), covered.end.min(tokens.end));
            for token in start..end.max(start) {
                roles[token - tokens.start] = role;
            }
        }
        (roles, ops)
    }

    fn value(&self, role: Role, uses: &mut Uses, kinds: Option<&ValueKinds>, start: u32) -> (Kind, u8) {
        match role {
            Role::Result => (Kind::Value, modifier::DEFINITION),
            Role::Param => (Kind::Parameter, modifier::DEFINITION),
            Role::BlockArg => (Kind::Parameter, modifier::DEFINITION | modifier::BLOCK),
            _ => match (uses.at(start), kinds) {
                (Some(value), Some(kinds)) => kinds.of(value),
                _ => (Kind::Value, 0),
            },
        }
    }

    fn word(&self, token: usize) -> &str {
        self.tree.tokens.text(token, self.text)
    }

    fn name(&self, token: usize, role: Role, slot: u8, emit: &mut Emit<'_>) {
        let tokens = &self.tree.tokens;
        let range = tokens.start(token)..tokens.end(token);
        let (kind, modifiers) = match role {
            Role::OpName => match self.op_kind(token, slot) {
                (Some(kind), modifiers) => (kind, modifiers),
                // Unknown ops are not highlighted, to make them stand out.
                (None, _) => return,
            },
            Role::Error => return,
            Role::Attr if tokens.kind(token + 1) == Token::Less && !self.is_type(token) => (Kind::Attribute, 0),
            Role::Attr if !self.is_type(token) => (Kind::AttributeValue, 0),
            Role::Type | Role::Attr | Role::Alias | Role::Param | Role::BlockArg => self.type_word(token),
            _ => (Kind::Keyword, 0),
        };
        self.emit(range, kind, modifiers, emit);
    }

    fn is_type(&self, token: usize) -> bool {
        self.type_word(token).0 != Kind::Attribute
    }

    fn type_word(&self, token: usize) -> (Kind, u8) {
        (type_kind(self.word(token)).unwrap_or(Kind::Attribute), 0)
    }

    /// The kind of an op's name and whether it is a deprecated spelling; `None` if the op is unknown. `slot` is the
    /// op's row, or [`NO_SLOT`] if that is not known.
    fn op_kind(&self, token: usize, slot: u8) -> (Option<Kind>, u8) {
        let word = self.word(token);
        let row = tile_dialect::ops().get(slot as usize).filter(|row| row.name == word);
        let named = match row {
            Some(row) => Named { row, spelling: None },
            None => match tile_dialect::lookup(word.trim_matches('"')) {
                Some(named) => named,
                None => return (None, 0),
            },
        };
        let is_container = matches!(named.row.op, Mnemonic::Module | Mnemonic::Entry | Mnemonic::TestingFunc);
        let is_control = is_container || named.row.group == Group::ControlFlow || named.row.is_terminator();
        let is_old = |until: Version| until <= self.version;
        let old = named.spelling.and_then(|spelling| spelling.until).is_some_and(is_old);
        let kind = if is_control { Kind::Control } else { Kind::Op };
        (Some(kind), if old { modifier::DEPRECATED } else { 0 })
    }

    /// Emits extents and element type of a token such as `64x?xf32`.
    fn extents(&self, token: usize, emit: &mut Emit<'_>) {
        let tokens = &self.tree.tokens;
        let (start, end) = (tokens.start(token), tokens.end(token));
        let word = self.word(token);
        let last = word.rfind('x').map_or(0, |at| at + 1);
        if word[last..].starts_with(|c: char| c.is_ascii_digit() || c == '?') || last == word.len() {
            return self.emit(start..end, Kind::Number, 0, emit);
        }
        let at = start + last as u32;
        if last > 1 {
            self.emit(start..at - 1, Kind::Number, 0, emit);
        }
        self.emit(at..end, type_kind(&word[last..]).unwrap_or(Kind::Element), 0, emit);
    }

    fn symbol(&self, token: usize, emit: &mut Emit<'_>) {
        let tokens = &self.tree.tokens;
        let range = tokens.start(token)..tokens.end(token);
        let is_own_name = |lowered: &Lowered| lowered.spans.name.start == range.start && !lowered.spans.name.is_empty();
        let (kind, modifiers) = match self.lowered {
            Some(lowered) if is_own_name(lowered) => (Kind::Entry, modifier::DEFINITION),
            Some(_) if self.is_in_preview(token) => (Kind::Entry, 0),
            Some(_) => (Kind::Global, 0),
            None if self.is_in_preview(token) => {
                let is_definition = token.checked_sub(1).is_none_or(|before| self.word(before) != "implements");
                (Kind::Entry, if is_definition { modifier::DEFINITION } else { 0 })
            }
            // All symbols in the outline are definitions.
            None => match token.checked_sub(1).filter(|&before| tokens.kind(before) == Token::Name) {
                Some(before) if self.word(before).ends_with("module") => (Kind::Module, modifier::DEFINITION),
                _ => (Kind::Global, modifier::DEFINITION),
            },
        };
        let is_constant = || self.constants.contains(&*crate::read::attr::symbol(self.word(token)));
        let readonly = if kind == Kind::Global && is_constant() { modifier::READONLY } else { 0 };
        self.emit(range, kind, modifiers | readonly, emit);
    }

    /// Reports whether a token belongs to an op of the SIMT preview. The symbols of these ops are functions.
    fn is_in_preview(&self, token: usize) -> bool {
        let ops = self.tree.path_to(token).into_iter().rev().filter(|&node| self.tree.kind(node) == NodeKind::Op);
        let row = ops.map(|node| tile_dialect::ops().get(self.tree.slot(node) as usize)).next().flatten();
        row.is_some_and(|row| row.is_preview())
    }

    fn type_name(&self, token: usize, role: Role, emit: &mut Emit<'_>) {
        let word = self.word(token);
        if word[1..].starts_with(DIALECT_PREFIX) {
            let range = self.tree.tokens.start(token)..self.tree.tokens.end(token);
            return self.emit(range, Kind::Type, 0, emit);
        }
        self.alias(token, role, emit);
    }

    fn alias(&self, token: usize, role: Role, emit: &mut Emit<'_>) {
        let tokens = &self.tree.tokens;
        let defines = role == Role::Alias && tokens.kind(token + 1) == Token::Equal;
        let modifiers = if defines { modifier::DEFINITION } else { 0 };
        self.emit(tokens.start(token)..tokens.end(token), Kind::Alias, modifiers, emit);
    }

    fn comment(&self, (start, end): (u32, u32), emit: &mut Emit<'_>) {
        let text = &self.text[start as usize..end as usize];
        let is_directive = text.starts_with(directive::SIGN);
        if is_directive {
            return directive::words(text, |range, kind| {
                self.emit(range.start + start..range.end + start, kind, 0, emit)
            });
        }
        let end = start + text.trim_end().len() as u32;
        self.emit(start..end, Kind::Comment, 0, emit);
    }
}

/// The kind of a type constructor or an element type; `None` for other words.
fn type_kind(word: &str) -> Option<Kind> {
    // Fast path: most words are `tile` or a short element type.
    if word == "tile" {
        return Some(Kind::Type);
    }
    let is_element = Element::from_name(word).is_some();
    if is_element { Some(Kind::Element) } else { TYPE_NAMES.contains(&word).then_some(Kind::Type) }
}

/// The first node that starts at or after a token. Nodes are in source order.
fn first_node(tree: &Tree, token: usize) -> u32 {
    let (mut low, mut high) = (0, if token == 0 { 0 } else { tree.len() as u32 });
    while low < high {
        let middle = low + (high - low) / 2;
        if tree.tokens_of(Node(middle)).start < token { low = middle + 1 } else { high = middle }
    }
    low
}

/// The role that a node gives to its tokens; `None` for nodes without a role, such as those that contain statements.
fn role(kind: NodeKind) -> Option<Role> {
    match kind {
        NodeKind::OpName => Some(Role::OpName),
        NodeKind::Result => Some(Role::Result),
        NodeKind::Operand => Some(Role::Use),
        NodeKind::BlockArg => Some(Role::BlockArg),
        NodeKind::Param => Some(Role::Param),
        NodeKind::Attr | NodeKind::Dict | NodeKind::Properties | NodeKind::DictEntry | NodeKind::AttrValue => {
            Some(Role::Attr)
        }
        NodeKind::Type | NodeKind::FunctionType => Some(Role::Type),
        NodeKind::Alias => Some(Role::Alias),
        NodeKind::Absent | NodeKind::Error => Some(Role::Error),
        NodeKind::Root
        | NodeKind::Op
        | NodeKind::Number
        | NodeKind::Region
        | NodeKind::BlockHeader
        | NodeKind::Signature
        | NodeKind::Location
        | NodeKind::Item => None,
    }
}

/// The kinds and modifiers of the values of an item.
struct ValueKinds(Vec<(Kind, u8)>);

impl ValueKinds {
    fn new(body: &Body) -> ValueKinds {
        let mut kinds = vec![(Kind::Value, 0); body.values.len()];
        for (index, region) in body.regions.iter().enumerate() {
            let modifiers = if index == 0 { 0 } else { modifier::BLOCK };
            for value in &region.args {
                kinds[value.0 as usize] = (Kind::Parameter, modifiers);
            }
        }
        ValueKinds(kinds)
    }

    fn of(&self, value: u32) -> (Kind, u8) {
        self.0.get(value as usize).copied().unwrap_or((Kind::Value, 0))
    }
}

/// A cursor over the uses of values, which are in source order.
struct Uses<'a> {
    all: &'a [(Range<u32>, crate::ir::Value)],
    next: usize,
}

impl<'a> Uses<'a> {
    fn new(lowered: Option<&'a Lowered>, from: u32) -> Uses<'a> {
        let all = lowered.map_or(&[][..], |lowered| &lowered.spans.uses);
        Uses { all, next: all.partition_point(|(range, _)| range.start < from) }
    }

    /// The value used at `start`. Calls must be in source order.
    fn at(&mut self, start: u32) -> Option<u32> {
        while self.all.get(self.next).is_some_and(|(range, _)| range.start < start) {
            self.next += 1;
        }
        self.all.get(self.next).filter(|(range, _)| range.start == start).map(|(_, value)| value.0)
    }
}

#[cfg(test)]
mod tests;
