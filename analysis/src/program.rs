//! The program of a file, in the form that backends use.

use crate::batch::Checked;
use crate::db::{self, File, Queries};
use crate::diagnostic::Diagnostic;
use crate::gpu::{self, GpuTarget};
use crate::ir::Module;
use crate::lower::Lowered;
use crate::outline::Outline;
use tile_dialect::Mnemonic;

/// The program of a file.
#[derive(Debug)]
pub struct Program<'a> {
    /// The file's text.
    pub text: &'a str,
    /// The file's outline.
    pub outline: &'a Outline,
    /// The byte offset of each entry, with its lowered form.
    pub entries: Vec<(u32, &'a Lowered)>,
}

impl<'a> Program<'a> {
    /// Returns the program of a file in a database.
    pub fn of(db: &'a Queries, file: File) -> Program<'a> {
        let items = db::layout(db, file).items.iter().map(|&(start, item)| (start, db::lowered(db, item, file)));
        Program { text: file.text(db), outline: db::file_outline(db, file), entries: entries(items) }
    }

    /// Reports each use of a feature that a target lacks.
    pub fn lacks(&self, target: GpuTarget) -> Vec<Diagnostic> {
        let of_entry = |&(start, lowered): &(u32, &Lowered)| {
            let found = gpu::lacks(&lowered.body, &lowered.spans, target);
            found.into_iter().map(move |found| found.shifted(start))
        };
        self.entries.iter().flat_map(of_entry).collect()
    }

    /// Returns the globals, entries and functions, including those with errors.
    pub fn module(&self) -> Module {
        Module {
            producer: self.outline.producer.clone(),
            globals: self.outline.globals.iter().map(|(global, _)| global.clone()).collect(),
            entries: self.entries.iter().map(|(_, lowered)| lowered.body.clone()).collect(),
            functions: self.outline.functions.iter().map(|declared| declared.function.clone()).collect(),
        }
    }
}

impl Checked {
    /// Returns the program of the checked text, with the entries whose IR was kept.
    pub fn program<'a>(&'a self, text: &'a str) -> Program<'a> {
        let items = self.items.iter().filter_map(|(start, lowered)| Some((*start, lowered.as_ref()?)));
        Program { text, outline: &self.outline, entries: entries(items) }
    }
}

fn entries<'a>(items: impl Iterator<Item = (u32, &'a Lowered)>) -> Vec<(u32, &'a Lowered)> {
    items.filter(|(_, lowered)| lowered.op == Mnemonic::Entry).collect()
}
