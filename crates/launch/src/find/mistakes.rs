//! The launches above an entry, their errors, and stray directives, which are not above an entry.

use super::entry::EntryLaunches;
use super::forward::ForwardEntry;
use super::page::diagnostic;
use crate::directive::parse;
use crate::error::LaunchError;
use crate::{bind, certain};
use std::ops::Range;
use tile_analysis::diagnostic::{Diagnostic, MAX_IN_FILE, Severity};
use tile_analysis::lines::comment_lines_above;
use tile_analysis::lower::Lowered;
use tile_dialect::Mnemonic;

/// The launches above an item, if it is an entry. `forward` finds the entry with a name.
pub(super) fn launches_of(
    text: &str,
    start: u32,
    lowered: &Lowered,
    forward: &dyn Fn(&str) -> ForwardEntry,
) -> Option<EntryLaunches> {
    if lowered.op != Mnemonic::Entry {
        return None;
    }
    let name = &lowered.spans.name;
    let directives = parse(text, comment_lines_above(text, start as usize));
    let names = directives.launches.iter().filter_map(|launch| Some(launch.forward.as_ref()?.entry.clone()));
    let forwards = names.map(|name| (name.clone(), forward(&name))).collect();
    Some(EntryLaunches {
        entry: lowered.body.clone(),
        start,
        spans: lowered.spans.clone(),
        name: name.start + start..name.end + start,
        directives,
        forwards,
        allowances: lowered.allowances.clone(),
        has_errors: lowered.diagnostics.iter().any(|found| found.severity == Severity::Error),
    })
}

/// The errors in the launches of one entry.
pub(super) fn mistakes_in(text: &str, launches: &EntryLaunches) -> Vec<Diagnostic> {
    let mut found = certain::mistakes(text, launches);
    found.extend(errors_in(text, launches).iter().map(diagnostic));
    found
}

/// The errors in the directives of one entry. Lines that belong to no launch are not reported if only comments and
/// blank lines separate them from a stray directive, because that directive is the mistake.
pub(super) fn errors_in(text: &str, launches: &EntryLaunches) -> Vec<LaunchError> {
    let directives = &launches.directives;
    let misfits = directives.launches.iter().flat_map(|launch| {
        // The argument in a line with an error is not missing.
        let has_errors = directives.errors_in(launch).next().is_some();
        let kernels = launches.kernels(launch);
        if has_errors { bind::wrong_arguments(kernels, launch) } else { bind::misfits(kernels, launch) }
    });
    let block = comment_lines_above(text, launches.start as usize);
    let follows_stray = !directives.orphans.is_empty()
        && text[comments_before(text, block.start)].lines().any(|line| line.trim_start().starts_with("//@"));
    let is_cut_off = |error: &&LaunchError| follows_stray && directives.orphans.contains(&error.range);
    let errors = directives.errors.iter().filter(|error| !is_cut_off(error)).cloned();
    errors.chain(misfits).collect()
}

/// The directive lines within a range of a text that are in none of `blocks`, the comments directly above the items.
/// They are never run.
pub(super) fn strays(text: &str, within: Range<usize>, blocks: &[Range<usize>]) -> Vec<LaunchError> {
    let part = &text[within.clone()];
    if !part.contains("//@") {
        return Vec::new();
    }
    // Both the blocks and the lines are in source order.
    let in_block = |start: usize| {
        let next = blocks.partition_point(|block| block.end <= start);
        blocks.get(next).is_some_and(|block| block.contains(&start))
    };
    let is_line_start = |at: usize| at == 0 || text.as_bytes()[at - 1] == b'\n';
    let (mut found, mut at) = (Vec::new(), within.start);
    for line in part.split_inclusive('\n') {
        let begins = is_line_start(at);
        let start = at + (line.len() - line.trim_start().len());
        at += line.len();
        if begins && line.trim_start().starts_with("//@") && !in_block(start) {
            let error = LaunchError { range: start..start + line.trim().len(), message: String::new(), help: None };
            found.push(error);
            if found.len() == MAX_IN_FILE {
                break;
            }
        }
    }
    // Consecutive stray lines are reported once.
    found.dedup_by(|next, first| {
        is_comment(&text[first.range.end..next.range.start]).then(|| first.range.end = next.range.end).is_some()
    });
    for error in &mut found {
        error.range.end = error.range.start + text[error.range.start..].lines().next().map_or(0, str::len);
        error.message = "this launch directive is not directly above an entry, so it is never run".to_string();
        error.help = Some(
            "directives must directly precede an `entry`: remove the lines between, including blank lines".to_string(),
        );
    }
    found
}

/// Whether a text consists of comments and blank lines.
fn is_comment(text: &str) -> bool {
    text.lines().map(str::trim).all(|line| line.is_empty() || line.starts_with("//"))
}

/// The comments and blank lines directly before the line that starts at `end`.
pub(super) fn comments_before(text: &str, end: usize) -> Range<usize> {
    let lines = text[..end].split_inclusive('\n').rev().take_while(|line| is_comment(line));
    end - lines.map(str::len).sum::<usize>()..end
}
