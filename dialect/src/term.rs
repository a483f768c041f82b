//! The shape of documentation that is not an op's: terms, and what a page adds to a row of another table.

use crate::Version;

/// A word of the language, or of what `tile` adds to it, that has no row in another table.
#[derive(Debug)]
pub struct Term {
    /// What it is called: `partition_view`, `tile sizes`.
    pub name: &'static str,
    /// Other names that lead to its page.
    pub also: &'static [&'static str],
    /// What kind of thing it is: `type`, `concept`.
    pub kind: &'static str,
    /// What it is, in Markdown. The first sentence stands for the page in lists.
    pub doc: &'static str,
    /// How it is used.
    pub notes: Notes,
    /// The first version of the language that has it; `None` for what `tile` adds.
    pub since: Option<Version>,
}

/// How something is used: the part of a page that no other table holds.
#[derive(Debug)]
pub struct Notes {
    /// The rows that the notes are about, by name; empty in a [`Term`], which has its own.
    pub about: &'static [&'static str],
    /// How it is written, a line for each way. `{}` stands for the name of the row.
    pub syntax: &'static str,
    /// What must hold, a sentence or two each, in Markdown.
    pub rules: &'static [&'static str],
    /// A few lines that use it: statements of an entry, a whole module, or the launch directives above an entry. `{}` stands
    /// for the name of the row.
    pub example: &'static str,
    /// Names of pages to read next.
    pub see: &'static [&'static str],
}

impl Notes {
    /// No notes: rows name only what they have.
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
