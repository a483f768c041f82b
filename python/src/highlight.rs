//! Programs as HTML.

use pyo3::prelude::*;
use std::fmt::Write;
use std::sync::Arc;
use tile_analysis::context::Options;
use tile_analysis::db::{Database, File};
use tile_analysis::ide::semantic_tokens::{Highlight, Kind, tokens};

/// The text of a program as HTML, with a `span` for each highlighted word. Its class is one of `op`, `value`, `type`,
/// `number`, `string`, `name`, `comment` and `directive`.
#[pyfunction]
pub(crate) fn highlight(text: &str) -> String {
    let db = Database::default();
    let file = File::new(&db, Arc::from(text), Options { preview: true, ..Options::default() });
    let (mut html, mut at) = (String::new(), 0);
    tokens(&db, file, 0..text.len() as u32, &mut |Highlight { range, kind, .. }| {
        let (start, end) = (range.start as usize, range.end as usize);
        if start >= at {
            html.push_str(&escaped(&text[at..start]));
            // A string accepts everything.
            let _ = write!(html, "<span class=\"{}\">{}</span>", class(kind), escaped(&text[start..end]));
            at = end;
        }
    });
    html.push_str(&escaped(&text[at..]));
    html
}

fn class(kind: Kind) -> &'static str {
    match kind {
        Kind::Op | Kind::Control | Kind::Keyword | Kind::Attribute | Kind::AttributeValue => "op",
        Kind::Value | Kind::Parameter => "value",
        Kind::Type | Kind::Element | Kind::Alias => "type",
        Kind::Global | Kind::Entry | Kind::Module | Kind::Label => "name",
        Kind::Number => "number",
        Kind::Text => "string",
        Kind::Comment => "comment",
        Kind::Directive | Kind::Function => "directive",
    }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
