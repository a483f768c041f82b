//! Documentation of everything except ops: terms, and notes on the rows of other tables.

use crate::Version;

/// A word of the language, or of the extensions of `tile`, that has no row in another table.
#[derive(Debug)]
pub struct Term {
    /// Its name: `partition_view`, `tile sizes`.
    pub name: &'static str,
    /// Other names that lead to its page.
    pub also: &'static [&'static str],
    /// Its kind, such as `type` or `concept`.
    pub kind: &'static str,
    /// Its definition, in Markdown. Lists show only the first sentence.
    pub doc: &'static str,
    /// How it is used.
    pub notes: Notes,
    /// The first version of the language that has it; `None` for extensions of `tile`.
    pub since: Option<Version>,
}

/// How something is written and used: the part of a page that is not in another table.
#[derive(Debug)]
pub struct Notes {
    /// The names of the rows that the notes apply to; empty in a [`Term`].
    pub about: &'static [&'static str],
    /// The ways of writing it, one on each line. `{}` is replaced by the name of the row.
    pub syntax: &'static str,
    /// Rules of one or two sentences each, in Markdown.
    pub rules: &'static [&'static str],
    /// A short example: statements of an entry, a whole module, or the launch directives above an entry. `{}` is
    /// replaced by the name of the row.
    pub example: &'static str,
    /// Names of pages to read next.
    pub see: &'static [&'static str],
}

/// Notes on an enum and its values.
#[derive(Debug)]
pub struct EnumNotes {
    /// The enum, by its name in generic form.
    pub name: &'static str,
    /// The name of its page: the keyword before its values in the text, or its usual name.
    pub page: &'static str,
    /// Other names that lead to its page.
    pub also: &'static [&'static str],
    /// Its definition, in Markdown.
    pub doc: &'static str,
    /// The page of the enum itself.
    pub own: Notes,
    /// The pages of the values; each value is in one of them.
    pub values: &'static [Notes],
}

impl Notes {
    /// Empty notes, as a base for others.
    pub const NONE: Notes = Notes { about: &[], syntax: "", rules: &[], example: "", see: &[] };

    /// The notes among `all` that apply to a row.
    pub fn about(all: &'static [Notes], name: &str) -> Option<&'static Notes> {
        all.iter().find(|notes| notes.about.contains(&name))
    }

    /// The syntax of a row.
    pub fn syntax_of(&self, name: &str) -> String {
        self.syntax.replace("{}", name)
    }

    /// The example for a row, ending with a line break.
    pub fn example_of(&self, name: &str) -> String {
        format!("{}\n", self.example.replace("{}", name).trim())
    }
}
