//! The changes at one position, for editors.

use crate::change::{Change, Changes};
use crate::edits::edits;
use crate::entry::{Entry, entries};
use crate::passes::Pass;
use crate::pipeline::optimize;
use crate::settings::Settings;
use rustc_hash::FxHashSet;
use tile_analysis::db::{self, File, Queries};
use tile_analysis::diagnostic::{Edit, Severity};
use tile_analysis::ir::OpId;
use tile_dialect::Mnemonic;

/// A change that an editor can offer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Offer {
    /// The title, in the imperative: "Move `%a` out of the loop".
    pub title: String,
    /// The edits of the file, in order of position. They do not overlap.
    pub edits: Vec<Edit>,
}

/// The passes whose changes concern a single op. Dead code has a refactoring of its own in `analysis`.
const SINGLE: [Pass; 5] = [Pass::Fold, Pass::Canonicalize, Pass::Cse, Pass::Licm, Pass::Fma];

/// The changes of the op whose results or name are at an offset, and of all ops if the offset is at the name of their
/// entry. An entry with errors has none.
pub fn offers(db: &Queries, file: File, offset: u32) -> Vec<Offer> {
    let Some(entry) = entry_at(db, file, offset) else { return Vec::new() };
    let settings = Settings { options: file.options(db), contract: false };
    let within = offset - entry.start;
    let name = &entry.lowered.spans.name;
    if (name.start..=name.end).contains(&within) {
        return whole(db, file, &entry, &settings).into_iter().collect();
    }
    let Some(op) = op_at(&entry, within) else { return Vec::new() };
    SINGLE.into_iter().filter_map(|pass| single(&entry, op, pass, &settings)).collect()
}

/// The entry at an offset, unless it has errors.
fn entry_at(db: &Queries, file: File, offset: u32) -> Option<Entry<'_>> {
    let (start, item) = db::layout(db, file).at(db, offset)?;
    let lowered = db::lowered(db, item, file);
    let is_valid = lowered.diagnostics.iter().all(|found| found.page.severity != Severity::Error);
    is_valid.then(|| Entry::of(start, item.text(db), lowered.clone())).flatten()
}

/// The op whose results or name are at an offset of the entry.
fn op_at(entry: &Entry<'_>, offset: u32) -> Option<OpId> {
    let is_here = |(id, _): &(OpId, _)| {
        let name = &entry.lowered.spans.op_names[id.0 as usize];
        // The statement begins with its results.
        (entry.statement(*id).start..=name.end).contains(&offset)
    };
    entry.ops().find(is_here).map(|(id, _)| id)
}

/// The change of an op by a pass.
fn single(entry: &Entry<'_>, op: OpId, pass: Pass, settings: &Settings) -> Option<Offer> {
    if pass == Pass::Cse && entry.op(op).op == Mnemonic::Constant {
        return None; // `analysis` offers it
    }
    let changes = pass.changes(entry, settings);
    let own = changes.iter().position(|group| group.iter().any(|change| change.op() == Some(op)))?;
    let (_, edits) = edits(entry, settings.options.version, &with_moved_operands(entry, changes, own));
    (!edits.is_empty()).then(|| Offer { title: title(entry, op, pass), edits })
}

/// The list of changes with this number, after those that move the definitions of its operands.
fn with_moved_operands(entry: &Entry<'_>, changes: Changes, own: usize) -> Changes {
    let moved = |list: &Vec<Change>| match list[..] {
        [Change::Hoist { op, .. }] => Some(op),
        _ => None,
    };
    let mut needed: FxHashSet<OpId> = moved(&changes[own]).into_iter().collect();
    let before = changes.into_iter().take(own + 1).rev().enumerate().filter(|(distance, list)| {
        let Some(op) = moved(list) else { return *distance == 0 };
        let is_needed = needed.contains(&op);
        if is_needed {
            let operands = entry.body().operands(entry.op(op));
            needed.extend(operands.iter().filter_map(|value| entry.body().defining_op(*value)));
        }
        is_needed
    });
    let mut kept: Changes = before.map(|(_, list)| list).collect();
    kept.reverse();
    kept
}

fn title(entry: &Entry<'_>, op: OpId, pass: Pass) -> String {
    let op = entry.op(op);
    let result = entry.body().results(op).next().and_then(|value| entry.name_of(value));
    let named = result.unwrap_or(op.op.row().name);
    match pass {
        Pass::Fold => format!("Replace `{named}` with its constant value"),
        Pass::Cse => format!("Merge `{named}` with the equal value above"),
        Pass::Licm => format!("Move `{named}` out of the loop"),
        Pass::Fma => format!("Fuse `{named}` with its product to `fma`"),
        Pass::Canonicalize | Pass::Dce => format!("Simplify `{}`", op.op.row().name),
    }
}

/// Optimizes an entry with all passes.
fn whole(db: &Queries, file: File, entry: &Entry<'_>, settings: &Settings) -> Option<Offer> {
    // Without the other entries, so that the time does not depend on the size of the file.
    let mut alone = String::new();
    let mut at = 0;
    let text = file.text(db);
    for &(start, item) in &db::layout(db, file).items {
        alone.push_str(text.get(at..start as usize)?);
        if start == entry.start {
            alone.push_str(entry.text);
        }
        at = start as usize + item.text(db).len();
    }
    alone.push_str(text.get(at..)?);
    let optimized = optimize(&alone, &Pass::ALL, settings, &mut |_| {}).ok()?;
    let content = entries(&optimized.text, settings.options).ok()?.first()?.text.to_string();
    let range = entry.start..entry.start + entry.text.len() as u32;
    let title = format!("Optimize `@{}`", entry.body().name);
    (content != entry.text).then(|| Offer { title, edits: vec![Edit { range, content }] })
}
