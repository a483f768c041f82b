//! The syntax tree: nodes in source order, in flat arrays.

use crate::token::{SpannedToken, Token, Tokens};
use std::ops::Range;

/// The kind of a node. A node's *slot* is the index of the part of the op's table row that it represents.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum NodeKind {
    /// The whole text.
    Root,
    /// A statement. Slot: the [`tile_dialect::Mnemonic`], or [`NO_SLOT`] for an op that is not in the table.
    Op,
    /// One name on the left of `=`: `%a` or `%a:2`.
    Result,
    /// The op's name; a string in generic form.
    OpName,
    /// The use of a value: `%a` or `%a#1`. Slot: the operand's index.
    Operand,
    /// An integer in a list of integers and values. Slot: the operand's index.
    Number,
    /// The value of an attribute. Slot: the attribute's index.
    Attr,
    /// A type. Slot: the index among the form's types.
    Type,
    /// A region including its braces. Slot: the region's index.
    Region,
    /// `^bb0(…):`.
    BlockHeader,
    /// A block argument: `%a` or `%a: T`. Slot: the region's index.
    BlockArg,
    /// The parameters of an entry, including the parentheses, and its result types.
    Signature,
    /// One parameter: `%a: T`, or a type alone.
    Param,
    /// A dictionary including its braces.
    Dict,
    /// The `<{…}>` of generic form.
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
    /// An entry in the outline, which has its own tree. Slot: none; the n-th item token is item n.
    Item,
    /// An operand that is announced by a keyword but missing; it has no tokens. Slot: the operand's index.
    Absent,
    /// Tokens that do not fit the grammar.
    Error,
}

/// The slot of a node that does not correspond to a part of a row.
pub const NO_SLOT: u8 = u8::MAX;

/// One node of a tree.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Node(pub u32);

impl Node {
    /// The root.
    pub const ROOT: Node = Node(0);
}

/// A syntax tree with its tokens and errors. It is lossless: any text outside the tokens is whitespace or a comment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tree {
    /// The tokens.
    pub tokens: Tokens,
    /// The errors, in source order.
    pub errors: Vec<SyntaxError>,
    pub(crate) nodes: Vec<NodeData>,
}

/// The data of a node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct NodeData {
    pub(crate) kind: NodeKind,
    pub(crate) slot: u8,
    /// The index of its first token.
    pub(crate) first: u32,
    /// The index after its last token.
    pub(crate) last: u32,
    /// The index after its last descendant.
    pub(crate) end: u32,
}

/// The maximum number of errors that a tree records. After the last of them the parser skips the rest of the text, so
/// that invalid input costs no more than lexing it.
pub const MAX_ERRORS: usize = 10_000;

/// A syntax error.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SyntaxError {
    /// The kind of error.
    pub kind: ErrorKind,
    /// Its range, in bytes.
    pub range: Range<u32>,
}

/// The kind of a syntax error.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ErrorKind {
    /// Something is missing.
    Expected(Expected),
    /// The name of an op that is not in the table.
    UnknownOp,
    /// A token that cannot start a statement.
    ExpectedOp,
    /// Tokens that are not part of the statement.
    Unexpected,
    /// A name directly after a numbered value: `%4_x`.
    BadName,
    /// An extra token between two that belong together.
    Stray,
    /// A keyword that this op does not have.
    Surplus(tile_dialect::Mnemonic),
    /// A keyword that is not a value of the attribute; the numbers are the row and its attribute.
    BadKeyword(tile_dialect::Mnemonic, u8),
    /// Another word where this keyword was expected.
    BadWord(&'static str),
    /// A literal or a bare name where the operand with this index was expected. It becomes an [`NodeKind::Error`] node
    /// whose slot is the operand's index.
    NotAValue(tile_dialect::Mnemonic, u8),
    /// An operand of this op preceded by its name: `mask=%m`.
    NamedOperand(tile_dialect::Mnemonic),
    /// A token before the types of this op that does not belong there.
    Misplaced(tile_dialect::Mnemonic),
    /// A type followed by `*`, as C writes pointers.
    PointerStar,
    /// A parameter whose type comes before its name, as in C.
    TypeFirst,
    /// A bare literal for the attribute with this index, which needs an element type: `1.0` instead of `<f32: 1.0>`.
    BareLiteral(tile_dialect::Mnemonic, u8),
    /// A `{` without a matching `}`: the index of its token.
    Unclosed(u32),
    /// A `}` without a matching `{`.
    ExtraBrace,
    /// Regions nested too deeply.
    TooDeep,
    /// A string without a closing quote.
    OpenString,
    /// A character that starts no token.
    BadCharacter,
}

