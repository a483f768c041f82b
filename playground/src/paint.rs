//! Semantic tokens and inlay hints.

use crate::document::Document;
use serde::Serialize;
use tile_analysis::ide::inlay::{self, InlayKind, InlayOptions};
use tile_analysis::ide::semantic_tokens::{self, modifier};

/// The tokens of a range: the start, the end and the class of each, one after the other.
#[derive(Serialize, Debug)]
pub(crate) struct Tokens {
    /// The names of the classes.
    classes: &'static [&'static str],
    tokens: Vec<u32>,
}

/// The class of each [`Kind`], in the order of their numbers.
const CLASSES: [&str; 20] = [
    "op",
    "control",
    "keyword",
    "attribute",
    "enum",
    "value",
    "parameter",
    "type",
    "element",
    "alias",
    "global",
    "entry",
    "module",
    "label",
    "number",
    "string",
    "comment",
    "directive",
    "function",
    "deprecated",
];

/// The class of words with a deprecated spelling.
const DEPRECATED: u32 = CLASSES.len() as u32 - 1;

pub(crate) fn tokens(document: &Document, range: [u32; 2]) -> Tokens {
    let mut tokens = Vec::new();
    let range = document.bytes(range);
    semantic_tokens::tokens(&document.db, document.file, range, &mut |word| {
        let [from, to] = document.offsets.range(&word.range);
        let is_deprecated = word.modifiers & modifier::DEPRECATED != 0;
        tokens.extend([from, to, if is_deprecated { DEPRECATED } else { word.kind as u32 }]);
    });
    Tokens { classes: &CLASSES, tokens }
}

/// An inlay hint.
#[derive(Serialize, Debug)]
pub(crate) struct Inlay {
    at: u32,
    label: String,
    /// Markdown; can be empty.
    tooltip: String,
    /// Whether it follows the text rather than preceding it.
    after: bool,
}

pub(crate) fn inlays(document: &Document, range: [u32; 2]) -> Vec<Inlay> {
    let options = InlayOptions { tooltips: true, ..InlayOptions::default() };
    let found = inlay::inlays(&document.db, document.file, &document.bytes(range), options);
    let one = |found: inlay::Inlay| Inlay {
        at: document.offsets.units(found.at),
        label: found.label,
        tooltip: found.tooltip,
        after: found.kind != InlayKind::Parameter,
    };
    found.into_iter().map(one).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use tile_analysis::ide::semantic_tokens::Kind;

    #[test]
    fn classes_are_in_the_order_of_the_kinds() {
        let last = [(Kind::Op, "op"), (Kind::Value, "value"), (Kind::Comment, "comment"), (Kind::Function, "function")];
        for (kind, class) in last {
            assert_eq!(CLASSES[kind as usize], class);
        }
        assert_eq!(DEPRECATED, Kind::Function as u32 + 1);
    }
}
