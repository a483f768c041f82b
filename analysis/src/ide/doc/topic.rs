//! Documentation topics.

use super::super::capitalized;
use super::facts;
use super::lint_comment::ALLOW;
use tile_dialect::EnumNotes;
use tile_dialect::terms::{ATTRIBUTE_NOTES, ELEMENT_NOTES, ENUM_NOTES, HINT_NOTES, TERMS};
use tile_dialect::{
    ARCHITECTURES, Architecture, AttrRow, ELEMENTS, ENUMS, ElementRow, EnumRow, Group, HINTS, HintRow, Notes, OpRow,
    Term, ops,
};

/// A documentation topic.
#[derive(Clone, Copy, Debug)]
pub enum Topic {
    /// An op.
    Op(&'static OpRow),
    /// An element type.
    Element(&'static ElementRow),
    /// An enum, with all of its values.
    Enum(&'static EnumRow),
    /// One value of an enum, by its number.
    Value(&'static EnumRow, u8),
    /// Attributes of ops that share a keyword.
    Attribute(&'static str),
    /// A hint to the compiler.
    Hint(&'static HintRow),
    /// An architecture, as a key in optimization hints.
    Architecture(&'static Architecture),
    /// Anything else.
    Term(&'static Term),
}

/// All topics of the language, in listing order.
pub fn language() -> Vec<Topic> {
    let mut by_chapter: Vec<&'static OpRow> = ops().to_vec();
    by_chapter.sort_by_key(|row| (row.group as u8, row.name));
    let mut all: Vec<Topic> = by_chapter.into_iter().map(Topic::Op).collect();
    let [types, parts, concepts, preview] = TERMS;
    all.extend(types.iter().map(Topic::Term));
    all.extend(ELEMENTS.iter().map(Topic::Element));
    all.extend(parts.iter().map(Topic::Term));
    for of in ENUMS {
        all.push(Topic::Enum(of));
        all.extend((0..of.values.len() as u8).map(|value| Topic::Value(of, value)));
    }
    all.extend(ATTRIBUTE_NOTES.iter().flat_map(|notes| notes.about).copied().map(Topic::Attribute));
    all.extend(HINTS.iter().map(Topic::Hint));
    all.extend(ARCHITECTURES.iter().map(Topic::Architecture));
    all.extend(concepts.iter().map(Topic::Term));
    all.extend(preview.iter().map(Topic::Term));
    all.push(Topic::Term(&ALLOW));
    all
}

/// The names of topics, sorted, each once.
pub fn names(topics: &[Topic]) -> Vec<&'static str> {
    let mut names: Vec<&'static str> = topics.iter().map(Topic::name).collect();
    names.sort_unstable();
    names.dedup();
    names
}

/// The topic of the term called `name`. Ops, enums and other table rows are not terms.
pub fn term(name: &str) -> Option<Topic> {
    TERMS.iter().copied().flatten().chain([&ALLOW]).find(|term| term.name == name).map(Topic::Term)
}

/// The topic of an attribute, if it has one.
pub fn attribute(attr: &AttrRow) -> Option<Topic> {
    let keyword = facts::keyword(attr);
    Notes::about(ATTRIBUTE_NOTES, keyword).map(|_| Topic::Attribute(keyword))
}

impl Topic {
    /// The name. Several topics can share a name: `zero` is a rounding mode and a padding value.
    pub fn name(&self) -> &'static str {
        match self {
            Topic::Op(row) => row.name,
            Topic::Element(row) => row.name,
            Topic::Enum(of) => enum_notes(of).map_or(of.name, |notes| notes.page),
            Topic::Value(of, value) => of.keyword(*value),
            Topic::Attribute(keyword) => keyword,
            Topic::Hint(row) => row.name,
            Topic::Architecture(row) => row.name,
            Topic::Term(term) => term.name,
        }
    }

    /// Other names for the topic.
    pub fn also(&self) -> Vec<&'static str> {
        match self {
            Topic::Op(row) => row.spellings.iter().map(|spelling| spelling.name).collect(),
            Topic::Enum(of) => enum_notes(of).map_or(Vec::new(), |notes| notes.also.to_vec()),
            Topic::Term(term) => term.also.to_vec(),
            _ => Vec::new(),
        }
    }

    /// The kind: `op`, `rounding mode`.
    pub fn kind(&self) -> &'static str {
        match self {
            Topic::Op(_) => "op",
            Topic::Element(_) => "element type",
            Topic::Enum(_) => "set of keywords",
            Topic::Value(of, _) => of.title,
            Topic::Attribute(_) => "attribute",
            Topic::Hint(_) => "optimization hint",
            Topic::Architecture(_) => "architecture",
            Topic::Term(term) => term.kind,
        }
    }

    /// The kind and the name, unique among topics: `rounding mode zero`.
    pub fn key(&self) -> String {
        format!("{} {}", self.kind(), self.name())
    }

    /// The heading for the topic in a list.
    pub fn group(&self) -> String {
        match self {
            Topic::Op(row) => format!("Ops: {}", chapter(row.group)),
            Topic::Enum(of) | Topic::Value(of, _) => capitalized(of.title),
            _ => capitalized(self.kind()) + "s",
        }
    }

    /// The definition, in Markdown.
    pub fn doc(&self) -> String {
        match self {
            Topic::Op(row) => row.doc.to_string(),
            Topic::Element(row) => row.doc.to_string(),
            Topic::Enum(of) => enum_notes(of).map_or(String::new(), |notes| notes.doc.to_string()),
            Topic::Value(of, value) => of.values[*value as usize].doc.to_string(),
            Topic::Attribute(keyword) => facts::attribute_doc(keyword),
            Topic::Hint(row) => format!("{} It is {}.", row.doc, facts::hint_range(row)),
            Topic::Architecture(row) => facts::architecture_doc(row),
            Topic::Term(term) => term.doc.to_string(),
        }
    }

    /// The first sentence of the definition.
    pub fn summary(&self) -> String {
        let doc = self.doc();
        doc.split_inclusive(". ").next().unwrap_or("").trim().replace('\n', " ")
    }

    /// The first version of the language that has it; `None` for extensions of `tile`.
    pub fn since(&self) -> Option<tile_dialect::Version> {
        match self {
            Topic::Op(row) => Some(row.since),
            Topic::Element(row) => Some(row.since),
            Topic::Enum(of) => of.values.iter().map(|value| value.since).min(),
            Topic::Value(of, value) => Some(of.values[*value as usize].since),
            Topic::Attribute(keyword) => facts::attribute_since(keyword),
            Topic::Hint(_) => Some(tile_dialect::Version::V13_1),
            Topic::Architecture(row) => Some(row.since),
            Topic::Term(term) => term.since,
        }
    }

    /// The usage notes; `None` for ops, which are documented by their rows.
    pub fn notes(&self) -> Option<&'static Notes> {
        match self {
            Topic::Op(_) => None,
            Topic::Element(row) => Notes::about(ELEMENT_NOTES, row.name),
            Topic::Enum(of) => enum_notes(of).map(|notes| &notes.own),
            Topic::Value(of, value) => enum_notes(of).and_then(|notes| Notes::about(notes.values, of.keyword(*value))),
            Topic::Attribute(keyword) => Notes::about(ATTRIBUTE_NOTES, keyword),
            Topic::Hint(row) => Notes::about(HINT_NOTES, row.name),
            Topic::Architecture(row) => Notes::about(HINT_NOTES, row.name),
            Topic::Term(term) => Some(&term.notes),
        }
    }

    /// A small example: statements of an entry, a module, or launch directives.
    pub fn example(&self) -> String {
        match self {
            Topic::Op(row) => row.example().to_string(),
            _ => self.notes().map_or(String::new(), |notes| notes.example_of(self.name())),
        }
    }

    /// The names of related pages.
    pub fn see(&self) -> Vec<&'static str> {
        let family = match self {
            Topic::Value(of, _) => Some(Topic::Enum(of).name()),
            _ => None,
        };
        family.into_iter().chain(self.notes().map_or(&[][..], |notes| notes.see).iter().copied()).collect()
    }
}

/// The notes on an enum.
fn enum_notes(of: &EnumRow) -> Option<&'static EnumNotes> {
    ENUM_NOTES.iter().find(|notes| notes.name == of.name)
}

fn chapter(group: Group) -> &'static str {
    match group {
        Group::Core => "core",
        Group::Integer => "integers",
        Group::Float => "floating point",
        Group::Bitwise => "bits",
        Group::Conversion => "conversions",
        Group::ControlFlow => "control flow",
        Group::View => "views",
        Group::Memory => "memory",
        Group::Atomic => "atomics",
        Group::Misc => "other",
        Group::Preview => "SIMT preview",
        Group::Testing => "tests",
    }
}
