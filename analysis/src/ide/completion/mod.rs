//! What may be written at an offset.

mod around;
mod fit;
mod snippet;
mod type_list;
pub(in crate::ide) mod values;
mod words;

use super::doc::Topic;
use super::op_doc;
use crate::db::{self, File};
use std::ops::Range;
use tile_dialect::{EnumRow, NAMED_ENUMS, PTR_ATTR, TYPE_NAMES};

/// Everything that may be written at a place.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Completions {
    /// What of the text is replaced, in bytes of the file.
    pub replaced: Range<u32>,
    /// What may stand there instead, the likeliest first.
    pub items: Vec<Completion>,
}

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
    fn new(label: impl Into<String>, kind: CompletionKind, detail: impl Into<String>) -> Completion {
        Completion { label: label.into(), kind, detail: detail.into(), snippet: None, topic: None }
    }

    /// The same with the page of a topic.
    fn about(self, topic: Topic) -> Completion {
        Completion { topic: Some(topic.key()), ..self }
    }
}

/// What may be written at an offset.
pub fn completions(db: &dyn salsa::Database, file: File, offset: u32) -> Completions {
    let place = Place::new(file.text(db), offset);
    let items = match place.wants() {
        Wants::Nothing => Vec::new(),
        Wants::Value => fit::values(db, file, &place, offset),
        Wants::Global => globals(db, file),
        Wants::Alias => aliases(db, file),
        Wants::AttrAlias => attr_aliases(db, file),
        Wants::Rank => ranks(db, file, &place, offset),
        Wants::Op => snippet::ops(db, file, &place, offset),
        Wants::Type => type_list::types(db, file, &place, offset),
        Wants::Element => type_list::elements(db, file).collect(),
        Wants::EnumValue(of) => words::values(of, &[], file.options(db).version),
        Wants::Keyword => keywords(db, file, &place, offset),
    };
    Completions { replaced: place.replaced.clone(), items }
}

/// What else an op takes at a place: values where one is due, and the words that it knows.
fn keywords(db: &dyn salsa::Database, file: File, place: &Place, offset: u32) -> Vec<Completion> {
    let mut items = Vec::new();
    if place.is_empty() && fit::is_due(db, file, place) {
        items = fit::values(db, file, place, offset);
    }
    items.extend(words::keywords(db, file, place, offset));
    items
}

/// The documentation of an op, for a completion that is looked at.
pub fn documentation(op: &str) -> Option<String> {
    tile_dialect::lookup(op).map(|named| op_doc::markdown(named.row))
}

/// The text around an offset, as far as it says what may stand there.
struct Place<'t> {
    /// The word that is being written, with its sign.
    replaced: Range<u32>,
    /// Its line up to there.
    before: &'t str,
    /// Its sign, if it has one.
    sign: Option<char>,
}

