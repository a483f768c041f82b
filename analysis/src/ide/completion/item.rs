//! Completion items.

use crate::ide::doc::Topic;

/// A completion item.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Completion {
    /// The displayed text. It is also the inserted text if `snippet` is `None`.
    pub label: String,
    /// The kind, as editors show it.
    pub kind: CompletionKind,
    /// A short description or a type.
    pub detail: String,
    /// The text inserted instead of the label, with placeholders in LSP snippet syntax: `${1:%a}`.
    pub snippet: Option<String>,
    /// Text that is inserted elsewhere too, with its offset: the names of further results before the op.
    pub insertion: Option<(u32, String)>,
    /// The key of its documentation page, if it has one; see [`Topic::key`].
    pub topic: Option<String>,
    /// Whether the snippet has placeholders instead of operands, because no visible values can be its operands.
    pub needs_values: bool,
}

/// The kind of a [`Completion`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CompletionKind {
    /// The name of an op.
    Op,
    /// A value.
    Value,
    /// A global.
    Global,
    /// A type or an alias of one.
    Type,
    /// A keyword of an attribute.
    Keyword,
    /// A compiler hint or an architecture.
    Hint,
}

impl Completion {
    pub(super) fn new(label: impl Into<String>, kind: CompletionKind, detail: impl Into<String>) -> Completion {
        Completion {
            label: label.into(),
            kind,
            detail: detail.into(),
            snippet: None,
            insertion: None,
            topic: None,
            needs_values: false,
        }
    }

    /// Links the item to the page of a topic.
    pub(super) fn about(self, topic: Topic) -> Completion {
        Completion { topic: Some(topic.key()), ..self }
    }
}

pub(super) fn first_sentence(doc: &str) -> &str {
    doc.find(". ").map_or(doc, |end| &doc[..=end])
}