/// A missing part of the text.
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
    /// The types of this op, including the mark before them: `:`, or `->` for result types.
    Types(tile_dialect::Mnemonic, tile_dialect::form::Punct),
    /// A keyword of this op, including the clause it introduces: `strides = […]`.
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

    /// Whether the tree has no nodes. It always has at least its root.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// The number of nodes of a kind.
    pub fn count(&self, kind: NodeKind) -> usize {
        self.nodes.iter().filter(|node| node.kind == kind).count()
    }

    /// Whether another tree has the same nodes over the same tokens, compared by index, and the same errors. Whitespace
    /// is ignored.
    pub fn has_shape_of(&self, other: &Tree) -> bool {
        let errors = |tree: &Tree| tree.errors.iter().map(|error| error.kind.clone()).collect::<Vec<_>>();
        self.nodes == other.nodes && errors(self) == errors(other)
    }

    /// Returns the kind of a node.
    #[inline]
    pub fn kind(&self, node: Node) -> NodeKind {
        self.data(node).kind
    }

    /// Returns the slot of a node, or [`NO_SLOT`].
    #[inline]
    pub fn slot(&self, node: Node) -> u8 {
        self.data(node).slot
    }

    #[inline]
    fn data(&self, node: Node) -> &NodeData {
        &self.nodes[node.0 as usize]
    }

    /// The indices of a node's tokens.
    #[inline]
    pub fn tokens_of(&self, node: Node) -> Range<usize> {
        let NodeData { first, last, .. } = *self.data(node);
        first as usize..last as usize
    }

    /// The byte range of a node, from the start of its first token to the end of its last.
    #[inline]
    pub fn range(&self, node: Node) -> Range<u32> {
        let tokens = self.tokens_of(node);
        let start = self.tokens.start(tokens.start);
        if tokens.is_empty() { start..start } else { start..self.tokens.end(tokens.end - 1) }
    }

    /// The text of a node.
    #[inline]
    pub fn text<'t>(&self, node: Node, text: &'t str) -> &'t str {
        let range = self.range(node);
        &text[range.start as usize..range.end as usize]
    }

    /// The kind of a node's token at `index`; [`Token::End`] past its last one.
    #[inline]
    pub fn token(&self, node: Node, index: usize) -> Token {
        let tokens = self.tokens_of(node);
        if index < tokens.len() { self.tokens.kind(tokens.start + index) } else { Token::End }
    }

    /// The text of a node's first token; empty if it has none.
    #[inline]
    pub fn first_text<'t>(&self, node: Node, text: &'t str) -> &'t str {
        let tokens = self.tokens_of(node);
        if tokens.is_empty() { "" } else { self.tokens.text(tokens.start, text) }
    }

    /// The children of a node, in source order.
    #[inline]
    pub fn children(&self, node: Node) -> Children<'_> {
        Children { tree: self, next: node.0 + 1, end: self.data(node).end }
    }

    /// The children of a node that have this kind.
    pub fn children_of(&self, node: Node, kind: NodeKind) -> impl Iterator<Item = Node> + '_ {
        self.children(node).filter(move |&child| self.kind(child) == kind)
    }

    /// The first child of a node that has this kind.
    #[inline]
    pub fn child(&self, node: Node, kind: NodeKind) -> Option<Node> {
        self.children_of(node, kind).next()
    }

    /// The node and its descendants, in source order.
    pub fn descendants(&self, node: Node) -> impl Iterator<Item = Node> + use<> {
        (node.0..self.data(node).end).map(Node)
    }

    /// The nodes that contain a token, outermost first.
    pub fn path_to(&self, token: usize) -> Vec<Node> {
        let contains = |node: &Node| self.tokens_of(*node).contains(&token);
        let mut path = vec![Node::ROOT];
        while let Some(child) = self.children(path[path.len() - 1]).find(contains) {
            path.push(child);
        }
        path
    }

    /// Moves every offset greater than `after` by `by` bytes, as for an edit outside all tokens except items.
    pub fn shift(&mut self, after: u32, by: i32) {
        let shift = |place: &mut u32| {
            if *place > after {
                *place = place.wrapping_add_signed(by);
            }
        };
        self.tokens.spanned.iter_mut().flat_map(|token| [&mut token.start, &mut token.end]).for_each(shift);
        self.tokens.comments.iter_mut().flat_map(|(start, end)| [start, end]).for_each(shift);
        self.errors.iter_mut().flat_map(|error| [&mut error.range.start, &mut error.range.end]).for_each(shift);
    }

    /// The memory that tokens and nodes occupy, in bytes.
    pub fn bytes(&self) -> usize {
        size_of::<SpannedToken>() * self.tokens.spanned.capacity()
            + size_of::<(u32, u32)>() * self.tokens.comments.capacity()
            + size_of::<NodeData>() * self.nodes.capacity()
    }
}

/// Iterator over the children of a node.
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
        self.next = self.tree.data(node).end;
        Some(node)
    }
}
