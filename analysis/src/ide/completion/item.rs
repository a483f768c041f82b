//! Something that may be written.

use crate::ide::doc::Topic;

/// Something that may be written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Completion {
    /// The text.
    pub label: String,
    /// What it is.
    pub kind: CompletionKind,
    /// A few words about it.
    pub detail: String,
    /// What is written instead of the label, with places to fill in as snippets of editors have them: `${1:%a}`.
    pub snippet: Option<String>,
    /// The key of the page that describes it, if there is one; see [`Topic::key`].
    pub topic: Option<String>,
}

/// What a completion is.
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
    /// The name of a hint to the compiler, or an architecture.
    Hint,
}

impl Completion {
    pub(super) fn new(label: impl Into<String>, kind: CompletionKind, detail: impl Into<String>) -> Completion {
        Completion { label: label.into(), kind, detail: detail.into(), snippet: None, topic: None }
    }

    /// The same with the page of a topic.
    pub(super) fn about(self, topic: Topic) -> Completion {
        Completion { topic: Some(topic.key()), ..self }
    }
}

pub(super) fn first_sentence(doc: &str) -> &str {
    doc.find(". ").map_or(doc, |end| &doc[..=end])
}
