//! Completions.

use crate::words::{self, Word, WordContext};
use tile_analysis::ide::doc::Topic;

/// A completion.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Completion {
    /// Its label.
    pub label: String,
    /// The inserted text, as a snippet.
    pub snippet: String,
    /// A short description.
    pub detail: String,
    /// The key of its documentation, if it has any.
    pub topic: Option<String>,
}

/// The words that can be written in a context.
pub(super) fn words_at(place: WordContext) -> Vec<Completion> {
    let own = words::words().filter(|word| word.place == place);
    own.map(|word: &Word| {
        let topic = Topic::Term(&word.term);
        let item = completion(word.term.name, word.snippet, topic.summary().trim_end_matches('.'));
        Completion { topic: Some(topic.key()), ..item }
    })
    .collect()
}

/// A completion without a page.
pub(super) fn completion(label: &str, snippet: &str, detail: &str) -> Completion {
    Completion { label: label.to_string(), snippet: snippet.to_string(), detail: detail.replace('`', ""), topic: None }
}