enum Wants {
    Nothing,
    Value,
    Global,
    Alias,
    AttrAlias,
    /// The number of one of a pack.
    Rank,
    Op,
    Type,
    /// What the elements of a constant are.
    Element,
    /// A value of an enum, after its name.
    EnumValue(&'static EnumRow),
    Keyword,
}

impl<'t> Place<'t> {
    fn new(text: &'t str, offset: u32) -> Place<'t> {
        let upto = text.get(..offset as usize).unwrap_or(text);
        let start = upto.trim_end_matches(is_name).len();
        let sign = upto[..start].chars().next_back().filter(|c| matches!(c, '%' | '@' | '!' | '#'));
        let start = start - usize::from(sign.is_some());
        let line = upto[..start].rfind('\n').map_or(0, |at| at + 1);
        Place { replaced: start as u32..upto.len() as u32, before: &upto[line..start], sign }
    }

    /// Whether no letter of the word stands there yet.
    fn is_empty(&self) -> bool {
        self.replaced.is_empty()
    }

    fn wants(&self) -> Wants {
        let before = self.before.trim_end();
        if before.contains("//") || before.matches('"').count() % 2 == 1 {
            return Wants::Nothing;
        }
        let assigns = before.ends_with('=') && before.starts_with(|c: char| c == '%' || c.is_whitespace());
        let results = || before.trim_start().starts_with('%') && !before.contains('(');
        match self.sign {
            Some('%') => Wants::Value,
            Some('@') => Wants::Global,
            Some('#') if self.before.ends_with(is_name) => Wants::Rank,
            Some('#') => Wants::AttrAlias,
            Some(_) => Wants::Alias,
            None if words::is_in_hints(before) => Wants::Keyword,
            None if before.is_empty() || before.ends_with(['{', '}']) => Wants::Op,
            None if assigns && results() => Wants::Op,
            None if named_enum(before).is_some() => named_enum(before).map_or(Wants::Nothing, Wants::EnumValue),
            None if is_in_constant(before) => match before.ends_with('<') {
                true => Wants::Element,
                false => Wants::Nothing,
            },
            None if is_type_place(before) => Wants::Type,
            None => Wants::Keyword,
        }
    }
}

/// Whether a character may stand in a name.
fn is_name(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '_' | '$' | '.')
}

/// Whether a type may follow: behind `:`, `->` or a comma between types, and inside a type.
fn is_type_place(before: &str) -> bool {
    let open_type = before.rfind('<').is_some_and(|at| {
        let inside = !before[at..].contains('>');
        inside && TYPE_NAMES.iter().any(|name| before[..at].ends_with(name))
    });
    let list = before.ends_with(',') && before.rfind(" : ").is_some_and(|at| !before[at..].contains('%'));
    open_type || before.ends_with(':') || before.ends_with("->") || before.ends_with("-> (") || list
}

/// The enum whose value follows: after `#cuda_tile.ptr_attr<`, or after the element of a pointer, `ptr<f32, <`.
fn named_enum(before: &str) -> Option<&'static EnumRow> {
    let before = before.strip_suffix('<')?;
    let is_named = |of: &&EnumRow| before.strip_suffix(of.name).is_some_and(|rest| rest.ends_with("#cuda_tile."));
    if let Some(of) = NAMED_ENUMS.into_iter().find(is_named) {
        return Some(of);
    }
    let element = before.trim_end().strip_suffix(',')?;
    let is_pointer = element.rfind("ptr<").is_some_and(|at| element[at + 4..].chars().all(is_name));
    is_pointer.then_some(&PTR_ATTR)
}

/// Whether the value of a constant, `<i32: 1>`, has begun and not ended.
fn is_in_constant(before: &str) -> bool {
    before.rfind('<').is_some_and(|at| before[..at].ends_with(' ') && !before[at..].contains('>'))
}

fn first_sentence(doc: &str) -> &str {
    doc.find(". ").map_or(doc, |end| &doc[..=end])
}

fn globals(db: &dyn salsa::Database, file: File) -> Vec<Completion> {
    let globals = db::file_outline(db, file).globals.iter();
    let items = globals
        .map(|(global, _)| Completion::new(format!("@{}", global.name), CompletionKind::Global, global.ty.to_string()));
    items.collect()
}

fn attr_aliases(db: &dyn salsa::Database, file: File) -> Vec<Completion> {
    let aliases = db::context(db, file).attr_aliases.iter();
    let mut items: Vec<Completion> = aliases
        .map(|(name, alias)| Completion::new(format!("#{name}"), CompletionKind::Keyword, &*alias.text))
        .collect();
    items.sort_by(|a, b| a.label.cmp(&b.label));
    items
}

/// The numbers of the values that share the name in front of `#`.
fn ranks(db: &dyn salsa::Database, file: File, place: &Place, offset: u32) -> Vec<Completion> {
    let start = place.before.trim_end_matches(is_name).len();
    let name = place.before[..start].ends_with('%').then(|| &place.before[start - 1..]);
    let seen = values::visible(db, file, offset);
    let items = seen.into_iter().filter_map(|value| {
        let (pack, rank) = value.name.split_once('#')?;
        let label = format!("#{rank}");
        (Some(pack) == name).then(|| Completion::new(label, CompletionKind::Value, value.ty.to_string()))
    });
    items.collect()
}

fn aliases(db: &dyn salsa::Database, file: File) -> Vec<Completion> {
    let aliases = db::context(db, file).type_aliases.iter();
    let mut items: Vec<Completion> =
        aliases.map(|(name, ty)| Completion::new(format!("!{name}"), CompletionKind::Type, ty.to_string())).collect();
    items.sort_by(|a, b| a.label.cmp(&b.label));
    items
}

#[cfg(test)]
mod tests;
