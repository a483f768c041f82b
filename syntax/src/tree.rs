//! The syntax tree: nodes in source order, in flat arrays.

use crate::token::{SpannedToken, Token, Tokens};
use std::ops::Range;

/// The kind of a node. A node's *slot* identifies the part of the op's row that it represents.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum NodeKind {
    /// The whole text.
    Root,
    /// A statement. Slot: the [`tile_dialect::Mnemonic`], or [`NO_SLOT`] for an unknown op.
    Op,
    /// One name on the left of `=`: `%a` or `%a:2`.
    Result,
    /// The op's name; a string in generic form.
    OpName,
    /// The use of a value: `%a` or `%a#1`. Slot: the operand's index.
    Operand,
    /// An integer in a list that contains integers and values. Slot: the operand's index.
    Number,
    /// The value of an attribute. Slot: the attribute's index.
    Attr,
    /// A type. Slot: the index among the form's types.
    Type,
    /// A region with its braces. Slot: the region's index.
    Region,
    /// `^bb0(…):`.
    BlockHeader,
    /// A block argument: `%a` or `%a: T`. Slot: the region's index.
    BlockArg,
    /// The parameters of an entry, with their parentheses, and its result types.
    Signature,
    /// One parameter: `%a: T`, or a type alone.
    Param,
    /// A dictionary with its braces.
    Dict,
    /// `<{…}>` of generic form.
    Properties,
    /// One `name` or `name = value` of a dictionary.
    DictEntry,
    /// A value of a dictionary, or of an attribute alias.
    AttrValue,
    /// The types of generic form: `(T, …) -> T`.
    FunctionType,
    /// `loc(…)`.
    Location,
    /// `!name = …` or `#name = …`.
    Alias,
    /// An entry of the outline, which has a separate tree. Slot: none; the item's number is its token's rank.
    Item,
    /// An empty node where a keyword introduces an optional operand that is absent. Slot: operand.
    Absent,
    /// Tokens that could not be parsed.
    Error,
}

/// The slot of a node that is not a part of a row.
pub const NO_SLOT: u8 = u8::MAX;

/// One node of a tree.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Node(pub u32);

impl Node {
    /// The root.
    pub const ROOT: Node = Node(0);
}

/// A syntax tree with its tokens and syntax errors. It covers its text without loss: whatever no token covers is
/// whitespace or a comment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tree {
    /// The tokens.
    pub tokens: Tokens,
    /// The syntax errors, in source order.
    pub errors: Vec<SyntaxError>,
    pub(crate) nodes: Vec<NodeData>,
}

/// The stored data of a node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct NodeData {
    pub(crate) kind: NodeKind,
    pub(crate) slot: u8,
    /// Its first token.
    pub(crate) first: u32,
    /// The token after its last one.
    pub(crate) last: u32,
    /// The node after it and all its descendants.
    pub(crate) end: u32,
}

/// The maximum number of errors in a tree. The parser skips the text after the last of them, so arbitrarily large
/// garbage costs no more than its tokens.
pub const MAX_ERRORS: usize = 10_000;

/// A syntax error.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SyntaxError {
    /// The kind of error.
    pub kind: ErrorKind,
    /// Its byte range.
    pub range: Range<u32>,
}

/// The kind of a syntax error.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ErrorKind {
    /// Something is missing here.
    Expected(Expected),
    /// The op is not in the table.
    UnknownOp,
    /// A statement should start here.
    ExpectedOp,
    /// Tokens that do not belong to any part of the statement.
    Unexpected,
    /// A name directly after a value that is a number: `%4_x`.
    BadName,
    /// An extra token between two that belong together.
    Stray,
    /// A keyword that this op does not have.
    Surplus(tile_dialect::Mnemonic),
    /// A keyword that the attribute does not accept; the numbers are the row and its attribute.
    BadKeyword(tile_dialect::Mnemonic, u8),
    /// A wrong word in place of this keyword.
    BadWord(&'static str),
    /// A literal or a bare name in place of the operand with this index. It is an [`NodeKind::Error`] node whose slot
    /// is the operand's index.
    NotAValue(tile_dialect::Mnemonic, u8),
    /// An operand of this op written with its name: `mask=%m`.
    NamedOperand(tile_dialect::Mnemonic),
    /// A token before the types of this op that does not belong to any of its parts.
    Misplaced(tile_dialect::Mnemonic),
    /// A type followed by `*`, as in C.
    PointerStar,
    /// A parameter whose type precedes its name, as in C.
    TypeFirst,
    /// A literal without its element type in place of the attribute with this index: `1.0` instead of `<f32: 1.0>`.
    BareLiteral(tile_dialect::Mnemonic, u8),
    /// A `}` without a matching `{`.
    ExtraBrace,
    /// Regions are nested too deeply.
    TooDeep,
    /// A string without a closing quote.
    OpenString,
    /// A character that starts no token.
    BadCharacter,
}

