//! Documentation of everything but ops: terms, and notes on the rows of other tables.

use crate::Version;

/// A word of the language, or of what `tile` adds to it, that has no row in another table.
#[derive(Debug)]
pub struct Term {
    /// Its name: `partition_view`, `tile sizes`.
    pub name: &'static str,
    /// Other names that lead to its page.
    pub also: &'static [&'static str],
    /// Its kind: `type`, `concept`.
    pub kind: &'static str,
    /// Its definition, in Markdown. Lists show the first sentence.
    pub doc: &'static str,
    /// How it is used.
    pub notes: Notes,
    /// The first version of the language that has it; `None` for additions of `tile`.
    pub since: Option<Version>,
}

/// How something is written and used: the part of a page that no other table contains.
#[derive(Debug)]
pub struct Notes {
    /// The rows that the notes are about, by name; empty in a [`Term`], which has its own.
    pub about: &'static [&'static str],
    /// How it is written, a line for each way. `{}` is replaced by the name of the row.
    pub syntax: &'static str,
    /// Rules, each of a sentence or two, in Markdown.
    pub rules: &'static [&'static str],
    /// A few lines that use it: statements of an entry, a whole module, or the launch directives above an entry. `{}` is
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
    /// Notes without content, for rows to start from.
    pub const NONE: Notes = Notes { about: &[], syntax: "", rules: &[], example: "", see: &[] };

    /// The notes among `all` that are about a row.
    pub fn about(all: &'static [Notes], name: &str) -> Option<&'static Notes> {
        all.iter().find(|notes| notes.about.contains(&name))
    }

    /// How a row is written.
    pub fn syntax_of(&self, name: &str) -> String {
        self.syntax.replace("{}", name)
    }

    /// The example for a row, which ends with a line break.
    pub fn example_of(&self, name: &str) -> String {
        format!("{}\n", self.example.replace("{}", name).trim())
    }
}
