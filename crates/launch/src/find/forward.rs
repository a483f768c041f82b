//! The entries that `forward` lines name.

use crate::bind::ForwardKernel;
use crate::directive::SIGN;
use std::sync::Arc;
use tile_analysis::db::{self, File, Queries};
use tile_analysis::ir::Body;
use tile_analysis::lower::Lowered;
use tile_analysis::source::Spans;
use tile_analysis::suggest;
use tile_dialect::Mnemonic;

/// The entry that a `forward` line names.
#[derive(Clone, Debug)]
pub enum ForwardEntry {
    /// The entry.
    Known {
        /// Its IR.
        entry: Arc<Body>,
        /// The offset of its item in the file, in bytes.
        start: u32,
        /// The ranges of its parts, in bytes from its start.
        spans: Arc<Spans>,
    },
    /// No entry has this name.
    Unknown {
        /// The most similar name of an entry.
        closest: Option<String>,
    },
}

impl ForwardEntry {
    /// Finds an entry of a file.
    pub(super) fn of(db: &Queries, file: File, name: &str) -> ForwardEntry {
        let items = db::layout(db, file).items.iter();
        ForwardEntry::find(items.map(|&(start, item)| (start, db::lowered(db, item, file))), name)
    }

    /// Finds an entry among the items of a file.
    pub(super) fn find<'l>(items: impl Iterator<Item = (u32, &'l Lowered)>, name: &str) -> ForwardEntry {
        let mut names = Vec::new();
        for (start, lowered) in items.filter(|(_, lowered)| lowered.op == Mnemonic::Entry) {
            if *lowered.body.name == *name {
                return ForwardEntry::Known { entry: lowered.body.clone(), start, spans: lowered.spans.clone() };
            }
            names.push(&*lowered.body.name);
        }
        ForwardEntry::Unknown { closest: suggest::closest(name, names).map(str::to_string) }
    }

    pub(super) fn kernel(&self) -> ForwardKernel<'_> {
        match self {
            ForwardEntry::Known { entry, .. } => ForwardKernel::Other(entry),
            ForwardEntry::Unknown { closest } => ForwardKernel::Unknown { closest: closest.as_deref() },
        }
    }
}

/// Whether there is a `forward` line in a text.
pub(super) fn has_forward(text: &str) -> bool {
    let is_forward = |line: &str| {
        let directive = line.trim_start().strip_prefix(SIGN);
        directive.is_some_and(|directive| directive.trim_start().starts_with("forward"))
    };
    text.contains("forward") && text.lines().any(is_forward)
}