/// The missing part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Expected {
    /// This punctuation mark or keyword.
    Text(&'static str),
    /// A value, for the operand with this index.
    Operand(tile_dialect::Mnemonic, u8),
    /// The attribute with this index.
    Attr(tile_dialect::Mnemonic, u8),
    /// A value.
    Value,
    /// A type.
    Type,
    /// The types of this op with the mark before them: `:`, or `->` for those of its results.
    Types(tile_dialect::Mnemonic, tile_dialect::form::Punct),
    /// A keyword of this op and the list it introduces: `strides = […]`.
    Clause(tile_dialect::Mnemonic, &'static str),
    /// A region.
    Region,
    /// The value of an attribute.
    AttrValue,
    /// The name of an op.
    OpName,
}

impl Tree {
    /// Whether the parser reached [`MAX_ERRORS`] and skipped the rest.
    pub fn has_too_many_errors(&self) -> bool {
        self.errors.len() >= MAX_ERRORS
    }

    /// The number of nodes.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether there is no node. Always false: a tree has a root.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// The number of nodes of a kind.
    pub fn count(&self, kind: NodeKind) -> usize {
        self.nodes.iter().filter(|node| node.kind == kind).count()
    }

    /// Whether another tree has the same nodes over the same number of tokens and the same errors, so that the two
    /// differ at most in whitespace.
    pub fn has_shape_of(&self, other: &Tree) -> bool {
        let errors = |tree: &Tree| tree.errors.iter().map(|error| error.kind.clone()).collect::<Vec<_>>();
        self.nodes == other.nodes && errors(self) == errors(other)
    }

    /// A node's kind.
    pub fn kind(&self, node: Node) -> NodeKind {
        self.part(node).kind
    }

    /// A node's slot.
    pub fn slot(&self, node: Node) -> u8 {
        self.part(node).slot
    }

    fn part(&self, node: Node) -> &NodeData {
        &self.nodes[node.0 as usize]
    }

    /// The indices of a node's tokens.
    pub fn tokens_of(&self, node: Node) -> Range<usize> {
        let NodeData { first, last, .. } = *self.part(node);
        first as usize..last as usize
    }

    /// A node's range of bytes, from its first token's start to its last token's end.
    pub fn range(&self, node: Node) -> Range<u32> {
        let tokens = self.tokens_of(node);
        let start = self.tokens.start(tokens.start);
        if tokens.is_empty() { start..start } else { start..self.tokens.end(tokens.end - 1) }
    }

    /// A node's source text.
    pub fn text<'t>(&self, node: Node, text: &'t str) -> &'t str {
        let range = self.range(node);
        &text[range.start as usize..range.end as usize]
    }

    /// The kind of a node's `index`th token; [`Token::End`] after its last.
    pub fn token(&self, node: Node, index: usize) -> Token {
        let tokens = self.tokens_of(node);
        if index < tokens.len() { self.tokens.kind(tokens.start + index) } else { Token::End }
    }

    /// The text of a node's first token; empty if it has none.
    pub fn first_text<'t>(&self, node: Node, text: &'t str) -> &'t str {
        let tokens = self.tokens_of(node);
        if tokens.is_empty() { "" } else { self.tokens.text(tokens.start, text) }
    }

    /// A node's children, in source order.
    pub fn children(&self, node: Node) -> Children<'_> {
        Children { tree: self, next: node.0 + 1, end: self.part(node).end }
    }

    /// A node's children of one kind.
    pub fn children_of(&self, node: Node, kind: NodeKind) -> impl Iterator<Item = Node> + '_ {
        self.children(node).filter(move |&child| self.kind(child) == kind)
    }

    /// A node's first child of one kind.
    pub fn child(&self, node: Node, kind: NodeKind) -> Option<Node> {
        self.children_of(node, kind).next()
    }

    /// The node and all its descendants, in source order.
    pub fn descendants(&self, node: Node) -> impl Iterator<Item = Node> + use<> {
        (node.0..self.part(node).end).map(Node)
    }

    /// The nodes that contain the token, outermost first.
    pub fn path_to(&self, token: usize) -> Vec<Node> {
        let holds = |node: &Node| self.tokens_of(*node).contains(&token);
        let mut path = vec![Node::ROOT];
        while let Some(child) = self.children(path[path.len() - 1]).find(holds) {
            path.push(child);
        }
        path
    }

    /// Moves everything after a position by a number of bytes, for an edit that touches no token except an item.
    pub fn shift(&mut self, behind: u32, by: i32) {
        let shift = |place: &mut u32| {
            if *place > behind {
                *place = place.wrapping_add_signed(by);
            }
        };
        self.tokens.words.iter_mut().flat_map(|word| [&mut word.start, &mut word.end]).for_each(shift);
        self.tokens.comments.iter_mut().flat_map(|(start, end)| [start, end]).for_each(shift);
        self.errors.iter_mut().flat_map(|error| [&mut error.range.start, &mut error.range.end]).for_each(shift);
    }

    /// The memory that tokens and nodes take, in bytes.
    pub fn bytes(&self) -> usize {
        size_of::<SpannedToken>() * self.tokens.words.capacity()
            + size_of::<(u32, u32)>() * self.tokens.comments.capacity()
            + size_of::<NodeData>() * self.nodes.capacity()
    }
}

/// A node's children.
pub struct Children<'t> {
    tree: &'t Tree,
    next: u32,
    end: u32,
}

impl Iterator for Children<'_> {
    type Item = Node;

    fn next(&mut self) -> Option<Node> {
        if self.next >= self.end {
            return None;
        }
        let node = Node(self.next);
        self.next = self.tree.part(node).end;
        Some(node)
    }
}
