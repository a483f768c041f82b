//! Snippets for whole ops, filled in with values that fit.

use super::super::gpu_words;
use super::around::Around;
use super::context::{CompletionContext, NamedResults};
use super::item::{Completion, CompletionKind, first_sentence};
use super::operands::Search;
use super::preview::item_snippet;
use super::site::Site;
use super::writer::{Choice, Written, modes, types, write};
use crate::db::File;
use crate::preview;
use tile_dialect::{DIALECT_PREFIX, Group, Mnemonic, Named, OpRow, Version};

/// Begins the detail of an op with placeholders for its operands.
const NO_OPERANDS: &str = "no visible operands fit. ";

/// The most statements that are checked for one op. If none of them is valid, the op is offered with placeholders.
const MAX_TRIALS: usize = 200;

/// The most types that are tried for the same operands.
const MAX_TYPES: usize = 4;

/// The ops of the version that are allowed at the offset, without the optional dialect prefix. Ops with a
/// fitting value for every required operand come first.
pub(super) fn ops(db: &dyn salsa::Database, file: File, ctx: &CompletionContext, offset: u32) -> Vec<Completion> {
    let site = Site::new(db, file, offset);
    let version = site.version;
    let results = ctx.named_results();
    let around = Around::new(db, file, offset);
    let has_preview = preview::is_allowed(&file.options(db));
    let is_known = |row: &&&OpRow| match row.group {
        Group::Testing => false,
        Group::Preview => has_preview,
        _ => row.since <= version,
    };
    let rows = tile_dialect::ops().iter().filter(is_known).filter(|row| around.allows(row, results.is_some(), version));
    let rows = rows.filter(|row| !site.is_impure(row));
    let mut items: Vec<Completion> = rows
        .map(|row| {
            let item = item(named_in(row, version), &site, results.as_ref());
            Completion { detail: gpu_words::offered(&item.detail, row.gpus, file.options(db).target()), ..item }
        })
        .collect();
    items.sort_by(|a, b| (a.needs_values, &a.label).cmp(&(b.needs_values, &b.label)));
    items
}

/// An op after the names of its results, if they are written.
fn item(named: Named, site: &Site, results: Option<&NamedResults>) -> Completion {
    let (Written { snippet, more_results, .. }, needs_values) = match item_snippet(named.row.op) {
        Some(snippet) => (Written { snippet, ..Written::default() }, false),
        None => statement(named, site, results.map(|results| results.count)),
    };
    let insertion = results.map(|results| (results.end, more_results)).filter(|(_, text)| !text.is_empty());
    let lack = if needs_values { NO_OPERANDS } else { "" };
    let detail = format!("{lack}{}", first_sentence(named.row.doc));
    let item = Completion::new(label(named), CompletionKind::Op, detail);
    Completion { snippet: Some(snippet), insertion, needs_values, ..item }
}

/// The op with its spelling in a version.
fn named_in(row: &'static OpRow, version: Version) -> Named {
    let fits = |since: Version, until: Option<Version>| since <= version && until.is_none_or(|until| version < until);
    Named { row, spelling: row.spellings.iter().find(|spelling| fits(spelling.since, spelling.until)) }
}

fn label(named: Named) -> String {
    let name = named.spelling.map_or(named.row.name, |spelling| spelling.name);
    if named.row.op == Mnemonic::Module { format!("{DIALECT_PREFIX}{name}") } else { name.to_string() }
}

/// A statement, and whether it has placeholders because no values can be its operands.
fn statement(named: Named, site: &Site, results: Option<usize>) -> (Written, bool) {
    let (search, label) = (Search::new(named, site), label(named));
    if let Some(written) = first_valid(&search, named, &label, results) {
        return (written, false);
    }
    let choice = Choice { named, label: &label, operands: &search.nearest(), mode: 0, results };
    let types = types(site, &choice);
    (write(site, &choice, types.first().map(String::as_str)), search.needs_values())
}

/// The statement with the likeliest operands that the op accepts.
fn first_valid(search: &Search, named: Named, label: &str, results: Option<usize>) -> Option<Written> {
    let (site, mut trials) = (search.site, 0);
    for operands in search.candidates() {
        for mode in 0..modes(named, site.version) {
            let choice = Choice { named, label, operands: &operands, mode, results };
            for types in types(site, &choice).iter().take(MAX_TYPES) {
                let written = write(site, &choice, Some(types));
                if site.accepts(&written.text, &written.values) {
                    return Some(written);
                }
                trials += 1;
            }
        }
        if trials >= MAX_TRIALS {
            return None;
        }
    }
    None
}

#[cfg(test)]
mod tests;
